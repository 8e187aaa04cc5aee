package promote_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestRefusal checks the rule that says why operands have no result.
func TestRefusal(t *testing.T) {
	for want, e := range map[string]promote.Explanation{
		"number out of range": promote.Anvil.Explain(dtype.I8, 300),
		"no common dtype":     promote.Torch.Explain(dtype.F8E5M2, dtype.F8E4M3FN),
		"not in place":        promote.NumPy.ExplainAssignment("add", dtype.I32, dtype.F64),
		"no such value":       promote.NumPy.ExplainOperation("power", dtype.I32, -1),
	} {
		if rule, ok := e.Refusal(); !ok || rule.Name != want {
			t.Errorf("%s: %q, %v, of %v", want, rule.Name, ok, e.Err)
		}
	}
}
