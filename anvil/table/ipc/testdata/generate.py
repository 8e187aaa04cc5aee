"""Files of every type in Arrow's IPC format, for TestTypes: python generate.py

Seen with pyarrow 26.0.1 and polars 2.1.0. types.arrow has each type in one batch; the other
files have parts of it in several batches, compressed, or as older versions wrote them.
"""

import datetime as dt
import decimal
import os
import struct

import numpy as np
import polars as pl
import pyarrow as pa

os.chdir(os.path.dirname(os.path.abspath(__file__)))
D = decimal.Decimal
columns = {}


def add(name, type, values):
    columns[name] = pa.array(values, type)


def encoded(indices, values, ordered=False):
    return pa.DictionaryArray.from_arrays(indices, pa.array(values), ordered=ordered)


add("bool", pa.bool_(), [True, None, False])
for bits in (8, 16, 32, 64):
    top = 2 ** (bits - 1)
    add(f"int{bits}", getattr(pa, f"int{bits}")(), [-top, 0, top - 1])
    add(f"uint{bits}", getattr(pa, f"uint{bits}")(), [0, 1, 2 * top - 1])
    add(f"int{bits} null", getattr(pa, f"int{bits}")(), [-5, None, 100])
add("int64 great", pa.int64(), [2**53 + 1, None, 1])
add("uint64 great", pa.uint64(), [2**64 - 1, None, 1])
add("float16", pa.float16(), [np.float16(6e-8), None, np.float16(np.inf)])
add("float32", pa.float32(), [1.1, None, 1e-45])
add("float64", pa.float64(), [5e-324, None, -np.inf])
add("string", pa.string(), ["a", None, "äö\U0001f600"])
add("large string", pa.large_string(), ["", None, "<&>\" \\"])
add("string view", pa.string_view(), ["short", None, "longer than twelve bytes"])
columns["string view with any bytes below null"] = pa.Array.from_buffers(
    pa.string_view(), 3, [pa.py_buffer(b"\5"), pa.py_buffer(struct.pack("<i12s", 1, b"a") + b"\xff" * 16 + struct.pack("<i12s", 1, b"b"))])
add("binary", pa.binary(), [b"a", None, b"\xff\x00"])
add("large binary", pa.large_binary(), [b"", None, b"\xff\x00"])
add("binary view", pa.binary_view(), [b"a", None, b"longer than twelve bytes"])
add("fixed binary", pa.binary(3), [b"abc", None, b"\xff\x00\x01"])
add("empty binary", pa.binary(0), [b"", None, b""])
for name, type in {"32": pa.decimal32(5, 2), "64": pa.decimal64(12, 3), "128": pa.decimal128(30, 5), "256": pa.decimal256(60, 10)}.items():
    add("decimal" + name, type, [D("999.01"), None, D("-0.5")])
add("decimal times 100", pa.decimal128(10, -2), [D(12300), None, D(-1200)])
add("date32", pa.date32(), [dt.date(1, 1, 1), None, dt.date(9999, 12, 31)])
add("date64", pa.date64(), [dt.date(1969, 12, 31), None, dt.date(2024, 2, 29)])
for unit, type in {"s": pa.time32, "ms": pa.time32, "us": pa.time64, "ns": pa.time64}.items():
    add("time " + unit, type(unit), [dt.time(1, 2, 3), None, dt.time(23, 59, 59)])
    add("duration " + unit, pa.duration(unit), [5, None, -7])
for unit, zone in ("s", None), ("ms", "UTC"), ("us", "Europe/Berlin"), ("ns", "+05:30"), ("s", "Nowhere"):
    add(f"timestamp {unit} {zone}", pa.timestamp(unit, zone), [1709210001, None, -1])
add("timestamp far", pa.timestamp("s"), [2**62, None, 253402300800])
add("interval", pa.month_day_nano_interval(), [(1, 2, 3), None, (-1, -2, -3)])
add("null", pa.null(), [None] * 3)
add("list", pa.list_(pa.int64()), [[1, 2], None, []])
add("list of one length", pa.large_list(pa.int16()), [[1, 2], [3, None], [5, 6]])
add("list of lists", pa.list_(pa.list_(pa.float32())), [[[1], [2]], [[3], [4]], [[5], [6]]])
add("list of strings", pa.list_(pa.string()), [["<", None], None, []])
add("list of nulls", pa.list_(pa.null()), [[None], [None], [None]])
add("list view", pa.list_view(pa.int64()), [[1, 2], None, [3]])
columns["list view shared"] = pa.ListViewArray.from_arrays(
    pa.array([1, 0, 1], pa.int32()), pa.array([2, 2, 2], pa.int32()), pa.array([1, 2, 3]))
add("fixed list", pa.list_(pa.int32(), 2), [[1, 2], None, [3, None]])
columns["fixed list with values below nulls"] = pa.FixedSizeListArray.from_arrays(
    pa.array([1.0, 2, 3, 4, 5, None]), 2, mask=pa.array([False, True, False]))
