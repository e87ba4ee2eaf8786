#!/usr/bin/env python3
"""Writes per-example gradients computed by PyTorch, in double precision, as fixtures for the tests of core.

    /usr/bin/python3 bench/peers/gradients.py [--out FOLDER]

Parameters and inputs are not stored. Both sides compute them, exactly alike, by this rule. Entry i (PyTorch's flat
index) of tensor number t has

    h = (i * 2654435761 + (t + 1) * 40503 * 65537) mod 2^32
    h = h ^ (h >>> 16);  h = (h * 0x45d9f3b) mod 2^32;  h = h ^ (h >>> 16)
    u = h / 2^32 - 0.5                                          in double, as is everything below

    weight of a convolution (OIHW) or a dense layer (out x in)  u * 2 * (1 / sqrt(fan in))
    bias, and shift of a group norm                             u * 2 * 0.1
    scale of a group norm                                       1 + 0.2 * u
    input of example e (CHW), where t = 1000 + e                u

and is then rounded to float once. Tensors are numbered in the order of the network: weight before bias, the body of a
residual block before its projection. The label of example e is e mod classes, the loss softmax cross-entropy.
"""

import argparse
import pathlib

import numpy
import torch
from torch import nn

from models import MODELS

NETWORKS = ("mnist-cnn", "cifar-cnn", "group-residual")
EXAMPLES = 3
ENTRIES = 24  # gradient entries kept of each tensor at fixed places
LARGEST = 8  # and those of largest magnitude, for behind a dead unit all is zero
RESOURCES = pathlib.Path(__file__).resolve().parents[2] / "core/src/test/resources/dev/discreet/core/peers"


def unit(t, shape):
    """The values u in [-0.5, 0.5) of tensor number t."""
    i = numpy.arange(int(numpy.prod(shape)), dtype=numpy.uint64)
    mask = numpy.uint64(0xFFFFFFFF)
    half = numpy.uint64(16)
    h = (i * numpy.uint64(2654435761) + numpy.uint64((t + 1) * 40503 * 65537)) & mask
    h ^= h >> half
    h = (h * numpy.uint64(0x45D9F3B)) & mask
    h ^= h >> half
    return (h.astype(numpy.float64) / 2.0**32 - 0.5).reshape(shape)


def rounded(values, dtype):
    return torch.from_numpy(values.astype(numpy.float32)).to(dtype)


def fill(network, dtype):
    """Gives every parameter its value by the rule."""
    owners = {f"{prefix}.{name}": module
              for prefix, module in network.named_modules()
              for name, _ in module.named_parameters(recurse=False)}
    for t, (name, parameter) in enumerate(network.named_parameters()):
        u = unit(t, tuple(parameter.shape))
        weight = name.endswith(".weight")
        if weight and isinstance(owners[name], nn.GroupNorm):
            values = 1 + 0.2 * u
        elif weight:
            values = u * 2 * (1 / numpy.sqrt(float(parameter[0].numel())))
        else:
            values = u * 2 * 0.1
        parameter.data = rounded(values, dtype)


def spread(n, count=ENTRIES):
    """At most count indices from 0 to n - 1, both ends included."""
    return range(n) if n <= count else [k * (n - 1) // (count - 1) for k in range(count)]


def gradients(name, example, dtype):
    """Loss, logits and the gradients by name (the input's too) of one example, alone in its batch."""
    make, shape, classes = MODELS[name]
    network = make().to(dtype)
    fill(network, dtype)
    x = rounded(unit(1000 + example, shape), dtype).unsqueeze(0).requires_grad_()
    logits = network(x)
    loss = nn.functional.cross_entropy(logits, torch.tensor([example % classes]))
    loss.backward()
    values = {n: p.data for n, p in network.named_parameters()}
    found = {n: p.grad for n, p in network.named_parameters()}
    return loss.item(), logits[0].tolist(), values, found, x.data[0], x.grad[0]


def rows(name):
    """The lines of the fixture after its header: example, tensor, quantity, index, value."""
    for e in range(EXAMPLES):
        loss, logits, values, found, x, x_gradient = gradients(name, e, torch.float64)
        if e == 0:
            for tensor, v in values.items():
                for i in spread(v.numel(), 3):
                    yield -1, tensor, "value", i, v.reshape(-1)[i].item()
        for i in spread(x.numel(), 3):
            yield e, "input", "value", i, x.reshape(-1)[i].item()
        yield e, "loss", "value", 0, loss
        for i, v in enumerate(logits):
            yield e, "logits", "value", i, v
        yield e, "all", "squaredNorm", 0, sum(g.square().sum().item() for g in found.values())
        for tensor, g in {**found, "input": x_gradient}.items():
            yield e, tensor, "squaredNorm", 0, g.square().sum().item()
            yield e, tensor, "sum", 0, g.sum().item()
            flat = g.reshape(-1)
            largest = flat.abs().topk(min(LARGEST, flat.numel())).indices.tolist()
            for i in sorted({*spread(flat.numel()), *largest}):
                yield e, tensor, "gradient", i, flat[i].item()


def header(name):
    make, shape, classes = MODELS[name]
    yield f"# {name}: per-example gradients by PyTorch {torch.__version__} in double precision."
    yield "# Written by bench/peers/gradients.py, which states the rule that makes parameters and inputs."
    yield f"# input {'x'.join(map(str, shape))}, classes {classes}, examples {EXAMPLES}"
    for t, (tensor, p) in enumerate(make().named_parameters()):
        yield f"# tensor {t} {tensor} {'x'.join(map(str, p.shape))}"
    yield "# Example -1 holds parameter values, to check the rule with. Tensor all is every parameter together."
    yield "example,tensor,quantity,index,value"


def single_precision_error(name):
    """How far PyTorch's own float gradients are from these: the worst over tensors of |difference| / |gradient|."""
    worst = 0.0
    for e in range(EXAMPLES):
        exact = gradients(name, e, torch.float64)[3]
        single = gradients(name, e, torch.float32)[3]
        worst = max(worst, *((single[n].double() - g).norm().item() / g.norm().item() for n, g in exact.items()))
    return worst


def main():
    parser = argparse.ArgumentParser(description="Writes PyTorch's per-example gradients as test fixtures.")
    parser.add_argument("--out", type=pathlib.Path, default=RESOURCES, help="folder of the CSV files")
    out = parser.parse_args().out
    torch.set_num_threads(1)  # one order of summation
    out.mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        lines = list(header(name)) + [f"{e},{t},{q},{i},{v!r}" for e, t, q, i, v in rows(name)]
        path = out / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n")
        print(f"{path.name}: {len(lines)} lines, {path.stat().st_size} bytes; "
              f"PyTorch in single precision differs by at most {single_precision_error(name):.1e} of a tensor's norm")


if __name__ == "__main__":
    main()
