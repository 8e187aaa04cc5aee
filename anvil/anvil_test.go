package anvil_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/promote"
)

// contexts runs f on each executor, computing lazily and after every operation.
func contexts(t *testing.T, f func(t *testing.T, c *nv.Context)) {
	t.Helper()
	for _, o := range []nv.ContextOptions{
		{Backend: "reference"}, {Backend: "reference", Eager: true}, {}, {Eager: true},
	} {
		name := o.Backend
		if name == "" {
			name = "default"
		}
		if o.Eager {
			name += "-eager"
		}
		t.Run(name, func(t *testing.T) { f(t, nv.NewContext(o)) })
	}
}

// show returns the type, flag and values of x: "i16{} [4]".
func show(x nv.Tensor) string {
	return fmt.Sprintf("%s%s %v", x.Typed(), x.Shape(), x.Values())
}

// want fails the test unless show(x) is s.
func want(t *testing.T, x nv.Tensor, s string) {
	t.Helper()
	if got := show(x); got != s {
		t.Errorf("got %s, want %s", got, s)
	}
}

// errorOf returns the text of the *Error that f panics with.
func errorOf(t *testing.T, f func()) string {
	t.Helper()
	err := nv.Try(f)
	if err == nil {
		t.Error("no error")
		return ""
	}
	var e *nv.Error
	if !errors.As(err, &e) {
		t.Errorf("the error is a %T, not an *anvil.Error: %v", err, err)
	}
	return err.Error()
}

func TestPromotionWorkedExample(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x, y := c.Scalar(true), c.Scalar(2, nv.I16)
		z := x.Add(1)
		want(t, z, "i32?{} [2]")
		want(t, z.Mul(y), "i16{} [4]")
		want(t, x.Add(c.Scalar(1, nv.I32)).Mul(y), "i32{} [4]")
		want(t, c.Neg(1).Add(c.Scalar(2, nv.I16)), "i16{} [1]")
		want(t, c.Scalar(1.0, nv.F32).Add(c.Scalar(1.0, nv.F64)), "f64{} [2]")
	})
}

func TestConstructors(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		want(t, c.Scalar(1.0), "f32?{} [1]")
		want(t, c.Scalar(1), "i32?{} [1]")
		want(t, c.Scalar(true), "i1{} [true]")
		want(t, c.Scalar(1i), "c64?{} [(0+1i)]")
		want(t, c.Scalar(int8(3)), "i8{} [3]")
		want(t, c.Scalar(1.0, nv.F32), "f32{} [1]")
		want(t, c.Scalar(1.0, nv.Ambiguous(false)), "f32{} [1]")
		want(t, c.New([]float64{1, 2, 3}), "f32{3} [1 2 3]")
		want(t, c.New([]float64{1, 2, 3}, nv.Ambiguous(true)), "f32?{3} [1 2 3]")
		want(t, c.New([][]int{{1, 2}, {3, 4}}), "i32{2,2} [1 2 3 4]")
		want(t, c.New([2][1]int64{{1}, {2}}), "i64{2,1} [1 2]")
		want(t, c.From(2.5), "f64{} [2.5]")
		want(t, c.From([]int{1, 2}), "i64{2} [1 2]")
		want(t, c.Zeros(nv.Shape{2}), "f32{2} [0 0]")
		want(t, c.Ones(nv.Shape{1, 2}, nv.I8), "i8{1,2} [1 1]")
		want(t, c.Full(nv.Shape{2}, 7), "i32?{2} [7 7]")
		want(t, c.Eye(2, nv.I32), "i32{2,2} [1 0 0 1]")
		want(t, c.Arange(3), "i32{3} [0 1 2]")
		want(t, c.Arange(1, 2, 0.5), "f32{2} [1 1.5]")
		want(t, c.Linspace(0, 1, 3), "f32{3} [0 0.5 1]")
		want(t, c.Iota(nv.Shape{2, 2}, 1), "i32{2,2} [0 1 0 1]")
		want(t, c.ZerosLike(c.Scalar(5)), "i32?{} [0]")
		want(t, c.Zeros(nv.Shape{0, 3}), "f32{0,3} []")
	})
}

func TestNewIsExact(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	const hint = "; say the dtype: nv.Scalar(v, nv.I64) or int64(v)"
	for _, v := range []any{[]int{1, 1 << 31}, [][]int64{{1}, {1 << 40}}} {
		want := fmt.Sprintf("New(%T): the number does not fit i32, which holds -2147483648 to 2147483647", v) + hint
		if s := errorOf(t, func() { c.New(v, nv.I32) }); s != want {
			t.Error(s)
		}
	}
	errorOf(t, func() { c.New([]float64{1, 1e300}) })
	errorOf(t, func() { c.New([][]int{{1, 2}, {3}}) })
	errorOf(t, func() { c.New([]string{"a"}) })
	errorOf(t, func() { c.New([]float64{0.5}, nv.I8) })
	want(t, c.New([]float64{1, 2}, nv.I8), "i8{2} [1 2]")
	want(t, c.New([]any{1, 2.5, int8(3)}), "f32{3} [1 2.5 3]")
	want(t, c.New([]nv.Tensor{c.Scalar(1), c.Scalar(2, nv.I8)}), "i8{2} [1 2]")
	want(t, c.New([]float64{math.Inf(1)}), "f32{1} [+Inf]")
	want(t, c.New([][]float64{}), "f32{0,0} []")
}

