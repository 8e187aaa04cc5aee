// Package emulate defines the operations that other libraries compute differently from anvil's table of
// operations (package ops). Each library has a Framework, which maps operations to rules written with
// package expr. Operations without a rule are computed as in the table.
package emulate

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Framework describes what a library computes differently from anvil. A nil function means that the
// library does as anvil does.
type Framework struct {
	// Ops maps the name of a function, such as "FloorDiv", to its rule.
	Ops map[string]Rule
	// Unpromoted maps the name of a function to a rule that is tried before promotion. If the rule returns
	// nil, the operation continues without it.
	Unpromoted map[string]Rule
	// Convert converts x to d. Anvil converts as XLA does.
	Convert func(c Call, x expr.Value, d dtype.DType) expr.Value
	// Exponent returns the exponent of Pow in two forms: the one to promote and the one to compute with. In
	// anvil both are the given exponent.
	Exponent func(c Call) (forPromotion, forComputation any)
	// Bounds returns the bounds of Clamp (operands 1 and 2) in the form to promote. Anvil promotes the given
	// bounds.
	Bounds func(c Call) (low, high any)
	// MeanDType and VarianceDType return the dtype in which a mean or a variance of elements of dtype d is
	// computed. MomentDType returns the dtype of the means inside a variance. In anvil all three return d.
	MeanDType, VarianceDType, MomentDType func(d dtype.DType) dtype.DType
	// SumDType returns the dtype in which elements of dtype d are summed and multiplied. Anvil uses f32 for
	// halves (f16 and bf16).
	SumDType func(d dtype.DType) dtype.DType
	// Reduce reduces x over axes. Anvil reduces as the table does.
	Reduce func(c Call, code ir.Code, x expr.Value, axes []int) expr.Value
	// Running returns cumulative sums or products of x, which holds floats or complex numbers. Anvil adds and
	// multiplies in the fastest order.
	Running func(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value
	// MeanSum converts the sum of a mean before it is divided by the count. Anvil does not convert it.
	MeanSum func(b expr.Builder, sum expr.Value) expr.Value
	// LeastCount returns the least number by which a mean divides a sum of dtype d. In anvil it is 0.
	LeastCount func(d dtype.DType) int
	// Median returns the median, given the two middle elements. In anvil it is their mean.
	Median func(b expr.Builder, low, high expr.Value) expr.Value
	// NaNMedian is the quantile method that NanMedian uses. In anvil it is "linear".
	NaNMedian string
	// Correction is the number that a variance subtracts from the count before it divides.
	Correction int
	// Covariance returns the dtype of a covariance under sys, given the dtype of the mean. In anvil they are
	// the same.
	Covariance func(sys *promote.System, mean dtype.Typed) (dtype.Typed, error)
	// Lacks maps a family of operations ("linear", "norm" or "transform") to a function that returns why the
	// framework lacks the operation op for elements of d, or "" if the framework has it. system is the name of
	// the promotion system.
	Lacks map[string]func(system, op string, d dtype.DType) string
	// LinearFlag reports whether the result of linear algebra is ambiguous. t is the common type of the
	// operands, promoted the type in which the result is computed. In anvil the result is ambiguous if
	// promoted is.
	LinearFlag func(t, promoted dtype.Typed) bool
	// Layer returns why a layer rejects an input of dtype x with weights of dtype w, or "" if it accepts
	// them. Anvil's layers promote input and weights to a common dtype.
	Layer func(system string, x, w dtype.DType) string
	// Faults has the errors that the framework raises instead of a value.
	Faults map[Fault]*promote.Refusal
}

// A Rule returns the framework's result of an operation, at the dtype in which it is computed.
type Rule func(c Call) expr.Value

// A Call is one use of an operation.
type Call interface {
	// Build returns the Builder with which a rule computes its result.
	Build() expr.Builder
	// DType returns the dtype in which the operation is computed.
	DType() dtype.DType
	// Args returns the operands at DType. The operands of an elementwise operation are broadcast to each
	// other.
	Args() []expr.Value
	// Own returns the table's result for args, or for the operands if there are no args.
	Own(args ...expr.Value) expr.Value
	// Operand returns operand i as promotion sees it.
	Operand(i int) promote.Operand
	// Given returns operand i as the caller gave it: a tensor or a number.
	Given(i int) any
	// Literal returns operand i if it is a number, and nil if it is a tensor. A tensor that is a literal
	// counts as a number.
	Literal(i int) any
	// Value returns operand i. It returns a literal as a number, and an integer scalar as an int if its value
	// is known while the rule runs.
	Value(i int) any
	// At returns operand i at dtype d. A literal is converted by the system's rule, a tensor as by XLA.
	At(i int, d dtype.DType) expr.Value
	// Wrapped returns operand i at the integer dtype d. A number that d cannot hold keeps its low bits.
	Wrapped(i int, d dtype.DType) expr.Value
	// Convert converts x to d as XLA does.
	Convert(x expr.Value, d dtype.DType) expr.Value
	// Cast converts x to d as the framework does. A number is converted from its exact value.
	Cast(x expr.Value, d dtype.DType) expr.Value
	// Broadcast returns xs broadcast to each other.
	Broadcast(xs ...expr.Value) []expr.Value
	// InOrder reduces x over axes one element after another. It rounds after each step.
	InOrder(step ir.Code, x expr.Value, axes []int) expr.Value
	// RunInOrder returns cumulative sums or products of x, computed one element after another. If start is
	// nil, sums start with 0 and products with 1.
	RunInOrder(reduction ir.Code, x, start expr.Value, axis int) expr.Value
	// RunByPairs returns cumulative sums or products of x, computed by combining pairs of partial results.
	RunByPairs(reduction ir.Code, x expr.Value, axis int) expr.Value
	// Attrs returns the attributes of the table's operation.
	Attrs() any
	// System returns the promotion system.
	System() *promote.System
	// Check fails with err if it is not nil.
	Check(err error)
	// Fail fails with the framework's error for f, if it has one.
	Fail(f Fault)
	// FailWhere fails with the framework's error for f if any element of the boolean tensor when is true. It
	// waits for the elements, unless an operand is traced: then the program tests them when it runs.
	FailWhere(f Fault, when expr.Value)
}

// frameworks maps the names that promotion systems use (promote.System.Framework) to frameworks.
var frameworks = map[string]*Framework{
	"": &anvil, "numpy": completed(numpy), "arrayapi": completed(arrayAPI), "ivy": completed(ivy), "jax": completed(jax),
	"jaxstrict": completed(jaxStrict), "torch": completed(torch), "tensorflow": completed(tensorflow),
}

// completed returns f with its zero fields set to those of anvil.
func completed(f Framework) *Framework {
	own := reflect.ValueOf(&f).Elem()
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(reflect.ValueOf(anvil).Field(i))
		}
	}
	return &f
}

// merged returns the rules of all tables. Later tables replace rules of earlier ones.
func merged(tables ...map[string]Rule) map[string]Rule {
	rules := map[string]Rule{}
	for _, t := range tables {
		maps.Copy(rules, t)
	}
	return rules
}

// Of returns the framework whose operations are used under sys, or an error if sys has none.
func Of(sys *promote.System) (*Framework, error) {
	if err := promote.Computes(sys); err != nil {
		return nil, err
	}
	f := frameworks[sys.Framework()]
	if f == nil {
		return nil, &dtype.Error{Op: "promote", Operands: sys.Name(),
			Reason: "there is no framework called " + sys.Framework(),
			Hint:   "Rules.Framework is one of " + strings.Join(slices.Sorted(maps.Keys(frameworks)), " ")}
	}
	return f, nil
}

// Fault returns the framework's error for a fault, or nil if the operation returns a value in that case.
func (f *Framework) Fault(fault Fault) error {
	if err, ok := f.Faults[fault]; ok {
		return err
	}
	return nil
}
