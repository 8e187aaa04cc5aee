package promote

import (
	"embed"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// tables holds, for each system, at which dtypes its operations are defined,
// as tables/generate.py finds it by trying each with equal dtypes. How mixed
// dtypes come together is not in there: that is the systems' rules.
//
//go:embed tables/*.txt
var tables embed.FS

// A kernel is where an operation is defined: its result by the dtype that it
// is computed in, and what the system says of the others.
type kernel struct {
	result map[dtype.Typed]dtype.Typed
	fail   map[dtype.Typed]string
}

// A section is one part of a table: its kernels by operation.
type section map[string]*kernel

// sections returns the parts of a table, by the name that a line "#name" gives;
// what stands before the first has none.
func sections(file string) map[string]section {
	parts := map[string]section{"": {}}
	part, last := parts[""], (*kernel)(nil)
	for line := range strings.Lines(table(file)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			part = section{}
			parts[line[1:]] = part
		case strings.HasPrefix(line, "\t!"):
			last.failures(line[2:])
		default:
			names, groups, _ := strings.Cut(line, " ")
			last = newKernel(groups)
			for name := range strings.SplitSeq(names, ",") {
				part[name] = last
			}
		}
	}
	return parts
}

func table(file string) string {
	text, err := tables.ReadFile("tables/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newKernel reads groups "result:dtypes"; the result = is the dtype itself.
func newKernel(groups string) *kernel {
	k := &kernel{map[dtype.Typed]dtype.Typed{}, map[dtype.Typed]string{}}
	for _, group := range strings.Fields(groups) {
		result, names, ok := strings.Cut(group, ":")
		if !ok {
			continue // a loop of NumPy's
		}
		for name := range strings.SplitSeq(names, ",") {
			t := namedTyped(name)
			k.result[t] = t
			if result != "=" {
				k.result[t] = namedTyped(result)
			}
		}
	}
	return k
}

func (k *kernel) failures(line string) {
	names, text, _ := strings.Cut(line, " ")
	for name := range strings.SplitSeq(names, ",") {
		k.fail[namedTyped(name)] = text
	}
}

// namedTyped is named for a name that may end in "?".
func namedTyped(name string) dtype.Typed {
	bare, weak := strings.CutSuffix(name, "?")
	return dtype.Typed{DType: named(bare), Ambiguous: weak}
}

// at returns the result of the kernel at t. The error is the system's own, in
// which spell gives the dtype's name.
func (k *kernel) at(op string, t dtype.Typed, spell func(dtype.DType) string) (dtype.Typed, error) {
	if r, ok := k.result[t]; ok {
		return r, nil
	}
	text, ok := k.fail[t]
	if !ok {
		return dtype.Typed{}, refuse(op, "TypeError", "not defined for %s", spell(t.DType))
	}
	kind, text, _ := strings.Cut(text, ": ")
	return dtype.Typed{}, &Refusal{Op: op, Kind: kind, Reason: strings.ReplaceAll(text, "@", spell(t.DType))}
}
