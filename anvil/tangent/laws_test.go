package tangent_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

type sample struct {
	At     dates.DateTime
	Value  float64
	Counts []int
	Scale  map[string]complex128
	Label  string
	When   time.Time
}

var small = rapid.IntRange(-1000, 1000)

// whole draws a whole number, so that sums and products of floats are exact.
func whole(t *rapid.T) float64 { return float64(small.Draw(t, "whole")) }

func drawPeriod(t *rapid.T) any {
	n := small.Draw(t, "periods")
	all := []any{dates.Millisecond(n), dates.Second(n), dates.Minute(n), dates.Hour(n), dates.Day(n), dates.Week(n)}
	return all[rapid.IntRange(0, 5).Draw(t, "unit")]
}

// drawWrapped returns v, a thunk that computes v, or Zero.
func drawWrapped(t *rapid.T, v any) any {
	switch rapid.IntRange(0, 5).Draw(t, "wrapped") {
	case 0:
		return tangent.Thunk(func() any { return v })
	case 1:
		return tangent.Inplaceable(func(acc *nv.Tensor) {}, func() any { return v })
	case 2:
		return tangent.Zero
	}
	return v
}

// drawElement draws a tangent of a tensor of three elements: a tensor, a Sparse or a OneElement.
func drawElement(t *rapid.T) any {
	switch rapid.IntRange(0, 2).Draw(t, "elements") {
	case 0:
		return nv.New([]float64{whole(t), whole(t), whole(t)})
	case 1:
		return tangent.Add(tangent.OneElement{Shape: nv.Shape{3}, Index: []int{0}, Value: whole(t)},
			tangent.OneElement{Shape: nv.Shape{3}, Index: []int{2}, Value: whole(t)})
	}
	return tangent.OneElement{Shape: nv.Shape{3}, Index: []int{rapid.IntRange(0, 2).Draw(t, "index")}, Value: whole(t)}
}

func drawSample(t *rapid.T) any {
	f := tangent.F{}
	for name, draw := range map[string]func() any{
		"At":     func() any { return drawPeriod(t) },
		"Value":  func() any { return whole(t) },
		"Counts": func() any { return tangent.New([]int{}, small.Draw(t, "count"), small.Draw(t, "count")) },
		"Scale": func() any {
			return tangent.New(map[string]complex128{}, tangent.F{"a": complex(whole(t), whole(t))})
		},
		"When": func() any { return time.Duration(small.Draw(t, "ns")) },
	} {
		if rapid.Bool().Draw(t, "has "+name) {
			f[name] = drawWrapped(t, draw())
		}
	}
	return tangent.New(sample{}, f)
}

var epoch = time.Unix(0, 0)

// spaces are primal values with draws of their tangents.
var spaces = []struct {
	name   string
	primal any
	draw   func(t *rapid.T) any
}{
	{"float64", 2.0, func(t *rapid.T) any { return whole(t) }},
	{"float32", float32(2), func(t *rapid.T) any { return float32(whole(t)) }},
	{"int", 2, func(t *rapid.T) any { return small.Draw(t, "int") }},
	{"complex", 2i, func(t *rapid.T) any { return complex(whole(t), whole(t)) }},
	{"slice", []float64{1, 2}, func(t *rapid.T) any { return []float64{whole(t), whole(t)} }},
	{"nested slice", [][]int{{1}, {2}}, func(t *rapid.T) any {
		return [][]int{{small.Draw(t, "a")}, {small.Draw(t, "b")}}
	}},
	{"array", [2]float64{1, 2}, func(t *rapid.T) any { return [2]float64{whole(t), whole(t)} }},
	{"tensor", nv.New([]float64{1, 2, 3}), drawElement},
	{"time.Time", epoch, func(t *rapid.T) any { return time.Duration(small.Draw(t, "ns")) }},
	{"DateTime", dates.Date(2026, 1, 1), drawPeriod},
	{"struct", sample{dates.Date(2026, 1, 1), 1, []int{1, 2}, map[string]complex128{"a": 1}, "label", epoch},
		drawSample},
	{"tuple", []any{1.0, "s"}, func(t *rapid.T) any { return tangent.New([]any{}, whole(t), tangent.None) }},
}

