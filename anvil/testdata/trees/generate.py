"""Writes SYSTEM.jsonl.gz: random expression trees and what a real system makes of them.

    python generate.py SYSTEM...    of: numpy jax_x32 jax_x64 torch tf_off tf_legacy tf_all tf_safe anvil
    python generate.py              SHA256SUMS of what is packed

Made with NumPy 2.4.6 (numpy, anvil), JAX 0.10.2 (jax_x32, jax_x64), PyTorch 2.15.0 (torch) and TensorFlow 2.21.0 (tf_off
and so on, one process for each), on a CPU; the first line of each file says so again. R's anvil is not run: its rules stand here once more, in a few lines, over
the table of its own source (../../../cmd/oracle/testdata/anvil.jsonl.gz), with NumPy for the values.

The first line has the leaves: [dtype, values] of a tensor (one value: rank 0), or [kind, number]. Each further line is
[tree, dtype, values], or [tree] where the system refuses it; leaves stand in a tree by their numbers. Leaves are small
dyadic numbers, and a tree is kept only if every float in it is exact, so that no order of rounding can matter.
"""

import gzip
import hashlib
import json
import operator as o
import os
import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
COUNT = {"anvil": 3000, "numpy": 1500, "torch": 1500, "jax_x32": 1000, "jax_x64": 1000,
         "tf_off": 500, "tf_legacy": 500, "tf_all": 500, "tf_safe": 500}  # JAX compiles for each pair of types
DEPTH = 6


class Refused(Exception):
    """The system has no such operation on these operands."""


class Inexact(Exception):
    """A float was rounded."""


# --- numbers -------------------------------------------------------------------------------------------------------


def exact(x):
    """One element as an exact number: (real, imaginary)."""
    if isinstance(x, complex):
        return Fraction(x.real), Fraction(x.imag)
    return Fraction(x), Fraction(0)


def times(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


RULES = {
    "Add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "Sub": lambda a, b: (a[0] - b[0], a[1] - b[1]),
    "Mul": times,
    "Maximum": max,
    "Minimum": min,
    "Eq": lambda a, b: (Fraction(a == b), 0),
    "Lt": lambda a, b: (Fraction(a < b), 0),
    "Where": lambda a, b, c: b if a < b else c,
    "Neg": lambda a: (-a[0], -a[1]),
}


def is_float(x):
    return isinstance(x, (float, complex))


def check(op, args, result):
    """Raises Inexact where floats were rounded: args and result are lists of Python numbers."""
    if not any(is_float(v) for xs in [*args, result] for v in xs):
        return
    try:
        got = [exact(v) for v in result]
        if op == "Sum":
            total = (Fraction(0), Fraction(0))
            for v in args[0]:
                total = RULES["Add"](total, exact(v))
            want = [total]
        elif op == "Abs":
            want = got
            if any(exact(y)[0] ** 2 != sum(p**2 for p in exact(v)) for v, y in zip(args[0], result)):
                raise Inexact
        else:
            size = max(map(len, args))
            want = [RULES[op](*(exact(xs[i % len(xs)]) for xs in args)) for i in range(size)]
    except (ValueError, OverflowError):  # an infinity or NaN
        raise Inexact from None
    if got != want or any(abs(p) > 2**100 or p.denominator > 2**100 for v in got for p in v):
        raise Inexact


# --- the systems ---------------------------------------------------------------------------------------------------

NUMPY_NAMES = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64",
               "c128": "complex128"} | {f"i{n}": f"int{n}" for n in (8, 16, 32, 64)} | {f"ui{n}": f"uint{n}" for n in (8, 16, 32, 64)}
SHORT = {v: k for k, v in NUMPY_NAMES.items()}
LITERALS = [["int", 1], ["int", 2], ["int", -2], ["float", 0.5], ["float", 2.0], ["bool", True], ["complex", [0.0, 1.0]], ["int", 300]]


def number(kind, v):
    return complex(*v) if kind == "complex" else v


def flat(x):
    return np.asarray(x).reshape(-1)


def numbers(x):
    """The elements of an array as Python numbers."""
    x = flat(x)
    if x.dtype.name == "bfloat16":
        x = x.astype(np.float32)
    return x.tolist()


