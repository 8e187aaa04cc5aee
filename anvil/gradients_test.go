package anvil_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/cmplx"
	"reflect"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// A gradientCase is a line of testdata/gradients.jsonl.gz, which testdata/gradients.py describes.
type gradientCase struct {
	Name, Go  string
	Tolerance float64
	Points    []gradientPoint
}

// A gradientPoint is a point of a case with its derivatives. Those that JAX cannot compute are nil.
type gradientPoint struct {
	X, T, Batch []exactTensor
	C           exactTensor
	Value       *exactTensor
	JVP         *exactTensor
	VJP, HVP    []exactTensor
	Hessian     *exactTensor
	Vmap        *exactTensor
}

// An exactTensor is a tensor of f64 or c128 in a file of gradients.
type exactTensor struct {
	shape   nv.Shape
	values  []complex128
	complex bool
}

// UnmarshalJSON reads [shape, elements] or [shape, real parts, imaginary parts].
func (x *exactTensor) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	x.complex = len(parts) == 3
	var numbers [2][]float64
	for i, part := range parts[1:] {
		if err := json.Unmarshal(part, &numbers[i]); err != nil {
			return err
		}
	}
	x.values = make([]complex128, len(numbers[0]))
	for i, re := range numbers[0] {
		x.values[i] = complex(re, 0)
		if x.complex {
			x.values[i] += complex(0, numbers[1][i])
		}
	}
	return json.Unmarshal(parts[0], &x.shape)
}

// tensor returns x as a tensor of f64 or c128.
func (x exactTensor) tensor() nv.Tensor {
	if x.complex {
		return nv.Reshape(nv.From(x.values), x.shape)
	}
	reals := make([]float64, len(x.values))
	for i, v := range x.values {
		reals[i] = real(v)
	}
	return nv.Reshape(nv.From(reals), x.shape)
}

func exactTensors(xs []exactTensor) []nv.Tensor {
	tensors := make([]nv.Tensor, len(xs))
	for i, x := range xs {
		tensors[i] = x.tensor()
	}
	return tensors
}

// agrees returns an error that says how got differs from x: in type or shape, or in an element by more than tolerance,
// relative to the greatest element or 1. It returns nil if got agrees.
func (x exactTensor) agrees(got nv.Tensor, tolerance float64) error {
	want := dtype.F64
	if x.complex {
		want = dtype.C128
	}
	if got.DType() != want || !slices.Equal(got.Shape(), x.shape) {
		return fmt.Errorf("%s%s, want %s%s", got.DType(), got.Shape(), want, x.shape)
	}
	scale := 1.0
	for _, v := range x.values {
		scale = math.Max(scale, cmplx.Abs(v))
	}
	for i, v := range nv.Values[complex128](got) {
		if !(cmplx.Abs(v-x.values[i]) <= tolerance*scale) {
			return fmt.Errorf("element %d is %v, want %v", i, v, x.values[i])
		}
	}
	return nil
}

