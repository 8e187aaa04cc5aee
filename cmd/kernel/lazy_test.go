package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// between maps the names of variants of loops to the statement that they contain besides:
// none, or a collection, which must not change the compiled programs.
var between = map[string]string{"": "", " with collections": "if i%8 == 5 {\n\t\truntime.GC()\n\t}"}

const parameters = "import \"runtime\"\nruntime.GC()\nw, target := nv.Zeros(nv.Shape{8}), nv.Arange(8).AsType(nv.F32)"

// unread returns a loop that reads no tensor and whose scalar changes at every step. also is another
// statement of its body.
func unread(steps int, also string) string {
	return fmt.Sprintf("for i := 0; i < %d; i++ {\n\tlr := 1 / float64(i+2)\n\tw = w - 2*lr*(w-target)\n\t%s\n}", steps, also)
}

func TestUnreadLoopsInCells(t *testing.T) {
	for name, also := range between {
		t.Run("loops"+name, func(t *testing.T) {
			f, s := newMeasuredFront(t, "xla")
			f.text(parameters)
			for _, steps := range []int{37, 100, 101, 1000} {
				if steps == 1000 && also != "" && testing.Short() {
					continue
				}
				f.text(unread(steps, also))
			}
			if n := s.ctx.Stats(); n.Compiles > 3 || n.LargestOps > 512 {
				t.Errorf("%d programs compiled, the largest of %d operations", n.Compiles, n.LargestOps)
			}
			if last := f.number("w[7].Float()"); last < 6 || last > 7.5 {
				t.Errorf("w[7] is %v", last)
			}
		})
	}
}

// reads are bodies of a loop that reads the loss at every step, with the number of programs
// that each needs: operations after the read are another program.
var reads = []struct {
	body     string
	programs int64
}{
	{"d := w - target\n\tloss := (d * d).Sum()\n\tw = w - lr*d\n\tlast = loss.Float()", 1},
	{"w = w - lr*(w-target)\n\tlast = ((w - target) * (w - target)).Sum().Float()", 1},
	{"d := w - target\n\tlast = (d * d).Sum().Float()\n\tw = w - lr*d", 2},
}

func TestLoopsThatReadTheLoss(t *testing.T) {
	for name, also := range between {
		for _, r := range reads {
			t.Run(fmt.Sprintf("%d programs%s", r.programs, name), func(t *testing.T) {
				f, s := newMeasuredFront(t, "xla")
				f.text(parameters + "\nlast := 0.0")
				before := s.ctx.Stats().Compiles
				for _, steps := range []int{40, 41} {
					f.text(fmt.Sprintf("for i := 0; i < %d; i++ {\n\tlr := 1 / float64(i+2)\n\t%s\n\t%s\n}", steps, r.body, also))
				}
				if n := s.ctx.Stats().Compiles - before; n > r.programs {
					t.Errorf("%d programs compiled, of which %d are needed", n, r.programs)
				}
				if last := f.number("last"); last < 0 || last > 1 {
					t.Errorf("the last loss is %v", last)
				}
			})
		}
	}
}

// TestChainOfBF16 tests that a chain of operations at bf16 gives the same result in one program
// as operation by operation. By default XLA would keep intermediate results in f32, and give 0.9999.
func TestChainOfBF16(t *testing.T) {
	for _, eager := range []string{"", "1"} {
		t.Run("GOANVIL_EAGER="+eager, func(t *testing.T) {
			t.Setenv("GOANVIL_EAGER", eager)
			f, _ := newMeasuredFront(t, "xla")
			f.text("x, d := nv.Scalar(1.0, nv.BF16), nv.Scalar(1e-4, nv.BF16)\nfunc chain(x, d nv.Tensor) nv.Tensor {\n\tfor range 100 {\n\t\tx = x - d\n\t}\n\treturn x\n}")
			for _, code := range []string{"x" + strings.Repeat(" - d", 100), "chain(x, d)", "nv.Jit(chain)(x, d)"} {
				f.want(code, "AnvilTensor\n 1\n[ CPUbf16{} ]")
			}
		})
	}
}

// TestEagerModeAgrees tests that computing after every operation gives the same types, flags,
// integers and bools, and the same floats except for fused multiply-adds.
func TestEagerModeAgrees(t *testing.T) {
	exact := []string{
		"x := nv.Scalar(2) + 1\nx", "x * nv.Scalar(2, nv.I16)", "x == 3", "nv.Arange(10) % 4",
		"n := nv.Arange(5)\nfor i := 0; i < 30; i++ {\n\tn = n*3 + i\n}\nn", "n[2:4]", "(n > 7).Any()", "nv.Why(n).String()",
	}
	var answers [2][]string
	var floats [2]float64
	var launches [2]int64
	for i, eager := range []string{"", "1"} {
		t.Setenv("GOANVIL_EAGER", eager)
		f, s := newMeasuredFront(t, "xla")
		for _, code := range exact {
			answers[i] = append(answers[i], f.text(code))
		}
		f.text(parameters + "\n" + unread(100, ""))
		floats[i] = f.number("w.Sum().Float()")
		launches[i] = s.ctx.Stats().Launches
	}
	for i, code := range exact {
		if answers[0][i] != answers[1][i] {
			t.Errorf("%s: %s, and eagerly %s", code, answers[0][i], answers[1][i])
		}
	}
	if math.Abs(floats[0]-floats[1]) > 1e-5*math.Abs(floats[0]) {
		t.Errorf("%v, and eagerly %v", floats[0], floats[1])
	}
	if launches[1] <= launches[0] {
		t.Errorf("%d launches, and eagerly %d", launches[0], launches[1])
	}
}

// number runs a cell and returns its value, which must be a number.
func (f *front) number(code string) float64 {
	f.Helper()
	v, err := strconv.ParseFloat(f.text(code), 64)
	if err != nil {
		f.Fatal(err)
	}
	return v
}
