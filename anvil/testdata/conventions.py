"""Writes conventions.json: what JAX, PyTorch and TensorFlow answer for derivatives at points where a function has none, or
no unique one, or where one that exists is hard to compute. Each system answers in an environment of its own:

    python conventions.py jax
    python conventions.py torch
    python conventions.py tensorflow
    python conventions.py go            writes ../convention_cases_test.go

A row has the Go expression of operands x, y, z, the dtype of the operands and their values. An answer is the gradient of
the sum of the result, one list for each operand in row-major order, as the system itself gives it: of a complex operand
[real part, imaginary part], where JAX's are conjugated. With order 2 it is the gradient of the sum of the gradient with
respect to x. null stands for no gradient: None of PyTorch and TensorFlow. {"error": ...} has the system's words, and no
answer means that the system has no such function. Fractions of 1e-15 are left as they are.
"""

import json
import math
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPERANDS = "xyz"
INF, NAN = math.inf, math.nan
ROWS = []


def R(category, name, go, operands, jax=None, torch=None, tf=None, order=1, dtype="f64"):
    ROWS.append({"name": name, "category": category, "go": go, "dtype": dtype, "order": order, "operands": operands,
                 "jax": jax, "torch": torch, "tensorflow": tf})


# Ties.
for f, j, t, tf in [("Maximum", "jnp.maximum", "torch.maximum", "tf.maximum"), ("Minimum", "jnp.minimum", "torch.minimum", "tf.minimum")]:
    R("ties", f"{f} of equal numbers", f"nv.{f}(x, y)", [[2], [2]], f"{j}(x, y)", f"{t}(x, y)", f"{tf}(x, y)")
    R("ties", f"{f} of x and 0 at 0", f"nv.{f}(x, 0)", [[0]], f"{j}(x, 0)", f"{t}(x, torch.zeros_like(x))", f"{tf}(x, 0)")
    R("ties", f"{f} of x and x", f"nv.{f}(x, x)", [[2]], f"{j}(x, x)", f"{t}(x, x)", f"{tf}(x, x)")
R("ties", "Fmax of equal numbers", "nv.Fmax(x, y)", [[2], [2]], "jnp.fmax(x, y)", "torch.fmax(x, y)")
R("ties", "Fmin of equal numbers", "nv.Fmin(x, y)", [[2], [2]], "jnp.fmin(x, y)", "torch.fmin(x, y)")
R("ties", "Fmax of a number and nan", "nv.Fmax(x, y)", [[2], [NAN]], "jnp.fmax(x, y)", "torch.fmax(x, y)")
R("ties", "Maximum of a number and nan", "nv.Maximum(x, y)", [[2], [NAN]], "jnp.maximum(x, y)", "torch.maximum(x, y)", "tf.maximum(x, y)")
R("ties", "Max of all", "nv.Max(x)", [[1, 2, 2]], "jnp.max(x)", "torch.max(x)", "tf.reduce_max(x)")
R("ties", "Max along an axis", "nv.Max(x, nv.Axis(0))", [[1, 2, 2]], "jnp.max(x, axis=0)", "torch.max(x, 0).values", "tf.reduce_max(x, 0)")
R("ties", "Max along axes (amax)", "nv.Max(x, nv.Axis(0))", [[1, 2, 2]], "jnp.max(x, axis=(0,))", "torch.amax(x, (0,))", "tf.reduce_max(x, [0])")
R("ties", "Max of three", "nv.Max(x)", [[2, 2, 2]], "jnp.max(x)", "torch.max(x)", "tf.reduce_max(x)")
R("ties", "Max of zeros of both signs", "nv.Max(x)", [[-0.0, 0.0]], "jnp.max(x)", "torch.max(x)", "tf.reduce_max(x)")
R("ties", "Min of all", "nv.Min(x)", [[2, 1, 1]], "jnp.min(x)", "torch.min(x)", "tf.reduce_min(x)")
R("ties", "Max with nan", "nv.Max(x)", [[1, NAN, 2]], "jnp.max(x)", "torch.max(x)", "tf.reduce_max(x)")
R("ties", "NanMax of equal numbers", "nv.NanMax(x)", [[2, NAN, 2]], "jnp.nanmax(x)")
R("ties", "Ptp of equal numbers", "nv.Ptp(x)", [[2, 2]], "jnp.ptp(x)", "torch.max(x) - torch.min(x)", "tf.reduce_max(x) - tf.reduce_min(x)")
R("ties", "Median of an odd count", "nv.Median(x)", [[2, 1, 2]], "jnp.median(x)", "torch.median(x)")
R("ties", "Median of an even count", "nv.Median(x)", [[2, 1, 2, 3]], "jnp.median(x)", "torch.median(x)")
R("ties", "Quantile between equal numbers", "nv.Quantile(x, 0.5)", [[2, 2, 1]], "jnp.quantile(x, 0.5)", "torch.quantile(x, 0.5)")
R("ties", "Quantile at an element", "nv.Quantile(x, 0.5)", [[1, 2, 3]], "jnp.quantile(x, 0.5)", "torch.quantile(x, 0.5)")
W = "[1., 2., 4.]"
W4 = "nv.From([]float64{1, 2, 4})"
R("ties", "Sort of equal numbers", f"nv.Sort(x).Mul({W4})", [[2, 1, 2]], f"jnp.sort(x) * jnp.array({W})", f"torch.sort(x).values * torch.tensor({W})", f"tf.sort(x) * tf.constant({W}, x.dtype)")
R("ties", "TopK of equal numbers", "v, _ := nv.TopK(x, 2)\nreturn v.Mul(nv.From([]float64{1, 2}))", [[2, 1, 2, 2]], "lax.top_k(x, 2)[0] * jnp.array([1., 2.])", "torch.topk(x, 2).values * torch.tensor([1., 2.])", "tf.math.top_k(x, 2).values * tf.constant([1., 2.], x.dtype)")
R("ties", "Cummax of equal numbers", f"v, _ := nv.Cummax(x)\nreturn v.Mul({W4})", [[1, 2, 2]], f"lax.cummax(x) * jnp.array({W})", f"torch.cummax(x, 0).values * torch.tensor({W})")
R("ties", "Cummin of equal numbers", f"v, _ := nv.Cummin(x)\nreturn v.Mul({W4})", [[2, 1, 1]], f"lax.cummin(x) * jnp.array({W})", f"torch.cummin(x, 0).values * torch.tensor({W})")
R("ties", "SegmentMax of equal numbers", "nv.SegmentMax(x, nv.New([]int{0, 0, 1}), 2)", [[2, 2, 1]], "jax.ops.segment_max(x, jnp.array([0, 0, 1]), 2)", "torch.zeros(2).scatter_reduce(0, torch.tensor([0, 0, 1]), x, 'amax', include_self=False)", "tf.math.unsorted_segment_max(x, [0, 0, 1], 2)")
R("ties", "MaxAt of an equal number", "x.MaxAt(y, nv.Range(0, 1))", [[2, 1], [2]], "x.at[0].max(y[0])", "torch.scatter_reduce(x, 0, torch.tensor([0]), y, 'amax')", "tf.tensor_scatter_nd_max(x, [[0]], y)")
R("ties", "MaxPool of equal numbers", "nv.MaxPool(nv.Reshape(x, nv.Shape{1, 4, 1}), nv.Shape{2})", [[2, 2, 1, 0]], "lax.reduce_window(x, -jnp.inf, lax.max, (2,), (2,), 'VALID')", "F.max_pool1d(x[None, None], 2)", "tf.nn.max_pool1d(x[None, :, None], 2, 2, 'VALID')")
R("ties", "MaxPool of overlapping windows", "nv.MaxPool(nv.Reshape(x, nv.Shape{1, 3, 1}), nv.Shape{2}, nv.Stride(1))", [[2, 2, 2]], "lax.reduce_window(x, -jnp.inf, lax.max, (2,), (1,), 'VALID')", "F.max_pool1d(x[None, None], 2, 1)", "tf.nn.max_pool1d(x[None, :, None], 2, 1, 'VALID')")
R("ties", "Norm of order infinity", "nv.Norm(x, nv.Ord(math.Inf(1)))", [[2, -2, 1]], "jnp.linalg.norm(x, jnp.inf)", "torch.linalg.vector_norm(x, INF)", "tf.norm(x, INF)")
R("ties", "Norm of order -infinity", "nv.Norm(x, nv.Ord(math.Inf(-1)))", [[2, -2, 3]], "jnp.linalg.norm(x, -jnp.inf)", "torch.linalg.vector_norm(x, -INF)")
R("ties", "Norm of order 1 of a matrix", "nv.Norm(x, nv.Ord(1))", [[[1, 2], [2, 1]]], "jnp.linalg.norm(x, 1)", "torch.linalg.matrix_norm(x, 1)", "tf.norm(x, 1, axis=[0, 1])")
R("ties", "LogAddExp of equal numbers", "nv.LogAddExp(x, y)", [[1], [1]], "jnp.logaddexp(x, y)", "torch.logaddexp(x, y)")

