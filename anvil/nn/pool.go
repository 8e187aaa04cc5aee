package nn

import nv "github.com/goanvil/notebook/anvil"

// MaxPool is the layer of nv.MaxPool: the greatest element under a window that moves over
// the spatial axes.
type MaxPool struct {
	Window nv.Shape // one length for each spatial axis
	Stride []int    // nil: the lengths of the window
	Same   bool     // pads so that the result has length/stride elements, rounded up
	base
}

// Apply returns nv.MaxPool(x). x has axes (batch..., spatial..., channels); the result has
// the dtype of x.
func (p MaxPool) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer p.enter("MaxPool", &y, x)()
	return x.MaxPool(p.Window, poolOptions(p.Stride, p.Same)...)
}

// AvgPool is the layer of nv.AvgPool: the average of the elements under a window that moves
// over the spatial axes. Padding does not count.
type AvgPool struct {
	Window nv.Shape // one length for each spatial axis
	Stride []int    // nil: the lengths of the window
	Same   bool     // pads so that the result has length/stride elements, rounded up
	base
}

// Apply returns nv.AvgPool(x). x has axes (batch..., spatial..., channels); the result has
// the dtype of x, or f32 for integers.
func (p AvgPool) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer p.enter("AvgPool", &y, x)()
	return x.AvgPool(p.Window, poolOptions(p.Stride, p.Same)...)
}

// poolOptions returns the options of a pooling layer's fields.
func poolOptions(stride []int, same bool) []nv.PoolOption {
	var opts []nv.PoolOption
	if stride != nil {
		opts = append(opts, nv.Stride(stride...))
	}
	if same {
		opts = append(opts, nv.Same)
	}
	return opts
}
