package compile_test

import (
	"fmt"
	"strconv"
	"strings"
)

// An expression is the text of an operand, and whether it is constant.
type expression struct {
	s        string
	constant bool
}

func stringClass(format string, args ...any) expression {
	return expression{s: fmt.Sprintf(format, args...)}
}

// reads returns expressions of type t, made of the variables in scope, that
// cannot panic.
func (g *generator) reads(t *typ) []string {
	var out []string
	for _, v := range g.visible() {
		out = readsOf(out, v.name, v.typ, t, 2)
	}
	return out
}

func readsOf(out []string, s string, from, t *typ, depth int) []string {
	if from.text == t.text {
		out = append(out, s)
	}
	if depth == 0 {
		return out
	}
	switch from.kind {
	case structKind:
		for _, f := range from.fields {
			out = readsOf(out, s+"."+f.name, f.typ, t, depth-1)
			if f.embedded && f.typ.kind == structKind {
				for _, p := range f.typ.fields {
					if !p.embedded {
						out = readsOf(out, s+"."+p.name, p.typ, t, depth-1)
					}
				}
			}
		}
	case arrayKind:
		for i := range from.size {
			out = readsOf(out, fmt.Sprintf("%s[%d]", s, i), from.elem, t, depth-1)
		}
	}
	return out
}

// expr returns an expression of type t.
func (g *generator) expr(t *typ, depth int) expression {
	if depth <= 0 {
		return g.leaf(t, depth)
	}
	if g.chance(35) {
		return g.general(t, depth-1)
	}
	if g.panics > 0 && g.chance(40) {
		if e, ok := g.mayPanic(t, depth-1); ok {
			return e
		}
	}
	switch t.kind {
	case boolKind:
		return g.boolean(t, depth-1)
	case intKind:
		return g.integer(t, depth-1)
	case floatKind:
		return g.float(t, depth-1)
	case complexKind:
		return g.complex(t, depth-1)
	case stringKind:
		return g.str(t, depth-1)
	case interfaceKind:
		return g.leaf(t, depth)
	case sliceKind:
		return g.slice(t, depth-1)
	default:
		if g.chance(50) {
			return g.leaf(t, depth)
		}
		return g.literal(t, depth-1)
	}
}

// notConst returns an expression of type t that is not constant.
func (g *generator) notConst(t *typ, depth int) expression {
	e := g.expr(t, depth)
	if e.constant {
		return stringClass("%s(%s)", g.help("id"), e.s)
	}
	return e
}

func (g *generator) leaf(t *typ, depth int) expression {
	if g.chance(70) {
		if reads := g.reads(t); len(reads) > 0 {
			return expression{s: pick(g, reads...)}
		}
	}
	return g.literal(t, min(depth, 1))
}

var strs = []string{`""`, `"a"`, `"b"`, `"xyz"`, `"héllo"`, `"日本"`, `"\xff\xfe"`, `"a\x00b"`, "`raw\\n`", `"-7"`, `"€"`, `"12"`}

func (g *generator) intLiteral(t *typ) string {
	if g.chance(50) {
		return strconv.Itoa(g.n(12))
	}
	bits := t.bits
	if !t.unsigned {
		bits--
	}
	high := uint64(1)<<bits - 1
	switch g.n(8) {
	case 0:
		return strconv.FormatUint(high, 10)
	case 1:
		return "0x" + strconv.FormatUint(high-uint64(g.n(3)), 16)
	case 2:
		if !t.unsigned {
			return "-" + strconv.FormatUint(high+1, 10)
		}
		return "0b" + strconv.FormatUint(high/2, 2)
	case 3:
		if !t.unsigned {
			return strconv.Itoa(-1 - g.n(5))
		}
		return "0o" + strconv.FormatUint(high/3, 8)
	case 4:
		return pick(g, "'a'", "'Z'", `'\n'`, `'\x7f'`)
	case 5:
		return strconv.FormatUint(g.r.Uint64()&high, 10)
	case 6:
		return fmt.Sprintf("1<<%d", g.n(bits))
	default:
		return strconv.Itoa(g.n(128))
	}
}

