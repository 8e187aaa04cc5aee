"""Writes partials.txt: partial derivatives of the elementwise rows, by mpmath 1.3.0.

A line is the row, the index of the operand, the operands and the derivative, all doubles
in hexadecimal. The points are ordinary ones, and ones where a formula cancels, overflows
or leaves its domain.
"""
from mpmath import mp, mpf

mp.dps = 60
pi, ln = mp.pi, mp.log

tiny, huge = [1e-300, 1e-160, 1e-30, 1e-9], [1e9, 1e30, 1e160, 1e300]
small = [1e-5, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999]
middle = [1.0, 1.001, 1.5, 2.0, 3.0, 5.5, 10.0, 26.0]
positive = tiny + small + middle + [100.0, 1e5] + huge
both = lambda xs: [-x for x in xs] + xs
line = both(positive)
unit = both(tiny + small + [1 - 1e-9])
moderate = both(tiny + small + middle)


def gauss(x, c):
    return c * mp.exp(-x * x)


def i0e(x):
    return mp.besseli(0, x) * mp.exp(-abs(x))


def i1e(x):
    return mp.besseli(1, x) * mp.exp(-abs(x))


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def ncdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def probit(p):
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


unary = {
    "Neg": (line, lambda x: -1),
    "Abs": (line, mp.sign),
    "Exp": (both(tiny + small + middle + [100.0, 700.0]), mp.exp),
    "Expm1": (both(tiny + small + middle + [100.0, 700.0]), mp.exp),
    "Exp2": (both(tiny + small + middle + [100.0, 1000.0]), lambda x: ln(2) * mpf(2) ** x),
    "Log": (positive, lambda x: 1 / x),
    "Log1p": (positive + [-x for x in small] + [-1 + 1e-9], lambda x: 1 / (1 + x)),
    "Log2": (positive, lambda x: 1 / (x * ln(2))),
    "Log10": (positive, lambda x: 1 / (x * ln(10))),
    "Sqrt": (positive, lambda x: 1 / (2 * mp.sqrt(x))),
    "Rsqrt": (positive[2:-1], lambda x: -1 / (2 * x * mp.sqrt(x))),
    "Cbrt": (line, lambda x: 1 / (3 * mp.cbrt(abs(x)) ** 2)),
    "Sin": (moderate + [100.0, 1e5, 1e9, 1.5707963267948966], mp.cos),
    "Cos": (moderate + [100.0, 1e5, 1e9, 3.141592653589793], lambda x: -mp.sin(x)),
    "Tan": (moderate + [100.0, 1e5, 1.5707963267948966], lambda x: 1 + mp.tan(x) ** 2),
    "Tanh": (both(tiny + small + middle[:4]), lambda x: mp.sech(x) ** 2),
    "Sinh": (both(tiny + small + middle + [100.0, 700.0]), mp.cosh),
    "Cosh": (both(tiny + small + middle + [100.0, 700.0]), mp.sinh),
    "Asin": (unit, lambda x: 1 / mp.sqrt((1 - x) * (1 + x))),
    "Acos": (unit, lambda x: -1 / mp.sqrt((1 - x) * (1 + x))),
    "Atan": (both(positive[:-1]), lambda x: 1 / (1 + x * x)),
    "Asinh": (line, lambda x: 1 / mp.sqrt(1 + x * x)),
    "Acosh": ([1 + 1e-9] + positive[12:], lambda x: 1 / mp.sqrt((x - 1) * (x + 1))),
    "Atanh": (unit, lambda x: 1 / ((1 - x) * (1 + x))),
    "SinPi": (both(tiny[1:] + small + middle + [1e5 + 0.25]), lambda x: pi * mp.cospi(x)),
    "CosPi": (both(tiny[1:] + small + middle + [1e5 + 0.25]), lambda x: -pi * mp.sinpi(x)),
    "TanPi": (both(tiny[1:] + [0.01, 0.1, 0.3, 0.499, 0.75, 0.999, 1.001, 3.0, 1e5 + 0.25]), lambda x: pi / mp.cospi(x) ** 2),
    "Logistic": (both(tiny + small + middle + [50.0, 700.0]), lambda x: 1 / ((1 + mp.exp(-x)) * (1 + mp.exp(x)))),
    "Erf": (both(tiny + small + middle[:-1]), lambda x: gauss(x, 2 / mp.sqrt(pi))),
    "Erfc": (both(tiny + small + middle), lambda x: gauss(x, -2 / mp.sqrt(pi))),
    "Erfcx": ([-5.0, -1.0] + positive[:-2], lambda x: 2 * x * erfcx(x) - 2 / mp.sqrt(pi) if x < 1e4 else
              -1 / (mp.sqrt(pi) * x**2) * (1 - 3 / (2 * x**2) + 15 / (4 * x**4) - 105 / (8 * x**6) + 945 / (16 * x**8))),
    "ErfInv": (unit, lambda x: mp.sqrt(pi) / 2 * mp.exp(mp.erfinv(x) ** 2)),
    "Lgamma": (positive[:-1] + [-0.5, -1.5, -2.25, -10.1], mp.digamma),
    "Gamma": (positive[2:18] + [100.0, 170.0, -0.5, -1.5, -2.25, -10.1], lambda x: mp.gamma(x) * mp.digamma(x)),
    "Digamma": (positive[2:20] + [-0.5, -1.5, -2.25, -10.1], lambda x: mp.psi(1, x)),
    "BesselI0e": (both(tiny + small + middle + [100.0, 1e5]), lambda x: i1e(x) - mp.sign(x) * i0e(x)),
    "BesselI1e": (both(tiny + small + middle + [100.0, 1e5]), lambda x: i0e(x) - i1e(x) * (mp.sign(x) + 1 / x)),
    "NormCDF": (both(tiny + small + middle), lambda x: mp.npdf(x)),
    "NormLogCDF": (both(tiny + small + middle[:-1]) + [-26.0, -100.0, -1e5, -1e9], lambda x: mp.npdf(x) / ncdf(x) if x > -1e4 else
                   -x + mpf(-1) / x - 2 * mpf(-1) / x**3),
    "NormQuantile": ([1e-300, 1e-30, 1e-9] + small, lambda p: mp.sqrt(2 * pi) * mp.exp(probit(p) ** 2 / 2) if p > 1e-20 else None),
}

