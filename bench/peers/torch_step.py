#!/usr/bin/env python3
"""Times a training step of PyTorch on the CPU, plain and private, at the fastest settings that it finds.

    /usr/bin/python3 bench/peers/torch_step.py --model mnist-cnn [--lot 600] [--threads 2] [--repeats 5] [--json]

Four kinds of step, each in examples per second (a lot is on hand; sampling it is not timed):

    nonPrivate  zero_grad, forward, loss, backward, SGD step
    vmap        per-example gradients by functorch's vmap of grad, then clip, sum, add noise, step
    hooks       the same with per-example gradients of each layer from its inputs and output gradients
    ghost       as hooks, but dense layers give norms and clipped sums without their per-example gradients

Each kind is timed at the fastest settings found and, but for ghost, at PyTorch's defaults ("stock"; OpenBLAS where it
is installed). Tried, one after the other from the best so far: channels last, into how many parts a step cuts the
lot, threads that sleep instead of spin, BLAS, a malloc that keeps its memory, AVX-512, oneDNN or not, relu in
place, SGD's foreach. Some of these belong to a process, so this file runs itself.
"""

import argparse
import glob
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

LOTS = {"mnist-cnn": 600, "cifar-cnn": 256, "mlp": 600}
KINDS = ("nonPrivate", "vmap", "hooks", "ghost")
CLIP, NOISE_MULTIPLIER, LEARNING_RATE = 1.0, 1.0, 0.1


# --- one process, one set of settings --------------------------------------------------------------------------------


def steps(model, lot, kind, settings):
    """A function that takes one step."""
    import torch
    from torch import nn

    from models import MODELS

    torch.manual_seed(1)
    torch.backends.mkldnn.set_flags(settings["onednn"])
    make, shape, classes = MODELS[model]
    layout = torch.channels_last if settings["channelsLast"] else torch.contiguous_format
    network = make(settings["inplace"])
    x, y = torch.randn(lot, *shape), torch.randint(classes, (lot,))
    if len(shape) == 3:
        network = network.to(memory_format=layout)
        x = x.to(memory_format=layout)
    loss = nn.functional.cross_entropy
    size = -(-lot // settings["parts"])
    parts = list(zip(x.split(size), y.split(size)))

    if kind == "nonPrivate":
        optimizer = torch.optim.SGD(network.parameters(), lr=LEARNING_RATE, foreach=settings["foreach"])

        def step():
            optimizer.zero_grad(set_to_none=True)
            for a, b in parts:  # gradients of the parts add up to that of the mean loss
                (loss(network(a), b) * (len(b) / lot)).backward()
            optimizer.step()

        return step

    if kind == "vmap":
        import functorch

        call, parameters = functorch.make_functional(network)
        parameters = [p.detach() for p in parameters]
        per_example = functorch.vmap(
            functorch.grad(lambda p, a, b: loss(call(p, a.unsqueeze(0)), b.unsqueeze(0))), in_dims=(None, 0, 0))

        def clipped_sums(a, b):
            found = [g.flatten(1) for g in per_example(parameters, a, b)]
            factor = clip_factors(torch, sum(squared_norms(torch, g) for g in found))
            return [factor @ g for g in found]

    else:
        layers = list(network)
        learned = [m for m in layers if isinstance(m, (nn.Conv2d, nn.Linear))]
        parameters = [p.detach() for m in learned for p in (m.weight, m.bias)]
        for p in network.parameters():
            p.requires_grad_(False)  # no batch gradient is computed beside the per-example ones

        def clipped_sums(a, b):
            inputs, outputs = [], []
            for m in layers:
                if m in learned:
                    inputs.append(a.detach())
                    a = m(a)
                    if not outputs:
                        a.requires_grad_()  # the graph begins here: nobody needs the gradient of the input
                    outputs.append(a)
                else:
                    a = m(a)
            deltas = torch.autograd.grad(loss(a, b, reduction="sum"), outputs)
            squares, sums = 0, []
            for m, a, d in zip(learned, inputs, deltas):
                if isinstance(m, nn.Conv2d):
                    unfolded = nn.functional.unfold(a, m.kernel_size, m.dilation, m.padding, m.stride)
                    d = d.flatten(2)
                    weight = torch.bmm(d, unfolded.transpose(1, 2)).flatten(1)
                    bias = d.sum(2)
                elif kind == "ghost":
                    squares = squares + (squared_norms(torch, a) + 1) * squared_norms(torch, d)
                    sums.append(lambda f, a=a, d=d: [((d * f.unsqueeze(1)).t() @ a).flatten(), f @ d])
                    continue
                else:
                    weight = torch.einsum("bo,bi->boi", d, a).flatten(1)
                    bias = d
                squares = squares + squared_norms(torch, weight) + squared_norms(torch, bias)
                sums.append(lambda f, w=weight, b=bias: [f @ w, f @ b])
            factor = clip_factors(torch, squares)
            return [s for make_sum in sums for s in make_sum(factor)]

    def step():
        total = None
        for a, b in parts:
            found = clipped_sums(a, b)
            total = found if total is None else [t.add_(f) for t, f in zip(total, found)]
        for p, t in zip(parameters, total):
            t.add_(torch.randn_like(t), alpha=NOISE_MULTIPLIER * CLIP)
            p.sub_(t.view(p.shape), alpha=LEARNING_RATE / lot)
        return total

    return step


def squared_norms(torch, g):
    return torch.linalg.vector_norm(g, dim=1).square()


def clip_factors(torch, squares):
    return (CLIP / squares.sqrt()).clamp(max=1.0)


def work(job):
    """Times every set of in-process settings of a job; returns examples per second, one list of samples for each."""
    import torch

    torch.set_num_threads(job["threads"])
    results = []
    for settings in job["settings"]:
        step = steps(job["model"], job["lot"], job["kind"], settings)
        hopeless = max([job["abandon"], *(job["searching"] * max(r) / 2 for r in results)])
        rates = []
        while len(rates) < 3 and (len(rates) < 2 or max(rates) < hopeless):
            begin = time.perf_counter()
            step()
            rates.append(job["lot"] / (time.perf_counter() - begin))
            if rates[0] < hopeless / 4:  # the first step also warms up, but it cannot explain this
                break
        if max(rates) < hopeless:
            results.append([max(rates)])
            continue
        seconds = job["lot"] / rates[-1]
        count = max(1, round(job["seconds"] / seconds))  # steps in one sample
        for _ in range(0 if job["searching"] else count):
            step()
        samples = []
        for _ in range(job["samples"]):
            begin = time.perf_counter()
            for _ in range(count):
                step()
            samples.append(job["lot"] * count / (time.perf_counter() - begin))
        results.append(samples)
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps}
        blas = sorted(os.path.realpath(f) for f in files if "/libblas" in f or "/libopenblas" in f)
    return {"results": results, "torch": torch.__version__, "blas": [pathlib.Path(b).name for b in blas]}


