// Package nn has the layers of neural networks. A model is a plain struct, whose exported
// fields are layers, tensors and settings, with a method Apply:
//
//	type MLP struct{ In, Out nn.Dense }
//
//	func (m MLP) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(nv.Relu(m.In.Apply(x))) }
//
//	model := MLP{nn.Dense{Features: 128}, nn.Dense{Features: 10}}
//	model = nn.Init(model, random.Key(0), x)
//	y := model.Apply(x)
//
// Init makes the absent tensors (zero Tensors) for an input x. Models are trees as nv.Jit, nv.Grad
// and nv.TreeMap take them; methods do not change a layer; they return a changed copy.
//
// The dtype of a layer's result is that of its field DType. If DType is the zero value, it
// is the dtype that the input and the tensors of the layer have in common in
// promote.JAX64, or in the system that Under sets; integers become f32. The layer is
// computed at that dtype. Tensors that Init makes have the dtype ParamDType, or f32 if that
// is the zero value; gradients have the dtypes of the tensors that they belong to.
package nn
