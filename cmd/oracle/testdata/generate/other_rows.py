"""Rows of MLX, Polars and PyArrow: python other_rows.py other.json

It makes no rows of Julia: these are from its documentation, as their field origin says, and pack.py keeps them.
"""
import itertools
import json
import operator
import sys

import mlx.core as mx
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import rows
from rows import short, PYTHON

MLX = [mx.bool_, mx.int8, mx.int16, mx.int32, mx.int64, mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.bfloat16, mx.float16, mx.float32, mx.float64, mx.complex64]
POLARS = [pl.Boolean, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Float32, pl.Float64, pl.Int128, pl.UInt128, pl.Float16]
ARROW = [pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64()]


def name(d):
    return short(str(d).replace("Boolean", "bool").replace("bool_", "bool"))


def outcome(f):
    return rows.outcome(f, name, 140)


def values(system, expressions, of):
    """of returns the dtype and the value of an expression."""
    for e in expressions.strip().splitlines():
        row = {"system": system, "op": "expr", "expr": e}
        try:
            d, v = of(e)
            yield row | {"result": name(d), "value": rows.number(v)}
        except Exception as x:
            yield row | {"error": rows.error(x, 140)}


def mlx():
    mx.set_default_device(mx.cpu)
    ones = lambda d: mx.ones(2, dtype=d)

    def row(op, a, f, **b):
        return {"system": "mlx", "op": op, "a": name(a)} | b | outcome(lambda: f().dtype)
    for a, b in itertools.product(MLX, MLX):
        yield row("add", a, lambda: ones(a) + ones(b), b=name(b))
        yield row("divide", a, lambda: ones(a) / ones(b), b=name(b))
    for a in MLX:
        for p, v in PYTHON.items():
            yield row("add", a, lambda: ones(a) + v, b=p)
    for a in MLX:
        for op in "sum prod mean max argmax exp sqrt abs negative floor square".split():
            yield row(op, a, lambda: getattr(mx, op)(ones(a)))
    yield from values("mlx", MLX_EXPRESSIONS, lambda e: (lambda x: (x.dtype, x.tolist()))(eval(e)))


MLX_EXPRESSIONS = """
mx.array(1)
mx.array(1.0)
mx.array([1,2.5])
mx.array([200],mx.uint8)+mx.array([100],mx.uint8)
mx.array([1.0])//mx.array([0.0])
mx.array(2**40)
mx.array([1],mx.int8)+mx.array([1.5])
mx.array([7])//mx.array([-2])
mx.array([1])/mx.array([2])
mx.array([1],mx.uint8)-mx.array([2],mx.uint8)
mx.array([1],mx.uint8)+1
mx.array([1],mx.uint8)+1.5
mx.array([True])+mx.array([True])
mx.array([1.0])/mx.array([0.0])
mx.array([2],mx.int32)*3
mx.array(True)
mx.array([1,2],mx.float16)
"""


def polars():
    column = lambda d, x="a": pl.DataFrame({x: pl.Series([1, 1]).cast(d)})
    binary = {"add": operator.add, "true_divide": operator.truediv, "floor_divide": operator.floordiv, "pow": operator.pow}
    for a, b in itertools.product(POLARS, POLARS):
        row = {"system": "polars", "a": name(a), "b": name(b)}
        both = column(a).hstack(column(b, "b"))
        for op, f in binary.items():
            yield row | {"op": op} | outcome(lambda: both.select(f(pl.col("a"), pl.col("b")).alias("r"))["r"].dtype)
        yield row | {"op": "supertype(concat vertical_relaxed)"} | outcome(lambda: pl.concat([column(a), column(b)], how="vertical_relaxed")["a"].dtype)
    for a in POLARS:
        for p, v in list(PYTHON.items())[:3]:
            yield {"system": "polars", "op": "add literal", "a": name(a), "b": p} | outcome(lambda: column(a).select(pl.col("a") + v)["a"].dtype)
        for op in "sum mean std max product cum_sum".split():
            yield {"system": "polars", "op": op, "a": name(a)} | outcome(lambda: column(a).select(getattr(pl.col("a"), op)())["a"].dtype)

    def of(e):
        x = pl.DataFrame({"a": pl.Series([1], dtype=pl.UInt8)}).select(eval(e.split(": ")[1]))["a"]
        return x.dtype, x.to_list()
    yield from values("polars", POLARS_EXPRESSIONS, of)


