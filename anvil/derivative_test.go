package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// close64 fails the test unless got, a tensor of floats, has the wanted elements to 1e-12.
func close64(t *testing.T, what string, got nv.Tensor, want ...float64) {
	t.Helper()
	values := nv.Values[float64](got)
	if len(values) != len(want) {
		t.Fatalf("%s: %v, want %v", what, values, want)
	}
	for i, v := range values {
		if !(math.Abs(v-want[i]) <= 1e-12*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s: %v, want %v", what, values, want)
			return
		}
	}
}

func f64s(xs ...float64) nv.Tensor { return nv.New(xs, nv.F64) }

func cube(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(nv.Mul(x, x), x)) }

func TestGrad(t *testing.T) {
	x := f64s(1, -2, 3)
	close64(t, "Grad", nv.Grad(cube)(x), 3, 12, 27)
	v, g := nv.ValueAndGrad(cube)(x)
	close64(t, "value", v, 20)
	close64(t, "gradient", g, 3, 12, 27)
	close64(t, "Grad under Jit", nv.Jit(nv.Grad(cube))(x), 3, 12, 27)
	close64(t, "Grad of Jit", nv.Grad(nv.Jit(cube))(x), 3, 12, 27)
	second := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Grad(cube)(x)) })
	close64(t, "Grad of Grad", second(x), 6, -12, 18)
	close64(t, "HVP", nv.HVP(cube, x, f64s(1, 1, 2)), 6, -12, 36)
}

func TestJVPAndVJP(t *testing.T) {
	f := func(x nv.Tensor) nv.Tensor { return nv.Mul(nv.Sin(x), nv.Sum(x)) }
	x := f64s(0.5, 1)
	y, dy := nv.JVP(f, x, f64s(1, 0))
	s, c := math.Sincos(0.5)
	close64(t, "JVP", dy, 1.5*c+s, math.Sin(1))
	close64(t, "value", y, 1.5*s, 1.5*math.Sin(1))
	_, tangent := nv.Linearize(f, x)
	close64(t, "Linearize", tangent(f64s(1, 0)), 1.5*c+s, math.Sin(1))
	_, pullback := nv.VJP(f, x)
	close64(t, "VJP", pullback(f64s(1, 0)), 1.5*c+s, s)
	close64(t, "VJP again", pullback(f64s(0, 1)), math.Sin(1), 1.5*math.Cos(1)+math.Sin(1))
	inner := func(x nv.Tensor) nv.Tensor { _, back := nv.VJP(f, x); return nv.Sum(back(f64s(1, 0))) }
	close64(t, "Grad of a pullback", nv.Grad(inner)(x), -1.5*s+2*c+c, c)
}

// TestDerivativesKeepAmbiguity checks that a derivative with respect to x is ambiguous if and only if x is, so that it
// is promoted like x.
func TestDerivativesKeepAmbiguity(t *testing.T) {
	square := func(x nv.Tensor) nv.Tensor { return nv.Mul(x, x) }
	for _, x := range []nv.Tensor{nv.Scalar(2.0), nv.Scalar(2.0, nv.F32)} {
		_, tangent := nv.JVP(square, x, x)
		_, pullback := nv.VJP(square, x)
		for name, d := range map[string]nv.Tensor{
			"Grad": nv.Grad(square)(x), "Grad of Jit": nv.Grad(nv.Jit(square))(x), "JVP": tangent, "VJP": pullback(x),
			"Jacobian": nv.Jacobian(square)(x),
		} {
			if d.Typed() != x.Typed() {
				t.Errorf("%s with respect to %v is %v", name, x.Typed(), d.Typed())
			}
		}
		if sum := nv.Add(nv.Grad(square)(x), nv.Scalar(1, nv.F16)); (sum.DType() == nv.F16) != x.Ambiguous() {
			t.Errorf("the sum of a gradient with respect to %v and an f16 is %v", x.Typed(), sum.Typed())
		}
	}
}