func TestLiteralsAreExact(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.Zeros(nv.Shape(nil), nv.F64)
		if got := x.Add(0.1).Float(); got != 0.1 {
			t.Errorf("f64 + 0.1 is %v", got)
		}
		if got := c.Lit(0.1).Add(x).Float(); got != 0.1 {
			t.Errorf("Lit(0.1) + f64 is %v", got)
		}
		if s := errorOf(t, func() { c.Scalar(1 << 40) }); s !=
			"Scalar(int 1099511627776): the number does not fit i32, which holds -2147483648 to "+
				"2147483647; say the dtype: nv.Scalar(v, nv.I64) or int64(v)" {
			t.Error(s)
		}
		if s := errorOf(t, func() { c.Scalar(1, nv.I8).Add(300) }); s !=
			"Add(i8{}, int 300): the number does not fit i8, which holds -128 to 127; use a wider dtype, "+
				"or wrap on purpose with AsType" {
			t.Error(s)
		}
	})
}

func TestDivisionRules(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x, y := c.New([]int{7, -7, 7, -7}), c.New([]int{2, 2, -2, -2})
		want(t, x.Div(y), "i32{4} [3 -3 -3 3]")
		want(t, x.Rem(y), "i32{4} [1 -1 1 -1]")
		want(t, x.FloorDiv(y), "i32{4} [3 -4 -4 3]")
		want(t, x.TrueDiv(2), "f32?{4} [3.5 -3.5 3.5 -3.5]")
		want(t, x.Div(0), "i32{4} [-1 -1 -1 -1]")
		want(t, c.Div(5, 2), "i32?{} [2]")
	})
}

func TestComparisonFlags(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		a, k := c.Scalar(1), c.Scalar(2, nv.I32)
		want(t, a.Lt(2), "i1?{} [true]")
		want(t, k.Lt(a), "i1{} [false]")
		want(t, a.Lt(2).Any(), "i1{} [true]")
		want(t, c.New([]int{1, 3, 2}).ArgMax(), "i32{} [1]")
		want(t, c.New([]int{1, 3, 2}).Ge(2), "i1{3} [false true true]")
	})
}

func TestBroadcast(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m, r, col := c.New([][]int{{1, 2}, {3, 4}}), c.New([]int{10, 20}), c.New([][]int{{100}, {200}})
		want(t, m.Add(r), "i32{2,2} [11 22 13 24]")
		want(t, r.Add(col), "i32{2,2} [110 120 210 220]")
		want(t, m.Sub(1), "i32{2,2} [0 1 2 3]")
		want(t, c.Sub(1, m), "i32{2,2} [0 -1 -2 -3]")
		s := errorOf(t, func() { m.Add(c.Zeros(nv.Shape{3})) })
		if s != "Add(i32{2,2}, f32{3}): shapes {2,2} and {3} do not broadcast; lengths must be equal or 1, counted "+
			"from the last axis" {
			t.Error(s)
		}
	})
}

func TestReductions(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m := c.New([][]float64{{1, 5, 3}, {4, 2, 6}})
		want(t, m.Sum(), "f32{} [21]")
		want(t, m.Sum(nv.Axis(0)), "f32{3} [5 7 9]")
		want(t, m.Max(nv.Axis(-1)), "f32{2} [5 6]")
		want(t, m.Min(nv.Axis(1), nv.KeepDims), "f32{2,1} [1 2]")
		want(t, m.Mean(), "f32{} [3.5]")
		want(t, m.Prod(nv.Axis(0), nv.Axis(1)), "f32{} [720]")
		want(t, m.ArgMax(nv.Axis(1)), "i32{2} [1 2]")
		want(t, m.ArgMin(nv.Axis(0), nv.KeepDims), "i32{1,3} [0 1 0]")
		want(t, c.New([]int{1, 2}).Mean(), "f32?{} [1.5]")
		want(t, c.New([]bool{true, false}).All(), "i1{} [false]")
		want(t, c.New([]float64{1, 3}).Var(), "f32{} [1]")
		if s := errorOf(t, func() { m.Sum(nv.Axis(2)) }); s !=
			"Sum(f32{2,3}): axis 2 does not exist: the rank is 2; axes are 0 to 1, or -2 to -1" {
			t.Error(s)
		}
	})
}

