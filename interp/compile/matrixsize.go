package compile

import (
	"reflect"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// matrixAllocations holds the estimates for functions of gonum's packages mat and stat. A key is a type and the names
// of some of its methods, or a package and the names of some of its functions.
var matrixAllocations = map[string]estimate{
	"mat: NewDense":                 unlessDataGiven(2, func(n []float64) float64 { return 8 * n[0] * n[1] }),
	"mat: NewCDense":                unlessDataGiven(2, func(n []float64) float64 { return 16 * n[0] * n[1] }),
	"mat: NewVecDense NewDiagDense": unlessDataGiven(1, func(n []float64) float64 { return 8 * n[0] }),
	"mat: NewSymDense":              unlessDataGiven(1, func(n []float64) float64 { return 8 * n[0] * n[0] }),
	"mat: NewTriDense":              unlessDataGiven(2, func(n []float64) float64 { return 8 * n[0] * n[0] }),
	"mat: NewBandDense":             unlessDataGiven(4, func(n []float64) float64 { return 8 * n[0] * (n[2] + n[3] + 1) }),
	"mat: NewSymBandDense":          unlessDataGiven(2, func(n []float64) float64 { return 8 * n[0] * (n[1] + 1) }),
	"mat: NewTriBandDense":          unlessDataGiven(3, func(n []float64) float64 { return 8 * n[0] * (n[1] + 1) }),
	"mat: DenseCopyOf":              dims(0, 0, firstSize),

	"Dense: Add Sub MulElem DivElem RankOne": ifEmpty[*mat.Dense](0, dims(1, 1, firstSize)),
	"Dense: Apply Scale":                     ifEmpty[*mat.Dense](0, dims(2, 2, firstSize)),
	"Dense: CloneFrom Exp Pow Inverse":       dims(1, 1, firstSize),
	"Dense: Mul":                             ifEmpty[*mat.Dense](0, dims(1, 2, matmulSize)),
	"Dense: Product":                         ifEmpty[*mat.Dense](0, productSize),
	"Dense: Outer": ifEmpty[*mat.Dense](0, dims(2, 3, func(r0, _, r1, _ float64) float64 {
		return 8 * r0 * r1
	})),
	"Dense: Kronecker": ifEmpty[*mat.Dense](0, dims(1, 2, func(r0, c0, r1, c1 float64) float64 {
		return 8 * r0 * c0 * r1 * c1
	})),
	"Dense: Stack": ifEmpty[*mat.Dense](0, dims(1, 2, func(r0, c0, r1, _ float64) float64 {
		return 8 * (r0 + r1) * c0
	})),
	"Dense: Augment": ifEmpty[*mat.Dense](0, dims(1, 2, func(r0, c0, _, c1 float64) float64 {
		return 8 * r0 * (c0 + c1)
	})),
	"Dense: Solve": dims(1, 2, func(r0, c0, _, c1 float64) float64 { return 8 * c0 * (r0 + c1) }),
	"Dense: ReuseAs Grow": func(fr unsafe.Pointer, args []*register) float64 {
		return 8 * intArg(fr, args[1]) * intArg(fr, args[2])
	},
	"CDense: ReuseAs Grow": func(fr unsafe.Pointer, args []*register) float64 {
		return 16 * intArg(fr, args[1]) * intArg(fr, args[2])
	},
	"Dense: Permutation":           squareOfInt,
	"SymDense: ReuseAsSym GrowSym": squareOfInt,
	"TriDense: ReuseAsTri":         squareOfInt,
	"VecDense: ReuseAsVec":         func(fr unsafe.Pointer, args []*register) float64 { return 8 * intArg(fr, args[1]) },
	"TriBandDense: ReuseAsTriBand": func(fr unsafe.Pointer, args []*register) float64 {
		return 8 * intArg(fr, args[1]) * (intArg(fr, args[2]) + 1)
	},
	"SymDense: SymOuterK":                          ifEmpty[*mat.SymDense](0, dims(2, 2, rowsSize)),
	"SymDense: AddSym SymRankOne SymRankK RankTwo": ifEmpty[*mat.SymDense](0, dims(1, 1, firstSize)),
	"SymDense: ScaleSym":                           ifEmpty[*mat.SymDense](0, dims(2, 2, firstSize)),
	"SymDense: PowPSD":                             dims(1, 1, firstSize),
	"TriDense: MulTri InverseTri":                  ifEmpty[*mat.TriDense](0, dims(1, 1, firstSize)),
	"TriDense: ScaleTri":                           ifEmpty[*mat.TriDense](0, dims(2, 2, firstSize)),
	"LU: Factorize":                                dims(1, 1, firstSize),
	"QR: Factorize":                                dims(1, 1, firstSize),
	"LQ: Factorize":                                dims(1, 1, firstSize),
	"Cholesky: Factorize":                          dims(1, 1, firstSize),
	"PivotedCholesky: Factorize":                   dims(1, 1, firstSize),
	"Eigen: Factorize":                             dims(1, 1, firstSize),
	"EigenSym: Factorize":                          dims(1, 1, firstSize),
	"SVD: Factorize":                               svdSize,
	"stat: CovarianceMatrix CorrelationMatrix": dims(1, 1, func(r, c, _, _ float64) float64 {
		return 8 * c * (r + c)
	}),

	"QR: QTo": ifEmpty[*mat.Dense](1, qSize[*mat.QR](func(r, _ float64) float64 { return 8 * r * r })),
	"LQ: QTo": ifEmpty[*mat.Dense](1, qSize[*mat.LQ](func(_, c float64) float64 { return 8 * c * c })),
}

func init() {
	const gonum = "gonum.org/v1/gonum/"
	for key, size := range matrixAllocations {
		of, names, _ := strings.Cut(key, ": ")
		for name := range strings.FieldsSeq(names) {
			if of == "mat" || of == "stat" {
				allocations[gonum+of+"."+name] = size
			} else {
				allocations["(*"+gonum+"mat."+of+")."+name] = size
			}
		}
	}
}

// These are arguments of dims: the sizes of matrices like the first one, of the product of the two, and of the product
// of the first one with its transpose.
func firstSize(r0, c0, _, _ float64) float64  { return 8 * r0 * c0 }
func matmulSize(r0, _, _, c1 float64) float64 { return 8 * r0 * c1 }
func rowsSize(r0, _, _, _ float64) float64    { return 8 * r0 * r0 }

// squareOfInt is the estimate for a square matrix whose number of rows is the argument after the receiver.
func squareOfInt(fr unsafe.Pointer, args []*register) float64 {
	return 8 * intArg(fr, args[1]) * intArg(fr, args[1])
}

// productSize is the estimate for the product of the matrices in the argument after the receiver.
func productSize(fr unsafe.Pointer, args []*register) float64 {
	factors := *at[[]mat.Matrix](fr, args[1].off)
	if len(factors) == 0 {
		return 0
	}
	rows, _ := dimsOf(factors[0])
	_, cols := dimsOf(factors[len(factors)-1])
	return 8 * rows * cols
}

// svdSize is the estimate for a singular value decomposition. It allocates a copy of the matrix, and those of
// the two square matrices of singular vectors that the caller asks for.
func svdSize(fr unsafe.Pointer, args []*register) float64 {
	kind := *at[mat.SVDKind](fr, args[2].off)
	return dims(1, 1, func(r, c, _, _ float64) float64 {
		size := 8 * r * c
		if kind&mat.SVDFullU != 0 {
			size += 8 * r * r
		}
		if kind&mat.SVDFullV != 0 {
			size += 8 * c * c
		}
		return size
	})(fr, args)
}

// ifEmpty returns an estimate that is size if argument i, the matrix that gets the result, is empty, and otherwise 0: a
// matrix that is not empty already has the size of the result.
func ifEmpty[M interface{ IsEmpty() bool }](i int, size estimate) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		m := *at[M](fr, args[i].off)
		if reflect.ValueOf(m).IsNil() || !m.IsEmpty() {
			return 0
		}
		return size(fr, args)
	}
}