// TestLaws checks that tangents form a vector space, and that AddTo and Diff agree with its sums.
func TestLaws(t *testing.T) {
	for _, s := range spaces {
		t.Run(s.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				draw := func() any { return drawWrapped(t, s.draw(t)) }
				a, b, c, k := draw(), draw(), draw(), small.Draw(t, "k")
				equal := func(law string, x, y any) {
					t.Helper()
					if p, q := tangent.AddTo(s.primal, x), tangent.AddTo(s.primal, y); !same(p, q) {
						t.Errorf("%s: %v is not %v (a = %v, b = %v, c = %v, k = %v)", law, x, y, a, b, c, k)
					}
				}
				equal("a+b = b+a", tangent.Add(a, b), tangent.Add(b, a))
				equal("(a+b)+c = a+(b+c)", tangent.Add(tangent.Add(a, b), c), tangent.Add(a, tangent.Add(b, c)))
				equal("k(a+b) = ka+kb", tangent.Scale(k, tangent.Add(a, b)),
					tangent.Add(tangent.Scale(k, a), tangent.Scale(k, b)))
				equal("a-a = 0", tangent.Add(c, tangent.Sub(a, a)), c)
				if got := tangent.Add(tangent.Zero, a); !same(got, a) {
					t.Errorf("Zero + %v is %v", a, got)
				}
				q := tangent.AddTo(tangent.AddTo(s.primal, a), b)
				if want := tangent.AddTo(s.primal, tangent.Add(a, b)); !same(q, want) {
					t.Errorf("(p+a)+b is %v and p+(a+b) is %v", q, want)
				}
				if d := tangent.Diff(q, s.primal); !same(tangent.AddTo(s.primal, d), q) {
					t.Errorf("p + (q - p) is %v with q - p = %v, not %v", tangent.AddTo(s.primal, d), d, q)
				}
				if tangent.Accepts(a, s.primal) != true {
					t.Errorf("%v does not accept %v", s.name, a)
				}
				if x := tangent.Add(a, b); !tangent.Equal(x, x) ||
					!tangent.Equal(tangent.Canonical(s.primal, x), tangent.Canonical(s.primal, tangent.Add(b, a))) {
					t.Errorf("%v is not equal to itself", x)
				}
				equal("Project keeps tangents", tangent.Project(s.primal, a), a)
				equal("Canonical keeps tangents", tangent.Add(c, tangent.Canonical(s.primal, a)), tangent.Add(c, a))
			})
		})
	}
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// TestPrecedence compares the tables of + and * with those of ChainRulesCore 1.25
// (src/tangent_arithmetic.jl). Rows and columns are in its order; ! is an error.
func TestPrecedence(t *testing.T) {
	kinds := []any{tangent.NotImplemented("n"), tangent.None, tangent.Zero,
		tangent.Thunk(func() any { return 2.0 }), tangent.New(sample{}, tangent.F{"Value": 3.0}), 5.0}
	tables := map[string][6]string{
		"+": {"N N N N N N", "N 0 0 h S 5", "N 0 z h S 5", "N h h 4 ! 7", "N S S ! D !", "N 5 5 7 ! 10"},
		"*": {"N 0 z N N N", "0 0 z 0 0 0", "z z z z z z", "N 0 z 4 D 10", "N 0 z D ! F", "N 0 z 10 F 25"},
	}
	short := map[string]string{"NotImplemented(n)": "N", "NoTangent()": "0", "ZeroTangent()": "z",
		"Thunk(...)": "h", "Tangent{sample}(Value = 3)": "S",
		"Tangent{sample}(Value = 6)": "D", "Tangent{sample}(Value = 15)": "F"}
	for name, op := range map[string]func(a, b any) any{"+": tangent.Add, "*": tangent.Mul} {
		for i, a := range kinds {
			got := ""
			for _, b := range kinds {
				text := "!"
				if err := nv.Try(func() { text = fmt.Sprint(op(a, b)) }); err == nil && short[text] != "" {
					text = short[text]
				}
				got += " " + text
			}
			if got != " "+tables[name][i] {
				t.Errorf("%v %s: got%s, want %s", a, name, got, tables[name][i])
			}
		}
		for _, b := range kinds {
			if err := nv.Try(func() { tangent.Sub(b, kinds[0]) }); err == nil {
				t.Errorf("%v - NotImplemented is not an error", b)
			}
		}
	}
}

// TestTangents checks the text of each type that implements Tangent.
func TestTangents(t *testing.T) {
	for want, v := range map[string]tangent.Tangent{
		"ZeroTangent()": tangent.Zero, "NoTangent()": tangent.None,
		"NotImplemented(why)": tangent.NotImplemented("why"),
		"Thunk(...)":          tangent.Thunk(nil), "InplaceableThunk(...)": tangent.InplaceableThunk{},
		"Tangent{sample}()":           tangent.New(sample{}),
		"OneElement(1 at [0] of [2])": tangent.OneElement{Shape: nv.Shape{2}, Index: []int{0}, Value: 1},
		"Sparse(0 of [])":             tangent.Sparse{},
	} {
		if v.String() != want {
			t.Errorf("%T prints %s, want %s", v, v, want)
		}
	}
}