func TestLayout(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m := c.New([][]int{{1, 2, 3}, {4, 5, 6}})
		want(t, m.T(), "i32{3,2} [1 4 2 5 3 6]")
		want(t, m.Reshape(nv.Shape{3, -1}), "i32{3,2} [1 2 3 4 5 6]")
		want(t, m.Flip(nv.Axis(1)), "i32{2,3} [3 2 1 6 5 4]")
		want(t, m.ExpandDims(0).Squeeze(), "i32{2,3} [1 2 3 4 5 6]")
		want(t, m.Pad(nv.Shape{0, 1}, nv.Shape{0, 0}, 9), "i32{2,4} [9 1 2 3 9 4 5 6]")
		want(t, c.Concatenate(0, c.New([]bool{true}), c.New([]int8{2}), c.Full(nv.Shape{1}, 1.5)), "f32?{3} [1 2 1.5]")
		for _, x := range c.PromoteToCommon(true, c.New([]int8{1}), 2.5) {
			if x.Typed().String() != "f32?" {
				t.Error(x)
			}
		}
		want(t, c.Stack(-1, c.New([]int{1, 2}), c.New([]int{3, 4})), "i32{2,2} [1 3 2 4]")
		want(t, c.New([]int{1, 2}).BroadcastTo(nv.Shape{2, 2}), "i32{2,2} [1 2 1 2]")
		s := c.New([][]int{{3, 1, 2}, {6, 5, 4}})
		want(t, s.Sort(), "i32{2,3} [1 2 3 4 5 6]")
		want(t, s.ArgSort(), "i32{2,3} [1 2 0 2 1 0]")
		want(t, s.Sort(nv.Axis(0)).At(0), "i32{3} [3 1 2]")
		want(t, c.Clamp(m, 2, 4), "i32{2,3} [2 2 3 4 4 4]")
		want(t, c.Where(m.Gt(3), m, 0), "i32{2,3} [0 0 0 4 5 6]")
	})
}

func TestMatMul(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m, v := c.New([][]float64{{1, 2}, {3, 4}}), c.New([]float64{1, 10})
		want(t, m.MatMul(m), "f32{2,2} [7 10 15 22]")
		want(t, m.MatMul(v), "f32{2} [21 43]")
		want(t, v.MatMul(m), "f32{2} [31 42]")
		want(t, v.MatMul(v), "f32{} [101]")
		b := c.Stack(0, m, m.Mul(2))
		want(t, b.MatMul(m), "f32{2,2,2} [7 10 15 22 14 20 30 44]")
		want(t, m.AsType(nv.BF16).MatMul(m.AsType(nv.BF16), nv.Accumulate(nv.F32)), "f32{2,2} [7 10 15 22]")
		if s := errorOf(t, func() { m.MatMul(c.Zeros(nv.Shape{3, 2})) }); s !=
			"MatMul(f32{2,2}, f32{3,2}): inner lengths differ: {2,2} has 2 columns, {3,2} has 3 rows; "+
				"transpose one of them: x.T()" {
			t.Error(s)
		}
	})
}

func TestIndex(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m := c.Arange(12).Reshape(nv.Shape{3, 4})
		want(t, m.At(1), "i32{4} [4 5 6 7]")
		want(t, m.At(-1, -1), "i32{} [11]")
		want(t, m.At(nv.All, 0), "i32{3} [0 4 8]")
		want(t, m.At(nv.Range(1, 3), 2), "i32{2} [6 10]")
		want(t, m.At(nv.All, nv.Slice(0, nv.End, 2)), "i32{3,2} [0 2 4 6 8 10]")
		want(t, m.At(c.New([]int{2, 0, -1}), 1), "i32{3} [9 1 9]")
		want(t, m.At(0, []int{3, 1}), "i32{2} [3 1]")
		want(t, m.At(c.Scalar(2), nv.Range(0, 1)), "i32{1} [8]")
		want(t, m.At(nv.Ellipsis, 1), "i32{3} [1 5 9]")
		want(t, m.At(1, nv.NewAxis, nv.Range(0, 2)), "i32{1,2} [4 5]")
		want(t, m.Set(100, 1, 2).At(1), "i32{4} [4 5 100 7]")
		want(t, m.Set(c.New([]int{7, 8, 9}), nv.All, -1).At(nv.All, 3), "i32{3} [7 8 9]")
		want(t, m.At(nv.Range(2, 2)), "i32{0,4} []")
		empty, none := m.At(nv.Range(2, 2)), c.Zeros(nv.Shape{0}, nv.I32)
		want(t, empty.At(none), "i32{0,4} []")
		want(t, empty.At(c.Zeros(nv.Shape{2, 0}, nv.I32), nv.Range(0, 3)), "i32{2,0,3} []")
		want(t, empty.At(nv.All, c.New([]int{3, 0})), "i32{0,2} []")
		want(t, m.At(none), "i32{0,4} []")
		if s := errorOf(t, func() { empty.At(c.New([]int{0})) }); s != "At(i32{0,4}, i32{1}): axis 0 has length 0: no index is in range" {
			t.Error(s)
		}
		for _, f := range []func(){func() { m.At(3) }, func() { m.At(0, 0, 0) }, func() { m.At(nv.Range(0, 9)) }, func() { m.Set(1.5, 0) }, func() { m.At("a") }} {
			errorOf(t, f)
		}
	})
}

