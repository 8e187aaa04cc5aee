// Package nn provides the layers of neural networks. A model is a plain struct with a method
// Apply, whose exported fields are layers, tensors and settings:
//
//	type MLP struct{ In, Out nn.Dense }
//
//	func (m MLP) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(nv.Relu(m.In.Apply(x))) }
//
//	model := MLP{nn.Dense{Features: 128}, nn.Dense{Features: 10}}
//	model = nn.Init(model, random.Key(0), x)
//	y := model.Apply(x)
//
// Init makes the absent tensors (zero Tensors) for an input x. Models are trees, so they can be
// arguments in nv.Jit, nv.Grad and nv.TreeMap. Methods do not change a layer; they return a changed copy.
//
// A layer is computed at the dtype of its field DType, which is also the dtype of its
// result. If DType is the zero value, it is the dtype that the input and the tensors of the
// layer promote to in promote.JAX64, or in the system that Under sets; integers become f32.
// Tensors that Init makes have the dtype ParamDType, or f32 if that is the zero value;
// gradients have the dtypes of their tensors. Context.SetLayerDType sets another default of both fields.
package nn
