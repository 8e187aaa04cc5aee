"""Writes SYSTEM.jsonl.gz: calls on drawn operands, and what a real system makes of them.

    python generate.py SYSTEM [COUNT [SEED]]    of: numpy jax_x32 jax_x64 jax_strict torch array_api ivy_precise ivy_fast tf_off tf_legacy tf_all tf_safe
    python generate.py SYSTEM asked             answers the calls of asked.jsonl behind those that the file has drawn
    python generate.py                          SHA256SUMS of what is packed

Made with NumPy 2.4.6, JAX 0.10.2, PyTorch 2.15.0, array-api-strict 2.6.1, Ivy 1.0.0.5 and TensorFlow 2.21.0, on a CPU; the first line of each file says so.

Each line is [function, operands, dtype, values], or [function, operands, error] where the system refuses them. A function has
the name that the library has for it. An operand is [dtype, values], which has rank 0 where it has one value, or [kind, number]
of Python. Values are awkward on purpose: bounds, zeros of both signs, infinities, what a dtype does not hold.
asked.jsonl has calls that other draws came upon: [system, function, operands], a few of each cause.
"""

import gzip
import hashlib
import json
import math
import operator as o
import os
import random
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
HERE = Path(__file__).resolve().parent
COUNT = 700

LONG = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
LONG |= {f"i{n}": f"int{n}" for n in (8, 16, 32, 64)} | {f"ui{n}": f"uint{n}" for n in (8, 16, 32, 64)}
SHORT = {v: k for k, v in LONG.items()}
INTS = [0, 1, 2, 3, -1, -2, 7, 30, 127, 128, -128, -129, 255, 256, 300, 32768, 65535, 65536, 2**31 - 1, 2**31, -(2**31) - 1, 2**32, 2**53 + 1, 2**63 - 1]
FLOATS = [0.5, 1.0, 2.0, -1.5, 3.7, -0.0, 1e6, 1e40, math.inf, math.nan]
COMPLEX = [1j, 2 + 0j, 1 - 2j]


class Undrawn(Exception):
    """A call that no row is made of."""


def elements(d, r, n):
    """Values of dtype d."""
    if d == "i1":
        return [r.random() < 0.5 for _ in range(n)]
    if d[0] in "iu":
        bits, signed = int(d.lstrip("ui")), d[0] == "i"
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        pool = [0, 1, 2, 3, 5, 7, bits - 1, bits, high, high - 1] + ([-1, -2, -7, low] if signed else [])
        return [r.choice(pool) for _ in range(n)]
    pool = [0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 2.0, -2.5, 3.0, 7.0, -7.0, 100.0]
    if d[0] == "c":
        return [complex(r.choice(pool) + 0.0, r.choice(pool) + 0.0) for _ in range(n)]  # without -0.0
    return [r.choice([*pool, math.inf, -math.inf, math.nan, 300.0, 40000.0]) for _ in range(n)]


# --- the systems ---------------------------------------------------------------------------------------------------


class NumPy:
    """Operators are Python's; functions NumPy's."""

    numbers = True

    def __init__(self):
        self.versions = f"NumPy {np.__version__}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 f32 f64 c64 c128".split()
        self.flags = [False]
        self.binary = {"Atan2": np.arctan2, "Maximum": np.maximum, "Minimum": np.minimum, "Fmax": np.fmax, "Fmin": np.fmin, "Fmod": np.fmod,
                       "Gcd": np.gcd, "Lcm": np.lcm, "LogAddExp": np.logaddexp, "MatMul": np.matmul}
        self.unary = {"Abs": np.abs, "Sign": np.sign, "Square": np.square, "Reciprocal": np.reciprocal, "Trunc": np.trunc, "LogicalNot": np.logical_not,
                      "Floor": np.floor, "Ceil": np.ceil, "Round": np.round, "IsNaN": np.isnan, "IsFinite": np.isfinite, "Exp": np.exp,
                      "Expm1": np.expm1, "Log": np.log, "Log1p": np.log1p, "Sqrt": np.sqrt, "Cbrt": np.cbrt, "Sin": np.sin, "Cos": np.cos,
                      "Tan": np.tan, "Tanh": np.tanh, "Sum": np.sum, "Prod": np.prod, "Mean": np.mean, "Var": np.var, "Std": np.std,
                      "Median": np.median, "Cumsum": np.cumsum, "Max": np.max, "Min": np.min, "Any": np.any, "All": np.all,
                      "ArgMax": np.argmax, "ArgMin": np.argmin, "Real": np.real, "Imag": np.imag}
        self.where, self.concatenate, self.stack = np.where, np.concatenate, np.stack
        self.clamp = np.clip
        self.into = {"AddInto": o.iadd, "SubInto": o.isub, "MulInto": o.imul, "TrueDivInto": o.itruediv, "FloorDivInto": o.ifloordiv,
                     "PowInto": o.ipow, "RemInto": o.imod, "AndInto": o.iand, "OrInto": o.ior, "ShlInto": o.ilshift}

    def tensor(self, name, values):
        x = np.array(values, LONG[name])
        return x.reshape(()) if len(values) == 1 else x

    def allowed(self, op, xs):
        return True

    def apply(self, f, args):
        with np.errstate(all="ignore"):
            return f(*args)

    def type(self, x):
        return SHORT[np.asarray(x).dtype.name]

    def values(self, x):
        x = np.asarray(x)
        if x.dtype.name == "bfloat16":
            x = x.astype(np.float32)
        return x.reshape(-1).tolist()