func TestZeroTensor(t *testing.T) {
	var z nv.Tensor
	if z.String() != "Tensor(nil)" {
		t.Error(z.String())
	}
	if s := errorOf(t, func() { z.Add(1) }); s != "Add(Tensor(nil)): the operand is a Tensor that has not been set; make one with nv.Scalar, nv.New or nv.Zeros" {
		t.Error(s)
	}
}

func TestWhy(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	c.SetLine("In[3]:2")
	w := nv.Why(c.Scalar(true).Add(1).Mul(c.Scalar(2, nv.I16)))
	if w.String() != "Mul(i32?, i16) -> i16 under anvil, at In[3]:2\n 1. i32? with i16: i16 (ambiguous yields: a "+
		"known dtype of the same or a higher kind wins, even where it is narrower)\nthe path of i16 "+
		"through the cell (other operands are left out):\n 1. Scalar(i32? literal) -> i16 (asked for): "+
		"decided here\n 2. Mul(i32?, i16) -> i16 (ambiguous yields)" || len(w.Steps) == 0 {
		t.Error(w)
	}
}

// TestWhyOfFunctions checks the rules that Why names and explains: the last of them decided the dtype.
func TestWhyOfFunctions(t *testing.T) {
	c := plainGo(t)
	x, ints := c.Ones(nv.Shape{2, 3}), c.From([]int32{2, 0, 1})
	half := c.Ones(nv.Shape{3}, nv.F16)
	for _, row := range []struct {
		made nv.Tensor
		want string
	}{
		{c.Zeros(nv.Shape{1}), "made: no number is given: the system's default float, known"},
		{c.Zeros(nv.Shape{1}, nv.F64), "asked for: the constructor was called with this dtype or ambiguity"},
		{c.New([]int{1}), "made: int, float64 and complex128 numbers have the system's default dtype, others " +
			"(int8, float32) keep their own; New makes it known"},
		{c.Arange(3), "literal: a plain Go number has no dtype of its own; by itself it counts as i32, made: the " +
			"common dtype of the bounds and the step, known"},
		{c.Iota(nv.Shape{3}, 0), "made: the values are integers: the system's default integer, known"},
		{c.Scalar(1), "literal: a plain Go number has no dtype of its own; by itself it counts as i32, made: the " +
			"dtype that the system gives the number"},
		{c.ZerosLike(x), "made: the dtype and ambiguity of the given tensor"},
		{x.Reshape(nv.Shape{6}), "keeps the dtype: elements are moved, not computed: dtype and ambiguity stay"},
		{x.At(0), "first operand: elements are selected by index and keep their dtype"},
		{x.Set(2, 0, 0), "first operand: stored values are converted to the dtype of the tensor"},
		{x.Pad(nv.Shape{0, 1}, nv.Shape{0, 1}, 0), "first operand: the padding is converted to the dtype of the " +
			"tensor"},
		{c.SortBy(ints, ints), "first operand: elements are moved in the order of the keys"},
		{c.Ldexp(half, ints), "first operand: the exponents are integers"},
		{c.Diff(ints, 1), "first operand: neighbours are subtracted at their own dtype"},
		{ints.AddAt(1, 0), "first operand: stored values are converted to the dtype of the tensor"},
		{c.SegmentSum(half, ints, 3), "first operand: rows are combined by segment at their own dtype"},
		{c.Reduce(half, half.At(0), func(a, b nv.Tensor) nv.Tensor { return a.Add(b) }),
			"first operand: elements are combined at their own dtype"},
		{c.BitcastConvert(half, nv.I16), "converted: the bits are read as the given dtype"},
		{c.From([]int32{1}), "made: a Go number keeps exactly its own dtype"},
		{c.Linspace(0, 1, 3), "literal: a plain Go number has no dtype of its own; by itself it counts as i32, " +
			"literal: a plain Go number has no dtype of its own; by itself it counts as i32, literal: a " +
			"plain Go number has no dtype of its own; by itself it counts as i32, made: the values are " +
			"fractions: the system's default float, known"},
		{c.ArgMax(x), "position: i32, never ambiguous"},
		{c.Lit(1), "literal: a plain Go number has no dtype of its own; by itself it counts as i32, made: a " +
			"literal keeps its exact value until it meets a dtype"},
		{c.SearchSorted(c.Arange(3, nv.F32), 1), "position: positions have the dtype that the system gives ArgMax"},
		{x.AsType(nv.F64), "converted: AsType converts to the given dtype, which is then known"},
		{c.ArgSort(x), "counted in i32: positions are i32"},
		{c.Where(ints.Lt(1), ints, half), "float over integer: an integer of any width takes on the float's dtype"}, // the condition does not promote
		{ints.Lt(ints), "same dtype: both operands have this dtype; the result is ambiguous (?) only if both are, " +
			"truth: a comparison is a bool; it is ambiguous only if both operands are"},
		{c.Scalar(1).Lt(c.Scalar(2)), "same dtype: both operands have this dtype; the result is ambiguous (?) only " +
			"if both are, truth, ambiguous: a comparison is a bool; it is ambiguous because both operands " +
			"are"},
		{x.Sum(nv.Accumulate(nv.F64)), "reduction: anvil's reductions keep the dtype; the result is ambiguous (?) " +
			"if the operand is, asked for: the operation was called with this dtype or ambiguity"},
	} {
		var rules []string
		for _, step := range nv.Why(row.made).Steps {
			rules = append(rules, step.Rule.Name+": "+step.Rule.Doc)
		}
		if got := strings.Join(rules, ", "); got != row.want {
			t.Errorf("%v: the rules are %s, want %s", nv.Why(row.made), got, row.want)
		}
	}
	for _, row := range []struct {
		made nv.Tensor
		want string
	}{
		{c.Concatenate(0, x, x, x, x, x, x), "Concatenate(f32, f32, f32, f32, 2 more) -> f32 under anvil\n " +
			"1. f32 with f32: f32 (same dtype: both operands have this dtype; the result is ambiguous (?) " +
			"only if both are)\n 2. f32 with f32: f32 (same dtype: both operands have this dtype; the " +
			"result is ambiguous (?) only if both are)\n 3. f32 with f32: f32 (same dtype: both operands " +
			"have this dtype; the result is ambiguous (?) only if both are)"},
		{half.Softmax(), "Softmax(f16) -> f16 under anvil\n 1. Softmax of f16: f16 (keeps the dtype: the " +
			"result has the dtype and ambiguity of its operands)\n    intermediate values are f32"},
		{x.Sum(nv.Accumulate(nv.F64)), "Sum(f32) -> f64 under anvil\n 1. Sum of f32: f32 (reduction: " +
			"anvil's reductions keep the dtype; the result is ambiguous (?) if the operand is)\n 2. Sum of " +
			"f32 as f64: f64 (asked for: the operation was called with this dtype or ambiguity)"},
		{c.Zeros(nv.Shape{1}), "Zeros() -> f32 under anvil\n 1. Zeros: f32 (made: no number is given: the " +
			"system's default float, known)"},
		{c.Scalar(1), "Scalar(i32? literal) -> i32? under anvil\n 1. a number, i32?: i32? (literal: a " +
			"plain Go number has no dtype of its own; by itself it counts as i32)\n 2. Scalar of i32?: i32? " +
			"(made: the dtype that the system gives the number)"},
		{ints.Lt(ints), "Lt(i32, i32) -> i1 under anvil\n 1. i32 with i32: i32 (same dtype: both operands " +
			"have this dtype; the result is ambiguous (?) only if both are)\n 2. Lt at i32: i1 (truth: a " +
			"comparison is a bool; it is ambiguous only if both operands are)"},
		{c.Max(ints), "Max(i32) -> i32 under anvil\n 1. Max of i32: i32 (reduction: anvil's reductions " +
			"keep the dtype; the result is ambiguous (?) if the operand is)"},
	} {
		if got := nv.Why(row.made).String(); got != row.want {
			t.Errorf("%s, want %s", got, row.want)
		}
	}
}

