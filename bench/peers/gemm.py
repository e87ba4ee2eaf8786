#!/usr/bin/env python3
"""The peer of DenseSpeed: single-precision matrix products by this Python's BLAS, on one thread.

Reads lines "multiply|outer N DEPTH COLUMNS SECONDS" and answers each with the best GFLOP/s of that time: multiply is an
N x DEPTH by a DEPTH x COLUMNS matrix, outer the transpose of an N x DEPTH one by an N x COLUMNS one. The first line that
it prints says which BLAS that is. NumPy if there is one and it has a fast BLAS, else PyTorch; --torch asks for PyTorch.
"""

import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"


def numpy_products():
    import numpy

    def product(n, depth, columns, outer):
        a = numpy.random.rand(n, depth).astype("f")
        b = numpy.random.rand(n if outer else depth, columns).astype("f")
        a = a.T if outer else a
        # A stack of products is a loop in C: the cost of a call from Python is no part of a product.
        stack = max(1, int(2e6 / (n * depth * columns)))
        out = numpy.empty((stack, depth if outer else n, columns), "f")
        left = numpy.broadcast_to(a, (stack, *a.shape))
        return stack, lambda: numpy.matmul(left, b, out=out)

    return "NumPy " + numpy.__version__, product


def torch_products():
    import torch

    torch.set_num_threads(1)

    def product(n, depth, columns, outer):
        a, b = torch.rand(n, depth), torch.rand(n if outer else depth, columns)
        a = a.t() if outer else a
        out = torch.empty(depth if outer else n, columns)
        return 1, lambda: torch.mm(a, b, out=out)

    return "PyTorch " + torch.__version__, product


def main():
    try:
        name, product = torch_products() if "--torch" in sys.argv else numpy_products()
    except ImportError:
        name, product = torch_products()
    print(name, "core type:", os.environ.get("OPENBLAS_CORETYPE", "its own choice"), flush=True)
    for line in sys.stdin:
        kind, *numbers = line.split()
        n, depth, columns = map(int, numbers[:3])
        stack, run = product(n, depth, columns, kind == "outer")
        best, end = float("inf"), time.perf_counter() + float(numbers[3])
        while time.perf_counter() < end:
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
        print(2e-9 * n * depth * columns * stack / best, flush=True)


main()
