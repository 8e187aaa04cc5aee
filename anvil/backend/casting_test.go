package backend_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
)

// TestCastingModes casts for an operation that takes only ui8, ui32 and i16.
func TestCastingModes(t *testing.T) {
	var s backend.Settings
	s.Declare("odd", backend.Rule{Framework: "jax", Supported: backend.Versions{"0.4.25 and below": {"uint8", "uint32", "int16"}}})
	s.Set("jax")
	for _, c := range []struct {
		modes backend.Casting
		d     dtype.DType
		want  string // "": an error
	}{
		{0, dtype.U8, "ui8"},
		{0, dtype.U16, ""},
		{backend.Upcast, dtype.U16, "ui16 -upcast-> ui32"},
		{backend.Upcast, dtype.I8, "i8 -upcast-> i16"},
		{backend.Upcast, dtype.U64, ""},
		{backend.Upcast, dtype.I32, ""},
		{backend.Downcast, dtype.I32, "i32 -downcast-> i16"},
		{backend.Downcast, dtype.U16, "ui16 -downcast-> ui8"},
		{backend.Downcast, dtype.I8, ""},
		{backend.Crosscast, dtype.I32, ""}, // some integers are supported
		{backend.Crosscast, dtype.F32, ""}, // the default integer is not
		{backend.CastAll, dtype.I64, "i64 -downcast-> i16"},
		{backend.CastAll, dtype.I8, "i8 -upcast-> i16"},
		{backend.CastAll, dtype.U16, "ui16 -upcast-> ui32"},
		{backend.CastAll, dtype.F32, "f32 -crosscast-> i32 -downcast-> i16"},
		{backend.CastAll, dtype.C64, ""},
		{backend.CastAll, dtype.I1, ""},
	} {
		s.SetCasting(c.modes)
		cast, err := s.CastOf("odd", c.d)
		got := cast.String()
		if err != nil {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s of %s: %q (%v), want %q", c.modes, c.d, got, err, c.want)
		}
	}
	if cast, err := s.CastOf("add", dtype.F16); err != nil || len(cast.Steps) > 0 {
		t.Errorf("an operation without a declaration: %v, %v", cast, err)
	}
}

func TestCastingOnTorch(t *testing.T) {
	var s backend.Settings
	s.Set("torch")
	for _, c := range []struct {
		modes backend.Casting
		op    string
		d     dtype.DType
		want  string
	}{
		{0, "expm1", dtype.F16, ""},
		{backend.Upcast, "expm1", dtype.F16, "f16 -upcast-> f32"},
		{backend.Downcast, "expm1", dtype.F16, "f16 -downcast-> bf16"},
		{backend.Crosscast, "expm1", dtype.F16, ""},
		{backend.CastAll, "expm1", dtype.F16, "f16 -upcast-> f32"},
		{backend.CastAll, "expm1", dtype.C64, ""},
		{backend.CastAll, "expm1", dtype.U16, ""}, // what the backend lacks is not cast
		{backend.Crosscast, "lcm", dtype.F16, "f16 -crosscast-> i32"},
		{backend.CastAll, "lcm", dtype.F16, "f16 -crosscast-> i32"},
		{backend.Upcast, "lcm", dtype.F16, ""},
		{backend.Upcast, "prod", dtype.U8, ""}, // ui16 and above do not exist there
	} {
		s.SetCasting(c.modes)
		cast, err := s.CastOf(c.op, c.d)
		got := cast.String()
		if err != nil {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s of %s under %s: %q (%v), want %q", c.op, c.d, c.modes, got, err, c.want)
		}
	}
	s.UnsetCasting()
	s.SetDefault(backend.Int, dtype.I64)
	s.SetCasting(backend.Crosscast)
	if cast, _ := s.CastOf("lcm", dtype.F16); cast.To != dtype.I64 {
		t.Errorf("with the default integer i64: %s", cast)
	}
}

func TestCastingModesAreAStack(t *testing.T) {
	var s backend.Settings
	if s.CastingModes() != 0 {
		t.Error("a mode is on from the start")
	}
	restore := s.UpcastDataTypes()
	s.CrosscastDataTypes()
	if got := s.CastingModes().String(); got != "crosscast upcast" {
		t.Error(got)
	}
	s.UpcastDataTypes(false)
	if got := s.CastingModes(); got != backend.Crosscast {
		t.Error(got)
	}
	s.UnsetCasting()
	if got := s.CastingModes().String(); got != "crosscast upcast" {
		t.Error(got)
	}
	s.CastDataTypes(true)
	if got := s.CastingModes(); got != backend.CastAll {
		t.Error(got)
	}
	restore()
	if got := s.CastingModes().String(); got != "none" {
		t.Error(got)
	}
}

