package random_test

import (
	"errors"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestHugeShapes checks that a shape too large for any memory is an error of the sampler.
func TestHugeShapes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	for name, draw := range samplers {
		switch name {
		case "permutation", "choice-once", "dirichlet": // these take the shape from another parameter
			continue
		}
		d := nv.F32
		if name == "bits" {
			d = nv.U32
		} else if strings.HasPrefix(name, "randint") {
			d = nv.I32
		}
		var e *nv.Error
		err := nv.Try(func() { draw(random.In(c).Key(1), nv.Shape{1 << 40, 1 << 40, 3}, d) })
		if !errors.As(err, &e) || !strings.HasPrefix(e.Op, "random.") || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
