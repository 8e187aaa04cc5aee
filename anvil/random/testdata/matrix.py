"""Writes matrix.txt: what jax.random draws of matrices and vectors, with jax 0.11.2 as it is
shipped, and OpenBLAS's kernels for Haswell.

    python matrix.py > matrix.txt

A line is: sampler, dtype, seed, the shape asked for, and the elements.

JAX takes its factors from LAPACK, whose sums have an order that depends on the processor. Of
the f32 factors of 200 drawn matrices of n rows, as many are not those of Haswell's kernels
with OPENBLAS_CORETYPE=SkylakeX, and =Prescott:

    n             2        3        4        5        8       16
    Cholesky   0   0   20   0   55   0   91  30  199 198  200 200
    QR        48   0  153   0  199 148  200 178  200 200  200 200

Bits can therefore be JAX's in covariances of up to four rows, and hardly in orthogonal matrices.
"""

import os

os.environ["OPENBLAS_CORETYPE"] = "Haswell"

import jax
import numpy as np
from jax import random

jax.config.update("jax_platforms", "cpu")


def covariances(n, d):
    """Two of n rows, of exact numbers."""
    a = ((np.arange(1, 2 * n * n + 1) ** 3 * 5 % 101 - 50) / 32).reshape(2, n, n)
    return (a @ a.transpose(0, 2, 1) + 0.25 * np.eye(n)).astype(d)


def normal(k, n, s, d, many=False):
    cov = covariances(n, d)
    return random.multivariate_normal(k, (np.arange(n) / 4).astype(d), cov if many else cov[0], s, d)


SAMPLERS = {
    "normal": lambda k, s, d: random.multivariate_normal(
        k, np.array([1.0, -2.0, 0.5], d), np.array([[2.0, 0.5, 0.25], [0.5, 1.0, -0.5], [0.25, -0.5, 3.0]], d), s),
    "normal2": lambda k, s, d: normal(k, 2, s, d),
    "normal3": lambda k, s, d: normal(k, 3, s, d),
    "normal4": lambda k, s, d: normal(k, 4, s, d),
    "normal3-batch": lambda k, s, d: normal(k, 3, s + (2,), d, True),
    "orthogonal": lambda k, s, d: random.orthogonal(k, 4, s, d),
    "orthogonal-wide": lambda k, s, d: random.orthogonal(k, 2, s, d, m=3),
    "orthogonal-tall": lambda k, s, d: random.orthogonal(k, 3, s, d, m=2),
}

for d in "float32", "float64":
    with jax.enable_x64(d == "float64"):
        for name, draw in SAMPLERS.items():
            for seed in 0, 42, 2024:
                for shape in ((), (40,) if seed == 42 and "normal" in name else (4,), (2, 2)):
                    x = np.asarray(draw(random.key(seed), shape, d)).ravel()
                    print(name, d, seed, "x".join(map(str, shape)) or "-", *x)
