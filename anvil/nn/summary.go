package nn

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/typename"
)

// A LayerRow describes the calls of a layer with inputs of one type.
type LayerRow struct {
	Path        string // of the layer: "Blocks.0.Out"; "" for the model itself
	Layer       string // "nn.Dense"
	Input       string // the types of the inputs: "f32{5,3}"
	Output      string // the type of the result
	ParamDTypes []nv.DType
	Computation nv.DType // of the computation; the zero value if the layer chooses none, like Dropout
	Result      nv.DType
	Parameters  int    // number of elements of the layer's tensors, including those not trained
	NotTrained  int    // elements of an nv.State, of a frozen tensor, or of a dtype that is neither float nor complex
	Bytes       int    // of the parameters
	Operations  int    // see Summary
	Why         string // why the dtypes differ; "" if they do not
}

// A LayerTable has a row for each layer that a model applies, in order, and a last row for the
// whole model.
type LayerTable []LayerRow

// Summary describes how model.Apply(x...) uses the layers of the model: shapes; the dtypes of
// input, parameters, computation and result, and the reason if these dtypes differ; and the
// numbers of parameters, of parameters that are not trained, of bytes and of operations. Nothing
// is computed, and the model need not be initialized.
//
// Operations are counted in the program of Apply: one for each element of a result or, in
// a reduction, for each element that it reads; two, a multiplication and an addition, for each product
// in a matrix multiplication or a convolution; none for operations that move or convert
// elements. The row of a layer does not include the layers inside it. The last row has the
// sums, including operations outside of layers. A layer that is applied several times to
// inputs of one type has one row.
//
// x holds tensors, followed by options such as Freeze. Frozen tensors count as not trained:
//
//	nn.Summary(model, x, nn.Freeze("In"))
func Summary(model any, x ...any) LayerTable {
	xs, opts := summaryArguments(x)
	r := &report{}
	_, program := trace("Summary", model, xs, r)
	frozen := map[string]bool{}
	names := nv.TreePaths(model)
	for i, f := range extension.Frozen("nn.Summary", model, opts) {
		frozen[names[i]] = f
	}
	r.countOperations(program.Graph(), 0, 1)
	total := LayerRow{Layer: typename.Of(model), Input: describe(xs...), Operations: r.outside}
	for _, row := range r.rows {
		total.Operations += row.Operations
	}
	var outputs []string
	for _, v := range program.Graph().Outputs {
		outputs = append(outputs, typeText(v.Type.DType, v.Type.Shape))
		total.Result = v.Type.DType
	}
	total.Output = strings.Join(outputs, ", ")
	table := LayerTable{}
	for _, row := range r.rows {
		for _, p := range row.parameters {
			row.add(p, frozen[p.path])
			total.add(p, frozen[p.path])
		}
		table = append(table, row.LayerRow)
	}
	for i, t := range nv.TreeLeaves(model) {
		if t.Valid() && !slices.Contains(r.parameters, names[i]) {
			total.add(parameter{names[i], t.Shape().Size(), t.DType()}, frozen[names[i]])
		}
	}
	return append(table, total)
}

// summaryArguments returns the tensors and the options among the arguments of Summary.
func summaryArguments(args []any) (xs []nv.Tensor, opts []nv.GradOption) {
	for _, a := range args {
		switch a := a.(type) {
		case nv.Tensor:
			xs = append(xs, a)
		case nv.GradOption:
			opts = append(opts, a)
		default:
			fail("Summary", typename.Of(a), "the argument is neither a tensor nor an option",
				`write nn.Summary(model, x, nn.Freeze("In"))`)
		}
	}
	return xs, opts
}

// A parameter is a tensor of a model. size is its number of elements.
type parameter struct {
	path  string
	size  int
	dtype nv.DType
}

