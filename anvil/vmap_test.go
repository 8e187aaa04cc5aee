package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// wave64 returns a tensor of floats between -2 and 2 without structure.
func wave64(seed int, s ...int) nv.Tensor {
	xs := make([]float64, nv.Shape(s).Size())
	for i := range xs {
		x := float64(i + 13*seed + 1)
		xs[i] = 2 * math.Sin(x*x*0.7)
	}
	return nv.New(xs, nv.F64).Reshape(nv.Shape(s))
}

// stacked returns the results of f for each index below n, stacked.
func stacked(n int, f func(i int) nv.Tensor) nv.Tensor {
	xs := make([]any, n)
	for i := range xs {
		xs[i] = f(i)
	}
	return nv.Stack(0, xs...)
}

// equal64 fails unless got has the type of want, and its elements to within 1e-12, or 1e-6
// for f32.
func equal64(t *testing.T, what string, got, want nv.Tensor) {
	t.Helper()
	if got.Type().String() != want.Type().String() {
		t.Errorf("%s: %v, want %v", what, got.Type(), want.Type())
		return
	}
	toFloats := func(x nv.Tensor) []float64 {
		if x.DType() == nv.C128 {
			x = nv.Concatenate(0, nv.Real(x), nv.Imag(x))
		}
		return nv.Values[float64](x.AsType(nv.F64).Reshape(nv.Shape{-1}))
	}
	a, b, bound := toFloats(got), toFloats(want), 1e-12
	if got.DType() == nv.F32 {
		bound = 1e-6
	}
	for i := range a {
		if a[i] != b[i] && !(math.Abs(a[i]-b[i]) <= bound*math.Max(1, math.Abs(b[i]))) && (a[i] == a[i] || b[i] == b[i]) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// spd returns symmetric positive definite matrices made from x.
func spd(x nv.Tensor) nv.Tensor {
	return nv.Add(nv.MatMul(x, nv.Transpose(x)), nv.Mul(3, nv.Eye(3, nv.F64)))
}

var vmapFunctions = []struct {
	name string
	f    func(x nv.Tensor) nv.Tensor
	s    []int // of one element
}{
	{"Tanh", func(x nv.Tensor) nv.Tensor { return nv.Tanh(x) }, []int{4}},
	{"scalar", func(x nv.Tensor) nv.Tensor { return nv.Exp(x) }, nil},
	{"constant", func(x nv.Tensor) nv.Tensor { return f64s(1, 2) }, []int{4}},
	{"Sum", func(x nv.Tensor) nv.Tensor { return nv.Sum(x) }, []int{3, 4}},
	{"Mean", func(x nv.Tensor) nv.Tensor { return nv.Mean(x, nv.Axis(0)) }, []int{3, 4}},
	{"Var", func(x nv.Tensor) nv.Tensor { return nv.Var(x) }, []int{3, 4}},
	{"Prod", func(x nv.Tensor) nv.Tensor { return nv.Prod(x, nv.Axis(-1)) }, []int{3, 4}},
	{"Max", func(x nv.Tensor) nv.Tensor { return nv.Max(x) }, []int{5}},
	{"ArgMax", func(x nv.Tensor) nv.Tensor { return nv.ArgMax(x, nv.Axis(1)) }, []int{3, 4}},
	{"Softmax", func(x nv.Tensor) nv.Tensor { return nv.Softmax(x) }, []int{3, 4}},
	{"LogSumExp", func(x nv.Tensor) nv.Tensor { return nv.LogSumExp(x) }, []int{5}},
	{"LayerNorm", func(x nv.Tensor) nv.Tensor { return nv.LayerNorm(x, f64s(1, 2, 3, 4), f64s(0, 1, 0, 1)) }, []int{3, 4}},
	{"Cumsum", func(x nv.Tensor) nv.Tensor { return nv.Cumsum(x) }, []int{6}},
	{"Cumprod", func(x nv.Tensor) nv.Tensor { return nv.Cumprod(x) }, []int{6}},
	{"Sort", func(x nv.Tensor) nv.Tensor { return nv.Sort(x) }, []int{6}},
	{"ArgSort", func(x nv.Tensor) nv.Tensor { return nv.ArgSort(x) }, []int{6}},
	{"Median", func(x nv.Tensor) nv.Tensor { return nv.Median(x) }, []int{6}},
	{"Quantile", func(x nv.Tensor) nv.Tensor { return nv.Quantile(x, 0.3) }, []int{6}},
	{"MatMul", func(x nv.Tensor) nv.Tensor { return nv.MatMul(x, wave64(3, 4, 2)) }, []int{3, 4}},
	{"MatMul left", func(x nv.Tensor) nv.Tensor { return nv.MatMul(wave64(3, 2, 3), x) }, []int{3, 4}},
	{"MatMul itself", func(x nv.Tensor) nv.Tensor { return nv.MatMul(x, nv.Transpose(x)) }, []int{3, 4}},
	{"Einsum", func(x nv.Tensor) nv.Tensor { return nv.Einsum("ij,jk->ki", x, wave64(1, 4, 2)) }, []int{3, 4}},
	{"Outer", func(x nv.Tensor) nv.Tensor { return nv.Outer(x, x) }, []int{3}},
	{"Kron", func(x nv.Tensor) nv.Tensor { return nv.Kron(x, x) }, []int{2, 2}},
	{"Convolve", func(x nv.Tensor) nv.Tensor { return nv.Convolve(x, f64s(1, 2, -1)) }, []int{6}},
	{"Conv1D", func(x nv.Tensor) nv.Tensor { return nv.Conv1D(x, wave64(2, 3, 2, 5)) }, []int{1, 7, 2}},
	{"Conv1D of weights", func(w nv.Tensor) nv.Tensor { return nv.Conv1D(wave64(2, 2, 7, 2), w) }, []int{3, 2, 5}},
	{"MaxPool", func(x nv.Tensor) nv.Tensor { return nv.MaxPool(x, nv.Shape{2}) }, []int{1, 6, 2}},
	{"Take", func(x nv.Tensor) nv.Tensor { return nv.Take(x, nv.New([]int{2, 0, 2})) }, []int{4}},
	{"At", func(x nv.Tensor) nv.Tensor { return x.At(nv.ArgMax(x)) }, []int{4}},
	{"Take from a constant", func(x nv.Tensor) nv.Tensor { return nv.Take(wave64(5, 9), nv.ArgSort(x)) }, []int{4}},
	{"Set", func(x nv.Tensor) nv.Tensor { return nv.Set(x, 7, nv.ArgMin(x)) }, []int{4}},
	{"AddAt", func(x nv.Tensor) nv.Tensor {
		return nv.AddAt(nv.Zeros(nv.Shape{3}, nv.F64), x, nv.New([]int{0, 2, 0, 1}))
	}, []int{4}},
	{"AddAt by place", func(x nv.Tensor) nv.Tensor { return nv.AddAt(wave64(1, 4), 10, nv.ArgSort(x)) }, []int{4}},
	{"OneHot", func(x nv.Tensor) nv.Tensor { return nv.OneHot(nv.ArgMax(x), 4) }, []int{4}},
	{"Pad", func(x nv.Tensor) nv.Tensor { return nv.Pad(x, nv.Shape{1}, nv.Shape{2}, nv.Sum(x)) }, []int{4}},
	{"Roll", func(x nv.Tensor) nv.Tensor { return nv.Roll(x, 2) }, []int{5}},
	{"Where", func(x nv.Tensor) nv.Tensor { return nv.Where(nv.Gt(x, 0), nv.Sqrt(x), 0) }, []int{5}},
	{"Clamp", func(x nv.Tensor) nv.Tensor { return nv.Clamp(x, nv.Min(x).Mul(0.5), 1) }, []int{5}},
	{"Interp", func(x nv.Tensor) nv.Tensor { return nv.Interp(x, f64s(-2, 0, 2), f64s(1, 5, -3)) }, []int{5}},
	{"FFT", func(x nv.Tensor) nv.Tensor { return nv.FFT(x) }, []int{6}},
	{"RFFT", func(x nv.Tensor) nv.Tensor { return nv.Abs(nv.RFFT(x)) }, []int{6}},
	{"Cholesky", func(x nv.Tensor) nv.Tensor { return nv.Cholesky(spd(x)) }, []int{3, 3}},
	{"Solve", func(x nv.Tensor) nv.Tensor { return nv.Solve(spd(x), f64s(1, 2, 3)) }, []int{3, 3}},
	{"Det", func(x nv.Tensor) nv.Tensor { return nv.Det(x) }, []int{3, 3}},
	{"Inv", func(x nv.Tensor) nv.Tensor { return nv.Inv(spd(x)) }, []int{3, 3}},
	{"Eigh", func(x nv.Tensor) nv.Tensor { values, _ := nv.Eigh(spd(x)); return values }, []int{3, 3}},
	{"SVDVals", func(x nv.Tensor) nv.Tensor { return nv.SVDVals(x) }, []int{3, 4}},
	{"QR", func(x nv.Tensor) nv.Tensor { q, r := nv.QR(x); return nv.MatMul(q, r) }, []int{4, 3}},
	{"Expm", func(x nv.Tensor) nv.Tensor { return nv.Expm(x) }, []int{3, 3}},
	{"If", func(x nv.Tensor) nv.Tensor {
		return nv.If(nv.Gt(nv.Sum(x), 0), func() nv.Tensor { return nv.Sin(x) }, func() nv.Tensor { return nv.Neg(x) })
	}, []int{3}},
	{"Switch", func(x nv.Tensor) nv.Tensor {
		return nv.Switch(nv.ArgMax(x), func() nv.Tensor { return x }, func() nv.Tensor { return nv.Mul(x, 2) },
			func() nv.Tensor { return f64s(0, 1, 2) })
	}, []int{3}},
	{"While", func(x nv.Tensor) nv.Tensor {
		return nv.While(x, func(x nv.Tensor) nv.Tensor { return nv.Lt(nv.Sum(nv.Square(x)), 100) },
			func(x nv.Tensor) nv.Tensor { return nv.Mul(x, 1.5) })
	}, []int{3}},
	{"ForI", func(x nv.Tensor) nv.Tensor {
		return nv.ForI(5, x, func(i, x nv.Tensor) nv.Tensor { return nv.Add(nv.Cos(x), i) })
	}, []int{3}},
	{"ForI by element", func(x nv.Tensor) nv.Tensor {
		return nv.ForI(nv.ArgMax(x), x, func(i, x nv.Tensor) nv.Tensor { return nv.Add(nv.Cos(x), i) })
	}, []int{5}},
	{"Scan", func(x nv.Tensor) nv.Tensor {
		carry, ys := nv.Scan(nv.Sum(x), x, func(c, x nv.Tensor) (nv.Tensor, nv.Tensor) {
			c = nv.Add(nv.Mul(c, 0.5), x)
			return c, nv.Sin(c)
		})
		return nv.Add(ys, carry)
	}, []int{5}},
	{"Map", func(x nv.Tensor) nv.Tensor {
		return nv.Map(func(r nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(r)) }, x)
	}, []int{3, 2}},
	// A step of the outer loop for an element that has ended must not run its inner loop for ever.
	{"nested While", func(x nv.Tensor) nv.Tensor {
		return nv.While(x, func(x nv.Tensor) nv.Tensor { return nv.Lt(nv.Max(x), 50) }, func(x nv.Tensor) nv.Tensor {
			limit := nv.Mul(nv.Max(nv.Abs(x)), 2)
			return nv.While(nv.Abs(x), func(y nv.Tensor) nv.Tensor { return nv.And(nv.Lt(nv.Max(y), limit), nv.Lt(nv.Max(x), 50)) },
				func(y nv.Tensor) nv.Tensor { return nv.Add(nv.Mul(y, 1.25), 0.1) })
		})
	}, []int{3}},
	{"While in a Scan in a branch", func(x nv.Tensor) nv.Tensor {
		return nv.If(nv.Gt(nv.Sum(x), 0), func() nv.Tensor {
			_, ys := nv.Scan(x, x, func(c, e nv.Tensor) (nv.Tensor, nv.Tensor) {
				goesOn := func(c nv.Tensor) nv.Tensor { return nv.And(nv.Lt(nv.Sum(c), 8), nv.Gt(nv.Sum(x), 0)) }
				c = nv.While(c, goesOn, func(c nv.Tensor) nv.Tensor { return nv.Add(c, nv.Abs(e).Add(0.1)) })
				return nv.Mul(c, 0.5), nv.Sum(c)
			})
			return ys
		}, func() nv.Tensor { return nv.Mul(x, x) })
	}, []int{3}},
	{"Callback", func(x nv.Tensor) nv.Tensor {
		return nv.Callback(func(xs ...nv.Tensor) nv.Tensor { return nv.Mul(xs[0], nv.Item[float64](nv.Sum(xs[0]))) }, x.Type(), x)
	}, []int{3}},
	{"Callback in a loop", func(x nv.Tensor) nv.Tensor {
		return nv.While(x, func(x nv.Tensor) nv.Tensor { return nv.Lt(nv.Sum(nv.Square(x)), 100) }, func(x nv.Tensor) nv.Tensor {
			return nv.Callback(func(xs ...nv.Tensor) nv.Tensor { return nv.Mul(xs[0], 1.5) }, x.Type(), x)
		})
	}, []int{3}},
	{"While in a branch", func(x nv.Tensor) nv.Tensor {
		return nv.If(nv.Gt(nv.Sum(x), 0), func() nv.Tensor {
			return nv.While(x, func(y nv.Tensor) nv.Tensor { return nv.Gt(nv.Sum(y), 0) }, func(y nv.Tensor) nv.Tensor { return nv.Sub(y, 1) })
		}, func() nv.Tensor {
			return nv.While(x, func(y nv.Tensor) nv.Tensor { return nv.Lt(nv.Sum(y), 0) }, func(y nv.Tensor) nv.Tensor { return nv.Add(y, 1) })
		})
	}, []int{3}},
}

// TestVmapIsTheLoop: for many functions, Vmap has the results of a loop over the elements,
// along every axis, nested, and in a compiled program.
func TestVmapIsTheLoop(t *testing.T) {
	const n = 4
	for _, c := range vmapFunctions {
		t.Run(c.name, func(t *testing.T) {
			x := wave64(1, append([]int{n}, c.s...)...)
			want := stacked(n, func(i int) nv.Tensor { return c.f(x.At(i)) })
			equal64(t, "Vmap", nv.Vmap(c.f)(x), want)
			equal64(t, "Jit of Vmap", nv.Jit(nv.Vmap(c.f))(x), want)
			last := nv.MoveAxis(x, 0, -1)
			equal64(t, "along the last axes", nv.Vmap(c.f, nv.InAxes(-1), nv.OutAxes(-1))(last), nv.MoveAxis(want, 0, -1))
			two := x.Reshape(append(nv.Shape{2, 2}, c.s...))
			equal64(t, "nested", nv.Vmap(nv.Vmap(c.f))(two), want.Reshape(append(nv.Shape{2, 2}, want.Shape()[1:]...)))
		})
	}
}

func TestVmapOfSeveralArguments(t *testing.T) {
	x, y := wave64(1, 3, 4), wave64(2, 3, 4)
	f := func(x, y nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(x, nv.Exp(y))) }
	equal64(t, "both", nv.Vmap(f)(x, y), stacked(3, func(i int) nv.Tensor { return f(x.At(i), y.At(i)) }))
	equal64(t, "first", nv.Vmap(f, nv.InAxes(0, nv.NotMapped))(x, y.At(1)),
		stacked(3, func(i int) nv.Tensor { return f(x.At(i), y.At(1)) }))
	equal64(t, "second", nv.Vmap(f, nv.InAxes(nv.NotMapped, 0))(x.At(1), y),
		stacked(3, func(i int) nv.Tensor { return f(x.At(1), y.At(i)) }))
	equal64(t, "first and last axis", nv.Vmap(f, nv.InAxes(0, -1))(x, nv.Transpose(y)),
		stacked(3, func(i int) nv.Tensor { return f(x.At(i), y.At(i)) }))
	pair := nv.Vmap(func(x nv.Tensor, k int) (nv.Tensor, nv.Tensor) { return nv.Mul(x, k), nv.Sum(x) }, nv.OutAxes(1, 0))
	scaled, sums := pair(x, 3)
	equal64(t, "two results", scaled, nv.Transpose(nv.Mul(x, 3)))
	equal64(t, "two results", sums, nv.Sum(x, nv.Axis(1)))
	distance := func(a, b nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(nv.Sub(a, b))) }
	distances := nv.Vmap(nv.Vmap(distance, nv.InAxes(nv.NotMapped, 0)), nv.InAxes(0, nv.NotMapped))
	equal64(t, "all pairs", distances(x, y), stacked(3, func(i int) nv.Tensor {
		return nv.Sum(nv.Square(nv.Sub(x.At(i), y)), nv.Axis(1))
	}))
	outer := wave64(7, 4)
	equal64(t, "captured", nv.Vmap(func(x nv.Tensor) nv.Tensor { return nv.Dot(x, outer) })(x), nv.MatMul(x, outer))
	empty := nv.Vmap(func(x nv.Tensor) nv.Tensor { return nv.Sort(nv.MatMul(x, wave64(3, 4, 2))) })(nv.Zeros(nv.Shape{0, 3, 4}, nv.F64))
	equal64(t, "no elements", empty, nv.Zeros(nv.Shape{0, 3, 2}, nv.F64))
}

