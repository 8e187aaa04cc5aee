package autodiff

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Let w be the eigenvalues of a matrix and V its eigenvectors. If eigenvalues are equal, their eigenvectors are not
// unique, and a change of the matrix couples them: in the basis V, diag(w) becomes a matrix W = diag(w) + N, where N
// has only off-diagonal elements. The derivative of V*f(W)*adjoint(V) depends on the derivatives of f(W) with respect
// to all elements of W, but f(w) provides only those on the diagonal. The rule of Eigh cannot supply the off-diagonal
// ones, since the cotangents of w and V do not determine them: where f(w) = 0, for example, the cotangent of V is 0.
//
// A deriver therefore rewrites a program before it differentiates the program. It adds N as a matrix whose value is
// 0 and whose derivatives are those of the off-diagonal elements of W. It adds the terms in N to each sum of f(w) over
// the eigenvalues, and to each product v*f(w) where v is linear in the eigenvectors:
//
//	v*f(W) = v*(f(w) + (f'(w)*N + N*f'(w))/2 + N*f"(w)*N/2)
//
// These terms are exact up to the second order in N, so that first and second derivatives are right. Values
// do not change. The results of SVD are treated in the same way.

// A spectrum is the result of Eigh or SVD.
type spectrum struct {
	values   expr.Value
	batch    int        // the number of batch axes
	coupling expr.Value // the matrix N
}

// A component describes how a value depends on a spectrum along one of its axes.
type component struct {
	spectrum *spectrum
	axis     int
	kind     componentKind
	conj     bool       // the vectors are conjugated
	diagonal expr.Value // padded, diagonalMatrix: the elements on the diagonal
	p        expr.Value // magnitude: the value whose magnitude it is; quadratic: the first factor
	q        expr.Value // quadratic: the second factor
}

type componentKind int

// The kinds up to vectors have one element for each eigenvalue along the axis of the component. The code
// tests kind <= vectors and kind > vectors, so the order of the kinds matters.
const (
	function       componentKind = iota // element i is a function of eigenvalue i
	vectors                             // element i is linear in vector i
	padded                              // the elements of a diagonal matrix in row-major order
	diagonalMatrix                      // a matrix with a function on its diagonal
	magnitude                           // the magnitudes of elements that are linear in vector i
	quadratic                           // element i is p*q, or a sum of such products: see quadratic.go
)

// A coupler copies a program and adds the terms in N.
type coupler struct {
	*deriver
	components map[expr.Value]component // how the values written so far depend on a spectrum
}

// coupled returns g with the terms in N of its eigenvalues and singular values.
func (d *deriver) coupled(g *ir.Graph) *ir.Graph {
	if !slices.ContainsFunc(g.Nodes, isUncoupled) {
		return g
	}
	c := coupler{newDeriver(d.conventions), map[expr.Value]component{}}
	c.graph.Name = g.Name
	values := map[*ir.Value]expr.Value{}
	for _, p := range g.Params {
		values[p] = c.param(p.Type)
	}
	for _, n := range g.Nodes {
		args, _ := lookup(values, n.Args)
		c.scope = n.Scope
		for i, v := range c.node(n, args) {
			values[n.Results[i]] = v
		}
	}
	outputs, _ := lookup(values, g.Outputs)
	c.outputs(outputs...)
	return ir.Prune(c.graph)
}

// isUncoupled reports whether n is an Eigh or SVD that coupled has not processed yet.
func isUncoupled(n *ir.Node) bool {
	attrs, _ := n.Attrs.(ir.FullAttrs)
	return (n.Code == ir.Eigh || n.Code == ir.SVD) && !attrs.Coupled
}

// node writes operation n on operands x, and adds the terms in N that the result needs.
func (c coupler) node(n *ir.Node, x []expr.Value) []expr.Value {
	if isUncoupled(n) {
		return c.factorization(n, x)
	}
	y := c.copyNode(n, x)
	if len(y) != 1 {
		return y
	}
	out, k, ok := c.result(n, x, y[0])
	if ok {
		c.components[out] = k
	}
	return []expr.Value{out}
}

