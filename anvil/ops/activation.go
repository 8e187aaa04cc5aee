package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// activations are the activation functions of neural networks, composed of other operations.
var activations = []Def{
	{Name: "LeakyRelu", Params: []string{"x"}, Function: Function{Operands: Real, Option: Option{"slope", 0.01}, Body: leakyRelu},
		Doc: "LeakyRelu returns x where it is greater than 0, and slope times x elsewhere; the default of slope is 0.01."},
	{Name: "Elu", Params: []string{"x"}, Function: Function{Operands: Real, Option: Option{"alpha", 1}, Body: elu},
		Doc: "Elu returns x where it is greater than 0, and alpha * (exp(x) - 1) elsewhere; the default of alpha is 1."},
	{Name: "Selu", Params: []string{"x"}, Function: Function{Operands: Real, Body: selu},
		Doc: "Selu returns scale * x where x is greater than 0, and scale * alpha * (exp(x) - 1) elsewhere, with the constants of self-normalizing networks."},
	{Name: "Silu", Params: []string{"x"}, Function: Function{Operands: Real, Body: silu},
		Doc: "Silu returns x / (1 + exp(-x)), elementwise: x times its logistic function."},
	{Name: "Gelu", Params: []string{"x"}, Function: Function{Operands: Real, Body: gelu},
		Doc: "Gelu returns x * (1 + erf(x/sqrt(2))) / 2, elementwise: x times the standard normal distribution " +
			"function of x. The error is a few ulp of x."},
	{Name: "Softplus", Params: []string{"x"}, Function: Function{Operands: Real, Body: softplus},
		Doc: "Softplus returns log(1 + exp(x)), elementwise, without overflow."},
	{Name: "LogSigmoid", Params: []string{"x"}, Function: Function{Operands: Real, Body: logSigmoid},
		Doc: "LogSigmoid returns log(1 / (1 + exp(-x))), elementwise, without overflow."},
	{Name: "Softsign", Params: []string{"x"}, Function: Function{Operands: Real, Body: softsign},
		Doc: "Softsign returns x / (1 + abs(x)), elementwise."},
	{Name: "Mish", Params: []string{"x"}, Function: Function{Operands: Real, Body: mish},
		Doc: "Mish returns x * tanh(log(1 + exp(x))), elementwise."},
	{Name: "HardSigmoid", Params: []string{"x"}, Function: Function{Operands: Real, Body: hardSigmoid},
		Doc: "HardSigmoid returns x/6 + 1/2, elementwise, limited to the range from 0 to 1."},
	{Name: "HardSilu", Params: []string{"x"}, Function: Function{Operands: Real, Body: hardSilu},
		Doc: "HardSilu returns x * HardSigmoid(x), elementwise, also called hard swish."},
}

func leakyRelu(b expr.Builder, x []expr.Value, slope float64) expr.Value {
	return b.Where(b.Gt(x[0], 0), x[0], b.Mul(x[0], slope))
}

func elu(b expr.Builder, x []expr.Value, alpha float64) expr.Value {
	return b.Where(b.Gt(x[0], 0), x[0], b.Mul(b.Expm1(x[0]), alpha))
}

// selu is the scaled exponential linear unit. Its constants keep the mean of activations at 0 and their variance at 1.
// Source: Klambauer and others, Self-Normalizing Neural Networks, 2017.
func selu(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return b.Mul(elu(b, x, alpha), scale)
}

func silu(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Mul(x[0], b.Unary(ir.Logistic, x[0]))
}

func gelu(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	p := b.Mul(b.Add(b.Unary(ir.Erf, b.Mul(x[0], math.Sqrt2/2)), 1), 0.5)
	return b.Mul(x[0], p)
}

func softplus(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.LogAddExp(x[0], b.Like(x[0], 0))
}

func logSigmoid(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Neg(softplus(b, []expr.Value{b.Neg(x[0])}, 0))
}

func softsign(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Div(x[0], b.Add(b.Abs(x[0]), 1))
}

func mish(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Mul(x[0], b.Tanh(softplus(b, x, 0)))
}

func hardSigmoid(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Div(b.Do(ir.Clamp, nil, b.Like(x[0], 0), b.Add(x[0], 3), b.Like(x[0], 6)), 6)
}

func hardSilu(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return b.Mul(x[0], hardSigmoid(b, x, 0))
}
