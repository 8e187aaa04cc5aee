"""Values that NumPy, JAX, PyTorch and TensorFlow compute for the same operands.

    python value_rows.py measure numpy numpy.part      likewise for jax, torch, tf
    python value_rows.py merge numpy.part jax.part torch.part tf.part arith.json cast_values.json

Every operand is made from the bytes of the NumPy array, so that all systems start with the same values.
"""
import json
import os
import sys
import warnings

import ml_dtypes
import numpy as np

import rows
import value_questions as ask
from rows import short

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
SYSTEMS = ("numpy", "jax", "torch", "tf")
LONG = {"i1": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
        "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"} | {f"{s}i{n}": f"{s}int{n}" for s in ("", "u") for n in (8, 16, 32, 64)}


def array(d, values):
    """The NumPy array of the values, which every system gets."""
    if isinstance(values, np.ndarray):
        return values
    return np.array(values, dtype=np.dtype(getattr(ml_dtypes, LONG[d], LONG[d])))


def listed(x):
    """The values of a NumPy array in JSON."""
    if x.dtype.kind == "V" or x.dtype.name.startswith(("bfloat", "float8")):
        x = x.astype(np.float64)
    return rows.number(x.tolist())


class NumPy:
    version = np.__version__
    operations = {n: getattr(np, n) for n in "add true_divide floor_divide remainder fmod maximum minimum fmax fmin left_shift right_shift bitwise_and bitwise_xor".split()}
    operations |= {"sub": np.subtract, "mul": np.multiply, "pow": np.power, "eq": np.equal, "lt": np.less, "ne": np.not_equal}
    operations |= {n: getattr(np, n) for n in "abs sign sqrt reciprocal floor ceil round trunc bitwise_not logical_not exp log square isnan".split()} | {"neg": np.negative}
    operations |= {n: getattr(np, n) for n in ask.REDUCTIONS}

    def array(self, d, values):
        return array(d, values)

    def cast(self, x, d):
        return x.astype(array(d, []).dtype)

    def host(self, x):
        return np.asarray(x), short(x.dtype)


class JAX(NumPy):
    def __init__(self):
        global jax, jnp, lax
        import jax
        import jax.numpy as jnp
        from jax import lax
        jax.config.update("jax_enable_x64", True)
        self.version = jax.__version__
        same = lambda names, of: {n: getattr(of, n) for n in names.split()}
        self.operations = same("""add true_divide floor_divide remainder fmod maximum minimum fmax fmin left_shift right_shift bitwise_and bitwise_xor
            abs sign sqrt reciprocal floor ceil round trunc bitwise_not logical_not exp log square isnan""", jnp) | same(" ".join(ask.REDUCTIONS), jnp)
        self.operations |= {"sub": jnp.subtract, "mul": jnp.multiply, "pow": jnp.power, "eq": jnp.equal, "lt": jnp.less, "ne": jnp.not_equal, "neg": jnp.negative,
                            "trunc_divide": lax.div}
        self.primitives = same("add sub mul pow bitwise_and bitwise_xor eq lt ne", lax) | {
            "true_divide": lax.div, "floor_divide": lax.div, "remainder": lax.rem, "fmod": lax.rem, "maximum": lax.max, "minimum": lax.min, "left_shift": lax.shift_left,
            "right_shift": lax.shift_right_logical}

    def array(self, d, values):
        return jnp.asarray(array(d, values))

    def cast(self, x, d):
        return x.astype(array(d, []).dtype)

    def folded(self, x, d):
        """The cast of a constant, which the compiler folds."""
        return jax.jit(lambda: self.cast(jnp.asarray(x), d))()


