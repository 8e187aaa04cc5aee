package check

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/options"
)

// Options returns the options in pkg that a variadic function accepts: for each name, how the option is written, such
// as "Axis(axes...)". Options are the values, functions and types of pkg that the last parameter accepts, without those
// that the function refuses. If that parameter has type any, options have the type Option of the function's
// package.
func Options(f *types.Func, pkg *types.Package) map[string]string {
	if !f.Signature().Variadic() || pkg == nil {
		return nil
	}
	takes := options.Of(f.Pkg().Path(), f.Name())
	option := optionOf(f.Signature())
	if option == nil && takes != nil {
		option, _ = types.Unalias(f.Pkg().Scope().Lookup("Option").Type()).(*types.Named)
	}
	if option == nil {
		return nil
	}
	texts := map[string]string{}
	for _, name := range pkg.Scope().Names() {
		if takes != nil && !slices.Contains(takes, name) {
			continue
		}
		if text := optional(pkg.Scope().Lookup(name), option); text != "" {
			texts[name] = text
		}
	}
	return texts
}

// optionOf returns the type of the options of a variadic signature, or nil if it has none.
func optionOf(sig *types.Signature) *types.Named {
	last := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
	if IsOption(last) {
		return types.Unalias(last).(*types.Named)
	}
	return nil
}

// IsOption reports whether t is the type of the options of functions.
func IsOption(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && strings.HasSuffix(named.Obj().Name(), "Option")
}

// optional returns how o is written as an option, or "" if it is not one. A type with many
// values is listed as a type, not value by value.
func optional(o types.Object, option *types.Named) string {
	if !o.Exported() {
		return ""
	}
	t := o.Type()
	switch o := o.(type) {
	case *types.Var:
		if types.AssignableTo(t, option) {
			return o.Name()
		}
	case *types.Const:
		if named, ok := types.Unalias(t).(*types.Named); ok && types.AssignableTo(t, option) && !many(named.Obj()) {
			return o.Name()
		}
	case *types.Func:
		results := o.Signature().Results()
		if results.Len() == 1 && types.AssignableTo(results.At(0).Type(), option) && o.Signature().TypeParams() == nil {
			return o.Name() + parameters(o.Signature())
		}
	case *types.TypeName:
		if types.Unalias(t) != option && !types.IsInterface(t) && types.AssignableTo(t, option) && many(o) {
			return "type " + o.Name()
		}
	}
	return ""
}

// many reports whether the values of a type are too many to be listed: the type is exported and has more than four
// constants, or none and therefore any value.
func many(t *types.TypeName) bool {
	n := 0
	for _, name := range t.Pkg().Scope().Names() {
		if c, ok := t.Pkg().Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t.Type()) {
			n++
		}
	}
	return t.Exported() && (n == 0 || n > 4)
}

// parameters returns the names of the parameters in parentheses.
func parameters(sig *types.Signature) string {
	var names []string
	for p := range sig.Params().Variables() {
		names = append(names, p.Name())
	}
	if sig.Variadic() {
		names[len(names)-1] += "..."
	}
	return "(" + strings.Join(names, ", ") + ")"
}