type wave struct {
	A, F nv.Tensor
	Name string
	N    nv.Tensor
}

func TestTrees(t *testing.T) {
	w := wave{A: f64s(2), F: f64s(0.5), Name: "w", N: nv.New([]int32{3})}
	loss := func(w wave) nv.Tensor { return nv.Sum(nv.Mul(nv.Mul(w.A, nv.Cos(w.F)), w.N)) }
	g := nv.Grad(loss)(w)
	s, c := math.Sincos(0.5)
	close64(t, "A", g.A, 3*c)
	close64(t, "F", g.F, -6*s)
	if g.N.Valid() || g.Name != "w" {
		t.Errorf("N is %v and Name %q, want the zero Tensor and the argument's name", g.N, g.Name)
	}
	m := map[string][]nv.Tensor{"a": {f64s(1), f64s(2)}}
	gm := nv.Grad(func(m map[string][]nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(m["a"][0], m["a"][1])) })(m)
	close64(t, "map", gm["a"][0], 2)
}

func TestWrt(t *testing.T) {
	f := func(x, y nv.Tensor) (nv.Tensor, nv.Tensor) { return nv.Sum(nv.Mul(nv.Mul(x, y), y)), nv.Add(x, y) }
	g := nv.GradAny(f, nv.Wrt(1, 0)).(func(x, y nv.Tensor) (nv.Tensor, nv.Tensor))
	dy, dx := g(f64s(2), f64s(3))
	close64(t, "dy", dy, 12)
	close64(t, "dx", dx, 9)
	v := nv.ValueAndGradAny(f).(func(x, y nv.Tensor) (nv.Tensor, nv.Tensor, nv.Tensor))
	loss, aux, dx := v(f64s(2), f64s(3))
	close64(t, "loss", loss, 18)
	close64(t, "auxiliary result", aux, 5)
	close64(t, "dx", dx, 9)
}

func TestRules(t *testing.T) {
	x := f64s(1, 4)
	stopped := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(nv.StopGradient(x), x)) }
	close64(t, "StopGradient", nv.Grad(stopped)(x), 1, 4)
	again := nv.Checkpoint(func(x nv.Tensor) nv.Tensor { return nv.Sin(nv.Sin(x)) })
	close64(t, "Checkpoint", nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(again(x)) })(x),
		math.Cos(math.Sin(1))*math.Cos(1), math.Cos(math.Sin(4))*math.Cos(4))
}

func TestCustom(t *testing.T) {
	k := f64s(10)
	tripled := nv.Custom(func(x nv.Tensor) nv.Tensor { return nv.Square(x) },
		func(x nv.Tensor) (nv.Tensor, func(nv.Tensor) nv.Tensor) {
			return nv.Square(x), func(ct nv.Tensor) nv.Tensor { return nv.Mul(nv.Mul(ct, x), k) }
		})
	x := f64s(1, 4)
	f := func(x nv.Tensor) nv.Tensor { return nv.Sum(tripled(x)) }
	close64(t, "value", tripled(x), 1, 16)
	close64(t, "Grad", nv.Grad(f)(x), 10, 40)
	_, dy := nv.JVP(f, x, f64s(1, 1))
	close64(t, "JVP", dy, 50)
	close64(t, "second", nv.HVP(f, x, f64s(1, 2)), 10, 20)
	close64(t, "Jit", nv.Jit(nv.Grad(f))(x), 10, 40)
}

func TestLoops(t *testing.T) {
	x := f64s(1, 2)
	branch := func(x nv.Tensor) nv.Tensor {
		return nv.Sum(nv.If(nv.Gt(nv.Sum(x), 2), func() nv.Tensor { return nv.Sin(x) }, func() nv.Tensor { return x }))
	}
	close64(t, "If", nv.Grad(branch)(x), math.Cos(1), math.Cos(2))
}

