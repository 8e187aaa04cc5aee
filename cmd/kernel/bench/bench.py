"""Measures goanvil and its peers in turn, round by round, and prints the ratios.

Load on the machine hits all alike, so a ratio is the median of the ratios of
each round; the spread is their least and greatest. Absolute figures are the
medians of all samples, for orientation only.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import kernels

# The workloads of both workers, and the ratio each must not exceed.
TENSORS = [
    ("add f32[4], awaited", 1 / 2),
    ("add f32[1000], awaited", None),
    ("100 operations on f32[1000]", None),
    ("ten-operation expression, never seen", None),
    ("first add of a shape", None),
    ("jit of 1 argument", None),
    ("jit of 10 arguments", None),
    ("jit of 100 arguments", None),
    ("x[0]", None),
    ("x[1:3]", None),
    ("matmul 1024 f32", None),
    ("softmax 2048x1024, jit", None),
    ("layer norm 2048x1024, jit", None),
    ("conv 3x3, 8 images of 56x56x64, jit", None),
    ("FFT of 64 x 4096, jit", None),
    ("elementwise chain on 10M, eager", None),
    ("elementwise chain on 10M, jit", None),
    ("100 MB to the device", None),
    ("100 MB to the host", None),
    ("repr of 1e3", None),
    ("repr of 1e6", None),
    ("repr of 1e8", None),
]

HERE = os.path.dirname(os.path.abspath(__file__))


class Worker:
    """A process that answers each request with samples."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, work, budget):
        self.process.stdin.write(json.dumps({"w": work, "budget": budget}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or sys.exit(f"{self.process.args}: {work} failed"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def seconds(s):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if s * scale >= 1:
            break
    return f"{s * scale:.3g} {unit}"


def line(name, ratios, bound, figures):
    """Prints one line; returns whether the bound holds."""
    ratio = statistics.median(ratios)
    verdict = "" if bound is None else "ok" if ratio <= bound else "MISSED"
    limit = "" if bound is None else f"<= {bound:.2f}"
    print(f"{name:37} {ratio:6.3f} [{min(ratios):.3f}, {max(ratios):.3f}]".ljust(62)
          + f"{limit:8} {verdict:7} {figures}", flush=True)
    return verdict != "MISSED"


def absolute(name, value, bound, unit=""):
    verdict = "ok" if value <= bound else "MISSED"
    print(f"{name:37} {value:6.3g} {unit}".ljust(62) + f"{f'<= {bound}':8} {verdict}", flush=True)
    return verdict == "ok"


def report(name, ours, theirs, bound, peer):
    ratios = [statistics.median(a) / statistics.median(b) for a, b in zip(ours, theirs)]
    return line(name, ratios, bound, f"goanvil {seconds(middle(ours))}, {peer} {seconds(middle(theirs))}")


def middle(rounds):
    return statistics.median(s for r in rounds for s in r)


def rounds(count, *measures):
    """The samples of each measure in turn, round by round."""
    taken = [[] for _ in measures]
    for _ in range(count):
        for samples, measure in zip(taken, measures):
            samples.append(measure())
    return taken


def whole_kernels(options):
    held = True
    for name, measure, bound in kernels.WORK:
        if options.only not in name:
            continue
        ours, theirs = rounds(options.rounds, lambda: measure("goanvil"), lambda: measure("python3"))
        held &= report(name, ours, theirs, bound, "ipykernel")
        if name in kernels.SECONDS:
            held &= absolute("    seconds", middle(ours), kernels.SECONDS[name], "s")
        if "lines" in name:
            held &= absolute("    stream messages", max(kernels.MESSAGES["goanvil"]), 50)
    if options.only in "cells 951-1,000 to cells 11-60":
        pairs = [kernels.long_session() for _ in range(options.rounds)]
        early, late = (statistics.median(p) for p in zip(*pairs))
        held &= line("cells 951-1,000 to cells 11-60", [b / a for a, b in pairs], 1.2,
                     f"{seconds(late)} to {seconds(early)}")
    return held


GOANVIL = [os.environ["GOANVIL_WORKER"]]
JAX = [sys.executable, os.path.join(HERE, "jax_worker.py")]


def first_result(command):
    """Seconds from starting a program to the sum of two arrays."""
    start = time.perf_counter()
    worker = Worker(*command)
    worker("add f32[4], awaited", 0)
    seconds = time.perf_counter() - start
    worker.close()
    return [seconds]


def tensors(options):
    held = True
    if options.only in "process start to a tensor":
        ours, theirs = rounds(options.rounds, lambda: first_result(GOANVIL), lambda: first_result(JAX))
        held &= report("process start to a tensor", ours, theirs, None, "JAX")
    us, jax = Worker(*GOANVIL), Worker(*JAX)
    for name, bound in TENSORS:
        if options.only in name:
            ours, theirs = rounds(options.rounds, lambda: us(name, options.budget), lambda: jax(name, options.budget))
            held &= report(name, ours, theirs, bound, "JAX")
    if options.only in "repr of 1e8 to repr of 1e3":
        large, small = rounds(options.rounds, lambda: us("repr of 1e8", options.budget), lambda: us("repr of 1e3", options.budget))
        held &= line("repr of 1e8 to repr of 1e3", [statistics.median(a) / statistics.median(b) for a, b in zip(large, small)],
                     2, f"{seconds(middle(large))} to {seconds(middle(small))}")
    us.close()
    jax.close()
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds a round of each workload")
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    options = parser.parse_args()
    print(f"{'':38} ratio [min, max of {options.rounds} rounds]")
    held = whole_kernels(options)
    with tempfile.TemporaryDirectory() as cache:  # without compiled programs
        os.environ["GOANVIL_CACHE"] = cache
        held &= tensors(options)
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
