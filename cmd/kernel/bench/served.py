"""Serves the workloads of a peer: a line {"w": name, "budget": seconds} is answered with samples in seconds."""

import json
import sys
import time


def repeat(step):
    """Returns a function that repeats step until its budget of seconds is used up. step returns its seconds."""

    def run(budget):
        samples, end = [], time.perf_counter() + budget
        while time.perf_counter() < end:
            samples.append(step())
        return samples

    return run


def sampler(step):
    """Like repeat, but it measures the seconds of step, after one step to warm up."""

    def timed():
        start = time.perf_counter()
        step()
        return time.perf_counter() - start

    def run(budget):
        step()
        return repeat(timed)(budget)

    return run


def serve(work):
    """Answers requests, with null if work does not have the workload. work maps names to functions that
    prepare a workload, and return the function to run for a budget."""
    prepared = {}  # the last workload by its name
    for line in sys.stdin:
        request = json.loads(line)
        name = request["w"]
        if name in work and name not in prepared:
            prepared.clear()
            prepared[name] = work[name]()
        print(json.dumps(prepared[name](request["budget"]) if name in work else None), flush=True)
