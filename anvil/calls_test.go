package anvil_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// callSystems are the files of calls on drawn operands that real systems
// computed (testdata/calls/generate.py), and the systems that have to agree.
var callSystems = map[string]*promote.System{
	"numpy": promote.NumPy, "torch": promote.TorchExt, "jax_x32": promote.JAX, "jax_x64": promote.JAX64, "jax_strict": promote.JAXStrict, "array_api": promote.ArrayAPI,
	"ivy_precise": promote.IvyPrecise, "ivy_fast": promote.IvyFast,
	"tf_off": promote.TensorFlow, "tf_legacy": promote.TensorFlowLegacy, "tf_all": promote.TensorFlowAll, "tf_safe": promote.TensorFlowSafe,
}

// A realCall is a function of the library, its operands, and the answer of the
// real system: a type and values, or an error.
type realCall struct {
	system, name, typed string
	args                [][2]json.RawMessage
	values              any
	refusal             string
}

// UnmarshalJSON reads [name, operands, type, values] or [name, operands, error].
func (c *realCall) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) == 3 {
		return errors.Join(json.Unmarshal(parts[0], &c.name), json.Unmarshal(parts[1], &c.args), json.Unmarshal(parts[2], &c.refusal))
	}
	d := json.NewDecoder(bytes.NewReader(parts[3]))
	d.UseNumber()
	return errors.Join(json.Unmarshal(parts[0], &c.name), json.Unmarshal(parts[1], &c.args), json.Unmarshal(parts[2], &c.typed), d.Decode(&c.values))
}

// callNumber returns a number of a row at dtype d.
func callNumber(v any, d dtype.DType) any {
	switch v := v.(type) {
	case []any:
		z, _ := dtype.Cast(complex(callFloat(v[0]), callFloat(v[1])), d)
		return z
	case bool:
		b, _ := dtype.Cast(v, d)
		return b
	}
	var n any = callFloat(v)
	if text := fmt.Sprint(v); d.Is(dtype.Unsigned) {
		n, _ = strconv.ParseUint(text, 10, 64)
	} else if d.Is(dtype.Integral) {
		n, _ = strconv.ParseInt(text, 10, 64)
	}
	x, err := dtype.Cast(n, d)
	if err != nil {
		panic(err)
	}
	return x
}

// callFloat returns v, a number or a text such as "nan", as a float64.
func callFloat(v any) float64 {
	f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		panic(err)
	}
	return f
}

// kindsOfNumbers maps the types of Python's numbers to the dtypes in which callNumber reads them.
var kindsOfNumbers = map[string]dtype.DType{"int": dtype.I64, "float": dtype.F64, "bool": dtype.I1, "complex": dtype.C128}

// callOperand returns an operand of a row as a tensor or number of c.
func callOperand(c *nv.Context, arg [2]json.RawMessage) any {
	var name string
	var v any
	d := json.NewDecoder(bytes.NewReader(arg[1]))
	d.UseNumber()
	if err := errors.Join(json.Unmarshal(arg[0], &name), d.Decode(&v)); err != nil {
		panic(err)
	}
	if kind, ok := kindsOfNumbers[name]; ok {
		switch n := callNumber(v, kind).(type) {
		case int64:
			return int(n)
		default:
			return n
		}
	}
	bare, ambiguous := strings.CutSuffix(name, "?")
	at, _ := promote.Named(bare)
	vs := v.([]any)
	elements := reflect.MakeSlice(reflect.SliceOf(at.GoType()), 0, len(vs))
	for _, e := range vs {
		elements = reflect.Append(elements, reflect.ValueOf(callNumber(e, at)))
	}
	x := c.From(elements.Interface(), at, nv.Ambiguous(ambiguous))
	if len(vs) == 1 {
		x = x.Reshape(nil)
	}
	return x
}

