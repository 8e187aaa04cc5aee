"""Writes peers.txt.gz: what NumPy, SciPy and JAX answer at the samples of the op table.

    go test ./anvil/reference -run TestPeersAreWhole -samples points.jsonl
    python peers.py points.jsonl

Functions of floats are NumPy's and SciPy's in double precision, rounded to the dtype once.
Integer arithmetic where languages differ (division by 0, shifts), conversions, gather, scatter,
windows, convolutions and factors of matrices are JAX's; Fourier transforms are NumPy's, and so is
what only moves elements, on the elements as doubles. ml_dtypes converts what JAX does not.
"""

import base64
import gzip
import json
import sys

import jax
import ml_dtypes
import numpy as np
import scipy
import scipy.special as sp

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax import lax
from jax.extend import random as cipher

np.seterr(all="ignore")
NUMPY = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16,
         "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
         "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2, "ui4": ml_dtypes.uint4, "bf16": ml_dtypes.bfloat16,
         "f8e5m2": ml_dtypes.float8_e5m2, "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e4m3": ml_dtypes.float8_e4m3, "f8e3m4": ml_dtypes.float8_e3m4,
         "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz, "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
         "f8e8m0fnu": ml_dtypes.float8_e8m0fnu, "f4e2m1fn": ml_dtypes.float4_e2m1fn}
NARROW = {"i2": 2, "i4": 4, "ui2": 2, "ui4": 4, "f4e2m1fn": 4}


def signed(d):
    return d[0] == "i" and d != "i1"


def unsigned(d):
    return d.startswith("ui")


def floating(d):
    return d[0] == "f" or d == "bf16"


def decode(a):
    """The elements as bool, int64, uint64, float64 or complex128."""
    d, raw = a["DType"], base64.b64decode(a["Data"] or "")
    if d in NARROW and d[0] != "f":
        x = np.frombuffer(raw, np.uint8).astype(np.int64) & (1 << NARROW[d]) - 1
        if signed(d):
            x = np.where(x >= 1 << NARROW[d] - 1, x - (1 << NARROW[d]), x)
    else:
        x = np.frombuffer(raw, NUMPY[d])
    return x.reshape(a["Shape"]).astype(carrier(d))


def carrier(d):
    if d == "i1":
        return np.bool_
    if signed(d):
        return np.int64
    if unsigned(d):
        return np.uint64
    return np.float64 if floating(d) else np.complex128


def encode(x, d):
    x = np.asarray(x)
    if signed(d) or unsigned(d):
        if d in NARROW:
            return (x.astype(np.int64) & (1 << NARROW[d]) - 1).astype(np.uint8).tobytes()
        return x.astype(NUMPY[d]).tobytes()
    if d == "f8e8m0fnu":  # by float32, which has no smaller numbers: it has no zero and no sign
        x = np.where((x > 0) & (x < 2.0**-127), 2.0**-127, x).astype(np.float32)
    return np.ascontiguousarray(x.astype(NUMPY[d])).tobytes()


def real(x):
    return np.real(x) if np.iscomplexobj(x) else x


def sinpi(x):
    r = np.remainder(np.abs(x), 2)
    s = np.where(r <= 0.5, np.sin(np.pi * r), np.where(r <= 1.5, np.sin(np.pi * (1 - r)), np.sin(np.pi * (r - 2))))
    return np.where(np.isin(r, [0, 1]), np.copysign(0, x), s * np.where(np.signbit(x), -1, 1))


def cospi(x):
    r = np.remainder(np.abs(x), 2)
    return np.where(np.isin(r, [0.5, 1.5]), 0, np.where(np.abs(r - 1) < 0.75, -np.cos(np.pi * (r - 1)), np.cos(np.pi * np.minimum(r, 2 - r))))


def tanpi(x):
    return sinpi(x) / cospi(x)


def gamma(x):
    r = sp.gamma(x)
    return np.where((x < 0) & (x == np.floor(x)) | np.isneginf(x), np.nan, r)


def lgamma(x):
    return np.where(np.isinf(x), np.inf, sp.gammaln(x))