class JAX(NumPy):
    def __init__(self, x64, strict=False):
        os.environ["XLA_FLAGS"] = "--xla_cpu_use_fusion_emitters=false"  # with them XLA dies of i64 beside i8
        import jax
        import jax.numpy as jnp
        from jax._src.lax.lax import _convert_element_type

        jax.config.update("jax_enable_x64", x64)
        if strict:
            jax.config.update("jax_numpy_dtype_promotion", "strict")
        self.jnp, self.convert, self.least = jnp, _convert_element_type, {2**7, 2**15, 2**31, 2**63}
        self.versions = f"JAX {jax.__version__}, x64 {'on' if x64 else 'off'}" + ", strict" * strict
        self.dtypes = "i1 i8 i16 i32 ui8 ui16 ui32 f16 bf16 f32 c64".split() + ["i64", "ui64", "f64", "c128"] * x64
        self.flags = [False, False, True]
        self.binary = {"Atan2": jnp.arctan2, "Maximum": jnp.maximum, "Minimum": jnp.minimum, "Fmax": jnp.fmax, "Fmin": jnp.fmin, "Fmod": jnp.fmod,
                       "Gcd": jnp.gcd, "Lcm": jnp.lcm, "LogAddExp": jnp.logaddexp, "MatMul": jnp.matmul}
        self.unary = {"Abs": jnp.abs, "Sign": jnp.sign, "Square": jnp.square, "Reciprocal": jnp.reciprocal, "Trunc": jnp.trunc, "LogicalNot": jnp.logical_not,
                      "Floor": jnp.floor, "Ceil": jnp.ceil, "Round": jnp.round, "IsNaN": jnp.isnan, "IsFinite": jnp.isfinite, "Exp": jnp.exp,
                      "Expm1": jnp.expm1, "Log": jnp.log, "Log1p": jnp.log1p, "Sqrt": jnp.sqrt, "Cbrt": jnp.cbrt, "Sin": jnp.sin, "Cos": jnp.cos,
                      "Tan": jnp.tan, "Tanh": jnp.tanh, "Sum": jnp.sum, "Prod": jnp.prod, "Mean": jnp.mean, "Var": jnp.var, "Std": jnp.std,
                      "Median": jnp.median, "Cumsum": jnp.cumsum, "Max": jnp.max, "Min": jnp.min, "Any": jnp.any, "All": jnp.all,
                      "ArgMax": jnp.argmax, "ArgMin": jnp.argmin, "Real": jnp.real, "Imag": jnp.imag, "Logistic": jax.nn.sigmoid}
        self.where = jnp.where
        self.concatenate, self.stack = (lambda xs: jnp.concatenate(xs)), (lambda xs: jnp.stack(xs))
        self.clamp = jnp.clip
        self.into = {}

    def tensor(self, name, values):
        bare = name.removesuffix("?")
        x = self.jnp.array(np.array(values if len(values) != 1 else values[0], LONG[bare]))
        return self.convert(x, x.dtype, weak_type=name != bare)

    def apply(self, f, args):
        if f in (self.jnp.gcd, self.jnp.lcm) and any(abs(v) in self.least for x in args for v in np.asarray(x).reshape(-1).tolist()):
            raise Undrawn  # the loop of a divisor of the least integer does not end
        return f(*args)

    def type(self, x):
        return SHORT[x.dtype.name] + "?" * x.weak_type


