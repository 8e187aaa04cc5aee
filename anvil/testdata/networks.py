"""Writes networks.txt: normalizations, attention and losses by PyTorch, and
polynomials by NumPy, in double precision of operands rounded to each dtype.

    python networks.py > networks.txt

A line is: function arguments | operands | result. A tensor is its dtype and
shape, and its elements.
"""

import numpy as np
import torch
import torch.nn.functional as F

TORCH = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i32": torch.int32, "i1": torch.bool}
rng = np.random.default_rng(11)


def text(d, a):
    digits = {"f32": 10, "f16": 6, "bf16": 5}.get(d, 17)
    flat = [f"{v:.{digits}g}" for v in a.double().ravel().tolist()]
    return " ".join([f"{d}{{{','.join(map(str, a.shape))}}}"] + flat)


def row(words, operands, d, result):
    print(" | ".join([" ".join(map(str, words))] + [text(n, x) for n, x in operands] + [text(d, result)]))


def draw(d, *shape):
    x = rng.integers(-64, 64, shape) / 16 if d != "i32" else rng.integers(-5, 6, shape)
    return torch.tensor(x, dtype=torch.float64).to(TORCH[d]).double()


def binary(x, p, how):
    """PyTorch's, without what cancels in x - x*p."""
    each = x.relu() * (1 - p) + (-x).relu() * p + torch.log1p((-x.abs()).exp())
    r = each if how == "none" else getattr(each, how)()
    assert torch.allclose(r, F.binary_cross_entropy_with_logits(x, p, reduction=how), rtol=1e-12, atol=1e-14)
    return r


def first(x):
    return x.movedim(-1, 1)


def last(x):
    return x.movedim(1, -1)


print("# torch", torch.__version__.split("+")[0], "numpy", np.__version__)
for d in ["f32", "f64", "bf16", "f16"]:
    x, m, v = draw(d, 2, 3, 4), draw(d, 4), draw(d, 4).abs() + 0.5
    g, b = draw(d, 4), draw(d, 4)
    row(["Standardize", "1e-5"], [(d, x)], d, F.layer_norm(x, (4,)))
    row(["Standardize", "0.5", -3, 1], [(d, x)], d, (x - x.mean((0, 1), True)) / (x.var((0, 1), unbiased=False, keepdim=True) + 0.5).sqrt())
    row(["LayerNorm", "1e-5"], [(d, x), (d, g), (d, b)], d, F.layer_norm(x, (4,), g, b))
    plane = draw(d, 3, 4), draw(d, 3, 4)
    row(["LayerNorm", "0.1"], [(d, x), (d, plane[0]), (d, plane[1])], d, F.layer_norm(x, (3, 4), *plane, eps=0.1))
    row(["RMSNorm", "1e-6"], [(d, x), (d, g)], d, F.rms_norm(x, (4,), g, eps=1e-6))
    row(["BatchNorm", "1e-5"], [(d, x), (d, g), (d, b), (d, m), (d, v)], d, last(F.batch_norm(first(x), m, v, g, b)))
    row(["BatchNorm", "1e-5", "first"], [(d, x)] + [(d, p[:3]) for p in (g, b, m, v)], d, F.batch_norm(x, m[:3], v[:3], g[:3], b[:3]))
    trained = [last(F.batch_norm(first(x), None, None, g, b, training=True)), x.mean((0, 1)), x.var((0, 1), unbiased=False)]
    for i, r in enumerate(trained):
        row(["BatchNormTraining", "1e-5", i], [(d, x), (d, g), (d, b)], d, r)
    row(["GroupNorm", "1e-5", 2], [(d, x), (d, g), (d, b)], d, last(F.group_norm(first(x), 2, g, b)))
    wide = draw(d, 2, 6, 2)
    row(["GroupNorm", "1e-5", 3, "first"], [(d, wide), (d, draw(d, 6) * 0 + 2), (d, draw(d, 6) * 0 - 1)], d, F.group_norm(wide, 3, torch.full((6,), 2.0).double(), -torch.ones(6).double()))

    q, k, values = draw(d, 2, 3, 4), draw(d, 2, 5, 4), draw(d, 2, 5, 3)
    mask = torch.tensor(rng.integers(0, 2, (3, 5))).bool()
    mask[1] = False
    bias = draw(d, 2, 3, 5)
    row(["Attention"], [(d, q), (d, k), (d, values)], d, F.scaled_dot_product_attention(q, k, values))
    row(["Attention", "causal"], [(d, q), (d, k), (d, values)], d, F.scaled_dot_product_attention(q, k, values, is_causal=True))
    row(["Attention", "scale", 0.25], [(d, q), (d, k), (d, values)], d, F.scaled_dot_product_attention(q, k, values, scale=0.25))
    seen = F.scaled_dot_product_attention(q, k, values, attn_mask=mask)
    seen[:, 1] = 0  # of no key
    row(["Attention", "mask"], [(d, q), (d, k), (d, values), ("i1", mask)], d, seen)
    row(["Attention", "mask"], [(d, q), (d, k), (d, values), (d, bias)], d, F.scaled_dot_product_attention(q, k, values, attn_mask=bias))

    y = draw(d, 2, 3, 4)
    p = (draw("f64", 2, 3, 4) * 2).softmax(-1).to(TORCH[d]).double()
    p[0, 0] = torch.tensor([0.0, 0.5, 0.5, 0.0])
    bits = torch.tensor(rng.integers(0, 2, (2, 3, 4))).bool()
    labels = torch.tensor(rng.integers(0, 4, (2, 3)))
    for how in ["mean", "sum", "none"]:
        row(["MSELoss", how], [(d, x), (d, y)], d, F.mse_loss(x, y, reduction=how))
        row(["MAELoss", how], [(d, x), (d, y)], d, F.l1_loss(x, y, reduction=how))
        row(["HuberLoss", how, 1.5], [(d, x), (d, y)], d, F.huber_loss(x, y, reduction=how, delta=1.5))
        row(["BinaryCrossEntropyLoss", how], [(d, 8 * x), (d, p)], d, binary(8 * x, p, how))
        row(["CrossEntropyLoss", how, 0], [(d, x), ("i32", labels)], d, F.cross_entropy(first(x), labels, reduction=how))
        row(["CrossEntropyLoss", how, 0.25], [(d, x), ("i32", labels)], d, F.cross_entropy(first(x), labels, reduction=how, label_smoothing=0.25))
        row(["CrossEntropyLoss", how, 0.25], [(d, x), (d, p)], d, F.cross_entropy(first(x), first(p), reduction=how, label_smoothing=0.25))
        kl = F.kl_div(x, p, reduction="none").sum(-1)
        row(["KLDivergenceLoss", how], [(d, x), (d, p)], d, kl if how == "none" else getattr(kl, how)())
    row(["BinaryCrossEntropyLoss", "mean"], [(d, x), ("i1", bits)], d, F.binary_cross_entropy_with_logits(x, bits.double()))
