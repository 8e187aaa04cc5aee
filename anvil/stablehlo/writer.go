// Package stablehlo writes programs as StableHLO text: the syntax of modules, operations, types and
// constants. Package ops has the lowering of each operation.
package stablehlo

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Writer appends the text of one module to a buffer.
type Writer struct {
	buf    []byte
	lower  func(w *Writer, n *ir.Node) // writes the operations of n
	names  map[*ir.Value]Name
	next   int32 // the next unused id of a Name
	indent int   // the number of indentations of a line
}

// A Name is the name of a value in the text.
type Name struct {
	id     int32
	result int16 // the index of the result if the operation has several, otherwise -1
	param  bool  // whether the value is a parameter of main
}

// An Alias says that a result of main may be stored in the memory of a parameter. The argument cannot be used
// afterwards.
type Alias struct{ Param, Result int }

// Module appends the text of g to dst, as a module with one function, main. It calls lower to write each
// node.
func Module(dst []byte, g *ir.Graph, lower func(w *Writer, n *ir.Node), aliases ...Alias) []byte {
	w := &Writer{buf: dst, lower: lower, names: make(map[*ir.Value]Name, len(g.Params)+len(g.Nodes))}
	w.Str("module {\n  func.func public @main(")
	for i, p := range g.Params {
		w.Comma(i)
		w.names[p] = Name{id: int32(i), result: -1, param: true}
		w.Value(p).Str(": ").Type(p.Type)
		for _, a := range aliases {
			if a.Param == i {
				w.Str(" {tf.aliasing_output = ").Int(a.Result).Str(" : i32}")
			}
		}
	}
	w.Str(") -> ").results(g.Outputs).Str(" {\n")
	w.indent = 2
	w.body(g, "return")
	return append(w.buf, "  }\n}\n"...)
}

// Region writes the nodes of g and a stablehlo.return of its outputs. params are the names
// of g's parameters.
func (w *Writer) Region(g *ir.Graph, params []Name) *Writer {
	for i, p := range g.Params {
		w.names[p] = params[i]
	}
	w.indent++
	w.body(g, "stablehlo.return")
	w.indent--
	return w
}

// Inline writes the nodes of g as part of the current function or region. params are the
// names of g's parameters.
func (w *Writer) Inline(g *ir.Graph, params []Name) {
	for i, p := range g.Params {
		w.names[p] = params[i]
	}
	w.nodes(g)
}

// nodes lowers the nodes of g.
func (w *Writer) nodes(g *ir.Graph) {
	for _, n := range g.Nodes {
		w.lower(w, n)
	}
}

// body writes the nodes of g and the operation ret, which returns the outputs of g.
func (w *Writer) body(g *ir.Graph, ret string) {
	w.nodes(g)
	w.Line().Str(ret)
	if len(g.Outputs) > 0 {
		w.Str(" ").Values(g.Outputs...).Str(" : ").Types(g.Outputs)
	}
	w.Str("\n")
}

// IsParam reports whether v is a parameter of main, or a parameter of an inlined graph that has the name of
// one. The compiler does not know the value of such a v.
func (w *Writer) IsParam(v *ir.Value) bool { return v.Node == nil && w.names[v].param }

// Op begins the operation that computes the results of n: "%3 = ", or "%3:2 = " for two
// results.
func (w *Writer) Op(n *ir.Node) *Writer {
	name := w.Fresh()
	w.Line().Name(name)
	if len(n.Results) == 1 {
		w.names[n.Results[0]] = name
		return w.Str(" = ")
	}
	for i, r := range n.Results {
		w.names[r] = Name{id: name.id, result: int16(i)}
	}
	return w.Str(":").Int(len(n.Results)).Str(" = ")
}

// Temp begins an operation that computes an intermediate value of a lowering, and returns the
// name of the value.
func (w *Writer) Temp() Name {
	name := w.Fresh()
	w.Line().Name(name).Str(" = ")
	return name
}

// TempPair is Temp for an operation with two results.
func (w *Writer) TempPair() (first, second Name) {
	first = w.Fresh()
	w.Line().Name(first).Str(":2 = ")
	first.result = 0
	second = first
	second.result = 1
	return first, second
}

