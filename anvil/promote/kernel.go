package promote

import (
	"embed"
	"slices"
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
	var order []string
	for line := range strings.Lines(table(file)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#order "):
			order = strings.Split(strings.TrimPrefix(line, "#order "), ",")
		case strings.HasPrefix(line, "#"):
			part = section{}
			parts[line[1:]] = part
		case strings.HasPrefix(line, "\t!"):
			last.failures(line[2:], order)
		default:
			names, groups, _ := strings.Cut(line, " ")
			last = newKernel(groups, order)
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
func newKernel(groups string, order []string) *kernel {
	k := &kernel{map[dtype.Typed]dtype.Typed{}, map[dtype.Typed]string{}}
	for _, group := range strings.Fields(groups) {
		result, names, ok := strings.Cut(group, ":")
		if !ok {
			continue // a loop of NumPy's
		}
		for _, t := range namedList(names, order) {
			k.result[t] = t
			if result != "=" {
				k.result[t] = namedTyped(result)
			}
		}
	}
	return k
}

func (k *kernel) failures(line string, order []string) {
	names, text, _ := strings.Cut(line, " ")
	for _, t := range namedList(names, order) {
		k.fail[t] = text
	}
}

// namedList returns the dtypes that names are, "i1,ui8..ui64,f32?": two with dots
// between them stand for all from the one to the other in the table's order.
func namedList(names string, order []string) (ts []dtype.Typed) {
	for name := range strings.SplitSeq(names, ",") {
		first, last, several := strings.Cut(name, "..")
		if !several {
			ts = append(ts, namedTyped(name))
			continue
		}
		for _, n := range order[slices.Index(order, first) : slices.Index(order, last)+1] {
			ts = append(ts, namedTyped(n))
		}
	}
	return ts
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
	return dtype.Typed{}, &Refusal{Op: op, Kind: kind, Reason: reasonOf(text, op, spell(t.DType))}
}

// reasonOf returns a table's reason for the operation op at a dtype, by the
// system's names of them.
func reasonOf(text, op, spelled string) string {
	return strings.NewReplacer(`\n`, "\n", "@", spelled, "$", op[strings.LastIndex(op, ".")+1:]).Replace(text)
}
