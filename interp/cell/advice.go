package cell

import (
	"regexp"
	"strings"
	"sync"
)

// habits lists mistakes of authors who are used to other languages: a pattern of the scanner's or parser's
// message, a pattern of the author's line (nil matches all), and what to write in Go. The first entry that
// matches is used.
var habits = []struct {
	msg, line func() *regexp.Regexp
	instead   string
}{
	{msg: re(`'@'`), instead: "write the product of matrices as x.MatMul(w)"},
	{msg: re(`rune literal|more than one character in rune`), instead: "write strings in double quotes, \"text\", or in backquotes"},
	{msg: re(`found '~'`), instead: "the negation of a mask, or of the bits of integers, is ^mask"},
	{line: re(`^\s*!\s*[a-z]\w*(?:\s|$)`), instead: "write shell commands in a cell that begins with %%bash; %config shell on allows !command"},
	{msg: re(`'#'`), instead: "a comment begins with //"},
	{line: re(`^\s*def\s+\w+\s*\(`), instead: "a function is written func f(x nv.Tensor) nv.Tensor { return 2*x }"},
	{line: re(`\blambda\b|\bfunction\s*\(|=>|\\\(\w+\)`), instead: "a function without a name is written func(x nv.Tensor) nv.Tensor { return 2*x }"},
	{line: re(`^\s*(?:from\s+\S+\s+)?import\s+\w+\s*(?:$|[.,]|as\b)|^\s*from\s+\S+\s+import\b`), instead: `nv and random are imported already; import a package of Go with import "math"`},
	{line: re(`[\[({].*\bfor\b.*\bin\b.*[\])}]`), instead: "Go has no comprehensions; append to a slice in a loop, or compute with a whole tensor"},
	{line: re(`^\s*for\b[^{]*\bin\b`), instead: "a loop is written for i := range 3 { ... } or for i, v := range values { ... }"},
	{line: re(`^\s*(?:do\s+)?while\b`), instead: "a loop is written for condition { ... }"},
	{line: re(`^\s*(?:async\s+)?(?:class|interface|struct)\s+\w+`), instead: "a type is written type Point struct{ X, Y float64 }, a method func (p Point) Norm() float64 { ... }"},
	{line: re(`^\s*with\b.*:\s*$`), instead: "write defer f.Close() for what is to be done at the end"},
	{line: re(`^\s*(?:try|except|catch|finally|raise|throw)\b`), instead: "Go has no try; functions return errors, and recover() in a deferred function ends a panic"},
	{line: re(`^\s*(?:if|elif|else|for)\b[^{]*:(?:[^={\]][^{]*)?$`), instead: "write blocks in braces: if x > 2 { ... } else { ... }"},
	{line: re(`^[^{]*\bif\b[^{]*\belse\b`), instead: "Go has no conditional expression; write if and else as statements, or nv.Where(condition, a, b) for the elements of tensors"},
	{msg: re(`'\?'`), instead: "Go has no conditional expression; write if and else as statements, or nv.Where(condition, a, b) for the elements of tensors"},
	{line: re(`^\s*assert\b`), instead: `write if !(x > 0) { panic("x is not positive") }`},
	{line: re(`^\s*(?:let|val|auto|my|local)\s+\w+`), instead: "declare a variable with x := 3"},
	{line: re(`^\s*const\s.*:=`), instead: "declare a constant with const x = 3"},
	{line: re(`^\s*var\s+\w+\s*:|^\s*(?:int|float|double|string|bool)\s+\w+\s*=`), instead: "declare a variable with var x int = 3, or x := 3"},
	{line: re(`\bnew\s+\w+\s*\(`), instead: "a value of a type is written Point{X: 1, Y: 2}, a pointer to it &Point{X: 1, Y: 2}"},
	{line: re(`(?:^|[^\w.])(?:rb|[fbru])["']`), instead: `text with values in it is fmt.Sprintf("%v and %.2f", a, b)`},
	{msg: re(`found \w+$`), line: re(`(?:^|[\s)])(?:and|or|not)[\s(]`), instead: "write && instead of and, || instead of or, and ! instead of not; for the elements of tensors write &, | and ^"},
	{msg: re(`found is$`), instead: "write == or !="},
	{msg: re(`found in$`), instead: "write slices.Contains(values, v) for a slice, and _, ok := m[key] for a map"},
	{line: re(`[!=]==`), instead: "write == or !="},
	{line: re(`\|>|%>%`), instead: "write f(x), or a method: x.Exp().Sum()"},
	{line: re(`(?:\+\+|--)\s*[^\s;{})]|=\s*\w+(?:\+\+|--)`), instead: "x++ is a statement of its own; x + 1 is a value"},
	{line: re(`^\s*\{\s*""\s*:`), instead: `a map is written map[string]int{"a": 1}`},
	{msg: re(`expected '==', found '='`), line: re(`\w\s*=\s*\w[\w.]*\s*=[^=]`), instead: "write an assignment for each variable: y = 3; x = y"},
	{msg: re(`expected '==', found '='`), instead: "arguments have no names in Go: an axis is nv.Axis(0), a dtype nv.F32"},
	{msg: re(`expected '\)', found ','`), instead: "Go has no tuples: a shape is nv.Shape{2, 3}, several values are []float64{1, 2}"},
	{msg: re(`expected (?:type|operand)`), line: re(`(?:^|[=(,\[])\s*\[[^\]]*\]\s*(?:$|[),\].;])`), instead: "several values are []float64{1, 2}, rows of them [][]float64{{1, 2}, {3, 4}}"},
	{msg: re(`expected operand, found '\{'`), instead: "several values are []float64{1, 2}, rows of them [][]float64{{1, 2}, {3, 4}}"},
	{msg: re(`expected statement, found '\.'`), instead: "a statement cannot begin with a dot; put the dot at the end of the line before"},
}

// re returns a function that returns the compiled pattern. The function compiles the pattern at its first call.
func re(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// literalOrComment matches the strings and comments of a line, which the patterns of habits must not match.
var literalOrComment = re("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|//.*")

// advise returns msg, the error for an author's line, followed by the hint of the first habit that matches, if any.
func advise(msg, line string) string {
	line = literalOrComment().ReplaceAllStringFunc(line, func(text string) string {
		if strings.HasPrefix(text, "//") {
			return ""
		}
		return `""`
	})
	for _, h := range habits {
		if (h.msg == nil || h.msg().MatchString(msg)) && (h.line == nil || h.line().MatchString(line)) {
			return msg + "; " + h.instead
		}
	}
	return msg
}
