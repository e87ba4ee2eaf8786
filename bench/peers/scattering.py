#!/usr/bin/env python3
"""Writes what Kymatio's scattering transform makes of a few images, as a fixture for the tests of core.

    python3 bench/peers/scattering.py KYMATIO [--out FOLDER]

KYMATIO is a checkout of https://github.com/kymatio/kymatio; NumPy and SciPy are needed. Pixel i of an image, row by row, is
((7 i) mod 11) / 8. A line has scales, angles, height, width, channel and place (row by row) of an output, and its value.
"""
import argparse
import pathlib
import sys
import types

import numpy as np

CASES = [(2, 8, 28, 28), (2, 8, 8, 12), (1, 3, 4, 6), (3, 4, 16, 24), (2, 1, 8, 8), (3, 5, 24, 16)]
MOST = 150


def kymatio(checkout):
    """The transform for NumPy alone: the whole package asks for more than there is."""
    for name in ("kymatio", "kymatio.scattering2d"):
        package = types.ModuleType(name)
        package.__path__ = [str(checkout.joinpath(*name.split(".")))]
        sys.modules[name] = package
    from kymatio.scattering2d.frontend.numpy_frontend import ScatteringNumPy2D

    return ScatteringNumPy2D


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("kymatio", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=here / "core/src/test/resources/dev/discreet/core/peers")
    given = parser.parse_args()
    scattering = kymatio(given.kymatio)
    lines = [
        "# Scattering by Kymatio 0.4, NumPy, in double precision.",
        "# Written by bench/peers/scattering.py, which states the rule that makes images.",
        "scales,angles,height,width,channel,place,value",
    ]
    for scales, angles, height, width in CASES:
        image = (7 * np.arange(height * width) % 11 / 8.0).reshape(height, width)
        found = scattering(J=scales, shape=(height, width), L=angles)(image)
        channels = found.reshape(found.shape[0], -1)
        step = max(1, channels.size // MOST)
        for at in range(0, channels.size, step):
            channel, place = divmod(at, channels.shape[1])
            lines.append(f"{scales},{angles},{height},{width},{channel},{place},{channels[channel, place]:.9g}")
    (given.out / "scattering.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
