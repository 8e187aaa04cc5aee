"""Writes the table of one system: at which dtypes its operations are defined,
with what result, and what it says where they are not.

    python generate.py torch > torch.txt
    python generate.py tensorflow off > off.txt     and so for legacy, all, safe
    python generate.py compact torch.txt     at last, for each table: what is alike on one line, and dtypes a..b of its order
    python generate.py merge off.txt legacy.txt all.txt safe.txt > tensorflow.txt

One operation a line: name (names, where several agree), groups "result:dtypes" (= is the operand's own
dtype), and below it, indented, "!dtypes" with the error, in which @ stands for
the system's name of the dtype and $ for the operation's. Only equal dtypes are tried: how mixed ones
come together is the promotion rules' business.

torch==2.15.0 jax==0.10.2 numpy==2.4.6 ml_dtypes==0.6.0 array-api-strict==2.6.1
tensorflow-cpu==2.21.0 polars==2.1.0 pyarrow==26.0.1 mlx[cpu]==0.32.4
"""
import re
import sys
import warnings

warnings.filterwarnings("ignore")
LIMIT = 220
ENDS = [r"(is not in the list of allowed values).*", r"(Could not find device for node).*", r"(Invalid dtype \S+ in \w+)\..*",
        r"(was expected to be a \w+ tensor).*", r"(support implicit promotion\.).*"]  # what a reason goes on with is no reason
NAMES = {"bool": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "half": "f16",
         "complex64": "c64", "complex128": "c128", "complex32": "c32", "bcomplex32": "bc32",
         "longdouble": "f80", "float128": "f80", "clongdouble": "c160", "complex256": "c160"}


def short(d):
    """The project's spelling of a dtype's name."""
    d = str(getattr(d, "name", d)).split(".")[-1].strip("'<>\" ")
    if d.endswith("?"):
        return short(d[:-1]) + "?"
    if d in NAMES:
        return NAMES[d]
    m = re.fullmatch(r"(u?)int(\d+)", d)
    if m:
        return ("ui" if m[1] else "i") + m[2]
    return d.replace("float8_", "f8").replace("float4_", "f4")


def outcome(f, names):
    try:
        return short(f()), None
    except Exception as e:  # the error is the datum
        text = (type(e).__name__ + ": " + str(e)).strip().replace("\n", "\\n")
        for end in ENDS:
            text = re.sub(end, r"\1", text)
        text = text[:LIMIT].strip()
        for n in names:
            text = re.sub(r"(?<![A-Za-z0-9_])" + re.escape(n) + r"(?![A-Za-z0-9_])", "@", text)
        return None, text


def line(op, f, dtypes, names=lambda d: [str(d)]):
    groups, errors = {}, {}
    for d in dtypes:
        r, err = outcome(lambda: f(d), names(d))
        if err:
            own = op.split(".")[-1]
            err = re.sub(r"(?<![A-Za-z0-9_])" + re.escape(own) + r"(?![A-Za-z0-9])", "$", err) if len(own) > 3 or own in ("add", "pow") else err
            errors.setdefault(err, []).append(short(d))
        else:
            groups.setdefault("=" if r == short(d) else r, []).append(short(d))
    print(op, *[k + ":" + ",".join(v) for k, v in groups.items()])
    for err, ds in errors.items():
        print("\t!" + ",".join(ds), err)


def compact(path):
    """The table with operations of one section that agree in all on one line."""
    def flush(section):
        names = {}
        for name, body in section:
            names.setdefault(body, []).append(name)
        for body, of in names.items():
            out.append(",".join(of) + " " + body)
    out, section = [], []
    text = open(path).read()
    order = ordered(text)
    if not text.startswith("#order"):
        text = "#order " + ",".join(order) + "\n" + re.sub(r"(?<=[:!])[A-Za-z0-9_?,]+,[A-Za-z0-9_?,]+(?=[ \n])", lambda m: runs(m[0].split(","), order), text)
    for l in text.splitlines():
        if l.startswith("#"):
            flush(section)
            out.append(l)
            section = []
        elif l.startswith("\t"):
            section[-1] = (section[-1][0], section[-1][1] + "\n" + l)
        else:
            section.append(tuple(l.split(" ", 1)) if " " in l else (l, ""))
    flush(section)
    open(path, "w").write("\n".join(out) + "\n")


def ordered(text):
    """The dtypes of a table, as its longest line has them."""
    order = []
    for l in sorted(text.splitlines(), key=len, reverse=True):
        for d in re.findall(r"[a-z]+[0-9][A-Za-z0-9_]*[?]?", " ".join(w for w in l.split() if ":" in w or w[0] == "!")):
            if d not in order:
                order.append(d)
    return order


