package complete

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// Inspect returns the documentation of the name at the cursor. If there is no name and the cursor is in the arguments
// of a call, it returns the documentation of the called function. cursor counts code points. If detail is 1, the page
// includes tables and the source. ok is false if nothing is known.
func (s *Session) Inspect(code string, cursor, detail int) (p Page, ok bool) {
	at := byteOffset(code, cursor)
	if start, magic := magicAt(code, at); magic {
		return s.inspectMagic(code[start:wordEnd(code, at)])
	}
	start, end := subject(code, at)
	if start == end {
		return Page{}, false
	}
	code = withoutMagics(code[:end])
	f := s.fragment(code, start)
	name := code[start:end]
	o, owner := s.object(f, name)
	if o == nil {
		return Page{}, false
	}
	return s.page(o, owner, detail), true
}

// subject returns the start and the end of the name to inspect: the name at the cursor, or else the name of the called
// function if the cursor is in the arguments of a call. start and end are equal if there is no name.
func subject(code string, at int) (start, end int) {
	if start, end = wordStart(code, at), wordEnd(code, at); start != end && (code[start] < '0' || '9' < code[start]) {
		return start, end
	}
	toks := scan(code[:at])
	depth := 0
	for i := len(toks) - 1; i > 0; i-- {
		if depth -= toks[i].nesting(); depth < 0 && toks[i].tok == token.LPAREN && toks[i-1].tok == token.IDENT {
			return toks[i-1].pos, toks[i-1].end
		}
		depth = max(depth, 0) // look outside of a bracket that does not belong to a call
	}
	return at, at
}

// object returns the object that name, the identifier at the cursor, denotes. For a field or method, owner is the name
// of the type that declares it.
func (s *Session) object(f *fragment, name string) (o types.Object, owner string) {
	if len(f.path) > 0 {
		if id, ok := f.path[0].(*ast.Ident); ok {
			if o = f.Info.ObjectOf(id); o != nil && o.Name() != tensorName {
				return o, ownerOf(f, id)
			}
		}
		if o, owner = literalField(f, name); o != nil {
			return o, owner
		}
	}
	if known := s.Env.Lookup(name); known != nil {
		return known.Object, ""
	}
	if path, ok := s.Env.Imports()[name]; ok {
		if pkg, err := s.Env.Import(path); err == nil {
			return types.NewPkgName(token.NoPos, nil, name, pkg), ""
		}
	}
	return types.Universe.Lookup(name), ""
}

// literalField returns the field that a key of a struct literal denotes, and the name of the
// struct type.
func literalField(f *fragment, name string) (types.Object, string) {
	lit := literalAround(f.path)
	if lit == nil || !valid(f.Info.TypeOf(lit)) {
		return nil, ""
	}
	t := dereferenced(f.Info.TypeOf(lit))
	if st, ok := t.Underlying().(*types.Struct); ok {
		for field := range st.Fields() {
			if field.Name() == name {
				return field, typeName(t)
			}
		}
	}
	return nil, ""
}

// ownerOf returns the name of the type that declares the field or method selected by id.
func ownerOf(f *fragment, id *ast.Ident) string {
	if len(f.path) < 2 {
		return ""
	}
	sel, ok := f.path[1].(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		return ""
	}
	selection := f.Info.Selections[sel]
	if selection == nil {
		return ""
	}
	if m, ok := selection.Obj().(*types.Func); ok && m.Signature().Recv() != nil {
		return typeName(m.Signature().Recv().Type())
	}
	return typeName(fieldOwner(selection))
}