def digamma(x):
    r = np.where((x < 0) & (x == np.floor(x)), np.nan, sp.digamma(x))
    return np.where(x == 0, -1 / x, r)


def round_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def sign(x):
    if np.iscomplexobj(x):
        return np.where(x == 0, 0, x / np.abs(x))
    return np.where(x == 0, x, np.sign(x))


def signed_zero(f):
    """f, an odd function, with the sign of -0 that SciPy drops."""
    return lambda x: np.where(x == 0, x, f(x))


def log_ndtr(x):
    """SciPy's is 38 ulp off at 10, as its ndtr of -10 is."""
    far = 0.5 * sp.erfcx(x * np.sqrt(0.5)) * np.exp(-0.5 * x * x)
    return np.where(x > 5, np.log1p(-far), np.where(x > 0, np.log1p(-sp.ndtr(-x)), sp.log_ndtr(x)))


FLOATS = {  # of one number
    "Neg": np.negative, "Sign": sign, "Exp": np.exp, "Expm1": np.expm1, "Log": np.log, "Log1p": np.log1p, "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x), "Cbrt": lambda x: x ** (1 / 3) if np.iscomplexobj(x) else np.cbrt(x), "Sin": np.sin, "Cos": np.cos,
    "Tan": np.tan, "Tanh": np.tanh, "Logistic": lambda x: 1 / (1 + np.exp(-x)), "Erf": sp.erf, "Exp2": np.exp2, "Log2": np.log2,
    "Log10": np.log10, "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan, "Sinh": np.sinh, "Cosh": np.cosh, "Asinh": np.arcsinh,
    "Acosh": np.arccosh, "Atanh": np.arctanh, "SinPi": sinpi, "CosPi": cospi, "TanPi": tanpi, "Erfc": sp.erfc, "Erfcx": sp.erfcx,
    "ErfInv": signed_zero(sp.erfinv), "Lgamma": lgamma, "Gamma": gamma, "Digamma": digamma, "BesselI0e": sp.i0e, "BesselI1e": signed_zero(sp.i1e), "NormCDF": sp.ndtr,
    "NormLogCDF": log_ndtr, "NormQuantile": sp.ndtri, "Floor": np.floor, "Ceil": np.ceil, "RoundEven": np.rint, "RoundAway": round_away,
    "Abs": np.abs, "Real": real, "Imag": np.imag, "IsFinite": np.isfinite,
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Rem": np.fmod, "Pow": np.power, "Max": np.maximum,
    "Min": np.minimum, "Atan2": lambda y, x: -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)) if np.iscomplexobj(x) else np.arctan2(y, x),
    "Complex": lambda x, y: lax.complex(jnp.asarray(x), jnp.asarray(y)), "Hypot": np.hypot,
    "MulNoNaN": lambda x, y: np.where(x == 0, 0, x * y),
}


def polygamma(n, x):
    r = np.full(x.shape, np.nan)
    for k in range(5):
        at = n == k
        if k == 0:
            r[at] = digamma(x[at])
            continue
        v = np.where(x[at] > 0, sp.polygamma(k, np.abs(x[at])), np.nan)
        v = np.where(x[at] == 0, np.inf * (-1) ** (k + 1), v)
        if k == 1:  # by reflection
            y = x[at]
            mirrored = (np.pi / sinpi(y)) ** 2 - sp.polygamma(1, 1 - y)
            v = np.where(y < 0, np.where(y == np.floor(y), np.inf, mirrored), v)
            v = np.where(np.isneginf(y), np.nan, v)
        r[at] = v
    return r


def zeta(s, q):
    r = np.where((q < 0) | (s < 1), np.nan, sp.zeta(s, np.where(q <= 0, 1, q)))
    r = np.where((s > 1e4) & (q > 1), 0, r)  # which SciPy overflows at
    r = np.where((s >= 1) & (q == 0), np.inf, r)
    r = np.where((s == 1) & (q >= 0), np.inf, r)
    r = np.where(np.isposinf(q) & (s > 1), 0, r)
    r = np.where(np.isnan(s) | np.isnan(q), np.nan, r)
    return np.where(np.isposinf(s) & (q > 0), np.where(q < 1, np.inf, np.where(q == 1, 1, 0)), r)