func TestRefusals(t *testing.T) {
	var s backend.Settings
	s.Set("torch")
	s.Declare("none", backend.Rule{Framework: "torch", Unsupported: backend.Versions{"any": {"valid"}}})
	for op, want := range map[string]string{
		"none": `none(f16): none on backend "torch 2.2" does not support f16; it supports no dtype; choose ` +
			"another backend with backend.Set",
		"expm1": `expm1(f16): expm1 on backend "torch 2.2" does not support f16; it supports i8 i16 i32 i64 ui8 ` +
			"bf16 f32 f64 i1: convert with AsType, or let backend.UpcastDataTypes() do it",
		"lcm": `lcm(f16): lcm on backend "torch 2.2" does not support f16; it supports i8 i16 i32 i64 ui8 c64 ` +
			"c128 i1: convert with AsType, or let backend.CrosscastDataTypes() do it",
	} {
		if _, err := s.CastOf(op, dtype.F16); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := s.CastOf("expm1", dtype.U16); err == nil || err.Error() != `expm1(ui16): dtype ui16 is not available on backend "torch"; a valid dtype of the `+
		"same kind is ui8; i32 holds every ui16; backend.Unset() restores the previous backend" {
		t.Error(err)
	}
	s.Declare("odd", backend.Rule{Framework: "torch", Supported: backend.Versions{"any": {"int8"}}})
	s.SetCasting(backend.Crosscast)
	if _, err := s.CastOf("odd", dtype.F16); err == nil || err.Error() != `odd(f16): odd on backend "torch 2.2" does not support f16, nor the dtype `+
		"that the casting modes give (f16 -crosscast-> i32); it supports i8: convert with AsType" {
		t.Error(err)
	}
	s.SetCasting(backend.Upcast)
	if _, err := s.CastOf("odd", dtype.I16); err == nil || err.Error() != `odd(i16): odd on backend "torch 2.2" does not support i16; it supports i8: `+
		"convert with AsType, or let backend.DowncastDataTypes() do it" {
		t.Error(err)
	}
}

// TestStepsOfCasts checks what the steps of casts say.
func TestStepsOfCasts(t *testing.T) {
	var s backend.Settings
	s.Set("torch")
	s.Declare("sin", backend.Rule{Framework: "torch", Supported: backend.Versions{"any": {"float32"}}})
	for _, c := range []struct {
		modes backend.Casting
		op    string
		d     dtype.DType
		want  string
	}{
		{backend.Crosscast, "lcm", dtype.F16, "no dtype of this kind is supported: the default dtype of the other kind"},
		{backend.Upcast, "expm1", dtype.F16, "the next higher supported dtype of the same kind"},
		{backend.Downcast, "expm1", dtype.F16, "the next lower supported dtype of the same kind"},
		{0, "sin", dtype.I16, "some frameworks accept integers here, so every backend does: they become the default float"},
	} {
		s.SetCasting(c.modes)
		if cast, err := s.CastOf(c.op, c.d); err != nil || len(cast.Steps) != 1 || cast.Steps[0].Rule.Doc != c.want {
			t.Errorf("%s of %s under %s: %+v, %v, want %s", c.op, c.d, c.modes, cast.Steps, err, c.want)
		}
	}
}

// TestIntegersOfRealFunctions checks that a real function takes an integer at the default float where the framework
// takes none, whatever modes are on, and that no other operation and no other dtype is cast so.
func TestIntegersOfRealFunctions(t *testing.T) {
	var s backend.Settings
	s.Set("torch")
	for _, op := range []string{"sin", "odd"} {
		s.Declare(op, backend.Rule{Framework: "torch", Supported: backend.Versions{"any": {"float32", "float64"}}})
	}
	for _, c := range []struct {
		op   string
		d    dtype.DType
		f    dtype.DType // the default float
		want string      // "": an error
	}{
		{"sin", dtype.I16, dtype.F32, "i16 -superset-> f32"},
		{"sin", dtype.U8, dtype.F64, "ui8 -superset-> f64"},
		{"sin", dtype.F32, dtype.F32, "f32"},
		{"sin", dtype.F16, dtype.F32, ""},
		{"sin", dtype.C64, dtype.F32, ""},
		{"odd", dtype.I16, dtype.F32, ""},
	} {
		s.SetDefault(backend.Float, c.f)
		cast, err := s.CastOf(c.op, c.d)
		got := cast.String()
		if err != nil {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s of %s with the default float %s: %q (%v), want %q", c.op, c.d, c.f, got, err, c.want)
		}
	}
	for op := range strings.FieldsSeq(`acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10
		log1p log2 reciprocal rsqrt sigmoid sin sinh sqrt tan tanh`) {
		s.Declare(op, backend.Rule{Framework: "torch", Supported: backend.Versions{"any": {"float32"}}})
		if cast, err := s.CastOf(op, dtype.I32); err != nil || cast.String() != "i32 -superset-> f32" {
			t.Errorf("%s of i32: %v (%v)", op, cast, err)
		}
	}
}

// TestCastingOfAnySet checks, for random sets of supported dtypes and all modes, that
// a supported dtype stays, and that any other becomes the nearest supported one in
// the direction of the mode, of the same kind except by crosscast.
func TestCastingOfAnySet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := backend.All(dtype.Any)
	for n := range 3000 {
		var s backend.Settings
		var takes []string
		has := map[dtype.DType]bool{}
		for _, d := range all {
			if r.IntN(3) == 0 {
				takes, has[d] = append(takes, d.Long()), true
			}
		}
		s.Declare("f", backend.Rule{Framework: "jax", Supported: backend.Versions{"1.0": takes}})
		s.Set("jax")
		modes := backend.Casting(r.IntN(8))
		s.SetCasting(modes)
		d := all[r.IntN(len(all))]
		cast, err := s.CastOf("f", d)
		if want, ok := nearest(has, modes, d); (err == nil) != ok || ok && cast.To != want {
			t.Fatalf("%d: %s of %s, supported %v: %s, %v; want %s, %t", n, modes, d, takes, cast, err, want, ok)
		}
	}
}

