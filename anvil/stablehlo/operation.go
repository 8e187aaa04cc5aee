package stablehlo

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// The methods in this file write one operation each, and return the name of its result. They are for nodes
// that are lowered to several operations.

// Apply writes an operation whose operands and result have type t.
func (w *Writer) Apply(op string, t shape.Type, args ...Name) Name {
	r := w.Temp()
	w.Str("stablehlo.").Str(op).Str(" ").list(args).Str(" : ").Type(t).Str("\n")
	return r
}

// ApplyCHLO is Apply for an operation of the CHLO dialect.
func (w *Writer) ApplyCHLO(op string, t shape.Type, args ...Name) Name {
	r := w.Temp()
	w.Str("chlo.").Str(op).Str(" ").list(args).Str(" : ")
	for i := range args {
		w.Comma(i).Type(t)
	}
	w.Str(" -> ").Type(t).Str("\n")
	return r
}

// list writes names: "%0, %1".
func (w *Writer) list(names []Name) *Writer {
	for i, n := range names {
		w.Comma(i).Name(n)
	}
	return w
}

// ApplyFromTo writes an operation with an operand of type from and a result of type to, such as convert or reshape.
func (w *Writer) ApplyFromTo(op string, x Name, from, to shape.Type) Name {
	r := w.Temp()
	w.Str("stablehlo.").Str(op).Str(" ").Name(x).Str(" : (").Type(from).Str(") -> ").Type(to).Str("\n")
	return r
}

// Constant writes a constant of type t. data has its elements in host form, or one element that
// fills the shape.
func (w *Writer) Constant(t shape.Type, data string) Name {
	r := w.Temp()
	w.Str("stablehlo.constant ").Dense(t.DType, t.Shape, data).Str(" : ").Type(t).Str("\n")
	return r
}

// Splat writes a constant of type t whose elements are all x.
func (w *Writer) Splat(x int64, t shape.Type) Name {
	b := make([]byte, t.DType.Size())
	dtype.PutInt(b, t.DType, x)
	return w.Constant(t, string(b))
}
