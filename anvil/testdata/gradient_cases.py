"""The functions of gradients.py. An operand is drawn where the function has all derivatives that are asked for: away from
ties, jumps and corners."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Case:
    name: str
    go: str  # of the operands x, y, z, w in this order; statements where it has several
    jax: str
    points: list  # for each point a function for each operand, which draws it
    tolerance: float = 1e-10
    forward: bool = False  # JAX has no reverse mode for it
    second: bool = True  # JAX has second derivatives of it
    rough: bool = False  # difference quotients do not give its derivative
    statements: bool = False


CASES = []


def C(name, go, jax, *points, **more):
    points = [p if isinstance(p, tuple) else (p,) for p in points]
    CASES.append(Case(name, go, jax, points, statements="\nreturn " in go, **more))


def V(*shape, lo=-1.5, hi=1.5):
    """Draws numbers from lo to hi."""
    return lambda rng: rng.uniform(lo, hi, shape)


def P(*shape):
    """Draws positive numbers."""
    return V(*shape, lo=0.3, hi=2.5)


def K(*shape):
    """Draws numbers of both signs away from 0."""
    return lambda rng: rng.uniform(0.3, 1.8, shape) * rng.choice([-1, 1], shape)


def D(*shape):
    """Draws numbers, no two of them near each other and none near 0."""
    def draw(rng):
        n = int(np.prod(shape))
        return (rng.permutation(n) - n // 2 + 0.5 + rng.uniform(-0.15, 0.15, n)).reshape(shape) / 2
    return draw


def A(*values):
    """Is these numbers: where a function has derivatives that are easily lost."""
    return lambda rng: np.array(values, np.float64)


def Z(*shape):
    """Draws complex numbers away from 0 and from the negative real axis."""
    return lambda rng: rng.uniform(0.3, 1.5, shape) * np.exp(1j * rng.uniform(-2.4, 2.4, shape))


# Elementwise, one operand.
for name, jax, draw in [
    ("Abs", "jnp.abs(x)", K), ("Asinh", "jnp.arcsinh(x)", V), ("Atan", "jnp.arctan(x)", V),
    ("BesselI0", "jsp.special.i0(x)", K), ("BesselI0e", "jsp.special.i0e(x)", K),
    ("BesselI1", "jsp.special.i1(x)", K), ("BesselI1e", "jsp.special.i1e(x)", K),
    ("Cbrt", "jnp.cbrt(x)", K), ("Cos", "jnp.cos(x)", V), ("CosPi", "jnp.cos(jnp.pi * x)", V), ("Cosh", "jnp.cosh(x)", V),
    ("Deg2Rad", "jnp.deg2rad(x)", V), ("Digamma", "jsp.special.digamma(x)", P), ("Elu", "nn.elu(x)", K),
    ("Erf", "jsp.special.erf(x)", V), ("Erfc", "jsp.special.erfc(x)", V),
    ("Erfcx", "jnp.exp(x * x) * jsp.special.erfc(x)", V),
    ("Exp", "jnp.exp(x)", V), ("Exp2", "jnp.exp2(x)", V), ("Expm1", "jnp.expm1(x)", V),
    ("Gamma", "jnp.exp(jsp.special.gammaln(x))", P), ("Gelu", "nn.gelu(x, approximate=False)", V),
    ("HardSilu", "nn.hard_silu(x)", V), ("LeakyRelu", "nn.leaky_relu(x)", K),
    ("Lgamma", "jsp.special.gammaln(x)", P), ("Log", "jnp.log(x)", P), ("Log10", "jnp.log10(x)", P),
    ("Log1p", "jnp.log1p(x)", P), ("Log2", "jnp.log2(x)", P), ("LogSigmoid", "nn.log_sigmoid(x)", V),
    ("Logistic", "nn.sigmoid(x)", V), ("Mish", "nn.mish(x)", K), ("NanToNum", "jnp.nan_to_num(x)", V),
    ("Neg", "-x", V), ("NormCDF", "jsp.stats.norm.cdf(x)", V), ("NormLogCDF", "jsp.special.log_ndtr(x)", V),
    ("NormPDF", "jsp.stats.norm.pdf(x)", V), ("Rad2Deg", "jnp.rad2deg(x)", V), ("Reciprocal", "1 / x", K),
    ("Relu", "nn.relu(x)", K), ("Rsqrt", "lax.rsqrt(x)", P), ("Selu", "nn.selu(x)", K), ("Silu", "nn.silu(x)", V),
    ("Sin", "jnp.sin(x)", V), ("SinPi", "jnp.sin(jnp.pi * x)", V), ("Sinc", "jnp.sinc(x)", K),
    ("Sinh", "jnp.sinh(x)", V), ("Softplus", "nn.softplus(x)", V), ("Softsign", "nn.soft_sign(x)", K),
    ("Sqrt", "jnp.sqrt(x)", P), ("Square", "jnp.square(x)", V), ("Tanh", "jnp.tanh(x)", V),
    ("Trigamma", "jsp.special.polygamma(1, x)", P),
]:
    C(name, f"nv.{name}(x)", jax, draw(4), draw())
C("Acos", "nv.Acos(x)", "jnp.arccos(x)", V(4, lo=-0.9, hi=0.9))
C("Asin", "nv.Asin(x)", "jnp.arcsin(x)", V(4, lo=-0.9, hi=0.9))
C("Atanh", "nv.Atanh(x)", "jnp.arctanh(x)", V(4, lo=-0.9, hi=0.9))
C("Acosh", "nv.Acosh(x)", "jnp.arccosh(x)", V(4, lo=1.2, hi=3))
C("ErfInv", "nv.ErfInv(x)", "jsp.special.erfinv(x)", V(4, lo=-0.85, hi=0.85))
C("Logit", "nv.Logit(x)", "jsp.special.logit(x)", V(4, lo=0.1, hi=0.9))
C("NormQuantile", "nv.NormQuantile(x)", "jsp.special.ndtri(x)", V(4, lo=0.1, hi=0.9))
C("Tan", "nv.Tan(x)", "jnp.tan(x)", V(4, lo=-1.2, hi=1.2))
C("TanPi", "nv.TanPi(x)", "jnp.tan(jnp.pi * x)", V(4, lo=-0.4, hi=0.4))
C("HardSigmoid", "nv.HardSigmoid(x)", "nn.hard_sigmoid(x)", V(4, lo=-2.5, hi=2.5), V(2, lo=3.2, hi=5))
C("Elu alpha", "nv.Elu(x, 0.5)", "nn.elu(x, 0.5)", K(4))
C("LeakyRelu slope", "nv.LeakyRelu(x, 0.2)", "nn.leaky_relu(x, 0.2)", K(4))
C("Softplus large", "nv.Softplus(x)", "nn.softplus(x)", V(3, lo=18, hi=30), V(3, lo=-30, hi=-18))
C("LogSigmoid large", "nv.LogSigmoid(x)", "nn.log_sigmoid(x)", V(3, lo=18, hi=30), V(3, lo=-30, hi=-18))
C("Gelu tails", "nv.Gelu(x)", "nn.gelu(x, approximate=False)", V(3, lo=3, hi=6), V(3, lo=-6, hi=-3))
C("NormLogCDF tail", "nv.NormLogCDF(x)", "jsp.special.log_ndtr(x)", V(3, lo=-12, hi=-6))
C("Tanh large", "nv.Tanh(x)", "jnp.tanh(x)", V(3, lo=4, hi=9))
C("Lgamma negative", "nv.Lgamma(x)", "jsp.special.gammaln(x)", V(4, lo=-2.8, hi=-2.2))
C("Digamma negative", "nv.Digamma(x)", "jsp.special.digamma(x)", V(3, lo=-2.8, hi=-2.2))
for name, jax, at in [
    ("Softplus", "nn.softplus(x)", (0, 25, -40)), ("LogSigmoid", "nn.log_sigmoid(x)", (0, 40, -25)), ("Sinc", "jnp.sinc(x)", (0,)),
    ("Logistic", "nn.sigmoid(x)", (0, 700, -700)), ("Silu", "nn.silu(x)", (0, 50, -700)), ("Gelu", "nn.gelu(x, approximate=False)", (0, 30, -30)),
    ("Tanh", "jnp.tanh(x)", (0, 30)), ("Expm1", "jnp.expm1(x)", (0, 1e-9)), ("Log1p", "jnp.log1p(x)", (0, 1e-9)),
    ("Erf", "jsp.special.erf(x)", (0, 10)), ("Asinh", "jnp.arcsinh(x)", (0,)), ("Atan", "jnp.arctan(x)", (0, 1e8)), ("Cbrt", "jnp.cbrt(x)", (1, -8)),
    ("BesselI1e", "jsp.special.i1e(x)", (2, -2)), ("Square", "jnp.square(x)", (0,)), ("Cosh", "jnp.cosh(x)", (0,)),
]:
    C(name + " at special points", f"nv.{name}(x)", jax, A(*at), rough=True)
for name, go, jax, *operands in [
    ("LogAddExp of equal numbers", "nv.LogAddExp(x, y)", "jnp.logaddexp(x, y)", A(1, -3), A(1, -3)),
    ("LogSumExp of equal numbers", "nv.LogSumExp(x)", "jsp.special.logsumexp(x)", A(1, 1, -2)),
    ("Softmax of equal numbers", "nv.Softmax(x)", "nn.softmax(x)", A(2, 2, 2)),
    ("LogSoftmax of equal numbers", "nv.LogSoftmax(x)", "nn.log_softmax(x)", A(2, 2, 2)),
    ("LogCumsumExp of equal numbers", "nv.LogCumsumExp(x)", "lax.cumlogsumexp(x)", A(2, 2, 2)),
    ("Prod with a zero", "nv.Prod(x)", "jnp.prod(x)", A(2, 0, 3)), ("Prod with two zeros", "nv.Prod(x)", "jnp.prod(x)", A(0, 2, 0, 3)),
    ("Cumprod with zeros", "nv.Cumprod(x)", "jnp.cumprod(x)", A(2, 0, 3, 0)),
    ("Pow 2 at 0", "nv.Pow(x, 2)", "x ** 2", A(0)), ("Pow 3 of a negative number", "nv.Pow(x, 3)", "x ** 3", A(-2, 0)),
    ("Var of a constant", "nv.Var(x)", "jnp.var(x)", A(1, 1, 1)), ("Atan2 on the axes", "nv.Atan2(x, y)", "jnp.arctan2(x, y)", A(0, 1, -1), A(1, 0, 0)),
    ("Hypot on the axes", "nv.Hypot(x, y)", "jnp.hypot(x, y)", A(0, 2), A(3, 0)), ("BinaryCrossEntropyLoss at logit 0", "nv.BinaryCrossEntropyLoss(x, y)", "jnp.mean(nn.softplus(x) - x * y)", A(0, 0), A(1, 0.25)),
    ("CrossEntropyLoss of equal logits", "nv.CrossEntropyLoss(x, nv.New([]int{1}))", "-jnp.mean(nn.log_softmax(x)[:, 1])", A([0, 0, 0])),
    ("Expm of zeros", "nv.Expm(x)", "jsp.linalg.expm(x)", A([0, 0], [0, 0])), ("Det of a singular matrix", "nv.Det(x)", "x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0]", A([1, 2], [2, 4])),
    ("Det of zeros", "nv.Det(x)", "x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0]", A([0, 0], [0, 0])),
    ("Reciprocal that Where hides", "nv.Where(x.Ne(0), nv.Reciprocal(x), 0)", "jnp.where(x != 0, 1 / jnp.where(x != 0, x, 1), 0)", A(0, 2)),
    ("Sqrt that Where hides", "nv.Where(x.Gt(0), nv.Sqrt(x), x)", "jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1)), x)", A(-1, 0, 2)),
    ("Log and Exp that Where hides", "nv.Where(x.Lt(10), nv.Exp(x), nv.Log(x))", "jnp.where(x < 10, jnp.exp(jnp.where(x < 10, x, 0)), jnp.log(jnp.where(x < 10, 1, x)))", A(-1, 0, 2000)),
]:
    C(name, go, jax, tuple(operands), rough=True)
for name, jax in [("Ceil", "jnp.ceil"), ("Floor", "jnp.floor"), ("Round", "jnp.round"), ("Sign", "jnp.sign"), ("Trunc", "jnp.trunc")]:
    C(name, f"nv.Mul(nv.Square(x), nv.{name}(x))", f"jnp.square(x) * {jax}(x)", V(3, lo=0.6, hi=0.9), V(3, lo=-1.4, hi=-1.1))

# Elementwise, two and three operands.
for name, jax, a, b in [
    ("Add", "x + y", V, V), ("Sub", "x - y", V, V), ("Mul", "x * y", V, V), ("Div", "x / y", V, K),
    ("TrueDiv", "x / y", V, K), ("Atan2", "jnp.arctan2(x, y)", K, K), ("Hypot", "jnp.hypot(x, y)", K, K),
    ("LogAddExp", "jnp.logaddexp(x, y)", V, V), ("Pow", "x ** y", P, V), ("XLogY", "jsp.special.xlogy(x, y)", K, P),
    ("XLog1py", "jsp.special.xlog1py(x, y)", K, P), ("Copysign", "jnp.copysign(x, y)", K, K),
]:
    C(name, f"nv.{name}(x, y)", jax, (a(3), b(3)), (a(), b(2)))
C("Add broadcast", "nv.Sin(nv.Add(x, y))", "jnp.sin(x + y)", (V(2, 1), V(3)))
C("Mul broadcast", "nv.Mul(x, y)", "x * y", (V(2, 3), V(3)), (V(), V(2, 2)))
for name, jax in [("Maximum", "jnp.maximum"), ("Minimum", "jnp.minimum"), ("Fmax", "jnp.fmax"), ("Fmin", "jnp.fmin")]:
    C(name, f"nv.{name}(nv.Square(x), y)", f"{jax}(jnp.square(x), y)", (V(3, lo=0.9, hi=1), V(3, lo=-1, hi=0.5)),
      (V(3, lo=0.3, hi=0.6), V(3, lo=0.6, hi=2)))
C("Rem", "nv.Rem(x, y)", "lax.rem(x, y)", (V(3, lo=5.2, hi=5.8), V(3, lo=1.9, hi=2.1)))
C("Fmod", "nv.Fmod(x, y)", "lax.rem(x, y)", (V(3, lo=-5.8, hi=-5.2), V(3, lo=1.9, hi=2.1)))
C("Pow 3", "nv.Pow(x, 3)", "x ** 3", K(4))
C("Pow half", "nv.Pow(x, -0.5)", "x ** -0.5", P(4))
C("Pow base", "nv.Pow(2.5, x)", "2.5 ** x", V(4))
C("Clamp", "nv.Clamp(x, -1, 1)", "jnp.clip(x, -1, 1)", V(4, lo=-0.9, hi=0.9), V(3, lo=1.1, hi=2))
C("Clamp tensors", "nv.Clamp(nv.Square(x), y, z)", "jnp.clip(jnp.square(x), y, z)",
  (V(3, lo=1.2, hi=1.4), V(3, lo=0.3, hi=1.3), V(3, lo=2.1, hi=3)), (V(3, lo=1.2, hi=1.4), V(3, lo=2.1, hi=2.5), V(3, lo=2.6, hi=3)))
C("Lerp", "nv.Lerp(x, y, z)", "x + z * (y - x)", (V(2), V(2), V(2)))
C("Where", "nv.Where(x.Gt(0), nv.Sin(x), nv.Exp(y))", "jnp.where(x > 0, jnp.sin(x), jnp.exp(y))", (K(4), V(4)))
C("Where guarded", "nv.Where(x.Gt(0), nv.Log(nv.Where(x.Gt(0), x, 1)), x)", "jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), x)", K(5))
C("Heaviside", "nv.Mul(x, nv.Heaviside(y, 0.5))", "x * jnp.heaviside(y, 0.5)", (V(3), K(3)))
C("Ldexp", "nv.Ldexp(x, nv.New([]int{2, -1, 0}))", "jnp.ldexp(x, jnp.array([2, -1, 0]))", V(3))
C("BetaInc x", "nv.BetaInc(nv.From(2.5), nv.From(1.5), x)", "jsp.special.betainc(2.5, 1.5, x)", V(3, lo=0.2, hi=0.8))
C("IGamma x", "nv.IGamma(nv.From(2.5), x)", "jsp.special.gammainc(2.5, x)", P(3))
C("IGammac x", "nv.IGammac(nv.From(1.5), x)", "jsp.special.gammaincc(1.5, x)", P(3))
C("IGamma a", "nv.IGamma(x, y)", "jsp.special.gammainc(x, y)", (P(3), P(3)), tolerance=1e-8, second=False)
C("Polygamma 2", "nv.Polygamma(2, x)", "jsp.special.polygamma(2, x)", P(3))
C("Zeta", "nv.Zeta(nv.From(2.5), x)", "jsp.special.zeta(2.5, x)", P(3))
C("Glu", "nv.Glu(x)", "nn.glu(x)", V(6), V(2, 4))
C("SortBy", "nv.SortBy(x, y)", "x[jnp.argsort(y)]", (V(3), D(3)))

# Reductions.
for name, jax in [("Sum", "jnp.sum"), ("Mean", "jnp.mean"), ("Prod", "jnp.prod"), ("Max", "jnp.max"), ("Min", "jnp.min"),
                  ("Std", "jnp.std"), ("Var", "jnp.var"), ("LogSumExp", "jsp.special.logsumexp"), ("Ptp", "jnp.ptp"),
                  ("NanSum", "jnp.nansum"), ("NanMean", "jnp.nanmean"), ("NanVar", "jnp.nanvar"), ("NanMax", "jnp.nanmax"),
                  ("NanProd", "jnp.nanprod"), ("NanStd", "jnp.nanstd"), ("NanMin", "jnp.nanmin")]:
    C(name, f"nv.{name}(nv.Sin(x))", f"{jax}(jnp.sin(x))", V(5), V(2, 3))
for name, jax in [("Sum", "jnp.sum"), ("Mean", "jnp.mean"), ("Prod", "jnp.prod"), ("Max", "jnp.max"), ("Std", "jnp.std"),
                  ("Var", "jnp.var"), ("LogSumExp", "jsp.special.logsumexp")]:
    C(name + " axis", f"nv.{name}(x, nv.Axis(0))", f"{jax}(x, axis=0)", D(3, 2))
    C(name + " kept", f"nv.Mul(x, nv.{name}(x, nv.Axis(-1), nv.KeepDims))", f"x * {jax}(x, axis=-1, keepdims=True)", D(2, 3))
C("Var correction", "nv.Var(x, nv.Correction(1))", "jnp.var(x, ddof=1)", V(4))
C("Std correction", "nv.Std(x, nv.Axis(1), nv.Correction(1))", "jnp.std(x, axis=1, ddof=1)", V(2, 3))
C("Sum only", "nv.Sum(nv.Exp(x), nv.Only(nv.New([]bool{true, false, true, true})))",
  "jnp.sum(jnp.exp(x), where=jnp.array([True, False, True, True]))", V(4))
C("Max only", "nv.Max(x, nv.Only(nv.New([]bool{true, false, true, true})))",
  "jnp.max(x, where=jnp.array([True, False, True, True]), initial=-jnp.inf)", D(4))
C("Prod zero", "nv.Prod(nv.Concatenate(0, x, nv.From([]float64{0})))", "jnp.prod(jnp.concatenate([x, jnp.zeros(1)]))", K(3))
C("Average", "nv.Average(x, y)", "jnp.average(x, weights=y)", (V(3), P(3)))
C("Cov", "nv.Cov(x)", "jnp.cov(x)", V(2, 4))
C("CorrCoef", "nv.CorrCoef(x)", "jnp.corrcoef(x)", V(2, 4))
C("Softmax", "nv.Softmax(x)", "nn.softmax(x)", V(4), V(2, 3))
C("Softmax axis", "nv.Softmax(x, 0)", "nn.softmax(x, axis=0)", V(3, 2))
C("LogSoftmax", "nv.LogSoftmax(x)", "nn.log_softmax(x)", V(4), V(2, 3))
C("Median", "nv.Median(nv.Square(x))", "jnp.median(jnp.square(x))", V(5, lo=0.2, hi=3), V(4, lo=0.2, hi=3))
C("Quantile", "nv.Quantile(nv.Exp(x), 0.3)", "jnp.quantile(jnp.exp(x), 0.3)", D(5))
C("Quantile several", "nv.Quantile(x, []float64{0.25, 0.6}, nv.Axis(0))", "jnp.quantile(x, jnp.array([0.25, 0.6]), axis=0)", D(4, 2))
C("Percentile", "nv.Percentile(x, 35)", "jnp.percentile(x, 35)", D(5))
C("Reduce", "nv.Reduce(x, 1, func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, nv.Axis(1))", "jnp.prod(x, axis=1)", K(2, 3))
C("EinopsReduce", 'nv.EinopsReduce(nv.Square(x), "(h p) w -> w h", "mean", nv.Sizes{"p": 2})',
  "jnp.mean(jnp.square(x).reshape(2, 2, 3), axis=1).T", V(4, 3))
C("Norm", "nv.Norm(x)", "jnp.linalg.norm(x)", K(4), K(2, 2))
C("Norm 1", "nv.Norm(x, nv.Ord(1))", "jnp.linalg.norm(x, 1)", K(4))
C("Norm 3", "nv.Norm(x, nv.Ord(3))", "jnp.linalg.norm(x, 3)", K(4))
C("Norm inf", "nv.Norm(x, nv.Ord(math.Inf(1)))", "jnp.linalg.norm(x, jnp.inf)", D(4))
C("Norm axis", "nv.Norm(x, nv.Axis(1))", "jnp.linalg.norm(x, axis=1)", K(2, 3))
C("Norm nuc", 'nv.Norm(x, nv.Ord("nuc"))', "jnp.linalg.norm(x, 'nuc')", V(2, 3), tolerance=1e-7)
C("Norm spectral", "nv.Norm(x, nv.Ord(2), nv.Axis(0), nv.Axis(1))", "jnp.linalg.norm(x, 2, axis=(0, 1))", V(3, 2), tolerance=1e-7)

# Cumulative.
C("Cumsum", "nv.Cumsum(nv.Sin(x))", "jnp.cumsum(jnp.sin(x))", V(5))
C("Cumsum reverse", "nv.Cumsum(nv.Sin(x), nv.Axis(1), nv.Reverse)", "lax.cumsum(jnp.sin(x), axis=1, reverse=True)", V(2, 3))
C("Cumsum exclusive", "nv.Cumsum(nv.Sin(x), nv.Exclusive)", "jnp.cumsum(jnp.sin(x)) - jnp.sin(x)", V(4))
C("Cumprod", "nv.Cumprod(x)", "jnp.cumprod(x)", K(4))
C("Cumprod axis", "nv.Cumprod(x, nv.Axis(0), nv.Reverse)", "lax.cumprod(x, axis=0, reverse=True)", K(3, 2))
C("Cummax", "y, _ := nv.Cummax(x)\nreturn y", "lax.cummax(x)", D(5))
C("Cummin", "y, _ := nv.Cummin(x, nv.Axis(1))\nreturn y", "lax.cummin(x, axis=1)", D(2, 4))
C("Diff", "nv.Diff(nv.Square(x), 2)", "jnp.diff(jnp.square(x), 2)", V(5))
C("LogCumsumExp", "nv.LogCumsumExp(x)", "lax.cumlogsumexp(x)", V(4))
C("Trace", "nv.Trace(nv.Square(x))", "jnp.trace(jnp.square(x))", V(3, 2))
C("Trapezoid", "nv.Trapezoid(x, nv.Exp(y))", "jnp.trapezoid(x, jnp.exp(y))", (V(4), V(4)))
C("Gradient", "nv.Gradient(nv.Square(x), 0.5)", "jnp.gradient(jnp.square(x), 0.5)", V(5))

# Layout.
for name, go, jax, *points in [
    ("Reshape", "nv.Reshape({}, nv.Shape{{3, 2}})", "jnp.reshape({}, (3, 2))", V(2, 3)),
    ("Transpose", "nv.Transpose({}, 1, 2, 0)", "jnp.transpose({}, (1, 2, 0))", V(2, 1, 3)),
    ("BroadcastTo", "nv.BroadcastTo({}, nv.Shape{{2, 3}})", "jnp.broadcast_to({}, (2, 3))", V(3), V(2, 1)),
    ("Diag", "nv.Diag({}, 1)", "jnp.diag({}, 1)", V(3), V(3, 3)),
    ("Diagonal", "nv.Diagonal({}, -1)", "jnp.diagonal({}, -1)", V(3, 3)),
    ("ExpandDims", "nv.ExpandDims({}, 1)", "jnp.expand_dims({}, 1)", V(3)),
    ("Flatten", "nv.Flatten({})", "jnp.ravel({})", V(2, 2)),
    ("Flip", "nv.Flip({}, 1)", "jnp.flip({}, 1)", V(2, 3)),
    ("MoveAxis", "nv.MoveAxis({}, 0, 2)", "jnp.moveaxis({}, 0, 2)", V(2, 1, 3)),
    ("SwapAxes", "nv.SwapAxes({}, 0, 1)", "jnp.swapaxes({}, 0, 1)", V(2, 3)),
    ("Pad", "nv.Pad({}, nv.Shape{{1, 0}}, nv.Shape{{0, 2}}, 3)", "jnp.pad({}, ((1, 0), (0, 2)), constant_values=3)", V(2, 2)),
    ("Pad negative", "nv.Pad({}, nv.Shape{{-1}}, nv.Shape{{2}}, 0)", "lax.pad({}, 0., [(-1, 2, 0)])", V(4)),
    ("Repeat", "nv.Repeat({}, 2, 1)", "jnp.repeat({}, 2, axis=1)", V(2, 2)),
    ("Repeat counts", "nv.Repeat({}, []int{{2, 0, 3}})", "jnp.repeat({}, jnp.array([2, 0, 3]), total_repeat_length=5)", V(3)),
    ("Roll", "nv.Roll({}, 2, 1)", "jnp.roll({}, 2, 1)", V(2, 3)),
    ("Rot90", "nv.Rot90({}, 1)", "jnp.rot90({}, 1)", V(2, 3)),
    ("Split", "nv.Split({}, 2, 1)[1]", "jnp.split({}, 2, 1)[1]", V(2, 4)),
    ("Unstack", "nv.Unstack({}, 1)[2]", "({})[:, 2]", V(2, 3)),
    ("Squeeze", "nv.Squeeze({})", "jnp.squeeze({})", V(1, 3)),
    ("Tile", "nv.Tile({}, nv.Shape{{2, 2}})", "jnp.tile({}, (2, 2))", V(1, 3)),
    ("Tril", "nv.Tril({})", "jnp.tril({})", V(3, 3)),
    ("Triu", "nv.Triu({}, 1)", "jnp.triu({}, 1)", V(3, 3)),
    ("Rearrange", 'nv.Rearrange({}, "(h p) w -> w p h", nv.Sizes{{"p": 2}})', "({}).reshape(2, 2, 3).transpose(2, 1, 0)", V(4, 3)),
    ("SlidingWindow", "nv.SlidingWindow({}, 3)", "({})[jnp.arange(3)[:, None] + jnp.arange(3)]", V(5)),
]:
    C(name, go.format("nv.Sin(x)"), jax.format("jnp.sin(x)"), *points)
C("Concatenate", "nv.Concatenate(1, nv.Sin(x), y, x)", "jnp.concatenate([jnp.sin(x), y, x], 1)", (V(2, 2), V(2, 1)))
C("Stack", "nv.Stack(1, nv.Sin(x), y.Mul(x))", "jnp.stack([jnp.sin(x), y * x], 1)", (V(3), V(3)))
C("HStack", "nv.HStack(x, nv.Exp(y))", "jnp.hstack([x, jnp.exp(y)])", (V(2), V(3)))
C("VStack", "nv.VStack(x, nv.Exp(y))", "jnp.vstack([x, jnp.exp(y)])", (V(2), V(2)))
C("Append", "nv.Append(x, nv.Square(y))", "jnp.append(x, jnp.square(y))", (V(2), V(2)))
C("BlockDiag", "nv.BlockDiag(nv.Sin(x), y)", "jsp.linalg.block_diag(jnp.sin(x), y)", (V(2, 2), V(1, 2)))
C("Meshgrid", 'nv.Mul(nv.Meshgrid("ij", x, y)[0], nv.Meshgrid("ij", x, y)[1])', "jnp.meshgrid(x, y, indexing='ij')[0] * jnp.meshgrid(x, y, indexing='ij')[1]", (V(2), V(3)))
C("Vander", "nv.Vander(x, 4)", "jnp.vander(x, 4)", V(3))
C("Toeplitz", "nv.Toeplitz(x, y)", "jsp.linalg.toeplitz(x, y)", (V(3), V(2)))

# Reading and writing by index.
for name, go, jax, *points in [
    ("At integer", "{}.At(1)", "({})[1]", V(3), V(3, 2)),
    ("At negative", "{}.At(nv.All, -1)", "({})[:, -1]", V(2, 3)),
    ("At range", "{}.At(nv.Range(1, 3))", "({})[1:3]", V(4), V(4, 2)),
    ("At step", "{}.At(nv.Slice(5, 0, -2))", "({})[5:0:-2]", V(6)),
    ("At ellipsis", "{}.At(nv.Ellipsis, nv.NewAxis, 0)", "({})[..., None, 0]", V(2, 3)),
    ("At gather", "{}.At(nv.New([]int{{2, 0, 2}}))", "({})[jnp.array([2, 0, 2])]", V(3), V(3, 2)),
    ("At gather pair", "{}.At(nv.New([]int{{2, 0, 2}}), nv.New([]int{{1, 1, 1}}))", "({})[jnp.array([2, 0, 2]), jnp.array([1, 1, 1])]", V(3, 2)),
    ("Take", "nv.Take({}, nv.New([][]int{{{{1, 0}}, {{1, 2}}}}), 0)", "jnp.take({}, jnp.array([[1, 0], [1, 2]]), axis=0)", V(3, 2)),
    ("TakeAlongAxis", "nv.TakeAlongAxis({}, nv.New([][]int{{{{1, 1}}, {{0, 2}}}}))", "jnp.take_along_axis({}, jnp.array([[1, 1], [0, 2]]), axis=-1)", V(2, 3)),
    ("Delete", "nv.Delete({}, []int{{0, 2}})", "({})[jnp.array([1, 3])]", V(4)),
]:
    C(name, go.format("nv.Sin(x)"), jax.format("jnp.sin(x)"), *points)
C("At mask", "nv.Square(x).At(nv.New([]bool{true, false, true}))", "jnp.square(x)[np.array([True, False, True])]", V(3))
C("At traced", "nv.Square(x).At(nv.ArgMax(x))", "jnp.square(x)[jnp.argmax(x)]", D(4))
for name, method in [("Set", "set"), ("AddAt", "add"), ("MaxAt", "max"), ("MinAt", "min")]:
    C(name, f"nv.{name}(nv.Sin(x), y, nv.New([]int{{3, 0}}))", f"jnp.sin(x).at[jnp.array([3, 0])].{method}(y)", (V(4, lo=0.5, hi=0.9), V(2, lo=1.1, hi=2)),
      (V(4, lo=0.5, hi=0.9), V(2, lo=-2, hi=0.2)))
C("MulAt", "nv.MulAt(nv.Sin(x), y, nv.New([]int{3, 0}))", "jnp.sin(x).at[jnp.array([3, 0])].multiply(y, unique_indices=True)", (V(4), V(2)))
C("Set range", "nv.Sin(x).Set(y, nv.All, nv.Range(0, 2))", "jnp.sin(x).at[:, 0:2].set(y)", (V(2, 3), V(2, 2)), (V(2, 3), V()))
C("AddAt duplicates", "nv.Sin(x).AddAt(nv.Exp(y), nv.New([]int{1, 1, 0}))", "jnp.sin(x).at[jnp.array([1, 1, 0])].add(jnp.exp(y))", (V(3), V(3)))
C("MulAt duplicates", "nv.Sin(x).MulAt(y, nv.New([]int{1, 1, 0}))", "jnp.sin(x) * jnp.stack([y[2], y[0] * y[1], 1.0])", (V(3), V(3)))
C("Insert", "nv.Insert(nv.Sin(x), 1, y)", "jnp.insert(jnp.sin(x), 1, y)", (V(3), V(1)))
C("PutAlongAxis", "nv.PutAlongAxis(nv.Sin(x), nv.New([][]int{{1}, {0}}), y)",
  "jnp.put_along_axis(jnp.sin(x), jnp.array([[1], [0]]), y, axis=-1, inplace=False)", (V(2, 3), V(2, 1)))
C("SegmentSum", "nv.SegmentSum(nv.Sin(x), nv.New([]int{1, 0, 1, 3}), 4)", "jax.ops.segment_sum(jnp.sin(x), jnp.array([1, 0, 1, 3]), 4)", V(4), V(4, 2))
C("SegmentMax", "nv.SegmentMax(nv.Square(x), nv.New([]int{1, 0, 1, 0}), 2)", "jax.ops.segment_max(jnp.square(x), jnp.array([1, 0, 1, 0]), 2)", V(4, lo=0.2, hi=3))
C("SegmentMin", "nv.SegmentMin(nv.Square(x), nv.New([]int{1, 0, 1, 0}), 2)", "jax.ops.segment_min(jnp.square(x), jnp.array([1, 0, 1, 0]), 2)", V(4, lo=0.2, hi=3))
C("SegmentProd", "nv.SegmentProd(x, nv.New([]int{1, 0, 1, 0}), 2)", "jnp.stack([x[1] * x[3], x[0] * x[2]])", K(4))
C("Gather", "nv.Gather(nv.Sin(x), nv.New([][]int{{0, 1}, {2, 0}}), nv.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0, 1}, IndexVectorDim: 1, SliceSizes: nv.Shape{1, 2}})",
  "lax.gather(jnp.sin(x), jnp.array([[0, 1], [2, 0]]), lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0, 1)), (1, 2))", V(3, 3))
C("Scatter", "nv.Scatter(nv.Sin(x), nv.New([][]int{{2}, {0}}), y, nv.ScatterDims{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}, func(a, b nv.Tensor) nv.Tensor { return a.Add(b) })",
  "lax.scatter_add(jnp.sin(x), jnp.array([[2], [0]]), y, lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)))", (V(3, 2), V(2, 2)))
C("Sort", "nv.Sort(nv.Square(x))", "jnp.sort(jnp.square(x))", V(4, lo=0.2, hi=3), V(2, 3, lo=0.2, hi=3))
C("Sort axis", "nv.Sort(x, 0).Mul(x)", "jnp.sort(x, axis=0) * x", D(3, 2))
C("TopK", "y, _ := nv.TopK(nv.Exp(x), 2)\nreturn y", "lax.top_k(jnp.exp(x), 2)[0]", D(5), D(2, 3))
C("Partition", "nv.Partition(nv.Exp(x), 2).At(2)", "jnp.sort(jnp.exp(x))[2]", D(5))
C("Interp", "nv.Interp(x, nv.From([]float64{-2, -0.5, 0.5, 2}), y)", "jnp.interp(x, jnp.array([-2, -0.5, 0.5, 2]), y)", (V(3, lo=-0.4, hi=0.4), V(4)))
C("Unwrap", "nv.Unwrap(x.Mul(2))", "jnp.unwrap(x * 2)", V(5, lo=-3, hi=3), rough=True)

# Products.
C("MatMul", "nv.MatMul(x, y)", "x @ y", (V(2, 3), V(3, 2)), (V(3), V(3)), (V(2, 3), V(3)))
C("MatMul batch", "nv.MatMul(nv.Sin(x), y)", "jnp.sin(x) @ y", (V(2, 2, 3), V(3, 2)))
C("Dot", "nv.Dot(x, y)", "jnp.dot(x, y)", (V(3), V(3)), (V(2, 2, 3), V(3, 2)))
C("VDot", "nv.VDot(x, nv.Exp(y))", "jnp.vdot(x, jnp.exp(y))", (V(2, 2), V(2, 2)))
C("Inner", "nv.Inner(x, y)", "jnp.inner(x, y)", (V(2, 3), V(2, 3)))
C("Outer", "nv.Outer(x, y)", "jnp.outer(x, y)", (V(2), V(3)))
C("Kron", "nv.Kron(x, y)", "jnp.kron(x, y)", (V(2, 2), V(1, 2)))
C("Cross", "nv.Cross(x, y)", "jnp.cross(x, y)", (V(3), V(3)))
C("TensorDot", "nv.TensorDot(x, y, []nv.Axis{0, 1}, []nv.Axis{1, 0})", "jnp.tensordot(x, y, ((0, 1), (1, 0)))", (V(2, 3, 2), V(3, 2, 2)))
C("Einsum", 'nv.Einsum("ij,jk,k->i", x, y, z)', "jnp.einsum('ij,jk,k->i', x, y, z)", (V(2, 2), V(2, 3), V(3)))
C("Einsum diagonal", 'nv.Einsum("ii,bj->b", nv.Sin(x), y)', "jnp.einsum('ii,bj->b', jnp.sin(x), y)", (V(2, 2), V(2, 3)))
C("CDist", "nv.CDist(x, y)", "jnp.sqrt(jnp.sum((x[:, None] - y[None]) ** 2, -1))", (V(2, 2, lo=0, hi=1), V(3, 2, lo=2, hi=3)), tolerance=1e-9)
C("CDist 1", "nv.CDist(x, y, 1)", "jnp.sum(jnp.abs(x[:, None] - y[None]), -1)", (V(2, 2, lo=0, hi=1), V(3, 2, lo=2, hi=3)))
C("CosineSimilarity", "nv.CosineSimilarity(x, y)", "jnp.sum(x * y) / (jnp.linalg.norm(x) * jnp.linalg.norm(y))", (K(3), K(3)))
C("MatrixPower", "nv.MatrixPower(x, 3)", "jnp.linalg.matrix_power(x, 3)", V(2, 2))
C("PolyVal", "nv.PolyVal(x, y)", "jnp.polyval(x, y)", (V(4), V(2)))
C("PolyDer", "nv.PolyVal(nv.PolyDer(x), y)", "jnp.polyval(jnp.polyder(x), y)", (V(4), V(2)))
C("PolyInt", "nv.PolyVal(nv.PolyInt(x), y)", "jnp.polyval(jnp.polyint(x), y)", (V(3), V(2)))

# Linear algebra.
LINEAR = dict(tolerance=1e-7)
SPD = "nv.Add(nv.MatMul(x, nv.Transpose(x)), nv.Eye(3, nv.F64))"
spd = "x @ x.T + jnp.eye(3)"
C("Inv", "nv.Inv(nv.Add(x, nv.Eye(3, nv.F64).Mul(3)))", "jnp.linalg.inv(x + 3 * jnp.eye(3))", V(3, 3), **LINEAR)
C("Inv batch", "nv.Inv(nv.Add(x, nv.Eye(2, nv.F64).Mul(3)))", "jnp.linalg.inv(x + 3 * jnp.eye(2))", V(2, 2, 2), **LINEAR)
C("Det", "nv.Det(x)", "jnp.linalg.det(x)", V(3, 3), V(2, 2), V(2, 2, 2), **LINEAR)
C("SlogDet", "_, y := nv.SlogDet(x)\nreturn y", "jnp.linalg.slogdet(x)[1]", V(3, 3), V(2, 2), **LINEAR)
C("Solve", "nv.Solve(nv.Add(x, nv.Eye(3, nv.F64).Mul(3)), y)", "jnp.linalg.solve(x + 3 * jnp.eye(3), y)", (V(3, 3), V(3)), (V(3, 3), V(3, 2)), **LINEAR)
C("Cholesky", f"nv.Cholesky({SPD})", f"jnp.linalg.cholesky({spd})", V(3, 3), V(3, 2), **LINEAR)
C("LogDet by Cholesky", f"nv.Sum(nv.Log(nv.Diagonal(nv.Cholesky({SPD}))))", f"jnp.sum(jnp.log(jnp.diagonal(jnp.linalg.cholesky({spd}))))", V(3, 2), **LINEAR)
C("TriangularSolve", "nv.TriangularSolve(nv.Add(x, nv.Eye(3, nv.F64).Mul(3)), y)", "jsp.linalg.solve_triangular(x + 3 * jnp.eye(3), y, lower=True)", (V(3, 3), V(3, 2)), **LINEAR)
C("TriangularSolve upper", "nv.TriangularSolve(nv.Add(x, nv.Eye(3, nv.F64).Mul(3)), y, nv.Upper, nv.TransposeA)", "jsp.linalg.solve_triangular(x + 3 * jnp.eye(3), y, trans=1)", (V(3, 3), V(3, 2)), **LINEAR)
C("TriangularSolve right", "nv.TriangularSolve(x, y, nv.RightSide, nv.UnitDiagonal)", "lax.linalg.triangular_solve(x, y, left_side=False, lower=True, unit_diagonal=True)", (V(3, 3), V(2, 3)), **LINEAR)
C("QR q", "y, _ := nv.QR(x)\nreturn y", "jnp.linalg.qr(x)[0]", V(3, 2), V(3, 3), **LINEAR)
C("QR r", "_, y := nv.QR(x)\nreturn y", "jnp.linalg.qr(x)[1]", V(3, 2), V(3, 3), **LINEAR)
C("LU", "_, l, u := nv.LU(x)\nreturn nv.Add(l, nv.Sin(u))", "jsp.linalg.lu(x)[1] + jnp.sin(jsp.linalg.lu(x)[2])", V(3, 3), **LINEAR)
C("Eigh values", "nv.EigValsH(nv.Add(x, nv.Transpose(x)))", "jnp.linalg.eigvalsh(x + x.T)", V(3, 3), **LINEAR)
C("Eigh projector", "w, v := nv.Eigh(nv.Add(x, nv.Transpose(x)))\nreturn nv.MatMul(v.Mul(nv.Exp(w)), nv.Transpose(v))",
  "(lambda w, v: (v * jnp.exp(w)) @ v.T)(*jnp.linalg.eigh(x + x.T))", V(3, 3), **LINEAR)
C("Eigh vectors", "_, v := nv.Eigh(nv.Add(x, nv.Transpose(x)))\nreturn nv.Square(v)", "jnp.square(jnp.linalg.eigh(x + x.T)[1])", V(3, 3), **LINEAR)
C("SVDVals", "nv.SVDVals(x)", "jnp.linalg.svd(x, compute_uv=False)", V(3, 2), V(2, 3), **LINEAR)
C("SVD product", "u, s, v := nv.SVD(x, nv.FullMatrices(false))\nreturn nv.MatMul(u.Mul(nv.Sqrt(s)), v)",
  "(lambda u, s, v: (u * jnp.sqrt(s)) @ v)(*jnp.linalg.svd(x, full_matrices=False))", V(3, 2), V(2, 3), V(2, 2), **LINEAR)
C("PInv", "nv.PInv(x)", "jnp.linalg.pinv(x)", V(3, 2), V(2, 3), second=False, **LINEAR)
C("Lstsq", "s, _, _, _ := nv.Lstsq(x, y)\nreturn s", "jnp.linalg.inv(x.T @ x) @ (x.T @ y)", (V(4, 2), V(4)), **LINEAR)
C("PolyFit", "nv.PolyFit(nv.From([]float64{-1, 0, 0.5, 2}), x, 2)", "jnp.linalg.pinv(jnp.vander(jnp.array([-1, 0, 0.5, 2]), 3)) @ x", V(4), **LINEAR)
C("Expm", "nv.Expm(x)", "jsp.linalg.expm(x)", V(2, 2), V(3, 3), **LINEAR)
C("Cond", "nv.Cond(x)", "jnp.linalg.svd(x, compute_uv=False)[0] / jnp.linalg.svd(x, compute_uv=False)[-1]", V(2, 2), **LINEAR)

# Convolutions, windows, Fourier transforms.
DIMS = {1: "('NWC', 'WIO', 'NWC')", 2: "('NHWC', 'HWIO', 'NHWC')", 3: "('NDHWC', 'DHWIO', 'NDHWC')"}
C("Conv1D", "nv.Conv1D(x, y)", f"lax.conv_general_dilated(x, y, (1,), 'VALID', dimension_numbers={DIMS[1]})", (V(1, 5, 2), V(2, 2, 2)))
C("Conv2D", "nv.Conv2D(x, y, nv.Same, nv.Stride(2, 1))", f"lax.conv_general_dilated(x, y, (2, 1), 'SAME', dimension_numbers={DIMS[2]})", (V(1, 3, 3, 2), V(2, 2, 2, 2)))
C("Conv2D dilated", "nv.Conv2D(x, y, nv.Dilation(2, 1), nv.Padding(1, 1))", f"lax.conv_general_dilated(x, y, (1, 1), ((1, 1), (1, 1)), rhs_dilation=(2, 1), dimension_numbers={DIMS[2]})", (V(1, 4, 3, 1), V(2, 2, 1, 2)))
C("Conv2D groups", "nv.Conv2D(x, y, nv.Groups(2))", f"lax.conv_general_dilated(x, y, (1, 1), 'VALID', feature_group_count=2, dimension_numbers={DIMS[2]})", (V(1, 3, 3, 2), V(2, 2, 1, 4)))
C("Conv3D", "nv.Conv3D(x, y)", f"lax.conv_general_dilated(x, y, (1, 1, 1), 'VALID', dimension_numbers={DIMS[3]})", (V(1, 2, 3, 2, 1), V(2, 2, 1, 1, 2)))
C("ConvTranspose1D", "nv.ConvTranspose1D(x, y, nv.Stride(2))", "lax.conv_transpose(x, y, (2,), 'VALID', dimension_numbers=('NWC', 'WIO', 'NWC'), transpose_kernel=True)", (V(1, 3, 2), V(3, 1, 2)))
C("Convolve", 'nv.Convolve(x, y, "full")', "jnp.convolve(x, y, 'full')", (V(4), V(2)))
C("Correlate", 'nv.Correlate(x, y, "valid")', "jnp.correlate(x, y, 'valid')", (V(4), V(2)))
C("MaxPool", "nv.MaxPool(nv.Exp(x), nv.Shape{2, 2})", "lax.reduce_window(jnp.exp(x), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')", D(1, 4, 4, 1), second=False)
C("MinPool", "nv.MinPool(nv.Exp(x), nv.Shape{2}, nv.Stride(1))", "lax.reduce_window(jnp.exp(x), jnp.inf, lax.min, (1, 2, 1), (1, 1, 1), 'VALID')", D(1, 5, 1), second=False)
C("AvgPool", "nv.AvgPool(nv.Exp(x), nv.Shape{2, 2}, nv.Stride(1, 1))", "lax.reduce_window(jnp.exp(x), 0., lax.add, (1, 2, 2, 1), (1, 1, 1, 1), 'VALID') / 4", V(1, 3, 3, 1))
C("SumPool", "nv.SumPool(nv.Sin(x), nv.Shape{2}, nv.Same)", "lax.reduce_window(jnp.sin(x), 0., lax.add, (1, 2, 1), (1, 2, 1), 'SAME')", V(1, 5, 1))
C("ReduceWindow prod", 'nv.ReduceWindow(x, nv.Shape{2}, "prod")', "x[:-1] * x[1:]", K(5))
C("FFT", "nv.Real(nv.FFT(nv.Sin(x)))", "jnp.real(jnp.fft.fft(jnp.sin(x)))", V(5), V(2, 4))
C("RFFT", "nv.Abs(nv.RFFT(x))", "jnp.abs(jnp.fft.rfft(x))", V(6), tolerance=1e-9)
C("IRFFT", "nv.IRFFT(nv.Complex(x, y), nv.FFTLength(4))", "jnp.fft.irfft(lax.complex(x, y), 4)", (V(3), V(3)))
C("IRFFT odd", "nv.IRFFT(nv.Complex(nv.Sin(x), y), nv.FFTLength(5))", "jnp.fft.irfft(lax.complex(jnp.sin(x), y), 5)", (V(3), V(3)))
C("FFT2", 'nv.Imag(nv.FFT2(nv.Square(x), nv.FFTNorm("ortho")))', "jnp.imag(jnp.fft.fft2(jnp.square(x), norm='ortho'))", V(2, 3))
C("DCT", "nv.DCT(nv.Sin(x))", "jsp.fft.dct(jnp.sin(x))", V(5))
C("IDCT", "nv.IDCT(nv.Sin(x))", "jsp.fft.idct(jnp.sin(x))", V(4))
C("FFTShift", "nv.FFTShift(nv.Sin(x))", "jnp.fft.fftshift(jnp.sin(x))", V(5))
C("Resize", 'nv.Resize(nv.Sin(x), nv.Shape{5}, "linear")', "jax.image.resize(jnp.sin(x), (5,), 'linear')", V(3))
C("Resize cubic", 'nv.Resize(x, nv.Shape{2, 4}, "cubic")', "jax.image.resize(x, (2, 4), 'cubic')", V(3, 3))

# Networks.
C("MSELoss", "nv.MSELoss(x, y)", "jnp.mean((x - y) ** 2)", (V(3), V(3)), (V(2, 2), V(2, 2)))
C("MAELoss", "nv.MAELoss(x, y)", "jnp.mean(jnp.abs(x - y))", (V(3, lo=0, hi=1), V(3, lo=1.1, hi=2)))
C("HuberLoss", "nv.HuberLoss(x, y, nv.Delta(0.8))", "jnp.mean(jnp.where(jnp.abs(x - y) <= 0.8, (x - y) ** 2 / 2, 0.8 * (jnp.abs(x - y) - 0.4)))",
  (V(3, lo=0, hi=0.3), V(3, lo=0.5, hi=0.7)), (V(3, lo=0, hi=0.3), V(3, lo=1.3, hi=2)))
C("CrossEntropyLoss", "nv.CrossEntropyLoss(x, nv.New([]int{2, 0}))", "-jnp.mean(nn.log_softmax(x)[jnp.arange(2), jnp.array([2, 0])])", V(2, 3))
C("CrossEntropyLoss probabilities", 'nv.CrossEntropyLoss(x, nv.Softmax(y), nv.Reduction("sum"))', "-jnp.sum(nn.softmax(y) * nn.log_softmax(x))", (V(2, 3), V(2, 3)))
C("BinaryCrossEntropyLoss", "nv.BinaryCrossEntropyLoss(x, y)", "jnp.mean(nn.softplus(x) - x * y)", (V(3), V(3, lo=0.1, hi=0.9)))
C("KLDivergenceLoss", "nv.KLDivergenceLoss(x, y)", "jnp.mean(jnp.sum(y * (jnp.log(y) - x), -1))", (V(2, 3), V(2, 3, lo=0.1, hi=0.9)))
C("Attention", "nv.Attention(x, y, z)", "nn.softmax(x @ y.T / jnp.sqrt(2.)) @ z", (V(2, 2), V(3, 2), V(3, 2)))
C("Attention causal", "nv.Attention(x, y, z, nv.Causal)", "nn.softmax(jnp.where(jnp.tril(jnp.ones((3, 3), bool)), x @ y.T / jnp.sqrt(2.), -jnp.inf)) @ z", (V(3, 2), V(3, 2), V(3, 1)))
C("BatchNorm", "nv.BatchNorm(x, y, nil, z, nv.Square(w))", "(x - z) / jnp.sqrt(jnp.square(w) + 1e-5) * y", (V(3, 2), V(2), V(2), P(2)))
C("BatchNormTraining", "out, _, _ := nv.BatchNormTraining(x, y, z)\nreturn out", "(x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-5) * y + z", (V(4, 2), V(2), V(2)))
C("LayerNorm", "nv.LayerNorm(x, y, z)", "(x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * y + z", (V(2, 3), V(3), V(3)))
C("RMSNorm", "nv.RMSNorm(x, y)", "x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * y", (V(2, 3), V(3)))
C("GroupNorm", "nv.GroupNorm(x, nil, nil, 2)", "(lambda g: ((g - g.mean((1, 3), keepdims=True)) / jnp.sqrt(g.var((1, 3), keepdims=True) + 1e-5)).reshape(1, 2, 4))(x.reshape(1, 2, 2, 2))", V(1, 2, 4))
C("Standardize", "nv.Standardize(x)", "(x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)", V(2, 3))
C("CTCLoss", 'nv.CTCLoss(x, nv.New([][]int{{1, 2}}), nv.Reduction("sum"))',
  "-jsp.special.logsumexp(jnp.stack([sum(nn.log_softmax(x[0])[t, p[t]] for t in range(4)) for p in [q for q in np.ndindex(3, 3, 3, 3) if [a for i, a in enumerate(q) if a and (i == 0 or q[i - 1] != a)] == [1, 2]]]))", V(1, 4, 3), tolerance=1e-9)

# Control flow.
C("If", "nv.If(nv.Sum(x).Gt(-100), func() nv.Tensor { return nv.Sin(x) }, func() nv.Tensor { return nv.Exp(x) })", "lax.cond(jnp.sum(x) > -100, jnp.sin, jnp.exp, x)", V(3))
C("If else", "nv.If(nv.Sum(x).Gt(100), func() nv.Tensor { return x }, func() nv.Tensor { return nv.Exp(x).Mul(y) })", "lax.cond(jnp.sum(x) > 100, lambda x, y: x, lambda x, y: jnp.exp(x) * y, x, y)", (V(3), V()))
C("Switch", "nv.Switch(nv.ArgMax(x), func() nv.Tensor { return nv.Sin(x) }, func() nv.Tensor { return nv.Exp(x) }, func() nv.Tensor { return nv.Square(x) })",
  "lax.switch(jnp.argmax(x), [jnp.sin, jnp.exp, jnp.square], x)", D(3), D(3))
C("While", "nv.While(x, func(v nv.Tensor) nv.Tensor { return nv.Sum(v).Lt(20) }, func(v nv.Tensor) nv.Tensor { return v.Mul(1.5).Add(nv.Square(v)) })",
  "lax.while_loop(lambda v: jnp.sum(v) < 20, lambda v: v * 1.5 + jnp.square(v), x)", P(3), forward=True, rough=True)
C("ForI", "nv.ForI(4, x, func(i, v nv.Tensor) nv.Tensor { return nv.Sin(v).Mul(1.1).Add(y) })", "lax.fori_loop(0, 4, lambda i, v: jnp.sin(v) * 1.1 + y, x)", (V(3), V(3)))
C("ForI index", "nv.ForI(3, x, func(i, v nv.Tensor) nv.Tensor { return v.AddAt(nv.Sin(v.At(i)), i.Add(1)) })", "lax.fori_loop(0, 3, lambda i, v: v.at[i + 1].add(jnp.sin(v[i])), x)", V(4))
C("Scan carry", "c, _ := nv.Scan(x, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) { return nv.Tanh(c.Mul(v)), c })\nreturn c", "lax.scan(lambda c, v: (jnp.tanh(c * v), c), x, y)[0]", (V(2), V(3, 2)))
C("Scan results", "_, ys := nv.Scan(x, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) {\n\tn := nv.Tanh(c.Add(v))\n\treturn n, n.Mul(v)\n})\nreturn ys",
  "lax.scan(lambda c, v: (jnp.tanh(c + v), jnp.tanh(c + v) * v), x, y)[1]", (V(2), V(3, 2)))
C("Scan reverse", "_, ys := nv.Scan(x, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) {\n\tn := nv.Tanh(c.Add(v))\n\treturn n, n.Mul(v)\n}, nv.Reverse)\nreturn ys",
  "lax.scan(lambda c, v: (jnp.tanh(c + v), jnp.tanh(c + v) * v), x, y, reverse=True)[1]", (V(2), V(3, 2)))
C("Map", "nv.Map(func(v nv.Tensor) nv.Tensor { return nv.Prod(nv.Sin(v)).Mul(y) }, x)", "lax.map(lambda v: jnp.prod(jnp.sin(v)) * y, x)", (V(2, 2), V()))
C("AssociativeScan", "nv.AssociativeScan(func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, nv.Exp(nv.Sin(x)))", "lax.associative_scan(jnp.multiply, jnp.exp(jnp.sin(x)))", V(5))

# Complex numbers.
for name, jax in [("Exp", "jnp.exp"), ("Log", "jnp.log"), ("Sqrt", "jnp.sqrt"), ("Sin", "jnp.sin"), ("Cos", "jnp.cos"), ("Tan", "jnp.tan"), ("Tanh", "jnp.tanh"),
                  ("Sinh", "jnp.sinh"), ("Cosh", "jnp.cosh"), ("Conj", "jnp.conj"), ("Real", "jnp.real"), ("Imag", "jnp.imag"), ("Abs", "jnp.abs"),
                  ("Angle", "jnp.angle"), ("Square", "jnp.square"), ("Reciprocal", "1 / "), ("Logistic", "nn.sigmoid"), ("Expm1", "jnp.expm1"), ("Log1p", "jnp.log1p"),
                  ("Rsqrt", "lax.rsqrt"), ("Sum", "jnp.sum"), ("Prod", "jnp.prod"), ("Cumsum", "jnp.cumsum"), ("FFT", "jnp.fft.fft"), ("IFFT", "jnp.fft.ifft")]:
    C("complex " + name, f"nv.{name}(x)", f"{jax}(x)", Z(3))
for name, jax in [("Add", "x + y"), ("Sub", "x - y"), ("Mul", "x * y"), ("Div", "x / y"), ("Pow", "x ** y")]:
    C("complex " + name, f"nv.{name}(x, y)", jax, (Z(3), Z(3)), (Z(2), P(2)))
C("complex Complex", "nv.Exp(nv.Complex(x, y))", "jnp.exp(lax.complex(x, y))", (V(3), V(3)))
C("complex Abs2", "nv.Real(x.Mul(nv.Conj(x)))", "jnp.real(x * jnp.conj(x))", Z(3))
C("complex Norm", "nv.Norm(x)", "jnp.linalg.norm(x)", Z(3))
C("complex Var", "nv.Real(nv.Var(x))", "jnp.var(x)", Z(4))
C("complex Mean", "nv.Mean(nv.Exp(x))", "jnp.mean(jnp.exp(x))", Z(3))
C("complex MatMul", "nv.MatMul(x, y)", "x @ y", (Z(2, 2), Z(2, 2)), (Z(2, 2), V(2)))
C("complex VDot", "nv.VDot(x, y)", "jnp.vdot(x, y)", (Z(3), Z(3)))
C("complex Einsum", 'nv.Einsum("ij,kj->ik", x, nv.Conj(y))', "jnp.einsum('ij,kj->ik', x, jnp.conj(y))", (Z(2, 2), Z(1, 2)))
C("complex Inv", "nv.Inv(nv.Add(x, nv.Eye(2, nv.F64).Mul(3)))", "jnp.linalg.inv(x + 3 * jnp.eye(2))", Z(2, 2), **LINEAR)
C("complex Det", "nv.Det(x)", "jnp.linalg.det(x)", Z(2, 2), **LINEAR)
C("complex Solve", "nv.Solve(nv.Add(x, nv.Eye(2, nv.F64).Mul(3)), y)", "jnp.linalg.solve(x + 3 * jnp.eye(2), y)", (Z(2, 2), Z(2)), **LINEAR)
C("complex EigValsH", "nv.EigValsH(nv.Add(x, nv.Conj(nv.Transpose(x))))", "jnp.linalg.eigvalsh(x + jnp.conj(x.T))", Z(2, 2), **LINEAR)
C("complex SVDVals", "nv.SVDVals(x)", "jnp.linalg.svd(x, compute_uv=False)", Z(2, 2), **LINEAR)
C("complex Cholesky", "nv.Cholesky(nv.Add(nv.MatMul(x, nv.Conj(nv.Transpose(x))), nv.Eye(2, nv.F64)))", "jnp.linalg.cholesky(x @ jnp.conj(x.T) + jnp.eye(2))", Z(2, 2), **LINEAR)
C("complex At", "nv.Square(x).At(nv.New([]int{1, 1, 0}))", "jnp.square(x)[jnp.array([1, 1, 0])]", Z(2))
C("complex Set", "nv.Set(nv.Square(x), y, 1)", "jnp.square(x).at[1].set(y)", (Z(3), Z()))
C("complex Where", "nv.Where(nv.Real(x).Gt(-100), x.Mul(y), nv.Exp(x))", "jnp.where(jnp.real(x) > -100, x * y, jnp.exp(x))", (Z(3), V(3)))
C("complex RFFT", "nv.RFFT(nv.Sin(x))", "jnp.fft.rfft(jnp.sin(x))", V(5), V(4))
C("complex IRFFT", "nv.IRFFT(x, nv.FFTLength(4))", "jnp.fft.irfft(x, 4)", Z(3))
C("complex Scan", "c, _ := nv.Scan(x, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) { return nv.Sin(c.Mul(v)), c })\nreturn nv.Abs(c)", "jnp.abs(lax.scan(lambda c, v: (jnp.sin(c * v), c), x, y)[0])", (Z(), Z(3)))
