// Package tensoriter is a model of PyTorch's TensorIterator, as far as it
// decides on dtypes: what it looks at before an operation runs, in which order,
// and what each operand and output comes to. Build answers with a Trace, which
// shows every step. The rules are those of promote.Torch itself: its states,
// categories, table and casts.
//
// Source: TensorIteratorBase::compute_types in aten/src/ATen/TensorIterator.cpp.
package tensoriter

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Config is what an operation asks of the iterator: the flags of
// TensorIteratorConfig. The zero Config asks for nothing.
type Config struct {
	System *promote.System // whose table and default dtype; nil: promote.Torch

	StaticDType                 dtype.DType // that of outputs that are not given; Invalid: the common one
	PromoteInputs               bool        // inputs are converted to their common dtype
	PromoteIntegerInputsToFloat bool        // integers and bools are computed in the default dtype
	CastCommonDTypeToOutputs    bool        // a result is converted to the dtype of a given output
	EnforceSafeCastingToOutput  bool        // and that is an error where it would lower the category
	CheckAllSameDType           bool        // operands of different dtypes are an error
	CheckAllSameDevice          bool        // and so are those on different devices
	AllowCPUScalars             bool        // but for one on the CPU without axes
}

// What PyTorch's own kinds of operations ask for: add, div, eq, neg, sin, copy_.
var (
	Binary = Config{PromoteInputs: true, CastCommonDTypeToOutputs: true, EnforceSafeCastingToOutput: true,
		CheckAllSameDevice: true, AllowCPUScalars: true}
	BinaryFloat = Binary.toFloat()
	Comparison  = Config{StaticDType: dtype.I1, PromoteInputs: true, CheckAllSameDevice: true, AllowCPUScalars: true}
	Unary       = Config{CheckAllSameDType: true, CheckAllSameDevice: true}
	UnaryFloat  = Config{PromoteInputs: true, PromoteIntegerInputsToFloat: true, CastCommonDTypeToOutputs: true,
		EnforceSafeCastingToOutput: true, CheckAllSameDevice: true}
	Copy = Config{}
)

func (c Config) toFloat() Config {
	c.PromoteIntegerInputsToFloat = true
	return c
}

// flags are the flags by name, in the order in which they act.
var flags = []struct {
	name string
	of   func(c Config) bool
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
		case !f.of(c):
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

// Under returns c for another of PyTorch's systems, as one with another default
// dtype: tensoriter.Binary.Under(promote.Torch.WithDefault(dtype.F64)).
func (c Config) Under(s *promote.System) Config {
	c.System = s
	return c
}

func (c Config) system() *promote.System {
	if c.System == nil {
		return promote.Torch
	}
	return c.System
}

// rules returns the parts of the system's rule, or an error where it is none of
// PyTorch's.
func (c Config) rules() (promote.TorchRules, error) {
	t, ok := c.system().Torch()
	if !ok {
		return t, &dtype.Error{Op: "tensoriter.Build", Operands: c.system().Name(), Reason: "it is none of PyTorch's systems",
			Hint: "promote.Torch and promote.TorchExt are"}
	}
	return t, nil
}

// ConfigOf returns what PyTorch's operation of that name asks for. It is read
// off the table of what the operation gives: one that makes floats of integers
// promotes them, one that makes bools has a static dtype.
func ConfigOf(op string, operands int) (Config, error) {
	i32 := promote.Operand{Typed: promote.Known(dtype.I32), Rank: 1}
	xs := []any{i32, i32, i32}[:max(1, min(operands, 3))]
	t, err := promote.TorchExt.Operation(op, xs...)
	if missing := (*dtype.Error)(nil); asError(err, &missing) {
		return Config{}, err
	}
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
