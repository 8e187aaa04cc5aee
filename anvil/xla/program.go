package xla

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// checkProgram returns an error for programs that would kill or hang the process, or free
// arguments that are in use: programs that are empty or nested too deeply, that have too large
// arrays, recursive functions or operations like infeed, or that donate other arguments than
// donated. It also checks that the parameters of @main have the types args, which plugins do not
// check.
func checkProgram(program []byte, args []Type, donated []int) error {
	if len(bytes.TrimSpace(program)) == 0 {
		return fmt.Errorf("the program is empty")
	}
	if bytes.IndexByte(program, 0) >= 0 {
		return fmt.Errorf("the program is not text, so its types cannot be checked")
	}
	if n := nesting(program); n > maxNesting {
		return fmt.Errorf("brackets are nested %d deep, want at most %d", n, maxNesting)
	}
	if t := tooLarge(program); t != "" {
		return fmt.Errorf("%s is too large for any memory", t)
	}
	if f := recursive(program); f != "" {
		return fmt.Errorf("@%s calls itself", f)
	}
	for _, op := range []string{"infeed", "outfeed", "send", "recv"} {
		name := "stablehlo." + op
		if bytes.Contains(program, []byte(name+"\"")) || bytes.Contains(program, []byte(name+" ")) {
			return fmt.Errorf("%s is not supported: it would wait for the host forever", op)
		}
	}
	if bytes.Contains(program, []byte(donor)) {
		return fmt.Errorf("%s is not supported: donate arguments with %s", donor, aliasing)
	}
	if n := bytes.Count(program, []byte(aliasing)); n != len(donated) {
		return fmt.Errorf("%s donates %d arguments, but %d are described as donated", aliasing, n, len(donated))
	}
	return checkSignature(string(program), args, donated)
}

// donor and aliasing are the attributes that donate an argument in the text of a program. donor
// lets XLA choose the result that reuses the argument's memory; aliasing names the result.
const donor, aliasing = "jax.buffer_donor", "tf.aliasing_output"

// maxNesting is the greatest depth of nested brackets. The stack of XLA's parser overflows between
// 2000 and 4000 nested modules or tuples.
const maxNesting = 1000

// nesting returns the greatest depth of nested brackets. The > of an arrow (->) is not a bracket.
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

// maxElements is the greatest number of elements of an array. Compilers count bytes with 63
// bits, and end the process if the count overflows.
const maxElements = 1 << 43

// tooLarge returns the first type with more than maxElements elements, or "".
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

// fits reports whether typ, the text after "tensor<" such as 2x3xf32, has at most
// maxElements elements.
func fits(typ []byte) bool {
	elements, dim := 1.0, 0.0
	for _, c := range typ {
		switch {
		case '0' <= c && c <= '9':
			dim = 10*dim + float64(c-'0')
		case c == 'x':
			elements = min(elements*min(dim, 2*maxElements), 2*maxElements)
			dim = 0
		default:
			return elements <= maxElements
		}
	}
	return true
}

var (
	functionHead = regexp.MustCompile(`func\.func[^@]*@([\w.$-]+)`) // the beginning of a function, with its name
	functionCall = regexp.MustCompile(`call @([\w.$-]+)`)           // a call, with the function's name
)

// recursive returns the name of a function that calls itself, directly or through other functions, or
// "". Compilers follow such calls until their stack overflows.
func recursive(program []byte) string {
	heads := functionHead.FindAllSubmatchIndex(program, -1)
	callees := map[string][]string{}
	for i, head := range heads {
		end := len(program)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := string(program[head[2]:head[3]])
		for _, call := range functionCall.FindAllSubmatch(program[head[1]:end], -1) {
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

// reaches reports whether the function from calls the function to, directly or through other
// functions. seen has the functions visited so far.
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

// checkSignature returns an error unless @main declares arguments of the types args
// and donates exactly the arguments in donated.
func checkSignature(program string, args []Type, donated []int) error {
	_, rest, found := strings.Cut(program, "func @main(")
	if !found {
		if _, rest, found = strings.Cut(program, "func.func public @main("); !found {
			return fmt.Errorf("the program does not declare func.func @main(...); " +
				"write @main in this form, or as func.func public @main(...)")
		}
	}
	declared := splitTopLevel(rest)
	if len(declared) != len(args) {
		return fmt.Errorf("@main takes %d arguments, but %d are described", len(declared), len(args))
	}
	for i, d := range declared {
		_, typ, _ := strings.Cut(d, ":")
		typ, _, _ = strings.Cut(strings.TrimSpace(typ), " ")
		if given := strings.Contains(d, aliasing); given != slices.Contains(donated, i) {
			if given {
				return fmt.Errorf("argument %d of @main is donated, but not described as donated", i)
			}
			return fmt.Errorf("argument %d of @main is described as donated, but is not", i)
		}
		if want := args[i].MLIR(); typ != want {
			return fmt.Errorf("argument %d of @main is %s, but described as %s", i, typ, want)
		}
	}
	return nil
}

// splitTopLevel splits s, the text after an opening parenthesis, at the commas outside of inner
// brackets, up to the closing parenthesis.
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
