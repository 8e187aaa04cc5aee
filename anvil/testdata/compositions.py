"""Writes compositions.txt: values of functions that are made of several operations,
by NumPy 2, SciPy and JAX 0.10.2 in double precision, of operands rounded to each dtype.

    python compositions.py > compositions.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import jax
import numpy as np
import scipy.special as sp

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax import nn

import rows
from rows import *


def row(function, xs, result, d=None):
    """d is the dtype of the result: of floats the first operand's, of integers f32?."""
    rows.row(function, xs, result, d or real(name(xs[0])))


print("# numpy", np.__version__, "scipy", __import__("scipy").__version__, "jax", jax.__version__)
np.seterr(all="ignore")

MATRICES = [[[1, 2, 3], [-4, 0.5, 9], [80, 79, 57], [30, 30, 30]], [[100, 99, 98]], [[INF, 1, -INF], [-INF, -INF, -INF], [-INF, 0, -INF]], [[NAN, 1, 2], [1, 0, 1]]]
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
POINTS = [[-30, -3.5, -1, -0.125, 0, 1e-3, 0.5, 1, 4, 30, NAN, INF], 0.75, []]
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


def exact(function, xs, result):
    """A row whose result has the dtype of the operands."""
    row(function, xs, result, name(xs[0]))


def count(d, *shape):
    return of(d, (np.arange(np.prod(shape, dtype=int)) % 7 + 1).reshape(shape))


for d in ("bf16", "i32"):
    m, v, cube = count(d, 2, 3), count(d, 3), count(d, 2, 3, 4)
    w = wide
    for k in (-3, 0, 1):
        exact(f"Tril {k}", [m], np.tril(w(m), k))
        exact(f"Triu {k}", [cube], np.triu(w(cube), k))
        exact(f"Diag {k}", [v], np.diag(w(v), k))
        exact(f"Diag {k}", [m], np.diag(w(m), k))
        exact(f"Diagonal {k}", [cube], np.diagonal(w(cube), k, 1, 2))
        exact(f"Roll {k}", [m], np.roll(w(m), k))
        exact(f"Roll {k} -1", [m], np.roll(w(m), k, -1))
        exact(f"Roll {k} 0", [m], np.roll(w(m), k, 0))
    exact("Tril 0", [count(d, 0, 2)], np.zeros((0, 2)))
    exact("Diag 0", [count(d, 0)], np.zeros((0, 0)))
    exact("Diag 2", [count(d, 0)], np.zeros((2, 2)))
    exact("Diagonal 0", [count(d, 3, 0, 2)], np.zeros((3, 0)))
    for a, b in ((0, 2), (-1, 0), (1, 1)):
        exact(f"MoveAxis {a} {b}", [cube], np.moveaxis(w(cube), a, b))
        exact(f"SwapAxes {a} {b}", [cube], np.swapaxes(w(cube), a, b))
    for x in (of(d, 3), m, count(d, 2, 0)):
        exact("Flatten", [x], w(x).ravel())
        exact("Tile 2", [x], np.tile(w(x), (2,)))
        exact("Tile 2 1 3", [x], np.tile(w(x), (2, 1, 3)))
        exact("Repeat 2", [x], np.repeat(w(x), 2))
        exact("Repeat 0", [x], np.repeat(w(x), 0))
        exact("Roll 1", [x], np.roll(w(x), 1))
    exact("Repeat 3 0", [m], np.repeat(w(m), 3, 0))
    exact("Repeat 3 -1", [m], np.repeat(w(m), 3, -1))
    for i in range(3):
        exact(f"Split {i} 3 1", [m], np.split(w(m), 3, 1)[i])
        exact(f"Unstack {i} -1", [m], w(m)[:, i])
    exact("Split 1 2", [m], np.split(w(m), 2)[1])
    exact("Unstack 1", [m], w(m)[1])
    for x, y in ((v, v), (m, m), (of(d, 2), v)):
        exact("HStack", [x, y], np.hstack([w(x), w(y)]))
    for x, y in ((v, v), (m, v), (m, m)):
        exact("VStack", [x, y], np.vstack([w(x), w(y)]))
    for i in range(2):
        for indexing in ("ij", "xy"):
            exact(f"Meshgrid {i} {indexing}", [v, count(d, 2)], np.meshgrid(w(v), w(count(d, 2)), indexing=indexing)[i])
    q, n = count(d, 3, 2), count(d, 4, 3)
    for x, y in ((v, v), (m, v), (m, q), (of(d, 2), m), (n, cube)):
        exact("Outer", [x, y], np.outer(w(x), w(y)))
    for x, y in ((v, v), (m, v), (v, q), (m, q), (of(d, 2), v), (count(d, 1, 2, 3), count(d, 2, 3, 2)), (count(d, 2, 0), count(d, 0, 2))):
        exact("Dot", [x, y], np.dot(w(x), w(y)))
    for x, y in ((v, v), (m, v), (m, n), (of(d, 2), of(d, 3))):
        exact("Inner", [x, y], np.inner(w(x), w(y)))
        exact("Kron", [x, y], np.kron(w(x), w(y)))
    exact("VDot", [m, m], np.vdot(w(m), w(m)))
    exact("TensorDot 1 0", [m, q], np.tensordot(w(m), w(q), ([1], [0])))
    exact("TensorDot 0,1 1,0", [m, q], np.tensordot(w(m), w(q), ([0, 1], [1, 0])))
    exact("TensorDot -1 -1", [cube, count(d, 1, 4)], np.tensordot(w(cube), w(count(d, 1, 4)), ([-1], [-1])))
    square = count(d, 3, 3)
    for s, xs in (("ij,jk->ik", [m, q]), ("ij,jk", [m, q]), ("ji", [m]), ("ij->", [m]), ("ii", [square]), ("ii->i", [square]),
                  ("i,j->ij", [v, v]), ("i,i->i", [v, v]), ("i,i", [v, v]), ("...j,j->...", [cube, count(d, 4)]), ("...ij->...ji", [cube]),
                  ("bij,bjk->bik", [count(d, 2, 1, 3), count(d, 2, 3, 2)]), ("ij,j,i->", [m, v, count(d, 2)]), ("ij,kl->ik", [m, q]),
                  ("i...,i...->...", [count(d, 2, 1), m]), ("iij,ij->j", [count(d, 2, 2, 3), m]), (",i->i", [of(d, 2), v]), ("ij,jk->ik", [count(d, 2, 0), count(d, 0, 2)]),
                  ("ba,cb->ca", [m, of(d, [[1, 2]])])):
        exact(f"Einsum {s}", xs, np.einsum(s, *map(w, xs)))
