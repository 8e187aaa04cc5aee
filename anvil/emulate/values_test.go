package emulate_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"strconv"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/promote"
)

// An answer is the value and dtype of a result of a real system, or its error.
type answer struct {
	V        any
	D, Error string
}

// answered are the systems whose answers are known, by the field that has them.
var answered = map[string]*promote.System{
	"numpy": promote.NumPy, "jax": promote.JAX64, "torch": promote.TorchExt, "tf": promote.TensorFlow,
}

// libs returns the functions of each of the answered systems. XLA, which JAX and TensorFlow use, takes
// subnormal numbers for 0 on CPUs.
func libs() map[string]*nv.Lib {
	exact := nv.NewContext(nv.ContextOptions{Executor: engine.NewReference()})
	flushing := nv.NewContext(nv.ContextOptions{Executor: engine.NewFlushingReference()})
	all := map[string]*nv.Lib{}
	for field, system := range answered {
		c := exact
		if field == "jax" || field == "tf" {
			c = flushing
		}
		all[field] = c.With(system)
	}
	return all
}

type (
	unaryMethod  = func(l *nv.Lib, x any) nv.Tensor
	binaryMethod = func(l *nv.Lib, x, y any) nv.Tensor
)

// withoutOptions returns f called without options.
func withoutOptions[O any](f func(*nv.Lib, any, ...O) nv.Tensor) unaryMethod {
	return func(l *nv.Lib, x any) nv.Tensor { return f(l, x) }
}

// twoWithoutOptions returns f called without options.
func twoWithoutOptions[O any](f func(*nv.Lib, any, any, ...O) nv.Tensor) binaryMethod {
	return func(l *nv.Lib, x, y any) nv.Tensor { return f(l, x, y) }
}

var unaries = map[string]unaryMethod{
	"neg": (*nv.Lib).Neg, "abs": (*nv.Lib).Abs, "sign": (*nv.Lib).Sign, "exp": (*nv.Lib).Exp, "log": (*nv.Lib).Log,
	"sqrt": (*nv.Lib).Sqrt, "square": (*nv.Lib).Square, "reciprocal": (*nv.Lib).Reciprocal, "floor": (*nv.Lib).Floor,
	"ceil": (*nv.Lib).Ceil, "round": (*nv.Lib).Round, "trunc": (*nv.Lib).Trunc, "isnan": (*nv.Lib).IsNaN,
	"logical_not": (*nv.Lib).LogicalNot, "bitwise_not": (*nv.Lib).Not, "sum": withoutOptions((*nv.Lib).Sum),
	"prod": withoutOptions((*nv.Lib).Prod), "mean": withoutOptions((*nv.Lib).Mean), "var": withoutOptions((*nv.Lib).Var),
	"std": withoutOptions((*nv.Lib).Std), "median": withoutOptions((*nv.Lib).Median), "max": withoutOptions((*nv.Lib).Max),
	"min": withoutOptions((*nv.Lib).Min), "any": withoutOptions((*nv.Lib).Any), "all": withoutOptions((*nv.Lib).All),
	"argmax": withoutOptions((*nv.Lib).ArgMax), "cumsum": withoutOptions((*nv.Lib).Cumsum),
}

var binaries = map[string]binaryMethod{
	"add": twoWithoutOptions((*nv.Lib).Add), "sub": twoWithoutOptions((*nv.Lib).Sub), "mul": twoWithoutOptions((*nv.Lib).Mul),
	"true_divide": twoWithoutOptions((*nv.Lib).TrueDiv), "floor_divide": twoWithoutOptions((*nv.Lib).FloorDiv),
	"remainder": twoWithoutOptions((*nv.Lib).Rem), "pow": twoWithoutOptions((*nv.Lib).Pow), "fmod": (*nv.Lib).Fmod,
	"trunc_divide": (*nv.Lib).TruncDiv, "fmax": (*nv.Lib).Fmax, "fmin": (*nv.Lib).Fmin,
	"maximum": twoWithoutOptions((*nv.Lib).Maximum), "minimum": twoWithoutOptions((*nv.Lib).Minimum),
	"left_shift": twoWithoutOptions((*nv.Lib).Shl), "right_shift": twoWithoutOptions((*nv.Lib).Shr),
	"bitwise_and": twoWithoutOptions((*nv.Lib).And), "bitwise_xor": twoWithoutOptions((*nv.Lib).Xor),
	"eq": twoWithoutOptions((*nv.Lib).Eq), "ne": twoWithoutOptions((*nv.Lib).Ne), "lt": twoWithoutOptions((*nv.Lib).Lt),
}

// An operation is a row of arith.jsonl: an operation on elements A and B, A alone or Xs.
type operation struct {
	Op, DType string
	A, B      any
	Xs        []any
}

func (o operation) String() string {
	return fmt.Sprintf("%s of %s: %v %v %v", o.Op, o.DType, o.A, o.B, o.Xs)
}

