package rulestest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// TestWrong checks rules that are wrong where TestMistakesAreNoticed runs it.
func TestWrong(t *testing.T) {
	tan, reverse := ops.Lookup(ir.Tan), ops.Lookup(ir.Reverse)
	switch os.Getenv("GOANVIL_TEST_WRONG") {
	case "derivative":
		tan.Partial = ops.Lookup(ir.Tanh).Partial
		rulestest.Check(t)
	case "batch": // reverses the lanes, not their elements
		reverse.Batch = tan.Batch
		rulestest.CheckBatch(t, reverse)
	case "right":
		rulestest.CheckBatch(t, reverse)
	}
}

// TestMistakesAreNoticed checks that wrong rules of derivatives and of batches fail, and no others.
func TestMistakesAreNoticed(t *testing.T) {
	for name, want := range map[string]string{"derivative": "Tan/f64/", "batch": "Reverse: sample", "right": ""} {
		t.Run(name, func(t *testing.T) {
			wrong := exec.Command(os.Args[0], "-test.run=^TestWrong$")
			wrong.Env = append(os.Environ(), "GOANVIL_TEST_WRONG="+name)
			out, err := wrong.CombinedOutput()
			if text := string(out); (err == nil) != (want == "") || !strings.Contains(text, want) || strings.Contains(text, "Sin") {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}
