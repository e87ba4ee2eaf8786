"""Renyi divergence of an eta-bounded-range mechanism (the exponential mechanism).

The worst pair is two-point: loss t with mass p = (e^eta - e^t)/(e^eta - 1) under P, else loss t - eta.
D_alpha = sup_{0<=t<=eta} log(p e^{(alpha-1)t} + (1-p) e^{(alpha-1)(t-eta)}) / (alpha-1), by golden
section with 60 digits; compared with the stationary point, which is linear in e^t. alpha = 1 is the
limit p t + (1-p)(t - eta). Run: python3 bench/oracles/exponential.py      (seconds)
"""
import mpmath as mp

from common import write

mp.mp.dps = 70


def objective(eta, alpha, t):
    p = (mp.exp(eta) - mp.exp(t)) / mp.expm1(eta)
    if alpha == 1:
        return p * t + (1 - p) * (t - eta)
    a = alpha - 1
    return mp.log(p * mp.exp(a * t) + (1 - p) * mp.exp(a * (t - eta))) / a


def golden(f, lo, hi):
    g = (mp.sqrt(5) - 1) / 2
    width = hi - lo
    a, b = hi - g * (hi - lo), lo + g * (hi - lo)
    fa, fb = f(a), f(b)
    while hi - lo > width * mp.mpf("1e-28"):
        if fa > fb:
            hi, b, fb = b, a, fa
            a = hi - g * (hi - lo)
            fa = f(a)
        else:
            lo, a, fa = a, b, fb
            b = lo + g * (hi - lo)
            fb = f(b)
    return max(fa, fb)


def stationary(eta, alpha):
    """t at the maximum, from setting the derivative to zero."""
    e = mp.exp(eta)
    if alpha == 1:
        return mp.log((e - 1) / eta)
    r = e**(1 - alpha)
    return mp.log((alpha - 1) * (e - r) / (alpha * (1 - r)))


def main():
    rows = []
    for eta in (1e-3, 0.1, 1.0, 3.0, 20.0):
        for alpha in (1.0, 1.01, 1.5, 2.0, 5.0, 32.0, 256.0):
            e, a = mp.mpf(eta), mp.mpf(alpha)
            found = golden(lambda t: objective(e, a, t), mp.mpf(0), e)
            exact = objective(e, a, stationary(e, a))
            assert abs(found / exact - 1) < mp.mpf("1e-40"), (eta, alpha)
            rows.append((eta, alpha, found))
    write("exponential.csv", ["eta", "alpha", "renyi_divergence"], rows)


if __name__ == "__main__":
    main()