// compute returns the result of the row's function under l.
func (c realCall) compute(l *nv.Lib, xs []any) (y nv.Tensor) {
	f := reflect.ValueOf(l).MethodByName(c.name)
	in := make([]reflect.Value, 0, len(xs))
	switch {
	case c.name == "Concatenate" || c.name == "Stack":
		in = append(in, reflect.ValueOf(nv.Axis(0)))
	case strings.HasSuffix(c.name, "Into"):
		into := xs[0].(nv.Tensor)
		xs = slices.Concat([]any{&into}, xs[1:])
	}
	for _, x := range xs {
		in = append(in, reflect.ValueOf(x))
	}
	return f.Call(in)[0].Interface().(nv.Tensor)
}

// drawnCalls is the folder of files that testdata/calls/generate.py drew with other seeds.
var drawnCalls = flag.String("calls", "testdata/calls", "the folder of TestCallsAgreeWithRealSystems")

// TestCallsAreAsMeasured fails when a row of testdata/calls has been edited.
func TestCallsAreAsMeasured(t *testing.T) { asMeasured(t, "testdata/calls") }

// TestCallsAgreeWithRealSystems checks that a function on drawn operands has the
// dtype, the flag and the value that the real system gives it, or an error of the
// same kind. The functions in loose may differ in the last places, as the math
// libraries of the systems do.
func TestCallsAgreeWithRealSystems(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(callSystems)) {
		t.Run(name, func(t *testing.T) {
			c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
			lines := bufio.NewScanner(bytes.NewReader(unpacked(t, *drawnCalls+"/"+name+".jsonl.gz")))
			lines.Scan()
			for lines.Scan() {
				row := realCall{system: name}
				read(t, lines.Bytes(), &row)
				if d := row.difference(c, callSystems[name]); d != "" {
					t.Errorf("%s\n%s", lines.Text(), d)
				}
			}
		})
	}
}

// difference describes how the result of the call differs from the answer of the
// real system. It is "" if it does not.
func (c realCall) difference(ctx *nv.Context, sys *promote.System) string {
	xs := make([]any, len(c.args))
	for i, a := range c.args {
		xs[i] = callOperand(ctx, a)
	}
	var y nv.Tensor
	var text string
	err := nv.Try(func() { y = c.compute(ctx.With(sys), xs); text = y.String() })
	var no *promote.Refusal
	switch errors.As(err, &no); {
	case c.refusal == "" && err != nil:
		return fmt.Sprintf("is %s %v, and here the error %v", c.typed, c.values, err)
	case c.refusal != "" && err == nil:
		return "is refused, and here " + text
	case c.refusal != "" && no == nil:
		return "is refused, and here for another reason: " + err.Error()
	case c.refusal != "":
		if kind, _, _ := strings.Cut(c.refusal, ":"); kind != no.Kind {
			return "is refused by another error: " + no.Foreign()
		}
		return ""
	case y.Typed().String() != c.typed:
		return "is of another type: " + text
	case c.values == nil: // a row of dtypes alone
		return ""
	}
	return c.farFrom(y)
}

// loose maps the functions whose last places depend on the library that computes
// them to the number of spacings by which they may differ.
var loose = map[string]float64{"Atan2": 4, "LogAddExp": 8, "Exp": 4, "Expm1": 8, "Log": 8, "Log1p": 8, "Sqrt": 2, "Rsqrt": 4, "Cbrt": 4, "Sin": 4, "Cos": 4, "Tan": 8,
	"Tanh": 8, "Logistic": 4, "Erf": 4, "Pow": 16, "PowInto": 16, "Mean": 4, "Var": 8, "Std": 8, "Reciprocal": 2, "Abs": 2, "Sum": 4, "Prod": 4, "Cumsum": 4, "MatMul": 4, "TrueDiv": 4, "TrueDivInto": 4, "Mul": 4, "Square": 4, "Sign": 4}

// farFrom describes the first value of y that is not that of the row, or returns "".
func (c realCall) farFrom(y nv.Tensor) string {
	want, ok := c.values.([]any)
	if !ok {
		want = []any{c.values}
	}
	got := reflect.ValueOf(elements(y))
	if got.Len() != len(want) {
		return "is of another length: " + y.String()
	}
	for i := range want {
		w := callNumber(want[i], y.DType())
		if !c.equal(w, got.Index(i).Interface(), y.DType()) {
			return fmt.Sprintf("is element %d of another value: %v", i, got.Index(i))
		}
	}
	return ""
}

