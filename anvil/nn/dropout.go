package nn

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// Dropout sets elements to 0 in training, each with probability Rate, and divides the
// others by 1 - Rate.
type Dropout struct {
	Rate float64 // from 0 to 1
	base
}

// Apply returns x, or in training random.Dropout of x with a key of the mode. The result
// has the dtype of x.
func (d Dropout) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer d.enter("Dropout", &y, x)()
	m, ok := training(mode)
	if !ok || d.Rate == 0 {
		return x
	}
	return random.Dropout(m.Key(), x, d.Rate)
}
