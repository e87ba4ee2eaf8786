"""Moments of the Poisson-sampled Gaussian at 60+ digits.

  log_moment     = log E_{x~N(0,s^2)} [ f(x)^alpha ]
  log_moment_add = log E_{x~N(0,s^2)} [ f(x)^(1-alpha) ],   f(x) = 1-q+q exp((2x-1)/(2 s^2))

Three methods, all in mpmath:
  trapezoid   equidistant sum in u = x/s (exponentially accurate: the nearest
              singularity of the integrand lies at Im u = pi s), step halved once;
  gauss       composite Gauss-Legendre, 40 nodes on panels of width <= pi s;
  binomial    sum_k C(a,k) (1-q)^(a-k) q^k exp(k(k-1)/(2 s^2)) for integer alpha.
They must agree to 30 digits (relative, in the logarithm), or the script fails.

Also writes moments.csv and moments_epsilon.csv (the moments accountant of Abadi et al.).
Run: python3 bench/oracles/sampled_gaussian.py        (about 5 minutes)
"""
import functools

import mpmath as mp
import numpy as np

from common import write

mp.mp.dps = 90
KEEP = 150.0  # nats below the largest summand that still count (65 digits)


def log_integrand(u, sigma, q, p):
    """log( exp(-u^2/2) f^p ) in doubles, only to see where the mass lies."""
    z = u / sigma - 0.5 / sigma**2
    logf = z if q == 1 else np.logaddexp(np.log1p(-q), np.log(q) + z)
    return -u * u / 2 + p * logf


def mass_interval(sigma, q, p):
    """All u whose summand is within KEEP nats of the largest lie in [lo, hi]."""
    lo, hi = min(0.0, p / sigma) - 20, max(0.0, p / sigma) + 20
    u = np.arange(lo, hi, 0.005)
    g = log_integrand(u, sigma, q, p)
    ok = np.nonzero(g > g.max() - KEEP)[0]
    return u[ok[0]] - 0.01, u[ok[-1]] + 0.01, g.max()


class Setting:
    def __init__(self, sigma, q, p):
        self.sigma, self.q, self.p = sigma, q, float(p)
        self.s, self.mq, self.mpp = mp.mpf(sigma), mp.mpf(q), mp.mpf(p)
        self.shift = 1 / (2 * self.s**2)
        self.lo, self.hi, self.peak = mass_interval(sigma, q, self.p)
        # distance from u = 0 at which the integrand stops being analytic
        self.strip = np.pi * sigma if q < 1 else 1e9

    def value(self, u):
        f = 1 - self.mq + self.mq * mp.exp(u / self.s - self.shift)
        return mp.exp(-u * u / 2) * f**self.mpp

    def wanted(self, us):
        return log_integrand(us, self.sigma, self.q, self.p) > self.peak - KEEP


def trapezoid(setting, h, offset):
    ks = np.arange(int(setting.lo / h) - 2, int(setting.hi / h) + 3)
    ks = ks[setting.wanted((ks + offset) * h)]
    h, offset = mp.mpf(h), mp.mpf(offset)
    return h * mp.fsum(setting.value((int(k) + offset) * h) for k in ks) / mp.sqrt(2 * mp.pi)


@functools.lru_cache
def legendre(n):
    """Gauss-Legendre nodes and weights to full precision (Newton from doubles)."""
    out = []
    for x0 in np.polynomial.legendre.leggauss(n)[0]:
        x = mp.mpf(float(x0))
        for _ in range(5):
            a, b = mp.mpf(1), x
            for k in range(2, n + 1):
                a, b = b, ((2 * k - 1) * x * b - (k - 1) * a) / k
            slope = n * (x * b - a) / (x * x - 1)
            x -= b / slope
        out.append((x, 2 / ((1 - x * x) * slope**2)))
    return out


def gauss(setting):
    width = min(1.0, setting.strip)
    panels = int(np.ceil((setting.hi - setting.lo) / width))
    edges = np.linspace(setting.lo, setting.hi, panels + 1)
    total = []
    for a, b in zip(edges[:-1], edges[1:]):
        if not setting.wanted(np.linspace(a, b, 9)).any():
            continue
        mid, half = (mp.mpf(a) + mp.mpf(b)) / 2, (mp.mpf(b) - mp.mpf(a)) / 2
        total.append(half * mp.fsum(w * setting.value(mid + half * x) for x, w in legendre(40)))
    return mp.fsum(total) / mp.sqrt(2 * mp.pi)


