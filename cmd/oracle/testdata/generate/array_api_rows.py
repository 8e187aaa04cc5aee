"""Rows of array-api-strict, with the results that the standard specifies: python array_api_rows.py array_api.json"""
import itertools
import sys

import array_api_strict as xp

import rows
from rows import outcome, short, PYTHON

xp.set_array_api_strict_flags(api_version="2024.12")
ALL = [getattr(xp, n) for n in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()]
SIGNED, UNSIGNED, FLOATS, COMPLEXES = ALL[1:5], ALL[5:9], ALL[9:11], ALL[11:]


def ones(d, shape=(2,)):
    return xp.ones(shape, dtype=d)


def dtype(f):
    return outcome(lambda: f().dtype)


def spec(a, b):
    """The dtype that the standard's tables have for a with b, or undefined."""
    for kind in ([xp.bool], SIGNED, UNSIGNED, FLOATS, COMPLEXES):
        if a in kind and b in kind:
            return short(kind[max(kind.index(a), kind.index(b))])
    if b in SIGNED or b in FLOATS and a in COMPLEXES:
        a, b = b, a
    if a in SIGNED and b in UNSIGNED[:3]:
        return short(SIGNED[max(SIGNED.index(a), UNSIGNED.index(b) + 1)])
    if a in FLOATS and b in COMPLEXES:
        return short(COMPLEXES[max(FLOATS.index(a), COMPLEXES.index(b))])
    return "undefined"


def spec_scalar(d, p):
    """The dtype of an array of d with a Python number."""
    kinds = {"pybool": [xp.bool], "pyint": SIGNED + UNSIGNED + FLOATS + COMPLEXES, "pyfloat": FLOATS + COMPLEXES, "pycomplex": COMPLEXES}
    if p == "pycomplex" and d in FLOATS:
        return short(COMPLEXES[FLOATS.index(d)])
    return short(d) if d in kinds[p] else "undefined"


def pairs():
    for a, b in itertools.product(ALL, ALL):
        yield {"a": short(a), "b": short(b), "spec": spec(a, b)} | outcome(lambda: xp.result_type(a, b))


def scalar():
    """The field operator has the result of +, or of & for a bool, which cannot be added."""
    for d in ALL:
        for p, v in PYTHON.items():
            yield {"a": short(d), "b": p, "spec": spec_scalar(d, p), "result_type": outcome(lambda: xp.result_type(d, v)),
                   "operator": dtype(lambda: ones(d) & v if v is True else ones(d) + v)}


def can_cast():
    for a, b in itertools.product(ALL, ALL):
        yield {"from": short(a), "to": short(b), "result": xp.can_cast(a, b)}


BINARY = {n: getattr(xp, n) for n in """add subtract multiply divide floor_divide remainder pow maximum bitwise_and bitwise_left_shift equal less logical_and
    atan2 hypot copysign matmul""".split()}
BINARY |= {"where": lambda a, b: xp.where(xp.asarray([True, False]), a, b), "concat": lambda a, b: xp.concat([a, b]), "stack": lambda a, b: xp.stack([a, b])}


def binary_ops():
    for op, f in BINARY.items():
        for a, b in itertools.product(ALL, ALL):
            yield {"op": op, "a": short(a), "b": short(b)} | dtype(lambda: f(ones(a), ones(b)))


def unary_ops():
    for op in """negative abs sign exp sqrt sin floor round square bitwise_invert logical_not isnan sum prod mean std var max argmax all any cumulative_sum
            cumulative_prod real conj sort argsort isfinite trunc reciprocal""".split():
        for d in ALL:
            yield {"op": op, "a": short(d)} | dtype(lambda: getattr(xp, op)(ones(d)))


def inplace():
    for a, b in itertools.product(ALL, ALL):
        def add():
            x = ones(a)
            x += ones(b)
            return x
        yield {"op": "iadd", "a": short(a), "b": short(b)} | dtype(add)


def isdtype():
    for kind in ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"):
        for d in ALL:
            yield {"dtype": short(d), "kind": kind, "result": xp.isdtype(d, kind)}


def values():
    """Expressions with their dtype and value, or their error."""
    for e in VALUES.strip().splitlines():
        try:
            x = eval(e)
            yield {"expr": e, "dtype": short(getattr(x, "dtype", x)), "value": str(x)}
        except Exception as x:
            yield {"expr": e, "error": rows.error(x, 300)}


VALUES = """
xp.asarray([1],dtype=xp.uint8)+300
xp.asarray([1],dtype=xp.uint8)+(-1)
xp.asarray([1],dtype=xp.uint8)+255
xp.asarray([1.],dtype=xp.float32)+1
xp.asarray([1],dtype=xp.int32)+1.0
xp.asarray([1],dtype=xp.int32)/xp.asarray([1],dtype=xp.int32)
xp.asarray([True])+xp.asarray([True])
xp.asarray([True])+1
xp.asarray([1.],dtype=xp.float32)+1j
xp.asarray([2],dtype=xp.int32)**-1
xp.sum(xp.asarray([200,100],dtype=xp.uint8))
xp.sum(xp.asarray([1.],dtype=xp.float32))
xp.asarray([1,2.5])
xp.asarray([1,True])
xp.astype(xp.asarray([1j]),xp.float32)
xp.result_type(xp.int8,1)
xp.result_type(1,1.0)
xp.arange(3)
xp.where(xp.asarray([True]),1,xp.asarray([2.]))
xp.asarray(2**63)
xp.finfo(xp.float32).dtype
xp.iinfo(xp.uint8).max
"""

if __name__ == "__main__":
    rows.write(sys.argv[1], {"system": "array_api", "version": "standard 2024.12; array-api-strict " + xp.__version__,
               "default_dtypes": {k: short(v) for k, v in xp.__array_namespace_info__().default_dtypes().items()},
               "note": "spec='undefined' = combination not in the standard's tables (implementations may error, like array-api-strict, or define it, like numpy/torch)."} | rows.lists(
        [pairs, scalar, can_cast, binary_ops, unary_ops, inplace, isdtype, values]))
