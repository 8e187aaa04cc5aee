package promote

import (
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A resultCache holds the result dtypes of operations, by the operation's name and the
// operands. It has no limit, since a system has only some dozens of operations and dtypes.
type resultCache struct {
	mu     sync.RWMutex
	dtypes map[string]map[cacheKey]dtype.Typed
}

// A cacheKey packs the number of operands, at most two, and 13 bits for each operand: 8 for its dtype,
// 3 for its numberType, 1 that says whether it is ambiguous, and 1 that says whether it has axes.
type cacheKey uint64

// get returns the cached dtype of op on the operands of k, and whether there is one.
func (c *resultCache) get(op string, k cacheKey) (dtype.Typed, bool) {
	c.mu.RLock()
	t, ok := c.dtypes[op][k]
	c.mu.RUnlock()
	return t, ok
}

// put stores the dtype t of op on the operands of k.
func (c *resultCache) put(op string, k cacheKey, t dtype.Typed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dtypes == nil {
		c.dtypes = map[string]map[cacheKey]dtype.Typed{}
	}
	if c.dtypes[op] == nil {
		c.dtypes[op] = map[cacheKey]dtype.Typed{}
	}
	c.dtypes[op][k] = t
}

// cacheKey returns the key of xs for op; ok is false if the dtype of the result depends on more than
// the key, such as the value of an exponent or the settings of a session.
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

// numberType returns a code for the Go type of v, an Operand's Literal: 0 for a tensor, 1
// to 4 for a plain number or bool, and 5 for a number of any other type, such as int8, which
// the operand's dtype identifies.
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
