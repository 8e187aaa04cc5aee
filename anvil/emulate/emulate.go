// Package emulate defines the operations that other libraries compute differently from the table of
// operations: a Framework for each library, which maps operations to rules written with package expr.
// Operations without a rule are computed as in the table.
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

// A Framework has the operations that a library computes differently from anvil.
type Framework struct {
	// Ops has the rules by the name of the function: "FloorDiv".
	Ops map[string]Rule
	// Unpromoted has the rules that are tried before promotion, by the name of the function. If a rule
	// returns nil, the operation continues without it.
	Unpromoted map[string]Rule
	// Convert returns x at another dtype; nil: as XLA does.
	Convert func(c Call, x expr.Value, d dtype.DType) expr.Value
	// Exponent returns the exponents of Pow for promotion and for the computation; nil: the given exponent.
	Exponent func(c Call) (forPromotion, forComputation any)
	// Bounds returns the bounds of Clamp, operands 1 and 2, for promotion; nil: the given bounds.
	Bounds func(c Call) (low, high any)
	// MeanDType and VarianceDType return the dtype in which a mean or variance of dtype d is computed, and
	// MomentDType that of the means in a variance. Anvil's is d.
	MeanDType, VarianceDType, MomentDType func(d dtype.DType) dtype.DType
	// SumDType returns the dtype in which elements of d are summed and multiplied. Anvil sums halves in f32.
	SumDType func(d dtype.DType) dtype.DType
	// Reduce returns x reduced over axes; nil: as the table does.
	Reduce func(c Call, code ir.Code, x expr.Value, axes []int) expr.Value
	// Running returns cumulative sums or products of x, floats or complex numbers; nil: in the fastest order.
	Running func(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value
	// MeanSum converts the sum before it is divided to give a mean. Anvil's is the sum itself.
	MeanSum func(b expr.Builder, sum expr.Value) expr.Value
	// LeastCount returns the least divisor of a sum of dtype d in a mean. Anvil's is 0.
	LeastCount func(d dtype.DType) int
	// Median returns the median given the two middle elements. Anvil's is their mean.
	Median func(b expr.Builder, low, high expr.Value) expr.Value
	// NaNMedian is the quantile method that NanMedian uses. Anvil's is "linear".
	NaNMedian string
	// Correction is the number that a variance subtracts from the count before it divides.
	Correction int
	// Covariance returns the dtype of a covariance, given that of a mean, under a
	// system. Anvil's is that of the mean.
	Covariance func(sys *promote.System, mean dtype.Typed) (dtype.Typed, error)
	// Lacks has a function for a family of operations: "linear", "norm" or "transform". It returns why the
	// framework lacks the operation op of that family for d under a system, or "" if it has it.
	Lacks map[string]func(system, op string, d dtype.DType) string
	// LinearFlag reports whether the result of linear algebra on t, computed as promoted, is ambiguous. Anvil's
	// is if promoted is.
	LinearFlag func(t, promoted dtype.Typed) bool
	// Layer returns why a layer rejects an input of dtype x with weights of dtype w, or "" if it accepts
	// them. Anvil's layers promote them.
	Layer func(system string, x, w dtype.DType) string
	// Faults has the errors that the framework raises instead of a value.
	Faults map[Fault]*promote.Refusal
}

// A Rule returns the framework's result of an operation, at the dtype in which it is computed.
type Rule func(c Call) expr.Value

// A Call is one use of an operation.
type Call interface {
	// Build returns the Builder that adds operations to the call.
	Build() expr.Builder
	// DType returns the dtype in which the operation is computed.
	DType() dtype.DType
	// Args returns the operands at that dtype; those of elementwise operations
	// are broadcast to each other.
	Args() []expr.Value
	// Own returns the table's result for args, or without args for the operands.
	Own(args ...expr.Value) expr.Value
	// Operand returns operand i as promotion sees it.
	Operand(i int) promote.Operand
	// Given returns operand i as it is given: a tensor or a number.
	Given(i int) any
	// Literal returns the number that operand i is, or nil if it is a tensor.
	Literal(i int) any
	// Value returns operand i, or its value if it is a computed integer scalar.
	Value(i int) any
	// At returns operand i at dtype d: a literal converted by the system's rule, a tensor converted as by
	// XLA.
	At(i int, d dtype.DType) expr.Value
	// Wrapped returns operand i at the integer dtype d. A number that d cannot hold keeps its low bits.
	Wrapped(i int, d dtype.DType) expr.Value
	// Convert returns x at dtype d, with the meaning XLA gives the conversion.
	Convert(x expr.Value, d dtype.DType) expr.Value
	// Cast returns x at dtype d, with the framework's meaning of the conversion. A number is converted from
	// its exact value.
	Cast(x expr.Value, d dtype.DType) expr.Value
	// Broadcast returns xs broadcast to each other.
	Broadcast(xs ...expr.Value) []expr.Value
	// InOrder returns x reduced over axes by a rounded step for each element.
	InOrder(step ir.Code, x expr.Value, axes []int) expr.Value
	// RunInOrder returns cumulative sums or products of x, computed in order. If start is nil, they start
	// with 0 or 1.
	RunInOrder(reduction ir.Code, x, start expr.Value, axis int) expr.Value
	// RunByPairs is RunInOrder with pairwise combination.
	RunByPairs(reduction ir.Code, x expr.Value, axis int) expr.Value
	// Attrs returns the attributes of the table's operation.
	Attrs() any
	// System returns the promotion system.
	System() *promote.System
	// Check fails with err if it is not nil.
	Check(err error)
	// Fail fails with the framework's error for f, if it has one.
	Fail(f Fault)
	// FailWhere fails with the framework's error for f if any element of when, booleans, is true. It reads
	// the values, or lets a traced program test them.
	FailWhere(f Fault, when expr.Value)
}

// frameworks maps the names that promotion systems use (promote.System.Framework) to frameworks.
var frameworks = map[string]*Framework{
	"": &anvil, "numpy": completed(numpy), "arrayapi": completed(arrayAPI), "ivy": completed(ivy), "jax": completed(jax),
	"jaxstrict": completed(jaxStrict), "torch": completed(torch), "tensorflow": completed(tensorflow),
}

// completed returns f with the fields of anvil in place of zero fields.
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
