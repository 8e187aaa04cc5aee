package tangent

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A OneElement is the tangent of a tensor from which one element was read: Value at Index, and 0 elsewhere.
// Its size in memory does not depend on the number of elements.
type OneElement struct {
	Shape nv.Shape
	Index []int
	Value any // a number or a tensor of rank 0
}

// A Sparse is a sum of OneElements of one shape. It keeps the added elements until they are half of all elements;
// then it becomes dense. Adding an element takes constant time on average.
type Sparse struct {
	shape nv.Shape
	base  nv.Tensor // the dense part, or the zero Tensor if there is none
	log   *elements // elements that have been added to the sum but not yet to base
	n     int       // the first n elements of log belong to this sum
}

// elements is a list that several Sparses share: adding to a Sparse appends to its list and makes a Sparse with a
// larger n.
type elements struct {
	mu     sync.Mutex
	list   []element
	stored int // length of list when it was last merged or copied; append merges it again when it has doubled
}

// An element is a value at a row-major index.
type element struct {
	index int
	value any
}

// String returns the value, the index and the shape.
func (e OneElement) String() string {
	return fmt.Sprintf("OneElement(%v at %v of %v)", e.Value, e.Index, []int(e.Shape))
}

// String returns the number of kept elements and the shape.
func (s Sparse) String() string {
	if s.Dense() {
		return fmt.Sprintf("Sparse(dense, of %v)", []int(s.shape))
	}
	return fmt.Sprintf("Sparse(%d of %v)", s.Stored(), []int(s.shape))
}

// Shape returns the shape of the tensor that s is a tangent of.
func (s Sparse) Shape() nv.Shape { return s.shape.Clone() }

// Dense reports whether the sum has become dense.
func (s Sparse) Dense() bool { return s.base.Valid() }

// Stored returns the number of different elements kept.
func (s Sparse) Stored() int {
	if s.Dense() {
		return s.shape.Size()
	}
	seen := map[int]bool{}
	for _, e := range s.elements() {
		seen[e.index] = true
	}
	return len(seen)
}

