package xla

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// checkProgram refuses what would kill or hang the process, or destroy
// arguments: no program, absurd nesting and sizes, functions that call
// themselves, infeed and its like, donation of others than are said to be
// donated. Arguments are compared with the signature of @main, which nothing
// behind here looks at: a program whose signature cannot be read is refused.
func checkProgram(program []byte, args []Type, donated []int) error {
	if len(bytes.TrimSpace(program)) == 0 {
		return fmt.Errorf("the program is empty")
	}
	if bytes.IndexByte(program, 0) >= 0 {
		return fmt.Errorf("the program is no text, and its types cannot be read")
	}
	if n := nesting(program); n > maxNesting {
		return fmt.Errorf("brackets are nested %d deep, at most %d are read", n, maxNesting)
	}
	if t := tooLarge(program); t != "" {
		return fmt.Errorf("%s is more than any memory holds", t)
	}
	if f := recursive(program); f != "" {
		return fmt.Errorf("@%s calls itself", f)
	}
	for _, op := range []string{"infeed", "outfeed", "send", "recv"} {
		if bytes.Contains(program, []byte("stablehlo."+op+"\"")) || bytes.Contains(program, []byte("stablehlo."+op+" ")) {
			return fmt.Errorf("%s waits for a host that never answers", op)
		}
	}
	if bytes.Contains(program, []byte(donor)) {
		return fmt.Errorf("%s gives arguments away, which buffers do not know of", donor)
	}
	if n := bytes.Count(program, []byte(aliasing)); n != len(donated) {
		return fmt.Errorf("%s gives %d arguments away, of which buffers know %d", aliasing, n, len(donated))
	}
	return checkSignature(string(program), args, donated)
}

// What gives an argument away in the text of a program.
const donor, aliasing = "jax.buffer_donor", "tf.aliasing_output"

// maxNesting is above any program's. The parser's stack holds 2000 modules or
// tuples inside each other, and not 4000.
const maxNesting = 1000

// nesting returns the greatest number of brackets open at a time; the > of ->
// closes none.
func nesting(program []byte) (deepest int) {
	depth, last := 0, byte(0)
	for _, b := range program {
		switch b {
		case '<', '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth--
		case '>':
			if last != '-' {
				depth--
			}
		}
		last = b
	}
	return deepest
}

// maxElements is what no array has. Compilers add up bytes in 63 bits, and end the
// process where that is not enough.
const maxElements = 1 << 43

// tooLarge returns the first type of more than maxElements elements.
func tooLarge(program []byte) string {
	const tensor = "tensor<"
	for {
		_, rest, found := bytes.Cut(program, []byte(tensor))
		if !found {
			return ""
		}
		if !fits(rest) {
			typ, _, _ := bytes.Cut(rest, []byte(">"))
			return tensor + string(typ) + ">"
		}
		program = rest
	}
}

// fits reports whether the dimensions with which a type begins, as 2x3xf32 does,
// make at most maxElements.
func fits(typ []byte) bool {
	elements, dim, digits := 1.0, 0.0, 0
	for _, c := range typ {
		switch {
		case '0' <= c && c <= '9':
			dim, digits = 10*dim+float64(c-'0'), digits+1
		case c == 'x' && digits > 0:
			elements = min(elements*min(dim, 2*maxElements), 2*maxElements)
			dim, digits = 0, 0
		default:
			return elements <= maxElements
		}
	}
	return true
}

// function matches the head of a function, calls what calls one.
var function, calls = regexp.MustCompile(`func\.func[^@]*@([\w.$-]+)`), regexp.MustCompile(`call @([\w.$-]+)`)

// recursive returns a function that calls itself, by way of others or not:
// compilers follow calls as far as their stack goes.
func recursive(program []byte) string {
	heads := function.FindAllSubmatchIndex(program, -1)
	callees := map[string][]string{}
	for i, head := range heads {
		end := len(program)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := string(program[head[2]:head[3]])
		for _, call := range calls.FindAllSubmatch(program[head[1]:end], -1) {
			callees[name] = append(callees[name], string(call[1]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(callees)) {
		if reaches(callees, name, name, map[string]bool{}) {
			return name
		}
	}
	return ""
}

func reaches(callees map[string][]string, from, to string, seen map[string]bool) bool {
	for _, f := range callees[from] {
		if f == to {
			return true
		}
		if !seen[f] {
			seen[f] = true
			if reaches(callees, f, to, seen) {
				return true
			}
		}
	}
	return false
}

// checkSignature compares the arguments that @main declares with args, and those
// that it gives away with donated.
func checkSignature(program string, args []Type, donated []int) error {
	_, rest, found := strings.Cut(program, "func @main(")
	if !found {
		if _, rest, found = strings.Cut(program, "func.func public @main("); !found {
			return fmt.Errorf("there is no func.func @main(...) whose arguments could be read")
		}
	}
	declared := splitTopLevel(rest)
	if len(declared) != len(args) {
		return fmt.Errorf("@main takes %d arguments, %d are described", len(declared), len(args))
	}
	for i, d := range declared {
		_, typ, _ := strings.Cut(d, ":")
		typ, _, _ = strings.Cut(strings.TrimSpace(typ), " ")
		if given := strings.Contains(d, aliasing); given != slices.Contains(donated, i) {
			return fmt.Errorf("that argument %d of @main is given away is %t, described as %t", i, given, !given)
		}
		if want := args[i].MLIR(); typ != want {
			return fmt.Errorf("argument %d of @main is %s, described as %s", i, typ, want)
		}
	}
	return nil
}

// splitTopLevel returns what stands between commas up to the parenthesis that
// closes, leaving brackets whole.
func splitTopLevel(s string) (parts []string) {
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '<', '(', '{', '[':
			depth++
		case '>', '}', ']', ')':
			if depth == 0 {
				if p := strings.TrimSpace(s[start:i]); p != "" {
					parts = append(parts, p)
				}
				return parts
			}
			depth--
		case ',':
			if depth == 0 {
				parts, start = append(parts, strings.TrimSpace(s[start:i])), i+1
			}
		}
	}
	return parts
}