def runs(ds, order):
    """The dtypes ds, of which three and more that follow each other in order are first..last."""
    at, out = sorted(order.index(d) for d in ds), []
    while at:
        n = next((i for i in range(1, len(at)) if at[i] != at[0] + i), len(at))
        out += [f"{order[at[0]]}..{order[at[n - 1]]}"] if n > 2 else [order[i] for i in at[:n]]
        at = at[n:]
    return ",".join(out)


def ivy():
    import ivy as v
    v.set_backend("numpy")
    ds = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
    print("#unary")
    for n in "negative abs exp expm1 log log1p sqrt sin cos tan tanh floor ceil round trunc isnan isfinite sum prod mean std var cumsum max min argmax argmin all any square sign logical_not softmax relu".split():
        line(n, lambda d: getattr(v, n)(v.array([1], dtype=d)).dtype, ds)


def merge(paths):
    """The tables of several modes as one: of each after the first, the lines that differ from it."""
    def operations(text):
        part, ops = "", {}
        for l in text.splitlines():
            if l.startswith("#"):
                part = l
            elif l.startswith("\t"):
                ops[last] += "\n" + l
            else:
                last = (part.split()[1:], l.split()[0])
                last = ("".join(last[0]), last[1])
                ops[last] = l
        return ops
    first = operations(open(paths[0]).read())
    for path in paths:
        text = open(path).read()
        ops = operations(text)
        for kind in ("", "unary"):
            print((text.split("\n")[0] + " " + kind).strip())
            for (k, name), l in ops.items():
                if k == kind and (path == paths[0] or first.get((k, name)) != l):
                    print(l)


def relation(a, bs, f):
    """A line of a, with groups "result:dtypes" over the dtypes bs."""
    groups = {}
    for b in bs:
        r, err = outcome(lambda: f(b), [])
        if not err:
            groups.setdefault(r, []).append(short(b))
    if groups:
        print(short(a), *[k + ":" + ",".join(v) for k, v in groups.items()])


def torch():
    import torch as t
    ds = [t.bool, t.uint8, t.int8, t.int16, t.int32, t.int64, t.uint16, t.uint32, t.uint64, t.float16, t.bfloat16,
          t.float32, t.float64, t.complex32, t.complex64, t.complex128, t.float8_e4m3fn, t.float8_e4m3fnuz,
          t.float8_e5m2, t.float8_e5m2fnuz, t.float8_e8m0fnu, t.bcomplex32]
    scalar = dict(zip(map(str, ds), "Bool Byte Char Short Int Long UInt16 UInt32 UInt64 Half BFloat16 Float Double ComplexHalf ComplexFloat ComplexDouble Float8_e4m3fn Float8_e4m3fnuz Float8_e5m2 Float8_e5m2fnuz Float8_e8m0fnu BComplex32".split()))
    names = lambda d: [scalar[str(d)]]
    ones = lambda d, n=2: t.ones(n, dtype=t.float32).to(d)
    binary = {n: getattr(t, n) for n in "add sub mul true_divide floor_divide remainder fmod pow maximum minimum bitwise_and bitwise_or bitwise_xor eq ne lt le gt ge logical_and atan2 hypot matmul copysign float_power fmax fmin gcd lcm logaddexp".split()}
    binary |= {"div_trunc": lambda a, b: t.div(a, b, rounding_mode="trunc"), "div_floor": lambda a, b: t.div(a, b, rounding_mode="floor"),
               "left_shift": t.bitwise_left_shift, "right_shift": t.bitwise_right_shift, "where": lambda a, b: t.where(t.tensor([True, False]), a, b),
               "cat": lambda a, b: t.cat([a, b]), "stack": lambda a, b: t.stack([a, b]),
               "lerp": lambda a, b: t.lerp(a, b, 0.5), "tensordot": lambda a, b: t.tensordot(a, b, 1)}
    for n, f in binary.items():
        line(n, lambda d: f(ones(d), ones(d)).dtype, ds, names)
    line("clamp", lambda d: t.clamp(ones(d), ones(d), ones(d)).dtype, ds, names)
    print("#unary")
    unary = {n: getattr(t, n) for n in "neg abs sign exp sqrt sin reciprocal floor ceil round trunc square sigmoid bitwise_not logical_not isnan sum prod mean std var amax amin argmax argmin all any median norm nansum relu real angle count_nonzero bincount max min argsort nonzero rsqrt isfinite expm1 log log1p cos tan tanh erf imag".split()}
    unary |= {"cumsum": lambda x: t.cumsum(x, 0), "cumprod": lambda x: t.cumprod(x, 0), "logsumexp": lambda x: t.logsumexp(x, 0),
              "softmax": lambda x: t.softmax(x, 0), "sum_dim": lambda x: t.sum(x, 0), "gelu": t.nn.functional.gelu,
              "histc": lambda x: t.histc(x, bins=4, min=0, max=2)}
    for n, f in unary.items():
        line(n, lambda d: f(ones(d)).dtype, ds, names)
    line("trace", lambda d: t.trace(ones(d, (2, 2))).dtype, ds, names)

