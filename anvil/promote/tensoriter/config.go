// Package tensoriter models how PyTorch's TensorIterator, which prepares the operands of most
// elementwise operations, chooses dtypes: the checks before an operation runs, in their order,
// and the dtype of each operand. Build returns a Trace with every step. The rules of promotion
// and of casts are those of promote.Torch.
//
// Source: TensorIteratorBase::compute_types in aten/src/ATen/TensorIterator.cpp.
package tensoriter

import (
	"errors"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Config holds the flags of TensorIteratorConfig that an operation sets. The zero
// Config has none.
type Config struct {
	System *promote.System // the promotion system, one of PyTorch's; nil: promote.Torch

	StaticDType                 dtype.DType // the dtype of outputs that are not given; Invalid: the common one
	PromoteInputs               bool        // inputs are converted to their common dtype
	PromoteIntegerInputsToFloat bool        // integers and bools are computed in the default dtype
	CastCommonDTypeToOutputs    bool        // a result is converted to the dtype of a given output
	EnforceSafeCastingToOutput  bool        // a conversion to an output of a lower category is an error
	CheckAllSameDType           bool        // operands of different dtypes are an error
	CheckAllSameDevice          bool        // operands on different devices are an error
	AllowCPUScalars             bool        // CheckAllSameDevice allows one zero-dimensional operand on the CPU
}

// The configurations of PyTorch's kinds of operations. Examples, in the same order, are add,
// div, eq, neg, sin and copy_.
var (
	Binary = Config{PromoteInputs: true, CastCommonDTypeToOutputs: true, EnforceSafeCastingToOutput: true,
		CheckAllSameDevice: true, AllowCPUScalars: true}
	BinaryFloat = Binary.withFloats()
	Comparison  = Config{StaticDType: dtype.I1, PromoteInputs: true, CheckAllSameDevice: true, AllowCPUScalars: true}
	Unary       = Config{CheckAllSameDType: true, CheckAllSameDevice: true}
	UnaryFloat  = Config{PromoteInputs: true, PromoteIntegerInputsToFloat: true, CastCommonDTypeToOutputs: true,
		EnforceSafeCastingToOutput: true, CheckAllSameDevice: true}
	Copy = Config{}
)

// withFloats returns c with PromoteIntegerInputsToFloat set.
func (c Config) withFloats() Config {
	c.PromoteIntegerInputsToFloat = true
	return c
}

// flags are the flags by name, in the order in which they take effect.
var flags = []struct {
	name  string
	isSet func(c Config) bool
}{
	{"StaticDType", func(c Config) bool { return c.StaticDType != dtype.Invalid }},
	{"CheckAllSameDType", func(c Config) bool { return c.CheckAllSameDType }},
	{"PromoteInputs", func(c Config) bool { return c.PromoteInputs }},
	{"PromoteIntegerInputsToFloat", func(c Config) bool { return c.PromoteIntegerInputsToFloat }},
	{"CheckAllSameDevice", func(c Config) bool { return c.CheckAllSameDevice }},
	{"AllowCPUScalars", func(c Config) bool { return c.AllowCPUScalars }},
	{"EnforceSafeCastingToOutput", func(c Config) bool { return c.EnforceSafeCastingToOutput }},
	{"CastCommonDTypeToOutputs", func(c Config) bool { return c.CastCommonDTypeToOutputs }},
}

// String returns the names of the flags that are set, or "no flags".
func (c Config) String() string {
	var set []string
	for _, f := range flags {
		switch {
		case !f.isSet(c):
		case f.name == "StaticDType":
			set = append(set, f.name+" "+c.StaticDType.String())
		default:
			set = append(set, f.name)
		}
	}
	if len(set) == 0 {
		return "no flags"
	}
	return strings.Join(set, ", ")
}

// Under returns c with the promotion system s, one of PyTorch's. For example,
// tensoriter.Binary.Under(promote.Torch.WithDefault(dtype.F64)) has another default dtype.
func (c Config) Under(s *promote.System) Config {
	c.System = s
	return c
}

// system returns the promotion system.
func (c Config) system() *promote.System {
	if c.System == nil {
		return promote.Torch
	}
	return c.System
}

// rules returns the system's rules, or an error if it is not one of PyTorch's.
func (c Config) rules() (promote.TorchRules, error) {
	t, ok := c.system().Torch()
	if !ok {
		return t, &dtype.Error{Op: "tensoriter.Build", Operands: c.system().Name(),
			Reason: "not one of PyTorch's systems",
			Hint:   "give promote.Torch or promote.TorchExt"}
	}
	return t, nil
}

// ConfigOf returns the configuration of PyTorch's operation op with the given number of
// operands. ConfigOf derives it from the dtype of the result for integers: an operation that
// returns floats converts integers, and one that returns bools has a static dtype.
func ConfigOf(op string, operands int) (Config, error) {
	i32 := promote.Operand{Typed: promote.Known(dtype.I32), Rank: 1}
	xs := []any{i32, i32, i32}[:max(1, min(operands, 3))]
	t, err := promote.TorchExt.Operation(op, xs...)
	if missing := (*dtype.Error)(nil); errors.As(err, &missing) { // PyTorch has no such operation
		return Config{}, err
	}
	// Any other error says that op does not take i32. Then t is zero, which gives Unary or Binary.
	switch {
	case t.DType == dtype.I1:
		return Comparison, nil
	case operands == 1 && t.DType == dtype.F32:
		return UnaryFloat, nil
	case operands == 1:
		return Unary, nil
	case t.DType == dtype.F32:
		return BinaryFloat, nil
	}
	return Binary, nil
}