// literal returns a constant, a composite literal or a function literal.
func (g *generator) literal(t *typ, depth int) expression {
	if depth < -1 && t.kind > stringKind {
		return stringClass("(*new(%s))", t)
	}
	switch t.kind {
	case boolKind:
		return expression{fmt.Sprintf("%s(%s)", t, pick(g, "true", "false")), true}
	case intKind:
		return expression{fmt.Sprintf("%s(%s)", t, g.intLiteral(t)), true}
	case floatKind:
		return expression{fmt.Sprintf("%s(%s)", t, pick(g, "0", "1", "-1", "0.5", "3.25", "1e10", "0.1", "1e-7", "16777217", "0x1p-3", "2.5e3")), true}
	case complexKind:
		return expression{fmt.Sprintf("%s(%s)", t, pick(g, "1i", "2+3i", "-1", "0.5-0.25i", "0")), true}
	case stringKind:
		return expression{fmt.Sprintf("%s(%s)", t, pick(g, strs...)), true}
	case arrayKind:
		var list []string
		switch {
		case g.chance(20):
			list = append(list, fmt.Sprintf("%d: %s", g.n(t.size), g.expr(t.elem, depth-1).s))
		case !g.chance(10):
			for range 1 + g.n(t.size) {
				list = append(list, g.expr(t.elem, depth-1).s)
			}
		}
		return stringClass("%s{%s}", t, strings.Join(list, ", "))
	case sliceKind:
		var list []string
		for range g.n(4) {
			list = append(list, g.expr(t.elem, depth-1).s)
		}
		if len(list) > 0 && g.chance(10) {
			list[0] = "2: " + list[0]
		}
		return stringClass("%s{%s}", t, strings.Join(list, ", "))
	case mapKind:
		var list []string
		seen := map[string]bool{}
		for range g.n(4) {
			k := g.mapKey(t.key)
			if seen[k] {
				continue
			}
			seen[k] = true
			list = append(list, k+": "+g.expr(t.elem, depth-1).s)
		}
		if k := t.key.kind; len(list) > 1 && (k == structKind || k == arrayKind) {
			list = list[:1] // keys of different texts may be equal, and which entry stays is not specified
		}
		return stringClass("%s{%s}", t, strings.Join(list, ", "))
	case structKind:
		var list []string
		keyed := g.chance(50)
		for _, f := range t.fields {
			e := g.expr(f.typ, depth-1).s
			if keyed {
				if g.chance(20) {
					continue
				}
				e = f.name + ": " + e
			}
			list = append(list, e)
		}
		return stringClass("%s{%s}", t, strings.Join(list, ", "))
	case pointerKind:
		if g.panics > 0 && g.chance(20) {
			return stringClass("(%s)(nil)", t)
		}
		if k := t.elem.kind; (k == structKind || k == arrayKind) && g.chance(60) {
			return stringClass("&%s", g.literal(t.elem, depth-1).s)
		}
		return stringClass("%s(%s)", g.help("ptr"), g.typed(t.elem, depth-1))
	case funcKind:
		return g.funcLiteral(t, depth)
	case interfaceKind:
		return g.interfaceLiteral(t, depth)
	}
	panic("no literal of " + t.text)
}

// typed returns an expression that has the type t even if the context does not determine its type.
func (g *generator) typed(t *typ, depth int) string {
	e := g.expr(t, depth)
	if t.kind == funcKind || t.kind == interfaceKind || t.kind == structKind || t.kind == pointerKind || t.kind == sliceKind {
		return fmt.Sprintf("(%s)(%s)", t, e.s)
	}
	return e.s
}

func (g *generator) mapKey(t *typ) string {
	switch t.kind {
	case intKind:
		return fmt.Sprintf("%s(%d)", t, g.n(6))
	case stringKind:
		return fmt.Sprintf("%s(%s)", t, pick(g, strs...))
	case boolKind:
		return fmt.Sprintf("%s(%v)", t, g.chance(50))
	}
	var s string
	g.pureExpression(func() { s = g.literal(t, 1).s })
	return s
}