# Clip.
for name, at in [("at the lower bound", -1), ("at the upper bound", 1)]:
    R("clip", f"Clamp {name}", "nv.Clamp(x, -1, 1)", [[at]], "jnp.clip(x, -1, 1)", "torch.clamp(x, -1, 1)", "tf.clip_by_value(x, tf.constant(-1, x.dtype), tf.constant(1, x.dtype))")
R("clip", "Clamp of tensors at a bound", "nv.Clamp(x, y, z)", [[1], [1], [2]], "jnp.clip(x, y, z)", "torch.clamp(x, y, z)", "tf.clip_by_value(x, y, z)")
R("clip", "Clamp where the bounds are equal", "nv.Clamp(x, y, z)", [[1], [1], [1]], "jnp.clip(x, y, z)", "torch.clamp(x, y, z)", "tf.clip_by_value(x, y, z)")
R("clip", "Clamp where the bounds are crossed", "nv.Clamp(x, y, z)", [[1], [2], [0]], "jnp.clip(x, y, z)", "torch.clamp(x, y, z)", "tf.clip_by_value(x, y, z)")
R("clip", "Clamp of nan", "nv.Clamp(x, -1, 1)", [[NAN]], "jnp.clip(x, -1, 1)", "torch.clamp(x, -1, 1)", "tf.clip_by_value(x, tf.constant(-1, x.dtype), tf.constant(1, x.dtype))")
R("clip", "XLA's clamp at a bound", "nv.Clamp(x, -1, 1)", [[1]], "lax.clamp(-1., x, 1.)")
R("clip", "Relu6 at 6", "nv.Clamp(x, 0, 6)", [[6]], "nn.relu6(x)", "F.relu6(x)", "tf.nn.relu6(x)")
R("clip", "Relu6 at 0", "nv.Clamp(x, 0, 6)", [[0]], "nn.relu6(x)", "F.relu6(x)", "tf.nn.relu6(x)")
R("clip", "hard tanh at 1", "nv.Clamp(x, -1, 1)", [[1]], "nn.hard_tanh(x)", "F.hardtanh(x)")
R("clip", "NanToNum of nan", "nv.NanToNum(x)", [[NAN]], "jnp.nan_to_num(x)", "torch.nan_to_num(x)")
R("clip", "NanToNum of infinity", "nv.NanToNum(x)", [[INF]], "jnp.nan_to_num(x)", "torch.nan_to_num(x)")

# Activations.
for f, j, t, tf, ats in [
    ("nv.Relu(x)", "nn.relu(x)", "F.relu(x)", "tf.nn.relu(x)", [0, NAN]),
    ("nv.LeakyRelu(x)", "nn.leaky_relu(x)", "F.leaky_relu(x)", "tf.nn.leaky_relu(x, 0.01)", [0]),
    ("nv.Elu(x)", "nn.elu(x)", "F.elu(x)", "tf.nn.elu(x)", [0]),
    ("nv.Elu(x, 0.5)", "nn.elu(x, 0.5)", "F.elu(x, 0.5)", None, [0]),
    ("nv.Selu(x)", "nn.selu(x)", "F.selu(x)", "tf.nn.selu(x)", [0]),
    ("nv.HardSigmoid(x)", "nn.hard_sigmoid(x)", "F.hardsigmoid(x)", "tf.nn.relu6(x + 3) / 6", [3, -3]),
    ("nv.HardSilu(x)", "nn.hard_silu(x)", "F.hardswish(x)", "x * tf.nn.relu6(x + 3) / 6", [3, -3]),
    ("nv.Softsign(x)", "nn.soft_sign(x)", "F.softsign(x)", "tf.nn.softsign(x)", [0]),
]:
    for at in ats:
        R("activations", f"{f[3:]} at {at}", f, [[at]], j, t, tf)
R("activations", "Relu, second derivative at 0", "nv.Relu(x)", [[0]], "nn.relu(x)", "F.relu(x)", "tf.nn.relu(x)", order=2)
R("activations", "Elu, second derivative at 0", "nv.Elu(x)", [[0]], "nn.elu(x)", "F.elu(x)", "tf.nn.elu(x)", order=2)
R("activations", "Elu at 1000", "nv.Elu(x)", [[1000]], "nn.elu(x)", "F.elu(x)", "tf.nn.elu(x)")
R("activations", "Softplus at 0", "nv.Softplus(x)", [[0]], "nn.softplus(x)", "F.softplus(x)", "tf.nn.softplus(x)")
R("activations", "Softplus, second derivative at 0", "nv.Softplus(x)", [[0]], "nn.softplus(x)", "F.softplus(x)", "tf.nn.softplus(x)", order=2)
R("activations", "Softplus, second derivative at 25", "nv.Softplus(x)", [[25]], "nn.softplus(x)", "F.softplus(x)", "tf.nn.softplus(x)", order=2)
R("activations", "Softplus at -infinity", "nv.Softplus(x)", [[-INF]], "nn.softplus(x)", "F.softplus(x)", "tf.nn.softplus(x)")
R("activations", "LogSigmoid at 0", "nv.LogSigmoid(x)", [[0]], "nn.log_sigmoid(x)", "F.logsigmoid(x)", "tf.math.log_sigmoid(x)")
R("activations", "LogSigmoid, second derivative at 0", "nv.LogSigmoid(x)", [[0]], "nn.log_sigmoid(x)", "F.logsigmoid(x)", "tf.math.log_sigmoid(x)", order=2)
R("activations", "Silu at -infinity", "nv.Silu(x)", [[-INF]], "nn.silu(x)", "F.silu(x)", "tf.nn.silu(x)")
R("activations", "Silu at -1000", "nv.Silu(x)", [[-1000]], "nn.silu(x)", "F.silu(x)", "tf.nn.silu(x)")
R("activations", "Gelu at -infinity", "nv.Gelu(x)", [[-INF]], "nn.gelu(x, approximate=False)", "F.gelu(x)", "tf.nn.gelu(x)")
R("activations", "Mish at 1000", "nv.Mish(x)", [[1000]], "nn.mish(x)", "F.mish(x)", "x * tf.tanh(tf.nn.softplus(x))")