def jax():
    import jax as j
    j.config.update("jax_enable_x64", True)
    import jax.numpy as np
    from jax import lax
    ds = [np.dtype(n) for n in "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128".split()]
    weak = {"int64?": 1, "float64?": 1.0, "complex128?": 1 + 0j}
    ds += list(weak)
    narrow = [np.dtype(n) for n in "int2 int4 uint2 uint4 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e8m0fnu float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz".split()]

    def ones(d, n=1):
        if d in weak:  # a weakly typed array, born of a Python number
            return np.broadcast_to(np.asarray(weak[d]), n)
        return np.ones(n, dtype=d)

    names = lambda d: [str(d).strip("?")]
    flagged = lambda x: str(x.dtype) + "?" * x.weak_type

    def line(op, f, ds):
        return globals()["line"](op, f, ds, names)
    binary = {n: getattr(np, n) for n in "add subtract multiply true_divide floor_divide remainder fmod power float_power maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor left_shift right_shift equal not_equal less less_equal greater greater_equal logical_and arctan2 hypot copysign ldexp gcd lcm logaddexp dot matmul".split()}
    binary |= {"where": lambda a, b: np.where(np.array([True]), a, b), "concatenate": lambda a, b: np.concatenate([a, b]),
               "stack": lambda a, b: np.stack([a, b]), "lax.add": lax.add, "lax.div": lax.div,
               "lax.select": lambda a, b: lax.select(np.array([True]), a, b)}
    for n, f in binary.items():
        line(n, lambda d: flagged(f(ones(d), ones(d))), ds)
    print("#unary")
    unary = {n: getattr(np, n) for n in "negative abs sign exp sqrt sin reciprocal floor ceil round trunc square invert logical_not isnan conjugate sum prod mean std var cumsum cumprod max argmax all any median average ptp nansum real imag angle count_nonzero argsort min expm1 log log1p cos tan tanh cbrt isfinite".split()}
    unary |= {"argmax": lambda x: j.eval_shape(np.argmax, x), "argmin": lambda x: j.eval_shape(np.argmin, x),  # what running refuses for complex, tracing does not
              "erf": j.scipy.special.erf, "rsqrt": lax.rsqrt,
              "softmax": j.nn.softmax, "relu": j.nn.relu, "sigmoid": j.nn.sigmoid, "gelu": j.nn.gelu, "linalg.norm": np.linalg.norm,
              "logsumexp": j.nn.logsumexp, "lax.exp": lax.exp, "quantile": lambda x: np.quantile(x, 0.5)}
    for n, f in unary.items():
        line(n, lambda d: flagged(f(ones(d, 2 if n == "reciprocal" else 1))), ds + narrow)  # its error names the shape: the rows'
    line("trace", lambda d: flagged(np.trace(ones(d, (2, 2)))), ds + narrow)


