package anvil_test

import (
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// linear are the functions of linalg.txt.
var linear = map[string]func(l *nv.Lib, x []nv.Tensor, args []string) []nv.Tensor{
	"Cholesky":   alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Cholesky(x[0]) }),
	"Solve":      alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Solve(x[0], x[1]) }),
	"Inv":        alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Inv(x[0]) }),
	"Det":        alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Det(x[0]) }),
	"PInv":       alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.PInv(x[0]) }),
	"Expm":       alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Expm(x[0]) }),
	"MatrixRank": alone(func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.MatrixRank(x[0]) }),
	"MatrixPower": alone(func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.MatrixPower(x[0], int(axisOf(args[0])))
	}),
	"Cond": alone(func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.Cond(x[0], orderOf(args[0])) }),
	"Norm": alone(func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.OrdOption
		if args[0] != "none" {
			opts = append(opts, nv.Ord(orderOf(args[0])))
		}
		for _, a := range args[1:] {
			if a == "keep" {
				opts = append(opts, nv.KeepDims)
			} else {
				opts = append(opts, axisOf(a))
			}
		}
		return l.Norm(x[0], opts...)
	}),
	"TriangularSolve": alone(func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		words := map[string]nv.TriangularOption{"upper": nv.Upper, "unit": nv.UnitDiagonal, "right": nv.RightSide, "transpose": nv.TransposeA, "adjoint": nv.AdjointA}
		var opts []nv.TriangularOption
		for _, a := range args {
			opts = append(opts, words[a])
		}
		return l.TriangularSolve(x[0], x[1], opts...)
	}),
	"SlogDet": func(l *nv.Lib, x []nv.Tensor, _ []string) []nv.Tensor {
		s, d := l.SlogDet(x[0])
		return []nv.Tensor{s, d}
	},
	"LU": func(l *nv.Lib, x []nv.Tensor, _ []string) []nv.Tensor {
		p, a, b := l.LU(x[0])
		return []nv.Tensor{p, a, b}
	},
	"Eigh": func(l *nv.Lib, x []nv.Tensor, _ []string) []nv.Tensor { w, v := l.Eigh(x[0]); return []nv.Tensor{w, v} },
	"SVD": func(l *nv.Lib, x []nv.Tensor, _ []string) []nv.Tensor {
		u, s, v := l.SVD(x[0])
		return []nv.Tensor{u, s, v}
	},
	"QR": func(l *nv.Lib, x []nv.Tensor, args []string) []nv.Tensor {
		var opts []nv.MatrixOption
		if len(args) > 0 {
			opts = append(opts, nv.FullMatrices)
		}
		q, r := l.QR(x[0], opts...)
		return []nv.Tensor{q, r}
	},
	"Lstsq": func(l *nv.Lib, x []nv.Tensor, _ []string) []nv.Tensor {
		s, r, n, w := l.Lstsq(x[0], x[1])
		return []nv.Tensor{s, r, n, w}
	},
}

func alone(f func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) []nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) []nv.Tensor { return []nv.Tensor{f(l, x, args)} }
}

func orderOf(s string) any {
	if p, err := strconv.ParseFloat(s, 64); err == nil {
		return p
	}
	return s
}

// A linearRow is a line of linalg.txt.
type linearRow struct {
	text, name  string
	args        []string
	complex     bool
	in, results []string
}

func linearRows(t *testing.T) (rows []linearRow) {
	t.Helper()
	data, err := os.ReadFile("testdata/linalg.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		operands, results, _ := strings.Cut(strings.TrimSpace(line), " = ")
		parts := strings.Split(operands, " | ")
		words := strings.Fields(parts[0])
		n := len(words) - 1
		rows = append(rows, linearRow{parts[0], words[0], words[1:n], words[n] == "c", parts[1:], strings.Split(results, " | ")})
	}
	return rows
}