// gradientLines calls f with each line of a compressed file of gradients but the first, which names the versions.
func gradientLines[T any](t *testing.T, path string, f func(T)) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(unpacked(t, path)))
	lines.Buffer(nil, 1<<24)
	lines.Scan()
	for lines.Scan() {
		var v T
		read(t, lines.Bytes(), &v)
		f(v)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// TestGradientValues checks that the functions of gradientCases have the values that JAX computes.
func TestGradientValues(t *testing.T) {
	n := 0
	gradientLines(t, "testdata/gradients.jsonl.gz", func(c gradientCase) {
		n++
		f, ok := gradientCases[c.Name]
		if !ok {
			t.Errorf("gradientCases lacks %q", c.Name)
			return
		}
		t.Run(c.Name, func(t *testing.T) {
			for i, p := range c.Points {
				var got nv.Tensor
				err := nv.Try(func() { got = f(exactTensors(p.X)) })
				if err == nil {
					err = p.Value.agrees(got, c.Tolerance)
				}
				if err != nil {
					t.Errorf("%s at point %d: %v", c.Go, i, err)
				}
			}
		})
	})
	if n != len(gradientCases) {
		t.Errorf("%d cases have data, want %d", n, len(gradientCases))
	}
}

// TestGradients checks the derivatives of the functions of gradientCases against JAX's.
func TestGradients(t *testing.T) {
	t.Parallel()
	gradientLines(t, "testdata/gradients.jsonl.gz", func(c gradientCase) {
		t.Run(c.Name, func(t *testing.T) {
			for i, p := range c.Points {
				for name, err := range p.derivatives(gradientCases[c.Name], c.Tolerance) {
					if err != nil {
						t.Errorf("%s at point %d: %v\n%s", name, i, err, c.Go)
					}
				}
			}
		})
	})
}

// derivatives yields, for each derivative of f in p, its name and an error that says how ours differs, or nil.
func (p gradientPoint) derivatives(f func(in []nv.Tensor) nv.Tensor, tolerance float64) iter.Seq2[string, error] {
	x, t, c := exactTensors(p.X), exactTensors(p.T), p.C.tensor()
	weighted := func(in []nv.Tensor) nv.Tensor { return nv.Real(nv.Sum(nv.Mul(nv.Conj(c), f(in)))) }
	return func(yield func(string, error) bool) {
		_ = check(yield, "JVP", ifKnown(p.JVP), tolerance, func() []nv.Tensor {
			_, dy := nv.JVP(f, x, t)
			return []nv.Tensor{dy}
		}) && check(yield, "Linearize", p.linearized(), tolerance, func() []nv.Tensor {
			_, tangent := nv.Linearize(f, x)
			return []nv.Tensor{tangent(t)}
		}) && check(yield, "VJP", p.VJP, tolerance, func() []nv.Tensor {
			_, pullback := nv.VJP(f, x)
			return pullback(c)
		}) && check(yield, "Grad", p.VJP, tolerance, func() []nv.Tensor {
			return nv.Grad(weighted)(x)
		}) && check(yield, "HVP", p.HVP, tolerance, func() []nv.Tensor {
			return nv.HVP(weighted, x, t)
		}) && check(yield, "Hessian", ifKnown(p.Hessian), tolerance, func() []nv.Tensor {
			return []nv.Tensor{p.hessian(weighted, x)}
		}) && check(yield, "Vmap", ifKnown(p.Vmap), tolerance, func() []nv.Tensor {
			return []nv.Tensor{nv.Vmap(f)(exactTensors(p.Batch))}
		})
	}
}

// hessian returns the Hessian of f with respect to the elements of all of x, joined to one vector.
func (p gradientPoint) hessian(f func(in []nv.Tensor) nv.Tensor, x []nv.Tensor) nv.Tensor {
	return nv.Hessian(func(v nv.Tensor) nv.Tensor {
		in, at := make([]nv.Tensor, len(p.X)), 0
		for i, e := range p.X {
			in[i] = nv.Reshape(v.At(nv.Range(at, at+len(e.values))), e.shape)
			at += len(e.values)
		}
		return f(in)
	})(nv.HStack(flattened(x)...))
}

// flattened returns xs as vectors.
func flattened(xs []nv.Tensor) []any {
	flat := make([]any, len(xs))
	for i, x := range xs {
		flat[i] = nv.Flatten(x)
	}
	return flat
}

// linearized returns the tangent of p, or nil if JAX has no reverse mode at p: then there may be no linear program.
func (p gradientPoint) linearized() []exactTensor {
	if p.VJP == nil {
		return nil
	}
	return ifKnown(p.JVP)
}

// ifKnown returns a list with x, or nil if x is nil.
func ifKnown(x *exactTensor) []exactTensor {
	if x == nil {
		return nil
	}
	return []exactTensor{*x}
}

// check yields the agreement of want and f under the given name, unless want is nil.
func check(yield func(string, error) bool, name string, want []exactTensor, tolerance float64, f func() []nv.Tensor) bool {
	return want == nil || yield(name, agreement(want, tolerance, f))
}

// agreement returns an error that says how the tensors that f returns differ from want or what f panics with, or nil.
func agreement(want []exactTensor, tolerance float64, f func() []nv.Tensor) error {
	var got []nv.Tensor
	if err := caught(func() { got = f() }); err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	for i, x := range got {
		if err := want[i].agrees(x, tolerance); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// caught returns what f panics with as an error.
func caught(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			var ok bool
			if err, ok = r.(error); !ok {
				err = fmt.Errorf("panic: %v", r)
			}
		}
	}()
	f()
	return nil
}

// TestGradientCompositions checks derivatives of derivatives, of mapped functions, of loops and of trees against JAX's.
func TestGradientCompositions(t *testing.T) {
	n := 0
	type composition struct {
		Name, Go   string
		Tolerance  float64
		X, Results []exactTensor
	}
	gradientLines(t, "testdata/gradient_compositions.jsonl.gz", func(c composition) {
		n++
		f, ok := gradientCompositions[c.Name]
		if !ok {
			t.Errorf("gradientCompositions lacks %q", c.Name)
			return
		}
		t.Run(c.Name, func(t *testing.T) {
			err := agreement(c.Results, c.Tolerance, func() []nv.Tensor { return f(exactTensors(c.X)) })
			if err != nil {
				t.Errorf("%v\n%s", err, c.Go)
			}
		})
	})
	if n != len(gradientCompositions) {
		t.Errorf("%d compositions have data, want %d", n, len(gradientCompositions))
	}
}

// TestSecondDerivativesOfProductsWithZeros checks products of segments at zeros, where the
// second derivatives do not follow from the first.
func TestSecondDerivativesOfProductsWithZeros(t *testing.T) {
	segments := nv.New([]int{0, 0, 1, 1, 0})
	weights := nv.From([]float64{1.5, -0.5})
	f := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(nv.SegmentProd(x, segments, 2), weights)) }
	for _, at := range [][]float64{{0, 1.2, 0.7, -2, 3}, {0, 0, 0, 2, 3}, {1, 2, 3, 4, 5}} {
		x := nv.New(at)
		written := func(y nv.Tensor) nv.Tensor {
			return nv.Add(nv.Mul(nv.Mul(nv.Mul(y.At(0), y.At(1)), y.At(4)), 1.5), nv.Mul(nv.Mul(y.At(2), y.At(3)), -0.5))
		}
		want := nv.Hessian(written)(x)
		if got := nv.Hessian(f)(x); !nv.AllClose(got, want, 1e-12).Bool() {
			t.Errorf("at %v the Hessian is\n%v\nwant\n%v", at, got, want)
		}
	}
}

