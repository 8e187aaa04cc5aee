package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// declarations returns, by path, Go source that declares the exported names of each package. Functions have no bodies,
// and unexported fields have other types than in the package; see structure. For packages that cells cannot import, the
// source declares only the types that packages of set mention.
func declarations(set *packageSet) (map[string][]byte, error) {
	d := &declarer{files: map[*types.Package]*declarationFile{}, importable: map[*types.Package]bool{}}
	for _, p := range set.packages {
		d.importable[p.types] = true
	}
	for _, p := range set.packages {
		scope := p.types.Scope()
		for _, name := range scope.Names() {
			if o := scope.Lookup(name); o.Exported() {
				d.add(o)
			}
		}
	}
	for len(d.pending) > 0 {
		o := d.pending[0]
		d.pending = d.pending[1:]
		f := d.files[o.Pkg()]
		f.texts[o.Name()] = f.object(o)
	}
	sources := map[string][]byte{}
	for pkg, f := range d.files {
		src, err := f.source()
		if err := cmp.Or(d.err, err); err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.Path(), err)
		}
		sources[pkg.Path()] = src
	}
	return sources, nil
}

// A declarer collects the declarations of all packages.
type declarer struct {
	importable map[*types.Package]bool
	files      map[*types.Package]*declarationFile
	pending    []types.Object // added, but not written yet
	err        error
}

// add declares an object of a package's scope, once.
func (d *declarer) add(o types.Object) {
	f := d.files[o.Pkg()]
	if f == nil {
		f = &declarationFile{declarer: d, pkg: o.Pkg(), texts: map[string]string{}, imports: map[string]string{}}
		f.sealing = f.sealingMethods()
		d.files[o.Pkg()] = f
	}
	if _, known := f.texts[o.Name()]; !known {
		f.texts[o.Name()] = ""
		d.pending = append(d.pending, o)
	}
}

// A declarationFile holds the declarations of one package.
type declarationFile struct {
	*declarer
	pkg     *types.Package
	texts   map[string]string // the declarations, by name
	imports map[string]string // the names of imported packages, by path
	sealing map[string]bool   // unexported methods of the package's interfaces
}

// sealingMethods returns the unexported methods of the package's interfaces. The declarations of types must include
// them, so that the types implement the interfaces.
func (f *declarationFile) sealingMethods() map[string]bool {
	sealing := map[string]bool{}
	scope := f.pkg.Scope()
	for _, name := range scope.Names() {
		if i, ok := scope.Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				if !m.Exported() {
					sealing[m.Name()] = true
				}
			}
		}
	}
	return sealing
}

// source returns the file.
func (f *declarationFile) source() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\n", f.pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(f.imports)) {
		fmt.Fprintf(&b, "import %s %q\n", f.imports[path], path)
	}
	for _, name := range slices.Sorted(maps.Keys(f.texts)) {
		b.WriteString(f.texts[name])
	}
	return format.Source(b.Bytes())
}

// object returns the declaration of o.
func (f *declarationFile) object(o types.Object) string {
	switch o := o.(type) {
	case *types.Const:
		return f.constant(o)
	case *types.Var:
		return fmt.Sprintf("var %s %s\n", o.Name(), f.typ(o.Type()))
	case *types.Func:
		body := ""
		if o.Signature().TypeParams().Len() > 0 {
			body = " {}" // go/types requires that a generic function has a body
		}
		return fmt.Sprintf("func %s%s%s\n", o.Name(), f.signature(o), body)
	}
	if a, ok := o.Type().(*types.Alias); ok && a.Obj() == o {
		return fmt.Sprintf("type %s%s = %s\n", o.Name(), f.typeParams(a.TypeParams()), f.typ(a.Rhs()))
	}
	return f.named(o.Type().(*types.Named))
}

// constant returns the declaration of a constant.
func (f *declarationFile) constant(c *types.Const) string {
	typ := " " + f.typ(c.Type())
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		typ = ""
	}
	value := c.Val().ExactString()
	if c.Val().Kind() == constant.Float {
		if !strings.ContainsAny(value, ".p") { // an integer, or a fraction of two integers
			value = strings.ReplaceAll(value, "/", ".0/") + ".0"
		}
	} else if c.Type() == types.Typ[types.UntypedRune] {
		value = `'\x00' + ` + value // a sum with a rune is an untyped rune
	}
	return fmt.Sprintf("const %s%s = %s\n", c.Name(), typ, value)
}

// named returns the declaration of a named type and of its methods.
func (f *declarationFile) named(n *types.Named) string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s%s %s\n", n.Obj().Name(), f.typeParams(n.TypeParams()), f.underlying(n))
	methods := slices.SortedFunc(n.Methods(), func(a, b *types.Func) int { return cmp.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		if m.Exported() || f.sealing[m.Name()] {
			fmt.Fprintf(&b, "func (%s) %s%s\n", f.typ(m.Signature().Recv().Type()), m.Name(), f.signature(m))
		}
	}
	return b.String()
}

