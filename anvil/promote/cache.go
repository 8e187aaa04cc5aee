package promote

import (
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A resultCache holds the dtypes of operations by name and operands. It stays
// small: a system has some dozens of operations and of dtypes.
type resultCache struct {
	mu sync.RWMutex
	at map[string]map[cacheKey]dtype.Typed
}

// A cacheKey is at most two operands packed: the dtype and flag of each, whether
// it has axes, and the type of a number.
type cacheKey uint64

func (c *resultCache) get(op string, k cacheKey) (dtype.Typed, bool) {
	c.mu.RLock()
	t, ok := c.at[op][k]
	c.mu.RUnlock()
	return t, ok
}

func (c *resultCache) put(op string, k cacheKey, t dtype.Typed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at = map[string]map[cacheKey]dtype.Typed{}
	}
	if c.at[op] == nil {
		c.at[op] = map[cacheKey]dtype.Typed{}
	}
	c.at[op][k] = t
}

// cacheKey returns the key of an operation on xs; ok is false where its dtype
// depends on more, such as the value of an exponent.
func (s *System) cacheKey(op string, xs []Operand) (k cacheKey, ok bool) {
	if len(xs) > 2 || s.Follows() {
		return 0, false
	}
	k = cacheKey(len(xs))
	for i := range xs {
		x := &xs[i]
		number := numberType(x.Literal)
		if number != 0 && (s.rules.ByValue || slices.Contains(powerOps, op)) {
			return 0, false
		}
		k = k<<13 | cacheKey(x.DType)<<5 | number<<2
		if x.Ambiguous {
			k |= 2
		}
		if x.Rank > 0 {
			k |= 1
		}
	}
	return k, true
}

// numberType returns 0 for a tensor, a code of its Go type for a plain number, and
// 5 for a number of a sized type, whose dtype says its type.
func numberType(v any) cacheKey {
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
