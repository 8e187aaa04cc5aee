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

// kind is the kind of the field v of a sym.
type kind uint8

const (
	value    kind = iota // a function, a typed constant, or a nil pointer to a type
	variable             // a pointer to a variable
	untyped              // an untyped constant
)

// integer and decimal are literals of untyped constants: integers that no Go type holds, and floating-point constants.
type (
	integer string
	decimal string
)

// values returns the values of the symbols, or of their replacements, by name; see [Universe.Symbols].
func (p *pack) values() map[string]reflect.Value {
	m := make(map[string]reflect.Value, len(p.syms))
	for _, s := range p.syms {
		m[s.name] = s.value()
	}
	for _, functions := range []map[string]any{replaced[p.path], misuse.Functions[p.path]} {
		for name, f := range functions {
			m[name] = reflect.ValueOf(f)
		}
	}
	return m
}

// value returns the value of a symbol.
func (s sym) value() reflect.Value {
	switch s.kind {
	case variable:
		return reflect.ValueOf(s.v).Elem()
	case untyped:
		return reflect.ValueOf(constantOf(s.v))
	}
	return reflect.ValueOf(s.v)
}

// constantOf returns the constant.Value of an untyped constant.
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
