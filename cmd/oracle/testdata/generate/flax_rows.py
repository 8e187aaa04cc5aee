"""Rows of Flax: python flax_rows.py flax.json

The dtypes in which its layers compute and which they store. Layers are traced, not run, except for rows of values.
A process runs either with x64 or without, so the program runs itself once for each.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

import rows
from rows import short

LAYERS = "Dense DenseGeneral Conv Embed LayerNorm RMSNorm GroupNorm BatchNorm MultiHeadDotProductAttention MHDPA.decode LSTMCell".split()
NNX = "Linear LinearGeneral Conv Embed LayerNorm RMSNorm GroupNorm BatchNorm MultiHeadAttention LSTMCell".split()


def outcome(f):
    try:
        return f()
    except Exception as e:
        return {"error": rows.error(e, 200)}


def kinds(tree):
    """The distinct dtypes of a tree's leaves."""
    return sorted({short(x.dtype) for x in jax.tree.leaves(tree)})


def named(tree):
    """The dtypes of a state's leaves, by their names in the layer."""
    flat = jax.tree_util.tree_flatten_with_path(tree)[0]
    return {str(getattr(path[-1], "key", path[-1])): short(x.dtype) for path, x in flat}


def grid(layers):
    """The layers with dtypes of parameters and inputs. Embed, whose input is an index, also has integers."""
    for layer in layers:
        for x, d, p in itertools.product(INPUTS + ["i8", "ui8"] * (layer == "Embed"), [None] + COMPUTED, PARAMS):
            yield layer, x, d, p


def array(d, *shape):
    return jnp.ones(shape or (2, 4), DTYPES[d])


def of(layer, d, p):
    """The module of a layer, and a function that makes the arguments of its call from the dtype of the input."""
    k = {"dtype": d and DTYPES[d], "param_dtype": DTYPES[p]}
    wide = lambda x: (array(x, 2, 8, 4),)
    return {
        "Dense": lambda: (nn.Dense(3, **k), lambda x: (array(x),)), "DenseGeneral": lambda: (nn.DenseGeneral(3, **k), lambda x: (array(x),)),
        "Conv": lambda: (nn.Conv(3, (3,), **k), wide), "Embed": lambda: (nn.Embed(4, 3, **k), lambda x: (array(x, 2),)),
        "LayerNorm": lambda: (nn.LayerNorm(**k), lambda x: (array(x),)), "RMSNorm": lambda: (nn.RMSNorm(**k), lambda x: (array(x),)),
        "GroupNorm": lambda: (nn.GroupNorm(num_groups=2, **k), lambda x: (array(x),)),
        "BatchNorm": lambda: (nn.BatchNorm(use_running_average=False, **k), lambda x: (array(x),)),
        "MultiHeadDotProductAttention": lambda: (nn.MultiHeadDotProductAttention(2, **k), wide),
        "MHDPA.decode": lambda: (nn.MultiHeadDotProductAttention(2, decode=True, **k), wide),
        "LSTMCell": lambda: (nn.RNN(nn.LSTMCell(3, **k)), lambda x: (array(x, 2, 5, 4),)),
    }[layer]()


def linen():
    for layer, x, d, p in grid(LAYERS):
        def ask():
            module, inputs = of(layer, d, p)
            xs = inputs(x)
            made = jax.eval_shape(lambda: module.init(jax.random.key(0), *xs))
            step = xs if layer != "MHDPA.decode" else (array(x, 2, 1, 4),)  # one place at a time
            got = jax.eval_shape(lambda v: module.apply(v, *step, mutable=True)[0], made)
            state = {k: named(v) for k, v in made.items() if k != "params"}
            return {"result": short(got.dtype), "params": kinds(made.get("params", {}))} | ({"state": state} if state else {})
        yield {"api": "linen", "layer": layer, "input": x, "dtype": d, "param_dtype": p} | outcome(ask)


def nnx():
    for layer, x, d, p in grid(NNX):
        def ask():
            k = {"dtype": d and DTYPES[d], "param_dtype": DTYPES[p], "rngs": fnnx.Rngs(0)}
            make = {"Linear": lambda: fnnx.Linear(4, 3, **k), "LinearGeneral": lambda: fnnx.LinearGeneral(4, 3, **k), "Conv": lambda: fnnx.Conv(4, 3, (3,), **k),
                    "Embed": lambda: fnnx.Embed(4, 3, **k), "LayerNorm": lambda: fnnx.LayerNorm(4, **k), "RMSNorm": lambda: fnnx.RMSNorm(4, **k),
                    "GroupNorm": lambda: fnnx.GroupNorm(4, num_groups=2, **k), "BatchNorm": lambda: fnnx.BatchNorm(4, **k),
                    "MultiHeadAttention": lambda: fnnx.MultiHeadAttention(2, 4, decode=False, **k), "LSTMCell": lambda: fnnx.RNN(fnnx.LSTMCell(4, 3, **k))}[layer]
            shape = {"Embed": (2,), "Conv": (2, 8, 4), "MultiHeadAttention": (2, 8, 4), "LSTMCell": (2, 5, 4)}.get(layer, (2, 4))
            module = make()
            y = module(array(x, *shape))
            params = kinds(fnnx.state(module, fnnx.Param))
            state = {path[-1]: short(v.value.dtype) for path, v in fnnx.to_flat_state(fnnx.state(make(), fnnx.BatchStat))}
            return {"result": short(y.dtype), "params": params} | ({"state": {"batch_stats": state}} if state else {})
        yield {"api": "nnx", "layer": layer, "input": x, "dtype": d, "param_dtype": p} | outcome(ask)


