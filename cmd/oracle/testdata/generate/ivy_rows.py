"""Rows of Ivy on NumPy, and those about the support of backends on PyTorch too: python ivy_rows.py ivy.json"""
import contextlib
import itertools
import sys
from pathlib import Path

import ivy

import rows
from rows import short, PYTHON

ivy.set_backend("numpy")
ALL = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 float16 float32 float64 complex64 complex128".split()
COMPUTED = [d for d in ALL if d != "bfloat16"]


def outcome(f, name=short):
    return rows.outcome(f, name, 200)


def array(d, values=(1, 1)):
    return ivy.array(list(values), dtype=d)


def both_modes(f):
    """The rows of f in precise mode and without it."""
    def modes():
        for precise in (True, False):
            with ivy.PreciseMode(precise):
                for row in f():
                    yield {"precise": precise} | row
    modes.__name__ = f.__name__
    return modes


def tables():
    """The promotion tables, precise and not. They are symmetric, so each pair is in one order."""
    return {True: {**ivy.array_api_promotion_table, **ivy.common_extra_promotion_table, **ivy.precise_extra_promotion_table},
            False: {**ivy.array_api_promotion_table, **ivy.common_extra_promotion_table, **ivy.extra_promotion_table}}


def called(a, b, precise):
    """The results of promote_types with each backend that has the dtypes."""
    answers = set()
    for backend in ("numpy", "torch"):
        with ivy.utils.backend.ContextManager(backend), ivy.PreciseMode(precise):
            with contextlib.suppress(Exception):
                answers.add(short(ivy.promote_types(a, b)))
    return sorted(answers)


def pairs():
    by = tables()
    for a, b in itertools.product(ALL, ALL):
        of = lambda t: short(t[(a, b) if (a, b) in t else (b, a)])
        yield {"a": short(a), "b": short(b), "precise": of(by[True]), "nonprecise": of(by[False]),
               "in_array_api_table": any(p in ivy.array_api_promotion_table for p in ((a, b), (b, a))),
               "promote_types_called": {"precise": called(a, b, True), "nonprecise": called(a, b, False)}}


@both_modes
def can_cast():
    for a, b in itertools.product(ALL, ALL):
        yield {"from": short(a), "to": short(b)} | outcome(lambda: ivy.can_cast(ivy.as_ivy_dtype(a), ivy.as_ivy_dtype(b)), lambda x: x)


@both_modes
def result_type():
    for a, b in itertools.product(COMPUTED, COMPUTED):
        yield {"a": short(a), "b": short(b)} | outcome(lambda: ivy.result_type(array(a), array(b)))


BINARY = {op: getattr(ivy, op) for op in "add subtract multiply divide floor_divide remainder pow maximum bitwise_and equal".split()}
BINARY |= {"where": lambda a, b: ivy.where(ivy.array([True, False]), a, b), "concat": lambda a, b: ivy.concat([a, b]), "matmul": ivy.matmul,
           "logical_and": ivy.logical_and, "atan2": ivy.atan2}


@both_modes
def binary_ops():
    for a, b in itertools.product(COMPUTED, COMPUTED):
        for op, f in BINARY.items():
            yield {"op": op, "a": short(a), "b": short(b)} | outcome(lambda: f(array(a), array(b)).dtype)


@both_modes
def scalar_ops():
    for a in COMPUTED:
        for p, v in PYTHON.items():
            for op in ("add", "divide", "pow", "floor_divide"):
                yield {"op": op, "a": short(a), "b": p} | outcome(lambda: BINARY[op](array(a), v).dtype)


def unary_ops():
    for op in "negative abs exp sqrt sin floor sum prod mean std var cumsum max argmax all square sign logical_not softmax relu".split():
        for a in COMPUTED:
            yield {"op": op, "a": short(a)} | outcome(lambda: getattr(ivy, op)(array(a)).dtype)


def defaults():
    """Expressions on the default dtypes, before and after these are set."""
    named = lambda x: short(x) if isinstance(x, (ivy.Dtype, ivy.NativeDtype)) or x in ALL else str(x)
    for e in EXPRESSIONS.strip().splitlines():
        yield {"expr": e} | outcome(lambda: eval(e), named)
    for line in AFTER.strip().splitlines():
        setting, of = line.split(": ")
        kind, d = setting[:-1].split("(")
        getattr(ivy, kind)(d)
        for e in of.split("; "):
            yield {"expr": e} | outcome(lambda: eval(e), named) | {"after": setting}
        getattr(ivy, "un" + kind)()


