package universe

import (
	"go/constant"
	"go/token"
	"reflect"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// A pack is the symbol table of one package.
type pack struct {
	path, name string
	syms       []sym
}

// A sym is one exported name.
type sym struct {
	name string
	kind kind
	v    any
}

// kind says what a sym's v stands for.
type kind uint8

const (
	value    kind = iota // itself: a function, a typed constant, a nil pointer to a type
	variable             // what it points to
	untyped              // an untyped constant
)

// integer and decimal are untyped constants too big or too exact for a Go type.
type (
	integer string
	decimal string
)

// values returns the symbols as reflect values: types as nil pointers, untyped
// constants as constant.Value, as yaegi expects them.
func (p *pack) values() map[string]reflect.Value {
	m := make(map[string]reflect.Value, len(p.syms))
	for _, s := range p.syms {
		m[s.name] = s.value()
	}
	for _, other := range []map[string]any{replaced[p.path], misuse.Functions[p.path]} {
		for name, f := range other {
			m[name] = reflect.ValueOf(f)
		}
	}
	return m
}

func (s sym) value() reflect.Value {
	switch s.kind {
	case variable:
		return reflect.ValueOf(s.v).Elem()
	case untyped:
		return reflect.ValueOf(constantOf(s.v))
	}
	return reflect.ValueOf(s.v)
}

func constantOf(v any) constant.Value {
	switch v := v.(type) {
	case string:
		return constant.MakeString(v)
	case int64:
		return constant.MakeInt64(v)
	case uint64:
		return constant.MakeUint64(v)
	case integer:
		return constant.MakeFromLiteral(string(v), token.INT, 0)
	case decimal:
		return constant.MakeFromLiteral(string(v), token.FLOAT, 0)
	}
	return constant.MakeUnknown()
}
