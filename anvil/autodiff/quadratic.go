package autodiff

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A quadratic form is a sum of f(w)*p*q over the eigenvectors or singular vectors, where one of the factors p and q is
// linear in the vectors and the other in their conjugates (w, f, V, W and N are those of spectrum.go). With the terms
// in N it is the sum of (p*f(W))*q. A program may compute p*q first and multiply the product by f(w) afterwards, as in
// the sum of f(w)*|adjoint(V)*b|^2. A component of kind quadratic therefore keeps both factors.

// squared returns the component of x[0]*x[1] if that product is a quadratic form.
func (c coupler) squared(x []expr.Value) (k component, ok bool) {
	a, b := c.components[x[0]], c.components[x[1]]
	switch {
	case a.spectrum == nil || a.spectrum != b.spectrum || a.axis != b.axis || a.kind != b.kind:
		return k, false
	case a.kind == magnitude && x[0] == x[1]:
		return component{spectrum: a.spectrum, axis: a.axis, kind: quadratic, p: a.p, q: c.Conj(a.p)}, true
	case a.kind == vectors && (a.conj != b.conj || !x[0].DType().Is(dtype.Complex)):
		return component{spectrum: a.spectrum, axis: a.axis, kind: quadratic, p: x[0], q: x[1]}, true
	}
	return k, false
}

// times returns p*k.q with the dtype and shape of y. It sums the product over the trailing axes that y does not have,
// and drops the imaginary part if y is real.
func (c coupler) times(k component, p, y expr.Value) expr.Value {
	z := c.Mul(p, k.q)
	if !y.DType().Is(dtype.Complex) {
		z = c.Real(z)
	}
	for range len(p.Shape()) - len(y.Shape()) {
		z = c.Sum(z, -1)
	}
	return c.Convert(z, y.DType())
}

// scaledForm implements result for y, the product of a form with component k and a factor of the shape of y.
func (c coupler) scaledForm(k component, factor, y expr.Value) (out expr.Value, scaled component, ok bool) {
	factorComponent, spectral := c.components[factor]
	if spectral && factorComponent.kind != function || !spectral && !c.constantAlong(factor, k.axis) {
		return y, k, false
	}
	p := k.p
	converted := c.Convert(factor, p.DType())
	attrs := ir.BroadcastAttrs{Shape: p.Shape().Dims(), Axes: shape.DimsOf(upTo(len(factor.Shape()))...)}
	f := c.Do(ir.BroadcastInDim, attrs, converted)
	if scaled = k; !spectral {
		scaled.p = c.Mul(p, f)
		c.components[scaled.p] = c.components[p]
		return y, scaled, true
	}
	c.components[converted], c.components[f] = factorComponent, factorComponent
	terms := c.terms(c.components[p], p, f)
	scaled.p = c.Add(c.Mul(p, f), terms)
	c.components[scaled.p] = c.components[p]
	return c.Add(y, c.times(k, terms, y)), scaled, true
}

// summedForm returns the component of the sum of a form with component k over axes other than that of the vectors. It
// moves the summed axes of the factors to the end, where times sums them.
func (c coupler) summedForm(k component, summed []int) (component, bool) {
	order, axis := []int{}, k.axis
	for i := range k.p.Shape() {
		if !slices.Contains(summed, i) {
			order = append(order, i)
		}
	}
	for _, i := range summed {
		if i < k.spectrum.batch || i == k.axis {
			return k, false
		}
		if i < k.axis {
			axis--
		}
	}
	return c.withMoved(k, axis, func(x expr.Value) expr.Value { return c.Permute(x, append(order, summed...)...) }), true
}

// movedForm implements result for operations that move, convert or sum the elements of x, a form with component k.
func (c coupler) movedForm(n *ir.Node, k component, x, y expr.Value) (out expr.Value, moved component, ok bool) {
	axis := k.axis
	switch n.Code {
	case ir.Convert:
		return y, k, y.DType().Is(dtype.Floating)
	case ir.ReduceSum:
		k, ok = c.summedForm(k, n.Attrs.(ir.AxesAttrs).Axes.Ints())
		return y, k, ok
	case ir.Transpose:
		axis = slices.Index(n.Attrs.(ir.AxesAttrs).Axes.Ints(), axis)
	case ir.BroadcastInDim:
		axis = n.Attrs.(ir.BroadcastAttrs).Axes.Ints()[axis]
	case ir.Reshape:
		axis = sameAxis(x.Shape(), y.Shape(), axis)
	default:
		return y, k, false
	}
	if axis < 0 || len(k.p.Shape()) != len(x.Shape()) {
		return y, k, false
	}
	return y, c.withMoved(k, axis, func(v expr.Value) expr.Value { return c.Do(n.Code, n.Attrs, v) }), true
}

// summedProduct returns the terms of the product of a form, operand i of x, and a function, summed over the
// vectors. It returns nil if x are not such operands, if there are batch axes, or if the form is itself a sum.
// batch is the number of the product's batch axes, and summed has the axes of each operand that are summed.
func (c coupler) summedProduct(x []expr.Value, i, batch int, summed [][]int) expr.Value {
	k, f := c.components[x[i]], c.components[x[1-i]]
	if k.kind != quadratic || f.kind != function || f.spectrum != k.spectrum {
		return nil
	}
	sumsVectors := slices.Equal(summed[i], []int{k.axis}) && slices.Equal(summed[1-i], []int{f.axis})
	hasBatch := batch > 0 || k.spectrum.batch > 0
	hasSummedAxes := len(k.p.Shape()) != len(x[i].Shape()) // see times
	if !sumsVectors || hasBatch || hasSummedAxes {
		return nil
	}
	// Broadcast both operands to shape s: their free axes, then the axis of the vectors.
	s := shape.Shape{}
	to := [2][]int{}
	for j, v := range x {
		for axis, n := range v.Shape() {
			to[j] = append(to[j], len(s))
			if axis != summed[j][0] {
				s = append(s, n)
			}
		}
	}
	to[0][summed[0][0]], to[1][summed[1][0]] = len(s), len(s)
	s = append(s, x[i].Shape()[k.axis])
	spread := func(j int, v expr.Value) expr.Value {
		return c.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: shape.DimsOf(to[j]...)}, v)
	}
	k = c.withMoved(k, len(s)-1, func(v expr.Value) expr.Value { return spread(i, v) })
	factor := spread(1-i, x[1-i])
	f.axis = len(s) - 1
	c.components[factor] = f
	terms, _, _ := c.scaledForm(k, factor, c.Like(factor, 0))
	return c.Sum(terms, -1)
}

// withMoved returns the component k of a form with move applied to both factors; axis is the new axis of the vectors.
func (c coupler) withMoved(k component, axis int, move func(x expr.Value) expr.Value) component {
	p := c.components[k.p]
	k.p, k.q, k.axis, p.axis = move(k.p), move(k.q), axis, axis
	c.components[k.p] = p
	return k
}
