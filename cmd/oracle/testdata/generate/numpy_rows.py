"""Rows of NumPy with ml_dtypes: python numpy_rows.py numpy.json"""
import itertools
import operator
import sys
import warnings

import ml_dtypes
import numpy as np

import rows
from rows import outcome, short, PYTHON

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

OWN = [np.dtype(c) for c in "? b h i l B H I L e f d g F D G".split()]
ALL = OWN + [np.dtype(getattr(ml_dtypes, n)) for n in """bfloat16 float8_e4m3fn float8_e5m2 float8_e4m3 float8_e3m4 float8_e8m0fnu float4_e2m1fn
    int2 int4 uint2 uint4""".split()]


def ones(d, shape=(2,)):
    return np.ones(shape, dtype=d)


def dtype(f):
    """The dtype of the result of f, or of the first result."""
    return outcome(lambda: (lambda x: x[0] if isinstance(x, tuple) else x)(f()).dtype)


def pairs():
    for a, b in itertools.product(ALL, ALL):
        yield {"a": short(a), "b": short(b)} | outcome(lambda: np.promote_types(a, b))


def result_type_scalar():
    """A dtype with a Python number; add and zero_dim_add are the sums of an array and of a 0-d array with it."""
    for d in ALL:
        for p, v in PYTHON.items():
            yield {"a": short(d), "b": p} | outcome(lambda: np.result_type(d, v)) | {
                "add": dtype(lambda: ones(d) + v), "zero_dim_add": dtype(lambda: ones(d, ()) + v)}
    for (p, v), (q, w) in itertools.product(PYTHON.items(), repeat=2):
        yield {"a": p, "b": q} | outcome(lambda: np.result_type(v, w))


def array_plus_numpy_scalar():
    for a, b in itertools.product(OWN, OWN):
        yield {"a": short(a), "b": short(b)} | dtype(lambda: ones(a) + b.type(1)) | {"sb": "numpy scalar"}


def can_cast():
    for a, b in itertools.product(ALL, ALL):
        yield {"from": short(a), "to": short(b)} | {rule: bool(np.can_cast(a, b, rule)) for rule in ("no", "equiv", "safe", "same_kind", "unsafe")}


BINARY = {n: getattr(np, n) for n in """add subtract multiply true_divide floor_divide remainder fmod power float_power maximum bitwise_and left_shift equal less
    logical_and arctan2 hypot copysign gcd ldexp""".split()}
BINARY |= {"matmul": lambda a, b: np.matmul(np.stack([a, a]), np.stack([b, b])), "divmod": np.divmod, "where": lambda a, b: np.where([True, False], a, b),
           "concatenate": lambda a, b: np.concatenate([a, b]), "dot": np.dot}


def binary_ops():
    for op, f in BINARY.items():
        for a, b in itertools.product(OWN, OWN):
            yield {"op": op, "a": short(a), "b": short(b)} | dtype(lambda: f(ones(a), ones(b)))


UNARY = {n: getattr(np, n) for n in """negative absolute sign exp sqrt sin reciprocal floor ceil rint trunc square invert logical_not isnan conjugate sum prod mean
    std var cumsum cumprod max argmax all any median average ptp""".split()}
UNARY |= {"trace": lambda x: np.trace(np.stack([x, x])), "round": np.round, "quantile": lambda x: np.quantile(x, 0.5), "real": np.real, "angle": np.angle,
          "linalg.norm": np.linalg.norm, "nansum": np.nansum, "bincount": np.bincount}


def unary_ops():
    for op, f in UNARY.items():
        for d in OWN:
            yield {"op": op, "a": short(d)} | dtype(lambda: f(ones(d)))


def inplace():
    for op in ("iadd", "itruediv", "ifloordiv", "ipow"):
        for a in OWN:
            for b, y in [(short(b), ones(b)) for b in OWN] + list(PYTHON.items()):
                yield {"op": op, "a": short(a), "b": b} | dtype(lambda: getattr(operator, op)(ones(a), y))


