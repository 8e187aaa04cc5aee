"""Rows of PyTorch: python torch_rows.py torch.json"""
import itertools
import sys

import torch

import rows
from rows import short, PYTHON

INTEGERS = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
UNSIGNED = [torch.uint16, torch.uint32, torch.uint64]
INEXACT = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32, torch.complex64, torch.complex128]
FLOAT8 = [torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]
COMPUTED = INTEGERS + UNSIGNED + INEXACT
STORED = COMPUTED + FLOAT8
ALL = STORED + [getattr(torch, n) for n in """bcomplex32 bits16 bits1x8 bits2x4 bits4x2 bits8 float4_e2m1fn_x2 int1 int2 int3 int4 int5 int6 int7 qint32 qint8
    quint2x4 quint4x2 quint8 uint1 uint2 uint3 uint4 uint5 uint6 uint7""".split()]


def name(d):
    """The name of a dtype. int1 holds numbers and is not the project's i1, which is bool."""
    return "i1_int" if d == torch.int1 else short(d)


def outcome(f, of=name):
    """The outcome of f, with the first line of an error; the other lines say where in PyTorch it arose."""
    row = rows.outcome(f, of, None)
    return {k: v.split("\n")[0].strip()[:160] if k == "error" else v for k, v in row.items()}


def ones(d, shape=(2,)):
    return torch.ones(shape).to(d)


def tensor(d, state):
    return ones(d, () if state == "zero" else (2,))


def dtype(f):
    """The dtype of the result of f, or of the first result."""
    return outcome(lambda: (lambda x: x[0] if isinstance(x, tuple) else x)(f()).dtype)


def pairs():
    for a, b in itertools.product(ALL, ALL):
        yield {"a": name(a), "b": name(b)} | outcome(lambda: torch.promote_types(a, b))


def result_type():
    def row(a, sa, x, b, sb, y):
        return {"a": a, "sa": sa, "b": b, "sb": sb} | outcome(lambda: torch.result_type(x, y))
    for a in STORED:
        for b in STORED:
            for sa, sb in itertools.product(("dim", "zero"), repeat=2):
                yield row(name(a), sa, tensor(a, sa), name(b), sb, tensor(b, sb))
        for sa in ("dim", "zero"):
            for b, y in PYTHON.items():
                yield row(name(a), sa, tensor(a, sa), b, "wrapped", y)
    for (a, x), (b, y) in itertools.product(PYTHON.items(), repeat=2):
        yield row(a, "wrapped", x, b, "wrapped", y)


def result_type_three():
    """clamp: an operation of three operands that promote together."""
    some = [torch.bool, torch.uint8, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64]
    for ds in itertools.product(some, repeat=3):
        for states in (("dim", "zero", "zero"), ("dim", "dim", "zero"), ("zero", "zero", "zero"), ("zero", "dim", "dim")):
            args = [tensor(d, s) for d, s in zip(ds, states)]
            yield {"args": [name(d) + ":" + s for d, s in zip(ds, states)]} | dtype(lambda: torch.clamp(*args))


BINARY = {n: getattr(torch, n) for n in "add sub mul true_divide floor_divide".split()}
BINARY |= {"div_trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"), "div_floor": lambda a, b: torch.div(a, b, rounding_mode="floor")}
BINARY |= {n: getattr(torch, n) for n in "remainder fmod pow maximum bitwise_and".split()}
BINARY |= {"left_shift": torch.bitwise_left_shift, "eq": torch.eq, "lt": torch.lt, "logical_and": torch.logical_and, "atan2": torch.atan2, "hypot": torch.hypot,
           "where": lambda a, b: torch.where(torch.tensor([True, False]), a, b), "cat": lambda a, b: torch.cat([a, b]),
           "stack": lambda a, b: torch.stack([a, b]), "matmul": torch.matmul, "copysign": torch.copysign,
           "float_power": torch.float_power, "lerp": lambda a, b: torch.lerp(a, b, 0.5), "tensordot": lambda a, b: torch.tensordot(a, b, 1)}


def binary_ops():
    for op, f in BINARY.items():
        for a, b in itertools.product(COMPUTED, repeat=2):
            yield {"op": op, "a": name(a), "b": name(b)} | dtype(lambda: f(ones(a), ones(b)))


SCALAR = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "true_divide": lambda a, b: a / b,
          "floor_divide": lambda a, b: a // b, "remainder": lambda a, b: a % b, "pow": lambda a, b: a**b, "bitwise_and": lambda a, b: a & b,
          "left_shift": lambda a, b: a << b, "eq": lambda a, b: a == b, "where": lambda a, b: torch.where(torch.tensor(True), a, b)}


def scalar_ops():
    """A tensor with a Python number, and the number with the tensor, for which r stands before the name."""
    for op, f in SCALAR.items():
        for d, state in itertools.product(COMPUTED, ("dim", "zero")):
            for p, v in PYTHON.items():
                yield {"op": op, "a": name(d), "sa": state, "b": p} | dtype(lambda: f(tensor(d, state), v))
                if op != "where":
                    yield {"op": "r" + op, "a": p, "b": name(d), "sb": state} | dtype(lambda: f(v, tensor(d, state)))


