"""Writes golden.json: what jax.random draws, with jax 0.11.2 as it is shipped, whose XLA is
that of the plugin the tests run with.

    python generate.py

Small draws are there element by element, as hexadecimal bytes in little-endian
order; large ones, and split trees, as SHA-256 of their bytes.
"""

import hashlib
import json
import pathlib

import jax
import numpy as np
from jax import random

jax.config.update("jax_platforms", "cpu")

SEEDS = [0, 1, 2, 3, 7, 42, 123, 1000, 65535, 65536, 123456789, 2**31 - 1, 2**31, 2**32 - 1, -1, -2, -42, -(2**31), 99, 2024]
LARGE = 1_000_000
DTYPES = {"ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
          "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "i1": "bool"}

# name: (dtypes, draw, whether the result is exact)
SAMPLERS = {
    "bits": (["ui8", "ui16", "ui32", "ui64"], lambda k, s, d: random.bits(k, s, d), True),
    "uniform": (["f16", "bf16", "f32", "f64"], lambda k, s, d: random.uniform(k, s, d), True),
    "uniform-range": (["f32", "f64"], lambda k, s, d: random.uniform(k, s, d, -3.0, 5.0), True),
    "randint": (["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"], lambda k, s, d: random.randint(k, s, 3, 101, d), True),
    "randint-wide": (["i8", "ui8", "i32"], lambda k, s, d: random.randint(k, s, 0, {1: 256, 4: 2**31 - 1}[np.dtype(d).itemsize], d), True),
    "randint-none": (["i32"], lambda k, s, d: random.randint(k, s, 5, 5, d), True),
    "bernoulli": (["i1"], lambda k, s, d: random.bernoulli(k, np.float32(0.3), s), True),
    "rademacher": (["i32", "f32", "i64", "f64"], lambda k, s, d: random.rademacher(k, s, d), True),
    "permutation": (["i32"], lambda k, s, d: random.permutation(k, int(np.prod(s))).reshape(s), True),
    "choice": (["i32"], lambda k, s, d: random.choice(k, 1000, s), True),
    "choice-once": (["i32"], lambda k, s, d: random.choice(k, 1000, s, replace=False), True),
    "choice-weights": (["i32"], lambda k, s, d: random.choice(k, 4, s, p=np.array([0.125, 0.25, 0.5, 0.125], np.float32)), True),
    "choice-once-weights": (["i32"], lambda k, s, d: random.choice(k, 4, (3,), replace=False, p=np.array([0.125, 0.25, 0.5, 0.125], np.float32)), True),
    "categorical": (["i32"], lambda k, s, d: random.categorical(k, np.array([0.0, 1.0, -1.0, 2.0], np.float32), shape=s), True),
    "normal": (["f16", "bf16", "f32", "f64", "c64"], lambda k, s, d: random.normal(k, s, d), False),
    "truncated-normal": (["f32", "f64"], lambda k, s, d: random.truncated_normal(k, -1.0, 2.0, s, d), False),
    "exponential": (["f32", "f64"], lambda k, s, d: random.exponential(k, s, d), False),
    "gumbel": (["f32", "f64"], lambda k, s, d: random.gumbel(k, s, d), False),
    "laplace": (["f32", "f64"], lambda k, s, d: random.laplace(k, s, d), False),
    "logistic": (["f32", "f64"], lambda k, s, d: random.logistic(k, s, d), False),
    "cauchy": (["f32", "f64"], lambda k, s, d: random.cauchy(k, s, d), False),
    "pareto": (["f32", "f64"], lambda k, s, d: random.pareto(k, 2.5, s, d), False),
    "rayleigh": (["f32", "f64"], lambda k, s, d: random.rayleigh(k, 1.5, s, d), False),
    "lognormal": (["f32", "f64"], lambda k, s, d: random.lognormal(k, 0.5, s, d), False),
    "weibull": (["f32", "f64"], lambda k, s, d: random.weibull_min(k, 2.0, 1.5, s, d), False),
    "maxwell": (["f32", "f64"], lambda k, s, d: random.maxwell(k, s, d), False),
    "double-sided-maxwell": (["f32", "f64"], lambda k, s, d: random.double_sided_maxwell(k, 1.0, 2.0, s, d), False),
    "wald": (["f32", "f64"], lambda k, s, d: random.wald(k, np.array(1.5, d), s, d), False),
    "generalized-normal": (["f32", "f64"], lambda k, s, d: random.generalized_normal(k, 1.5, (100,), d), False),
    "ball": (["f32", "f64"], lambda k, s, d: random.ball(k, 3, 2.0, (40,), d), False),
    "multinomial": (["f32"], lambda k, s, d: random.multinomial(k, np.array(50, d), np.array([[0.25, 0.5, 0.25], [0.0, 0.125, 0.875]], d), shape=(20, 2, 3), dtype=d), False),
    "triangular": (["f32", "f64"], lambda k, s, d: random.triangular(k, -1.0, 0.5, 2.0, s, d), False),
    "geometric": (["i32"], lambda k, s, d: random.geometric(k, np.float32(0.2), s, d), True),
    "gamma": (["f16", "bf16", "f32", "f64"], lambda k, s, d: random.gamma(k, np.array(SHAPES, d), (20, len(SHAPES)), d), False),
    "loggamma": (["f32"], lambda k, s, d: random.loggamma(k, np.array(SHAPES, d), (20, len(SHAPES)), d), False),
    "chisquare": (["f32"], lambda k, s, d: random.chisquare(k, 3.0, shape=(100,), dtype=d), False),
    "f": (["f32"], lambda k, s, d: random.f(k, 3.0, 5.0, shape=(100,), dtype=d), False),
    "t": (["f32"], lambda k, s, d: random.t(k, 3.0, (100,), d), False),
    "beta": (["f32"], lambda k, s, d: random.beta(k, 2.0, 0.5, (100,), d), False),
    "beta-small": (["f32"], lambda k, s, d: random.beta(k, 1e-3, 2e-3, (100,), d), False),
    "dirichlet": (["f32"], lambda k, s, d: random.dirichlet(k, np.array([[0.5, 1, 2.5], [1e-3, 1e-3, 30]], d), None, d), False),
    "poisson": (["i32", "i16"], lambda k, s, d: random.poisson(k, np.array(MEANS, np.float32), (20, len(MEANS)), d), True),
    "binomial": (["f32"], lambda k, s, d: random.binomial(k, np.array(TRIALS, d)[:, 0], np.array(TRIALS, d)[:, 1], (20, len(TRIALS)), d), False),
}
# Parameters of the gamma and the Poisson distribution, sensible and not.
SHAPES = [0, 1e-30, 1e-6, 1e-3, 0.5, 1, 1 + 1e-6, 2.5, 1e6, 1e30, np.inf, np.nan, -0.5, -1, -3]
MEANS = [0, 1e-30, 1e-3, 0.5, 9.9375, 10, 10.0625, 100, 1e4, 1e12, np.inf, np.nan, -0.5, -100]
# Numbers of trials and probabilities.
TRIALS = [(10, 0.25), (10, 0.75), (1000, 0.25), (1000, 0.9), (0, 0.5), (5, 0), (5, 1), (100, 0.5), (np.inf, 0.5), (np.nan, 0.5),
          (-1, 0.5), (5, np.nan), (5, -0.1), (5, 1.5), (2.5, 0.5)]
# Samplers that draw until a number is accepted, in one shape of their own.
LOOPS = ["generalized-normal", "ball", "multinomial", "gamma", "loggamma", "chisquare", "f", "t", "beta", "beta-small", "dirichlet", "poisson", "binomial"]
# What is drawn by the million.
BULK = ["bits", "uniform", "randint", "bernoulli", "rademacher", "permutation", "choice"]


def raw(x):
    return np.asarray(x).tobytes()


def digest(x):
    return hashlib.sha256(raw(x)).hexdigest()[:32]


def draws():
    for name, (dtypes, draw, exact) in SAMPLERS.items():
        for d in dtypes:
            for seed in (42, -7):
                for shape in [(), (5,), (3, 7), (200,)][:1 if name in LOOPS else 3 if exact else 4]:
                    x = draw(random.key(seed), shape, DTYPES[d])
                    yield {"sampler": name, "dtype": d, "seed": seed, "shape": list(np.shape(x)), "exact": exact, "hex": raw(x).hex()}


def bulk():
    for name in BULK:
        for d in SAMPLERS[name][0]:
            sums = [digest(SAMPLERS[name][1](random.key(seed), (LARGE,), DTYPES[d])) for seed in SEEDS]
            yield {"sampler": name, "dtype": d, "digests": sums}


def tree(key, depth):
    """The words of a key and of all it splits into, three ways at each level."""
    words = [np.asarray(random.key_data(key))]
    if depth:
        for child in [*random.split(key, 2), random.fold_in(key, 5)]:
            words += tree(child, depth - 1)
    return words


def main():
    with jax.enable_x64(False):
        trees = [digest(np.concatenate(tree(random.key(s), 4))) for s in SEEDS]
        split = {str(s): np.asarray(random.key_data(random.split(random.key(s), 5))).ravel().tolist() for s in (0, 42)}
    wide = {"ui64", "i64", "f64"}
    out = {"jax": jax.__version__, "seeds": SEEDS, "large": LARGE, "trees": trees, "split": split, "draws": [], "bulk": []}
    dtypes = {n: s[0] for n, s in SAMPLERS.items()}
    for x64 in (False, True):
        for n, ds in dtypes.items():
            SAMPLERS[n] = ([d for d in ds if (d in wide) == x64], *SAMPLERS[n][1:])
        with jax.enable_x64(x64):
            key = random.key
            if x64:  # a negative seed has ones in its first word with 64-bit integers, and not as shipped
                random.key = lambda seed: random.wrap_key_data(np.array([0, seed % 2**32], np.uint32))
            out["draws"] += draws()
            out["bulk"] += bulk()
            random.key = key
    lines = ",\n".join(f" {json.dumps(k)}: " + ("[\n  " + ",\n  ".join(map(json.dumps, v)) + "]" if k in ("draws", "bulk") else json.dumps(v))
                       for k, v in out.items())
    pathlib.Path(__file__).with_name("golden.json").write_text("{\n" + lines + "\n}\n")


main()