// elements returns the elements of s, which may have equal indices, without the dense part.
func (s Sparse) elements() []element {
	if s.log == nil {
		return nil
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.list[:s.n:s.n]
}

// rowMajor returns the row-major index of e.
func (e OneElement) rowMajor(op string) int {
	if len(e.Index) != len(e.Shape) {
		fail(op, []any{e},
			fmt.Sprintf("the index %v does not have one number per axis of %v", e.Index, []int(e.Shape)), "")
	}
	index := 0
	for axis, i := range e.Index {
		if i < 0 || i >= e.Shape[axis] {
			fail(op, []any{e}, fmt.Sprintf("the index %v is out of range of %v", e.Index, []int(e.Shape)), "")
		}
		index = index*e.Shape[axis] + i
	}
	return index
}

// sparseOf returns a OneElement or a Sparse as a Sparse.
func sparseOf(op string, t any) (s Sparse, ok bool) {
	switch t := t.(type) {
	case OneElement:
		return Sparse{shape: t.Shape, log: &elements{list: []element{{t.rowMajor(op), t.Value}}}, n: 1}, true
	case Sparse:
		return t, true
	}
	return Sparse{}, false
}

// addSparse returns a + b if one of them is a OneElement or a Sparse, and the other is too or is a tensor. The
// sum with a tensor is a tensor.
func (r *Registry) addSparse(a, b any) (sum any, ok bool) {
	if s, ok := a.(Sparse); ok {
		if e, ok := b.(OneElement); ok && e.Shape.Equal(s.shape) {
			return r.append(s, element{e.rowMajor("Add"), e.Value}), true
		}
	}
	x, aIsSparse := sparseOf("Add", a)
	y, bIsSparse := sparseOf("Add", b)
	switch {
	case aIsSparse && bIsSparse: // adds y to x, which is the dense operand if there is one, and otherwise the longer one
		checkSameShape(a, b, x.shape, y.shape)
		if x.n < y.n && !x.Dense() || y.Dense() {
			x, y = y, x
		}
		if y.Dense() {
			x.base = nv.Add(x.base, y.base)
		}
		return r.append(x, y.elements()...), true
	case aIsSparse && isTensor(b):
		checkSameShape(a, b, x.shape, b.(nv.Tensor).Shape())
		return r.addDense(x, b.(nv.Tensor)), true
	case bIsSparse && isTensor(a):
		checkSameShape(a, b, a.(nv.Tensor).Shape(), y.shape)
		return r.addDense(y, a.(nv.Tensor)), true
	}
	return nil, false
}

// checkSameShape checks that s and t, the shapes of the operands a and b of a sum, are equal.
func checkSameShape(a, b any, s, t nv.Shape) {
	if !s.Equal(t) {
		fail("Add", []any{a, b}, fmt.Sprintf("the shapes %v and %v differ", []int(s), []int(t)), "")
	}
}

// addDense returns s + x, which have the same shape.
func (r *Registry) addDense(s Sparse, x nv.Tensor) nv.Tensor {
	return nv.Add(x, r.denseAs("Add", s, x))
}

// minMerged is the least number of elements for which merging, or a conversion to a dense tensor, is worth its time.
const minMerged = 64

// append returns s with more elements. It appends to the list of s in place, or to a copy if the list already has
// elements of another sum after those of s. It merges elements of equal indices each time the list has doubled, so
// that n additions take linear time.
func (r *Registry) append(s Sparse, more ...element) Sparse {
	if s.log == nil {
		s.log = &elements{}
	}
	s.log.mu.Lock()
	if len(s.log.list) != s.n {
		list := slices.Clone(s.log.list[:s.n])
		stored := s.log.stored
		s.log.mu.Unlock()
		s.log = &elements{list: list, stored: stored}
		s.log.mu.Lock()
	}
	s.log.list = append(s.log.list, more...)
	s.n = len(s.log.list)
	limit := max(minMerged, 2*s.log.stored)
	s.log.mu.Unlock()
	if s.Dense() {
		limit = max(minMerged, s.shape.Size()/2)
	}
	if s.n < limit {
		return s
	}
	merged := r.merge(s.elements())
	s.log, s.n = &elements{list: merged, stored: len(merged)}, len(merged)
	if size := s.shape.Size(); s.Dense() || size >= minMerged && 2*s.n >= size {
		sum := r.tensor(s)
		s.base, s.log, s.n = sum, &elements{}, 0
	}
	return s
}

// merge returns the elements sorted by index, with the values of equal indices added up.
func (r *Registry) merge(list []element) []element {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b element) int { return cmp.Compare(a.index, b.index) })
	out := sorted[:0]
	for _, e := range sorted {
		if last := len(out) - 1; last >= 0 && out[last].index == e.index {
			out[last].value = r.Add(out[last].value, e.value)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// tensor returns s as a tensor, with the dtype of its values.
func (r *Registry) tensor(s Sparse) nv.Tensor {
	list := s.elements()
	if len(list) == 0 {
		return s.base
	}
	indices := make([]int, len(list))
	for i, e := range list {
		indices[i] = e.index
	}
	values := r.valuesOf(list)
	flat := nv.AddAt(r.ctx.Zeros(nv.Shape{s.shape.Size()}, values.DType()), values, indices).Reshape(s.shape)
	if s.Dense() {
		return nv.Add(s.base, flat)
	}
	return flat
}

// valuesOf returns the values of elements as a vector.
func (r *Registry) valuesOf(list []element) nv.Tensor {
	floats := make([]float64, len(list))
	for i, e := range list {
		f, ok := e.value.(float64)
		if !ok {
			return r.stacked(list)
		}
		floats[i] = f
	}
	return r.ctx.From(floats)
}

// stacked is valuesOf for values that are not all float64.
func (r *Registry) stacked(list []element) nv.Tensor {
	values := make([]any, len(list))
	for i, e := range list {
		values[i] = e.value
		if _, ok := numberOf(e.value); ok {
			values[i] = r.ctx.From(e.value)
		}
	}
	return nv.Stack(0, values...)
}

// dense returns a OneElement or a Sparse as a tensor, and otherwise t.
func (r *Registry) dense(op string, t any) any {
	if s, ok := sparseOf(op, t); ok {
		return r.tensor(s)
	}
	return t
}

// denseAs is dense, except that a tensor made from t gets the dtype of x if that is a complex dtype, or a float dtype
// and the values are real.
func (r *Registry) denseAs(op string, t any, x nv.Tensor) any {
	s, ok := sparseOf(op, t)
	if !ok {
		return t
	}
	d := r.tensor(s)
	fits := x.DType().Is(dtype.Complex) || !d.DType().Is(dtype.Complex)
	if x.DType().Is(dtype.Inexact) && fits {
		return d.AsType(x.DType())
	}
	return d
}

// mulSparse returns a * b if b is a OneElement or a Sparse. If a is not a scalar, the product is a tensor.
func (r *Registry) mulSparse(a, b any) (product any, ok bool) {
	if x, tensor := a.(nv.Tensor); tensor && x.Rank() > 0 {
		if _, ok := sparseOf("Mul", b); !ok {
			return nil, false
		}
		return nv.Mul(x, r.denseAs("Mul", b, x)), true
	}
	switch b := b.(type) {
	case OneElement:
		return OneElement{b.Shape, b.Index, r.Mul(a, b.Value)}, true
	case Sparse:
		list := slices.Clone(b.elements())
		for i := range list {
			list[i].value = r.Mul(a, list[i].value)
		}
		out := Sparse{shape: b.shape, log: &elements{list: list, stored: len(list)}, n: len(list)}
		if b.Dense() {
			out.base = nv.Mul(b.base, a)
		}
		return out, true
	}
	return nil, false
}