// TestValues compares results under each system with those of the real library: their dtypes, and their
// values to the last bit or, of functions that libraries approximate, to one part in a million.
func TestValues(t *testing.T) {
	libs, compared := libs(), 0
	for _, r := range rows(t, "arith") {
		var o operation
		decode(t, r["row"], &o)
		for field, l := range libs {
			var want answer
			if decode(t, r[field], &want); want.V == nil {
				continue // no such function, or an error
			}
			switch {
			case o.Op == "trunc_divide" && field == "jax":
				continue // not in jax.numpy
			case o.Op == "log" && o.A == 1e-40 && field == "tf":
				continue // the logarithm of 2^-150 there; elsewhere in that library, and here, of 0
			}
			compared++
			var got nv.Tensor
			if err := nv.Try(func() { got = o.apply(t, l) }); err != nil {
				t.Errorf("%s: %v: %v", field, o, err)
			} else if got.DType().String() != want.D || !o.equal(t, got, want.V) {
				t.Errorf("%s: %v: %s, want %v %s", field, o, got, want.V, want.D)
			}
		}
	}
	if compared < 9000 {
		t.Errorf("compared %d results", compared)
	}
}

// TestCasts compares the values of casts with those of the real libraries.
func TestCasts(t *testing.T) {
	libs, compared := libs(), 0
	for _, r := range rows(t, "cast_values") {
		var cast struct {
			Src, Dst string
			V        any
		}
		decode(t, r["row"], &cast)
		from, to := dtype.MustParse(cast.Src), dtype.MustParse(cast.Dst)
		for field, l := range libs {
			var want any
			switch decode(t, r[field], &want); want.(type) {
			case float64, bool, string:
			default:
				continue // an error, or a complex number
			}
			if from.Is(dtype.Complex) || field == "jax" && r["jax_constfold"] != nil {
				continue
			}
			compared++
			var got nv.Tensor
			if err := nv.Try(func() { got = l.AsType(l.Full(nv.Shape{1}, native(t, cast.V, from), from), to) }); err != nil {
				t.Errorf("%s: %v: %v", field, cast, err)
			} else if !same(first(got), number(t, want), false) {
				t.Errorf("%s: %v: %s, want %v", field, cast, got, want)
			}
		}
	}
	if compared < 9000 {
		t.Errorf("compared %d results", compared)
	}
}

// approximated are the functions whose last bits differ from library to library.
var approximated = map[string]bool{"exp": true, "log": true, "pow": true, "std": true, "var": true, "sqrt": true, "mean": true}

// rows reads a file of rows with the answers of real systems. Each row has its fields, and all of them
// in the field "row".
func rows(t *testing.T, name string) (all []map[string]json.RawMessage) {
	f, err := os.Open("../../cmd/oracle/testdata/" + name + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var line struct{ Row json.RawMessage }
		decode(t, lines.Bytes(), &line)
		var fields map[string]json.RawMessage
		decode(t, line.Row, &fields)
		fields["row"] = line.Row
		all = append(all, fields)
	}
	return all
}

