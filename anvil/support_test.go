package anvil

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/promote"
)

func evaluated() *Context { return NewContext(ContextOptions{Backend: "reference", NoCache: true}) }

func failure(f func()) string {
	if err := Try(f); err != nil {
		return err.Error()
	}
	return ""
}

// TestCastingOfOperands: each operand, independently of others, is used as it is, cast, or
// refused. The result is not cast back.
func TestCastingOfOperands(t *testing.T) {
	c := evaluated()
	half, single := c.New([]float64{4}, F16), c.New([]float64{6})
	if got := c.Expm1(half); got.DType() != F16 {
		t.Errorf("without a backend: %s", got)
	}
	c.Settings().Set("torch")
	if got := failure(func() { c.Expm1(half) }); got !=
		`Expm1(f16{1}): expm1 on backend "torch 2.2" does not support f16; it supports i8 i16 i32 i64 `+
			"ui8 bf16 f32 f64 i1: convert with AsType, or let backend.UpcastDataTypes() do it" {
		t.Error(got)
	}
	if got := failure(func() { c.With(promote.Ivy).Expm1(half) }); got !=
		`Expm1(f16{1}): expm1 on backend "torch 2.2" does not support f16; it supports i8 i16 i32 i64 `+
			"ui8 bf16 f32 f64 i1: convert with AsType, or let backend.UpcastDataTypes() do it" {
		t.Errorf("under another system: %s", got)
	}
	c.Settings().SetCasting(backend.CastAll)
	if got := c.Expm1(half); got.DType() != F32 || !strings.Contains(got.Why().String(), "f16: f32 (upcast") {
		t.Errorf("%s, %s", got, got.Why())
	}
	if got := c.Lcm(half, single); got.String() != "i32{1} [12]" || len(got.Why().Steps) != 2 {
		t.Errorf("%s, %s", got, got.Why())
	}
	if got := c.Add(half, single); got.DType() != F32 || half.DType() != F16 {
		t.Errorf("%s of %s", got, half)
	}
	if got := failure(func() { c.Expm1(c.New([]complex128{1})) }); got !=
		`Expm1(c64{1}): expm1 on backend "torch 2.2" does not support c64; it supports i8 i16 i32 i64 `+
			"ui8 bf16 f32 f64 i1: convert with AsType" {
		t.Error(got)
	}
}