func TestGradientOfFrexp(t *testing.T) {
	fraction := func(x nv.Tensor) nv.Tensor {
		f, _ := nv.Frexp(x)
		return nv.Sum(nv.Square(f))
	}
	x := nv.From([]float64{3, -0.3, 0, 0.75, 1e-30})
	g := nv.Grad(fraction)(x)
	if got, want := nv.Values[float64](g), []float64{0.75 * 2 / 4, -0.6 * 2 * 2, 0, 1.5}; !slices.Equal(got[:4], want) {
		t.Errorf("the gradient is %v, want %v", got[:4], want)
	}
	if err := nv.CheckGrad(func(x nv.Tensor) nv.Tensor { return nv.Grad(fraction)(x) }, nv.From([]float64{3, -0.3})); err != nil {
		t.Error(err)
	}
}

// TestGradientsUnderEverySystem checks that the promotion system changes no gradient, at
// ties and at ordinary points.
func TestGradientsUnderEverySystem(t *testing.T) {
	systems := []*promote.System{promote.JAX, promote.Torch, promote.NumPy, promote.TensorFlow}
	points := [][2]float64{{0, 0}, {1, 1}, {2, -3}, {0.5, 2}}
	for name := range functionsOfOperands(2) {
		gradient := func(s *promote.System, xs []nv.Tensor) (g []nv.Tensor, err error) {
			method := reflect.ValueOf(nv.With(s)).MethodByName(name)
			f := func(xs []nv.Tensor) nv.Tensor {
				y := method.Call([]reflect.Value{reflect.ValueOf(xs[0]), reflect.ValueOf(xs[1])})[0].Interface().(nv.Tensor)
				return nv.Sum(nv.AsType(nv.Real(y), nv.F64))
			}
			err = nv.Try(func() { g = nv.Grad(f)(xs) })
			return g, err
		}
		for _, p := range points {
			xs := []nv.Tensor{nv.New([]float64{p[0], 1.5}), nv.New([]float64{p[1], 0.5})}
			want, err := gradient(promote.Anvil, xs)
			if err != nil {
				continue
			}
			for _, s := range systems {
				got, err := gradient(s, xs)
				if err != nil { // the framework lacks the function, or refuses the operands
					continue
				}
				for k := range want {
					a, b := nv.Values[float64](want[k]), nv.Values[float64](got[k])
					if fmt.Sprint(a) != fmt.Sprint(b) {
						t.Errorf("%s at %v by operand %d: %v under %s, %v under anvil", name, p, k+1, b, s.Name(), a)
					}
				}
			}
		}
	}
}

// TestGradientOfClampedGather checks that an unsigned index greater than its signed dtype allows is clamped, as in Gather.
func TestGradientOfClampedGather(t *testing.T) {
	last := func(x nv.Tensor) nv.Tensor {
		dims := nv.GatherDims{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 0, SliceSizes: []int{1}}
		return nv.Gather(x, nv.New([]uint8{250}), dims)
	}
	if g := nv.Values[float32](nv.Grad(last)(nv.Zeros(nv.Shape{200}))); g[199] != 1 {
		t.Errorf("the derivative at 199 is %v, want 1", g[199])
	}
}

// TestGradientOfIRFFTCountsInIntegers checks that the gradient compares the positions of the elements as integers: f32
// does not hold all positions from 2^24 on.
func TestGradientOfIRFFTCountsInIntegers(t *testing.T) {
	g := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.IRFFT(x).Square().Sum() })
	program := nv.Lower(g, nv.Ones(nv.Shape{5}, nv.C64))
	for _, n := range program.Graph().Nodes {
		if d := n.Results[0].Type.DType; n.Code == ir.Iota && d != nv.I32 {
			t.Errorf("positions are counted in %s", d)
		}
	}
}
