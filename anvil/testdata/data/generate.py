"""Files as pandas and Pillow write them, and what pandas reads of them.

    python generate.py    (pandas 2 or 3, numpy, pillow)
"""

import io
import json
import pathlib

import numpy as np
import pandas as pd
from PIL import Image

HERE = pathlib.Path(__file__).parent

frame = pd.DataFrame({
    "count": [1, -2, 3_000_000_000, 4],
    "small": [7, 8, 9, 10],
    "size": [0.1, 2.5e-300, np.nan, 1e300],
    "holes": pd.array([1, None, 3, 4], dtype="Int64"),
    "right": [True, False, True, True],
    "text": ['a "quoted" word', "two\nlines", "comma, inside", "žluť"],
    "gap": ["x", None, "z", "x"],
})
files = {
    "comma": {},
    "semicolon": {"sep": ";"},
    "headless": {"header": False},
    "quoted": {"quoting": 1},
}
read = {}
for name, how in files.items():
    path = HERE / f"{name}.csv"
    path.write_text(frame.to_csv(index=False, **how), encoding="utf-8")
    back = pd.read_csv(path, sep=how.get("sep", ","), header=None if name == "headless" else 0)
    read[name] = {
        "kinds": [str(d) for d in back.dtypes],
        "columns": [[None if pd.isna(v) else v if isinstance(v, str) else repr(v) for v in back[c].tolist()] for c in back],
    }
ragged = "a,b\n1,2\n3,4,5\n"
(HERE / "ragged.csv").write_text(ragged)

rng = np.random.default_rng(7)
pictures = {
    "gray": Image.fromarray(rng.integers(0, 256, (3, 4), np.uint8)),
    "rgb": Image.fromarray(rng.integers(0, 256, (3, 4, 3), np.uint8)),
    "rgba": Image.fromarray(rng.integers(0, 256, (3, 4, 4), np.uint8)),
    "gray16": Image.fromarray(rng.integers(0, 65536, (3, 4), np.uint16)),
}
shown = {}
for name, picture in pictures.items():
    picture.save(HERE / f"{name}.png")
    values = np.asarray(picture)
    shown[name] = {"shape": list(values.shape), "values": values.flatten().tolist()}
(HERE / "read.json").write_text(json.dumps({"tables": read, "pictures": shown}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
