"""Rows of TensorFlow in its four modes: python tensorflow_rows.py tensorflow.json

A process has one mode, so the program runs itself once for each.
"""
import itertools
import json
import operator
import os
import subprocess
import sys
import tempfile

import rows
from rows import short, PYTHON

MODES = ("off", "legacy", "all", "safe")


def dtype(f):
    """The dtype of the result of f, with ? after it if it is weak."""
    return outcome(lambda: weakly(f()), str)


def outcome(f, name=short):
    """The outcome of f. Blanks around an error's message are removed."""
    row = rows.outcome(f, name, None)
    return {k: v.strip()[:160] for k, v in row.items()}


def weakly(x):
    return short(x.dtype) + "?" * isinstance(x, WeakTensor)


def ones(d):
    return tf.cast(tf.ones(2), d)


def pairs():
    """Sums, or for bools, which have no sum, results of &."""
    for a, b in itertools.product(ALL, ALL):
        add = operator.and_ if a == b == tf.bool else operator.add
        yield {"a": short(a), "b": short(b)} | dtype(lambda: add(ones(a), ones(b)))


def result_type():
    for a, b in itertools.product(ALL, ALL):
        yield {"a": short(a), "b": short(b)} | outcome(lambda: tnp.result_type(ones(a), ones(b)))


def binary():
    o = operator
    return {"add": o.add, "sub": o.sub, "mul": o.mul, "true_divide": o.truediv, "floor_divide": o.floordiv, "remainder": o.mod, "pow": o.pow,
            "bitwise_and": o.and_, "less": o.lt, "equal": o.eq, "tf.add": tf.add, "tf.where": lambda a, b: tf.where(tf.constant([True, False]), a, b),
            "tf.concat": lambda a, b: tf.concat([a, b], 0), "tf.maximum": tf.maximum, "tnp.add": tnp.add, "tnp.true_divide": tnp.true_divide,
            "tnp.power": tnp.power, "tnp.where": lambda a, b: tnp.where([True, False], a, b), "tnp.concatenate": lambda a, b: tnp.concatenate([a, b]),
            "tf.bitwise.left_shift": tf.bitwise.left_shift}


def binary_ops():
    for op, f in binary().items():
        for a, b in itertools.product(ALL, ALL):
            yield {"op": op, "a": short(a), "b": short(b)} | dtype(lambda: f(ones(a), ones(b)))


def scalar_ops():
    """A tensor with a Python number, and the number with the tensor."""
    for op in ("add", "true_divide", "pow", "less", "tnp.add"):
        f = binary()[op]
        for d in ALL:
            for p, v in PYTHON.items():
                yield {"op": op, "a": short(d), "b": p} | dtype(lambda: f(ones(d), v))
                yield {"op": op, "a": p, "b": short(d)} | dtype(lambda: f(v, ones(d)))


def unary_ops():
    for op, f in {"tf.reduce_sum": tf.reduce_sum, "tf.reduce_mean": tf.reduce_mean, "tnp.sum": tnp.sum, "tnp.mean": tnp.mean, "tnp.sqrt": tnp.sqrt,
                  "tf.sqrt": tf.sqrt, "tnp.exp": tnp.exp, "neg": operator.neg, "abs": operator.abs, "tf.argmax": tf.argmax, "tnp.prod": tnp.prod,
                  "tnp.std": tnp.std, "tf.sign": tf.sign, "tnp.square": tnp.square}.items():
        for d in ALL:
            yield {"op": op, "a": short(d)} | dtype(lambda: f(ones(d)))


def values():
    """Expressions with their dtype and value, or their error."""
    for e in VALUES.strip().splitlines():
        try:
            x = eval(e)
            v = x.numpy() if hasattr(x, "numpy") else x
            yield {"expr": e, "dtype": weakly(x), "value": rows.number(v.tolist() if hasattr(v, "tolist") else v)}
        except Exception as x:
            yield {"expr": e, "error": rows.error(x, 300).strip()}