class ArrayAPI(NumPy):
    def __init__(self):
        import array_api_strict as xp

        xp.set_array_api_strict_flags(api_version="2024.12")
        self.xp = xp
        self.versions = f"array-api-strict {xp.__version__}, standard 2024.12"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f32 f64 c64 c128".split()
        self.flags = [False]
        self.binary = {"Atan2": xp.atan2, "Maximum": xp.maximum, "Minimum": xp.minimum, "LogAddExp": xp.logaddexp, "MatMul": xp.matmul}
        self.unary = {"Abs": xp.abs, "Sign": xp.sign, "Square": xp.square, "Reciprocal": xp.reciprocal, "Trunc": xp.trunc, "LogicalNot": xp.logical_not,
                      "Floor": xp.floor, "Ceil": xp.ceil, "Round": xp.round, "IsNaN": xp.isnan, "IsFinite": xp.isfinite, "Exp": xp.exp,
                      "Expm1": xp.expm1, "Log": xp.log, "Log1p": xp.log1p, "Sqrt": xp.sqrt, "Sin": xp.sin, "Cos": xp.cos, "Tan": xp.tan,
                      "Tanh": xp.tanh, "Sum": xp.sum, "Prod": xp.prod, "Mean": xp.mean, "Var": xp.var, "Std": xp.std,
                      "Cumsum": xp.cumulative_sum, "Max": xp.max, "Min": xp.min, "Any": xp.any, "All": xp.all, "ArgMax": xp.argmax,
                      "ArgMin": xp.argmin, "Real": xp.real, "Imag": xp.imag}
        self.where, self.concatenate, self.stack, self.clamp = xp.where, xp.concat, xp.stack, xp.clip
        self.into = {"AddInto": o.iadd, "SubInto": o.isub, "MulInto": o.imul, "TrueDivInto": o.itruediv, "FloorDivInto": o.ifloordiv,
                     "PowInto": o.ipow, "RemInto": o.imod, "AndInto": o.iand, "OrInto": o.ior, "ShlInto": o.ilshift}

    def allowed(self, op, xs):
        """Complex numbers have no order in the standard; array-api-strict forgets to ask numbers for it."""
        return op not in ("Lt", "Le", "Gt", "Ge", "Clamp") or xs[-1][0] != "complex"

    def tensor(self, name, values):
        return self.xp.asarray(values if len(values) != 1 else values[0], dtype=getattr(self.xp, LONG[name]))

    def type(self, x):
        return SHORT[str(x.dtype).rpartition(".")[2]]

    def values(self, x):
        return np.asarray(x._array).reshape(-1).tolist()


class Ivy(NumPy):
    """Ivy on NumPy."""

    def __init__(self, precise):
        import ivy

        ivy.set_backend("numpy")
        ivy.set_precise_mode(precise)
        self.ivy = i = ivy
        self.versions = f"Ivy {ivy.__version__} on NumPy {np.__version__}, {'precise' if precise else 'fast'}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 f32 f64 c64 c128".split()
        self.flags = [False]
        self.operators = {"Add": i.add, "Sub": i.subtract, "Mul": i.multiply, "TrueDiv": i.divide, "FloorDiv": i.floor_divide, "Rem": i.remainder, "Pow": i.pow,
                          "And": i.bitwise_and, "Or": i.bitwise_or, "Xor": i.bitwise_xor, "Shl": i.bitwise_left_shift, "Shr": i.bitwise_right_shift,
                          "Eq": i.equal, "Ne": i.not_equal, "Lt": i.less, "Le": i.less_equal, "Gt": i.greater, "Ge": i.greater_equal}
        self.binary = {"Atan2": i.atan2, "Maximum": i.maximum, "Minimum": i.minimum, "MatMul": i.matmul}
        self.unary = {"Neg": i.negative, "Not": i.bitwise_invert, "Abs": i.abs, "Sign": i.sign, "Square": i.square, "Trunc": i.trunc, "LogicalNot": i.logical_not, "Floor": i.floor, "Ceil": i.ceil,
                      "Round": i.round, "IsNaN": i.isnan, "IsFinite": i.isfinite, "Exp": i.exp, "Log": i.log, "Sqrt": i.sqrt, "Sin": i.sin, "Cos": i.cos,
                      "Tanh": i.tanh, "Sum": i.sum, "Prod": i.prod, "Mean": i.mean, "Max": i.max, "Min": i.min, "Any": i.any, "All": i.all,
                      "ArgMax": i.argmax, "ArgMin": i.argmin}
        self.where, self.concatenate, self.stack, self.clamp, self.into = i.where, i.concat, i.stack, None, {}

    def tensor(self, name, values):
        return self.ivy.array(values if len(values) != 1 else values[0], dtype=LONG[name])

    def apply(self, f, args):
        with np.errstate(all="ignore"):
            x = f(*args)
        return x if isinstance(x, self.ivy.Array) else self.ivy.array(x)

    def type(self, x):
        return SHORT[str(x.dtype)]

    def values(self, x):
        return np.asarray(x.data).reshape(-1).tolist()


