package anvil_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"math"
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// dividing maps the frameworks of testdata/floordiv.txt.gz to the systems that must
// have their answers. Under anvil, floats are divided as in Python, which NumPy follows.
var dividing = map[string][]*promote.System{"numpy": {promote.NumPy, promote.Anvil}, "jax": {promote.JAX64}, "torch": {promote.TorchExt},
	"tensorflow": {promote.TensorFlow}}

// TestFloorDivision checks that FloorDiv and DivMod have the answers of the real
// systems, including the signs of zeros, on every executor.
func TestFloorDivision(t *testing.T) {
	data := divisions(t)
	for name, o := range map[string]nv.ContextOptions{"reference": {Backend: "reference"}, "host": {}, "compiled": {Compiled: true}} {
		t.Run(name, func(t *testing.T) {
			c := nv.NewContext(o)
			for d, answers := range data {
				checkDivision(t, c, d, answers, o.Compiled)
			}
		})
	}
}

// A division is a system that is compared with the answers of a framework for a dtype.
type division struct {
	real   string
	system *promote.System
	n      int // the number of pairs that the framework answers
}

// divisionsOf returns the divisions of dtype d.
func divisionsOf(d dtype.DType, answers map[string][]byte) (all []division) {
	for real, systems := range dividing {
		for _, s := range systems {
			if n := len(answers["quotient "+real]) / d.Size(); n > 0 && (s != promote.Anvil || d.Is(dtype.Floating)) {
				all = append(all, division{real, s, n})
			}
		}
	}
	return all
}

// checkDivision compares the quotients and remainders of dtype d with those of the
// real systems, computed together in one program or one by one.
func checkDivision(t *testing.T, c *nv.Context, d dtype.DType, answers map[string][]byte, together bool) {
	t.Helper()
	x, y := vectorOf(c, d, answers["operand x"]), vectorOf(c, d, answers["operand y"])
	all := divisionsOf(d, answers)
	divide := func(x, y nv.Tensor) (results []nv.Tensor) {
		for _, v := range all {
			q, r := c.With(v.system).DivMod(x.At(nv.Range(0, v.n)), y.At(nv.Range(0, v.n)))
			results = append(results, q, r)
		}
		return results
	}
	if together {
		divide = c.JitAny(divide).(func(x, y nv.Tensor) []nv.Tensor)
	}
	for i, got := range divide(x, y) {
		v, what := all[i/2], []string{"quotient", "remainder"}[i%2]
		want, gs := answers[what+" "+v.real], reflect.ValueOf(elements(got))
		for k := range v.n {
			at := func(data []byte) any { return dtype.Get(data[k*d.Size():(k+1)*d.Size()], d) }
			a, b, g, w := at(answers["operand x"]), at(answers["operand y"]), gs.Index(k).Interface(), at(want)
			if !sameNumber(g, w) && !machine(v.real, d, a, b, w) {
				t.Errorf("%s, %s of %v: %v and %v give %v, in %s %v", v.system.Name(), what, d, a, b, g, v.real, w)
			}
		}
	}
}

// machine reports whether a real system's answer comes from the machine it ran on:
// 0 for a subnormal quotient of TensorFlow, or nan for the remainder of a quotient
// that overflows in PyTorch.
func machine(real string, d dtype.DType, x, y, answer any) bool {
	if !d.Is(dtype.Floating) {
		return false
	}
	a, b, r := reflect.ValueOf(x).Float(), reflect.ValueOf(y).Float(), reflect.ValueOf(answer).Float()
	least := map[dtype.DType]float64{dtype.F64: 0x1p-1022}[d]
	if d != dtype.F64 {
		least = 0x1p-126
	}
	q := math.Abs(a / b)
	return real == "tensorflow" && q < least && r == 0 || real == "torch" && q > dtype.Largest(d) && !math.IsInf(a, 0) && b != 0 && r != r
}

// vectorOf returns elements in host form as a tensor.
func vectorOf(c *nv.Context, d dtype.DType, data []byte) nv.Tensor {
	vs := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, len(data)/d.Size())
	for ; len(data) > 0; data = data[d.Size():] {
		vs = reflect.Append(vs, reflect.ValueOf(dtype.Get(data[:d.Size()], d)))
	}
	return c.From(vs.Interface(), d)
}

// sameNumber reports whether numbers are equal. Zeros must have the same sign.
func sameNumber(g, w any) bool {
	x, y := reflect.ValueOf(g), reflect.ValueOf(w)
	switch {
	case y.CanFloat():
		return near(y.Float(), x.Float(), 0)
	case y.CanInt():
		return x.Int() == y.Int()
	}
	return x.Uint() == y.Uint()
}

// divisions reads testdata/floordiv.txt.gz. For each dtype, it returns the elements
// under names such as "quotient numpy".
func divisions(t *testing.T) map[dtype.DType]map[string][]byte {
	data := map[dtype.DType]map[string][]byte{}
	lines := bufio.NewScanner(bytes.NewReader(unpacked(t, "testdata/floordiv.txt.gz")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		d, err := dtype.Parse(words[0])
		if err != nil {
			t.Fatal(err)
		}
		if data[d] == nil {
			data[d] = map[string][]byte{}
		}
		if data[d][words[1]+" "+words[2]], err = base64.StdEncoding.DecodeString(words[3]); err != nil {
			t.Fatal(err)
		}
	}
	return data
}
