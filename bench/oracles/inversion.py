"""Exact delta(epsilon) of a T-fold composition, without discretising the privacy loss.

For a pair (P, Q) with loss L = log dP/dQ, and K(s) = T log E_P[exp(s L)],

  delta(eps) = 1/(2 pi i) int_{c - i inf}^{c + i inf} exp(K(s) - s eps) / (s (s+1)) ds      (c > 0).

* E_P is a trapezoid sum over x, which converges exponentially for these smooth densities.
* The line integral is a trapezoid sum too; its only error besides truncation is the aliasing sum
  sum_{k != 0} exp(2 pi k c / h) delta(eps + 2 pi k / h), so h follows from c and delta.
* c is the saddle point, so nothing cancels and delta has full relative precision at any size.
* exp(K) is evaluated by tilting: K(c+iu) = K(c) + iuTm + T log1p(E_tilted[expm1(iu(L-m))]),
  which keeps full precision when L is tiny and T large.

`checked_epsilon` solves delta(eps) = delta on three lines with different step sizes.
"""
import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp


class Slow(Exception):
    """The integrand does not decay within the work allowed."""


class SampledGaussian:
    """P = (1-q) N(0,s^2) + q N(1,s^2) against Q = N(0,s^2); `add` swaps the two."""

    def __init__(self, sigma, q, add=False):
        self.sigma, self.q, self.add = sigma, q, add

    def logf(self, x, sign=1):
        z = (2 * sign * x - 1) / (2 * self.sigma**2)
        if self.q == 1:
            return z
        small = np.log1p(self.q * np.expm1(np.minimum(z, 1.0)))
        return np.where(z < 1.0, small, np.logaddexp(np.log1p(-self.q), np.log(self.q) + z))

    def base(self, x):
        return -x * x / (2 * self.sigma**2) - np.log(self.sigma * np.sqrt(2 * np.pi))

    def at(self, x):
        """(log density of P, loss) at x; in the add direction P is N(0,s^2)."""
        f = self.logf(x)
        return (self.base(x), -f) if self.add else (self.base(x) + f, f)

    def reach(self, c):
        """An x-interval that surely holds the mass of exp(cL) dP."""
        far = (c + 1) / 1.0 if not self.add else 0.0
        near = -c if self.add else 0.0
        return near - 14 * self.sigma, far + 14 * self.sigma


class ReplaceOne(SampledGaussian):
    """P = (1-q) N(0,s^2) + q N(1,s^2) against Q = (1-q) N(0,s^2) + q N(-1,s^2)."""

    def at(self, x):
        f = self.logf(x)
        return self.base(x) + f, f - self.logf(x, -1)

    def reach(self, c):
        return -2 * c - 1 - 14 * self.sigma, 2 * c + 1 + 14 * self.sigma


class Tilted:
    """The tilted law exp(cL) dP / E_P[exp(cL)] on an x-grid, and log E_P[exp(cL)]."""

    def __init__(self, pair, c, points):
        lo, hi = pair.reach(c)
        x = np.linspace(lo, hi, 4001)
        logp, loss = pair.at(x)
        g = logp + c * loss
        keep = np.nonzero((g > g.max() - 50) | (logp > logp.max() - 50))[0]
        lo, hi = x[max(keep[0] - 1, 0)], x[min(keep[-1] + 1, 4000)]
        x, step = np.linspace(lo, hi, points, retstep=True)
        logp, loss = pair.at(x)
        logp = logp + np.log(step)
        g = logp + c * loss
        total = logsumexp(g)
        if total < 0.5:
            p, e = np.exp(logp), c * loss
            diff = np.where(e < 1, p * np.expm1(np.minimum(e, 1.0)), np.exp(g) - p)
            self.log_moment = np.log1p(diff.sum())
        else:
            self.log_moment = total
        w = np.exp(g - total)
        good = w > 1e-22
        self.w, y = w[good] / w[good].sum(), loss[good]
        mid = y[np.argmax(self.w)]
        self.mean = mid + np.dot(self.w, y - mid)
        self.y = y - self.mean
        self.var = np.dot(self.w, self.y**2)

    def log_ratio(self, u):
        """log E_tilted[exp(iu(L - mean))] for an array u."""
        half = np.multiply.outer(u / 2, self.y)
        sin = np.sin(half)
        return np.log1p(-2 * (sin**2 @ self.w) + 2j * ((sin * np.cos(half)) @ self.w))