class NumPy:
    def __init__(self):
        self.versions = f"NumPy {np.__version__}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 f32 f64 c64 c128".split()
        self.flags, self.literals = [False], LITERALS
        self.functions = {
            "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum, "Eq": np.equal,
            "Lt": np.less, "And": np.bitwise_and, "Xor": np.bitwise_xor, "Neg": np.negative, "Abs": np.abs, "Sum": np.sum,
            "Where": lambda a, b, c: np.where(np.less(a, b), b, c),
        }  # fmt: skip

    def tensor(self, name, values):
        x = np.array(values, NUMPY_NAMES[name])
        return x if len(values) > 1 else x.reshape(())

    def number(self, kind, v):
        return number(kind, v)

    def is_number(self, x):
        return type(x) in (int, float, bool, complex)

    def allowed(self, op, args):
        """Whether the operation is drawn at all."""
        # numpy.where, unlike every other function, lets a number be that its dtype does not hold.
        return op != "Where" or not any(self.is_number(x) and x in (300, -2) for x in args[1:])

    def apply(self, op, args):
        try:
            with np.errstate(all="ignore"):
                return self.functions[op](*args)
        except (TypeError, OverflowError) as e:
            raise Refused from e

    def type(self, x):
        return SHORT[np.asarray(x).dtype.name]

    def numbers(self, x):
        return numbers(x)


class JAX(NumPy):
    def __init__(self, x64):
        import jax
        import jax.numpy as jnp
        from jax._src.lax.lax import _convert_element_type

        jax.config.update("jax_enable_x64", x64)
        jax.config.update("jax_disable_most_optimizations", True)
        self.jax, self.jnp, self.convert = jax, jnp, _convert_element_type
        self.versions = f"JAX {jax.__version__}, x64 {'on' if x64 else 'off'}"
        self.dtypes = "i1 i8 i16 i32 ui8 ui16 ui32 f16 bf16 f32 c64".split() + ["i64", "ui64", "f64", "c128"] * x64
        self.flags, self.literals = [False, True], LITERALS
        self.functions = {
            "Add": jnp.add, "Sub": jnp.subtract, "Mul": jnp.multiply, "Maximum": jnp.maximum, "Minimum": jnp.minimum, "Eq": jnp.equal,
            "Lt": jnp.less, "And": jnp.bitwise_and, "Xor": jnp.bitwise_xor, "Neg": jnp.negative, "Abs": jnp.abs, "Sum": jnp.sum,
            "Where": lambda a, b, c: jnp.where(jnp.less(a, b), b, c),
        }  # fmt: skip

    def tensor(self, name, values):
        bare = name.removesuffix("?")
        x = self.jnp.array(values if len(values) > 1 else values[0], NUMPY_NAMES[bare])
        return self.convert(x, x.dtype, weak_type=name != bare and bare != "i1")

    def allowed(self, op, args):
        return True

    def apply(self, op, args):
        """Arrays alone go through jax.numpy uncompiled: there are too many pairs of dtypes to compile for each."""
        with self.jax.disable_jit(not any(self.is_number(x) for x in args)):
            return super().apply(op, args)

    def type(self, x):
        return SHORT[x.dtype.name] + "?" * x.weak_type


class Torch(NumPy):
    def __init__(self):
        import torch

        self.torch = torch
        self.versions = f"PyTorch {torch.__version__.split('+')[0]}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 f16 bf16 f32 f64 c64 c128".split()
        self.flags, self.literals = [False], LITERALS
        self.functions = {
            "Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b, "Maximum": torch.maximum,
            "Minimum": torch.minimum, "Eq": lambda a, b: a == b, "Lt": lambda a, b: a < b, "And": lambda a, b: a & b,
            "Xor": lambda a, b: a ^ b, "Neg": lambda a: -a, "Abs": torch.abs, "Sum": torch.sum,
            "Where": lambda a, b, c: torch.where(a < b, b, c),
        }  # fmt: skip

    def tensor(self, name, values):
        return self.torch.tensor(values if len(values) > 1 else values[0], dtype=getattr(self.torch, NUMPY_NAMES[name]))

    def allowed(self, op, args):
        """Python's own operators compute what has no tensor, and not all functions take numbers."""
        some = [self.is_number(x) for x in args]
        if op in ("Maximum", "Minimum", "Neg", "Abs", "Sum"):
            return not any(some)
        return not all(some[:2])

    def apply(self, op, args):
        try:
            x = self.functions[op](*args)
        except (TypeError, RuntimeError) as e:
            raise Refused from e
        if x.dtype in (self.torch.complex32, self.torch.bcomplex32):
            raise Inexact  # numbers that few of its operations take yet
        return x

    def type(self, x):
        return SHORT[str(x.dtype).removeprefix("torch.")]

    def numbers(self, x):
        return [x] if self.is_number(x) else x.reshape(-1).tolist()


