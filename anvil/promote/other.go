package promote

import (
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// The systems for comparison: a table of pairs each, no operations.
var (
	// MLX is Apple's MLX: JAX's rules, but ui64 with a signed integer is f32.
	MLX = newPairs("mlx", "MLX: much as JAX, but ui64 with a signed integer is f32", "mlx", tensorflowDTypes[:14])
	// Polars is Polars' addition; PolarsSupertype what a column of both has.
	Polars          = newPairs("polars", "Polars: the sum of two columns; i64 with ui64 is i128", "polars", polarsDTypes)
	PolarsSupertype = newPairs("polars-supertype", "Polars: the dtype of a column that holds both", "polars supertype", polarsDTypes)
	// Arrow is PyArrow's addition; ArrowUnify the field that takes both.
	Arrow      = newPairs("arrow", "Arrow: the sum of two arrays; a float keeps its width, bools cannot be added", "pyarrow", arrowDTypes)
	ArrowUnify = newPairs("arrow-unify", "Arrow: the field of two schemas, permissively unified", "pyarrow unify", arrowDTypes)
)

var arrowDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.F16, dtype.F32, dtype.F64}

var polarsDTypes = append(arrowDTypes[:len(arrowDTypes):len(arrowDTypes)], dtype.I128, dtype.U128)

var otherTable = sync.OnceValue(func() map[string]section { return sections("other") })

var otherNumber = Rule{"number", "a number takes the dtype it meets where its kind is not higher"}

func newPairs(name, doc, part string, ds []dtype.DType) *System {
	pairs := sync.OnceValue(func() *[256][256]dtype.DType { return pairsOf(otherTable()[part]) })
	return New(name, doc, ds, Rules{
		Literal: func(v any) (dtype.Typed, error) { return defaultOf(v, dtype.I32, dtype.F32, dtype.C64) },
		Convert: dtype.Cast,
		Join: func(a, b Operand) (dtype.Typed, Rule, error) {
			if a.Ambiguous && !b.Ambiguous {
				a, b = b, a
			}
			if b.Ambiguous && !a.Ambiguous && kindRank(b.DType) <= kindRank(a.DType) {
				return Known(a.DType), otherNumber, nil
			}
			d := pairs()[a.DType][b.DType]
			if d == dtype.Invalid {
				return dtype.Typed{}, Rule{}, refuse(name, "TypeError", "%s and %s have no common dtype", a.DType.Long(), b.DType.Long())
			}
			return Known(d), Rule{"table", "the pair's entry in the table of the system"}, nil
		},
		Divide: func(t dtype.Typed) (dtype.Typed, Rule) { return t, Rule{"division", "computed in the common dtype"} },
		Reduce: rdataReduce,
	})
}
