package tensoriter

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// settle checks the device of an operand and sets its target dtype.
func (t *Trace) settle(o *Operand) error {
	if o.undefined() {
		if o.Output && o.Target == dtype.Invalid {
			o.Target = t.Common
			t.step("target", o.String(), o.Target.String(), "made with the common dtype")
		}
		return nil
	}
	if err := t.checkSameDevice(o); err != nil {
		return err
	}
	if o.Output {
		return t.settleOutput(o)
	}
	if t.Config.PromoteInputs && o.DType != t.Common {
		o.Target = t.Common
		t.step("target", o.String(), o.Target.String(), "PromoteInputs: converted to the common dtype")
	}
	return nil
}

// checkSameDevice returns an error if CheckAllSameDevice does not allow the operand's device.
func (t *Trace) checkSameDevice(o *Operand) error {
	if !t.Config.CheckAllSameDevice || o.Device == t.Device || o.onCPU() && t.Device == "cpu" {
		return nil
	}
	if !t.Config.AllowCPUScalars || o.Output || o.Rank > 0 || !o.onCPU() {
		device := o.Device
		if o.onCPU() {
			device = "cpu"
		}
		return t.fail("check device", *o,
			"Expected all tensors to be on the same device, but found at least two devices, %s and %s!",
			t.Device, device)
	}
	if t.cpuScalars++; t.cpuScalars > 1 {
		return t.fail("check device", *o, "Trying to pass too many CPU scalars to non-CPU kernel!")
	}
	t.step("check device", o.String(), t.Device,
		"AllowCPUScalars: one zero-dimensional operand may be on the CPU, as a constant of the kernel")
	return nil
}

// settleOutput checks that the common dtype may be cast to the dtype of a given output,
// and adds the step of the cast.
func (t *Trace) settleOutput(o *Operand) error {
	if o.DType == t.Common {
		return nil
	}
	if t.Config.EnforceSafeCastingToOutput {
		if err := t.Config.system().Store(t.Op, t.Common, o.DType); err != nil {
			return t.refuse("check cast", o.String(), err)
		}
		t.step("check cast", o.String(), "may store "+t.Common.String(),
			"EnforceSafeCastingToOutput: the category is not lowered")
	}
	if t.Config.CastCommonDTypeToOutputs {
		t.step("cast", o.String(), t.Common.String()+" to "+o.DType.String(),
			"CastCommonDTypeToOutputs: computed in the common dtype, then stored")
	}
	return nil
}

// fail adds the step of one of PyTorch's errors and returns the error.
func (t *Trace) fail(stage string, o Operand, format string, args ...any) error {
	return t.refuse(stage, o.String(), &promote.Refusal{Op: t.Op, Kind: "RuntimeError",
		Reason: fmt.Sprintf(format, args...)})
}

// refuse adds the step of an error and returns the error.
func (t *Trace) refuse(stage, on string, err error) error {
	t.step(stage, on, "error", message(err))
	return err
}

// name returns the name of d, "undefined" for Invalid.
func name(d dtype.DType) string {
	if d == dtype.Invalid {
		return "undefined"
	}
	return d.String()
}
