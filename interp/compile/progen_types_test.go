package compile_test

import (
	"fmt"
	"slices"
	"strings"
)

type kind int

const (
	boolKind kind = iota
	intKind
	floatKind
	complexKind
	stringKind
	arrayKind
	sliceKind
	mapKind
	structKind
	pointerKind
	funcKind
	interfaceKind
)

// A typ is a type of a program. Types are identical if their text is.
type typ struct {
	kind     kind
	text     string
	bits     int // of numbers
	unsigned bool
	size     int // of an array
	key      *typ
	elem     *typ
	fields   []field
	params   []*typ
	result   *typ
	under    *typ     // of a declared type: its underlying type
	methods  []method // of its values
	pmethods []method // of pointers to it, besides methods
	any      bool     // the empty interface
}

type field struct {
	name     string
	typ      *typ
	embedded bool
}

type method struct {
	name   string
	param  *typ // nil if there is none
	result *typ
	via    bool // promoted through a pointer, which may be nil
}

func (t *typ) String() string { return t.text }

func basic(k kind, text string, bits int) *typ { return &typ{kind: k, text: text, bits: bits} }

func unsigned(text string, bits int) *typ {
	return &typ{kind: intKind, text: text, bits: bits, unsigned: true}
}

var (
	boolType   = basic(boolKind, "bool", 0)
	intType    = basic(intKind, "int", 64)
	stringType = basic(stringKind, "string", 0)
	byteType   = unsigned("uint8", 8)
	uintType   = unsigned("uint", 64)
	floatType  = basic(floatKind, "float64", 64)
	anyType    = &typ{kind: interfaceKind, text: "any", any: true}
	basics     = []*typ{
		boolType, intType, basic(intKind, "int8", 8), basic(intKind, "int16", 16), basic(intKind, "int32", 32),
		basic(intKind, "int64", 64), uintType, byteType, unsigned("uint16", 16), unsigned("uint32", 32),
		unsigned("uint64", 64), unsigned("uintptr", 64), basic(floatKind, "float32", 32), floatType,
		basic(complexKind, "complex64", 64), basic(complexKind, "complex128", 128), stringType, stringType, intType, intType,
	}
)

func sliceOf(e *typ) *typ   { return &typ{kind: sliceKind, text: "[]" + e.text, elem: e} }
func pointerTo(e *typ) *typ { return &typ{kind: pointerKind, text: "*" + e.text, elem: e} }

func arrayOf(n int, e *typ) *typ {
	return &typ{kind: arrayKind, text: fmt.Sprintf("[%d]%s", n, e), size: n, elem: e}
}

func mapOf(k, e *typ) *typ {
	return &typ{kind: mapKind, text: fmt.Sprintf("map[%s]%s", k, e), key: k, elem: e}
}

func funcOf(result *typ, params ...*typ) *typ {
	var list []string
	for _, p := range params {
		list = append(list, p.text)
	}
	return &typ{kind: funcKind, text: fmt.Sprintf("func(%s) %s", strings.Join(list, ", "), result), params: params, result: result}
}

// parts returns the types that values of t hold.
func (t *typ) parts() []*typ {
	var parts []*typ
	for _, f := range t.fields {
		parts = append(parts, f.typ)
	}
	if t.key != nil {
		parts = append(parts, t.key)
	}
	if t.elem != nil {
		parts = append(parts, t.elem)
	}
	return parts
}

// printable reports whether fmt prints no addresses for values of t.
func (t *typ) printable() bool {
	if t.kind == pointerKind || t.kind == funcKind || t.kind == interfaceKind && !t.any {
		return false
	}
	for _, p := range t.parts() {
		if !p.printable() {
			return false
		}
	}
	return true
}

// comparable reports whether values of t can be compared, without a panic.
func (t *typ) comparable() bool {
	switch t.kind {
	case sliceKind, mapKind, funcKind:
		return false
	case arrayKind, structKind:
		for _, p := range t.parts() {
			if !p.comparable() {
				return false
			}
		}
	}
	return true
}

// shares reports whether copies of values of t share variables.
func (t *typ) shares() bool {
	switch t.kind {
	case sliceKind, mapKind, pointerKind:
		return true
	case interfaceKind:
		return !t.any
	case arrayKind, structKind:
		for _, p := range t.parts() {
			if p.shares() {
				return true
			}
		}
	}
	return false
}

// keyable reports whether t is a key of the maps of programs.
func (t *typ) keyable() bool {
	return t.kind == intKind || t.kind == stringKind || t.kind == boolKind ||
		(t.kind == structKind || t.kind == arrayKind) && t.comparable() && t.printable()
}

