"""The workloads in JAX."""

import time

import jax
import jax.numpy as jnp
import numpy as np

import jax_gradients
from served import repeat, sampler, serve


def adding(n):
    x, y = jnp.arange(n, dtype=jnp.float32), jnp.ones(n, jnp.float32)
    return sampler(lambda: (x + y).block_until_ready())


def hundred(n):
    x = jnp.ones(n, jnp.float32)

    def step():
        y = x
        for _ in range(50):
            y = y * 0.5 + 1.0
        y.block_until_ready()

    return sampler(step)


def expression(x):
    return jnp.sqrt(jnp.abs(jnp.tanh(2 * x + 1) * jnp.exp(-x * x) - x / 3)) + jnp.sin(x)


def training(model):
    import jax_training  # slow: imported only here, so that JAX's start is measured without it

    return getattr(jax_training, model)()


lengths = iter(range(1001, 10_000_000))


def never_seen(function, jit=False, beyond=0):
    """Seconds of function on arrays of new lengths, each longer than beyond."""

    def step():
        x = jnp.arange(beyond + next(lengths), dtype=jnp.float32)
        x.block_until_ready()
        f = jax.jit(function) if jit else function
        start = time.perf_counter()
        f(x).block_until_ready()
        return time.perf_counter() - start

    return repeat(step)


def ten_first():
    def step():
        x = jnp.arange(12, dtype=jnp.float32).reshape(3, 4)
        for y in (
            x, x * 2 + 1, x.sum(), x.mean(0), x.T @ x, jnp.exp(x), x[1], jnp.where(x > 5, x, 0), x.max(1),
            jnp.sort(x.reshape(12)),
        ):  # fmt: skip
            np.asarray(y)

    return sampler(step)


def setting():
    x, v = jnp.arange(1000, dtype=jnp.float32), jnp.float32(7)
    return sampler(lambda: x.at[0].set(v).block_until_ready())


def exponential():
    x = jnp.asarray(np.random.default_rng(0).random(10_000_000), jnp.float32)
    return sampler(lambda: jnp.exp(x).block_until_ready())


def sorting():
    x = jnp.asarray(np.random.default_rng(0).random(1_000_000), jnp.float32)
    return sampler(lambda: jnp.sort(x).block_until_ready())


def normals():
    k = jax.random.key(1)
    return sampler(lambda: jax.random.normal(k, (10_000_000,)).block_until_ready())


def matmul(n, dtype):
    jax.config.update("jax_enable_x64", dtype == "float64")
    x = jnp.asarray(np.random.default_rng(0).random((n, n)), dtype)
    return sampler(lambda: (x @ x).block_until_ready())


def chain(n, jit):
    x = jnp.asarray(np.random.default_rng(0).random(n), jnp.float32)
    f = lambda v: jnp.tanh(2 * v + 1) * jnp.exp(-v * v) + jnp.sqrt(jnp.abs(v))
    f = jax.jit(f) if jit else f
    return sampler(lambda: f(x).block_until_ready())


def jitted(f, *shapes):
    xs = [jnp.asarray(np.random.default_rng(0).random(s), jnp.float32) for s in shapes]
    g = jax.jit(f)
    return sampler(lambda: g(*xs).block_until_ready())


def layer_norm(x):
    away = x - x.mean(-1, keepdims=True)
    return away * jax.lax.rsqrt((away * away).mean(-1, keepdims=True) + 1e-5)


def convolution(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def shown(n):
    x = jnp.asarray(np.random.default_rng(0).random(n, dtype=np.float32))
    x.block_until_ready()
    return sampler(lambda: repr(x))


def indexing(index):
    x = jnp.arange(1000, dtype=jnp.float32)
    return sampler(lambda: x[index].block_until_ready())


def arguments(n):
    f = jax.jit(lambda *xs: sum(xs[1:], xs[0] + xs[0]))
    xs = [jnp.full(4, i, jnp.float32) for i in range(n)]
    return sampler(lambda: f(*xs).block_until_ready())


def to_device(n):
    values = np.random.default_rng(0).random(n, dtype=np.float32)
    return sampler(lambda: jnp.array(values).block_until_ready())


def to_host(n):
    x = jnp.asarray(np.random.default_rng(0).random(n, dtype=np.float32))
    x.block_until_ready()
    return sampler(lambda: np.array(x))


WORK = {
    "add f32[4], awaited": lambda: adding(4),
    "add f32[1000], awaited": lambda: adding(1000),
    "100 operations on f32[1000]": lambda: hundred(1000),
    "ten-operation expression, never seen": lambda: never_seen(expression),
    "large expression, never seen": lambda: never_seen(expression, beyond=100_000),
    "ten-operation expression, never seen, to jit": lambda: never_seen(expression, jit=True),
    "ten first operations": ten_first,
    "first add of a shape": lambda: never_seen(lambda x: x + x),
    "jit of 1 argument": lambda: arguments(1),
    "jit of 10 arguments": lambda: arguments(10),
    "jit of 100 arguments": lambda: arguments(100),
    "x[0]": lambda: indexing(0),
    "x[1:3]": lambda: indexing(slice(1, 3)),
    "x[0] = v": setting,
    "matmul 1024 f32": lambda: matmul(1024, "float32"),
    "matmul 1024 f64": lambda: matmul(1024, "float64"),
    "matmul 2048 f32": lambda: matmul(2048, "float32"),
    "matmul 2048 f64": lambda: matmul(2048, "float64"),
    "sum of 4096 x 4096 over axis 0, jit": lambda: jitted(lambda x: x.sum(0), (4096, 4096)),
    "sum of 4096 x 4096 over axis 1, jit": lambda: jitted(lambda x: x.sum(1), (4096, 4096)),
    "sum of 4096 x 4096, jit": lambda: jitted(lambda x: x.sum(), (4096, 4096)),
    "softmax of 4096 x 1024, jit": lambda: jitted(lambda x: jax.nn.softmax(x, axis=1), (4096, 1024)),
    "layer norm of 4096 x 1024, jit": lambda: jitted(layer_norm, (4096, 1024)),
    "exp of 10M": exponential,
    "sort of 1M": sorting,
    "10M normals": normals,
    "Adam step of an MLP, 784-128-10": lambda: training("multilayer"),
    "Adam step of a CNN, 28x28, batch 32": lambda: training("convolutional"),
    "Adam step of a transformer, 16x64": lambda: training("transformer"),
    "conv 3x3, 8 images of 56x56x64, jit": lambda: jitted(convolution, (8, 56, 56, 64), (3, 3, 64, 64)),
    "FFT of 64 x 4096, jit": lambda: jitted(jnp.fft.fft, (64, 4096)),
    "elementwise chain on 10M, eager": lambda: chain(10_000_000, False),
    "elementwise chain on 10M, jit": lambda: chain(10_000_000, True),
    "100 MB to the device": lambda: to_device(25_000_000),
    "100 MB to the host": lambda: to_host(25_000_000),
    "repr of 1e3": lambda: shown(1_000),
    "repr of 1e6": lambda: shown(1_000_000),
    "repr of 1e8": lambda: shown(100_000_000),
}

serve(WORK | jax_gradients.WORK)
