package anvil_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// An expr is a random expression over the leaves of a tree.
type expr struct {
	op   string // "" for a leaf
	args []*expr
	leaf int
}

var arithmetic = []string{"Add", "Sub", "Mul", "Maximum", "Minimum"}

// eval returns the value of e for the leaves xs, which are tensors or Go numbers.
func (e *expr) eval(l *nv.Lib, xs []any) any {
	if e.op == "" {
		return xs[e.leaf]
	}
	args := make([]any, len(e.args))
	for i, a := range e.args {
		args[i] = a.eval(l, xs)
	}
	switch e.op {
	case "Add":
		return l.Add(args[0], args[1])
	case "Sub":
		return l.Sub(args[0], args[1])
	case "Mul":
		return l.Mul(args[0], args[1])
	case "Maximum":
		return l.Maximum(args[0], args[1])
	case "Minimum":
		return l.Minimum(args[0], args[1])
	case "Neg":
		return l.Neg(args[0])
	case "Where":
		return l.Where(l.Lt(args[0], args[1]), args[0], args[1])
	case "Eq":
		return l.Eq(args[0], args[1])
	}
	return l.Sum(args[0])
}

// typed returns the dtype and flag of e, computed only from the promotion rules.
func (e *expr) typed(leaves []dtype.Typed) dtype.Typed {
	if e.op == "" {
		return leaves[e.leaf]
	}
	t := e.args[0].typed(leaves)
	switch e.op {
	case "Neg", "Sum":
		return t
	case "Eq":
		return dtype.Typed{DType: dtype.I1, Ambiguous: t.Ambiguous && e.args[1].typed(leaves).Ambiguous}
	}
	return promote.Anvil.Common(t, e.args[1].typed(leaves))
}

func (e *expr) String() string {
	if e.op == "" {
		return fmt.Sprintf("x%d", e.leaf)
	}
	words := make([]string, len(e.args))
	for i, a := range e.args {
		words[i] = a.String()
	}
	return e.op + "(" + strings.Join(words, ", ") + ")"
}

func drawExpr(t *rapid.T, depth, leaves int) *expr {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf?") == 0 {
		return &expr{leaf: rapid.IntRange(0, leaves-1).Draw(t, "leaf")}
	}
	op := rapid.SampledFrom(append([]string{"Neg", "Where", "Eq", "Sum"}, arithmetic...)).Draw(t, "op")
	e := &expr{op: op, args: []*expr{drawExpr(t, depth-1, leaves)}}
	if op != "Neg" && op != "Sum" {
		e.args = append(e.args, drawExpr(t, depth-1, leaves))
	}
	return e
}

// A point is a leaf: its state, and small powers of two as values, so that
// every intermediate result is exact.
type point struct {
	typed  dtype.Typed
	values []float64 // one: a scalar
	lit    any       // a Go number instead
}

func drawPoint(t *rapid.T) point {
	if rapid.IntRange(0, 5).Draw(t, "literal?") == 0 {
		lit := rapid.SampledFrom([]any{1, 2, 0.5, 2.0, true}).Draw(t, "literal")
		typed, _ := promote.Anvil.Literal(lit)
		return point{typed: typed, lit: lit}
	}
	ds := []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.F32, dtype.F64}
	p := point{typed: dtype.Typed{DType: rapid.SampledFrom(ds).Draw(t, "dtype"), Ambiguous: rapid.Bool().Draw(t, "ambiguous")}}
	for range rapid.SampledFrom([]int{1, 3}).Draw(t, "size") {
		v := rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "value")
		if p.typed.DType == dtype.I1 {
			v = min(v, 1)
		}
		p.values = append(p.values, v)
	}
	return p
}

// at returns p as a tensor or number of c.
func (p point) at(c *nv.Context) any {
	if p.lit != nil {
		return p.lit
	}
	x := c.New(p.values).AsType(p.typed.DType)
	if len(p.values) == 1 {
		x = x.Reshape(nil)
	}
	return c.New(x, p.typed.DType, nv.Ambiguous(p.typed.Ambiguous))
}

// minusZero matches a negative zero. XLA may lose the sign: it computes a bool times a
// float as a choice between the float and 0.
var minusZero = regexp.MustCompile(`-0([ \]])`)