// factorization writes n, an Eigh or SVD, and registers the components of its results.
func (c coupler) factorization(n *ir.Node, x []expr.Value) []expr.Value {
	attrs, _ := n.Attrs.(ir.FullAttrs)
	attrs.Coupled = true
	y := c.All(n.Code, attrs, nil, x...)
	s := x[0].Shape()
	rank := len(s)
	if s.Size() == 0 || attrs.Full && s[rank-1] != s[rank-2] {
		return y
	}
	sp := &spectrum{batch: rank - 2, coupling: ops.Coupling(c.Builder, n.Code, x[0], y)}
	// Subtracting the same value without its derivative makes the value exactly 0 and keeps the derivatives.
	constant := c.All(ir.Call, ir.CallAttrs{Rule: true}, stopGradientRegions(sp.coupling), sp.coupling)[0]
	sp.coupling = c.Sub(sp.coupling, constant)
	if n.Code == ir.Eigh {
		sp.values = y[0]
		c.components[y[1]] = component{spectrum: sp, axis: rank - 1, kind: vectors}
	} else {
		sp.values = y[1]
		c.components[y[0]] = component{spectrum: sp, axis: rank - 1, kind: vectors}
		c.components[y[2]] = component{spectrum: sp, axis: rank - 2, kind: vectors, conj: true}
	}
	c.components[sp.values] = component{spectrum: sp, axis: rank - 2, kind: function}
	return y
}

// stopGradientRegions returns the regions of a Call that returns x without a derivative.
func stopGradientRegions(x expr.Value) []*ir.Graph {
	t := shape.Type{DType: x.DType(), Shape: x.Shape()}
	return []*ir.Graph{
		expr.Graph(ops.Infer, []shape.Type{t}, func(_ expr.Builder, args []expr.Value) []expr.Value { return args }),
		expr.Graph(ops.Infer, []shape.Type{t, t, t}, func(b expr.Builder, args []expr.Value) []expr.Value {
			return []expr.Value{b.Like(args[0], 0)}
		}),
	}
}

// result returns y, the result of n on x, with the terms in N added. If it can describe how y depends on a spectrum, k
// is the component of y and ok is true.
func (c coupler) result(n *ir.Node, x []expr.Value, y expr.Value) (out expr.Value, k component, ok bool) {
	if n.Code >= ir.Neg && n.Code <= ir.Clamp {
		return c.elementwise(n.Code, x, y)
	}
	if n.Code == ir.DotGeneral {
		return c.product(n.Attrs.(ir.DotAttrs), x, y)
	}
	if len(x) == 0 {
		return y, k, false
	}
	k, ok = c.components[x[0]]
	if !ok {
		return y, k, false
	}
	if k.kind == quadratic {
		return c.movedForm(n, k, x[0], y)
	}
	switch n.Code {
	case ir.Convert:
		return y, k, y.DType().Is(dtype.Inexact)
	case ir.Transpose:
		if k.kind > vectors {
			return y, k, k.kind == diagonalMatrix
		}
		k.axis = slices.Index(n.Attrs.(ir.AxesAttrs).Axes.Ints(), k.axis)
		return y, k, true
	case ir.BroadcastInDim:
		k.axis = n.Attrs.(ir.BroadcastAttrs).Axes.Ints()[k.axis]
		return y, k, k.kind <= vectors
	case ir.Reshape:
		if k.kind == padded {
			k.kind = diagonalMatrix
			size := k.diagonal.Shape()[0]
			return y, k, y.Shape().Equal(shape.Shape{size, size})
		}
		k.axis = sameAxis(x[0].Shape(), y.Shape(), k.axis)
		return y, k, k.axis >= 0 && k.kind <= vectors
	case ir.Pad:
		a := n.Attrs.(ir.PadAttrs)
		size := x[0].Shape()
		// Padding n elements with n zeros between them gives a diagonal matrix in row-major order.
		isDiagonal := k.kind == function && len(size) == 1 &&
			a.Low.Ints()[0] == 0 && a.High.Ints()[0] == 0 && a.Interior.Ints()[0] == size[0]
		return y, component{spectrum: k.spectrum, kind: padded, diagonal: x[0]}, isDiagonal
	case ir.ReduceSum:
		if k.kind == function && slices.Contains(n.Attrs.(ir.AxesAttrs).Axes.Ints(), k.axis) {
			y = c.Add(y, c.Do(ir.ReduceSum, n.Attrs, c.onDiagonal(k, x[0])))
		}
	}
	return y, k, false
}