class Torch(NumPy):
    def __init__(self):
        global torch
        import torch
        self.version = torch.__version__
        self.operations = {n: getattr(torch, n) for n in """add sub mul true_divide floor_divide remainder fmod pow maximum minimum fmax fmin bitwise_and bitwise_xor eq
            lt ne neg abs sign sqrt reciprocal floor ceil round trunc bitwise_not logical_not exp log square isnan sum prod mean max min argmax all any std var
            median""".split()}
        self.operations |= {"left_shift": torch.bitwise_left_shift, "right_shift": torch.bitwise_right_shift, "cumsum": lambda x: torch.cumsum(x, 0),
                            "trunc_divide": self.trunc_divide}

    def trunc_divide(self, a, b):
        """Runs in a new process a division that ends its process: that of the least integer by -1."""
        if not a.dtype.is_floating_point and a.item() == torch.iinfo(a.dtype).min and b.item() == -1:
            child = os.fork()
            if child == 0:
                torch.div(a, b, rounding_mode="trunc")
                os._exit(0)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code != 0:
                raise ArithmeticError(f"the process ends by signal {-code}")
        return torch.div(a, b, rounding_mode="trunc")

    def dtype(self, d):
        return getattr(torch, LONG[d])

    def array(self, d, values):
        x = array(d, values)
        return torch.frombuffer(bytearray(x.tobytes()), dtype=self.dtype(d)) if len(x) else torch.empty(0, dtype=self.dtype(d))

    def cast(self, x, d):
        return x.to(self.dtype(d))

    def host(self, x):
        d = short(x.dtype)
        return np.frombuffer(x.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes(), dtype=array(d, []).dtype).reshape(tuple(x.shape)), d


class TensorFlow(NumPy):
    def __init__(self):
        global tf
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow as tf
        self.version = tf.__version__
        m, b = tf.math, tf.bitwise
        self.operations = {
            "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "true_divide": tf.truediv, "floor_divide": m.floordiv, "remainder": m.floormod, "fmod": tf.truncatemod,
            "pow": tf.pow, "maximum": tf.maximum, "minimum": tf.minimum, "left_shift": b.left_shift, "right_shift": b.right_shift, "bitwise_and": b.bitwise_and,
            "bitwise_xor": b.bitwise_xor, "eq": tf.equal, "lt": tf.less, "ne": tf.not_equal, "neg": tf.negative, "abs": tf.abs, "sign": tf.sign, "sqrt": tf.sqrt,
            "reciprocal": m.reciprocal, "floor": tf.floor, "ceil": m.ceil, "round": tf.round, "bitwise_not": b.invert, "logical_not": tf.logical_not, "exp": tf.exp,
            "log": m.log, "square": tf.square, "isnan": m.is_nan, "sum": tf.reduce_sum, "prod": tf.reduce_prod, "mean": tf.reduce_mean, "max": tf.reduce_max,
            "min": tf.reduce_min, "argmax": tf.argmax, "all": tf.reduce_all, "any": tf.reduce_any, "cumsum": tf.cumsum, "std": m.reduce_std, "var": m.reduce_variance,
            "trunc_divide": tf.truncatediv}

    def array(self, d, values):
        return tf.constant(array(d, values))

    def cast(self, x, d):
        return tf.cast(x, tf.as_dtype(array(d, []).dtype))

    def host(self, x):
        return x.numpy(), short(x.dtype)


def cell(system, f, *xs):
    """The value and dtype of the result of f, or the error."""
    try:
        x, d = system.host(f(*xs))
        v = listed(x)
        return {"v": v[0] if x.ndim and len(v) == 1 and f is not system.operations.get("cumsum") else v, "d": d}
    except Exception as e:
        return {"error": rows.error(e, 110)}


def questions():
    """The rows of arith.json without answers, each with the name of its list."""
    for d, pairs in ask.PAIRS.items():
        for a, b in pairs:
            for op in ask.OPERATIONS:
                if not (d in ("f32", "f16") and op in ask.INTEGER_ONLY):
                    yield "binary", {"op": op, "dtype": d, "a": rows.number(a), "b": rows.number(b)}, ([a], [b])
    for d, pairs in ask.PAIRS.items():
        for a, b in pairs if d != "i1" else []:
            yield "binary", {"op": "trunc_divide", "dtype": d, "a": rows.number(a), "b": rows.number(b)}, ([a], [b])
    for d, values in ask.OPERANDS.items():
        for a in values:
            for op in ask.UNARY:
                yield "unary", {"op": op, "dtype": d, "a": rows.number(a)}, ([a],)
    for d, xs in ask.ARRAYS:
        for op in ask.REDUCTIONS:
            yield "reduce", {"op": op, "dtype": d, "xs": rows.number(xs)}, (xs,)