// TestWhyChain checks that Why lists the operations of the cell and which of them decided
// the dtype, without those of other cells, and does not keep a long history in memory.
func TestWhyChain(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	c.SetLine("In[1]")
	x := c.New([]int32{1, 2})
	c.SetLine("In[2]")
	w := nv.Why(x.Mul(2.5).Add(1))
	want := []string{"Mul(i32, f32? literal) -> f32? (ambiguous of a higher kind): decided here\n" +
		"i32 with f32?: f32? (ambiguous of a higher kind: the known dtype is of a lower kind " +
		"(bool < integer < float < complex): the ambiguous one wins, and stays ambiguous)",
		"Add(f32?, i32? literal) -> f32? (float over integer)"}
	if got := w.ChainTexts(); !slices.Equal(got, want) {
		t.Error(got)
	}
	y := x.Mul(2.5)
	for range 1000 {
		y = y.Add(1)
	}
	w = nv.Why(y)
	if _, decided := w.Chain(); len(w.Before) > 8 || decided != -1 {
		t.Error(len(w.Before), decided)
	}
}

func TestContextsDoNotMix(t *testing.T) {
	a, b := nv.NewContext(nv.ContextOptions{Backend: "reference"}), nv.NewContext(nv.ContextOptions{Backend: "reference"})
	if s := errorOf(t, func() { a.Scalar(1).Add(b.Scalar(1)) }); !strings.Contains(s, "the tensors belong to two contexts; make all tensors in one Context") {
		t.Error(s)
	}
}