EXPRESSIONS = r"""
ivy.default_dtype()
ivy.default_int_dtype()
ivy.default_float_dtype()
ivy.default_uint_dtype()
ivy.default_complex_dtype()
ivy.default_dtype(item=1)
ivy.default_dtype(item=1.0)
ivy.default_dtype(item=True)
ivy.default_dtype(item=1j)
ivy.default_dtype(item=ivy.array([1],dtype='int16'))
ivy.default_dtype(dtype='int8')
ivy.default_dtype(dtype='int8',item=1.0)
ivy.infer_default_dtype('int16')
ivy.infer_default_dtype('uint8')
ivy.infer_default_dtype('float16')
ivy.infer_default_dtype('complex64')
ivy.infer_default_dtype('bool')
ivy.default_int_dtype(input=2**40)
ivy.default_int_dtype(input=2**31)
ivy.default_int_dtype(input=2**31-1)
ivy.default_float_dtype(input=1e300)
ivy.default_float_dtype(input=1e-50)
ivy.default_float_dtype(input=1.5)
ivy.array(1).dtype
ivy.array(1.0).dtype
ivy.array(True).dtype
ivy.array(1j).dtype
ivy.array(2**40).dtype
ivy.array([1,2.5]).dtype
ivy.arange(3).dtype
ivy.arange(3.0).dtype
ivy.zeros(1).dtype
ivy.full((1,),1).dtype
ivy.full((1,),1.0).dtype
ivy.full((1,),True).dtype
ivy.ones(1).dtype
ivy.promote_types('float32','int32')
ivy.closest_valid_dtype('bfloat16')
ivy.closest_valid_dtype('int8')
ivy.type_promote_arrays(ivy.array([1],dtype='int8'),ivy.array([1.],dtype='float16'))[0].dtype
ivy.promote_types_of_inputs(ivy.array([1],dtype='int8'),1.5)[0].dtype
ivy.promote_types_of_inputs(ivy.array([1],dtype='int8'),300)[0].dtype
ivy.promote_types_of_inputs(ivy.array([1.],dtype='float16'),1)[0].dtype
ivy.promote_types_of_inputs(1,1.5)[0].dtype
ivy.promote_types_of_inputs(ivy.array([True]),1)[0].dtype
ivy.dtype_bits('bool')
ivy.dtype_bits('int8')
ivy.valid_dtypes
ivy.invalid_dtypes
ivy.is_int_dtype('uint8')
ivy.is_uint_dtype('uint8')
ivy.precise_mode
ivy.finfo('float16').max
ivy.iinfo('uint8').max
"""
AFTER = """
set_default_int_dtype(int64): ivy.default_int_dtype(); ivy.array(1).dtype
set_default_int_dtype(int8): ivy.default_int_dtype(); ivy.array(1).dtype
set_default_float_dtype(float64): ivy.array(1.5).dtype; ivy.exp(ivy.array([1])).dtype; ivy.add(ivy.array([1],dtype='int32'),1.5).dtype
set_default_float_dtype(float16): ivy.array(1.5).dtype; ivy.exp(ivy.array([1])).dtype; ivy.add(ivy.array([1],dtype='int32'),1.5).dtype
set_default_dtype(float64): ivy.zeros(1).dtype; ivy.array(1).dtype
"""


def backends(f):
    """The rows of f with each backend."""
    def each():
        for backend in ("numpy", "torch"):
            with ivy.utils.backend.ContextManager(backend):
                for row in f():
                    yield {"backend": backend} | row
    each.__name__ = f.__name__
    return each


@backends
def function_support():
    """The dtypes that each backend's function is declared to support and not to support."""
    for fn in """add divide expm1 lcm gcd bitwise_and prod cumsum fmin floor_divide sqrt matmul trunc logical_not abs softmax det argmax mean einsum""".split():
        f = getattr(ivy, fn)
        yield {"fn": fn, "supported": sorted(map(short, ivy.function_supported_dtypes(f))), "unsupported": sorted(map(short, ivy.function_unsupported_dtypes(f)))}


