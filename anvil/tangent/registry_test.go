package tangent_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

// Metres and feet are defined types of numbers that have no sum without a rule. They are both lengths.
type (
	metres float64
	feet   float64
	length interface{ inMetres() float64 }
)

func (m metres) inMetres() float64 { return float64(m) }
func (f feet) inMetres() float64   { return 0.3048 * float64(f) }

// registry returns a Registry of the test's own.
func registry() *tangent.Registry {
	return tangent.NewRegistry(nv.Default(), func(t reflect.Type) reflect.Type { return t })
}

// TestRegisteredSums checks which rule of RegisterAdd serves a sum, and which declarations are refused.
func TestRegisteredSums(t *testing.T) {
	refused := func(want string, f func()) {
		t.Helper()
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	r := registry()
	refused("tangent.Add(metres, feet): there is no rule for metres and feet; declare one: "+
		"tangent.RegisterAdd(func(a metres, b feet) ...)", func() { r.Add(metres(1), feet(1)) })
	r.RegisterAdd(func(a metres, b feet) metres { return a + metres(b.inMetres()) })
	for _, sum := range []any{r.Add(metres(1), feet(10)), r.Add(feet(10), metres(1))} {
		if sum != metres(4.048) {
			t.Errorf("the sum is %v", sum)
		}
	}
	refused("tangent.RegisterAdd(func(feet, metres) feet): there is already a rule for (metres, feet), which serves both orders; "+
		"to replace it, declare the rule in that order",
		func() { r.RegisterAdd(func(a feet, b metres) feet { return a }) })
	r.RegisterAdd(func(a metres, b feet) (metres, error) { return 0, errors.New("units differ") })
	refused("tangent.Add(metres, feet): units differ", func() { r.Add(metres(1), feet(1)) })
	r.RegisterAdd(func(a, b metres) string { return "" })
	refused("tangent.Add(string): a string cannot be stored in a metres", func() { r.Add([]metres{1}, []metres{1}) })

	loose := registry()
	loose.RegisterAdd(func(a length, b feet) float64 { return 1 })
	if got := loose.Add(metres(1), feet(1)); got != 1.0 {
		t.Errorf("the sum by an interface is %v", got)
	}
	loose.RegisterAdd(func(a metres, b length) float64 { return 2 })
	refused("tangent.Add(metres, feet): the rules for (length, feet) and (metres, length) both fit; declare the one for these types: "+
		"tangent.RegisterAdd(func(a metres, b feet) ...)", func() { loose.Add(metres(1), feet(1)) })
	loose.RegisterAdd(func(a metres, b feet) float64 { return 3 })
	if got := loose.Add(metres(1), feet(1)); got != 3.0 {
		t.Errorf("a rule for the concrete types gives way: %v", got)
	}
}

// TestDeclaredFunctions checks how declared functions are called, and what their errors say.
func TestDeclaredFunctions(t *testing.T) {
	type hidden struct{ x, y float64 }
	type open struct{ X, Y float64 }
	r := registry()
	failure := func(f func()) string {
		if err := nv.Try(f); err != nil {
			return err.Error()
		}
		return ""
	}
	step := r.New(hidden{}, tangent.F{"x": 1.0, "y": 2.0})
	if got := failure(func() { r.AddTo(hidden{}, step) }); got != "tangent.AddTo(hidden): a hidden cannot be constructed: its field x "+
		"is not exported; export the field, or declare tangent.Constructor(func(x, y) hidden), or a natural tangent with "+
		"tangent.DeclareNatural" {
		t.Errorf("without a constructor: %s", got)
	}
	natural := registry()
	natural.DeclareNatural(func(p hidden, t float64) hidden { return p }, func(to, from hidden) float64 { return 0 })
	if got := failure(func() { natural.AddTo(hidden{}, natural.New(hidden{}, tangent.F{"x": 1.0})) }); got != "tangent.AddTo(hidden): a hidden cannot be constructed: its field x is not exported; its natural tangent is float64" {
		t.Errorf("with a natural tangent: %s", got)
	}
	r.Constructor(func(x, y float64) (hidden, error) {
		if x < 0 {
			return hidden{}, errors.New("x is negative")
		}
		return hidden{x, y}, nil
	})
	if got := r.AddTo(hidden{10, 20}, step); got != (hidden{11, 22}) {
		t.Errorf("the constructor returns %v", got)
	}
	if got := failure(func() { r.AddTo(hidden{-5, 0}, step) }); got != "tangent.AddTo(float64, float64): x is negative" {
		t.Errorf("an error of the constructor: %s", got)
	}
	r.Constructor(func(x int, y string) open { return open{} })
	if got := failure(func() { r.AddTo(open{}, r.New(open{}, tangent.F{"X": 1.0})) }); got != "tangent.AddTo(float64, float64): the declared function takes a string, not a float64; declare a function for this type" {
		t.Errorf("a constructor of other types: %s", got)
	}

	// Tangents by properties: of polar coordinates at (1, 0).
	type point struct{ X, Y float64 }
	polar := r.New(point{}, tangent.F{"R": 2.0, "Angle": 3.0})
	flat := r.New(point{}, tangent.F{"X": 10.0, "Y": 20.0})
	r.Properties(point{}, func(f tangent.F) tangent.F { return tangent.F{"X": f["R"], "Y": f["Angle"]} })
	if got := r.Add(polar, flat); fmt.Sprint(got) != "Tangent{point}(X = 12, Y = 23)" {
		t.Errorf("the sum by fields is %v", got)
	}
	if got := r.AddTo(point{1, 0}, polar); got != (point{3, 3}) {
		t.Errorf("the point moves to %v", got)
	}
	r.OverloadAdd(point{}, func(a, b tangent.Struct) tangent.Struct { return r.New(point{}, tangent.F{"X": 99.0}) })
	if got := r.Add(flat, polar); fmt.Sprint(got) != "Tangent{point}(X = 99)" {
		t.Errorf("the overloaded sum is %v", got)
	}
	if got := r.Add(flat, flat); fmt.Sprint(got) != "Tangent{point}(X = 20, Y = 40)" {
		t.Errorf("the sum without properties is %v", got)
	}
	r.Properties(point{}, func(f tangent.F) tangent.F { return tangent.F{"Z": 1.0} })
	if got := failure(func() { polar.Canonical() }); got != "tangent.Canonical(Tangent{point}): the function given to tangent.Properties for point "+
		"returned Z, which is not a field; return the tangents of X, Y" {
		t.Errorf("other properties: %s", got)
	}
}

// TestTypesFor checks which tangent types are listed for values of each kind.
func TestTypesFor(t *testing.T) {
	type pair struct{ X, Y float64 }
	every := []string{"ZeroTangent", "NoTangent", "NotImplemented", "Thunk", "InplaceableThunk"}
	for _, c := range []struct {
		value any
		want  []string // those before every
	}{
		{nv.New([]float64{1}), []string{"Tensor", "OneElement", "Sparse"}},
		{1.5, []string{"float64"}},
		{metres(1), []string{"metres", "Tangent{metres}"}},
		{time.Time{}, []string{"Duration", "Tangent{Time}"}},
		{pair{}, []string{"Tangent{pair}"}},
		{[]float64{1}, []string{"Tangent{[]float64}"}},
		{map[string]any{}, []string{"Tangent{map[string]any}"}},
		{"text", nil},
	} {
		if got, want := tangent.TypesFor(c.value), slices.Concat(c.want, every); !slices.Equal(got, want) {
			t.Errorf("%T: %q, want %q", c.value, got, want)
		}
	}
}

// TestDebugOfAccumulate checks that Debug finds a function that adds something else to an accumulator.
func TestDebugOfAccumulate(t *testing.T) {
	r := registry()
	r.Debug(true)
	value := tangent.Thunk(func() any { return []float64{1, 2} })
	add := func(acc []float64) { acc[0], acc[1] = acc[0]+1, acc[1]+2 }
	acc := []float64{10, 20}
	r.Accumulate(acc, tangent.Inplaceable(add, value))
	if acc[0] != 11 || acc[1] != 22 {
		t.Errorf("the accumulator holds %v", acc)
	}
	array := [2]float64{10, 20}
	r.Accumulate(&array, tangent.Inplaceable(func(acc *[2]float64) { acc[0]++; acc[1]++ },
		func() any { return [2]float64{1, 1} }))
	if array != [2]float64{11, 21} {
		t.Errorf("the array holds %v", array)
	}
	err := nv.Try(func() { r.Accumulate(acc, tangent.Inplaceable(func(acc []float64) { acc[0] = 0 }, value)) })
	if err == nil || err.Error() != "tangent.Accumulate([]float64, InplaceableThunk): add gave a wrong sum: the accumulator holds [0 22], and "+
		"with the value of the thunk it would be [12 24]; correct the function that was given to tangent.Inplaceable" {
		t.Errorf("the error is %v", err)
	}
}

// renamed is a string whose text has another order.
type renamed string

func (r renamed) String() string { return map[renamed]string{"a": "last", "b": "first"}[r] }

// TestOrderOfKeys checks that entries of maps are in the order of their keys, numbers by value.
func TestOrderOfKeys(t *testing.T) {
	for want, m := range map[string]any{
		"Tangent{map[int]float64}(-10: 1, 2: 1, 9: 1)":           map[int]float64{9: 1, -10: 1, 2: 1},
		"Tangent{map[uint8]float64}(2: 1, 9: 1, 10: 1)":          map[uint8]float64{9: 1, 10: 1, 2: 1},
		"Tangent{map[float64]float64}(-1.5: 1, 2.5: 1, 10.5: 1)": map[float64]float64{2.5: 1, 10.5: 1, -1.5: 1},
		`Tangent{map[string]float64}("10": 1, "9": 1, "a": 1)`:   map[string]float64{"a": 1, "9": 1, "10": 1},
		`Tangent{map[renamed]float64}(last: 1, first: 1)`:        map[renamed]float64{"b": 1, "a": 1},
	} {
		if got := fmt.Sprint(tangent.StructuralFor(m)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestStructuralForFields checks that locks, functions, texts, bools, channels and nil have no derivative, and numbers of defined types keep
// their value.
func TestStructuralForFields(t *testing.T) {
	type guarded struct {
		Lock  sync.Mutex
		F     func()
		Name  string
		On    bool
		C     chan int
		Next  *guarded
		Long  metres
		Count time.Duration
		Z     complex64
	}
	got := fmt.Sprint(tangent.StructuralFor(&guarded{Long: 2.5, Count: 3, Z: 1 + 2i}))
	want := "Tangent{guarded}(Lock = NoTangent(), F = NoTangent(), Name = NoTangent(), On = NoTangent(), C = NoTangent(), " +
		"Next = NoTangent(), Long = Tangent{metres}(value = 2.5), Count = Tangent{Duration}(value = 3), Z = (1+2i))"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDistantTimes checks that the difference of times that a Duration does not hold is an error.
func TestDistantTimes(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	longest := now.Add(math.MaxInt64)
	if d := tangent.Diff(longest, now); d != time.Duration(math.MaxInt64) {
		t.Errorf("the greatest difference is %v", d)
	}
	err := nv.Try(func() { tangent.Diff(longest.Add(1), now) })
	if err == nil || err.Error() != "tangent.Diff(Time, Time): overflow: the times are more than 292 years apart, "+
		"which a Duration does not hold" {
		t.Errorf("a greater difference: %v", err)
	}
}

// pointer is a type whose values can contain themselves through pointers alone.
type pointer *pointer

// TestDumpEnds checks that the dump of a value that contains itself ends.
func TestDumpEnds(t *testing.T) {
	var x any
	x = &x
	var p pointer
	p = &p
	s := make([]any, 1)
	s[0] = s
	list := "[]any"
	for depth := range 9 {
		list += "\n" + strings.Repeat("  ", depth+1) + "0: any []any"
	}
	for want, v := range map[string]any{strings.Repeat("*any ", 11) + "...": x, "pointer ...": p, list + "\n" + strings.Repeat("  ", 10) + "0: any []any ...": s} {
		if got := tangent.Dump(v); got != want {
			t.Errorf("%T: %q, want %q", v, got, want)
		}
	}
}

// TestRulesAsText checks the text of a rule and the dump of a value.
func TestRulesAsText(t *testing.T) {
	r := registry()
	f := func(x float64) float64 { return 3 * x }
	rule := r.RegisterRule("triple", f, func(x float64) (float64, func(any) []any) {
		return f(x), func(ct any) []any { return []any{tangent.None, r.Scale(3, ct)} }
	})
	if rule.String() != "Rule(triple)" {
		t.Error(rule)
	}
	if got := tangent.Dump(struct{ Long metres }{2}); got != "struct { Long metres }\n  Long: metres\n    value: float64 2" {
		t.Errorf("%q", got)
	}
	_, back := r.VJP(rule, 2.0)
	for _, ct := range []any{tangent.Zero, tangent.None} {
		if got := back(ct); len(got) != 1 || got[0] != ct {
			t.Errorf("the pullback of %v is %v", ct, got)
		}
	}
	if got := back(2.0); len(got) != 1 || got[0] != 6.0 {
		t.Errorf("the pullback of 2 is %v", got)
	}
	_, back = r.VJP(func(x nv.Tensor) nv.Tensor { return x.Mul(3) }, nv.Scalar(1.0, nv.F64))
	if got := back(tangent.Zero); len(got) != 1 || got[0] != tangent.Zero {
		t.Errorf("the pullback of Zero is %v", got)
	}
}

// TestNaturalsOfOneType checks that a primal type keeps each of its declared natural tangents, and that declaring one of
// them again replaces it.
func TestNaturalsOfOneType(t *testing.T) {
	type turn struct{ degrees float64 }
	type degrees float64
	type radians float64
	r := registry()
	r.DeclareNatural(func(p turn, d degrees) turn { return turn{p.degrees - 1000} },
		func(to, from turn) degrees { return degrees(to.degrees - from.degrees) })
	r.DeclareNatural(func(p turn, d radians) turn { return turn{p.degrees + float64(d)*180/math.Pi} },
		func(to, from turn) radians { return radians((to.degrees - from.degrees) * math.Pi / 180) })
	r.DeclareNatural(func(p turn, d degrees) turn { return turn{p.degrees + float64(d)} },
		func(to, from turn) degrees { return degrees(to.degrees - from.degrees) })
	if got := r.TypesFor(turn{}); !slices.Contains(got, "degrees") || !slices.Contains(got, "radians") || len(slices.Compact(got)) != len(got) {
		t.Errorf("the tangent types are %v", got)
	}
	if got := r.AddTo(turn{90}, degrees(45)); got != (turn{135}) {
		t.Errorf("degrees are added as %v", got)
	}
	if got := r.AddTo(turn{90}, radians(math.Pi)); got != (turn{270}) {
		t.Errorf("radians are added as %v", got)
	}
}

// TestExamplesOfNaturals checks that the examples of a natural tangent type that is an interface are listed in its place.
func TestExamplesOfNaturals(t *testing.T) {
	type angle interface{ Degrees() float64 }
	type turn struct{ degrees float64 }
	for _, c := range []struct {
		examples []any
		want     []string
	}{
		{nil, []string{"angle"}},
		{[]any{metres(0)}, []string{"metres"}},
		{[]any{metres(0), time.Second}, []string{"metres", "Duration"}},
	} {
		r := registry()
		r.DeclareNatural(func(p turn, a angle) turn { return turn{p.degrees + a.Degrees()} },
			func(to, from turn) angle { return nil }, c.examples...)
		if got := r.Natural(turn{}); !slices.Equal(got, c.want) {
			t.Errorf("the natural tangents with the examples %v are %q, want %q", c.examples, got, c.want)
		}
		want := slices.Concat(c.want, []string{"Tangent{turn}"})
		if got := r.TypesFor(turn{}); !slices.Equal(got[:min(len(got), len(want))], want) {
			t.Errorf("the tangent types with the examples %v are %q, want %q first", c.examples, got, want)
		}
	}
}

// TestMissingParts checks that a part that a structural tangent does not have is Zero.
func TestMissingParts(t *testing.T) {
	s := tangent.New(sample{}, tangent.F{})
	if got := s.Field("Value"); got != tangent.Zero {
		t.Errorf("a missing field is %v", got)
	}
	if got := tangent.New([]float64{1, 2}, 3.0).At(1); got != tangent.Zero {
		t.Errorf("a missing element is %v", got)
	}
}

// TestSumsThatShareAType checks that a declared sum replaces only the one of the same two types.
func TestSumsThatShareAType(t *testing.T) {
	type a struct{}
	type b struct{}
	type c struct{}
	r := registry()
	r.RegisterAdd(func(x a, y b) string { return "a+b" })
	r.RegisterAdd(func(x a, y c) string { return "a+c" })
	r.RegisterAdd(func(x c, y b) string { return "c+b" })
	r.RegisterAdd(func(x a, y b) string { return "a+b again" })
	for _, s := range []struct {
		x, y any
		want string
	}{{a{}, b{}, "a+b again"}, {a{}, c{}, "a+c"}, {c{}, b{}, "c+b"}} {
		if got := r.Add(s.x, s.y); got != s.want {
			t.Errorf("%T + %T is %v, want %v", s.x, s.y, got, s.want)
		}
	}
}
