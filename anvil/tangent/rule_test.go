package tangent_test

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

type model struct {
	Layers []layer
	Bias   map[string]nv.Tensor
	Unused nv.Tensor
	Ptr    *layer
	Rate   float64
}

type layer struct {
	W    nv.Tensor
	Size int
}

func f64s(xs ...float64) nv.Tensor { return nv.New(xs, nv.F64) }

// TestVJPOfTrees compares structural tangents with nv.Grad and with difference quotients.
func TestVJPOfTrees(t *testing.T) {
	m := model{[]layer{{f64s(1, 2), 3}, {f64s(0.5, -1), 4}},
		map[string]nv.Tensor{"b": f64s(3, 1), "a": f64s(2, 2)}, f64s(9), &layer{W: f64s(1, 1)}, 0.5}
	loss := func(m model, x nv.Tensor, scale float64, name string) nv.Tensor {
		y := nv.Add(nv.Mul(nv.Sin(nv.Mul(m.Layers[0].W, x)), m.Layers[1].W), nv.Mul(m.Bias["a"], m.Ptr.W))
		return nv.Sum(nv.Mul(nv.Mul(y, y), scale))
	}
	x := f64s(0.3, 0.7)
	calls := 0
	_, back := tangent.VJP(func(m model, x nv.Tensor, scale float64, name string) nv.Tensor {
		calls++
		return loss(m, x, scale, name)
	}, m, x, 2.0, "name")
	ts := back(1.0)
	if calls != 1 {
		t.Errorf("the function is called %d times", calls)
	}
	g := nv.Grad(func(m model) nv.Tensor { return loss(m, x, 2, "") })(m)
	s := ts[0].(tangent.Struct)
	for want, got := range map[any]any{
		g.Layers[0].W.String(): s.Field("Layers").(tangent.Struct).At(0).(tangent.Struct).Field("W"),
		g.Bias["a"].String():   s.Field("Bias").(tangent.Struct).At("a"),
		g.Ptr.W.String():       s.Field("Ptr").(tangent.Struct).Field("W"),
		tangent.None:           s.Field("Rate"),
		tangent.Zero:           s.Field("Unused"),
	} {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if rest := fmt.Sprint(ts[2:]); rest != "[NotImplemented(a function of tensors takes a float64 as a constant; give a tensor, or declare a rule with tangent.RegisterRule) NoTangent()]" {
		t.Error(rest)
	}
	direction := tangent.Scale(1e-6, s)
	up, down := loss(tangent.AddTo(m, direction).(model), x, 2, ""),
		loss(tangent.AddTo(m, tangent.Scale(-1, direction)).(model), x, 2, "")
	quotient := nv.Sub(up, down).Float() / 2e-6
	_, slope := tangent.JVP(loss, []any{m, x, 2.0, "name"}, []any{s, tangent.Zero, tangent.Zero, tangent.None})
	if d := slope.(nv.Tensor).Float(); !(d > 0) || d-quotient > 1e-6*d || quotient-d > 1e-6*d {
		t.Errorf("JVP gives %v, difference quotients %v", d, quotient)
	}
}

// TestCheckRuleFindsMistakes breaks each part of a rule and checks that CheckRule names it.
func TestCheckRuleFindsMistakes(t *testing.T) {
	type pair struct {
		At    dates.DateTime
		Value complex128
		W     nv.Tensor
	}
	f := func(p pair, when time.Time, n int) float64 {
		return float64(p.At.Instant.Periods) + real(p.Value)*imag(p.Value) + 2*float64(when.UnixNano()) + nv.Sum(nv.Mul(p.W, p.W)).Float() + float64(n)
	}
	rule := func(at, when any, value complex128, w, n, out float64) any {
		return func(p pair, _ time.Time, i int) (float64, func(ct any) []any) {
			return f(p, time.Unix(0, 0), i) + out, func(ct any) []any {
				var index any = tangent.None
				if n != 0 {
					index = n
				}
				re, im := real(p.Value), imag(p.Value)
				return []any{tangent.None, tangent.Scale(ct, tangent.New(p, tangent.F{
					"At": tangent.New(p.At, tangent.F{"Instant": tangent.New(p.At.Instant,
						tangent.F{"Periods": tangent.New(p.At.Instant.Periods, tangent.F{"value": at})})}),
					"W": tangent.Thunk(func() any { return nv.Mul(p.W, 2*w) }), "Value": complex(im, re) * value,
				})), tangent.New(time.Duration(0), tangent.F{"value": tangent.Scale(ct, when)}), index}
			}
		}
	}
	args := []any{pair{dates.DateTime{}, 1.5 + 2i, f64s(1, 2)}, time.Unix(0, 0), 7}
	const derivative = "f: the derivative with respect to argument 0 in the direction Tangent{pair}(At = 1 millisecond, " +
		"Value = (#-#i), W = f64{2} [-# #]) is #, but the rule gives #"
	for _, c := range []struct {
		rule any
		want string // with # for each fraction
	}{
		{rule(1.0, 2.0, 1, 1, 0, 0), "<nil>"},
		{rule(2.0, 2.0, 1, 1, 0, 0), derivative},
		{rule(1.0, 1.0, 1, 1, 0, 0), "f: the derivative with respect to argument 1 in the direction 1ns is #, but the rule gives #"},
		{rule(1.0, 2.0, -1, 1, 0, 0), derivative},
		{rule(1.0, 2.0, 1, 0.9, 0, 0), derivative},
		{rule(1.0, 2.0, 1, 1, 1, 0), "f: argument 2, of type int, has no derivative, but the rule returns 1; return tangent.None or tangent.Zero for it"},
		{rule(1.0, 2.0, 1, 1, 0, 1), "f: the rule returns 16, but the function returns 15"},
	} {
		r := tangent.RegisterRule("f", f, c.rule)
		err := tangent.CheckRule(r, args...)
		if got := regexp.MustCompile(`\d+\.\d+`).ReplaceAllString(fmt.Sprint(err), "#"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestCheckRuleWantsFiniteResults checks that CheckRule refuses arguments for which the function is not finite.
func TestCheckRuleWantsFiniteResults(t *testing.T) {
	log := func(x float64) float64 { return math.Log(x) }
	r := tangent.RegisterRule("log", log, func(x float64) (float64, func(any) []any) {
		return math.Log(x), func(ct any) []any { return []any{tangent.None, tangent.Scale(1/x, ct)} }
	})
	for x, want := range map[float64]string{
		-1: "log: the function returns NaN, so the rule cannot be checked; give arguments where the result is finite",
		0:  "log: the function returns -Inf, so the rule cannot be checked; give arguments where the result is finite",
		2:  "<nil>",
	} {
		if got := fmt.Sprint(tangent.CheckRule(r, x)); got != want {
			t.Errorf("log(%v): got %q, want %q", x, got, want)
		}
	}
}

// TestCheckRuleIsExact checks that CheckRule finds an error of a thousandth in the derivative with respect to a
// complex tensor of 64-bit parts.
func TestCheckRuleIsExact(t *testing.T) {
	f := func(z nv.Tensor) float64 { return nv.Sum(nv.Square(nv.Abs(z))).Float() }
	for factor, right := range map[float64]bool{2: true, 2.002: false} {
		r := tangent.RegisterRule("squares", f, func(z nv.Tensor) (float64, func(ct any) []any) {
			return f(z), func(ct any) []any { return []any{tangent.None, tangent.Scale(ct, nv.Mul(z, factor))} }
		})
		if err := tangent.CheckRule(r, nv.New([]complex128{1 + 2i, -3i}, nv.C128)); (err == nil) != right {
			t.Errorf("%v z: %v", factor, err)
		}
	}
}

// TestUnsetTensors takes derivatives of a function of a struct in which a Tensor has not been set.
func TestUnsetTensors(t *testing.T) {
	type affine struct{ B, W nv.Tensor }
	m := affine{W: f64s(1, 2)}
	f := func(m affine) nv.Tensor { return nv.Sum(nv.Mul(m.W, m.W)) }
	if _, dy := tangent.JVP(f, []any{m}, []any{tangent.New(m, tangent.F{"W": f64s(1, 1)})}); fmt.Sprint(dy) != "f64{} 6" {
		t.Errorf("the derivative is %v", dy)
	}
	_, back := tangent.VJP(f, m)
	if got := fmt.Sprint(back(1.0)[0]); got != "Tangent{affine}(B = NoTangent(), W = f64{2} [2 4])" {
		t.Errorf("the tangent is %s", got)
	}
}

// TestCheckRuleOfIndices checks a rule for a function of a tensor of indices.
func TestCheckRuleOfIndices(t *testing.T) {
	f := func(x, i nv.Tensor) nv.Tensor { return nv.Take(x, i) }
	for _, tangentOfIndices := range []any{tangent.None, tangent.Zero, f64s(1, 2)} {
		r := tangent.RegisterRule("take", f, func(x, i nv.Tensor) (nv.Tensor, func(ct any) []any) {
			return f(x, i), func(ct any) []any {
				return []any{tangent.None, nv.AddAt(nv.ZerosLike(x), ct, i), tangentOfIndices}
			}
		})
		_, wrong := tangentOfIndices.(nv.Tensor)
		if err := tangent.CheckRule(r, f64s(1, 2, 3), nv.New([]int32{0, 2})); (err != nil) != wrong {
			t.Errorf("with the tangent %v: %v", tangentOfIndices, err)
		}
	}
}

// TestRuleUnderGrad takes the gradient through a function of two arguments with a rule.
func TestRuleUnderGrad(t *testing.T) {
	f := func(x nv.Tensor, y []nv.Tensor) nv.Tensor { return nv.Mul(x, y[0]) }
	r := tangent.RegisterRule("product", f, func(x nv.Tensor, y []nv.Tensor) (nv.Tensor, func(ct any) []any) {
		return nv.Mul(x, y[0]), func(ct any) []any {
			return []any{tangent.None, tangent.Mul(ct, nv.Mul(y[0], 10)),
				tangent.New(y, tangent.Thunk(func() any { return tangent.Mul(ct, x) }))}
		}
	})
	g := r.Func().(func(nv.Tensor, []nv.Tensor) nv.Tensor)
	dx := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(g(nv.Sin(x), []nv.Tensor{x})) })(f64s(2))
	want := nv.Add(nv.Mul(nv.Cos(f64s(2)), 20), nv.Sin(f64s(2)))
	if fmt.Sprint(dx) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", dx, want)
	}
	_, slope := tangent.JVP(r, []any{f64s(2), []nv.Tensor{f64s(3)}}, []any{f64s(1), tangent.Zero})
	if fmt.Sprint(slope) != "f64{1} 30" && fmt.Sprint(slope) != "f64{1} [30]" {
		t.Errorf("JVP of the rule is %v", slope)
	}
}

// TestDeclarationsThatDoNotFit checks that functions and arguments of the wrong form are errors.
func TestDeclarationsThatDoNotFit(t *testing.T) {
	f := func(x float64) float64 { return x }
	back := func(ct any) []any { return nil }
	for i, declare := range []func(){
		func() { tangent.RegisterRule("r", f, func(x int) (float64, func(any) []any) { return 0, back }) },
		func() { tangent.RegisterRule("r", f, func(x float64) (int, func(any) []any) { return 0, back }) },
		func() { tangent.RegisterRule("r", f, func(x float64) (float64, func(any) any) { return 0, nil }) },
		func() { tangent.RegisterRule("r", f, func(x, y float64) (float64, func(any) []any) { return 0, back }) },
		func() { tangent.RegisterRule("r", f, func(x float64) float64 { return 0 }) },
		func() { tangent.RegisterRule("r", 1, f) },
		func() {
			_, back := tangent.VJP(tangent.RegisterRule("r", f,
				func(x float64) (float64, func(any) []any) { return 0, back }), 1.0)
			back(1.0)
		},
		func() { tangent.VJP("no rule of this name", 1.0) },
		func() { tangent.VJP(func(x nv.Tensor) nv.Tensor { return x }) },
		func() { tangent.VJP(func(x nv.Tensor) nv.Tensor { return x }, 1.0) },
		func() { tangent.JVP(func(x nv.Tensor) nv.Tensor { return x }, []any{f64s(1)}, nil) },
		func() { tangent.CheckRule("no rule of this name", 1.0) },
		func() { tangent.RegisterAdd(func(a int) int { return a }) },
		func() { tangent.RegisterAdd(func(a, b int) {}) },
		func() { tangent.RegisterAdd(nil) },
		func() { tangent.RegisterConvert(1.0, func() int { return 1 }) },
		func() { tangent.DeclareNatural(func(p, t int) string { return "" }, func(a, b int) int { return a }) },
		func() {
			tangent.DeclareNatural(func(p int, t string) int { return p }, func(a, b int) int { return a })
		},
		func() {
			tangent.DeclareNatural(func(p, t int) int { return p }, func(a int, b string) int { return a })
		},
		func() { tangent.Constructor(func(x int) sample { return sample{} }) },
		func() { tangent.Constructor(func() int { return 1 }) },
		func() { tangent.Inplaceable(func(x nv.Tensor) {}, func() any { return 1 }) },
		func() { tangent.Inplaceable(func(x *nv.Tensor) {}, nil) },
		func() { tangent.Inplaceable(nil, func() any { return 1 }) },
		func() { tangent.New(1) }, func() { tangent.New(nil) }, func() { tangent.New(sample{}, 1.0) },
		func() { tangent.New(map[int]int{}, tangent.F{"a": 1}) },
		func() { tangent.Accumulate(1.0, 2.0) }, func() { tangent.Accumulate((*float64)(nil), 2.0) },
		func() { tangent.AddTo([]any{1.0}, tangent.New([]any{}, tangent.Zero, 1.0)) },
		func() {
			tangent.AddTo(map[string]float64{"a": 1}, tangent.New(map[string]float64{}, tangent.F{"b": 1.0}))
		},
		func() { tangent.AddTo(sample{}, tangent.New(model{})) },
		func() { tangent.AddTo((*sample)(nil), tangent.New(sample{}, tangent.F{"Value": 1.0})) },
	} {
		if err := nv.Try(declare); err == nil {
			t.Errorf("call %d is accepted", i)
		}
	}
}

// TestAccumulate covers the kinds of accumulators.
func TestAccumulate(t *testing.T) {
	runs := 0
	ones := tangent.Inplaceable(func(acc []float64) {
		for i := range acc {
			acc[i]++
		}
	}, func() any { runs++; return []float64{1, 1} })
	list := []float64{1, 2}
	tangent.Accumulate(list, ones)
	var any0 any
	tangent.Accumulate(&any0, 2.0)
	tangent.Accumulate(&any0, tangent.Zero)
	tangent.Accumulate(&any0, tangent.Thunk(func() any { return 3 }))
	f, x := float32(1), f64s(1, 2)
	tangent.Accumulate(&f, 2+1i)
	tangent.Accumulate(&x, tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: 1.0})
	tangent.Accumulate(&x, tangent.None)
	if got := fmt.Sprint(list, any0, f, x, runs); got != "[2 3] 5 3 f64{2} [1 3] 0" {
		t.Error(got)
	}
	number, inPlace := nv.Scalar(1.5, nv.F64), 0
	tangent.Accumulate(&number, tangent.Inplaceable(func(acc *nv.Tensor) { inPlace++ }, func() any { return nv.Scalar(2.0, nv.F64) }))
	if inPlace > 0 || number.Float() != 3.5 {
		t.Errorf("a number changes in place %d times, and is %v", inPlace, number)
	}
	tangent.Accumulate(&list, ones) // the thunk's function takes a slice, not a pointer
	tangent.Accumulate(list, []float64{1, 1})
	if got := fmt.Sprint(list, runs); got != "[4 5] 1" {
		t.Error(got)
	}
	tangent.Debug(true)
	defer tangent.Debug(false)
	tangent.Accumulate(list, ones)
	if got := fmt.Sprint(list, runs); got != "[5 6] 2" {
		t.Error(got)
	}
}

