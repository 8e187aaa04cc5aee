"""Writes initializer.txt: what jax.nn.initializers draw.

    python initializer.py > initializer.txt

A line is: initializer, dtype, seed, the shape, and the elements.
"""

import jax
import numpy as np
from jax.nn import initializers as init

DRAWS = {
    "GlorotUniform": init.glorot_uniform(), "GlorotNormal": init.glorot_normal(),
    "HeUniform": init.he_uniform(), "HeNormal": init.he_normal(),
    "LecunUniform": init.lecun_uniform(), "LecunNormal": init.lecun_normal(),
    "0.5,fan_out,normal": init.variance_scaling(0.5, "fan_out", "normal"),
    "3,fan_avg,truncated_normal": init.variance_scaling(3, "fan_avg", "truncated_normal"),
    "1.7,fan_out,uniform": init.variance_scaling(1.7, "fan_out", "uniform"),
}

print("# jax", jax.__version__)
for d in "float32", "float64", "bfloat16":
    with jax.enable_x64(d == "float64"):
        for name, draw in DRAWS.items():
            for seed, shape in ((0, (3, 5)), (42, (2, 2, 3, 2))):
                x = np.asarray(draw(jax.random.key(seed), shape, d)).ravel().astype(float)
                print(name, d, seed, "x".join(map(str, shape)), *(repr(float(v)) for v in x))
