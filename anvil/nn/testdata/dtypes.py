"""Writes dtypes.txt: the dtypes that the layers of flax 0.12.8 (jax 0.10.2, 64-bit dtypes
enabled) give for inputs x, with dtype and param_dtype.

    pip install jax==0.10.2 flax==0.12.8
    python dtypes.py

A line has layer, dtype of x, dtype ("-" if unset), param_dtype, and the dtype of the
result, found by an abstract evaluation.
"""

import functools
import pathlib

import jax
import jax.numpy as jnp
from flax import linen as nn

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

NAMES = {"i1": "bool", "i32": "int32", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
LAYERS = {
    "Dense": (functools.partial(nn.Dense, 4), (2, 3)),
    "Conv": (functools.partial(nn.Conv, 4, (3,)), (2, 5, 3)),
    "ConvTranspose": (functools.partial(nn.ConvTranspose, 4, (3,)), (2, 5, 3)),
    "Embed": (functools.partial(nn.Embed, 5, 3), (2, 3)),
    "LayerNorm": (nn.LayerNorm, (2, 4)),
    "RMSNorm": (nn.RMSNorm, (2, 4)),
    "GroupNorm": (functools.partial(nn.GroupNorm, num_groups=2), (2, 4)),
    "BatchNorm": (functools.partial(nn.BatchNorm, use_running_average=False), (2, 4)),
    "MultiHeadAttention": (functools.partial(nn.MultiHeadDotProductAttention, num_heads=2), (2, 3, 4)),
}


def rows():
    for layer, (make, shape) in LAYERS.items():
        for x in NAMES:
            for d in ["-", "bf16", "f16", "f32", "f64", "c64", "c128"]:
                for p in ["bf16", "f32", "f64", "c64"]:
                    m = make(dtype=None if d == "-" else jnp.dtype(NAMES[d]), param_dtype=jnp.dtype(NAMES[p]))
                    try:
                        y, _ = jax.eval_shape(m.init_with_output, jax.random.key(0), jax.ShapeDtypeStruct(shape, NAMES[x]))
                        result = next(n for n, l in NAMES.items() if l == str(y.dtype))
                    except Exception as e:
                        result = type(e).__name__
                    yield f"{layer} {x} {d} {p} {result}\n"


pathlib.Path(__file__).with_name("dtypes.txt").write_text("".join(rows()))
