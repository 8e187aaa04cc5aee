package nn

import "github.com/goanvil/notebook/anvil/random"

// A Mode is an argument of Apply that changes what layers do: see Train.
type Mode struct {
	key  random.PRNGKey
	keys *int // number of keys that Key has returned; nil outside of training
}

// Train returns the Mode of training: Dropout drops elements and BatchNorm uses the statistics of
// the batch. Each layer that draws random numbers gets a key of its own, derived from key. Make a new
// Mode for each call of a model:
//
//	model.Apply(x, nn.Train(key))
func Train(key random.PRNGKey) Mode { return Mode{key, new(int)} }

// Key returns a key that no other call of m.Key has returned. It is for layers that are declared
// outside of this package.
func (m Mode) Key() random.PRNGKey {
	if m.keys == nil {
		fail("Key", "Mode{}", "the mode has no key", "write nn.Train(key)")
	}
	*m.keys++
	return m.key.FoldIn(*m.keys)
}

// training returns the first training mode in the modes of a call.
func training(mode []Mode) (m Mode, ok bool) {
	for _, m := range mode {
		if m.keys != nil {
			return m, true
		}
	}
	return Mode{}, false
}
