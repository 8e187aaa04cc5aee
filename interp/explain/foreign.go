package explain

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// foreign are names that NumPy, JAX or PyTorch have for what the library calls
// otherwise, in small letters without underscores. What begins with a small
// letter is written as it stands.
var foreign = map[string]string{
	"array": "New", "asarray": "New", "empty": "Zeros", "emptylike": "ZerosLike", "fill": "Full", "identity": "Eye", "broadcastediota": "Iota",
	"cat": "Concatenate", "concat": "Concatenate", "mm": "MatMul", "bmm": "MatMul", "mv": "MatMul", "matvec": "MatMul", "linear": "MatMul",
	"cast": "AsType", "convert": "AsType", "toslice": "Values", "data": "Values", "get": "x[1, 2], or x.At(1, 2)", "rows": "for i, row := range x",
	"to": "AsType", "typeas": "AsType", "convertelementtype": "AsType", "long": "x.AsType(nv.I64)", "short": "x.AsType(nv.I16)",
	"byte": "x.AsType(nv.U8)", "half": "x.AsType(nv.F16)", "double": "x.AsType(nv.F64)", "bfloat16": "x.AsType(nv.BF16)",
	"view": "Reshape", "viewas": "Reshape", "reshapeas": "Reshape", "unflatten": "Reshape", "ravel": "Flatten",
	"unsqueeze": "ExpandDims", "permute": "Transpose", "permutedims": "Transpose", "matrixtranspose": "x.SwapAxes(-2, -1)", "mt": "x.SwapAxes(-2, -1)",
	"swapdims": "SwapAxes", "movedim": "MoveAxis", "rollaxis": "MoveAxis", "rev": "Flip", "fliplr": "x.Flip(1)", "flipud": "x.Flip(0)",
	"expand": "BroadcastTo", "expandas": "BroadcastTo", "broadcastarrays": "BroadcastTo", "ndim": "Rank", "dim": "Rank", "ndimension": "Rank", "numel": "Size", "nelement": "Size",
	"arraysplit": "Split", "hsplit": "Split", "vsplit": "Split", "chunk": "Split", "unbind": "Unstack", "repeatinterleave": "Repeat",
	"tolist": "Values", "numpy": "Values", "tonumpy": "Values", "deviceget": "Values", "deviceput": "ToDevice", "cuda": "ToDevice", "cpu": "ToDevice",
	"clone": "x itself: a tensor never changes", "detach": "x itself: a tensor never changes", "contiguous": "x itself: a tensor never changes",
	"multiply": "Mul", "divide": "Div", "subtract": "Sub", "negative": "Neg", "power": "Pow", "absolute": "Abs", "mod": "Rem", "remainder": "Rem",
	"floordivide": "FloorDiv", "truedivide": "TrueDiv", "degrees": "Rad2Deg", "radians": "Deg2Rad", "conjugate": "Conj", "around": "Round",
	"fabs": "Abs", "rint": "Round", "fix": "Trunc", "clip": "Clamp", "clampmin": "Maximum", "clampmax": "Minimum", "relu6": "x.Clamp(0, 6)", "hardtanh": "x.Clamp(-1, 1)",
	"sigmoid": "Logistic", "expit": "Logistic", "swish": "Silu", "ndtr": "NormCDF", "ndtri": "NormQuantile", "logndtr": "NormLogCDF", "psi": "Digamma",
	"arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "arctan2": "Atan2", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
	"equal": "Eq", "notequal": "Ne", "greater": "Gt", "greaterequal": "Ge", "less": "Lt", "lessequal": "Le",
	"logicaland": "And", "logicalor": "Or", "logicalxor": "Xor", "bitwiseand": "And", "bitwiseor": "Or", "bitwisexor": "Xor", "invert": "Not", "bitwisenot": "Not",
	"leftshift": "Shl", "rightshift": "Shr", "bitwiseleftshift": "Shl", "bitwiserightshift": "Shr", "bitwisecount": "Popcount", "populationcount": "Popcount",
	"amax": "Max", "amin": "Min", "reducesum": "Sum", "reducemax": "Max", "reducemin": "Min", "reduceprod": "Prod", "gammaln": "Lgamma",
	"cumulativesum": "Cumsum", "cumulativeprod": "Cumprod", "cumlogsumexp": "LogCumsumExp", "ediff1d": "Diff", "nanpercentile": "NanQuantile",
	"select": "Where", "maskedfill": "nv.Where(mask, v, x)", "maskedselect": "x[mask]", "extract": "x[mask]", "compress": "x[mask]", "putmask": "x[mask] = v", "copyto": "x[mask] = v",
	"indexselect": "Take", "embedding": "Take", "takealongdim": "TakeAlongAxis", "indexadd": "AddAt", "scatteradd": "AddAt", "indexput": "x[indices] = v",
	"dynamicslice": "At", "dynamicupdateslice": "Set", "flatnonzero": "nv.Nonzero(x.Flatten())[0]", "uniquecounts": "UniqueAll", "uniqueinverse": "UniqueAll", "uniquevalues": "Unique",
	"whileloop": "While", "foriloop": "ForI", "vectorize": "Map", "slidingwindowview": "SlidingWindow", "unfold": "SlidingWindow", "trapz": "Trapezoid", "applyalongaxis": "Map",
	"pinverse": "PInv", "inverse": "Inv", "matrixexp": "Expm", "vectornorm": "Norm", "matrixnorm": "Norm", "solvetriangular": "TriangularSolve", "ger": "Outer", "dotgeneral": "Einsum",
	"scaleddotproductattention": "Attention", "dotproductattention": "Attention", "crossentropy": "CrossEntropyLoss", "binarycrossentropywithlogits": "BinaryCrossEntropyLoss",
	"l1loss": "MAELoss", "smoothl1loss": "HuberLoss", "kldiv": "KLDivergenceLoss", "interpolate": "Resize", "upsample": "Resize",
	"avgpool1d": "AvgPool", "avgpool2d": "AvgPool", "maxpool1d": "MaxPool", "maxpool2d": "MaxPool",
	"load": "ReadNPY", "save": "WriteNPY", "savez": "WriteNPZ", "imread": "ReadImage", "imsave": "WriteImage", "loadtxt": "ReadCSV", "savetxt": "WriteCSV",
	"readfeather": "ReadArrow", "tofeather": "WriteArrow", "blockuntilready": "Wait",
	"random": "random.New(42)", "rand": "random.New(42)", "randn": "random.New(42)", "seed": "random.New(42)", "manualseed": "random.New(42)", "prngkey": "random.Key(42)",
	"piecewise": "nv.Where(x < 0, a, nv.Where(x < 1, b, c))", "block": "nv.VStack(nv.HStack(a, b), nv.HStack(c, d))", "circulant": "nv.Toeplitz(x, nv.Roll(nv.Flip(x), 1))",
	"cbind": "HStack", "rbind": "VStack", "rowstack": "VStack", "mgrid": "Meshgrid", "ogrid": "Meshgrid", "cartesianprod": "Meshgrid", "ix": "x.At(rows.ExpandDims(1), columns)",
	"narrow": "x[a:b]", "filldiagonal": "nv.Where(nv.Eye(n) > 0, v, x)", "diagembed": "Diag", "diagflat": "Diag", "seq": "Arange", "rep": "Repeat", "copy": "x itself: a tensor never changes",
	"positive": "x itself", "astensor": "New", "fromnumpy": "New", "frombuffer": "From", "e": "math.E",
	"nbytes": "x.Size() * x.DType().Size()", "itemsize": "x.DType().Size()", "elementsize": "x.DType().Size()", "h": "x.T().Conj()", "viewascomplex": "nv.Complex(x[..., 0], x[..., 1])",
	"viewasreal": "nv.Stack(nv.Axis(-1), x.Real(), x.Imag())", "polar": "r * nv.Exp(1i * angle)", "isreal": "x.Imag() == 0", "iscomplex": "x.Imag() != 0",
	"i0": "BesselI0", "i0e": "BesselI0e", "i1e": "BesselI1e", "logexpit": "LogSigmoid", "floatpower": "Pow", "modf": "nv.Trunc(x), x - nv.Trunc(x)", "exponent": "Frexp", "sgn": "Sign",
	"factorial": "nv.Gamma(x + 1)", "comb": "nv.Exp(nv.Lgamma(n+1) - nv.Lgamma(k+1) - nv.Lgamma(n-k+1))", "binom": "nv.Exp(nv.Lgamma(n+1) - nv.Lgamma(k+1) - nv.Lgamma(n-k+1))",
	"betaln": "nv.Lgamma(a) + nv.Lgamma(b) - nv.Lgamma(a+b)", "rgamma": "nv.Reciprocal(nv.Gamma(x))", "boxcox": "nv.Expm1(lambda * nv.Log(x)) / lambda",
	"entr": "nv.XLogY(x, x).Neg()", "entropy": "nv.XLogY(p, p).Sum().Neg()", "relentr": "nv.XLogY(x, x / y)", "logmeanexp": "nv.LogSumExp(x) - math.Log(n)",
	"hardswish": "HardSilu", "celu": "nv.Elu(x / alpha) * alpha", "prelu": "nv.Where(x > 0, x, slope * x)", "tanhshrink": "x - nv.Tanh(x)", "softmin": "nv.Softmax(-x)",
	"softshrink": "nv.Sign(x) * nv.Relu(nv.Abs(x) - lambda)", "hardshrink": "nv.Where(nv.Abs(x) > lambda, x, 0)", "threshold": "nv.Where(x > limit, x, v)",
	"squareplus": "nv.Add(x, nv.Sqrt(x*x + 4)) / 2", "normalize": "x / nv.Norm(x, nv.Axis(-1), nv.KeepDims)", "l2normalize": "x / nv.Norm(x, nv.Axis(-1), nv.KeepDims)",
	"instancenorm": "nv.GroupNorm(x, gain, bias, channels)", "scale": "Standardize", "alphadropout": "random.Dropout", "clipbyvalue": "Clamp",
	"clipbynorm": "x * nv.Minimum(1, limit / nv.Norm(x))", "clipbyglobalnorm": "x * nv.Minimum(1, limit / nv.Norm(x))", "sequencemask": "nv.Arange(n) < lengths.ExpandDims(1)",
	"nllloss": "nv.CrossEntropyLoss(logits, labels)", "bceloss": "nv.BinaryCrossEntropyLoss(logits, targets)", "binarycrossentropy": "nv.BinaryCrossEntropyLoss(logits, targets)",
	"softmaxcrossentropy": "CrossEntropyLoss", "sparsesoftmaxcrossentropy": "CrossEntropyLoss", "softmaxcrossentropywithlogits": "CrossEntropyLoss",
	"softmaxcrossentropywithintegerlabels": "CrossEntropyLoss", "sigmoidbinarycrossentropy": "BinaryCrossEntropyLoss", "hingeloss": "nv.Relu(1 - x*target).Mean()",
	"cosineembeddingloss": "nv.CosineSimilarity(x, y), as 1 - that", "tripletmarginloss": "nv.Relu(nv.Norm(a - p, nv.Axis(-1)) - nv.Norm(a - n, nv.Axis(-1)) + margin).Mean()",
	"gaussiannllloss": "nv.Mean(nv.Log(variance) + nv.Square(x - target) / variance) / 2", "poissonnllloss": "nv.Mean(nv.Exp(x) - x*target)",
	"pairwisedistance": "nv.Norm(x - y, nv.Axis(-1))", "dist": "nv.Norm(x - y)", "pdist": "CDist",
	"multidot": "a.MatMul(b).MatMul(c)", "chainmatmul": "a.MatMul(b).MatMul(c)", "addmm": "x + a.MatMul(b)", "baddbmm": "x + a.MatMul(b)", "addcmul": "x + v*a*b", "addcdiv": "x + v*a/b",
	"lusolve": "Solve", "chosolve": "Solve", "chofactor": "Cholesky", "logdet": "SlogDet", "vecdot": `nv.Einsum("...i,...i->...", x, y)`, "orth": "the columns of u in u, s, vh := nv.SVD(x)",
	"eig": "nv.Eigh(x) where x is symmetric; of others there are none", "eigvals": "nv.EigValsH(x) where x is symmetric; of others there are none",
	"sqrtm": "nv.Eigh(x) where x is symmetric, and nv.Sqrt of its values", "logm": "nv.Eigh(x) where x is symmetric, and nv.Log of its values", "einsumpath": "Einsum",
	"crossprod": "x.T().MatMul(x)", "tcrossprod": "x.MatMul(x.T())", "rowsums": "x.Sum(nv.Axis(1))", "colsums": "x.Sum(nv.Axis(0))", "rowmeans": "x.Mean(nv.Axis(1))", "colmeans": "x.Mean(nv.Axis(0))",
	"sd": "Std", "stdmean": "nv.Std(x), nv.Mean(x)", "varmean": "nv.Var(x), nv.Mean(x)", "aminmax": "nv.Min(x), nv.Max(x)", "reducemean": "Mean", "reduceany": "Any", "reduceall": "All",
	"kthvalue": "nv.Partition(x, k)[k]", "mode": "UniqueAll", "valuecounts": "UniqueAll", "bucketize": "Digitize", "tabulate": "BinCount", "which": "Nonzero", "ifelse": "Where", "arrayequiv": "ArrayEqual",
	"histogram2d": "nv.BinCount(nv.Digitize(x, xedges)*n + nv.Digitize(y, yedges))", "interp1d": "Interp", "apply": "Map", "sapply": "Map", "frompyfunc": "Map",
	"indexcopy": "x[i] = v", "indexupdate": "x[i] = v", "place": "x[mask] = v", "put": "x[i] = v", "booleanmask": "x[mask]", "gathernd": "x.At(i, j)", "scatternd": "x.Set(v, i, j)", "tensorscatterndupdate": "x.Set(v, i, j)",
	"unsortedsegmentsum": "SegmentSum", "segmentmean": "nv.SegmentSum(x, ids, n) / nv.BinCount(ids, nv.Size(n))", "ndenumerate": "for i, row := range x", "nditer": "for i, row := range x",
	"hann": "Hanning", "hannwindow": "Hanning", "hammingwindow": "Hamming", "blackmanwindow": "Blackman", "kaiserwindow": "Kaiser", "stft": "nv.RFFT(nv.SlidingWindow(x, n) * nv.Hanning(n))",
	"spectrogram": "nv.RFFT(nv.SlidingWindow(x, n) * nv.Hanning(n))", "periodogram": "nv.Square(nv.Abs(nv.RFFT(x))) / n", "dft": "FFT", "medfilt": "nv.Median(nv.SlidingWindow(x, n), nv.Axis(-1))",
	"cumtrapz": "nv.Cumsum((y[1:] + y[:-1]) / 2 * dx)", "cumulativetrapezoid": "nv.Cumsum((y[1:] + y[:-1]) / 2 * dx)",
	"simpson": "Trapezoid", "polymul": "Convolve", "fftconvolve": "Convolve", "convolve2d": "nv.Conv2D, with nv.Flip of the weights", "correlate2d": "Conv2D", "gaussianfilter": `nv.Convolve(x, weights, "same")`,
	"lfilter": "Scan", "detrend": "x - x.Mean()", "convgeneraldilated": "Conv2D", "adaptiveavgpool2d": "x.Mean(nv.Axis(1), nv.Axis(2))", "grad": "nv.Gradient(y, dx) for slopes of numbers, (f(x + h) - f(x - h)) / (2*h) for those of a function",
	"resulttype": "promote.Anvil.Result(x, y)", "promotetypes": "promote.Anvil.Result(a, b)", "setprintoptions": "display.MaxRows(n)", "polyadd": "a + b, the shorter with nv.Pad before",
	"polysub": "a - b, the shorter with nv.Pad before", "roots": "nv.While with Newton's step x - nv.PolyVal(p, x) / nv.PolyVal(nv.PolyDer(p), x)", "choose": "nv.Switch(i, f, g)",
	"logaddexp2": "nv.LogAddExp(x * math.Ln2, y * math.Ln2) / math.Ln2", "erfcinv": "nv.ErfInv(1 - x)", "polydiv": "nv.PolyVal of both, and their quotient", "purecallback": "Callback", "debugprint": "x.Print()",
	// Of special functions.
	"gammainc": "IGamma", "gammaincc": "IGammac", "gdtr": "IGamma", "pdtr": "nv.IGammac(k + 1, m)", "pdtrc": "nv.IGamma(k + 1, m)", "chdtr": "nv.IGamma(v / 2, x / 2)", "chdtrc": "nv.IGammac(v / 2, x / 2)",
	"btdtr": "BetaInc", "betaincc": "nv.BetaInc(b, a, 1 - x)", "bdtr": "nv.BetaInc(n - k, k + 1, 1 - p)", "stdtr": "1 - nv.BetaInc(v / 2, 0.5, v / (v + t*t)) / 2, for t above 0", "fdtr": "nv.BetaInc(a / 2, b / 2, a*x / (a*x + b))",
	"exp10": "nv.Pow(10.0, x)", "cosm1": "-2 * nv.Square(nv.Sin(x / 2))", "exprel": "nv.Expm1(x) / x", "invboxcox": "nv.Exp(nv.Log1p(lambda * x) / lambda)", "boxcox1p": "nv.Expm1(lambda * nv.Log1p(x)) / lambda",
	"poch": "nv.Exp(nv.Lgamma(a + n) - nv.Lgamma(a))", "perm": "nv.Exp(nv.Lgamma(n + 1) - nv.Lgamma(n - k + 1))", "zetac": "nv.Zeta(x, 1) - 1", "gammasgn": "nv.Sign(nv.Gamma(x))", "sindg": "nv.Sin(nv.Deg2Rad(x))", "cosdg": "nv.Cos(nv.Deg2Rad(x))",
	"log1mexp": "nv.Log(-nv.Expm1(-x))", "sparseplus": "nv.Clamp((x + 1) / 2, 0, 1) * nv.Maximum(x, 1)", "sparsesigmoid": "nv.Clamp((x + 1) / 2, 0, 1)", "multigammaln": "nv.Lgamma(a) + nv.Lgamma(a - 0.5) + math.Log(math.Pi)/2, of two dimensions", "mvlgamma": "nv.Lgamma(a) + nv.Lgamma(a - 0.5) + math.Log(math.Pi)/2, of two dimensions",
	"frac": "x - nv.Trunc(x)", "modifiedbesseli0": "BesselI0", "modifiedbesseli1": "BesselI1", "logbeta": "nv.Lgamma(a) + nv.Lgamma(b) - nv.Lgamma(a+b)", "huber": "HuberLoss", "pseudohuber": "delta*delta * (nv.Sqrt(1 + nv.Square(x / delta)) - 1)",
	// Of shapes and positions.
	"asanyarray": "New", "ascontiguousarray": "x itself: a tensor never changes", "broadcasttensors": "BroadcastTo", "broadcast": "BroadcastTo", "broadcastindim": "BroadcastTo", "broadcastlike": "BroadcastTo", "collapse": "Reshape", "dsplit": "x.Split(n, 2)",
	"tensorsplit": "Split", "splitwithsizes": "x[a:b]", "vmap": "Map", "adjoint": "x.SwapAxes(-2, -1).Conj()", "hermitian": "x.T().Conj()", "constantpadnd": "Pad", "pixelshuffle": `nv.Rearrange(x, "b h w (c i j) -> b (h i) (w j) c", ...)`, "pixelunshuffle": `nv.Rearrange(x, "b (h i) (w j) c -> b h w (c i j)", sizes)`,
	"channelshuffle": `nv.Rearrange(x, "b h w (g c) -> b h w (c g)", sizes)`, "indexinm": "Take", "indexindim": "x[i]", "dynamicindexindim": "x[i]", "sliceindim": "x[a:b]", "dynamicsliceindim": "x[a:b]", "dynamicupdateslicein": "x[a:b] = v", "dynamicupdatesliceindim": "x[a:b] = v", "dynamicupdateindexindim": "x[i] = v",
	"indexfill": "x[i] = v", "selectscatter": "x[i] = v", "slicescatter": "x[a:b] = v", "diagonalscatter": "nv.Where(nv.Eye(n) > 0, v, x)", "scatterreduce": "AddAt", "indexreduce": "AddAt", "scattermul": "MulAt", "scattermax": "MaxAt", "scattermin": "MinAt", "scatterapply": "x[i] = v", "maskedscatter": "x[mask] = v",
	"nonzerostatic": "nv.Nonzero(x, nv.Size(n))", "uniqueconsecutive": "x[nv.Diff(x) != 0]", "trimzeros": "x[a:b]", "diagindices": "nv.Diagonal(x), or nv.Arange(n) twice as indices", "diagindicesfrom": "nv.Diagonal(x), or nv.Arange(n) twice as indices", "trilindicesfrom": "TrilIndices", "triuindicesfrom": "TriuIndices",
	"selectn": "Where", "combinations": "TriuIndices", "broadcastshapes": "nv.BroadcastTo, which says whether they do", "isscalar": "x.Rank() == 0", "isempty": "x.Size() == 0", "isfloatingpoint": "x.DType().Is(dtype.Floating)", "issigned": "x.DType().Is(dtype.Signed|dtype.Floating)", "iscomplexobj": "x.DType().Is(dtype.Complex)", "isrealobj": "!x.DType().Is(dtype.Complex)",
	// Of numbers and orders.
	"bitwiseinvert": "Not", "integerpow": "Pow", "shiftleft": "Shl", "shiftrightlogical": "Shr", "shiftrightarithmetic": "Shr", "rsub": "y - x", "msort": "x.Sort(nv.Axis(0))", "sortcomplex": "Sort", "sortkeyval": "nv.Take(y, nv.ArgSort(x))", "approxmaxk": "TopK", "approxmink": "nv.TopK(-x, k)",
	"bitcastconverttype": "BitcastConvert", "reduceprecision": "x.AsType(nv.BF16).AsType(nv.F32)", "spacing": "nv.NextAfter(x, math.Inf(1)) - x", "histc": "Histogram", "histogrambinedges": "Histogram", "histogramdd": "nv.BinCount(nv.Digitize(x, xedges)*n + nv.Digitize(y, yedges))", "batchmatmul": "MatMul", "vecmat": "nv.MatMul(v, m)",
	"addmv": "x + a.MatMul(b)", "addbmm": "x + a.MatMul(b).Sum(nv.Axis(0))", "addr": "x + nv.Outer(a, b)", "bilinear": `nv.Einsum("bi,oij,bj->bo", x, w, y)`, "choleskysolve": "Solve", "choleskyinverse": "Inv", "cholesolve": "Solve", "nuclearnorm": `nv.SVDVals(x).Sum()`, "frobeniusnorm": "Norm", "tensorsolve": "nv.Solve of the matrix a.Reshape(nv.Shape{n, n})", "tensorinv": "nv.Inv of the matrix a.Reshape(nv.Shape{n, n})",
	"nullspace": "the last rows of vh in u, s, vh := nv.SVD(x)", "hankel": "nv.Toeplitz of the column turned round by nv.Flip", "convolutionmatrix": "Toeplitz", "matmultoeplitz": "Convolve", "khatrirao": `nv.Einsum("ik,jk->ijk", a, b)`, "pinvh": "PInv", "diagsvd": "Diag", "issymmetric": "nv.AllClose(x, x.T())", "ishermitian": "nv.AllClose(x, x.T().Conj())",
	"stopgradient": "x itself: there are no gradients yet", "customlinearsolve": "Solve", "optimizationbarrier": "x itself", "calculategain": "random.VarianceScaling, whose scale is its square", "gumbelsoftmax": "nv.Softmax((x + r.Gumbel(x.Shape())) / tau)", "variancescaling": "random.VarianceScaling",
	"glorotuniform": "random.GlorotUniform", "glorotnormal": "random.GlorotNormal", "xavieruniform": "random.GlorotUniform", "xaviernormal": "random.GlorotNormal", "heuniform": "random.HeUniform", "henormal": "random.HeNormal",
	"kaiminguniform": "random.HeUniform", "kaimingnormal": "random.HeNormal", "lecununiform": "random.LecunUniform", "lecunnormal": "random.LecunNormal", "truncnormal": "random.TruncatedNormal", "deltaorthogonal": "random.Orthogonal",
	"randlike": "r.Uniform(x.Shape())", "randnlike": "r.Normal(x.Shape())", "randintlike": "r.RandInt(x.Shape(), low, high)", "randperm": "random.Permutation", "rngbitgenerator": "random.Bits", "rnguniform": "random.UniformRange", "initialseed": "random.New(42)", "getrngstate": "r.Key(), a key to begin again from",
	// Of layers, losses and signals.
	"adaptiveavgpool1d": "x.Mean(nv.Axis(1))", "adaptiveavgpool3d": "x.Mean(nv.Axis(1), nv.Axis(2), nv.Axis(3))", "adaptivemaxpool1d": "x.Max(nv.Axis(1))", "adaptivemaxpool2d": "x.Max(nv.Axis(1), nv.Axis(2))", "avgpool3d": "AvgPool", "maxpool3d": "MaxPool", "maxpool2dwithindices": "MaxPool",
	"lppool2d": "nv.Sqrt(nv.AvgPool(x*x, window))", "embeddingbag": "nv.Take(w, ids).Sum(nv.Axis(-2))", "hingeembeddingloss": "nv.Where(y > 0, x, nv.Relu(margin - x)).Mean()", "marginrankingloss": "nv.Relu(-y*(a - b) + margin).Mean()", "softmarginloss": "nv.Softplus(-y * x).Mean()", "multilabelsoftmarginloss": "BinaryCrossEntropyLoss",
	"tripletmarginwithdistanceloss": "nv.Relu(nv.Norm(a - p, nv.Axis(-1)) - nv.Norm(a - n, nv.Axis(-1)) + margin).Mean()", "ctc": "CTCLoss", "rnntanh": "nv.Scan with nv.Tanh(x.MatMul(w) + h.MatMul(u) + b)", "rnnrelu": "nv.Scan with nv.Relu(x.MatMul(w) + h.MatMul(u) + b)", "lstm": "nv.Scan, whose carry is a struct of the two states", "gru": "nv.Scan over the steps",
	"fold": "AddAt", "gridsample": "nv.At with the weights of the four neighbours", "affinegrid": "nv.Meshgrid and a.MatMul", "localresponsenorm": "x / nv.Pow(nv.AvgPool(x*x, window) * alpha + k, beta)", "renorm": "x * nv.Minimum(1, limit / nv.Norm(x))", "rrelu": "LeakyRelu", "fakequantizepertensoraffine": "nv.Clamp(nv.Round(x / scale), -128, 127) * scale",
	"quantizepertensor": "nv.Clamp(nv.Round(x / scale), -128, 127).AsType(nv.I8)", "dequantize": "x.AsType(nv.F32) * scale", "bartlettwindow": "Bartlett", "getwindow": "Hanning", "boxcar": "Ones", "triang": "nv.Bartlett(n + 2)[1:-1]", "cosine": "nv.SinPi((nv.Arange(n) + 0.5) / n)", "gaussian": "nv.Exp(-nv.Square((nv.Arange(n) - (n-1)/2.0) / sigma) / 2)",
	"istft": "nv.IRFFT(frames), added up by x.AddAt", "hfft": "nv.IRFFT(x.Conj()) * n", "ihfft": "nv.RFFT(x).Conj() / n", "dctn": "nv.DCT along one axis after the other", "idctn": "nv.IDCT along one axis after the other", "hilbert": "nv.IFFT of nv.FFT(x), the positive frequencies twice and the negative ones 0", "oaconvolve": "Convolve", "csd": "nv.RFFT(x).Conj() * nv.RFFT(y)", "welch": "nv.Mean of nv.Square(nv.Abs(nv.RFFT(frames)))",
	"unitimpulse": "nv.Zeros(nv.Shape{n}), and x[0] = 1", "resample": "Resize", "zoom": "Resize", "chirp": "nv.Cos(phase)", "uniformfilter": "AvgPool", "maximumfilter": "MaxPool", "sobel": "nv.Conv2D with the weights {{1, 0, -1}, {2, 0, -2}, {1, 0, -1}}", "convolve1d": "Convolve", "correlate1d": "Correlate", "shift": "Roll", "centerofmass": "nv.Sum(x * nv.Arange(n)) / nv.Sum(x)",
	"savgolfilter": "nv.Convolve with the weights of nv.PolyFit", "genfromtxt": "ReadCSV", "fromstring": "From", "fromiter": "New", "fromdlpack": "From", "savezcompressed": "WriteNPZ", "cancast": "promote.Anvil.Result(a, b)", "commontype": "promote.Anvil.Result(a, b)", "array2string": "x.Print()", "arraystr": "x.Print()", "arrayrepr": "x.Print()",
}

