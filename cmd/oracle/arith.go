package main

import (
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/promote"
)

// arithLists answer rows of values: each system computes the row's operation as
// a cell under it does, by the evaluator in plain Go.
var arithLists = lists{"binary": arithBinary, "unary": arithUnary, "reduce": arithReduce}

// A laboratory is where the values of a system are computed: its rules, and an
// evaluator in plain Go, which has no subnormal numbers where the system has none.
type laboratory struct {
	system  *promote.System
	flushes bool
}

var (
	exact    = sync.OnceValue(func() *anvil.Context { return computing(engine.NewReference()) })
	flushing = sync.OnceValue(func() *anvil.Context { return computing(engine.NewFlushingReference()) })
)

func computing(e engine.Executor) *anvil.Context {
	return anvil.NewContext(anvil.ContextOptions{Executor: e})
}

// laboratories are the systems by the field that has their answer.
var laboratories = map[string]laboratory{
	"numpy": {promote.NumPy, false},
	"jax":   {promote.JAX64, true},
	"torch": {promote.TorchExt, false},
	"tf":    {promote.TensorFlow, true},
}

// lax are XLA's operations as they are, which anvil's are too.
var lax = laboratory{promote.Anvil, true}

func (l laboratory) context() *anvil.Context {
	if l.flushes {
		return flushing()
	}
	return exact()
}

// lib returns the functions of the system.
func (l laboratory) lib() *anvil.Lib { return l.context().With(l.system) }

type binaryFunc = func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor

var arithBinaries = map[string]binaryFunc{
	"add":          func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Add(x, y) },
	"sub":          func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Sub(x, y) },
	"mul":          func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Mul(x, y) },
	"true_divide":  func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.TrueDiv(x, y) },
	"floor_divide": func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.FloorDiv(x, y) },
	"trunc_divide": func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.TruncDiv(x, y) },
	"remainder":    func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Rem(x, y) },
	"fmod":         func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Fmod(x, y) },
	"pow":          func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Pow(x, y) },
	"maximum":      func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Maximum(x, y) },
	"minimum":      func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Minimum(x, y) },
	"fmax":         func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Fmax(x, y) },
	"fmin":         func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Fmin(x, y) },
	"left_shift":   func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Shl(x, y) },
	"right_shift":  func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Shr(x, y) },
	"bitwise_and":  func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.And(x, y) },
	"bitwise_or":   func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Or(x, y) },
	"bitwise_xor":  func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Xor(x, y) },
	"eq":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Eq(x, y) },
	"ne":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Ne(x, y) },
	"lt":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Lt(x, y) },
	"le":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Le(x, y) },
	"gt":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Gt(x, y) },
	"ge":           func(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor { return l.Ge(x, y) },
}

// absent are the operations that a system does not have; their rows have no
// field of it.
var absent = map[string]string{"trunc_divide": "numpy", "fmin": "tf", "fmax": "tf", "trunc": "tf", "median": "tf"}

var arithUnaries = map[string]func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor{
	"neg":         func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Neg(x) },
	"abs":         func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Abs(x) },
	"sign":        func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Sign(x) },
	"exp":         func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Exp(x) },
	"log":         func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Log(x) },
	"sqrt":        func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Sqrt(x) },
	"square":      func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Square(x) },
	"reciprocal":  func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Reciprocal(x) },
	"floor":       func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Floor(x) },
	"ceil":        func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Ceil(x) },
	"round":       func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Round(x) },
	"trunc":       func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Trunc(x) },
	"isnan":       func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.IsNaN(x) },
	"bitwise_not": func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Not(x) },
	"logical_not": func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.LogicalNot(x) },
}

var arithReductions = map[string]func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor{
	"sum":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Sum(x) },
	"prod":   func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Prod(x) },
	"mean":   func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Mean(x) },
	"var":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Var(x) },
	"std":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Std(x) },
	"median": func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Median(x) },
	"max":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Max(x) },
	"min":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Min(x) },
	"any":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Any(x) },
	"all":    func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.All(x) },
	"argmax": func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.ArgMax(x) },
	"cumsum": func(l *anvil.Lib, x anvil.Tensor) anvil.Tensor { return l.Cumsum(x) },
}

func arithBinary(r row) row {
	op := r.text("op")
	f, ok := arithBinaries[op]
	if !ok {
		return row{"unsupported": "no operation " + op}
	}
	d := dtypeOf(r.text("dtype"))
	answer := eachSystem(op, func(field string, l laboratory) row {
		if field == "jax" && op == "trunc_divide" { // which jax.numpy does not have
			return laxAnswer(op, d, r)
		}
		if err := functionRefuses(field, op, d); err != nil {
			return valueFailure(err)
		}
		return answerOf(first, func() anvil.Tensor { return f(l.lib(), l.measured(d, r["a"]), l.measured(d, r["b"])) })
	})
	answer["agree"] = agree(answer, nil)
	if primitive := laxAnswer(op, d, r); primitive != nil && !sameAnswer(primitive, answer["jax"].(row)) && op != "trunc_divide" {
		answer["lax"] = primitive
	}
	return answer
}

// tensorflowFunctions are the functions that the rows ask where the operator, as
// a cell has it, takes bools too.
var tensorflowFunctions = map[string]string{"mul": "tf.multiply", "bitwise_and": "tf.bitwise.bitwise_and",
	"bitwise_or": "tf.bitwise.bitwise_or", "bitwise_xor": "tf.bitwise.bitwise_xor"}

func functionRefuses(field, op string, d dtype.DType) error {
	name, ok := tensorflowFunctions[op]
	if field != "tf" || !ok {
		return nil
	}
	_, err := promote.TensorFlow.Operation(name, d, d)
	return err
}

