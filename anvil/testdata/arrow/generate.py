"""Files in Arrow's IPC format, and what pyarrow reads of them: python generate.py

Run after `go test ./anvil -run TestArrowIsReadByPyarrow -update`, which writes
ours.arrow and ours.arrows, for pyarrow to read. Seen with pyarrow 26.0.1.
"""

import datetime
import decimal
import json
import math
import os

import numpy as np
import pyarrow as pa

os.chdir(os.path.dirname(os.path.abspath(__file__)))

numbers = {
    "bool": [True, False, True],
    "int8": [-128, 0, 127],
    "int16": [-32768, 1, 32767],
    "int32": [-(2**31), 2, 2**31 - 1],
    "int64": [-(2**63), 3, 2**63 - 1],
    "uint8": [0, 4, 255],
    "uint16": [0, 5, 65535],
    "uint32": [0, 6, 2**32 - 1],
    "uint64": [0, 7, 2**64 - 1],
    "float16": [np.float16(0.1), np.float16(-65504), np.float16(math.inf)],
    "float32": [0.1, -3e38, math.nan],
    "float64": [0.1, -1e308, -math.inf],
}
columns = {name: pa.array(v, type=getattr(pa, name + "_" if name == "bool" else name)()) for name, v in numbers.items()}
types = pa.table(columns)

holes = pa.table({
    "bool": pa.array([True, None, False]),
    "int16": pa.array([1, None, -3], pa.int16()),
    "int64": pa.array([None, 2**53, 3], pa.int64()),
    "too great": pa.array([None, 2**53 + 1, 3], pa.int64()),
    "float32": pa.array([None, math.nan, 1.5], pa.float32()),
    "text": pa.array(["", None, "ä"]),
    "nothing": pa.nulls(3),
    "word": pa.array(["b", None, "b"]).dictionary_encode(),
    "code": pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.int8()), pa.array([2.5, None])),
    "pair": pa.array([[1, 2], None, [None, 4]], pa.list_(pa.int32(), 2)),
})

shapes = pa.table({
    "pair": pa.array([[1, 2], [3, 4], [5, 6], [7, 8]], pa.list_(pa.int8(), 2)),
    "nested": pa.array([[[i, 1], [2, 3], [4, 5]] for i in range(4)], pa.list_(pa.list_(pa.float32(), 2), 3)),
    "list": pa.array([[1.5], [2.5], [3.5], [4.5]], pa.list_(pa.float64())),
    "uneven": pa.array([[1], [], [2, 3], [4]], pa.list_(pa.int64())),
    "flags": pa.array([[True], [False], [True], [True]], pa.list_(pa.bool_(), 1)),
})

others = pa.table({
    "large": pa.array(["a", "b"], pa.large_string()),
    "view": pa.array(["short", "longer than twelve bytes"], pa.string_view()),
    "word": pa.array(["x", "y"], pa.dictionary(pa.int32(), pa.large_string())),
    "price": pa.array([decimal.Decimal("1.25"), decimal.Decimal("-0.50")], pa.decimal128(9, 2)),
    "day": pa.array([datetime.date(2024, 2, 29), None]),
    "time": pa.array([datetime.datetime(2024, 2, 29, 12, 30), None], pa.timestamp("ms")),
    "struct": pa.array([{"a": 1}, {"a": 2}]),
    "binary": pa.array([b"\x00\xff", b"go"]),
})


def write(name, table, stream=False, rows=None, compression=None):
    options = pa.ipc.IpcWriteOptions(compression=compression)
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(name, table.schema, options=options) as out:
        out.write_table(table, max_chunksize=rows)


def plain(v):
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, (float, np.floating)):
        return repr(float(v))
    return None if v is None else str(v)


def read(name):
    with open(name, "rb") as f:
        opened = pa.ipc.open_file(f) if f.read(6) == b"ARROW1" else None
        if opened is None:
            f.seek(0)
            opened = pa.ipc.open_stream(f)
        t = opened.read_all()
    return [{"name": n, "type": str(t.schema.field(n).type), "values": plain(t[n].to_pylist())} for n in t.column_names]


write("types.arrow", types)
write("batches.arrow", pa.concat_tables([types] * 2), rows=2, compression="lz4")
write("batches.arrows", pa.concat_tables([types] * 2), stream=True, rows=2, compression="zstd")
write("holes.arrow", holes)
write("holes.arrows", holes, stream=True, rows=2)
write("shapes.arrow", shapes)
write("shapes.arrows", shapes, stream=True, rows=3)
write("others.arrow", others)
write("empty.arrow", types.slice(0, 0))
write("none.arrows", shapes.slice(0, 0), stream=True)

names = sorted(n for n in os.listdir(".") if n.endswith((".arrow", ".arrows")))
with open("read.json", "w") as out:
    out.write("{\n" + ",\n".join(f'"{n}": [\n' + ",\n".join(json.dumps(c, ensure_ascii=False) for c in read(n)) + "\n]" for n in names) + "\n}\n")
