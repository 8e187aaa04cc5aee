package ops

import (
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// scatter holds the row of the operation Scatter, which writes updates at indices that are known only when the program
// runs. The reference evaluator writes windows in the row-major order of the indices. If windows overlap and replace
// elements (ScatterAttrs.Combine is Invalid, and there is no region), the specification does not say which of them the
// result has.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var scatter = []Def{
	{Code: ir.Scatter, Name: "Scatter", HLO: "scatter", Params: []string{"operand", "scatter_indices", "updates"},
		Accepts: []dtype.Kind{dtype.Any, dtype.Integral, dtype.Any},
		Doc: "Scatter returns operand with each window of updates written at its index in scatter_indices: the " +
			"window replaces the elements there, or is combined with them by an operation or a region. A window " +
			"that is not wholly inside of operand is skipped, as in XLA.",
		Infer: inferScatter, Lower: widened(lowerScatter), Eval: evalScatter,
		Bound: Bound{ULP: 2, Complex: 8, AnyZero: true}},
}

// inferScatter: (C6) dtypes agree; checkCombine and checkScatter check the other constraints.
func inferScatter(args []shape.Type, attrs any, regions []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.ScatterAttrs)
	if !ok {
		return nil, fault("no dimension numbers are given", "")
	}
	x, updates := args[0], args[2]
	if updates.DType != x.DType {
		return nil, fault("dtypes differ", "convert updates with AsType")
	}
	if err := checkCombine(a, x.DType, regions); err != nil {
		return nil, err
	}
	return args[:1:1], checkScatter(a, x.Shape, args[1].Shape, updates.Shape)
}

// checkCombine checks how two elements of dtype d are combined: (C23) by a region of two
// scalars, or by an operation that accepts d.
func checkCombine(a ir.ScatterAttrs, d dtype.DType, regions []*ir.Graph) error {
	switch {
	case len(regions) > 0:
		return checkFold(d, regions)
	case a.Combine == ir.Invalid:
		return nil
	case !slices.Contains(combiners, a.Combine):
		return fault(a.Combine.String()+" cannot combine elements", "give a region")
	}
	if op, _ := binaryOf(a.Combine); !d.Is(op.accepts) {
		return fault(a.Combine.String()+" does not accept "+d.String(), "convert operand and updates with AsType")
	}
	return nil
}

// combiners are the operations that may combine elements: they are commutative and associative.
var combiners = []ir.Code{ir.Add, ir.Mul, ir.Max, ir.Min, ir.And, ir.Or, ir.Xor}

// checkFold checks that there is one region, which combines two scalars of dtype d into one.
func checkFold(d dtype.DType, regions []*ir.Graph) error {
	if len(regions) != 1 {
		return fault("one region is needed, not "+strconv.Itoa(len(regions)), "")
	}
	t := shape.Of(d)
	if err := checkTypes("the region takes", typesOf(regions[0].Params), []shape.Type{t, t}); err != nil {
		return err
	}
	return checkTypes("the region returns", typesOf(regions[0].Outputs), []shape.Type{t})
}

// checkScatter checks the constraints on dimension numbers and shapes: those of indexing,
// (C7) and (C8) on update_window_dims, and those of checkUpdates.
func checkScatter(a ir.ScatterAttrs, x, indices, updates shape.Shape) error {
	if err := indexingOfScatter(a).check(x, indices); err != nil {
		return err
	}
	if err := checkAxes(a.UpdateWindowDims, len(updates)); err != nil {
		return err
	}
	return checkUpdates(a, x, indices, updates)
}

// checkUpdates: (C4) updates have a window for each index, and (C3) windows fit.
func checkUpdates(a ir.ScatterAttrs, x, indices, updates shape.Shape) error {
	dims := indexingOfScatter(a)
	batch := lengths(indices, dims.batchAxes(len(indices)))
	if got := lengths(updates, otherAxes(len(updates), a.UpdateWindowDims)); !slices.Equal(got, batch) {
		return fault("updates have "+got.String()+" windows, but scatter_indices have "+batch.String()+" index vectors", "")
	}
	sizes := lengths(updates, a.UpdateWindowDims)
	inX := make(shape.Shape, len(x)) // the sizes of windows along the axes of x
	for i, axis := range dims.windowAxes(len(x)).Ints() {
		inX[axis] = sizes[i]
	}
	return checkFits(inX, x)
}