// foreignDraws are such names in package random.
var foreignDraws = map[string]string{
	"split": "a, b := key.Split(), or keys := key.SplitN(n)", "foldin": "key.FoldIn(data)", "rand": "random.Uniform", "randn": "random.Normal", "standardnormal": "random.Normal",
	"integers": "random.RandInt", "sample": "random.Choice", "randperm": "random.Permutation", "multinormal": "random.MultivariateNormal",
	"keydata": "key.Data", "wrapkeydata": "random.Words(data)", "clone": "the key itself: it is a value", "keyimpl": "nothing: the generator of all keys is Threefry-2x32", "keydtype": "random.PRNGKey, the type of all keys",
	"randomgammap": "a difference quotient of random.Gamma(key, a, s) in a", "studentt": "random.T", "chi2": "random.ChiSquare", "standardgamma": "random.Gamma", "standardexponential": "random.Exponential", "standardcauchy": "random.Cauchy",
	"seed": "r := random.New(42)", "manualseed": "r := random.New(42)", "defaultrng": "r := random.New(42)", "randomstate": "r := random.New(42)", "generator": "r := random.New(42)",
}

// foreignWords are names that no package of ours has, nor Go.
var foreignWords = map[string]string{
	"None": "nil, or in an index nv.NewAxis", "True": "true", "False": "false", "TRUE": "true", "FALSE": "false",
	"null": "nil", "NULL": "nil", "nullptr": "nil", "undefined": "nil", "pass": "an empty block, { }", "self": "the name of the receiver: func (m Model) Do()",
	"pi": "math.Pi", "inf": "math.Inf(1)", "Inf": "math.Inf(1)", "nan": "math.NaN()", "NaN": "math.NaN()", "NA": "math.NaN()",
	"str": "fmt.Sprint(x)", "float": "float64(x), or of a tensor x.AsType(nv.F64)", "double": "float64(x), or of a tensor x.AsType(nv.F64)",
	"list": "a slice: []float64{1, 2}", "dict": "a map: map[string]int{\"a\": 1}", "tuple": "several values, or a struct",
	"enumerate": "for i, v := range values", "zip": "for i := range a, and a[i] and b[i]", "xrange": "for i := range n",
	"sorted": "slices.Sort(values), or nv.Sort(x)", "isinstance": "_, ok := x.(T)", "elif": "else if", "input": "fmt.Scanln(&name)", "open": "os.Open(name)",
	"exit": "nothing: the kernel stays, and %reset forgets all names", "quit": "nothing: the kernel stays, and %reset forgets all names",
	"library": "import \"math\"; nv and random are there", "require": "import \"math\"; nv and random are there", "stopifnot": "if !condition { panic(reason) }",
}

