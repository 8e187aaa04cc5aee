package backend

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed tables/support.txt
var supportText string

// supportTables are Ivy's tables of supported dtypes.
type supportTables struct {
	rules   map[string][]Rule   // the rules of each operation
	modules map[string][]string // the operations of each of Ivy's modules
}

// tables parses supportText on the first call and returns the tables. The text has lines of these forms:
//
//	=1.26.3 and below           the version, for the following lines
//	numpy                       the framework, for the following lines
//	* searching: argmax where   a module, with its operations
//	- bf16 f16: matmul trace    dtypes that the operations do not support
//	+@cpu f32 f64: einsum       the only dtypes that the operations support on a kind of device
var tables = sync.OnceValue(func() supportTables {
	t := supportTables{map[string][]Rule{}, map[string][]string{}}
	var framework, version string
	for line := range strings.Lines(supportText) {
		line = strings.TrimSpace(line)
		head, ops, listed := strings.Cut(line, ": ")
		mark, names, _ := strings.Cut(head, " ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '=':
			version = line[1:]
		case !listed:
			framework = line
		case mark == "*":
			t.modules[names] = strings.Fields(ops)
		default:
			for op := range strings.FieldsSeq(ops) {
				t.add(op, framework, version, mark, strings.Fields(names))
			}
		}
	}
	for op, notes := range notes {
		for i := range t.rules[op] {
			r := &t.rules[op][i]
			r.Note = notes[r.Framework]
		}
	}
	return t
})

// add adds a line of the tables to the rule for an operation and a framework. The mark is "-"
// or "+", followed by "@cpu" (for example) if the line is about one kind of device.
func (t supportTables) add(op, framework, version, mark string, dtypes []string) {
	i := slices.IndexFunc(t.rules[op], func(r Rule) bool { return r.Framework == framework })
	if i < 0 {
		i = len(t.rules[op])
		t.rules[op] = append(t.rules[op], Rule{Framework: framework})
	}
	r := &t.rules[op][i]
	versions, byDevice := &r.Unsupported, &r.UnsupportedOn
	if mark[0] == '+' {
		versions, byDevice = &r.Supported, &r.SupportedOn
	}
	if device, ok := strings.CutPrefix(mark[1:], "@"); ok {
		if *byDevice == nil {
			*byDevice = map[string]Versions{}
		}
		if (*byDevice)[device] == nil {
			(*byDevice)[device] = Versions{}
		}
		(*byDevice)[device][version] = dtypes
		return
	}
	if *versions == nil {
		*versions = Versions{}
	}
	(*versions)[version] = dtypes
}

// notes are the notes of rules, by operation and framework.
var notes = map[string]map[string]string{
	"tensordot": {"torch": "int32 fails at some shapes, for instance at 1.12.1: https://github.com/pytorch/pytorch/issues/84530"},
	"cumsum":    {"torch": "a sum with dtype bfloat16 fails at 1.11.0 and works from 1.12.1 on"},
	"prod":      {"torch": "the product of uint8 is a uint32, which the framework does not have"},
	"gcd":       {"paddle": "on the cpu only"},
}

// Modules returns the names of the modules that Block.Module takes.
func Modules() []string { return slices.Sorted(maps.Keys(tables().modules)) }

// opNames maps operations to Ivy's names for them, unless Ivy's name is the operation's name in lower case.
var opNames = map[string]string{
	"Sub": "subtract", "Mul": "multiply", "Div": "divide", "TrueDiv": "divide", "FloorDiv": "floor_divide",
	"TruncDiv": "trunc_divide", "Rem": "remainder", "Neg": "negative",
	"Clamp": "clip", "Concatenate": "concat", "Logistic": "sigmoid",
	"And": "bitwise_and", "Or": "bitwise_or", "Xor": "bitwise_xor", "Not": "bitwise_invert",
	"Shl": "bitwise_left_shift", "Shr": "bitwise_right_shift", "LogicalNot": "logical_not",
	"Eq": "equal", "Ne": "not_equal", "Lt": "less", "Le": "less_equal", "Gt": "greater", "Ge": "greater_equal",
	"ExpandDims": "expand_dims", "BroadcastTo": "broadcast_to", "Transpose": "permute_dims",
	"EinopsReduce": "einops_reduce", "FullLike": "full_like", "OnesLike": "ones_like", "ZerosLike": "zeros_like",
}

// opName returns Ivy's name for the operation op, whose suffix "Into" it ignores. It returns names that do not begin
// with an upper-case letter unchanged, since they are Ivy's names already.
func opName(op string) string {
	if op == "" || !unicode.IsUpper(rune(op[0])) {
		return op
	}
	op = strings.TrimSuffix(op, "Into")
	if name, ok := opNames[op]; ok {
		return name
	}
	return strings.ToLower(op)
}