// sameAxis returns the axis of shape to that corresponds to the given axis of shape from in a reshape, or -1
// if the reshape splits or joins that axis.
func sameAxis(from, to shape.Shape, axis int) int {
	before, product := from[:axis].Size(), 1
	for i, n := range to {
		if n == from[axis] && product == before {
			return i
		}
		product *= n
	}
	return -1
}

// elementwise implements result for elementwise operations.
func (c coupler) elementwise(code ir.Code, x []expr.Value, y expr.Value) (out expr.Value, k component, ok bool) {
	if v := conjugated(code, x); v != nil {
		k, ok = c.components[v]
		k.conj = !k.conj
		return y, k, ok && k.kind <= vectors
	}
	if code == ir.Mul {
		if k, ok = c.squared(x); ok {
			return y, k, true
		}
	}
	// k becomes the component of x[at]. If one operand is a function of the eigenvalues and the other has vectors or is
	// quadratic along the same axis, x[at] is the other one. Of other pairs, only equal components give a component.
	at := -1
	for i, v := range x {
		if other, found := c.components[v]; found {
			switch {
			case other.kind > vectors && other.kind != quadratic:
				return y, k, false
			case at < 0:
				k, at = other, i
			case other == k:
			case other.spectrum != k.spectrum || other.axis != k.axis || other.kind == k.kind:
				return y, k, false
			case other.kind >= vectors:
				k, at = other, i
			}
		}
	}
	if at < 0 || k.kind == function {
		return y, k, at >= 0
	}
	switch {
	case k.kind == quadratic && code == ir.Real:
		return y, k, true
	case k.kind == quadratic && code == ir.Neg:
		return c.scaledForm(k, c.Like(y, -1), y)
	case code == ir.Neg:
		return y, k, true
	case code == ir.Abs && k.kind == vectors:
		return y, component{spectrum: k.spectrum, axis: k.axis, kind: magnitude, p: x[0]}, true
	case len(x) != 2:
		return y, k, false
	}
	other := x[1-at]
	otherComponent, spectral := c.components[other]
	switch {
	case (code == ir.Add || code == ir.Sub) && spectral && otherComponent == k:
		return y, k, k.kind == vectors
	case code == ir.Div && at == 0:
		other = c.Div(1, other)
		if spectral {
			c.components[other] = otherComponent
		}
	case code != ir.Mul && code != ir.MulNoNaN:
		return y, k, false
	}
	if k.kind == quadratic {
		return c.scaledForm(k, other, y)
	}
	if !spectral {
		return y, k, c.constantAlong(other, k.axis)
	}
	if otherComponent.kind != function {
		return y, k, false
	}
	return c.Add(y, c.terms(k, x[at], other)), k, true
}

// conjugated returns v if the operation code on x computes the conjugate of v as Complex(Real(v), Neg(Imag(v))),
// and nil otherwise.
func conjugated(code ir.Code, x []expr.Value) expr.Value {
	if code != ir.Complex {
		return nil
	}
	re, im := x[0].(*ir.Value).Node, x[1].(*ir.Value).Node
	if re == nil || im == nil || re.Code != ir.Real || im.Code != ir.Neg {
		return nil
	}
	im = im.Args[0].Node
	if im == nil || im.Code != ir.Imag || im.Args[0] != re.Args[0] {
		return nil
	}
	return re.Args[0]
}

