"""Writes layers.json: what the layers of flax 0.12.8 (jax 0.10.2) compute, with gradients.

    pip install jax==0.10.2 flax==0.12.8
    python layers.py [beginning of a case's name]...

Each case has tensors by name: the inputs x, the parameters as package nn calls them
("p.Kernel"), the cotangent ct, the result y, the gradients of the sum of real(y*ct)
("g.x", "g.Kernel"; for complex numbers df/dx + i df/dy, the conjugate of JAX's), and the
new state ("s.Mean").
"""

import json
import pathlib
import sys
import zlib

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

DTYPES = {"f64": jnp.float64, "f32": jnp.float32, "f16": jnp.float16, "bf16": jnp.bfloat16, "c64": jnp.complex64}
FLOATS = ["f64", "f32", "f16", "bf16"]
NUMBERS = FLOATS + ["c64"]
NAMES = {jnp.dtype(d): n for n, d in DTYPES.items()} | {jnp.dtype("int32"): "i32", jnp.dtype("bool"): "i1", jnp.dtype("complex128"): "c128"}


def tensor(rng, shape, d):
    a = rng.normal(size=shape)
    if jnp.issubdtype(d, jnp.complexfloating):
        a = (a + 1j * rng.normal(size=shape)) / 2  # away from the poles of tanh
    return jnp.asarray(a * 0.7, d)


def record(a):
    a = np.asarray(a)
    name = NAMES[jnp.dtype(a.dtype)]
    if np.iscomplexobj(a):
        data = [float(v) for z in a.ravel().astype(np.complex128) for v in (z.real, z.imag)]
    else:
        data = [float(v) for v in a.ravel().astype(np.float64)]
    return {"dtype": name, "shape": list(a.shape), "data": data}


FILE = pathlib.Path(__file__).with_name("layers.json")
cases = json.loads(FILE.read_text()) if sys.argv[1:] else {}


def case(name, dtypes, params, x, call, state=None, exact=False):
    """call(p, x, s) returns the result, or with a state the result and the new state. If exact is true it is computed in f64."""
    for dn in dtypes:
        if not name.startswith(tuple(sys.argv[1:]) or ""):
            continue
        d = DTYPES[dn]
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        p = {k: tensor(rng, s, d) for k, s in params.items()}
        xs = x(rng) if callable(x) else tensor(rng, x, d)
        s = {} if state is None else {k: f(rng, d) for k, f in state.items()}
        if exact:
            p, xs = jax.tree.map(lambda a: a.astype(jnp.float64), (p, xs))
        out = call(p, xs, s)
        y, after = out if state is not None else (out, {})
        if exact:
            y = y.astype(d)
        ct = tensor(rng, y.shape, y.dtype)

        def loss(p, xs):
            out = call(p, xs, s)
            y = out[0] if state is not None else out
            return jnp.sum(jnp.real(y * ct).astype(jnp.float64))

        floats = jnp.issubdtype(xs.dtype, jnp.inexact)
        g = jax.grad(loss, argnums=(0, 1) if floats else (0,))(p, xs)
        c = {"x": xs, "y": y, "ct": ct}
        c |= {"p." + k: v for k, v in p.items()} | {"g." + k: jnp.conj(v) for k, v in g[0].items()}
        c |= {"b." + k: v for k, v in s.items()} | {"s." + k: v for k, v in after.items()}
        if floats:
            c["g.x"] = jnp.conj(g[1])
        if exact:
            c = {k: v.astype(d) for k, v in c.items()}
        cases[f"{name} {dn}"] = {k: record(v) for k, v in c.items()}


def plain(module, **names):
    """The call of a module whose parameters are those of nn under other names."""
    return lambda p, x, s: module.apply({"params": {flax: p[ours] for ours, flax in names.items() if ours in p}}, x)


KB = {"Kernel": "kernel", "Bias": "bias"}
SB = {"Scale": "scale", "Bias": "bias"}

