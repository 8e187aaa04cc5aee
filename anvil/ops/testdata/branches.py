"""Writes branches.txt: functions of complex numbers on their branch cuts, at zeros of both signs, infinities and nan.

    python branches.py > branches.txt

A line is a function and its values at POINTS in c128, the real part and then the imaginary one: those that C's Annex G
gives, as NumPy computes it, where JAX has them too; and NumPy's of CUT at what is no nan, as JAX drops the sign of a 0 there
and with it the side of the cut. What else the two do not agree on is "-".
"""

import itertools
import math

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

PARTS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, math.inf, -math.inf, math.nan]
POINTS = np.array([complex(re, im) for re, im in itertools.product(PARTS, PARTS)])
FUNCTIONS = {
    "Asin": "arcsin", "Acos": "arccos", "Atan": "arctan", "Asinh": "arcsinh", "Acosh": "arccosh", "Atanh": "arctanh", "Log": "log", "Log1p": "log1p",
    "Log2": "log2", "Log10": "log10", "Exp": "exp", "Expm1": "expm1", "Exp2": "exp2", "Sqrt": "sqrt", "Sin": "sin", "Cos": "cos", "Tan": "tan",
    "Sinh": "sinh", "Cosh": "cosh", "Tanh": "tanh", "Abs": "abs", "Sign": "sign", "Square": "square", "Reciprocal": "reciprocal",
}
CUT = ["Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Log", "Log1p", "Exp", "Expm1", "Sqrt", "Tan", "Tanh"]


def agree(x, y):
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if x == y:
        return math.copysign(1, x) == math.copysign(1, y)
    return math.isfinite(x) and math.isfinite(y) and abs(x - y) <= 1e-14 * abs(x)


np.seterr(all="ignore")
for name, function in FUNCTIONS.items():
    numpys, jaxes = (np.complex128(getattr(m, function)(POINTS)) for m in (np, jnp))
    words = []
    for at, a, b in zip(POINTS, numpys, jaxes):
        sided = name in CUT and not np.isnan(at) and not np.isnan(a) and not (np.isinf(at.real) and np.isinf(at.imag))
        words += [repr(float(x)) if sided or agree(x, y) else "-" for x, y in ((a.real, b.real), (a.imag, b.imag))]
    print(name, *words)
