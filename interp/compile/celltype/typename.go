package celltype

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// engineSuffix matches what [check.Env.Unique] appends to an author's name to make an engine name.
var engineSuffix = regexp.MustCompile(`ꓸ[0-9]+`)

// WithoutSuffixes returns text with the engine names in it replaced by the authors' names. The name of an embedded
// field, for example, is the engine name of its type.
func WithoutSuffixes(text string) string { return engineSuffix.ReplaceAllString(text, "") }

// Text returns a type as its author writes it.
func Text(t types.Type) string {
	return WithoutSuffixes(types.TypeString(t, func(p *types.Package) string {
		if check.IsCell(p) {
			return ""
		}
		return p.Name()
	}))
}

// structText returns a struct as reflect writes it.
func (tb *Table) structText(s *types.Struct) string {
	var b strings.Builder
	b.WriteString("struct {")
	for i := range s.NumFields() {
		if i > 0 {
			b.WriteString(";")
		}
		if !s.Field(i).Embedded() {
			b.WriteString(" " + WithoutSuffixes(s.Field(i).Name()))
		}
		b.WriteString(" " + tb.outerOf(s.Field(i).Type()).String())
		if tag := s.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	if s.NumFields() > 0 {
		b.WriteString(" ")
	}
	return b.String() + "}"
}

// typeName returns the name of a named type as reflect gives it, with type arguments in brackets: the type arguments of
// the generic function that declares the type, if any, a semicolon, and the type arguments of the type itself.
func (tb *Table) typeName(t *types.Named) string {
	name := t.Obj().Pkg().Name() + "." + WithoutSuffixes(t.Obj().Name())
	list := slices.Collect(t.TypeArgs().Types())
	funcArgs := tb.locals[t.Obj()].funcArgs
	if len(list)+len(funcArgs) == 0 {
		return name
	}
	var b strings.Builder
	b.WriteString(name + "[")
	for i, a := range slices.Concat(funcArgs, list) {
		switch {
		case i == 0:
		case i == len(funcArgs):
			b.WriteString(";")
		default:
			b.WriteString(",")
		}
		b.WriteString(tb.argumentName(a))
	}
	return b.String() + "]"
}

// argumentName returns a type argument as the compiler writes it in the name of an instance: with the paths of packages
// instead of their names, and with a number after the name of a type that a function declares.
func (tb *Table) argumentName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "*" + tb.argumentName(t.Elem())
	case *types.Slice:
		return "[]" + tb.argumentName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), tb.argumentName(t.Elem()))
	case *types.Map:
		return "map[" + tb.argumentName(t.Key()) + "]" + tb.argumentName(t.Elem())
	case *types.Named:
		if t.Obj().Pkg() != nil && check.IsCell(t.Obj().Pkg()) {
			tb.keyOf(t, true) // adds the types in t that functions declare to tb.locals
			if number := tb.locals[t.Obj()].number; number > 0 {
				return fmt.Sprintf("%s·%d", tb.typeName(t), number)
			}
			return tb.typeName(t)
		}
	}
	r := tb.outerOf(t)
	if r.Name() != "" && r.PkgPath() != "" {
		return r.PkgPath() + "." + r.Name()
	}
	return r.String()
}