# Elementwise: corners, poles and ends of domains.
for f, j, t, tf, ats in [
    ("Abs", "jnp.abs(x)", "torch.abs(x)", "tf.abs(x)", [0, -0.0]),
    ("Sqrt", "jnp.sqrt(x)", "torch.sqrt(x)", "tf.sqrt(x)", [0]),
    ("Cbrt", "jnp.cbrt(x)", None, None, [0]),
    ("Rsqrt", "lax.rsqrt(x)", "torch.rsqrt(x)", "tf.math.rsqrt(x)", [0]),
    ("Log", "jnp.log(x)", "torch.log(x)", "tf.math.log(x)", [0, -1]),
    ("Log1p", "jnp.log1p(x)", "torch.log1p(x)", "tf.math.log1p(x)", [-1]),
    ("Reciprocal", "1 / x", "torch.reciprocal(x)", "tf.math.reciprocal(x)", [0]),
    ("Sign", "jnp.sign(x)", "torch.sign(x)", "tf.sign(x)", [0]),
    ("Floor", "jnp.floor(x)", "torch.floor(x)", "tf.floor(x)", [1]),
    ("Ceil", "jnp.ceil(x)", "torch.ceil(x)", "tf.math.ceil(x)", [1]),
    ("Round", "jnp.round(x)", "torch.round(x)", "tf.round(x)", [0.5]),
    ("Trunc", "jnp.trunc(x)", "torch.trunc(x)", None, [1]),
    ("Acos", "jnp.arccos(x)", "torch.acos(x)", "tf.acos(x)", [1]),
    ("Asin", "jnp.arcsin(x)", "torch.asin(x)", "tf.asin(x)", [1]),
    ("Acosh", "jnp.arccosh(x)", "torch.acosh(x)", "tf.acosh(x)", [1]),
    ("Atanh", "jnp.arctanh(x)", "torch.atanh(x)", "tf.atanh(x)", [1]),
    ("ErfInv", "jsp.special.erfinv(x)", "torch.erfinv(x)", "tf.math.erfinv(x)", [1]),
    ("Logit", "jsp.special.logit(x)", "torch.logit(x)", None, [0]),
    ("NormQuantile", "jsp.special.ndtri(x)", "torch.special.ndtri(x)", "tf.math.ndtri(x)", [0]),
    ("Digamma", "jsp.special.digamma(x)", "torch.digamma(x)", "tf.math.digamma(x)", [0, -1]),
    ("Lgamma", "jsp.special.gammaln(x)", "torch.lgamma(x)", "tf.math.lgamma(x)", [0, -1]),
    ("Gamma", "jsp.special.gamma(x)", "torch.exp(torch.lgamma(x))", "tf.exp(tf.math.lgamma(x))", [0]),
    ("Sinc", "jnp.sinc(x)", "torch.sinc(x)", None, [0]),
    ("BesselI0", "jsp.special.i0(x)", "torch.special.i0(x)", "tf.math.bessel_i0(x)", [0]),
    ("BesselI0e", "jsp.special.i0e(x)", "torch.special.i0e(x)", "tf.math.bessel_i0e(x)", [0]),
    ("BesselI1", "jsp.special.i1(x)", "torch.special.i1(x)", "tf.math.bessel_i1(x)", [0]),
    ("BesselI1e", "jsp.special.i1e(x)", "torch.special.i1e(x)", "tf.math.bessel_i1e(x)", [0]),
    ("Angle", "jnp.angle(x)", "torch.angle(x)", None, [0]),
    ("NormLogCDF", "jsp.special.log_ndtr(x)", "torch.special.log_ndtr(x)", None, [-INF, -40]),
]:
    for at in ats:
        R("elementwise", f"{f} at {at}", f"nv.{f}(x)", [[at]], j, t, tf)
for f, j, t, tf in [
    ("Abs", "jnp.abs(x)", "torch.abs(x)", "tf.abs(x)"), ("Sinc", "jnp.sinc(x)", "torch.sinc(x)", None),
    ("BesselI0", "jsp.special.i0(x)", "torch.special.i0(x)", "tf.math.bessel_i0(x)"),
    ("BesselI1", "jsp.special.i1(x)", "torch.special.i1(x)", "tf.math.bessel_i1(x)"),
]:
    R("elementwise", f"{f}, second derivative at 0", f"nv.{f}(x)", [[0]], j, t, tf, order=2)
R("elementwise", "Tanh, second derivative at 20", "nv.Tanh(x)", [[20]], "jnp.tanh(x)", "torch.tanh(x)", "tf.tanh(x)", order=2)
R("elementwise", "Logistic at -1000", "nv.Logistic(x)", [[-1000]], "nn.sigmoid(x)", "torch.sigmoid(x)", "tf.sigmoid(x)")
R("elementwise", "Sqrt of a square at 0", "nv.Sqrt(nv.Square(x))", [[0]], "jnp.sqrt(jnp.square(x))", "torch.sqrt(torch.square(x))", "tf.sqrt(tf.square(x))")
for f, j, t, tf, operands in [
    ("Pow", "x ** y", "x ** y", "x ** y", [[0, 0]]), ("Pow", "x ** y", "x ** y", "x ** y", [[0, 1]]), ("Pow", "x ** y", "x ** y", "x ** y", [[0, 2]]),
    ("Pow", "x ** y", "x ** y", "x ** y", [[0, 0.5]]), ("Pow", "x ** y", "x ** y", "x ** y", [[-2, 2]]), ("Pow", "x ** y", "x ** y", "x ** y", [[0, -1]]),
    ("Hypot", "jnp.hypot(x, y)", "torch.hypot(x, y)", "tf.sqrt(x * x + y * y)", [[0, 0]]),
    ("Atan2", "jnp.arctan2(x, y)", "torch.atan2(x, y)", "tf.atan2(x, y)", [[0, 0]]), ("Atan2", "jnp.arctan2(x, y)", "torch.atan2(x, y)", "tf.atan2(x, y)", [[0, -1]]),
    ("Div", "x / y", "x / y", "x / y", [[0, 0]]), ("Div", "x / y", "x / y", "x / y", [[1, 0]]),
    ("Rem", "lax.rem(x, y)", "torch.fmod(x, y)", "x % y", [[4, 2]]),
    ("FloorDiv", "x // y", "torch.floor_divide(x, y)", "x // y", [[4, 2]]),
    ("Copysign", "jnp.copysign(x, y)", "torch.copysign(x, y)", None, [[0, -1]]), ("Copysign", "jnp.copysign(x, y)", "torch.copysign(x, y)", None, [[1, 0]]),
    ("Heaviside", "jnp.heaviside(x, y)", "torch.heaviside(x, y)", None, [[0, 0.5]]),
    ("XLogY", "jsp.special.xlogy(x, y)", "torch.xlogy(x, y)", "tf.math.xlogy(x, y)", [[0, 0]]),
    ("XLogY", "jsp.special.xlogy(x, y)", "torch.xlogy(x, y)", "tf.math.xlogy(x, y)", [[0, 1]]),
    ("XLog1py", "jsp.special.xlog1py(x, y)", "torch.special.xlog1py(x, y)", "tf.math.xlog1py(x, y)", [[0, -1]]),
    ("LogAddExp", "jnp.logaddexp(x, y)", "torch.logaddexp(x, y)", None, [[-INF, -INF]]),
    ("LogAddExp", "jnp.logaddexp(x, y)", "torch.logaddexp(x, y)", None, [[INF, 0]]),
    ("LogAddExp", "jnp.logaddexp(x, y)", "torch.logaddexp(x, y)", None, [[0, -INF]]),
    ("NextAfter", "jnp.nextafter(x, y)", "torch.nextafter(x, y)", "tf.math.nextafter(x, y)", [[1, 2]]),
]:
    at = operands[0]
    R("elementwise", f"{f} at {at[0]}, {at[1]}", f"nv.{f}(x, y)", [[at[0]], [at[1]]], j, t, tf)
for n, at in [(0.0, 0), (1.0, 0), (2.0, 0), (0.5, 0), (3.0, 0)]:
    R("elementwise", f"Pow {n} at {at}", f"nv.Pow(x, {n})", [[at]], f"x ** {n}", f"x ** {n}", f"x ** {n}")
for n in (1.0, 1.5, 2.0):
    R("elementwise", f"Pow {n}, second derivative at 0", f"nv.Pow(x, {n})", [[0]], f"x ** {n}", f"x ** {n}", f"x ** {n}", order=2)
R("elementwise", "Pow of base 0", "nv.Pow(0.0, x)", [[1, 2]], "0. ** x", "0. ** x", "0. ** x")
R("elementwise", "x * log(x) at 0", "x.Mul(nv.Log(x))", [[0]], "x * jnp.log(x)", "x * torch.log(x)", "x * tf.math.log(x)")
R("elementwise", "IGamma at x = 0", "nv.IGamma(nv.From(0.5), x)", [[0]], "jsp.special.gammainc(0.5, x)", "torch.special.gammainc(torch.tensor(0.5), x)", "tf.math.igamma(tf.constant(0.5, x.dtype), x)")
R("elementwise", "Interp at a knot", "nv.Interp(x, nv.From([]float64{0, 1, 2}), nv.From([]float64{0, 1, 3}))", [[1]], "jnp.interp(x, jnp.array([0., 1., 2.]), jnp.array([0., 1., 3.]))")
R("elementwise", "Unwrap at a jump of pi", "nv.Unwrap(x)", [[0, math.pi]], "jnp.unwrap(x)")

