package anvil_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// callsOfSix are functions that take more than operands, applied to a vector of six elements.
var callsOfSix = map[string]func(x nv.Tensor) nv.Tensor{
	"Reshape":     func(x nv.Tensor) nv.Tensor { return nv.Reshape(x, nv.Shape{2, 3}) },
	"BroadcastTo": func(x nv.Tensor) nv.Tensor { return nv.BroadcastTo(x, nv.Shape{2, 6}) },
	"Concatenate": func(x nv.Tensor) nv.Tensor { return nv.Concatenate(0, x, nv.Square(x)) },
	"Stack":       func(x nv.Tensor) nv.Tensor { return nv.Stack(1, x, nv.Square(x)) },
	"Pad":         func(x nv.Tensor) nv.Tensor { return nv.Pad(x, nv.Shape{2}, nv.Shape{-1}, 0) },
	"Roll":        func(x nv.Tensor) nv.Tensor { return nv.Roll(x, 2) },
	"Tile":        func(x nv.Tensor) nv.Tensor { return nv.Tile(x, nv.Shape{2}) },
	"Repeat":      func(x nv.Tensor) nv.Tensor { return nv.Repeat(x, []int{2, 0, 1, 1, 0, 3}) },
	"Split":       func(x nv.Tensor) nv.Tensor { return nv.Split(x, 3)[1] },
	"At":          func(x nv.Tensor) nv.Tensor { return x.At(nv.New([]int{1, 1, 5})) },
	"Set":         func(x nv.Tensor) nv.Tensor { return nv.Set(x, x.At(0), nv.New([]int{1, 1, 5})) },
	"AddAt":       func(x nv.Tensor) nv.Tensor { return nv.AddAt(x, x.At(0), nv.New([]int{1, 1, 5})) },
	"MulAt":       func(x nv.Tensor) nv.Tensor { return nv.MulAt(x, x.At(0), nv.New([]int{1, 1, 5})) },
	"MaxAt":       func(x nv.Tensor) nv.Tensor { return nv.MaxAt(x, x.At(0), nv.New([]int{1, 1, 5})) },
	"MinAt":       func(x nv.Tensor) nv.Tensor { return nv.MinAt(x, x.At(0), nv.New([]int{1, 1, 5})) },
	"Take":        func(x nv.Tensor) nv.Tensor { return nv.Take(x, nv.New([]int{2, 2, 0})) },
	"SegmentSum":  func(x nv.Tensor) nv.Tensor { return nv.SegmentSum(x, segmentsOfSix, 4) },
	"SegmentProd": func(x nv.Tensor) nv.Tensor { return nv.SegmentProd(x, segmentsOfSix, 4) },
	"SegmentMax":  func(x nv.Tensor) nv.Tensor { return nv.SegmentMax(x, segmentsOfSix, 3) },
	"SegmentMin":  func(x nv.Tensor) nv.Tensor { return nv.SegmentMin(x, segmentsOfSix, 3) },
	"Cumprod":     func(x nv.Tensor) nv.Tensor { return nv.Cumprod(x, nv.Reverse, nv.Exclusive) },
	"TopK":        func(x nv.Tensor) nv.Tensor { v, _ := nv.TopK(x, 3); return v },
	"Partition":   func(x nv.Tensor) nv.Tensor { return nv.Partition(x, 2) },
	"Quantile":    func(x nv.Tensor) nv.Tensor { return nv.Quantile(x, []float64{0, 0.3, 1}) },
	"Clamp":       func(x nv.Tensor) nv.Tensor { return nv.Clamp(x, -1, 1) },
	"Where":       func(x nv.Tensor) nv.Tensor { return nv.Where(x.Gt(0), nv.Log(x), nv.Square(x)) },
	"Lerp":        func(x nv.Tensor) nv.Tensor { return nv.Lerp(x, nv.Square(x), 0.3) },
	"Diff":        func(x nv.Tensor) nv.Tensor { return nv.Diff(x, 2) },
	"Interp": func(x nv.Tensor) nv.Tensor {
		return nv.Interp(x, nv.From([]float64{-1, 0, 1}), nv.From([]float64{2, 0, 1}))
	},
	"Std of an axis":       func(x nv.Tensor) nv.Tensor { return nv.Std(nv.Reshape(x, nv.Shape{2, 3}), nv.Axis(1)) },
	"LogSumExp of an axis": func(x nv.Tensor) nv.Tensor { return nv.LogSumExp(nv.Reshape(x, nv.Shape{2, 3}), nv.Axis(1)) },
	"Norm of order 3":      func(x nv.Tensor) nv.Tensor { return nv.Norm(x, nv.Ord(3)) },
	"Norm of an axis":      func(x nv.Tensor) nv.Tensor { return nv.Norm(nv.Reshape(x, nv.Shape{2, 3}), nv.Axis(1)) },
	"CDist":                func(x nv.Tensor) nv.Tensor { m := nv.Reshape(x, nv.Shape{3, 2}); return nv.CDist(m, m) },
	"MaxPool":              func(x nv.Tensor) nv.Tensor { return nv.MaxPool(channel(x), nv.Shape{2}, nv.Stride(1)) },
	"MinPool":              func(x nv.Tensor) nv.Tensor { return nv.MinPool(channel(x), nv.Shape{2}, nv.Same) },
	"AvgPool":              func(x nv.Tensor) nv.Tensor { return nv.AvgPool(channel(x), nv.Shape{3}, nv.Same) },
	"ReduceWindow":         func(x nv.Tensor) nv.Tensor { return nv.ReduceWindow(x, nv.Shape{3}, "prod", nv.Stride(1)) },
	"Conv1D": func(x nv.Tensor) nv.Tensor {
		return nv.Conv1D(channel(x), nv.Reshape(x.At(nv.Range(0, 2)), nv.Shape{2, 1, 1}))
	},
	"Resize":    func(x nv.Tensor) nv.Tensor { return nv.Resize(x, nv.Shape{4}, "cubic") },
	"IRFFT":     func(x nv.Tensor) nv.Tensor { return nv.IRFFT(nv.RFFT(x), nv.FFTLength(5)) },
	"Einsum":    func(x nv.Tensor) nv.Tensor { return nv.Einsum("i,i,j->j", x, x, x) },
	"LayerNorm": func(x nv.Tensor) nv.Tensor { return nv.LayerNorm(nv.Reshape(x, nv.Shape{2, 3}), nil, nil) },
	"RMSNorm":   func(x nv.Tensor) nv.Tensor { return nv.RMSNorm(nv.Reshape(x, nv.Shape{2, 3}), nil) },
	"Attention": func(x nv.Tensor) nv.Tensor {
		m := nv.Reshape(x, nv.Shape{3, 2})
		return nv.Attention(m, m, m, nv.Causal)
	},
	"CrossEntropyLoss": func(x nv.Tensor) nv.Tensor {
		return nv.CrossEntropyLoss(nv.Reshape(x, nv.Shape{2, 3}), nv.New([]int{2, 0}))
	},
	"HuberLoss": func(x nv.Tensor) nv.Tensor { return nv.HuberLoss(x, 0) },
	"MAELoss":   func(x nv.Tensor) nv.Tensor { return nv.MAELoss(x, nv.Flip(x)) },
	"AssociativeScan": func(x nv.Tensor) nv.Tensor {
		return nv.AssociativeScan(func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, x)
	},
	"Map": func(x nv.Tensor) nv.Tensor {
		return nv.Map(func(v nv.Tensor) nv.Tensor {
			return nv.If(v.Gt(0), func() nv.Tensor { return nv.Sqrt(v) }, func() nv.Tensor { return nv.Square(v) })
		}, x)
	},
	"AsType":     func(x nv.Tensor) nv.Tensor { return nv.AsType(x, nv.F32) },
	"BetaInc":    func(x nv.Tensor) nv.Tensor { return nv.BetaInc(2.0, 3.0, nv.Logistic(x)) },
	"ExpandDims": func(x nv.Tensor) nv.Tensor { return nv.ExpandDims(x, 1) },
	"MoveAxis":   func(x nv.Tensor) nv.Tensor { return nv.MoveAxis(nv.Reshape(x, nv.Shape{1, 2, 3}), 0, 2) },
	"SwapAxes":   func(x nv.Tensor) nv.Tensor { return nv.SwapAxes(nv.Reshape(x, nv.Shape{2, 3}), 0, 1) },
	"Rot90":      func(x nv.Tensor) nv.Tensor { return nv.Rot90(nv.Reshape(x, nv.Shape{2, 3}), 1) },
	"Rearrange":  func(x nv.Tensor) nv.Tensor { return nv.Rearrange(x, "(a b) -> b a", nv.Sizes{"a": 2}) },
	"EinopsReduce": func(x nv.Tensor) nv.Tensor {
		return nv.EinopsReduce(x, "(a b) -> b", "max", nv.Sizes{"a": 2})
	},
	"Reduce": func(x nv.Tensor) nv.Tensor {
		return nv.Reduce(x, 1.0, func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) })
	},
	"HStack":      func(x nv.Tensor) nv.Tensor { return nv.HStack(x, nv.Square(x)) },
	"VStack":      func(x nv.Tensor) nv.Tensor { return nv.VStack(x, nv.Square(x)) },
	"DStack":      func(x nv.Tensor) nv.Tensor { return nv.DStack(x, nv.Square(x)) },
	"ColumnStack": func(x nv.Tensor) nv.Tensor { return nv.ColumnStack(x, nv.Square(x)) },
	"Unstack":     func(x nv.Tensor) nv.Tensor { return nv.Unstack(nv.Reshape(x, nv.Shape{2, 3}))[1] },
	"Meshgrid":    func(x nv.Tensor) nv.Tensor { return nv.Meshgrid("ij", x, nv.Square(x))[1] },
	"Insert":      func(x nv.Tensor) nv.Tensor { return nv.Insert(x, 2, nv.Square(x.At(0))) },
	"PutAlongAxis": func(x nv.Tensor) nv.Tensor {
		return nv.PutAlongAxis(x, nv.New([]int{1, 5}), nv.Square(x.At(nv.Range(0, 2))))
	},
	"Gather": func(x nv.Tensor) nv.Tensor {
		return nv.Gather(x, nv.New([][]int{{1}, {1}, {4}}), nv.GatherDims{
			CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: nv.Shape{1},
		})
	},
	"Scatter": func(x nv.Tensor) nv.Tensor {
		return nv.Scatter(x, nv.New([][]int{{2}, {0}, {2}}), nv.Square(x.At(nv.Range(0, 3))), nv.ScatterDims{
			InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1,
		}, func(old, fresh nv.Tensor) nv.Tensor { return old.Add(fresh) })
	},
	"BlockDiag":   func(x nv.Tensor) nv.Tensor { m := nv.Reshape(x, nv.Shape{2, 3}); return nv.BlockDiag(m, m) },
	"MatrixPower": func(x nv.Tensor) nv.Tensor { return nv.MatrixPower(nv.Outer(x, nv.Flip(x)), 3) },
	"TensorDot": func(x nv.Tensor) nv.Tensor {
		m := nv.Reshape(x, nv.Shape{2, 3})
		return nv.TensorDot(m, m, []nv.Axis{1}, []nv.Axis{1})
	},
	"PolyFit":       func(x nv.Tensor) nv.Tensor { return nv.PolyFit(nv.Arange(6, nv.F64), x, 2) },
	"SlidingWindow": func(x nv.Tensor) nv.Tensor { return nv.SlidingWindow(x, 3) },
	"SumPool":       func(x nv.Tensor) nv.Tensor { return nv.SumPool(channel(x), nv.Shape{3}, nv.Same) },
	"BatchNorm": func(x nv.Tensor) nv.Tensor {
		return nv.BatchNorm(nv.Reshape(x, nv.Shape{2, 3}), nil, nil, nv.From([]float64{0, 1, 2}), nv.From([]float64{0, 1, 2}))
	},
	"BatchNormTraining": func(x nv.Tensor) nv.Tensor {
		y, _, _ := nv.BatchNormTraining(nv.Reshape(x, nv.Shape{2, 3}), nil, nil)
		return y
	},
	"GroupNorm": func(x nv.Tensor) nv.Tensor { return nv.GroupNorm(nv.Reshape(x, nv.Shape{3, 2}), nil, nil, 1) },
	"If": func(x nv.Tensor) nv.Tensor {
		return nv.If(x.At(0).Gt(0), func() nv.Tensor { return nv.Log(x.At(0)) }, func() nv.Tensor { return x.At(1) })
	},
	"ForI": func(x nv.Tensor) nv.Tensor {
		return nv.ForI(3, x, func(_ nv.Tensor, x nv.Tensor) nv.Tensor { return nv.Abs(x).Mul(0.5) })
	},
	"Scan": func(x nv.Tensor) nv.Tensor {
		_, products := nv.Scan(nv.Scalar(1.0, nv.F64), x, func(p, x nv.Tensor) (nv.Tensor, nv.Tensor) {
			return p.Mul(x), p.Mul(x)
		})
		return products
	},
	"While": func(x nv.Tensor) nv.Tensor {
		large := func(x nv.Tensor) nv.Tensor { return nv.Max(nv.Abs(x)).Gt(1) }
		return nv.While(x, large, func(x nv.Tensor) nv.Tensor { return nv.Abs(x).Mul(0.25) }, nv.MaxSteps(60))
	},
	"Jit": func(x nv.Tensor) nv.Tensor {
		return nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Norm(x) })(x)
	},
	"Cond":     func(x nv.Tensor) nv.Tensor { return nv.Cond(square(x)) },
	"Det":      func(x nv.Tensor) nv.Tensor { return nv.Det(square(x)) },
	"Diagonal": func(x nv.Tensor) nv.Tensor { return nv.Diagonal(nv.Reshape(x, nv.Shape{2, 3}), 1) },
	"Expm":     func(x nv.Tensor) nv.Tensor { return nv.Expm(square(x)) },
	"Inv":      func(x nv.Tensor) nv.Tensor { return nv.Inv(square(x)) },
	"Trace":    func(x nv.Tensor) nv.Tensor { return nv.Trace(square(x)) },
	"Tril":     func(x nv.Tensor) nv.Tensor { return nv.Tril(square(x)) },
	"Triu":     func(x nv.Tensor) nv.Tensor { return nv.Triu(square(x)) },
	"Cholesky": func(x nv.Tensor) nv.Tensor { m := square(x); return nv.Cholesky(nv.MatMul(m, nv.Transpose(m))) },
	"EigValsH": func(x nv.Tensor) nv.Tensor { return nv.EigValsH(square(x)) },
	"Eigh":     func(x nv.Tensor) nv.Tensor { w, v := nv.Eigh(square(x)); return nv.MatMul(v, w) },
	"LU":       func(x nv.Tensor) nv.Tensor { _, l, u := nv.LU(square(x)); return nv.Add(l, u) },
	"LUFactor": func(x nv.Tensor) nv.Tensor { f, _ := nv.LUFactor(square(x)); return f },
	"QR":       func(x nv.Tensor) nv.Tensor { q, r := nv.QR(square(x)); return nv.Add(q, r) },
	"SVD":      func(x nv.Tensor) nv.Tensor { u, s, vh := nv.SVD(square(x)); return nv.MatMul(u, nv.MatMul(vh, s)) },
	"SVDVals":  func(x nv.Tensor) nv.Tensor { return nv.SVDVals(square(x)) },
	"SlogDet":  func(x nv.Tensor) nv.Tensor { _, v := nv.SlogDet(square(x)); return v },
	"PInv":     func(x nv.Tensor) nv.Tensor { return nv.PInv(nv.Reshape(x, nv.Shape{2, 3})) },
	"Lstsq": func(x nv.Tensor) nv.Tensor {
		y, _, _, _ := nv.Lstsq(nv.Reshape(x, nv.Shape{3, 2}), x.At(nv.Range(0, 3)))
		return y
	},
	"Solve": func(x nv.Tensor) nv.Tensor { return nv.Solve(square(x), x.At(nv.Range(4, 6))) },
	"TriangularSolve": func(x nv.Tensor) nv.Tensor {
		return nv.TriangularSolve(square(x), x.At(nv.Range(4, 6)))
	},
	"Conv2D": func(x nv.Tensor) nv.Tensor {
		return nv.Conv2D(nv.Reshape(x, nv.Shape{1, 2, 3, 1}), nv.Reshape(x, nv.Shape{2, 3, 1, 1}), nv.Same)
	},
	"Conv3D": func(x nv.Tensor) nv.Tensor {
		return nv.Conv3D(nv.Reshape(x, nv.Shape{1, 1, 2, 3, 1}), nv.Reshape(x, nv.Shape{1, 2, 3, 1, 1}), nv.Same)
	},
	"ConvTranspose1D": func(x nv.Tensor) nv.Tensor {
		return nv.ConvTranspose1D(channel(x), nv.Reshape(x, nv.Shape{6, 1, 1}), nv.Stride(2))
	},
	"ConvTranspose2D": func(x nv.Tensor) nv.Tensor {
		return nv.ConvTranspose2D(nv.Reshape(x, nv.Shape{1, 2, 3, 1}), nv.Reshape(x, nv.Shape{2, 3, 1, 1}), nv.Stride(2))
	},
	"ConvTranspose3D": func(x nv.Tensor) nv.Tensor {
		w := nv.Reshape(x, nv.Shape{1, 2, 3, 1, 1})
		return nv.ConvTranspose3D(nv.Reshape(x, nv.Shape{1, 1, 2, 3, 1}), w, nv.Stride(2))
	},
	"CTCLoss": func(x nv.Tensor) nv.Tensor {
		return nv.CTCLoss(nv.Reshape(x, nv.Shape{1, 3, 2}), nv.New([][]int{{1}}))
	},
	"Delete": func(x nv.Tensor) nv.Tensor { return nv.Delete(x, []int{1, 4}) },
	"FFT2":   func(x nv.Tensor) nv.Tensor { return parts(nv.FFT2(nv.Reshape(x, nv.Shape{2, 3}))) },
	"IFFT2":  func(x nv.Tensor) nv.Tensor { return parts(nv.IFFT2(nv.Reshape(x, nv.Shape{2, 3}))) },
	"RFFT2":  func(x nv.Tensor) nv.Tensor { return parts(nv.RFFT2(nv.Reshape(x, nv.Shape{2, 3}))) },
	"IRFFT2": func(x nv.Tensor) nv.Tensor { return nv.IRFFT2(nv.Reshape(x, nv.Shape{2, 3})) },
	"Glu":    func(x nv.Tensor) nv.Tensor { return nv.Glu(x) },
	"Ldexp":  func(x nv.Tensor) nv.Tensor { return nv.Ldexp(x, nv.New([]int{0, 1, -1, 3, 2, -4})) },
	"Switch": func(x nv.Tensor) nv.Tensor {
		return nv.Switch(nv.AsType(x.At(0), nv.I32), func() nv.Tensor { return nv.Sqrt(x) }, func() nv.Tensor { return x })
	},
	"TakeAlongAxis": func(x nv.Tensor) nv.Tensor { return nv.TakeAlongAxis(x, nv.New([]int{1, 1, 5})) },
	"Polygamma":     func(x nv.Tensor) nv.Tensor { return nv.Polygamma(2, x) },
	"Zeta":          func(x nv.Tensor) nv.Tensor { return nv.Zeta(2.0, x) },
}