func (g *generator) funcLiteral(t *typ, depth int) expression {
	var params []string
	body := g.function([]*typ{t.result}, func() {
		for _, p := range t.params {
			v := &variable{name: g.name("p"), typ: p}
			params = append(params, v.name+" "+p.text)
			g.declare(v)
		}
		g.panics = 0
		switch {
		case g.literals > 2 || g.mult > 8 || !g.chance(40):
		case g.chance(50):
			g.variable()
		case g.calls:
			g.print()
		default:
			g.line("if %s {\nreturn %s\n}", g.expr(boolType, 1).s, g.expr(t.result, 1).s)
		}
		g.panics = 0
		g.line("return %s", g.expr(t.result, depth-1).s)
	})
	if !strings.Contains(strings.TrimSuffix(body, "\n"), "\n") {
		return stringClass("func(%s) %s { %s }", strings.Join(params, ", "), t.result, strings.TrimSuffix(body, "\n"))
	}
	return stringClass("func(%s) %s {\n%s}", strings.Join(params, ", "), t.result, body)
}

func (g *generator) interfaceLiteral(t *typ, depth int) expression {
	if t.any {
		e := g.typeWhere(func(e *typ) bool { return e.comparable() && e.printable() && !e.shares() })
		return stringClass("any(%s)", g.expr(e, depth-1).s)
	}
	var list []string
	for _, c := range g.types {
		values, pointers := c.implements(t)
		if values && c.kind != interfaceKind {
			list = append(list, c.text)
		}
		if pointers {
			list = append(list, "*"+c.text)
		}
	}
	if len(list) == 0 || g.panics > 0 && g.chance(20) {
		return stringClass("%s(nil)", t)
	}
	name := pick(g, list...)
	base := strings.TrimPrefix(name, "*")
	for _, c := range g.types {
		if c.text != base {
			continue
		}
		if base != name {
			return stringClass("%s(%s)", t, g.expr(pointerTo(c), depth-1).s)
		}
		return stringClass("%s(%s)", t, g.expr(c, depth-1).s)
	}
	panic("no type " + name)
}

// general returns an expression of any type t.
func (g *generator) general(t *typ, depth int) expression {
	for {
		switch g.n(24) {
		case 0, 1:
			if g.calls {
				return stringClass("%s(%d, %s)", g.help("tr"), g.n(100), g.typed(t, depth))
			}
		case 2:
			return stringClass("%s(%s, %s, %s)", g.help("sel"), g.expr(boolType, depth).s, g.typed(t, depth), g.expr(t, depth).s)
		case 3:
			return stringClass("%s[%s]{%s}.get()", g.help("box"), t, g.expr(t, depth).s)
		case 4:
			return stringClass("(&%s[%s]{}).set(%s).v", g.help("box"), t, g.expr(t, depth).s)
		case 5:
			if t.kind != interfaceKind {
				return stringClass("any(%s).(%s)", g.typed(t, depth), t)
			}
		case 6:
			return stringClass("(*%s(%s))", g.help("ptr"), g.typed(t, depth))
		case 7:
			if g.calls && g.literals < 3 {
				return stringClass("func() %s { return %s }()", t, g.expr(t, depth).s)
			}
		case 8:
			n := 1 + g.n(3)
			a := arrayOf(n, t)
			return stringClass("%s[%d]", g.literal(a, depth).s, g.n(n))
		case 9:
			return stringClass("(struct{ f %s }{%s}).f", t, g.expr(t, depth).s)
		case 10:
			return stringClass("(<-%s(%s))", g.help("ch"), g.typed(t, depth))
		case 11:
			k := pick(g, intType, stringType)
			return stringClass("map[%s]%s{%s: %s}[%s]", k, t, g.mapKey(k), g.expr(t, depth).s, g.expr(k, 0).s)
		case 12, 13, 14, 15:
			if e, ok := g.call(t, depth); ok {
				return e
			}
		case 16:
			return stringClass("%s[%s].get(%s[%s]{%s})", g.help("box"), t, g.help("box"), t, g.expr(t, depth).s)
		case 17:
			if g.literals < 3 {
				a := g.someBasic()
				if g.calls {
					return stringClass("func(v %s) %s { return %s }(%s)", a, t, g.expr(t, depth).s, g.expr(a, depth).s)
				}
			}
		case 18:
			return stringClass("%s[%s, %s]{val: %s}.val", g.help("pair"), pick(g, "int", "string", "bool"), t, g.expr(t, depth).s)
		case 19:
			return stringClass("%s[%s](%s)", g.help("id"), t, g.expr(t, depth).s)
		case 20:
			if t.under != nil && t.under != t {
				e := g.expr(t.under, depth)
				return expression{fmt.Sprintf("%s(%s)", t, e.s), e.constant}
			}
		case 21:
			return stringClass("%s(%s).head", g.help("cons")+"["+t.text+"]", g.expr(t, depth).s)
		case 22:
			if t.kind != interfaceKind || t.any {
				continue
			}
			return stringClass("%s(%s)", t, g.expr(t, depth).s)
		default:
			return g.leaf(t, depth)
		}
	}
}

