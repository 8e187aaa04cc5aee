package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// isNarrowFloat reports whether d is a float narrower than f32.
func isNarrowFloat(d dtype.DType) bool { return d.Is(dtype.Floating) && d.Bits() < 32 }

// The following functions return why a framework rejects a dtype; they are values of Framework.Lacks and
// Framework.Layer.

// lacksNarrowLinear rejects linear algebra of floats narrower than f32.
func lacksNarrowLinear(system, _ string, d dtype.DType) string {
	if !isNarrowFloat(d) {
		return ""
	}
	return system + " has no linear algebra of " + d.String()
}

// torchLacksLinear rejects linear algebra of all dtypes except f32, f64, c64 and c128.
func torchLacksLinear(_, op string, d dtype.DType) string {
	if d.Is(dtype.Inexact) && !isNarrowFloat(d) {
		return ""
	}
	return torchRefusal(op, d)
}

// torchLacksNorm rejects norms of bools and integers.
func torchLacksNorm(_, op string, d dtype.DType) string {
	if d.Is(dtype.Inexact) {
		return ""
	}
	return torchRefusal(op, d)
}

// torchLacksTransform rejects Fourier transforms of narrow floats.
func torchLacksTransform(system, _ string, d dtype.DType) string {
	if !isNarrowFloat(d) {
		return ""
	}
	return "under " + system + " there is no transform of " + d.String()
}

// torchLayer rejects an input and weights of different dtypes, since PyTorch's layers do not promote.
func torchLayer(system string, x, w dtype.DType) string {
	if x == w {
		return ""
	}
	return "under " + system + " input and weights must have one dtype, not " + x.String() + " and " + w.String()
}

// operandFlag is a Framework.LinearFlag under which the result of linear algebra is ambiguous if t, the common type of
// the operands, is ambiguous. The type to which they are promoted does not matter.
func operandFlag(t, _ dtype.Typed) bool { return t.Ambiguous }

// torchLU is PyTorch's name of the kernel of the LU factorization.
const torchLU = "lu_cpu"

// torchLinear maps functions to two names in PyTorch's messages: that of the function and that of its kernel. If the
// first is "", the function does not check that its input is floating or complex. If the second is "", the function,
// not the kernel, rejects narrow floats.
var torchLinear = map[string][2]string{
	"Cholesky": {"cholesky", "cholesky_cpu"}, "TriangularSolve": {"", "triangular_solve_cpu"}, "Solve": {"solve", torchLU},
	"Inv": {"inv", ""}, "Det": {"det", torchLU}, "SlogDet": {"slogdet", ""}, "LU": {"", torchLU},
	"LUFactor": {"", torchLU},
	"QR":       {"qr", "geqrf_cpu"}, "Eigh": {"", "linalg_eigh_cpu"}, "EigValsH": {"", "linalg_eigh_cpu"},
	"SVD":     {"svd", "linalg_svd_cpu"},
	"SVDVals": {"svd", "linalg_svd_cpu"}, "Cond": {"svd", "linalg_svd_cpu"}, "Expm": {"matrix_exp", ""},
	"Norm": {"vector_norm", ""},
}

// torchRefusal returns PyTorch's message for an operation on a dtype that it does not support. Observed in
// torch 2.15.
func torchRefusal(op string, d dtype.DType) string {
	names, ok := torchLinear[op]
	name := promote.TorchName(d)
	switch {
	case !ok:
		return "This function doesn't handle types other than float and double"
	case names[0] != "" && !d.Is(dtype.Inexact):
		return "linalg." + names[0] + ": Expected a floating point or complex tensor as input. Got " + name
	case names[1] == "":
		return "linalg." + names[0] + ": Low precision dtypes not supported. Got " + name
	}
	return `"` + names[1] + `" not implemented for '` + name + "'"
}