case("dense", NUMBERS, {"Kernel": (3, 4), "Bias": (4,)}, (2, 3), plain(nn.Dense(4), **KB))
case("dense nobias", ["f32"], {"Kernel": (3, 4)}, (2, 5, 3), plain(nn.Dense(4, use_bias=False), **KB))
case("conv1", NUMBERS, {"Kernel": (3, 2, 4), "Bias": (4,)}, (2, 6, 2), plain(nn.Conv(4, (3,)), **KB))
case("conv2 stride", FLOATS, {"Kernel": (3, 2, 2, 4), "Bias": (4,)}, (1, 5, 6, 2), plain(nn.Conv(4, (3, 2), strides=2), **KB))
case("conv2 padding", ["f64"], {"Kernel": (3, 3, 2, 3)}, (1, 5, 6, 2), plain(nn.Conv(3, (3, 3), strides=(2, 1), padding=1, kernel_dilation=2, use_bias=False), **KB))
case("conv2 groups", ["f64"], {"Kernel": (2, 2, 2, 4), "Bias": (4,)}, (2, 4, 4, 4), plain(nn.Conv(4, (2, 2), feature_group_count=2, padding="VALID"), **KB))
case("conv3", ["f64"], {"Kernel": (2, 2, 2, 1, 2), "Bias": (2,)}, (1, 3, 3, 3, 1), plain(nn.Conv(2, (2, 2, 2)), **KB))
case("convtranspose1", NUMBERS, {"Kernel": (3, 2, 4), "Bias": (4,)}, (2, 4, 2), plain(nn.ConvTranspose(4, (3,), strides=(2,)), **KB))
case("convtranspose2", ["f64"], {"Kernel": (2, 4, 2, 3), "Bias": (3,)}, (1, 3, 3, 2), plain(nn.ConvTranspose(3, (2, 4), strides=(3, 2)), **KB))
case("convtranspose2 valid", ["f64"], {"Kernel": (2, 4, 2, 3), "Bias": (3,)}, (1, 3, 3, 2), plain(nn.ConvTranspose(3, (2, 4), strides=(3, 2), padding="VALID"), **KB))
case("convtranspose2 dilation", ["f64"], {"Kernel": (2, 3, 2, 3)}, (1, 3, 3, 2), plain(nn.ConvTranspose(3, (2, 3), strides=(1, 2), kernel_dilation=(2, 2), use_bias=False), **KB))
case("convtranspose3", ["f64"], {"Kernel": (2, 2, 2, 1, 2), "Bias": (2,)}, (1, 2, 2, 2, 1), plain(nn.ConvTranspose(2, (2, 2, 2), strides=(2, 2, 2)), **KB))
case("embed", NUMBERS, {"Embedding": (5, 3)}, lambda rng: jnp.asarray(rng.integers(0, 5, (2, 4)), jnp.int32), plain(nn.Embed(5, 3), Embedding="embedding"))
case("embed attend", NUMBERS, {"Embedding": (5, 3)}, (2, 3), lambda p, x, s: nn.Embed(5, 3).apply({"params": {"embedding": p["Embedding"]}}, x, method="attend"))
case("layernorm", NUMBERS, {"Scale": (6,), "Bias": (6,)}, (2, 3, 6), plain(nn.LayerNorm(), **SB))
case("layernorm plain", NUMBERS, {}, (2, 6), plain(nn.LayerNorm(use_scale=False, use_bias=False)))
case("rmsnorm", NUMBERS, {"Scale": (6,)}, (2, 3, 6), plain(nn.RMSNorm(), **SB))
case("groupnorm", NUMBERS, {"Scale": (6,), "Bias": (6,)}, (2, 3, 2, 6), plain(nn.GroupNorm(num_groups=3), **SB))


def batchnorm(train):
    def call(p, x, s):
        m = nn.BatchNorm(use_running_average=not train, momentum=0.9)
        y, after = m.apply({"params": {"scale": p["Scale"], "bias": p["Bias"]}, "batch_stats": {"mean": s["Mean"], "var": s["Var"]}}, x, mutable=["batch_stats"])
        return y, {"Mean": after["batch_stats"]["mean"], "Var": after["batch_stats"]["var"]}

    return call


def wide(d):
    return jnp.promote_types(d, jnp.float32)


running = {"Mean": lambda rng, d: tensor(rng, (3,), wide(d)), "Var": lambda rng, d: jnp.abs(tensor(rng, (3,), wide(d))) + 0.5}
case("batchnorm train", NUMBERS, {"Scale": (3,), "Bias": (3,)}, (4, 2, 3), batchnorm(True), running)
case("batchnorm", NUMBERS, {"Scale": (3,), "Bias": (3,)}, (4, 2, 3), batchnorm(False), running)


def attention(mask=None, **settings):
    def call(p, x, s):
        m = nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=4, out_features=3, dtype=x.dtype, **settings)
        heads = lambda n: {"kernel": p[n + ".Kernel"].reshape(x.shape[-1], 2, 2), "bias": p[n + ".Bias"].reshape(2, 2)}
        params = {"query": heads("Query"), "key": heads("Key"), "value": heads("Value"),
                  "out": {"kernel": p["Out.Kernel"].reshape(2, 2, 3), "bias": p["Out.Bias"]}}
        return m.apply({"params": params}, x, mask=None if mask is None else mask(x))

    return call


