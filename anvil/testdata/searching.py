"""Writes searching.txt: values of functions that accumulate, search, count and reduce, by NumPy 2,
of operands rounded to each dtype. Maxima with positions are computed as PyTorch documents them.

    python searching.py > searching.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import numpy as np
import warnings

warnings.simplefilter("ignore")

from rows import *

rng = np.random.default_rng(5)


def w(x):
    x = np.asarray(x)
    return x if x.dtype.kind in "iub" else x.astype(np.float64)


print("# numpy", np.__version__)
M = [[1, 2, 3, -1], [4, 0.5, -2, 2], [2, 2, 2, 0]]
POSITIVE = [[1, 2, 3, 1], [4, 1, 2, 2], [2, 2, 2, 0]]


def along(x, axis, reverse, f):
    x = np.moveaxis(x, axis, -1)
    x = x[..., ::-1] if reverse else x
    out = np.stack([f(x[..., : i + 1]) for i in range(x.shape[-1])], -1) if x.shape[-1] else x
    return np.moveaxis(out[..., ::-1] if reverse else out, -1, axis)


def last(best):
    """The position of the running extreme of a lane as PyTorch finds it."""
    def find(x):
        out = np.empty(x.shape[:-1], np.int64)
        for lane in np.ndindex(out.shape):
            top, at = x[lane][0], 0
            for i, v in enumerate(x[lane]):
                if np.isnan(v) or (not np.isnan(top) and best(v, top)):
                    top, at = v, i
            out[lane] = at
        return out
    return find


for d in ["f32", "f16", "i32", "ui8"]:
    x = of(d, M if d in ("f32", "f16") else POSITIVE)
    wide = "i32" if d == "i1" else d
    for axis in (0, 1):
        row(f"Cumsum {axis}", [x], np.cumsum(w(x), axis, dtype=None if d in FLOATS else NUMPY[d]), wide)
        row(f"Cumprod {axis}", [x], np.cumprod(w(x), axis, dtype=None if d in FLOATS else NUMPY[d]), wide)
        for reverse in (False, True):
            words = f"{axis}{' reverse' * reverse}"
            for best, function, value in ((np.greater_equal, "Cummax", np.max), (np.less_equal, "Cummin", np.min)):
                row(f"{function} 0 {words}", [x], along(w(x), axis, reverse, lambda v: value(v, -1)))
                at = along(w(x), axis, reverse, last(best))
                row(f"{function} 1 {words}", [x], x.shape[axis] - 1 - at if reverse else at, "i32")
    row("Cumprod 1 exclusive", [x], np.cumprod(np.concatenate([np.ones((3, 1)), w(x)[:, :-1]], 1), 1))
    row("Cumprod -1 reverse", [x], along(w(x), 1, True, lambda v: np.prod(v, -1)))
    row("Cumsum -1 reverse exclusive", [x], along(np.concatenate([w(x)[:, 1:], np.zeros((3, 1))], 1), 1, True, lambda v: np.sum(v, -1)))
    for n in (0, 1, 2, 5):
        row(f"Diff {n} 1", [x], np.diff(w(x), n, 1).astype(NUMPY[d]))
    row("Diff 1 0", [x], np.diff(w(x), 1, 0).astype(NUMPY[d]))
    axis = {"f32": 0, "f16": 1}.get(d, -1)
    for n in (1, 2, 3):
        row(f"SlidingWindow {n} {axis}", [x], np.lib.stride_tricks.sliding_window_view(x, n, axis=axis))
x = of("f32", [1, NAN, 0, 5, NAN, 7])
for best, function in ((np.greater_equal, "Cummax"), (np.less_equal, "Cummin")):
    row(f"{function} 0 0", [x], along(w(x), 0, False, lambda v: (np.max if function == "Cummax" else np.min)(v, -1)))
    row(f"{function} 1 0", [x], along(w(x), 0, False, last(best)), "i32")
    row(f"{function} 0 0", [of("f32", [])], [])
    row(f"{function} 1 0", [of("i32", [])], [], "i32")
row("Diff 1", [of("i1", [1, 0, 0, 1])], [True, False, True])
row("Diff 2 0", [of("f32", np.zeros((1, 2)))], np.zeros((0, 2)))
for d in FLOATS:
    x = of(d, [1, -3, 80, 79, -INF, 30])
    row("LogCumsumExp 0", [x], np.logaddexp.accumulate(w(x)))
row("LogCumsumExp 0 reverse", [of("i32", [1, 2, 3])], np.logaddexp.accumulate(np.array([3.0, 2, 1]))[::-1], "f32?")
row("LogCumsumExp 0", [of("f32", [-INF, -INF, 0])], [-INF, -INF, 0])
row("Cumsum 0", [of("i1", [1, 0, 1])], [1, 1, 2], "i32")
row("Cumprod 0", [of("i1", [1, 0, 1])], [1, 0, 0], "i32")

for d in ("bf16", "i64", "i1"):
    x = of(d, np.arange(12).reshape(3, 4) % 5)
    for i in ([2, 0, -1], [[1, -2], [0, 0]], 1, np.zeros((0,))):
        i = np.asarray(i, np.int32)
        row("Take", [x, i], np.take(w(x), i))
        row("Take 1", [x, i], np.take(w(x), i, 1))
        row("Take -2", [x, i], np.take(w(x), i, -2))
    at = rng.integers(-4, 4, (3, 2)).astype(np.int32)
    row("TakeAlongAxis", [x, at], np.take_along_axis(w(x), at, 1))
    row("TakeAlongAxis 0", [x, np.array([[0, 1, -1, 2]], np.int64)], np.take_along_axis(w(x), np.array([[0, 1, -1, 2]]), 0))
    row("TakeAlongAxis 1", [x, np.array([[3, -4, 0]], np.int8)], np.take_along_axis(w(x), np.array([[3, -4, 0]]) + 0 * np.zeros((3, 1), int), 1))
    for axis, at, v in ((1, [[0], [-1], [2]], [[7], [8], [9]]), (0, [[1, 0, 2, 1]], 5), (1, [[0, 1]] * 3, [1, 2])):
        at, v = np.asarray(at, np.int32), of(d, v)
        put = w(x).copy()
        np.put_along_axis(put, at, w(v), axis)
        row(f"PutAlongAxis {axis}", [x, at, v], put)
    for i, v, axis in ((1, 9, None), (0, [[7, 8, 9, 7]], 0), (-1, [5, 6, 7], 1), (4, [[1, 2], [3, 4], [5, 6]], 1), (12, 3, None)):
        v = of(d, v)
        if axis == 1 and v.ndim == 1:  # one element for each row
            v = v[:, None]
            row(f"Insert {i} 1", [x, v], np.concatenate([w(x)[:, :i], w(v), w(x)[:, i:]], 1))
        elif axis is None:
            row(f"Insert {i}", [x, v], np.insert(w(x), i, w(v)))
        else:
            row(f"Insert {i} {axis}", [x, v], np.concatenate(np.split(w(x), [i], axis)[:1] + [w(v)] + np.split(w(x), [i], axis)[1:], axis))
    for positions, axis in (("1,-1", None), ("0", 0), ("0,1,3", 1), ("0,1,2", 0), ("2,2", 1)):
        at = [int(p) for p in positions.split(",")]
        row(f"Delete {positions}" + ("" if axis is None else f" {axis}"), [x], np.delete(w(x), at, axis))
    row("Append", [x, x[0]], np.append(w(x), w(x[0])))
    row("Append 1", [x, x], np.append(w(x), w(x), 1))
i = np.array([[0, 7], [11, 5]], np.int32)
row("UnravelIndex 3 4", [i], np.stack(np.unravel_index(i, (3, 4))))
row("UnravelIndex 12", [i], np.stack(np.unravel_index(i, (12,))))
row("RavelMultiIndex 3 4", [i % 3, (i // 3).astype(np.int32)], np.ravel_multi_index((i % 3, i // 3), (3, 4)))

SEGMENTS = np.array([2, 0, 2, 5, -1, 0], np.int32)
for d in ("f32", "i32", "ui8", "i64"):
    x = of(d, [[1, 2], [3, 4], [5, 6], [7, 8], [9, 1], [2, 3]])
    lowest = -INF if d in FLOATS else np.iinfo(NUMPY[d]).min
    greatest = INF if d in FLOATS else np.iinfo(NUMPY[d]).max
    for function, f, none in (("Sum", np.add, 0), ("Prod", np.multiply, 1), ("Max", np.maximum, lowest), ("Min", np.minimum, greatest)):
        out = np.full((4, 2), none, np.float64 if d in FLOATS else NUMPY[d])
        keep = (SEGMENTS >= 0) & (SEGMENTS < 4)
        f.at(out, SEGMENTS[keep], w(x)[keep])
        if d != "i64" or function in ("Sum", "Prod"):  # the extremes of i64 are no float64
            row(f"Segment{function} 4", [x, SEGMENTS], out)
    row("SegmentSum 0", [x, SEGMENTS], np.zeros((0, 2)))
row("SegmentSum 3", [of("f32", [1, 2]), np.array([1, 1], np.int8)], [0, 3, 0])

for d in ("f16", "f32", "i32", "ui8", "i64"):
    a = of(d, [1, 2, 2, 2, 5, 7, 7])
    v = of(d, [[0, 1, 2], [3, 7, 8]])
    for side in ("left", "right"):
        row(f"SearchSorted {side}", [a, v], np.searchsorted(w(a), w(v), side), "i32")
        row(f"SearchSorted {side}", [a[:1], v], np.searchsorted(w(a[:1]), w(v), side), "i32")
        row(f"SearchSorted {side}", [a[:0], v], np.searchsorted(w(a[:0]), w(v), side), "i32")
        row(f"SearchSorted {side}", [a, a[1]], np.searchsorted(w(a), w(a[1]), side), "i32")
        row(f"Digitize {side}", [v, a[[0, 1, 4, 5]]], np.digitize(w(v), w(a[[0, 1, 4, 5]]), right=side == "right"), "i32")
    row("IsIn", [v, a], np.isin(w(v), w(a)), "i1")
    row("IsIn", [v, a[:0]], np.isin(w(v), w(a[:0])), "i1")
for side in ("left", "right"):
    a, v = of("f32", [-INF, 0, 3, INF, NAN, NAN]), of("f32", [NAN, INF, -INF, -0.0, 4])
    row(f"SearchSorted {side}", [a, v], np.searchsorted(a, v, side), "i32")
row("IsIn", [of("f32", [NAN, 1, INF]), of("f32", [INF, NAN])], [False, False, True], "i1")
keys = [of("i32", [1, 0, 1, 0, 1, 0]), of("f32", [2, 2, 1, NAN, 1, 1])]
row("LexSort", keys, np.lexsort(keys), "i32")
row("LexSort", keys[:1], np.lexsort(keys[:1]), "i32")

for d in ("i32", "ui8", "i64"):
    x = of(d, [3, 1, 1, 0, 5, 3, 3])
    weights = of("f32", [1, 0.5, 0.25, 2, 1, 1, -1])
    row("BinCount", [x], np.bincount(x), "i32")
    row("BinCount 8", [x], np.bincount(x, minlength=8), "i32")
    row("BinCount 3", [x], np.bincount(x)[:3], "i32")
    row("BinCount", [x, weights], np.bincount(x, weights), "f32")
    row("BinCount", [x[:0]], [], "i32")
for d in ("f32", "f64", "bf16", "i32"):
    x = of(d, [1, 2, 2.5, 4, 0, 9, 9, -3] if d in FLOATS else [1, 2, 2, 4, 0, 9, 9, -3])
    edges = of(d, [-1, 0, 2, 9])
    for i in (0, 1):
        e = ["i32", real(d)]
        row(f"Histogram {i} 4", [x], np.histogram(w(x), 4)[i], e[i])
        row(f"Histogram {i} 3 0 6", [x], np.histogram(w(x), 3, (0, 6))[i], e[i])
        row(f"Histogram {i} 0", [x, edges], np.histogram(w(x), w(edges))[i], e[i])
        row(f"Histogram {i} 2", [x[:1]], np.histogram(w(x[:1]), 2)[i], e[i])
        row(f"Histogram {i} 2", [x[:0]], np.histogram(w(x[:0]), 2)[i], e[i])
    row("Histogram 0 4", [x, of("f32", np.arange(8))], np.histogram(w(x), 4, weights=np.arange(8.0))[0], "f32")

for x in (of("i32", [[0, 3, 0], [1, 0, 2]]), of("i1", [1, 0, 1, 1]), of("f32", [[0, NAN], [-0.0, 2]]), of("f32", np.zeros((2, 0)))):
    row("Nonzero", [x], np.stack(np.nonzero(x)), "i32")
    row("ArgWhere", [x], np.argwhere(x), "i32")
    row("CountNonzero", [x], np.count_nonzero(x), "i32")
    row("CountNonzero -1", [x], np.count_nonzero(x, -1), "i32")
    if x.size:
        found = np.stack(np.nonzero(x))
        row("Nonzero 2", [x], found[:, :2], "i32")
        row("Nonzero 7", [x], np.pad(found, ((0, 0), (0, 7 - found.shape[1]))), "i32")
        row("ArgWhere 7", [x], np.pad(found, ((0, 0), (0, 7 - found.shape[1]))).T, "i32")
row("ArgWhere", [of("i32", 3)], np.argwhere(np.int32(3)), "i32")
row("ArgWhere", [of("i32", 0)], np.argwhere(np.int32(0)), "i32")
for x in (of("i32", [[3, 1, 1], [0, 3, 3]]), of("f32", [2, NAN, -1, NAN, 2, INF]), of("i1", [1, 0, 1]), of("ui8", []), of("f16", 3)):
    u, i, inv, n = np.unique(w(x), True, True, True)
    row("Unique values", [x], u)
    row("Unique indices", [x], i, "i32")
    row("Unique inverse", [x], inv, "i32")
    row("Unique counts", [x], n, "i32")
    if x.size > 1:
        row("Unique values 5", [x], np.concatenate([u, u[:1].repeat(5)])[:5])
        row("Unique counts 5", [x], np.pad(n, (0, 5))[:5], "i32")

HOLES = [[1, NAN, 3, 2], [NAN, NAN, NAN, NAN], [4, -1, NAN, 0.5]]
MASK = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 1, 0]], bool)
for d in ("f32", "f64", "f16", "bf16", "i32", "ui8"):
    x = of(d, HOLES if d in FLOATS else POSITIVE)
    m = of(d, M if d in FLOATS else POSITIVE)
    exact = d if d in FLOATS else d
    for words, kw in (("", {}), (" 0", dict(axis=0)), (" -1 keep", dict(axis=-1, keepdims=True))):
        for function in ("nansum", "nanprod"):
            row(function.title().replace("Nans", "NanS").replace("Nanp", "NanP") + words, [x], getattr(np, function)(w(x), **kw), exact)
        row("NanMax" + words, [x], np.nanmax(w(x), **kw))
        row("NanMin" + words, [x], np.nanmin(w(x), **kw))
        row("NanMean" + words, [x], np.nanmean(w(x), **kw), real(d))
        row("NanVar" + words, [x], np.nanvar(w(x), **kw), real(d))
        row("NanVar less=1" + words, [x], np.nanvar(w(x), ddof=1, **kw), real(d))
        row("NanStd" + words, [x], np.nanstd(w(x), **kw), real(d))
        low, high = (-INF, INF) if d in FLOATS else (np.iinfo(NUMPY[d]).min, np.iinfo(NUMPY[d]).max)
        row("Sum" + words, [m, MASK], np.sum(w(m), where=MASK, **kw), exact)
        row("Prod" + words, [m, MASK], np.prod(w(m), where=MASK, **kw), exact)
        row("Max" + words, [m, MASK], np.max(w(m), where=MASK, initial=low, **kw))
        row("Min" + words, [m, MASK], np.min(w(m), where=MASK, initial=high, **kw))
        row("Mean" + words, [m, MASK], np.mean(w(m), where=MASK, **kw), real(d))
        row("Var" + words, [m, MASK], np.var(w(m), where=MASK, **kw), real(d))
        row("Std" + words, [m, MASK[:1]], np.std(w(m), where=MASK[:1], **kw), real(d))
        row("Ptp" + words, [m], np.ptp(w(m), **kw), d)
        for q in (0.25, [0, 0.5, 1]):
            row("Quantile" + words, [m, of("f64", q)], np.quantile(w(m), q, **kw), real(d))
        row("NanQuantile" + words, [x, of("f64", [[0.125, 0.75]])], np.nanquantile(w(x), [[0.125, 0.75]], **kw), real(d))
        row("NanMedian" + words, [x], np.nanmedian(w(x), **kw), real(d))
    for method in ("lower", "higher", "nearest", "midpoint"):
        row(f"Percentile {method} 1", [m, of("f64", [10, 50, 62.5])], np.percentile(w(m), [10, 50, 62.5], 1, method=method), real(d))
    row("Quantile 1", [x, of("f64", 0.5)], np.quantile(w(x), 0.5, 1), real(d))
    weights = of(d, [1, 2, 1, 4])
    row("Average 1", [m, weights], np.average(w(m), 1, w(weights)), real(d))
    row("Average", [m, m * m + of(d, 1)], np.average(w(m), None, w(m * m + of(d, 1))), real(d))
    row("Cov", [m], np.cov(w(m)), real(d))
    row("Cov 0", [m], np.cov(w(m), ddof=0), real(d))
    row("Cov", [m[0]], np.cov(w(m[0])), real(d))
    row("CorrCoef", [m], np.corrcoef(w(m)), real(d))
row("Quantile", [of("f32", []), of("f64", 0.5)], NAN)
row("Quantile 0", [of("f32", [INF, 1, 2, INF]), of("f64", [0.5, 0.9, 0.1])], [INF, INF, 1.3])
for words in ("", " 1"):
    kw = dict(axis=int(words)) if words else {}
    b = of("i1", [[1, 0, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1]])
    row("All" + words, [b, MASK], np.all(b, where=MASK, **kw))
    row("Any" + words, [b, MASK], np.any(b, where=MASK, **kw))
    for x in (b, of("i8", [[1, -2, 7], [127, 64, 3]]), of("ui8", [[255, 254], [128, 192]])):
        row("ReduceAnd" + words, [x], np.bitwise_and.reduce(x, axis=kw.get("axis")))
        row("ReduceOr" + words, [x], np.bitwise_or.reduce(x, axis=kw.get("axis")))
        row("ReduceXor" + words, [x], np.bitwise_xor.reduce(x, axis=kw.get("axis")))

for d in ["f32", "f16", "i32"]:
    x, y = of(d, [[1, 2, 3], [4, -5, 6]]), of(d, [[-7, 2, 9], [1, 0, 2]])
    row("Cross", [x, y], np.cross(w(x), w(y)))
    row("Cross", [x, y[0]], np.cross(w(x), w(y[0])))
    row("Cross 0", [x.T, y.T], np.cross(w(x), w(y)).T)
    y, float_ = of(d, [[1, 4, 9, 16], [0, -3, 2, 2]]), d if d in FLOATS else "f32?"
    row("Trapezoid", [y, of(d, 2)], np.trapezoid(w(y), dx=2), float_)
    row("Trapezoid", [y, of(d, [0, 1, 4, 6])], np.trapezoid(w(y), x=[0, 1, 4, 6]), float_)
    row("Trapezoid 0", [y, of(d, [2, 5])], np.trapezoid(w(y), x=[2, 5], axis=0), float_)
    row("Trapezoid", [y, y], np.trapezoid(w(y), x=w(y)), float_)
row("Trapezoid", [of("f32", [3]), of("f32", 1)], 0)
row("Trapezoid", [of("f32", []), of("f32", 1)], 0)
row("Cross", [of("f32", [INF, 1, NAN]), of("f32", [1, 0, 1])], np.cross([INF, 1, NAN], [1, 0, 1]))
