package explain

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// The methods in this file return the facts about the call m.call, and about the results of x if x is a call.
// phrases.txt describes them.

// fun returns call.Fun, the called function, or nil if call is nil.
func fun(call *ast.CallExpr) ast.Expr {
	if call == nil {
		return nil
	}
	return call.Fun
}

// function returns the called function, with its package or receiver.
func (m *mistake) function() []string { return []string{m.text(fun(m.call))} }

func (m *mistake) calleeName() string { return nameOf(fun(m.call)) }

func (m *mistake) functionPackage() []string { return []string{m.packageOf(fun(m.call))} }

func (m *mistake) functionReceiver() []string {
	if sel, ok := fun(m.call).(*ast.SelectorExpr); ok {
		return []string{m.text(sel.X)}
	}
	return nil
}

// arguments returns text(arg) for each argument of the call.
func (m *mistake) arguments(text func(ast.Expr) string) []string {
	if m.call == nil {
		return nil
	}
	texts := make([]string, len(m.call.Args))
	for i, arg := range m.call.Args {
		texts[i] = text(arg)
	}
	return texts
}

// literal returns the composite literal that the author of a conversion to a struct or slice may have meant. Each
// argument is the value of the next field with a suitable type, or an element.
func (m *mistake) literal() []string {
	if m.role != "conversion" || len(m.call.Args) == 0 {
		return nil
	}
	var elements []string
	switch t := underlying(m.want).(type) {
	case *types.Slice:
		for _, arg := range m.call.Args {
			if !m.assignable(arg, t.Elem()) {
				return nil
			}
		}
		elements = m.arguments(m.text)
	case *types.Struct:
		fields := slices.Collect(t.Fields())
		for _, arg := range m.call.Args {
			i := slices.IndexFunc(fields, func(f *types.Var) bool { return m.canSet(f) && m.assignable(arg, f.Type()) })
			if i < 0 {
				return nil
			}
			elements = append(elements, fields[i].Name()+": "+m.text(arg))
			fields = fields[i+1:]
		}
	default:
		return nil
	}
	return []string{m.typeWords(m.want)[0] + "{" + strings.Join(elements, ", ") + "}"}
}

// assignable reports whether e has a type, and a value of this type can be assigned to a variable of type t.
func (m *mistake) assignable(e ast.Expr, t types.Type) bool {
	v := m.typeOf(e)
	return v != nil && types.AssignableTo(v, t)
}

// spread returns the arguments without the axis, with the elements of each slice literal as separate arguments.
func (m *mistake) spread() []string {
	var texts []string
	axis := m.axisIndex()
	for i, arg := range m.call.Args {
		lit, isLit := arg.(*ast.CompositeLit)
		_, isSlice := underlying(m.typeOf(arg)).(*types.Slice)
		switch {
		case i == axis: // left out
		case isLit && isSlice:
			for _, e := range lit.Elts {
				texts = append(texts, m.text(e))
			}
		default:
			texts = append(texts, m.text(arg))
		}
	}
	return []string{strings.Join(texts, ", ")}
}

// axis returns the argument that is the axis, or nv.Axis(0) if there is none.
func (m *mistake) axis() []string {
	number := "0"
	if i := m.axisIndex(); i >= 0 {
		arg := m.call.Args[i]
		if m.isAxis(arg) {
			return []string{m.text(arg)}
		}
		number = m.text(arg)
	}
	return []string{m.tensorName() + ".Axis(" + number + ")"}
}

// axisIndex returns the position of the argument that is the axis: the first of type Axis, or else the last argument
// if it is an integer, as Python's libraries take it. It returns -1 if there is none.
func (m *mistake) axisIndex() int {
	i := slices.IndexFunc(m.call.Args, m.isAxis)
	if last := len(m.call.Args) - 1; i < 0 && last > 0 && isBasic(m.typeOf(m.call.Args[last]), types.IsInteger) {
		return last
	}
	return i
}

func (m *mistake) isAxis(arg ast.Expr) bool { return slices.Contains(m.value(arg), "Axis") }