# Where, and what a branch hides.
R("where", "where(x > 0, sqrt(x), 0) at 0", "nv.Where(x.Gt(0), nv.Sqrt(x), 0)", [[0]], "jnp.where(x > 0, jnp.sqrt(x), 0)", "torch.where(x > 0, torch.sqrt(x), 0)", "tf.where(x > 0, tf.sqrt(x), 0)")
R("where", "where(x > 0, log(x), 0) at 0", "nv.Where(x.Gt(0), nv.Log(x), 0)", [[0]], "jnp.where(x > 0, jnp.log(x), 0)", "torch.where(x > 0, torch.log(x), 0)", "tf.where(x > 0, tf.math.log(x), 0)")
R("where", "where(x > 0, log(x), 0) at -1", "nv.Where(x.Gt(0), nv.Log(x), 0)", [[-1]], "jnp.where(x > 0, jnp.log(x), 0)", "torch.where(x > 0, torch.log(x), 0)", "tf.where(x > 0, tf.math.log(x), 0)")
R("where", "where(x != 0, 1/x, 0) at 0", "nv.Where(x.Ne(0), nv.Reciprocal(x), 0)", [[0]], "jnp.where(x != 0, 1 / x, 0)", "torch.where(x != 0, 1 / x, 0)", "tf.where(x != 0, 1 / x, 0)")
R("where", "where(x != 0, sin(x)/x, 1) at 0", "nv.Where(x.Ne(0), nv.Sin(x).Div(x), 1)", [[0]], "jnp.where(x != 0, jnp.sin(x) / x, 1)", "torch.where(x != 0, torch.sin(x) / x, 1)", "tf.where(x != 0, tf.sin(x) / x, 1)")
R("where", "where(x < 10, exp(x), 0) at 1000", "nv.Where(x.Lt(10), nv.Exp(x), 0)", [[1000]], "jnp.where(x < 10, jnp.exp(x), 0)", "torch.where(x < 10, torch.exp(x), 0)", "tf.where(x < 10, tf.exp(x), 0)")
R("where", "where(x > 0, x, 0) at 0", "nv.Where(x.Gt(0), x, 0)", [[0]], "jnp.where(x > 0, x, 0)", "torch.where(x > 0, x, 0)", "tf.where(x > 0, x, 0)")
R("where", "where(x > 0, x, y) of equal numbers", "nv.Where(x.Gt(0), x, y)", [[0], [0]], "jnp.where(x > 0, x, y)", "torch.where(x > 0, x, y)", "tf.where(x > 0, x, y)")
R("where", "0 times log(x) at 0", "nv.Mul(0, nv.Log(x))", [[0]], "0 * jnp.log(x)", "0 * torch.log(x)", "0 * tf.math.log(x)")
R("where", "sqrt(0 * x) at 1", "nv.Sqrt(x.Mul(0))", [[1]], "jnp.sqrt(x * 0)", "torch.sqrt(x * 0)", "tf.sqrt(x * 0)")
R("where", "If at the boundary", "nv.If(x.At(0).Gt(0), func() nv.Tensor { return nv.Sqrt(x) }, func() nv.Tensor { return x })", [[0]], "lax.cond(x[0] > 0, jnp.sqrt, lambda x: x, x)", "torch.sqrt(x) if x[0] > 0 else x * 1", "tf.cond(x[0] > 0, lambda: tf.sqrt(x), lambda: x * 1)")
R("where", "a mask that reads what is smooth", "nv.Sqrt(x).At(nv.New([]bool{true, false}))", [[1, 0]], "jnp.sqrt(x)[np.array([True, False])]", "torch.sqrt(x)[torch.tensor([True, False])]", "tf.boolean_mask(tf.sqrt(x), [True, False])")
R("where", "an index that reads what is smooth", "nv.Sqrt(x).At(0)", [[1, 0]], "jnp.sqrt(x)[0]", "torch.sqrt(x)[0]", "tf.sqrt(x)[0]")
R("where", "NanSum of log(x)", "nv.NanSum(nv.Log(x))", [[1, -1]], "jnp.nansum(jnp.log(x))", "torch.nansum(torch.log(x))")
R("where", "NanSum with nan", "nv.NanSum(x)", [[1, NAN]], "jnp.nansum(x)", "torch.nansum(x)")
R("where", "NanMean with nan", "nv.NanMean(x)", [[1, NAN, 2]], "jnp.nanmean(x)", "torch.nanmean(x)")

# Reductions of exponentials.
LSE = ("nv.LogSumExp(x)", "jsp.special.logsumexp(x)", "torch.logsumexp(x, 0)", "tf.reduce_logsumexp(x)")
for at in ([-INF, -INF], [0, INF], [-INF, 0], [INF, INF], [1, 1]):
    R("exponentials", f"LogSumExp of {at[0]}, {at[1]}", LSE[0], [at], *LSE[1:])
R("exponentials", "LogSumExp, second derivative of equal numbers", LSE[0], [[1, 1]], *LSE[1:], order=2)
SOFT = ("nv.Softmax(x).At(0)", "nn.softmax(x)[0]", "F.softmax(x, 0)[0]", "tf.nn.softmax(x)[0]")
LOGSOFT = ("nv.LogSoftmax(x).At(0)", "nn.log_softmax(x)[0]", "F.log_softmax(x, 0)[0]", "tf.nn.log_softmax(x)[0]")
for at in ([-INF, -INF], [0, -INF], [0, INF]):
    R("exponentials", f"Softmax of {at[0]}, {at[1]}", SOFT[0], [at], *SOFT[1:])
    R("exponentials", f"LogSoftmax of {at[0]}, {at[1]}", LOGSOFT[0], [at], *LOGSOFT[1:])
R("exponentials", "LogCumsumExp of -infinity", "nv.LogCumsumExp(x)", [[-INF, 0]], "lax.cumlogsumexp(x)", "torch.logcumsumexp(x, 0)", "tf.math.cumulative_logsumexp(x)")

# Norms, deviations, distances.
for name, ord in [("", None), (" of order 1", 1), (" of order 3", 3), (" of order 1/2", 0.5), (" of order 0", 0)]:
    g = "nv.Norm(x)" if ord is None else f"nv.Norm(x, nv.Ord({ord}))"
    j = "jnp.linalg.norm(x)" if ord is None else f"jnp.linalg.norm(x, {ord})"
    R("norms", f"Norm{name} at 0", g, [[0, 0]], j, f"torch.linalg.vector_norm(x, {2 if ord is None else ord})", None if ord == 0 else f"tf.norm(x, {repr('euclidean') if ord is None else ord})")
    if ord is not None:
        R("norms", f"Norm{name} with a 0", g, [[0, 2]], j, f"torch.linalg.vector_norm(x, {ord})", None if ord == 0 else f"tf.norm(x, {ord})")
R("norms", "Norm, second derivative at 0", "nv.Norm(x)", [[0, 0]], "jnp.linalg.norm(x)", "torch.linalg.vector_norm(x)", "tf.norm(x)", order=2)
R("norms", "Norm along an axis with a row of zeros", "nv.Norm(x, nv.Axis(1))", [[[0, 0], [3, 4]]], "jnp.linalg.norm(x, axis=1)", "torch.linalg.vector_norm(x, dim=1)", "tf.norm(x, axis=1)")
R("norms", "Norm of a matrix of zeros", 'nv.Norm(x, nv.Ord("fro"))', [[[0, 0], [0, 0]]], "jnp.linalg.norm(x)", "torch.linalg.matrix_norm(x)", "tf.norm(x)")
R("norms", "sqrt(sum(x^2)) at 0", "nv.Sqrt(nv.Sum(nv.Square(x)))", [[0, 0]], "jnp.sqrt(jnp.sum(jnp.square(x)))", "torch.sqrt(torch.sum(torch.square(x)))", "tf.sqrt(tf.reduce_sum(tf.square(x)))")
R("norms", "x / norm(x) at 0", "x.Div(nv.Norm(x))", [[0, 0]], "x / jnp.linalg.norm(x)", "x / torch.linalg.vector_norm(x)", "x / tf.norm(x)")
R("norms", "Std of a constant", "nv.Std(x)", [[1, 1, 1]], "jnp.std(x)", "torch.std(x, correction=0)", "tf.math.reduce_std(x)")
R("norms", "Std of a constant, with correction", "nv.Std(x, nv.Correction(1))", [[1, 1, 1]], "jnp.std(x, ddof=1)", "torch.std(x)")
R("norms", "Std of one number", "nv.Std(x)", [[1]], "jnp.std(x)", "torch.std(x, correction=0)", "tf.math.reduce_std(x)")
R("norms", "Std along an axis with a constant row", "nv.Std(x, nv.Axis(1))", [[[1, 1], [1, 3]]], "jnp.std(x, axis=1)", "torch.std(x, dim=1, correction=0)", "tf.math.reduce_std(x, 1)")
R("norms", "Var of one number, with correction", "nv.Var(x, nv.Correction(1))", [[1]], "jnp.var(x, ddof=1)", "torch.var(x)")
R("norms", "CosineSimilarity at 0", "nv.CosineSimilarity(x, y)", [[0, 0], [1, 2]], "jnp.vdot(x, y) / (jnp.linalg.norm(x) * jnp.linalg.norm(y))", "F.cosine_similarity(x, y, 0)", "-tf.keras.losses.cosine_similarity(y, x)")
R("norms", "CDist of equal points", "nv.CDist(nv.Reshape(x, nv.Shape{1, 2}), nv.Reshape(y, nv.Shape{1, 2}))", [[1, 2], [1, 2]], "jnp.linalg.norm(x - y)", "torch.cdist(x[None], y[None])", "tf.norm(x - y)")
R("norms", "CDist of order 1 of equal points", "nv.CDist(nv.Reshape(x, nv.Shape{1, 2}), nv.Reshape(y, nv.Shape{1, 2}), 1)", [[1, 2], [1, 3]], "jnp.sum(jnp.abs(x - y))", "torch.cdist(x[None], y[None], p=1)", "tf.norm(x - y, 1)")
R("norms", "CorrCoef with a constant row", "nv.CorrCoef(x).At(0, 1)", [[[1, 1, 1], [1, 2, 4]]], "jnp.corrcoef(x)[0, 1]", "torch.corrcoef(x)[0, 1]")
R("norms", "LayerNorm of a constant, without epsilon", "nv.Standardize(x, nv.Epsilon(0)).At(0)", [[1, 1]], "nn.standardize(x, epsilon=0)[0]", "F.layer_norm(x, (2,), eps=0)[0]")

