"""Rows of JAX, with and without x64: python jax_rows.py jax.json"""
import itertools
import os
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src import dtypes
from jax._src.lax.lax import _convert_element_type

import rows
from rows import outcome, short, PYTHON

WIDE = "uint64 int64 float64 complex128".split()
NARROW = """int2 int4 uint2 uint4 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e8m0fnu float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz
    float8_e5m2 float8_e5m2fnuz""".split()
ALL = [np.dtype(n) for n in """bool uint2 uint4 uint8 uint16 uint32 uint64 int2 int4 int8 int16 int32 int64 float4_e2m1fn float8_e3m4 float8_e4m3
    float8_e8m0fnu float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz bfloat16 float16 float32 float64 complex64 complex128""".split()]


def switched(f):
    """The rows of f without and with x64."""
    def both():
        for x64 in (False, True):
            jax.config.update("jax_enable_x64", x64)
            for row in f([d for d in ALL if x64 or d.name not in WIDE]):
                yield {"x64": x64} | row
    both.__name__ = f.__name__
    return both


def strictly(f):
    jax.config.update("jax_numpy_dtype_promotion", "strict")
    try:
        return f()
    finally:
        jax.config.update("jax_numpy_dtype_promotion", "standard")


def name(x):
    """The name of a dtype, of a pair (dtype, weak), or of an array's dtype."""
    if isinstance(x, tuple):
        return short(x[0]) + "?" * x[1]
    return short(x.dtype) + "?" * x.weak_type if hasattr(x, "weak_type") else short(x)


def ask(f, limit=220):
    """The outcome of f. Dtypes in an error are sorted, since JAX lists them in the order of a set."""
    row = outcome(f, name, 1000)
    if "error" in row:
        row["error"] = re.sub(r"(?<=Input dtypes \()[^)]*(?=\))", lambda m: ", ".join(sorted(m[0].split(", "))), row["error"])[:limit]
    return row


def both_modes(f, refusal=True):
    """result or error, strict (null for an error), and the error under strict promotion."""
    row, strict = ask(f), strictly(lambda: ask(f, 140))
    row["strict"] = strict.get("result")
    return row | ({"strict_error": strict["error"]} if refusal and "error" in strict else {})


def state(d, weak=False, shape=(2,)):
    return jax.ShapeDtypeStruct(shape, d, weak_type=weak)


def traced(f, *args):
    """The result of f for arrays like args, or the first of several results."""
    x = jax.eval_shape(f, *args)
    return x[0] if isinstance(x, (tuple, list)) else x


def array(d, weak):
    return _convert_element_type(jnp.ones((2,), jnp.float32), d, weak_type=weak)


@switched
def pairs(_):
    """result is that of promote_types, which ignores x64; result_type is that of arrays."""
    for a, b in itertools.product(ALL, ALL):
        row = {"a": short(a), "b": short(b)} | both_modes(lambda: jnp.promote_types(a, b))
        of = ask(lambda: dtypes.result_type(a, b, return_weak_type_flag=True))
        yield row | {"result_type": of.get("result", "error")}


@switched
def weak_pairs(ds):
    """result is that of result_type for two arrays, at least one of them weak; op is that of an operation."""
    states = [(d, w) for d in ds for w in (False, True) if not (w and d == bool)]
    for (a, wa), (b, wb) in itertools.product(states, states):
        if not (wa or wb):
            continue
        x, y = array(a, wa), array(b, wb)
        row = {"a": name((a, wa)), "b": name((b, wb))} | both_modes(lambda: dtypes.result_type(x, y, return_weak_type_flag=True))
        if a.name not in NARROW and b.name not in NARROW:
            row["op"] = name(traced(jnp.maximum, state(a, wa), state(b, wb)))
        yield row


@switched
def scalar_pairs(_):
    """Python numbers, by themselves, with each other, and with dtypes."""
    weakly = lambda *xs: dtypes.result_type(*xs, return_weak_type_flag=True)
    for p, v in PYTHON.items():
        yield {"a": p, "b": None} | ask(lambda: weakly(v)) | {"jnp.asarray": name(jnp.asarray(v)), "jnp.array([v])": name(jnp.array([v])),
                                                            "np.asarray->jnp.asarray": name(jnp.asarray(np.asarray(v)))}
        for q, w in PYTHON.items():
            yield {"a": p, "b": q} | ask(lambda: weakly(v, w)) | {"strict": strictly(lambda: ask(lambda: weakly(v, w)))}
        for d in ALL:
            yield {"a": short(d), "b": p} | both_modes(lambda: weakly(d, v))


