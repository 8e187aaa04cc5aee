package anvil

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestResultsAreOfTheSystemsDType: under each system, the result of an operation has the
// dtype that the system determines, or the operation fails if the system refuses it.
func TestResultsAreOfTheSystemsDType(t *testing.T) {
	xs := []Tensor{Ones(Shape{2}, I32), Ones(Shape{2}, I64), Ones(Shape{2}, U8), Ones(Shape{2}, I1),
		Ones(Shape{2}, F32), Ones(Shape{2}, F64), Ones(Shape{2}, C64), Scalar(1, F64)}
	for _, sys := range promote.Systems() {
		if !sys.Operates() || promote.Computes(sys) != nil {
			continue
		}
		l := With(sys)
		binary := map[string]func(x, y any, opts ...BinaryOption) Tensor{"Add": l.Add, "Sub": l.Sub, "Mul": l.Mul, "Div": l.Div, "FloorDiv": l.FloorDiv,
			"Rem": l.Rem, "Pow": l.Pow, "Maximum": l.Maximum, "And": l.And, "Shl": l.Shl, "Lt": l.Lt, "Eq": l.Eq, "Atan2": l.Atan2}
		unary := map[string]func(x any) Tensor{"Neg": l.Neg, "Abs": l.Abs, "Sign": l.Sign, "Square": l.Square, "Not": l.Not,
			"Floor": l.Floor, "Exp": l.Exp, "Sqrt": l.Sqrt, "IsNaN": l.IsNaN,
			"Sum": func(x any) Tensor { return l.Sum(x) }, "Mean": func(x any) Tensor { return l.Mean(x) },
			"Max": func(x any) Tensor { return l.Max(x) }, "ArgMax": func(x any) Tensor { return l.ArgMax(x) }}
		for _, x := range xs {
			for op, f := range unary {
				agree(t, sys, op, func() Tensor { return f(x) }, x)
			}
			for _, y := range []any{xs[0], xs[2], xs[3], xs[4], xs[7], 2, 1.5} {
				for op, f := range binary {
					agree(t, sys, op, func() Tensor { return f(x, y) }, x, y)
				}
			}
		}
	}
}

// uncomputed are operations that other systems define and this package does not: they fail.
var uncomputed = map[string]bool{"FloorDiv i1": true, "Pow i1": true, "Mean i1": true, "ArgMax c64": true}

// agree compares the type of the result of f, the operation op on xs, with the one that sys
// determines.
func agree(t *testing.T, sys *promote.System, op string, f func() Tensor, xs ...any) {
	t.Helper()
	c := With(sys).call(op, xs...)
	seen := make([]any, len(xs))
	for i, x := range xs {
		seen[i] = c.operand(x)
	}
	e, ok := explain(sys, op, seen...)
	if !ok {
		return
	}
	var got dtype.Typed
	err := Try(func() { got = f().Typed() })
	missing := err != nil && uncomputed[op+" "+c.operand(xs[0]).DType.String()]
	switch {
	case missing:
	case e.Err != nil && err == nil:
		t.Errorf("%s: %s(%s) is %s, want the error %v", sys, op, operands(xs...), got, e.Err)
	case e.Err == nil && err != nil:
		t.Errorf("%s: %s(%s): %v, want %s", sys, op, operands(xs...), err, e.Result)
	case e.Err == nil && got != e.Result:
		t.Errorf("%s: %s(%s) is %s, want %s", sys, op, operands(xs...), got, e.Result)
	}
}

// TestNoBranchOnASystem: only operation.go and emulation.go compare promotion systems or
// frameworks. Other files ask the system, or look into the framework's table.
func TestNoBranchOnASystem(t *testing.T) {
	allowed := []string{"operation.go", "emulation.go"}
	systems := `promote\.(Anvil|Torch|JAX|NumPy|ArrayAPI|TensorFlow|Ivy)\w*\b`
	branch := regexp.MustCompile(`\.(Operates|Follows|Framework)\(\)|framework\.(Ops|Unpromoted|Lacks)\b` +
		`|framework\.\w+ *[!=]=|[!=]= *` + systems + `|` + systems + ` *[!=]=|case .*` + systems +
		`|\.Name\(\) *[!=]=|HasPrefix\(.*\.Name\(\)`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), "files", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || slices.Contains(allowed, file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if code, _, _ := strings.Cut(line, "//"); branch.MatchString(code) {
				t.Errorf("%s:%d branches on a promotion system: %s", file, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestTablesNameFunctions checks that the tables that are looked up by the name of a function have names of functions,
// and that some promotion system knows each name in promotionNames.
func TestTablesNameFunctions(t *testing.T) {
	lib := reflect.TypeFor[*Lib]()
	others := map[string]bool{"Constant": true, "Lit": true, "At": true} // a method of Tensor, for example
	check := func(table, name string) {
		t.Helper()
		if _, ok := lib.MethodByName(name); !ok && !others[name] {
			t.Errorf("%s has %s, which is no function", table, name)
		}
	}
	for _, table := range []map[string][]string{promotionNames, overAll} {
		for name := range table {
			check("promotionNames", name)
		}
	}
	for name := range promotionRules {
		check("promotionRules", name)
	}
	for _, table := range []map[string]promote.Rule{firstOperandRules, fixedRules} {
		for name := range table {
			check("a table of rules", name)
		}
	}
	for name := range movingOperations {
		check("movingOperations", name)
	}
	for name := range constructorDocs {
		check("constructorDocs", name)
	}

	xs := []any{Ones(Shape{2}, F32), Ones(Shape{2}, F32), Ones(Shape{2}, F32)}
	known := func(name string) bool {
		return slices.ContainsFunc(promote.Systems(), func(sys *promote.System) bool {
			for n := 1; n <= len(xs); n++ {
				if _, ok := explainNamed(sys, []string{name}, xs[:n]...); ok {
					return true
				}
			}
			return false
		})
	}
	for _, table := range []map[string][]string{promotionNames, overAll} {
		for op, names := range table {
			for _, name := range names {
				if !known(name) {
					t.Errorf("no system has the operation %s, which is to be %s", name, op)
				}
			}
		}
	}
	if known("no such operation") {
		t.Error("a system knows any operation")
	}
}

// TestUnknownFramework: a system that computes as an unknown library is refused.
func TestUnknownFramework(t *testing.T) {
	sys := promote.New("mine", "rules of my own", nil, promote.Rules{Framework: "mylib"})
	err := Try(func() { With(sys) })
	if err == nil || err.Error() != "With(mine): there is no framework called mylib; Rules.Framework is one of  "+
		"arrayapi ivy jax jaxstrict numpy tensorflow torch" {
		t.Error(err)
	}
}
