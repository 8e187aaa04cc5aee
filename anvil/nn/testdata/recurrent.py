"""Writes recurrent.json: what the LSTM and GRU of PyTorch 2.15.0 compute, with gradients.

    pip install torch==2.15.0 numpy
    python recurrent.py

The cases are as in layers.json; the recurrent layers begin with the state "h", and for
LSTM "c", and end with "s.h" and "s.c". "g.h" and "g.c" are gradients of the first state.
"""

import json
import pathlib

import numpy as np
import torch

DTYPES = {"f64": torch.float64, "f32": torch.float32, "bf16": torch.bfloat16}
NAMES = {d: n for n, d in DTYPES.items()}
BATCH, LENGTH, INPUTS, FEATURES = 2, 5, 3, 4
GATES = {"lstm": 4, "gru": 3}


def record(a):
    return {"dtype": NAMES[a.dtype], "shape": list(a.shape), "data": [float(v) for v in a.detach().double().ravel()]}


def case(kind, d, backward):
    rng = np.random.default_rng(len(kind))

    def tensor(*shape):
        return torch.tensor(rng.normal(size=shape) * 0.7, dtype=d, requires_grad=True)

    n = GATES[kind] * FEATURES
    kernel, recurrent, bias, hidden = tensor(INPUTS, n), tensor(FEATURES, n), tensor(n), tensor(FEATURES)
    x, h, c, ct = tensor(BATCH, LENGTH, INPUTS), tensor(BATCH, FEATURES), tensor(BATCH, FEATURES), tensor(BATCH, LENGTH, FEATURES)
    layer = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU}[kind](INPUTS, FEATURES, batch_first=True, dtype=d)
    zero = torch.zeros(n, dtype=d)
    other = zero if kind == "lstm" else torch.cat([zero[: 2 * FEATURES], hidden])
    values = {"weight_ih_l0": kernel.T, "weight_hh_l0": recurrent.T, "bias_ih_l0": bias, "bias_hh_l0": other}
    xs = torch.flip(x, [1]) if backward else x
    start = (h[None], c[None]) if kind == "lstm" else h[None]
    y, end = torch.func.functional_call(layer, values, (xs, start))
    y = torch.flip(y, [1]) if backward else y
    (y * ct).sum().backward()
    tensors = {"x": x, "h": h, "ct": ct, "y": y, "p.Kernel": kernel, "p.Recurrent": recurrent, "p.Bias": bias, "g.x": x.grad,
               "g.h": h.grad, "g.Kernel": kernel.grad, "g.Recurrent": recurrent.grad, "g.Bias": bias.grad}
    if kind == "lstm":
        tensors |= {"c": c, "g.c": c.grad, "s.h": end[0][0], "s.c": end[1][0]}
    else:
        tensors |= {"p.RecurrentBias": hidden, "g.RecurrentBias": hidden.grad, "s.h": end[0]}
    return {k: record(v) for k, v in tensors.items()}


cases = {f"{kind}{' reverse' if b else ''} {dn}": case(kind, d, b) for kind in GATES for b in (False, True) for dn, d in DTYPES.items()}
lines = ",\n".join(json.dumps(n) + ":" + json.dumps(c, separators=(",", ":")) for n, c in cases.items())
pathlib.Path(__file__).with_name("recurrent.json").write_text("{\n" + lines + "\n}\n")