// qSize returns the estimate for the matrix Q of the factorization that is the receiver. size gets the numbers of rows
// and columns of the factorized matrix.
func qSize[F interface{ Dims() (r, c int) }](size func(r, c float64) float64) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 { return size(dimsOf(*at[F](fr, args[0].off))) }
}

// unlessDataGiven returns the estimate for a function that makes a matrix from a slice of elements, which is the
// argument with index data. A function that gets an empty slice allocates the elements; the estimate is then size(n),
// where n holds the arguments before the slice, with 0 for those whose type is not int. Otherwise the estimate is 0.
func unlessDataGiven(data int, size func(n []float64) float64) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		if at[slice](fr, args[data].off).len > 0 {
			return 0
		}
		n := make([]float64, data)
		for i := range n {
			if args[i].typ.Kind() == reflect.Int {
				n[i] = intArg(fr, args[i])
			}
		}
		return size(n)
	}
}

// dims returns the estimate size(r0, c0, r1, c1), where argument i is a matrix of r0 rows and c0 columns, and argument
// j one of r1 rows and c1 columns.
func dims(i, j int, size func(r0, c0, r1, c1 float64) float64) estimate {
	argument := func(fr unsafe.Pointer, arg *register) (r, c float64) {
		m, _ := reflect.NewAt(arg.typ, unsafe.Add(fr, arg.off)).Elem().Interface().(interface{ Dims() (r, c int) })
		return dimsOf(m)
	}
	return func(fr unsafe.Pointer, args []*register) float64 {
		r0, c0 := argument(fr, args[i])
		r1, c1 := argument(fr, args[j])
		return size(r0, c0, r1, c1)
	}
}

// dimsOf returns the numbers of rows and columns of m, or 0 if it is nil.
func dimsOf(m interface{ Dims() (r, c int) }) (r, c float64) {
	if m == nil || reflect.ValueOf(m).IsZero() {
		return 0, 0
	}
	rows, cols := m.Dims()
	return float64(rows), float64(cols)
}
