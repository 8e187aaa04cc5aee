package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// index holds the rows of slices at indices that are known only when the program runs. A slice that would lie
// outside of its operand is moved inside, as the specification says. Package anvil refuses Go integers out of range.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var index = []Def{
	{Code: ir.DynamicSlice, Name: "DynamicSlice", HLO: "dynamic_slice", Params: []string{"operand", "start_indices"},
		Accepts: []dtype.Kind{dtype.Any, dtype.Integral}, Variadic: true,
		Doc:   "DynamicSlice returns the slice of operand of the given sizes that begins at start_indices, which are scalars, one for each axis.",
		Infer: inferDynamicSlice, Lower: widened(lowerDynamicSlice), Eval: evalDynamicSlice},
	{Code: ir.DynamicUpdateSlice, Name: "DynamicUpdateSlice", HLO: "dynamic_update_slice",
		Params: []string{"operand", "update", "start_indices"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any, dtype.Integral}, Variadic: true,
		Doc:   "DynamicUpdateSlice returns operand with the slice that begins at start_indices replaced by update. start_indices are scalars, one for each axis.",
		Infer: inferUpdate, Lower: widened(lowerWithTypes("dynamic_update_slice")), Eval: evalUpdate},
	{Code: ir.Gather, Name: "Gather", HLO: "gather", Params: []string{"operand", "start_indices"},
		Accepts: []dtype.Kind{dtype.Any, dtype.Integral},
		Doc:     "Gather returns slices of operand, all of the same size, that begin at the index vectors in start_indices.",
		Infer:   inferGather, Lower: widened(lowerGather), Eval: evalGather},
}

// inferDynamicSlice: (C2), (C3) there is a start index for each axis, all scalars of one
// dtype; (C4) 0 <= sizes <= lengths; (C5) the result has these sizes.
func inferDynamicSlice(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.DynamicSliceAttrs)
	if err := checkStarts(args[1:], len(args[0].Shape)); err != nil {
		return nil, err
	}
	sizes := a.Sizes.Shape()
	return []shape.Type{{DType: args[0].DType, Shape: sizes}}, checkFits(sizes, args[0].Shape)
}

// checkStarts checks that there is a start index for each axis, all scalars of one dtype.
func checkStarts(starts []shape.Type, rank int) error {
	if len(starts) != rank {
		return fault("the number of start_indices is "+strconv.Itoa(len(starts))+", and that of axes "+strconv.Itoa(rank),
			"give one for each axis")
	}
	for _, s := range starts {
		if len(s.Shape) > 0 || s.DType != starts[0].DType {
			return fault("start_indices must be scalars of one dtype", "")
		}
	}
	return nil
}

// checkFits checks that a slice of the given sizes lies within shape s.
func checkFits(sizes, s shape.Shape) error {
	if len(sizes) != len(s) {
		return fault("the number of sizes is "+strconv.Itoa(len(sizes))+", and that of axes "+strconv.Itoa(len(s)),
			"give one size for each axis")
	}
	for i, n := range sizes {
		if n < 0 || n > s[i] {
			return fault("size "+strconv.Itoa(n)+" does not fit axis "+strconv.Itoa(i)+" of length "+strconv.Itoa(s[i]), "")
		}
	}
	return nil
}

func lowerDynamicSlice(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.dynamic_slice ").Values(n.Args...).Str(", sizes = ").Dims(n.Attrs.(ir.DynamicSliceAttrs).Sizes).EndFunc(n)
}

func evalDynamicSlice(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, s := args[0], n.Results[0].Type.Shape
	return oneResult(array.Read(e.Context(), s, x, startOf(x.Type.Shape, s, args[1:]), array.Strides(x.Type.Shape)))
}

// startOf returns the offset in shape s of the slice of the given sizes that begins at starts, after moving it
// inside s.
func startOf(s, sizes shape.Shape, starts []array.Array) int {
	offset, steps := 0, array.Strides(s)
	for i, a := range starts {
		offset += clampIndex(position(a, 0), s[i]-sizes[i]) * steps[i]
	}
	return offset
}

// position returns element i of an array of integers, as an int.
func position(a array.Array, i int) int {
	d := a.DType()
	if d.Is(dtype.Unsigned) {
		return int(min(dtype.GetUint(a.Data[i*d.Size():], d), 1<<62)) // 1<<62 is beyond the end of any axis
	}
	return int(dtype.GetInt(a.Data[i*d.Size():], d))
}

// clampIndex returns the number between 0 and high that is nearest to i.
func clampIndex(i, high int) int { return max(0, min(i, high)) }

// inferUpdate: (C2) dtypes agree; (C3), (C4), (C5) ranks agree and there is a start index
// for each axis; (C6) the update fits.
func inferUpdate(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	if args[1].DType != args[0].DType {
		return nil, fault("dtypes differ", "convert update with AsType")
	}
	if err := checkStarts(args[2:], len(args[0].Shape)); err != nil {
		return nil, err
	}
	return args[:1:1], checkFits(args[1].Shape, args[0].Shape)
}

