"""Writes drawn.txt: what PyTorch 2.15.0 makes of random lists of operands.

    python drawn.py > drawn.txt && sha256sum drawn.txt > drawn.sha256

A line is "operation: operands: dtype", or the error behind the operands. An
operand is a number, or a tensor as dtype and shape: i32[2,1]. More than two
operands are folded from the left, but clamp takes three at once.
"""

import random
import warnings

import torch

DTYPES = {
    "ui8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16,
    "c32": torch.complex32, "c64": torch.complex64, "c128": torch.complex128, "i1": torch.bool,
}
NAMES = {d: n for n, d in DTYPES.items()} | {torch.bcomplex32: "bc32"}
SHAPES = [(), (1,), (2,), (1, 2)]
NUMBERS = [True, 5, -2, 5.5, 2j]
FOLDED = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "true_divide": lambda a, b: torch.div(a, b),
    "eq": lambda a, b: a == b,
    "bitwise_and": lambda a, b: a & b,
}
UNARY = {
    "neg": torch.neg, "sin": torch.sin, "sqrt": torch.sqrt, "abs": torch.abs, "sign": torch.sign,
    "bitwise_not": torch.bitwise_not,
}


def tensor(rng):
    name, shape = rng.choice(list(DTYPES)), rng.choice(SHAPES)
    return f"{name}[{','.join(map(str, shape))}]", torch.ones(shape, dtype=torch.uint8).to(DTYPES[name])


def number(rng):
    v = rng.choice(NUMBERS)
    return str(v).replace("True", "true").replace("j", "i"), v


def fold(op, xs):
    r = xs[0]
    for x in xs[1:]:
        r = op(r, x)
    return r


def case(rng):
    n = rng.choice([1, 2, 2, 3, 3, 4])
    if n == 1:
        name = rng.choice(list(UNARY))
        text, x = tensor(rng)
        return name, [text], lambda: UNARY[name](x)
    if n == 3 and rng.random() < 0.3:
        args = [tensor(rng) for _ in range(3)]
        return "clamp", [t for t, _ in args], lambda: torch.clamp(*[x for _, x in args])
    name = rng.choice(list(FOLDED))
    args = [tensor(rng)] + [number(rng) if rng.random() < 0.35 else tensor(rng) for _ in range(n - 1)]
    return name, [t for t, _ in args], lambda: fold(FOLDED[name], [x for _, x in args])


def answer(f):
    try:
        return NAMES[f().dtype]
    except Exception as e:
        return f"{type(e).__name__}: {str(e).splitlines()[0]}"


warnings.simplefilter("ignore")
print(f"# torch {torch.__version__.split('+')[0]}")
rng, seen = random.Random(68), set()
while len(seen) < 2000:
    name, texts, f = case(rng)
    line = f"{name}: {', '.join(texts)}: "
    if line not in seen:
        seen.add(line)
        print(line + answer(f))