func (t *typ) ordered() bool {
	return t.kind == intKind || t.kind == floatKind || t.kind == stringKind
}

// someType returns a type of variables.
func (g *generator) someType() *typ { return g.pool[g.n(len(g.pool))] }

// typeWhere returns a type for which ok is true, preferably one of the pool.
func (g *generator) typeWhere(ok func(*typ) bool) *typ {
	var list []*typ
	for _, t := range g.pool {
		if ok(t) {
			list = append(list, t)
		}
	}
	if len(list) > 0 && g.chance(80) {
		return pick(g, list...)
	}
	for _, t := range slices.Concat(basics, []*typ{sliceOf(intType), arrayOf(2, intType)}) {
		if ok(t) {
			list = append(list, t)
		}
	}
	return pick(g, list...)
}

func (g *generator) someBasic() *typ { return pick(g, basics...) }

// composite returns a type made of types of the pool.
func (g *generator) composite() *typ {
	elem := g.someType()
	switch g.n(9) {
	case 0, 1:
		return arrayOf(1+g.n(4), elem)
	case 2, 3:
		return sliceOf(elem)
	case 4:
		return mapOf(g.typeWhere((*typ).keyable), elem)
	case 5:
		return pointerTo(elem)
	case 6:
		var params []*typ
		for range g.n(3) {
			params = append(params, g.someType())
		}
		return funcOf(elem, params...)
	case 7:
		return g.structType()
	default:
		return anyType
	}
}

func (g *generator) structType() *typ {
	t := &typ{kind: structKind}
	var list []string
	for range 1 + g.n(3) {
		g.fields++
		f := field{name: fmt.Sprint("F", g.fields), typ: g.someType()}
		t.fields = append(t.fields, f)
		list = append(list, f.name+" "+f.typ.text)
	}
	t.text = "struct { " + strings.Join(list, "; ") + " }"
	return t
}

// named declares a type with t as its underlying type.
func (g *generator) named(t *typ) *typ {
	n := *t
	n.text, n.under, n.methods, n.pmethods = g.name("@T"), t, nil, nil
	n.any = false
	return &n
}

func (g *generator) declareTypes() {
	for range 4 + g.n(4) {
		g.pool = append(g.pool, g.someBasic())
	}
	g.pool = append(g.pool, intType, stringType)
	g.declareInterfaces()
	for range 1 + g.upTo(4, 1) {
		t := g.named(g.someBasic())
		g.decls = append(g.decls, fmt.Sprintf("type %s %s\n", t, t.under))
		g.add(t)
	}
	for range g.upTo(4, 2) {
		g.declareStruct()
	}
	for range 2 + g.n(4) {
		g.pool = append(g.pool, g.composite())
	}
	for range g.upTo(3, 2) {
		under := g.composite()
		if under.kind == pointerKind || under.kind == interfaceKind {
			continue
		}
		t := g.named(under)
		g.decls = append(g.decls, fmt.Sprintf("type %s %s\n", t, t.under))
		g.add(t)
	}
	if g.chance(70) {
		g.pool = append(g.pool, g.ifaces...)
	}
	if g.chance(40) {
		g.pool = append(g.pool, anyType)
	}
}

// methodSet has the methods of declared types; interfaces have some of them.
var methodSet = []method{
	{name: "String", result: stringType},
	{name: "M1", param: intType, result: intType},
	{name: "M2", param: stringType, result: stringType},
	{name: "M3", result: intType},
}

func (g *generator) declareInterfaces() {
	a := &typ{kind: interfaceKind, text: g.name("@I"), methods: methodSet[1:2]}
	g.decls = append(g.decls, fmt.Sprintf("type %s interface{ M1(int) int }\n", a))
	b := &typ{kind: interfaceKind, text: g.name("@I"), methods: methodSet[1:4]}
	g.decls = append(g.decls, fmt.Sprintf("type %s interface {\n%s\nM2(string) string\nM3() int\n}\n", b, a))
	g.ifaces = []*typ{a, b}
}

// add makes a declared type one of the pool and declares its methods.
func (g *generator) add(t *typ) {
	g.types = append(g.types, t)
	isInterface := t.under != nil && t.under.kind == interfaceKind
	if !isInterface && t.kind != pointerKind && g.chance(80) {
		for i, m := range methodSet {
			if i > 0 && !g.chance(65) || i == 0 && !g.chance(40) {
				continue
			}
			g.declareMethod(t, m)
		}
	}
	g.pool = append(g.pool, t, t)
}

