"""Errors of banded factors of prefix sums, for the noise over time of core.

banded_factor.csv: steps T; period p (a unit takes part in steps i, i + p, ...); bands b; then the root mean squared error of all prefix
sums at noise of one sensitivity, sqrt(sens(C)^2 ||A C^-1||_F^2 / T), divided by sqrt((T + 1)/2), which is that of C = I at sensitivity 1:
toeplitz: the least of all C with the same c_0 = 1, ..., c_(b-1) >= 0 in each column (bounded L-BFGS on dense matrices);
banded: the least of all banded C with columns of one length, where b <= p (what Choquette-Choo et al. 2023 optimise); empty where b > p.
Run: python3 bench/oracles/banded_factor.py       (about half a minute)
"""
import csv
import pathlib

import numpy as np
from scipy.linalg import toeplitz
from scipy.optimize import minimize

OUT = (pathlib.Path(__file__).resolve().parents[2] / "core/src/test/resources/dev/discreet/core/privacy/overtime")
CASES = [(40, 40, 1), (40, 40, 2), (40, 40, 6), (40, 10, 6), (40, 10, 10), (40, 10, 25), (40, 3, 25), (40, 40, 40),
         (160, 160, 8), (160, 20, 16), (160, 20, 48)]


def factor(c, steps):
    return np.tril(toeplitz(np.concatenate([c, np.zeros(steps - len(c))])))


def sensitivity(matrix, period):
    """Of all first steps, with every sign alike: all entries are at least 0."""
    steps = len(matrix)
    return max(np.linalg.norm(matrix[:, first::period].sum(axis=1)) for first in range(min(period, steps)))


def error(matrix, period):
    steps = len(matrix)
    sums = np.tril(np.ones((steps, steps)))
    spread = np.linalg.norm(sums @ np.linalg.inv(matrix))
    return sensitivity(matrix, period) * spread / np.sqrt(steps * (steps + 1) / 2)


def toeplitz_start(bands):
    """The square root of the sums, cut off."""
    start = np.ones(bands)
    for j in range(1, bands):
        start[j] = start[j - 1] * (2 * j - 1) / (2 * j)
    return start


def best_toeplitz(steps, period, bands):
    start = toeplitz_start(bands)
    if bands == 1:
        return error(np.eye(steps), period)
    found = minimize(lambda rest: np.log(error(factor(np.concatenate([[1], rest]), steps), period)), start[1:],
                     method="L-BFGS-B", bounds=[(0, None)] * (bands - 1), options={"maxfun": 10**6, "maxiter": 2000})
    return np.exp(found.fun)


def best_banded(steps, period, bands):
    """Columns of length 1, so k times taking part costs sqrt(k); from the best Toeplitz factor, by L-BFGS on all entries."""
    sums = np.tril(np.ones((steps, steps)))
    gram = sums.T @ sums
    rows, columns = np.nonzero(np.tril(np.ones((steps, steps))) * (np.subtract.outer(range(steps), range(steps)) < bands))

    def value(entries):
        raw = np.zeros((steps, steps))
        raw[rows, columns] = entries
        lengths = np.linalg.norm(raw, axis=0)
        matrix = raw / lengths
        inverse = np.linalg.inv(matrix)
        by_matrix = -2 * inverse.T @ (gram @ inverse) @ inverse.T
        by_raw = (by_matrix - matrix * (by_matrix * matrix).sum(axis=0)) / lengths
        return np.sum((sums @ inverse) ** 2), by_raw[rows, columns]

    start = factor(toeplitz_start(bands), steps)[rows, columns]
    found = minimize(value, start, jac=True, method="L-BFGS-B", options={"maxiter": 20000, "maxfun": 10**6, "ftol": 1e-13, "gtol": 1e-7}).fun
    takes_part = -(-steps // period)
    return np.sqrt(takes_part * found / (steps * (steps + 1) / 2))


if __name__ == "__main__":
    with open(OUT / "banded_factor.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["steps", "period", "bands", "toeplitz", "banded"])
        for steps, period, bands in CASES:
            row = [steps, period, bands, repr(float(best_toeplitz(steps, period, bands)))]
            row.append(repr(float(best_banded(steps, period, bands))) if bands <= period else "")
            writer.writerow(row)
            print(row, flush=True)
