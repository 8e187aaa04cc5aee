package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// control holds the rows of control flow. Regions are closed: a region uses no values but its parameters. The branches
// of StableHLO's if and case have no parameters, so the lowering writes the operands in place of the parameters.
//
// (I1), (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var control = []Def{
	{Code: ir.If, Name: "If", HLO: "if", Params: []string{"pred", "operand"}, Accepts: []dtype.Kind{dtype.Boolean, dtype.Any},
		Variadic: true,
		Doc:      "If returns the results of the first region for the operands if pred is true, and those of the second region otherwise; the other region does not run.",
		Infer:    inferIf, Lower: lowerIf, Eval: evalIf},
	{Code: ir.Case, Name: "Case", HLO: "case", Params: []string{"index", "operand"}, Accepts: []dtype.Kind{dtype.Signed, dtype.Any},
		Variadic: true,
		Doc:      "Case returns the results of the region at index for the operands, or those of the last region if index is out of range; the other regions do not run.",
		Infer:    inferCase, Lower: lowerCase, Eval: evalCase},
	{Code: ir.While, Name: "While", HLO: "while", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc: "While returns the last values of the operands: as long as the first region returns true for them, " +
			"the results of the second region replace them.",
		Infer: inferWhile, Lower: lowerWhile, Eval: evalWhile},
	{Code: ir.OptimizationBarrier, Name: "OptimizationBarrier", HLO: "optimization_barrier", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc:   "OptimizationBarrier returns its operands; a compiler neither moves operations across it nor repeats them on the other side.",
		Infer: inferBarrier, Lower: widened(lowerBarrier), Eval: evalBarrier},
	{Code: ir.Call, Name: "Call", HLO: "call", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc: "Call returns the results of its region for the operands. The region has its own rule of " +
			"differentiation, or reverse mode recomputes its values instead of storing them.",
		Infer: inferCall, Lower: lowerCall, Eval: evalCall},
	{Code: ir.Scan, Name: "Scan", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc: "Scan returns the carried operands after Length steps of its region, and then the results of all steps, stacked. " +
			"The operands are, in order, the carried ones, the shared ones and the scanned ones; " +
			"a step takes the carried and shared ones, and the next element of each scanned one along its first axis. " +
			"Its first results replace the carried operands; the others are stacked along a new first axis.",
		Infer: inferScan, Lower: lowerScan, Eval: evalScan},
}

func inferBarrier(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	return args[:len(args):len(args)], nil
}

func lowerBarrier(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.optimization_barrier ").Values(n.Args...).Str(" : ").Types(n.Args).Str("\n")
}

func evalBarrier(_ Evaluator, _ *ir.Node, args []array.Array) ([]array.Array, error) {
	return args, nil
}

// inferIf: pred is of rank 0 (I1); both branches take the operands, and return the same types (C2), which are the
// types of the results.
func inferIf(args []shape.Type, _ any, regions []*ir.Graph) ([]shape.Type, error) {
	if len(args[0].Shape) > 0 {
		return nil, fault("pred is "+args[0].String()+" and must have rank 0",
			"reduce it with Any() or All(), or choose elementwise with Where")
	}
	if len(regions) != 2 {
		return nil, fault("two regions are needed, not "+strconv.Itoa(len(regions)), "")
	}
	for i, name := range []string{"the true branch", "the false branch"} {
		if err := checkTypes(name+" takes", typesOf(regions[i].Params), args[1:]); err != nil {
			return nil, err
		}
	}
	results := typesOf(regions[0].Outputs)
	return results, checkTypes("the false branch returns", typesOf(regions[1].Outputs), results)
}

