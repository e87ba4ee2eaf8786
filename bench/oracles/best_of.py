"""The best of a random number of runs: exact divergences of small mechanisms, by enumeration.

A run puts out one of three outcomes low < mid < top, the pair (Q, Q') being eps0-private and chosen such that the
best of the runs loses nearly as much as it can: mid is rarer, and top more likely, under Q'. Or a run puts out
N(0, s^2) against N(1, s^2), larger is better. With P[K=k] summed term by term (no generating function),

    P[A = y] = sum_k P[K=k] (Q(<=y)^k - Q(<y)^k)         for outcomes,
    density  = q(y) sum_k k P[K=k] Q(<=y)^(k-1)          for the Gaussian, integrated on a fine grid.

Columns: base, its parameter, the law of K (eta and gamma, or mu with eta = inf), order, the Renyi divergence (the
larger of both directions), an eps and the exact delta at it (the larger of both directions).
Run: python3 bench/oracles/best_of.py      (three minutes)
"""
import mpmath as mp

from common import write

mp.mp.dps = 50
TINY = mp.mpf(10) ** -40


def law(eta, gamma):
    """P[K = k], k = 1, 2, ..., until the rest does not matter."""
    weights, weight, k = [], mp.mpf(1), 1
    while True:
        # Relative to k = 1, which is the same for eta = 0, the limit.
        if eta == mp.inf:
            weight = weight * gamma / k if k > 1 else mp.mpf(1)
        elif k > 1:
            weight = weight * (1 - gamma) * (k - 1 + eta) / k
        weights.append(weight)
        if k > 5 and weight * k * k * 10 / (1 if eta == mp.inf else gamma) < TINY and (eta != mp.inf or k > gamma):
            break
        k += 1
    total = mp.fsum(weights)
    return [w / total for w in weights]


def outcomes(eps0, top, mid):
    e = mp.exp(eps0)
    q = [1 - top - mid, mid, top]
    q2 = [1 - top * e - mid / e, mid / e, top * e]
    for a, b in zip(q, q2):
        assert 1 / e * (1 - TINY) <= a / b <= e * (1 + TINY), (a, b)
    return q, q2


def best(q, pk):
    below, at, out = mp.mpf(0), mp.mpf(0), []
    for p in q:
        at = below + p
        a = b = mp.mpf(1)
        terms = []
        for w in pk:
            a *= at
            b *= below
            terms.append(w * (a - b))
        out.append(mp.fsum(terms))
        below = at
    return out


def renyi(a, b, order):
    def one(x, y):
        return mp.log(mp.fsum(u ** order * v ** (1 - order) for u, v in zip(x, y))) / (order - 1)
    return max(one(a, b), one(b, a))


def hockey(a, b, eps):
    e = mp.exp(eps)
    return max(mp.fsum(max(0, u - e * v) for u, v in zip(a, b)),
               mp.fsum(max(0, v - e * u) for u, v in zip(a, b)))


def gaussian(s, pk):
    """Masses of A and A' on cells of a grid. Merging outputs can only lower a divergence, so these are lower ends
    of the true ones (to 1e-4 here), which is what a bound must not fall below."""
    n, lo, hi = 1500, -9 * s, 1 + 9 * s
    edges = [lo + (hi - lo) * i / n for i in range(n + 1)]

    def cumulative(shift):
        out = []
        for x in edges:
            c = mp.ncdf((x - shift) / s)
            power, terms = mp.mpf(1), []
            for w in pk:
                power *= c
                terms.append(w * power)
            out.append(mp.fsum(terms))
        return [out[i + 1] - out[i] for i in range(n)]
    return cumulative(0), cumulative(1)


LAWS = [(1.0, 0.5), (1.0, 0.0625), (1.0, 0.0078125), (0.0, 0.0625), (-0.5, 0.0009765625), (2.5, 0.125),
        (float("inf"), 1.0), (float("inf"), 12.0)]


def main():
    rows = []
    for eta, gamma in LAWS:
        pk = law(mp.mpf(eta), mp.mpf(gamma))
        for eps0, top, mid in [(0.125, 0.05, 1e-4), (0.5, 0.2, 0.3), (0.5, 0.1, 1e-6), (1.0, 0.05, 1e-5),
                               (0.03125, 0.01, 0.01)]:
            q, q2 = outcomes(mp.mpf(eps0), mp.mpf(top), mp.mpf(mid))
            a, b = best(q, pk), best(q2, pk)
            for order in (1.5, 2.0, 8.0, 64.0, 1024.0):
                eps = 1.5 * eps0
                rows.append(["outcomes", eps0, eta, gamma, order, renyi(a, b, mp.mpf(order)), eps,
                             hockey(a, b, mp.mpf(eps))])
        if gamma >= 0.0625:
            mp.mp.dps = 25
            for s in (4.0, 1.0):
                a, b = gaussian(mp.mpf(s), pk)
                for order in (1.5, 4.0, 16.0):
                    eps = 1.0 / s
                    rows.append(["gaussian", s, eta, gamma, order, renyi(a, b, mp.mpf(order)), eps,
                                 hockey(a, b, mp.mpf(eps))])
            mp.mp.dps = 50
    # As Java reads it.
    rows = [["Infinity" if v == float("inf") else v for v in row] for row in rows]
    write("best_of.csv", ["base", "parameter", "eta", "gamma", "order", "divergence", "epsilon", "delta"], rows, 20)


main()
