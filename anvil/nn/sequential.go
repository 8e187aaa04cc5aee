package nn

import (
	"fmt"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/anvil/typename"
)

// Sequential applies its parts one after the other. A part is a layer or a function. A layer
// has a method Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor, or the same without mode. A
// function takes a tensor, like nv.Relu, and may take options, like nv.Softmax:
//
//	nn.Sequential{nn.Dense{Features: 128}, nv.Relu, nn.Dense{Features: 10}, nv.Softmax}
type Sequential []any

// Init returns the parts with parameters for inputs like x.
func (s Sequential) Init(key random.PRNGKey, x nv.Tensor) Sequential { return Init(s, key, x) }

// Apply returns the result of the last part.
func (s Sequential) Apply(x nv.Tensor, mode ...Mode) nv.Tensor {
	for i, part := range s {
		x = apply("Sequential", i, part, x, mode)
	}
	return x
}

// Train is Apply, except that it trains each BatchNorm, even without a mode of training. It also
// returns the parts with updated running statistics: see BatchNorm.Train.
func (s Sequential) Train(x nv.Tensor, mode ...Mode) (nv.Tensor, Sequential) {
	out := make(Sequential, len(s))
	for i, part := range s {
		x, out[i] = train("Sequential", i, part, x, mode)
	}
	return x, out
}

// Residual adds the result of its part for x to x. The part may be anything that can be a part of a
// Sequential.
type Residual struct {
	Part any
	base
}

// Init returns the part with parameters for inputs like x.
func (r Residual) Init(key random.PRNGKey, x nv.Tensor) Residual { return Init(r, key, x) }

// Apply returns x + Part(x), at the dtype that x and Part(x) promote to.
func (r Residual) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer r.enter("Residual", &y, x)()
	return r.sum(x, apply("Residual", 0, r.Part, x, mode))
}

// Train is Apply, except that it trains the part as Sequential.Train does. It also returns the layer
// with the updated running statistics of the part.
func (r Residual) Train(x nv.Tensor, mode ...Mode) (y nv.Tensor, after Residual) {
	defer r.enter("Residual", &y, x)()
	y, part := train("Residual", 0, r.Part, x, mode)
	return r.sum(x, y), Residual{part, r.base}
}

// sum returns x + y at the dtype that they promote to.
func (r Residual) sum(x, y nv.Tensor) nv.Tensor {
	xs := r.promote("Residual", 0, x, y)
	return xs[0].Add(xs[1])
}

// apply returns the result for x of part, the part with index i of the layer op.
func apply(op string, i int, part any, x nv.Tensor, mode []Mode) nv.Tensor {
	switch f := part.(type) {
	case interface {
		Apply(nv.Tensor, ...Mode) nv.Tensor
	}:
		return f.Apply(x, mode...)
	case interface{ Apply(nv.Tensor) nv.Tensor }:
		return f.Apply(x)
	case func(nv.Tensor) nv.Tensor:
		return f(x)
	case func(any) nv.Tensor:
		return f(x)
	}
	if f := reflect.ValueOf(part); part != nil && takesOptions(f.Type()) && !f.IsNil() {
		y, _ := f.Call([]reflect.Value{reflect.ValueOf(x)})[0].Interface().(nv.Tensor)
		return y
	}
	fail(op, typename.Of(part), fmt.Sprintf("part %d is neither a layer nor a function of a tensor", i),
		"a layer has a method Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor")
	return x
}

// takesOptions reports whether t is a function of a tensor and of options, such as nv.Softmax.
func takesOptions(t reflect.Type) bool {
	tensor := reflect.TypeFor[nv.Tensor]()
	return t.Kind() == reflect.Func && t.IsVariadic() && t.NumIn() == 2 && tensor.AssignableTo(t.In(0)) &&
		t.NumOut() == 1 && t.Out(0) == tensor
}

// train returns the result of a part for x in training, and the part with updated running statistics.
func train(op string, i int, part any, x nv.Tensor, mode []Mode) (nv.Tensor, any) {
	switch f := part.(type) {
	case BatchNorm:
		return anyOf(f.Train(x))
	case Sequential:
		return anyOf(f.Train(x, mode...))
	case Residual:
		return anyOf(f.Train(x, mode...))
	}
	return apply(op, i, part, x, mode), part
}

// anyOf converts the second of two results to any, so that train can return them.
func anyOf[T any](x nv.Tensor, v T) (nv.Tensor, any) { return x, v }
