package main

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestEveryStepNamesItsRule tests, in every system, for every pair of its dtypes and
// of a dtype and a number, that each step of the explanation has a rule with a name
// and a sentence, and that the last step has the result.
func TestEveryStepNamesItsRule(t *testing.T) {
	for _, s := range promote.Systems() {
		for _, a := range s.DTypes() {
			others := []any{true, 1, 1.0, 1i}
			for _, b := range s.DTypes() {
				others = append(others, b)
			}
			for _, b := range others {
				e := s.Explain(a, b)
				if e.Err != nil {
					continue
				}
				if len(e.Steps) == 0 {
					t.Fatalf("%s: no steps", e)
				}
				for _, step := range e.Steps {
					if step.Rule.Name == "" || step.Rule.Doc == "" {
						t.Fatalf("a step without a rule: %s", e)
					}
				}
				if last := e.Steps[len(e.Steps)-1].Result; last != e.Result && last.DType != dtype.Invalid {
					t.Fatalf("the last step is not the result: %s", e)
				}
			}
		}
	}
}
