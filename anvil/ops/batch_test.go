package ops_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/ops"
)

// TestBatchOfEveryRow checks the batching rule of each row that has one.
func TestBatchOfEveryRow(t *testing.T) {
	for _, d := range ops.All() {
		if d.Batch != nil && len(d.Params) > 0 {
			t.Run(d.Name, func(t *testing.T) { rulestest.CheckBatch(t, d) })
		}
	}
}