# Products.
PROD = ("nv.Prod(x)", "jnp.prod(x)", "torch.prod(x)", "tf.reduce_prod(x)")
CUMPROD = ("nv.Cumprod(x)", "jnp.cumprod(x)", "torch.cumprod(x, 0)", "tf.math.cumprod(x)")
for at in ([2, 0, 3], [0, 0, 3], [0, 0, 0]):
    R("products", f"Prod of {at}", PROD[0], [at], *PROD[1:])
    R("products", f"Cumprod of {at}", CUMPROD[0], [at], *CUMPROD[1:])
R("products", "Prod, second derivative with a zero", PROD[0], [[2, 0, 3]], *PROD[1:], order=2)
R("products", "Prod, second derivative with two zeros", PROD[0], [[0, 0, 3]], *PROD[1:], order=2)
R("products", "Cumprod, second derivative with a zero", CUMPROD[0], [[2, 0, 3]], *CUMPROD[1:], order=2)
R("products", "Prod with infinity", PROD[0], [[0, INF]], *PROD[1:])
R("products", "SegmentProd with a zero", "nv.SegmentProd(x, nv.New([]int{0, 0, 0}), 1)", [[2, 0, 3]], "jax.ops.segment_prod(x, jnp.array([0, 0, 0]), 1)", "torch.ones(1).scatter_reduce(0, torch.tensor([0, 0, 0]), x, 'prod')", "tf.math.unsorted_segment_prod(x, [0, 0, 0], 1)")
R("products", "MulAt of a zero", "x.MulAt(y, nv.Range(0, 1))", [[0, 2], [0]], "x.at[0].multiply(y[0])", "torch.scatter_reduce(x, 0, torch.tensor([0]), y, 'prod')")

# Indices.
R("indices", "At with a repeated index", "x.At(nv.New([]int{2, 0, 2}))", [[1, 2, 3]], "x[jnp.array([2, 0, 2])]", "x[torch.tensor([2, 0, 2])]", "tf.gather(x, [2, 0, 2])")
R("indices", "Set at a repeated index", "x.Set(y, nv.New([]int{1, 1}))", [[1, 2, 3], [4, 5]], "x.at[jnp.array([1, 1])].set(y)", "x.index_put((torch.tensor([1, 1]),), y)", "tf.tensor_scatter_nd_update(x, [[1], [1]], y)")
R("indices", "AddAt at a repeated index", "x.AddAt(y, nv.New([]int{1, 1}))", [[1, 2, 3], [4, 5]], "x.at[jnp.array([1, 1])].add(y)", "x.index_put((torch.tensor([1, 1]),), y, accumulate=True)", "tf.tensor_scatter_nd_add(x, [[1], [1]], y)")
R("indices", "MaxAt of equal numbers at a repeated index", "x.MaxAt(y, nv.New([]int{1, 1}))", [[1, 2, 3], [4, 4]], "x.at[jnp.array([1, 1])].max(y)", "torch.scatter_reduce(x, 0, torch.tensor([1, 1]), y, 'amax')", "tf.tensor_scatter_nd_max(x, [[1], [1]], y)")
R("indices", "MulAt at a repeated index", "x.MulAt(y, nv.New([]int{1, 1}))", [[1, 2, 3], [4, 5]], "x.at[jnp.array([1, 1])].multiply(y)", "torch.scatter_reduce(x, 0, torch.tensor([1, 1]), y, 'prod')")
R("indices", "PutAlongAxis at a repeated index", "nv.PutAlongAxis(x, nv.New([]int{1, 1}), y)", [[1, 2, 3], [4, 5]], "jnp.put_along_axis(x, jnp.array([1, 1]), y, 0, inplace=False)", "torch.scatter(x, 0, torch.tensor([1, 1]), y)")
R("indices", "a read out of range, clamped", "x.At(nv.Clipped(nv.New([]int{1, 5})))", [[1, 2, 3]], "x[jnp.array([1, 5])]", "x[torch.tensor([1, 5])]", "tf.gather(x, [1, 5])")
R("indices", "ArgMax as an index, tied", "x.At(nv.ArgMax(x))", [[2, 2, 1]], "x[jnp.argmax(x)]", "x[torch.argmax(x)]", "x[tf.argmax(x)]")
R("indices", "Repeat with the count 0", "nv.Repeat(x, []int{0, 2})", [[1, 2]], "jnp.repeat(x, jnp.array([0, 2]), total_repeat_length=2)", "torch.repeat_interleave(x, torch.tensor([0, 2]))", "tf.repeat(x, [0, 2])")

