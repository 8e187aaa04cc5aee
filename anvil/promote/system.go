// Package promote holds promotion systems as values: the rules by which
// operands of different dtypes find a common one, by which literals of the
// host language get theirs, and the reasons.
package promote

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A System is one set of promotion rules. Systems differ only in the rules
// they hold, never in methods, so that one can stand wherever another does.
type System struct {
	name   string
	doc    string
	dtypes []dtype.DType
	rules  Rules

	answers answers // of operations
}

// Rules are what a System is made of. Each is a function of operands only: a
// system has no state.
type Rules struct {
	// Literal returns the dtype of a host value that stands beside a tensor.
	Literal func(v any) (dtype.Typed, error)
	// Convert returns the host value of a literal at the dtype it has met.
	Convert func(v any, d dtype.DType) (any, error)
	// Lattice, where a system has one, is what its join climbs.
	Lattice *Lattice
	// Join returns the common dtype of two operands and the rule that gave it.
	Join func(a, b Operand) (dtype.Typed, Rule, error)
	// Resolve, where a system has it, replaces the fold of Join from the left
	// for any number of operands; of two it gives what Join does.
	Resolve func(xs []Operand) (dtype.Typed, []Step, error)
	// Divide returns the dtype in which x / y is computed, given the common one.
	Divide func(t dtype.Typed) (dtype.Typed, Rule)
	// Reduce returns the dtype of a reduction of t.
	Reduce func(r Reduction, t dtype.Typed) (dtype.Typed, Rule)
	// Operate, where a system has it, returns the dtype of an operation by the
	// real system's name of it, and the steps to it.
	Operate func(op string, xs []Operand) (dtype.Typed, []Step, error)
	// Numbers, where a system has it, is what an operation that gives t says of
	// the values of the numbers among its operands, besides what all say.
	Numbers func(op string, xs []Operand, t dtype.Typed) error
	// ByValue says that an operation's dtype depends on the value of a number.
	ByValue bool
	// Assign, where a system has it, returns the dtype of an operation whose
	// result is stored into its first operand.
	Assign func(op string, into, x Operand) (dtype.Typed, []Step, error)
	// CanCast, where a system has it, reports whether one dtype may be stored
	// as another, under a casting rule where the system has several.
	CanCast func(from, to dtype.DType, rule string) (bool, error)
	// Store, where a system has it, is the error of storing the result of an
	// operation, of one dtype, in a tensor that has another. Without it only
	// equal ones are stored.
	Store func(op string, from, to dtype.DType) error
	// Values are the rules of what operations compute; nil is XLA's.
	Values *Values
	// Torch, of PyTorch's systems, is what their rules are made of.
	Torch *TorchRules
}

// New returns a system of the given rules; its tables show the dtypes ds.
func New(name, doc string, ds []dtype.DType, rules Rules) *System {
	return &System{name: name, doc: doc, dtypes: ds, rules: rules}
}

// Name returns the system's name, as %promotion takes it: "anvil".
func (s *System) Name() string { return s.name }

// String returns the system's name.
func (s *System) String() string { return s.name }

// Doc returns what the system is, in a sentence.
func (s *System) Doc() string { return s.doc }

// Lattice returns the lattice that the system's join climbs, nil where it has none.
func (s *System) Lattice() *Lattice { return s.rules.Lattice }

// DTypes returns the dtypes that the system's tables show.
func (s *System) DTypes() []dtype.DType { return append([]dtype.DType(nil), s.dtypes...) }

// An Operand is what promotion sees of an operand: its dtype and flag, its
// rank, and the host value where it is a literal.
type Operand struct {
	dtype.Typed
	Rank    int
	Literal any // nil for a tensor
}

// A Rule is a reason in words: a name, and the clause it stands for.
type Rule struct{ Name, Doc string }

// Literal returns the dtype that the host value v takes beside a tensor.
func (s *System) Literal(v any) (dtype.Typed, error) { return s.rules.Literal(v) }

// Convert returns the host value v of a literal at the dtype d, as the Go type
// that dtype.Cast gives, or an error where the system does not let it.
func (s *System) Convert(v any, d dtype.DType) (any, error) { return s.rules.Convert(v, d) }

