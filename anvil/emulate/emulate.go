// Package emulate holds what other frameworks compute differently from the
// table of operations: a Framework per library, each a table from operations to
// rules written in the vocabulary of package expr. Where a framework has no rule
// for an operation, it computes what the table does.
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
	// Unpromoted has the rules that come before promotion, by the name of the
	// function. Where one returns nil, the operation goes on as without it.
	Unpromoted map[string]Rule
	// Convert returns x at another dtype; nil: as XLA does.
	Convert func(c Call, x expr.Value, d dtype.DType) expr.Value
	// Exponent returns the exponent of Pow as promotion sees it and as the power
	// takes it; nil: as it is given.
	Exponent func(c Call) (seen, used any)
	// Bounds returns the bounds of Clamp, operands 1 and 2, as promotion sees them;
	// nil: as they are given.
	Bounds func(c Call) (low, high any)
	// MeanDType and VarianceDType return the dtypes in which a mean and a variance
	// of dtype d are computed, MomentDType the one in which a variance takes its
	// means. Anvil's is d.
	MeanDType, VarianceDType, MomentDType func(d dtype.DType) dtype.DType
	// SumDType returns the dtype in which elements of d are summed and multiplied.
	// Anvil sums halves in f32.
	SumDType func(d dtype.DType) dtype.DType
	// Reduce returns x reduced over axes; nil: as the table does.
	Reduce func(c Call, code ir.Code, x expr.Value, axes []int) expr.Value
	// Running returns the sums or products of the elements of x, inexact numbers, up
	// to each one; nil: in the order that is quickest.
	Running func(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value
	// MeanSum returns a sum as it is divided for a mean. Anvil's is the sum itself.
	MeanSum func(b expr.Builder, sum expr.Value) expr.Value
	// LeastCount returns the least number that a sum of dtype d is divided by for a
	// mean. Anvil's is 0.
	LeastCount func(d dtype.DType) int
	// Median returns the median of the two elements in the middle. Anvil's is their
	// mean.
	Median func(b expr.Builder, low, high expr.Value) expr.Value
	// NaNMedian is the method of quantiles by which NanMedian is computed. Anvil's is
	// "linear".
	NaNMedian string
	// Correction is how much less than the count a variance divides by.
	Correction int
	// Covariance returns the dtype of a covariance, given that of a mean, under a
	// system. Anvil's is that of the mean.
	Covariance func(sys *promote.System, mean dtype.Typed) (dtype.Typed, error)
	// Lacks has, by "linear", "norm" or "transform", why the framework does not have
	// the function op of that family for d under a system; "" where it has.
	Lacks map[string]func(system, op string, d dtype.DType) string
	// LinearFlag returns the flag of linear algebra on t, which is computed as
	// promoted. Anvil's is that of promoted.
	LinearFlag func(t, promoted dtype.Typed) bool
	// Layer returns why a layer does not take an input and weights of two dtypes, ""
	// where it does. Anvil's layers promote them.
	Layer func(system string, x, w dtype.DType) string
	// Faults has the errors that the framework raises instead of a value.
	Faults map[Fault]*promote.Refusal
}

// A Rule returns the framework's result of an operation, at the dtype in which
// it is computed.
type Rule func(c Call) expr.Value

// A Call is one use of an operation.
type Call interface {
	// Build returns the vocabulary, which writes into the call.
	Build() expr.Builder
	// DType returns the dtype in which the operation is computed.
	DType() dtype.DType
	// Args returns the operands at that dtype; those of elementwise operations
	// are broadcast to each other.
	Args() []expr.Value
	// Own returns what the table computes: of args, or without any of the operands.
	Own(args ...expr.Value) expr.Value
	// Operand returns what promotion sees of operand i.
	Operand(i int) promote.Operand
	// Given returns operand i as it is given: a tensor or a number.
	Given(i int) any
	// Literal returns the number that operand i is, nil where it is a tensor.
	Literal(i int) any
	// Value returns operand i, but the integer that a computed scalar of integers
	// holds.
	Value(i int) any
	// At returns operand i at dtype d: a literal by the system's rule, a tensor
	// converted as XLA does.
	At(i int, d dtype.DType) expr.Value
	// Wrapped returns operand i at the integer dtype d, where a number that d does
	// not hold keeps its low bits.
	Wrapped(i int, d dtype.DType) expr.Value
	// Convert returns x at dtype d, with the meaning XLA gives the conversion.
	Convert(x expr.Value, d dtype.DType) expr.Value
	// Cast returns x at dtype d, with the meaning the framework gives the conversion;
	// a number is converted from its exact value.
	Cast(x expr.Value, d dtype.DType) expr.Value
	// Broadcast returns xs broadcast to each other.
	Broadcast(xs ...expr.Value) []expr.Value
	// InOrder returns x reduced over axes by a rounded step for each element.
	InOrder(step ir.Code, x expr.Value, axes []int) expr.Value
	// RunInOrder returns the sums or products of the elements of x up to each one, in
	// order; start nil is 0 or 1.
	RunInOrder(reduction ir.Code, x, start expr.Value, axis int) expr.Value
	// RunByPairs is RunInOrder by way of sums of pairs.
	RunByPairs(reduction ir.Code, x expr.Value, axis int) expr.Value
	// Attrs returns the attributes of the table's operation.
	Attrs() any
	// System returns the promotion system.
	System() *promote.System
	// Check fails where err is not nil.
	Check(err error)
	// Fail fails with the framework's error for f, if it has one.
	Fail(f Fault)
	// FailWhere fails with the framework's error for f where an element of when,
	// booleans, holds: it reads the values, or has a traced program watch them.
	FailWhere(f Fault, when expr.Value)
}

// frameworks are the frameworks by the names that promotion systems have of
// them (promote.System.Framework).
var frameworks = map[string]*Framework{
	"": &anvil, "numpy": completed(numpy), "arrayapi": completed(arrayAPI), "ivy": completed(ivy), "jax": completed(jax),
	"jaxstrict": completed(jaxStrict), "torch": completed(torch), "tensorflow": completed(tensorflow),
}

// completed returns f with the fields that are zero taken from anvil.
func completed(f Framework) *Framework {
	own := reflect.ValueOf(&f).Elem()
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(reflect.ValueOf(anvil).Field(i))
		}
	}
	return &f
}

// merged returns the rules of all tables; a later one replaces an earlier one.
func merged(tables ...map[string]Rule) map[string]Rule {
	all := map[string]Rule{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// Of returns the framework whose values operations have under sys; an error where
// nothing is computed under sys.
func Of(sys *promote.System) (*Framework, error) {
	if err := promote.Computes(sys); err != nil {
		return nil, err
	}
	f := frameworks[sys.Framework()]
	if f == nil {
		return nil, &dtype.Error{Op: "promote", Operands: sys.Name(),
			Reason: "it computes as " + sys.Framework() + ", and no framework has this name",
			Hint:   "Rules.Framework is one of " + strings.Join(slices.Sorted(maps.Keys(frameworks)), " ")}
	}
	return f, nil
}

// Fault returns the framework's error for f, nil where f has a value.
func (f *Framework) Fault(of Fault) error {
	if no, ok := f.Faults[of]; ok {
		return no
	}
	return nil
}