add("fixed list of lists", pa.list_(pa.list_(pa.float32(), 2), 2), [[[1, 2], [3, 4]], None, [[5, 6], None]])
add("fixed list of strings", pa.list_(pa.string(), 2), [["a", "b"], None, ["c", None]])
add("empty fixed list", pa.list_(pa.int32(), 0), [[], None, []])
add("struct", pa.struct([("z", pa.uint64()), pa.field("a", pa.string(), False)]), [{"z": 2**64 - 1, "a": "x"}, None, {"z": None, "a": "<"}])
add("empty struct", pa.struct([]), [{}, None, {}])
row = {"d": D("1.50"), "t": dt.datetime(2024, 1, 1), "n": None, "f": np.inf, "b": b"q", "h": True, "i": (1, 2, 3)}
add("deep", pa.list_(pa.struct([("d", pa.decimal128(9, 2)), ("t", pa.timestamp("us")), ("n", pa.null()), ("f", pa.float32()), ("b", pa.binary()),
                                ("h", pa.bool_()), ("i", pa.month_day_nano_interval())])), [[row], None, []])
add("map", pa.map_(pa.string(), pa.int64(), keys_sorted=True), [[("a", 1)], None, [("b", None), ("c", 3)]])
columns["dictionary"] = encoded(pa.array([1, None, 0], pa.int8()), ["x", "y"])
columns["dictionary of ints"] = encoded(pa.array([1, 0, 1], pa.uint64()), [7, 8])
columns["dictionary of nulls"] = encoded(pa.array([1, 0, 0], pa.uint8()), [2.5, None])
columns["dictionary of dates"] = encoded(pa.array([1, 0, None], pa.int32()), [dt.date(2024, 1, 1), dt.date(2024, 1, 2)], True)
columns["dictionary of lists"] = encoded(pa.array([1, 0, 1], pa.int16()), pa.array([[1, 2], [3, 4]], pa.list_(pa.int8(), 2)))
columns["dictionary of structs"] = encoded(pa.array([1, 0, None], pa.int64()), [{"a": 1}, {"a": 2}])
columns["list of words"] = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), encoded(pa.array([1, 0, 1], pa.int8()), ["x", "y"]))
columns["runs"] = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array([1, 2]))
columns["runs of words"] = pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int16()), pa.array(["a", None]))
columns["sparse union"] = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["a", "b", "c"])])
columns["dense union"] = pa.UnionArray.from_dense(
    pa.array([5, 7, 7], pa.int8()), pa.array([0, 0, 1], pa.int32()), [pa.array([1]), pa.array(["a", None])], ["i", "s"], [5, 7])
columns["uuid"] = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0123456789abcdef", None, b"fedcba9876543210"], pa.binary(16)))
types = pa.table(columns)
V4 = pa.ipc.MetadataVersion.V4


def write(name, batches, **options):
    new = pa.ipc.new_stream if name.endswith(".arrows") else pa.ipc.new_file
    with new(name, batches[0].schema, options=pa.ipc.IpcWriteOptions(**options)) as out:
        for b in batches:
            out.write(b)


def words(*lists):
    return [pa.record_batch({"word": pa.array(words).dictionary_encode()}) for words in lists]


parts = [types.slice(0, 1), types.slice(1, 2), types]
write("types.arrow", [types])
write("types.arrows", [types])
write("lz4.arrow", parts, compression="lz4")
write("zstd.arrows", parts, compression="zstd")
write("long.arrow", [pa.concat_tables([types.select(["int16", "string", "list", "dictionary"])] * 300).combine_chunks()], compression="zstd")
write("version4.arrow", [types], metadata_version=V4)
write("legacy.arrows", [types], metadata_version=V4, use_legacy_format=True)
write("none.arrow", [types.slice(0, 0)])
write("no_columns.arrow", [pa.table({})])
write("replaced.arrows", words(["a", "b"], ["c", "d"], ["b", None]))
write("deltas.arrows", words(["a", "b"], ["a", "b", "c"], ["c", None]), emit_dictionary_deltas=True)
for rows in (0, 2**20, 2**24 + 1):
    write(f"nulls_{rows}.arrow", [pa.table({"n": pa.nulls(rows)})])
write("many_nulls.arrow", [pa.table({"l": pa.FixedSizeListArray.from_arrays(pa.nulls(2**25), 2**24)})])
frame = pl.DataFrame({
    "int": [1, 2, None], "word": pl.Series(["x", "y", "x"], dtype=pl.Categorical), "enum": pl.Series(["x", "y", "x"], dtype=pl.Enum(["x", "y"])),
    "text": ["a", None, "longer than twelve bytes"], "day": [dt.date(2024, 1, 1), None, dt.date(2024, 1, 2)], "list": [[1, 2], [3], None],
    "array": pl.Series([[1, 2], [3, 4], None], dtype=pl.Array(pl.Int32, 2)), "struct": [{"a": 1, "b": "x"}, None, {"a": 2, "b": "y"}],
    "decimal": pl.Series([D("1.5"), None, D("2.25")], dtype=pl.Decimal(10, 2)), "null": [None] * 3})
frame.write_ipc("polars.arrow", compression="lz4")
frame.slice(1).write_ipc_stream("polars.arrows", compression="zstd")
pl.DataFrame({"i": pl.Series([1, 2], dtype=pl.Int128)}).write_ipc("int128.arrow")
