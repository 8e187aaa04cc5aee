"""Measures goanvil and its peers in turn, round by round, and prints the ratios.

Load on the machine affects all of them, so a ratio is the median of the ratios
of the rounds, printed with the least and the greatest. Absolute figures are the
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


# The workloads of all workers, and the ratio to JAX that each must not exceed.
TENSORS = [
    ("add f32[4], awaited", 0.5),
    ("add f32[1000], awaited", 0.5),
    ("100 operations on f32[1000]", 0.1),
    ("ten-operation expression, never seen", 0.15),
    ("large expression, never seen", 0.15),
    ("first add of a shape", 0.5),
    ("jit of 1 argument", 0.7),
    ("jit of 10 arguments", 0.7),
    ("jit of 100 arguments", 0.7),
    ("x[0]", 0.2),
    ("x[1:3]", 0.2),
    ("x[0] = v", 0.05),
    ("matmul 1024 f32", 1.05),
    ("matmul 1024 f64", 1.05),
    ("matmul 2048 f32", 1.05),
    ("matmul 2048 f64", 1.05),
    ("sum of 4096 x 4096 over axis 0, jit", 1.05),
    ("sum of 4096 x 4096 over axis 1, jit", 1.05),
    ("sum of 4096 x 4096, jit", 1.05),
    ("softmax of 4096 x 1024, jit", 1.05),
    ("layer norm of 4096 x 1024, jit", 1.05),
    ("elementwise chain on 10M, eager", 0.25),
    ("elementwise chain on 10M, jit", 1.05),
    ("exp of 10M", 0.6),
    ("sort of 1M", 0.5),
    ("10M normals", 0.6),
    ("100 MB to the device", 0.35),
    ("eager gradient of five operations", 0.1),
    ("eager gradient of a gradient", 0.1),
    ("step of 20 tensors, jit", 0.7),
    ("MLP step, 784-128-10, batch 128, jit", 1.05),
    ("MLP step, 10-4x160-1, batch 128, jit", 1.05),
    ("Adam step of an MLP, 784-128-10", 1.05),
    ("Adam step of a CNN, 28x28, batch 32", 0.45),
    ("Adam step of a transformer, 16x64", 1.05),
    ("per-example gradients of 128, jit", 0.7),
    ("Hessian of 100, never seen", 0.2),
    ("Hessian of 100, jit", 1),
    ("gradient of a Gaussian process, jit", 0.6),
    ("gradient of Scan of 1,000 steps, jit", 0.8),
    ("gradient of checkpointed Scan, jit", 1),
    ("conv 3x3, 8 images of 56x56x64, jit", None),
    ("FFT of 64 x 4096, jit", None),
    ("100 MB to the host", None),
    ("repr of 1e3", None),
    ("repr of 1e6", None),
    ("repr of 1e8", None),
]

# The ratios to other installed peers that a workload must not exceed.
PEERS = {("MLP step, 784-128-10, batch 128, jit", "PyTorch"): 1, ("Adam step of an MLP, 784-128-10", "PyTorch"): 1}

# Trainings whose peak memory is measured, each in its own process, and the ratio to JAX that none may exceed.
MEMORY = ["Adam step of an MLP, 784-128-10", "Adam step of a CNN, 28x28, batch 32", "Adam step of a transformer, 16x64"]
MEMORY_BOUND = 0.7

# Workloads of goanvil alone: the bound of the median, its unit, and how many of a sample's seconds make one unit.
ALONE = [
    ("eager gradient of five operations", 30, "us", 1e-6),
    ("eager gradient of a gradient", 60, "us", 1e-6),
    ("gradient of 100, each operation", 10, "us", 1e-6),
    ("gradient of 10,000, each operation", 10, "us", 1e-6),
    ("10,000 index gradients", 0.1, "s", 1),
    ("100,000 index gradients", 1, "s", 1),
    ("100,000 index gradients, bytes", 50, "MB", 1e-3),
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
    """The text of a time, in the greatest of s, ms and us in which it is at least 1."""
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if s * scale >= 1:
            break
    return f"{s * scale:.3g} {unit}"


def line(name, ratios, bound, figures):
    """Prints the median of ratios with its bound, which may be None; returns whether the bound holds."""
    ratio = statistics.median(ratios)
    verdict = "" if bound is None else "ok" if ratio <= bound else "MISSED"
    limit = "" if bound is None else f"<= {bound:.2f}"
    print(f"{name:37} {ratio:6.3f} [{min(ratios):.3f}, {max(ratios):.3f}]".ljust(62)
          + f"{limit:8} {verdict:7} {figures}", flush=True)
    return verdict != "MISSED"


def absolute(name, value, bound, unit=""):
    """Prints a value with its bound; returns whether the bound holds."""
    verdict = "ok" if value <= bound else "MISSED"
    print(f"{name:37} {value:6.3g} {unit}".ljust(62) + f"{f'<= {bound}':8} {verdict}", flush=True)
    return verdict == "ok"


def ratios(ours, theirs):
    """The ratio of the medians in each round."""
    return [statistics.median(a) / statistics.median(b) for a, b in zip(ours, theirs)]


def report(name, ours, theirs, bound, peer, others={}):
    """Prints the ratio to a peer, and the times of all; returns whether the bound holds."""
    figures = f"goanvil {seconds(overall_median(ours))}, {peer} {seconds(overall_median(theirs))}"
    for other, samples in others.items():
        if samples[0]:
            figures += f", {other} {seconds(overall_median(samples))} ({statistics.median(ratios(ours, samples)):.3g})"
    return line(name, ratios(ours, theirs), bound, figures)


def overall_median(rounds):
    """The median of the samples of all rounds."""
    return statistics.median(s for r in rounds for s in r)


def rounds(count, *measures):
    """The samples of each measure in turn, round by round."""
    taken = [[] for _ in measures]
    for _ in range(count):
        for samples, measure in zip(taken, measures):
            samples.append(measure())
    return taken


def whole_kernels(options):
    """Kernels as a front end sees them. Like the functions below, returns whether all bounds hold."""
    import kernels  # needs jupyter_client, which is not needed for --tensors

    met = options.only not in "installed kernel" or absolute("installed kernel", kernels.installed_size(), 50, "MB")
    for name, measure, bound in kernels.WORK:
        if options.only not in name:
            continue
        ours, theirs = rounds(options.rounds, lambda: measure("goanvil"), lambda: measure("python3"))
        met &= report(name, ours, theirs, bound, "ipykernel")
        if name in kernels.SECONDS:
            met &= absolute("    seconds", overall_median(ours), kernels.SECONDS[name], "s")
        if "lines" in name:
            met &= absolute("    stream messages", max(kernels.MESSAGES["goanvil"]), 50)
    if options.only in "cells 951-1,000 to cells 11-60":
        pairs = [kernels.long_session() for _ in range(options.rounds)]
        early, late = (statistics.median(p) for p in zip(*pairs))
        met &= line("cells 951-1,000 to cells 11-60", [b / a for a, b in pairs], 1.2,
                    f"{seconds(late)} to {seconds(early)}")
    return met


def go_programs(options):
    """Programs on numbers, slices, maps and structs, compared with the same programs in CPython."""
    import programs

    if not any(options.only in row[0] for row in programs.PROGRAMS + programs.SECONDS):
        return True
    met, session = True, programs.Session()
    for name, go, python, bound in programs.PROGRAMS:
        if options.only in name:
            ours, theirs = rounds(options.rounds, lambda: session("goanvil", go), lambda: session("python3", python))
            met &= report(name, ours, theirs, bound, "CPython")
    for name, go, bound in programs.SECONDS:
        if options.only in name:
            met &= absolute(name, overall_median(rounds(options.rounds, lambda: session("goanvil", go))[0]), bound, "s")
    session.close()
    return met


def peer(name, variable):
    """The command of a peer's worker, run by the interpreter that the variable names, or by this one."""
    return [os.environ.get(variable, sys.executable), os.path.join(HERE, name + "_worker.py")]


