"""Closed forms for one and two steps of a sampled Gaussian, used where the line integral decays slowly.

One step, threshold form: with x* the point where the loss equals eps (the loss is monotone in x),
delta = P(L > eps) - e^eps Q(L > eps), evaluated with 60 digits.
Two steps: delta_2(eps) = E_P[ delta_1(eps - L(x)) ], a one-dimensional trapezoid sum of the closed
form in doubles, with delta_1 written through Mills ratios so that nothing cancels.
"""
import mpmath as mp
import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx, ndtr

from inversion import SampledGaussian


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def bisect(f, lo, hi, digits=28):
    """The zero of a decreasing f on [lo, hi]."""
    lo, hi = mp.mpf(lo), mp.mpf(hi)
    if not f(lo) > 0:
        return None
    while f(hi) > 0:
        lo, hi = hi, 2 * hi
    while hi - lo > mp.mpf(10)**-digits * hi:
        mid = (lo + hi) / 2
        if f(mid) > 0:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


def delta_one(sigma, q, eps, add):
    """Exact delta of one step of (1-q)N(0)+qN(1) against N(0), or of the reverse."""
    s, q = mp.mpf(sigma), mp.mpf(q)
    if add:
        room = mp.exp(-eps) - (1 - q)
        if room <= 0:
            return mp.mpf(0)
        x = s * s * mp.log(room / q) + mp.mpf(1) / 2
        return phi(x / s) - mp.exp(eps) * ((1 - q) * phi(x / s) + q * phi((x - 1) / s))
    x = s * s * mp.log((mp.expm1(eps) + q) / q) + mp.mpf(1) / 2
    return (1 - q) * phi(-x / s) + q * phi((1 - x) / s) - mp.exp(eps) * phi(-x / s)


def epsilon_one(sigma, q, delta):
    """max over both directions, or 0."""
    with mp.workdps(60):
        both = [bisect(lambda e: delta_one(sigma, q, e, add) - mp.mpf(delta), 0, 1) for add in (False, True)]
        return max([mp.mpf(0)] + [b for b in both if b is not None])


def delta_replace_one(sigma, q, eps):
    """(1-q)N(0)+qN(1) against (1-q)N(0)+qN(-1), one step."""
    s, q = mp.mpf(sigma), mp.mpf(q)
    mix = lambda x, sign: mp.log(1 - q + q * mp.exp((2 * sign * x - 1) / (2 * s * s)))
    x = -bisect(lambda v: eps - (mix(-v, 1) - mix(-v, -1)), -1e-30, 1, 40) if eps < 0 else \
        bisect(lambda v: eps - (mix(v, 1) - mix(v, -1)), 0, 1, 40) if eps > 0 else mp.mpf(0)
    tail = lambda sign: (1 - q) * phi(-x / s) + q * phi((sign - x) / s)
    return tail(1) - mp.exp(eps) * tail(-1)


def epsilon_replace_one(sigma, q, delta):
    with mp.workdps(60):
        return bisect(lambda e: delta_replace_one(sigma, q, e) - mp.mpf(delta), mp.mpf("1e-9"), 1)


def epsilon_gaussian(sigma, steps, delta):
    """The unsampled Gaussian, any number of steps: mu = sqrt(T)/sigma."""
    with mp.workdps(60):
        mu = mp.sqrt(steps) / mp.mpf(sigma)
        f = lambda e: phi(mu / 2 - e / mu) - mp.exp(e) * phi(-mu / 2 - e / mu) - mp.mpf(delta)
        return bisect(f, 0, 1)


def mills(a):
    return np.sqrt(np.pi / 2) * erfcx(a / np.sqrt(2))


def gauss_delta(sigma, z):
    """Phi(-a) - e^z Phi(-b), a = (x*-1)/s, b = x*/s, at the threshold x* = s^2 z + 1/2."""
    b = sigma * z + 0.5 / sigma
    a = b - 1 / sigma
    deep = np.exp(-np.minimum(a, 1e3)**2 / 2) / np.sqrt(2 * np.pi) * (mills(np.maximum(a, 0)) - mills(np.maximum(b, 0)))
    flat = ndtr(-a) - np.exp(np.minimum(z, 700)) * ndtr(-b)
    return np.where(a > 0, deep, flat)


def delta_one_fast(sigma, q, eps, add):
    """delta_one for an array of eps of any sign, in doubles."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        if add:  # delta_{Q,P}(eps) = 1 - e^eps + e^eps delta_{P,Q}(-eps)
            x = sigma**2 * np.log1p(np.expm1(-eps) / q) + 0.5
            direct = ndtr(x / sigma) - np.exp(eps) * ((1 - q) * ndtr(x / sigma) + q * ndtr((x - 1) / sigma))
            return np.where(np.expm1(-eps) + q > 0, direct, 0.0)
        z = np.log1p(np.expm1(eps) / q)
        return np.where(np.expm1(eps) + q > 0, q * gauss_delta(sigma, z), -np.expm1(eps))


def epsilon_two(sigma, q, delta, add, points=400001):
    """Two steps in one direction; None if epsilon <= 0."""
    pair = SampledGaussian(sigma, q, add)
    lo, hi = (-14 * sigma, 14 * sigma) if add else (-14 * sigma, 1 + 14 * sigma)
    x, step = np.linspace(lo, hi, points, retstep=True)
    logp, loss = pair.at(x)
    w = np.exp(logp) * step
    f = lambda e: np.dot(w, delta_one_fast(sigma, q, e - loss, add)) - delta
    if f(0.0) <= 0:
        return None
    top = 1.0
    while f(top) > 0:
        top *= 2
    return brentq(f, 0.0, top, xtol=1e-16, rtol=1e-14)