func arithUnary(r row) row {
	op := r.text("op")
	f, ok := arithUnaries[op]
	if !ok {
		return row{"unsupported": "no operation " + op}
	}
	d := dtypeOf(r.text("dtype"))
	answer := eachSystem(op, func(_ string, l laboratory) row {
		return answerOf(first, func() anvil.Tensor { return f(l.lib(), l.measured(d, r["a"])) })
	})
	answer["agree"] = agree(answer, nil)
	return answer
}

func arithReduce(r row) row {
	op := r.text("op")
	f, ok := arithReductions[op]
	if !ok {
		return row{"unsupported": "no operation " + op}
	}
	xs, list := r["xs"].([]any)
	if !list {
		return row{"unsupported": "no list xs"}
	}
	d := dtypeOf(r.text("dtype"))
	answer := eachSystem(op, func(_ string, l laboratory) row {
		return answerOf(whole, func() anvil.Tensor { return f(l.lib(), l.measured(d, xs...)) })
	})
	answer["agree"] = agree(answer, nil)
	return answer
}

// eachSystem returns the answer of each system that has the operation.
func eachSystem(op string, ask func(field string, l laboratory) row) row {
	answer := row{}
	for field, l := range laboratories {
		if absent[op] != field {
			answer[field] = ask(field, l)
		}
	}
	return answer
}

// agree reports whether all systems have one value. An error agrees with
// nothing, unless it is skipped.
func agree(answer row, skip func(cell any) bool) bool {
	var seen []any
	for _, cell := range answer {
		if c, ok := cell.(row); ok && c["error"] != nil {
			if skip == nil || !skip(cell) {
				return false
			}
			continue
		}
		seen = append(seen, cell)
	}
	for _, cell := range seen {
		if !reflect.DeepEqual(cell, seen[0]) {
			return false
		}
	}
	return true
}

// answerOf returns what f computes, with its dtype, or its error.
func answerOf(show func(anvil.Tensor) any, f func() anvil.Tensor) (answer row) {
	err := anvil.Try(func() {
		t := f()
		answer = row{"v": show(t), "d": t.DType().String()}
	})
	if err != nil {
		return valueFailure(err)
	}
	return answer
}

// valueFailure returns the error as the system says it.
func valueFailure(err error) row {
	var no *promote.Refusal
	if errors.As(err, &no) {
		return row{"error": tensorflowRan(err, no).Verbatim()}
	}
	return row{"error": "TypeError: " + err.Error()}
}

// sameAnswer reports whether both are errors, or the same value and dtype.
func sameAnswer(a, b row) bool {
	_, x := a["error"]
	_, y := b["error"]
	return x && y || reflect.DeepEqual(a, b)
}

// laxPrimitives are the operations as jax.lax has them where jax.numpy's may
// differ: XLA's own, which anvil's are too, and the dtypes they take.
var laxPrimitives = map[string]struct {
	name    string
	accepts dtype.Kind
	f       binaryFunc
}{
	"add":          {"add", dtype.Numeric, arithBinaries["add"]},
	"sub":          {"sub", dtype.Numeric, arithBinaries["sub"]},
	"mul":          {"mul", dtype.Numeric, arithBinaries["mul"]},
	"true_divide":  {"div", dtype.Numeric, arithBinaries["true_divide"]},
	"floor_divide": {"div", dtype.Numeric, nil},
	"trunc_divide": {"div", dtype.Numeric, nil},
	"remainder":    {"rem", dtype.Integral | dtype.Floating, nil},
	"fmod":         {"rem", dtype.Integral | dtype.Floating, nil},
	"pow":          {"pow", dtype.Inexact, arithBinaries["pow"]},
	"left_shift":   {"shift_left", dtype.Integral, arithBinaries["left_shift"]},
	"right_shift":  {"shift_right_logical", dtype.Integral, nil},
}

// laxKinds are kinds as JAX names them.
func laxKinds(k dtype.Kind) string {
	var words []string
	for _, kind := range []struct {
		of   dtype.Kind
		name string
	}{{dtype.Integral, "integer"}, {dtype.Floating, "floating"}, {dtype.Complex, "complexfloating"}} {
		if k&kind.of != 0 {
			words = append(words, kind.name)
		}
	}
	return strings.Join(words, ", ")
}

// laxAnswer returns what the primitive of the operation computes, nil where it
// is the operation itself.
func laxAnswer(op string, d dtype.DType, r row) row {
	p, ok := laxPrimitives[op]
	if !ok {
		return nil
	}
	if !d.Is(p.accepts) {
		return row{"error": "TypeError: " + p.name + " does not accept dtype " + d.Long() + " at position 0. Accepted dtypes at position 0 are subtypes of " + laxKinds(p.accepts) + "."}
	}
	return answerOf(first, func() anvil.Tensor {
		l, x, y := lax.lib(), lax.measured(d, r["a"]), lax.measured(d, r["b"])
		switch p.name {
		case "div":
			return l.Div(x, y)
		case "rem":
			return l.Rem(x, y)
		case "shift_right_logical":
			return logicalShift(l, x, y)
		}
		return p.f(l, x, y)
	})
}

// logicalShift shifts the bits of x to the right as if it had no sign.
func logicalShift(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor {
	d := x.DType()
	if d.Is(dtype.Unsigned) {
		return l.Shr(x, y)
	}
	u, _ := promote.Named("u" + d.String())
	return l.BitcastConvert(l.Shr(l.BitcastConvert(x, u), l.BitcastConvert(y, u)), d)
}