GOANVIL = [os.environ["GOANVIL_WORKER"]]
JAX = peer("jax", "JAX_PYTHON")
OTHERS = {"NumPy": peer("numpy", "NUMPY_PYTHON"), "PyTorch": peer("torch", "TORCH_PYTHON")}


def present(command):
    """Whether the peer's package is installed where the command of its worker looks for it."""
    module = os.path.basename(command[1]).removesuffix("_worker.py")
    return subprocess.run([command[0], "-c", "import " + module], stderr=subprocess.DEVNULL).returncode == 0


def first_result(command, work="add f32[4], awaited"):
    """Seconds from starting a program to the first result of work."""
    start = time.perf_counter()
    worker = Worker(*command)
    worker(work, 0)
    seconds = time.perf_counter() - start
    worker.close()
    return [seconds]


def starts(options):
    """Programs from their start: to one result, and to ten of different kinds."""
    met = True
    for name, work, bound in (
        ("process start to a tensor", "add f32[4], awaited", 0.3),
        ("session of ten first operations", "ten first operations", 0.4),
    ):
        if options.only in name:
            ours, theirs = rounds(options.rounds, lambda: first_result(GOANVIL, work), lambda: first_result(JAX, work))
            met &= report(name, ours, theirs, bound, "JAX")
    return met


def once(command, work, budget):
    """The samples of a new process."""
    worker = Worker(*command)
    samples = worker(work, budget)
    worker.close()
    return samples


def on_disk(work, budget):
    """The samples of a process on lengths that an earlier process compiled."""
    # Compiling is slower, so the earlier process gets more time.
    compiled = len(once(GOANVIL, work, 4 * budget))
    return once(GOANVIL, work, budget)[:compiled]