func lowerScatter(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.ScatterAttrs)
	w.Op(n).Str(`"stablehlo.scatter"(`).Values(n.Args...).Str(") <{scatter_dimension_numbers = #stablehlo.scatter<")
	writeDims(w, []namedDims{{"update_window_dims", a.UpdateWindowDims}, {"inserted_window_dims", a.InsertedWindowDims},
		{"input_batching_dims", a.OperandBatchingDims}, {"scatter_indices_batching_dims", a.IndicesBatchingDims},
		{"scatter_dims_to_operand_dims", a.ScatterDimsToOperandDims}})
	w.Str("index_vector_dim = ").Int(a.IndexVectorDim).Str(">, indices_are_sorted = ").Str(strconv.FormatBool(a.IndicesAreSorted)).
		Str(", unique_indices = ").Str(strconv.FormatBool(a.UniqueIndices)).Str("}> ({\n")
	lowerCombine(w, a.Combine, n.Regions, shape.Type{DType: n.Args[0].Type.DType})
	w.Line().Str("})").EndFunc(n)
}

// lowerCombine writes the block that combines two scalars of type t.
func lowerCombine(w *stablehlo.Writer, code ir.Code, regions []*ir.Graph, t shape.Type) {
	old, fresh := w.Fresh(), w.Fresh()
	w.Line().Str("^bb0(").Param(old, t).Str(", ").Param(fresh, t).Str("):\n")
	if len(regions) > 0 {
		lowerFoldRegion(w, regions[0], old, fresh, t)
		return
	}
	f := compilerOp(code)
	switch code {
	case ir.Invalid:
		f = func(_ expr.Builder, x ...expr.Value) expr.Value { return x[1] }
	case ir.Max, ir.Min:
		f = extreme(code)
	}
	lowerScalars(w, f, t, old, fresh)
}

// lowerFoldRegion writes region g applied to x and y of type t. If t is wider than the type of g's parameters, it
// converts x and y to the narrower type, and the result back to t.
func lowerFoldRegion(w *stablehlo.Writer, g *ir.Graph, x, y stablehlo.Name, t shape.Type) {
	narrow := g.Params[0].Type
	if narrow.DType == t.DType {
		w.Region(g, []stablehlo.Name{x, y})
		return
	}
	body := &ir.Graph{}
	a, b := body.Param(t), body.Param(t)
	values := map[*ir.Value]*ir.Value{}
	for i, v := range []*ir.Value{a, b} {
		toNarrow := body.Add(ir.Convert, ir.DTypeAttrs{DType: narrow.DType}, nil, []*ir.Value{v}, narrow)
		values[g.Params[i]] = toNarrow.Results[0]
	}
	for _, n := range g.Nodes {
		m := body.Add(n.Code, n.Attrs, n.Regions, mapped(values, n.Args), typesOf(n.Results)...)
		for i, r := range n.Results {
			values[r] = m.Results[i]
		}
	}
	body.Outputs = body.Add(ir.Convert, ir.DTypeAttrs{DType: t.DType}, nil, []*ir.Value{values[g.Outputs[0]]}, t).Results
	w.Region(body, []stablehlo.Name{x, y})
}