func TestVmapOfTrees(t *testing.T) {
	w := wave{A: wave64(1, 3), F: wave64(2, 3), Name: "w", N: nv.New([]int32{1, 2, 3})}
	f := func(w wave) map[string]nv.Tensor {
		return map[string]nv.Tensor{"value": nv.Mul(nv.Mul(w.A, nv.Cos(w.F)), w.N), "n": nv.Add(w.N, 1)}
	}
	m := nv.Vmap(f)(w)
	equal64(t, "value", m["value"], nv.Mul(nv.Mul(w.A, nv.Cos(w.F)), w.N))
	equal64(t, "n", m["n"], nv.New([]int32{2, 3, 4}))
}

// TestVmapAndDerivatives: gradients of each example, a Jacobian from the tangents in all
// directions, and derivatives of a function that calls Vmap.
func TestVmapAndDerivatives(t *testing.T) {
	type layer struct{ W, B nv.Tensor }
	w := layer{wave64(1, 4, 2), wave64(2, 2)}
	xs, ys := wave64(3, 5, 4), wave64(4, 5, 2)
	loss := func(w layer, x, y nv.Tensor) nv.Tensor {
		return nv.Sum(nv.Square(nv.Sub(nv.Tanh(nv.Add(nv.MatMul(x, w.W), w.B)), y)))
	}
	grad := nv.GradAny(loss).(func(layer, nv.Tensor, nv.Tensor) layer)
	each := nv.Vmap(grad, nv.InAxes(nv.NotMapped, 0, 0))(w, xs, ys)
	equal64(t, "W of each example", each.W, stacked(5, func(i int) nv.Tensor { return grad(w, xs.At(i), ys.At(i)).W }))
	equal64(t, "B of each example", each.B, stacked(5, func(i int) nv.Tensor { return grad(w, xs.At(i), ys.At(i)).B }))
	total := nv.GradAny(func(w layer, xs, ys nv.Tensor) nv.Tensor {
		return nv.Sum(nv.Vmap(loss, nv.InAxes(nv.NotMapped, 0, 0))(w, xs, ys))
	}).(func(layer, nv.Tensor, nv.Tensor) layer)(w, xs, ys)
	equal64(t, "gradient of the sum", total.W, nv.Sum(each.W, nv.Axis(0)))

	f := func(x nv.Tensor) nv.Tensor { return nv.Mul(nv.Sin(x), nv.Sum(nv.Square(x))) }
	x := f64s(0.5, 1, -2)
	jacobian := nv.Vmap(func(t nv.Tensor) nv.Tensor { _, dy := nv.JVP(f, x, t); return dy }, nv.OutAxes(-1))(nv.Eye(3, nv.F64))
	_, pullback := nv.VJP(f, x)
	equal64(t, "Jacobian", jacobian, nv.Vmap(pullback)(nv.Eye(3, nv.F64)))
	hessian := nv.Vmap(func(v nv.Tensor) nv.Tensor { return nv.HVP(cube, x, v) })(nv.Eye(3, nv.F64))
	equal64(t, "Hessian", hessian, nv.Diag(nv.Mul(x, 6)))

	tripled := nv.Custom(func(x nv.Tensor) nv.Tensor { return nv.Square(x) },
		func(x nv.Tensor) (nv.Tensor, func(nv.Tensor) nv.Tensor) {
			return nv.Square(x), func(ct nv.Tensor) nv.Tensor { return nv.Mul(nv.Mul(ct, x), 10) }
		})
	mapped := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Vmap(tripled)(x)) }
	equal64(t, "rule of its own", nv.Grad(mapped)(x), nv.Mul(x, 10))
	again := nv.Checkpoint(func(x nv.Tensor) nv.Tensor { return nv.Sin(nv.Sin(x)) })
	plain := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sin(nv.Sin(x))) })(x)
	equal64(t, "Checkpoint", nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Vmap(again)(x)) })(x), plain)
	equal64(t, "Jit inside", nv.Vmap(nv.Jit(nv.Grad(cube)))(x.Reshape(nv.Shape{3, 1})), nv.Mul(3, nv.Square(x)).Reshape(nv.Shape{3, 1}))
	branch := func(x nv.Tensor) nv.Tensor {
		return nv.If(nv.Gt(x, 0), func() nv.Tensor { return nv.Square(x) }, func() nv.Tensor { return nv.Neg(x) })
	}
	equal64(t, "branches of each example", nv.Vmap(nv.Grad(branch))(x), f64s(1, 2, -1))
}