// call returns a call with the result t, of a declared function, a method or
// a helper.
func (g *generator) call(t *typ, depth int) (expression, bool) {
	if !g.calls {
		return expression{}, false
	}
	var list []func() expression
	for _, f := range g.funcs {
		if len(f.results) != 1 || f.results[0].text != t.text || f.alone || g.mult*f.cost > 60 {
			continue
		}
		list = append(list, func() expression {
			g.cost += g.mult * f.cost
			return stringClass("%s(%s)", f.name, g.args(f, depth))
		})
	}
	for _, recv := range g.types {
		if recv.kind == interfaceKind {
			continue
		}
		for _, m := range recv.methods {
			if m.result.text == t.text && !m.via {
				list = append(list, func() expression { return g.methodCall(recv, m, depth) })
			}
		}
		for _, m := range recv.pmethods {
			if m.result.text == t.text && !m.via {
				list = append(list, func() expression { return g.pointerMethodCall(recv, m, depth) })
			}
		}
	}
	if len(list) == 0 {
		return expression{}, false
	}
	return list[g.n(len(list))](), true
}

func (g *generator) methodArg(m method, depth int) string {
	if m.param == nil {
		return ""
	}
	return g.expr(m.param, depth).s
}

func (g *generator) methodCall(recv *typ, m method, depth int) expression {
	e := g.expr(recv, depth-1).s
	arg := g.methodArg(m, depth)
	switch g.n(6) {
	case 0:
		comma := ", "
		if arg == "" {
			comma = ""
		}
		return stringClass("(%s).%s(%s%s%s)", recv, m.name, e, comma, arg)
	case 1:
		return stringClass("(%s).%s(%s)", g.expr(pointerTo(recv), 0).s, m.name, arg)
	case 2:
		for _, i := range g.ifaces {
			if ok, _ := recv.implements(i); ok && hasMethod(i.methods, m) {
				return stringClass("%s(%s).%s(%s)", i, e, m.name, arg)
			}
		}
	}
	return stringClass("(%s).%s(%s)", e, m.name, arg)
}

func (g *generator) pointerMethodCall(recv *typ, m method, depth int) expression {
	arg := g.methodArg(m, depth)
	if reads := g.reads(recv); len(reads) > 0 && g.chance(60) {
		return stringClass("%s.%s(%s)", pick(g, reads...), m.name, arg)
	}
	e := g.literal(pointerTo(recv), depth).s
	if g.chance(30) {
		comma := ", "
		if arg == "" {
			comma = ""
		}
		return stringClass("(*%s).%s(%s%s%s)", recv, m.name, e, comma, arg)
	}
	return stringClass("(%s).%s(%s)", e, m.name, arg)
}

func (g *generator) args(f *function, depth int) string {
	var args []string
	for i, p := range f.params {
		if f.variadic && i == len(f.params)-1 {
			if g.chance(30) {
				args = append(args, g.expr(sliceOf(p), depth).s+"...")
				break
			}
			for range g.n(3) {
				args = append(args, g.expr(p, depth).s)
			}
			break
		}
		args = append(args, g.expr(p, depth).s)
	}
	return strings.Join(args, ", ")
}

