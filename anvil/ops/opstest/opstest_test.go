package opstest

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestEveryRowHasSamples checks that each row has samples for each dtype that its first
// operand may have, and accepts them, and that rows without an entry in the table are
// elementwise.
func TestEveryRowHasSamples(t *testing.T) {
	for _, d := range ops.All() {
		total := 0
		for _, dt := range dtype.All() {
			if len(d.Params) > 0 && !d.Takes(0, dt) {
				continue
			}
			samples := Samples(d, dt)
			total += len(samples)
			if len(d.Params) > 0 && len(samples) == 0 {
				t.Errorf("%s has no samples of %v", d.Name, dt)
			}
			for _, s := range samples {
				check(t, d, dt, s)
			}
		}
		if total == 0 {
			t.Errorf("%s has no samples", d.Name)
		}
	}
}

func check(t *testing.T, d *ops.Def, dt dtype.DType, s Sample) {
	t.Helper()
	var types []shape.Type
	for _, a := range s.Args {
		types = append(types, a.Type)
	}
	defer func() {
		if err := recover(); err != nil {
			t.Errorf("%s: the sample %q of %v lacks attributes: %v", d.Name, s.Name, dt, err)
		}
	}()
	results, err := ops.Infer(d.Code, s.Attrs, s.Regions, types...)
	if err != nil {
		t.Errorf("%s: the sample %q of %v: %v", d.Name, s.Name, dt, err)
		return
	}
	if _, ok := table[d.Code]; !ok && (len(results) != 1 || !results[0].Shape.Equal(types[0].Shape)) {
		t.Errorf("%s is not elementwise: it needs an entry in the table", d.Name)
	}
}
