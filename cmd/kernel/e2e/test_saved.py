"""A model that a kernel has trained and saved predicts the same bits in Python."""

import json
import struct

from conftest import PATIENCE
from jupyter_client.manager import start_new_kernel

# Weights are rounded to multiples of 1/256, and the pixels are integers up to 16. f64 holds all sums of
# their products exactly, so the results do not depend on the order of the sums.
TRAIN = """
type Net struct{ In, Out nn.Dense }
func (m Net) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(nv.Relu(m.In.Apply(x))) }
digits := data.Digits()
x, y := nv.Round(digits.X.Reshape(nv.Shape{-1, 64})[:64].AsType(nv.F64)*16), digits.Y[:64]
net := nn.Init(Net{nn.Dense{Features: 8, ParamDType: nv.F64}, nn.Dense{Features: 10, ParamDType: nv.F64}}, random.Key(0), x)
step := nv.Jit(func(m Net) Net {
	g := nv.Grad(func(m Net) nv.Tensor { return nv.CrossEntropyLoss(m.Apply(x), y) })(m)
	return nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0] - 0.01*xs[1] }, m, g)
})
for range 20 {
	net = step(net)
}
net = nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return nv.Round(xs[0]*256) / 256 }, net)
"""
SAVE = """
err := data.Save(%s, struct{ Net Net; X, Y nv.Tensor }{net, x, net.Apply(x)})
err
"""


def read(path):
    """The tensors of a safetensors file, as their shapes and f64 numbers."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header, tensors = json.loads(raw[8 : 8 + length]), {}
    for name, t in header.items():
        if name != "__metadata__":
            assert t["dtype"] == "F64", (name, t)
            begin, end = (8 + length + i for i in t["data_offsets"])
            tensors[name] = t["shape"], struct.unpack(f"<{(end - begin) // 8}d", raw[begin:end])
    return tensors


def dense(rows, tensors, layer):
    """The outputs of a dense layer for rows of inputs."""
    (inputs, outputs), kernel = tensors[layer + ".Kernel"]
    _, bias = tensors[layer + ".Bias"]
    return [
        [sum(row[i] * kernel[i * outputs + j] for i in range(inputs)) + bias[j] for j in range(outputs)] for row in rows
    ]


def test_prediction_in_python(tmp_path):
    path = tmp_path / "net.safetensors"
    manager, client = start_new_kernel(kernel_name="goanvil", startup_timeout=PATIENCE)
    try:
        for code in (TRAIN, SAVE % json.dumps(str(path))):
            reply = client.execute_interactive(code, timeout=PATIENCE, output_hook=lambda m: None)["content"]
            assert reply["status"] == "ok", reply
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    tensors = read(path)
    (n, features), pixels = tensors["X"]
    rows = [pixels[i * features : (i + 1) * features] for i in range(n)]
    hidden = [[max(v, 0.0) for v in row] for row in dense(rows, tensors, "Net.In")]
    got = [v for row in dense(hidden, tensors, "Net.Out") for v in row]
    assert struct.pack(f"<{len(got)}d", *got) == struct.pack(f"<{len(got)}d", *tensors["Y"][1])
    assert len(set(got)) > 100