// square returns the first four elements of x as a matrix.
func square(x nv.Tensor) nv.Tensor { return nv.Reshape(x.At(nv.Range(0, 4)), nv.Shape{2, 2}) }

// parts returns the real and the imaginary parts of z.
func parts(z nv.Tensor) nv.Tensor { return nv.Stack(0, nv.Real(z), nv.Imag(z)) }

var segmentsOfSix = nv.New([]int{0, 0, 1, 1, 2, 2})

// channel returns the vector x as a batch of one sequence with one channel.
func channel(x nv.Tensor) nv.Tensor { return nv.Reshape(x, nv.Shape{1, 6, 1}) }

// TestGradientsOfCallsAreNumbers calls callsOfSix at drawn and special points: ties, zeros of
// both signs, large and tiny elements. No tangent, gradient or second derivative of a finite
// value is NaN.
func TestGradientsOfCallsAreNumbers(t *testing.T) {
	points := [][]float64{
		{0.3, -1.2, 0.7, 2.1, -0.4, 1.6},
		{0, 0, 0, 0, 0, 0},
		{0, math.Copysign(0, -1), 1, 1, -1, -1},
		{2, 2, 2, 2, 2, 2},
		{1e-30, 1, -1e-30, 0.5, 0.5, 0},
		{1e30, 1, -1e30, 0, 2, 1e30},
	}
	// The matrix of zeros has a first pivot of 0, and any first column of QR's q is valid.
	atZero := map[string]bool{"LU": true, "LUFactor": true, "QR": true}
	for name, f := range callsOfSix {
		sum := func(x nv.Tensor) nv.Tensor { return nv.Sum(f(x)) }
		checked := false
		for i, point := range points {
			if i == 1 && atZero[name] {
				continue
			}
			x := nv.From(point)
			if err := caught(func() {
				value, tangent := nv.JVP(sum, x, nv.OnesLike(x))
				if v := value.Float(); math.IsNaN(v) || math.IsInf(v, 0) {
					return
				}
				checked = true
				for what, d := range map[string]nv.Tensor{
					"tangent": tangent, "gradient": nv.Grad(sum)(x), "second derivative": nv.HVP(sum, x, nv.OnesLike(x)),
				} {
					if nv.Any(nv.IsNaN(d)).Bool() {
						t.Errorf("%s of %v is %v, its %s %s", name, point, value.Float(), what,
							fmt.Sprint(nv.Values[float64](nv.Flatten(d))))
					}
				}
			}); err != nil {
				t.Errorf("%s of %v: %v", name, point, err)
			}
		}
		if !checked {
			t.Errorf("%s has no finite value at any of the points; add one", name)
		}
	}
}

