package tensoriter

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Build returns the steps by which operands get their dtypes under cfg. Operands are
// tensors, dtypes (for tensors with one axis), numbers, and outputs (see Out). Build does
// not panic: PyTorch's error is in the Trace.
func Build(cfg Config, operands ...any) Trace { return build("TensorIterator", cfg, operands) }

// build is Build for a Trace with the given Op.
func build(op string, cfg Config, operands []any) Trace {
	t := &Trace{Op: op, Config: cfg, Device: "cpu"}
	for _, x := range operands {
		o, err := operand(x)
		if err != nil {
			t.Err = err
			return *t
		}
		t.Operands = append(t.Operands, o)
	}
	var err error
	if t.rules, err = cfg.rules(); err != nil {
		t.Err = err
		return *t
	}
	t.Err = t.computeTypes()
	return *t
}

// BuildOp is Build for PyTorch's operation op on inputs, with the operation's configuration
// (see ConfigOf) and an output that is not given. A last step says whether the operation is
// defined for the common dtype.
func BuildOp(op string, inputs ...any) Trace { return BuildOpUnder(promote.Torch, op, inputs...) }

// BuildOpUnder is BuildOp under another of PyTorch's systems.
func BuildOpUnder(s *promote.System, op string, inputs ...any) Trace {
	cfg, err := ConfigOf(op, len(inputs))
	if err != nil {
		return Trace{Op: op, Err: err}
	}
	t := build(op, cfg.Under(s), append([]any{Out(nil)}, inputs...))
	if t.Err == nil {
		t.dispatch()
	}
	return t
}

// dispatch adds the step that says whether the operation is defined for the inputs.
func (t *Trace) dispatch() {
	var xs []any
	for _, o := range t.inputs() {
		xs = append(xs, o.Operand)
	}
	r, err := t.Config.system().Operation(t.Op, xs...)
	if err != nil {
		t.Err = t.refuse("dispatch", t.Op, err)
		return
	}
	t.step("dispatch", t.Op+" of "+t.Common.String(), r.DType.String(), "the operation is defined for this dtype")
	t.Operands[0].Target = r.DType
}

// inputs returns the operands that are not outputs.
func (t *Trace) inputs() (in []Operand) {
	for _, o := range t.Operands {
		if !o.Output {
			in = append(in, o)
		}
	}
	return in
}

// computeTypes sets the target dtype of every operand.
func (t *Trace) computeTypes() error {
	t.wrapNumbers()
	t.scan()
	if err := t.checkSameDType(); err != nil {
		return err
	}
	if t.returnsEarly() {
		return nil
	}
	if err := t.computeCommon(); err != nil {
		return err
	}
	t.integersToFloat()
	for i := range t.Operands {
		if err := t.settle(&t.Operands[i]); err != nil {
			return err
		}
	}
	return nil
}

// wrapNumbers adds a step for each number that is wrapped.
func (t *Trace) wrapNumbers() {
	for _, o := range t.Operands {
		if o.Wrapped() {
			t.step("wrap", o.String(), o.DType.String()+"[] wrapped",
				fmt.Sprintf("a Go %T becomes a zero-dimensional tensor, marked as wrapped", o.Literal))
		}
	}
}

// scan sets Common and OutputDType to the dtypes of the first input and the first output,
// Device to the first device that is not the CPU, and the fields that say whether the inputs'
// dtypes differ, whether an output is not given, and whether no operand has axes.
func (t *Trace) scan() {
	t.AllScalars = true
	for i := range t.Operands {
		o := &t.Operands[i]
		o.Target = o.DType
		if o.undefined() {
			t.scanUndefined(o)
			continue
		}
		t.AllScalars = t.AllScalars && o.Rank == 0
		if t.Device == "cpu" && !o.onCPU() {
			t.Device = o.Device
		}
		first, role := &t.Common, "input"
		if o.Output {
			first, role = &t.OutputDType, "output"
		}
		switch {
		case *first == dtype.Invalid:
			*first = o.DType
			t.step("scan", o.String(), o.DType.String(), "the first "+role)
		case *first == o.DType:
			t.step("scan", o.String(), first.String(), "the same dtype again")
		case o.Output:
			t.step("scan", o.String(), first.String(), "the outputs differ")
		default:
			t.DifferentInputs = true
			t.step("scan", o.String(), first.String(), "the inputs differ: "+o.DType.String()+" is not "+first.String())
		}
	}
}

