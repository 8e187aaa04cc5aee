"""Writes gradients.json: derivatives of draws by the parameters of their distributions, by JAX in double precision.

A case has the sampler's name, the parameters, and for each parameter the gradient of the sum of the draws of
jax.random.key(7), of the parameters' shape. multivariate_normal and dirichlet have the sum of the draws times 1, 2, 3.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

SHAPES = np.array([0.02, 0.3, 0.9, 1.0, 1.7, 3.0, 8.0, 20.0, 23.0, 24.5, 60.0, 400.0])
OTHERS = np.array([0.5, 0.7, 2.0, 1.0, 0.4, 5.0, 2.5, 9.0, 40.0, 12.0, 3.0, 200.0])
F64 = jnp.float64
CASES = {
    "Gamma": (lambda k, a: jax.random.gamma(k, a, dtype=F64), SHAPES),
    "LogGamma": (lambda k, a: jax.random.loggamma(k, a, dtype=F64), SHAPES),
    "ChiSquare": (lambda k, a: jax.random.chisquare(k, a, dtype=F64), SHAPES),
    "T": (lambda k, a: jax.random.t(k, a, a.shape, dtype=F64), SHAPES + 1),
    "F": (lambda k, a, b: jax.random.f(k, a, b, dtype=F64), SHAPES + 1, OTHERS + 1),
    "Beta": (lambda k, a, b: jax.random.beta(k, a, b, dtype=F64), SHAPES, OTHERS),
    "Dirichlet": (lambda k, a: jax.random.dirichlet(k, a, dtype=F64) * jnp.arange(1, 4), SHAPES.reshape(4, 3)),
    "GeneralizedNormal": (lambda k, p: jax.random.generalized_normal(k, p, p.shape, dtype=F64), OTHERS),
    "Pareto": (lambda k, b: jax.random.pareto(k, b, dtype=F64), OTHERS),
    "Rayleigh": (lambda k, s: jax.random.rayleigh(k, s, dtype=F64), OTHERS),
    "LogNormal": (lambda k, s: jax.random.lognormal(k, s, dtype=F64), OTHERS[:8]),
    "WeibullMin": (lambda k, s, c: jax.random.weibull_min(k, s, c, s.shape, dtype=F64), SHAPES, OTHERS),
    "Triangular": (lambda k, l, m, r: jax.random.triangular(k, l, m, r, dtype=F64), -SHAPES, OTHERS, OTHERS + SHAPES),
    "TruncatedNormal": (lambda k, l, h: jax.random.truncated_normal(k, l, h, dtype=F64), np.linspace(-2, 0.5, 6), np.linspace(-1, 2, 6)),
    "MultivariateNormal": (lambda k, m, c: jax.random.multivariate_normal(k, m, c, dtype=F64) * jnp.arange(1, 4), np.array([1.0, 2, 3]),
                           np.array([[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]])),
}

cases = []
for name, (f, *params) in CASES.items():
    key = jax.random.key(7)
    params = [jnp.array(p) for p in params]
    try:
        gradients = jax.grad(lambda *p: jnp.sum(f(key, *p)), argnums=tuple(range(len(params))))(*params)
    except Exception as e:
        print(name, type(e).__name__, str(e).split("\n")[0])
        continue
    cases.append({"name": name, "params": [np.asarray(p).tolist() for p in params],
                  "draws": np.asarray(f(key, *params)).tolist(),
                  "gradients": [np.asarray(g).tolist() for g in gradients]})
with open(Path(__file__).resolve().parent / "gradients.json", "w") as out:
    json.dump({"jax": jax.__version__, "cases": cases}, out, indent=0)
    out.write("\n")
