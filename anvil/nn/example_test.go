package nn_test

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

type classifier struct {
	In   nn.Dense
	Norm nn.BatchNorm
	Out  nn.Dense
}

func (c classifier) Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor {
	h := nv.Relu(c.Norm.Apply(c.In.Apply(x), mode...))
	return c.Out.Apply(h)
}

func ExampleInit() {
	x := nv.Zeros(nv.Shape{32, 4})
	model := nn.Init(classifier{In: nn.Dense{Features: 8}, Out: nn.Dense{Features: 3}}, random.Key(0), x)
	fmt.Println(nn.Names(model))
	fmt.Println(model.Apply(x).Shape())
	// Output:
	// [In.Kernel In.Bias Norm.Scale Norm.Bias Norm.Mean Norm.Var Out.Kernel Out.Bias]
	// {32,3}
}

func ExampleFreeze() {
	x := nv.Ones(nv.Shape{32, 4})
	model := nn.Init(classifier{In: nn.Dense{Features: 8}, Out: nn.Dense{Features: 3}}, random.Key(0), x)
	loss := func(m classifier) nv.Tensor { return m.Apply(x, nn.Train(random.Key(1))).Square().Mean() }
	g := nv.Grad(loss, nn.Freeze("In"))(model)
	fmt.Println(nn.Names(g))
	// Output:
	// [Norm.Scale Norm.Bias Out.Kernel Out.Bias]
}

func ExampleBatchNorm_Train() {
	x := nv.New([][]float64{{1, 10}, {3, 30}})
	norm := nn.BatchNorm{Momentum: 0.5}.Init(random.Key(0), x)
	_, norm = norm.Train(x)
	fmt.Println(nv.Values[float64](norm.Mean.AsType(nv.F64)), nv.Values[float64](norm.Var.AsType(nv.F64)))
	// Output:
	// [1 10] [1 50.5]
}