func TestHost(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.New([]float64{1.5, -2})
		if got := nv.Values[int](x); !reflect.DeepEqual(got, []int{1, -2}) {
			t.Error(got)
		}
		if got := nv.Item[float64](x.At(0)); got != 1.5 {
			t.Error(got)
		}
		if got := c.New([]float64{1.5}, nv.BF16).Values(); !reflect.DeepEqual(got, []float32{1.5}) {
			t.Error(got)
		}
		w, err := c.Arange(100).Reshape(nv.Shape{10, 10}).Window(nv.Shape{1, 2}, nv.Shape{3, 4})
		if err != nil || !slices.Equal(array.View[int32](w), []int32{12, 13, 22, 23}) {
			t.Error(w, err)
		}
		w, err = c.Arange(1000).Reshape(nv.Shape{10, 100}).Window(nv.Shape{8, 98}, nv.Shape{10, 100})
		if err != nil || !slices.Equal(array.View[int32](w), []int32{898, 899, 998, 999}) {
			t.Error(w, err)
		}
		errorOf(t, func() { x.Float() })
		errorOf(t, func() { x.At(0).Bool() })
	})
}

func TestJit(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		calls := 0
		f := c.JitAny(func(a, b nv.Tensor) nv.Tensor { calls++; z := a.Add(1); return z.Mul(b) }).(func(a, b nv.Tensor) nv.Tensor)
		x, y := c.Scalar(true), c.Scalar(2, nv.I16)
		want(t, f(x, y), "i16{} [4]")
		want(t, f(c.Scalar(false), y), "i16{} [2]")
		if calls != 1 {
			t.Error("traced", calls, "times")
		}
		want(t, f(c.Scalar(3), y), "i16{} [8]")
		before := c.Stats()
		want(t, f(c.Scalar(3, nv.I32), y), "i32{} [8]")
		want(t, f(c.Scalar(5, nv.I32), y), "i32{} [12]")
		if d := c.Stats().Compiles - before.Compiles + c.Stats().DiskHits - before.DiskHits; d > 2 {
			t.Error("compiled", d)
		}
	})
}

func TestJitFlagIsNotPartOfProgram(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	traces := 0
	f := c.JitAny(func(x nv.Tensor) nv.Tensor { traces++; return x.Exp() }).(func(nv.Tensor) nv.Tensor)
	want(t, f(c.Scalar(0.0)), "f32?{} [1]")
	want(t, f(c.Scalar(0.0, nv.F32)), "f32{} [1]")
	if traces != 2 || c.Stats().Compiles != 1 {
		t.Error(traces, c.Stats().Compiles)
	}
}

func TestJitLiterals(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		out := c.JitAny(func() []any { return []any{1, 1.0, true} }).(func() []any)()
		for i, s := range []string{"i32?{} [1]", "f32?{} [1]", "i1{} [true]"} {
			want(t, out[i].(nv.Tensor), s)
		}
		named := c.JitAny(func() map[string]any { return map[string]any{"n": 1} }).(func() map[string]any)()
		if x, ok := named["n"].(nv.Tensor); !ok || show(x) != "i32?{} [1]" {
			t.Errorf("%T, want a Tensor", named["n"])
		}
	})
}

type layer struct {
	W, B nv.Tensor
	Name string
}

func TestJitTrees(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		f := c.JitAny(func(ls []layer, xs map[string]nv.Tensor, n int) (layer, nv.Tensor) {
			y := xs["x"]
			for range n {
				for _, l := range ls {
					y = y.Mul(l.W).Add(l.B)
				}
			}
			return layer{W: y, B: xs["x"], Name: ls[0].Name}, y.Neg()
		}).(func([]layer, map[string]nv.Tensor, int) (layer, nv.Tensor))
		ls := []layer{{c.Scalar(2.0), c.Scalar(1.0), "a"}, {c.Scalar(3.0), c.Scalar(0.0), "b"}}
		l, y := f(ls, map[string]nv.Tensor{"x": c.New([]float64{1, 2})}, 2)
		want(t, l.W, "f32{2} [57 93]")
		want(t, l.B, "f32{2} [1 2]")
		want(t, y, "f32{2} [-57 -93]")
		if l.Name != "a" {
			t.Error(l.Name)
		}
	})
}