// mayPanic returns an expression whose evaluation may panic.
func (g *generator) mayPanic(t *typ, depth int) (expression, bool) {
	g.panics--
	switch g.n(7) {
	case 0, 1:
		for _, v := range g.visible() {
			k := v.typ.kind
			if (k == sliceKind || k == arrayKind) && v.typ.elem.text == t.text && g.chance(70) {
				i := g.typeWhere(func(t *typ) bool { return t.kind == intKind })
				return stringClass("%s[%s]", v.name, g.notConst(i, depth).s), true
			}
			if k == pointerKind && v.typ.elem.text == t.text && g.chance(70) {
				return stringClass("*%s", v.name), true
			}
		}
	case 2:
		if t.kind == intKind {
			return stringClass("(%s %s %s)", g.expr(t, depth).s, pick(g, "/", "%"), g.notConst(t, depth).s), true
		}
	case 3:
		if t.kind == intKind {
			s := g.typeWhere(func(t *typ) bool { return t.kind == intKind && !t.unsigned })
			return stringClass("(%s %s %s)", g.notConst(t, depth).s, pick(g, "<<", ">>"), g.notConst(s, 0).s), true
		}
		if t.kind == stringKind {
			lo, hi := g.notConst(intType, 0).s, g.notConst(intType, 0).s
			return stringClass("(%s)[%s:%s]", g.notConst(t, depth).s, lo, hi), true
		}
	case 4:
		if t.kind != interfaceKind {
			return stringClass("%s.(%s)", g.expr(anyType, depth).s, t), true
		}
	case 5:
		if t.kind == sliceKind && t.under == nil {
			lo, hi := g.notConst(intType, 0).s, g.notConst(intType, 0).s
			if g.chance(50) {
				return stringClass("(%s)[%s:%s]", g.notConst(t, depth).s, lo, hi), true
			}
			return stringClass("(%s)[%s:%s:%s]", g.notConst(t, depth).s, lo, hi, g.notConst(intType, 0).s), true
		}
		if t.kind == arrayKind {
			return stringClass("%s(%s)", t, g.expr(sliceOf(t.elem), depth).s), true
		}
		if t.text == "uint8" {
			return stringClass("(%s)[%s]", g.notConst(stringType, depth).s, g.notConst(intType, depth).s), true
		}
	case 6:
		if t.kind == boolKind {
			return stringClass("%s(%s == %s)", t, g.expr(anyType, depth).s, g.expr(anyType, depth).s), true
		}
		if t.kind == intKind && t.text == "int" {
			return stringClass("len(make([]int, %s&1023-3))", g.notConst(intType, depth).s), true
		}
	}
	g.panics++
	return expression{}, false
}

func (g *generator) boolean(t *typ, depth int) expression {
	switch g.n(8) {
	case 0, 1:
		return stringClass("(%s %s %s)", g.expr(t, depth).s, pick(g, "&&", "||"), g.expr(t, depth).s)
	case 2:
		return stringClass("!%s", g.expr(t, depth).s)
	case 3, 4:
		o := g.typeWhere((*typ).ordered)
		return stringClass("%s(%s %s %s)", t, g.expr(o, depth).s, pick(g, "<", "<=", ">", ">=", "==", "!="), g.expr(o, depth).s)
	case 5, 6:
		o := g.typeWhere((*typ).comparable)
		return stringClass("%s((%s) %s (%s))", t, g.expr(o, depth).s, pick(g, "==", "!="), g.expr(o, depth).s)
	default:
		o := g.typeWhere(func(t *typ) bool {
			return t.kind == sliceKind || t.kind == mapKind || t.kind == funcKind || t.kind == boolKind
		})
		if o.kind == boolKind {
			return g.leaf(t, depth)
		}
		return stringClass("%s((%s) %s nil)", t, g.expr(o, depth).s, pick(g, "==", "!="))
	}
}

func (g *generator) someInt() *typ {
	return g.typeWhere(func(t *typ) bool { return t.kind == intKind })
}

