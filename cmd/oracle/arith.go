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

// arithLists has the functions that answer the questions about arithmetic on values. The row of a question names an
// operation and its operands. The library computes the operation under each system, with the reference evaluator.
var arithLists = lists{"binary": {answer: arithBinary}, "unary": {answer: arithUnary}, "reduce": {answer: arithReduce}}

// A valueSystem computes values under a system with the reference evaluator.
type valueSystem struct {
	system  *promote.System
	flushes bool // subnormal numbers become 0, as in XLA's programs for CPUs
}

// exact and flushing return Contexts that compute with the reference evaluator. The Context of flushing
// replaces subnormal numbers by 0.
var (
	exact    = sync.OnceValue(func() *anvil.Context { return newContext(engine.NewReference()) })
	flushing = sync.OnceValue(func() *anvil.Context { return newContext(engine.NewFlushingReference()) })
)

func newContext(e engine.Executor) *anvil.Context {
	return anvil.NewContext(anvil.ContextOptions{Executor: e})
}

// valueSystems maps the fields of an answer to the systems that compute them.
var valueSystems = map[string]valueSystem{
	"numpy": {promote.NumPy, false},
	"jax":   {promote.JAX64, true},
	"torch": {promote.TorchExt, false},
	"tf":    {promote.TensorFlow, true},
}

// lax computes the operations of jax.lax. It uses promote.Anvil: like jax.lax, it has XLA's operations as they are.
var lax = valueSystem{promote.Anvil, true}

// context returns the Context that computes the values.
func (s valueSystem) context() *anvil.Context {
	if s.flushes {
		return flushing()
	}
	return exact()
}

// lib returns the functions of the system.
func (s valueSystem) lib() *anvil.Lib { return s.context().With(s.system) }

// A unaryFunc is a function of one operand under the system of a Lib, and a binaryFunc one of two.
// Operands are tensors or numbers.
type (
	unaryFunc  func(l *anvil.Lib, x any) anvil.Tensor
	binaryFunc func(l *anvil.Lib, x, y any) anvil.Tensor
)

// unary returns a function that calls f without options.
func unary[O any](f func(*anvil.Lib, any, ...O) anvil.Tensor) unaryFunc {
	return func(l *anvil.Lib, x any) anvil.Tensor { return f(l, x) }
}

// binary returns a function that calls f without options.
func binary[O any](f func(*anvil.Lib, any, any, ...O) anvil.Tensor) binaryFunc {
	return func(l *anvil.Lib, x, y any) anvil.Tensor { return f(l, x, y) }
}

// binaryFunctions are the functions of two operands that occur in rows of values and in expressions.
var binaryFunctions = map[string]binaryFunc{
	"add":          binary((*anvil.Lib).Add),
	"sub":          binary((*anvil.Lib).Sub),
	"mul":          binary((*anvil.Lib).Mul),
	"true_divide":  binary((*anvil.Lib).TrueDiv),
	"floor_divide": binary((*anvil.Lib).FloorDiv),
	"remainder":    binary((*anvil.Lib).Rem),
	"pow":          binary((*anvil.Lib).Pow),
	"maximum":      binary((*anvil.Lib).Maximum),
	"minimum":      binary((*anvil.Lib).Minimum),
	"left_shift":   binary((*anvil.Lib).Shl),
	"right_shift":  binary((*anvil.Lib).Shr),
	"bitwise_and":  binary((*anvil.Lib).And),
	"bitwise_or":   binary((*anvil.Lib).Or),
	"bitwise_xor":  binary((*anvil.Lib).Xor),
	"eq":           binary((*anvil.Lib).Eq),
	"ne":           binary((*anvil.Lib).Ne),
	"lt":           binary((*anvil.Lib).Lt),
	"le":           binary((*anvil.Lib).Le),
	"gt":           binary((*anvil.Lib).Gt),
	"ge":           binary((*anvil.Lib).Ge),
}

// arithOnly are the functions of two operands that occur in rows of values and not in expressions.
var arithOnly = map[string]binaryFunc{
	"trunc_divide": (*anvil.Lib).TruncDiv,
	"fmod":         (*anvil.Lib).Fmod,
	"fmax":         (*anvil.Lib).Fmax,
	"fmin":         (*anvil.Lib).Fmin,
}

// arithFunction returns the function of a row of two operands; ok is false if there is none.
func arithFunction(op string) (f binaryFunc, ok bool) {
	if f, ok = binaryFunctions[op]; !ok {
		f, ok = arithOnly[op]
	}
	return f, ok
}

// missingIn maps an operation to the system that lacks it. Rows of the operation have no field for
// that system.
var missingIn = map[string]string{"trunc_divide": "numpy", "fmin": "tf", "fmax": "tf", "trunc": "tf", "median": "tf"}