func TestCheckGrad(t *testing.T) {
	if err := nv.CheckGrad(cube, f64s(1, -2, 3)); err != nil {
		t.Error(err)
	}
	wrong := nv.Custom(func(x nv.Tensor) nv.Tensor { return nv.Square(x) }, func(x nv.Tensor) (nv.Tensor, func(nv.Tensor) nv.Tensor) {
		return nv.Square(x), func(ct nv.Tensor) nv.Tensor { return nv.Mul(ct, x) }
	})
	if err := nv.CheckGrad(wrong, f64s(1, 2)); err == nil {
		t.Error("a wrong rule passes")
	}
	z := nv.New([]complex128{1 + 2i, -0.5i})
	if err := nv.CheckGrad(func(z nv.Tensor) nv.Tensor { return nv.Mul(nv.Exp(z), nv.Conj(z)) }, z); err != nil {
		t.Error(err)
	}
	if err := nv.CheckGrad(func(z nv.Tensor) nv.Tensor { return nv.Mul(nv.Abs(z), nv.Sign(z)) }, z); err != nil {
		t.Error(err)
	}
}

func TestJacobian(t *testing.T) {
	f := func(x nv.Tensor) nv.Tensor { return nv.Mul(nv.Sin(x), nv.Sum(x)) }
	x := f64s(0.5, 1)
	want := []float64{1.5*math.Cos(0.5) + math.Sin(0.5), math.Sin(0.5), math.Sin(1), 1.5*math.Cos(1) + math.Sin(1)}
	close64(t, "Jacobian", nv.Jacobian(f)(x), want...)
	close64(t, "JacFwd", nv.JacFwd(f)(x), want...)
	close64(t, "Hessian", nv.Hessian(cube)(f64s(1, -2)), 6, 0, 0, -12)
	w := wave{A: f64s(2), F: f64s(0.5)}
	w.N = nv.New([]int32{3})
	j := nv.Jacobian(func(w wave) nv.Tensor { return nv.Mul(w.A, nv.Mul(w.F, f64s(1, 2))) })(w)
	close64(t, "Jacobian of a tree", j.A, 0.5, 1)
	close64(t, "Jacobian of a tree", j.F, 2, 4)
	k := nv.JacFwd(func(w wave) nv.Tensor { return nv.Mul(w.A, nv.Mul(w.F, f64s(1, 2))) })(w)
	close64(t, "JacFwd of a tree", k.F, 2, 4)
	w.N = nv.Tensor{}
	j = nv.Jacobian(func(w wave) nv.Tensor { return nv.Mul(w.A, f64s(1, 2)) })(w)
	close64(t, "Jacobian of a tree with a zero Tensor", j.A, 1, 2)
}

func TestGradOfWhile(t *testing.T) {
	// x is multiplied by w until it is at least 10.
	f := func(p []nv.Tensor) nv.Tensor {
		end := nv.While(p, func(p []nv.Tensor) nv.Tensor { return nv.Lt(p[0], 10) }, func(p []nv.Tensor) []nv.Tensor {
			return []nv.Tensor{nv.Mul(p[0], p[1]), p[1]}
		}, nv.MaxSteps(8))
		return end[0]
	}
	at := []nv.Tensor{nv.AsType(nv.Scalar(1.5), nv.F64), nv.AsType(nv.Scalar(2.0), nv.F64)}
	close64(t, "value", f(at), 12)
	g := nv.Grad(f)(at)
	close64(t, "by x", g[0], 8)
	close64(t, "by w", g[1], 18)
	close64(t, "in a program", nv.Jit(nv.Grad(f))(at)[1], 18)
	short := nv.Try(func() {
		nv.While(at[0], func(x nv.Tensor) nv.Tensor { return nv.Lt(x, 10) }, func(x nv.Tensor) nv.Tensor { return nv.Mul(x, 2) }, nv.MaxSteps(2))
	})
	if short == nil {
		t.Error("a loop that has not ended gives no error")
	}
	unbounded := nv.Try(func() {
		nv.Grad(func(x nv.Tensor) nv.Tensor {
			return nv.While(x, func(x nv.Tensor) nv.Tensor { return nv.Lt(x, 10) }, func(x nv.Tensor) nv.Tensor { return nv.Mul(x, 2) })
		})(at[0])
	})
	if unbounded == nil {
		t.Error("the gradient of a While without MaxSteps gives no error")
	}
	scan := func(xs nv.Tensor) nv.Tensor {
		c, ys := nv.Scan(nv.AsType(nv.Scalar(0.0), nv.F64), xs, func(c, x nv.Tensor) (nv.Tensor, nv.Tensor) { return nv.Add(nv.Sin(c), x), nv.Mul(c, x) })
		return nv.Add(c, nv.Sum(ys))
	}
	if err := nv.CheckGrad(scan, f64s(0.1, 0.5, -0.3, 0.7)); err != nil {
		t.Error(err)
	}
}

