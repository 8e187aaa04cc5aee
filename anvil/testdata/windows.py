"""Writes windows.txt: convolutions, transposed convolutions, pooling and windows,
drawn at random, by JAX. Elements are small integers, so that every dtype has
the results exactly.

    python windows.py > windows.txt

A line is: function options | operands | result. A tensor is its dtype and shape, and its elements.
"""

import random

import jax
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax import lax

NUMPY = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "i32": np.int32, "i8": np.int8, "ui8": np.uint8, "i64": np.int64}
r = random.Random(5)
PLACES = "DHW"


def text(d, a):
    a = np.asarray(a)
    flat = [f"{v:.17g}" for v in a.astype(np.float64).ravel().tolist()]
    return " ".join([f"{d}{{{','.join(map(str, a.shape))}}}"] + flat)


def row(words, operands, result, d):
    print(" | ".join([" ".join(words)] + [text(name, x) for name, x in operands] + [text(d, result)]))


def draw(d, shape):
    low = 0 if d == "ui8" else -2
    return np.array([r.randint(low, 3) for _ in range(int(np.prod(shape)))], dtype=np.float64).reshape(shape).astype(NUMPY[d])


def listed(name, xs):
    return [] if all(x == xs[0] for x in xs) and xs[0] == 1 and name != "padding" else [name + "=" + ",".join(map(str, xs))]


def layout(rank, first):
    s = PLACES[3 - rank:]
    return ("NC" + s, "OI" + s, "NC" + s) if first else ("N" + s + "C", s + "IO", "N" + s + "C")


def arranged(batch, channels, spatial, first):
    return (batch, channels, *spatial) if first else (batch, *spatial, channels)


def window(rank, out, inner, size, first):
    return (out, inner, *size) if first else (*size, inner, out)


def paddings(rank):
    """Options, and what JAX takes."""
    kind = r.choice(["valid", "same", "padding", "low"])
    if kind in ("valid", "same"):
        return [kind], kind.upper()
    low = [r.randint(0, 2) for _ in range(rank)]
    high = low if kind == "padding" else [r.randint(-1, 2) for _ in range(rank)]
    words = ["padding=" + ",".join(map(str, low))] if kind == "padding" else ["low=" + ",".join(map(str, low)), "high=" + ",".join(map(str, high))]
    return words, list(zip(low, high))


def convolution():
    rank, first = r.choice([1, 1, 2, 2, 2, 3]), r.random() < 0.4
    groups = r.choice([1, 1, 2, 3])
    batch_groups = r.choice([1, 2]) if groups == 1 else 1
    batch, inner, out = r.choice([1, 2]) * batch_groups, r.randint(1, 2), r.randint(1, 2) * groups * batch_groups
    spatial = [r.randint(2, 7 if rank == 1 else 4) for _ in range(rank)]
    size = [r.randint(1, 3) for _ in range(rank)]
    stride = [r.randint(1, 3) for _ in range(rank)] if r.random() < 0.6 else [1] * rank
    dilation = [r.randint(1, 2) for _ in range(rank)] if r.random() < 0.4 else [1] * rank
    under = [r.randint(1, 2) for _ in range(rank)] if r.random() < 0.3 else [1] * rank
    words, pad = paddings(rank)
    d = r.choice(["f32", "f32", "f64", "bf16", "f16", "i32", "i8", "ui8", "i64"])
    x = draw(d, arranged(batch, inner * groups, spatial, first))
    w = draw(d, window(rank, out, inner, size, first))
    if pad == "VALID":
        pad = [(0, 0)] * rank
    if pad == "SAME":
        lengths = [(n - 1) * u + 1 for n, u in zip(spatial, under)]
        pad = lax.padtype_to_pads(lengths, [(k - 1) * e + 1 for k, e in zip(size, dilation)], stride, "SAME")
    y = lax.conv_general_dilated(x, w, stride, pad, lhs_dilation=under, rhs_dilation=dilation, dimension_numbers=layout(rank, first),
                                 feature_group_count=groups, batch_group_count=batch_groups)
    options = listed("stride", stride) + listed("dilation", dilation) + listed("under", under) + words
    options += listed("groups", [groups]) + listed("batchgroups", [batch_groups]) + (["first"] if first else [])
    row([f"Conv{rank}D"] + options, [(d, x), (d, w)], y, d)