def numpy():
    import numpy as np
    ds = [np.dtype(n) for n in "? b h i l B H I L e f d g F D G".split()]
    names = lambda d: [str(d)]
    ones = lambda d, n=2: np.ones(n, dtype=d)
    code = {c: short(np.dtype(c)) for c in "?bhilBHILefdgFDG"} | {"q": "i64", "Q": "ui64"}
    print("#loops")
    for n in "add subtract multiply true_divide floor_divide remainder fmod power float_power maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor left_shift right_shift equal not_equal less less_equal greater greater_equal logical_and arctan2 hypot logaddexp copysign gcd lcm ldexp matmul divmod negative absolute sign exp expm1 log log1p sqrt cbrt sin cos tan tanh reciprocal floor ceil rint trunc square invert logical_not isnan isfinite conjugate".split():
        seen, loops = set(), []
        for l in getattr(np, n).types:
            ins, outs = l.split("->")
            if set(ins + outs) <= set(code) and (l.replace("q", "l").replace("Q", "L")) not in seen:
                seen.add(l.replace("q", "l").replace("Q", "L"))
                loops.append(l.replace("q", "l").replace("Q", "L"))
        print(n, *loops)
    print("#binary")
    for n, f in {"where": lambda a, b: np.where([True, False], a, b), "concatenate": lambda a, b: np.concatenate([a, b]), "dot": np.dot}.items():
        line(n, lambda d: f(ones(d), ones(d)).dtype, ds, names)
    print("#unary")
    for n in "sum prod mean std var cumsum cumprod max min argmax argmin all any median average ptp round real imag angle nansum bincount".split():
        line(n, lambda d: getattr(np, n)(ones(d)).dtype, ds, names)
    line("trace", lambda d: np.trace(ones(d, (2, 2))).dtype, ds, names)
    line("quantile", lambda d: np.quantile(ones(d), 0.5).dtype, ds, names)
    line("linalg.norm", lambda d: np.linalg.norm(ones(d)).dtype, ds, names)
    import ml_dtypes
    ds += [np.dtype(getattr(ml_dtypes, n)) for n in "bfloat16 float8_e4m3fn float8_e5m2 float8_e4m3 float8_e3m4 float8_e8m0fnu float4_e2m1fn int2 int4 uint2 uint4".split()]
    print("#pairs")
    for a in ds:
        relation(a, ds, lambda b: np.promote_types(a, b))
    for rule in ("safe", "same_kind"):
        print("#" + rule)
        for a in ds:
            relation(a, [b for b in ds if np.can_cast(a, b, rule)], lambda b: "bool")
    print("#refused")  # not even by an unsafe cast
    for a in ds:
        relation(a, [b for b in ds if not np.can_cast(a, b, "unsafe")], lambda b: "bool")
    for how, f in {"result_type": lambda d, v: np.result_type(d, v), "add": lambda d, v: (ones(d) + v).dtype}.items():
        for name, v in {"bool": True, "int": 1, "float": 1.0, "complex": 1j}.items():
            print("#" + how + " " + name)
            for a in ds:
                relation(a, [a], lambda d: f(d, v))


def array_api():
    import array_api_strict as xp
    ds = [getattr(xp, n) for n in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()]
    ones = lambda d: xp.ones(2, dtype=d)
    name = lambda d: [str(d), str(d).split(".")[-1]]
    binary = {n: getattr(xp, n) for n in "add subtract multiply divide floor_divide remainder pow maximum minimum bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift equal not_equal less less_equal greater greater_equal logical_and atan2 hypot logaddexp copysign matmul".split()}
    binary |= {"where": lambda a, b: xp.where(xp.asarray([True, False]), a, b), "concat": lambda a, b: xp.concat([a, b]), "stack": lambda a, b: xp.stack([a, b])}
    for n, f in binary.items():
        line(n, lambda d: f(ones(d), ones(d)).dtype, ds, name)
    print("#unary")
    for n in "negative abs sign exp expm1 log log1p sqrt sin cos tan tanh floor ceil round square bitwise_invert logical_not isnan sum prod mean std var max min argmax argmin all any cumulative_sum cumulative_prod real imag conj sort argsort isfinite trunc reciprocal".split():
        line(n, lambda d: getattr(xp, n)(ones(d)).dtype, ds, name)


