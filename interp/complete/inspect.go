package complete

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/goanvil/notebook/interp/check"
)

// Inspect returns the documentation of the name at the cursor, or, if there is none and the
// cursor is in the arguments of a call, of the called function. With detail 1 it includes
// the source. ok is false if nothing is known.
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

// subject returns the extent of the name to inspect: the one at the cursor, or that of the function in whose
// arguments the cursor is. start and end are equal if there is none.
func subject(code string, at int) (start, end int) {
	if start, end = wordStart(code, at), wordEnd(code, at); start != end && (code[start] < '0' || '9' < code[start]) {
		return start, end
	}
	toks := scan(code[:at])
	depth := 0
	for i := len(toks) - 1; i > 0; i-- {
		switch toks[i].tok {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth--; depth < 0 && toks[i].tok == token.LPAREN && toks[i-1].tok == token.IDENT {
				return toks[i-1].pos, toks[i-1].end
			}
			depth = max(depth, 0) // look outside of a bracket that does not belong to a call
		}
	}
	return at, at
}

// object returns the object that the identifier at the end of the fragment denotes, and for
// a field or method the name of its type.
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

// page returns the page of an object: the declaration, the first sentence about it, its
// options, an example, and the rest of its documentation; with detail 1 also tables and the
// source.
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
		p.code(s.more(o))
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
		if source := s.sourceOf(o, symbol); d.Decl == "" {
			p.code(source) // otherwise it is the declaration above
		}
	}
	return p
}

// cutSentence cuts documentation after its first sentence, or after the code that the sentence introduces.
func cutSentence(doc string) (first, rest string) {
	paragraph, below, _ := strings.Cut(doc, "\n\n")
	for i := range len(paragraph) - 1 {
		// A sentence ends at a dot that is followed by a capital letter, unless a single letter precedes the dot.
		if paragraph[i] != '.' || i < 2 || !isSpace(paragraph[i+1]) || isSpace(paragraph[i-2]) {
			continue
		}
		after := strings.TrimLeft(paragraph[i+1:], " \n")
		if r, _ := utf8.DecodeRuneInString(after); !unicode.IsUpper(r) && r != '[' {
			continue
		}
		return paragraph[:i+1], strings.TrimRight(after+"\n\n"+below, "\n")
	}
	for strings.HasPrefix(below, "\t") {
		var code string
		code, below, _ = strings.Cut(below, "\n\n")
		paragraph += "\n\n" + code
	}
	return paragraph, below
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' }

// docOf returns the documentation of an object.
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

// declaration returns the declaration of an object, for a type with its fields.
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

// aliased returns the declaration of the type that o is an alias of, if another package declares it, or "".
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

// more returns further information: the value of a variable and the documentation of its
// type, or the options of a function.
func (s *Session) more(o types.Object) string {
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
	if known := s.Env.Lookup(o.Name()); known != nil && s.Value != nil {
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

func dereferenced(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// firstSentence returns the first sentence of documentation.
func firstSentence(text string) string {
	plain := &comment.Printer{TextWidth: -1}
	doc := parseDoc(text)
	doc.Content = doc.Content[:min(1, len(doc.Content))]
	text = strings.Join(strings.Fields(string(plain.Text(doc))), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	if before, ok := strings.CutSuffix(text, ":"); ok { // an example follows
		return before + "."
	}
	return text
}

// methodList returns the methods of a type, one a line.
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

// sourceOf returns the source of an object: the cell that declares it, or that of a package.
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

// declaringCell returns the cell that declares an object of the session, or "".
func (s *Session) declaringCell(o types.Object) string {
	if s.Source == nil || !check.IsCell(o.Pkg()) {
		return ""
	}
	name := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		name = typeName(f.Signature().Recv().Type())
	}
	if known := s.Env.Lookup(name); known != nil {
		return s.Source(known.Cell)
	}
	return ""
}

// optionSubject is how the documentation of an option may begin: its name, and that it is an option.
var optionSubject = regexp.MustCompile(`^(?:An? )?(\w+) (?:(?:returns|is) (?:the|an) \w*[oO]ption(?: of [^:,]*?)?(?: that| by which| for| to|:) |is )?`)

// effect returns what an option does, from the first sentence about it, or "".
func (s *Session) effect(pkg *types.Package, name string) string {
	if s.Doc == nil {
		return ""
	}
	text := strings.TrimSuffix(firstSentence(s.Doc(pkg.Path(), name).Text), ".")
	if subject := optionSubject.FindStringSubmatch(text); subject != nil && subject[1] == name {
		return text[len(subject[0]):]
	}
	return text
}

// optionWidth is the greatest length of lines about options, in characters.
const optionWidth = 80

// wrap breaks text into lines and indents all but the first one.
func wrap(text string) string {
	const indent = "    "
	var lines []string
	for utf8.RuneCountInString(text) > optionWidth {
		at := strings.LastIndexByte(string([]rune(text)[:optionWidth+1]), ' ')
		if at <= len(indent) {
			break
		}
		lines = append(lines, text[:at])
		text = indent + text[at+1:]
	}
	return strings.Join(append(lines, text), "\n")
}

// options returns the options that f accepts as its last arguments, with what each does.
func (s *Session) options(f *types.Func) string {
	var lines []string
	for _, pkg := range s.optionPackages(f) {
		for name, text := range check.Options(f, pkg) {
			line := strings.Replace(text, name, s.qualifier(pkg)+"."+name, 1)
			lines = append(lines, wrap(strings.TrimRight(line+"  "+s.effect(pkg, name), " ")))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Sort(lines)
	return "options:\n" + strings.Join(lines, "\n")
}

// optionPackages returns the packages that declare options of f: its own and that of tensors.
func (s *Session) optionPackages(f *types.Func) []*types.Package {
	packages := []*types.Package{f.Pkg()}
	if tensors, err := s.Env.Import(s.TensorPath); err == nil && tensors != f.Pkg() {
		packages = append(packages, tensors)
	}
	return packages
}

// callOptions returns the options of the function whose arguments the cursor is in. After the name of a package
// and a dot, they are the options that this package declares.
func (s *Session) callOptions(f *fragment) (all []Match) {
	if len(f.path) < 2 {
		return nil
	}
	argument, ok := f.path[0].(ast.Expr)
	if !ok {
		return nil
	}
	var from *types.Package
	path := f.path[1:]
	if sel, ok := path[0].(*ast.SelectorExpr); ok && len(path) > 1 {
		if from = importedBy(f, sel.X); from == nil {
			return nil
		}
		argument, path = sel, path[1:]
	}
	call, ok := path[0].(*ast.CallExpr)
	if !ok || !slices.Contains(call.Args, argument) {
		return nil
	}
	callee := typeutil.StaticCallee(f.Info, call)
	if callee == nil {
		return nil
	}
	for _, pkg := range s.optionPackages(callee) {
		for name := range check.Options(callee, pkg) {
			m := s.matchOf(pkg.Scope().Lookup(name))
			switch {
			case from == nil:
				m.Text = s.qualifier(pkg) + "." + name
			case pkg != from:
				continue
			}
			all = append(all, m)
		}
	}
	return sorted(all)
}
