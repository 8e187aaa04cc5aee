package anvil_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// ofNothing returns calls on operands without elements. Plugins are least tested
// with such programs.
func ofNothing(c *nv.Context) map[string]func() []nv.Tensor {
	type T = nv.Tensor
	z := func(n ...int) T { return c.Zeros(nv.Shape(n)) }
	zi := func(n ...int) T { return c.Zeros(nv.Shape(n), nv.I32) }
	two := func(a, b T) []T { return []T{a, b} }
	return map[string]func() []T{
		"cholesky 0x0": func() []T { return []T{nv.Cholesky(z(0, 0)), nv.Cholesky(z(0, 3, 3)), nv.Cholesky(z(2, 0, 0))} },
		"triangular 0x0": func() []T {
			return []T{nv.TriangularSolve(z(0, 0), z(0, 2)), nv.TriangularSolve(c.Eye(2), z(2, 0)), nv.TriangularSolve(z(0, 2, 2), z(0, 2, 1))}
		},
		"eigh": func() []T { a, b := nv.Eigh(z(0, 0)); d, e := nv.Eigh(z(0, 2, 2)); return []T{a, b, d, e} },
		"svd": func() []T {
			a, b, d := nv.SVD(z(0, 0))
			e, f, g := nv.SVD(z(0, 3))
			h, i, j := nv.SVD(z(0, 2, 3))
			return []T{a, b, d, e, f, g, h, i, j}
		},
		"qr": func() []T {
			a, b := nv.QR(z(0, 0))
			d, e := nv.QR(z(3, 0))
			f, g := nv.QR(z(0, 3, 2))
			return []T{a, b, d, e, f, g}
		},
		"lu": func() []T { a, b, d := nv.LU(z(0, 0)); e, f, g := nv.LU(z(0, 3)); return []T{a, b, d, e, f, g} },
		"inv": func() []T {
			return []T{nv.Inv(z(0, 0)), nv.Det(z(0, 0)), nv.Inv(z(0, 2, 2)), nv.Expm(z(0, 0)), nv.PInv(z(0, 3)), nv.Solve(z(0, 0), z(0))}
		},
		"fft": func() []T { return []T{nv.FFT(z(0, 4)), nv.RFFT(z(0, 4)), nv.IRFFT(z(0, 3)), nv.FFT2(z(0, 3, 3))} },

		"sort": func() []T { return []T{nv.Sort(z(0)), nv.ArgSort(z(0)), nv.Sort(z(0, 3), 0), nv.Sort(z(3, 0), 0)} },
		"topk": func() []T { return two(nv.TopK(z(3, 0), 0)) }, "topk2": func() []T { return two(nv.TopK(z(0, 3), 2)) }, "topk3": func() []T { return two(nv.TopK(z(3), 0)) },
		"window": func() []T {
			return []T{nv.ReduceWindow(z(0), nv.Shape{1}, "sum"), nv.ReduceWindow(z(0), nv.Shape{2}, "max", nv.Padding(3)), nv.ReduceWindow(z(3), nv.Shape{9}, "min"), nv.MaxPool(z(0, 4, 1), nv.Shape{2}), nv.MaxPool(z(1, 4, 0), nv.Shape{2})}
		},
		"cumsum": func() []T {
			a, b := nv.Cummax(z(0))
			return []T{nv.Cumsum(z(0)), nv.Cumsum(z(0, 2), nv.Axis(1)), nv.Cumprod(z(2, 0), nv.Axis(0)), a, b, nv.LogCumsumExp(z(0))}
		},
		"conv":      func() []T { return []T{nv.Conv1D(z(0, 4, 1), z(2, 1, 1)), nv.Conv1D(z(1, 4, 1), z(2, 1, 0))} },
		"conv cin0": func() []T { return []T{nv.Conv1D(z(1, 4, 0), z(2, 0, 3))} },

		"conv spatial0": func() []T { return []T{nv.Conv1D(z(1, 0, 1), z(2, 1, 1), nv.Padding(3))} },
		"conv short":    func() []T { return []T{nv.Conv1D(z(1, 1, 1), z(5, 1, 1))} },
		"convT": func() []T {
			return []T{nv.ConvTranspose1D(z(0, 4, 1), z(2, 1, 1)), nv.ConvTranspose1D(z(1, 0, 1), z(2, 1, 1)), nv.ConvTranspose1D(z(1, 4, 1), z(2, 1, 1), nv.Stride(100))}
		},
		"dot": func() []T {
			return []T{nv.MatMul(z(0, 0), z(0, 0)), nv.MatMul(z(2, 0), z(0, 3)), nv.MatMul(zi(2, 0), zi(0, 3)), nv.MatMul(z(0, 2, 2), z(0, 2, 2)), nv.Einsum("ij,jk->", z(0, 2), z(2, 0))}
		},
		"take": func() []T {
			return []T{nv.Take(z(3), zi(0)), nv.Take(z(0, 3), zi(0), 0), z(3, 2).At(nv.Clipped(zi(0))), nv.TakeAlongAxis(z(0, 3), zi(0, 3), 1)}
		},

		"scatter": func() []T {
			return []T{nv.AddAt(z(3), z(0), zi(0)), nv.AddAt(z(0, 3), 1, nv.All, 1), nv.Set(z(3), z(0), nv.Clipped(zi(0))), nv.SegmentSum(z(0), zi(0), 3), nv.SegmentMax(z(2, 0), zi(2), 3), nv.SegmentSum(z(2), zi(2), 0)}
		},

		"resize": func() []T { return []T{nv.Resize(z(0, 3), nv.Shape{0, 2}, "linear")} }, "resize0": func() []T { return []T{nv.Resize(z(2), nv.Shape{0}, "linear")} },
		"stats": func() []T {
			return []T{nv.Median(z(0)), nv.Quantile(z(0), 0.5), nv.Mean(z(0)), nv.Var(z(0)), nv.Std(z(0, 2), nv.Axis(0)), nv.Softmax(z(0)), nv.Softmax(z(2, 0)), nv.LogSumExp(z(0))}
		},
		"max0": func() []T { return []T{nv.Max(z(0))} },
		"norms": func() []T {
			return []T{nv.LayerNorm(z(2, 0), z(0), z(0)), nv.RMSNorm(z(0, 3), c.Ones(nv.Shape{3})), nv.Standardize(z(0))}
		},
		"unique": func() []T {
			return []T{nv.Unique(z(0)), nv.BinCount(zi(0)), nv.SearchSorted(z(0), z(3)), nv.SearchSorted(z(3), z(0)), nv.Interp(z(0), c.Ones(nv.Shape{2}), z(2))}
		},
		"attention": func() []T {
			return []T{nv.Attention(z(0, 4), z(3, 4), z(3, 4)), nv.Attention(z(2, 4), z(0, 4), z(0, 4))}
		},
		"attention d0": func() []T { return []T{nv.Attention(z(2, 0), z(3, 0), z(3, 4))} },
		"reduce": func() []T {
			return []T{nv.Reduce(z(0, 2), 0, func(a, b T) T { return a.Add(b) }, nv.Axis(0)), nv.Reduce(z(0, 0), 0, func(a, b T) T { return a.Sub(b) })}
		},
		"loops": func() []T {
			return []T{nv.ForI(0, z(0), func(i, y T) T { return y.Add(i) }), nv.ForI(3, z(0, 2), func(i, y T) T { return y.Sort() })}
		},
		"kron": func() []T {
			return []T{nv.Kron(z(0), z(2)), nv.Outer(z(0), z(3)), nv.Diag(z(0)), nv.Tril(z(0, 3)), nv.Tile(z(2), nv.Shape{0}), nv.Repeat(z(2), 0), nv.Concatenate(0, z(0), z(0)), nv.Pad(z(0), nv.Shape{2}, nv.Shape{0}, 1), nv.Roll(z(0), 3), nv.Flip(z(0, 2))}
		},
		"einops": func() []T { return []T{nv.EinopsReduce(z(0, 2), "a b -> b", "sum")} },
	}
}