POLARS_EXPRESSIONS = """
u8[1]: pl.col('a')+300
u8[1]: pl.col('a')+(-1)
u8[1]: pl.col('a')//0
u8[1]: pl.col('a')+2**40
u8[1]: pl.col('a')-2
u8[1]: pl.col('a')*300
u8[1]: pl.col('a')*2
u8[1]: pl.col('a')+255
u8[1]: pl.col('a')/2
u8[1]: pl.col('a')+1.5
u8[1]: pl.col('a')//2
u8[1]: pl.col('a')+True
"""


def pyarrow():
    one = lambda d: pa.array([1.0], pa.float32()).cast(d) if d == pa.float16() else pa.array([1]).cast(d)
    schema = lambda d: pa.schema([("x", d)])
    binary = {op: getattr(pc, op) for op in ("add", "divide", "power", "equal")}
    for a, b in itertools.product(ARROW, ARROW):
        row = {"system": "pyarrow", "a": name(a), "b": name(b)}
        for op, f in binary.items():
            yield row | {"op": op} | outcome(lambda: f(one(a), one(b)).type)
        yield row | {"op": "unify_schemas(permissive)"} | outcome(lambda: pa.unify_schemas([schema(a), schema(b)], promote_options="permissive").field("x").type)
    for a in ARROW:
        for op in ("sum", "mean", "max"):
            yield {"system": "pyarrow", "op": op, "a": name(a)} | outcome(lambda: getattr(pc, op)(one(a)).type)
    yield from values("pyarrow", ARROW_EXPRESSIONS, lambda e: (lambda x: (x.type, x.to_pylist()))(eval(e)))


ARROW_EXPRESSIONS = """
pc.add(pa.array([200],pa.uint8()),pa.array([100],pa.uint8()))
pc.add_checked(pa.array([200],pa.uint8()),pa.array([100],pa.uint8()))
pc.divide(pa.array([7]),pa.array([-2]))
pc.divide(pa.array([-2**63]),pa.array([-1]))
pc.cast(pa.array([3.7]),pa.int32())
pc.cast(pa.array([300]),pa.uint8())
pc.cast(pa.array([300]),pa.uint8(),safe=False)
pc.cast(pa.array([2**53+1]),pa.float64())
pc.add(pa.array([1],pa.uint64()),pa.array([-1],pa.int64()))
pc.divide(pa.array([7,-2**63]),pa.array([-2,-1]))
pc.divide(pa.array([7]),pa.array([0]))
pc.divide(pa.array([7.0]),pa.array([2]))
pc.cast(pa.array([1.0,3.7]),pa.int32())
pc.cast(pa.array([1,300]),pa.uint8())
pc.cast(pa.array([2**24+1]),pa.float32())
pc.subtract(pa.array([1],pa.uint8()),pa.array([2],pa.uint8()))
pc.subtract_checked(pa.array([1],pa.uint8()),pa.array([2],pa.uint8()))
pc.multiply_checked(pa.array([2**62]),pa.array([4]))
pc.multiply(pa.array([2**62]),pa.array([4]))
pc.add(pa.array([1],pa.int8()),pa.array([1.5],pa.float32()))
pc.equal(pa.array([1],pa.int8()),pa.array([1.0]))
pc.power(pa.array([2]),pa.array([10]))
pc.cast(pa.array([3.7]),pa.int32(),safe=False)
pc.cast(pa.array([-1]),pa.uint8(),safe=False)
"""

if __name__ == "__main__":
    from importlib.metadata import version
    from pack import unpacked
    old = [r for r in (json.loads(line)["row"] for line in unpacked("other").splitlines()) if r.get("source") == "docs"]
    rows.write(sys.argv[1], {"systems": {"mlx": version("mlx"), "polars": pl.__version__, "pyarrow": pa.__version__, "julia": "rules from documentation (not executed)"},
               "note": "rows tagged source=docs were not executed", "rows": [*mlx(), *polars(), *pyarrow(), *old]})
