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

// supportTables are the declarations of all frameworks by operation, and the
// operations of each module.
type supportTables struct {
	rules   map[string][]Rule
	modules map[string][]string
}

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

// add adds one declaration to the rule of an operation and a framework. The
// mark is "-" or "+", and "@cpu" behind it where one device is meant.
func (t supportTables) add(op, framework, version, mark string, dtypes []string) {
	i := slices.IndexFunc(t.rules[op], func(r Rule) bool { return r.Framework == framework })
	if i < 0 {
		i = len(t.rules[op])
		t.rules[op] = append(t.rules[op], Rule{Framework: framework})
	}
	r := &t.rules[op][i]
	into, on := &r.Unsupported, &r.UnsupportedOn
	if mark[0] == '+' {
		into, on = &r.Supported, &r.SupportedOn
	}
	if device, ok := strings.CutPrefix(mark[1:], "@"); ok {
		if *on == nil {
			*on = map[string]Versions{}
		}
		if (*on)[device] == nil {
			(*on)[device] = Versions{}
		}
		(*on)[device][version] = dtypes
		return
	}
	if *into == nil {
		*into = Versions{}
	}
	(*into)[version] = dtypes
}

// notes are what is known of single declarations, by operation and framework.
var notes = map[string]map[string]string{
	"tensordot": {"torch": "int32 fails at some shapes, for instance at 1.12.1: https://github.com/pytorch/pytorch/issues/84530"},
	"cumsum":    {"torch": "to bfloat16 it fails at 1.11.0 and works from 1.12.1 on"},
	"prod":      {"torch": "the product of uint8 is a uint32, which the framework does not have"},
	"gcd":       {"paddle": "on the cpu only"},
}

// Modules returns the names of the modules that a Block can mark.
func Modules() []string { return slices.Sorted(maps.Keys(tables().modules)) }

// opNames are what Ivy calls operations of ours whose name is not the same, as
// Expm1 and expm1 are, or ArgMax and argmax.
var opNames = map[string]string{
	"Sub": "subtract", "Mul": "multiply", "Div": "divide", "TrueDiv": "divide", "FloorDiv": "floor_divide",
	"TruncDiv": "trunc_divide", "Rem": "remainder", "Neg": "negative", "Clamp": "clip", "Concatenate": "concat", "Logistic": "sigmoid",
	"And": "bitwise_and", "Or": "bitwise_or", "Xor": "bitwise_xor", "Not": "bitwise_invert",
	"Shl": "bitwise_left_shift", "Shr": "bitwise_right_shift", "LogicalNot": "logical_not",
	"Eq": "equal", "Ne": "not_equal", "Lt": "less", "Le": "less_equal", "Gt": "greater", "Ge": "greater_equal",
	"ExpandDims": "expand_dims", "BroadcastTo": "broadcast_to", "Transpose": "permute_dims",
	"EinopsReduce": "einops_reduce", "AsType": "astype", "FullLike": "full_like", "OnesLike": "ones_like", "ZerosLike": "zeros_like",
}

// opName returns Ivy's name of an operation of ours, stored in place or not;
// other names stay.
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
