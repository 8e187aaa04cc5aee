package promote

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// tables holds a table for each of several real systems: the dtypes for which the system's
// operations are defined, and the dtypes of their results. tables/generate.py records them by
// calling each operation on operands of one dtype. Operands of different dtypes are promoted
// by the system's rules before the table is read. NumPy's table also has sections for its
// loops, its casts, and pairs of dtypes.
//
//go:embed tables/*.txt
var tables embed.FS

// A kernel holds, for each dtype that an operation may be computed in, the dtype of the
// result or the system's error.
type kernel struct {
	result map[dtype.Typed]dtype.Typed
	fail   map[dtype.Typed]string // texts of errors (see reasonOf), each with the kind of error before ": "
}

// A section is one part of a table. It holds kernels by the names of operations, or, in
// NumPy's sections for casts and pairs, by the names of dtypes.
type section map[string]*kernel

// A kernelTable is the table of a system, by the names of its sections.
type kernelTable struct {
	system   string
	sections map[string]section
}

// tableOf returns a function that reads a system's table at its first call.
func tableOf(system string) func() kernelTable {
	return sync.OnceValue(func() kernelTable { return kernelTable{system, readSections(system)} })
}

// kernel returns the kernel of an operation, or an error if there is none.
func (t kernelTable) kernel(section, op string) (*kernel, error) {
	if k, ok := t.sections[section][op]; ok {
		return k, nil
	}
	return nil, noSuchOperation(t.system, op)
}

// sectionFor returns the section for operations on xs: "unary" for one operand, else name.
func sectionFor(xs []Operand, name string) string {
	if len(xs) == 1 {
		return "unary"
	}
	return name
}

// readSections reads a table. The line "#order dtypes" gives the order for ranges of dtypes
// (see namedList). A line "#name" starts a section; the lines before the first such line are
// the section "". Each kernel has a line "names groups" with the names of its operations and
// its results (see newKernel), and below this a line "\t!dtypes error" for each error.
func readSections(file string) map[string]section {
	sections := map[string]section{"": {}}
	current, last := sections[""], (*kernel)(nil)
	var order []string
	for line := range strings.Lines(table(file)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#order "):
			order = strings.Split(strings.TrimPrefix(line, "#order "), ",")
		case strings.HasPrefix(line, "#"):
			current = section{}
			sections[line[1:]] = current
		case strings.HasPrefix(line, "\t!"):
			last.readFailure(line[2:], order)
		default:
			names, groups, _ := strings.Cut(line, " ")
			last = newKernel(groups, order)
			for name := range strings.SplitSeq(names, ",") {
				current[name] = last
			}
		}
	}
	return sections
}

// table returns the text of a table.
func table(file string) string {
	text, err := tables.ReadFile("tables/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newKernel returns the kernel of groups of the form "result:dtypes", separated by spaces
// (see namedList). The result "=" stands for the operands' dtype.
func newKernel(groups string, order []string) *kernel {
	k := &kernel{map[dtype.Typed]dtype.Typed{}, map[dtype.Typed]string{}}
	for _, group := range strings.Fields(groups) {
		result, names, ok := strings.Cut(group, ":")
		if !ok {
			continue // a signature in NumPy's section of loops, which numpyLoops reads
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

// readFailure adds the error of a line "dtypes error" to the kernel.
func (k *kernel) readFailure(line string, order []string) {
	names, text, _ := strings.Cut(line, " ")
	for _, t := range namedList(names, order) {
		k.fail[t] = text
	}
}

// namedList returns the dtypes of a list such as "i1,ui8..ui64,f32?". Two names
// with dots between them are a range in the table's order.
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

// namedTyped is mustNamed for a name that ends in "?" if the dtype is ambiguous.
func namedTyped(name string) dtype.Typed {
	bare, ambiguous := strings.CutSuffix(name, "?")
	return dtype.Typed{DType: mustNamed(bare), Ambiguous: ambiguous}
}

// at returns the dtype of the result of op computed in the dtype t. If there is no result, it
// returns the error in the table, or a general error if the table has none. spell returns the
// name of a dtype in the system's errors.
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

// apply returns the result of at, and steps with the step to the result appended.
func (k *kernel) apply(
	op string, t dtype.Typed, spell func(dtype.DType) string, steps []Step,
) (dtype.Typed, []Step, error) {
	r, err := k.at(op, t, spell)
	if err != nil {
		return r, steps, err
	}
	return r, appendKernelStep(steps, op, t, r), nil
}

// reasonOf returns the reason of an error from its text in a table: "@" stands for the name of
// the dtype, "$" for the name of the operation without its module, and `\n` for a line break.
func reasonOf(text, op, spelled string) string {
	return strings.NewReplacer(`\n`, "\n", "@", spelled, "$", op[strings.LastIndex(op, ".")+1:]).Replace(text)
}

// appendKernelStep appends the step of kernelStep to steps, unless at and r are equal to the
// result of the last step.
func appendKernelStep(steps []Step, op string, at, r dtype.Typed) []Step {
	if n := len(steps); n > 0 && at == r && steps[n-1].Result == r {
		return steps
	}
	return append(steps, kernelStep(op, at, r))
}

// kernelStep returns the step from at, the dtype that an operation is computed in, to r,
// the dtype of its result.
func kernelStep(op string, at, r dtype.Typed) Step {
	return Step{op + " of " + at.String(), r, kernelRule(op, at, r)}
}

// counted maps operations that return positions or counts, not values of their operand, to a
// word for the results. The names have the form that bareName returns.
var counted = map[string]string{"argmax": "positions", "argmin": "positions", "argsort": "positions",
	"nonzero": "positions", "countnonzero": "counts", "bincount": "counts"}

// bareName returns the name of an operation without its module, in lower case and without underscores.
func bareName(op string) string {
	return strings.ToLower(strings.ReplaceAll(op[strings.LastIndex(op, ".")+1:], "_", ""))
}

// kernelRule returns the rule of kernelStep.
func kernelRule(op string, at, r dtype.Typed) Rule {
	to := r.DType.String()
	switch {
	case at == r:
		return Rule{"keeps the dtype", "the result has the dtype of its operands"}
	case r == Known(at.DType):
		return Rule{"keeps the dtype, known", "the result has the dtype of its operands, and is known"}
	case r == Amb(at.DType):
		return Rule{"keeps the dtype, weak", "the result has the dtype of its operands, and is weak (?)"}
	}
	rule := Rule{"result in " + to, "the operation returns " + to + " for such operands"}
	switch {
	case r.DType == dtype.I1:
		rule = Rule{"truth", "the result is a bool, i1"}
	case at.DType.Is(dtype.Complex) && r.DType == elem(at.DType):
		rule = Rule{"real result", "the result is real, with the width of the complex dtype's parts"}
	case at.DType.Is(dtype.Bits) && r.DType.Is(dtype.Inexact):
		rule = Rule{"integers in " + to, "the operation computes " + at.DType.String() + " in " + to}
	case counted[bareName(op)] != "" && r.DType.Is(dtype.Integral):
		rule = Rule{"counted in " + to, counted[bareName(op)] + " are " + to}
	case at.DType.Is(dtype.Bits) && r.DType.Bits() > at.DType.Bits():
		rule = Rule{"widened to " + to,
			"the operation returns " + to + " for " + at.DType.String() + ", to hold larger values"}
	}
	if r.Ambiguous {
		rule.Name, rule.Doc = rule.Name+", weak", rule.Doc+"; the result is weak (?)"
	}
	return rule
}
