"""Exact epsilon(delta) of composed Laplace mechanisms (sensitivity 1) and of Poisson-sampled ones.

laplace_pld.csv: scales like "1x3;2x2" (scale x count). With w = s + 1/2 and a = 1/b the moment function is
  E_P[e^{sL}] = e^{-a/2}/4 [ e^{aw} (2 + 1/w) + e^{-aw} (2 - 1/w) ],
so delta(eps) = 1/(2 pi i) int prod M(s) e^{-s eps} / (s(s+1)) ds splits into terms
  exp(w x) 4 (2w+1)^{j-1} (2w-1)^{n-j-1} / w^n,  x = sum of (2 j_i - n_i) a_i - eps,
each of which is a sum of residues (w = 0, and w = 1/2 when j = n), and vanishes when x <= 0. The terms
cancel, so they are summed with several thousand bits; 2/3 more bits must not change the answer.

sampled_laplace_pld.csv: b, q, steps. P = (1-q) Lap(0,b) + q Lap(1,b) against Lap(0,b), larger of both
directions. The loss has two atoms and an absolutely continuous part; outcomes with no or one continuous
step are summed exactly, the rest by the line integral of inversion.py (its integrand falls like u^-4).
Three lines and step sizes must agree. Run: python3 bench/oracles/laplace.py       (about 3 minutes, most of it for 20x1000)
"""
import functools
import itertools
import math

import mpmath as mp
import numpy as np
from scipy.optimize import brentq, minimize_scalar

from common import write


# ---------------------------------------------------------------- plain Laplace, residues

def coefficients(n):
    """r[j][m] = [w^m] (2w+1)^(j-1) (2w-1)^(n-j-1), m < n, for j = 1..n; exact integers."""
    def times(r, sign):  # by (2w + sign), truncated
        return [sign * r[0]] + [2 * r[m - 1] + sign * r[m] for m in range(1, n)]

    def over_minus(r):  # by 1 / (2w - 1)
        out = []
        for m in range(n):
            out.append(2 * out[m - 1] - r[m] if m else -r[0])
        return out

    r = [1] + [0] * (n - 1)
    for _ in range(n - 2):
        r = times(r, -1)
    if n == 1:
        r = over_minus(r)
    table = {1: r}
    for j in range(2, n + 1):
        r = over_minus(times(r, 1))
        table[j] = r
    return table


class Laplace:
    """groups = [(scale, count), ...]"""

    def __init__(self, groups, bits):
        self.bits = bits
        self.n = sum(c for _, c in groups)
        self.table = coefficients(self.n)
        with mp.workprec(bits):
            rates = [(1 / mp.mpf(b), c) for b, c in groups]
            self.top = mp.fsum(a * c for a, c in rates)
            self.terms = []  # (position, j, multiplicity)
            for js in itertools.product(*[range(c + 1) for _, c in rates]):
                at = mp.fsum((2 * j - c) * a for j, (a, c) in zip(js, rates))
                many = math.prod(math.comb(c, j) for j, (_, c) in zip(js, rates))
                self.terms.append((at, sum(js), many))

    def delta(self, eps):
        n = self.n
        with mp.workprec(self.bits):
            total = mp.mpf(0)
            for at, j, many in self.terms:
                x = at - eps
                if x <= 0:
                    continue
                r, v = self.table[j], mp.mpf(0)
                for m in range(n - 1):
                    v = (v + r[m]) * x / (n - 1 - m)
                v = 4 * (v + r[n - 1])
                if j == n:
                    v += mp.exp(x / 2) * mp.mpf(4)**n
                total += many * v
            return total * mp.exp((eps - self.top) / 2) / mp.mpf(4)**n

    def epsilon(self, delta):
        """Regula falsi (Illinois) on log delta(eps) after a coarse bisection."""
        with mp.workprec(self.bits):
            target = mp.log(mp.mpf(delta))
            f = lambda e: mp.log(self.delta(e)) - target
            lo, hi = mp.mpf(0), self.top * (1 - mp.mpf(10)**-40)
            flo = f(lo)
            if flo <= 0:
                return mp.mpf(0)
            fhi = f(hi)
            side = 0
            for step in range(200):
                mid = (lo + hi) / 2 if step < 6 else (lo * fhi - hi * flo) / (fhi - flo)
                fm = f(mid)
                if abs(fm) < mp.mpf(10)**-25 or hi - lo < mp.mpf(10)**-25 * hi:
                    return +mid
                if fm > 0:
                    lo, flo = mid, fm
                    if step >= 6 and side == 1:
                        fhi /= 2
                    side = 1
                else:
                    hi, fhi = mid, fm
                    if step >= 6 and side == -1:
                        flo /= 2
                    side = -1
        raise SystemExit("no convergence")


