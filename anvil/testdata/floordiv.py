"""Writes what a real system answers to floor division and its remainder, at awkward and at random pairs.

    for system in numpy jax torch tensorflow; do python floordiv.py $system; done | sort | gzip -9n > floordiv.txt.gz

A line is "dtype quotient|remainder system answers", the answers' bytes in base64; the lines "dtype operand x|y" have the
operands. Where the system does not divide integers by 0, the answers end before these pairs, the last ones.
"""

import base64
import math
import random
import sys
import warnings

import ml_dtypes
import numpy as np

warnings.simplefilter("ignore")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 250
LARGE = {"f16": 65504, "bf16": 3.3895e38, "f32": 3.4028234e38, "f64": 1.7976931348623157e308}
SMALL = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"ui8": 8, "ui16": 16, "ui32": 32, "ui64": 64}
NAMES = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
         "ui64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def float_pairs(d):
    r = random.Random(d)
    points = [0.0, -0.0, 1.0, -1.0, 0.1, -0.3, 7.0, math.inf, -math.inf, math.nan, LARGE[d], -SMALL[d]]
    pairs = [(x, y) for x in points for y in points]
    for _ in range(COUNT):
        y = r.choice([-1, 1]) * r.choice([r.uniform(0.01, 9), r.randint(1, 50) / 10, 2.0 ** r.randint(-9, 9) / 3])
        n = r.choice([r.randint(0, 40), r.uniform(0, 1e4), r.uniform(0, 2.0**54) if d == "f64" else r.uniform(0, 2.0**15)])
        pairs.append((r.choice([-1, 1]) * n * r.choice([1, y]), y))
    return pairs


def integer_pairs(d):
    r = random.Random(d)
    bits = SIGNED.get(d) or UNSIGNED[d]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if d in SIGNED else (0, (1 << bits) - 1)
    points = [low, low + 1, high, high - 1, 0, 1, 2, 7] + ([-1, -2, -7] if d in SIGNED else [])
    pairs = [(x, y) for x in points for y in points if y]
    for _ in range(COUNT // 8):
        pairs.append((r.randint(low, high), r.choice([1, r.randint(low, high), r.randint(2, 100)]) or 3))
    return pairs + [(x, 0) for x in points]


def numpy():
    return np.floor_divide, np.remainder, lambda x: x, lambda r: r


def jax():
    import jax as j

    j.config.update("jax_enable_x64", True)
    return j.numpy.floor_divide, j.numpy.remainder, j.numpy.asarray, np.asarray


def torch():
    import torch as t

    def make(x):
        return t.from_numpy(x.view(np.int16)).view(t.bfloat16) if x.dtype == ml_dtypes.bfloat16 else t.from_numpy(x)

    def plain(r):
        return r.view(t.int16).numpy().view(ml_dtypes.bfloat16) if r.dtype == t.bfloat16 else r.numpy()

    return t.floor_divide, t.remainder, make, plain


def tensorflow():
    import tensorflow as tf

    return tf.math.floordiv, tf.math.floormod, tf.constant, lambda r: r.numpy()


def main():
    system = sys.argv[1]
    quotient, remainder, make, plain = globals()[system]()
    divides_by_0 = system in ("numpy", "jax")
    for name, numpys in NAMES.items():
        d = np.dtype(ml_dtypes.bfloat16 if name == "bf16" else numpys)
        pairs = float_pairs(name) if name in LARGE else integer_pairs(name)
        if name not in LARGE and not divides_by_0:
            pairs = [p for p in pairs if p[1]]
        x, y = (np.array([p[i] for p in pairs], d) for i in (0, 1))
        try:
            answers = {"quotient " + system: quotient(make(x), make(y)), "remainder " + system: remainder(make(x), make(y))}
        except NotImplementedError:  # PyTorch of the wider unsigned integers
            continue
        lines = {what: np.asarray(plain(r)) for what, r in answers.items()}
        if system == "numpy":
            lines |= {"operand x": x, "operand y": y}
        for what, a in lines.items():
            assert a.dtype == d, (what, a.dtype)
            print(name, what, base64.b64encode(a.tobytes()).decode())


main()
