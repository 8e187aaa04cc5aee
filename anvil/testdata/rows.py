"""The rows that generators of this folder write: function | operands | result. A tensor is its dtype and
shape, and its elements."""

import ml_dtypes
import numpy as np

NUMPY = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "i32": np.int32, "i8": np.int8, "ui8": np.uint8, "i64": np.int64, "i1": np.bool_}
FLOATS = ["bf16", "f16", "f32", "f64"]
INF, NAN = np.inf, np.nan


def name(a):
    return next(n for n, t in NUMPY.items() if a.dtype == t)


def text(d, a):
    a = np.asarray(a)
    flat = [repr(v) for v in a.astype(np.float64).ravel().tolist()]
    return " ".join([f"{d}{{{','.join(map(str, a.shape))}}}"] + [v.removesuffix(".0") for v in flat])


def row(function, xs, result, d=None):
    """d is the dtype of the result: the first operand's where none is given."""
    print(" | ".join([function] + [text(name(x), x) for x in xs] + [text(d or name(xs[0]), result)]))


def of(d, values):
    return np.asarray(values, dtype=np.float64).astype(NUMPY[d])


def wide(x):
    return np.asarray(x).astype(np.float64)


def real(d):
    """The dtype of a mean: a float's own."""
    return d if d in FLOATS else "f32?"
