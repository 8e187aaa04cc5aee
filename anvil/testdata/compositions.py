"""Writes compositions.txt: values of functions that are made of several operations,
by NumPy 2, SciPy and JAX 0.10.2 in double precision, of operands rounded to each dtype.

    python compositions.py > compositions.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import jax
import ml_dtypes
import numpy as np
import scipy.special as sp

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax import nn

NUMPY = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "i32": np.int32, "i8": np.int8, "ui8": np.uint8, "i64": np.int64, "i1": np.bool_}
FLOATS = ["bf16", "f16", "f32", "f64"]
INF, NAN = np.inf, np.nan


def name(a):
    return next(n for n, t in NUMPY.items() if a.dtype == t)


def text(d, a):
    a = np.asarray(a)
    shape = ",".join(map(str, a.shape))
    flat = [repr(v) for v in a.astype(np.float64).ravel().tolist()]
    return " ".join([f"{d}{{{shape}}}"] + [v.removesuffix(".0") for v in flat])


def row(function, xs, result, d=None):
    """d is the dtype of the result: of floats the first operand's, of integers f32?."""
    d = d or (name(xs[0]) if name(xs[0]) in FLOATS else "f32?")
    print(" | ".join([function] + [text(name(x), x) for x in xs] + [text(d, result)]))


def wide(x):
    return np.asarray(x).astype(np.float64)


def of(d, values):
    return np.asarray(values, dtype=np.float64).astype(NUMPY[d])


print("# numpy", np.__version__, "scipy", __import__("scipy").__version__, "jax", jax.__version__)
np.seterr(all="ignore")

MATRICES = [[[1, 2, 3], [-4, 0.5, 9]], [[100, 99, -300], [30, 30, 30]], [[INF, 1, 2], [-INF, -INF, -INF]], [[NAN, 1, 2], [-INF, 0, 1]]]
for d in FLOATS:
    for m in MATRICES:
        x = of(d, m)
        row("LogSumExp", [x], sp.logsumexp(wide(x)))
        row("LogSumExp 0", [x], sp.logsumexp(wide(x), axis=0))
        row("LogSumExp -1 keep", [x], sp.logsumexp(wide(x), axis=-1, keepdims=True))
        for axis in (0, -1):
            row(f"Softmax {axis}", [x], nn.softmax(wide(x), axis=axis))
            row(f"LogSoftmax {axis}", [x], nn.log_softmax(wide(x), axis=axis))
    row("LogSumExp", [of(d, 2.5)], 2.5)
    row("LogSumExp", [of(d, np.zeros((0,)))], -INF)
    row("Softmax -1", [of(d, np.zeros((2, 0)))], np.zeros((2, 0)))
    row("Softmax 0", [of(d, np.zeros((0, 2)))], np.zeros((0, 2)))
for d in ("i32", "ui8"):
    x = of(d, [[1, 2], [3, 5]])
    row("Softmax -1", [x], nn.softmax(wide(x)))
    row("LogSumExp", [x], sp.logsumexp(wide(x)))

UNARY = {
    "Relu": nn.relu, "LeakyRelu": nn.leaky_relu, "Elu": nn.elu, "Selu": nn.selu, "Silu": nn.silu,
    "LeakyRelu 0.25": lambda x: nn.leaky_relu(x, 0.25), "Elu 2": lambda x: nn.elu(x, 2.0),
    "Gelu": lambda x: nn.gelu(x, approximate=False), "Softplus": nn.softplus,
}
POINTS = [[-30, -3.5, -1, -0.125, 0, 1e-3, 0.5, 1, 4, 30], [NAN, INF], 0.75, []]
for function, f in UNARY.items():
    for d in FLOATS:
        for p in POINTS:
            x = of(d, p)
            row(function, [x], f(wide(x)))
    for d in ("i32", "i8"):
        x = of(d, [-2, 0, 3])
        row(function, [x], f(wide(x)), d if function == "Relu" else None)

for d in FLOATS + ["i32", "i64"]:
    e = FLOATS.index(d) if d in FLOATS else 0
    x = of(d, [1, 2, 100, -5] if e == 0 and d not in FLOATS else [1, 2, INF, NAN])
    y = of(d, [1, 3, 101, -5] if e == 0 and d not in FLOATS else [1, 2.5, INF, NAN])
    row("IsClose", [x, y], np.isclose(wide(x), wide(y)), "i1")
    row("IsClose 0.5 0", [x, y], np.isclose(wide(x), wide(y), rtol=0.5, atol=0), "i1")
    row("AllClose", [x, x], np.allclose(wide(x), wide(x)), "i1")
    row("ArrayEqual", [x, x], np.array_equal(wide(x), wide(x)), "i1")
    row("ArrayEqual", [x, x[:1]], False, "i1")
row("AllClose", [of("f32", []), of("f32", [])], True, "i1")
row("ArrayEqual", [of("f32", []), of("f32", np.zeros((0, 2)))], False, "i1")
row("IsClose", [of("f32", [INF, -INF, 1]), of("f32", [-INF, -INF, INF])], [False, True, False], "i1")
