"""Workloads of training with Flax and Optax."""

import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax_gradients import waves
from served import sampler


def train(model, x, y):
    """An Adam step for model, whose call returns logits for x; y holds the classes."""
    opt = optax.adam(1e-3)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def update(params, state, x, y):
        value, grads = jax.value_and_grad(
            lambda p: optax.softmax_cross_entropy_with_integer_labels(model.apply(p, x), y).mean()
        )(params)
        changes, state = opt.update(grads, state, params)
        return value, optax.apply_updates(params, changes), state

    params = jax.jit(model.init)(jax.random.key(0), x)
    held = [params, opt.init(params)]
    jax.block_until_ready(held)

    def step():
        value, *held[:] = update(*held, x, y)
        jax.block_until_ready((value, held))

    return sampler(step)


def multilayer():
    model = nn.Sequential([nn.Dense(128), nn.relu, nn.Dense(10)])
    return train(model, waves(128, 784), jnp.arange(128) % 10)


def convolutional():
    pool = lambda x: nn.max_pool(x, (2, 2), (2, 2))
    model = nn.Sequential([
        nn.Conv(32, (3, 3)), nn.relu, pool,
        nn.Conv(64, (3, 3)), nn.relu, pool,
        lambda x: x.reshape(x.shape[0], -1), nn.Dense(128), nn.relu, nn.Dense(10),
    ])  # fmt: skip
    return train(model, waves(32, 28, 28, 1), jnp.arange(32) % 10)


class Block(nn.Module):
    """A transformer block with the normalization before each part."""

    @nn.compact
    def __call__(self, x):
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(4)(y, mask=nn.make_causal_mask(jnp.ones(x.shape[:-1])))
        return x + nn.Dense(64)(nn.relu(nn.Dense(256)(nn.LayerNorm()(x))))


def transformer():
    model = nn.Sequential([nn.Embed(64, 64), Block(), Block(), nn.LayerNorm(), nn.Dense(64)])
    x = (jnp.arange(16 * 64) * 7 % 64).reshape(16, 64)
    return train(model, x, (x + 1) % 64)