VALUES = """
tf.constant(1)
tf.constant(1j)
tf.constant(1.0)
tf.constant(2**31)
tf.constant([1,2.5])
tf.constant(1)+1.0
tf.constant([1],tf.uint8)+300
tf.constant([1],tf.uint8)+(-1)
tf.constant([1.],tf.float16)+1e6
tf.constant([7])//tf.constant([-2])
tf.constant([7])%tf.constant([-2])
tf.constant([1])//tf.constant([0])
tf.constant([1])/tf.constant([2])
tf.constant([1],tf.int8)/tf.constant([2],tf.int8)
tf.constant([1],tf.bfloat16)+tf.constant([1],tf.float16)
tf.constant([1],tf.int64)+tf.constant([1],tf.float32)
tf.constant([1],tf.uint64)+tf.constant([1],tf.int64)
tf.constant([True])+tf.constant([True])
tf.constant([True])+1
tf.constant([2])**-1
tf.cast(3.7,tf.int32)
tf.cast(-3.7,tf.uint8)
tf.cast(float('nan'),tf.int32)
tf.cast(300,tf.uint8)
tnp.mean(tf.constant([1,2]))
tf.constant([127],tf.int8)+tf.constant([1],tf.int8)
tf.reduce_mean(tf.constant([1,2]))
tf.reduce_sum(tf.constant([200,100],tf.uint8))
tnp.sum(tf.constant([200,100],tf.uint8))
np.float64(1)+tf.constant([1.],tf.float32)
tf.constant([1.],tf.float32)+tf.constant(1.,tf.float64)
tf.constant([1.],tf.float32)+np.float64(1)
tnp.array(1)
tnp.array(1.0)
tnp.zeros(1)
tnp.asarray([1,2])+1.5
tnp.arange(3)
tnp.ones(1)
tf.constant([1],tf.int8)+300
tf.constant([1])+2**40
tf.constant([1.])*2
tf.constant([5])//0
tf.constant([5])%tf.constant([0])
tf.constant([5])/tf.constant([0])
tf.constant([5.])//tf.constant([0.])
tf.constant([7])//tf.constant([2])
tf.constant([127],tf.int8)*tf.constant([2],tf.int8)
tf.constant([-128],tf.int8)//tf.constant([-1],tf.int8)
tf.constant([2])**2
tf.constant([2.])**-1
tf.constant([2.])**0.5
tf.cast(2.7,tf.int8)
tf.cast(-1,tf.uint8)
tf.cast(1e10,tf.float16)
tf.cast(True,tf.int32)
tf.cast([300.7],tf.uint8)
tf.constant([1],tf.int32)+tf.constant([1],tf.int64)
tf.constant([1],tf.int8)+1.5
tf.constant([1.],tf.float16)+tf.constant([1.],tf.float32)
tf.constant([1.],tf.bfloat16)+1
tf.constant([1.])+1j
tf.constant([1],tf.uint8)+tf.constant([1],tf.int8)
tf.reduce_sum(tf.constant([127,1],tf.int8))
tf.reduce_mean(tf.constant([1.,2.]))
tf.reduce_max(tf.constant([1,2]))
tf.reduce_prod(tf.constant([200,2],tf.uint8))
tf.argmax(tf.constant([1,2]))
tf.abs(tf.constant([-128],tf.int8))
tf.sqrt(tf.constant([4.]))
tf.sqrt(tf.constant([4]))
tf.exp(tf.constant([1]))
tf.square(tf.constant([20],tf.int8))
tf.maximum(tf.constant([1]),tf.constant([2]))
tf.add(tf.constant([1]),1.5)
tf.constant([1])<2
tf.constant([1])==1.0
tf.constant([1])>tf.constant([2])
-tf.constant([1])
tf.constant(True)
tf.constant([1,2])
tf.constant(1.5)
tf.constant([True,False])
tnp.sum(tf.constant([1,2],tf.int8))
tnp.mean(tf.constant([1,2],tf.int8))
tnp.add(tf.constant([1]),1.5)
tnp.array([1,2])
tnp.array(True)
tnp.ones(2)
tf.constant([1],tf.int64)*2.5
tf.constant([3])&tf.constant([1])
tf.bitwise.left_shift(tf.constant([1]),tf.constant([40]))
"""
LISTS = [pairs, result_type, binary_ops, scalar_ops, unary_ops, values]


def measure(mode, path):
    """The lists of this process's mode."""
    global np, tf, tnp, WeakTensor, ALL
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp
    from tensorflow.python.framework.weak_tensor import WeakTensor
    ALL = [tf.bool, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bfloat16, tf.float16, tf.float32, tf.float64,
           tf.complex64, tf.complex128]
    if mode != "off":
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    rows.write(path, {"version": tf.__version__} | {f.__name__: [{"mode": mode} | row for row in f()] for f in LISTS})


def main(path):
    data = {"system": "tensorflow", "version": "", "states": "suffix ? = weak (python literal or tensor born of one) in all/safe modes. mode off = plain tf "
            "(no implicit promotion), legacy = numpy-like legacy, all/safe = tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=...)"}
    for mode in MODES:
        with tempfile.NamedTemporaryFile() as part:
            subprocess.run([sys.executable, __file__, part.name, mode], check=True)
            for key, part in json.load(open(part.name)).items():
                data[key] = part if key == "version" else data.get(key, []) + part
    rows.write(path, data)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(sys.argv[2], sys.argv[1])
    else:
        main(sys.argv[1])
