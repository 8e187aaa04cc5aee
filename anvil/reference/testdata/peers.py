"""Writes peers.txt.gz: what NumPy, SciPy and JAX answer at the samples of the op table.

    go test ./anvil/reference -run TestPeersAreWhole -samples points.jsonl
    python peers.py points.jsonl

Functions of floats are NumPy's and SciPy's in double precision, rounded to the dtype once.
Integer arithmetic where languages differ (division by 0, shifts), conversions, gather, scatter
and windows are JAX's. What only moves elements is NumPy's, on the elements as doubles.
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
    if d == "f8e8m0fnu":  # by float32: it has no zero and no sign
        x = x.astype(np.float32)
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
    top = row == "ReduceMax"
    bits = bits_of(d)
    if signed(d):
        initial = -(1 << bits - 1) if top else (1 << bits - 1) - 1
    elif unsigned(d):
        initial = 0 if top else (1 << bits) - 1
    elif d[0] == "c":  # by real, then by imaginary part
        initial = complex(-np.inf, -np.inf) if top else complex(np.inf, np.inf)
    else:
        initial = ends(d)[0 if top else 1]
    return (np.max if top else np.min)(x, axis=ax, initial=np.array(initial, carrier(d)))


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
    if d in ("f8e8m0fnu",) or to in ("f8e8m0fnu",):
        raise ValueError("not in JAX")
    if d == "f4e2m1fn" and (signed(to) or unsigned(to)):
        raise ValueError("JAX saturates: it compares with bounds that f4 does not have")
    return np.asarray(lax.convert_element_type(exact(x, d), NUMPY[to])).astype(carrier(to))


def answer(p):
    row, a = p["Row"], p["Attrs"]
    args = p["Args"] or []
    xs, ds = [decode(v) for v in args], [v["DType"] for v in args]
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
            to = a["DType"]
            if d in NARROW or to in NARROW or "i1" in (d, to):
                raise ValueError("elements narrower than a byte")
            raw = x.astype(NUMPY[d])
            return np.frombuffer(raw.tobytes(), NUMPY[to]).reshape(p["Results"][0]["Shape"]).astype(carrier(to))
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
    if row.startswith("Reduce") and "Window" not in row:
        return reduce(row, x, a, d)
    if row in FLOATS:
        return FLOATS[row](*xs)
    raise KeyError(row)


def main():
    missing, unknown, lines = [], set(), []
    for line in open(sys.argv[1]):
        p = json.loads(line)
        try:
            results = answer(p)
            if not isinstance(results, list):
                results = [results]
            out = []
            for r, t in zip(results, p["Results"], strict=True):
                r = np.asarray(r)
                if list(r.shape) != t["Shape"]:
                    raise ValueError(f"shape {r.shape}, not {t['Shape']}")
                out.append(base64.b64encode(encode(r, t["DType"])).decode())
            lines.append("\t".join([p["Key"]] + out))
        except KeyError as e:
            unknown.add(str(e))
        except (TypeError, ValueError) as e:
            missing.append(f"{p['Key'].rsplit(' ', 1)[0]} # {str(e).splitlines()[0][:90]}")
    head = f"# numpy {np.__version__}, scipy {scipy.__version__}, jax {jax.__version__}, ml_dtypes {ml_dtypes.__version__}: by peers.py\n"
    with gzip.GzipFile("peers.txt.gz", "wb", mtime=0) as f:
        f.write((head + "\n".join(lines) + "\n").encode())
    with open("peers_gaps.txt", "w") as f:
        f.write("# Points that peers.py has no answer to, with the reason.\n")
        f.writelines(line + "\n" for line in missing)
    print("rows that peers.py does not know:", *sorted(unknown), file=sys.stderr)


main()
