"""Writes spectra.txt: Fourier transforms, convolutions of vectors, windows of
signals and interpolation by NumPy, and resized pictures by JAX, all in double
precision of operands rounded to each dtype.

    python spectra.py > spectra.txt

A line is: function arguments | operands | result. A tensor is its dtype and
shape, and its elements; complex ones are two tensors, of the real and the
imaginary parts, and as a result one, with an axis of the two first.
"""

import jax
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)
NUMPY = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8}
rng = np.random.default_rng(3)


def text(d, a):
    a = np.asarray(a)
    digits = {"f32": 10, "f16": 6, "bf16": 5}.get(d.rstrip("?"), 17)
    flat = [f"{v:.{digits}g}" for v in a.astype(np.float64).ravel().tolist()]
    return " ".join([f"{d}{{{','.join(map(str, a.shape))}}}"] + flat)


def row(words, operands, d, result):
    print(" | ".join([" ".join(map(str, words))] + [text(n, x) for n, x in operands] + [text(d, result)]))


def draw(d, *shape):
    return (rng.integers(-64, 64, shape) / 16).astype(NUMPY[d])


def parts(z):
    return np.stack([z.real, z.imag])


def fft(name, d, shape, **options):
    x, re = draw(d, *shape), "f64" if d == "f64" else "f32"
    operands, z = [(d, x)], x.astype(np.float64)
    if not name.startswith("rfft") and rng.random() < 0.7:
        y = draw(d, *shape)
        operands, z = operands + [(d, y)], z + 1j * y.astype(np.float64)
    n, axes, norm = options.get("n"), options.get("axes"), options.get("norm")
    if name.endswith(("2", "n")):
        r = getattr(np.fft, name)(z, s=n, axes=axes if axes is not None else ((-2, -1) if name.endswith("2") else range(-len(n or shape), 0)), norm=norm)
    else:
        r = getattr(np.fft, name)(z, n=n and n[0], axis=axes[0] if axes else -1, norm=norm)
    words = [name.upper()]
    for word, value in [("axes", axes), ("n", n)]:
        words += [word + "=" + ",".join(map(str, value))] if value else []
    words += ["norm=" + norm] if norm else []
    row(words, operands, re, r if "irfft" in name else parts(r))


def scaled(image, shape, method, antialias):
    return np.asarray(jax.image.resize(image.astype(np.float64), shape, method, antialias=antialias))


print("# numpy", np.__version__, "jax", jax.__version__)
for name in ["fft", "ifft", "rfft", "irfft"]:
    for n in [2, 3, 5, 8, 12]:
        fft(name, "f32", (n,))
    fft(name, "f64", (7,), n=[10])
    fft(name, "bf16", (6,), n=[4])
    fft(name, "f32", (4, 3), axes=[0], norm="ortho")
    fft(name, "f32", (2, 4), norm="forward", n=[5])
for name in ["fft2", "ifft2", "rfft2", "irfft2"]:
    fft(name, "f32", (2, 3, 4))
    fft(name, "f64", (3, 2, 4), axes=[2, 0], norm="ortho")
    fft(name, "f32", (3, 4), n=[2, 5])
for name in ["fftn", "ifftn", "rfftn", "irfftn"]:
    fft(name, "f32", (2, 3, 2))
    fft(name, "f32", (2, 2, 3, 2, 3))
    fft(name, "f64", (2, 3, 4), axes=[1], norm="forward")
    fft(name, "f32", (2, 3, 4), n=[2, 3], norm="ortho")
for n in [1, 4, 5]:
    row(["FFTFreq", n, 0.5], [], "f32", np.fft.fftfreq(n, 0.5))
    row(["RFFTFreq", n, 0.25], [], "f32", np.fft.rfftfreq(n, 0.25))
    x = draw("f32", n, 2)
    row(["FFTShift"], [("f32", x)], "f32", np.fft.fftshift(x))
    row(["IFFTShift", 0], [("f32", x)], "f32", np.fft.ifftshift(x, 0))

for f, g in [("Convolve", np.convolve), ("Correlate", np.correlate)]:
    for n, m in [(5, 3), (3, 5), (4, 4), (6, 2), (1, 4), (2, 7)]:
        for mode in ["full", "same", "valid"]:
            x, y = rng.integers(-3, 4, n), rng.integers(-3, 4, m)
            d = ["i32", "f32", "i8", "f64"][(n + m) % 4]
            row([f, mode], [(d, x), (d, y)], d, g(x, y, mode))
for n in [0, 1, 2, 5, 8]:
    for name, f in [("Hanning", np.hanning), ("Hamming", np.hamming), ("Blackman", np.blackman), ("Bartlett", np.bartlett)]:
        row([name, n], [], "f32", f(n))

xp, fp = np.array([-1, 0, 0.5, 2, 4]), np.array([3, -1, 0, 8, 8.0])
for d in ["f32", "f64", "bf16"]:
    x = np.array([-3, -1, -0.5, 0, 0.25, 0.5, 1, 3.5, 4, 9, np.nan, np.inf, -np.inf])
    row(["Interp"], [(d, x), (d, xp), (d, fp)], d, np.interp(x, xp, fp))
row(["Interp"], [("i32", np.array([[0, 1], [2, 5]])), ("i32", np.array([1, 4])), ("f32", np.array([1.0, 7]))], "f32", np.interp([[0, 1], [2, 5]], [1, 4], [1, 7]))
row(["Interp"], [("f32", np.array([0., 2])), ("f32", np.array([1.])), ("f32", np.array([5.]))], "f32", [5, 5])

for method in ["nearest", "linear", "cubic", "lanczos3", "lanczos5"]:
    for frm, to in [((5,), (8,)), ((8,), (3,)), ((4, 3), (2, 5)), ((2, 3, 2), (2, 7, 2)), ((3, 1), (1, 3)), ((4,), (4,)), ((3,), (0,))]:
        for antialias in [True, False]:
            if method == "nearest" and not antialias:
                continue
            x = draw("f32", *frm)
            row(["Resize", method, ",".join(map(str, to)), antialias], [("f32", x)], "f32", scaled(x, to, method, antialias))
x = rng.integers(-5, 6, (4,))
row(["Resize", "nearest", "7", True], [("i32", x)], "i32", scaled(x, (7,), "nearest", True))
row(["Resize", "linear", "7", True], [("i32", x)], "f32?", scaled(x, (7,), "linear", True))
for d in ["bf16", "f16", "f64"]:
    x = draw(d, 5)
    row(["Resize", "cubic", "3", True], [(d, x)], d, scaled(x, (3,), "cubic", True))
