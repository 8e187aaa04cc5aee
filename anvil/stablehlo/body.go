package stablehlo

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file writes single operations, for lowerings of a node to several. Each method
// returns the name of the result.

// Apply writes an operation whose operands and result have type t.
func (w *Writer) Apply(op string, t shape.Type, args ...Name) Name {
	r := w.Temp()
	w.Str("stablehlo.").Str(op).Str(" ")
	for i, a := range args {
		if i > 0 {
			w.Str(", ")
		}
		w.Name(a)
	}
	w.Str(" : ").Type(t).Str("\n")
	return r
}

// ApplyCHLO is Apply for an operation of the CHLO dialect.
func (w *Writer) ApplyCHLO(op string, t shape.Type, args ...Name) Name {
	r := w.Temp()
	w.Str("chlo.").Str(op).Str(" ")
	for i, a := range args {
		if i > 0 {
			w.Str(", ")
		}
		w.Name(a)
	}
	w.Str(" : ")
	for i := range args {
		if i > 0 {
			w.Str(", ")
		}
		w.Type(t)
	}
	w.Str(" -> ").Type(t).Str("\n")
	return r
}

// Convert writes an operation with an operand of type from and a result of type to.
func (w *Writer) Convert(op string, x Name, from, to shape.Type) Name {
	r := w.Temp()
	w.Str("stablehlo.").Str(op).Str(" ").Name(x).Str(" : (").Type(from).Str(") -> ").Type(to).Str("\n")
	return r
}

// Compare writes a comparison of x and y of type t.
func (w *Writer) Compare(direction, compareType string, x, y Name, t shape.Type) Name {
	r := w.Temp()
	w.Str("stablehlo.compare ").Str(direction).Str(", ").Name(x).Str(", ").Name(y).Str(", ").Str(compareType).
		Str(" : (").Type(t).Str(", ").Type(t).Str(") -> ").Type(Bool(t)).Str("\n")
	return r
}

// Select writes the selection by pred of elements of x or y of type t.
func (w *Writer) Select(pred, x, y Name, t shape.Type) Name {
	r := w.Temp()
	w.Str("stablehlo.select ").Name(pred).Str(", ").Name(x).Str(", ").Name(y).Str(" : ").Type(Bool(t)).Str(", ").Type(t).Str("\n")
	return r
}

// Constant writes a constant of type t. data has its elements in host form, or a single one
// for all.
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

// Bool returns the type of bools with the shape of t.
func Bool(t shape.Type) shape.Type { return shape.Type{DType: dtype.I1, Shape: t.Shape} }