// equal reports whether w, a number of the row, and g, an element of the result,
// are equal at dtype d. Zeros must have the same sign.
func (c realCall) equal(w, g any, d dtype.DType) bool {
	switch g := g.(type) {
	case complex128:
		z, _ := dtype.Cast(w, dtype.C128)
		return c.nearComplex(z.(complex128), g, loose[c.name]*spacingOf(d))
	case float64:
		f, _ := dtype.Cast(w, dtype.F64)
		if f == 0.0 && g == 0 && (slices.Contains(open, c.name) || c.chosen()) {
			return true
		}
		return near(f.(float64), g, loose[c.name]*spacingOf(d)*c.scale(g))
	}
	n, _ := dtype.Cast(w, map[bool]dtype.DType{true: dtype.U64, false: dtype.I64}[d.Is(dtype.Unsigned)])
	if d == dtype.I1 {
		return w == g
	}
	return n == g
}

// chosen reports whether XLA may have compiled JAX's call, a bool times a number,
// to a choice between the number and 0. Such a 0 has no sign.
func (c realCall) chosen() bool {
	return strings.HasPrefix(c.system, "jax") && (c.name == "Mul" || c.name == "TrueDiv") && slices.ContainsFunc(c.args, func(a [2]json.RawMessage) bool { return string(a[0]) == `"i1"` })
}

// nearComplex is near for both parts of a complex number. C does not define parts
// that are not finite, nor the signs of zeros, and the systems differ in them. A
// power is as exact as its angle.
func (c realCall) nearComplex(w, g complex128, unit float64) bool {
	e := unit * cmplx.Abs(g)
	power := strings.HasPrefix(c.name, "Pow")
	switch {
	case power:
		e = max(math.Sqrt(e/16)*math.Sqrt(cmplx.Abs(g)), e/8*c.exponents())
	case c.name == "Atan2": // by the logarithm of a number near 1
		e = max(e, unit)
	}
	if finite := func(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }; !finite(w) || !finite(g) {
		return finite(w) == finite(g) || power || strings.HasPrefix(c.name, "TrueDiv")
	}
	return math.Abs(real(w)-real(g)) <= e && math.Abs(imag(w)-imag(g)) <= e
}

// exponents returns the greatest magnitude among the second operand's numbers, by
// which the rounding error of a power's angle is multiplied.
func (c realCall) exponents() (m float64) {
	var v any
	d := json.NewDecoder(bytes.NewReader(c.args[1][1]))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return 0
	}
	vs, several := v.([]any)
	if !several {
		vs = []any{v}
	}
	for _, v := range vs {
		if number, real := v.(json.Number); real {
			v = []any{number}
		}
		if parts, finite := v.([]any); finite {
			for _, part := range parts {
				m = max(m, math.Abs(callFloat(part)))
			}
		}
	}
	return m
}

// scale returns the magnitude to which the rounding errors of the function's result
// g are proportional. For Sin, Cos and Tan these come from reducing large angles.
func (c realCall) scale(g float64) float64 {
	switch c.name {
	case "Sin", "Cos":
		return 1
	case "Tan":
		return 1 + g*g
	}
	return math.Abs(g)
}

// spacingOf returns the relative spacing of numbers of dtype d.
func spacingOf(d dtype.DType) float64 { return spacings[d.Elem()] }

// near reports whether w and g differ by at most e. Zeros must have the same sign.
func near(w, g, e float64) bool {
	if w != w || g != g {
		return w != w && g != g
	}
	if w == g {
		return w != 0 || math.Signbit(w) == math.Signbit(g)
	}
	return math.Abs(w-g) <= e
}

// open are the functions for which the sign of a zero result, for zeros of both
// signs, depends on the length of vector registers or the order of a sum.
var open = []string{"Fmax", "Fmin", "Max", "Min", "Clamp", "Mean"}
