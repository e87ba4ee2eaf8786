"""Rounded normal numbers by Box and Muller with 1,000 bits, for the exact draws of core.

rounded_normal.csv: deviation; words in hexadecimal (the first of U, the first of V with its two spare bits, then pairs of further
words); the two integers; and how many pairs of further words it takes to decide them. Some rows are drawn at random, with U near 0, near
1 and between. In others U was solved for, so that s r cos x or s r sin x agrees with an integer and a half in its first 50 to 250 digits.

rounded_normal_cells.csv: deviation, k, P(round(deviation N) = k) for k >= 0, and what lies beyond the last.
Run: python3 bench/oracles/rounded_normal.py       (about 10 seconds)
"""
import pathlib
import random

import mpmath as mp

import common
from common import write

common.OUT = (pathlib.Path(__file__).resolve().parents[2]
              / "core/src/test/resources/dev/discreet/core/privacy/draws")
mp.mp.prec = 1000
ROUNDS = 6
MASK = (1 << 64) - 1


def normals(u, v):
    """r cos x and r sin x."""
    r = mp.sqrt(-2 * mp.log(u))
    x = (v - mp.mpf(1) / 2) * mp.pi / 2
    return r * mp.cos(x), r * mp.sin(x)


def nearest(y):
    return int(mp.floor(y + mp.mpf(1) / 2))


def decided(s, u, v, rounds):
    """Whether the digits so far leave one integer each. r falls with U, |x| has its extremes at the ends of the cell of V or at 0."""
    left, right = 64 * (rounds + 1), 64 * (rounds + 1) - 2
    total = 64 * (ROUNDS + 1)
    u0, v0 = u >> (total - left), v >> (total - 2 - right)
    if u0 == 0:
        return False
    seen = [set(), set()]
    for a in (u0, u0 + 1):
        for b in (v0, v0 + 1):
            for i, y in enumerate(normals(mp.ldexp(a, -left), mp.ldexp(b, -right))):
                seen[i].add(nearest(s * y))
    return len(seen[0]) == 1 and len(seen[1]) == 1


def row(s, u, v, spare):
    """u and v: all digits, as integers; spare: the bits of swap and sign."""
    total = 64 * (ROUNDS + 1)
    words = [u >> (total - 64), (v >> (total - 64)) << 2 | spare]
    for k in range(1, ROUNDS + 1):
        words += [u >> (total - 64 * (k + 1)) & MASK, v >> (total - 64 * (k + 1)) & MASK]
    a, b = (nearest(s * y) for y in normals(mp.ldexp(u, -total), mp.ldexp(v, 2 - total)))
    rounds = next(k for k in range(ROUNDS) if decided(s, u, v, k))
    a = -a if spare & 1 else a
    a, b = (b, a) if spare & 2 else (a, b)
    return [s, " ".join(f"{w:x}" for w in words), a, b, rounds]


def draws():
    random.seed(17)
    total = 64 * (ROUNDS + 1)
    deviations = [0.01, 0.5, 0.7, 3.3, 1023.5, 1.3 * 2 ** 22, 2.0 ** 30 + 12345.678, 2.0 ** 36]
    for s in deviations:
        for i in range(12):
            u = random.getrandbits(total)
            if i % 4 == 1:
                u >>= random.randrange(75)
            elif i % 4 == 2:
                u = (1 << total) - 1 - (u >> random.randrange(75))
            v = random.getrandbits(total - 2)
            if i % 4 == 3:
                v = (1 << (total - 3)) + (random.choice((-1, 1)) * (v >> random.randrange(2, 75)))
            yield row(s, u, v, random.randrange(4))
    for s in deviations[1:]:
        for depth in (50, 60, 70, 120, 130, 190, 250):
            which = random.randrange(2)
            v = random.getrandbits(total - 2) if which == 0 else random.getrandbits(total - 4)
            trig = normals(mp.exp(-mp.mpf(1) / 2), mp.ldexp(v, 2 - total))[which]  # r = 1
            k = nearest(s * mp.mpf(random.uniform(0.6, 2)) * trig)
            half = (abs(k) + mp.mpf(1) / 2) * (1 if trig > 0 else -1)
            u = int(mp.floor(mp.ldexp(mp.exp(-(half / (s * trig)) ** 2 / 2), total)))
            rest = total - depth
            u = (u >> rest) << rest | random.getrandbits(rest)
            yield row(s, u, v, random.randrange(4))


def cells():
    for s in (0.5, 0.7, 2.3):
        last = int(4 * s) + 1
        for k in range(last + 1):
            upper = mp.mpf("inf") if k == last else (k + mp.mpf(1) / 2) / s
            yield [s, k, mp.ncdf(upper) - mp.ncdf((k - mp.mpf(1) / 2) / s)]


if __name__ == "__main__":
    write("rounded_normal.csv", ["deviation", "words", "first", "second", "rounds"], list(draws()))
    write("rounded_normal_cells.csv", ["deviation", "k", "probability"], list(cells()))
