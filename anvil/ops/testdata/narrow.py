"""Writes narrow.txt: a checksum of what each operation makes of all values of the narrow dtypes.

    python narrow.py > narrow.txt

A line is "operation dtype [dtype of the result] checksum": of all numbers, or all pairs of them, the first operand slowest, in the order
of their bits; the CRC-32 of the results, a byte each for dtypes of 8 bits and less, where every nan is the one of bits 0x7f.. that NAN
gives. Floats are computed in f64, of which no result of theirs is halfway by rounding, and are rounded by ml_dtypes; integers are
computed as Python's and cut to their width, with XLA's quotients by 0.
"""

import math
import zlib

import ml_dtypes as m
import numpy as np

FLOATS = {"f8e5m2": m.float8_e5m2, "f8e4m3fn": m.float8_e4m3fn, "f8e4m3": m.float8_e4m3, "f8e3m4": m.float8_e3m4, "f8e5m2fnuz": m.float8_e5m2fnuz,
          "f8e4m3fnuz": m.float8_e4m3fnuz, "f8e4m3b11fnuz": m.float8_e4m3b11fnuz}
INTS = {"i2": (2, True), "i4": (4, True), "ui2": (2, False), "ui4": (4, False), "i8": (8, True), "ui8": (8, False)}
np.seterr(all="ignore")


def crc(results):
    return f"{zlib.crc32(results.tobytes()):08x}"


def rounded(y, t):
    """The bits of y in t, nan as 255."""
    f = np.asarray(y, np.float64).astype(t)
    return np.where(np.isnan(f.astype(np.float64)), 255, f.view(np.uint8)).astype(np.uint8)


def relations(x, y):
    return {"EQ": x == y, "NE": x != y, "LT": x < y, "LE": x <= y, "GT": x > y, "GE": x >= y}


def greater(x, y):
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where((x == 0) & (y == 0), np.where(np.signbit(x), y, x), np.maximum(x, y)))


def lesser(x, y):
    return -greater(-x, -y)


def sign(x):
    return np.where(x == 0, x, np.sign(x))


def floats(name, t):
    v = np.arange(256, dtype=np.uint8).view(t).astype(np.float64)
    x, y = np.repeat(v, 256), np.tile(v, 256)
    two = {"Add": x + y, "Sub": x - y, "Mul": x * y, "Div": x / y, "Rem": np.fmod(x, y), "Max": greater(x, y), "Min": lesser(x, y)}
    one = {"Neg": -v, "Abs": np.abs(v), "Sign": sign(v), "Floor": np.floor(v), "Ceil": np.ceil(v), "RoundEven": np.rint(v),
           "RoundAway": np.copysign(np.floor(np.abs(v) + 0.5), v), "Sqrt": np.sqrt(v)}
    for op, r in (one | two).items():
        print(op, name, crc(rounded(r, t)))
    for op, r in relations(x, y).items():
        print(op, name, crc(r.astype(np.uint8)))
    print("IsFinite", name, crc(np.isfinite(v).astype(np.uint8)))
    for other, u in FLOATS.items():
        print("Convert", name, other, crc(rounded(v, u)))
    for other, (bits, signed) in INTS.items():  # the nearest integer of the dtype, 0 of nan
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        n = np.trunc(np.clip(np.nan_to_num(v, nan=0, posinf=math.inf, neginf=-math.inf), low, high)).astype(np.int64)
        print("Convert", name, other, crc((n & (1 << bits) - 1).astype(np.uint8)))


def integers(name, bits, signed):
    n = 1 << bits
    v = np.arange(n, dtype=np.int64)
    if signed:
        v = np.where(v >= n // 2, v - n, v)
    x, y = np.repeat(v, n), np.tile(v, n)
    u, w = x & n - 1, y & n - 1  # as unsigned
    safe = np.where(y == 0, 1, y)
    quotient = np.sign(x) * np.sign(safe) * (np.abs(x) // np.abs(safe))
    beyond = (w >= bits)
    two = {"Add": x + y, "Sub": x - y, "Mul": x * y, "Div": np.where(y == 0, -1, quotient), "Rem": np.where(y == 0, x, x - quotient * safe),
           "Max": np.maximum(x, y), "Min": np.minimum(x, y), "And": x & y, "Or": x | y, "Xor": x ^ y,
           "ShiftLeft": np.where(beyond, 0, u << np.where(beyond, 0, w)), "ShiftRightLogical": np.where(beyond, 0, u >> np.where(beyond, 0, w)),
           "ShiftRightArithmetic": np.where(u >= n // 2, u - n, u) >> np.where(beyond, bits - 1, w)}
    one = {"Neg": -v, "Not": ~v, "Popcount": np.array([bin(k).count("1") for k in range(n)]), "Clz": np.array([bits - k.bit_length() for k in range(n)])}
    if signed:
        one |= {"Abs": np.abs(v), "Sign": np.sign(v)}
    for op, r in (one | two).items():
        print(op, name, crc((np.asarray(r) & n - 1).astype(np.uint8)))
    for op, r in relations(x, y).items():
        print(op, name, crc(r.astype(np.uint8)))
    for other, t in FLOATS.items():
        print("Convert", name, other, crc(rounded(v, t)))
    for other, (width, _) in INTS.items():
        print("Convert", name, other, crc((v & (1 << width) - 1).astype(np.uint8)))


for name, t in FLOATS.items():
    floats(name, t)
for name, (bits, signed) in INTS.items():
    integers(name, bits, signed)
