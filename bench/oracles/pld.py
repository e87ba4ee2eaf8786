"""Exact epsilon(delta) of composed subsampled Gaussians (see inversion.py and direct.py).

poisson_gaussian_pld.csv      P = (1-q)N(0,s^2)+qN(1,s^2) against N(0,s^2), larger of the two directions
replace_one_poisson_pld.csv   P = (1-q)N(0,s^2)+qN(1,s^2) against (1-q)N(0,s^2)+qN(-1,s^2) (symmetric)
fixed_size_pld.csv            P = (1-q)N(0,s^2)+qN(2,s^2) against N(0,s^2), larger of the two directions

Each composed value is computed for three lines and step sizes; rows that disagree by more than
1e-8 are dropped and named on standard output. Column `error` is the largest relative disagreement
(0 for the closed forms). Run: python3 bench/oracles/pld.py     (about 10 minutes)
"""
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

import mpmath as mp

import direct
from common import write
from inversion import ReplaceOne, SampledGaussian, checked_epsilon, chernoff_epsilon

POISSON = [
    # the table of the issue
    (4.0, 0.01, 10000, 1e-5), (0.7, 0.01, 120, 1e-5), (0.7, 1.0, 2, 1e-5),
    (1.1, 256 / 60000, 14062, 1e-5), (2.0, 0.05, 20000, 1e-6), (1.3, 0.01, 5000, 1e-5),
    # the rdp rows, for comparison
    (1.5, 0.04, 2250, 1e-5), (2.5, 0.01, 50, 1e-5),
    # many steps
    (50.0, 0.01, 1000000, 1e-6), (4.0, 1e-3, 1000000, 1e-6), (1.0, 1e-4, 1000000, 1e-6),
    (2.0, 1e-4, 1000000, 1e-9), (20.0, 0.2, 1000000, 1e-5), (1.0, 1e-3, 1000000, 1e-5),
    (0.8, 1e-3, 100000, 1e-5), (10.0, 0.05, 100000, 1e-12), (5.0, 0.02, 300000, 0.01),
    (50.0, 0.5, 100000, 1e-7), (30.0, 1e-3, 1000000, 1e-8), (0.6, 1e-4, 1000000, 1e-6),
    (40.0, 0.9, 1000000, 1e-5), (1.0, 1e-5, 1000000, 1e-6), (2.0, 1e-5, 1000000, 1e-6),
    (0.5, 1e-5, 1000000, 1e-5),
    # large and tiny delta
    (4.0, 0.01, 10000, 0.1), (4.0, 0.01, 10000, 1e-15), (1.0, 0.1, 1000, 0.3),
    (1.0, 0.01, 1000, 1e-15), (2.0, 0.2, 100, 0.3), (2.0, 0.2, 100, 1e-15), (10.0, 0.9, 1000, 0.2),
    (0.5, 0.1, 100, 1e-14), (0.5, 0.1, 100, 0.05), (50.0, 0.1, 10000, 1e-15), (1.3, 0.01, 5000, 1e-10),
    # few steps
    (10.0, 0.5, 10, 1e-5), (1.0, 0.5, 10, 1e-5), (1.0, 0.2, 20, 1e-5), (0.5, 0.5, 20, 1e-6),
    (0.3, 0.5, 10, 1e-5), (0.3, 0.9, 5, 1e-5), (2.0, 0.9, 4, 1e-8), (5.0, 0.1, 50, 1e-4),
    (0.3, 0.2, 30, 1e-5), (0.4, 0.05, 200, 1e-5), (0.5, 0.01, 500, 1e-5), (0.3, 0.01, 3000, 1e-5),
    (0.3, 0.001, 20000, 1e-6), (0.7, 0.001, 10000, 1e-5), (1.0, 0.04, 100, 1e-6), (3.0, 0.3, 30, 1e-5),
    # large epsilon
    (0.3, 0.5, 50, 1e-6), (0.5, 0.2, 1000, 1e-5), (1.0, 0.5, 1000, 1e-5), (0.3, 1.0, 80, 1e-5),
    # unsampled, closed form
    (50.0, 1.0, 1000000, 1e-5), (10.0, 1.0, 1, 1e-3), (1.0, 1.0, 100, 1e-15), (3.0, 1.0, 50, 0.3),
    # one step, closed form
    (0.673793, 0.01, 1, 1e-5), (1.0, 0.01, 1, 1e-5), (0.3, 0.001, 1, 1e-5), (0.5, 1e-5, 1, 1e-8),
    (0.3, 1e-4, 1, 1e-15), (5.0, 0.5, 1, 1e-6), (0.3, 0.9, 1, 0.3), (0.3, 0.5, 1, 0.05), (0.05, 0.2, 1, 1e-9),
    (50.0, 0.9, 1, 1e-5),
    # two steps, one-dimensional integral
    (0.7, 0.01, 2, 1e-5), (0.3, 0.001, 2, 1e-6), (1.0, 0.5, 2, 1e-5), (0.5, 1e-4, 2, 1e-10), (0.3, 0.9, 2, 1e-3),
    (4.0, 0.04, 2, 1e-5),
]