def nextafter(x, y, d):
    return np.where(x == y, y, np.nextafter(x.astype(NUMPY[d]), y.astype(NUMPY[d])))


def threefry(key, counter):
    halves = [w for v in (key, counter) for w in ((v >> 32).astype(np.uint32), v.astype(np.uint32))]
    first, second = (np.asarray(w).astype(np.uint64) for w in cipher.threefry2x32_p.bind(*map(jnp.asarray, halves)))
    return first << 32 | second


def wrap(v, d):
    bits = NARROW.get(d) or np.dtype(NUMPY[d]).itemsize * 8
    v &= (1 << bits) - 1
    return v - (1 << bits) if signed(d) and v >> bits - 1 else v


def integer_power(x, y, d):
    def one(a, b):
        a, b = int(a), int(b)
        if b >= 0:
            return wrap(pow(a, b, 1 << 64), d)
        return 1 if a == 1 else (1 - 2 * (b & 1)) if a == -1 else 0

    return np.array([one(a, b) for a, b in zip(x.ravel(), y.ravel())], dtype=carrier(d)).reshape(x.shape)


def bits_of(d):
    return NARROW.get(d) or np.dtype(NUMPY[d]).itemsize * 8


def shift(row, x, s, d):
    bits = bits_of(d)

    def one(a, n):
        a, n = int(a), int(n) & (1 << bits) - 1
        low = a & (1 << bits) - 1
        if row == "ShiftLeft":
            return wrap(low << n if n < bits else 0, d)
        if row == "ShiftRightLogical":
            return wrap(low >> n if n < bits else 0, d)
        top = low - (1 << bits) if low >> bits - 1 else low
        return wrap(top >> min(n, bits - 1), d)

    return np.array([one(a, n) for a, n in zip(x.ravel(), s.ravel())], dtype=carrier(d)).reshape(x.shape)


def exact(x, d):
    """A JAX array of dtype d."""
    return jnp.asarray(np.asarray(x).astype(NUMPY[d]))


def truncating(f, x, y, d):
    """lax.div and lax.rem of integers; narrow ones in i8, which holds them."""
    at = d if d not in NARROW else "i8" if signed(d) else "ui8"
    return np.asarray(f(exact(x, at), exact(y, at)))


def complex_extreme(x, y, greater):
    less = (np.real(x) < np.real(y)) | (np.real(x) == np.real(y)) & (np.imag(x) < np.imag(y))
    return np.where(less, y, x) if greater else np.where((np.real(y) < np.real(x)) | (np.real(x) == np.real(y)) & (np.imag(y) < np.imag(x)), y, x)


def compare(x, y, direction):
    return {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}[direction](x, y)


def axes(a, key="Axes"):
    return tuple(a[key])


def ends(d):
    """The least and the greatest number of a float dtype: the infinities where it has them."""
    limits = ml_dtypes.finfo(NUMPY[d])
    if np.isinf(np.asarray(np.inf).astype(NUMPY[d]).astype(np.float64)):
        return -np.inf, np.inf
    return float(limits.min), float(limits.max)


def reduce(row, x, a, d):
    ax = axes(a)
    if d == "i1":
        return {"ReduceSum": np.any, "ReduceProd": np.all, "ReduceMax": np.any, "ReduceMin": np.all, "ReduceAnd": np.all, "ReduceOr": np.any,
                "ReduceXor": lambda v, axis: np.logical_xor.reduce(v, axis=axis)}[row](x, axis=ax)
    if row in ("ReduceAnd", "ReduceOr", "ReduceXor"):
        return {"ReduceAnd": np.bitwise_and, "ReduceOr": np.bitwise_or, "ReduceXor": np.bitwise_xor}[row].reduce(x, axis=ax)
    if row in ("ReduceSum", "ReduceProd"):
        return (np.sum if row == "ReduceSum" else np.prod)(x, axis=ax)
    initial = np.array(identity(row == "ReduceMax", d), carrier(d))
    return (np.max if row == "ReduceMax" else np.min)(x, axis=ax, initial=initial)