func TestJitSeesWhatItCaptures(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		w := c.New([]float64{1, 2})
		f := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(w) })
		want(t, f(w), "f32{2} [1 4]")
		w = c.New([]float64{3, 5})
		want(t, f(c.Ones(nv.Shape{2})), "f32{2} [3 5]")
		scale := 2.0
		traces := 0
		read := func(x nv.Tensor) nv.Tensor { traces++; return x.Mul(w).Mul(scale) }
		c.SetReads(func(f reflect.Value) (string, []reflect.Value, bool) {
			return "", []reflect.Value{reflect.ValueOf(&w).Elem(), reflect.ValueOf(&scale).Elem()}, f.Pointer() == reflect.ValueOf(read).Pointer()
		})
		g := c.JitAny(read).(func(nv.Tensor) nv.Tensor)
		want(t, g(c.Ones(nv.Shape{2})), "f32{2} [6 10]")
		w = w.Add(1)
		want(t, g(c.Ones(nv.Shape{2})), "f32{2} [8 12]")
		if traces != 1 {
			t.Error("traced", traces, "times")
		}
		h := c.JitAny(func(x nv.Tensor) nv.Tensor { return x.Mul(scale) }).(func(nv.Tensor) nv.Tensor)
		want(t, h(c.Ones(nv.Shape{1})), "f32{1} [2]")
		scale = 3
		want(t, h(c.Ones(nv.Shape{1})), "f32{1} [3]")
		want(t, g(c.Ones(nv.Shape{2})), "f32{2} [12 18]")
	})
}

func TestTracedValuesStayInside(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	var out nv.Tensor
	f := c.JitAny(func(x nv.Tensor) nv.Tensor { out = x.Add(1); return out }).(func(nv.Tensor) nv.Tensor)
	f(c.Scalar(1.0))
	if s := errorOf(t, func() { out.Mul(2) }); s != "Mul(f32?{}, int 2): a tensor from inside a traced function is "+
		"used outside of it; return it from the function instead" {
		t.Error(s)
	}
	g := c.JitAny(func(x nv.Tensor) nv.Tensor {
		if x.Gt(0).Bool() {
			return x
		}
		return x.Neg()
	}).(func(nv.Tensor) nv.Tensor)
	if s := errorOf(t, func() { g(c.Scalar(1.0)) }); s != "Bool(i1?{}): x is being traced and has no value yet; use nv.If for a "+
		"condition, nv.Where for a choice between elements, or return x and read it outside" {
		t.Error(s)
	}
}

func TestNestedJit(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		inner := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
		outer := nv.Jit(func(x nv.Tensor) nv.Tensor { return inner(x).Add(inner(x.Add(1))) })
		before := c.Stats().Launches
		want(t, outer(c.New([]float64{1, 2})), "f32{2} [6 10]")
		if n := c.Stats().Launches - before; n != 1 && !strings.HasSuffix(t.Name(), "eager") {
			t.Error(n, "launches")
		}
	})
}

func TestIf(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.New([]float64{1, 2})
		pick := func(p nv.Tensor) nv.Tensor {
			return c.If(p, func() nv.Tensor { return x.Add(1) }, func() nv.Tensor { return x.Mul(10) })
		}
		want(t, pick(c.Scalar(true)), "f32{2} [2 3]")
		want(t, pick(c.Scalar(false)), "f32{2} [10 20]")
		lit := func(v any, opts ...nv.Option) func() nv.Tensor {
			return func() nv.Tensor { return c.Scalar(v, opts...) }
		}
		want(t, c.If(true, lit(1), lit(2)), "i32?{} [1]")
		want(t, c.If(true, lit(1), lit(2, nv.I16)), "i16{} [1]")
		f := nv.Jit(func(x nv.Tensor) nv.Tensor {
			return c.If(x.Sum().Gt(2), func() nv.Tensor { return x.Neg() }, func() nv.Tensor { return x })
		})
		want(t, f(x), "f32{2} [-1 -2]")
		want(t, f(x.Mul(0.5)), "f32{2} [0.5 1]")
		errorOf(t, func() { c.If(x, lit(1), lit(2)) })
	})
}

