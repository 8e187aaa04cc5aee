package promote

import (
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// answers remembers the dtypes that operations come to. There are few: a system
// has some dozens of operations and of dtypes.
type answers struct {
	mu sync.RWMutex
	at map[string]map[answerKey]dtype.Typed
}

// An answerKey is what an operation's dtype depends on, at most two operands
// packed: of each its dtype and flag, whether it has axes, and of a number its
// type.
type answerKey uint64

func (a *answers) of(op string, k answerKey) (dtype.Typed, bool) {
	a.mu.RLock()
	t, ok := a.at[op][k]
	a.mu.RUnlock()
	return t, ok
}

func (a *answers) put(op string, k answerKey, t dtype.Typed) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at == nil {
		a.at = map[string]map[answerKey]dtype.Typed{}
	}
	if a.at[op] == nil {
		a.at[op] = map[answerKey]dtype.Typed{}
	}
	a.at[op][k] = t
}

// answerKey returns the key of an operation on xs; ok is false where its dtype
// depends on more, such as the exponent of a power.
func (s *System) answerKey(op string, xs []Operand) (k answerKey, ok bool) {
	if len(xs) > 2 || s.Follows() {
		return 0, false
	}
	k = answerKey(len(xs))
	for i := range xs {
		x := &xs[i]
		number := numberType(x.Literal)
		if number != 0 && (s.rules.ByValue || slices.Contains(powers, op)) {
			return 0, false
		}
		k = k<<13 | answerKey(x.DType)<<5 | number<<2
		if x.Ambiguous {
			k |= 2
		}
		if x.Rank > 0 {
			k |= 1
		}
	}
	return k, true
}

// numberType is 0 for a tensor, and of a number tells its type, where that is
// not told by its dtype.
func numberType(v any) answerKey {
	switch v.(type) {
	case nil:
		return 0
	case bool:
		return 1
	case int:
		return 2
	case float64:
		return 3
	case complex128:
		return 4
	}
	return 5
}
