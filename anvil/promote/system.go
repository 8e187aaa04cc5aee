// Package promote implements the promotion rules of anvil and of other libraries, such as
// NumPy, PyTorch and JAX. A System returns the common dtype of operands (their join), the dtypes
// of literals and those of the results of operations, and explains each dtype by the rules that
// gave it.
//
// The real system is the library whose rules a System reproduces. Its errors are returned as
// a Refusal. An ambiguous dtype, written with "?" as in f32?, is that of a plain number (see
// dtype.Typed); some libraries call it weak.
package promote

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A System is one set of promotion rules. All systems have the same methods, so that one can
// replace another.
type System struct {
	name   string
	doc    string
	dtypes []dtype.DType
	rules  Rules

	results resultCache // the dtypes of earlier operations
}

// Rules are the functions and tables of a System. The results of the functions depend only on
// their arguments (except in systems of FollowIvy). The function in a field is named after the
// field: numpyJoin is NumPy's Join.
type Rules struct {
	// Literal returns the dtype that a Go value has as an operand.
	Literal func(v any) (dtype.Typed, error)
	// Convert converts the literal v to the dtype d.
	Convert func(v any, d dtype.DType) (any, error)
	// Lattice is the lattice of the system's join, or nil if it has none.
	Lattice *Lattice
	// Join returns the common dtype of two operands and the rule that gave it.
	Join func(a, b Operand) (dtype.Typed, Rule, error)
	// Resolve joins any number of operands; for two it agrees with Join. If it is nil,
	// operands are joined in pairs from the left.
	Resolve func(xs []Operand) (dtype.Typed, []Step, error)
	// Divide returns the dtype in which x / y is computed if t is the common dtype of x and y.
	Divide func(t dtype.Typed) (dtype.Typed, Rule)
	// Reduce returns the dtype of a reduction of t.
	Reduce func(r Reduction, t dtype.Typed) (dtype.Typed, Rule)
	// Operate returns the dtype of an operation, by its name in the real system,
	// and the steps to it. It may be nil.
	Operate func(op string, xs []Operand) (dtype.Typed, []Step, error)
	// Numbers returns an error if op, with a result of dtype t, does not allow the value
	// of a number among its two operands xs. It is called after the checks that all systems
	// make. It may be nil.
	Numbers func(op string, xs []Operand, t dtype.Typed) error
	// NumbersByDType says that explanations show the dtype of a number, not its value.
	NumbersByDType bool
	// ByValue says that the dtype of a result may depend on the value of a number.
	ByValue bool
	// Assign returns the dtype of an operation whose result is stored in its
	// first operand. It may be nil.
	Assign func(op string, into, x Operand) (dtype.Typed, []Step, error)
	// CanCast reports whether from may be cast to to. rule is the name of a casting rule
	// in systems with several rules. CanCast may be nil.
	CanCast func(from, to dtype.DType, rule string) (bool, error)
	// Store returns an error if the result of op, of dtype from, must not be stored in
	// a tensor of dtype to. If it is nil, from and to must be equal.
	Store func(op string, from, to dtype.DType) error
	// Framework is the library whose results operations reproduce, such as "numpy"; ""
	// stands for anvil.
	Framework string
	// NegativePower returns an error if an integer must not be raised to the power n.
	// stored is n converted to the integer's dtype. It may be nil.
	NegativePower func(n, stored int) error
	// Torch holds the parameters of PyTorch's systems, nil in others.
	Torch *TorchRules
}

// New returns a system with the given rules, whose tables show the dtypes ds.
func New(name, doc string, ds []dtype.DType, rules Rules) *System {
	return &System{name: name, doc: doc, dtypes: ds, rules: rules}
}

// Name returns the system's name, the argument of %promotion: "anvil".
func (s *System) Name() string { return s.name }

// String returns the system's name.
func (s *System) String() string { return s.name }

// Framework returns the name of the library whose results operations under the system
// reproduce, "" for anvil.
func (s *System) Framework() string { return s.rules.Framework }

// NumbersByDType reports whether explanations under the system show the dtype of a number,
// not its value.
func (s *System) NumbersByDType() bool { return s.rules.NumbersByDType }

// Doc returns a sentence about the system.
func (s *System) Doc() string { return s.doc }

// Lattice returns the lattice of the system's join, or nil if it has none.
func (s *System) Lattice() *Lattice { return s.rules.Lattice }

// DTypes returns the dtypes that the system's tables show.
func (s *System) DTypes() []dtype.DType { return append([]dtype.DType(nil), s.dtypes...) }

