"""The Gaussian mechanism in closed form (sensitivity 1), 100-digit arithmetic.

gaussian.csv              sigma, epsilon -> delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), mu = 1/sigma
gaussian_calibration.csv  epsilon, delta -> the smallest sigma (bisection to 30 digits)
gaussian_tradeoff.csv     mu, fpr -> tpr = Phi(Phi^-1(fpr) + mu)
Run: python3 bench/oracles/gaussian.py       (seconds)
"""
import mpmath as mp

from common import write

mp.mp.dps = 100


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def delta_of(mu, eps):
    return phi(mu / 2 - eps / mu) - mp.exp(eps) * phi(-mu / 2 - eps / mu)


def sigma_of(eps, delta):
    eps, delta = mp.mpf(eps), mp.mpf(delta)
    lo, hi = mp.mpf("1e-6"), mp.mpf("1e9")
    while hi / lo - 1 > mp.mpf("1e-32"):
        mid = mp.sqrt(lo * hi)
        if delta_of(1 / mid, eps) > delta:
            lo = mid
        else:
            hi = mid
    return hi


def quantile(p):
    lo, hi = mp.mpf(-60), mp.mpf(60)
    while hi - lo > mp.mpf("1e-50"):
        mid = (lo + hi) / 2
        if phi(mid) < p:
            lo = mid
        else:
            hi = mid
    return lo


def main():
    rows = []
    for s in (0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.5, 4.0, 10.0, 50.0, 200.0):
        for e in (0.0, 1e-6, 0.001, 0.03, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 300.0, 700.0, 1000.0):
            d = delta_of(1 / mp.mpf(s), mp.mpf(e))
            if d > mp.mpf("1e-300"):
                rows.append((s, e, d))
    write("gaussian.csv", ["sigma", "epsilon", "delta"], rows, 40)
    rows = [(e, d, sigma_of(e, d)) for e in (0.001, 0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 50.0, 500.0)
            for d in (0.3, 1e-3, 1e-5, 1e-10, 1e-15)]
    write("gaussian_calibration.csv", ["epsilon", "delta", "sigma"], rows)
    rows = [(m, f, phi(quantile(mp.mpf(f)) + mp.mpf(m))) for m in (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0)
            for f in (1e-15, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9)]
    write("gaussian_tradeoff.csv", ["mu", "fpr", "tpr"], rows, 30)


if __name__ == "__main__":
    main()
