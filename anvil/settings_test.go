package anvil

import (
	"strings"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

func dtypesOf(xs ...Tensor) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = x.Typed().String()
	}
	return strings.Join(words, " ")
}

func made(l *Lib) string {
	s := Shape{1}
	return dtypesOf(l.Zeros(s), l.Ones(s), l.Eye(1), l.Linspace(0, 1, 2), l.Arange(3), l.Arange(3.0), l.Iota(s, 0),
		l.Full(s, 5), l.Full(s, 5.0), l.Full(s, true), l.New([]int{1}), l.New([]float64{1}), l.Scalar(1), l.Scalar(uint8(1)))
}

// TestDefaultsOfNewTensors: functions that make tensors use the default dtypes if no dtype is
// given. An array keeps its dtype, and without default dtypes nothing changes.
func TestDefaultsOfNewTensors(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	ivy := c.With(promote.Ivy)
	want := func(l *Lib, dtypes string) {
		t.Helper()
		if got := made(l); got != dtypes {
			t.Errorf("%s, not %s", got, dtypes)
		}
	}
	want(c.Lib, "f32 f32 f32 f32 i32 f32 i32 i32? f32? i1 i32 f32 i32? ui8")
	want(ivy, "f32 f32 f32 f32 i32 f32 i32 i32 f32 i1 i32 f32 i32 ui8")
	undo := c.Settings().SetDefault(backend.Int, dtype.I16)
	want(c.Lib, "f32 f32 f32 f32 i16 f32 i16 i16? f32? i1 i16 f32 i16? ui8")
	want(ivy, "f32 f32 f32 f32 i16 f32 i16 i16 f32 i1 i16 f32 i16 ui8")
	c.Settings().SetDefault(backend.Global, dtype.F64)
	want(ivy, "f64 f64 f64 f64 i16 f64 i16 i16 f64 i1 i16 f64 i16 ui8")
	if got := dtypesOf(c.Zeros(Shape{1}, I8), c.ZerosLike(c.Zeros(Shape{1}, U8)), c.From(1), c.Add(c.New([]bool{true}), 1)); got != "i8 ui8 i64 i32?" {
		t.Error(got)
	}
	undo()
	want(ivy, "f64 f64 f64 f64 i32 f64 i32 i32 f64 i1 i32 f64 i32 ui8") // each stack for itself
	c.Settings().Reset()
	want(c.Lib, "f32 f32 f32 f32 i32 f32 i32 i32? f32? i1 i32 f32 i32? ui8")
}

// TestContextsHaveSettingsOfTheirOwn: two Contexts have different defaults, modes and
// backends at the same time.
func TestContextsHaveSettingsOfTheirOwn(t *testing.T) {
	var wg sync.WaitGroup
	for _, d := range []DType{F16, F32, F64, BF16} {
		wg.Go(func() {
			c := NewContext(ContextOptions{Backend: "reference"})
			c.Settings().SetDefault(backend.Float, d)
			c.Settings().SetPrecise(d == F64)
			x := c.With(promote.Ivy).Add(c.Zeros(Shape{1}, I32), c.Zeros(Shape{1}, F32))
			if got := c.Zeros(Shape{1}).DType(); got != d {
				t.Errorf("default %s gives %s", d, got)
			}
			if got := x.DType() == F64; got != (d == F64) {
				t.Errorf("mode of %s gives %s", d, x.DType())
			}
		})
	}
	wg.Wait()
}

// TestIvyFollowsTheMode: under promote.Ivy, dtypes and what Why says of them follow the mode.
func TestIvyFollowsTheMode(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	ivy := c.With(promote.Ivy)
	x, y := c.Zeros(Shape{1}, I32), c.Zeros(Shape{1}, F32)
	precise := ivy.Add(x, y)
	c.Settings().SetPrecise(false)
	fast := ivy.Add(x, y)
	if got := dtypesOf(precise, fast, c.With(promote.IvyPrecise).Add(x, y)); got != "f64 f32 f64" {
		t.Error(got)
	}
	c.Settings().UnsetPrecise()
	for z, want := range map[*Tensor]string{&precise: "Add(i32, f32) -> f64 under ivy-precise\n 1. i32, f32: f64 " +
		"(float wide enough: an 8-bit integer needs a float of at least 16 bits, a 16-bit one of 32, a " +
		"wider one of 64)\n 2. add of f64: f64 (keeps the dtype: the result has the dtype of its " +
		"operands)", &fast: "Add(i32, f32) -> f32 under ivy-fast\n 1. i32, f32: f32 (float over integer: an integer of any " +
		"width takes on the float's dtype)\n 2. add of f32: f32 (keeps the dtype: the result has the " +
		"dtype of its operands)"} {
		if why := Why(*z).String(); why != want {
			t.Errorf("%s: %s", want, why)
		}
	}
}