// An Operand has the properties of an operand on which promotion depends: the dtype and
// whether it is ambiguous, the rank, and the Go value of a literal.
type Operand struct {
	dtype.Typed
	Rank    int
	Literal any // nil for a tensor
}

// A Rule is the reason for a dtype: a name, and a sentence that explains it.
type Rule struct{ Name, Doc string }

// Rules that several systems have.
var (
	ruleNumber = Rule{"number beside an array",
		"a number or bool of the same or a lower kind (bool < integer < float < complex) takes the array's dtype"}
	ruleTruncated  = Rule{"integer division", "integers are divided as integers, and the quotient is rounded toward zero"}
	ruleDivision   = Rule{"division", "computed in the common dtype"}
	ruleReduction  = Rule{"reduction", "keeps the dtype"}
	ruleComparison = Rule{"comparison", "a bool"}
	ruleBoolResult = Rule{"bool", "a bool"}
)

// divideInCommon is the Divide of systems that divide in the common dtype.
func divideInCommon(t dtype.Typed) (dtype.Typed, Rule) { return t, ruleDivision }

// numpyReductions holds the operation of NumPy and of the Array API for each reduction.
var numpyReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax"}

// An operateFunc is a system's Rules.Operate.
type operateFunc func(op string, xs []Operand) (dtype.Typed, []Step, error)

// reduceByName returns a Rules.Reduce that calls operate with the name of the reduction in
// numpyReductions. If operate returns an error, the reduction keeps the dtype.
func reduceByName(operate operateFunc) func(Reduction, dtype.Typed) (dtype.Typed, Rule) {
	return func(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
		if r == Compare {
			return Known(dtype.I1), ruleComparison
		}
		d, _, err := operate(numpyReductions[r], []Operand{{Typed: t, Rank: 1}})
		if err != nil {
			return t, ruleReduction
		}
		return d, kernelRule(numpyReductions[r], t, d)
	}
}

// Literal returns the dtype that the Go value v has as an operand.
func (s *System) Literal(v any) (dtype.Typed, error) { return s.rules.Literal(v) }

// Convert converts the literal v to the dtype d. The result has the Go type that dtype.Cast
// returns. Convert returns an error if the system does not allow the conversion.
func (s *System) Convert(v any, d dtype.DType) (any, error) { return s.rules.Convert(v, d) }

// Join returns the common dtype of a and b. It allocates only for an error.
func (s *System) Join(a, b Operand) (dtype.Typed, error) {
	t, _, err := s.rules.Join(a, b)
	return t, err
}

// Common returns the common dtype of two dtypes, each known or ambiguous. It panics
// with the system's error if there is none.
func (s *System) Common(a, b dtype.Typed) dtype.Typed {
	t, err := s.Join(Operand{Typed: a, Rank: 1}, Operand{Typed: b, Rank: 1})
	if err != nil {
		panic(err)
	}
	return t
}

// Resolve returns the common dtype of any number of operands, or an error if there is
// none or a literal does not fit it.
func (s *System) Resolve(xs ...Operand) (dtype.Typed, error) {
	t, _, err := s.resolve(xs, false)
	return t, err
}

// ResolvePair is Resolve for two operands.
func (s *System) ResolvePair(a, b Operand) (dtype.Typed, error) {
	t, err := s.Join(a, b)
	if err == nil {
		err = s.fits(a, t.DType)
	}
	if err == nil {
		err = s.fits(b, t.DType)
	}
	return t, err
}

// Result returns the common dtype of xs, which may be tensors, dtypes (known), values of
// dtype.Typed and Operand, and Go numbers and bools (literals). It panics if there is none.
func (s *System) Result(xs ...any) dtype.Typed {
	ops, err := s.Operands(xs...)
	if err == nil {
		var t dtype.Typed
		if t, err = s.Resolve(ops...); err == nil {
			return t
		}
	}
	panic(err)
}

// Division returns the dtype in which x / y is computed if t is the common dtype of x
// and y.
func (s *System) Division(t dtype.Typed) dtype.Typed {
	t, _ = s.rules.Divide(t)
	return t
}

// A Reduction is a family of reductions with one rule for the dtype of the result.
type Reduction uint8

// The reductions. Compare is not a reduction: it stands for the comparison of two operands, whose
// common dtype takes the place of the reduced operand's dtype.
const (
	Sum     Reduction = iota // sum and product
	Extreme                  // maximum and minimum
	Mean                     // mean, variance, standard deviation
	Logical                  // any, all
	Index                    // argmax, argmin
	Compare
)