@backends
def valid_dtypes():
    yield {"valid": list(map(short, ivy.valid_dtypes)), "invalid": list(map(short, ivy.invalid_dtypes))}


CASES = """expm1:float16 expm1:bfloat16 expm1:int8 lcm:float16 lcm:float32 lcm:int8 lcm:uint8 sqrt:int32 bitwise_and:float32 gcd:float64 trunc:complex64 cumsum:uint8
    cumsum:bfloat16 prod:uint8 fmin:int8 matmul:float16 det:float16 matmul:int8 expm1:complex64 logaddexp2:int8 erf:float16 argmin:bfloat16 cross:float16
    remainder:complex64 hypot:float16"""


@backends
def casting_modes():
    """Casts of an unsupported dtype to a supported one."""
    two = "lcm bitwise_and gcd fmin matmul logaddexp2 cross remainder hypot".split()
    for case in CASES.split():
        fn, d = case.split(":")
        values = [[1, 0], [0, 1]] if fn in ("matmul", "det") else [1, 1, 1] if fn == "cross" else [1, 1]
        for mode in ("none", "upcast", "downcast", "crosscast", "cast"):
            switch = getattr(ivy, mode + "_data_types", lambda on: None)
            switch(True)
            yield {"fn": fn, "dtype": short(d), "mode": mode} | outcome(lambda: getattr(ivy, fn)(*[array(d, values)] * (2 if fn in two else 1)).dtype)
            switch(False)


@both_modes
def order_dependent_triples():
    table = tables()[ivy.precise_mode]
    join = lambda a, b: table[(a, b) if (a, b) in table else (b, a)]
    for three in itertools.combinations([d for d in ALL if d != "bool"] + ["bool"], 3):
        folds = {short(join(join(a, b), c)) for a, b, c in itertools.permutations(three)}
        if len(folds) > 1:
            yield dict(zip("abc", map(short, three))) | {"results": sorted(folds)}


def seed003_claims():
    """Claims of a description of Ivy, and whether they hold."""
    by = {p: {(short(a), short(b)): short(r) for pair, r in t.items() for a, b in (pair, pair[::-1])} for p, t in tables().items()}
    of = lambda precise, a, b: by[precise][a, b]
    wide = [[a, b, r] for (a, b), r in ((p, by[False][p]) for p in itertools.product(map(short, ALL), repeat=2))
            if "64" in r and "64" not in a + b and not r.startswith("c") and "128" not in a + b]
    half = [[a, b] for a, b in itertools.product(map(short, ALL), repeat=2) if of(False, a, b) == "f32" and "32" not in a + b and "64" not in a + b]
    exact = {"i64xf16": of(True, "i64", "f16"), "ui64xf32": of(True, "ui64", "f32")}
    for claim, agree, actual in (
            ("PreciseMode(True): promote_types('float32','int32') -> float64", "f64", of(True, "f32", "i32")),
            ("PreciseMode(False): promote_types('float32','int32') -> float32", "f32", of(False, "f32", "i32")),
            ("precise: uint16 & float16 promote all the way to float64", "f64", of(True, "ui16", "f16")),
            ("precise: int64/uint64 x float left undefined or capped at float64", dict.fromkeys(exact, "f64"), exact),
            ("non-precise: f64 never without a 64-bit input 'outside unsigned ints'", [], wide),
            ("non-precise: float32 never without a 32-bit input", [], half),
            ("non-precise: int64 x float16 -> float16", "f16", of(False, "i64", "f16")),
            ("seed lists 15 dtypes", list(ivy.all_dtypes), list(ivy.all_dtypes))):
        yield {"claim": claim, "agree": agree == actual, "actual": actual}


if __name__ == "__main__":
    import numpy
    sizes = {n: len(getattr(ivy, n)) for n in "array_api_promotion_table common_extra_promotion_table precise_extra_promotion_table extra_promotion_table promotion_table".split()}
    rows.write(sys.argv[1], {"system": "ivy", "version": ivy.__version__, "numpy": numpy.__version__, "default_precise_mode": ivy.precise_mode, "tables_sizes": sizes} | rows.lists(
        [pairs, can_cast, result_type, binary_ops, scalar_ops, unary_ops, defaults, function_support, valid_dtypes, casting_modes, order_dependent_triples, seed003_claims]))
    Path("ivy_logs.txt").unlink(missing_ok=True)  # Ivy leaves it where it runs
