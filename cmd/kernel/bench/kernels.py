"""Whole kernels, measured as a front end sees them: goanvil and ipykernel in turn."""

import os
import shutil
import statistics
import subprocess
import tempfile
import time

from jupyter_client.manager import KernelManager

# Cells, by the name of the kernel that runs them.
ONE = {"goanvil": "1 + 1", "python3": "1 + 1"}
TENSOR = {
    "goanvil": "x := nv.New([]float64{1, 2, 3}) + 1",
    "python3": "import jax.numpy as jnp\nx = jnp.array([1.0, 2.0, 3.0]) + 1",
}
LINES = {
    "goanvil": 'for i := 0; i < 100000; i++ {\n\tfmt.Println("line", i)\n}',
    "python3": 'for i in range(100000):\n    print("line", i)',
}
SPIN = {"goanvil": "for {\n}", "python3": "while True:\n    pass"}
PLUGIN_HASHES = os.path.join(os.environ["GOANVIL_CACHE"], "plugins")
MESSAGES = {}  # for each kernel, the numbers of stream messages in which it sent LINES
GRADIENT = {
    "goanvil": """x := nv.New([]float64{1, 2, 3, 4})
g := nv.Grad(func(x nv.Tensor) nv.Tensor { return (nv.Tanh(x*x+x) * x).Sum() })
g(x)""",
    "python3": """import time
import jax, jax.numpy as jnp
x = jnp.array([1.0, 2.0, 3.0, 4.0])
g = jax.grad(lambda x: (jnp.tanh(x * x + x) * x).sum())
g(x)""",
}
GRADIENTS = {
    "goanvil": """start := time.Now()
for range 1000 {
	g(x).Wait()
}
time.Since(start).Seconds() / 1000""",
    "python3": """start = time.perf_counter()
for _ in range(1000):
    g(x).block_until_ready()
(time.perf_counter() - start) / 1000""",
}
TRAINING = {
    "goanvil": """x, y := nv.Arange(128*784, nv.F32).Sin().Reshape(nv.Shape{128, 784}), nv.Arange(128)%10
model := nn.Init(nn.Sequential{nn.Dense{Features: 128}, nv.Relu, nn.Dense{Features: 10}}, random.Key(0), x)
opt := optim.Adam{Rate: 1e-3}
state := optim.Init(opt, model)
step := nv.Jit(func(m nn.Sequential, s optim.State, x, y nv.Tensor) (nn.Sequential, optim.State, nv.Tensor) {
	l, g := nv.ValueAndGrad(func(m nn.Sequential) nv.Tensor { return nv.CrossEntropyLoss(m.Apply(x), y) })(m)
	m, s = optim.Update(opt, m, g, s)
	return m, s, l
})
var loss nv.Tensor
model, state, loss = step(nv.Donate(model), nv.Donate(state), x, y)""",
    "python3": """import flax.linen as nn, jax, jax.numpy as jnp, optax
x, y = jnp.sin(jnp.arange(128 * 784.0)).reshape(128, 784), jnp.arange(128) % 10
model = nn.Sequential([nn.Dense(128), nn.relu, nn.Dense(10)])
params = model.init(jax.random.key(0), x)
opt = optax.adam(1e-3)
state = opt.init(params)
@jax.jit
def step(params, state, x, y):
    loss, grads = jax.value_and_grad(
        lambda p: optax.softmax_cross_entropy_with_integer_labels(model.apply(p, x), y).mean())(params)
    changes, state = opt.update(grads, state, params)
    return optax.apply_updates(params, changes), state, loss
params, state, loss = step(params, state, x, y)""",
}
COMPLETE = {"goanvil": "fmt.Spr", "python3": "os.pat"}


class Kernel:
    """A running kernel and its client. Its cache has the plugins' hashes, but no compiled program."""

    def __init__(self, name):
        self.name = name
        self.cache = tempfile.TemporaryDirectory()
        shutil.copytree(PLUGIN_HASHES, os.path.join(self.cache.name, "plugins"), dirs_exist_ok=True)
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel(
            env=dict(os.environ, GOANVIL_CACHE=self.cache.name, JAX_PLATFORMS="cpu"),
            stderr=subprocess.DEVNULL,
        )
        self.client = self.manager.client()
        self.client.start_channels()

    def ready(self):
        self.client.wait_for_ready(timeout=60)

    def execute(self, code):
        """Seconds from the request to idle, and the messages published for it before idle."""
        start = time.perf_counter()
        request = self.client.execute(code)
        published = []
        while True:
            message = self.client.get_iopub_msg(timeout=120)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
            published.append(message)
        seconds = time.perf_counter() - start
        while self.client.get_shell_msg(timeout=60)["parent_header"]["msg_id"] != request:
            pass
        return seconds, published

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.cache.cleanup()