class Torch(NumPy):
    def __init__(self):
        import torch

        self.torch = torch
        torch.set_num_threads(1)
        self.versions = f"PyTorch {torch.__version__.split('+')[0]}"
        self.dtypes = "i1 i8 i16 i32 i64 ui8 f16 bf16 f32 f64 c64 c128 ui16 ui32 ui64".split()
        self.flags = [False]
        t = torch
        self.binary = {"Atan2": t.atan2, "Maximum": t.maximum, "Minimum": t.minimum, "Fmax": t.fmax, "Fmin": t.fmin, "Fmod": t.fmod,
                       "Gcd": t.gcd, "Lcm": t.lcm, "MatMul": t.matmul, "TruncDiv": lambda a, b: t.div(a, b, rounding_mode="trunc")}
        self.unary = {"Abs": t.abs, "Sign": t.sign, "Square": t.square, "Reciprocal": t.reciprocal, "Trunc": t.trunc, "LogicalNot": t.logical_not,
                      "Floor": t.floor, "Ceil": t.ceil, "Round": t.round, "IsNaN": t.isnan, "IsFinite": t.isfinite, "Exp": t.exp,
                      "Expm1": t.expm1, "Log": t.log, "Log1p": t.log1p, "Sqrt": t.sqrt, "Rsqrt": t.rsqrt, "Sin": t.sin, "Cos": t.cos,
                      "Tan": t.tan, "Tanh": t.tanh, "Logistic": t.sigmoid, "Erf": t.erf, "Sum": t.sum, "Prod": t.prod, "Mean": t.mean, "Var": t.var,
                      "Std": t.std, "Median": t.median, "Cumsum": lambda x: t.cumsum(x, 0), "Max": t.max, "Min": t.min, "Any": t.any, "All": t.all,
                      "ArgMax": t.argmax, "ArgMin": t.argmin, "Real": t.real, "Not": t.bitwise_not}
        self.where, self.concatenate, self.stack, self.clamp = t.where, t.cat, t.stack, t.clamp
        self.into = {"AddInto": lambda x, y: x.add_(y), "SubInto": lambda x, y: x.sub_(y), "MulInto": lambda x, y: x.mul_(y),
                     "TrueDivInto": lambda x, y: x.div_(y), "FloorDivInto": lambda x, y: x.floor_divide_(y), "PowInto": lambda x, y: x.pow_(y),
                     "RemInto": lambda x, y: x.remainder_(y)}

    def tensor(self, name, values):
        return self.torch.tensor(values if len(values) != 1 else values[0], dtype=getattr(self.torch, LONG[name]))

    def apply(self, f, args):
        if getattr(f, "__name__", "") == "<lambda>" and len(args) == 2 and any(v in (-1, True) for v in self.values(args[1])):
            raise Undrawn  # the least integer divided by -1 ends the process
        x = f(*args)
        if x.dtype in (self.torch.complex32, self.torch.bcomplex32):
            raise Undrawn
        return x

    def type(self, x):
        return SHORT[str(x.dtype).removeprefix("torch.")]

    def values(self, x):
        return x.reshape(-1).tolist() if isinstance(x, self.torch.Tensor) else [x]


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
        self.flags = [False]
        m = tf.math
        self.binary = {"Atan2": m.atan2, "Maximum": tf.maximum, "Minimum": tf.minimum, "TruncDiv": tf.truncatediv, "Fmod": tf.truncatemod}
        self.unary = {"Abs": o.abs, "Sign": tf.sign, "Square": tf.square, "Reciprocal": m.reciprocal, "LogicalNot": tf.logical_not, "Floor": tf.floor,
                      "Ceil": m.ceil, "Round": tf.round, "IsNaN": m.is_nan, "Exp": tf.exp, "Log": m.log, "Sqrt": tf.sqrt, "Sum": tf.reduce_sum,
                      "Mean": tf.reduce_mean, "Prod": tf.reduce_prod, "Var": m.reduce_variance, "Std": m.reduce_std, "Cumsum": tf.cumsum,
                      "Max": tf.reduce_max, "Min": tf.reduce_min, "Any": tf.reduce_any, "All": tf.reduce_all, "ArgMax": tf.argmax, "ArgMin": tf.argmin, "Not": tf.bitwise.invert}
        self.operators = {"Shl": tf.bitwise.left_shift, "Shr": tf.bitwise.right_shift}
        self.where, self.concatenate, self.stack = tf.where, (lambda xs: tf.concat(xs, 0)), tf.stack
        self.clamp, self.into = None, {}

    def tensor(self, name, values):
        return self.tf.constant(np.array(values if len(values) != 1 else values[0], self.tf.as_dtype(LONG[name]).as_numpy_dtype))

    def allowed(self, op, xs):
        """A negative number beside ui64 is an error that a later call of this process dies of."""
        return not any(k == "ui64" for k, _ in xs) or not any(k == "int" and v < 0 for k, v in xs)

    def apply(self, f, args):
        return f(*args)

    def type(self, x):
        return SHORT[x.dtype.name] + "?" * isinstance(x, self.weak)

    def values(self, x):
        x = x.numpy()
        return NumPy.values(self, x)