// fieldOwner returns the struct type that declares a selected field, following embedded
// fields.
func fieldOwner(s *types.Selection) types.Type {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// typeName returns the name of a named type, or of the type that a pointer points to.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// inspectMagic returns the description of a magic command.
func (s *Session) inspectMagic(name string) (p Page, ok bool) {
	if s.Magics == nil {
		return p, false
	}
	text, ok := s.Magics()[name]
	p.code(name)
	p.prose(text)
	return p, ok
}

// page returns the page about an object: the declaration, the first sentence of the documentation, the value of a
// variable or the options of a function, an example, the rest of the documentation, and the methods of a type. If
// detail is 1, the page also has tables and the source. owner is the second result of object.
func (s *Session) page(o types.Object, owner string, detail int) (p Page) {
	symbol := o.Name()
	if owner != "" {
		symbol = owner + "." + symbol
	}
	d := s.docOf(o, symbol)
	p.code(s.declaration(o, owner, d))
	first, rest := cutSentence(d.Text)
	p.prose(first)
	t, isType := o.(*types.TypeName)
	if !isType {
		p.code(s.valueOrOptions(o))
	}
	if d.Example != "" {
		p.code("example:\n" + d.Example)
	}
	p.prose(rest)
	if isType {
		p.code(s.methodList(t.Type()))
	}
	if detail > 0 {
		p.prose(d.Tables)
		if d.Decl == "" { // otherwise the declaration above is the source
			p.code(s.sourceOf(o, symbol))
		}
	}
	return p
}

// docOf returns the documentation of an object. symbol is the name of the object in its package: "F", "T", "T.Method"
// or "T.Field".
func (s *Session) docOf(o types.Object, symbol string) Doc {
	if s.Doc == nil {
		return Doc{}
	}
	switch o := o.(type) {
	case *types.PkgName:
		return s.Doc(o.Imported().Path(), "")
	case *types.Builtin, *types.Nil:
		return s.Doc("builtin", symbol)
	}
	if o.Pkg() == nil { // error.Error, int, true
		return s.Doc("builtin", symbol)
	}
	if declared := s.declaringCell(o); declared != "" {
		d := s.Doc(o.Pkg().Path(), symbol)
		d.Text = commentOn(declared, o)
		return d
	}
	return s.Doc(o.Pkg().Path(), symbol)
}

// declaration returns the declaration of an object. The declaration of a type includes its fields.
func (s *Session) declaration(o types.Object, owner string, d Doc) string {
	switch o := o.(type) {
	case *types.PkgName:
		return fmt.Sprintf("package %s // %s", o.Imported().Name(), o.Imported().Path())
	case *types.TypeName:
		if d.Decl != "" {
			return d.Decl + s.aliased(o)
		}
	case *types.Const:
		return fmt.Sprintf("%s = %s", types.ObjectString(o, s.qualifier), o.Val())
	case *types.Var:
		if o.IsField() && owner != "" {
			return fmt.Sprintf("field %s.%s %s", owner, o.Name(), types.TypeString(o.Type(), s.qualifier))
		}
	}
	return types.ObjectString(o, s.qualifier)
}

// aliased returns a blank line and the declaration of the type that o is an alias of, if another package declares
// that type. Otherwise it returns "".
func (s *Session) aliased(o *types.TypeName) string {
	named, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok || !o.IsAlias() || named.Obj().Pkg() == nil || named.Obj().Pkg() == o.Pkg() {
		return ""
	}
	if decl := s.docOf(named.Obj(), named.Obj().Name()).Decl; decl != "" {
		return "\n\n" + decl
	}
	return ""
}

// valueOrOptions returns the value of a variable and the first sentence about its type, or the options of a function.
// It returns "" for other objects.
func (s *Session) valueOrOptions(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return s.options(o)
	case *types.Var:
		return s.variable(o)
	}
	return ""
}

// variable returns the value of a variable and the first sentence about its type.
func (s *Session) variable(o *types.Var) string {
	var parts []string
	if s.Value != nil && s.isOfSession(o) {
		if v := s.Value(o.Name()); v != "" {
			parts = append(parts, v)
		}
	}
	if n := typeName(o.Type()); n != "" && s.Doc != nil {
		if named, ok := types.Unalias(dereferenced(o.Type())).(*types.Named); ok && named.Obj().Pkg() != nil {
			if text := s.Doc(named.Obj().Pkg().Path(), n).Text; text != "" {
				parts = append(parts, firstSentence(text))
			}
		}
	}
	return strings.Join(parts, "\n")
}

// isOfSession reports whether o is the object of the session that has its name. It returns false for fields, local
// variables and variables of packages, even if the session has an object of the same name.
func (s *Session) isOfSession(o types.Object) bool {
	known := s.Env.Lookup(o.Name())
	return known != nil && known.Object == o
}

// dereferenced returns the type that t points to, or t if t is not a pointer.
func dereferenced(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// methodList returns the methods of a type, one per line.
func (s *Session) methodList(t types.Type) string {
	if types.IsInterface(t) {
		return ""
	}
	var lines []string
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if f, ok := m.Obj().(*types.Func); ok && accessible(f) {
			lines = append(lines, f.Name()+s.signature(f.Signature()))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// sourceOf returns the code of the cell that declares an object, or the source of the declaration in a package.
func (s *Session) sourceOf(o types.Object, symbol string) string {
	switch {
	case o.Pkg() == nil:
		return ""
	case check.IsCell(o.Pkg()):
		return s.declaringCell(o)
	case s.LibrarySource == nil:
		return ""
	}
	return s.LibrarySource(o.Pkg().Path(), symbol)
}

// declaringCell returns the code of the cell that declares an object of the session, or "".
func (s *Session) declaringCell(o types.Object) string {
	if s.Source == nil || !check.IsCell(o.Pkg()) {
		return ""
	}
	name := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		name = typeName(f.Signature().Recv().Type())
	} else if !s.isOfSession(o) {
		return ""
	}
	if known := s.Env.Lookup(name); known != nil {
		return s.Source(known.Cell)
	}
	return ""
}