// decode sets into to the JSON in data; without data it leaves into as it is.
func decode(t *testing.T, data []byte, into any) {
	if data == nil {
		return
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// apply computes o.
func (o operation) apply(t *testing.T, l *nv.Lib) nv.Tensor {
	d := dtype.MustParse(o.DType)
	vector := func(x any) nv.Tensor { return l.Full(nv.Shape{1}, native(t, x, d), d) }
	if f := binaries[o.Op]; f != nil {
		return f(l, vector(o.A), vector(o.B))
	}
	f := unaries[o.Op]
	switch {
	case f == nil:
		t.Fatal("no function for ", o.Op)
	case o.Xs == nil:
		return f(l, vector(o.A))
	case len(o.Xs) == 0:
		return f(l, l.Zeros(nv.Shape{0}, d))
	}
	xs := make([]any, len(o.Xs))
	for i, x := range o.Xs {
		xs[i] = vector(x)
	}
	return f(l, l.Concatenate(0, xs...))
}

// equal reports whether got, a result of o, has the value want, or for cumulative sums the values.
func (o operation) equal(t *testing.T, got nv.Tensor, want any) bool {
	list, ok := want.([]any)
	if !ok {
		return same(first(got), number(t, want), approximated[o.Op])
	}
	for i, v := range list {
		if !same(first(got.At(i)), number(t, v), approximated[o.Op]) {
			return false
		}
	}
	return got.Size() == len(list)
}

// first returns the first element of x. It computes nothing, which would flush subnormal numbers.
func first(x nv.Tensor) float64 {
	switch v := reflect.ValueOf(x.Reshape(nv.Shape{1}).Values()).Index(0); {
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	case v.Kind() == reflect.Bool:
		return 0
	default:
		return v.Convert(reflect.TypeFor[float64]()).Float()
	}
}

// native returns an element of a row as a Go value that d can hold.
func native(t *testing.T, x any, d dtype.DType) any {
	if d.Is(dtype.Floating) {
		return number(t, x)
	}
	switch x := x.(type) {
	case float64:
		return int64(x)
	case string:
		n, ok := new(big.Int).SetString(x, 10)
		switch {
		case !ok:
			t.Fatalf("%q is no integer", x)
		case n.IsUint64():
			return n.Uint64()
		}
		return n.Int64()
	}
	return x
}

// number returns a value of a row as a float: numbers that JSON does not have are texts, and true is 1.
func number(t *testing.T, x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case bool:
		if x {
			return 1
		}
		return 0
	case string:
		f, err := strconv.ParseFloat(x, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	t.Fatalf("%v is no number", x)
	return 0
}

// same reports whether got and want are the same number, with its sign, or if close is set whether they
// differ by at most one part in a million.
func same(got, want float64, close bool) bool {
	if math.IsNaN(want) || got == want {
		return math.IsNaN(want) == math.IsNaN(got) && (math.IsNaN(got) || math.Signbit(got) == math.Signbit(want))
	}
	return close && math.Abs(got-want) <= 1e-6*math.Abs(want)
}

// TestExactComparisons checks that NumPy compares integers as exact numbers, even if no dtype holds both.
func TestExactComparisons(t *testing.T) {
	l := libs()["numpy"]
	relations := []struct {
		name  string
		f     func(l *nv.Lib, x, y any, opts ...nv.BinaryOption) nv.Tensor
		holds func(order int) bool
	}{
		{"Eq", (*nv.Lib).Eq, func(order int) bool { return order == 0 }},
		{"Ne", (*nv.Lib).Ne, func(order int) bool { return order != 0 }},
		{"Lt", (*nv.Lib).Lt, func(order int) bool { return order < 0 }},
		{"Le", (*nv.Lib).Le, func(order int) bool { return order <= 0 }},
		{"Gt", (*nv.Lib).Gt, func(order int) bool { return order > 0 }},
		{"Ge", (*nv.Lib).Ge, func(order int) bool { return order >= 0 }},
	}
	check := func(x, y any, order int) {
		t.Helper()
		for _, r := range relations {
			for _, swapped := range []bool{false, true} {
				a, b, want := x, y, r.holds(order)
				if swapped {
					a, b, want = y, x, r.holds(-order)
				}
				if got := r.f(l, a, b); got.Bool() != want {
					t.Errorf("%s of %v and %v is %v", r.name, a, b, got)
				}
			}
		}
	}
	for _, x := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		for _, y := range []uint64{0, 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
			order := new(big.Int).SetInt64(x).Cmp(new(big.Int).SetUint64(y))
			check(l.Full(nil, x, nv.I64), l.Full(nil, y, nv.U64), order)
		}
	}
	for _, c := range []struct {
		d    nv.DType
		v, n int
	}{{nv.I8, -128, 128}, {nv.I8, 127, 127}, {nv.I8, 127, 128}, {nv.I8, -128, -129}, {nv.U8, 255, 256}, {nv.U8, 0, -1}, {nv.I32, 5, 1 << 40}} {
		check(l.Full(nil, c.v, c.d), c.n, max(-1, min(1, c.v-c.n)))
	}
	// Complex numbers are ordered by their real parts, then by their imaginary parts.
	for _, c := range []struct {
		x, y  complex128
		order int
	}{{1 + 2i, 2 + 1i, -1}, {1 + 2i, 1 + 3i, -1}, {1 + 2i, 1 + 2i, 0}, {3 - 9i, 2 + 9i, 1}} {
		check(l.Full(nil, c.x, nv.C128), l.Full(nil, c.y, nv.C128), c.order)
	}
}

// TestClampExactly checks that array-api-strict clamps integers to bounds as exact numbers.
func TestClampExactly(t *testing.T) {
	l := nv.NewContext(nv.ContextOptions{Executor: engine.NewReference()}).With(promote.ArrayAPI)
	signed := []int64{math.MinInt64, -200, -1, 0, 1, 100, math.MaxInt64}
	unsigned := []uint64{0, 1, 100, math.MaxInt64, math.MaxUint64}
	for _, low := range signed {
		for _, high := range signed {
			if low > high {
				continue
			}
			for _, x := range signed {
				got := l.Clamp(l.Full(nil, x, nv.I64), l.Full(nil, low, nv.I64), l.Full(nil, high, nv.I64))
				if want := min(max(x, low), high); got.Int() != int(want) {
					t.Errorf("%d clamped to %d and %d is %v", x, low, high, got)
				}
			}
			if low < 0 || high > math.MaxInt32 {
				continue
			}
			for _, x := range unsigned {
				got := l.Clamp(l.Full(nil, x, nv.U64), int(low), int(high))
				if want := min(max(x, uint64(low)), uint64(high)); got.Int() != int(want) {
					t.Errorf("%d clamped to %d and %d is %v", x, low, high, got)
				}
			}
		}
	}
}