def identity(top, d):
    """What changes no maximum, or no minimum, of numbers of d."""
    bits = bits_of(d)
    if signed(d):
        return -(1 << bits - 1) if top else (1 << bits - 1) - 1
    if unsigned(d):
        return 0 if top else (1 << bits) - 1
    if d[0] == "c":  # by real, then by imaginary part
        return complex(-np.inf, -np.inf) if top else complex(np.inf, np.inf)
    return ends(d)[0 if top else 1]


def dot(x, y, a):
    lb, rb, lc, rc = a["LhsBatch"], a["RhsBatch"], a["LhsContract"], a["RhsContract"]
    left, right, n = [None] * x.ndim, [None] * y.ndim, 0
    for i, j in list(zip(lb, rb)) + list(zip(lc, rc)):
        left[i] = right[j] = n
        n += 1
    out = [left[i] for i in lb]
    for names in (left, right):
        for i, v in enumerate(names):
            if v is None:
                names[i] = n
                out.append(n)
                n += 1
    if x.dtype == np.bool_:
        return np.einsum(x.astype(np.int64), left, y.astype(np.int64), right, out) > 0
    return np.einsum(x, left, y, right, out)


def sort(xs, a):
    x, axis = xs[0], a["Axis"]
    if a["Descending"]:
        at = x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
    else:
        at = np.argsort(x, axis=axis, kind="stable")
    return [np.take_along_axis(v, at, axis) for v in xs]


def pad(x, v, a):
    config = list(zip(a["Low"], a["High"], a["Interior"]))
    return np.asarray(lax.pad(jnp.asarray(x), jnp.asarray(v), config))


def broadcast(x, a):
    s = [1] * len(a["Shape"])
    for i, at in enumerate(a["Axes"]):
        s[at] = x.shape[i]
    return np.broadcast_to(np.transpose(x, np.argsort(a["Axes"])).reshape(s), a["Shape"])


def starts(x, sizes, indices):
    return [max(0, min(int(i), n - k)) for i, n, k in zip(indices, x.shape, sizes)]


def dynamic_slice(x, indices, sizes):
    at = starts(x, sizes, indices)
    return x[tuple(slice(i, i + k) for i, k in zip(at, sizes))]


def dynamic_update(x, update, indices):
    at, r = starts(x, update.shape, indices), x.copy()
    r[tuple(slice(i, i + k) for i, k in zip(at, update.shape))] = update
    return r


def gather(x, indices, a):
    if a["IndexVectorDim"] == indices.ndim:
        indices = indices[..., None]
    indices = np.moveaxis(indices, a["IndexVectorDim"], -1).astype(np.int64)
    numbers = lax.GatherDimensionNumbers(tuple(a["OffsetDims"]), tuple(a["CollapsedSliceDims"]), tuple(a["StartIndexMap"]),
                                         tuple(a["OperandBatchingDims"]), tuple(a["IndicesBatchingDims"]))
    return np.asarray(lax.gather(jnp.asarray(x), jnp.asarray(indices), numbers, tuple(a["SliceSizes"]), mode="clip"))


def number(data, d, shape):
    a = {"DType": d, "Data": data, "Shape": [-1]}
    x = decode(a)
    return np.broadcast_to(x.reshape(()), shape) if x.size == 1 else x.reshape(shape)


def convert(x, d, to):
    if "f8e8m0fnu" in (d, to) or d == "f4e2m1fn":  # not in JAX, which saturates f4 by bounds that f4 does not have
        if floating(to):
            return decode({"DType": to, "Data": base64.b64encode(encode(real(x), to)), "Shape": list(x.shape)})
        return x if not (signed(to) or unsigned(to)) else np.array([integer(v, to) for v in x.ravel().tolist()], carrier(to)).reshape(x.shape)
    return np.asarray(lax.convert_element_type(exact(x, d), NUMPY[to])).astype(carrier(to))


