// Package data prepares examples for training: it reads them from tables and arrays,
// splits and standardizes them, and hands them out in batches.
//
//	iris := data.FromTable(data.Iris(), "species")
//	train, test := iris.Split(0.8, random.Key(0))
//	scale := data.NewScaler(train.X)
//	for b := range train.Batches(32, data.Shuffle(random.Key(1))) {
//		x := scale.Apply(b.X) // f32{32,4}
//	}
//
// All batches have the same shape, so that a step is compiled only once: the last batch is
// padded, and its Mask tells which rows count.
package data

import (
	"fmt"
	"math"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// A Set holds examples: row i of X and of Y belong together. Y may be the zero Tensor.
type Set struct {
	X, Y     nv.Tensor
	Features []string // names of the columns of X, or nil
	Classes  []string // the text of each code if Y has codes of texts, or nil
}

// A Source makes sets with tensors of one Context.
type Source struct{ ctx *nv.Context }

// In returns the source for tensors of c.
func In(c *nv.Context) Source { return Source{c} }

// FromTable returns the rows of a table as examples. X, {rows,features}, has the feature
// columns at their common dtype, but f32 in place of f64. If no features are given, FromTable
// takes all columns of numbers and bools except the target. Y, {rows}, has the target column,
// also with f32 in place of f64. If the target column has texts, Y has their codes, i32, and
// Classes has the text of each code. If the target is "", there is no Y.
func FromTable(t *nv.Table, target string, features ...string) Set {
	if len(features) == 0 {
		for _, name := range t.Names() {
			if name != target && t.Col(name).Kind() != "texts" {
				features = append(features, name)
			}
		}
	}
	s := Set{X: narrowF64(t.Matrix(features...)), Features: features}
	switch {
	case target == "":
	case t.Col(target).Kind() == "texts":
		s.Y, s.Classes = t.Col(target).Codes()
	default:
		s.Y = narrowF64(t.Col(target).Tensor())
	}
	return s
}

// narrowF64 returns x, converted to f32 if it is f64.
func narrowF64(x nv.Tensor) nv.Tensor {
	if x.DType() == nv.F64 {
		return x.AsType(nv.F32)
	}
	return x
}

// FromArrays returns the arrays named x and y of a file, such as nv.ReadNPZ returns, as
// examples. If y is "", there is no Y.
func FromArrays(arrays map[string]nv.Tensor, x, y string) Set {
	array := func(name string) nv.Tensor {
		a, ok := arrays[name]
		if !ok {
			var names []string
			for name := range arrays {
				names = append(names, name)
			}
			slices.Sort(names)
			panic(&nv.Error{Op: "data.FromArrays", Operands: fmt.Sprintf("%q", name), Reason: "there is no such array",
				Hint: fmt.Sprintf("the arrays are %q", names)})
		}
		return a
	}
	s := Set{X: array(x)}
	if y != "" {
		s.Y = array(y)
	}
	s.check("FromArrays")
	return s
}

// Len returns the number of examples.
func (s Set) Len() int {
	s.check("Len")
	return s.X.Shape()[0]
}

// check panics unless X has rows and Y, if there is one, has as many.
func (s Set) check(op string) {
	op = "data." + op
	const hint = "the first axis of X and of Y counts the examples"
	if !s.X.Valid() {
		panic(&nv.Error{Op: op, Operands: "Set{}", Reason: "the set has no X", Hint: "write data.Set{X: x, Y: y}"})
	}
	if s.X.Rank() == 0 || s.Y.Valid() && s.Y.Rank() == 0 {
		panic(&nv.Error{Op: op, Operands: s.types(), Reason: "a scalar has no rows", Hint: hint})
	}
	if s.Y.Valid() && s.X.Shape()[0] != s.Y.Shape()[0] {
		panic(&nv.Error{Op: op, Operands: s.types(), Hint: hint,
			Reason: fmt.Sprintf("X has %d rows, Y has %d", s.X.Shape()[0], s.Y.Shape()[0])})
	}
}

// types describes X and Y for an error.
func (s Set) types() string {
	if !s.Y.Valid() {
		return s.X.Type().String()
	}
	return s.X.Type().String() + ", " + s.Y.Type().String()
}

// String returns a line with the number of examples and the types.
func (s Set) String() string {
	if !s.X.Valid() {
		return "data.Set without examples"
	}
	text := fmt.Sprintf("data.Set of %d examples: X %s", s.Len(), s.X.Type())
	if s.Y.Valid() {
		text += ", Y " + s.Y.Type().String()
	}
	if s.Classes != nil {
		text += fmt.Sprintf(", Classes %q", s.Classes)
	}
	return text
}

// Split returns two sets: the first has the given fraction of the examples, rounded to a
// whole number, and the second has the others. With a key, Split draws the examples at random;
// otherwise it takes them in order.
func (s Set) Split(fraction float64, key ...random.PRNGKey) (first, rest Set) {
	s.check("Split")
	n := s.Len()
	if !(fraction >= 0 && fraction <= 1) {
		panic(&nv.Error{Op: "data.Split", Operands: fmt.Sprint(fraction),
			Reason: "the fraction is not between 0 and 1"})
	}
	cut := int(math.Round(fraction * float64(n)))
	if len(key) == 0 {
		return s.rows(nv.Slice(0, cut, 1)), s.rows(nv.Slice(cut, n, 1))
	}
	order := random.Permutation(key[0], n)
	return s.rows(order.At(nv.Slice(0, cut, 1))), s.rows(order.At(nv.Slice(cut, n, 1)))
}

// rows returns the examples that index selects, as in nv.Tensor.At.
func (s Set) rows(index any) Set {
	return nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0].At(index) }, s)
}

// A Scaler shifts and scales each column: Apply returns (x - Mean) / Std. Mean and Std are
// f32, or f64 for f64 data, as is the result of Apply.
type Scaler struct{ Mean, Std nv.Tensor }

// NewScaler returns the scaler that gives each column of x mean 0 and standard deviation
// 1. Axes after the first are columns; the deviation is that of the population. The
// divisor of a constant column is 1.
//
// Make a Scaler from the training data only, and apply it to all data.
func NewScaler(x nv.Tensor) Scaler {
	x = atLeastF32(x)
	std := x.Std(nv.Axis(0), nv.Correction(0))
	return Scaler{x.Mean(nv.Axis(0)), nv.Where(std.Eq(0), 1, std)}
}

// Apply returns (x - Mean) / Std.
func (s Scaler) Apply(x nv.Tensor) nv.Tensor { return x.Sub(s.Mean).Div(s.Std) }

// Invert returns x*Std + Mean, which undoes Apply.
func (s Scaler) Invert(x nv.Tensor) nv.Tensor { return x.Mul(s.Std).Add(s.Mean) }
