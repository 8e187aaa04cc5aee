"""A peer under measurement: a line {"w": name, "budget": seconds} in, its samples out."""

import json
import sys
import time


def repeat(step):
    """Samples of a step that returns its seconds."""

    def run(budget):
        samples, end = [], time.perf_counter() + budget
        while time.perf_counter() < end:
            samples.append(step())
        return samples

    return run


def sampler(step):
    def timed():
        start = time.perf_counter()
        step()
        return time.perf_counter() - start

    def run(budget):
        step()
        return repeat(timed)(budget)

    return run


def serve(work):
    """Answers requests, with null if the workload is not in work."""
    made = {}  # the last workload
    for line in sys.stdin:
        request = json.loads(line)
        name = request["w"]
        if name in work and name not in made:
            made.clear()
            made[name] = work[name]()
        print(json.dumps(made[name](request["budget"]) if name in work else None), flush=True)
