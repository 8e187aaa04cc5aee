"""Writes compositions.txt: values of the functions that are composed of other operations, by mpmath 1.4.1.

A line is the function, its option (0 if it has none), the operands, the value and the partial derivatives
with respect to each operand, all doubles in hexadecimal; nan stands for a derivative that is not known. The
points reach each branch of a function.
"""
from mpmath import mp, mpf

mp.dps = 330
pi, ln, exp, tiny = mp.pi, mp.log, mp.exp, mpf(10) ** -80
line = [s * x for x in [1e-9, 0.01, 0.3, 0.49, 0.75, 1.0, 2.5, 5.0, 6.5, 20.0] for s in (-1, 1)]


def where(condition, x, y):
    return lambda *args: x(*args) if condition(*args) else y(*args)


def logistic(x):
    return 1 / (1 + exp(-x))


def softplus(x):
    return ln(1 + exp(x))


def hard(x):
    return min(max(x + 3, 0), 6) / mpf(6)


def elu(alpha):
    return lambda x: x if x > 0 else alpha * mp.expm1(x)


alpha, scale = mpf("1.6732632423543772848170429916717"), mpf("1.0507009873554804934193349852946")
one = {
    ("LeakyRelu", 0.25): lambda x: x if x > 0 else x / 4,
    ("Elu", 1.0): elu(1),
    ("Elu", 0.5): elu(mpf(0.5)),
    ("Selu", 0.0): lambda x: scale * elu(alpha)(x),
    ("Silu", 0.0): lambda x: x * logistic(x),
    ("Gelu", 0.0): lambda x: x * mp.ncdf(x),
    ("Softplus", 0.0): softplus,
    ("LogSigmoid", 0.0): lambda x: -softplus(-x),
    ("Softsign", 0.0): lambda x: x / (1 + abs(x)),
    ("Mish", 0.0): lambda x: x * mp.tanh(softplus(x)),
    ("HardSigmoid", 0.0): hard,
    ("HardSilu", 0.0): lambda x: x * hard(x),
    ("NormPDF", 0.0): lambda x: exp(-x * x / 2) / mp.sqrt(2 * pi),
    ("Sinc", 0.0): lambda x: mp.sin(pi * x) / (pi * x),
    ("BesselI0", 0.0): lambda x: mp.besseli(0, x),
    ("BesselI1", 0.0): lambda x: mp.besseli(1, x),
    ("Deg2Rad", 0.0): lambda x: x * pi / 180,
    ("Rad2Deg", 0.0): lambda x: x * 180 / pi,
}
several = {
    "Logit": (lambda x: ln(x / (1 - x)), [(x,) for x in [1e-9, 0.1, 0.24, 0.3, 0.6, 0.74, 0.9, 0.999]]),
    "XLogY": (lambda x, y: x * ln(y), [(x, y) for x in [-2.5, 0.3, 7.0] for y in [1e-9, 0.3, 2.5, 1e9]]),
    "XLog1py": (lambda x, y: x * mp.log1p(y), [(x, y) for x in [-2.5, 0.3, 7.0] for y in [-0.5, 1e-9, 2.5, 1e9]]),
}


def igamma(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def igammac(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


shapes = [(a, x) for a in [0.01, 0.5, 1.0, 2.5, 10.0, 19.0, 21.0, 100.0, 1000.0]
          for x in [1e-6, 0.01, 0.5, 1.09, 1.2] + [a * r for r in [0.5, 0.95, 1.0, 1.05, 2.0, 4.0]]]
several["IGamma"] = igamma, shapes
several["IGammac"] = igammac, shapes
several["BetaInc"] = (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
                      [(a, b, x) for a in [0.1, 0.4, 1.0, 2.5, 30.0, 60.0, 300.0] for b in [0.1, 0.4, 1.0, 2.5, 30.0, 60.0, 300.0]
                       for x in [0.01, 0.3, 0.5, 0.7, 0.99, 0.9995]])


def gamma_slope(a, y):
    return -mp.diff(lambda a: igamma(a, y), a, h=tiny) / (y ** (a - 1) * exp(-y) / mp.gamma(a))


def wald(mean, y):
    root = mp.sqrt(y)
    return mp.ncdf((y / mean - 1) / root) + exp(2 / mean) * mp.ncdf(-(y / mean + 1) / root)


def wald_slope(mean, y):
    return -mp.diff(lambda m: wald(m, y), mean, h=tiny) / mp.diff(lambda y: wald(mean, y), y, h=tiny)


draws = {
    "GammaSlope": (gamma_slope, [(a, y) for a, y in shapes if a >= 0.5]),
    "LogGammaSlope": (lambda a, l: gamma_slope(a, exp(l)) / exp(l), [(a, float(ln(y))) for a, y in shapes if a >= 0.5]),
    "PolygammaReflected": (lambda n, x: mp.psi(int(n), x),
                           [(n, x) for n in [1.0, 2.0, 3.0, 4.0, 7.0] for x in [-6.75, -2.25, -1.25, -0.5, -0.125, 0.25, 3.0]]),
    "WaldSlope": (wald_slope, [(m, y) for m in [0.3, 1.0, 5.0] for y in [0.01, 0.4, 1.0, 3.0, 20.0]]),
}

lines = []


def ordinary(x):
    return 1e-290 < abs(x) < 1e290


def write(name, option, f, point, derivatives=True):
    args = [mpf(a) for a in point]
    value = f(*args)
    if not ordinary(value):
        return
    numbers = [option] + list(point) + [value]
    for i in range(len(args)):
        d = mp.nan
        if derivatives:
            d = mp.diff(lambda t: f(*args[:i], t, *args[i + 1:]), args[i], h=tiny)
        numbers.append(d if ordinary(d) or d == 0 else mp.nan)
    lines.append(" ".join([name] + [float(n).hex() for n in numbers]))


for (name, option), f in one.items():
    for x in line:
        if name == "Gelu" and x < -1 or name == "Sinc" and x == int(x) or name == "BesselI0" and abs(x) < 1e-6:
            continue  # the value or the derivative is 0 up to rounding
        write(name, option, f, (x,))
for name, (f, points) in several.items():
    for p in points:
        write(name, 0.0, f, p)
for name, (f, points) in draws.items():
    for p in points:
        write(name, 0.0, f, p, False)
open("compositions.txt", "w").write("\n".join(lines) + "\n")
print(len(lines))
