"""Writes integrals.txt: incomplete gamma and beta functions, cosine transforms, repetitions and other
orders of axes, by SciPy, NumPy and einops in double precision, of operands rounded to each dtype, and the CTC loss, by PyTorch's
definition summed over all ways one by one.

    python integrals.py > integrals.txt

A line is: function | operands | result. A tensor is its dtype and shape, and its elements.
"""

import itertools

import einops
import numpy as np
import scipy
import scipy.fft
import scipy.special as sp

from rows import *

np.seterr(all="ignore")
print("# numpy", np.__version__, "scipy", scipy.__version__, "einops", einops.__version__)

# Incomplete gamma and beta functions: each way of computing them, both sides, ends, and beyond.
A = [1e-3, 0.5, 1, 2.5, 9.5, 30, 200, 0, 3, INF, -1, NAN, 0, 100, 20, 1e-3, 23.5, 24.5]
X = [0.01, 0.7, 1.05, 6, 3, 36, 180, 2, 0, 4, 3, 1, 0, INF, 60, 5, 23, 25]
for d in FLOATS:
    of64 = "F64" if d == "f64" else ""  # of other bounds
    a, x = of(d, A), of(d, X)
    row("IGamma" + of64, [a, x], sp.gammainc(wide(a), wide(x)))
    row("IGammac" + of64, [a, x], sp.gammaincc(wide(a), wide(x)))
    grid = of(d, [0.25, 1, 4, 16, 64])
    row("IGamma" + of64, [of(d, [[0.25], [4], [32], [128]]), grid], sp.gammainc([[0.25], [4], [32], [128]], wide(grid)))
    row("IGammac" + of64, [of(d, 2), of(d, np.zeros((0, 3)))], np.zeros((0, 3)))
    a = of(d, [0.5, 2, 2, 5, 0.25, 60, 100, 0.125, 3, 0, 2, 1, 2, -1, NAN, 200, 2])
    b = of(d, [0.5, 3, 3, 0.5, 8, 70, 50, 0.25, 3, 2, 0, 4, 4, 1, 2, 0.5, 1])
    x = of(d, [0.25, 0.125, 0.875, 0.5, 0.0625, 0.4375, 0.75, 0.5, 0.5, 0.5, 0.5, 0, 1, 0.5, 0.5, 0.875, -0.5])
    row("BetaInc" + of64, [a, b, x], sp.betainc(wide(a), wide(b), wide(x)))
for d in ("f32", "f64"):  # small and large parameters
    of64 = "F64" if d == "f64" else ""
    a, x = of(d, [1e-10, 1e-6, 0.01, 1e6, 1e6, 1e5]), of(d, [0.5, 1, 1e-3, 1000500, 999000, 1e5])
    row("IGammac" + of64, [a, x], sp.gammaincc(wide(a), wide(x)))
    row("IGamma" + of64, [a, x], sp.gammainc(wide(a), wide(x)))
    a, b, x = of(d, [2, 3, 1e4, 500]), of(d, [1e-10, 1e-5, 2e4, 0.25]), of(d, [0.5, 0.75, 0.3359375, 0.984375])
    row("BetaInc" + of64, [a, b, x], sp.betainc(wide(a), wide(b), wide(x)))
row("IGamma", [of("i32", [1, 2, 30]), of("i32", [1, 3, 20])], sp.gammainc([1, 2, 30], [1, 3, 20]), "f32?")

# Cosine transforms.
for d in FLOATS + ["i32"]:
    m = of(d, [[1, 4, -2, 8, 3, 7, 0], [2, -1, 5, 5, 6, -3, 9]])
    for norm in ("backward", "ortho", "forward"):
        for axis in (0, -1):
            row(f"DCT {axis} {norm}", [m], scipy.fft.dct(wide(m), 2, axis=axis, norm=norm), real(d))
            row(f"IDCT {axis} {norm}", [m], scipy.fft.idct(wide(m), 2, axis=axis, norm=norm), real(d))
    for n in (1, 2, 5, 8):
        row(f"DCT -1 backward {n}", [m], scipy.fft.dct(wide(m), 2, n, norm="backward"), real(d))
        row(f"IDCT -1 ortho {n}", [m], scipy.fft.idct(wide(m), 2, n, norm="ortho"), real(d))
    row("IDCT -1 forward", [m], scipy.fft.dct(wide(m), 3), real(d))

# Repetitions.
for d in ("f32", "i8", "i1"):
    m = of(d, [[1, 0, 1], [0, 1, 0]])
    for counts, axis in (([2, 0, 3], 1), ([1, 4], 0), ([0, 0], -2), ([3], 1), (2, 0)):
        row(f"Repeat {axis}", [m, of("i32", counts)], np.repeat(m, counts, axis))
    row("Repeat", [m, of("i64", [1, 2, 3, 0, 1, 2])], np.repeat(m, [1, 2, 3, 0, 1, 2]))

# Other orders of axes.
for d in ("f32", "bf16", "i8", "i1"):
    m = of(d, np.arange(24).reshape(4, 3, 2) % 5)
    for pattern in ("a b c -> c (b a)", "(p q) b c -> p b (q c)", "a b c -> (a b c)", "a b c -> b 1 (c a)", "(p q) b c -> (q p) b c", "a ... -> ... a"):
        row(f"Rearrange {pattern}", [m], einops.rearrange(m, pattern, **({"q": 2} if "q" in pattern else {})))
    if d in ("f32", "i8"):
        m = m.astype("f4" if d == "f32" else "i1")
        for pattern in ("a ... -> ...", "a ... -> a", "... c -> c ...", "... c -> c", "(p q) ... -> ... p", "a ... -> (...)"):
            row(f"EinopsReduce max {pattern}", [m], einops.reduce(m, pattern, "max", **({"q": 2} if "q" in pattern else {})))


# Connectionist temporal classification.
def ctc(logits, labels, steps, count, blank):
    logp = logits - sp.logsumexp(logits, -1, keepdims=True)
    losses = []
    for lp, ls, t, n in zip(logp, labels, steps, count):
        total = 0.0
        for way in itertools.product(range(lp.shape[1]), repeat=int(t)):
            if [c for c, _ in itertools.groupby(way) if c != blank] == list(ls[:n]):
                total += np.exp(sum(lp[i, c] for i, c in enumerate(way)))
        losses.append(-np.log(total))
    return np.array(losses)


draw = np.random.default_rng(3)
for d in ("f32", "f64", "bf16"):
    x = of(d, draw.normal(size=(4, 5, 3)) * 2)
    for blank, labels, count in ((0, [[1, 2, 1], [1, 1, 2], [2, 1, 1], [2, 2, 2]], [3, 3, 1, 0]), (2, [[1, 0], [0, 0], [1, 1], [0, 1]], [2, 2, 2, 1])):
        labels = of("i32", labels)
        steps = [5, 4, 3, 5]
        each = ctc(wide(x), labels, steps, count, blank)
        row(f"CTCLoss none {blank}", [x, labels, of("i32", steps), of("i32", count)], each)
        row(f"CTCLoss mean {blank}", [x, labels, of("i32", steps), of("i32", count)], np.mean(each / np.maximum(count, 1)))
        row(f"CTCLoss sum {blank}", [x, labels, of("i32", steps), of("i32", count)], np.sum(each))
    row("CTCLoss none 0", [x[:1], of("i32", [[1, 1, 1]]), of("i32", [4]), of("i32", [3])], [INF])
