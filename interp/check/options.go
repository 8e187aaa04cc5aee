package check

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/options"
)

// Options returns the options in pkg that the variadic function f accepts. It maps the name of each option to the way
// to write it, such as "Axis(axes...)". Options are the constants, variables, functions and types of pkg whose values
// or results can be assigned to the last parameter of f. If that parameter has type any, they can be assigned to the
// type Option of f's package. Options that f refuses are left out.
func Options(f *types.Func, pkg *types.Package) map[string]string {
	if !f.Signature().Variadic() || pkg == nil {
		return nil
	}
	takes := options.Of(f.Pkg().Path(), f.Name()) // nil if f takes all options of its parameter's type
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
		if text := optionText(pkg.Scope().Lookup(name), option); text != "" {
			texts[name] = text
		}
	}
	return texts
}

// optionOf returns the type of the options in the last parameter of a variadic signature, or nil if it has none.
func optionOf(sig *types.Signature) *types.Named {
	last := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
	if IsOption(last) {
		return types.Unalias(last).(*types.Named)
	}
	return nil
}

// IsOption reports whether t is a type of options: a named type whose name ends in Option.
func IsOption(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && strings.HasSuffix(named.Obj().Name(), "Option")
}

// optionText returns how to write o as an option, or "" if o is not an option. A type with many values is listed as a
// type, and its constants are not listed.
func optionText(o types.Object, option *types.Named) string {
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
		if named, ok := types.Unalias(t).(*types.Named); ok && types.AssignableTo(t, option) && !hasManyValues(named.Obj()) {
			return o.Name()
		}
	case *types.Func:
		results := o.Signature().Results()
		if results.Len() == 1 && types.AssignableTo(results.At(0).Type(), option) && o.Signature().TypeParams() == nil {
			return o.Name() + parameters(o.Signature())
		}
	case *types.TypeName:
		if types.Unalias(t) != option && !types.IsInterface(t) && types.AssignableTo(t, option) && hasManyValues(o) {
			return "type " + o.Name()
		}
	}
	return ""
}

// hasManyValues reports whether t has too many values to list them: t is exported, and has more than four constants, or
// no constants, so that every value is allowed.
func hasManyValues(t *types.TypeName) bool {
	n := 0
	for _, name := range t.Pkg().Scope().Names() {
		if c, ok := t.Pkg().Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t.Type()) {
			n++
		}
	}
	return t.Exported() && (n == 0 || n > 4)
}

// parameters returns the names of the parameters of sig, in parentheses.
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
