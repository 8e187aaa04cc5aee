package autodiff_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/ops"
)

// TestBatchOfControlFlow checks Batch on each row whose rule is in package autodiff.
func TestBatchOfControlFlow(t *testing.T) {
	for _, d := range ops.All() {
		if d.Batch == nil && len(d.Params) > 0 {
			t.Run(d.Name, func(t *testing.T) { rulestest.CheckBatch(t, d) })
		}
	}
}