func evalUpdate(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, update := args[0], args[1]
	out := array.Array{Type: x.Type, Data: append([]byte(nil), x.Data...)}
	start := startOf(x.Type.Shape, update.Type.Shape, args[2:])
	return oneResult(out, array.Write(e.Context(), out, update, start, array.Strides(x.Type.Shape)))
}

// inferGather returns the result's type by (C22). The axes offset_dims of the result have the slice_sizes of the axes
// that are neither collapsed nor batching. Its other axes have the lengths of the axes of start_indices other than
// index_vector_dim.
func inferGather(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.GatherAttrs)
	if !ok {
		return nil, fault("no dimension numbers are given", "")
	}
	if err := checkGather(a, args[0].Shape, args[1].Shape); err != nil {
		return nil, err
	}
	dims := indexingOfGather(a)
	batch := lengths(args[1].Shape, dims.batchAxes(len(args[1].Shape)))
	offset := lengths(a.SliceSizes.Shape(), dims.windowAxes(len(args[0].Shape)))
	s := make(shape.Shape, 0, len(batch)+len(offset))
	for i := range len(batch) + len(offset) {
		if a.OffsetDims.Has(i) {
			s, offset = append(s, offset[0]), offset[1:]
		} else if len(batch) > 0 {
			s, batch = append(s, batch[0]), batch[1:]
		}
	}
	if len(offset) > 0 || len(batch) > 0 {
		return nil, fault("offset_dims are not axes of the result", "") // (C5)
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

// checkGather checks the constraints of Gather on its operands and attributes: those of
// indexing, and (C9), (C12), (C20) and (C21) on slice_sizes.
func checkGather(a ir.GatherAttrs, x, indices shape.Shape) error {
	if err := indexingOfGather(a).check(x, indices); err != nil {
		return err
	}
	for axis, n := range a.SliceSizes.All() {
		if n > 1 && (a.CollapsedSliceDims + a.OperandBatchingDims).Has(axis) {
			return fault("axis "+strconv.Itoa(axis)+" is not in the result but has slices of length "+strconv.Itoa(n), "")
		}
	}
	return checkFits(a.SliceSizes.Shape(), x)
}

// A namedDims is a list of axes with its name in the specification.
type namedDims struct {
	name string
	dims shape.Dims
}

// writeDims writes the lists that are not empty: "offset_dims = [1], ".
func writeDims(w *stablehlo.Writer, lists []namedDims) {
	for _, l := range lists {
		if l.dims != "" {
			w.Str(l.name).Str(" = ").Dims(l.dims).Str(", ")
		}
	}
}

func lowerGather(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.GatherAttrs)
	w.Op(n).Str(`"stablehlo.gather"(`).Values(n.Args...).Str(") <{dimension_numbers = #stablehlo.gather<")
	writeDims(w, []namedDims{{"offset_dims", a.OffsetDims}, {"collapsed_slice_dims", a.CollapsedSliceDims},
		{"operand_batching_dims", a.OperandBatchingDims}, {"start_indices_batching_dims", a.IndicesBatchingDims},
		{"start_index_map", a.StartIndexMap}})
	w.Str("index_vector_dim = ").Int(a.IndexVectorDim).Str(">, slice_sizes = ").Array(a.SliceSizes).
		Str(", indices_are_sorted = ").Str(strconv.FormatBool(a.IndicesAreSorted)).Str("}>").EndFunc(n)
}

// evalGather reads a slice for each index vector and writes it to its place in the result.
func evalGather(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a, x, indices, out := n.Attrs.(ir.GatherAttrs), args[0], args[1], array.New(n.Results[0].Type)
	batchAxes := otherAxes(len(out.Type.Shape), a.OffsetDims)
	batch, to := lengths(out.Type.Shape, batchAxes), array.Strides(out.Type.Shape)
	dims := indexingOfGather(a)
	vectors, err := offsets(e, batch, lengths(array.Strides(indices.Type.Shape), dims.batchAxes(len(indices.Type.Shape))))
	if err != nil {
		return nil, err
	}
	targets, err := offsets(e, batch, lengths(to, batchAxes))
	if err != nil {
		return nil, err
	}
	kept := dims.windowAxes(len(x.Type.Shape)) // the axes of x that are axes of the result
	sizes := lengths(a.SliceSizes.Shape(), kept)
	from, into := lengths(array.Strides(x.Type.Shape), kept), lengths(to, a.OffsetDims)
	for i, vector := range vectors { // vector is the offset of an index vector in indices
		start, _ := dims.start(x.Type.Shape, a.SliceSizes.Ints(), indices, vector, batchIndex(batch, i), true)
		slice, err := array.Read(e.Context(), sizes, x, start, from)
		if err != nil {
			return nil, err
		}
		if err := array.Write(e.Context(), out, slice, targets[i], into); err != nil {
			return nil, err
		}
	}
	return oneResult(out, nil)
}
