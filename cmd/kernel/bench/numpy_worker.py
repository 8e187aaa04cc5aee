"""The workloads in NumPy that need no compiler or device."""

import numpy as np
from served import sampler, serve

rng = np.random.default_rng(0)


def numbers(*shape, dtype=np.float32):
    return rng.random(shape).astype(dtype)


def on(x, f):
    return sampler(lambda: f(x))


def hundred(x):
    for _ in range(50):
        x = x * np.float32(0.5) + np.float32(1.0)
    return x


def chain(v):
    return np.tanh(2 * v + 1) * np.exp(-v * v) + np.sqrt(np.abs(v))


def setting(x):
    y = x.copy()
    y[0] = 7
    return y


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def layer_norm(x):
    c = x - x.mean(1, keepdims=True)
    return c / np.sqrt((c * c).mean(1, keepdims=True) + np.float32(1e-5))


serve({
    "add f32[4], awaited": lambda: on(numbers(4), lambda x: x + x),
    "add f32[1000], awaited": lambda: on(numbers(1000), lambda x: x + x),
    "100 operations on f32[1000]": lambda: on(numbers(1000), hundred),
    "x[0]": lambda: on(numbers(1000), lambda x: x[0]),
    "x[1:3]": lambda: on(numbers(1000), lambda x: x[1:3]),
    "x[0] = v": lambda: on(numbers(1000), setting),
    "matmul 1024 f32": lambda: on(numbers(1024, 1024), lambda x: x @ x),
    "matmul 1024 f64": lambda: on(numbers(1024, 1024, dtype=np.float64), lambda x: x @ x),
    "matmul 2048 f32": lambda: on(numbers(2048, 2048), lambda x: x @ x),
    "matmul 2048 f64": lambda: on(numbers(2048, 2048, dtype=np.float64), lambda x: x @ x),
    "sum of 4096 x 4096 over axis 0, jit": lambda: on(numbers(4096, 4096), lambda x: x.sum(0)),
    "sum of 4096 x 4096 over axis 1, jit": lambda: on(numbers(4096, 4096), lambda x: x.sum(1)),
    "sum of 4096 x 4096, jit": lambda: on(numbers(4096, 4096), lambda x: x.sum()),
    "softmax of 4096 x 1024, jit": lambda: on(numbers(4096, 1024), softmax),
    "layer norm of 4096 x 1024, jit": lambda: on(numbers(4096, 1024), layer_norm),
    "elementwise chain on 10M, eager": lambda: on(numbers(10_000_000), chain),
    "exp of 10M": lambda: on(numbers(10_000_000), np.exp),
    "sort of 1M": lambda: on(numbers(1_000_000), np.sort),
    "10M normals": lambda: on(None, lambda _: rng.standard_normal(10_000_000, dtype=np.float32)),
    "100 MB to the device": lambda: on(numbers(25_000_000), np.copy),
})