func TestWhile(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		n := nv.While(c.Scalar(1), func(n nv.Tensor) nv.Tensor { return n.Le(10) }, func(n nv.Tensor) nv.Tensor { return n.Add(1) })
		want(t, n, "i32?{} [11]")
		want(t, n.Mul(c.Scalar(3, nv.I16)), "i16{} [33]")
		type state struct{ I, S nv.Tensor }
		step := c.New([]float64{1, 2})
		r := nv.While(state{c.Scalar(0), c.Zeros(nv.Shape{2})},
			func(s state) nv.Tensor { return s.I.Lt(3) },
			func(s state) state { return state{s.I.Add(c.Scalar(1, nv.I32)), s.S.Add(step)} })
		want(t, r.I, "i32{} [3]")
		want(t, r.S, "f32{2} [3 6]")
		f := nv.Jit(func(x, lim nv.Tensor) nv.Tensor {
			return nv.While(x, func(x nv.Tensor) nv.Tensor { return x.Sum().Lt(lim) }, func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
		})
		want(t, f(step, c.Scalar(20.0)), "f32{2} [8 16]")
		errorOf(t, func() {
			nv.While(step, func(x nv.Tensor) nv.Tensor { return x.Sum().Lt(1) }, func(x nv.Tensor) nv.Tensor { return x.AsType(nv.F64) })
		})
	})
}

func TestForI(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.New([]float64{1, 2})
		want(t, nv.ForI(3, x, func(i, x nv.Tensor) nv.Tensor { return x.Mul(2).Add(i) }), "f32{2} [12 20]")
		negative := c.Scalar(int64(-1<<32 + 1)) // its low 32 bits are 1
		want(t, nv.ForI(negative, x, func(i, x nv.Tensor) nv.Tensor { return x.Add(1) }), "f32{2} [1 2]")
		f := nv.Jit(func(n, x nv.Tensor) nv.Tensor {
			return nv.ForI(n, x, func(i, x nv.Tensor) nv.Tensor { return x.Add(1) })
		})
		want(t, f(c.Scalar(5), x), "f32{2} [6 7]")
		before := c.Stats().Programs
		want(t, f(c.Scalar(500), x), "f32{2} [501 502]")
		if n := c.Stats().Programs - before; n != 0 {
			t.Error(n, "programs compiled")
		}
	})
}

func TestString(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		for _, p := range []struct {
			x    fmt.Stringer
			want string
		}{
			{c.Scalar(4), "i32?{} 4"}, {c.New([][]int{{1, 2}, {3, 4}}).Mul(0.5), "f32?{2,2} [[0.5 1] [1.5 2]]"}, {c.Zeros(nv.Shape{101}), "f32{101}"},
		} {
			if got := p.x.String(); got != p.want {
				t.Errorf("got %s, want %s", got, p.want)
			}
		}
	})
}

func TestLower(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	low := c.Lower(func(x, y nv.Tensor) nv.Tensor { z := x.Add(1); return z.Mul(y) }, c.Scalar(true), c.Scalar(2, nv.I16))
	text := low.StableHLO()
	if !strings.Contains(text, "stablehlo.convert") || !strings.Contains(text, "tensor<i16>") || strings.Count(text, "func.func") != 1 {
		t.Error(text)
	}
	var z []string
	for _, v := range low.Types() {
		z = append(z, v.Typed.String())
	}
	if !strings.Contains(strings.Join(z, " "), "i32?") || low.Results()[0].String() != "i16" {
		t.Error(z, low.Results())
	}
}

func TestInterrupt(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		x := c.Zeros(nv.Shape{2000}).Add(1)
		c.SetInterrupt(ctx)
		err := x.Wait()
		if !strings.HasSuffix(t.Name(), "eager") && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		c.SetInterrupt(context.Background())
		if got := x.Sum().Float(); got != 2000 {
			t.Error(got)
		}
	})
}

func TestOtherSystem(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	l := c.With(promote.Anvil)
	if l.System() != promote.Anvil {
		t.Error(l.System())
	}
	want(t, l.Add(c.Scalar(1), 2.5), "f32?{} [3.5]")
}

// TestAsTypeIsKnown tests that a converted tensor is not ambiguous, even if its dtype stays the same.
func TestAsTypeIsKnown(t *testing.T) {
	x := nv.Scalar(1.5)
	if !x.Ambiguous() {
		t.Fatal("a float literal is ambiguous")
	}
	for _, d := range []nv.DType{nv.F32, nv.F64, nv.I8} {
		if y := x.AsType(d); y.Ambiguous() || y.DType() != d {
			t.Errorf("AsType(%v) is %v", d, y.Typed())
		}
	}
}

// TestFlagsOfResults tests that each tensor in the result of a compiled function has its own flag.
func TestFlagsOfResults(t *testing.T) {
	type pair struct{ Known, Ambiguous nv.Tensor }
	f := nv.Jit(func(x, y nv.Tensor) pair { return pair{x.Add(1), y.Add(1)} })
	for range 2 { // traced, then from the cache
		p := f(nv.New([]float32{1}), nv.Scalar(1.5))
		if p.Known.Ambiguous() || !p.Ambiguous.Ambiguous() {
			t.Errorf("%v and %v", p.Known.Typed(), p.Ambiguous.Typed())
		}
	}
}