def plain(scales, delta):
    groups = [(float(b), int(c)) for b, c in (g.split("x") for g in scales.split(";"))]
    n = sum(c for _, c in groups)
    eps = Laplace(groups, 3 * n + 300).epsilon(delta)
    again = Laplace(groups, 5 * n + 700).delta(eps) / mp.mpf(delta) - 1
    assert abs(again) < mp.mpf(10)**-22, (scales, again)
    return eps


def check_plain():
    """n = 1 closed form, n = 2 and the heterogeneous pair against numerical integration."""
    one = Laplace([(2.0, 1)], 500)
    assert abs(one.delta(mp.mpf("0.3")) - (1 - mp.exp((mp.mpf("0.3") - mp.mpf("0.5")) / 2))) < mp.mpf(10)**-14

    def single(a, e):
        return mp.mpf(0) if e >= a else 1 - mp.exp(e) if e < -a else 1 - mp.exp((e - a) / 2)

    a1, a2, e = mp.mpf(1), mp.mpf(1) / 4, mp.mpf("0.37")
    inner = lambda l: mp.exp(-a2 / 2) / 4 * mp.exp(l / 2) * single(a1, e - l)
    ref = single(a1, e - a2) / 2 + mp.exp(-a2) / 2 * single(a1, e + a2) + mp.quad(inner, [-a2, 0, a2])
    assert abs(Laplace([(1.0, 1), (4.0, 1)], 500).delta(e) / ref - 1) < mp.mpf(10)**-13
    inner = lambda l: mp.exp(-a1 / 2) / 4 * mp.exp(l / 2) * single(a1, e - l)
    ref = single(a1, e - a1) / 2 + mp.exp(-a1) / 2 * single(a1, e + a1) + mp.quad(inner, [-a1, e - a1, e, a1])
    assert abs(Laplace([(1.0, 2)], 500).delta(e) / ref - 1) < mp.mpf(10)**-13


# ---------------------------------------------------------------- Poisson-sampled Laplace

legendre = functools.lru_cache(np.polynomial.legendre.leggauss)