func (g *generator) integer(t *typ, depth int) expression {
	for {
		switch g.n(20) {
		case 0, 1, 2, 3, 4:
			return stringClass("(%s %s %s)", g.notConst(t, depth).s, pick(g, "+", "-", "*", "&", "|", "^", "&^"), g.expr(t, depth).s)
		case 5:
			return stringClass("(%s %s (%s | 1))", g.notConst(t, depth).s, pick(g, "/", "%"), g.notConst(t, depth).s)
		case 6:
			return stringClass("(%s %s %s)", g.notConst(t, depth).s, pick(g, "/", "%"), pick(g, "3", "7", "1", "2", "100"))
		case 7:
			u := g.typeWhere(func(t *typ) bool { return t.kind == intKind && t.unsigned })
			return stringClass("(%s %s %s)", g.expr(t, depth).s, pick(g, "<<", ">>"), g.notConst(u, depth).s)
		case 8:
			return stringClass("(%s %s %d)", g.notConst(t, depth).s, pick(g, "<<", ">>"), g.n(70))
		case 9:
			return stringClass("%s(1 << (%s & 31))", t, g.notConst(uintType, depth).s)
		case 10:
			return stringClass("(%s%s)", pick(g, "-", "^", "+"), g.notConst(t, depth).s)
		case 11, 12:
			return stringClass("%s(%s)", t, g.notConst(g.someInt(), depth).s)
		case 13:
			f := g.typeWhere(func(t *typ) bool { return t.kind == floatKind })
			return stringClass("%s(int64(%s(float64(%s))))", t, g.help("fl"), g.notConst(f, depth).s)
		case 14:
			o := g.typeWhere(func(t *typ) bool { return t.kind == stringKind || t.kind == sliceKind || t.kind == mapKind })
			if o.kind == sliceKind && g.chance(30) {
				return stringClass("%s(len(%s))", t, g.notConst(stringType, depth).s)
			}
			return stringClass("%s(len(%s))", t, g.notConst(o, depth).s)
		case 15:
			return stringClass("%s(%s, %s)", pick(g, "min", "max"), g.notConst(t, depth).s, g.expr(t, depth).s)
		case 16:
			return stringClass("%s(%s, %s)", g.help("shr"), g.expr(t, depth).s, g.notConst(uintType, 0).s)
		case 17:
			o := g.someInt()
			return stringClass("%s[%s, %s](%s)", g.help("conv"), o, t, g.expr(o, depth).s)
		case 18:
			return stringClass("%s(%s, %s)", g.help("sum"), g.expr(t, depth).s, g.expr(t, depth).s)
		default:
			if t.text == "int" {
				return stringClass("%s", pick(g,
					"strings.Index("+g.expr(stringType, depth).s+", "+g.expr(stringType, 0).s+")",
					"utf8.RuneCountInString("+g.expr(stringType, depth).s+")",
					"copy(make([]int, 2), "+g.expr(sliceOf(intType), depth).s+")",
					"cap(make([]string, 1, 2+"+fmt.Sprint(g.n(4))+"))",
					"cmp.Compare("+g.expr(stringType, depth).s+", "+g.expr(stringType, depth).s+")",
				))
			}
		}
	}
}

func (g *generator) float(t *typ, depth int) expression {
	for {
		switch g.n(9) {
		case 0, 1, 2:
			return stringClass("(%s %s %s)", g.notConst(t, depth).s, pick(g, "+", "-", "*", "/"), g.notConst(t, depth).s)
		case 3:
			return stringClass("(-%s)", g.notConst(t, depth).s)
		case 4:
			return stringClass("%s(%s)", t, g.notConst(g.someInt(), depth).s)
		case 5:
			f := g.typeWhere(func(t *typ) bool { return t.kind == floatKind })
			return stringClass("%s(%s)", t, g.notConst(f, depth).s)
		case 6:
			return stringClass("%s(%s, %s)", pick(g, "min", "max"), g.notConst(t, depth).s, g.expr(t, depth).s)
		case 7:
			if t.text == "float64" {
				return stringClass("math.%s(%s)", pick(g, "Sqrt", "Floor", "Trunc", "Abs"), g.expr(t, depth).s)
			}
			return stringClass("%s(%s, %s)", g.help("sum"), g.expr(t, depth).s, g.expr(t, depth).s)
		default:
			if t.bits == 64 {
				return stringClass("%s(%s(%s))", t, pick(g, "real", "imag"), g.notConst(basic(complexKind, "complex128", 128), depth).s)
			}
		}
	}
}