// Fresh returns an unused name.
func (w *Writer) Fresh() Name {
	w.next++
	return Name{id: w.next - 1, result: -1}
}

// NameOf returns the name of v.
func (w *Writer) NameOf(v *ir.Value) Name { return w.names[v] }

// NamesOf returns the names of vs.
func (w *Writer) NamesOf(vs []*ir.Value) []Name {
	names := make([]Name, len(vs))
	for i, v := range vs {
		names[i] = w.names[v]
	}
	return names
}

// Rename makes name the name of v.
func (w *Writer) Rename(v *ir.Value, name Name) { w.names[v] = name }

// Name writes a name.
func (w *Writer) Name(n Name) *Writer {
	if n.param {
		w.Str("%arg")
	} else {
		w.Str("%")
	}
	w.Int(int(n.id))
	if n.result >= 0 {
		w.Str("#").Int(int(n.result))
	}
	return w
}

// Value writes the name of v.
func (w *Writer) Value(v *ir.Value) *Writer { return w.Name(w.names[v]) }

// Values writes the names of vs: "%0, %1".
func (w *Writer) Values(vs ...*ir.Value) *Writer {
	for i, v := range vs {
		w.Comma(i).Value(v)
	}
	return w
}

// Str writes s.
func (w *Writer) Str(s string) *Writer {
	w.buf = append(w.buf, s...)
	return w
}

// Comma writes the separator before item i of a list: ", ", or nothing before item 0.
func (w *Writer) Comma(i int) *Writer {
	if i > 0 {
		w.Str(", ")
	}
	return w
}

// Int writes i.
func (w *Writer) Int(i int) *Writer {
	w.buf = strconv.AppendInt(w.buf, int64(i), 10)
	return w
}

// Dims writes the integers of d: "[0, 1]".
func (w *Writer) Dims(d shape.Dims) *Writer { return w.Str("[").ints(d).Str("]") }

// Array writes d as MLIR's dense array attribute: "array<i64: 0, 1>".
func (w *Writer) Array(d shape.Dims) *Writer {
	if d == "" {
		return w.Str("array<i64>")
	}
	return w.Str("array<i64: ").ints(d).Str(">")
}

// ints writes the integers of d, separated by commas.
func (w *Writer) ints(d shape.Dims) *Writer {
	for i, x := range d.All() {
		w.Comma(i).Int(x)
	}
	return w
}

// Param writes the declaration of a region's parameter: a name with its type.
func (w *Writer) Param(n Name, t shape.Type) *Writer { return w.Name(n).Str(": ").Type(t) }

// Indent adds by to the number of indentations of the lines that follow.
func (w *Writer) Indent(by int) { w.indent += by }

// Line begins a line with the current indentation.
func (w *Writer) Line() *Writer {
	for range w.indent {
		w.Str("  ")
	}
	return w
}

// Type writes t: "tensor<2x3xf32>".
func (w *Writer) Type(t shape.Type) *Writer {
	w.Str("tensor<")
	for _, d := range t.Shape {
		w.Int(d).Str("x")
	}
	return w.Str(t.DType.MLIR()).Str(">")
}

// Types writes the types of vs: "tensor<f32>, tensor<i32>".
func (w *Writer) Types(vs []*ir.Value) *Writer {
	for i, v := range vs {
		w.Comma(i).Type(v.Type)
	}
	return w
}

// EndFunc writes the types of n's operands and results and ends the line:
// " : (tensor<f32>) -> tensor<i32>".
func (w *Writer) EndFunc(n *ir.Node) {
	w.Str(" : (").Types(n.Args).Str(") -> ").results(n.Results).Str("\n")
}

// End writes the type of n's first result and ends the line.
func (w *Writer) End(n *ir.Node) { w.Str(" : ").Type(n.Results[0].Type).Str("\n") }

// results writes the types of vs as the result types of a function: in parentheses unless
// there is exactly one.
func (w *Writer) results(vs []*ir.Value) *Writer {
	if len(vs) == 1 {
		return w.Type(vs[0].Type)
	}
	return w.Str("(").Types(vs).Str(")")
}