def integer(v, d):
    """The integer of d that is nearest to v truncated; 0 for nan."""
    bits = bits_of(d)
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed(d) else (0, (1 << bits) - 1)
    return 0 if v != v else high if v >= high else low if v <= low else int(v)


def bitcast(x, d, to, shape):
    if d not in NARROW and to not in NARROW:  # as jnp.view does
        return np.frombuffer(x.astype(NUMPY[d]).tobytes(), NUMPY[to]).reshape(shape).astype(carrier(to))
    raw, bits = np.frombuffer(encode(x, d), np.uint8), bits_of(d)  # one element a byte, or several bytes
    stream = np.unpackbits(raw.reshape(-1, raw.size // max(x.size, 1) or 1), axis=1, bitorder="little")[:, :bits].ravel()
    wide = np.packbits(stream.reshape(-1, bits_of(to)), axis=1, bitorder="little")
    return decode({"DType": to, "Data": base64.b64encode(wide.tobytes()), "Shape": shape})


def element_map(x, indices, updates, a):
    """For each element of updates the element of x that JAX's scatter puts it to, or -1."""
    numbers = lax.ScatterDimensionNumbers(tuple(a["UpdateWindowDims"]), tuple(a["InsertedWindowDims"]), tuple(a["ScatterDimsToOperandDims"]),
                                          tuple(a["OperandBatchingDims"]), tuple(a["IndicesBatchingDims"]))
    if a["IndexVectorDim"] == indices.ndim:
        indices = indices[..., None]
    indices = jnp.moveaxis(jnp.asarray(indices.astype(np.int64)), a["IndexVectorDim"], -1)

    def target(k):
        one = (jnp.arange(updates.size) == k).reshape(updates.shape).astype(np.int64)
        hit = lax.scatter_add(jnp.zeros(x.shape, np.int64), indices, one, numbers, mode="fill").ravel()
        return jnp.where(hit.sum() > 0, jnp.argmax(hit), -1)

    return np.asarray(jax.vmap(target)(jnp.arange(updates.size))) if updates.size else []


def scatter(x, indices, updates, a, d, region):
    combine, flat = a["Combine"], x.ravel().copy()
    for value, to in zip(updates.ravel(), element_map(x, indices, updates, a)):
        if to < 0:
            continue
        both = flat[to : to + 1], np.array([value], flat.dtype)
        if region:
            value = run(region, [(v, d) for v in both])[0][0][0]
        elif combine != "Invalid":
            value = rounded(compute(combine, {}, list(both), [d, d]), d)[0]
        flat[to] = value
    return flat.reshape(x.shape)


def window(row, x, a, d):
    f, start = {"ReduceWindowSum": (lax.add, 0), "ReduceWindowProd": (lax.mul, 1), "ReduceWindowMax": (lax.max, None), "ReduceWindowMin": (lax.min, None)}[row]
    if d == "i1":
        f, start = (lax.bitwise_or, 0) if row in ("ReduceWindowSum", "ReduceWindowMax") else (lax.bitwise_and, 1)
    start = np.array(identity(row.endswith("Max"), d) if start is None else start, carrier(d))
    x = lax.pad(jnp.asarray(x), jnp.asarray(start), list(zip(a["Low"], a["High"], [k - 1 for k in a["BaseDilation"]])))
    return np.asarray(lax.reduce_window(x, start, f, tuple(a["Size"]), tuple(a["Strides"]), "VALID", None, tuple(a["Dilation"])))


def convolve(x, k, a, shape):
    if 0 in x.shape or 0 in k.shape or 0 in shape:
        return np.zeros(shape, x.dtype)
    dtype = np.int64 if x.dtype == np.bool_ else x.dtype
    spatial = a["Rhs"][2:]
    k = np.flip(k, [spatial[i] for i in a["Reversal"]])
    numbers = lax.ConvDimensionNumbers(tuple(a["Lhs"]), tuple(a["Rhs"]), tuple(a["Out"]))
    r = lax.conv_general_dilated(jnp.asarray(x.astype(dtype)), jnp.asarray(k.astype(dtype)), tuple(a["Strides"]), list(zip(a["Low"], a["High"])),
                                 tuple(a["LhsDilation"]), tuple(a["RhsDilation"]), numbers, a["FeatureGroups"], a["BatchGroups"], precision="highest")
    return np.asarray(r) > 0 if x.dtype == np.bool_ else np.asarray(r)


def fourier(row, x, a):
    axes = range(x.ndim - len(a["Lengths"]), x.ndim)
    return {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}[row](x, a["Lengths"], axes)


def phases(v):
    """What makes the leading component of each column real and positive: the first of nearly the greatest."""
    size = np.abs(v)
    lead = np.argmax(size >= 0.9 * size.max(-2, keepdims=True), -2)
    lead = np.take_along_axis(v, lead[..., None, :], -2)
    return np.conj(lead) / np.abs(lead)


def svd(x, full):
    u, s, vh = np.linalg.svd(x, full)
    common = s.shape[-1]
    v, n = np.conj(np.swapaxes(vh, -1, -2)), common
    u[..., :n], v[..., :n], of_u = u[..., :n] * phases(u[..., :n]), v[..., :n] * phases(u[..., :n]), u[..., n:]
    return [np.concatenate([u[..., :n], of_u * phases(of_u)], -1) if of_u.size else u, s,
            np.conj(np.swapaxes(np.concatenate([v[..., :n], v[..., n:] * phases(v[..., n:])], -1) if v[..., n:].size else v, -1, -2))]


def factors(row, xs, a, results):
    x = jnp.asarray(xs[0])
    if xs[0].size == 0 and row != "TriangularSolve":
        return [empty_factor(r["Shape"], r["DType"]) for r in results]
    match row:
        case "Cholesky":
            r = np.asarray(lax.linalg.cholesky(x, symmetrize_input=False))
            return np.where(np.isnan(r), complex(np.nan, np.nan), r) if np.iscomplexobj(r) else r
        case "TriangularSolve":
            return np.asarray(lax.linalg.triangular_solve(x, jnp.asarray(xs[1]), left_side=not a["Right"], lower=not a["Upper"],
                                                          transpose_a=a["Op"] != "NO_TRANSPOSE", conjugate_a=a["Op"] == "ADJOINT", unit_diagonal=a["Unit"]))
        case "LU":
            return [np.asarray(v) for v in lax.linalg.lu(x)]
        case "QR":
            return [np.asarray(v) for v in lax.linalg.qr(x, full_matrices=a["Full"])]
        case "Eigh":
            w, v = np.linalg.eigh(xs[0])
            return [w, v * phases(v)]
    return svd(xs[0], a["Full"])


def empty_factor(shape, d):
    """What the factors of a matrix without elements are: the orthogonal ones the identity, permutations in order."""
    if d == "i32":
        return np.broadcast_to(np.arange(shape[-1]), shape)
    return np.broadcast_to(np.eye(*shape[-2:]), shape) if len(shape) > 1 else np.zeros(shape)


def rounded(x, d):
    return decode({"DType": d, "Data": base64.b64encode(encode(x, d)), "Shape": list(np.shape(x))})


def run(g, args):
    """The results of a region: pairs of arrays and dtypes."""
    values = list(args)
    for n in g["Nodes"] or []:
        operands = [values[i] for i in n["Args"] or []]
        r = compute(n["Row"], n["Attrs"], [x for x, _ in operands], [d for _, d in operands], n["Results"], n["Regions"])
        for x, t in zip(r if isinstance(r, list) else [r], n["Results"], strict=True):
            values.append((rounded(x, t["DType"]), t["DType"]))
    return [values[i] for i in g["Outputs"]]


def control(row, xs, ds, regions):
    args = list(zip(xs, ds))
    match row:
        case "If":
            args = run(regions[0 if xs[0] else 1], args[1:])
        case "Case":
            at = int(xs[0])
            args = run(regions[at if 0 <= at < len(regions) else -1], args[1:])
        case "While":
            while run(regions[0], args)[0][0]:
                args = run(regions[1], args)
        case "Call":
            args = run(regions[0], args)
    return [x for x, _ in args]


def scan(xs, ds, a, results, region):
    """The carried values after the last step, and the further results of each step."""
    n, fixed = a["Carried"], a["Carried"] + a["Shared"]
    carried = list(zip(xs[:n], ds[:n]))
    stacked = [np.zeros(t["Shape"], carrier(t["DType"])) for t in results[n:]]
    steps = range(a["Length"])
    for i in reversed(steps) if a["Reverse"] else steps:
        out = run(region, carried + list(zip(xs[n:fixed], ds[n:fixed])) + [(x[i], d) for x, d in zip(xs[fixed:], ds[fixed:])])
        carried = out[:n]
        for s, (y, _) in zip(stacked, out[n:], strict=True):
            s[i] = y
    return [x for x, _ in carried] + stacked


def running(row, x, a, d):
    """Running sums and products, rounded after each step; running extremes and where they are."""
    x = np.moveaxis(x, a["Axis"], 0)
    x = x[::-1] if a["Reverse"] else x
    n, out, at = len(x), x.copy(), np.zeros(x.shape, np.int64)
    for i in range(n):
        place = n - 1 - i if a["Reverse"] else i
        if i == 0:
            at[i] = place
        elif row in ("CumSum", "CumProd"):
            out[i] = rounded(compute({"CumSum": "Add", "CumProd": "Mul"}[row], None, [out[i - 1], x[i]], [d, d]), d)
        else:
            later = (x[i] >= out[i - 1] if row == "CumMax" else x[i] <= out[i - 1]) | (x[i] != x[i])
            out[i], at[i] = np.where(later, x[i], out[i - 1]), np.where(later, place, at[i - 1])
    results = [np.moveaxis(r[::-1] if a["Reverse"] else r, 0, a["Axis"]) for r in (out, at)]
    return results if row in ("CumMax", "CumMin") else results[0]


def fold(x, init, a, d, region):
    """The elements along axes put together by a region of two scalars."""
    ax = axes(a)
    kept = [i for i in range(x.ndim) if i not in ax]
    lanes = np.transpose(x, kept + list(ax)).reshape([x.shape[i] for i in kept] + [-1]) if x.size else np.zeros([x.shape[i] for i in kept] + [0], x.dtype)
    out = np.full(lanes.shape[:-1], init, x.dtype)
    for i in range(lanes.shape[-1]):
        out = run(region, [(out, d), (lanes[..., i], d)])[0][0]
    return out


def answer(p):
    args = p["Args"] or []
    return compute(p["Row"], p["Attrs"], [decode(v) for v in args], [v["DType"] for v in args], p["Results"], p["Regions"])


def compute(row, a, xs, ds, results=None, regions=None):
    d = ds[0] if ds else None
    x, y = (xs + [None, None])[:2]
    integral = d is not None and (signed(d) or unsigned(d))
    match row:
        case "Constant":
            return number(a["Data"], a["DType"], a["Shape"])
        case "Iota":
            s = [1] * len(a["Shape"])
            s[a["Axis"]] = -1
            return np.broadcast_to(np.arange(a["Shape"][a["Axis"]]).reshape(s), a["Shape"])
        case "Convert":
            return convert(x, d, a["DType"])
        case "BitcastConvert":
            return bitcast(x, d, a["DType"], results[0]["Shape"])
        case "Reshape":
            return x.reshape(a["Shape"])
        case "BroadcastInDim":
            return broadcast(x, a)
        case "Transpose":
            return np.transpose(x, a["Axes"])
        case "Slice":
            return x[tuple(slice(i, j, k) for i, j, k in zip(a["Start"], a["Limit"], a["Strides"]))]
        case "DynamicSlice":
            return dynamic_slice(x, xs[1:], a["Sizes"])
        case "DynamicUpdateSlice":
            return dynamic_update(x, y, xs[2:])
        case "Gather":
            return gather(x, y, a)
        case "Scatter":
            return scatter(x, y, xs[2], a, d, regions[0] if regions else None)
        case "Concatenate":
            return np.concatenate(xs, a["Axis"])
        case "Pad":
            return pad(x, y, a)
        case "Reverse":
            return np.flip(x, axes(a))
        case "Compare":
            return compare(x, y, a["Direction"])
        case "Select":
            return np.where(x, xs[1], xs[2])
        case "Clamp":
            if d[0] == "c":
                return complex_extreme(np.broadcast_to(xs[2], y.shape), complex_extreme(np.broadcast_to(x, y.shape), y, True), False)
            return np.minimum(np.maximum(x, y), xs[2])
        case "ArgMax" | "ArgMin":
            return (np.argmax if row == "ArgMax" else np.argmin)(x, axis=a["Axis"])
        case "DotGeneral":
            return dot(x, y, a)
        case "Sort":
            return sort(xs, a)
        case "Zeta":
            return zeta(x, y)
        case "Polygamma":
            return polygamma(x, y)
        case "NextAfter":
            return nextafter(x, y, d)
        case "Threefry":
            return threefry(x, y)
        case "Not":
            return np.logical_not(x) if d == "i1" else np.invert(x)
        case "And" | "Or" | "Xor":
            return {"And": np.bitwise_and, "Or": np.bitwise_or, "Xor": np.bitwise_xor}[row](x, y)
        case "Popcount" | "Clz":
            bits = bits_of(d)
            low = [int(v) & (1 << bits) - 1 for v in x.ravel()]
            return np.array([v.bit_count() if row == "Popcount" else bits - v.bit_length() for v in low], dtype=carrier(d)).reshape(x.shape)
        case "ShiftLeft" | "ShiftRightArithmetic" | "ShiftRightLogical":
            return shift(row, x, y, d)
        case "Div" | "Rem" if integral:
            return truncating(lax.div if row == "Div" else lax.rem, x, y, d)
        case "Pow" if integral:
            return integer_power(x, y, d)
        case "Add" | "Max" if d == "i1":
            return x | y
        case "Mul" | "Min" if d == "i1":
            return x & y
        case "Max" | "Min" if d[0] == "c":
            return complex_extreme(x, y, row == "Max")
        case "Reduce":
            return fold(x, y, a, d, regions[0])
        case "Convolution":
            return convolve(x, y, a, results[0]["Shape"])
        case "FFT" | "IFFT" | "RFFT" | "IRFFT":
            return fourier(row, x, a)
        case "Cholesky" | "TriangularSolve" | "LU" | "QR" | "Eigh" | "SVD":
            return factors(row, xs, a, results)
        case "If" | "Case" | "While" | "OptimizationBarrier" | "Call":
            return control(row, xs, ds, regions)
        case "CumSum" | "CumProd" | "CumMax" | "CumMin":
            return running(row, x, a, d)
        case "Scan":
            return scan(xs, ds, a, results, regions[0])
    if row.startswith("ReduceWindow"):
        return window(row, x, a, d)
    if row.startswith("Reduce"):
        return reduce(row, x, a, d)
    if row in FLOATS:
        return FLOATS[row](*xs)
    raise KeyError(row)


def main():
    lines = []
    for line in open(sys.argv[1]):
        p = json.loads(line)
        results = answer(p)
        out = []
        for r, t in zip(results if isinstance(results, list) else [results], p["Results"], strict=True):
            r = np.asarray(r)
            if list(r.shape) != t["Shape"]:
                raise ValueError(f"{p['Key']}: shape {r.shape}, not {t['Shape']}")
            out.append(base64.b64encode(encode(r, t["DType"])).decode())
        lines.append("\t".join([p["Key"]] + out))
    head = f"# numpy {np.__version__}, scipy {scipy.__version__}, jax {jax.__version__}, ml_dtypes {ml_dtypes.__version__}: by peers.py\n"
    with gzip.GzipFile("peers.txt.gz", "wb", mtime=0) as f:
        f.write((head + "\n".join(lines) + "\n").encode())


main()