// arithUnaries are the functions of one operand.
var arithUnaries = map[string]unaryFunc{
	"neg":         (*anvil.Lib).Neg,
	"abs":         (*anvil.Lib).Abs,
	"sign":        (*anvil.Lib).Sign,
	"exp":         (*anvil.Lib).Exp,
	"log":         (*anvil.Lib).Log,
	"sqrt":        (*anvil.Lib).Sqrt,
	"square":      (*anvil.Lib).Square,
	"reciprocal":  (*anvil.Lib).Reciprocal,
	"floor":       (*anvil.Lib).Floor,
	"ceil":        (*anvil.Lib).Ceil,
	"round":       (*anvil.Lib).Round,
	"trunc":       (*anvil.Lib).Trunc,
	"isnan":       (*anvil.Lib).IsNaN,
	"bitwise_not": (*anvil.Lib).Not,
	"logical_not": (*anvil.Lib).LogicalNot,
}

// arithReductions are the functions that reduce a vector, and cumsum.
var arithReductions = map[string]unaryFunc{
	"sum":    unary((*anvil.Lib).Sum),
	"prod":   unary((*anvil.Lib).Prod),
	"mean":   unary((*anvil.Lib).Mean),
	"var":    unary((*anvil.Lib).Var),
	"std":    unary((*anvil.Lib).Std),
	"median": unary((*anvil.Lib).Median),
	"max":    unary((*anvil.Lib).Max),
	"min":    unary((*anvil.Lib).Min),
	"any":    unary((*anvil.Lib).Any),
	"all":    unary((*anvil.Lib).All),
	"argmax": unary((*anvil.Lib).ArgMax),
	"cumsum": unary((*anvil.Lib).Cumsum),
}

// arithBinary answers a row of an operation on two numbers. The field lax has the answer of the
// operation's primitive in jax.lax, if it differs from that of jax.numpy.
func arithBinary(r row) row {
	op := r.text("op")
	f, ok := arithFunction(op)
	if !ok {
		return unsupported("no operation " + op).row()
	}
	d := dtypeOf(r.text("dtype"))
	answer := answerEachSystem(op, func(field string, s valueSystem) row {
		if field == "jax" && op == "trunc_divide" { // jax.numpy lacks the operation
			return laxAnswer(op, d, r)
		}
		if err := tensorflowFunctionError(field, op, d); err != nil {
			return valueErrorRow(err)
		}
		return valueRow(firstValue,
			func() anvil.Tensor { return f(s.lib(), s.tensorOf(d, r["a"]), s.tensorOf(d, r["b"])) })
	})
	answer["agree"] = agree(answer, false)
	primitive := laxAnswer(op, d, r)
	if primitive != nil && !sameAnswer(primitive, answer["jax"].(row)) {
		answer["lax"] = primitive
	}
	return answer
}

// tensorflowFunctions maps operations to the functions of TensorFlow that the rows call. These functions
// refuse bools. TensorFlow's operators, and so the library's functions, accept them.
var tensorflowFunctions = map[string]string{"mul": "tf.multiply", "bitwise_and": "tf.bitwise.bitwise_and",
	"bitwise_or": "tf.bitwise.bitwise_or", "bitwise_xor": "tf.bitwise.bitwise_xor"}

// tensorflowFunctionError returns the error of one of tensorflowFunctions at d, and nil for other
// functions and frameworks.
func tensorflowFunctionError(field, op string, d dtype.DType) error {
	name, ok := tensorflowFunctions[op]
	if field != "tf" || !ok {
		return nil
	}
	_, err := promote.TensorFlow.Operation(name, d, d)
	return err
}

func arithUnary(r row) row { return arithOneTensor(r, arithUnaries, firstValue, r["a"]) }

func arithReduce(r row) row {
	xs, isList := r["xs"].([]any)
	if !isList {
		return unsupported("no list xs").row()
	}
	return arithOneTensor(r, arithReductions, allValues, xs...)
}

// arithOneTensor answers a row of an operation on a tensor with the given elements. functions has the
// operations by name; show returns the value of the answer.
func arithOneTensor(r row, functions map[string]unaryFunc, show func(anvil.Tensor) any, elements ...any) row {
	op := r.text("op")
	f, ok := functions[op]
	if !ok {
		return unsupported("no operation " + op).row()
	}
	d := dtypeOf(r.text("dtype"))
	answer := answerEachSystem(op, func(_ string, s valueSystem) row {
		return valueRow(show, func() anvil.Tensor { return f(s.lib(), s.tensorOf(d, elements...)) })
	})
	answer["agree"] = agree(answer, false)
	return answer
}

