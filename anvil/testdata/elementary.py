"""Writes elementary.txt: values of functions that make tensors, work on single elements or turn axes about,
by NumPy 2 and SciPy in double precision, of operands rounded to each dtype.

    python elementary.py > elementary.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import ml_dtypes
import numpy as np
import scipy
import scipy.linalg
import scipy.special as sp

import rows
from rows import *

np.seterr(all="ignore")


def row(function, xs, result, d=None):
    """What is too large for f16 is infinite."""
    if d is None and name(xs[0]) == "f16":
        result = np.where(np.abs(result) >= 65520, np.copysign(INF, result), result)
    rows.row(function, xs, result, d)


print("# numpy", np.__version__, "scipy", scipy.__version__)

# Creation.
for start, stop, n in ((0, 1, 5), (-2, 3, 4), (1, 1, 1), (5, -5, 11), (0, 1, 0)):
    for d in FLOATS:
        row(f"Linspace {start} {stop} {n} {d}", [], np.linspace(start, stop, n), d)
for d in FLOATS:
    row(f"Logspace -1 3 5 {d}", [], np.logspace(-1, 3, 5), d)
    row(f"Geomspace 1 1000 4 {d}", [], np.geomspace(1, 1000, 4), d)
    row(f"Geomspace -8 -1 4 {d}", [], np.geomspace(-8, -1, 4), d)
    row(f"Full 2 3 7 {d}", [], np.full((2, 3), 7), d)
for d in ("i32", "f32", "ui8"):
    row(f"Arange 2 11 3 {d}", [], np.arange(2, 11, 3), d)
    row(f"Arange 0 0 1 {d}", [], [], d)
    for shape in ((2, 3), (0, 2)):
        s = " ".join(map(str, shape))
        row(f"Ones {s} {d}", [], np.ones(shape), d)
        row(f"Zeros {s} {d}", [], np.zeros(shape), d)
    for n in (0, 1, 3):
        row(f"Eye {n} {d}", [], np.eye(n), d)
    for k in (-1, 0, 2):
        row(f"Tri 3 4 {k} {d}", [], np.tri(3, 4, k), d)
    x = of(d, [[1, 2, 3], [4, 5, 6]])
    row("ZerosLike", [x], np.zeros((2, 3)))
    row("OnesLike", [x], np.ones((2, 3)))
    row("FullLike 9", [x], np.full((2, 3), 9))
row("Arange -2 2 0.5 f32", [], np.arange(-2, 2, 0.5), "f32")
for k in (-1, 0, 1):
    for i in range(2):
        row(f"TrilIndices {i} 3 {k}", [], np.tril_indices(3, k)[i], "i32")
        row(f"TriuIndices {i} 3 {k}", [], np.triu_indices(3, k)[i], "i32")
for i in range(2):
    row(f"Indices {i} 2 3", [], np.indices((2, 3))[i], "i32")
    row(f"FromFunction {i} 2 3", [], np.fromfunction(lambda a, b: 10 * a + b, (2, 3)), "i32")
for d in ("i32", "f32", "f64", "bf16"):
    x = of(d, [1, 2, -3])
    row("Vander", [x], np.vander(wide(x)))
    for n in (0, 1, 4):
        row(f"Vander {n}", [x], np.vander(wide(x), n))

# Of one number.
POINTS = [0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.25, -7, 1e-3, 30, -30, INF, -INF, NAN]
UNARY = {"Deg2Rad": np.deg2rad, "Rad2Deg": np.rad2deg, "NormPDF": lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), "Sinc": np.sinc,
         "Reciprocal": lambda x: 1 / x, "Square": np.square, "Round": np.round, "Trunc": np.trunc, "Angle": np.angle}


def trigamma(x):
    up = np.where(x > 0, x, 1)
    down = np.where(x > 0, 0, x)
    mirrored = (np.pi / np.sin(np.pi * (down - np.round(down)))) ** 2 - sp.polygamma(1, 1 - down)
    whole = (down == np.floor(down)) & np.isfinite(down)
    return np.where(x > 0, sp.polygamma(1, up), np.where(np.isneginf(x) | np.isnan(x), NAN, np.where(whole, INF, mirrored)))


UNARY["Trigamma"] = trigamma
PREDICATES = {"IsInf": np.isinf, "IsNaN": np.isnan, "IsPosInf": np.isposinf, "IsNegInf": np.isneginf, "SignBit": np.signbit,
              "LogicalNot": np.logical_not}
for d in FLOATS:
    for p in (POINTS, 0.75, []):
        x = of(d, p)
        for function, f in UNARY.items():
            row(function, [x], f(wide(x)))
        for function, f in PREDICATES.items():
            row(function, [x], f(wide(x)), "i1")
        limits = ml_dtypes.finfo(NUMPY[d])
        row("NanToNum", [x], np.nan_to_num(wide(x), posinf=float(limits.max), neginf=float(limits.min)))
        row("NanToNum 1 2 3", [x], np.nan_to_num(wide(x), nan=1, posinf=2, neginf=3))
        fraction, exponent = np.frexp(wide(x))
        row("Frexp 0", [x], fraction)
        row("Frexp 1", [x], np.where(np.isfinite(wide(x)), exponent, 0), "i32")
x = of("f32", [2.0**-149, -3 * 2.0**-140, 2.0**-126, 3.4028234663852886e38])
for d in ("i32", "i8"):
    x = of(d, [-100, -1, 0, 1, 7])
    for function in ("Square", "Round", "Trunc"):
        row(function, [x], UNARY[function](x.astype(np.int64)).astype(NUMPY[d]))
    for function in ("Deg2Rad", "Rad2Deg", "Sinc", "Reciprocal", "NormPDF", "Angle"):
        row(function, [x], UNARY[function](wide(x)), "f32?")
    for function, f in PREDICATES.items():
        row(function, [x], f(wide(x)), "i1")
    row("NanToNum", [x], x)
re, im = of("f32", [1, -1, 0, 0, 3, -2]), of("f32", [1, 2, -1, 0, -4, 0])
row("Angle", [re, im], np.angle(wide(re) + 1j * wide(im)))
row("Conj", [re, im], -wide(im))

# Of two numbers.
PAIRED = [0, -0.0, 1, -1.5, 2.5, -7, INF, -INF, NAN]
A, B = np.meshgrid(PAIRED, PAIRED)
BINARY = {"Copysign": np.copysign, "Fmax": np.fmax, "Fmin": np.fmin, "Fmod": np.fmod, "Maximum": np.maximum, "Minimum": np.minimum,
          "Heaviside": np.heaviside, "XLogY": sp.xlogy, "XLog1py": sp.xlog1py, "TrueDiv": np.divide}
RELATIONS = {"Eq": np.equal, "Ne": np.not_equal, "Lt": np.less, "Le": np.less_equal, "Gt": np.greater, "Ge": np.greater_equal}
for d in FLOATS:
    for x, y in ((of(d, A.ravel()), of(d, B.ravel())), (of(d, [[1], [-3]]), of(d, [2, 0.5])), (of(d, []), of(d, 1))):
        for function, f in BINARY.items():
            row(function, [x, y], f(wide(x), wide(y)))
        for function, f in RELATIONS.items() if d == "f32" else ():
            row(function, [x, y], f(wide(x), wide(y)), "i1")
    x, y = of(d, [7, -7, 7, -7, 5.5, 0, 3, 1]), of(d, [2, 2, -2, -2, 1.25, 3, INF, 0.25])
    row("FloorDiv", [x, y], np.floor_divide(wide(x), wide(y)))
    row("TruncDiv", [x, y], np.trunc(wide(x) / wide(y)))
    row("DivMod 0", [x, y], np.divmod(wide(x), wide(y))[0])
    row("DivMod 1", [x, y], np.divmod(wide(x), wide(y))[1])
    n = of("i32", [-3, 0, 1, 5, 2, 7, -1, 2])
    row("Ldexp", [x, n], np.ldexp(wide(x), n))
    w = of(d, [0, 1, 0.5, 0.25, 0, 1, 0.5, 2])
    row("Lerp", [x, of(d, [1, 2, 3, 4, -1, -2, 8, 16]), w], wide(x) + wide(w) * (wide(of(d, [1, 2, 3, 4, -1, -2, 8, 16])) - wide(x)))
    row("Where", [of("i1", [1, 0, 1]), of(d, [1, NAN, 3]), of(d, [[4, 5, 6], [7, 8, INF]])], np.where([1, 0, 1], [1, NAN, 3], [[4, 5, 6], [7, 8, INF]]), d)
for d in ("i32", "ui8", "i8"):
    low = 0 if d == "ui8" else -1
    x, y = of(d, [12, 18, 7, 0, 0, 100, 12 * low, 5 * low]), of(d, [18, 12, 3, 5, 0, 64, 8, 3])
    row("Gcd", [x, y], np.gcd(x, y))
    row("Lcm", [x, y], np.lcm(x, y))
    row("AndNot", [x, y], x & ~y)
    for function, f in (("Maximum", np.maximum), ("Minimum", np.minimum)):
        row(function, [x, y], f(x, y))
    for function, f in RELATIONS.items():
        row(function, [x, y], f(x, y), "i1")
    s = of(d, [0, 1, 2, 3, 1, 2, 3, 1])
    row("Shl", [x, s], np.left_shift(x, s))
    row("Shr", [x, s], np.right_shift(x, s))
    y = of(d, [5, 4, 3, 2, 7, 9, 5, 3])
    row("FloorDiv", [x, y], np.floor_divide(x, y))
    row("TruncDiv", [x, y], np.trunc(wide(x) / wide(y)))
    row("Fmod", [x, y], np.fmod(x, y))
    row("DivMod 0", [x, y], np.divmod(x, y)[0])
    row("DivMod 1", [x, y], np.divmod(x, y)[1])

# Axes.
for d in ("bf16", "i32"):
    v, m, cube = of(d, [1, 2, 3]), of(d, [[1, 2, 3], [4, 5, 6]]), of(d, np.arange(24).reshape(2, 3, 4) % 7)
    for x in (of(d, 5), v, m, cube):
        row("AtLeast1D", [x], np.atleast_1d(wide(x)))
        row("AtLeast2D", [x], np.atleast_2d(wide(x)))
        row("AtLeast3D", [x], np.atleast_3d(wide(x)))
        row("Flip", [x], np.flip(wide(x)))
        row("ExpandDims -1", [x], wide(x)[..., None])
        row("ExpandDims 0", [x], wide(x)[None])
        row("Squeeze", [x[..., None]], wide(x))
        row("Stack 0", [x, x], np.stack([wide(x)] * 2))
        row("Stack -1", [x, x], np.stack([wide(x)] * 2, -1))
        row("DStack", [x, x], np.dstack([wide(x)] * 2))
        row("BroadcastTo 2 3 4", [x if x.ndim != 1 and x.ndim != 2 else x[..., None]], np.broadcast_to(wide(x if x.ndim != 1 and x.ndim != 2 else x[..., None]), (2, 3, 4)))
    row("Squeeze 1", [m[:, None]], wide(m))
    row("Flip 0", [m], np.flip(wide(m), 0))
    row("Flip -1 0", [cube], np.flip(wide(cube), (-1, 0)))
    row("ColumnStack", [v, v], np.column_stack([wide(v)] * 2))
    row("ColumnStack", [m, of(d, [7, 8])], np.column_stack([wide(m), [7, 8]]))
    for k in (-1, 0, 1, 2, 3, 5):
        row(f"Rot90 {k}", [m], np.rot90(wide(m), k))
        row(f"Rot90 {k} 2 0", [cube], np.rot90(wide(cube), k, (2, 0)))
    for axis in (0, 1, 2):
        at = np.argsort(wide(cube), axis, kind="stable")
        row(f"ArgSort {axis}", [cube], at, "i32")
        row(f"SortBy {axis}", [cube, cube[::-1]], np.take_along_axis(wide(cube), np.argsort(wide(cube[::-1]), axis, kind="stable"), axis))
    row("Trace", [m], np.trace(wide(m)))
    row("Trace", [cube], np.trace(wide(cube), axis1=1, axis2=2))
    row("MatMul", [m, of(d, [[1, 2], [0, 1], [3, 1]])], wide(m) @ np.array([[1, 2], [0, 1], [3, 1]]))
    row("MatMul", [cube, of(d, [1, 2, 3, 1])], wide(cube) @ np.array([1, 2, 3, 1]))
    row("EinopsReduce max", [cube], wide(cube).max(1).T)
for d in FLOATS:
    for x in (of(d, [3, 1, 2]), of(d, [[4, 1, 3, 2], [8, NAN, 5, 6]]), of(d, [-1, INF, 5, 2.5])):
        row("Median", [x], np.median(wide(x)))
        row("Median -1", [x], np.median(wide(x), -1))
x = of("f32", [3, 1, 3, 2, 1])
for i, v in enumerate(np.unique(wide(x), return_index=True, return_inverse=True, return_counts=True)):
    row(f"UniqueAll {i}", [x], v, "i32" if i else "f32")
for d in ("f32", "f64"):
    m = of(d, [[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]])
    row("EigValsH", [m], np.linalg.eigvalsh(wide(m)))
    row("SVDVals", [m[:2]], np.linalg.svd(wide(m[:2]), compute_uv=False))
    lu, pivots = scipy.linalg.lu_factor(wide(m[[1, 0, 2]]))
    row("LUFactor 0", [m[[1, 0, 2]]], lu)
    row("LUFactor 1", [m[[1, 0, 2]]], pivots, "i32")
for d in ("i32", "f32"):  # the place of one element, or more
    x = of(d, [[1, 2, 3], [4, 5, 6]])
    row("At 1", [x], wide(x)[1])
    row("At -1", [x], wide(x)[-1])
    for function, f in (("Set", lambda a, b: b), ("AddAt", np.add), ("MulAt", np.multiply), ("MinAt", np.minimum), ("MaxAt", np.maximum)):
        y = wide(x).copy()
        y[1] = f(y[1], 5)
        row(f"{function} 5 1", [x], y)

# Positions, parts and bits.
for d in FLOATS + ["i32"]:
    m = of(d, [[3, 1, 2], [5, 7, 7]])
    if d != "i32":
        m = of(d, [[3, NAN, -INF], [NAN, 7, 7], [-0.0, 0, INF]])
    for function, f in (("NanArgMax", np.nanargmax), ("NanArgMin", np.nanargmin)):
        row(function, [m], f(wide(m)), "i32")
        row(f"{function} 0", [m], f(wide(m), 0), "i32")
        row(f"{function} -1", [m], f(wide(m), -1), "i32")
        if d != "i32":  # NumPy raises an error where JAX, as here, has -1
            row(function, [of(d, [NAN, NAN])], -1, "i32")
    v = of(d, [[5, 2, 9, 2, 7, 1], [0, 3, -4, 8, 8, 6]])
    for k in (0, 2, -1):
        row(f"Partition {k} 1", [v], np.partition(wide(v), k, 1)[:, k])
        row(f"ArgPartition {k} 1", [v], np.partition(wide(v), k, 1)[:, k])
        row(f"Partition {k % 2} 0", [v], np.partition(wide(v), k % 2, 0)[k % 2])
BITS = [[1, 0, 1, 1, 0, 0, 1, 0, 1, 1], [0, 0, 1, 0, 1, 0, 0, 0, 0, 1]]
for d in ("i1", "i32", "ui8"):
    b = of(d, BITS)
    row("PackBits", [b], np.packbits(b), "ui8")
    for axis in (0, 1, -1):
        row(f"PackBits {axis}", [b], np.packbits(b, axis), "ui8")
        row(f"PackBits {axis} least", [b], np.packbits(b, axis, "little"), "ui8")
    row("PackBits", [b[:, :0]], [], "ui8")
b = of("ui8", [[0, 255, 130], [1, 2, 77]])
row("UnpackBits", [b], np.unpackbits(b))
for axis in (0, 1, -1):
    row(f"UnpackBits {axis}", [b], np.unpackbits(b, axis))
    row(f"UnpackBits {axis} least", [b], np.unpackbits(b, axis, bitorder="little"))
for d in ("f32", "f64"):
    x, y = of(d, [0, 1, 2, 3, 4.5]), of(d, [1, -1, 2.5, 7, 4])
    for degree in (0, 1, 3):
        row(f"PolyFit {degree}", [x, y], np.polyfit(wide(x), wide(y), degree))
    y = np.stack([y, y[::-1]], 1)
    row("PolyFit 2", [x, y], np.polyfit(wide(x), wide(y), 2))
for d in ("f32", "i32"):
    m = of(d, [[1, 2, 1, 2], [0, 5, 0, 5], [1, 2, 1, 2], [-3, 9, -3, 9]])
    for x in (m, np.stack([m, m[::-1], m]), m[:0], m[:1]):
        for axis in (0, 1, -1):
            if x.shape[axis] > 0 or x.size:
                for i, r in enumerate(np.unique(wide(x), return_index=True, return_inverse=True, return_counts=True, axis=axis)):
                    row(f"UniqueAll {i} {axis}", [x], r, "i32" if i else d)
    row("Unique 0", [m], np.unique(wide(m), axis=0))
