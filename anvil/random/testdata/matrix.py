"""Writes matrix.txt: what jax.random draws of matrices and vectors, with jax 0.10.2.

    python matrix.py > matrix.txt

A line is: sampler, dtype, seed, the shape asked for, and the elements.
"""

import jax
import numpy as np
from jax import random

MEAN = [1.0, -2.0, 0.5]
COV = [[2.0, 0.5, 0.25], [0.5, 1.0, -0.5], [0.25, -0.5, 3.0]]
SAMPLERS = {
    "normal": lambda k, s, d: random.multivariate_normal(k, np.array(MEAN, d), np.array(COV, d), s),
    "orthogonal": lambda k, s, d: random.orthogonal(k, 4, s, d),
}

for d in "float32", "float64":
    with jax.enable_x64(d == "float64"):
        for name, draw in SAMPLERS.items():
            for seed in 0, 42, 2024:
                for shape in (), (4,), (2, 2):
                    x = np.asarray(draw(random.key(seed), shape, d)).ravel().astype(float)
                    print(name, d, seed, "x".join(map(str, shape)) or "-", *(repr(float(v)) for v in x))