def work_out_gradients(model, lot=7):
    """The private kinds must compute the same clipped sum; the largest relative difference between them."""
    import torch

    global NOISE_MULTIPLIER
    NOISE_MULTIPLIER = 0.0
    base = dict(DEFAULTS, parts=2, onednn=True)
    found = [torch.cat(steps(model, lot, kind, dict(base, channelsLast=last))()) for kind in KINDS[1:]
             for last in (False, True)]
    return max(((f - found[0]).norm() / found[0].norm()).item() for f in found)


# --- the search over settings ----------------------------------------------------------------------------------------

DEFAULTS = {"channelsLast": False, "onednn": True, "inplace": False, "foreach": False, "parts": 1}


def blas_folders():
    """Folders of the alternatives for libblas.so.3 that are installed, OpenBLAS first."""
    found = [os.path.dirname(p) for p in glob.glob("/usr/lib/*/*/libblas.so.3")]
    return sorted(found, key=lambda f: ("openmp" not in f, "openblas" not in f)) or [""]


ENVIRONMENT = {"blas": blas_folders()[0], "avx512": False, "keepMemory": False, "passiveWait": False}


def in_process(environment, job):
    """Runs a job in a process with those settings of its environment; None if it fails."""
    env = dict(os.environ)
    threads = str(job["threads"])
    env.update(OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads, MKL_NUM_THREADS=threads)
    if environment["blas"]:
        env["LD_LIBRARY_PATH"] = environment["blas"] + ":" + env.get("LD_LIBRARY_PATH", "")
    if environment["avx512"]:
        env["ATEN_CPU_CAPABILITY"] = "avx512"
    if environment["passiveWait"]:
        env["OMP_WAIT_POLICY"] = "passive"
    if environment["keepMemory"]:
        env.update(MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_=str(1 << 40), MALLOC_TOP_PAD_=str(64 << 20))
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--worker"], env=env, input=json.dumps(job),
                          capture_output=True, text=True)
    if done.returncode != 0:
        print(f"torch_step: {job['kind']} failed with {environment}: "
              f"{(done.stderr.strip().splitlines() or ['no message'])[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def tune(model, lot, threads, kind, seconds):
    """The fastest settings found, trying the values of one setting after the other, and every trial."""
    environment, settings = dict(ENVIRONMENT), dict(DEFAULTS)
    best, tried = 0.0, []

    def trial(environment, many):
        job = {"model": model, "lot": lot, "threads": threads, "kind": kind, "settings": many,
               "seconds": seconds, "samples": 2, "searching": True, "abandon": best / 2}
        done = in_process(environment, job)
        if done is None and len(many) > 1:  # find the culprit: each in a process of its own
            return [rate for one in many for rate in trial(environment, [one])]
        rates = [max(samples) for samples in done["results"]] if done else [0.0 for _ in many]
        tried.extend(zip([environment] * len(many), many, rates))
        return rates

    def inside(key, values):
        nonlocal settings, best
        many = [dict(settings, **{key: value}) for value in values]
        rates = trial(environment, many)
        if max(rates) >= best:
            settings, best = many[rates.index(max(rates))], max(rates)

    def outside(key, values):
        nonlocal environment, best
        for value in values:
            changed = dict(environment, **{key: value})
            rate = trial(changed, [settings])[0]
            if rate > best:
                environment, best = changed, rate

    private, convolutional = kind != "nonPrivate", model != "mlp"
    inside("channelsLast", [False, True] if convolutional else [False])
    outside("passiveWait", [True])
    # All at once, or parts of so many examples.
    sizes = (256, 128, 64, 32, 16) if private else (1024, 512, 256, 128)
    inside("parts", sorted({1, *(max(1, round(lot / size)) for size in sizes)}, reverse=True))
    outside("blas", blas_folders()[1:])
    outside("keepMemory", [True])
    outside("avx512", [True])
    if convolutional:
        inside("channelsLast", [False, True])  # again: it depends on the rest
        inside("onednn", [True, False])
    if kind in ("nonPrivate", "vmap"):
        inside("inplace", [False, True])
    if not private:
        inside("foreach", [False, True])
    return {"environment": environment, "settings": settings}, tried


def measure(model, lot, threads, kind, config, repeats, seconds):
    job = {"model": model, "lot": lot, "threads": threads, "kind": kind, "settings": [config["settings"]],
           "seconds": seconds, "samples": repeats, "searching": False, "abandon": 0.0}
    return in_process(config["environment"], job)


def shown(config):
    """A configuration without the paths of this machine."""
    environment = dict(config["environment"], blas=os.path.basename(config["environment"]["blas"]))
    return {**environment, **config["settings"]}


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main():
    parser = argparse.ArgumentParser(description="Times PyTorch's plain and private training step on the CPU.")
    parser.add_argument("--model", choices=sorted(LOTS), default="mnist-cnn")
    parser.add_argument("--lot", type=int, help="examples in a lot (default: 256 for cifar-cnn, else 600)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5, help="samples of each kind of step (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long a sample takes (default: 1)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="which kinds of step (default: all)")
    parser.add_argument("--config", type=pathlib.Path, metavar="FILE",
                        help="settings by model and kind: read if there, else found and written")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--check", action="store_true", help="check that the private kinds agree, and time nothing")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(json.dumps(work(json.load(sys.stdin))))
        return
    if args.check:
        worst = work_out_gradients(args.model)
        print(f"{args.model}: clipped sums of vmap, hooks and ghost differ by at most {worst:.1e}")
        sys.exit(worst > 1e-4)
    lot = args.lot or LOTS[args.model]
    kinds = args.kinds.split(",")
    if not set(kinds) <= set(KINDS):
        parser.error(f"--kinds must be among {','.join(KINDS)}. Provided value: {args.kinds}")

    known = json.loads(args.config.read_text()) if args.config and args.config.exists() else {}
    report = {"peer": "PyTorch", "model": args.model, "lot": lot, "threads": args.threads, "processor": processor()}
    for kind in kinds:
        key = f"{args.model}/{lot}/{args.threads}/{kind}"
        if key not in known:
            known[key], tried = tune(args.model, lot, args.threads, kind, min(args.seconds, 0.3))
            for environment, settings, rate in sorted(tried, key=lambda t: -t[2])[:0 if args.json else 40]:
                print(f"  tried {kind} {rate:10.0f}/s {shown({'environment': environment, 'settings': settings})}",
                      file=sys.stderr)
            if args.config:
                args.config.write_text(json.dumps(known, indent=1) + "\n")
        done = measure(args.model, lot, args.threads, kind, known[key], args.repeats, args.seconds)
        if done is None:
            sys.exit(1)
        samples = done["results"][0]
        report.update(torch=done["torch"])
        report[kind] = {"examplesPerSecond": statistics.median(samples), "samples": samples, "blas": done["blas"],
                        "settings": shown(known[key])}
        if kind != "ghost":
            stock = {"environment": ENVIRONMENT, "settings": DEFAULTS}
            done = measure(args.model, lot, args.threads, kind, stock, args.repeats, args.seconds)
            samples = done["results"][0] if done else [0.0]
            report[kind]["stock"] = {"examplesPerSecond": statistics.median(samples), "samples": samples}
    private = [k for k in kinds if k != "nonPrivate"]
    if private:
        fastest = max(private, key=lambda k: report[k]["examplesPerSecond"])
        report["private"] = {"examplesPerSecond": report[fastest]["examplesPerSecond"], "kind": fastest}
    if args.json:
        print(json.dumps(report))
        return
    print(f"PyTorch {report['torch']}, {args.model}, lot {lot}, {args.threads} threads, {report['processor']}")
    for kind in kinds:
        samples = report[kind]["samples"]
        stock = f"; stock {report[kind]['stock']['examplesPerSecond']:.0f}" if "stock" in report[kind] else ""
        print(f"{kind:11} {statistics.median(samples):10.0f} examples/s "
              f"({min(samples):.0f} to {max(samples):.0f}){stock}; "
              f"{report[kind]['settings']}")


if __name__ == "__main__":
    main()
