"""Packs rows of golden files, one JSON object a line.

    python copy.py GOLDEN_FOLDER

Error texts are cut to what a reader needs; all else is as it was measured.
"""
import gzip
import json
import sys

for name in "anvil torch jax numpy array_api ivy tensorflow other compare".split():
    data = json.load(open(f"{sys.argv[1]}/{name}.json"))
    with open(f"{name}.jsonl.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        for key, rows in data.items():
            if not (isinstance(rows, list) and rows and isinstance(rows[0], dict)):
                continue
            for row in rows:
                row = {k: v[:60] if k.endswith("error") and isinstance(v, str) else v for k, v in row.items()}
                row = {k: str(v) if v in (float("inf"), [float("inf")]) else v for k, v in row.items()}
                f.write((json.dumps({"file": name, "list": key, "row": row}) + "\n").encode())