// noGradientCases lists, by reason, the functions of docs/operations.md that have no gradient
// to check, in addition to those in elsewhere and in the section Data.
var noGradientCases = map[string]string{
	"no tensor operand": "Arange Eye FromFunction Full Geomspace Indices Iota Linspace Logspace Ones Tri TrilIndices " +
		"TriuIndices Zeros Constant Bartlett Blackman FFTFreq Hamming Hanning Kaiser RFFTFreq Slice Steps",
	"integers or bits": "OneHot BitcastConvert ArgPartition LexSort Nonzero RavelMultiIndex UnravelIndex And AndNot " +
		"ArgMax ArgMin ArgSort ArgWhere BinCount Clz CountNonzero Digitize Gcd Histogram Lcm MatrixRank NanArgMax NanArgMin " +
		"Not Or PackBits Popcount ReduceAnd ReduceOr ReduceXor SearchSorted Shl Shr UnpackBits Xor",
	"bools": "All AllClose Any ArrayEqual Eq Ge Gt IsClose IsFinite IsIn IsInf IsNaN IsNegInf IsPosInf Le LogicalNot Lt " +
		"Ne SignBit",
	"a number of results that depends on values": "UniqueAll",
	"programs, functions of the host, and reports": "Bench Callback Lower Print WhyCompiled Op PromoteArrays " +
		"PromoteTree Why With",
}

