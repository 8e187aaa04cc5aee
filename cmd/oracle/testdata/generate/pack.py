"""Packs files of rows as ../NAME.jsonl.gz, one JSON object per line, and writes ../SHA256SUMS: the sums of these
files before compression.

    python pack.py FOLDER

FOLDER has the files that the generators wrote. Rows that no generator makes are kept; their field origin says so.
Measured values are not changed.
"""
import gzip
import hashlib
import json
import sys
from pathlib import Path

PACKED = Path(__file__).resolve().parent.parent
GENERATED = "torch jax numpy array_api ivy flax tensorflow other arith cast_values".split()
GIVEN = {"anvil": "given: anvil's source run under R, and its vignette", "compare": "given: joined from the rows of all systems"}


def generated(folder, name):
    """The questions in the file that a generator wrote."""
    for key, rows in json.load(open(folder / f"{name}.json")).items():
        if isinstance(rows, list) and rows and isinstance(rows[0], dict):
            for row in rows:
                q = {"file": name, "list": key, "row": row}
                if row.get("source") == "docs":
                    q["origin"] = "given: documentation, not executed"
                yield q


def given(name, origin):
    """The questions of a packed file that no generator makes."""
    for line in unpacked(name).splitlines():
        yield json.loads(line) | {"origin": origin}


def unpacked(name):
    with gzip.open(PACKED / f"{name}.jsonl.gz") as f:
        return f.read()


def pack(name, questions):
    text = "".join(json.dumps(q, separators=(",", ":"), allow_nan=False) + "\n" for q in questions).encode()
    with open(PACKED / f"{name}.jsonl.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        f.write(text)


def main(folder):
    for name in GENERATED:
        if (folder / f"{name}.json").exists():
            pack(name, generated(folder, name))
    for name, origin in GIVEN.items():
        pack(name, list(given(name, origin)))
    names = sorted(p.name.removesuffix(".jsonl.gz") for p in PACKED.glob("*.jsonl.gz"))
    (PACKED / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(unpacked(n)).hexdigest()}  {n}.jsonl\n" for n in names))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