SYSTEMS = {"numpy": NumPy, "jax_x32": lambda: JAX(False), "jax_x64": lambda: JAX(True), "jax_strict": lambda: JAX(False, True), "torch": Torch, "array_api": ArrayAPI, "ivy_precise": lambda: Ivy(True), "ivy_fast": lambda: Ivy(False)}
SYSTEMS |= {f"tf_{m}": (lambda m=m: TensorFlow(m)) for m in ("off", "legacy", "all", "safe")}
OPERATORS = {"Add": o.add, "Sub": o.sub, "Mul": o.mul, "TrueDiv": o.truediv, "FloorDiv": o.floordiv, "Rem": o.mod, "Pow": o.pow, "And": o.and_,
             "Or": o.or_, "Xor": o.xor, "Shl": o.lshift, "Shr": o.rshift, "Eq": o.eq, "Ne": o.ne, "Lt": o.lt, "Le": o.le, "Gt": o.gt, "Ge": o.ge}
UNARY = {"Neg": o.neg, "Not": o.invert}

# --- calls ---------------------------------------------------------------------------------------------------------


class Drawer:
    def __init__(self, system, seed):
        self.s, self.r = system, random.Random(seed)
        self.two = OPERATORS | getattr(system, "operators", {}) | system.binary
        self.one = UNARY | system.unary
        self.kinds = ["two"] * 14 + ["one"] * 6 + ["where", "join", "join"] + ["into"] * (4 if system.into else 0) + ["clamp"] * bool(system.clamp)

    def state(self):
        d = self.r.choice(self.s.dtypes)
        return d + "?" * (d != "i1" and self.r.choice(self.s.flags))

    def array(self, n):
        d = self.state()
        return [d, elements(d.removesuffix("?"), self.r, n)]

    def number(self):
        kind, pool = self.r.choice([("int", INTS), ("int", INTS), ("float", FLOATS), ("bool", [True, False]), ("complex", COMPLEX)])
        return [kind, self.r.choice(pool)]

    def bound(self):
        """A number that is not complex: these have no order."""
        x = self.number()
        return x if x[0] != "complex" else self.bound()

    def pair(self, n):
        """Two operands, at most one of them a number; or of one dtype."""
        xs = [self.array(self.r.choice([1, n, n])), self.array(self.r.choice([1, n, n]))]
        k = self.r.random()
        if k < 0.35:
            xs[self.r.choice([0, 1, 1])] = self.number()
        elif k < 0.5:
            d = xs[0][0].removesuffix("?")
            xs[1] = [xs[0][0], elements(d, self.r, len(xs[1][1]))]
        return xs

    def made(self, x):
        kind, v = x
        return v if kind in ("int", "float", "bool", "complex") else self.s.tensor(kind, v)

    def call(self):
        """A function's name, its operands, and what computes it."""
        n, s = self.r.choice([2, 3]), self.s
        match self.r.choice(self.kinds):
            case "two":
                op = self.r.choice(list(self.two))
                xs = self.pair(n)
                if op == "MatMul":  # of vectors: of what rank 0 is refused for is no matter of dtypes
                    xs = [[x[0], elements(x[0].removesuffix("?"), self.r, n)] if isinstance(x[1], list) else self.array(n) for x in xs]
                return op, xs, self.two[op]
            case "one":
                op = self.r.choice(list(self.one))
                if op in ("Cumsum", "ArgMax", "ArgMin", "Median"):  # rank 0 and no elements are no matter of dtypes
                    return op, [self.array(n)], self.one[op]
                return op, [self.array(self.r.choice([1, n, n, n, 0]))], self.one[op]
            case "where":
                return "Where", [["i1", elements("i1", self.r, n)], *self.pair(n)], s.where
            case "clamp":
                low, high = self.bound(), self.bound()
                return "Clamp", [self.array(n), low, high if self.r.random() < 0.5 else [low[0], low[1]]], s.clamp
            case "join":
                op, f = self.r.choice([("Concatenate", s.concatenate), ("Stack", s.stack)])
                return op, [self.array(n) for _ in range(self.r.choice([2, 3, 4]))], lambda *xs: f(list(xs))
            case "into":
                op = self.r.choice(list(s.into))
                xs = self.pair(n)
                if not isinstance(xs[0][1], list):
                    xs.reverse()
                if len(xs[0][1]) == 1:
                    xs[0] = self.array(n)
                return op, xs, s.into[op]

    def row(self):
        op, xs, f = self.call()
        return self.answer(op, xs, f) if self.s.allowed(op, xs) else None

    def computing(self, op):
        """What computes the function op."""
        s = self.s
        other = {"Where": s.where, "Clamp": s.clamp, "Concatenate": lambda *xs: s.concatenate(list(xs)), "Stack": lambda *xs: s.stack(list(xs))}
        return (self.two | self.one | s.into | other)[op]

    def answer(self, op, xs, f):
        args = [self.made(x) for x in xs]
        shown = [[k, packed(v)] for k, v in xs]
        try:
            y = self.s.apply(f, args)
            return [op, shown, self.s.type(y), packed(self.s.values(y))]
        except (Undrawn, KeyError):
            return None
        except Exception as e:
            return [op, shown, f"{type(e).__name__}: {str(e).strip()}"[:90]]