func TestGuardOfOperandsWithoutElements(t *testing.T) {
	compiled, reference := compiledContext(), nv.NewContext(nv.ContextOptions{Backend: "reference"})
	calls, same := ofNothing(compiled), ofNothing(reference)
	made := map[string][]nv.Tensor{}
	var all []nv.Tensor
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		made[name] = calls[name]()
		all = append(all, made[name]...)
	}
	if err := compiled.EndCell(all); err != nil {
		t.Fatal(err)
	}
	for name, xs := range made {
		for i, x := range same[name]() {
			if got, want := fmt.Sprint(xs[i].Type(), xs[i].Values()), fmt.Sprint(x.Type(), x.Values()); got != want {
				t.Errorf("%s, result %d: %s, want %s", name, i, got, want)
			}
		}
	}
	c := compiled
	none, at := c.Zeros(nv.Shape{0}), nv.Clipped(c.Zeros(nv.Shape{2}, nv.I32))
	refusedCalls(t, map[string]func(){
		"FFT(f32{0}): the transform has 0 elements":   func() { nv.FFT(none) },
		"RFFT(f32{0}): the transform has 0 elements":  func() { nv.RFFT(none) },
		"IRFFT(f32{1}): the transform has 0 elements": func() { nv.IRFFT(c.Zeros(nv.Shape{1})) },
		"w has length 0":                                 func() { nv.Conv1D(c.Zeros(nv.Shape{1, 4, 1}), c.Zeros(nv.Shape{0, 1, 1})) },
		"ArgMax(f32{0}): axis 0 is empty":                func() { nv.ArgMax(none) },
		"Resize(f32{0}): axis 0 is empty":                func() { nv.Resize(none, nv.Shape{2}, "cubic") },
		"nv.Clipped(i32{2})): axis 0 has length 0":       func() { none.At(at) },
		"f32{2}, nv.Clipped(i32{2})): axis 0 has length": func() { none.Set(c.Zeros(nv.Shape{2}), at) },
	})
}
