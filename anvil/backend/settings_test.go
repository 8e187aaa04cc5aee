package backend

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestProfiles compares the dtypes that backends lack with Ivy's tables.
func TestProfiles(t *testing.T) {
	want := map[string][]dtype.DType{
		"numpy": {dtype.BF16}, "jax": {}, "tensorflow": {}, "xla": {},
		"torch": {dtype.U16, dtype.U32, dtype.U64}, "paddle": {dtype.U16, dtype.U32, dtype.U64},
	}
	for _, name := range Names() {
		p, err := ProfileOf(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Invalid(dtype.Any); !slices.Equal(got, want[name]) {
			t.Errorf("%s lacks %v, not %v", name, got, want[name])
		}
		for _, d := range All(dtype.Any) {
			if p.Has(d) == slices.Contains(want[name], d) || p.Has(d) != slices.Contains(p.Valid(d.Kind()), d) {
				t.Errorf("%s has %s: %t", name, d, p.Has(d))
			}
			if !p.Has(p.Closest(d)) || p.Has(d) && p.Closest(d) != d {
				t.Errorf("%s: closest to %s is %s", name, d, p.Closest(d))
			}
		}
		if p.Has(dtype.F8E4M3) || p.Has(dtype.Invalid) {
			t.Errorf("%s has a dtype that is not Ivy's", name)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("no profiles of %v", want)
	}
	if none := (Profile{}); !none.Has(dtype.F8E4M3) || len(none.Valid(dtype.Any)) != 15 || len(none.Invalid(dtype.Any)) != 0 {
		t.Error("a dtype is not valid without a backend")
	}
}

func TestSettingsTellWhatIsSet(t *testing.T) {
	var s Settings
	if got := s.String(); got != "no backend; precise; default dtypes global f32, int i32, uint ui32, float f32, complex c64" {
		t.Error(got)
	}
	s.Set("torch")
	s.SetPrecise(false)
	s.SetDefault(Float, dtype.F64)
	s.SetDefaultDevice("cpu:1")
	if got := s.String(); got != "torch 2.2; not precise; default dtypes global f64, int i32, uint ui32, float f64, complex c64; default device cpu:1" {
		t.Error(got)
	}
}

func TestSetsOfDTypes(t *testing.T) {
	for k, n := range map[dtype.Kind]int{dtype.Any: 15, dtype.Numeric: 14, dtype.Integral: 8, dtype.Floating: 4, dtype.Unsigned: 4, dtype.Complex: 2} {
		if got := All(k); len(got) != n {
			t.Errorf("%d dtypes of kind %b: %v", len(got), k, got)
		}
	}
	if words := joinNames(All(dtype.Any)); words != "i8, i16, i32, i64, ui8, ui16, ui32, ui64, bf16, f16, f32, f64, c64, c128, i1" {
		t.Error(words)
	}
}

func TestNative(t *testing.T) {
	for name, want := range map[string][2]string{
		"torch": {"torch.float32", "torch.bool"}, "jax": {`jnp.dtype("float32")`, `jnp.dtype("bool")`}, "paddle": {"paddle.float32", "paddle.bool"},
		"numpy":      {`np.dtype("float32")`, `np.dtype("bool")`},
		"tensorflow": {"tf.float32", "tf.bool"}, "xla": {"F32", "PRED"},
	} {
		p, _ := ProfileOf(name)
		if got := [2]string{p.Native(dtype.F32).String(), p.Native(dtype.I1).String()}; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	none := Profile{}.Native(dtype.F32)
	if none.Backend != "" || none.Name != "float32" || none.String() != "float32" || (Profile{}).Class() != "" {
		t.Errorf("%+v", none)
	}
	var s Settings
	s.Set("torch")
	if err := panicked(func() { s.Native(dtype.U16) }); err == nil || err.Error() !=
		`Native(ui16): dtype ui16 is not available on backend "torch"; a valid dtype of the same kind `+
			"is ui8; i32 holds every ui16; backend.Unset() restores the previous backend" {
		t.Error(err)
	}
}

func panicked(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	f()
	return nil
}

func TestBackendsAreAStack(t *testing.T) {
	var s Settings
	at := func(want string) {
		t.Helper()
		if got := s.Active().Name; got != want || s.State().Backend != want {
			t.Errorf("%q is active, not %q", got, want)
		}
		if s.Restricts() != (want != "") {
			t.Errorf("with %q active, dtypes are restricted: %t", want, s.Restricts())
		}
	}
	first := s.Set("torch")
	second := s.Set("jax")
	at("jax")
	s.Unset()
	at("torch")
	second() // its setting is gone already
	at("torch")
	s.Set("numpy")
	first() // as before torch was set
	at("")
	first()
	s.Unset()
	at("")
	s.Set("torch")
	func() {
		defer func() { _ = recover() }()
		s.With("jax", func() {
			s.Set("numpy") // left behind
			panic("stop")
		})
	}()
	at("torch")
	s.Reset()
	at("")
	if err := panicked(func() { s.Set("tirch") }); err == nil || err.Error() !=
		`backend("tirch"): no backend has this name; the backends are numpy, jax, torch, tensorflow, `+
			"paddle, xla" {
		t.Error(err)
	}
	s.Set("torch", "1.12.1")
	if s.Active().Version != "1.12.1" || s.State().Version != "1.12.1" {
		t.Error(s.Active())
	}
}

// TestStateTellsDeclarations checks that settings with different declarations have different states, also after a reset.
func TestStateTellsDeclarations(t *testing.T) {
	var s Settings
	seen := map[State]string{s.State(): "nothing"}
	for _, d := range []string{"float16", "float32", "float64"} {
		s.Declare("f", Rule{Framework: "torch", Unsupported: Versions{"any": {d}}})
		if other, ok := seen[s.State()]; ok {
			t.Errorf("the state with %s unsupported is that with %s", d, other)
		}
		seen[s.State()] = d
		s.Reset()
	}
}

// TestDefaults checks that each family has the default set last, else the global one
// of its kind, else Ivy's.
func TestDefaults(t *testing.T) {
	var s Settings
	want := func(global, integer, unsigned, float, cplx dtype.DType) {
		t.Helper()
		got := [...]dtype.DType{s.Default(Global), s.Default(Int), s.Default(Uint), s.Default(Float), s.Default(Complex)}
		if got != [...]dtype.DType{global, integer, unsigned, float, cplx} {
			t.Error(got)
		}
	}
	want(dtype.F32, dtype.I32, dtype.U32, dtype.F32, dtype.C64)
	s.SetDefault(Float, dtype.F16)
	want(dtype.F16, dtype.I32, dtype.U32, dtype.F16, dtype.C64)
	undo := s.SetDefault(Global, dtype.U8)
	want(dtype.U8, dtype.U8, dtype.U8, dtype.F16, dtype.C64)
	s.SetDefault(Int, dtype.I64)
	want(dtype.U8, dtype.I64, dtype.U8, dtype.F16, dtype.C64)
	undo()
	want(dtype.F16, dtype.I64, dtype.U32, dtype.F16, dtype.C64)
	s.UnsetDefault(Float)
	s.WithDefault(Global, dtype.C128, func() { want(dtype.C128, dtype.I64, dtype.U32, dtype.F32, dtype.C128) })
	want(dtype.F32, dtype.I64, dtype.U32, dtype.F32, dtype.C64)
	for d, like := range map[dtype.DType]dtype.DType{dtype.I8: dtype.I64, dtype.U8: dtype.U32, dtype.BF16: dtype.F32, dtype.C128: dtype.C64, dtype.I1: dtype.I1} {
		if got := s.DefaultLike(d); got != like {
			t.Errorf("like %s: %s", d, got)
		}
	}
	s.Set("torch")
	if err := panicked(func() { s.SetDefault(Int, dtype.F32) }); err == nil || err.Error() != "SetDefault(int, f32): f32 cannot be the default int; give one of i8, i16, i32, i64, ui8" {
		t.Error(err)
	}
	for _, c := range []struct {
		f    Family
		d    dtype.DType
		want string
	}{
		{Uint, dtype.I8, "SetDefault(uint, i8): i8 cannot be the default uint; give one of ui8"},
		{Float, dtype.I32, "SetDefault(float, i32): i32 cannot be the default float; give one of bf16, f16, f32, f64"},
		{Complex, dtype.F64, "SetDefault(complex, f64): f64 cannot be the default complex; give one of c64, c128"},
		{Global, dtype.U16, `SetDefault(ui16): dtype ui16 is not available on backend "torch"; a valid dtype of the same kind is ui8; ` +
			"i32 holds every ui16; backend.Unset() restores the previous backend"},
		{families, dtype.F32, "SetDefault(5): no such family; give backend.Global, Int, Uint, Float or Complex"},
	} {
		before := s.State()
		if err := panicked(func() { s.SetDefault(c.f, c.d) }); err == nil || err.Error() != c.want {
			t.Errorf("%s as the default of family %d: %v, want %s", c.d, c.f, err, c.want)
		}
		if s.State() != before {
			t.Errorf("%s, refused as the default of family %d, changed something", c.d, c.f)
		}
	}
	for name, f := range map[string]func(){"UnsetDefault": func() { s.UnsetDefault(families) }, "Default": func() { s.Default(families) }} {
		if err := panicked(f); err == nil || err.Error() != name+"(5): no such family; give backend.Global, Int, Uint, Float or Complex" {
			t.Errorf("%s of no family: %v", name, err)
		}
	}
}

func TestInfer(t *testing.T) {
	var s Settings
	want := func(given dtype.DType, item any, d dtype.DType, step int) {
		t.Helper()
		if i := s.Infer(given, item); i.DType != d || i.Step != step {
			t.Errorf("%s, %v: %s", given, item, i)
		}
	}
	for _, c := range []struct {
		given dtype.DType
		item  any
		want  string
	}{
		{dtype.I8, 1.5, "i8 (step 1, dtype argument: a dtype that is given is used as it is)"},
		{dtype.Invalid, dtype.U8, "ui8 (step 2, array argument: the dtype of the first array among the arguments)"},
		{dtype.Invalid, 1, "i32 (step 3, relevant number: the default dtype of the number's kind, or i64, f64 or c128 if " +
			"the number does not fit i32, f32 or c64)"},
		{dtype.Invalid, nil, "f32 (step 4, global default: the global default dtype, as no argument determines another)"},
	} {
		if got := s.Infer(c.given, c.item).String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	want(dtype.Invalid, 1<<31-1, dtype.I32, 3)
	want(dtype.Invalid, 1<<31, dtype.I64, 3)
	want(dtype.Invalid, 1.5, dtype.F32, 3)
	want(dtype.Invalid, 1e300, dtype.F64, 3)
	want(dtype.Invalid, 1e-50, dtype.F64, 3)
	want(dtype.Invalid, 2i, dtype.C64, 3)
	want(dtype.Invalid, true, dtype.I1, 3)
	want(dtype.Invalid, int8(1), dtype.I8, 3)
	s.SetDefault(Int, dtype.I8)
	s.SetDefault(Global, dtype.F64)
	want(dtype.Invalid, 1, dtype.I8, 3)
	want(dtype.Invalid, 1<<31, dtype.I64, 3)
	want(dtype.Invalid, 1.5, dtype.F64, 3)
	want(dtype.Invalid, nil, dtype.F64, 4)
	if err := panicked(func() { s.Infer(dtype.Invalid, "text") }); err == nil || err.Error() != "dtype.OfLiteral(string): not a number; operands are tensors, bools and numbers" {
		t.Error(err)
	}
}

// TestWrappers checks each wrapper; "check dtype" is applied only under a backend.
func TestWrappers(t *testing.T) {
	var s Settings
	names := func() (all []string) {
		for _, w := range s.Wrappers() {
			all = append(all, w.Name+": "+w.Doc)
		}
		return all
	}
	infer, device := "infer dtype: chooses the dtype where none is given", "infer device: chooses the default device where none is given"
	check := "check dtype: refuses a dtype that the active backend lacks"
	if got := names(); !slices.Equal(got, []string{infer, device}) {
		t.Error(got)
	}
	s.SetDefaultDevice("cpu:1")
	s.SetDefault(Int, dtype.I64)
	for _, c := range []struct {
		in   Request
		want dtype.DType
	}{
		{Request{Item: 1, Own: dtype.I32}, dtype.I64},
		{Request{Item: 1.5, Own: dtype.F32}, dtype.F32},
		{Request{Own: dtype.F16}, dtype.F16},
		{Request{Item: dtype.U8, Own: dtype.U8}, dtype.U8},
		{Request{DType: dtype.I8, Item: 1, Own: dtype.I32}, dtype.I8},
	} {
		r := c.in
		if err := s.Complete(&r); err != nil || r.DType != c.want || r.Device != "cpu:1" {
			t.Errorf("%+v: %+v, %v", c.in, r, err)
		}
	}
	s.Set("torch")
	if got := names(); !slices.Equal(got, []string{infer, check, device}) {
		t.Error(got)
	}
	r := Request{Op: "Zeros", DType: dtype.U16}
	if err := s.Complete(&r); err == nil || err.Error() != `Zeros(ui16): dtype ui16 is not available on backend "torch"; a valid dtype of the `+
		"same kind is ui8; i32 holds every ui16; backend.Unset() restores the previous backend" {
		t.Error(err)
	}
}

func TestPreciseMode(t *testing.T) {
	var s Settings
	if s.Ivy() != promote.IvyPrecise || !s.Precise() {
		t.Error("the precise mode is not on initially")
	}
	s.SetPrecise(false)
	s.PreciseMode(true, func() {
		if s.Ivy() != promote.IvyPrecise {
			t.Error("not precise in PreciseMode(true, ...)")
		}
	})
	if s.Ivy() != promote.IvyFast || s.Precise() {
		t.Error("not fast after PreciseMode(true, ...)")
	}
	s.UnsetPrecise()
	s.SetDefault(Float, dtype.F64)
	s.SetDefault(Int, dtype.I64)
	ivy := s.Ivy()
	if got := ivy.Result(1, 2.5); got.DType != dtype.F64 {
		t.Error(got)
	}
	s.WithDefault(Global, dtype.F16, func() {
		if got := s.Ivy().Result(2.5); got.DType != dtype.F64 {
			t.Error("with the global default f16 a number is", got)
		}
	})
	s.WithDefault(Complex, dtype.C128, func() {
		if s.Ivy() == ivy {
			t.Error("another default complex dtype does not give another system")
		}
	})
	if s.Ivy() != ivy {
		t.Error("the same mode gives another system")
	}
	if got, err := s.Ivy().Operation("divide", dtype.I8, dtype.I8); err != nil || got.DType != dtype.F64 {
		t.Error("quotient of integers with default float f64:", got, err)
	}
}

// TestFunctionsAreMethods checks that every function of the current settings is also a
// method of Settings, which cells call on the settings of their session.
func TestFunctionsAreMethods(t *testing.T) {
	for name, f := range map[string]any{
		"Set": Set, "Unset": Unset, "With": With, "Active": Active, "Valid": Valid, "Invalid": Invalid, "Native": Native, "Use": Use,
		"SetPrecise": SetPrecise, "UnsetPrecise": UnsetPrecise, "PreciseMode": PreciseMode, "Precise": Precise, "Ivy": Ivy,
		"SetDefault": SetDefault, "UnsetDefault": UnsetDefault, "WithDefault": WithDefault, "Default": Default,
		"DefaultLike": DefaultLike, "Infer": Infer, "Wrappers": Wrappers,
		"SetDefaultDevice": SetDefaultDevice, "UnsetDefaultDevice": UnsetDefaultDevice, "DefaultDevice": DefaultDevice,
	} {
		m := reflect.ValueOf(new(Settings)).MethodByName(name)
		if !m.IsValid() || m.Type() != reflect.TypeOf(f) {
			t.Errorf("%s is not a method of Settings with the same signature", name)
		}
	}
}

// TestSettingsAreShared sets and reads in several goroutines.
func TestSettingsAreShared(t *testing.T) {
	var s Settings
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				undo := s.SetDefault(Int, dtype.I64)
				if d := s.Default(Int); d != dtype.I64 && d != dtype.I32 {
					t.Error(d)
				}
				undo()
			}
		})
	}
	wg.Wait()
	if s.Default(Int) != dtype.I32 {
		t.Error(s.Default(Int))
	}
}

// TestProfileTable checks that text and HTML have the same content, also without
// styles.
func TestProfileTable(t *testing.T) {
	text := Profiles().String()
	lines := strings.Split(text, "\n")
	if len(lines) != 16 || strings.Count(text, "-") != 1+3+3 {
		t.Error(text)
	}
	if got := lines[0] + "\n" + lines[6]; got != "dtype numpy jax   torch tensorflow paddle xla\nui16  valid valid -     valid      -      valid" {
		t.Error(got)
	}
	page := Profiles().HTML()
	if strings.Count(page, "<tr>") != 16 || strings.Count(page, ">-</td>") != 7 || strings.Contains(page, "<script") {
		t.Error(page)
	}
}

// TestOneRuleOfEachFramework checks that all lines of the tables about an operation and a framework are one rule.
func TestOneRuleOfEachFramework(t *testing.T) {
	for op, rules := range tables().rules {
		seen := map[string]bool{}
		for _, r := range rules {
			if seen[r.Framework] {
				t.Errorf("%s has two rules of %s", op, r.Framework)
			}
			seen[r.Framework] = true
		}
	}
}