// axes returns a call of the same function for each argument: nv.Axis(0, 1) becomes nv.Axis(0), nv.Axis(1).
func (m *mistake) axes() []string {
	calls := m.arguments(func(arg ast.Expr) string { return m.text(m.call.Fun) + "(" + m.text(arg) + ")" })
	return []string{strings.Join(calls, ", ")}
}

// count returns the number of arguments of a call that has a wrong number of them, and the word many or few.
func (m *mistake) count() []string {
	if m.call == nil {
		return nil
	}
	words := []string{fmt.Sprint(len(m.call.Args))}
	if sig, ok := underlying(m.Info.TypeOf(m.call.Fun)).(*types.Signature); ok {
		if n := sig.Params().Len(); len(m.call.Args) > n {
			words = append(words, "many")
		} else {
			words = append(words, "few")
		}
	}
	return words
}

// nth returns the position of x among the arguments, counted from 1, or 0 if x is not an argument.
func (m *mistake) nth() []string {
	if m.call == nil {
		return nil
	}
	return []string{fmt.Sprint(1 + slices.Index(m.call.Args, m.x))}
}

// argument returns facts about argument i of the call.
func (m *mistake) argument(i int) []string {
	if m.call == nil || i >= len(m.call.Args) {
		return nil
	}
	return m.value(m.call.Args[i])
}

// ints returns the arguments that are integers.
func (m *mistake) ints() (list []string) {
	if m.call == nil {
		return nil
	}
	for _, arg := range m.call.Args {
		if basic, ok := m.typeOf(arg).(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			list = append(list, m.text(arg))
		}
	}
	return list
}

// lengths returns the integer arguments in the place of a shape: those from the position of the first parameter that is
// a Shape, except one for each parameter after it. It returns nil if another argument is a shape already.
func (m *mistake) lengths() []string {
	if m.call == nil {
		return nil
	}
	sig, ok := underlying(m.Info.TypeOf(m.call.Fun)).(*types.Signature)
	if !ok {
		return nil
	}
	isShape := func(t types.Type) bool { return slices.Contains(m.typeWords(t), "Shape") }
	args, after, place := m.call.Args, 0, -1
	isGiven := slices.ContainsFunc(args, func(arg ast.Expr) bool { return isShape(m.typeOf(arg)) })
	for i := range sig.Params().Len() {
		switch {
		case place < 0 && isShape(sig.Params().At(i).Type()):
			place = i
		case place >= 0 && (i < sig.Params().Len()-1 || !sig.Variadic()):
			after++
		}
	}
	if isGiven || place < 0 || place >= len(args) {
		return nil
	}
	var list []string
	for _, arg := range args[place:max(place+1, len(args)-after)] {
		basic, ok := m.typeOf(arg).(*types.Basic)
		if !ok || basic.Info()&types.IsInteger == 0 {
			break
		}
		text := m.text(arg)
		if basic = types.Default(basic).(*types.Basic); basic.Kind() != types.Int {
			text = m.conversion(types.Typ[types.Int], arg)
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return nil
	}
	return []string{strings.Join(list, ", ")}
}

// numbers returns the arguments if there is more than one and all are integers.
func (m *mistake) numbers() []string {
	if list := m.ints(); len(list) > 1 && len(list) == len(m.call.Args) {
		return []string{strings.Join(list, ", ")}
	}
	return nil
}

// takes returns words that describe the types of the parameters.
func (m *mistake) takes() (words []string) {
	if m.call == nil {
		return nil
	}
	if sig, ok := underlying(m.Info.TypeOf(m.call.Fun)).(*types.Signature); ok {
		for p := range sig.Params().Variables() {
			words = append(words, m.typeWords(p.Type())...)
		}
	}
	return words
}

// signature returns the called function with the names of its parameters, if it is a function of the library.
func (m *mistake) signature() []string {
	f := m.libraryCallee()
	if f == nil {
		return nil
	}
	var names []string
	for p := range f.Signature().Params().Variables() {
		names = append(names, p.Name())
	}
	if f.Signature().Variadic() {
		names[len(names)-1] += "..."
	}
	return []string{m.text(m.call.Fun) + "(" + strings.Join(names, ", ") + ")"}
}

// counted returns the variant of the called method that also takes a count, such as SplitN for Split.
func (m *mistake) counted() []string {
	f := m.libraryCallee()
	if f == nil || f.Signature().Recv() == nil {
		return nil
	}
	variant, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, f.Pkg(), f.Name()+"N")
	if variant != nil {
		return []string{variant.Name()}
	}
	return nil
}