// TestZeroAllocatesNothing checks that sums, products and other operations with Zero allocate no memory.
func TestZeroAllocatesNothing(t *testing.T) {
	var x any = nv.Ones(nv.Shape{2})
	for name, f := range map[string]func(){
		"Zero + x": func() { tangent.Add(tangent.Zero, x) }, "x + Zero": func() { tangent.Add(x, tangent.Zero) },
		"Zero * x":         func() { tangent.Mul(tangent.Zero, x) },
		"AddTo(x, Zero)":   func() { tangent.AddTo(x, tangent.Zero) },
		"Project(x, Zero)": func() { tangent.Project(x, tangent.Zero) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// TestElementsSumInLinearMemory adds up tangents of elements: all different, all equal, and
// several of each. A sum that copied what it has would allocate gigabytes.
func TestElementsSumInLinearMemory(t *testing.T) {
	const n = 100000
	for _, different := range []int{n, 1, n / 10} {
		shape := nv.Shape{n}
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var sum any = tangent.Zero
		for i := range n {
			sum = tangent.Add(sum, tangent.OneElement{Shape: shape, Index: []int{i % different}, Value: 1.0})
		}
		total := tangent.Canonical(nv.Zeros(shape, nv.F64), sum).(nv.Tensor)
		runtime.ReadMemStats(&after)
		if first := total.At(0).Float(); total.Sum().Float() != n || first != float64(n/different) {
			t.Errorf("%d different: the sum is %v, its first element %v", different, total.Sum(), first)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 50<<20 {
			t.Errorf("%d different elements allocated %d MB", different, bytes>>20)
		}
	}
}

// TestSumsDoNotShare adds two elements to one Sparse and checks that neither sum has the other's element.
func TestSumsDoNotShare(t *testing.T) {
	one := func(i int) any { return tangent.OneElement{Shape: nv.Shape{4}, Index: []int{i}, Value: 1.0} }
	base := tangent.Add(one(0), one(1))
	a, b := tangent.Add(base, one(2)), tangent.Add(base, one(3))
	p := nv.Zeros(nv.Shape{4})
	for want, s := range map[string]any{"f32{4} [1 1 0 0]": base, "f32{4} [1 1 1 0]": a, "f32{4} [1 1 0 1]": b} {
		if got := fmt.Sprint(tangent.AddTo(p, s)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestProject covers dtypes, shapes, and values without a derivative; ! is an error.
func TestProject(t *testing.T) {
	var dense any = tangent.Zero
	for i := range 64 {
		dense = tangent.Add(dense, tangent.OneElement{Shape: nv.Shape{64}, Index: []int{i},
			Value: complex(1, float64(i))})
	}
	one := tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: nv.Scalar(2+3i, nv.C64)}
	for _, c := range []struct {
		primal, tangent any
		want            string
	}{
		{float32(1), 2 + 3i, "float32 2"}, {1.5, float32(2), "float64 2"}, {complex64(1), 2.0, "complex64 (2+0i)"},
		{1, 2.5, "float64 2.5"}, {1, 2, "int 2"}, {1.5, nv.Scalar(2.0, nv.F32), "float64 2"},
		{true, 2.0, "tangent.NoTangent NoTangent()"}, {"s", 2.0, "tangent.NoTangent NoTangent()"},
		{nv.New([]bool{true}), nv.Ones(nv.Shape{1}), "tangent.NoTangent NoTangent()"},
		{nv.New([]bool{true, false}), one, "tangent.NoTangent NoTangent()"},
		{nv.Ones(nv.Shape{1}, nv.F64), nv.Ones(nv.Shape{1}, nv.F32), "anvil.Tensor f64{1} [1]"},
		{nv.Ones(nv.Shape{1}, nv.I32), nv.Ones(nv.Shape{1}, nv.F32), "anvil.Tensor f32{1} [1]"},
		{nv.Ones(nv.Shape{1}, nv.F64), nv.Full(nv.Shape{1}, 1+2i), "anvil.Tensor f64{1} [1]"},
		{nv.Ones(nv.Shape{1}, nv.C128), nv.Ones(nv.Shape{1}, nv.F32), "anvil.Tensor c128{1} [(1+0i)]"},
		{nv.Ones(nv.Shape{1}, nv.C64), nv.Full(nv.Shape{1}, 1+2i, nv.C128), "anvil.Tensor c64{1} [(1+2i)]"},
		{nv.Scalar(1.0), 2 + 3i, "anvil.Tensor f32{} 2"},
		{[]float32{1}, []complex128{2 + 3i}, "[]float32 [2]"}, {[]int{1}, []float64{2.5}, "[]float64 [2.5]"},
		{[2][]int{{1}, {2}}, [2][]int{{3}, {4}}, "[2][]int [[3] [4]]"}, {[]int{1}, []int{1, 2}, "!"},
		{nv.Ones(nv.Shape{1}), nv.Ones(nv.Shape{2}), "!"},
		{nv.Ones(nv.Shape{1}), "t", "!"},
		{nv.Ones(nv.Shape{3}), one, "!"}, {1.5, time.Second, "!"}, {1i, time.Second, "!"}, {1.5, tangent.F{}, "!"}, {1.5, nil, "!"},
		{epoch, time.Second, "time.Duration 1s"}, {&epoch, time.Second, "time.Duration 1s"},
		{nil, 1.0, "tangent.NoTangent NoTangent()"},
		{1.5, tangent.NotImplemented("n"), "tangent.NotImplemented NotImplemented(n)"},
		{1.5, tangent.Thunk(func() any { return 2i }), "tangent.Thunk Thunk(...)"},
		{nv.Ones(nv.Shape{2}, nv.F64), one, "tangent.Sparse Sparse(1 of [2])"},
		{nv.Ones(nv.Shape{64}), dense, "tangent.Sparse Sparse(dense, of [64])"},
	} {
		got := "!"
		if err := nv.Try(func() {
			p := tangent.Project(c.primal, c.tangent)
			got = fmt.Sprintf("%T %v", p,
				p)
		}); err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("Project(%v, %v) is %s, want %s", c.primal, c.tangent, got, c.want)
		}
	}
	for want, got := range map[string]any{
		"f64{2} [0 2]": tangent.Canonical(nv.Ones(nv.Shape{2}, nv.F64), one),
		"f32{} 64":     nv.Sum(tangent.Canonical(nv.Ones(nv.Shape{64}), dense)),
		"f64{} 64":     nv.Sum(tangent.Canonical(nv.Ones(nv.Shape{64}, nv.F64), dense)),
		"0":            tangent.Unthunk(tangent.Project(1.5, tangent.Thunk(func() any { return 2i }))),
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

type kelvin float64

// TestCanonical covers conversions, zeros, and natural tangents of several types.
func TestCanonical(t *testing.T) {
	r := tangent.NewRegistry(nv.Default(), func(t reflect.Type) reflect.Type { return t })
	r.RegisterConvert(celsius(0), func(k kelvin) celsius { return celsius(k) })
	r.RegisterConvert(celsius(0), func(k kelvin) celsius { return celsius(2 * k) })
	at := dates.Date(2026, 1, 1)
	for _, c := range []struct {
		primal, tangent any
		want            string
	}{
		{celsius(0), kelvin(3), "tangent_test.celsius 6"}, {celsius(0), celsius(3), "tangent_test.celsius 3"},
		{celsius(0), tangent.Zero, "tangent_test.celsius 0"},
		{at, dates.Hour(1), "dates.Millisecond 3600000 milliseconds"},
		{at, tangent.Zero, "dates.Millisecond 0 milliseconds"},
		{at, tangent.StructuralFor(dates.DateTime{Instant: dates.UTInstant{Periods: 5}}),
			"dates.Millisecond 5 milliseconds"},
		{&at, dates.Hour(1), "dates.Millisecond 3600000 milliseconds"},
		{1.5, tangent.Thunk(func() any { return 2 }), "float64 2"},
		{1.5, tangent.None, "tangent.NoTangent NoTangent()"},
		{"s", tangent.Zero, "tangent.NoTangent NoTangent()"},
		{nv.Ones(nv.Shape{2}), tangent.Zero, "anvil.Tensor f32{2} [0 0]"},
		{[]float64{1, 2}, tangent.Zero, "[]float64 [0 0]"},
		{layer{nv.Ones(nv.Shape{1}), 3}, tangent.Zero, "tangent.Struct Tangent{layer}(W = f32{1} [0], Size = 0)"},
	} {
		// Structs belong to the registry that made them.
		canonical := r.Canonical
		if _, ok := c.tangent.(tangent.Struct); ok {
			canonical = tangent.Canonical
		}
		got := canonical(c.primal, c.tangent)
		if text := fmt.Sprintf("%T %v", got, got); text != c.want {
			t.Errorf("Canonical(%v, %v) is %s, want %s", c.primal, c.tangent, text, c.want)
		}
	}
	if err := nv.Try(func() { r.Mul(nv.Ones(nv.Shape{2}), []float64{1, 2}) }); err == nil {
		t.Error("a tensor times a slice is not an error")
	}
}

// TestRegistriesAreSeparate checks that a declaration in one registry does not affect another.
func TestRegistriesAreSeparate(t *testing.T) {
	same := func(t reflect.Type) reflect.Type { return t }
	a, b := tangent.NewRegistry(nv.Default(), same), tangent.NewRegistry(nv.Default(), same)
	a.RegisterAdd(func(x string, y int) int { return y })
	if got := a.Add("x", 2); got != 2 {
		t.Errorf("got %v", got)
	}
	if err := nv.Try(func() { b.Add("x", 2) }); err == nil {
		t.Error("the rule is known in another registry")
	}
	if got := b.Natural(dates.Now()); len(got) != 6 {
		t.Errorf("the natural tangents of DateTime are %v", got)
	}
}

// TestSparseSums checks when sums of single elements become dense, and sums and products with dense ones.
func TestSparseSums(t *testing.T) {
	one := func(size, at int, v float64) tangent.OneElement {
		return tangent.OneElement{Shape: nv.Shape{size}, Index: []int{at}, Value: v}
	}
	sum := func(size, n int) any {
		var s any = tangent.Zero
		for i := range n {
			s = tangent.Add(s, one(size, i, 1))
		}
		return s
	}
	if got := fmt.Sprint(sum(1_000_000, 200)); got != "Sparse(200 of [1000000])" {
		t.Errorf("200 elements of a million: %s", got)
	}
	dense, few := sum(100, 100), sum(100, 45)
	if got := fmt.Sprint(dense); got != "Sparse(dense, of [100])" {
		t.Fatalf("100 elements of 100: %s", got)
	}
	want := nv.Ones(nv.Shape{100}, nv.F64).Add(nv.Arange(100, nv.F64).Lt(45).AsType(nv.F64))
	for _, got := range []any{tangent.Add(dense, few), tangent.Add(few, dense)} {
		if !tangent.Equal(tangent.Canonical(want, got), want) {
			t.Errorf("a dense and a sparse sum: %v", got)
		}
	}
	product := tangent.Mul(nv.From([]float64{2, 3, 4}), one(3, 1, 5))
	if want := nv.From([]float64{0, 15, 0}); !tangent.Equal(product, want) {
		t.Errorf("a vector times one element: %v, want %v", product, want)
	}
}

func TestFirstOfTwoNotImplemented(t *testing.T) {
	if got := tangent.Add(tangent.NotImplemented("a"), tangent.NotImplemented("b")); got != tangent.NotImplemented("a") {
		t.Errorf("got %v, want the first", got)
	}
}

// TestProjectParts checks that the parts of a structural tangent are projected to the fields.
func TestProjectParts(t *testing.T) {
	type pair struct {
		W nv.Tensor
		N float64
	}
	p := pair{nv.Zeros(nv.Shape{1}), 1}
	got := tangent.Project(p, tangent.New(p, tangent.F{"W": nv.From([]complex128{2 + 3i}), "N": 4 + 5i}))
	if want := "Tangent{pair}(W = f32{1} [2], N = 4)"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestThunksStayDelayed checks that operations whose result does not need a thunk's value do not run the thunk.
func TestThunksStayDelayed(t *testing.T) {
	runs := 0
	lazy := tangent.Thunk(func() any { runs++; return 2.0 })
	var projected any
	for name, f := range map[string]func(){
		"Mul(Zero, thunk)":  func() { tangent.Mul(tangent.Zero, lazy) },
		"Mul(thunk, Zero)":  func() { tangent.Mul(lazy, tangent.Zero) },
		"Add(Zero, thunk)":  func() { tangent.Add(tangent.Zero, lazy) },
		"Add(thunk, Zero)":  func() { tangent.Add(lazy, tangent.Zero) },
		"Project(1, thunk)": func() { projected = tangent.Project(1.0, lazy) },
	} {
		if f(); runs != 0 {
			t.Errorf("%s runs the thunk", name)
			runs = 0
		}
	}
	if got := tangent.Unthunk(projected); got != 2.0 || runs != 1 {
		t.Errorf("the projection is %v after %d runs", got, runs)
	}
}