UNARY = {n: getattr(torch, n) for n in "neg abs sign exp sqrt sin reciprocal floor ceil round trunc square sigmoid bitwise_not logical_not isnan sum prod mean std var".split()}
UNARY |= {"cumsum": lambda x: torch.cumsum(x, 0), "cumprod": lambda x: torch.cumprod(x, 0)}
UNARY |= {n: getattr(torch, n) for n in "amax argmax all any median".split()}
UNARY |= {"logsumexp": lambda x: torch.logsumexp(x, 0), "norm": torch.linalg.vector_norm}
UNARY |= {n: getattr(torch, n) for n in "nansum relu real angle count_nonzero".split()}
UNARY |= {"trace": lambda x: torch.trace(x.expand(2, 2)), "bincount": torch.bincount, "histc": lambda x: torch.histc(x, bins=4, min=0, max=2), "max": torch.max,
          "softmax": lambda x: torch.softmax(x, 0), "sum_dim": lambda x: torch.sum(x, 0), "argsort": torch.argsort, "nonzero": torch.nonzero,
          "rsqrt": torch.rsqrt, "gelu": torch.nn.functional.gelu}


def unary_ops():
    for op, f in UNARY.items():
        for d in STORED:
            yield {"op": op, "a": name(d)} | dtype(lambda: f(ones(d)))


INPLACE = {n + "_": getattr(torch.Tensor, n + "_") for n in "add mul div floor_divide pow copy lt".split()}


def inplace():
    for op, f in INPLACE.items():
        for a in COMPUTED:
            for b, y in [(name(b), ones(b)) for b in COMPUTED] + list(PYTHON.items()):
                yield {"op": op, "a": name(a), "b": b} | dtype(lambda: f(ones(a), y))


def can_cast():
    for a, b in itertools.product(STORED, repeat=2):
        yield {"from": name(a), "to": name(b), "result": torch.can_cast(a, b)}


def default_dtype():
    i, f, z = torch.ones(2, dtype=torch.int32), torch.float32, torch.ones((), dtype=torch.int64)
    expressions = {"i32 dim + 1.5": lambda: i + 1.5, "i32 dim + 1j": lambda: i + 1j, "i32 dim / i32 dim": lambda: i / i, "i64 zero + 1.5": lambda: z + 1.5,
                   "f32 dim + 1.5": lambda: ones(f) + 1.5, "f64 dim + 1.5": lambda: ones(torch.float64) + 1.5, "f32 dim + 1j": lambda: ones(f) + 1j,
                   "exp(i32)": lambda: torch.exp(i), "torch.tensor(1.5)": lambda: torch.tensor(1.5), "i32 dim + f64 zero": lambda: i + torch.tensor(1.0, dtype=torch.float64),
                   "bool dim * 1.0": lambda: ones(torch.bool) * 1.0, "isinf-sum bool": lambda: torch.isinf(ones(f)).sum()}
    try:
        for d in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
            torch.set_default_dtype(d)
            for e, of in expressions.items():
                yield {"default": name(d), "expr": e} | dtype(of)
        for d in (torch.int32, torch.complex64):
            yield {"default": name(d), "expr": "set_default_dtype"} | outcome(lambda: torch.set_default_dtype(d))
    finally:
        torch.set_default_dtype(torch.float32)


def misc():
    i, j = torch.ones(2, dtype=torch.int32), torch.ones(2, dtype=torch.int64)
    for d in COMPUTED:
        yield {"case": "torch.add(i32,i64,out=<o>)", "o": name(d)} | dtype(lambda: torch.add(i, j, out=ones(d)))
    for p, v in PYTHON.items():
        yield {"case": "torch.tensor(<py>)", "o": p} | dtype(lambda: torch.tensor(v))
        yield {"case": "torch.full((1,),<py>)", "o": p} | dtype(lambda: torch.full((1,), v))
        yield {"case": "torch.where(cond,<py>,<py int 0>)", "o": p} | dtype(lambda: torch.where(torch.tensor(True), v, 0))
    yield {"case": "torch.arange(3)", "o": "-"} | dtype(lambda: torch.arange(3))
    yield {"case": "torch.arange(3.0)", "o": "-"} | dtype(lambda: torch.arange(3.0))
    yield {"case": "torch.linspace(0,1,3)", "o": "-"} | dtype(lambda: torch.linspace(0, 1, 3))
    yield {"case": "torch.stack([0-d f64, 0-d f32])", "o": "-"} | dtype(lambda: torch.stack([torch.tensor(1.0, dtype=torch.float64), torch.tensor(1.0)]))
    for case, d, f in (("uint8 dim + 300 (wraps silently)", torch.uint8, lambda x: x + 300), ("f16 dim + 1e6", torch.float16, lambda x: x + 1e6),
                       ("u8 dim == 300 (compare done in ui8?)", torch.uint8, lambda x: 44 * x == 300)):
        x = f(ones(d, (1,)))
        yield {"case": case, "o": name(d), "result": name(x.dtype), "value": rows.number(x.tolist())}
    yield {"case": "bool dim + True", "o": "i1"} | dtype(lambda: ones(torch.bool) + True)
    yield {"case": "i32 ** -1 (py int)", "o": "i32"} | dtype(lambda: i**-1)
    with torch.autocast("cpu", torch.bfloat16):
        yield {"case": "autocast cpu bf16: matmul f32,f32", "o": "f32"} | dtype(lambda: ones(torch.float32, (2, 2)) @ ones(torch.float32, (2, 2)))


