// Package ops is the table of primitive operations: one row for each ir.Code, with all that the system knows
// about it. Rows are strict: operands have already been promoted and broadcast.
package ops

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// A Def is a row of the table: everything the system knows about one operation.
type Def struct {
	Code    ir.Code
	Name    string        // the name in package anvil: "Mul"
	HLO     string        // StableHLO's name of the operation: "multiply"
	CHLO    string        // CHLO's name, where StableHLO has none: "asin"
	Params  []string      // names of the operands in the specification; the last repeats if Variadic
	Accepts []dtype.Kind  // the dtypes that each of Params may have; errors, documentation and tests use it
	Only    []dtype.DType // the accepted dtypes if the specification lists them one by one, otherwise nil
	Doc     string        // the first sentence describes the result

	Variadic  bool      // the last of Params may be repeated
	Infer     InferFunc // types of the results
	Lower     LowerFunc // writes the operation as StableHLO
	Wide      bool      // Lower computes floats narrower than f32 in f32, and rounds once
	Expansion Expansion // replaces the compiler's operation; nil: the compiler's operation is used
	Eval      EvalFunc  // reference semantics

	// The derivative. Forward mode uses package autodiff's own rule if it has one, or else the first that is set of
	// Flat, Partial, JVP, Bilinear and Transpose. A row with only Transpose is linear: its tangent is the operation
	// applied to tangents. Bilinear rows, which are linear in each operand, and some rows with Partial or JVP, such
	// as Mul, have Transpose too: it is the rule of reverse mode where the other operands are constants.
	Partial   Partial
	JVP       Linearized
	Transpose Transposition
	Bilinear  bool
	Flat      bool // the derivative is zero wherever it exists

	Batch Batching // nil if package autodiff has the rule, and for rows without operands

	Function

	Bound Bound // the greatest difference between XLA's result and the reference's
}

// A Function describes the function and the method of package anvil that are generated for a
// row. For a row whose Operands are NoFunction, none are generated.
type Function struct {
	Operands OperandClass
	Args     []string // names of the parameters of the Go function; nil: x, or x and y
	Option   Option   // the zero Option: no option
	// Names are the function's names in other systems. A promotion system gives the result the dtype of the
	// first name that it knows; if it knows none, the dtype of the function's class (see Classes).
	Names []string
	// Body computes the function from other operations, for a row without a Code. Its operands have one float
	// dtype and one shape.
	Body func(b expr.Builder, x []expr.Value, option float64) expr.Value

	classes []string // the result of Classes
}

// An OperandClass determines the dtype that the operands of a function are converted to.
type OperandClass uint8

// The classes of operands. Functions with a Body are computed in f32 if the dtype is narrower, and rounded once.
const (
	NoFunction OperandClass = iota // no function is generated
	// Inexact is floats and complex numbers; integers and booleans are converted to the system's default float.
	Inexact
	Real // like Inexact, without complex numbers
)

// An Option is an optional number after the operands.
type Option struct {
	Name    string
	Default float64
}

// Classes returns the names of f in other systems, followed by the names of a function of the same class: the
// exponential for functions of one operand, the quotient for functions of several.
func (f *Function) Classes() []string { return f.classes }

// A Bound is the greatest allowed distance between the results of two executors, in units in the last place
// (ulp) of the result's dtype; 0 means that the results are equal. For a complex number the unit is the ulp of the
// greater of its parts. A Bound does not apply to subnormal results, which XLA's CPU compiler flushes to zero.
type Bound struct {
	ULP     int
	F64     int  // for f64 and c128, which the reference computes without extra bits; 0 means ULP
	Complex int  // for c64 and c128; 0 means ULP or F64
	Sum     bool // the unit is the ulp of the sum of the terms' magnitudes, since terms may be added in any order
	Norm    bool // the unit is the ulp of the greatest magnitude in the result, as for factors of matrices
	AnyZero bool // the sign of a zero is unspecified

	// For results of a magnitude below Floor, the unit is the ulp of Floor. Near a root of the function that is not
	// a floating-point number, rounding of the operand alone causes an error of that size.
	Floor float64
}

// For returns the bound for results of dtype d.
func (b Bound) For(d dtype.DType) int {
	switch {
	case d.Is(dtype.Complex) && b.Complex > 0:
		return b.Complex
	case d.Elem() == dtype.F64 && b.F64 > 0:
		return b.F64
	}
	return b.ULP
}

// An InferFunc returns the types of the results. Its errors have only Reason and Hint; Infer adds the
// operation and its operands. Operand count and dtypes have been checked against Params and Accepts. The
// comment of an InferFunc cites the constraints (C1), (C2), ... of the operation in the StableHLO specification
// that it checks.
type InferFunc func(args []shape.Type, attrs any, regions []*ir.Graph) ([]shape.Type, error)

// A LowerFunc writes n as StableHLO.
type LowerFunc func(w *stablehlo.Writer, n *ir.Node)

// An EvalFunc returns the results of n on args, as the specification defines them. The Evaluator runs the regions of n
// and has the context.
type EvalFunc func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error)

// An Evaluator runs regions for an EvalFunc, until its context is done.
type Evaluator interface {
	Context() context.Context
	Run(g *ir.Graph, args []array.Array) ([]array.Array, error)
}

// Lookup returns the row of c, or nil if c has no row.
func Lookup(c ir.Code) *Def {
	if c >= ir.NumCodes {
		return nil
	}
	return table[c]
}

// All returns every row, in the order of codes.
func All() []*Def {
	var all []*Def
	for _, d := range table {
		if d != nil {
			all = append(all, d)
		}
	}
	return all
}

// Functions returns the rows for which functions of package anvil are generated, sorted by name.
func Functions() []*Def {
	var all []*Def
	for _, d := range functions() {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *Def) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// FunctionOf returns the row of the generated function with the given name, or nil.
func FunctionOf(name string) *Def { return functions()[name] }

// functions returns the rows of Functions by name, and sets their Args and classes.
var functions = sync.OnceValue(func() map[string]*Def {
	m := map[string]*Def{}
	for _, d := range slices.Concat(All(), compositions()) {
		if d.Operands == NoFunction {
			continue
		}
		if d.Args == nil {
			d.Args = []string{"x", "y"}[:len(d.Params)]
		}
		class := []string{"exp", "tf.exp"}
		if len(d.Args) > 1 {
			class = []string{"true_divide", "divide"}
		}
		d.classes = append(d.Names[:len(d.Names):len(d.Names)], class...)
		m[d.Name] = d
	}
	return m
})

// table holds the rows of all families, indexed by code. It is filled by init, because lowerings and rules
// refer to the table: an initial value would be an initialization cycle.
var table [ir.NumCodes]*Def

func init() {
	table = merge(elementwise, cipher, special, compare, reduce, layout, contract, window, fourier, index, scatter, linalg,
		control, cumulative)
}

// merge joins families into one table and adds the rules of derivatives and batching to the rows. It panics if
// two rows have the same code.
func merge(families ...[]Def) (t [ir.NumCodes]*Def) {
	for _, rows := range families {
		for i := range rows {
			d := &rows[i]
			if t[d.Code] != nil {
				panic("ops: two rows of code " + d.Name)
			}
			t[d.Code] = d
			d.Partial, d.JVP, d.Transpose = partials[d.Code], linearized[d.Code], transpositions[d.Code]
			d.Bilinear, d.Flat = bilinear[d.Code], slices.Contains(flat, d.Code)
			d.Batch = batchingOf(d.Code)
		}
	}
	return t
}