def batch_stats():
    for x, d, wide in itertools.product(STATS, [None, "bf16", "f16", "f32"], (True, False)):
        module = nn.BatchNorm(use_running_average=False, dtype=d and DTYPES[d], force_float32_reductions=wide)
        y, v = jax.eval_shape(lambda: module.init_with_output(jax.random.key(0), array(x)))
        yield {"layer": "BatchNorm", "input": x, "dtype": d, "force_float32_reductions": wide, "result": short(y.dtype), "stats": named(v["batch_stats"])}


def batch_stats_after_step():
    for x, d, wide in itertools.product(STATS + ["c64"], [None, "bf16", "f16", "f32"], (True, False)):
        module = nn.BatchNorm(use_running_average=False, dtype=d and DTYPES[d], force_float32_reductions=wide)

        def ask():
            v = module.init(jax.random.key(0), array(x))
            return {"stats": named(jax.eval_shape(lambda: module.apply(v, array(x), mutable=["batch_stats"])[1]["batch_stats"]))}
        yield {"layer": "BatchNorm", "input": x, "dtype": d, "force_float32_reductions": wide} | outcome(ask)


def promote_dtype():
    for x, p, d, inexact in itertools.product(INPUTS, PARAMS, [None] + COMPUTED, (True, False)):
        got = fdtypes.promote_dtype(array(x), array(p), dtype=d and DTYPES[d], inexact=inexact)
        yield {"input": x, "param": p, "dtype": d, "inexact": inexact, "result": short(got[0].dtype)}


def numeric():
    xs = [1000.0, -1000.0, 500.0, -500.0]
    for wide, d in itertools.product((True, False), ("f16", None)):
        module = nn.LayerNorm(force_float32_reductions=wide, dtype=d and DTYPES[d])
        y, _ = module.init_with_output(jax.random.key(0), jnp.array(xs, jnp.float16))
        yield {"case": f"LayerNorm{'' if d else '(dtype=None)'} on f16 [1000,-1000,500,-500]", "force_float32_reductions": wide, "dtype": short(y.dtype),
               "value": [round(float(v), 4) for v in y]}


def attention():
    for q, k, v, d in itertools.product(INPUTS, INPUTS, INPUTS, [None] + COMPUTED):
        def ask():
            y = jax.eval_shape(lambda: nn.dot_product_attention(array(q, 2, 3, 1, 4), array(k, 2, 3, 1, 4), array(v, 2, 3, 1, 4), dtype=d and DTYPES[d]))
            return {"result": short(y.dtype)}
        yield {"fn": "dot_product_attention", "query": q, "key": k, "value": v, "dtype": d} | outcome(ask)


def cache():
    for q, kv, d, p in itertools.product(INPUTS, INPUTS, [None] + COMPUTED, PARAMS):
        def ask():
            module = nn.MultiHeadDotProductAttention(2, decode=True, dtype=d and DTYPES[d], param_dtype=DTYPES[p])
            made = jax.eval_shape(lambda: module.init(jax.random.key(0), array(q, 2, 8, 4), array(kv, 2, 8, 4)))
            y, after = jax.eval_shape(lambda v: module.apply(v, array(q, 2, 1, 4), array(kv, 2, 1, 4), mutable=["cache"]), made)
            return {"result": short(y.dtype), "cache": named(after["cache"])}
        yield {"layer": "MultiHeadDotProductAttention", "query": q, "key": kv, "dtype": d, "param_dtype": p} | outcome(ask)


LISTS = [linen, nnx, batch_stats, batch_stats_after_step, promote_dtype, numeric, attention, cache]


def measure(wide, path):
    """Writes the lists of a process that runs with x64 if wide, and otherwise without."""
    global jax, jnp, nn, fnnx, fdtypes, DTYPES, INPUTS, COMPUTED, PARAMS, STATS
    import jax
    jax.config.update("jax_enable_x64", wide)
    import flax
    import jax.numpy as jnp
    from flax import linen as nn, nnx as fnnx
    from flax.linen import dtypes as fdtypes
    DTYPES = {"i8": jnp.int8, "ui8": jnp.uint8, "i32": jnp.int32, "bf16": jnp.bfloat16, "f16": jnp.float16, "f32": jnp.float32, "f64": jnp.float64,
              "c64": jnp.complex64, "c128": jnp.complex128}
    INPUTS = ["i32", "bf16", "f16", "f32"] + ["f64"] * wide + ["c64"] + ["c128"] * wide
    COMPUTED = ["bf16", "f16", "f32"] + ["f64"] * wide + ["c64"]
    PARAMS = ["f32", "bf16"] + ["f64"] * wide + ["c64"]
    STATS = ["f16", "bf16", "f32"] + ["f64"] * wide
    wanted = os.environ.get("LISTS", "").split()
    rows.write(path, {"version": flax.__version__, "jax": jax.__version__} | {f.__name__: [{"x64": wide} | row for row in f()] for f in LISTS if not wanted or f.__name__ in wanted})


def main(path):
    data = {"system": "flax"}
    for wide in (False, True):
        with tempfile.NamedTemporaryFile() as part:
            subprocess.run([sys.executable, __file__, part.name, str(wide)], check=True)
            for key, part in json.load(open(part.name)).items():
                data[key] = part if isinstance(part, str) else data.get(key, []) + part
    rows.write(path, data)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(sys.argv[2] == "True", sys.argv[1])
    else:
        main(sys.argv[1])
