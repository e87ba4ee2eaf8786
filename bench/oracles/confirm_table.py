"""Prints the value of every row of the issue's table, from the oracles here. Writes no file.

Run: python3 bench/oracles/confirm_table.py       (about 1 minute)
"""
import mpmath as mp
from scipy.optimize import minimize_scalar

import direct
import gaussian
import kov
import laplace
import pld
from sampled_gaussian import log_moment, moments_epsilon


def show(name, value, stated):
    print(f"{name:52s} {mp.nstr(mp.mpf(value), 13):20s} stated {stated}", flush=True)


def rdp_epsilon(sigma, q, steps, delta):
    orders = [1 + i / 10 for i in range(1, 100)] + list(range(12, 64))
    delta = mp.mpf(delta)
    best = (mp.inf, None)
    for a in orders:
        m = mp.mpf(a)
        eps = steps * log_moment(sigma, q, a, False) / (m - 1) + mp.log1p(-1 / m) - mp.log(delta * m) / (m - 1)
        best = min(best, (eps, a))
    return best


def strong(eps, steps, slack):
    return eps * mp.sqrt(2 * steps * mp.log(1 / slack)) + steps * eps * mp.expm1(eps)


def strong_split(sigma, q, steps, delta, base, amplify, share):
    """delta = share (slack) + T q delta0."""
    eps0 = base(sigma, mp.mpf(delta) * (1 - share) / (steps * mp.mpf(q)))
    return strong(amplify(mp.mpf(q), eps0), steps, mp.mpf(delta) * share)


def classical(sigma, delta0):
    return mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta0)) / mp.mpf(sigma)


def analytic(sigma, delta0):
    return direct.epsilon_gaussian(sigma, 1, delta0)


def main():
    mp.mp.dps = 60
    setting = (4.0, 0.01, 10000, 1e-5)
    show("moments 4/.01/10000/1e-5", moments_epsilon(*setting)[0], "1.2586")
    valid = lambda q, e: mp.log1p(q * mp.expm1(e))
    show("strong, q eps0, even split", strong_split(*setting, classical, lambda q, e: q * e, mp.mpf("0.5")), "9.35")
    for name, base, stated in (("classical", classical, "26.39"), ("analytic", analytic, "<= 16.85")):
        best = minimize_scalar(lambda t: float(strong_split(*setting, base, valid, mp.mpf(t))), bounds=(1e-4, 0.9999),
                               method="bounded", options={"xatol": 1e-6})
        show(f"strong, valid, {name} eps0, slack share {best.x:.4f}", best.fun, stated)
    for s, stated in ((setting, "1.03549"), ((1.5, 0.04, 2250, 1e-5), "7.3291"), ((0.7, 0.01, 120, 1e-5), "3.23919")):
        eps, order = rdp_epsilon(*s)
        show(f"rdp {s}, order {order}", eps, stated)
    for a, stated in ((1.5, "6.50070897e-4"), (2.5, "1.08541806e-3"), (5.0, "2.18075656e-3"), (50.0, "2.38460375e-2"),
                      (100.0, "167.416308")):
        show(f"rdp curve 2.5/.01/50, order {a}", 50 * log_moment(2.5, 0.01, a) / (mp.mpf(a) - 1), stated)
    for s, stated in ((setting, "0.94700 +-2e-4"), ((0.7, 0.01, 120, 1e-5), "2.46124 +-2e-4"),
                      ((0.7, 1.0, 2, 1e-5), "10.12249 +-1e-4"), ((1.1, 256 / 60000, 14062, 1e-5), "2.3817 +-5e-4"),
                      ((2.0, 0.05, 20000, 1e-6), "24.41097 +-2e-3")):
        show(f"pld {s}", pld.add_remove(*s)[0], stated)
    show("pld Laplace 1x3;2x2 at 1e-14", laplace.plain("1x3;2x2", 1e-14), "4.000000")
    lo, hi = mp.mpf("0.6"), mp.mpf("0.8")
    while hi - lo > mp.mpf("1e-14"):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if direct.epsilon_one(mid, 0.01, 1e-5) > 1 else (lo, mid)
    show("calibrate pld eps=1, q=.01, T=1, 1e-5", hi, "0.673793")
    show("analytic Gaussian eps=1, 1e-5", gaussian.sigma_of(1, 1e-5), "3.730631634816")
    for fpr, stated in ((1e-3, ".01830"), (1e-6, "8.7218e-5")):
        show(f"trade-off sigma=1 at {fpr}", gaussian.phi(gaussian.quantile(mp.mpf(fpr)) + 1), stated)
    show("strong, 1000 x (0.4, 1e-6), slack 1e-6", strong(mp.mpf(0.4), 1000, mp.mpf(1e-6)), "263.22")
    for total in (1e-3 + 1e-6, 2e-3):
        show(f"optimal, 1000 x (0.4, 1e-6), delta {total}", kov.epsilon_of(0.4, 1e-6, 1000, total), "")


if __name__ == "__main__":
    main()