def packed(v):
    if isinstance(v, list):
        return [packed(x) for x in v]
    if isinstance(v, complex):
        return [packed(v.real), packed(v.imag)]
    if isinstance(v, float) and not math.isfinite(v):
        return str(v)
    return v


def unpacked(kind, v):
    """An operand as it was drawn."""
    if isinstance(v, list) and (kind == "complex" or kind[0] == "c" and len(v) == 2 and not isinstance(v[0], list)):
        return complex(float(v[0]), float(v[1]))
    if isinstance(v, list):
        return [unpacked(kind, x) for x in v]
    return float(v) if isinstance(v, str) else v


def answer_asked(name):
    """Answers behind the drawn calls those of asked.jsonl."""
    d = Drawer(SYSTEMS[name](), "")
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt") as f:
        lines = [json.loads(line) for line in f]
    for line in (HERE / "asked.jsonl").read_text().splitlines():
        system, op, operands = json.loads(line)
        if system == name:
            row = d.answer(op, [[k, unpacked(k, v)] for k, v in operands], d.computing(op))
            lines += [row] if row and row not in lines else []
    write(name, lines)


def pack(name, count, seed):
    d = Drawer(SYSTEMS[name](), f"{name} {seed}")
    lines = [{"system": name, "made_with": d.s.versions}]
    while len(lines) <= count:
        if row := d.row():
            lines.append(row)
            if len(lines) % 50 == 0:
                print(name, len(lines), file=sys.stderr, flush=True)
    write(name, lines)


def write(name, lines):
    text = "".join(json.dumps(x, separators=(",", ":"), allow_nan=False) + "\n" for x in lines)
    with open(HERE / f"{name}.jsonl.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        f.write(text.encode())


def sums():
    lines = []
    for path in sorted(HERE.glob("*.jsonl.gz")):
        with gzip.open(path) as f:
            lines.append(f"{hashlib.sha256(f.read()).hexdigest()}  {path.stem}\n")
    (HERE / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    if sys.argv[2:] == ["asked"]:
        answer_asked(sys.argv[1])
    elif len(sys.argv) > 1:
        pack(sys.argv[1], int((sys.argv[2:] or [COUNT])[0]), (sys.argv[3:] or ["1"])[0])
    sums()