for d in ["f32", "f64", "i32"]:
    for n in [0, 1, 4]:
        c, x = draw(d, n), draw(d, 2, 3)
        row(["PolyVal"], [(d, c), (d, x)], d, torch.tensor(np.polyval(c.numpy(), x.numpy())).reshape(2, 3))

weights = torch.tensor([0.5, 1.0, 2.0, 0.25]).double()
for d in ["f32", "f64", "bf16"]:
    x = draw(d, 2, 3, 4)
    p = (draw("f64", 2, 3, 4) * 2).softmax(-1).to(TORCH[d]).double()
    labels = torch.tensor(rng.integers(0, 4, (2, 3)))
    for how in ["mean", "sum", "none"]:
        for s in (0, 0.25):
            row(["ClassWeights", how, s], [(d, x), ("i32", labels), (d, weights)], d, F.cross_entropy(first(x), labels, weights, reduction=how, label_smoothing=s))
            row(["ClassWeights", how, s], [(d, x), (d, p), (d, weights)], d, F.cross_entropy(first(x), first(p), weights, reduction=how, label_smoothing=s))
    image = draw(d, 2, 6, 7, 2)
    for window, stride, padding in ((3, 2, 0), (3, 2, 1), (2, 3, 0), (2, 2, 1), (4, 4, 2)):
        planes = image.permute(0, 3, 1, 2)
        for name, pool in (("MaxPool", F.max_pool2d), ("AvgPool", lambda *a, **k: F.avg_pool2d(*a, **k, count_include_pad=False))):
            r = pool(planes, window, stride, padding, ceil_mode=True).permute(0, 2, 3, 1)
            row([name, window, stride, padding], [(d, image)], d, r)