BINARY = {n: getattr(jnp, n) for n in """add subtract multiply true_divide floor_divide remainder fmod power float_power maximum bitwise_and left_shift equal less
    logical_and arctan2 hypot copysign ldexp gcd""".split()}
BINARY |= {"where": lambda a, b: jnp.where(jnp.array([True, False]), a, b), "concatenate": lambda a, b: jnp.concatenate([a, b]),
           "stack": lambda a, b: jnp.stack([a, b]), "dot": jnp.dot, "lax.add": lax.add, "lax.div": lax.div,
           "lax.select": lambda a, b: lax.select(jnp.array([True, False]), a, b)}


@switched
def binary_ops(ds):
    ds = [d for d in ds if d.name not in NARROW]
    for op, f in BINARY.items():
        for a, b in itertools.product(ds, ds):
            yield {"op": op, "a": short(a), "b": short(b)} | both_modes(lambda: traced(f, state(a), state(b)), False)


@switched
def scalar_ops(ds):
    """An array with a Python number, and the number with the array."""
    for op in "add subtract true_divide floor_divide remainder power maximum bitwise_and left_shift equal where arctan2".split():
        f = BINARY[op]
        for d in ds:
            if d.name in NARROW:
                continue
            for p, v in PYTHON.items():
                yield {"op": op, "a": short(d), "b": p} | both_modes(lambda: traced(lambda x: f(x, v), state(d)), False)
                yield {"op": op, "a": p, "b": short(d)} | both_modes(lambda: traced(lambda x: f(v, x), state(d)), False)


UNARY = {n: getattr(jnp, n) for n in """negative abs sign exp sqrt sin reciprocal floor ceil round trunc square invert logical_not isnan conjugate sum prod mean std
    var cumsum cumprod max argmax all any median average ptp nansum real angle count_nonzero argsort""".split()}
UNARY |= {"softmax": jax.nn.softmax, "relu": jax.nn.relu, "sigmoid": jax.nn.sigmoid, "gelu": jax.nn.gelu, "logsumexp": jax.nn.logsumexp,
          "trace": lambda x: jnp.trace(jnp.stack([x, x])), "linalg.norm": jnp.linalg.norm, "lax.exp": lax.exp, "quantile": lambda x: jnp.quantile(x, 0.5)}


@switched
def unary_ops(ds):
    some = "uint4 int2 int4 float4_e2m1fn float8_e4m3fn float8_e5m2".split()
    states = [(d, False) for d in ds if d.name not in NARROW or d.name in some]
    states += [(np.dtype(n), True) for n in ("int32", "float32", "complex64")]
    for op, f in UNARY.items():
        for d, weak in states:
            yield {"op": op, "a": name((d, weak))} | ask(lambda: traced(f, state(d, weak)))


@switched
def values(_):
    """Expressions with their value and dtype, or their error."""
    for e in VALUES.strip().splitlines():
        for mode in ("standard", "strict"):
            yield {"mode": mode, "expr": e} | (strictly(lambda: value(e)) if mode == "strict" else value(e))


def value(e):
    try:
        x = eval(e)
    except Exception as x:
        return {"error": rows.error(x, 300)}
    if isinstance(x, (np.dtype, type)):
        return {"value": short(np.dtype(x))}
    listed = x.tolist() if hasattr(x, "tolist") else x
    return {"value": rows.number(listed), "dtype": name(x if hasattr(x, "dtype") else np.asarray(x).dtype)}