def arith(system):
    for _, row, xs in questions():
        operands = [system.array(row["dtype"], x) for x in xs]
        f = system.operations.get(row["op"])
        answer = {"at": cell(system, f, *operands) if f else None}
        primitive = getattr(system, "primitives", {}).get(row["op"])
        if primitive and len(xs) == 2:
            answer["lax"] = cell(system, primitive, *operands)
        yield answer


def sources():
    """Each source dtype with the array of its distinct values in the questions."""
    for src in ask.CAST:
        values = ask.INTEGERS + ask.LARGE * (src == "ui64")
        if src in ("i1", "c64"):
            values = ask.COMPLEX if src == "c64" else [False, True]
        elif src.lstrip("u").startswith("i"):
            info = np.iinfo(LONG[src])
            values = [v for v in values if info.min <= v <= info.max]
        else:
            values = ask.FLOATS
        if src != "c128":
            made = {json.dumps(listed(x)): x for x in (array(src, [v]) for v in values)}
            yield src, np.concatenate(list(made.values()))


def casts():
    """(source dtype, destination, value) of each cast."""
    for src, xs in sources():
        for dst in ask.CAST:
            for v in listed(xs):
                yield src, dst, v


def cast(system):
    """The value after the cast of 1 element, and of 64 elements if vector instructions give another value."""
    def of(f, x, dst):
        try:
            return listed(system.host(f(x, dst))[0])
        except Exception as e:
            return [{"error": rows.error(e, 120)}] * len(xs)
    for src, xs in sources():
        for dst in ask.CAST:
            folded = of(system.folded, xs, dst) if hasattr(system, "folded") else None
            for i in range(len(xs)):
                x = xs[i : i + 1]
                one = of(system.cast, system.array(src, x), dst)[0]
                many = of(system.cast, system.array(src, np.repeat(x, 64)), dst)
                answer = {"": one, "_simd": next((v for v in many if v != one), one), "_constfold": folded[i] if folded else one}
                yield {k: v for k, v in answer.items() if not k or v != one}


def measure(name, path):
    system = {"numpy": NumPy, "jax": JAX, "torch": Torch, "tf": TensorFlow}[name]()
    with open(path, "w") as f:
        json.dump({"version": str(system.version), "arith": list(arith(system)), "cast": list(cast(system))}, f)


def merge(parts, arith_path, cast_path):
    parts = {s: json.load(open(p)) for s, p in zip(SYSTEMS, parts)}
    versions = {s: p["version"] for s, p in parts.items()}
    data = {"systems": versions, "format": "each system cell: {v:value,d:dtype} or {error}. lax = jax.lax primitive where it differs in spirit from jnp (lax.div/lax.rem "
            "truncate; shift_right_logical). JAX x64 enabled, CPU. array operands of length 1 (never python scalars).", "binary": [], "unary": [], "reduce": []}
    for i, (key, row, _) in enumerate(questions()):
        cells = {s: p["arith"][i]["at"] for s, p in parts.items() if p["arith"][i]["at"]}
        lax = parts["jax"]["arith"][i].get("lax")
        row |= cells | ({"lax": lax} if lax and lax != cells["jax"] else {})
        known = list(cells.values())
        data[key].append(row | {"agree": "error" not in known[0] and all(c == known[0] for c in known)})
    rows.write(arith_path, data)
    table = []
    for i, (src, dst, v) in enumerate(casts()):
        row = {"src": src, "dst": dst, "v": v} | {s + k: x for s, p in parts.items() for k, x in p["cast"][i].items()}
        known = [row[s] for s in SYSTEMS if not isinstance(row[s], dict)]
        table.append(row | {"agree": all(json.dumps(x) == json.dumps(known[0]) for x in known)})
    rows.write(cast_path, {"systems": versions, "format": "v = source value (exactly representable in src). <system> = value after cast. <system>_simd = differing value when "
               "the same cast is run on a 64-element array instead of 1 element (undefined behaviour in C: vector path != scalar path). jax_constfold = differing value when "
               "XLA folds the cast of a constant at compile time. nan/inf are strings, |int|>2^53 are strings, complex = [re,im].",
               "disagreeing_rows": sum(not r["agree"] for r in table), "rows": table})


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(*sys.argv[2:])
    else:
        merge(sys.argv[2:6], *sys.argv[6:])
