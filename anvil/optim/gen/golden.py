"""Writes testdata/optax.json: the parameters of three problems after steps of Optax's
optimizers in f64, and rates of its schedules.

    pip install jax==0.10.2 optax==0.2.8
    python gen/golden.py > testdata/optax.json
"""

import json

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

import jax.numpy as jnp
import numpy as np
import optax

STEPS = [1, 2, 3, 4, 5, 7, 10, 20, 30, 50, 75, 100]


def quadratic(p):
    """Ill-conditioned, with one tensor of each rank."""
    c = jnp.array([[1.0, 0.3, 0.1], [0.3, 2.0, 0.2], [0.1, 0.2, 10.0]])
    d = p["V"] - jnp.array([1.0, -2.0, 0.5])
    return 0.5 * d @ c @ d + (p["S"] - 3) ** 2 + 0.1 * jnp.sum((p["M"] - 1.5) ** 2)


def logistic(p):
    """A classification of eight points by a linear map of six features."""
    x = jnp.sin(1 + jnp.arange(48.0)).reshape(8, 6)
    sign = jnp.array([1.0, -1, 1, 1, -1, -1, 1, -1])
    z = x @ p["M"].reshape(-1) + x[:, :3] @ p["V"] + p["S"]
    return jnp.mean(jnp.log1p(jnp.exp(-sign * z))) + 0.05 * sum(jnp.sum(q**2) for q in p.values())


def network(p):
    """A regression by tanh of a linear map."""
    x = jnp.sin(jnp.arange(15.0)).reshape(5, 3)
    y = jnp.cos(2 * jnp.arange(5.0))
    h = jnp.tanh(x @ p["M"].T + p["V"][:2])
    return jnp.mean((h @ p["V"][1:] + p["S"] - y) ** 2) + 0.1 * sum(jnp.sum(q**2) for q in p.values())


START = {
    "S": np.array(0.3),
    "V": np.array([0.45, -0.4, 0.7]),
    "M": np.array([[0.2, -0.6, 0.9], [-0.8, 0.35, 0.15]]),
}

MASK = {"S": False, "V": False, "M": True}


def in_f64(schedule):
    """The optimizers count in int32, which schedules divide in f32."""
    return lambda count: schedule(count.astype(jnp.int64))


OPTIMIZERS = {
    "SGD": optax.sgd(0.05),
    "SGD momentum": optax.sgd(0.02, momentum=0.9),
    "SGD Nesterov": optax.sgd(0.02, momentum=0.8, nesterov=True),
    "Adam": optax.adam(0.05),
    "Adam betas": optax.adam(0.02, b1=0.8, b2=0.95, eps=1e-3),
    "AdamW": optax.adamw(0.05, weight_decay=0.01),
    "AdamW mask": optax.adamw(0.05, weight_decay=0.1, mask=MASK),
    "NAdam": optax.nadam(0.05),
    "RMSProp": optax.rmsprop(0.0001),
    "RMSProp centered": optax.rmsprop(0.002, decay=0.8, eps=1e-4, centered=True),
    "RMSProp momentum": optax.rmsprop(0.0005, momentum=0.9),
    "RMSProp Nesterov": optax.rmsprop(0.0001, momentum=0.7, nesterov=True),
    "Adagrad": optax.adagrad(0.3),
    "Adadelta": optax.adadelta(1.0),
    "Lion": optax.lion(0.01),
    "Lion mask": optax.lion(0.01, b1=0.85, b2=0.95, weight_decay=0.1, mask=MASK),
    "LAMB": optax.lamb(0.01),
    "LAMB decay": optax.lamb(0.01, weight_decay=0.1, mask=MASK),
    "LBFGS": optax.lbfgs(0.1, memory_size=10, linesearch=None),
    "LBFGS memory 3": optax.lbfgs(0.1, memory_size=3, linesearch=None),
    "Decay SGD": optax.chain(optax.add_decayed_weights(0.1, mask=MASK), optax.sgd(0.05, momentum=0.5)),
    "ClipValue": optax.chain(optax.clip(0.2), optax.sgd(0.05)),
    "ClipNorm": optax.chain(optax.clip_by_global_norm(0.5), optax.adam(0.05)),
    "Accumulate": optax.MultiSteps(optax.adam(0.05), 4, accumulator_dtype=jnp.float64),
    "Schedule": optax.adam(in_f64(optax.warmup_cosine_decay_schedule(0.001, 0.05, 10, 80, 0.002))),
}

COUNTS = [0, 1, 2, 5, 9, 10, 11, 29, 30, 31, 50, 99, 100, 101, 1000]

SCHEDULES = {
    "Constant": optax.constant_schedule(0.1),
    "Step": optax.exponential_decay(0.5, 30, 0.1, staircase=True),
    "Cosine": optax.cosine_decay_schedule(0.2, 100, alpha=0.1),
    "Warmup": optax.warmup_cosine_decay_schedule(0.01, 0.2, 10, 110, 0.0),
    "OneCycle": optax.cosine_onecycle_schedule(100, 0.4),
}


def run(opt, loss):
    p = jax.tree.map(jnp.asarray, START)
    state = opt.init(p)

    @jax.jit
    def step(p, state):
        u, state = opt.update(jax.grad(loss)(p), state, p)
        return optax.apply_updates(p, u), state

    out = []
    for i in range(1, STEPS[-1] + 1):
        p, state = step(p, state)
        if i in STEPS:
            out.append([float(p["S"]), *p["V"].tolist(), *p["M"].reshape(-1).tolist()])
    return out


problems = {"quadratic": quadratic, "logistic": logistic, "network": network}
golden = {
    "steps": STEPS,
    "counts": COUNTS,
    "optimizers": {name: {k: run(opt, f) for k, f in problems.items()} for name, opt in OPTIMIZERS.items()},
    "schedules": {name: [float(s(jnp.array(c))) for c in COUNTS] for name, s in SCHEDULES.items()},
}
text = json.dumps(golden, separators=(",", ":"))
print(text.replace("]],", "]],\n").replace('":{"', '":{\n"'))
