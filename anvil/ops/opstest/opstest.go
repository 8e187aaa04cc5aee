// Package opstest draws samples of the rows of the op table for the tests of what
// computes them.
package opstest

import (
	"strconv"

	"pgregory.net/rapid"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
)

// Draw returns the i-th random sample of row d on dtype t. Tests of another seed
// see other samples; the same arguments give the same one.
func Draw(d *ops.Def, t dtype.DType, i, seed int) ops.Sample {
	return rapid.Custom(func(rt *rapid.T) ops.Sample {
		s := d.Draw(source{rt}, t)
		s.Name = "drawn " + strconv.Itoa(i)
		return s
	}).Example(seed*int(d.Code) + 30*i + int(t))
}

type source struct{ t *rapid.T }

func (s source) Int(low, high int) int { return rapid.IntRange(low, high).Draw(s.t, "int") }
func (s source) Bits() uint64          { return rapid.Uint64().Draw(s.t, "bits") }