// add counts p in the row. frozen reports whether p is in an nv.State or frozen by an option Freeze.
func (r *LayerRow) add(p parameter, frozen bool) {
	if !slices.Contains(r.ParamDTypes, p.dtype) {
		r.ParamDTypes = append(r.ParamDTypes, p.dtype)
	}
	r.Parameters += p.size
	r.Bytes += (p.size*p.dtype.Bits() + 7) / 8
	if frozen || !p.dtype.Is(dtype.Inexact) {
		r.NotTrained += p.size
	}
}

// typeText returns the text of a type: "f32{2,3}".
func typeText(d nv.DType, s nv.Shape) string { return d.String() + s.String() }

// A report collects the calls of layers while Summary or Audit traces Apply.
type report struct {
	rows       []*reportRow
	open       []*reportRow // of the calls in progress, innermost last
	parameters []string     // the paths of the tensors that layers have used
	outside    int          // operations outside of layers
}

// A reportRow is a LayerRow with the scope of the layer's operations in the program, and the
// parameters that no earlier row has counted.
type reportRow struct {
	LayerRow
	scope      ir.Scope
	parameters []parameter
}

// enter begins a call of the layer op at path, which lasts until leave is called. It adds a row for the
// layer and the types of its inputs xs if there is none. *y must be the result when leave is called.
func (r *report) enter(path, op string, y *nv.Tensor, xs []nv.Tensor) (leave func()) {
	input := describe(xs...)
	i := slices.IndexFunc(r.rows, func(row *reportRow) bool { return row.Path == path && row.Input == input })
	if i < 0 {
		i = len(r.rows)
		row := LayerRow{Path: path, Layer: "nn." + op, Input: input}
		r.rows = append(r.rows, &reportRow{LayerRow: row, scope: ir.ScopeOf(strconv.Itoa(i))})
	}
	row, name := r.rows[i], strconv.Itoa(i)
	r.open = append(r.open, row)
	leaveScope := func() {}
	if xs[0].Valid() {
		leaveScope = extension.Enter(xs[0], name)
	}
	return func() {
		leaveScope()
		r.open = r.open[:len(r.open)-1]
		if !y.Valid() {
			return
		}
		row.Output, row.Result = typeText(y.DType(), y.Shape()), y.DType()
		if row.Why == "" && row.Computation.Valid() && row.Computation != row.Result {
			row.Why = fmt.Sprintf("computed at %v", row.Computation)
		}
	}
}

// current returns the row of the innermost call, or nil if that is not a call of the layer at path.
func (r *report) current(path string) *reportRow {
	if len(r.open) == 0 || r.open[len(r.open)-1].Path != path {
		return nil
	}
	return r.open[len(r.open)-1]
}

// parameter adds the tensor x of a layer's field, with shape s, to the row of the call in progress, unless a
// row has it already. If x is absent, d is the dtype at which Init would make it.
func (r *report) parameter(path, field string, s nv.Shape, d nv.DType, x nv.Tensor) {
	name := strings.TrimPrefix(path+"."+field, ".")
	row := r.current(path)
	if row == nil || slices.Contains(r.parameters, name) {
		return
	}
	r.parameters = append(r.parameters, name)
	if x.Valid() {
		d = x.DType()
	}
	row.parameters = append(row.parameters, parameter{name, s.Size(), d})
}

// computed records that the layer at path computes at d, and why.
func (r *report) computed(path string, d nv.DType, why string) {
	row := r.current(path)
	if row == nil {
		return
	}
	row.Computation = d
	if why != "" && !strings.Contains(row.Why, why) {
		row.Why = strings.TrimPrefix(row.Why+"; "+why, "; ")
	}
}

// why returns the reason why a layer computes at d: the dtype given, if it is valid, or the promotion of the operands
// xs. It returns "" if all operands have the dtype d and are equally ambiguous. source says where given is from.
func why(sys *promote.System, given nv.DType, source string, d nv.DType, xs []nv.Tensor) string {
	var operands []any
	var names []string
	for _, x := range xs {
		if x.Valid() && !slices.Contains(names, x.Typed().String()) {
			operands, names = append(operands, x), append(names, x.Typed().String())
		}
	}
	switch {
	case len(names) == 1 && operands[0].(nv.Tensor).DType() == d:
		return ""
	case given.Valid():
		return fmt.Sprintf("%s to %v: %s", strings.Join(names, ", "), d, source)
	}
	common := sys.Result(operands...).DType
	text := fmt.Sprintf("%s to %v in %s", strings.Join(names, ", "), common, sys.Name())
	if steps := sys.Explain(operands...).Steps; len(steps) > 0 {
		text += ": " + steps[len(steps)-1].Rule.Name
	}
	if common != d {
		text = fmt.Sprintf("%v to %v: layers compute with floats", common, d)
	}
	return text
}