// nearest searches for the result of CastOf: the nearest supported dtype above d, or else
// below d, after a crosscast of d.
func nearest(has map[dtype.DType]bool, modes backend.Casting, d dtype.DType) (dtype.DType, bool) {
	if has[d] {
		return d, true
	}
	lacks := func(k dtype.Kind) bool {
		return !slices.ContainsFunc(backend.All(k), func(d dtype.DType) bool { return has[d] })
	}
	switch {
	case modes&backend.Crosscast != 0 && d.Is(dtype.Integral) && lacks(dtype.Integral):
		d = dtype.F32
	case modes&backend.Crosscast != 0 && d.Is(dtype.Floating) && lacks(dtype.Floating):
		d = dtype.I32
	}
	up, down := dtype.Invalid, dtype.Invalid
	kind := backend.All(d.Kind())
	for _, e := range kind {
		switch i, start := slices.Index(kind, e), slices.Index(kind, d); {
		case !has[e]:
		case i == start:
			return d, true
		case i > start && up == dtype.Invalid:
			up = e
		case i < start:
			down = e
		}
	}
	switch {
	case modes&backend.Upcast != 0 && up != dtype.Invalid:
		return up, true
	case modes&backend.Downcast != 0 && down != dtype.Invalid:
		return down, true
	}
	return dtype.Invalid, false
}

// A rule may name what a kind of device supports, or what it does not support.
func TestSupportOnDevices(t *testing.T) {
	var s backend.Settings
	s.Declare("some", backend.Rule{Framework: "torch", SupportedOn: map[string]backend.Versions{"cpu": {"any": {"float32", "int8"}}}})
	s.Declare("others", backend.Rule{Framework: "torch", UnsupportedOn: map[string]backend.Versions{"cpu": {"any": {"float32", "int8"}}}})
	s.Declare("elsewhere", backend.Rule{Framework: "torch", SupportedOn: map[string]backend.Versions{"gpu": {"any": {"int8"}}}})
	s.Set("torch")
	for op, want := range map[string][]bool{"some": {true, true, false}, "others": {false, false, true}, "elsewhere": {true, true, true}} {
		for i, d := range []dtype.DType{dtype.F32, dtype.I8, dtype.F64} {
			if _, err := s.CastOn(op, d, "cpu:0"); (err == nil) != want[i] {
				t.Errorf("%s of %v: %v", op, d, err)
			}
		}
	}
}

// TestCastsByNamesOfGo checks that an operation has the casts of Ivy's rules under its name in Go too.
func TestCastsByNamesOfGo(t *testing.T) {
	var s backend.Settings
	s.Set("torch")
	for _, c := range [][2]string{{"Prod", "prod"}, {"Lgamma", "lgamma"}, {"FloorDiv", "floor_divide"}} {
		for _, d := range dtype.All() {
			goCast, goErr := s.CastOf(c[0], d)
			cast, err := s.CastOf(c[1], d)
			if goCast.String() != cast.String() || fmt.Sprint(goErr) != fmt.Sprint(err) {
				t.Errorf("%s of %s: %v, %v, and of %s: %v, %v", c[0], d, goCast, goErr, c[1], cast, err)
			}
		}
	}
	if _, err := s.CastOf("Prod", dtype.U8); err == nil {
		t.Error("torch supports Prod of ui8")
	}
}