// foreignPackages are what the libraries, and their parts, are called.
var foreignPackages = map[string]bool{"np": true, "numpy": true, "jnp": true, "jax": true, "lax": true, "torch": true, "tf": true, "mx": true, "scipy": true,
	"linalg": true, "fft": true, "nn": true, "functional": true, "F": true, "special": true, "init": true, "initializers": true, "signal": true}

// hintForeign returns what to write for a name that another library has; x is what
// a method of it was selected of, "" for a function.
func (c *Cell) hintForeign(name, x string) string {
	own, ok := foreign[folded(name)]
	if !ok {
		own, ok = foreignWords[name]
	}
	switch {
	case !ok:
		return ""
	case unicode.IsLower(rune(own[0])):
		return "write " + asWritten(own, x)
	case x == "" && c.has(own):
		return "write " + c.tensorName() + "." + own
	case c.hasMethod(own):
		return "write " + max(x, "x") + "." + own
	case c.has(own):
		return "write " + c.tensorName() + "." + own
	}
	return ""
}

// folded returns name in small letters without underscores.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

var theX = regexp.MustCompile(`\bx\b`)

// asWritten returns text with the author's x, where there is one.
func asWritten(text, x string) string {
	if x == "" {
		return text
	}
	return theX.ReplaceAllLiteralString(text, x)
}