// TestEveryGradientIsChecked requires that each function of docs/operations.md has a gradient
// that TestGradientsAreNumbers or TestGradientsOfCallsAreNumbers compares, or is excepted with
// a reason.
func TestEveryGradientIsChecked(t *testing.T) {
	excepted := map[string]bool{}
	for _, names := range noGradientCases {
		for _, name := range strings.Fields(names) {
			excepted[name] = true
		}
	}
	options := map[string]bool{}
	for _, names := range elsewhere {
		for _, name := range strings.Fields(names) {
			options[name] = true
		}
	}
	one, two := functionsOfOperands(1), functionsOfOperands(2)
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for line := range strings.Lines(string(page)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		m := documented.FindStringSubmatch(line)
		if m == nil || section == "Data" {
			continue
		}
		name := m[1]
		checked := callsOfSix[name] != nil
		for _, x := range []nv.Tensor{nv.Scalar(0.5, nv.F64), nv.Scalar(2, nv.F64), nv.New([]float64{1.5, 0.5, 2})} {
			checked = checked || one[name] != nil && requireNumbers(t, name, one[name], x) ||
				two[name] != nil && requireNumbers(t, name, two[name], x, x)
		}
		if checked && excepted[name] {
			t.Errorf("%s is checked, and need not be in noGradientCases", name)
		}
		if !checked && !excepted[name] && !options[name] {
			t.Errorf("no test checks a gradient of %s; add a call of it to callsOfSix", name)
		}
		delete(excepted, name)
	}
	for name := range excepted {
		t.Errorf("%s is not a function in docs/operations.md", name)
	}
}