def floor(options):
    """The time of the plugin alone for the addition, compared with goanvil's and JAX's."""
    name = "PJRT's floor, add f32[4]"
    if options.only in name:
        addition = "add f32[4], awaited"
        floors, ours, theirs = rounds(
            options.rounds,
            lambda: once(GOANVIL, name, options.budget),
            lambda: once(GOANVIL, addition, options.budget),
            lambda: once(JAX, addition, options.budget),
        )
        times = [seconds(overall_median(samples)) for samples in (floors, ours, theirs)]
        line(name, ratios(floors, theirs), None, "the floor {}, goanvil {}, JAX {}".format(*times))


def never_seen(options):
    """New expressions: against JAX's jit, with a filled cache on disk, and on many lengths."""
    name, met = "ten-operation expression, ", True
    if options.only in name + "to JAX's jit":
        goanvil, jax = Worker(*GOANVIL), Worker(*JAX)
        ours, theirs = rounds(options.rounds, lambda: goanvil(name + "never seen", options.budget),
                              lambda: jax(name + "never seen, to jit", options.budget))
        met &= report(name + "to JAX's jit", ours, theirs, 1, "JAX")
    for work in (name, "large expression, "):  # XLA compiles the large one
        if options.only in work + "on disk":
            ours, theirs = rounds(options.rounds, lambda: on_disk(work + "never seen", options.budget),
                                  lambda: once(JAX, work + "never seen", options.budget))
            met &= report(work + "on disk", ours, theirs, 0.02, "JAX")
    if options.only in name + "200 lengths":
        goanvil = Worker(*GOANVIL)
        samples = goanvil(name + "200 lengths", options.budget)
        goanvil.close()
        met &= absolute(name + "200 lengths", 1e3 * statistics.median(samples), 2, "ms")
    return met


def peak(command, work, budget):
    """The peak resident megabytes of a process that runs work."""
    worker = Worker(*command)
    worker(work, budget)
    worker.process.stdin.close()
    return [os.wait4(worker.process.pid, 0)[2].ru_maxrss / 1e3]


def memory(options):
    """The peak memory of training."""
    met = True
    for work in MEMORY:
        name = "peak memory: " + work.removeprefix("Adam step of ")
        if options.only in name:
            ours, theirs = rounds(options.rounds, lambda: peak(GOANVIL, work, options.budget),
                                  lambda: peak(JAX, work, options.budget))
            met &= line(name, ratios(ours, theirs), MEMORY_BOUND,
                        f"goanvil {overall_median(ours):.0f} MB, JAX {overall_median(theirs):.0f} MB")
    return met


def alone(options):
    """Workloads of goanvil that are not compared with a peer."""
    met, goanvil = True, Worker(*GOANVIL)
    for name, bound, unit, scale in ALONE:
        if options.only in name:
            samples = rounds(options.rounds, lambda: goanvil(name, options.budget))[0]
            met &= absolute(name, overall_median(samples) / scale, bound, unit)
    goanvil.close()
    return met


def tensors(options):
    """The library without the kernel."""
    met = starts(options) & never_seen(options) & alone(options) & memory(options)
    floor(options)
    workers = {"goanvil": Worker(*GOANVIL), "JAX": Worker(*JAX)}
    workers.update({name: Worker(*command) for name, command in OTHERS.items() if present(command)})
    for name, bound in TENSORS:
        if options.only in name:
            taken = rounds(options.rounds, *(lambda w=w: w(name, options.budget) for w in workers.values()))
            figures = dict(zip(workers, taken))
            ours = figures.pop("goanvil")
            met &= report(name, ours, figures.pop("JAX"), bound, "JAX", figures)
            for other, theirs in figures.items():
                if (name, other) in PEERS and theirs[0]:
                    met &= line("    to " + other, ratios(ours, theirs), PEERS[name, other], "")
    goanvil = workers["goanvil"]
    if options.only in "repr of 1e8 to repr of 1e3":
        large, small = rounds(options.rounds, lambda: goanvil("repr of 1e8", options.budget),
                              lambda: goanvil("repr of 1e3", options.budget))
        met &= line("repr of 1e8 to repr of 1e3", ratios(large, small), 2,
                    f"{seconds(overall_median(large))} to {seconds(overall_median(small))}")
    for worker in workers.values():
        worker.close()
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds a round of each workload")
    parser.add_argument("--tensors", action="store_true", help="only the library, not the kernels")
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    options = parser.parse_args()
    print(f"{'':38} ratio [min, max of {options.rounds} rounds]")
    met = options.tensors or whole_kernels(options) & go_programs(options)
    with tempfile.TemporaryDirectory() as cache:  # a cache without compiled programs
        os.environ["GOANVIL_CACHE"] = cache
        met &= tensors(options)
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
