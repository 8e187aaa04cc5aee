"""Writes derived.txt: sets, slopes, blocks, distances, and functions of one number that are made of others,
by NumPy 2, SciPy and JAX in double precision, of operands rounded to each dtype.

    python derived.py > derived.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import jax
import numpy as np
import scipy
import scipy.linalg
import scipy.spatial.distance
import scipy.special as sp

jax.config.update("jax_enable_x64", True)
from jax import nn

from rows import *

np.seterr(all="ignore")

print("# numpy", np.__version__, "scipy", scipy.__version__, "jax", jax.__version__)

# Sets.
SETS = {"Union1D": np.union1d, "Intersect1D": np.intersect1d, "SetDiff1D": np.setdiff1d, "SetXor1D": np.setxor1d}
for d in ("i32", "ui8", "f32", "bf16", "f64"):
    for a, b in (([3, 1, 2, 3], [2, 5, 3]), ([[4, 1], [1, 9]], [[9, 9, 9]]), ([], [2, 1]), ([2, 1, 1], []), ([7], [7])):
        for function, f in SETS.items():
            row(function, [of(d, a), of(d, b)], f(wide(a), wide(b)))
for function, f in SETS.items():
    row(function, [of("f32", [1, NAN, INF, -0.0]), of("f32", [INF, 0, 2, NAN])], f([1, NAN, INF, -0.0], [INF, 0, 2, NAN]))
    row(function, [of("i1", [1, 1]), of("i1", [0, 1, 0])], f([1, 1], [0, 1, 0]))

# Slopes, angles and running sums.
for d in FLOATS + ["i32"]:
    m = of(d, [[1, 4, 9, 16, 2], [0, -3, 2, 2, 7], [5, 5, 1, 0, -2]])
    at = [0, 1, 4, 6, 7]
    row("Gradient", [m, of(d, 1)], np.gradient(wide(m), axis=-1), real(d))
    row("Gradient", [m, of(d, 2)], np.gradient(wide(m), 2, axis=-1), real(d))
    row("Gradient 0", [m, of(d, 4)], np.gradient(wide(m), 4, axis=0), real(d))
    row("Gradient 1", [m, of(d, at)], np.gradient(wide(m), at, axis=1), real(d))
    row("Gradient 0", [m, of(d, [-1, 2, 3])], np.gradient(wide(m), [-1, 2, 3], axis=0), real(d))
    row("Gradient", [m[0, :2], of(d, 2)], np.gradient(wide(m[0, :2]), 2), real(d))
    turned = of(d, [[0, 3, 6, 8, 1, -1, -5], [10, 3, -3, -9, 0, 20, 1]])
    row("Unwrap", [turned], np.unwrap(wide(turned)), real(d))
    row("Unwrap 0", [turned], np.unwrap(wide(turned), axis=0), real(d))
    row("Unwrap", [turned[:, :0]], turned[:, :0], real(d))
    holes = of(d, [[1, NAN, 3, 2], [NAN, NAN, 1, 5]]) if d in FLOATS else m[:, 1:4]
    for axis in (0, 1):
        row(f"NanCumsum {axis}", [holes], np.nancumsum(wide(holes), axis), d)
        row(f"NanCumprod {axis}", [holes], np.nancumprod(wide(holes), axis), d)
for n in (0, 1, 2, 7, 8):
    for beta in (0, 2.5, 14):
        row(f"Kaiser {n} {beta}", [], np.kaiser(n, beta), "f32")

# Matrices of pieces, and distances.
for d in FLOATS + ["i32"]:
    a, b, v = of(d, [[1, 2], [3, 4], [5, 6]]), of(d, [[7, -8, 9]]), of(d, [1, 2, 3])
    row("BlockDiag", [a, b], scipy.linalg.block_diag(wide(a), wide(b)))
    row("BlockDiag", [v, of(d, 4), a[:0]], scipy.linalg.block_diag(wide(v), 4, wide(a[:0])))
    row("BlockDiag", [a], a)
    row("Toeplitz", [v], scipy.linalg.toeplitz(wide(v)))
    row("Toeplitz", [v, of(d, [9, 5, -1, 4])], scipy.linalg.toeplitz(wide(v), [9, 5, -1, 4]))
    row("Toeplitz", [v[:1], v], scipy.linalg.toeplitz(wide(v[:1]), wide(v)))
    row("Toeplitz", [v[:0]], np.zeros((0, 0)))
    x, y = of(d, [[0, 1, 2], [3, -4, 0]]), of(d, [[1, 1, 1], [0, 1, 2], [-5, 2, 8]])
    for p, metric in (("", "euclidean"), (" 1", "cityblock"), (" inf", "chebyshev")):
        row("CDist" + p, [x, y], scipy.spatial.distance.cdist(wide(x), wide(y), metric), real(d))
    row("CDist 3", [x, y], scipy.spatial.distance.cdist(wide(x), wide(y), "minkowski", p=3), real(d))
    row("CDist 0", [x, y], (wide(x)[:, None] != wide(y)).sum(-1), real(d))
    row("CDist", [np.stack([x, y[1:]]), y], np.stack([scipy.spatial.distance.cdist(wide(q), wide(y)) for q in (x, y[1:])]), real(d))
    row("CDist inf", [x[:, :0], y[:, :0]], np.zeros((2, 3)), real(d))
    row("CosineSimilarity", [x, y[:2]], [1 - scipy.spatial.distance.cosine(*p) for p in zip(wide(x), wide(y[:2]))], real(d))
    row("CosineSimilarity 0", [x.T, y[:2].T], [1 - scipy.spatial.distance.cosine(*p) for p in zip(wide(x), wide(y[:2]))], real(d))
    row("CosineSimilarity", [x * 0, x], [0, 0], real(d))
    p = of(d, [4, 0, -3, 2])
    row("PolyDer", [p], np.polyder(wide(p)))
    row("PolyInt", [p], np.polyint(wide(p)), real(d))
    row("PolyDer", [p[:1]], [])
    row("PolyInt", [p[:0]], [0], real(d))

# Of one number.
POINTS = [[-30, -3.5, -3, -1, -0.125, 0, 1e-3, 0.5, 1, 2.5, 4, 30, NAN], [INF], 0.75, []]
UNARY = {"LogSigmoid": nn.log_sigmoid, "Softsign": nn.soft_sign, "Mish": nn.mish, "HardSigmoid": nn.hard_sigmoid, "HardSilu": nn.hard_silu,
         "BesselI0": sp.i0, "BesselI1": sp.i1}
CHANCES = [0, 1e-3, 0.1, 0.25, 0.375, 0.5, 0.5078125, 0.75, 0.875, 0.9921875, 1, -0.5, 2, NAN]
for d in FLOATS + ["i32"]:
    for p in POINTS if d in FLOATS else ([-3, 0, 2, 5],):
        x = of(d, p)
        for function, f in UNARY.items():
            r = np.asarray(f(wide(x)))
            if function[:6] == "Bessel":  # SciPy has nan at infinity
                r = np.where(np.isinf(wide(x)), INF, r)
            if function == "Softsign":
                r = np.where(np.isinf(wide(x)), NAN, r)
            if real(d) == "f16":  # what is too large for it is infinite
                r = np.where(np.abs(r) >= 65520, np.copysign(INF, r), r)
            row(function, [x], r, real(d))
    x = of(d, CHANCES if d in FLOATS else [0, 1])
    row("Logit", [x], sp.logit(wide(x)), real(d))
    x = of(d, [[1, -2, 3, 4], [-5, 6, 0, 8]])
    row("Glu", [x], nn.glu(wide(x)), real(d))
    row("Glu 0", [x], nn.glu(wide(x), 0), real(d))
for x in (-90.5, 91.5):
    for function in ("BesselI0", "BesselI1"):
        row(function, [of("f32", x)], UNARY[function](x))