def installed_size():
    """Megabytes of the kernel's binary as it is installed."""
    return os.path.getsize(KernelManager(kernel_name="goanvil").kernel_spec.argv[0]) / 1e6


def cold(code, expression):
    """Returns a function that measures the seconds from starting a kernel to the text of expression after code.

    The text is requested on the shell channel, which keeps messages sent before the
    kernel listens. Messages published that early may be lost.
    """

    def measure(name):
        start = time.perf_counter()
        kernel = Kernel(name)
        try:
            kernel.client.execute(code[name], user_expressions={"value": expression})
            reply = kernel.client.get_shell_msg(timeout=60)
            seconds = time.perf_counter() - start
            assert "text/plain" in reply["content"]["user_expressions"]["value"]["data"], reply
            return [seconds]
        finally:
            kernel.close()

    return measure


def warm(work):
    """Returns a function that measures work on a kernel that has run a cell."""

    def measure(name):
        kernel = Kernel(name)
        try:
            kernel.ready()
            kernel.execute(ONE[name])
            return work(kernel)
        finally:
            kernel.close()

    return measure


def round_trips(kernel):
    return [kernel.execute(ONE[kernel.name])[0] for _ in range(500)]


def printing(kernel):
    seconds, published = kernel.execute(LINES[kernel.name])
    streams = [m["content"]["text"] for m in published if m["msg_type"] == "stream"]
    assert "".join(streams) == "".join(f"line {i}\n" for i in range(100_000)), "lines lost or late"
    MESSAGES.setdefault(kernel.name, []).append(len(streams))
    return [seconds]


def interrupting(kernel):
    samples = []
    for _ in range(5):
        request = kernel.client.execute(SPIN[kernel.name], stop_on_error=False)  # an error would abort the next request
        while True:
            message = kernel.client.get_iopub_msg(timeout=60)
            if message["msg_type"] == "execute_input" and message["parent_header"]["msg_id"] == request:
                break
        time.sleep(0.1)
        start = time.perf_counter()
        kernel.manager.interrupt_kernel()
        kernel.client.get_shell_msg(timeout=60)
        samples.append(time.perf_counter() - start)
    return samples


def gradients(kernel):
    """The mean seconds of a thousand eager gradients of five operations in one cell."""
    kernel.execute(GRADIENT[kernel.name])
    published = kernel.execute(GRADIENTS[kernel.name])[1]
    return [float(m["content"]["data"]["text/plain"]) for m in published if m["msg_type"] == "execute_result"]


def completing(kernel):
    samples = []
    for _ in range(50):
        start = time.perf_counter()
        kernel.client.complete(COMPLETE[kernel.name], reply=True, timeout=30)
        samples.append(time.perf_counter() - start)
    return samples


def mixed(n):
    """Cell n of a long session. The tests run the same cells."""
    return (
        "1 + 1",
        f"type point struct{{ x, y int; z [{n}]int }}\npoint{{x: {n}}}.x",
        f"func f(n int) int {{ return n + {n} }}\nf(1)",
        f"y := 0.5*x + {n}\ny.Sum()",
    )[n % 4]


def long_session():
    """Medians of the seconds of cells 11 to 60, and of cells 951 to 1,000."""
    kernel = Kernel("goanvil")
    try:
        kernel.ready()
        kernel.execute("x := nv.New([]float64{1, 2, 3, 4})")
        samples = []
        for n in range(1, 1001):
            seconds, published = kernel.execute(mixed(n))
            assert any(m["msg_type"] == "execute_result" for m in published), published
            samples.append(seconds)
            if n % 10 == 0:
                kernel.client.complete("y.Su", reply=True, timeout=30)
        return statistics.median(samples[10:60]), statistics.median(samples[950:1000])
    finally:
        kernel.close()


# The name, the function that returns samples of a kernel, and the bound of the ratio, or None.
WORK = [
    ("cold start to 1 + 1", cold({"goanvil": "", "python3": ""}, "1 + 1"), 0.2),
    ("cold start to a tensor", cold(TENSOR, "x"), 0.2),
    ("cold start to a training step", cold(TRAINING, "loss"), 0.4),
    ("round trip of 1 + 1", warm(round_trips), 1 / 3),
    ("100,000 printed lines", warm(printing), 1 / 2),
    ("interrupt of a loop", warm(interrupting), None),
    ("completion", warm(completing), None),
    ("eager gradient in a cell", warm(gradients), 0.1),
]

# Bounds of the median of goanvil's samples, in seconds.
SECONDS = {"interrupt of a loop": 0.2, "eager gradient in a cell": 140e-6}