// TestAtRule checks the tangents that the rule At returns: none for the indices.
func TestAtRule(t *testing.T) {
	x := nv.Arange(6, nv.F64).Reshape(nv.Shape{2, 3})
	y, back := tangent.VJP("At", x, 1, -1)
	got := back(2.0)
	if y.(nv.Tensor).Float() != 5 || len(got) != 3 || got[1] != tangent.None || got[2] != tangent.None {
		t.Fatalf("%v, %v", y, got)
	}
	want := nv.Zeros(nv.Shape{2, 3}, nv.F64).Set(2, 1, 2)
	if !tangent.Equal(tangent.Canonical(x, got[0]), want) {
		t.Errorf("got %v, want %v", got[0], want)
	}
}

// TestReadsSumInLinearMemory reads 1e5 elements by the rule At and sums their tangents.
func TestReadsSumInLinearMemory(t *testing.T) {
	const n = 100000
	x := nv.Zeros(nv.Shape{n}, nv.F64)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var sum any = tangent.Zero
	for i := range n {
		_, back := tangent.VJP("At", x, i)
		sum = tangent.Add(sum, back(1.0)[0])
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 50<<20 {
		t.Errorf("the sum holds %d MB", held>>20)
	}
	if !tangent.Equal(tangent.Canonical(x, sum), nv.Ones(nv.Shape{n}, nv.F64)) {
		t.Error(sum)
	}
}
