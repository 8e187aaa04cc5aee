package nn

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// Dense is a fully connected layer: x*Kernel + Bias.
type Dense struct {
	Features   int         // of the result
	NoBias     bool        // leaves Bias out
	KernelInit Initializer // nil: random.LecunNormal
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of computation and result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Kernel     nv.Tensor   // {inputs, Features}
	Bias       nv.Tensor   // {Features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (d Dense) Init(key random.PRNGKey, x nv.Tensor) Dense { return Init(d, key, x) }

// Apply returns result[...,j] = sum over i of x[...,i]*Kernel[i,j] + Bias[j]. x has axes
// (..., inputs).
func (d Dense) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer d.enter("Dense", &y, x)()
	inputs := lastAxis("Dense", x)
	kernel := d.param("Dense", "Kernel", d.Kernel, nv.Shape{inputs, d.Features}, d.ParamDType,
		d.KernelInit.or(lecunNormal))
	var bias nv.Tensor
	if !d.NoBias {
		bias = d.param("Dense", "Bias", d.Bias, nv.Shape{d.Features}, d.ParamDType, d.BiasInit.or(Zeros))
	}
	xs := d.promote("Dense", d.DType, x, kernel, bias)
	y = xs[0].MatMul(xs[1])
	if bias.Valid() {
		y = y.Add(xs[2])
	}
	return y
}