// underlying returns the type literal that n is declared as.
func (f *declarationFile) underlying(n *types.Named) string {
	switch u := n.Underlying().(type) {
	case *types.Struct:
		return f.structure(u, n.TypeParams().Len() > 0)
	case *types.Interface:
		if u.IsMethodSet() {
			return f.methodSet(u)
		}
	}
	return f.typ(n.Underlying())
}

// structure returns a struct type with a field per line. It replaces the types of unexported fields, comparable ones by
// struct{} and others by func(). In a generic type it keeps them, since whether they are comparable may depend on the
// type arguments.
func (f *declarationFile) structure(s *types.Struct, generic bool) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range s.NumFields() {
		switch field := s.Field(i); {
		case field.Embedded():
			b.WriteString(f.typ(field.Type()))
		case field.Exported() || generic:
			b.WriteString(field.Name() + " " + f.typ(field.Type()))
		case types.Comparable(field.Type()):
			b.WriteString(field.Name() + " struct{}")
		default:
			b.WriteString(field.Name() + " func()")
		}
		if tag := s.Tag(i); tag != "" {
			fmt.Fprintf(&b, " %q", tag)
		}
		b.WriteString("\n")
	}
	return b.String() + "}"
}

// methodSet returns an interface type with a method per line.
func (f *declarationFile) methodSet(i *types.Interface) string {
	if i.NumExplicitMethods()+i.NumEmbeddeds() == 0 {
		return f.typ(i)
	}
	var b strings.Builder
	b.WriteString("interface {\n")
	for m := range i.ExplicitMethods() {
		b.WriteString(m.Name() + f.signature(m) + "\n")
	}
	for e := range i.EmbeddedTypes() {
		b.WriteString(f.typ(e) + "\n")
	}
	return b.String() + "}"
}

// typeParams returns a list of type parameters in brackets, or "".
func (f *declarationFile) typeParams(list *types.TypeParamList) string {
	var params []string
	for p := range list.TypeParams() {
		params = append(params, p.Obj().Name()+" "+f.typ(p.Constraint()))
	}
	if params == nil {
		return ""
	}
	return "[" + strings.Join(params, ", ") + "]"
}

// compilerNames matches names that the compiler gives to results in export data.
var compilerNames = regexp.MustCompile(`[#~]rv?[0-9]+ `)

// signature returns the signature of fn without the word func.
func (f *declarationFile) signature(fn *types.Func) string {
	return compilerNames.ReplaceAllString(strings.TrimPrefix(f.typ(fn.Signature()), "func"), "")
}

// typ returns an expression for t, and adds the types that it mentions to the declarations.
func (f *declarationFile) typ(t types.Type) string {
	f.mention(t, map[types.Type]bool{})
	return types.TypeString(t, f.name)
}

// name returns the name of a package in the file, or "" for the file's own package.
func (f *declarationFile) name(p *types.Package) string {
	if p == f.pkg {
		return ""
	}
	if f.imports[p.Path()] == "" {
		name := p.Name()
		for f.pkg.Scope().Lookup(name) != nil || slices.Contains(slices.Collect(maps.Values(f.imports)), name) {
			name += "_"
		}
		f.imports[p.Path()] = name
	}
	return f.imports[p.Path()]
}

// mention adds the types in t that would not be declared otherwise: unexported types, and types of packages that cells
// cannot import.
func (f *declarationFile) mention(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			f.name(types.Unsafe)
		}
	case *types.Named:
		f.mentionName(t.Obj(), t.TypeArgs(), seen)
	case *types.Alias:
		f.mentionName(t.Obj(), t.TypeArgs(), seen)
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			f.mention(p.Constraint(), seen)
		}
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				f.mention(v.Type(), seen)
			}
		}
	case *types.Struct:
		for v := range t.Fields() {
			f.mention(v.Type(), seen)
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			f.mention(m.Type(), seen)
		}
		for e := range t.EmbeddedTypes() {
			f.mention(e, seen)
		}
	case *types.Union:
		for term := range t.Terms() {
			f.mention(term.Type(), seen)
		}
	case *types.Map:
		f.mention(t.Key(), seen)
		f.mention(t.Elem(), seen)
	case interface{ Elem() types.Type }:
		f.mention(t.Elem(), seen)
	}
}

// mentionName is mention for a named type or alias.
func (f *declarationFile) mentionName(o *types.TypeName, args *types.TypeList, seen map[types.Type]bool) {
	for a := range args.Types() {
		f.mention(a, seen)
	}
	switch {
	case o.Pkg() == nil: // error, any, comparable
	case o.Pkg() != f.pkg && !token.IsExported(o.Name()):
		f.err = fmt.Errorf("%s mentions %v, an unexported type of another package", f.pkg.Path(), o)
	case o.Parent() == o.Pkg().Scope() && !(o.Exported() && f.importable[o.Pkg()]):
		f.add(o)
	}
}