// TestInvalidDTypesAreRefused: a dtype that the backend lacks is an error for a new tensor, an
// operand and a result.
func TestInvalidDTypesAreRefused(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	old := c.Ones(Shape{2}, U16)
	undo := c.Settings().Set("torch")
	for name, f := range map[string]func(){
		"Zeros":  func() { c.Zeros(Shape{2}, U16) },
		"From":   func() { c.From([]uint16{1}) },
		"Scalar": func() { c.Scalar(uint16(1)) },
		"AsType": func() { c.AsType(c.Ones(Shape{2}), U32) },
		"Add":    func() { c.Add(old, old) },
		"Sum":    func() { c.Sum(old) },
		"Iota":   func() { c.Iota(Shape{2}, 0, U64) },
		"Jit":    func() { c.JitAny(func() Tensor { return c.Zeros(Shape{2}, U16) }).(func() Tensor)() },
	} {
		err := Try(f)
		if err == nil || !strings.Contains(err.Error(), ` is not available on backend "torch"; a valid dtype of the same kind is ui8; `) ||
			!strings.HasSuffix(err.Error(), "backend.Unset() restores the previous backend") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := dtypesOf(c.AsType(old, I32), c.Ones(Shape{2}, U8), c.Eye(2)); got != "i32 ui8 f32" {
		t.Error(got)
	}
	if s := old.String(); s != "ui16{2} [1 1]" {
		t.Error(s)
	}
	undo()
	if got := dtypesOf(c.Add(old, old)); got != "ui16" {
		t.Error(got)
	}
}

// TestTracesKnowTheSettings: tensors that a traced function makes have the defaults that are set
// when it is called.
func TestTracesKnowTheSettings(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	f := c.JitAny(func() Tensor { return c.Zeros(Shape{1}) }).(func() Tensor)
	before := f()
	c.Settings().SetDefault(backend.Float, F64)
	within := f()
	c.Settings().UnsetDefault(backend.Float)
	if got := dtypesOf(before, within, f()); got != "f32 f64 f32" {
		t.Error(got)
	}
}

func TestPromote(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	i, f := c.New([]int{1, 2}), c.New([]float64{0.5})
	ivy := c.With(promote.Ivy)
	if got := dtypesOf(append(ivy.PromoteToCommon(i, f), ivy.PromoteToCommon(i, 2.5)...)...); got != "f64 f64 f64 f64" {
		t.Error(got)
	}
	if xs := c.With(promote.Torch).PromoteToCommon(i, f); dtypesOf(xs...) != "f32 f32" || !xs[0].Shape().Equal(Shape{2}) || !xs[1].Shape().Equal(Shape{1}) {
		t.Error(xs)
	}
	if err := Try(func() { ivy.PromoteToCommon(c.Ones(Shape{1}, U8), 300) }); err == nil || err.Error() !=
		"PromoteToCommon(ui8{1}, int 300): IvyBackendException: numpy: promote_types_of_inputs: Python "+
			"integer 300 out of bounds for uint8" {
		t.Error(err)
	}
	if err := Try(func() { c.With(promote.TensorFlow).PromoteToCommon(i, f) }); err == nil {
		t.Error("TensorFlow promotes i32 and f32")
	}
}

func TestReductionsTakeADType(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	x := c.New([]int8{100, 100})
	if got := c.Sum(x).String() + c.Sum(x, Accumulate(I32)).String() + c.Prod(x, Accumulate(I16)).String() + c.Mean(x, Accumulate(F64)).String(); got != "i8{} -56i32{} 200i16{} 10000f64{} 100" {
		t.Error(got)
	}
	for want, f := range map[string]func(){
		"Max(i8{2}): nv.Accumulate is not an option of Max; it takes nv.Axis, nv.KeepDims and nv.Only":    func() { c.Max(x, Accumulate(I32)) },
		"Any(i1{2}): nv.Accumulate is not an option of Any; it takes nv.Axis, nv.KeepDims and nv.Only":    func() { c.Any(c.Gt(x, 0), Accumulate(I32)) },
		"Mean(i8{2}): the result cannot be i32; accumulate in a float, or convert the result with AsType": func() { c.Mean(x, Accumulate(I32)) },
	} {
		if err := Try(f); err == nil || err.Error() != want {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestIvyHasEveryOperation: Ivy's tables have a name for every operation.
func TestIvyHasEveryOperation(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	l := c.With(promote.Ivy)
	x, y := c.New([]float64{2}), c.New([]float64{3}, F64)
	if got := dtypesOf(l.Add(x, y), l.Sub(x, y), l.Mul(x, y), l.Div(x, y), l.TrueDiv(x, y), l.FloorDiv(x, y), l.Rem(x, y),
		l.Pow(x, y), l.Atan2(x, y), l.Maximum(x, y), l.Minimum(x, y), l.Where(true, x, y), l.Concatenate(0, x, y)); got != strings.TrimSpace(strings.Repeat("f64 ", 13)) {
		t.Error(got)
	}
	i, j := c.New([]int8{6}), c.New([]int16{3})
	if got := dtypesOf(l.And(i, j), l.Or(i, j), l.Xor(i, j), l.Shl(i, j), l.Shr(i, j), l.Eq(i, j), l.Lt(i, j)); got != "i16 i16 i16 i16 i16 i1 i1" {
		t.Error(got)
	}
}