func (g *generator) complex(t *typ, depth int) expression {
	switch g.n(5) {
	case 0, 1:
		return stringClass("(%s %s %s)", g.notConst(t, depth).s, pick(g, "+", "-", "*", "/"), g.notConst(t, depth).s)
	case 2:
		return stringClass("(-%s)", g.notConst(t, depth).s)
	case 3:
		f := floatType
		if t.bits == 64 {
			f = basic(floatKind, "float32", 32)
		}
		return stringClass("%s(complex(%s, %s))", t, g.notConst(f, depth).s, g.notConst(f, depth).s)
	default:
		c := g.typeWhere(func(t *typ) bool { return t.kind == complexKind })
		return stringClass("%s(%s)", t, g.notConst(c, depth).s)
	}
}

func (g *generator) str(t *typ, depth int) expression {
	for {
		switch g.n(16) {
		case 0, 1, 2:
			return stringClass("(%s + %s)", g.expr(t, depth).s, g.expr(t, depth).s)
		case 3:
			return stringClass("%s(%s)", t, g.expr(sliceOf(byteType), depth).s)
		case 4:
			return stringClass("%s(%s)", t, g.expr(sliceOf(basic(intKind, "int32", 32)), depth).s)
		case 5:
			return stringClass("%s(rune(%s))", t, g.notConst(g.someInt(), depth).s)
		case 6:
			return stringClass("%s(%s, %s, %d)", g.help("cut"), g.expr(t, depth).s, g.expr(intType, depth).s, g.n(4))
		case 7, 8:
			p := g.typeWhere((*typ).printable)
			if !g.isString && g.calls {
				return stringClass("%s(fmt.Sprintf(%q, %s))", t, pick(g, "%v", "%v|", "%T", "%+v", "%q", "%#v", "%d", "%x", "%5v", "%t", "%s"), g.expr(p, depth).s)
			}
		case 9:
			return stringClass("%s(strconv.Itoa(%s))", t, g.expr(intType, depth).s)
		case 10:
			return stringClass("%s(strings.%s(string(%s)))", t, pick(g, "ToUpper", "TrimSpace", "ToLower"), g.expr(t, depth).s)
		case 11:
			if !g.isString && g.calls {
				return stringClass("%s(%s(%s))", t, g.help("kind"), g.typed(g.typeWhere(func(t *typ) bool { return t.printable() || t.kind == pointerKind && t.elem.under == nil }), depth))
			}
		case 12:
			s := g.typeWhere(func(t *typ) bool { return t.kind == stringKind })
			return stringClass("%s(%s)", t, g.expr(s, depth).s)
		case 13:
			return stringClass("%s(%s, %s)", g.help("sum"), g.expr(t, depth).s, g.expr(t, depth).s)
		case 14:
			return stringClass("%s(%s, %s)", g.help("max"), g.expr(t, depth).s, g.expr(t, depth).s)
		default:
			return g.leaf(t, depth)
		}
	}
}

func (g *generator) slice(t *typ, depth int) expression {
	for {
		switch g.n(9) {
		case 0, 1:
			return stringClass("append(%s(nil), %s...)", conversion(t), g.expr(t, depth).s)
		case 2:
			return stringClass("append(%s, %s, %s)", g.literal(t, depth).s, g.expr(t.elem, depth).s, g.expr(t.elem, depth).s)
		case 3:
			if reads := g.reads(t); len(reads) > 0 {
				r := pick(g, reads...)
				return stringClass("append(%s[:len(%s):len(%s)], %s)", r, r, r, g.expr(t.elem, depth).s)
			}
		case 4:
			if reads := g.reads(t); len(reads) > 0 {
				r := pick(g, reads...)
				return stringClass("%s[min(%d, len(%s)):]", r, g.n(3), r)
			}
		case 5:
			return stringClass("make(%s, %d)", t, g.n(4))
		case 6:
			a := g.someBasic()
			if g.literals < 3 {
				return stringClass("%s(%s(%s, %s))", conversion(t), g.help("mapf"), g.expr(sliceOf(a), depth).s, g.funcLiteral(funcOf(t.elem, a), depth).s)
			}
		case 7:
			if t.text == "[]uint8" || t.text == "[]int32" {
				return stringClass("%s(%s)", t, g.expr(stringType, depth).s)
			}
		default:
			return g.literal(t, depth)
		}
	}
}

// conversion returns t as the operator of a conversion.
func conversion(t *typ) string {
	if t.under != nil {
		return t.text
	}
	return "(" + t.text + ")"
}