# Linear algebra.
S1 = [[1, 2], [2, 4]]
Z2 = [[0, 0], [0, 0]]
I2 = [[1, 0], [0, 1]]
I3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
DET = ("nv.Det(x)", "jnp.linalg.det(x)", "torch.linalg.det(x)", "tf.linalg.det(x)")
R("linear algebra", "Det of a singular matrix", DET[0], [S1], *DET[1:])
R("linear algebra", "Det of a singular matrix of order 3", DET[0], [[[1, 2, 3], [2, 4, 6], [1, 0, 1]]], *DET[1:])
R("linear algebra", "Det of rank 1 of order 3", DET[0], [[[1, 2, 3], [2, 4, 6], [3, 6, 9]]], *DET[1:])
R("linear algebra", "Det of zeros", DET[0], [Z2], *DET[1:])
R("linear algebra", "Det, second derivative of a singular matrix", DET[0], [S1], *DET[1:], order=2)
R("linear algebra", "SlogDet of a singular matrix", "_, v := nv.SlogDet(x)\nreturn v", [S1], "jnp.linalg.slogdet(x)[1]", "torch.linalg.slogdet(x)[1]", "tf.linalg.slogdet(x)[1]")
R("linear algebra", "Inv of a singular matrix", "nv.Inv(x)", [S1], "jnp.linalg.inv(x)", "torch.linalg.inv(x)", "tf.linalg.inv(x)")
R("linear algebra", "Solve of a singular matrix", "nv.Solve(x, y)", [S1, [1, 1]], "jnp.linalg.solve(x, y)", "torch.linalg.solve(x, y)", "tf.linalg.solve(x, y[:, None])")
R("linear algebra", "Cholesky of a singular matrix", "nv.Cholesky(x)", [S1], "jnp.linalg.cholesky(x)", "torch.linalg.cholesky(x)", "tf.linalg.cholesky(x)")
R("linear algebra", "EigValsH, equal eigenvalues", "nv.EigValsH(x).Mul(nv.From([]float64{1, 2}))", [I2], "jnp.linalg.eigvalsh(x) * jnp.array([1., 2.])", "torch.linalg.eigvalsh(x) * torch.tensor([1., 2.])", "tf.linalg.eigvalsh(x) * tf.constant([1., 2.], x.dtype)")
R("linear algebra", "Sum of EigValsH, equal eigenvalues", "nv.Sum(nv.EigValsH(x))", [I2], "jnp.sum(jnp.linalg.eigvalsh(x))", "torch.sum(torch.linalg.eigvalsh(x))", "tf.reduce_sum(tf.linalg.eigvalsh(x))")
R("linear algebra", "Sum of squares of EigValsH, second derivative, equal eigenvalues", "nv.Sum(nv.Square(nv.EigValsH(x)))", [I2], "jnp.sum(jnp.linalg.eigvalsh(x) ** 2)", "torch.sum(torch.linalg.eigvalsh(x) ** 2)", "tf.reduce_sum(tf.linalg.eigvalsh(x) ** 2)", order=2)
R("linear algebra", "Eigh vectors, equal eigenvalues", "_, v := nv.Eigh(x)\nreturn v", [I2], "jnp.linalg.eigh(x)[1]", "torch.linalg.eigh(x)[1]", "tf.linalg.eigh(x)[1]")
R("linear algebra", "a function of a matrix by Eigh, equal eigenvalues", "w, v := nv.Eigh(x)\nreturn nv.MatMul(v.Mul(nv.Exp(w)), nv.Transpose(v))", [I3], "(lambda w, v: (v * jnp.exp(w)) @ v.T)(*jnp.linalg.eigh(x))", "(lambda w, v: (v * torch.exp(w)) @ v.T)(*torch.linalg.eigh(x))", "(lambda w, v: (v * tf.exp(w)) @ tf.transpose(v))(*tf.linalg.eigh(x))")
R("linear algebra", "SVDVals, equal singular values", "nv.SVDVals(x).Mul(nv.From([]float64{1, 2}))", [I2], "jnp.linalg.svd(x, compute_uv=False) * jnp.array([1., 2.])", "torch.linalg.svdvals(x) * torch.tensor([1., 2.])", "tf.linalg.svd(x, compute_uv=False) * tf.constant([1., 2.], x.dtype)")
R("linear algebra", "SVDVals with a zero", "nv.SVDVals(x)", [S1], "jnp.linalg.svd(x, compute_uv=False)", "torch.linalg.svdvals(x)", "tf.linalg.svd(x, compute_uv=False)")
R("linear algebra", "SVDVals of zeros", "nv.SVDVals(x)", [Z2], "jnp.linalg.svd(x, compute_uv=False)", "torch.linalg.svdvals(x)", "tf.linalg.svd(x, compute_uv=False)")
R("linear algebra", "SVD vectors, equal singular values", "u, _, _ := nv.SVD(x, nv.FullMatrices(false))\nreturn u", [I2], "jnp.linalg.svd(x)[0]", "torch.linalg.svd(x)[0]", "tf.linalg.svd(x)[1]")
R("linear algebra", "a matrix from its SVD, equal singular values", "u, s, v := nv.SVD(x, nv.FullMatrices(false))\nreturn nv.MatMul(u.Mul(s), v)", [I2], "(lambda u, s, v: (u * s) @ v)(*jnp.linalg.svd(x))", "(lambda u, s, v: (u * s) @ v)(*torch.linalg.svd(x))", "(lambda s, u, v: (u * s) @ tf.transpose(v))(*tf.linalg.svd(x))")
R("linear algebra", "Norm of order nuc at 0", 'nv.Norm(x, nv.Ord("nuc"))', [Z2], "jnp.linalg.norm(x, 'nuc')", "torch.linalg.matrix_norm(x, 'nuc')", "tf.reduce_sum(tf.linalg.svd(x, compute_uv=False))")
R("linear algebra", "Norm of order nuc of a singular matrix", 'nv.Norm(x, nv.Ord("nuc"))', [S1], "jnp.linalg.norm(x, 'nuc')", "torch.linalg.matrix_norm(x, 'nuc')", "tf.reduce_sum(tf.linalg.svd(x, compute_uv=False))")
R("linear algebra", "Norm of order 2, equal singular values", "nv.Norm(x, nv.Ord(2))", [I2], "jnp.linalg.norm(x, 2)", "torch.linalg.matrix_norm(x, 2)", "tf.linalg.svd(x, compute_uv=False)[0]")
R("linear algebra", "PInv of a singular matrix", "nv.PInv(x)", [S1], "jnp.linalg.pinv(x)", "torch.linalg.pinv(x)", "tf.linalg.pinv(x)")
R("linear algebra", "PInv of zeros", "nv.PInv(x)", [Z2], "jnp.linalg.pinv(x)", "torch.linalg.pinv(x)", "tf.linalg.pinv(x)")
R("linear algebra", "Lstsq of a singular matrix", "v, _, _, _ := nv.Lstsq(x, y)\nreturn v", [S1, [1, 1]], "jnp.linalg.lstsq(x, y)[0]", "torch.linalg.lstsq(x, y[:, None], driver='gelsd')[0]", "tf.linalg.lstsq(x, y[:, None])")
R("linear algebra", "QR of a singular matrix", "_, r := nv.QR(x)\nreturn r", [S1], "jnp.linalg.qr(x)[1]", "torch.linalg.qr(x)[1]", "tf.linalg.qr(x)[1]")
R("linear algebra", "Cond of a singular matrix", "nv.Cond(x)", [S1], "jnp.linalg.cond(x)", "torch.linalg.cond(x)")
R("linear algebra", "Cond of the identity matrix", "nv.Cond(x)", [I2], "jnp.linalg.cond(x)", "torch.linalg.cond(x)")
R("linear algebra", "Expm of zeros", "nv.Expm(x)", [Z2], "jsp.linalg.expm(x)", "torch.linalg.matrix_exp(x)", "tf.linalg.expm(x)")
R("linear algebra", "MatrixPower 0", "nv.MatrixPower(x, 0)", [S1], "jnp.linalg.matrix_power(x, 0)", "torch.linalg.matrix_power(x, 0)")
R("linear algebra", "MatrixRank", "nv.MatrixRank(x)", [S1], "jnp.linalg.matrix_rank(x).astype(jnp.float64)", "torch.linalg.matrix_rank(x)", "tf.linalg.matrix_rank(x)")

# Complex numbers: [real part, imaginary part].
def Q(name, go, operands, *sources):
    R("complex", "complex " + name, go, operands, *sources, dtype="c128")
