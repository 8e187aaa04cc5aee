"""Writes torch.safetensors and flax.safetensors: a small network of PyTorch 2.15.0 and one of
Flax 0.12.8, each with an input "x" and the result "y" for it. torch_recurrent.safetensors has
an LSTM of two layers and a GRU of two directions in f64, with the results "y.lstm", "y.gru".
flax_layers.safetensors has an attention layer, an LSTM and a GRU of Flax in f64.

    pip install torch==2.15.0 jax==0.10.2 flax==0.12.8 safetensors==0.8.0 numpy
    python foreign.py
"""

import pathlib

import jax
import numpy as np
import safetensors.flax
import safetensors.torch
import torch
from flax import linen
from flax.traverse_util import flatten_dict

FOLDER = pathlib.Path(__file__).parent
jax.config.update("jax_platforms", "cpu")
x = np.random.default_rng(0).normal(size=(2, 5, 6, 3)).astype(np.float32)


class Torch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, (3, 2))
        self.norm = torch.nn.BatchNorm2d(4)
        self.fc1 = torch.nn.Linear(4, 5)
        self.ln = torch.nn.LayerNorm(5)
        self.fc2 = torch.nn.Linear(5, 2)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x))).mean((2, 3))
        return self.fc2(torch.relu(self.ln(self.fc1(x))))


torch.manual_seed(0)
net = Torch()
images = torch.tensor(x).permute(0, 3, 1, 2)
net(images)  # running statistics
net.eval()
with torch.no_grad():
    safetensors.torch.save_file(net.state_dict() | {"x": torch.tensor(x), "y": net(images)}, FOLDER / "torch.safetensors")


torch.set_default_dtype(torch.float64)
lstm, gru = torch.nn.LSTM(3, 4, num_layers=2, batch_first=True), torch.nn.GRU(3, 4, bidirectional=True, batch_first=True)
plain = torch.nn.LSTM(3, 4, bias=False, batch_first=True)
steps = torch.tensor(np.random.default_rng(1).normal(size=(2, 5, 3)))
tensors = {f"{n}.{k}": v for n, m in (("lstm", lstm), ("gru", gru), ("plain", plain)) for k, v in m.state_dict().items()}
with torch.no_grad():
    results = {"x": steps, "y.lstm": lstm(steps)[0], "y.gru": gru(steps)[0], "y.plain": plain(steps)[0]}
safetensors.torch.save_file({k: v.contiguous() for k, v in (tensors | results).items()}, FOLDER / "torch_recurrent.safetensors")


class Flax(linen.Module):
    @linen.compact
    def __call__(self, x, train):
        x = linen.Conv(4, (3, 2), padding="VALID")(x)
        x = linen.relu(linen.BatchNorm(use_running_average=not train)(x)).mean((1, 2))
        return linen.Dense(2)(linen.relu(linen.LayerNorm()(linen.Dense(5)(x))))


model = Flax()
variables = model.init(jax.random.key(0), x, True)
_, state = model.apply(variables, x, True, mutable=["batch_stats"])
variables = variables | state
named = flatten_dict(variables, sep=".") | {"x": x, "y": model.apply(variables, x, False)}
safetensors.flax.save_file({k: jax.numpy.asarray(v) for k, v in named.items()}, FOLDER / "flax.safetensors")


jax.config.update("jax_enable_x64", True)
f64 = {"dtype": "float64", "param_dtype": "float64"}
layers = {
    "attention": linen.MultiHeadDotProductAttention(num_heads=2, qkv_features=6, out_features=5, **f64),
    "lstm": linen.RNN(linen.OptimizedLSTMCell(4, **f64)),
    "gru": linen.RNN(linen.GRUCell(4, **f64)),
}
steps = np.random.default_rng(1).normal(size=(2, 5, 3))
named = {"x": steps}
for i, (name, layer) in enumerate(layers.items()):
    params = layer.init(jax.random.key(i), steps)
    # The biases are 0 at first.
    params = jax.tree.map(lambda p: p + 0.1 * np.random.default_rng(2).normal(size=p.shape), params)
    named |= flatten_dict({name: params["params"]}, sep=".") | {f"y.{name}": layer.apply(params, steps)}
safetensors.flax.save_file({k: jax.numpy.asarray(v) for k, v in named.items()}, FOLDER / "flax_layers.safetensors")