// hintForeignPackage returns what to write for the last of names that are
// selected of another library: ["linalg", "norm"] of np.
func (c *Cell) hintForeignPackage(names []string) string {
	for _, name := range slices.Backward(names) {
		if text := c.hintForeign(name, ""); text != "" {
			return text
		}
		for _, pkg := range []string{c.tensorName(), "random"} {
			for _, own := range c.membersOf(pkg) {
				if folded(own) == folded(name) {
					return "write " + pkg + "." + own
				}
			}
		}
	}
	return ""
}

// hintForeignPart is hintForeignPackage for a part at pos, linalg in
// nv.linalg.norm; "" where member is none.
func (c *Cell) hintForeignPart(member string, pos token.Pos) string {
	if !foreignPackages[member] {
		return ""
	}
	return c.hintForeignPackage(c.selections(pos))
}

// selections returns the names that are selected of the one at pos, one of
// another.
func (c *Cell) selections(pos token.Pos) (names []string) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Pos() <= pos && pos < sel.Sel.Pos() && isPath(sel) {
			names = append([]string{sel.Sel.Name}, names...)
		}
		return true
	})
	return names
}

// isPath reports whether e is names and dots alone.
func isPath(e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return isPath(sel.X)
	}
	_, ok := e.(*ast.Ident)
	return ok
}

// has reports whether the library exports name.
func (c *Cell) has(name string) bool {
	pkg, err := c.Env.Import(c.TensorPath)
	return err == nil && pkg.Scope().Lookup(name) != nil
}

// methods returns the names of the methods of tensors.
func (c *Cell) methods() (names []string) {
	if c.Tensor == nil {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(c.Tensor))
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() {
			names = append(names, m.Name())
		}
	}
	return names
}

func (c *Cell) hasMethod(name string) bool {
	for _, m := range c.methods() {
		if m == name {
			return true
		}
	}
	return false
}

// hintMethod suggests what may have been meant by a method that tensors lack.
func (c *Cell) hintMethod(x, name string) string {
	if text := c.hintForeign(name, x); text != "" {
		return text
	}
	if text := c.hintDType(strings.ToLower(name)); text != "" { // x.Float32()
		return "write " + x + ".AsType(" + strings.TrimPrefix(text, "the dtype is ") + ")"
	}
	if near := nearest(name, c.methods()); near != "" {
		return fmt.Sprintf("did you mean %s.%s?", x, near)
	}
	return ""
}