some = [1e-160, 1e-9, 0.3, 1.0, 2.5, 26.0, 1e9, 1e160]
pairs = [(x, y) for x in both(some) for y in both(some)]
powers = [(x, y) for x in [1e-160, 1e-9, 0.3, 0.999, 1.0, 1.001, 2.5, 26.0, 1e9] for y in both([1e-9, 0.3, 0.5, 1.0, 2.0, 7.5])]
binary = {
    "Mul": (pairs, lambda x, y: y, lambda x, y: x),
    "Div": (pairs, lambda x, y: 1 / y, lambda x, y: -x / y**2),
    "Pow": (powers, lambda x, y: y * x ** (y - 1), lambda x, y: x**y * ln(x)),
    "Atan2": (pairs, lambda y, x: x / (x * x + y * y), lambda y, x: -y / (x * x + y * y)),
    "Hypot": (pairs, lambda x, y: x / mp.sqrt(x * x + y * y), lambda x, y: y / mp.sqrt(x * x + y * y)),
    "Polygamma": ([(float(n), x) for n in range(4) for x in small + middle], None, lambda n, x: mp.psi(int(n) + 1, x)),
    "Zeta": ([(s, q) for s in [1.5, 2.0, 4.0, 10.0] for q in small[1:] + middle], None, lambda s, q: -s * mp.zeta(s + 1, q)),
}

lines = []


def write(row, i, args, d):
    if d is None:
        return
    d = float(d)
    if d != 0 and not (1e-290 < abs(d) < 1e290):
        return  # a difference of units in the last place means nothing there
    lines.append(" ".join([row, str(i)] + [float(a).hex() for a in args] + [d.hex()]))


for row, (points, f) in unary.items():
    for x in points:
        write(row, 0, [x], f(mpf(x)))
for row, (points, dx, dy) in binary.items():
    for p in points:
        for i, f in enumerate([dx, dy]):
            if f:
                write(row, i, p, f(mpf(p[0]), mpf(p[1])))
open("partials.txt", "w").write("\n".join(lines) + "\n")
print(len(lines))
