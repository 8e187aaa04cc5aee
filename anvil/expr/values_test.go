package expr_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestValues computes what each method of a Builder writes, for x = 2, -3, 0.5 and y = 4, 1, -2.
func TestValues(t *testing.T) {
	type value = expr.Value
	x := []float64{2, -3, 0.5}
	y := []float64{4, 1, -2}
	each := func(f func(x, y float64) float64) []float64 {
		r := make([]float64, len(x))
		for i := range r {
			r[i] = f(x[i], y[i])
		}
		return r
	}
	unary := func(f func(float64) float64) []float64 { return each(func(x, _ float64) float64 { return f(x) }) }
	truth := func(f func(x, y float64) bool) []float64 {
		return each(func(x, y float64) float64 {
			if f(x, y) {
				return 1
			}
			return 0
		})
	}
	for name, c := range map[string]struct {
		f    func(b expr.Builder, x, y value) value
		want []float64
	}{
		"Add":           {func(b expr.Builder, x, y value) value { return b.Add(x, y) }, each(func(x, y float64) float64 { return x + y })},
		"Sub":           {func(b expr.Builder, x, y value) value { return b.Sub(x, y) }, each(func(x, y float64) float64 { return x - y })},
		"Sub of number": {func(b expr.Builder, x, _ value) value { return b.Sub(1, x) }, unary(func(x float64) float64 { return 1 - x })},
		"Mul":           {func(b expr.Builder, x, y value) value { return b.Mul(x, y) }, each(func(x, y float64) float64 { return x * y })},
		"Div":           {func(b expr.Builder, x, y value) value { return b.Div(x, y) }, each(func(x, y float64) float64 { return x / y })},
		"Rem":           {func(b expr.Builder, x, y value) value { return b.Rem(x, y) }, each(math.Mod)},
		"Pow":           {func(b expr.Builder, x, y value) value { return b.Pow(b.Abs(x), y) }, each(func(x, y float64) float64 { return math.Pow(math.Abs(x), y) })},
		"Max":           {func(b expr.Builder, x, y value) value { return b.Max(x, y) }, each(math.Max)},
		"Min":           {func(b expr.Builder, x, y value) value { return b.Min(x, y) }, each(math.Min)},
		"Atan2":         {func(b expr.Builder, x, y value) value { return b.Atan2(x, y) }, each(math.Atan2)},
		"FloorDiv":      {func(b expr.Builder, x, y value) value { return b.FloorDiv(x, y) }, each(func(x, y float64) float64 { return math.Floor(x / y) })},
		"Mod": {func(b expr.Builder, x, y value) value { return b.Mod(x, y) }, each(func(x, y float64) float64 {
			return x - y*math.Floor(x/y)
		})},
		"FloorMod of a multiple": {func(b expr.Builder, x, _ value) value { return b.Reciprocal(b.FloorMod(b.Mul(x, 2), b.Neg(x))) },
			[]float64{math.Inf(-1), math.Inf(1), math.Inf(-1)}},
		"MulNoNaN":     {func(b expr.Builder, x, _ value) value { return b.MulNoNaN(b.Mul(x, 0), math.Inf(1)) }, []float64{0, 0, 0}},
		"Neg":          {func(b expr.Builder, x, _ value) value { return b.Neg(x) }, unary(func(x float64) float64 { return -x })},
		"Abs":          {func(b expr.Builder, x, _ value) value { return b.Abs(x) }, unary(math.Abs)},
		"Sign":         {func(b expr.Builder, x, _ value) value { return b.Sign(x) }, []float64{1, -1, 1}},
		"Sqrt":         {func(b expr.Builder, x, _ value) value { return b.Sqrt(x) }, unary(math.Sqrt)},
		"Rsqrt":        {func(b expr.Builder, x, _ value) value { return b.Rsqrt(b.Abs(x)) }, unary(func(x float64) float64 { return 1 / math.Sqrt(math.Abs(x)) })},
		"Exp":          {func(b expr.Builder, x, _ value) value { return b.Exp(x) }, unary(math.Exp)},
		"Expm1":        {func(b expr.Builder, x, _ value) value { return b.Expm1(x) }, unary(math.Expm1)},
		"Log":          {func(b expr.Builder, x, _ value) value { return b.Log(x) }, unary(math.Log)},
		"Log1p":        {func(b expr.Builder, x, _ value) value { return b.Log1p(b.Abs(x)) }, unary(func(x float64) float64 { return math.Log1p(math.Abs(x)) })},
		"Sin":          {func(b expr.Builder, x, _ value) value { return b.Sin(x) }, unary(math.Sin)},
		"Cos":          {func(b expr.Builder, x, _ value) value { return b.Cos(x) }, unary(math.Cos)},
		"Tanh":         {func(b expr.Builder, x, _ value) value { return b.Tanh(x) }, unary(math.Tanh)},
		"Floor":        {func(b expr.Builder, x, _ value) value { return b.Floor(x) }, unary(math.Floor)},
		"Ceil":         {func(b expr.Builder, x, _ value) value { return b.Ceil(x) }, unary(math.Ceil)},
		"RoundEven":    {func(b expr.Builder, x, _ value) value { return b.RoundEven(x) }, unary(math.RoundToEven)},
		"Square":       {func(b expr.Builder, x, _ value) value { return b.Square(x) }, unary(func(x float64) float64 { return x * x })},
		"Reciprocal":   {func(b expr.Builder, x, _ value) value { return b.Reciprocal(x) }, unary(func(x float64) float64 { return 1 / x })},
		"Eq":           {func(b expr.Builder, x, y value) value { return b.Eq(x, b.Floor(x)) }, truth(func(x, _ float64) bool { return x == math.Floor(x) })},
		"Ne":           {func(b expr.Builder, x, y value) value { return b.Ne(x, b.Floor(x)) }, truth(func(x, _ float64) bool { return x != math.Floor(x) })},
		"Lt":           {func(b expr.Builder, x, y value) value { return b.Lt(x, y) }, truth(func(x, y float64) bool { return x < y })},
		"Le of itself": {func(b expr.Builder, x, _ value) value { return b.Le(x, x) }, []float64{1, 1, 1}},
		"Gt":           {func(b expr.Builder, x, y value) value { return b.Gt(x, y) }, truth(func(x, y float64) bool { return x > y })},
		"Ge of itself": {func(b expr.Builder, x, _ value) value { return b.Ge(x, x) }, []float64{1, 1, 1}},
		"IsNaN":        {func(b expr.Builder, x, _ value) value { return b.IsNaN(b.Log(x)) }, []float64{0, 1, 0}},
		"IsFinite":     {func(b expr.Builder, x, _ value) value { return b.IsFinite(b.Div(x, b.Sub(x, 2))) }, []float64{0, 1, 1}},
		"Where":        {func(b expr.Builder, x, y value) value { return b.Where(b.Gt(x, 0), y, -7.0) }, []float64{4, -7, -2}},
		"Polynomial": {func(b expr.Builder, x, _ value) value { return b.Polynomial(x, []float64{2, -1, 3}) },
			unary(func(x float64) float64 { return 2*x*x - x + 3 })},
		"Power":          {func(b expr.Builder, x, _ value) value { return b.Power(x, 7) }, unary(func(x float64) float64 { return math.Pow(x, 7) })},
		"Real and Imag":  {func(b expr.Builder, x, y value) value { z := b.Complex(x, y); return b.Sub(b.Real(z), b.Imag(z)) }, each(func(x, y float64) float64 { return x - y })},
		"Conj":           {func(b expr.Builder, x, y value) value { return b.Imag(b.Conj(b.Complex(x, y))) }, each(func(_, y float64) float64 { return -y })},
		"Reverse":        {func(b expr.Builder, x, _ value) value { return b.Reverse(x, -1) }, []float64{0.5, -3, 2}},
		"Slice":          {func(b expr.Builder, x, _ value) value { return b.Slice(x, 0, 1, 3) }, []float64{-3, 0.5}},
		"DynamicSlice":   {func(b expr.Builder, x, _ value) value { return b.DynamicSlice(x, -1, b.Number(1, dtype.I32), 2) }, []float64{-3, 0.5}},
		"PadAxis":        {func(b expr.Builder, x, _ value) value { return b.PadAxis(x, 0, 1, -2, b.Scalar(x, 9)) }, []float64{9, 2}},
		"Concatenate":    {func(b expr.Builder, x, y value) value { return b.Concatenate(-1, x, y) }, append(x[:3:3], y...)},
		"Iota":           {func(b expr.Builder, x, _ value) value { return b.Iota(dtype.F64, 1, 2, 3) }, []float64{0, 1, 2, 0, 1, 2}},
		"Eye":            {func(b expr.Builder, x, _ value) value { return b.Eye(dtype.F64, 2, 3) }, []float64{1, 0, 0, 0, 1, 0}},
		"Column and Row": {func(b expr.Builder, x, y value) value { return b.Sub(b.Column(x), b.Row(y)) }, []float64{-2, 1, 4, -7, -4, -1, -3.5, -0.5, 2.5}},
		"Transpose":      {func(b expr.Builder, x, y value) value { return b.Transpose(b.Sub(b.Column(x), b.Row(y))) }, []float64{-2, -7, -3.5, 1, -4, -0.5, 4, -1, 2.5}},
		"Sum":            {func(b expr.Builder, x, y value) value { return b.Sum(b.Sub(b.Column(x), b.Row(y)), -1) }, []float64{3, -12, -1.5}},
		"MatMul":         {func(b expr.Builder, x, y value) value { return b.MatMul(b.Row(x), b.Column(y)) }, []float64{4}},
		"Convert":        {func(b expr.Builder, x, _ value) value { return b.Convert(b.Convert(x, dtype.I32), dtype.F64) }, []float64{2, -3, 0}},
		"Norm":           {func(b expr.Builder, x, _ value) value { return b.Norm(b.Square(x)) }, unary(math.Abs)},
		"LogAddExp":      {func(b expr.Builder, x, y value) value { return b.LogAddExp(x, y) }, each(func(x, y float64) float64 { return math.Log(math.Exp(x) + math.Exp(y)) })},
		"LogAddExp of -inf": {func(b expr.Builder, x, _ value) value {
			return b.LogAddExp(b.Like(x, math.Inf(-1)), b.Like(x, math.Inf(-1)))
		},
			[]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}},
		"DynamicUpdateSlice": {func(b expr.Builder, x, y value) value {
			return b.DynamicUpdateSlice(x, b.Slice(y, 0, 0, 2), 0, b.Number(1, dtype.I32))
		}, []float64{2, 4, 1}},
		"For": {func(b expr.Builder, x, y value) value {
			return b.For(b.Number(1, dtype.I32), b.Number(4, dtype.I32), []value{x}, []value{y}, func(b expr.Builder, i value, carried, shared []value) []value {
				return []value{b.Add(carried[0], b.Mul(b.Convert(i, dtype.F64), shared[0]))}
			})[0]
		}, each(func(x, y float64) float64 { return x + 6*y })},
		"If": {func(b expr.Builder, x, y value) value {
			positive := b.Reshape(b.Gt(b.Slice(x, 0, 0, 1), 0))
			return b.If(positive, []value{x, y}, func(b expr.Builder, args []value) value { return b.Add(args[0], args[1]) })
		}, each(func(x, y float64) float64 { return x + y })},
	} {
		g := expr.Graph(ops.Infer, []shape.Type{shape.Of(dtype.F64, 3), shape.Of(dtype.F64, 3)},
			func(b expr.Builder, args []value) []value { return []value{c.f(b, args[0], args[1])} })
		if got := run(t, g, x, y); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestIntegers computes the division, shifts and bits of integers for x = 7, -7, -8 and y = -2, 2, 3.
func TestIntegers(t *testing.T) {
	type value = expr.Value
	for name, c := range map[string]struct {
		f    func(b expr.Builder, x, y value) value
		want string
	}{
		"FloorDiv":          {func(b expr.Builder, x, y value) value { return b.FloorDiv(x, y) }, "[-4 -4 -3]"},
		"Mod":               {func(b expr.Builder, x, y value) value { return b.Mod(x, y) }, "[-1 1 1]"},
		"And":               {func(b expr.Builder, x, y value) value { return b.And(x, y) }, "[6 0 0]"},
		"Or":                {func(b expr.Builder, x, y value) value { return b.Or(x, y) }, "[-1 -5 -5]"},
		"Xor":               {func(b expr.Builder, x, y value) value { return b.Xor(x, y) }, "[-7 -5 -5]"},
		"Not":               {func(b expr.Builder, x, _ value) value { return b.Not(x) }, "[-8 6 7]"},
		"ShiftLeft":         {func(b expr.Builder, x, _ value) value { return b.ShiftLeft(x, 1) }, "[14 -14 -16]"},
		"ShiftRight":        {func(b expr.Builder, x, _ value) value { return b.ShiftRight(x, 1) }, "[3 -4 -4]"},
		"ShiftRightLogical": {func(b expr.Builder, x, _ value) value { return b.ShiftRightLogical(x, 60) }, "[0 15 15]"},
		"ShiftRight of unsigned": {func(b expr.Builder, x, _ value) value {
			return b.Convert(b.ShiftRight(b.Convert(x, dtype.U64), 60), dtype.I64)
		}, "[0 15 15]"},
		"Reduce": {func(b expr.Builder, x, _ value) value { return b.Reduce(ir.ReduceMin, x, 0) }, "[-8]"},
	} {
		i64 := shape.Of(dtype.I64, 3)
		g := expr.Graph(ops.Infer, []shape.Type{i64, i64}, func(b expr.Builder, args []value) []value {
			return []value{c.f(b, args[0], args[1])}
		})
		out, err := reference.Run(context.Background(), g, []array.Array{array.Store(array.New(i64), []int64{7, -7, -8}),
			array.Store(array.New(i64), []int64{-2, 2, 3})})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := fmt.Sprint(array.Load[int64](out[0])); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// run computes g for two vectors, and returns the first output as floats.
func run(t *testing.T, g *ir.Graph, x, y []float64) []float64 {
	t.Helper()
	vector := shape.Of(dtype.F64, len(x))
	out, err := reference.Run(context.Background(), g, []array.Array{array.Store(array.New(vector), x), array.Store(array.New(vector), y)})
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Type.DType == dtype.I1 {
		r := make([]float64, 0, len(out[0].Data))
		for _, b := range out[0].Data {
			r = append(r, float64(b))
		}
		return r
	}
	return array.Load[float64](out[0])
}

// near reports whether two lists differ by rounding only.
func near(got, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, w := range want {
		if math.IsNaN(w) != math.IsNaN(got[i]) || got[i] != w && !(math.Abs(got[i]-w) <= 1e-14*math.Abs(w)) && !math.IsNaN(w) {
			return false
		}
	}
	return true
}

// TestFloors checks quotients and remainders of signed numbers, with the signs of zeros.
func TestFloors(t *testing.T) {
	inf, zero := math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct{ x, y, div, mod, floorMod float64 }{
		{7, 2, 3, 1, 1}, {7, -2, -4, -1, -1}, {-7, 2, -4, 1, 1}, {-7, -2, 3, -1, -1},
		{6, 2, 3, 0, 0}, {6, -2, -3, 0, zero}, {-6, 2, -3, zero, 0}, {-6, -2, 3, zero, zero},
		{2, 2, 1, 0, 0}, {3, 2, 1, 1, 1}, {-2, 2, -1, zero, 0}, {1, 2, 0, 1, 1}, {-1, 2, -1, 1, 1}, {1, -2, -1, -1, -1},
		{0, 5, 0, 0, 0}, {zero, 5, zero, zero, 0}, {0, -5, zero, 0, zero}, {zero, -5, 0, zero, zero},
		{1, 0.1, 9, math.Mod(1, 0.1), math.Mod(1, 0.1)}, {5, inf, 0, 5, 5}, {-5, inf, -1, inf, inf}, {5, -inf, -1, -inf, -inf},
		{5, 0, inf, math.NaN(), math.NaN()}, {-5, 0, -inf, math.NaN(), math.NaN()}, {5, zero, -inf, math.NaN(), math.NaN()},
	} {
		for _, d := range []dtype.DType{dtype.F64, dtype.I32} {
			exact := c.x == math.Trunc(c.x) && c.y == math.Trunc(c.y) && c.y != 0 && !math.IsInf(c.y, 0)
			if d == dtype.I32 && !exact {
				continue
			}
			typ := shape.Of(dtype.F64)
			g := expr.Graph(ops.Infer, []shape.Type{typ, typ}, func(b expr.Builder, v []expr.Value) []expr.Value {
				x, y := b.Convert(v[0], d), b.Convert(v[1], d)
				return []expr.Value{b.Convert(b.FloorDiv(x, y), dtype.F64), b.Convert(b.Mod(x, y), dtype.F64), b.Convert(b.FloorMod(x, y), dtype.F64)}
			})
			x, y := array.Store(array.New(typ), []float64{c.x}), array.Store(array.New(typ), []float64{c.y})
			out, err := reference.Run(context.Background(), g, []array.Array{x, y})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float64{c.div, c.mod, c.floorMod} {
				got := array.Load[float64](out[i])[0]
				sameSign := d != dtype.F64 || math.Signbit(got) == math.Signbit(want)
				if !(got == want && sameSign || math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%s of %v and %v as %s: %v, want %v", []string{"FloorDiv", "Mod", "FloorMod"}[i], c.x, c.y, d, got, want)
				}
			}
		}
	}
}
