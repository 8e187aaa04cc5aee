"""Writes torch_halves.txt: the bits of half floats that PyTorch 2.15.0 computes on a CPU.

    python torch_halves.py > torch_halves.txt
"""

import torch

EXPRESSIONS = """
h * 0.1
0.1 * h
h / 0.1
0.1 / h
h + 0.1
h - 0.1
h * zero(0.1)
h / zero(0.1)
h * full(0.1)
h * full64(2049)
h * one64(2049)
torch.add(h, h, alpha=0.1)
torch.div(h, 0.1, rounding_mode='floor')
"""

print(f"# torch {torch.__version__.split('+')[0]}")
for dtype in (torch.float16, torch.bfloat16):
    names = {
        "torch": torch,
        "h": torch.tensor([1.3, 2.7, -0.3, 5.9]).to(dtype),
        "zero": lambda v: torch.tensor(v, dtype=torch.float64),
        "full": lambda v: torch.full((4,), v).to(dtype),
        "full64": lambda v: torch.tensor([v] * 4),
        "one64": lambda v: torch.tensor([v]),
    }
    for text in EXPRESSIONS.split("\n")[1:-1]:
        result = eval(text, names)
        bits = " ".join(f"{b & 0xFFFF:04x}" for b in result.view(torch.int16).tolist())
        print(f"{str(dtype).removeprefix('torch.')}: {text}: {bits}")