// countOperations adds the operations of g, which runs the given number of times, to the rows of
// their scopes, or to r.outside. Nodes without a scope belong to the scope outer.
func (r *report) countOperations(g *ir.Graph, outer ir.Scope, times int) {
	for _, n := range g.Nodes {
		scope, inner := cmp.Or(n.Scope, outer), times
		if a, ok := n.Attrs.(ir.ScanAttrs); ok {
			inner *= a.Length
		}
		for _, region := range n.Regions {
			r.countOperations(region, scope, inner)
		}
		if row := r.rowOf(scope); row != nil {
			row.Operations += times * operations(n)
		} else {
			r.outside += times * operations(n)
		}
	}
}

// rowOf returns the row of the layer with the given scope, or nil.
func (r *report) rowOf(scope ir.Scope) *reportRow {
	for _, row := range r.rows {
		if row.scope == scope {
			return row
		}
	}
	return nil
}

// operations returns the number of operations of n, without those of its regions.
func operations(n *ir.Node) int {
	moves := n.Code <= ir.Reverse // codes up to Reverse are of operations that move or convert elements
	if moves || len(n.Regions) > 0 || len(n.Results) == 0 || len(n.Args) == 0 {
		return 0
	}
	operand, result := n.Args[0].Type, n.Results[0].Type
	switch a := n.Attrs.(type) {
	case ir.DotAttrs:
		k := 1
		for _, axis := range a.LhsContract.Ints() {
			k *= operand.Shape[axis]
		}
		return 2 * k * result.Shape.Size()
	case ir.ConvAttrs:
		kernel := n.Args[1].Type.Shape
		return 2 * result.Shape.Size() * kernel.Size() / max(1, kernel[a.Rhs.Ints()[0]])
	case ir.WindowAttrs:
		return result.Shape.Size() * nv.Shape(a.Size.Ints()).Size()
	}
	if n.Code >= ir.ReduceSum && n.Code <= ir.ArgMin {
		return operand.Shape.Size()
	}
	return result.Shape.Size()
}

// String returns the rows as text.
func (t LayerTable) String() string { return textTable(t.grid()) }

// HTML returns the rows as a table.
func (t LayerTable) HTML() string { return htmlTable(t.grid()) }

// grid returns the cells of the table by rows; the first row is the header. The column "not trained" is left
// out if all parameters are trained.
func (t LayerTable) grid() [][]string {
	grid := [][]string{
		{"layer", "input", "output", "param dtype", "computed at", "parameters", "bytes", "operations", "why"},
	}
	const afterParameters = 6 // the column after "parameters"
	notTrained := len(t) > 0 && t[len(t)-1].NotTrained > 0
	if notTrained {
		grid[0] = slices.Insert(grid[0], afterParameters, "not trained")
	}
	for _, r := range t {
		name := r.Layer
		if r.Path != "" {
			name = r.Path + " (" + r.Layer + ")"
		}
		var params []string
		for _, d := range r.ParamDTypes {
			params = append(params, d.String())
		}
		computed := ""
		if r.Computation.Valid() {
			computed = r.Computation.String()
		}
		row := []string{name, r.Input, r.Output, strings.Join(params, ", "), computed,
			grouped(r.Parameters), grouped(r.Bytes), grouped(r.Operations), r.Why}
		if notTrained {
			row = slices.Insert(row, afterParameters, grouped(r.NotTrained))
		}
		grid = append(grid, row)
	}
	return grid
}
