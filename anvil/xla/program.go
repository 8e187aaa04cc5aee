package xla

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// checkProgram refuses what would kill or hang the process, or destroy
// arguments: no program, absurd nesting, infeed and its like, donation of others
// than are said to be donated. Arguments are compared with the signature of
// @main where the program is text that can be read.
func checkProgram(program []byte, args []Type, donated []int) error {
	if len(bytes.TrimSpace(program)) == 0 {
		return fmt.Errorf("the program is empty")
	}
	if bytes.HasPrefix(program, []byte("ML\xefR")) { // MLIR bytecode
		return nil
	}
	if n := nesting(program); n > maxNesting {
		return fmt.Errorf("brackets are nested %d deep, at most %d are read", n, maxNesting)
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

// maxNesting is above any program's: 1000 nested loops were seen to work; the
// parser's stack overflows far beyond.
const maxNesting = 10_000

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

// checkSignature compares the arguments that @main declares with args, and those
// that it gives away with donated.
func checkSignature(program string, args []Type, donated []int) error {
	_, rest, found := strings.Cut(program, "func @main(")
	if !found {
		if _, rest, found = strings.Cut(program, "func.func public @main("); !found {
			return nil // the compiler says what is wrong, or reads a form that is not read here
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
		if want := args[i].MLIR(); strings.HasPrefix(typ, "tensor<") && typ != want {
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
