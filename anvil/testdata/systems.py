"""Writes lines "system function dtype: result dtype" by the real system that is installed.

    for system in numpy torch jax tensorflow; do python systems.py $system; done > systems.txt

A function that refuses a dtype has "error".
"""

import sys
import warnings

warnings.simplefilter("ignore")
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
SHORT = {"bool": "i1", "uint8": "ui8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "float16": "f16", "float32": "f32", "float64": "f64"}


def rows(system, functions, make, name):
    for function, f in functions.items():
        for d in DTYPES:
            try:
                got = SHORT[name(f(make(d)))]
            except Exception:
                got = "error"
            print(f"{system} {function} {SHORT[d]}: {got}")


def numpy():
    import numpy as np

    rows("numpy", {
        "Cumprod": lambda x: np.cumprod(x), "Cumsum": lambda x: np.cumsum(x), "Diff": lambda x: np.diff(x),
        "NanSum": lambda x: np.nansum(x), "NanMean": lambda x: np.nanmean(x), "NanVar": lambda x: np.nanvar(x),
        "NanMax": lambda x: np.nanmax(x), "NanMedian": lambda x: np.nanmedian(x), "Ptp": lambda x: np.ptp(x),
        "Average": lambda x: np.average(x, weights=x), "Cov": lambda x: np.cov(x),
        "Nonzero": lambda x: np.nonzero(x)[0], "SearchSorted": lambda x: np.searchsorted(x, x), "BinCount": lambda x: np.bincount(x),
        "CountNonzero": lambda x: np.asarray(np.count_nonzero(x)), "Histogram": lambda x: np.histogram(x, 2)[0],
        "ArgSort": lambda x: np.argsort(x), "Unique": lambda x: np.unique(x), "ReduceXor": lambda x: np.bitwise_xor.reduce(x), "Take": lambda x: np.take(x, [0]),
    }, lambda d: np.array([1, 1]).astype(d), lambda r: str(np.asarray(r).dtype))


def torch():
    import torch as t

    rows("torch", {
        "Cumprod": lambda x: t.cumprod(x, 0), "Cumsum": lambda x: t.cumsum(x, 0), "Cummax": lambda x: t.cummax(x, 0)[0],
        "Cummax position": lambda x: t.cummax(x, 0)[1], "LogCumsumExp": lambda x: t.logcumsumexp(x, 0), "Diff": lambda x: t.diff(x),
        "NanSum": lambda x: t.nansum(x), "SearchSorted": lambda x: t.searchsorted(x, x), "BinCount": lambda x: t.bincount(x),
        "Nonzero": lambda x: t.nonzero(x, as_tuple=True)[0], "CountNonzero": lambda x: t.count_nonzero(x),
        "ArgSort": lambda x: t.argsort(x), "TopK position": lambda x: t.topk(x, 1)[1], "Unique": lambda x: t.unique(x), "Take": lambda x: t.take(x, t.tensor([0])),
    }, lambda d: t.ones(2, dtype=getattr(t, d)), lambda r: str(r.dtype).removeprefix("torch."))


def jax():
    import jax as j

    j.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    rows("jax64", {
        "Cumprod": jnp.cumprod, "Cumsum": jnp.cumsum, "Diff": jnp.diff, "NanSum": jnp.nansum, "NanMean": jnp.nanmean,
        "NanMax": jnp.nanmax, "Ptp": jnp.ptp, "Quantile": lambda x: jnp.quantile(x, 0.5), "Cov": jnp.cov,
        "Nonzero": lambda x: jnp.nonzero(x)[0], "CountNonzero": jnp.count_nonzero, "ArgSort": jnp.argsort, "Unique": jnp.unique,
        "BinCount": jnp.bincount, "Take": lambda x: jnp.take(x, jnp.array([0])),
    }, lambda d: jnp.ones(2, d), lambda r: str(r.dtype))


def tensorflow():
    import tensorflow as tf

    rows("tensorflow", {
        "Cumprod": lambda x: tf.math.cumprod(x), "Cumsum": lambda x: tf.cumsum(x),
    }, lambda d: tf.cast(tf.ones(2), d), lambda r: r.dtype.name)


for f, module in ((numpy, "numpy"), (torch, "torch"), (jax, "jax"), (tensorflow, "tensorflow")):
    if sys.argv[1:] == [module]:
        f()