def binomial(sigma, q, alpha):
    s, q = mp.mpf(sigma), mp.mpf(q)
    return mp.fsum(mp.binomial(alpha, k) * (1 - q)**(alpha - k) * q**k
                   * mp.exp(k * (k - 1) / (2 * s * s)) for k in range(alpha + 1))


def log_moment(sigma, q, p, check=True):
    """log E f^p by the trapezoid rule, cross-checked against everything else that applies."""
    if q == 1:
        return mp.mpf(p) * (mp.mpf(p) - 1) / (2 * mp.mpf(sigma)**2)
    st = Setting(sigma, q, p)
    h = min(0.3, 0.1 * sigma)
    if p < 0:  # poles instead of branch points: a power of the distance is lost
        h = min(0.3, 0.1 * sigma / (1 + abs(float(p)) / 60))
    a = trapezoid(st, h, 0.0)
    best = (a + trapezoid(st, h, 0.5)) / 2  # = step h/2
    log = mp.log(best)
    if check:
        others = [("step", a)]
        others.append(("gauss", gauss(st)))
        if p > 0 and float(p).is_integer():
            others.append(("binomial", binomial(sigma, q, int(p))))
        for name, other in others:
            err = abs(mp.log(other) / log - 1)
            if err > mp.mpf("1e-30"):
                raise SystemExit(f"{name} disagrees at sigma={sigma} q={q} p={p}: {mp.nstr(err, 5)}")
    return log


SIGMAS = [0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 1.1, 1.5, 2.5, 4.0, 10.0, 50.0, 200.0]
QS = [1e-7, 1e-5, 1e-3, 0.01, 0.04, 0.2, 0.5, 0.9, 1.0]
ALPHAS = [1.01, 1.1, 1.5, 2.0, 2.5, 3.0, 5.0, 7.3, 10.9, 32.0, 50.0, 63.0, 100.0, 256.0]


def rdp_settings():
    rows = [(s, q, ALPHAS[(5 * i + 3 * j) % len(ALPHAS)])
            for i, s in enumerate(SIGMAS) for j, q in enumerate(QS)]
    rows += [(2.5, 0.01, a) for a in (1.5, 2.5, 5.0, 50.0, 100.0)]
    rows += [(0.7, 0.01, a) for a in (1.1, 3.4, 4.2)] + [(4.0, 0.01, a) for a in (10.9, 14.0, 63.0)]
    rows += [(1.5, 0.04, a) for a in (2.7, 3.5)] + [(0.3, 1e-7, 100.0), (200.0, 1e-7, 1.01)]
    return sorted(set(rows))


def moments_settings():
    rows = [(4.0, 0.01, l) for l in (1, 2, 5, 9, 16, 32)]
    rows += [(s, q, l) for s, q in ((0.5, 0.001), (1.0, 0.01), (1.1, 0.2), (2.0, 0.5), (0.3, 0.9),
                                    (8.0, 0.05), (100.0, 1e-5)) for l in (1, 8, 32)]
    return rows


def moments_epsilon(sigma, q, steps, delta):
    """min over integer lambda <= 32 of (T alpha(lambda) + log(1/delta)) / lambda."""
    best = None
    for lam in range(1, 33):
        a = max(log_moment(sigma, q, -lam, False), log_moment(sigma, q, lam + 1, False))
        eps = (steps * a - mp.log(mp.mpf(delta))) / lam
        if best is None or eps < best[0]:
            best = (eps, lam)
    return best


def main():
    rows = [(s, q, a, log_moment(s, q, a), log_moment(s, q, 1 - mp.mpf(a)))
            for s, q, a in rdp_settings()]
    write("sampled_gaussian_rdp.csv", ["sigma", "q", "alpha", "log_moment", "log_moment_add"], rows)
    rows = []
    for s, q, lam in moments_settings():
        e1, e2 = log_moment(s, q, -lam), log_moment(s, q, lam + 1)
        rows.append((s, q, lam, e1, e2, max(e1, e2)))
    write("moments.csv", ["sigma", "q", "lambda", "log_e1", "log_e2", "log_moment"], rows)
    rows = []
    for s, q, t, d in ((4.0, 0.01, 10000, 1e-5), (1.1, 256 / 60000, 14062, 1e-5),
                       (2.0, 0.05, 20000, 1e-6), (0.7, 0.01, 120, 1e-5), (8.0, 0.5, 10, 1e-3),
                       (50.0, 1.0, 100, 1e-9)):
        rows.append((s, q, t, d, *moments_epsilon(s, q, t, d)))
    write("moments_epsilon.csv", ["sigma", "q", "steps", "delta", "epsilon", "lambda"], rows)


if __name__ == "__main__":
    main()
