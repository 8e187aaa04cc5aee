package backend

import (
	"fmt"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestCurrent checks that the functions of the package change and read the current settings.
func TestCurrent(t *testing.T) {
	t.Cleanup(Current().Reset)
	state := func() string {
		s := Current().State()
		return fmt.Sprint(s.Backend, " ", s.Version, " ", !s.Fast, " ", s.Default(Int), " ", s.Device, " ", s.Casting)
	}
	const none = "  true i32  none"
	for name, c := range map[string]struct {
		set   func() Restore
		unset func()
		want  string
	}{
		"Set":                {func() Restore { return Set("torch", "1.2") }, Unset, "torch 1.2 true i32  none"},
		"SetPrecise":         {func() Restore { return SetPrecise(false) }, UnsetPrecise, "  false i32  none"},
		"SetDefault":         {func() Restore { return SetDefault(Int, dtype.I8) }, func() { UnsetDefault(Int) }, "  true i8  none"},
		"SetDefaultDevice":   {func() Restore { return SetDefaultDevice("cpu:1") }, UnsetDefaultDevice, "  true i32 cpu:1 none"},
		"SetCasting":         {func() Restore { return SetCasting(Upcast | Downcast) }, UnsetCasting, "  true i32  upcast downcast"},
		"UpcastDataTypes":    {func() Restore { return UpcastDataTypes() }, UnsetCasting, "  true i32  upcast"},
		"DowncastDataTypes":  {func() Restore { return DowncastDataTypes() }, UnsetCasting, "  true i32  downcast"},
		"CrosscastDataTypes": {func() Restore { return CrosscastDataTypes(true) }, UnsetCasting, "  true i32  crosscast"},
		"CastDataTypes":      {func() Restore { return CastDataTypes() }, UnsetCasting, "  true i32  crosscast upcast downcast"},
		"no DowncastDataTypes": {func() Restore { CastDataTypes(); return DowncastDataTypes(false) }, func() { UnsetCasting(); UnsetCasting() },
			"  true i32  crosscast upcast"},
	} {
		Current().Reset()
		restore := c.set()
		if got := state(); got != c.want {
			t.Errorf("after %s: %q, want %q", name, got, c.want)
		}
		if c.unset(); state() != none {
			t.Errorf("after %s and the unsetting: %q", name, state())
		}
		if restore(); state() != none { // what it restores is gone
			t.Errorf("after %s, the unsetting and the restoring: %q", name, state())
		}
	}
	var inside string
	for name, f := range map[string]func(){
		"With":        func() { With("torch", func() { inside = state()[:5] }) },
		"PreciseMode": func() { PreciseMode(false, func() { inside = fmt.Sprint(Precise()) }) },
		"WithDefault": func() { WithDefault(Int, dtype.I8, func() { inside = Default(Int).String() }) },
	} {
		f()
		if want := map[string]string{"With": "torch", "PreciseMode": "false", "WithDefault": "i8"}[name]; inside != want || state() != none {
			t.Errorf("%s: %s inside, %q afterwards", name, inside, state())
		}
	}
	SetDefault(Int, dtype.I16)
	SetPrecise(false)
	SetDefaultDevice("cpu:2")
	Declare("f", Rule{Framework: "torch", Unsupported: Versions{"any": {"float16", "uint16"}}})
	WithRule(Rule{Framework: "torch", Unsupported: Versions{"any": {"bool"}}}, func(b *Block) { b.Func("f") })
	Set("torch")
	UpcastDataTypes()
	f := "f"
	cast, err := CastOf("f", dtype.F16)
	for what, got := range map[string][2]any{
		"Active":              {Active(), Current().Active()},
		"Valid":               {Valid(dtype.Unsigned), []dtype.DType{dtype.U8}},
		"Invalid":             {Invalid(dtype.Unsigned), []dtype.DType{dtype.U16, dtype.U32, dtype.U64}},
		"Native":              {Native(dtype.I64), Current().Native(dtype.I64)},
		"Use of ui16":         {Use(dtype.U16) != nil, true},
		"Use of ui8":          {Use(dtype.U8), nil},
		"Precise":             {Precise(), false},
		"Ivy":                 {Ivy() == Current().Ivy() && Ivy() != promote.IvyPrecise, true},
		"Default":             {Default(Int), dtype.I16},
		"DefaultLike":         {DefaultLike(dtype.I64), dtype.I16},
		"DefaultDevice":       {DefaultDevice(), "cpu:2"},
		"Infer":               {Infer(dtype.Invalid, 1).DType, dtype.I16},
		"Wrappers":            {len(Wrappers()), 3},
		"Rules":               {len(Rules("f")), 2},
		"CastingModes":        {CastingModes(), Upcast},
		"CastOf":              {fmt.Sprint(cast, err), "f16 -upcast-> f32 <nil>"},
		"Lint":                {len(Lint()), 1},
		"FunctionCalls":       {FunctionCalls(f), []string{"f"}},
		"FunctionUnsupported": {FunctionUnsupported(f), []dtype.DType{dtype.U16, dtype.U32, dtype.U64, dtype.F16, dtype.I1}},
		"FunctionSupported":   {len(FunctionSupported(f)), len(Valid(dtype.Any)) - 2},
	} {
		if fmt.Sprint(got[0]) != fmt.Sprint(got[1]) {
			t.Errorf("%s returns %v, want %v", what, got[0], got[1])
		}
	}
	if text := Wrappers()[0].String(); text != Wrappers()[0].Name {
		t.Errorf("a wrapper is shown as %s", text)
	}
	if got := Current().String(); got != "torch 2.2; not precise; default dtypes global f32, int i16, uint ui32, float f32, "+
		"complex c64; default device cpu:2" {
		t.Errorf("the settings are shown as %s", got)
	}
}