func TestGradOfPrint(t *testing.T) {
	f := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(nv.Print(x, "x"))) }
	close64(t, "Grad", nv.Grad(f)(f64s(1, 2)), 2, 4)
	close64(t, "Jit", nv.Jit(nv.Grad(f))(f64s(1, 2)), 2, 4)
}

// TestGradOfGoFunctions checks that functions that differ only in the Go function that they call have gradients of
// their own.
func TestGradOfGoFunctions(t *testing.T) {
	scale := func(k float64) func(nv.Tensor) nv.Tensor {
		return func(x nv.Tensor) nv.Tensor {
			return nv.Sum(nv.Mul(x, nv.Callback(func(...nv.Tensor) nv.Tensor { return f64s(k).At(0) }, nv.Type{DType: nv.F64})))
		}
	}
	x := f64s(5)
	for _, k := range []float64{2, 3} {
		close64(t, "Grad", nv.Grad(scale(k))(x), k)
		y, pullback := nv.VJP(scale(k), x)
		close64(t, "value", y, 5*k)
		close64(t, "VJP", pullback(f64s(1).At(0)), k)
	}
}

// TestNoTrap takes derivatives at points where a composition of the obvious operations
// would give NaN or a wrong number.
func TestNoTrap(t *testing.T) {
	inf := math.Inf(1)
	sum := func(f func(x nv.Tensor) nv.Tensor) func(nv.Tensor) nv.Tensor {
		return func(x nv.Tensor) nv.Tensor { return nv.Sum(f(x)) }
	}
	softplus := func(x nv.Tensor) nv.Tensor { return nv.Softplus(x) }
	close64(t, "Softplus at 0", nv.Grad(sum(softplus))(f64s(0, 25)), 0.5, 1/(1+math.Exp(-25)))
	close64(t, "Softplus twice", nv.HVP(sum(softplus), f64s(0), f64s(1)), 0.25)
	pair := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.LogAddExp(x.At(0), x.At(1))) }
	close64(t, "LogAddExp at a tie", nv.Grad(pair)(f64s(2, 2)), 0.5, 0.5)
	close64(t, "LogAddExp of -Inf", nv.Grad(pair)(f64s(-inf, -inf)), 0, 0)
	close64(t, "LogAddExp of -Inf and 0", nv.Grad(pair)(f64s(-inf, 0)), 0, 1)
	close64(t, "Norm at 0", nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Norm(x) })(f64s(0, 0)), 0, 0)
	close64(t, "Norm", nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Norm(x) })(f64s(3, 4)), 0.6, 0.8)
	close64(t, "Std of a constant", nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Std(x) })(f64s(2, 2)), 0, 0)
	hidden := sum(func(x nv.Tensor) nv.Tensor { return nv.Where(nv.Gt(x, 0), nv.Sqrt(x), 0) })
	close64(t, "a branch not taken", nv.Grad(hidden)(f64s(0, -1, 4)), 0, 0, 0.25)
	close64(t, "a branch not taken, twice", nv.HVP(hidden, f64s(0, -1, 4), f64s(1, 1, 1)), 0, 0, -1.0/32)
}