def transposed():
    """By its definition: the linear transpose of the convolution."""
    rank, first, groups = r.choice([1, 1, 2, 2, 3]), r.random() < 0.4, r.choice([1, 1, 2])
    batch, inner, out = r.choice([1, 2]), r.randint(1, 2) * groups, r.randint(1, 2)  # out: per group
    spatial = [r.randint(1, 4) for _ in range(rank)]
    size = [r.randint(1, 3) for _ in range(rank)]
    stride = [r.randint(1, 3) for _ in range(rank)]
    dilation = [r.randint(1, 2) for _ in range(rank)] if r.random() < 0.4 else [1] * rank
    span = [(k - 1) * e + 1 for k, e in zip(size, dilation)]
    kind = r.choice(["valid", "same", "padding"])
    options = listed("stride", stride) + listed("dilation", dilation) + listed("groups", [groups]) + (["first"] if first else [])
    if kind == "padding":
        low = [r.randint(0, (k - 1) // 2) for k in span]
        behind = [r.randint(0, s - 1) for s in stride]
        pad = [(p, p) for p in low]
        lengths = [(n - 1) * s - 2 * p + k + b for n, s, p, k, b in zip(spatial, stride, low, span, behind)]
        options += ["padding=" + ",".join(map(str, low)), "behind=" + ",".join(map(str, behind))]
    elif kind == "same":
        pad, lengths = "SAME", [n * s for n, s in zip(spatial, stride)]
        options += ["same"]
    else:
        pad, lengths = "VALID", [n * s + max(k - s, 0) for n, s, k in zip(spatial, stride, span)]
    if min(lengths) < 1:
        return
    x = draw("f32", arranged(batch, inner, spatial, first))
    w = draw("f32", window(rank, inner, out, size, first))
    of = np.zeros(arranged(batch, out * groups, lengths, first), np.float32)
    f = lambda v: lax.conv_general_dilated(v, w, stride, pad, rhs_dilation=dilation, dimension_numbers=layout(rank, first), feature_group_count=groups)
    (y,) = jax.linear_transpose(f, of)(jnp.asarray(x))
    row([f"ConvTranspose{rank}D"] + options, [("f32", x), ("f32", w)], y, "f32")


def pool():
    rank, first = r.choice([1, 2, 2, 3]), r.random() < 0.3
    how = r.choice(["Max", "Min", "Sum", "Avg"])
    spatial = [r.randint(2, 5) for _ in range(rank)]
    size = [r.randint(1, 3) for _ in range(rank)]
    stride = [r.randint(1, 3) for _ in range(rank)] if r.random() < 0.6 else None
    dilation = [r.randint(1, 2) for _ in range(rank)] if r.random() < 0.3 else [1] * rank
    words, pad = paddings(rank)
    counted = r.random() < 0.4 and how == "Avg"
    d = r.choice(["f32", "f64", "bf16", "f16"] + ([] if how == "Avg" else ["i32", "i8"]))
    x = draw(d, arranged(r.choice([1, 2]), r.randint(1, 2), spatial, first))
    around = lambda v, one: (one, one, *v) if first else (one, *v, one)
    steps = stride or size
    if isinstance(pad, str):
        pad = lax.padtype_to_pads(spatial, [(k - 1) * e + 1 for k, e in zip(size, dilation)], steps, pad)
    args = around(size, 1), around(steps, 1), around(pad, (0, 0)), None, around(dilation, 1)
    low, high = (-np.inf, np.inf) if d in ("f32", "f64", "bf16", "f16") else (np.iinfo(NUMPY[d]).min, np.iinfo(NUMPY[d]).max)
    if how in ("Max", "Min"):
        y = lax.reduce_window(x, np.array(low if how == "Max" else high, x.dtype), lax.max if how == "Max" else lax.min, *args)
    else:
        wide = x.astype(np.float64)
        y = np.asarray(lax.reduce_window(wide, 0., lax.add, *args))
        if how == "Avg":
            y = y / (np.prod(size) if counted else np.asarray(lax.reduce_window(np.ones_like(wide), 0., lax.add, *args)))
        y = y.astype(NUMPY[d])
    options = ["window=" + ",".join(map(str, size))] + (["stride=" + ",".join(map(str, stride))] if stride else [])
    options += listed("dilation", dilation) + words + (["counted"] if counted else []) + (["first"] if first else [])
    row([how + "Pool"] + options, [(d, x)], y, d)


def windows():
    shape = [r.randint(1, 4) for _ in range(r.randint(1, 3))]
    size = [r.randint(1, 2) for _ in shape]
    stride = [r.randint(1, 2) for _ in shape]
    how = r.choice(["sum", "prod", "max", "min"])
    f, init = {"sum": (lax.add, 0), "prod": (lax.mul, 1), "max": (lax.max, -np.inf), "min": (lax.min, np.inf)}[how]
    x = draw("f32", shape)
    y = lax.reduce_window(x, np.float32(init), f, size, stride, "VALID")
    row(["ReduceWindow", "how=" + how, "window=" + ",".join(map(str, size))] + listed("stride", stride), [("f32", x)], y, "f32")


print("# jax", jax.__version__)
for _ in range(150):
    convolution()
for _ in range(50):
    transposed()
for _ in range(60):
    pool()
for _ in range(12):
    windows()
