"""Writes linalg.txt: what NumPy, SciPy and JAX make of a few matrices. Run it with a Python that has jax:

    python linalg.py > linalg.txt

A line is "Function arguments | operand | ... = result | ...", a tensor "shape elements", where complex elements are
pairs. Operands are multiples of 1/8, so that every dtype has them exactly; results are computed in f64 and c128.
"""
from fractions import Fraction

import numpy as np
import scipy.linalg as sl
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(7)


def text(x):
    x = np.asarray(x)
    if np.iscomplexobj(x):
        x = np.stack([x.real, x.imag], -1)
        shape, x = x.shape[:-1], x.ravel()
    else:
        shape, x = x.shape, x.astype(float).ravel()
    return "{" + ",".join(map(str, shape)) + "} " + " ".join(f"{v + 0.0:.15g}" for v in x)


def row(name, xs, results):
    kind = "c" if any(np.iscomplexobj(x) for x in xs) else "r"
    print(name, kind, "|", " | ".join(map(text, xs)), "=", " | ".join(map(text, results)))


def general(*s, complex=False):
    x = rng.integers(-16, 17, s) / 8
    if s[-1] == s[-2]:
        x = x + 4 * np.eye(s[-1])
    return x + 1j * rng.integers(-16, 17, s) / 8 if complex else x


def definite(*s, complex=False):
    x = general(*s, complex=complex)
    return np.round((x + np.swapaxes(x.conj(), -1, -2)) * 4) / 8 + np.diag([4, 8, 16, 2, 32][: s[-1]])


def signs(v):  # each column's first component of at least 0.9 of the greatest magnitude is real and positive
    lead = np.argmax(np.abs(v) >= 0.9 * np.abs(v).max(-2, keepdims=True), -2)
    x = np.take_along_axis(v, lead[..., None, :], -2)
    return v * (x.conj() / np.abs(x))


def eigh(x):
    w, v = np.linalg.eigh(x)
    return w, signs(v)


def svd(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    phase = signs(u)[..., :1, :] / u[..., :1, :]
    return u * phase, s, np.swapaxes(phase.conj(), -1, -2) * vh


def lu(x):
    return [np.stack(f) for f in zip(*(sl.lu(m) for m in x))]


def expm(x):
    """The series in fractions: SciPy's own is thousands of rounding errors away."""
    a = np.block([[x.real, -x.imag], [x.imag, x.real]])
    n = len(a)
    a = [[Fraction(v) for v in r] for r in a.tolist()]
    term = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    total = term
    for k in range(1, 90):
        term = [[sum(u * v for u, v in zip(r, c)) / k for c in zip(*a)] for r in term]
        total = [[u + v for u, v in zip(r, q)] for r, q in zip(total, term)]
    m = n // 2
    e = np.array([[float(v) for v in r] for r in total])
    return e[:m, :m] + 1j * e[m:, :m] if np.iscomplexobj(x) else e[:m, :m]


def lstsq(a, b):
    x, _, rank, s = jnp.linalg.lstsq(a, b)
    return x, (np.abs(b - a @ x) ** 2).sum(0), rank, s


for c in False, True:
    a, b, v = general(3, 4, 4, complex=c), general(3, 4, 2, complex=c), general(1, 4, complex=c)[0]
    tall, wide, spd = general(2, 5, 3, complex=c), general(2, 3, 5, complex=c), definite(3, 4, 4, complex=c)
    low = np.stack([a[0], 1.0 * np.outer([1, 2, 3, 4], v)])
    row("Cholesky", [spd], [jnp.linalg.cholesky(spd)])
    row("Solve", [a, b], [np.linalg.solve(a, b)])
    row("Solve", [a, v], [np.stack([np.linalg.solve(m, v) for m in a])])
    row("Inv", [a], [jnp.linalg.inv(a)])
    row("Det", [a], [np.linalg.det(a)])
    row("SlogDet", [a], np.linalg.slogdet(a))
    for m in a, tall, wide:
        row("LU", [m], lu(m))
        row("QR", [m], [np.stack(f) for f in zip(*(jnp.linalg.qr(x) for x in m))])
        row("SVD", [m], svd(m))
    row("QR full", [tall], np.linalg.qr(tall, mode="complete"))
    row("Eigh", [spd], eigh(spd))
    row("PInv", [tall], [np.linalg.pinv(tall)])
    row("PInv", [wide], [np.linalg.pinv(wide)])
    row("PInv", [low], [np.linalg.pinv(low, rcond=1e-6)])
    row("MatrixRank", [low], [np.linalg.matrix_rank(low)])
    row("Lstsq", [tall[0], b[0][:1].repeat(5, 0) + np.arange(5)[:, None]], lstsq(tall[0], b[0][:1].repeat(5, 0) + np.arange(5)[:, None]))
    row("Lstsq", [wide[0], v[:3]], lstsq(wide[0], v[:3]))
    for n in -2, 0, 1, 5:
        row(f"MatrixPower {n}", [a], [np.linalg.matrix_power(a, n)])
    row("Expm", [a], [np.stack([expm(m) for m in a])])
    row("Expm", [a / 8], [np.stack([expm(m / 8) for m in a])])
    for p in "1 -1 2 -2 inf -inf fro".split():
        ord = p if p == "fro" else float(p)
        row(f"Cond {p}", [a], [np.linalg.cond(a, ord)])
    for p in "fro nuc 1 -1 2 -2 inf -inf".split():
        ord = p if p in ("fro", "nuc") else float(p)
        row(f"Norm {p} -2 -1", [tall], [np.linalg.norm(tall, ord, axis=(-2, -1))])
        row(f"Norm {p} 0 2 keep", [wide], [np.linalg.norm(wide, ord, axis=(0, 2), keepdims=True)])
    for p in "0 1 2 3 -1 0.5 inf -inf".split():
        row(f"Norm {p} 1", [tall], [np.linalg.norm(tall, float(p), axis=1)])
        row(f"Norm {p}", [v], [np.linalg.norm(v, float(p))])
    row("Norm none", [tall], [np.linalg.norm(tall)])
    row("Norm none 1 keep", [tall], [np.linalg.norm(tall, axis=1, keepdims=True)])
    for upper in False, True:
        m = np.triu(a) if upper else np.tril(a)
        for trans, op in enumerate([m, np.swapaxes(m, -1, -2), np.swapaxes(m.conj(), -1, -2)][: 3 if c else 2]):
            words = ["upper"] * upper + ["", "transpose", "adjoint"][trans : trans + 1]
            unit = [sl.solve_triangular(x, r, trans=trans, lower=not upper, unit_diagonal=True) for x, r in zip(a, b)]
            right = np.swapaxes(np.linalg.solve(np.swapaxes(op, -1, -2), b), -1, -2)
            row(" ".join(["TriangularSolve"] + words), [a, b], [np.linalg.solve(op, b)])
            row(" ".join(["TriangularSolve unit"] + words), [a, b], [np.stack(unit)])
            row(" ".join(["TriangularSolve right"] + words), [a, np.swapaxes(b, -1, -2)], [right])
