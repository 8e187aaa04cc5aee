"""Writes the values of each function of one number at points of f64, to within 1/256 of a unit in the last place.

    pip install python-flint
    python exact.py 100 exact.txt.gz
    python exact.py 131072 /tmp/exact.txt.gz   # for the sweep: go test ./anvil/reference -run TestAccuracy -accuracy -exact /tmp/exact.txt.gz

A line is "function values offsets", both in base64: the nearest f64, and how far the value itself is from that, a byte of
256ths. The points are first so many evenly over all bits, then as many over the numbers from 2^-32 to 2^11 of both signs.
The values are Arb's (python-flint), which says how exact they are.
"""

import base64
import gzip
import math
import struct
import sys

from flint import arb, ctx

ROOT = lambda: arb(2).sqrt()


def lgamma(x):
    r = x.rgamma()
    return x.lgamma() if x > 0 else arb.pos_inf() if r.is_zero() else -abs(r).log()


def series(x):
    """erfc(x) exp(x²) x sqrt(pi) for large x."""
    t, term, r = -1 / (2 * x * x), arb(1), arb(1)
    for k in range(1, 12):
        term *= t * (2 * k - 1)
        r += term
    return r


def erfcx(x):
    if x > 1e4:
        return series(x) / (x * arb.pi().sqrt())
    return (x * x).exp() * x.erfc() if x > -1e4 else arb.pos_inf()


def norm_log_cdf(x):
    z = -x / ROOT()
    if x > 0:
        return (-(-z).erfc() / 2).log1p() if x < 1e3 else arb(0)
    return (z.erfc() / 2).log() if x > -1e4 else (series(z) / (2 * z * arb.pi().sqrt())).log() - z * z


def norm_cdf(x):
    return (-x / ROOT()).erfc() / 2



def tan_pi(x):
    """C's poles: infinite with the sign of what is left of them, if the whole number below is even."""
    if (2 * x).is_integer() and not x.is_integer():
        return arb.pos_inf() if (x.floor() / 2).is_integer() else arb.neg_inf()
    return x.tan_pi()


def clipped(f):
    """f, which is infinite or 0 in f64 from a million on."""
    return lambda x: f(x.max(arb(-1e6)).min(arb(1e6)))


FUNCTIONS = {
    "Exp": clipped(lambda x: x.exp()), "Expm1": clipped(lambda x: x.expm1()), "Log": lambda x: x.log(), "Log1p": lambda x: x.log1p(), "Sqrt": lambda x: x.sqrt(),
    "Rsqrt": lambda x: x.rsqrt(), "Cbrt": lambda x: x.root(3) if x > 0 else -(-x).root(3), "Sin": lambda x: x.sin(), "Cos": lambda x: x.cos(),
    "Tan": lambda x: x.tan(), "Tanh": lambda x: x.tanh(), "Logistic": clipped(lambda x: 1 / (1 + (-x).exp())), "Erf": lambda x: x.erf(),
    "Exp2": clipped(lambda x: arb(2) ** x), "Log2": lambda x: x.log() / arb(2).log(), "Log10": lambda x: x.log() / arb(10).log(), "Asin": lambda x: x.asin(),
    "Acos": lambda x: x.acos(), "Atan": lambda x: x.atan(), "Sinh": clipped(lambda x: x.sinh()), "Cosh": clipped(lambda x: x.cosh()), "Asinh": lambda x: x.asinh(),
    "Acosh": lambda x: x.acosh(), "Atanh": lambda x: x.atanh(), "SinPi": lambda x: x.sin_pi(), "CosPi": lambda x: x.cos_pi(), "TanPi": tan_pi,
    "Erfc": lambda x: x.erfc(), "Erfcx": erfcx, "ErfInv": lambda x: x.erfinv(), "Lgamma": lgamma, "Gamma": lambda x: x.gamma(),
    "Digamma": lambda x: x.digamma(), "BesselI0e": lambda x: abs(x).bessel_i(arb(0), scaled=True),
    "BesselI1e": lambda x: x.sgn() * abs(x).bessel_i(arb(1), scaled=True), "NormCDF": norm_cdf, "NormLogCDF": norm_log_cdf,
    "NormQuantile": lambda x: -ROOT() * (2 * x).erfcinv(),
}


def points(n):
    step = (1 << 63) // n * 2 | 1
    bits = [(i * step + step // 2) % (1 << 64) for i in range(n)]
    low, width = 0x3FF - 32 << 52, (43 << 52) // (n // 2) | 1
    for i in range(n // 2):
        bits += [low + i * width, 1 << 63 | low + i * width + width // 2]
    return [struct.unpack("<d", struct.pack("<Q", b))[0] for b in bits]


def rounded(y):
    """The nearest f64 and the rest in 256ths of its last place."""
    if not y.is_finite():
        return (float(y) if y in (arb.pos_inf(), arb.neg_inf()) else math.nan), 0
    man, exp = (int(v) for v in y.mid().man_exp())
    shift = abs(man).bit_length() - 53
    nearest = float(man)
    rest = man - int(nearest) if shift > 0 else 0
    shift = max(shift, 1)
    try:
        return math.ldexp(nearest, exp), max(-128, min(127, (rest << 8 >> shift - 1) + 1 >> 1))
    except OverflowError:
        return math.copysign(math.inf, man), 0


def value(f, x):
    if not math.isfinite(x) or x == 0:
        return math.nan, 0
    for ctx.prec in (160, 2500, 5000):
        y = f(arb(x))
        if not y.is_finite() or y.is_zero() or y.rel_accuracy_bits() > 70 or abs(y) < 1e-310:
            break
    return rounded(y)


def main():
    xs = points(int(sys.argv[1]))
    names = sys.argv[3:] or FUNCTIONS
    with gzip.GzipFile(sys.argv[2], "wb", compresslevel=9 if len(xs) < 10000 else 1, mtime=0) as out:
        for name in names:
            pairs = [value(FUNCTIONS[name], x) for x in xs]
            values, offsets = struct.pack(f"<{len(xs)}d", *(v for v, _ in pairs)), struct.pack(f"{len(xs)}b", *(r for _, r in pairs))
            out.write(f"{name} {base64.b64encode(values).decode()} {base64.b64encode(offsets).decode()}\n".encode())
            print(name, file=sys.stderr)


main()