projections = {n + "." + k: s for n in ["Query", "Key", "Value"] for k, s in [("Kernel", (5, 4)), ("Bias", (4,))]}
projections |= {"Out.Kernel": (4, 3), "Out.Bias": (3,)}
case("attention", ["f64", "f32"], projections, (2, 4, 5), attention())
# In halves Flax computes the scores and their gradients in halves; package nn does not.
case("attention half", ["f16", "bf16"], projections, (2, 4, 5), attention(), exact=True)
causal = attention(lambda x: nn.make_causal_mask(jnp.ones(x.shape[:-1])))
case("attention causal", ["f64", "f32"], projections, (2, 4, 5), causal)
case("attention causal half", ["f16", "bf16"], projections, (2, 4, 5), causal, exact=True)


def decode(p, x, s):
    """One element of x after the other, with flax's cache, whose axes are (batch, length, heads, features)."""
    m = nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=4, out_features=3, decode=True)
    heads = lambda n: {"kernel": p[n + ".Kernel"].reshape(x.shape[-1], 2, 2), "bias": p[n + ".Bias"].reshape(2, 2)}
    params = {"query": heads("Query"), "key": heads("Key"), "value": heads("Value"),
              "out": {"kernel": p["Out.Kernel"].reshape(2, 2, 3), "bias": p["Out.Bias"]}}
    cache = jax.tree.map(jnp.zeros_like, m.init(jax.random.key(0), x)["cache"])
    cache = jax.tree.map(lambda a: a.astype(x.dtype) if a.ndim else a, cache)
    ys = []
    for i in range(x.shape[1]):
        y, after = m.apply({"params": params, "cache": cache}, x[:, i : i + 1], mutable=["cache"])
        cache = after["cache"]
        ys.append(y)
    return jnp.concatenate(ys, 1), {"Key": jnp.swapaxes(cache["cached_key"], 1, 2), "Value": jnp.swapaxes(cache["cached_value"], 1, 2)}


case("attention decode", ["f64", "f32"], projections, (2, 4, 5), decode, {})
case("attention decode half", ["f16", "bf16"], projections, (2, 4, 5), decode, {}, exact=True)


def cell(make):
    """An RNN over a cell of flax, whose matrices package nn has side by side."""

    def call(p, x, s):
        n = p["Recurrent"].shape[0]
        block = lambda a, i: a[..., i * n : (i + 1) * n]
        return make(p, x, n, block)

    return call


def lstm(p, x, n, block):
    params = {}
    for i, g in enumerate("ifgo"):
        params["i" + g] = {"kernel": block(p["Kernel"], i)}
        params["h" + g] = {"kernel": block(p["Recurrent"], i), "bias": block(p["Bias"], i)}
    return rnn(nn.LSTMCell(n, param_dtype=x.dtype), params, x, "ch")


def gru(p, x, n, block):
    params = {"hn": {"kernel": block(p["Recurrent"], 2), "bias": p["RecurrentBias"]}}
    for i, g in enumerate("rzn"):
        params["i" + g] = {"kernel": block(p["Kernel"], i), "bias": block(p["Bias"], i)}
        if g != "n":
            params["h" + g] = {"kernel": block(p["Recurrent"], i)}
    return rnn(nn.GRUCell(n, param_dtype=x.dtype), params, x, "h")


def rnn(cell, params, x, names):
    carry = cell.initialize_carry(jax.random.key(0), x[:, 0].shape)
    carry = jax.tree.map(lambda a: a.astype(x.dtype), carry)
    ys = []
    for i in range(x.shape[1]):
        carry, y = cell.apply({"params": params}, carry, x[:, i])
        ys.append(y)
    return jnp.stack(ys, 1), dict(zip(names, jax.tree.leaves(carry)))


case("lstm", NUMBERS, {"Kernel": (3, 8), "Recurrent": (2, 8), "Bias": (8,)}, (2, 4, 3), cell(lstm), {})
case("gru", NUMBERS, {"Kernel": (3, 6), "Recurrent": (2, 6), "Bias": (6,), "RecurrentBias": (2,)}, (2, 4, 3), cell(gru), {})

case("maxpool", FLOATS, {}, (1, 4, 6, 2), lambda p, x, s: nn.max_pool(x, (2, 3), strides=(2, 3)))
case("avgpool", FLOATS, {}, (1, 5, 5, 2), lambda p, x, s: nn.avg_pool(x, (2, 2), strides=(2, 2)))

lines = ",\n".join(json.dumps(n) + ":" + json.dumps(c, separators=(",", ":")) for n, c in cases.items())
FILE.write_text("{\n" + lines + "\n}\n")