def start(pair, steps, delta):
    """Saddle-point approximation: the c that belongs to delta."""

    def gap(logc):
        c = np.exp(logc)
        t = Tilted(pair, c, 1501)
        eps = steps * t.mean - 1 / c - 1 / (c + 1)
        log_int = steps * t.log_moment - c * eps - np.log(c) - np.log1p(c)
        curve = steps * t.var + 1 / c**2 + 1 / (c + 1)**2
        return log_int - 0.5 * np.log(2 * np.pi * curve) - np.log(delta)

    grid = np.linspace(np.log(1e-3), np.log(1e5), 120)
    last = gap(grid[0])
    for a, b in zip(grid[:-1], grid[1:]):
        now = gap(b)
        if last > 0 >= now:
            return np.exp(brentq(gap, a, b, xtol=1e-3))
        last = now
    raise Slow("no saddle point")


def line(pair, steps, c, h, points, budget):
    """Nodes u and K(c+iu) up to where the integrand is negligible."""
    t = Tilted(pair, c, points)
    block = 64
    us, ks, work, n = [], [], 0, 0
    while True:
        u = h * np.arange(n, n + block)
        r = t.log_ratio(u)
        us.append(u)
        ks.append(steps * r + 1j * u * steps * t.mean)
        size = np.exp(steps * r.real) / np.abs((c + 1j * u) * (c + 1 + 1j * u))
        first = n == 0
        n += block
        work += block * len(t.w)
        if first:
            peak = np.sum(size)
        if size.max() * n < 1e-12 * peak:
            return np.concatenate(us), np.concatenate(ks), steps * t.log_moment
        block = min(2 * block, max(64, int(4e6 / len(t.w))))
        if work > budget:
            raise Slow(f"|integrand| still {size[-1] / peak:.1e} at u={u[-1]:.3g}")


def solve(pair, steps, delta, c, ceiling, h, points, budget):
    """epsilon for one line, one step and one x-grid; scans down from an upper bound on epsilon."""
    u, k, k0 = line(pair, steps, c, h, points, budget)
    s = c + 1j * u
    kernel = np.exp(k - np.log(s) - np.log(s + 1)) * (h / np.pi)
    kernel[0] /= 2

    def excess(eps):
        total = np.dot(kernel, np.exp(-1j * u * eps)).real
        return -1e3 if total <= 0 else max(-1e3, k0 - c * eps + np.log(total) - np.log(delta))

    lo = hi = ceiling
    for _ in range(400):
        if excess(lo) > 0:
            if lo == ceiling:
                break
            return brentq(excess, lo, hi, xtol=1e-16, rtol=1e-14)
        lo, hi = lo - 0.25 / c, lo
    raise Slow(f"no bracket below {ceiling:.4g}")


def epsilon(pair, steps, delta, c, ceiling, fine, budget):
    """Doubles the x-grid, then shortens the step, until epsilon is stable to 2e-10."""
    spread = np.sqrt(steps * Tilted(pair, c, 1501).var)
    h = min(2 * np.pi * c / (36 + np.log(1 / delta)), 0.35 / spread) / fine
    points = int(1000 * fine)
    outer = None
    for _ in range(6):
        inner = solve(pair, steps, delta, c, ceiling, h, points, budget)
        while True:
            points *= 2
            now = solve(pair, steps, delta, c, ceiling, h, points, budget)
            if abs(now - inner) <= 2e-10 * abs(now):
                break
            inner = now
        if outer is not None and abs(now - outer) <= 2e-10 * abs(now):
            return now
        outer, h, points = now, h / 1.7, points // 2
    raise Slow("the step does not converge")


def checked_epsilon(pair, steps, delta, budget=4e8):
    """(epsilon, largest relative disagreement among three lines), or (None, reason)."""
    try:
        saddle = start(pair, steps, delta)
    except Slow as e:
        return None, str(e)
    ceiling = chernoff_epsilon(pair, steps, delta)
    found, reason = [], None
    for factor, fine in ((1.0, 1.0), (0.85, 1.21), (1.2, 1.37), (0.7, 1.11), (0.55, 1.05), (0.4, 1.0), (0.3, 1.15)):
        try:
            found.append(epsilon(pair, steps, delta, factor * saddle, ceiling, fine, budget))
        except Slow as e:
            reason = f"c = {factor} * {saddle:.3g}: {e}"
        if len(found) == 3:
            middle = sorted(found)[1]
            return middle, max(abs(f / middle - 1) for f in found)
    return None, reason


def chernoff_epsilon(pair, steps, delta):
    """An upper bound on epsilon: inf_c (K(c) + log(1/delta)) / c."""
    return min((steps * Tilted(pair, c, 3001).log_moment - np.log(delta)) / c
               for c in np.exp(np.linspace(np.log(1e-2), np.log(1e4), 140)))
