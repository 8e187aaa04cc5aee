"""The workloads in PyTorch, eager."""

import os

# On a loaded machine, threads that spin while they wait take a hundred times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch
from served import sampler, serve

torch.manual_seed(0)
torch.set_grad_enabled(False)


def on(x, f):
    return sampler(lambda: f(x))


def hundred(x):
    for _ in range(50):
        x = x * 0.5 + 1.0
    return x


def chain(v):
    return torch.tanh(2 * v + 1) * torch.exp(-v * v) + torch.sqrt(torch.abs(v))


def setting(x):
    y = x.clone()
    y[0] = 7
    return y


def layer_norm(x):
    return torch.nn.functional.layer_norm(x, x.shape[1:])


def square(n, dtype):
    return on(torch.rand(n, n, dtype=dtype), lambda x: x @ x)


def multilayer(optimizer):
    """A step of training 784-128-10 on 128 examples."""
    model = torch.nn.Sequential(torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
    opt = optimizer(model.parameters())
    x, y = torch.arange(128 * 784.0).sin().mul(0.05).reshape(128, 784), torch.arange(128) % 10

    @torch.enable_grad()
    def step():
        loss = torch.nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()

    return sampler(step)


serve({
    "add f32[4], awaited": lambda: on(torch.rand(4), lambda x: x + x),
    "add f32[1000], awaited": lambda: on(torch.rand(1000), lambda x: x + x),
    "100 operations on f32[1000]": lambda: on(torch.rand(1000), hundred),
    "x[0]": lambda: on(torch.rand(1000), lambda x: x[0]),
    "x[1:3]": lambda: on(torch.rand(1000), lambda x: x[1:3]),
    "x[0] = v": lambda: on(torch.rand(1000), setting),
    "matmul 1024 f32": lambda: square(1024, torch.float32),
    "matmul 1024 f64": lambda: square(1024, torch.float64),
    "matmul 2048 f32": lambda: square(2048, torch.float32),
    "matmul 2048 f64": lambda: square(2048, torch.float64),
    "sum of 4096 x 4096 over axis 0, jit": lambda: on(torch.rand(4096, 4096), lambda x: x.sum(0)),
    "sum of 4096 x 4096 over axis 1, jit": lambda: on(torch.rand(4096, 4096), lambda x: x.sum(1)),
    "sum of 4096 x 4096, jit": lambda: on(torch.rand(4096, 4096), lambda x: x.sum()),
    "softmax of 4096 x 1024, jit": lambda: on(torch.rand(4096, 1024), lambda x: torch.softmax(x, 1)),
    "layer norm of 4096 x 1024, jit": lambda: on(torch.rand(4096, 1024), layer_norm),
    "elementwise chain on 10M, eager": lambda: on(torch.rand(10_000_000), chain),
    "exp of 10M": lambda: on(torch.rand(10_000_000), torch.exp),
    "sort of 1M": lambda: on(torch.rand(1_000_000), lambda x: torch.sort(x)[0]),
    "10M normals": lambda: on(None, lambda _: torch.randn(10_000_000)),
    "100 MB to the device": lambda: on(torch.rand(25_000_000), torch.clone),
    "MLP step, 784-128-10, batch 128, jit": lambda: multilayer(lambda p: torch.optim.SGD(p, 0.1)),
    "Adam step of an MLP, 784-128-10": lambda: multilayer(lambda p: torch.optim.Adam(p, 1e-3, fused=True)),
})