VALUES = r"""
jnp.uint8(1)+300
jnp.array([1],jnp.uint8)+300
jnp.array([1],jnp.uint8)+(-1)
jnp.array([1],jnp.uint8)==300
jnp.array([44],jnp.uint8)==300
jnp.array([1],jnp.uint8)<300
jnp.array([1],jnp.int32)<2**40
jnp.array([1],jnp.int32)+2**31
jnp.asarray(2**31)
jnp.asarray(2**63)
jnp.float16(1)+1e6
jnp.array([1],jnp.int32)+1.5
jnp.array([1],jnp.int8)+1.5
jnp.array([1],jnp.bfloat16)+jnp.array([1],jnp.float16)
jnp.array([1],jnp.int32)/jnp.array([2],jnp.int32)
jnp.array([1],jnp.int32)+jnp.float32(1)
jnp.asarray(1)+jnp.array([1],jnp.int8)
jnp.int32(1)+jnp.array([1],jnp.int8)
np.float64(1)+jnp.array([1],jnp.float32)
np.int32(1)+jnp.array([1],jnp.int8)
np.float64(1)+jnp.array([1],jnp.bfloat16)
jnp.array(1.0)+jnp.array([1],jnp.bfloat16)
jnp.asarray(1.0)+jnp.array([1],jnp.bfloat16)
jnp.array([True])+True
jnp.array([True])+jnp.array([True])
jnp.array([True])-jnp.array([True])
-jnp.array([True])
jnp.array([True])*2
jnp.array([True])*2.0
jnp.sum(jnp.array([True,True]))
jnp.sum(jnp.array([200,100],jnp.uint8))
jnp.mean(jnp.array([1,2],jnp.int8))
jnp.mean(jnp.array([60000,60000],jnp.float16))
jnp.sum(jnp.array([60000,60000],jnp.float16))
jnp.array([2],jnp.int32)**-1
jnp.array([2],jnp.int32)**jnp.array([-1],jnp.int32)
jnp.arange(3)
jnp.arange(3.0)
jnp.zeros(1)
jnp.full((1,),1)
jnp.array([1,2.5])
jnp.full((1,),1.0)
jnp.ones_like(1)
jnp.sin(jnp.array([1],jnp.int8))
jnp.where(True,1,2.0)
jnp.exp(1)
jnp.where(jnp.array([True]),jnp.array([1],jnp.int8),300)
lax.add(jnp.int32(1),1.0)
lax.add(jnp.int32(1),jnp.float32(1.0))
jnp.array([1],jnp.uint32)+jnp.array([-2],jnp.int32)
jnp.array([1],jnp.uint32)<jnp.array([-1],jnp.int32)
jnp.array([2**31],jnp.uint32)+jnp.array([1],jnp.int8)
jnp.zeros(1,jnp.int64)
jnp.array([1],dtype='float64')
jnp.array([1],jnp.int32).at[0].set(2.7)
jnp.array([1],jnp.int32).at[0].add(2.7)
jnp.can_cast(jnp.int32,jnp.float32)
jnp.array([1],jnp.int4)+jnp.array([1],jnp.uint4)
jnp.array([7],jnp.int4)+1
jnp.array([1],jnp.float8_e4m3fn)+jnp.array([1],jnp.bfloat16)
jnp.array([1],jnp.float8_e4m3fn)+1
jnp.array([1],jnp.float8_e4m3fn)+jnp.array([1],jnp.float8_e5m2)
jnp.array([1],jnp.float8_e4m3fn)+jnp.array([1],jnp.int8)
jnp.result_type(jax.dtypes.float0,jnp.float32)
jnp.promote_types(jax.dtypes.float0,jnp.float32)
jnp.result_type(1,1.0)
jnp.result_type(jnp.int64,jnp.float16)
jax.grad(lambda x:x*1.0,allow_int=True)(1).dtype
jnp.result_type(jnp.int8,1,1.0)
jnp.result_type(jnp.bfloat16,jnp.float16,jnp.int64)
jnp.array([1],jnp.int8)+300
jnp.array([1],jnp.int32)+2**40
2**40+jnp.array([1],jnp.int32)
jnp.array([1],jnp.uint8)*2.5
jnp.array([1],jnp.float16)*1e6
jnp.bfloat16(1)+1
jnp.array([5],jnp.int32)//0
jnp.array([5],jnp.int32)%0
jnp.array([5.],jnp.float32)//0
jnp.array([1],jnp.int32)/0
jnp.array([7],jnp.int32)//jnp.array([-2],jnp.int32)
jnp.array([7],jnp.int32)%jnp.array([-2],jnp.int32)
jnp.array([127],jnp.int8)+jnp.array([1],jnp.int8)
jnp.array([-128],jnp.int8)//jnp.array([-1],jnp.int8)
jnp.abs(jnp.array([-128],jnp.int8))
jnp.sqrt(jnp.array([4],jnp.int32))
jnp.exp(jnp.array([1],jnp.bfloat16))
jnp.prod(jnp.array([200,2],jnp.uint8))
jnp.max(jnp.array([1,2],jnp.int8))
jnp.cumsum(jnp.array([200,100],jnp.uint8))
jnp.array([True,False])&True
jnp.array([3],jnp.uint8)<<8
jnp.left_shift(jnp.uint8(1),8)
jnp.array([1],jnp.int32)<<-1
jnp.minimum(jnp.array([1],jnp.uint8),300)
jnp.maximum(jnp.array([1],jnp.int8),1.5)
jnp.clip(jnp.array([5],jnp.uint8),2,3)
jnp.array([300.7]).astype(jnp.uint8)
jnp.array([float('nan')]).astype(jnp.int32)
jnp.array([-1],jnp.int8).astype(jnp.uint8)
jnp.int8(127)+1
jnp.array(2**31)
jnp.array([1,2])
jnp.array([1.5])
jnp.array([1j])
jnp.array(True)
jnp.ones(2)
jnp.full((1,),True)
jnp.zeros(1,jnp.bfloat16)
jnp.arange(2.0)
jnp.result_type(jnp.int8,jnp.uint8)
jnp.result_type(jnp.bfloat16,1)
jnp.promote_types(jnp.int8,jnp.uint32)
jnp.where(True,jnp.int8(1),2.5)
jnp.array([1],jnp.int32).at[0].multiply(2)
jnp.array([1.],jnp.float32).at[0].set(2)
jnp.array([2],jnp.int32)**2
jnp.array([2],jnp.int32)**2.0
jnp.array([2.],jnp.float32)**jnp.array([2],jnp.int32)
~jnp.array([True])
~jnp.array([1],jnp.uint8)
jnp.array([1],jnp.uint8)>300
jnp.array([1],jnp.int8)==1.5
jnp.mean(jnp.array([1,2],jnp.uint64))
jnp.sum(jnp.array([1,2],jnp.int8))
jnp.float32(1)+jnp.float64(1)
jnp.array([1],jnp.complex64)+1j
jnp.array([1],jnp.int32)+1j
jnp.isnan(jnp.array([1.]))
jnp.floor(jnp.array([1],jnp.int8))
jnp.sign(jnp.array([-3],jnp.int8))
jnp.square(jnp.array([20],jnp.int8))
jnp.iinfo(jnp.int8).max
jnp.array([1],jnp.int8).dtype
jnp.asarray([1,2.5],jnp.int32)
lax.add(jnp.int8(1),jnp.int8(2))
lax.add(jnp.int8(1),1)
"""


