"""Writes complex.txt: functions of complex numbers where one part is far from the
other, or from 1, by NumPy in extended precision. Run: python complex.py > complex.txt"""

import numpy as np

AWKWARD = [(1e-12, -2e-10), (1, 3444954.5), (-1e8, 1e-8), (1e-17, 1), (2e15, -1e15), (0.25, 1e-14), (-2, -1e-9), (1, 1e-12), (-1e14, 1), (2e-18, -5e-20), (0.75, -0.5)]
SMALL = [(1e-12, -2e-10), (1, 3e-9), (-20, 1e-8), (1e-17, 1), (1.5, 1e-6), (0.25, -1e-14), (-2, -30), (2e-18, -5e-20), (0.75, -0.5)]
FUNCTIONS = {
    "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan, "Asinh": np.arcsinh, "Acosh": np.arccosh, "Atanh": np.arctanh, "Log": np.log,
    "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Sinh": np.sinh, "Cosh": np.cosh, "Tanh": np.tanh,
}
for name, f in FUNCTIONS.items():
    for dtype, single in ("c64", np.complex64), ("c128", np.complex128):
        for re, im in SMALL if name in ("Sin", "Cos", "Tan", "Sinh", "Cosh", "Tanh") else AWKWARD:
            x = single(complex(re, im))
            y = np.complex128(f(np.clongdouble(x)))
            print(name, dtype, *(float(v).hex() for v in (x.real, x.imag, y.real, y.imag)))