REPLACE_ONE = [
    (4.0, 0.01, 10000, 1e-5), (1.1, 256 / 60000, 14062, 1e-5), (0.7, 0.01, 120, 1e-5), (2.0, 0.05, 20000, 1e-6),
    (1.3, 0.01, 5000, 1e-5), (1.0, 0.5, 10, 1e-5), (5.0, 0.9, 10, 1e-8), (10.0, 0.2, 1000, 0.1),
    (50.0, 0.01, 1000000, 1e-10), (0.5, 0.1, 100, 1e-6), (2.0, 1e-4, 1000000, 1e-6), (1.0, 0.01, 1, 1e-5),
    (0.5, 0.2, 1, 1e-8), (3.0, 0.9, 1, 1e-3),
]

FIXED_SIZE = [
    (4.0, 0.01, 10000, 1e-5), (2.2, 256 / 60000, 14062, 1e-5), (1.4, 0.01, 120, 1e-5), (4.0, 0.05, 20000, 1e-6),
    (1.3, 0.01, 5000, 1e-5), (2.0, 0.5, 10, 1e-5), (10.0, 0.9, 10, 1e-8), (20.0, 0.2, 1000, 0.1),
    (100.0, 0.01, 1000000, 1e-10), (1.0, 0.1, 100, 1e-6), (4.0, 1e-4, 1000000, 1e-6), (1.0, 0.01, 1, 1e-5),
    (0.5, 0.2, 1, 1e-8), (3.0, 0.9, 1, 1e-3),
]


def add_remove(sigma, q, steps, delta):
    """(epsilon, error, direction that decides, or a reason)."""
    if q == 1:
        return direct.epsilon_gaussian(sigma, steps, delta), 0.0, "closed form"
    if steps == 1:
        return direct.epsilon_one(sigma, q, delta), 0.0, "closed form"
    if steps == 2:
        both = [[direct.epsilon_two(sigma, q, delta, add, n) or 0.0 for add in (False, True)] for n in (400001, 660001)]
        one, two = map(max, both)
        line = checked_epsilon(SampledGaussian(sigma, q, both[0][1] > both[0][0]), 2, delta, 2e8)
        note = f"line integral: {line[0] / one - 1:.1e}" if line[0] else f"line integral: {line[1]}"
        return one, abs(two / one - 1), "integral; " + note
    remove, error = checked_epsilon(SampledGaussian(sigma, q, False), steps, delta, 4e8)
    if remove is None:
        return None, None, error
    if chernoff_epsilon(SampledGaussian(sigma, q, True), steps, delta) < remove:
        return remove, error, "remove (add excluded by its moments)"
    add, other = checked_epsilon(SampledGaussian(sigma, q, True), steps, delta, 4e8)
    if add is None:
        return None, None, other
    return (remove, error, "remove") if remove > add else (add, other, "add")


def replace_one(sigma, q, steps, delta):
    if steps == 1:
        return direct.epsilon_replace_one(sigma, q, delta), 0.0, "closed form"
    eps, error = checked_epsilon(ReplaceOne(sigma, q), steps, delta, 4e8)
    return (None, None, error) if eps is None else (eps, error, "")


def table(name, settings, solve):
    rows = []
    for sigma, q, steps, delta in settings:
        eps, error, note = solve(sigma, q, steps, delta)
        ok = eps is not None and error < 1e-8 and 1e-3 <= eps <= 1e3
        print("kept   " if ok else "DROPPED", sigma, q, steps, delta, "->",
              eps if not isinstance(eps, mp.mpf) else mp.nstr(eps, 17), error, note, flush=True)
        if ok:
            rows.append((sigma, q, steps, delta, mp.mpf(eps), float(f"{error:.1e}")))
    write(name, ["sigma", "q", "steps", "delta", "epsilon", "error"], rows, 18)


def main(which):
    if "poisson" in which:
        table("poisson_gaussian_pld.csv", POISSON, add_remove)
    if "replace" in which:
        table("replace_one_poisson_pld.csv", REPLACE_ONE, replace_one)
    if "fixed" in which:
        table("fixed_size_pld.csv", FIXED_SIZE, lambda s, q, t, d: add_remove(s / 2, q, t, d))


if __name__ == "__main__":
    main(sys.argv[1:] or ["poisson", "replace", "fixed"])