class TensorFlow(NumPy):
    def __init__(self, mode):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow as tf
        import tensorflow.experimental.numpy as tnp
        from tensorflow.python.framework.weak_tensor import WeakTensor

        if mode != "off":
            tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
        self.tf, self.weak = tf, WeakTensor
        self.versions = f"TensorFlow {tf.__version__}, {mode}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 bf16 f32 f64 c64 c128".split()
        self.flags, self.literals = [False], LITERALS
        self.functions = {
            "Add": o.add, "Sub": o.sub, "Mul": o.mul, "Maximum": tf.maximum, "Minimum": tf.minimum, "Eq": o.eq, "Lt": o.lt, "And": o.and_,
            "Xor": o.xor, "Neg": o.neg, "Abs": o.abs, "Sum": tf.reduce_sum, "Where": lambda a, b, c: tf.where(a < b, b, c),
        }  # fmt: skip

    def tensor(self, name, values):
        return self.tf.constant(np.array(values if len(values) > 1 else values[0], self.tf.as_dtype(NUMPY_NAMES[name]).as_numpy_dtype))

    def allowed(self, op, args):
        """Python's own operators compute what has no tensor. A negative number beside ui64 is an error that a later call dies of."""
        some = [self.is_number(x) for x in args]
        dies = any(n and x == -2 for n, x in zip(some, args)) and any(not n and x.dtype == self.tf.uint64 for n, x in zip(some, args))
        return not all(some[:2]) and not dies

    def apply(self, op, args):
        try:
            return self.functions[op](*args)
        except Exception as e:  # it has a dozen kinds
            raise Refused from e

    def type(self, x):
        return SHORT[x.dtype.name] + "?" * isinstance(x, self.weak)

    def numbers(self, x):
        return [x] if self.is_number(x) else numbers(x.numpy())


class Anvil:
    """R anvil's rules. A tensor is its type, "i32?", and a NumPy array.

    Where both operands are ambiguous a comparison is; everything else has the flag of the table. Bools are added and
    multiplied as or and and, as XLA does; they have no difference and no negative. Of what the rules leave open, the
    absolute value of bools and numbers that their dtype does not hold, nothing is drawn.
    """

    def __init__(self):
        self.versions = f"NumPy {np.__version__} for the values"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f32 f64".split()
        self.flags = [False, True]
        self.literals = [["int", 1], ["int", 2], ["float", 0.5], ["float", 2.0], ["bool", True]]
        self.common = {}
        with gzip.open(HERE.parents[2] / "cmd/oracle/testdata/anvil.jsonl.gz") as f:
            for q in map(json.loads, f):
                if q["list"] == "pairs":
                    self.common[q["row"]["a"], q["row"]["b"]] = q["row"]["result"]

    def tensor(self, name, values):
        x = np.array(values, NUMPY_NAMES[name.removesuffix("?")])
        return name, x if len(values) > 1 else x.reshape(())

    def number(self, kind, v):
        return self.tensor({"int": "i32?", "float": "f32?", "bool": "i1"}[kind], [v])

    def allowed(self, op, args):
        return op != "Abs" or args[0][1].dtype != bool

    def promoted(self, *args):
        """The common type of two operands, and both at it."""
        t = self.common[args[0][0], args[1][0]]
        return t, [x.astype(NUMPY_NAMES[t.removesuffix("?")]) for _, x in args]

    def apply(self, op, args):
        with np.errstate(all="ignore"):
            return getattr(self, "unary" if len(args) == 1 else "binary" if len(args) == 2 else "where")(op, *args)

    def unary(self, op, a):
        t, x = a
        if op == "Neg" and x.dtype == bool:
            raise Refused
        y = {"Neg": np.negative, "Abs": np.abs, "Sum": self.sum}[op](x)
        return t, np.asarray(y, x.dtype)

    @staticmethod
    def sum(x):
        return x.any() if x.dtype == bool else x.sum(dtype=x.dtype)

    def binary(self, op, a, b):
        t, (x, y) = self.promoted(a, b)
        if op in ("Eq", "Lt"):
            return "i1" + "?" * (a[0].endswith("?") and b[0].endswith("?")), np.asarray({"Eq": np.equal, "Lt": np.less}[op](x, y))
        if op == "Sub" and x.dtype == bool or op in ("And", "Xor") and x.dtype.kind == "f":
            raise Refused
        f = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum,
             "And": np.bitwise_and, "Xor": np.bitwise_xor}[op]  # fmt: skip
        return t, np.asarray(f(x, y))

    def where(self, op, a, b, c):
        _, p = self.binary("Lt", a, b)
        t, (x, y) = self.promoted(b, c)
        return t, np.where(p, x, y)

    def type(self, x):
        return x[0]

    def numbers(self, x):
        return numbers(x[1])


