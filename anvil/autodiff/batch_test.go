package autodiff_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
)

// TestBatchOfControlFlow checks Batch on each row whose rule is in package autodiff.
func TestBatchOfControlFlow(t *testing.T) {
	for _, d := range ops.All() {
		if d.Batch == nil && len(d.Params) > 0 {
			t.Run(d.Name, func(t *testing.T) { opstest.CheckBatch(t, d) })
		}
	}
}