exact("Einsum ij,j->i", [of("i1", [[1, 0], [0, 0]]), of("i1", [1, 1])], [1, 0])
for d in ("i32", "ui8", "i8"):
    for x in (of(d, [[0, 2], [5, 1]]), of(d, 2), of(d, [])):
        row("OneHot 3", [x], nn.one_hot(wide(x).astype(int), 3), "f32")
        row("OneHot 0", [x], np.zeros(x.shape + (0,)), "f32")
row("OneHot 3", [of("i32", [-1, 3])], np.zeros((2, 3)), "f32")

for d in FLOATS:
    x, y = of(d, [1, -3, 100, INF, -INF, NAN, 0, -20]), of(d, [1, 4, 100.5, INF, -INF, 1, -INF, 3])
    row("LogAddExp", [x, y], np.logaddexp(wide(x), wide(y)))
    row("LogAddExp", [x, x[1]], np.logaddexp(wide(x), wide(x[1])))
    row("LogAddExp", [x[:0], x[:0]], [])
row("LogAddExp", [of("i32", [1, 2]), of("i32", [3, 2])], np.logaddexp([1, 2], [3, 2]))
for d in ("bf16", "f32", "i32", "ui8"):
    x = of(d, [[3, 1, 2, 3], [0, 7, 7, 1]])
    for k in (0, 1, 3, 4):
        v, i = jax.lax.top_k(wide(x), k)
        exact(f"TopK 0 {k} -1", [x], v)
        row(f"TopK 1 {k} -1", [x], i, "i32")
x = of("f32", [1, NAN, INF, -0.0, 0, -INF])
v, i = jax.lax.top_k(wide(x), 3)
exact("TopK 0 3", [x], v)
row("TopK 1 3", [x], i, "i32")
exact("TopK 0 1 0", [of("i32", [[1, 5], [2, 4]])], [[2, 5]])