def values():
    """Expressions with their value, dtype and warning, or their error."""
    for e in VALUES.strip().splitlines():
        with warnings.catch_warnings(record=True) as said, np.errstate(all="warn"):
            warnings.simplefilter("always")
            row = {"expr": e} | value(e)
        if said and "error" not in row:
            row["warning"] = rows.error(said[0].message)
        yield row


def value(e):
    try:
        x = eval(e)
    except Exception as x:
        return {"error": rows.error(x, 400)}
    if isinstance(x, np.dtype):
        return {"value": short(x), "dtype": "dtype"}
    x = np.asarray(x)
    return {"value": rows.number(x.tolist()), "dtype": short(x.dtype)}


VALUES = """
np.uint8(1)+300
np.uint8(200)+np.uint8(100)
np.array([1],np.uint8)-2
np.uint8(1)+(-1)
np.array([1],np.uint8)==300
np.array([1],np.uint8)*1.5
-np.int8(-128)
abs(np.int8(-128))
np.array([-128],np.int8)//np.int8(-1)
np.float16(1)+1e6
np.array([1],np.float16)+1e6
np.float32(1)+np.float64(1)
np.int64(1)+1.5
np.array([1],np.int8)+1.5
np.array([1],np.int16)/np.array([2],np.int8)
np.array([True])-np.array([True])
np.array([True])*2
np.array([True])/True
np.array([True])//True
np.array([2],np.int32)**-1
np.array([2],np.int32)**np.array([-1])
np.int32(2)**-1
np.array([2],np.uint64)+np.array([1],np.int64)
np.uint64(2)+np.int64(1)
np.array([2**64-1],np.uint64)==np.array([-1],np.int64)
np.array([1],np.int64)+2**63
np.array(2**64)
np.array([1,2.5])
np.array([True,2])
np.array([1,1j])
np.uint8(300)
np.array([300],np.uint8)
np.result_type(np.int8,1000)
np.can_cast(np.int64,np.float32)
np.can_cast(np.int64,np.float64)
np.can_cast(1,np.int8)
np.sum(np.array([200,100],np.uint8))
np.cumsum(np.array([200,100],np.uint8))
np.mean(np.array([1,2],np.int8))
np.sum(np.array([60000,60000],np.float16))
np.result_type(np.int8,np.uint16,np.float16)
np.result_type(np.uint16,np.float16,np.int8)
np.where([True],np.array([1],np.float32),1.0)
np.where([True],np.array([1],np.int8),300)
np.minimum(np.array([1],np.uint8),300)
np.clip(np.array([1],np.uint8),-1,300)
np.left_shift(np.uint8(1),8)
np.array([1],np.int32)<<-1
np.array([1],np.int32)+np.array([1],np.float32)
np.array([1],np.uint8)+np.array([1],np.float16)
np.array([1],np.int64)+np.array([1],np.complex64)
np.array([1],np.int16)+np.array([1],np.complex64)
np.array([1],np.int8)+1j
np.float16(1)+1j
np.array([2**63],np.int64)
np.array([2**64],np.uint64)
np.array([2**64],np.int32)
np.array(2**63)
np.array([1],np.int32)+2**63
np.array([1],np.uint64)+2**63
np.array([1],np.uint64)+2**64
np.array([1],np.uint64)-1
np.array([1],np.uint64)+(-1)
np.array([1],np.int64)==2**63
np.array([1],np.int64)<2**63
np.array([1],np.float32)+2**63
np.array([1],np.float32)+2**64
np.int64(2**63)
np.uint64(2**64)
np.int64(1)+2**63
np.uint8(1)-2
np.uint8(1)-np.uint8(2)
np.array([1],np.uint8)-np.array([2],np.uint8)
np.int32(2**31-1)+np.int32(1)
np.int32(2**31-1)*2
np.int32(5)//np.int32(0)
np.int32(5)%np.int32(0)
np.int32(5)/np.int32(0)
np.int32(0)/np.int32(0)
np.array([5])//np.array([0])
np.array([5])%np.array([0])
np.array([5])/np.array([0])
np.array([0])/np.array([0])
np.array([5.])//np.array([0])
np.array([5.])%np.array([0])
np.float32(3e38)*np.float32(10)
np.array([3e38],np.float32)*np.float32(10)
np.array([3e38],np.float32)*10
np.float16(60000)+np.float16(60000)
np.float16(60000)+1e6
np.exp(np.float32(100))
np.exp(np.array([1000.]))
np.log(np.array([0.]))
np.log(np.array([-1.]))
np.sqrt(np.array([-1.]))
np.log(0)
np.sqrt(-1)
np.array([300.]).astype(np.uint8)
np.float16(1e6)
np.array([1e6],np.float16)
np.array([1e300],np.float32)
np.float32(1e300)
np.uint8(3)-np.uint8(5)
np.negative(np.int8(-128))
np.abs(np.int8(-128))
np.absolute(np.array([-128],np.int8))
-np.array([-128],np.int8)
np.int8(-128)//np.int8(-1)
np.array([-128],np.int8)//-1
np.array([2],np.int32)**40
np.int32(2)**40
np.uint8(200)*np.uint8(2)
np.prod(np.array([60000,60000],np.float16))
np.cumsum(np.array([60000,60000],np.float16))
np.mean(np.array([60000,60000],np.float16))
np.reciprocal(np.array([0]))
np.reciprocal(np.array([0.]))
np.array([1.])/0
np.array([1])//0
np.uint8(1)//0
np.int8(127)+1
np.array([127],np.int8)+1
np.add(np.uint8(200),np.uint8(100))
np.uint8(200)+100
np.uint64(1)+(-1)
np.square(np.array([1e200]))
np.array([1e200])**2
np.float64(1e200)**2
np.array([np.inf])-np.array([np.inf])
np.float32(1)/np.float32(0)
np.array([float('nan')]).astype(np.int32)
np.array([1e10]).astype(np.float16)
np.clip(np.array([5],np.uint8),2,3)
np.clip(np.array([5],np.uint8),2.5,3)
np.maximum(np.array([1],np.uint8),-1)
np.add(np.array([1],np.uint8),300)
np.array([1],np.uint8)>300
np.array([1],np.uint8)!=300
np.array([1],np.uint8)&300
np.promote_types(np.int8,np.uint8)
np.array([1],np.uint8)+True
np.bool_(True)+np.bool_(True)
np.array([True])+True
~np.array([True])
~np.array([1],np.uint8)
np.float64(1)+1j
np.int8(1)+np.float16(1)
np.array([1],np.int8).astype(np.float16)
np.float32(16777216)+1
np.array([16777216],np.float32)+1
np.array([1],np.uint8)>>9
1<<np.array([1],np.uint8)
300+np.array([1],np.uint8)
2**np.array([-1])
np.divide(np.array([1],np.int8),np.array([2],np.int8))
np.true_divide(1,2)
np.floor_divide(7,-2)
np.median(np.array([1,2],np.int8))
"""


def promote_order_dependent_triples():
    """Triples whose promotion by pairs depends on the order, and result_type of all three, which does not."""
    for three in itertools.combinations(OWN, 3):
        orders = list(itertools.permutations(three))
        folds = {short(np.promote_types(np.promote_types(a, b), c)) for a, b, c in orders}
        if len(folds) > 1:
            yield dict(zip("abc", map(short, three))) | {"pairwise_results": sorted(folds), "result_type_nary": sorted({short(np.result_type(*o)) for o in orders})}


if __name__ == "__main__":
    rows.write(sys.argv[1], {"system": "numpy", "version": np.__version__, "ml_dtypes": ml_dtypes.__version__,
               "platform_note": "linux x86_64; f80/c160 = x87 longdouble; default int = i64"} | rows.lists(
        [pairs, result_type_scalar, array_plus_numpy_scalar, can_cast, binary_ops, unary_ops, inplace, values, promote_order_dependent_triples]))