// scanUndefined is scan for an operand that is not given.
func (t *Trace) scanUndefined(o *Operand) {
	switch {
	case !o.Output:
		t.step("scan", o.String(), "skipped", "an argument that was not given")
	case t.Config.StaticDType != dtype.Invalid:
		o.Target = t.Config.StaticDType
		t.step("scan", o.String(), o.Target.String(), "StaticDType: the operation sets the dtype of its result")
	default:
		t.UndefinedOutputs = true
		t.step("scan", o.String(), "undefined", "the output waits for the common dtype")
	}
}

// checkSameDType returns an error if CheckAllSameDType is set and the dtypes differ.
func (t *Trace) checkSameDType() error {
	if !t.Config.CheckAllSameDType {
		return nil
	}
	for _, o := range t.Operands {
		if !o.undefined() && o.DType != t.Common {
			return t.fail("check dtype", o, "Found dtype %s but expected %s", promote.TorchName(o.DType),
				promote.TorchName(t.Common))
		}
	}
	t.step("check dtype", "all", t.Common.String(), "CheckAllSameDType: they agree")
	return nil
}

// returnsEarly reports whether neither a flag nor an output needs a common dtype. If so, it
// clears Common unless all inputs have the same dtype.
func (t *Trace) returnsEarly() bool {
	c := t.Config
	if t.UndefinedOutputs || c.CheckAllSameDevice || c.PromoteInputs || c.CastCommonDTypeToOutputs ||
		c.EnforceSafeCastingToOutput {
		return false
	}
	if t.DifferentInputs {
		t.Common = dtype.Invalid
	}
	t.step("return early", "all", name(t.Common),
		"no flag asks for a common dtype; there is one only where all inputs have it")
	return true
}

// computeCommon sets Common to the common dtype of the inputs. It computes the dtype only if
// the inputs' dtypes differ, or if no operand has axes.
func (t *Trace) computeCommon() error {
	switch {
	case !t.Config.PromoteInputs:
		t.step("common dtype", "inputs", name(t.Common), "PromoteInputs is off: inputs keep their dtypes")
		return nil
	case !t.DifferentInputs && !t.AllScalars && t.Common != dtype.Invalid:
		t.step("common dtype", "inputs", name(t.Common), "the inputs have one dtype: nothing to promote")
		return nil
	}
	for _, o := range t.inputs() {
		state, rule, err := t.rules.Update(t.State, o.Operand)
		if err != nil {
			return t.refuse("update state", o.String(), err)
		}
		t.State = state
		text := o.String()
		if d := t.rules.Current(o.Operand); d != o.DType {
			text += " as " + d.String()
		}
		t.step("update state", text, state.String(), rule.Doc)
	}
	d, steps, err := t.rules.Result(t.State)
	if err != nil {
		return t.refuse("combine categories", t.State.String(), err)
	}
	for _, s := range steps {
		t.step("combine categories", s.Operands, s.Result.String(), s.Rule.Name+": "+s.Rule.Doc)
	}
	if t.Common = d; d == dtype.Invalid {
		return t.refuse("common dtype", "inputs", &promote.Refusal{Op: "compute_common_dtype", Kind: "RuntimeError",
			Reason: "common_dtype_ != ScalarType::Undefined INTERNAL ASSERT FAILED: no input is defined"})
	}
	t.step("common dtype", "inputs", d.String(), "the common dtype of the three classes")
	return nil
}

// integersToFloat sets Common to the default dtype if PromoteIntegerInputsToFloat is set
// and Common is an integer or bool.
func (t *Trace) integersToFloat() {
	if !t.Config.PromoteIntegerInputsToFloat {
		return
	}
	d := t.Config.system().Division(promote.Known(t.Common)).DType
	why := "PromoteIntegerInputsToFloat: it is a float already"
	if d != t.Common {
		why = "PromoteIntegerInputsToFloat: integers are computed in the default dtype"
	}
	t.step("integers to float", t.Common.String(), d.String(), why)
	t.Common = d
}