SYSTEMS = {"numpy": NumPy, "jax_x32": lambda: JAX(False), "jax_x64": lambda: JAX(True), "torch": Torch, "anvil": Anvil}
SYSTEMS |= {f"tf_{m}": (lambda m=m: TensorFlow(m)) for m in ("off", "legacy", "all", "safe")}

# --- trees ---------------------------------------------------------------------------------------------------------

ARITY = {"Neg": 1, "Abs": 1, "Sum": 1, "Where": 3} | dict.fromkeys("Add Sub Mul Maximum Minimum Eq Lt And Xor".split(), 2)
OPS = sorted(ARITY) + ["Add", "Sub", "Mul", "Where", "Neg"]  # these twice


def leaves(system, r):
    for name in system.dtypes:
        values = [0, 1] if name == "i1" else [0, 1, 2] if name[0] == "u" else [0, 1, 2, -1, -2] if name[0] == "i" else [0.5, 1.0, 2.0, -1.0, 1.5]
        for flag in system.flags:
            if flag and name == "i1" and isinstance(system, JAX):
                continue  # JAX has no weak bools
            for n in 1, 3:
                yield [name + "?" * flag, [r.choice(values) for _ in range(n)]]
    yield from system.literals


class Grower:
    def __init__(self, system, seed):
        self.system, self.r = system, random.Random(seed)
        self.leaves = list(leaves(system, self.r))
        self.xs = [system.number(k, v) if k in ("int", "float", "bool", "complex") else system.tensor(k, v) for k, v in self.leaves]

    def tree(self, depth):
        """A tree no deeper than depth, and its value: None where the system refuses it."""
        if depth == 0 or depth < DEPTH and self.r.random() < 0.45:
            i = self.r.randrange(len(self.xs))
            return str(i), self.xs[i]
        for _ in range(30):
            try:
                text, x = self.node(depth)
            except Inexact:
                continue
            if x is not None or self.r.random() < 0.12:
                return text, x
        return self.tree(0)

    def node(self, depth):
        op = self.r.choice(OPS)
        parts = [self.tree(depth - 1) for _ in range(ARITY[op])]
        text, args = f"{op}({','.join(p for p, _ in parts)})", [x for _, x in parts]
        if any(x is None for x in args):
            return text, None
        if not self.system.allowed(op, args):
            raise Inexact
        try:
            x = self.system.apply(op, args)
        except Refused:
            return text, None
        check(op, [self.system.numbers(a) for a in args], self.system.numbers(x))
        return text, x

    def row(self):
        while True:
            text, x = self.tree(DEPTH)
            if text.isdigit() or len(text) > 250:
                continue
            if x is None:
                return [text]
            return [text, self.system.type(x), [packed(v) for v in self.system.numbers(x)]]


def packed(v):
    return [v.real, v.imag] if isinstance(v, complex) else v


def pack(name):
    g = Grower(SYSTEMS[name](), name)
    rows, seen = [], set()
    while len(rows) < COUNT[name]:
        row = g.row()
        if row[0] not in seen:
            seen.add(row[0])
            rows.append(row)
            if len(rows) % 50 == 0:
                print(name, len(rows), file=sys.stderr, flush=True)
    head = {"system": name, "made_with": g.system.versions, "leaves": g.leaves}
    text = "".join(json.dumps(x, separators=(",", ":"), allow_nan=False) + "\n" for x in [head, *rows])
    with open(HERE / f"{name}.jsonl.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        f.write(text.encode())


def sums():
    lines = []
    for path in sorted(HERE.glob("*.jsonl.gz")):
        with gzip.open(path) as f:
            lines.append(f"{hashlib.sha256(f.read()).hexdigest()}  {path.stem}\n")
    (HERE / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    for system in sys.argv[1:]:
        pack(system)
    sums()