// Join returns the common dtype of a and b. It does not allocate where there
// is one.
func (s *System) Join(a, b Operand) (dtype.Typed, error) {
	t, _, err := s.rules.Join(a, b)
	return t, err
}

// Common returns the common dtype of two dtypes, each known or ambiguous. It
// panics with a *dtype.Error where there is none.
func (s *System) Common(a, b dtype.Typed) dtype.Typed {
	t, err := s.Join(Operand{Typed: a, Rank: 1}, Operand{Typed: b, Rank: 1})
	if err != nil {
		panic(err)
	}
	return t
}

// Resolve returns the common dtype of any number of operands, and sees to it
// that the literals among them fit it.
func (s *System) Resolve(xs ...Operand) (dtype.Typed, error) {
	t, _, err := s.resolve(xs, false)
	return t, err
}

// Result returns the common dtype of xs: tensors, dtypes (known), dtype.Typed,
// Operands and numbers of the host language (literals). It panics with a
// *dtype.Error where there is none.
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

// Division returns the dtype in which x / y is computed where t is the common
// dtype of x and y.
func (s *System) Division(t dtype.Typed) dtype.Typed {
	t, _ = s.rules.Divide(t)
	return t
}

// A Reduction is a family of functions whose result has one rule.
type Reduction uint8

// The reductions. Compare is the comparison of two operands of common dtype t.
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

// typed is what promotion asks of a tensor.
type typed interface {
	DType() dtype.DType
	Ambiguous() bool
	Rank() int
}

// Operands returns what promotion sees of xs (see Result).
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

// Operand returns what promotion sees of x: a tensor, a dtype, a dtype.Typed,
// an Operand or a number of the host language.
func (s *System) Operand(x any) (Operand, error) {
	switch x := x.(type) {
	case Operand:
		return x, nil
	case dtype.Typed:
		return Operand{Typed: x, Rank: 1}, nil
	case dtype.DType:
		return Operand{Typed: Known(x), Rank: 1}, nil
	case typed:
		if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
			return Operand{}, &dtype.Error{Op: "Operand", Operands: v.Type().String(), Reason: "it points to nothing", Hint: "give the tensor itself"}
		}
		return Operand{Typed: dtype.Typed{DType: x.DType(), Ambiguous: x.Ambiguous()}, Rank: x.Rank()}, nil
	}
	t, err := s.Literal(x)
	if err != nil {
		return Operand{}, err
	}
	return Operand{Typed: t, Literal: x}, nil
}

// Known returns d as a known dtype.
func Known(d dtype.DType) dtype.Typed { return dtype.Typed{DType: d} }

// Amb returns d as an ambiguous dtype.
func Amb(d dtype.DType) dtype.Typed { return dtype.Typed{DType: d, Ambiguous: true} }

// Common returns the common dtype of a and b under the default system, Anvil.
func Common(a, b dtype.Typed) dtype.Typed { return Anvil.Common(a, b) }

// Result returns the common dtype of xs under the default system, Anvil.
func Result(xs ...any) dtype.Typed { return Anvil.Result(xs...) }

var systems = []*System{Anvil, Torch, TorchExt, JAX, JAX64, JAXStrict, JAXStrict64, NumPy, ArrayAPI, TensorFlow, TensorFlowLegacy, TensorFlowAll, TensorFlowSafe, IvyPrecise, IvyFast, Ivy, AnvilRData, Julia, MLX, Polars, PolarsSupertype, Arrow, ArrowUnify}

// Systems returns every system, the default first.
func Systems() []*System { return append([]*System(nil), systems...) }

// ByName returns the system of that name.
func ByName(name string) (*System, error) {
	var known []string
	for _, s := range systems {
		if s.name == name {
			return s, nil
		}
		known = append(known, s.name)
	}
	return nil, &dtype.Error{Op: "promote.ByName", Operands: fmt.Sprintf("%q", name),
		Reason: "no promotion system has this name", Hint: fmt.Sprintf("there is %v", known)}
}