// constantAlong reports whether the elements of x along an axis are known to be equal.
func (c coupler) constantAlong(x expr.Value, axis int) bool {
	n := x.(*ir.Value).Node
	switch {
	case n == nil:
		return false
	case n.Code == ir.Constant:
		a := n.Attrs.(ir.ConstantAttrs)
		return len(a.Data) == a.DType.Size()
	case n.Code == ir.BroadcastInDim:
		return !slices.Contains(n.Attrs.(ir.BroadcastAttrs).Axes.Ints(), axis)
	case n.Code == ir.Div:
		return c.constantAlong(n.Args[0], axis) && c.constantAlong(n.Args[1], axis)
	}
	return false
}

// product implements result for products of matrices.
func (c coupler) product(a ir.DotAttrs, x []expr.Value, y expr.Value) (out expr.Value, k component, ok bool) {
	batch := [][]int{a.LhsBatch.Ints(), a.RhsBatch.Ints()}
	summed := [][]int{a.LhsContract.Ints(), a.RhsContract.Ints()}
	for i := range x {
		if terms := c.summedProduct(x, i, len(batch[i]), summed); terms != nil {
			return c.Add(y, c.Convert(terms, y.DType())), k, false
		}
	}
	offset := len(batch[0]) // the first axis of y that comes from the free axes of operand i
	for i, v := range x {
		free := []int{}
		for axis := range v.Shape() {
			if !slices.Contains(batch[i], axis) && !slices.Contains(summed[i], axis) {
				free = append(free, axis)
			}
		}
		k, ok = c.components[v]
		other := c.components[x[1-i]]
		switch {
		case !ok || k.kind != vectors:
		case slices.Contains(free, k.axis):
			if other.spectrum == k.spectrum && other.kind == vectors && !slices.Contains(summed[1-i], other.axis) {
				break // a result with vectors along two axes gets no component
			}
			k.axis = offset + slices.Index(free, k.axis)
			return y, k, true
		case other.spectrum != k.spectrum:
		case slices.Equal(batch[i], []int{k.axis}) && other.kind == function && len(x[1-i].Shape()) == 1:
			// The product is v*f, with the axis of the vectors first.
			k.axis = 0
			return c.Add(y, c.broadcastTerms(k, c.Permute(v, slices.Insert(free, 0, batch[i][0])...), x[1-i])), k, true
		case slices.Equal(summed[i], []int{k.axis}) && other.kind == diagonalMatrix && len(batch[i]) == 0:
			// The product is v*diag(f) or diag(f)*v, with the axis of the vectors last or first.
			at := offset + len(free)
			if i == 1 {
				at = 0
			}
			order := slices.Insert(slices.Clone(free), at, k.axis)
			k.axis = at
			return c.Add(y, c.broadcastTerms(k, c.Permute(v, order...), other.diagonal)), k, true
		}
		offset += len(free)
	}
	return y, k, false
}

// terms returns the terms in N of v*f. Along the axis of k, v is linear in the vectors and f is a function of the
// eigenvalues.
func (c coupler) terms(k component, v, f expr.Value) expr.Value {
	first, second := c.derivatives(k, f)
	coupled := c.timesCoupling(k, v)
	sum := c.Add(c.timesCoupling(k, c.Mul(v, first)), c.MulNoNaN(coupled, first))
	return c.Mul(c.Add(sum, c.timesCoupling(k, c.MulNoNaN(coupled, second))), 0.5)
}