def tensorflow():
    import os
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp
    import operator as o
    ds = [tf.bool, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128]
    ones = lambda d: tf.cast(tf.ones(2), d)
    name = lambda d: [d.name]
    binary = {"add": o.add, "sub": o.sub, "mul": o.mul, "true_divide": o.truediv, "floor_divide": o.floordiv, "remainder": o.mod, "pow": o.pow,
              "bitwise_and": o.and_, "bitwise_or": o.or_, "bitwise_xor": o.xor, "less": o.lt, "less_equal": o.le, "greater": o.gt, "greater_equal": o.ge, "equal": lambda a, b: a == b, "tf.add": tf.add, "tf.where": lambda a, b: tf.where([True, False], a, b),
              "tf.concat": lambda a, b: tf.concat([a, b], 0), "tf.stack": lambda a, b: tf.stack([a, b]), "tf.maximum": tf.maximum, "tf.bitwise.left_shift": tf.bitwise.left_shift,
              "tf.multiply": tf.multiply, "tf.minimum": tf.minimum, "tf.not_equal": tf.not_equal, "tf.truncatediv": tf.truncatediv, "tf.truncatemod": tf.truncatemod,
              "tf.bitwise.right_shift": tf.bitwise.right_shift, "tf.bitwise.bitwise_and": tf.bitwise.bitwise_and,
              "tf.bitwise.bitwise_or": tf.bitwise.bitwise_or, "tf.bitwise.bitwise_xor": tf.bitwise.bitwise_xor,
              "tf.math.atan2": tf.math.atan2, "tnp.add": tnp.add, "tnp.true_divide": tnp.true_divide, "tnp.power": tnp.power,
              "tnp.where": lambda a, b: tnp.where([True, False], a, b), "tnp.concatenate": lambda a, b: tnp.concatenate([a, b])}
    unary = {"tf.reduce_sum": tf.reduce_sum, "tf.reduce_mean": tf.reduce_mean, "tnp.sum": tnp.sum, "tnp.mean": tnp.mean, "tnp.sqrt": tnp.sqrt,
             "tf.sqrt": tf.sqrt, "tnp.exp": tnp.exp, "neg": o.neg, "abs": o.abs, "tf.argmax": tf.argmax, "tnp.prod": tnp.prod, "tnp.std": tnp.std,
             "tf.sign": tf.sign, "tnp.square": tnp.square}
    unary |= {"tf." + n: getattr(tf, n) for n in "exp floor round square logical_not reduce_prod reduce_max reduce_min reduce_all reduce_any cumsum argmin sin cos tan tanh sigmoid".split()}
    unary |= {"tf.math." + n: getattr(tf.math, n) for n in "log reciprocal ceil is_nan is_finite expm1 log1p rsqrt erf real imag reduce_variance reduce_std".split()}
    unary |= {"tf.bitwise.invert": tf.bitwise.invert}
    mode = sys.argv[2]  # one process for each: a mode is set once
    if mode != "off":
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    print("#" + mode)
    for n, f in binary.items():
        line(n, lambda d: f(ones(d), ones(d)).dtype.name, ds, name)
    print("#" + mode + " unary")
    for n, f in unary.items():
        line(n, lambda d: f(ones(d)).dtype.name, ds, name)


def other():
    """Pairs of the systems that are there for comparison: what a + b is, and the supertype of a column of both."""
    import polars as pl
    ds = [pl.Boolean, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Float16, pl.Float32, pl.Float64, pl.Int128, pl.UInt128]
    name = lambda d: short(str(d).lower().replace("boolean", "bool"))
    print("#polars")
    for a in ds:
        named_relation(name, a, ds, lambda b: name((pl.Series([1]).cast(a) + pl.Series([1]).cast(b)).dtype))
    print("#polars supertype")
    for a in ds:
        named_relation(name, a, ds, lambda b: name(pl.concat([pl.DataFrame({"x": pl.Series([1]).cast(a)}), pl.DataFrame({"x": pl.Series([1]).cast(b)})], how="vertical_relaxed")["x"].dtype))
    import pyarrow as pa
    import pyarrow.compute as pc
    ds = [pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64()]
    name = lambda d: {"halffloat": "f16", "float": "f32", "double": "f64"}.get(str(d)) or short(str(d))
    one = lambda d: pa.array([True if d == pa.bool_() else 1]).cast(d) if d != pa.float16() else pa.array([1.0], pa.float32()).cast(d)
    print("#pyarrow")
    for a in ds:
        named_relation(name, a, ds, lambda b: name(pc.add(one(a), one(b)).type))
    print("#pyarrow unify")
    for a in ds:
        named_relation(name, a, ds, lambda b: name(pa.unify_schemas([pa.schema([("x", a)]), pa.schema([("x", b)])], promote_options="permissive").field("x").type))
    import mlx.core as mx
    ds = [mx.bool_, mx.int8, mx.int16, mx.int32, mx.int64, mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.bfloat16, mx.float16, mx.float32, mx.float64, mx.complex64]
    name = lambda d: short(str(d).replace("mlx.core.", "").replace("bool_", "bool"))
    mx.set_default_device(mx.cpu)
    print("#mlx")
    for a in ds:
        named_relation(name, a, ds, lambda b: name((mx.ones(1, dtype=a) + mx.ones(1, dtype=b)).dtype))


def named_relation(name, a, bs, f):
    groups = {}
    for b in bs:
        try:
            groups.setdefault(f(b), []).append(name(b))
        except Exception:  # no common dtype
            pass
    if groups:
        print(name(a), *[k + ":" + ",".join(v) for k, v in groups.items()])


if __name__ == "__main__":
    if sys.argv[1] == "merge":
        merge(sys.argv[2:])
    elif sys.argv[1] == "compact":
        for path in sys.argv[2:]:
            compact(path)
    else:
        globals()[sys.argv[1]]()