class SampledLaplace:
    def __init__(self, b, q, add, nodes=6000):
        a = 1 / b
        loss = lambda l: np.log1p(q * np.expm1(l)) * (-1 if add else 1)
        self.atoms = []  # (mass under P, loss)
        for mass, l in ((0.5, -a), (0.5 * np.exp(-a), a)):
            f = np.log1p(q * np.expm1(l))
            self.atoms.append((mass if add else mass * np.exp(f), loss(l)))
        self.b, self.q, self.a, self.add, self.loss = b, q, a, add, loss
        x, w = legendre(200)
        panels = nodes // 200
        left = np.arange(panels)[:, None] / panels
        self.x, self.w = self.nodes(left + (x + 1) / (2 * panels), w / (2 * panels))
        self.y = loss((2 * self.x - 1) / b)

    def nodes(self, x, w):
        x, w = x.ravel(), np.broadcast_to(w, x.shape).ravel()
        mass = w * np.exp(-x / self.b) / (2 * self.b)
        if not self.add:
            mass = mass * (1 + self.q * np.expm1((2 * x - 1) / self.b))
        return x, mass

    def atom_part(self, s):
        return sum(m * np.exp(s * l) for m, l in self.atoms)

    def smooth_part(self, s):
        s = np.atleast_1d(s)
        return np.concatenate([np.exp(np.multiply.outer(p, self.y)) @ self.w for p in np.array_split(s, len(s) // 300 + 1)])

    def one_smooth(self, shift):
        """E[(1 - e^{shift - L})_+ ; the step is continuous]."""
        lo, hi = 0.0, 1.0
        v = np.exp(shift) if not self.add else np.exp(-shift)
        inside = (v - 1 + self.q) / self.q  # e^l at the kink
        if inside > 0:
            kink = (self.b * np.log(inside) + 1) / 2
            if self.add:
                hi = min(hi, kink)
            else:
                lo = max(lo, kink)
        elif self.add:
            return 0.0
        if lo >= hi:
            return 0.0
        x, w = legendre(60)
        x, mass = self.nodes(lo + (hi - lo) * (x + 1) / 2, w * (hi - lo) / 2)
        return np.dot(mass, -np.expm1(shift - self.loss((2 * x - 1) / self.b)))

    def few(self, steps, eps):
        """Contribution of outcomes with at most one continuous step."""
        (m1, l1), (m2, l2) = self.atoms
        total = 0.0
        for i in range(steps + 1):
            l = i * l1 + (steps - i) * l2
            if l > eps:
                total += math.comb(steps, i) * m1**i * m2**(steps - i) * -np.expm1(eps - l)
        for i in range(steps):
            l = i * l1 + (steps - 1 - i) * l2
            total += steps * math.comb(steps - 1, i) * m1**i * m2**(steps - 1 - i) * self.one_smooth(eps - l)
        return total


def sampled_line(mech, steps, delta, factor, fine, reach=6000.0):
    moment = lambda c: steps * np.log((mech.atom_part(c) + mech.smooth_part(c)[0]).real)
    limit = np.log(min(40.0, 500 / max(abs(l) for _, l in mech.atoms)))  # few() takes the far tail
    bound = minimize_scalar(lambda t: (moment(np.exp(t)) - np.log(delta)) / np.exp(t), bounds=(-3, limit), method="bounded")
    c, ceiling = np.exp(bound.x) * factor, bound.fun
    h = 2 * np.pi * c / (36 + np.log(1 / delta)) / fine
    u = np.arange(0, reach * fine, h)
    s = c + 1j * u
    a, m = mech.atom_part(s), mech.smooth_part(s)
    # (a+m)^T - a^T - T a^(T-1) m, scaled by the value of (a+m)^T at u = 0
    k0 = moment(c)
    t, scale = steps, np.exp(k0 / steps)
    rest = ((a + m) / scale)**t - (a / scale)**t - t * (a / scale)**(t - 1) * (m / scale)
    kernel = rest / (s * (s + 1)) * (h / np.pi)
    kernel[0] /= 2
    f = lambda e: mech.few(steps, e) + np.exp(k0 - c * e) * np.dot(kernel, np.exp(-1j * u * e)).real - delta
    lo, hi = ceiling - 0.25 / c, ceiling
    while f(lo) <= 0:
        lo, hi = lo - 0.25 / c, lo
        if hi <= 0:
            return 0.0
    return brentq(f, lo, hi, xtol=1e-15, rtol=1e-13)


def sampled(b, q, steps, delta):
    found = []
    for factor, fine in ((1.0, 1.0), (0.8, 1.3), (1.2, 1.15)):
        found.append(max(sampled_line(SampledLaplace(b, q, add, int(6000 * fine)), steps, delta, factor, fine)
                         for add in (False, True)))
    return found[0], max(abs(f / found[0] - 1) for f in found)


def sampled_one(b, q, delta):
    """One step, remove direction in closed form: delta = q (1 - e^{(z-a)/2}), e^eps = 1 + q(e^z - 1)."""
    with mp.workdps(40):
        z = 1 / mp.mpf(b) + 2 * mp.log1p(-mp.mpf(delta) / mp.mpf(q))
        return mp.log1p(mp.mpf(q) * mp.expm1(z))


def sampled_two(b, q, delta):
    """Two steps: E_P[delta_1(eps - L)] with the closed form of delta_1, both directions, 25 digits."""
    a, q, ratio = 1 / mp.mpf(b), mp.mpf(q), lambda l: 1 + q * mp.expm1(l)

    def remove(e):
        v = (mp.expm1(e) + q) / q
        if v <= mp.exp(-a):
            return -mp.expm1(e)
        z = mp.log(v)
        return q * -mp.expm1((z - a) / 2) if z < a else mp.mpf(0)

    def two(e, add):
        single = (lambda t: -mp.expm1(t) + mp.exp(t) * remove(-t)) if add else remove
        weight = (lambda l: mp.mpf(1)) if add else ratio
        loss = lambda l: (-1 if add else 1) * mp.log(ratio(l))
        total = weight(-a) / 2 * single(e - loss(-a)) + mp.exp(-a) / 2 * weight(a) * single(e - loss(a))
        cuts = []  # where single(e - loss) has a kink
        for end in (loss(a), loss(-a)):
            v = (mp.exp((e - end) * (-1 if add else 1)) - 1 + q) / q
            if v > 0 and -a < mp.log(v) < a:
                cuts.append(mp.log(v))
        dens = lambda l: mp.exp(-a / 2 - l / 2) / 4 * weight(l) * single(e - loss(l))
        return total + mp.quad(dens, [-a] + sorted(cuts) + [a])

    best = mp.mpf(0)
    for add in (False, True):
        lo, hi = mp.mpf(0), 2 * a
        if two(lo, add) <= delta:
            continue
        while hi - lo > mp.mpf(10)**-20:
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if two(mid, add) > delta else (lo, mid)
        best = max(best, lo)
    return best


def main():
    mp.mp.dps = 40
    check_plain()
    rows = [(s, d, plain(s, d)) for s, d in (
        ("1x1", 1e-5), ("1x1", 0.1), ("1x3;2x2", 1e-14), ("1x3;2x2", 1e-5), ("1x3;2x2", 0.01), ("5x100", 1e-5),
        ("5x100", 0.05), ("20x1000", 1e-6), ("0.5x4;1x4;4x4", 1e-6), ("0.1x2", 1e-9), ("50x300", 1e-10),
        ("10x30;3x10", 1e-6))]
    write("laplace_pld.csv", ["scales", "delta", "epsilon"], rows)
    # the two methods for sampled mechanisms against each other
    ref = sampled_two(1.0, 0.3, 0.05)
    gap = abs(sampled(1.0, 0.3, 2, 0.05)[0] / float(ref) - 1)
    print("two steps, line integral against integral:", gap)
    assert gap < 1e-6
    rows = []
    for b, q, steps, delta in ((1.0, 0.1, 1, 1e-5), (0.5, 0.01, 1, 1e-6), (1.0, 0.1, 2, 1e-5), (1.0, 0.3, 2, 0.02), (1.0, 0.1, 10, 1e-5),
                               (1.0, 0.01, 100, 1e-5), (0.5, 0.05, 40, 1e-6), (2.0, 0.2, 50, 1e-5),
                               (5.0, 0.5, 200, 1e-6), (0.3, 0.3, 20, 1e-4)):
        if steps == 1:
            eps, error = sampled_one(b, q, delta), 0.0
        elif steps == 2:
            eps, error = sampled_two(b, q, delta), 0.0
        else:
            eps, error = sampled(b, q, steps, delta)
        print("sampled", b, q, steps, delta, eps, error, flush=True)
        if error < 1e-8:
            rows.append((b, q, steps, delta, mp.mpf(eps), float(f"{error:.1e}")))
    write("sampled_laplace_pld.csv", ["scale", "q", "steps", "delta", "epsilon", "error"], rows, 18)


if __name__ == "__main__":
    main()