// maxOptions is the greatest number of options that a message lists. Of functions with more it lists none.
const maxOptions = 8

// options returns the options that the called function accepts, if it is a function of the tensor package.
func (m *mistake) options() []string {
	f := m.libraryCallee()
	if f == nil || f.Pkg().Path() != m.TensorPath {
		return nil
	}
	var all []string
	for name, text := range check.Options(f, f.Pkg()) {
		text, isType := strings.CutPrefix(text, "type ") // text is like "Axis(axes...)", "Keep" or "type DType"
		text = strings.Replace(text, name, m.tensorName()+"."+name, 1)
		switch {
		case isType && name == "DType":
			text = "a dtype such as " + m.tensorName() + ".F32"
		case isType:
			text += "(n)"
		}
		all = append(all, text)
	}
	if len(all) > maxOptions {
		return nil
	}
	slices.Sort(all)
	return []string{strings.Join(all, ", ")}
}

// math returns the function of the tensor package to call for tensors, if the called function is one of package math or
// has an unqualified name, such as max.
func (m *mistake) math() []string {
	name := m.calleeName()
	replacement, ok := foreignNames()["math"][name]
	_, unqualified := fun(m.call).(*ast.Ident)
	switch {
	case ok && (unqualified || m.packageOf(fun(m.call)) == "math"):
		return []string{m.tensorName() + "." + replacement}
	case m.packageOf(fun(m.call)) == "math" && m.has(name):
		return []string{m.tensorName() + "." + name}
	}
	return nil
}

// several returns a message that says how to assign the results of x, if x is a call with more than one result.
func (m *mistake) several() []string {
	call, ok := m.x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if results, ok := m.Info.TypeOf(call).(*types.Tuple); ok && results.Len() > 1 {
		text := SeveralValues(call, results)
		if results.Len() == 2 && returnsError(results) && m.has("Must") {
			text += ", or " + m.tensorName() + ".Must(" + Written(call.Fun) + "(...))"
		}
		return []string{m.InOwnNames(text)}
	}
	return nil
}

// xCallee returns the function F of the tensor package if x is a call pkg.F(...) of any package. It returns nil if x is
// not such a call, or if the tensor package has no function of that name.
func (m *mistake) xCallee() *types.Func {
	call, ok := m.x.(*ast.CallExpr)
	if !ok || m.packageOf(call.Fun) == "" {
		return nil
	}
	pkg, err := m.Env.Import(m.TensorPath)
	if err != nil {
		return nil
	}
	f, _ := pkg.Scope().Lookup(nameOf(call.Fun)).(*types.Func)
	return f
}

// resultNames returns the names of the results of xCallee, if it has more than one result and they have names.
func (m *mistake) resultNames() []string {
	f := m.xCallee()
	if f == nil || f.Signature().Results().Len() < 2 || f.Signature().Results().At(0).Name() == "" {
		return nil
	}
	var names []string
	for r := range f.Signature().Results().Variables() {
		names = append(names, r.Name())
	}
	return []string{strings.Join(names, ", ")}
}

// all returns the variant of xCallee with more results, such as nv.UniqueAll for nv.Unique.
func (m *mistake) all() []string {
	if f := m.xCallee(); f != nil && m.has(f.Name()+"All") {
		return []string{m.text(m.x.(*ast.CallExpr).Fun) + "All"}
	}
	return nil
}
