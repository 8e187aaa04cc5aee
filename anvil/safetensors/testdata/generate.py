"""Writes tensors.safetensors with the format's own library: what package
safetensors must read. safetensors 0.8.0, numpy 2.4.6"""
import numpy as np
from safetensors.numpy import save_file

m = np.arange(6).reshape(2, 3)
save_file(
    {
        "f32": m.astype("<f4") / 4,
        "f16": m.astype("<f2"),
        "bools": np.array([True, False, True]),
        "i64": np.array([-(2**63)], "<i8"),
        "scalar": np.array(7, "<i4"),
        "empty": np.zeros((0, 3), "<f4"),
    },
    "tensors.safetensors",
    metadata={"made by": "the format's own library"},
)