func (g *generator) declareMethod(t *typ, m method) {
	recv := t
	byPointer := m.name != "String" && g.chance(35)
	if byPointer {
		recv = pointerTo(t)
	}
	var params string
	body := g.function([]*typ{m.result}, func() {
		v := &variable{name: "x", typ: recv, readonly: true}
		g.declare(v)
		if m.param != nil {
			params = "a " + m.param.text
			g.declare(&variable{name: "a", typ: m.param})
		}
		g.isString = m.name == "String"
		defer func() { g.isString = false }()
		g.pureExpression(func() {
			if m.name != "String" && g.chance(50) {
				g.line("fmt.Print(%q)", "["+strings.TrimPrefix(t.text, "@")+"."+m.name+"]")
			}
			g.line("return %s", g.expr(m.result, 3).s)
		})
	})
	g.decls = append(g.decls, fmt.Sprintf("func (x %s) %s(%s) %s {\n%s}\n", recv, m.name, params, m.result, body))
	if byPointer {
		t.pmethods = append(t.pmethods, m)
	} else {
		t.methods = append(t.methods, m)
	}
}

// declareStruct declares a struct type, which may embed others.
func (g *generator) declareStruct() {
	t := &typ{kind: structKind, text: g.name("@S")}
	t.under = t
	var list []string
	names := map[string]bool{}
	for range 1 + g.n(4) {
		g.fields++
		f := field{name: fmt.Sprint("F", g.fields), typ: g.someType()}
		var text string
		e := f.typ
		if e.kind == pointerKind {
			e = e.elem
		}
		if g.chance(50) && len(g.types) > 0 {
			e = pick(g, g.types...)
			f.typ = e
			if g.chance(30) && e.kind != interfaceKind {
				f.typ = pointerTo(e)
			}
		}
		if slices.Contains(g.types, e) && !names[e.text] && g.chance(70) && (f.typ == e || f.typ.text == "*"+e.text) {
			f.name, f.embedded = e.text, true
			text = f.typ.text
			names[e.text] = true
		} else {
			text = f.name + " " + f.typ.text
		}
		t.fields = append(t.fields, f)
		list = append(list, text)
	}
	if g.chance(15) && !names[g.ifaces[0].text] {
		f := field{name: g.ifaces[0].text, typ: g.ifaces[0], embedded: true}
		t.fields = append(t.fields, f)
		list = append(list, f.typ.text)
	}
	g.decls = append(g.decls, fmt.Sprintf("type %s struct {\n\t%s\n}\n", t, strings.Join(list, "\n\t")))
	g.add(t)
	g.promote(t)
}

// promote adds the methods that t has from exactly one embedded field.
func (g *generator) promote(t *typ) {
	count := map[string]int{}
	for _, f := range t.fields {
		if !f.embedded {
			count[f.name] += 10
			continue
		}
		e := f.typ
		if e.kind == pointerKind {
			e = e.elem
		}
		for _, m := range append(slices.Clone(e.methods), e.pmethods...) {
			count[m.name]++
		}
	}
	own := map[string]bool{}
	for _, m := range append(slices.Clone(t.methods), t.pmethods...) {
		own[m.name] = true
	}
	for _, f := range t.fields {
		if !f.embedded {
			continue
		}
		e := f.typ
		byPointer := e.kind == pointerKind
		if byPointer {
			e = e.elem
		}
		for _, m := range e.methods {
			if !own[m.name] && count[m.name] == 1 {
				m.via = m.via || byPointer
				t.methods = append(t.methods, m)
			}
		}
		for _, m := range e.pmethods {
			switch {
			case own[m.name] || count[m.name] != 1:
			case byPointer:
				m.via = true
				t.methods = append(t.methods, m)
			default:
				t.pmethods = append(t.pmethods, m)
			}
		}
	}
}

// implements reports whether values of t, or pointers to it, have the methods
// of an interface.
func (t *typ) implements(i *typ) (values, pointers bool) {
	values, pointers = true, true
	for _, m := range i.methods {
		byValue := hasMethod(t.methods, m)
		values = values && byValue
		pointers = pointers && (byValue || t.kind != interfaceKind && hasMethod(t.pmethods, m))
	}
	return values, pointers && t.kind != interfaceKind && t.kind != pointerKind
}

func hasMethod(list []method, m method) bool {
	return slices.ContainsFunc(list, func(o method) bool { return o.name == m.name })
}
