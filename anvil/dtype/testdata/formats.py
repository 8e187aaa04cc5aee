"""Writes formats.json: what ml_dtypes 0.6.0 makes of floats in each narrow format.

Run: python formats.py > formats.json   (needs numpy and ml_dtypes)
decode: the value of every 8-bit (or 4-bit) pattern.
encode: inputs (as hex) with the pattern that each becomes.
"""
import json
import random

import ml_dtypes
import numpy as np

NAMES = ["float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
         "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "bfloat16", "float16"]
random.seed(1)


def inputs(t, width):
    """Values, midpoints of neighbours and what is just beside them, as float32:
    ml_dtypes rounds a float64 twice, first to float32."""
    patterns = range(1 << width) if width <= 8 else random.sample(range(1 << width), 150)
    raw = np.array(list(patterns), dtype=np.uint8 if width <= 8 else np.uint16)
    values = sorted({float(v) for v in raw.view(t).astype(np.float64) if np.isfinite(v)})
    out = []
    for a, b in zip(values, values[1:]):
        mid = (a + b) / 2
        out += [a, mid, np.nextafter(np.float32(mid), np.float32(a)), np.nextafter(np.float32(mid), np.float32(b))]
    out += [values[-1], values[-1] * 1.02, values[-1] * 1.07, values[-1] * 1.2, values[-1] * 1.3, values[-1] * 4,
            np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-300, -1e-300, 1e300, -values[-1] * 4]
    # Near 2^-127 ml_dtypes stumbles over float32's own subnormals.
    return [float(np.float32(v)) for v in out if t.name != "float8_e8m0fnu" or not 0 < abs(v) < 2**-126]


rows = []
for name in NAMES:
    t = np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)
    width = 4 if name.startswith("float4") else 8 * t.itemsize
    u = np.uint8 if width <= 8 else np.uint16
    row = {"dtype": name}
    if width <= 8:
        row["decode"] = [str(float(v)) for v in np.arange(1 << width, dtype=u).view(t).astype(np.float64)]
    with np.errstate(all="ignore"):
        row["encode"] = [[v.hex() if np.isfinite(v) else str(v), int(np.array([v]).astype(t).view(u)[0])]
                         for v in inputs(t, width)]
    rows.append(row)
print("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]")