// TestVmapOfKeys: with a mapped key, each element has the numbers of a call with its own key.
// With a captured key, all elements have the same numbers.
func TestVmapOfKeys(t *testing.T) {
	keys := random.Key(7).SplitN(3)
	all := random.PRNGKey{Data: nv.Stack(0, keys[0].Data, keys[1].Data, keys[2].Data)}
	for name, f := range map[string]func(k random.PRNGKey) nv.Tensor{
		"Normal":      func(k random.PRNGKey) nv.Tensor { return random.Normal(k, nv.Shape{4}) },
		"Gamma":       func(k random.PRNGKey) nv.Tensor { return random.Gamma(k, 1.5, nv.Shape{4}) },
		"Permutation": func(k random.PRNGKey) nv.Tensor { return random.Permutation(k, 6) },
		"two": func(k random.PRNGKey) nv.Tensor {
			a, b := k.Split()
			return nv.Add(random.Uniform(a, nil), random.Uniform(b, nil))
		},
	} {
		equal64(t, name, nv.Vmap(f)(all), stacked(3, func(i int) nv.Tensor { return f(keys[i]) }))
	}
	noisy := func(x nv.Tensor) nv.Tensor { return nv.Add(x, random.Normal(keys[0], nil, nv.F64)) }
	equal64(t, "a key of the surroundings", nv.Vmap(noisy)(f64s(0, 0)), stacked(2, func(int) nv.Tensor { return noisy(f64s(0).At(0)) }))
}