@switched
def lattice(_):
    """The nodes directly above each node."""
    weak = {int: "i*", float: "f*", complex: "c*"}
    of = lambda d: weak.get(d) or ("i1_int" if d == np.dtype("int1") else short(np.dtype(d)))
    for mode in ("standard", "strict"):
        for node, up in dtypes._type_promotion_lattice(mode == "strict", jax.config.jax_enable_x64).items():
            yield {"mode": mode, "node": of(node), "up": [of(d) for d in up]}


@switched
def canonical(_):
    for d in ALL:
        yield {"dtype": short(d), "canonical": short(dtypes.canonicalize_dtype(d))}


@switched
def order_dependent_triples(_):
    """Triples whose promotion by pairs depends on the order."""
    for three in itertools.combinations(ALL, 3):
        folds = set()
        for a, b, c in itertools.permutations(three):
            folds.add(ask(lambda: jnp.promote_types(jnp.promote_types(a, b), c)).get("result", "error"))
        if len(folds) > 1:
            yield dict(zip("abc", map(short, three))) | {"results": sorted(folds)}


@switched
def triples(_):
    yield {"checked": len(list(itertools.combinations(ALL, 3)))}


if __name__ == "__main__":
    import jaxlib
    rows.write(sys.argv[1], {"system": "jax", "version": jax.__version__, "jaxlib": jaxlib.__version__,
               "states": "suffix ? = weak type. x64: true/false = JAX_ENABLE_X64. With x64 off, 64-bit dtypes canonicalise to 32-bit before promotion (field canonical). mode: standard|strict = jax_numpy_dtype_promotion."} | rows.lists(
        [pairs, weak_pairs, scalar_pairs, binary_ops, scalar_ops, unary_ops, values, lattice, canonical, order_dependent_triples, triples]))