def seed001_worked():
    """Answers worked out by hand from the documentation (the field seed), and those of the release."""
    of = lambda d: ones(getattr(torch, d), (2,))
    for e, seed, f in (("int_tensor + 5", "i32", lambda: of("int") + 5), ("int_tensor + 5.5", "f32", lambda: of("int") + 5.5), ("int_tensor / 5", "f32", lambda: of("int") / 5),
                       ("int_tensor + long_zerodim", "i32", lambda: of("int") + torch.tensor(5)), ("long_tensor + int_tensor", "i64", lambda: of("long") + of("int")),
                       ("bool_tensor + long_tensor", "i64", lambda: of("bool") + of("long")), ("bool_tensor + uint_tensor", "ui8", lambda: of("bool") + of("uint8")),
                       ("float_tensor + double_tensor", "f64", lambda: of("float") + of("double")),
                       ("complex_float_tensor + complex_double_tensor", "c128", lambda: of("cfloat") + of("cdouble")),
                       ("bool_tensor + int_tensor", "i32", lambda: of("bool") + of("int")), ("torch.add(long_tensor, float_tensor)", "f32", lambda: torch.add(of("long"), of("float")))):
        r = dtype(f)
        yield {"expr": e, "seed": seed} | r | {"agree": r.get("result") == seed}


def documented(*operands):
    """The documented algorithm for operands (dtype or Python number, state), with its table of 13 dtypes, which lacks bcomplex32."""
    join = lambda a, b: b if a is None else a if b is None else torch.complex64 if {a, b} == {torch.bfloat16, torch.complex32} else torch.promote_types(a, b)
    category = lambda d: 0 if d is None else 3 if d.is_complex else 2 if d.is_floating_point else 1 if d == torch.bool else 1.5
    joined = {}
    for d, state in operands:
        if state == "wrapped":
            d = torch.tensor(PYTHON[d]).dtype
        joined[state] = join(joined.get(state), d)

    def combine(higher, lower):
        if category(higher) >= category(lower):
            return higher
        if lower.is_complex and higher is not None and higher.is_floating_point:
            lower = {torch.float16: torch.complex32, torch.float64: torch.complex128}.get(higher, torch.complex64)
        return join(higher, lower)
    return combine(joined.get("dim"), combine(joined.get("zero"), joined.get("wrapped")))


def documentable(d):
    return d in PYTHON or d in [name(x) for x in INTEGERS + INEXACT]


def seed001_algorithm_disagreements():
    """Rows on which the release differs from its documented algorithm."""
    of = {name(d): d for d in COMPUTED} | {p: p for p in PYTHON}
    for r in result_type():
        if documentable(r["a"]) and documentable(r["b"]):
            by = name(documented((of[r["a"]], r["sa"]), (of[r["b"]], r["sb"])))
            if by != r.get("result"):
                yield {k: r[k] for k in ("a", "sa", "b", "sb")} | {"seed_algorithm": by, "torch": r.get("result", r.get("error"))}


def seed001_algorithm_disagreements_three():
    of = {name(d): d for d in COMPUTED}
    for r in result_type_three():
        by = name(documented(*[(of[d], s) for d, s in (x.split(":") for x in r["args"])]))
        if by != r.get("result"):
            yield {"args": r["args"], "seed_algorithm": by, "torch": r.get("result", r.get("error"))}


def promote_order_dependent_triples():
    def fold(a, b, c):
        try:
            return name(torch.promote_types(torch.promote_types(a, b), c))
        except RuntimeError:
            return "error"
    for three in itertools.combinations(COMPUTED, 3):
        results = {fold(*p) for p in itertools.permutations(three)}
        if len(results) > 1:
            yield {"a": name(three[0]), "b": name(three[1]), "c": name(three[2]), "results": sorted(results)}


if __name__ == "__main__":
    rows.write(sys.argv[1], {"system": "torch", "version": torch.__version__,
               "states": "dim = tensor with >=1 dim; zero = 0-d tensor; wrapped = python scalar (pybool/pyint/pyfloat/pycomplex)"} | rows.lists(
        [pairs, result_type, result_type_three, binary_ops, scalar_ops, unary_ops, inplace, can_cast, default_dtype, misc, seed001_worked,
         seed001_algorithm_disagreements, seed001_algorithm_disagreements_three, promote_order_dependent_triples]))