Q("Abs at 0", "nv.Abs(x)", [[[0, 0]]], "jnp.abs(x)", "torch.abs(x)", "tf.abs(x)")
Q("Angle at 0", "nv.Angle(x)", [[[0, 0]]], "jnp.angle(x)", "torch.angle(x)", "tf.math.angle(x)")
Q("Angle at -1", "nv.Angle(x)", [[[-1, 0]]], "jnp.angle(x)", "torch.angle(x)", "tf.math.angle(x)")
Q("|z|^2 at 1+2i", "nv.Real(x.Mul(nv.Conj(x)))", [[[1, 2]]], "jnp.real(x * jnp.conj(x))", "torch.real(x * torch.conj(x))", "tf.math.real(x * tf.math.conj(x))")
Q("Abs squared at 0", "nv.Square(nv.Abs(x))", [[[0, 0]]], "jnp.abs(x) ** 2", "torch.abs(x) ** 2", "tf.abs(x) ** 2")
Q("Abs at 3+4i", "nv.Abs(x)", [[[3, 4]]], "jnp.abs(x)", "torch.abs(x)", "tf.abs(x)")
Q("real part of z^2 at 1+2i", "nv.Real(nv.Square(x))", [[[1, 2]]], "jnp.real(x * x)", "torch.real(x * x)", "tf.math.real(x * x)")
Q("imaginary part of exp at 1+2i", "nv.Imag(nv.Exp(x))", [[[1, 2]]], "jnp.imag(jnp.exp(x))", "torch.imag(torch.exp(x))", "tf.math.imag(tf.exp(x))")
Q("real part of sqrt at 0", "nv.Real(nv.Sqrt(x))", [[[0, 0]]], "jnp.real(jnp.sqrt(x))", "torch.real(torch.sqrt(x))", "tf.math.real(tf.sqrt(x))")
Q("real part of sqrt at -1", "nv.Real(nv.Sqrt(x))", [[[-1, 0]]], "jnp.real(jnp.sqrt(x))", "torch.real(torch.sqrt(x))", "tf.math.real(tf.sqrt(x))")
Q("real part of log at 0", "nv.Real(nv.Log(x))", [[[0, 0]]], "jnp.real(jnp.log(x))", "torch.real(torch.log(x))", "tf.math.real(tf.math.log(x))")
Q("real part of z^2.0 at 0", "nv.Real(nv.Pow(x, 2.0))", [[[0, 0]]], "jnp.real(x ** 2.0)", "torch.real(x ** 2.0)", "tf.math.real(x ** 2.0)")
Q("Norm at 0", "nv.Norm(x)", [[[0, 0], [0, 0]]], "jnp.linalg.norm(x)", "torch.linalg.vector_norm(x)", "tf.math.real(tf.norm(x))")
Q("real part of z / |z| at 0", "nv.Real(x.Div(nv.Abs(x)))", [[[0, 0]]], "jnp.real(x / jnp.abs(x))", "torch.real(x / torch.abs(x))", "tf.math.real(x / tf.cast(tf.abs(x), x.dtype))")
Q("Conj at 1+2i, real part", "nv.Real(nv.Conj(x))", [[[1, 2]]], "jnp.real(jnp.conj(x))", "torch.real(torch.conj(x))", "tf.math.real(tf.math.conj(x))")
Q("a real result that is always 0", "nv.Imag(x.Mul(nv.Conj(x)))", [[[1, 2]]], "jnp.imag(x * jnp.conj(x))", "torch.imag(x * torch.conj(x))", "tf.math.imag(x * tf.math.conj(x))")
R("complex", "abs of a sum of a real number and i at 0", "nv.Abs(nv.Complex(x, y))", [[0], [0]], "jnp.abs(lax.complex(x, y))", "torch.abs(torch.complex(x, y))", "tf.abs(tf.complex(x, y))")

# Losses.
R("losses", "MAELoss at 0", "nv.MAELoss(x, y)", [[1], [1]], "jnp.mean(jnp.abs(x - y))", "F.l1_loss(x, y)", "tf.reduce_mean(tf.abs(x - y))")
R("losses", "HuberLoss at delta", "nv.HuberLoss(x, y)", [[1], [0]], "jnp.mean(jnp.where(jnp.abs(x - y) <= 1, (x - y) ** 2 / 2, jnp.abs(x - y) - 0.5))", "F.huber_loss(x, y)", "tf.keras.losses.huber(y, x)")
R("losses", "HuberLoss at 0", "nv.HuberLoss(x, y)", [[1], [1]], "jnp.mean(jnp.where(jnp.abs(x - y) <= 1, (x - y) ** 2 / 2, jnp.abs(x - y) - 0.5))", "F.huber_loss(x, y)", "tf.keras.losses.huber(y, x)")
R("losses", "HuberLoss, second derivative at delta", "nv.HuberLoss(x, y)", [[1], [0]], "jnp.mean(jnp.where(jnp.abs(x - y) <= 1, (x - y) ** 2 / 2, jnp.abs(x - y) - 0.5))", "F.huber_loss(x, y)", "tf.keras.losses.huber(y, x)", order=2)
R("losses", "smooth L1 at 1", "nv.HuberLoss(x, y)", [[1], [0]], None, "F.smooth_l1_loss(x, y)")
R("losses", "hinge loss at 1", "nv.Mean(nv.Maximum(nv.Sub(1, x), 0))", [[1]], "jnp.mean(jnp.maximum(1 - x, 0))", "torch.mean(torch.clamp(1 - x, min=0))", "tf.keras.losses.hinge(tf.ones_like(x), x)")
R("losses", "BinaryCrossEntropyLoss at logit 0", "nv.BinaryCrossEntropyLoss(x, y)", [[0], [1]], "jnp.mean(-y * nn.log_sigmoid(x) - (1 - y) * nn.log_sigmoid(-x))", "F.binary_cross_entropy_with_logits(x, y)", "tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x))")
R("losses", "BinaryCrossEntropyLoss at an infinite logit", "nv.BinaryCrossEntropyLoss(x, y)", [[INF], [1]], "jnp.mean(-y * nn.log_sigmoid(x) - (1 - y) * nn.log_sigmoid(-x))", "F.binary_cross_entropy_with_logits(x, y)", "tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x))")
R("losses", "cross entropy of a probability of 0", "nv.Neg(nv.Mean(nv.XLogY(y, x).Add(nv.XLogY(nv.Sub(1, y), nv.Sub(1, x)))))", [[0], [0]], "-jnp.mean(jsp.special.xlogy(y, x) + jsp.special.xlogy(1 - y, 1 - x))", "F.binary_cross_entropy(x, y)", "tf.keras.losses.binary_crossentropy(y, x)")
R("losses", "KLDivergenceLoss with a target of 0", "nv.KLDivergenceLoss(x, y)", [[[-1, -0.5]], [[0, 1]]], "jnp.mean(jnp.sum(jsp.special.xlogy(y, y) - y * x, -1))", "F.kl_div(x, y, reduction='batchmean')")
R("losses", "KLDivergenceLoss of -infinity with a target of 0", "nv.KLDivergenceLoss(x, y)", [[[-INF, 0]], [[0, 1]]], "jnp.mean(jnp.sum(jsp.special.xlogy(y, y) - y * x, -1))", "F.kl_div(x, y, reduction='batchmean')")
R("losses", "CrossEntropyLoss with a logit of -infinity", "nv.CrossEntropyLoss(x, nv.New([]int{0}))", [[[0, -INF]]], "-jnp.mean(nn.log_softmax(x)[:, 0])", "F.cross_entropy(x, torch.tensor([0]))", "tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([0], x))")
R("losses", "CrossEntropyLoss of a class with a logit of -infinity", "nv.CrossEntropyLoss(x, nv.New([]int{1}))", [[[0, -INF]]], "-jnp.mean(nn.log_softmax(x)[:, 1])", "F.cross_entropy(x, torch.tensor([1]))", "tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([1], x))")
R("losses", "CTCLoss of labels that do not fit", "nv.CTCLoss(nv.Reshape(x, nv.Shape{1, 1, 2}), nv.New([][]int{{1, 1}}))", [[0, 0]], None, "F.ctc_loss(F.log_softmax(x.reshape(1, 1, 2), -1), torch.tensor([[1, 1]]), (1,), (2,))", "tf.nn.ctc_loss(tf.constant([[1, 1]]), tf.reshape(tf.cast(x, tf.float32), (1, 1, 2)), tf.constant([2]), tf.constant([1]), blank_index=0)")

# What has no derivative to begin with.
R("flat", "ArgMax as a number", "nv.ArgMax(x).AsType(nv.F64)", [[1, 2]], "jnp.argmax(x).astype(jnp.float64)", "torch.argmax(x).double()", "tf.cast(tf.argmax(x), x.dtype)")
R("flat", "a comparison as a number", "x.Gt(0).AsType(nv.F64)", [[1]], "(x > 0).astype(jnp.float64)", "(x > 0).double()", "tf.cast(x > 0, x.dtype)")
R("flat", "a conversion to integers and back", "x.AsType(nv.I32).AsType(nv.F64)", [[1.5]], "x.astype(jnp.int32).astype(jnp.float64)", "x.int().double()", "tf.cast(tf.cast(x, tf.int32), x.dtype)")
R("flat", "an operand that is not used", "nv.Sin(x)", [[1], [2]], "jnp.sin(x)", "torch.sin(x)", "tf.sin(x)")
R("flat", "an integer operand", "nv.Sin(x)", [[1]], "jnp.sin(x)", "torch.sin(x)", "tf.sin(tf.cast(x, tf.float64))", dtype="i32")
R("flat", "Resize by the nearest element", 'nv.Resize(x, nv.Shape{3}, "nearest")', [[1, 2]], "jax.image.resize(x, (3,), 'nearest')", "F.interpolate(x[None, None], size=3, mode='nearest-exact')", "tf.image.resize(x[None, None, :, None], (1, 3), 'nearest')")
R("flat", "a sum of no elements", "nv.Sum(nv.Sqrt(x.At(nv.Range(1, 1))))", [[0]], "jnp.sum(jnp.sqrt(x[1:1]))", "torch.sum(torch.sqrt(x[1:1]))", "tf.reduce_sum(tf.sqrt(x[1:1]))")
R("flat", "Max of no other element than -infinity", "nv.Max(x)", [[-INF, -INF]], "jnp.max(x)", "torch.max(x)", "tf.reduce_max(x)")

