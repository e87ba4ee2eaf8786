"""Optimal homogeneous composition of Kairouz, Oh and Viswanath: k mechanisms, each (eps0, delta0)-DP.

The k-fold composition of the dominating pair has loss l_j = (2j-k) eps0 with probability
C(k,j) e^{j eps0} / (1+e^eps0)^k besides the failure event, so
  delta(eps) = 1 - (1-delta0)^k (1 - sum_j pmf(j) (1 - e^{eps - l_j})_+).
Between two neighbouring losses delta(eps) = A - B e^eps: the segment is found by scanning and the
equation is solved in closed form with 80 digits. Writes the smallest eps >= 0 (continuous).
Run: python3 bench/oracles/kov.py       (seconds)
"""
import mpmath as mp

from common import write

mp.mp.dps = 80


def losses(eps0, k):
    e = mp.mpf(eps0)
    norm = (1 + mp.exp(e))**k
    return [((2 * j - k) * e, mp.binomial(k, j) * mp.exp(j * e) / norm) for j in range(k, -1, -1)]


def delta_of(eps0, delta0, k, eps):
    tail = mp.fsum(p * (1 - mp.exp(eps - l)) for l, p in losses(eps0, k) if l > eps)
    return 1 - (1 - mp.mpf(delta0))**k * (1 - tail)


def epsilon_of(eps0, delta0, k, delta):
    # condition: tail(eps) <= room
    room = 1 - (1 - mp.mpf(delta)) / (1 - mp.mpf(delta0))**k
    if room < 0:
        return None
    a = b = mp.mpf(0)  # tail(eps) = a - b e^eps over the losses above eps
    table = losses(eps0, k)
    for i, (l, p) in enumerate(table):
        a, b = a + p, b + p * mp.exp(-l)
        floor = table[i + 1][0] if i + 1 < len(table) else mp.mpf(-10)**6
        floor = max(floor, mp.mpf(0))
        if a - b * mp.exp(floor) >= room:
            return max(mp.mpf(0), mp.log((a - room) / b)) if room < a else l
        if floor == 0:
            return mp.mpf(0)


def main():
    settings = [(0.4, 1e-6, 1000, 1.1e-3), (0.4, 1e-6, 1000, 2e-3), (0.4, 1e-6, 1000, 0.0010005),
                (0.4, 0.0, 1000, 1e-6), (0.4, 0.0, 1000, 1e-3), (0.1, 0.0, 1, 1e-5), (1.0, 1e-5, 1, 2e-5),
                (0.5, 0.0, 2, 0.01), (1.0, 1e-6, 2, 1e-5), (0.1, 0.0, 10, 1e-5), (1.0, 1e-8, 10, 1e-6),
                (0.1, 0.0, 100, 1e-5), (0.01, 1e-9, 100, 1e-6), (2.0, 1e-4, 100, 0.05), (0.05, 0.0, 1000, 1e-12),
                (0.01, 0.0, 1000, 0.3), (0.001, 1e-10, 1000, 1e-5), (0.3, 0.0, 7, 1e-9), (0.2, 1e-7, 333, 1e-4)]
    rows = []
    for s in settings:
        eps = epsilon_of(*s)
        if eps > 0:
            assert abs(delta_of(*s[:3], eps) / mp.mpf(s[3]) - 1) < mp.mpf("1e-60"), s
        else:
            assert delta_of(*s[:3], mp.mpf(0)) <= s[3]
        rows.append((*s, eps))
    write("kov.csv", ["eps0", "delta0", "k", "delta", "epsilon"], rows)


if __name__ == "__main__":
    main()