// inferCase: index is an i32 of rank 0 (I1); there is a branch (C1); all branches take the operands, and return the
// same types (C3), which are the types of the results (C4).
func inferCase(args []shape.Type, _ any, regions []*ir.Graph) ([]shape.Type, error) {
	if !args[0].Equal(shape.Of(dtype.I32)) {
		return nil, fault("index is "+args[0].String()+", not an i32 of rank 0",
			"convert it with AsType(nv.I32), and take one element of it")
	}
	if len(regions) == 0 {
		return nil, fault("no branch is given", "")
	}
	results := typesOf(regions[0].Outputs)
	for i, r := range regions {
		name := "branch " + strconv.Itoa(i)
		if err := checkTypes(name+" takes", typesOf(r.Params), args[1:]); err != nil {
			return nil, err
		}
		if err := checkTypes(name+" returns", typesOf(r.Outputs), results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// inferWhile: (C1) cond returns an i1 of rank 0 for the operands; (C2) body returns the types of the
// operands; (C3) the results have the types of the operands.
func inferWhile(args []shape.Type, _ any, regions []*ir.Graph) ([]shape.Type, error) {
	if len(regions) != 2 {
		return nil, fault("two regions are needed, not "+strconv.Itoa(len(regions)), "")
	}
	for i, name := range []string{"cond", "body"} {
		if err := checkTypes(name+" takes", typesOf(regions[i].Params), args); err != nil {
			return nil, err
		}
	}
	if err := checkTypes("cond returns", typesOf(regions[0].Outputs), []shape.Type{shape.Of(dtype.I1)}); err != nil {
		return nil, err
	}
	return args[:len(args):len(args)], checkTypes("body returns", typesOf(regions[1].Outputs), args)
}

// typesOf returns the types of vs.
func typesOf(vs []*ir.Value) []shape.Type {
	ts := make([]shape.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// checkTypes returns an error if got differs from want. The error begins with subject, as in "the region returns".
func checkTypes(subject string, got, want []shape.Type) error {
	if len(got) != len(want) {
		values := " values, not "
		if len(got) == 1 {
			values = " value, not "
		}
		return fault(subject+" "+strconv.Itoa(len(got))+values+strconv.Itoa(len(want)), "")
	}
	for i := range got {
		if !got[i].Equal(want[i]) {
			return fault(subject+" "+got[i].String()+" where "+want[i].String()+" is needed",
				"make dtype and shape agree, e.g. with AsType")
		}
	}
	return nil
}

func lowerIf(w *stablehlo.Writer, n *ir.Node) {
	operands := w.NamesOf(n.Args[1:])
	w.Op(n).Str(`"stablehlo.if"(`).Value(n.Args[0]).Str(") ({\n").Region(n.Regions[0], operands)
	w.Line().Str("}, {\n").Region(n.Regions[1], operands)
	w.Line().Str("}) : (tensor<i1>) -> (").Types(n.Results).Str(")\n")
}

func lowerCase(w *stablehlo.Writer, n *ir.Node) {
	operands := w.NamesOf(n.Args[1:])
	w.Op(n).Str(`"stablehlo.case"(`).Value(n.Args[0]).Str(") ({\n")
	for i, r := range n.Regions {
		if i > 0 {
			w.Line().Str("}, {\n")
		}
		w.Region(r, operands)
	}
	w.Line().Str("}) : (tensor<i32>) -> (").Types(n.Results).Str(")\n")
}

func lowerWhile(w *stablehlo.Writer, n *ir.Node) {
	carried := make([]stablehlo.Name, len(n.Args))
	for i := range carried {
		carried[i] = w.Fresh()
	}
	w.Op(n).Str("stablehlo.while(")
	for i, name := range carried {
		w.Comma(i).Name(name).Str(" = ").Value(n.Args[i])
	}
	w.Str(") : ").Types(n.Args).Str("\n")
	w.Line().Str("cond {\n").Region(n.Regions[0], carried)
	w.Line().Str("} do {\n").Region(n.Regions[1], carried)
	w.Line().Str("}\n")
}

func evalIf(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	if array.Load[bool](args[0])[0] {
		return e.Run(n.Regions[0], args[1:])
	}
	return e.Run(n.Regions[1], args[1:])
}

func evalCase(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	at := int(array.Load[int64](args[0])[0])
	if at < 0 || at >= len(n.Regions) {
		at = len(n.Regions) - 1
	}
	return e.Run(n.Regions[at], args[1:])
}

func evalWhile(e Evaluator, n *ir.Node, carried []array.Array) ([]array.Array, error) {
	for {
		if err := e.Context().Err(); err != nil {
			return nil, err
		}
		holds, err := e.Run(n.Regions[0], carried)
		if err != nil || !array.Load[bool](holds[0])[0] {
			return carried, err
		}
		if carried, err = e.Run(n.Regions[1], carried); err != nil {
			return nil, err
		}
	}
}

// inferCall: the region takes the operands; the operation has the results of the region.
func inferCall(args []shape.Type, _ any, regions []*ir.Graph) ([]shape.Type, error) {
	if len(regions) == 0 {
		return nil, fault("no region is given", "")
	}
	if err := checkTypes("the region takes", typesOf(regions[0].Params), args); err != nil {
		return nil, err
	}
	return typesOf(regions[0].Outputs), nil
}

func lowerCall(w *stablehlo.Writer, n *ir.Node) {
	w.Inline(n.Regions[0], w.NamesOf(n.Args))
	for i, v := range n.Regions[0].Outputs {
		w.Rename(n.Results[i], w.NameOf(v))
	}
}

func evalCall(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return e.Run(n.Regions[0], args)
}
