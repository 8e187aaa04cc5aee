"""Shared code of the generators: names of dtypes, outcomes of calls, and the file
that they write: one object of lists, one row per line."""
import json
import math
import re
import sys
import warnings

warnings.filterwarnings("ignore")

NAMES = {"bool": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "half": "f16", "complex64": "c64",
         "complex128": "c128", "complex32": "c32", "bcomplex32": "bc32", "longdouble": "f80", "float128": "f80",
         "clongdouble": "c160", "complex256": "c160", "halffloat": "f16", "float": "f32", "double": "f64"}
PYTHON = {"pybool": True, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1j}


def short(d):
    """The short name of a dtype, as goanvil spells it."""
    d = str(getattr(d, "name", d)).split(".")[-1].strip("'<>\" ").lower()
    if d.endswith("?"):
        return short(d[:-1]) + "?"
    if d in NAMES:
        return NAMES[d]
    m = re.fullmatch(r"(u?)int(\d.*)", d)
    if m:
        return ("ui" if m[1] else "i") + m[2]
    return d.replace("float8_", "f8").replace("float4_", "f4")


def error(e, limit=170):
    """The class and the message of an exception, cut to limit characters."""
    return (type(e).__name__ + ": " + str(e))[:limit]


def outcome(f, name=short, limit=170):
    """The outcome of f as fields of a row: the name of the result, or the error."""
    try:
        return {"result": name(f())}
    except Exception as e:
        return {"error": error(e, limit)}


def number(v):
    """A value in JSON. Big integers, NaN and infinities are text."""
    if isinstance(v, (list, tuple)):
        return [number(x) for x in v]
    if isinstance(v, bool) or v is None or isinstance(v, str):
        return v
    if isinstance(v, int):
        return v if abs(v) <= 2**53 else str(v)
    if isinstance(v, complex):
        return [number(v.real), number(v.imag)]
    if math.isnan(v):
        return "nan"
    if math.isinf(v):
        return "inf" if v > 0 else "-inf"
    return "-0.0" if v == 0 and math.copysign(1, v) < 0 else v


def write(path, data):
    """Writes the file of one system: {"list": [rows]} and fields about all of them."""
    with open(path, "w") as f:
        f.write("{\n")
        for i, (key, rows) in enumerate(data.items()):
            end = ",\n" if i + 1 < len(data) else "\n"
            if isinstance(rows, list) and rows and isinstance(rows[0], dict):
                f.write(json.dumps(key) + ": [\n" + ",\n".join(map(json.dumps, rows)) + "\n]" + end)
            else:
                f.write(json.dumps(key) + ": " + json.dumps(rows) + end)
        f.write("}\n")


def lists(generators):
    """The lists by the names of the functions that make them.

    The program's arguments are the path of the file, and the names of the wanted lists; without names all are made.
    """
    wanted = sys.argv[2:]
    made = {g.__name__: list(g()) for g in generators if not wanted or g.__name__ in wanted}
    return {name.replace("__", " "): rows for name, rows in made.items()}