// TestCastingIsTraced: a function that was traced before the settings changed
// is traced again.
func TestCastingIsTraced(t *testing.T) {
	c := evaluated()
	f := c.JitAny(func(x Tensor) Tensor { return c.Expm1(x) }).(func(Tensor) Tensor)
	half := c.New([]float64{1}, F16)
	for _, want := range []DType{F16, F32, BF16} {
		switch want {
		case F32:
			c.Settings().Set("torch")
			c.Settings().UpcastDataTypes()
		case BF16:
			c.Settings().UnsetCasting()
			c.Settings().DowncastDataTypes()
		}
		if got := f(half); got.DType() != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOp(t *testing.T) {
	c := evaluated()
	type pair struct{ A, B Tensor }
	rule := backend.Rule{Framework: "jax", Supported: backend.Versions{"0.4.25 and below": {"i16", "f64"}}}
	sum := c.OpAny("sum2", func(p pair, n int) Tensor { return c.Mul(c.Add(p.A, p.B), n) }, rule).(func(pair, int) Tensor)
	p := pair{c.New([]int8{1}), c.New([]float64{2}, F64)}
	if got := sum(p, 3); got.String() != "f64{1} [9]" {
		t.Error(got)
	}
	c.Settings().Set("jax")
	if got := failure(func() { sum(p, 3) }); got != `sum2(i8{1}, f64{1}): sum2 on backend "jax 0.4.25" does not `+
		"support i8; it supports i16 f64: convert with AsType, or let backend.UpcastDataTypes() do it" {
		t.Error(got)
	}
	c.Settings().UpcastDataTypes()
	seen := c.OpAny("sum2", func(p pair, _ int) Tensor { return p.A }).(func(pair, int) Tensor)
	if got := seen(p, 0); got.String() != "i16{1} [1]" || p.A.DType() != I8 {
		t.Errorf("%s of %s", got, p.A)
	}
	if got := failure(func() { c.OpAny("none", 1) }); got !=
		`Op("none", int): the argument is not a function; give a function of tensors` {
		t.Error(got)
	}
}

func TestFrontendOfTorch(t *testing.T) {
	c := evaluated()
	torch := c.Frontend("torch")
	for d, want := range map[DType]DType{I8: I64, I32: I64, I64: I64, F32: F32, F64: F64, F16: F16} {
		if got := torch.Trace(c.Eye(3, d)); got.DType() != want || got.Float() != 3 {
			t.Errorf("of %s: %s, want %s", d, got, want)
		}
	}
	c.Settings().Declare("trace", backend.Rule{Frontend: "torch", Unsupported: backend.Versions{"2.0.1 and below": {"float16", "bfloat16"}}})
	if got := failure(func() { torch.Trace(c.Eye(3, F16)) }); got !=
		`Trace(f16{3,3}): trace of the frontend "torch 2.2" does not support f16; convert with AsType` {
		t.Error(got)
	}
	if got := c.Trace(c.Eye(3, F16)); got.DType() != F16 {
		t.Errorf("the rule of the frontend holds outside of it: %s", got)
	}
}

func TestReductionsUnderABackend(t *testing.T) {
	c := evaluated()
	c.Settings().Set("jax")
	for _, x := range []Tensor{c.New([]uint8{200, 2}), c.New([]int8{100, 2}), c.New([]int16{20000, 2}), c.New([]int64{1, 2}), c.New([]float64{1, 2}, F16)} {
		want := map[DType]DType{U8: U32, I8: I32, I16: I32, I64: I64, F16: F16}[x.DType()]
		for _, got := range []Tensor{c.Prod(x), c.Sum(x), c.Cumsum(x)} {
			if got.DType() != want {
				t.Errorf("%s of %s, want %s", got, x, want)
			}
		}
	}
	if got := c.Prod(c.New([]uint8{200, 2})); got.String() != "ui32{} 400" {
		t.Error(got)
	}
	c.Settings().Set("torch")
	if got := failure(func() { c.Prod(c.New([]uint8{2})) }); got !=
		`Prod(ui8{1}): prod on backend "torch 2.2" does not support ui8; it supports i8 i16 i32 i64 `+
			"f32 f64 c64 c128 i1: convert with AsType" {
		t.Error(got)
	}
}

func TestFunctionsOfRealsTakeIntegers(t *testing.T) {
	c := evaluated()
	x := c.New([]int{1})
	for _, name := range []string{"numpy", "jax", "torch", "tensorflow", "paddle"} {
		undo := c.Settings().Set(name)
		if got := c.Cos(x); got.String() != "f32{1} [0.5403023]" {
			t.Errorf("%s: %s", name, got)
		}
		undo64 := c.Settings().SetDefault(backend.Float, F64)
		if got := c.Cos(x); got.DType() != F64 {
			t.Errorf("%s: %s", name, got)
		}
		undo64()
		undo()
	}
}

// TestAbsOfUnsigned: the result is the operand, in the same buffer.
func TestAbsOfUnsigned(t *testing.T) {
	c := evaluated()
	for _, d := range []DType{U8, U16, U32, U64} {
		x := c.New([]int{200, 0}, d)
		if got := c.Abs(x); !got.t.arr.Same(x.t.arr) || got.DType() != d {
			t.Errorf("%s is not %s", got, x)
		}
	}
	if got := c.Abs(c.New([]int{-3})); got.String() != "i32{1} [3]" {
		t.Error(got)
	}
}

// TestDivisors compares Gcd and Lcm with Euclid's algorithm on single numbers.
func TestDivisors(t *testing.T) {
	c := evaluated()
	r := rand.New(rand.NewPCG(1, 2))
	var as, bs, gcds, lcms []int64
	for range 200 {
		a, b := r.Int64N(41)-20, r.Int64N(2001)-1000
		g, rest := max(a, -a), max(b, -b)
		for rest != 0 {
			g, rest = rest, g%rest
		}
		l := int64(0)
		if g != 0 {
			l = max(a*b, -a*b) / g
		}
		as, bs, gcds, lcms = append(as, a), append(bs, b), append(gcds, g), append(lcms, l)
	}
	x, y := c.New(as), c.New(bs)
	if got := Values[int64](c.Gcd(x, y)); fmt.Sprint(got) != fmt.Sprint(gcds) {
		t.Errorf("gcd %v\n%v\nof %v %v", got, gcds, as, bs)
	}
	if got := Values[int64](c.Lcm(x, y)); fmt.Sprint(got) != fmt.Sprint(lcms) {
		t.Errorf("lcm %v\n%v\nof %v %v", got, lcms, as, bs)
	}
	if got := c.Gcd(c.New([]int16{12}), c.New([]int32{18})); got.String() != "i32{1} [6]" {
		t.Error(got)
	}
	if got := c.Gcd(c.New([]uint8{250, 0}), 100); got.String() != "ui8{2} [50 100]" {
		t.Error(got)
	}
	if got := failure(func() { c.Gcd(c.New([]float64{1}), 2) }); got !=
		"Gcd(f32{1}, int 2): operands must be integers, not f32; convert with AsType(nv.I32)" {
		t.Error(got)
	}
}

func TestEinopsReduce(t *testing.T) {
	c := evaluated()
	x := c.Reshape(c.Arange(24), Shape{4, 6})
	for _, e := range []struct {
		pattern, how string
		sizes        Sizes
		want         string
	}{
		{"a b -> a", "sum", nil, "i32{4} [15 51 87 123]"},
		{"a b -> b a", "max", nil, c.Transpose(x).String()},
		{"a b -> ()", "sum", nil, "i32{1} [276]"},
		{"a b ->", "max", nil, "i32{} 23"},
		{"(a 2) (b 3) -> a b", "max", nil, "i32{2,2} [[8 11] [20 23]]"},
		{"(2 a) (2 b 1) -> b a", "min", nil, "i32{3,2} [[0 6] [1 7] [2 8]]"},
		{"4 b -> b", "sum", nil, "i32{6} [36 40 44 48 52 56]"},
		{"a b -> 1 b", "min", nil, "i32{1,6} [[0 1 2 3 4 5]]"},
		{"(h p) (w q) -> h w", "max", Sizes{"p": 2, "q": 3}, "i32{2,2} [[8 11] [20 23]]"},
		{"(h p) w -> p (w h)", "prod", Sizes{"h": 4}, "i32{1,24} [[0 6 12 18 1 7 13 19 2 8 14 20 3 9 15 21 4 10 16 22 5 11 17 23]]"},
	} {
		if got := c.EinopsReduce(x, e.pattern, e.how, e.sizes).String(); got != e.want {
			t.Errorf("%s, %s: %s, want %s", e.pattern, e.how, got, e.want)
		}
	}
	if got := c.EinopsReduce(x.AsType(F32), "a b -> a", "mean").String(); got != "f32{4} [2.5 8.5 14.5 20.5]" {
		t.Error(got)
	}
	for pattern, want := range map[string]string{
		"a b": `EinopsReduce(i32{4,6}): the pattern "a b" has no arrow; write it like "a b -> a"`,
		"a b -> c": "EinopsReduce(i32{4,6}): axis c is not on the left of the pattern; write it there " +
			"too, or write 1 for a new axis of length 1",
		"a b -> a 2": "EinopsReduce(i32{4,6}): axis 2 is not on the left of the pattern; write it there " +
			"too, or write 1 for a new axis of length 1",
		"(a 3) b -> a b": "EinopsReduce(i32{4,6}): axis 0 of length 4 cannot be split into (a 3); the product " +
			"of the lengths in parentheses must be 4",
		"a a -> a":  "EinopsReduce(i32{4,6}): axis a is given twice; give each axis a name of its own",
		"(a b -> a": "EinopsReduce(i32{4,6}): parentheses do not match in the pattern",
		"a b c -> a": "EinopsReduce(i32{4,6}): the left of the pattern has 3 axes, and the tensor has 2; " +
			`write one name, or one group in parentheses, for each axis; "..." stands for any number of ` +
			"axes",
		"(a b) c -> a": "EinopsReduce(i32{4,6}): the lengths of a and b are not known; give one: " +
			`nv.Sizes{"b": 2}`,
		"(h p) (w q) -> h w": "EinopsReduce(i32{4,6}): the lengths of h and p are not known; give one: " +
			`nv.Sizes{"p": 2}`,
	} {
		if got := failure(func() { c.EinopsReduce(x, pattern, "sum") }); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	if got := failure(func() { c.EinopsReduce(x, "a b -> a", "sum", Sizes{"q": 3}) }); got !=
		"EinopsReduce(i32{4,6}): there is no axis q, to which sizes give length 3; give lengths of "+
			"axes on the left of the pattern" {
		t.Error(got)
	}
	if got := failure(func() { c.EinopsReduce(x, "(h p) w -> h", "sum", Sizes{"p": 3}) }); got !=
		"EinopsReduce(i32{4,6}): axis 0 of length 4 cannot be split into (h p); the product of the "+
			"lengths in parentheses must be 4" {
		t.Error(got)
	}
	if got := failure(func() { c.EinopsReduce(x, "a b -> a", "median") }); got !=
		`EinopsReduce(i32{4,6}): unknown reduction "median"; give sum, mean, max, min or prod` {
		t.Error(got)
	}
}

func TestFminOfNaN(t *testing.T) {
	c := evaluated()
	nan := c.Log(c.New([]float64{-1}, F64))
	x := c.Concatenate(0, nan, c.New([]float64{1, 5}, F64), nan)
	y := c.Concatenate(0, c.New([]float64{2}, F64), nan, c.New([]float64{3}, F64), nan)
	if got := c.Fmin(x, y).String(); got != "f64{4} [2 1 3 NaN]" {
		t.Error(got)
	}
	if got := c.Fmax(x, y).String(); got != "f64{4} [2 1 5 NaN]" {
		t.Error(got)
	}
	if got := c.Fmin(c.New([]int8{1}), c.New([]int16{-2})).String(); got != "i16{1} [-2]" {
		t.Error(got)
	}
	if got := c.LogicalNot(c.New([]float64{0, 2})).String(); got != "i1{2} [true false]" {
		t.Error(got)
	}
}