// outcome returns the result of f as text, or its error.
func outcome(f func() nv.Tensor) (s string) {
	if err := nv.Try(func() { s = show(f()) }); err != nil {
		return "error: " + err.Error()
	}
	return minusZero.ReplaceAllString(s, "0$1")
}

// TestOneAnswer: an expression has one dtype, flag and value however it is
// computed, and the dtype and flag are those of the promotion rules.
func TestOneAnswer(t *testing.T) {
	for _, backends := range [][]string{{"reference"}, {"reference", ""}} {
		if testing.Short() && len(backends) > 1 {
			continue
		}
		t.Run(strings.Join(backends, " and ")+" ", func(t *testing.T) {
			var contexts []*nv.Context
			for _, b := range backends {
				contexts = append(contexts, nv.NewContext(nv.ContextOptions{Backend: b}), nv.NewContext(nv.ContextOptions{Backend: b, Eager: true}))
			}
			rapid.Check(t, func(t *rapid.T) {
				points := []point{drawPoint(t), drawPoint(t), drawPoint(t)}
				e := drawExpr(t, 4, len(points))
				if e.op == "" {
					return
				}
				checkOneAnswer(t, contexts, points, e)
			})
		})
	}
}

func checkOneAnswer(t *rapid.T, contexts []*nv.Context, points []point, e *expr) {
	var first string
	for i, c := range contexts {
		xs, types := make([]any, len(points)), make([]dtype.Typed, len(points))
		for j, p := range points {
			xs[j], types[j] = p.at(c), p.typed
		}
		eager := outcome(func() nv.Tensor { return e.eval(c.Lib, xs).(nv.Tensor) })
		if i == 0 {
			first = eager
			if want := e.typed(types).String(); !strings.HasPrefix(eager, want+"{") && !strings.HasPrefix(eager, "error: ") {
				t.Fatalf("%s of %v is %s, want %s", e, types, eager, want)
			}
		}
		if eager != first {
			t.Fatalf("%s of %v is %s, and in context %d %s", e, types, first, i, eager)
		}
		f := c.JitAny(func(xs []any) nv.Tensor { return e.eval(c.Lib, xs).(nv.Tensor) }).(func([]any) nv.Tensor)
		if jit := outcome(func() nv.Tensor { return f(xs) }); jit != first {
			t.Fatalf("%s of %v is %s, and compiled in context %d %s", e, types, first, i, jit)
		}
	}
}

// TestRandomFloats: if results are rounded, all ways to compute an expression agree within
// a few units in the last place of the largest intermediate result.
func TestRandomFloats(t *testing.T) {
	exact := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	contexts := []*nv.Context{nv.NewContext(nv.ContextOptions{Backend: "reference"}), nv.NewContext(nv.ContextOptions{}),
		nv.NewContext(nv.ContextOptions{Eager: true})}
	rapid.Check(t, func(t *rapid.T) {
		e := drawExpr(t, 4, 3)
		if e.op == "" || strings.Contains(e.String(), "Eq") {
			return
		}
		values := make([][]float64, 3)
		for i := range values {
			values[i] = rapid.SliceOfN(rapid.Float64Range(-2, 2), 3, 3).Draw(t, "values")
		}
		leaves := func(c *nv.Context, d nv.DType) (xs []any) {
			for _, v := range values {
				xs = append(xs, c.New(v, nv.F32).AsType(d))
			}
			return xs
		}
		largest := e.largest(exact.Lib, leaves(exact, nv.F64))
		first := nv.Values[float64](e.eval(contexts[0].Lib, leaves(contexts[0], nv.F32)).(nv.Tensor))
		for i, c := range contexts[1:] {
			for j, v := range nv.Values[float64](e.eval(c.Lib, leaves(c, nv.F32)).(nv.Tensor)) {
				if d := math.Abs(v - first[j]); d > 16*(largest*0x1p-23+smallestNormal) {
					t.Fatalf("%s of %v: element %d is %v and in context %d %v", e, values, j, first[j], i+1, v)
				}
			}
		}
	})
}

// smallestNormal is the smallest normal f32. On CPUs, XLA treats smaller operands and
// results as 0, which the reference does not.
const smallestNormal = 0x1p-126

// largest returns the greatest magnitude among the intermediate results of e.
func (e *expr) largest(l *nv.Lib, xs []any) float64 {
	m := l.Max(l.Abs(e.eval(l, xs))).Float()
	for _, a := range e.args {
		m = max(m, a.largest(l, xs))
	}
	return m
}