// answerEachSystem calls ask for each system that has the operation, and returns the answers by field.
func answerEachSystem(op string, ask func(field string, s valueSystem) row) row {
	answer := row{}
	for field, s := range valueSystems {
		if missingIn[op] != field {
			answer[field] = ask(field, s)
		}
	}
	return answer
}

// agree reports whether all systems of answer have the same value and, if the answers have dtypes, the same dtype.
// Systems with an error are ignored if ignoreErrors is set; otherwise the result is false if any system has an error.
func agree(answer row, ignoreErrors bool) bool {
	var values []any
	for _, cell := range answer {
		if c, ok := cell.(row); ok && c["error"] != nil {
			if !ignoreErrors {
				return false
			}
			continue
		}
		values = append(values, cell)
	}
	for _, v := range values {
		if !reflect.DeepEqual(v, values[0]) {
			return false
		}
	}
	return true
}

// valueRow calls f. It returns an answer with the dtype of the tensor t that f returns and the value
// show(t), or with the error of f.
func valueRow(show func(anvil.Tensor) any, f func() anvil.Tensor) (answer row) {
	err := anvil.Try(func() {
		t := f()
		answer = row{"v": show(t), "d": t.DType().String()}
	})
	if err != nil {
		return valueErrorRow(err)
	}
	return answer
}

// valueErrorRow returns an answer that holds the error of a computation.
func valueErrorRow(err error) row {
	var refusal *promote.Refusal
	if errors.As(err, &refusal) {
		return row{"error": withTensorFlowNode(err, refusal).Verbatim()}
	}
	return row{"error": "TypeError: " + err.Error()}
}

// sameAnswer reports whether a and b are both errors, or have the same value and dtype.
func sameAnswer(a, b row) bool {
	_, aFailed := a["error"]
	_, bFailed := b["error"]
	return aFailed && bFailed || reflect.DeepEqual(a, b)
}

// laxPrimitives are the primitives of jax.lax for operations that may differ in
// jax.numpy, with the dtypes that they accept.
var laxPrimitives = map[string]struct {
	name    string
	accepts dtype.Kind
}{
	"add":          {"add", dtype.Numeric},
	"sub":          {"sub", dtype.Numeric},
	"mul":          {"mul", dtype.Numeric},
	"true_divide":  {"div", dtype.Numeric},
	"floor_divide": {"div", dtype.Numeric},
	"trunc_divide": {"div", dtype.Numeric},
	"remainder":    {"rem", dtype.Integral | dtype.Floating},
	"fmod":         {"rem", dtype.Integral | dtype.Floating},
	"pow":          {"pow", dtype.Inexact},
	"left_shift":   {"shift_left", dtype.Integral},
	"right_shift":  {"shift_right_logical", dtype.Integral},
}

// laxKindNames returns JAX's names of the kinds in k.
func laxKindNames(k dtype.Kind) string {
	var words []string
	for _, named := range []struct {
		kind dtype.Kind
		name string
	}{{dtype.Integral, "integer"}, {dtype.Floating, "floating"}, {dtype.Complex, "complexfloating"}} {
		if k&named.kind != 0 {
			words = append(words, named.name)
		}
	}
	return strings.Join(words, ", ")
}

// laxAnswer returns the answer of the operation's primitive, or nil if it has none.
func laxAnswer(op string, d dtype.DType, r row) row {
	p, ok := laxPrimitives[op]
	if !ok {
		return nil
	}
	if !d.Is(p.accepts) {
		return row{"error": "TypeError: " + p.name + " does not accept dtype " + d.Long() +
			" at position 0. Accepted dtypes at position 0 are subtypes of " + laxKindNames(p.accepts) + "."}
	}
	return valueRow(firstValue, func() anvil.Tensor {
		l, x, y := lax.lib(), lax.tensorOf(d, r["a"]), lax.tensorOf(d, r["b"])
		switch p.name {
		case "div":
			return l.Div(x, y)
		case "rem":
			return l.Rem(x, y)
		case "shift_right_logical":
			return logicalShift(l, x, y)
		}
		return binaryFunctions[op](l, x, y)
	})
}

// logicalShift shifts x to the right and fills with zeros.
func logicalShift(l *anvil.Lib, x, y anvil.Tensor) anvil.Tensor {
	d := x.DType()
	if d.Is(dtype.Unsigned) {
		return l.Shr(x, y)
	}
	u, _ := promote.Named("u" + d.String()) // the unsigned dtype of the same width
	return l.BitcastConvert(l.Shr(l.BitcastConvert(x, u), l.BitcastConvert(y, u)), d)
}