// TestVmapIsNeverStale: a mapped function uses the values that captured variables have when
// it is called.
func TestVmapIsNeverStale(t *testing.T) {
	k := f64s(2)
	f := nv.Vmap(func(x nv.Tensor) nv.Tensor { return nv.Mul(x, k) })
	equal64(t, "before", f(f64s(1, 2)), f64s(2, 4).Reshape(nv.Shape{2, 1}))
	k = f64s(3)
	equal64(t, "after", f(f64s(1, 2)), f64s(3, 6).Reshape(nv.Shape{2, 1}))
}

// TestVmapOfZeros: -0 + 0 is 0 also where the 0 is a constant.
func TestVmapOfZeros(t *testing.T) {
	minus := f64s(math.Copysign(0, -1), 1)
	y := nv.Values[float64](nv.Vmap(func(x nv.Tensor) nv.Tensor { return nv.Add(x, 0) })(minus))
	if math.Signbit(y[0]) {
		t.Error("-0 + 0 is -0")
	}
}

func TestVmapErrors(t *testing.T) {
	sum := func(x, y nv.Tensor) nv.Tensor { return nv.Add(x, y) }
	x := wave64(1, 3, 4)
	for want, f := range map[string]func(){
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): argument 1, f64{2,4}, has length 2 along axis 0, but argument 0, " +
			"f64{3,4}, has length 3; map axes of equal length": func() { nv.Vmap(sum)(x, wave64(1, 2, 4)) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): argument 1, f64{}, is a scalar, which has no elements to map " +
			"over; give nv.NotMapped for it in InAxes, or stack scalars in a tensor": func() { nv.Vmap(sum)(x, f64s(1).At(0)) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): argument 0, f64{3,4}, has no axis 2; its axes are 0 to 1; " +
			"name one in InAxes": func() { nv.Vmap(sum, nv.InAxes(2, 0))(x, x) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): the number of elements is unknown: no tensor is mapped; give " +
			"an axis for one argument in InAxes": func() { nv.Vmap(sum, nv.InAxes(nv.NotMapped))(x, x) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): InAxes has 3 axes for 2 arguments; give one axis for each " +
			"argument, or one for all": func() { nv.Vmap(sum, nv.InAxes(0, 0, 0)) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): OutAxes has 2 axes for 1 result; give one axis for each " +
			"result, or one for all": func() { nv.Vmap(sum, nv.OutAxes(0, 1)) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): OutAxes has NotMapped, which is only for InAxes; give each " +
			"result an axis to stack elements along: nv.OutAxes(0)": func() { nv.Vmap(sum, nv.OutAxes(nv.NotMapped)) },
		"Vmap(func(nv.Tensor, nv.Tensor) nv.Tensor): result 0 is f64{3,4}, which has no axis 2; name one of its " +
			"axes in OutAxes": func() { nv.Vmap(sum, nv.OutAxes(2))(x, x) },
		"Vmap(anvil_test.hiddenTensor): the argument has tensors in the unexported field .x; rename the field to X":     func() { nv.Vmap(func(s hiddenTensor) nv.Tensor { return s.x })(hiddenTensor{x}) },
		"Vmap(int): the argument is not a function; give a function of tensors":                                         func() { nv.Vmap(3) },
		"Vmap(Tensor(nil)): the operand is a Tensor that has not been set; make one with nv.Scalar, nv.New or nv.Zeros": func() { nv.Vmap(sum)(x, nv.Tensor{}) },
	} {
		err := nv.Try(f)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	matrices := nv.Stack(0, nv.Eye(2, nv.F64), nv.Zeros(nv.Shape{2, 2}, nv.F64))
	inverse := func(a nv.Tensor) nv.Tensor { return nv.Inv(a) }
	one := nv.Try(func() { nv.Jit(inverse)(matrices.At(1)) })
	if err := nv.Try(func() { nv.Vmap(inverse)(matrices) }); (err == nil) != (one == nil) {
		t.Errorf("a singular matrix among others: %v; alone: %v", err, one)
	}
}

type hiddenTensor struct{ x nv.Tensor }
