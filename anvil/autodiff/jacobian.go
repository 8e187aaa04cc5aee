package autodiff

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Jacobian returns the program of the Jacobian of g's first output, which must be real, with respect to each
// active parameter: result[i..., j...] is the derivative of element i of the output with respect to element j
// of the parameter. The program has the parameters of g. It uses a batched VJP with a lane for each element of the
// output, or, if forward is true, a batched JVP with a lane for each element of the active parameters.
func Jacobian(g *ir.Graph, active []bool, forward bool, conv *Conventions) (*ir.Graph, error) {
	if forward {
		return jacobianForward(g, active, conv)
	}
	out := g.Outputs[0].Type
	back, err := VJP(g, active, conv)
	if err != nil {
		return nil, err
	}
	back.Outputs = back.Outputs[len(g.Outputs):]
	n := out.Shape.Size()
	mask := make([]bool, len(back.Params))
	mask[len(g.Params)] = true
	lanes, err := Batch(ir.Prune(back), n, mask)
	if err != nil {
		return nil, err
	}
	return derive(g, nil, func(d *deriver) {
		eye := d.Eye(out.DType, n, n)
		d.eye = eye.(*ir.Value)
		args := append(d.params(g.Params), d.Reshape(eye, slices.Concat(shape.Shape{n}, out.Shape)...))
		for _, o := range g.Outputs[1:] {
			if Differentiable(o.Type.DType) {
				args = append(args, d.instantiate(nil, o.Type))
			}
		}
		for _, rows := range d.write(lanes, args) {
			d.outputs(d.Reshape(rows, slices.Concat(out.Shape, rows.Shape()[1:])...))
		}
	})
}

// jacobianForward implements Jacobian in forward mode.
func jacobianForward(g *ir.Graph, active []bool, conv *Conventions) (*ir.Graph, error) {
	out := g.Outputs[0].Type
	push, err := JVP(g, active, conv)
	if err != nil {
		return nil, err
	}
	push.Outputs = push.Outputs[len(g.Outputs) : len(g.Outputs)+1]
	var activeTypes []shape.Type
	n := 0
	for i, p := range g.Params {
		if active[i] {
			activeTypes = append(activeTypes, p.Type)
			n += p.Type.Shape.Size()
		}
	}
	mask := make([]bool, len(push.Params))
	for i := len(g.Params); i < len(mask); i++ {
		mask[i] = true
	}
	lanes, err := Batch(ir.Prune(push), n, mask)
	if err != nil {
		return nil, err
	}
	return derive(g, nil, func(d *deriver) {
		args := d.params(g.Params)
		at := 0
		for _, t := range activeTypes {
			// The tangents of the parameter are the columns of the n x n identity that belong to its elements.
			element := d.Iota(dtype.I32, 1, 1, t.Shape.Size())
			if at > 0 {
				element = d.Add(element, at)
			}
			basis := d.Convert(d.Eq(d.Iota(dtype.I32, 0, n, 1), element), t.DType)
			if len(activeTypes) == 1 {
				d.eye = basis.(*ir.Value)
			}
			args = append(args, d.Reshape(basis, slices.Concat(shape.Shape{n}, t.Shape)...))
			at += t.Shape.Size()
		}
		columns := d.write(lanes, args)[0]
		order := append(axes(1, 1+len(out.Shape)), 0)
		at = 0
		for _, t := range activeTypes {
			part := d.Slice(columns, 0, at, at+t.Shape.Size())
			d.outputs(d.Reshape(d.Permute(part, order...), slices.Concat(out.Shape, t.Shape)...))
			at += t.Shape.Size()
		}
	})
}

// axes returns the axes low to high-1.
func axes(low, high int) []int {
	var all []int
	for i := low; i < high; i++ {
		all = append(all, i)
	}
	return all
}