# Single precision, where the double has other answers.
R("single precision", "Softplus, second derivative at 25, in f32", "nv.Softplus(x)", [[25]], "nn.softplus(x)", "F.softplus(x)", "tf.nn.softplus(x)", order=2, dtype="f32")
R("single precision", "Logistic at 100, in f32", "nv.Logistic(x)", [[100]], "nn.sigmoid(x)", "torch.sigmoid(x)", "tf.sigmoid(x)", dtype="f32")
R("single precision", "Logistic at -100, in f32", "nv.Logistic(x)", [[-100]], "nn.sigmoid(x)", "torch.sigmoid(x)", "tf.sigmoid(x)", dtype="f32")
R("single precision", "Norm of tiny numbers, in f32", "nv.Norm(x)", [[1e-30, 1e-30]], "jnp.linalg.norm(x)", "torch.linalg.vector_norm(x)", "tf.norm(x)", dtype="f32")
R("single precision", "Hypot of tiny numbers, in f32", "nv.Hypot(x, y)", [[1e-30], [1e-30]], "jnp.hypot(x, y)", "torch.hypot(x, y)", "tf.sqrt(x * x + y * y)", dtype="f32")
R("single precision", "Sinc, second derivative at 1e-4, in f32", "nv.Sinc(x)", [[1e-4]], "jnp.sinc(x)", "torch.sinc(x)", None, order=2, dtype="f32")
R("single precision", "LogSigmoid, second derivative at -50, in f32", "nv.LogSigmoid(x)", [[-50]], "nn.log_sigmoid(x)", "F.logsigmoid(x)", "tf.math.log_sigmoid(x)", order=2, dtype="f32")

TYPES = {"f64": "float64", "f32": "float32", "c128": "complex128", "i32": "int32"}


def operands(np, row):
    for values in row["operands"]:
        a = np.asarray(values, np.float64)
        yield (a[..., 0] + 1j * a[..., 1] if row["dtype"] == "c128" else a).astype(TYPES[row["dtype"]])


def numbers(np, a):
    """The elements of a gradient."""
    a = np.asarray(a)
    def real(v):
        return "NaN" if math.isnan(v) else "Infinity" if v == INF else "-Infinity" if v == -INF else int(v) if v == int(v) else v
    if np.iscomplexobj(a):
        return [[real(v.real), real(v.imag)] for v in a.ravel().tolist()]
    return [real(float(str(v)) if a.dtype == np.float32 else float(v)) for v in a.ravel()]


def jax_answers():
    import jax
    import numpy as np
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import jax.scipy as jsp
    from jax import lax, nn
    names = {"jax": jax, "jnp": jnp, "jsp": jsp, "lax": lax, "nn": nn, "np": np, "INF": INF}

    def answer(row):
        xs = [jnp.asarray(a) for a in operands(np, row)]
        f = eval(f"lambda {', '.join(OPERANDS[:len(xs)])}: {row['jax']}", names)
        s = lambda *xs: jnp.sum(f(*xs))
        if row["order"] == 2:
            once = jax.grad(s)
            s = lambda *xs: jnp.sum(once(*xs))
        return [numbers(np, g) for g in jax.grad(s, argnums=tuple(range(len(xs))))(*xs)]
    return jax.__version__, answer


def torch_answers():
    import numpy as np
    import torch
    import torch.nn.functional as F
    torch.set_default_dtype(torch.float64)
    names = {"torch": torch, "F": F, "INF": INF}

    def answer(row):
        xs = [torch.from_numpy(np.array(a)).requires_grad_(True) for a in operands(np, row)]
        s = eval(row["torch"], names, dict(zip(OPERANDS, xs))).sum()
        if row["order"] == 2:
            s = torch.autograd.grad(s, xs[0], create_graph=True)[0].sum()
        return [None if g is None else numbers(np, g.numpy(force=True)) for g in torch.autograd.grad(s, xs, allow_unused=True)]
    return torch.__version__.split("+")[0], answer


def tensorflow_answers():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf
    names = {"tf": tf, "INF": INF}

    def answer(row):
        xs = [tf.constant(a) for a in operands(np, row)]
        f = eval(f"lambda {', '.join(OPERANDS[:len(xs)])}: {row['tensorflow']}", names)
        with tf.GradientTape() as outer:
            outer.watch(xs)
            if row["order"] == 2:
                with tf.GradientTape() as inner:
                    inner.watch(xs[0])
                    s = tf.reduce_sum(f(*xs))
                s = inner.gradient(s, xs[0])
                s = None if s is None else tf.reduce_sum(s)
            else:
                s = tf.reduce_sum(f(*xs))
        if s is None:
            return [None for _ in xs]
        return [None if g is None else numbers(np, tf.convert_to_tensor(g)) for g in outer.gradient(s, xs)]
    return tf.__version__, answer


def main(system):
    path = HERE / "conventions.json"
    old = json.loads(path.read_text()) if path.exists() else {"versions": {}, "rows": []}
    kept = {row["name"]: row for row in old["rows"]}
    version, answer = {"jax": jax_answers, "torch": torch_answers, "tensorflow": tensorflow_answers}[system]()
    versions = old["versions"] | {system: version}
    rows = []
    for row in ROWS:
        new = {k: row[k] for k in ("name", "category", "go", "dtype", "order")}
        if row["order"] == 1:
            del new["order"]
        new["operands"] = row["operands"]
        new["answers"] = {k: v for k, v in kept.get(row["name"], {}).get("answers", {}).items() if row[k]}
        if row[system]:
            try:
                new["answers"][system] = answer(row)
            except Exception as e:
                lines = [re.sub(r"{{.*?}} ?", "", l).strip() for l in str(e).split("\n") if l.strip()]
                new["answers"][system] = {"error": f"{type(e).__name__}: {lines[0] if lines else ''}"[:200]}
                print(row["name"], "|", new["answers"][system]["error"])
        new["answers"] = {s: new["answers"][s] for s in ("jax", "torch", "tensorflow") if s in new["answers"]}
        rows.append(new)
    order = [s for s in ("jax", "torch", "tensorflow") if s in versions]
    head = json.dumps({"versions": {s: versions[s] for s in order}})[:-1]
    def named(v):
        if isinstance(v, float) and not math.isfinite(v):
            return "NaN" if math.isnan(v) else "Infinity" if v > 0 else "-Infinity"
        return [named(e) for e in v] if isinstance(v, list) else v
    for row in rows:
        row["operands"] = named(row["operands"])
    path.write_text(head + ', "rows": [\n' + ",\n".join(json.dumps(row, allow_nan=False) for row in rows) + "\n]}\n")


def go():
    lines = ["// Code generated by testdata/conventions.py; DO NOT EDIT.", "", "package anvil_test", "", "import (", '\t"math"', "",
             '\tnv "github.com/goanvil/notebook/anvil"', ")", "", "// conventionCases are the functions of testdata/conventions.json by name.",
             "var conventionCases = map[string]func(in []nv.Tensor) nv.Tensor{"]
    for row in ROWS:
        used = [o for o in OPERANDS[:len(row["operands"])]]
        body = row["go"] if "\nreturn " in row["go"] else "return " + row["go"]
        lines.append(f"\t{json.dumps(row['name'])}: func(in []nv.Tensor) nv.Tensor {{")
        words = set("".join(c if c.isalnum() else " " for c in row["go"]).split())
        used = [o for o in used if o in words]
        lines.append(f"\t\t{', '.join(used)} := {', '.join(f'in[{OPERANDS.index(o)}]' for o in used)}")
        lines += ["\t\t" + l for l in body.split("\n")] + ["\t},"]
    path = HERE.parent / "convention_cases_test.go"
    path.write_text("\n".join(lines + ["}", ""]))
    os.system(f"gofmt -w {path}")


if __name__ == "__main__":
    repeated = {r["name"] for r in ROWS if sum(r["name"] == o["name"] for o in ROWS) > 1}
    assert not repeated, repeated
    if sys.argv[1] == "go":
        go()
    else:
        main(sys.argv[1])
