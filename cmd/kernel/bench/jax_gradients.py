"""Workloads of derivatives in JAX."""

import itertools
import time

import jax
import jax.numpy as jnp
import numpy as np
from served import repeat, sampler


def waves(*shape):
    """Numbers between -0.05 and 0.05."""
    return (jnp.sin(jnp.arange(np.prod(shape), dtype=jnp.float32)) * 0.05).reshape(shape)


def five(x):
    return jnp.sum(jnp.tanh(x * x + x) * x)


def eager_gradient(g):
    x = jnp.arange(1, 5, dtype=jnp.float32)
    return sampler(lambda: g(x).block_until_ready())


def forward(layers, x):
    """The outputs of a network whose inner layers end with a relu."""
    for w, b in layers[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def classification(layers, x, y):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(forward(layers, x)) * y, axis=1))


def squares(layers, x, y):
    away = forward(layers, x) - y
    return jnp.mean(away * away)


def mnist():
    """A batch of 128 images and their classes."""
    return waves(128, 784), (jnp.arange(128)[:, None] % 10 == jnp.arange(10)).astype(jnp.float32)


def regression():
    return waves(128, 10), waves(128, 1)


def network(*sizes):
    return [(waves(n, m), waves(m)) for n, m in itertools.pairwise(sizes)]


def mlp_step(data, loss, *sizes):
    layers, (x, y) = network(*sizes), data()
    grad = jax.grad(loss)
    update = jax.jit(lambda layers, x, y: jax.tree.map(lambda p, d: p - 0.1 * d, layers, grad(layers, x, y)))
    return sampler(lambda: jax.block_until_ready(update(layers, x, y)))


def small_step():
    """A step with almost nothing to compute for a model of 20 tensors."""
    update = jax.jit(lambda model: jax.tree.map(lambda p: p - 0.1 * p, model), donate_argnums=0)
    held = [{f"layers_{i}": {"kernel": waves(2, 2), "bias": waves(2)} for i in range(10)}]

    def step():
        held[0] = jax.block_until_ready(update(held[0]))

    return sampler(step)


def per_example():
    layers, (x, y) = network(784, 128, 10), mnist()
    one = lambda layers, x, y: jax.grad(classification)(layers, x[None], y[None])
    each = jax.jit(jax.vmap(one, in_axes=(None, 0, 0)))
    return sampler(lambda: jax.block_until_ready(each(layers, x, y)))


def of_hessian(w):
    return lambda x: jnp.sum(jnp.tanh((w @ x) * jnp.sin(x)))


def hessian_never_seen():
    """Hessians for 100 to 103 inputs, each compiled separately."""
    lengths = itertools.cycle(range(100, 104))

    def step():
        n = next(lengths)
        x, h = waves(n), jax.jit(jax.hessian(of_hessian(waves(n, n))))
        x.block_until_ready()
        start = time.perf_counter()
        h(x).block_until_ready()
        return time.perf_counter() - start

    return repeat(step)


def hessian():
    w, x = waves(100, 100), waves(100)
    h = jax.jit(lambda w, x: jax.hessian(of_hessian(w))(x))
    return sampler(lambda: h(w, x).block_until_ready())


def gaussian_process():
    n = 1000
    at, y = jnp.arange(n, dtype=jnp.float32) * 0.01, waves(n)

    def loss(p, at, y):
        d = (at[:, None] - at) / jnp.exp(p[0])
        k = jnp.exp(-0.5 * d * d) + jnp.exp(p[1]) * jnp.eye(n, dtype=jnp.float32)
        l = jnp.linalg.cholesky(k)
        a = jax.scipy.linalg.solve_triangular(l, y, lower=True)
        return 0.5 * jnp.sum(a * a) + jnp.sum(jnp.log(jnp.diagonal(l)))

    g, p = jax.jit(jax.grad(loss)), jnp.array([0.0, -1.0], dtype=jnp.float32)
    return sampler(lambda: g(p, at, y).block_until_ready())


def scanned(w, h, x):
    return jnp.tanh(h @ w + x)


def scan_gradient(f):
    w, h, xs = waves(64, 64), waves(128, 64), jnp.zeros(1000, dtype=jnp.float32)
    g = jax.jit(jax.grad(lambda w, h, xs: jnp.sum(jax.lax.scan(lambda h, x: (f(w, h, x), x), h, xs)[0])))
    return sampler(lambda: g(w, h, xs).block_until_ready())


WORK = {
    "eager gradient of five operations": lambda: eager_gradient(jax.grad(five)),
    "eager gradient of a gradient": lambda: eager_gradient(jax.grad(lambda x: jnp.sum(jax.grad(five)(x)))),
    "MLP step, 784-128-10, batch 128, jit": lambda: mlp_step(mnist, classification, 784, 128, 10),
    "MLP step, 10-4x160-1, batch 128, jit": lambda: mlp_step(regression, squares, 10, 160, 160, 160, 160, 1),
    "step of 20 tensors, jit": small_step,
    "per-example gradients of 128, jit": per_example,
    "Hessian of 100, never seen": hessian_never_seen,
    "Hessian of 100, jit": hessian,
    "gradient of a Gaussian process, jit": gaussian_process,
    "gradient of Scan of 1,000 steps, jit": lambda: scan_gradient(scanned),
    "gradient of checkpointed Scan, jit": lambda: scan_gradient(jax.checkpoint(scanned)),
}