func evalScatter(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a, x, updates := n.Attrs.(ir.ScatterAttrs), args[0], args[2]
	targets, err := scatterTargets(a, e, x.Type.Shape, args[1], updates.Type.Shape)
	if err != nil {
		return nil, err
	}
	out := array.Array{Type: x.Type, Data: slices.Clone(x.Data)}
	if len(n.Regions) > 0 {
		return oneResult(out, scatterBy(e, n.Regions[0], out, updates, targets))
	}
	op, _ := binaryOf(a.Combine)
	d := x.DType()
	switch {
	case a.Combine == ir.Invalid:
		size := d.Size()
		for i, to := range targets {
			if to >= 0 {
				copy(out.Data[to*size:(to+1)*size], updates.Data[i*size:])
			}
		}
		return oneResult(out, nil)
	case d.Is(dtype.Boolean):
		return oneResult(scatterWith(out, updates, targets, op.b), nil)
	case d.Is(dtype.Signed):
		return oneResult(scatterWith(out, updates, targets, op.i), nil)
	case d.Is(dtype.Unsigned):
		return oneResult(scatterWith(out, updates, targets, op.u), nil)
	case d.Is(dtype.Complex):
		return oneResult(scatterWith(out, updates, targets, op.c), nil)
	}
	return oneResult(scatterWith(out, updates, targets, rounded(d, op.f)), nil)
}

// rounded returns f with its result rounded to d.
func rounded(d dtype.DType, f func(x, y float64) float64) func(x, y float64) float64 {
	buf := make([]byte, d.Size())
	return func(x, y float64) float64 {
		dtype.PutFloat(buf, d, f(x, y))
		return dtype.GetFloat(buf, d)
	}
}

// scatterWith combines element i of updates, for each i, with element targets[i] of out, unless
// targets[i] is negative.
func scatterWith[T array.Elem](out, updates array.Array, targets []int, f func(old, fresh T) T) array.Array {
	xs, us := array.Load[T](out), array.Load[T](updates)
	for i, to := range targets {
		if to >= 0 {
			xs[to] = f(xs[to], us[i])
		}
	}
	return array.Store(out, xs)
}

// scatterBy combines elements as scatterWith does, but by region g.
func scatterBy(e Evaluator, g *ir.Graph, out, updates array.Array, targets []int) error {
	size := out.DType().Size()
	scalar := func(a array.Array, i int) array.Array {
		return array.Array{Type: shape.Of(a.DType()), Data: slices.Clone(a.Data[i*size : (i+1)*size])}
	}
	for i, to := range targets {
		if to < 0 {
			continue
		}
		r, err := e.Run(g, []array.Array{scalar(out, to), scalar(updates, i)})
		if err != nil {
			return err
		}
		copy(out.Data[to*size:], r[0].Data)
	}
	return nil
}

// scatterTargets returns for each element of updates the index of the element of the operand,
// of shape x, to which it is written, or -1 if its window is not wholly inside the operand.
func scatterTargets(
	a ir.ScatterAttrs, e Evaluator, x shape.Shape, indices array.Array, updates shape.Shape,
) ([]int, error) {
	dims, batchAxes := indexingOfScatter(a), otherAxes(len(updates), a.UpdateWindowDims)
	batch := lengths(updates, batchAxes)
	// These are offsets: vectors[i] of index vector i in indices, and starts[i] of window i in the updates; window[k]
	// and inWindow[k] of element k of a window, relative to its start, in the operand and in the updates.
	vectors, err := offsets(e, batch, lengths(array.Strides(indices.Type.Shape), dims.batchAxes(len(indices.Type.Shape))))
	if err != nil {
		return nil, err
	}
	sizes, kept := lengths(updates, a.UpdateWindowDims), dims.windowAxes(len(x))
	window, err := offsets(e, sizes, lengths(array.Strides(x), kept))
	if err != nil {
		return nil, err
	}
	inWindow, err := offsets(e, sizes, lengths(array.Strides(updates), a.UpdateWindowDims))
	if err != nil {
		return nil, err
	}
	starts, err := offsets(e, batch, lengths(array.Strides(updates), batchAxes))
	if err != nil {
		return nil, err
	}
	whole := slices.Repeat([]int{1}, len(x)) // the lengths of a window along all axes of x
	for i, axis := range kept.Ints() {
		whole[axis] = sizes[i]
	}
	targets := make([]int, updates.Size())
	for i, at := range vectors {
		begin, inside := dims.start(x, whole, indices, at, batchIndex(batch, i), false)
		for k, off := range window {
			to := -1
			if inside {
				to = begin + off
			}
			targets[starts[i]+inWindow[k]] = to
		}
	}
	return targets, nil
}