// broadcastTerms returns the terms in N of v*f for a vector f, which it broadcasts along the axis of k.
func (c coupler) broadcastTerms(k component, v, f expr.Value) expr.Value {
	fComponent := c.components[f]
	converted := c.Convert(f, v.DType())
	c.components[converted] = fComponent
	attrs := ir.BroadcastAttrs{Shape: v.Shape().Dims(), Axes: shape.DimsOf(k.axis)}
	f = c.Do(ir.BroadcastInDim, attrs, converted)
	c.components[f] = component{spectrum: k.spectrum, axis: k.axis, kind: function}
	return c.terms(k, v, f)
}

// onDiagonal returns the terms in N of the diagonal of f(W), given f = f(w).
func (c coupler) onDiagonal(k component, f expr.Value) expr.Value {
	_, second := c.derivatives(k, f)
	n := k.spectrum.coupling
	squares := c.Convert(c.Real(c.Sum(c.Mul(n, c.Conj(n)), -1)), f.DType())
	axes := append(upTo(k.spectrum.batch), k.axis)
	squares = c.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: f.Shape().Dims(), Axes: shape.DimsOf(axes...)}, squares)
	return c.MulNoNaN(squares, c.Mul(second, 0.5))
}

// upTo returns the axes 0 to n-1.
func upTo(n int) []int { return axes(0, n) }

// timesCoupling returns v*N along the axis of k.
func (c coupler) timesCoupling(k component, v expr.Value) expr.Value {
	n := k.spectrum.coupling
	if k.conj {
		n = c.Conj(n)
	}
	batch := shape.DimsOf(upTo(k.spectrum.batch)...)
	y := c.Do(ir.DotGeneral, ir.DotAttrs{LhsBatch: batch, RhsBatch: batch, LhsContract: shape.DimsOf(k.axis),
		RhsContract: shape.DimsOf(k.spectrum.batch)}, v, c.Convert(n, v.DType()))
	rank := len(v.Shape())
	return c.Permute(y, slices.Insert(upTo(rank-1), k.axis, rank-1)...)
}

// derivatives returns the elementwise first and second derivatives of f with respect to the eigenvalues. Where
// either is infinite or NaN, both are 0.
func (c coupler) derivatives(k component, f expr.Value) (first, second expr.Value) {
	program := newDeriver(c.conventions)
	known := map[*ir.Value]expr.Value{k.spectrum.values.(*ir.Value): program.param(k.spectrum.values.(*ir.Value).Type)}
	args := []expr.Value{k.spectrum.values}
	var copyOf func(v *ir.Value) expr.Value
	copyOf = func(v *ir.Value) expr.Value {
		if x := known[v]; x != nil {
			return x
		}
		if dependence := c.components[v]; dependence.spectrum != k.spectrum || dependence.kind != function {
			if v.Node != nil && v.Node.Code == ir.Constant {
				known[v] = program.copyNode(v.Node, nil)[0]
			} else {
				known[v] = program.param(v.Type)
				args = append(args, v)
			}
			return known[v]
		}
		x := make([]expr.Value, len(v.Node.Args))
		for i, a := range v.Node.Args {
			x[i] = copyOf(a)
		}
		known[v] = program.copyNode(v.Node, x)[0]
		return known[v]
	}
	program.outputs(copyOf(f.(*ir.Value)))
	active := make([]bool, len(args)+1)
	active[0] = true
	// The first JVP has outputs f and f', the second f, f', f' (as the tangent of f) and f".
	once, err := JVP(program.graph, active[:len(args)], c.conventions)
	if err != nil {
		panic(err)
	}
	twice, err := JVP(once, active, c.conventions)
	if err != nil {
		panic(err)
	}
	ones := c.Like(k.spectrum.values, 1)
	out := c.write(twice, append(args, ones, ones))
	first, second = out[1], out[3]
	finite := c.And(c.IsFinite(c.Abs(first)), c.IsFinite(c.Abs(second)))
	return c.Where(finite, first, 0), c.Where(finite, second, 0)
}
