package tensoriter

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// An Operand is an input or output of the iterator, with its target dtype.
type Operand struct {
	promote.Operand             // dtype, rank and number; if the dtype is Invalid, the operand is not given
	Output          bool        // the operand is written, and takes no part in promotion
	Device          string      // "cpu", "cuda:0"
	Target          dtype.DType // the dtype that an input is converted to, or the dtype of an output
}

// Out returns x, a tensor or a dtype, as a given output; Out(nil) is an output that is not
// given. It panics if x is not an operand (see Build).
func Out(x any) Operand {
	o := mustOperand(x)
	o.Output = true
	return o
}

// On returns x as an operand on the device with the given name: "cpu", "cuda:0". It
// panics if x is not an operand (see Build).
func On(device string, x any) Operand {
	o := mustOperand(x)
	o.Device = device
	return o
}

// mustOperand is operand, but panics with the error.
func mustOperand(x any) Operand {
	o, err := operand(x)
	if err != nil {
		panic(err)
	}
	return o
}

// Tensor returns a tensor of dtype d with rank axes.
func Tensor(d dtype.DType, rank int) Operand {
	return Operand{Operand: promote.Operand{Typed: promote.Known(d), Rank: rank}, Device: "cpu"}
}

// operand converts x to an Operand. x is nil (an operand that is not given), an Operand, a number
// (which is wrapped), or any other operand that promote.System.Operand takes. Every tensor counts
// as being on the CPU, so that a trace is the same on every machine; On sets another device.
func operand(x any) (Operand, error) {
	switch x := x.(type) {
	case nil:
		return Operand{Device: "cpu"}, nil
	case Operand:
		return x, nil
	}
	if _, isNumber := dtype.Of(x); isNumber {
		if _, isDType := x.(dtype.DType); !isDType { // a DType is an integer in Go
			if _, err := promote.Torch.Literal(x); err != nil {
				return Operand{}, err
			}
			return Operand{Operand: promote.Wrap(x), Device: "cpu"}, nil
		}
	}
	p, err := promote.TorchExt.Operand(x)
	return Operand{Operand: p, Device: "cpu"}, err
}

// undefined reports whether the operand is not given.
func (o Operand) undefined() bool { return o.DType == dtype.Invalid }

// onCPU reports whether the operand is on the CPU: whether its device's name does not begin with
// "cuda" or "gpu". PyTorch has only one CPU device, so "cpu:1" is the same device as "cpu".
func (o Operand) onCPU() bool {
	return !strings.HasPrefix(o.Device, "cuda") && !strings.HasPrefix(o.Device, "gpu")
}

// String returns "i32[n]" (rank 1), "i64[]", the number, or "undefined", with "out "
// before an output and " on cuda:0" after an operand on a GPU.
func (o Operand) String() string {
	s := "undefined"
	switch {
	case o.Wrapped():
		s = fmt.Sprint(o.Literal)
	case !o.undefined():
		s = o.DType.String() + "[" + strings.TrimPrefix(strings.Repeat(",n", o.Rank), ",") + "]"
	}
	if o.Output {
		s = "out " + s
	}
	if !o.onCPU() {
		s += " on " + o.Device
	}
	return s
}