// valuesOf returns the shape and elements of "{2} 1 2". With pairs set, two numbers are one complex element.
func valuesOf(s string, pairs bool) (nv.Shape, []complex128) {
	_, _, shape, xs := parsed("f64" + s)
	if !pairs {
		out := make([]complex128, len(xs))
		for i, x := range xs {
			out[i] = complex(x, 0)
		}
		return shape, out
	}
	out := make([]complex128, len(xs)/2)
	for i := range out {
		out[i] = complex(xs[2*i], xs[2*i+1])
	}
	return shape, out
}

// TestLinearAlgebra compares functions with NumPy, SciPy and JAX, within a thousand
// rounding errors of the greatest element of the result. Under the reference it
// compares every row with all dtypes. Under XLA, which package reference compares with
// the reference, it compares the first row of each function with a few dtypes.
func TestLinearAlgebra(t *testing.T) {
	rows := linearRows(t)
	for name := range linear {
		if !slices.ContainsFunc(rows, func(r linearRow) bool { return r.name == name }) {
			t.Error(name, "has no row in the data")
		}
	}
	for executor, dtypes := range map[string][]nv.DType{"reference": {nv.F32, nv.F64, nv.C64, nv.C128}, "": {nv.F32, nv.C128}} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		for _, d := range dtypes {
			t.Run(executor+d.String(), func(t *testing.T) {
				checked := slices.DeleteFunc(slices.Clone(rows), func(r linearRow) bool { return r.complex != d.Is(dtype.Complex) })
				if executor == "" {
					checked = slices.CompactFunc(checked, func(a, b linearRow) bool { return a.name == b.name })
				}
				checkLinear(t, c, d, checked)
			})
		}
	}
}

func checkLinear(t *testing.T, c *nv.Context, d nv.DType, rows []linearRow) {
	for at := 0; at < len(rows); { // the rows of one function at a time, in one program
		var results []nv.Tensor
		from := at
		for ; at < len(rows) && rows[at].name == rows[from].name; at++ {
			r := rows[at]
			var xs []nv.Tensor
			for _, in := range r.in {
				shape, elements := valuesOf(in, r.complex)
				xs = append(xs, c.From(elements).AsType(d).Reshape(shape))
			}
			results = append(results, linear[r.name](c.Lib, xs, r.args)...)
		}
		values := complexes(c, results)
		for _, r := range rows[from:at] {
			for i, want := range r.results {
				r.compare(t, results[0], values[0], i, want)
				results, values = results[1:], values[1:]
			}
		}
	}
}

// complexes returns the elements of each of xs, computed by one program.
func complexes(c *nv.Context, xs []nv.Tensor) [][]complex128 {
	if len(xs) == 0 {
		return nil
	}
	var flat []any
	for _, x := range xs {
		flat = append(flat, x.AsType(nv.C128).Reshape(nv.Shape{-1}))
	}
	all := nv.Values[complex128](c.Concatenate(0, flat...))
	var out [][]complex128
	for _, x := range xs {
		out, all = append(out, all[:x.Size()]), all[x.Size():]
	}
	return out
}

func (r linearRow) compare(t *testing.T, got nv.Tensor, values []complex128, i int, want string) {
	t.Helper()
	d := got.DType()
	eps := 0x1p-23
	if d == nv.F64 || d == nv.C128 {
		eps = 0x1p-52
	}
	pairs := r.complex && len(strings.Fields(want)) == 1+2*got.Size()
	shape, elements := valuesOf(want, pairs)
	if !got.Shape().Equal(shape) {
		t.Errorf("%s: result %d of shape %s, want %s", r.text, i, got.Shape(), shape)
		return
	}
	most := 0.0
	for _, e := range elements {
		most = max(most, cmplx.Abs(e))
	}
	if r.name == "Lstsq" && i == 1 { // residuals, whose terms cancel
		most = max(most, 1)
	}
	for k, e := range elements {
		if off := cmplx.Abs(values[k] - e); !(off <= 1000*eps*most) && !(cmplx.IsInf(e) && values[k] == e) && !(d.Is(dtype.Integral) && off == 0) {
			t.Errorf("%s %s: result %d [%d] is %v, want %v: %.3g ulp", r.text, d, i, k, values[k], e, off/eps/most)
			return
		}
	}
	if math.IsNaN(most) {
		t.Errorf("%s: the data hold nan", r.text)
	}
}
