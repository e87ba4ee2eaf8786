"""Shared by the oracle scripts: where the CSV files go and how numbers are written.

Every sigma, q, delta ... is an IEEE double; the oracles take its exact binary
value, so that a Java test that parses the same text computes the same thing.
"""
import csv
import pathlib

import mpmath as mp

OUT = (pathlib.Path(__file__).resolve().parents[2]
       / "accounting/src/test/resources/dev/discreet/accounting")


def text(value, digits=25):
    """A cell: mpf with 25 significant digits, float as its shortest round-trip text."""
    if isinstance(value, mp.mpf):
        return mp.nstr(value, digits, min_fixed=-5, max_fixed=12)
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def write(name, header, rows, digits=25):
    OUT.mkdir(parents=True, exist_ok=True)
    with open(OUT / name, "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(header)
        for row in rows:
            w.writerow([text(v, digits) for v in row])
    print(f"{name}: {len(rows)} rows")