var reductionNames = [...]string{"sum", "extreme", "mean", "logical", "index", "compare"}

// String returns the reduction's name.
func (r Reduction) String() string { return reductionNames[min(int(r), len(reductionNames)-1)] }

// Reduction returns the dtype of the reduction r of t.
func (s *System) Reduction(r Reduction, t dtype.Typed) dtype.Typed {
	t, _ = s.rules.Reduce(r, t)
	return t
}

// A tensor has the methods of tensors that promotion needs. It is an interface because package
// anvil, which defines tensors, imports this package.
type tensor interface {
	DType() dtype.DType
	Ambiguous() bool
	Rank() int
}

// Operands returns xs (see Result) as Operands.
func (s *System) Operands(xs ...any) ([]Operand, error) {
	ops := make([]Operand, len(xs))
	for i, x := range xs {
		var err error
		if ops[i], err = s.Operand(x); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// Operand returns x (see Result) as an Operand.
func (s *System) Operand(x any) (Operand, error) {
	switch x := x.(type) {
	case Operand:
		return x, nil
	case dtype.Typed:
		return Operand{Typed: x, Rank: 1}, nil
	case dtype.DType:
		return Operand{Typed: Known(x), Rank: 1}, nil
	case tensor:
		if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
			return Operand{}, &dtype.Error{Op: "Operand", Operands: v.Type().String(), Reason: "the pointer is nil",
				Hint: "give the tensor itself"}
		}
		return Operand{Typed: dtype.Typed{DType: x.DType(), Ambiguous: x.Ambiguous()}, Rank: x.Rank()}, nil
	}
	t, err := s.Literal(x)
	if err != nil {
		return Operand{}, err
	}
	return Operand{Typed: t, Literal: x}, nil
}

// AtLeast returns the common dtype of xs (see Result) and d. For example, a layer that
// adds up f16 or bf16 in f32 uses AtLeast(F32, xs...).
func (s *System) AtLeast(d dtype.DType, xs ...any) dtype.Typed {
	return s.Result(append([]any{d}, xs...)...)
}

// Known returns d as a known dtype.
func Known(d dtype.DType) dtype.Typed { return dtype.Typed{DType: d} }

// Amb returns d as an ambiguous dtype.
func Amb(d dtype.DType) dtype.Typed { return dtype.Typed{DType: d, Ambiguous: true} }

// Common returns the common dtype of a and b under the default system, Anvil.
func Common(a, b dtype.Typed) dtype.Typed { return Anvil.Common(a, b) }

// Result returns the common dtype of xs under the default system, Anvil.
func Result(xs ...any) dtype.Typed { return Anvil.Result(xs...) }

// AtLeast returns the common dtype of xs and d under the default system, Anvil.
func AtLeast(d dtype.DType, xs ...any) dtype.Typed { return Anvil.AtLeast(d, xs...) }

// systems are all systems, the default first.
var systems = []*System{Anvil, Torch, TorchExt, JAX, JAX64, JAXStrict, JAXStrict64, NumPy, ArrayAPI,
	TensorFlow, TensorFlowLegacy, TensorFlowAll, TensorFlowSafe, IvyPrecise, IvyFast, Ivy, AnvilRData,
	Julia, MLX, Polars, PolarsSupertype, Arrow, ArrowUnify}

// Systems returns every system, the default first.
func Systems() []*System { return append([]*System(nil), systems...) }

// ByName returns the system with the given name.
func ByName(name string) (*System, error) {
	var known []string
	for _, s := range systems {
		if s.name == name {
			return s, nil
		}
		known = append(known, s.name)
	}
	return nil, &dtype.Error{Op: "promote.ByName", Operands: fmt.Sprintf("%q", name),
		Reason: "no promotion system has this name", Hint: fmt.Sprintf("give one of %v", known)}
}

// OnlyTable reports whether s is only a table of dtypes for comparison. Tensors cannot be
// computed under such a system.
func OnlyTable(s *System) bool {
	return slices.Contains([]*System{Julia, MLX, Polars, PolarsSupertype, Arrow, ArrowUnify}, s)
}

// Computes returns an error if tensors cannot be computed under s (see OnlyTable).
func Computes(s *System) error {
	if !OnlyTable(s) {
		return nil
	}
	return &dtype.Error{Op: "promote", Operands: s.name,
		Reason: s.name + " is a table of dtypes for comparison, without computations",
		Hint:   "show it with display.Table or display.Compare"}
}
