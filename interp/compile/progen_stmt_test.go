package compile_test

import (
	"fmt"
	"strings"
)

// statements writes n statements.
func (g *generator) statements(n int) {
	for range n {
		g.statement()
	}
}

// mode chooses what the expressions of the next statement may do.
func (g *generator) mode() {
	g.calls, g.panics = true, 0
	if g.chance(15) {
		g.calls, g.panics = false, 1
	}
}

func (g *generator) quiet() { g.calls, g.panics = false, 0 }

// block writes a block of n statements.
func (g *generator) block(n int) {
	g.depth++
	g.scope(func() {
		g.statements(n)
		if g.chance(30) {
			g.printAll()
		}
	})
	g.depth--
}

func (g *generator) size() int { return 1 + g.n(3) }

// repeat calls f, which writes statements that run n times.
func (g *generator) repeat(n int, f func()) {
	g.mult *= n
	f()
	g.mult /= n
}

func (g *generator) statement() {
	g.cost += g.mult
	g.mode()
	g.written++
	deep := g.depth >= 3 || g.mult > 30 || g.cost > 400 || g.written > 40 || g.small && g.written > 10
	for {
		n := g.n(76)
		if deep && n >= 18 && n < 36 {
			continue
		}
		switch n {
		case 0, 1, 2, 3:
			g.variable()
		case 4, 5, 6, 7:
			g.print()
		case 8, 9, 10:
			if !g.assign() {
				continue
			}
		case 11:
			if !g.opAssign() {
				continue
			}
		case 12:
			if !g.callStatement() {
				continue
			}
		case 13:
			if !g.parallel() {
				continue
			}
		case 14:
			if !g.jump() {
				continue
			}
		case 15:
			if !g.mapStatement() {
				continue
			}
		case 16:
			if !g.sliceStatement() {
				continue
			}
		case 17:
			if g.mult > 8 || !g.inFunc {
				continue
			}
			g.deferStatement()
		case 18, 19:
			g.ifStatement()
		case 20, 21:
			g.switchStatement()
		case 22:
			g.typeSwitch()
		case 23, 24, 25:
			g.forLoop()
		case 26, 27, 28:
			g.rangeLoop()
		case 29:
			g.rangeFunc()
		case 30:
			g.tryStatement()
		case 31:
			g.closure()
		case 32:
			g.channel()
		case 33:
			g.selectStatement()
		case 34:
			g.gotoStatement()
		case 35:
			g.line("{")
			g.block(g.size())
			g.line("}")
		case 36:
			g.methodValue()
		case 37:
			g.panicStatement()
		case 38:
			g.copies()
		case 39:
			g.order()
		case 40:
			g.constants()
		case 41:
			g.idiom()
		case 42:
			g.pointers()
		case 43:
			g.generic()
		case 44:
			if !g.deepAssign() {
				continue
			}
		case 45:
			g.sideEffects()
		case 46:
			g.reflection()
		case 47:
			g.workers()
		case 48:
			g.deferredOrder()
		case 49:
			g.unnamedStructs()
		case 50:
			g.interfaces()
		case 51:
			g.conversions()
		case 52:
			g.ownGeneric()
		case 53:
			g.moreConstants()
		case 54:
			g.methodExpressions()
		case 55:
			g.nestedFuncs()
		default:
			g.template()
		}
		return
	}
}

// newName returns a name for a variable, sometimes that of a variable of an outer scope, which it hides.
func (g *generator) newName() string {
	if g.chance(8) {
		if vars := g.visible(); len(vars) > 0 {
			name := pick(g, vars...).name
			for _, v := range g.scopes[len(g.scopes)-1] {
				if v.name == name {
					return g.name("v")
				}
			}
			if !strings.HasPrefix(name, "@") && name != "x" && name != "a" && !strings.HasPrefix(name, "r") && !strings.HasPrefix(name, "i") {
				return name
			}
		}
	}
	return g.name("v")
}

func (g *generator) variable() {
	t := g.someType()
	name := g.newName()
	v := &variable{name: name, typ: t}
	switch g.n(6) {
	case 0:
		g.line("var %s %s", name, t)
	case 1, 2:
		g.line("var %s %s = %s", name, t, g.expr(t, 3).s)
	case 3:
		u := g.someType()
		other := &variable{name: g.name("v"), typ: u}
		if g.panics > 0 {
			g.quiet()
		}
		g.line("%s, %s := %s, %s", name, other.name, g.initial(t, 2), g.initial(u, 2))
		g.line("_ = %s", other.name)
		g.declare(other)
	default:
		g.line("%s := %s", name, g.initial(t, 3))
	}
	g.line("_ = %s", name)
	g.declare(v)
}

// initial returns an expression that gives a variable the type t.
func (g *generator) initial(t *typ, depth int) string {
	if t.kind == funcKind || t.kind == interfaceKind || t.kind == sliceKind || t.kind == pointerKind {
		return conversion(t) + "(" + g.expr(t, depth).s + ")"
	}
	return g.expr(t, depth).s
}

// print prints expressions.
func (g *generator) print() {
	t := g.typeWhere((*typ).printable)
	u := g.typeWhere((*typ).printable)
	switch g.n(5) {
	case 0:
		g.panics = 0
		g.line("fmt.Println(%s, %s)", g.expr(t, 3).s, g.expr(u, 3).s)
	case 1:
		g.line("fmt.Printf(\"%%T %%v\\n\", %s, %d)", g.expr(t, 2).s, g.n(9))
	case 2:
		g.line("fmt.Printf(\"%%+v %%#v\\n\", %s, %s)", g.expr(t, 1).s, pick(g, "1", "2"))
	default:
		g.line("fmt.Println(%q, %s)", g.name("L"), g.expr(t, 4).s)
	}
}

// assignable returns the variables that may be assigned, and their parts.
func (g *generator) assignable() []*variable {
	var out []*variable
	for _, v := range g.visible() {
		if v.readonly {
			continue
		}
		out = append(out, v)
		switch v.typ.kind {
		case structKind:
			for _, f := range v.typ.fields {
				out = append(out, &variable{name: v.name + "." + f.name, typ: f.typ})
			}
		case arrayKind:
			out = append(out, &variable{name: fmt.Sprintf("%s[%d]", v.name, g.n(v.typ.size)), typ: v.typ.elem})
		}
	}
	return out
}

func (g *generator) target() (*variable, bool) {
	list := g.assignable()
	if len(list) == 0 {
		return nil, false
	}
	return list[g.n(len(list))], true
}

func (g *generator) assign() bool {
	v, ok := g.target()
	if !ok {
		return false
	}
	g.line("%s = %s", v.name, g.expr(v.typ, 3).s)
	if v.typ.printable() && g.chance(40) {
		g.line("fmt.Println(%q, %s)", v.name, v.name)
	}
	return true
}

func (g *generator) opAssign() bool {
	v, ok := g.target()
	if !ok {
		return false
	}
	switch v.typ.kind {
	case intKind:
		switch g.n(4) {
		case 0:
			g.line("%s%s", v.name, pick(g, "++", "--"))
		case 1:
			g.line("%s %s= %s", v.name, pick(g, "<<", ">>"), g.notConst(byteType, 2).s)
		case 2:
			g.line("%s %s= %s | 1", v.name, pick(g, "/", "%"), g.notConst(v.typ, 2).s)
		default:
			g.line("%s %s= %s", v.name, pick(g, "+", "-", "*", "&", "|", "^", "&^"), g.expr(v.typ, 3).s)
		}
	case floatKind, complexKind:
		g.line("%s %s= %s", v.name, pick(g, "+", "-", "*"), g.expr(v.typ, 3).s)
	case stringKind:
		g.line("%s += %s", v.name, g.literal(v.typ, 0).s)
	default:
		return false
	}
	return true
}

// callStatement calls a function whose arguments share variables, or that
// has several results.
func (g *generator) callStatement() bool {
	for _, v := range g.visible() {
		if v.typ.kind == funcKind && g.chance(50) {
			call := fmt.Sprintf("%s(%s)", v.name, g.args(&function{params: v.typ.params}, 2))
			if v.typ.result.printable() {
				call = "fmt.Println(" + call + ")"
			}
			g.line("if %s != nil {\n%s\n}", v.name, call)
			return true
		}
	}
	if len(g.funcs) == 0 {
		return false
	}
	f := pick(g, g.funcs...)
	if g.mult*f.cost > 60 {
		return false
	}
	g.cost += g.mult * f.cost
	g.calls, g.panics = !f.alone, 0
	var names []string
	var vars []*variable
	for _, t := range f.results {
		v := &variable{name: g.name("v"), typ: t}
		vars = append(vars, v)
		names = append(names, v.name)
	}
	args := g.args(f, 2)
	if g.chance(20) {
		g.line("%s(%s)", f.name, args)
		return true
	}
	g.line("%s := %s(%s)", strings.Join(names, ", "), f.name, args)
	for _, v := range vars {
		g.line("_ = %s", v.name)
		g.declare(v)
	}
	return true
}

// parallel assigns several variables at once.
func (g *generator) parallel() bool {
	list := g.assignable()
	if len(list) < 2 {
		return false
	}
	g.quiet()
	a := pick(g, list...)
	var same []*variable
	for _, v := range list {
		if v.typ.text == a.typ.text && root(v.name) != root(a.name) {
			same = append(same, v)
		}
	}
	if len(same) > 0 && g.chance(60) {
		b := pick(g, same...)
		g.line("%s, %s = %s, %s", a.name, b.name, b.name, a.name)
		return true
	}
	b := pick(g, list...)
	if root(a.name) == root(b.name) {
		return false
	}
	g.line("%s, %s = %s, %s", a.name, b.name, g.expr(a.typ, 2).s, g.expr(b.typ, 2).s)
	return true
}

func root(name string) string {
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "[")
	return name
}

// jump leaves a loop or the function.
func (g *generator) jump() bool {
	var list []func()
	for i, l := range g.loops {
		inner := i == len(g.loops)-1
		list = append(list, func() {
			if inner && g.chance(50) {
				g.line("break")
			} else {
				l.used = true
				g.line("break %s", l.label)
			}
		})
		if l.isSwitch {
			continue
		}
		last := true
		for _, m := range g.loops[i+1:] {
			last = last && m.isSwitch
		}
		list = append(list, func() {
			if last && g.chance(50) {
				g.line("continue")
			} else {
				l.used = true
				g.line("continue %s", l.label)
			}
		})
	}
	if g.inFunc {
		list = append(list, g.returnStatement)
	}
	if len(list) == 0 {
		return false
	}
	g.line("if (%s) {", g.expr(boolType, 2).s)
	g.mode()
	list[g.n(len(list))]()
	g.line("}")
	return true
}

func (g *generator) returnStatement() {
	g.mode()
	if len(g.results) > 1 {
		g.panics = 0
	}
	var list []string
	for _, t := range g.results {
		list = append(list, g.expr(t, 2).s)
	}
	g.line("return %s", strings.Join(list, ", "))
}

func (g *generator) ifStatement() {
	switch g.n(4) {
	case 0:
		t := g.typeWhere((*typ).comparable)
		name := g.name("v")
		init := g.initial(t, 2)
		g.quiet()
		g.scope(func() {
			g.declare(&variable{name: name, typ: t})
			g.line("if %s := (%s); (%s) != %s {", name, init, g.expr(t, 1).s, name)
			g.block(g.size())
		})
	case 1:
		e := g.typeWhere(func(t *typ) bool { return t.kind != interfaceKind })
		name := g.name("v")
		g.line("if %s, ok := (any(%s).(%s)); ok {\n_ = %s", name, g.expr(pick(g, anyType, e), 2).s, e, name)
		g.scope(func() {
			g.declare(&variable{name: name, typ: e})
			g.block(g.size())
		})
	default:
		g.line("if (%s) {", g.expr(boolType, 3).s)
		g.block(g.size())
	}
	if g.chance(50) {
		g.mode()
		if g.chance(40) {
			g.line("} else if (%s) {", g.expr(boolType, 2).s)
			g.block(1)
		}
		g.line("} else {")
		g.block(g.size())
	}
	g.line("}")
}

// looped writes a statement that break and continue can leave. head is its first line.
func (g *generator) looped(isSwitch bool, head string, body func()) {
	l := &loop{label: g.name("loop"), isSwitch: isSwitch}
	g.loops = append(g.loops, l)
	s := g.capture(body)
	g.loops = g.loops[:len(g.loops)-1]
	if l.used {
		g.line("%s:", l.label)
	}
	g.line("%s", head)
	g.buf.WriteString(s)
	g.line("}")
}

func (g *generator) switchStatement() {
	t := g.typeWhere(func(t *typ) bool { return t.kind == intKind || t.kind == stringKind || t.kind == boolKind })
	head := fmt.Sprintf("switch (%s) {", g.notConst(t, 3).s)
	tagless := g.chance(30)
	if tagless {
		head = "switch {"
	}
	if g.chance(20) && !tagless {
		head = strings.Replace(head, "switch ", "switch fmt.Print(\"init \"); ", 1)
	}
	g.looped(true, head, func() {
		seen := map[string]bool{}
		n := 1 + g.n(4)
		def := g.n(n + 2)
		for i := range n {
			if i == def {
				g.line("default:")
				g.block(1)
				g.fallThrough(i == n-1)
			}
			g.mode()
			g.panics = 0
			var list []string
			for range 1 + g.n(2) {
				k := g.mapKey(t)
				if tagless {
					k = g.expr(boolType, 2).s
				} else if g.chance(30) {
					k = g.notConst(t, 1).s
				}
				if !seen[k] {
					list = append(list, k)
				}
				seen[k] = true
			}
			if len(list) == 0 {
				continue
			}
			g.line("case %s:", strings.Join(list, ", "))
			g.block(g.n(3))
			g.fallThrough(i == n-1 && def != n)
		}
		if def >= n {
			g.line("default:")
			g.block(1)
		}
	})
}

func (g *generator) fallThrough(last bool) {
	if !last && g.chance(20) {
		g.line("fallthrough")
	}
}

func (g *generator) typeSwitch() {
	subject := anyType
	if g.chance(30) {
		subject = pick(g, g.ifaces...)
	}
	name := g.name("v")
	e := g.expr(subject, 3).s
	if subject == anyType && g.chance(50) {
		e = "any(" + g.typed(g.someType(), 2) + ")"
	}
	g.looped(true, fmt.Sprintf("switch %s := (%s).(type) {", name, e), func() {
		seen := map[string]bool{}
		n := 1 + g.n(4)
		def := g.n(n + 2)
		for i := range n {
			if i == def {
				g.line("default:\n_ = %s", name)
				g.block(1)
			}
			var list []*typ
			for range 1 + g.n(2) {
				t := g.someType()
				if subject != anyType {
					t = pick(g, g.types...)
					if ok, _ := t.implements(subject); !ok {
						continue
					}
				}
				if !seen[t.text] {
					list = append(list, t)
				}
				seen[t.text] = true
			}
			if len(list) == 0 {
				continue
			}
			var names []string
			for _, t := range list {
				names = append(names, t.text)
			}
			if g.chance(10) && !seen["nil"] {
				names, seen["nil"] = append(names, "nil"), true
			}
			g.line("case %s:", strings.Join(names, ", "))
			g.scope(func() {
				if len(names) == 1 {
					g.declare(&variable{name: name, typ: list[0]})
				}
				g.line("fmt.Printf(\"%%T\\n\", %s)", name)
				g.block(g.n(2))
			})
		}
		if def >= n {
			g.line("default:\nfmt.Printf(\"%%T\\n\", %s)", name)
		}
	})
}

func (g *generator) forLoop() {
	n := 1 + g.n(4)
	i := g.name("i")
	g.quiet()
	head := ""
	switch g.n(5) {
	case 0:
		head = fmt.Sprintf("for %s := range %d {\n_ = %s", i, n, i)
	case 1:
		j := g.name("i")
		head = fmt.Sprintf("for %s, %s := 0, %d; %s < %s; %s, %s = %s+1, %s-1 {\n_ = %s", i, j, n, i, j, i, j, i, j, j)
	case 2:
		t := g.someInt()
		head = fmt.Sprintf("for %s := %s(0); %s < %d; %s++ {", i, t, i, n, i)
		g.scope(func() {
			g.declare(&variable{name: i, typ: t, readonly: true})
			g.looped(false, head, func() { g.repeat(n, func() { g.block(g.size()) }) })
		})
		return
	case 3:
		g.line("%s := 0", i)
		head = fmt.Sprintf("for %s < %d {\n%s++", i, n, i)
	default:
		head = fmt.Sprintf("for %s := 0; %s < %d; %s++ {", i, i, n, i)
	}
	g.scope(func() {
		g.declare(&variable{name: i, typ: intType, readonly: true})
		g.looped(false, head, func() { g.repeat(n, func() { g.block(g.size()) }) })
	})
}

func (g *generator) rangeLoop() {
	t := g.typeWhere(func(t *typ) bool {
		return t.kind == arrayKind || t.kind == sliceKind || t.kind == stringKind || t.kind == intKind
	})
	g.panics = 0
	i, v := g.name("i"), g.name("v")
	key, elem := intType, t.elem
	over := g.expr(t, 3).s
	switch t.kind {
	case stringKind:
		elem = basic(intKind, "int32", 32)
		over = g.help("cut") + "(" + over + ", 0, 5)"
		if g.chance(30) {
			over, elem = "[]byte("+over+")", byteType
		}
	case intKind:
		key, elem = t, nil
		over = fmt.Sprintf("min(%s, 4)", g.notConst(t, 2).s)
		if t.bits == 8 && t.unsigned {
			over = fmt.Sprintf("%s(%s) & 3", t, g.notConst(t, 2).s)
		}
	case arrayKind:
		if reads := g.reads(t); len(reads) > 0 && g.chance(30) {
			over = "&" + pick(g, reads...)
		}
		over = "(" + over + ")"
	case sliceKind:
		if reads := g.reads(t); len(reads) > 0 {
			r := pick(g, reads...)
			over = fmt.Sprintf("%s[:min(3, len(%s))]", r, r)
		} else {
			over = "(" + g.literal(t, 2).s + ")"
		}
	}
	g.scope(func() {
		g.declare(&variable{name: i, typ: key, readonly: true})
		head := ""
		switch {
		case elem == nil:
			head = fmt.Sprintf("for %s := range (%s) {", i, over)
		case g.chance(15):
			head = fmt.Sprintf("for %s := range (%s) {", i, over)
		default:
			head = fmt.Sprintf("for %s, %s := range (%s) {\n_ = %s", i, v, over, v)
			g.declare(&variable{name: v, typ: elem})
		}
		head += "\n_ = " + i
		g.looped(false, head, func() { g.repeat(3, func() { g.block(g.size()) }) })
	})
}

func (g *generator) rangeFunc() {
	g.panics = 0
	i, v := g.name("i"), g.name("v")
	g.scope(func() {
		head := ""
		switch g.n(4) {
		case 0:
			head = fmt.Sprintf("for %s := range %s(%d) {\n_ = %s", i, g.help("seq"), 1+g.n(4), i)
			g.declare(&variable{name: i, typ: intType})
		case 1:
			t := g.someType()
			head = fmt.Sprintf("for %s, %s := range (%s[%s](%s)) {\n_, _ = %s, %s", i, v, g.help("seq2"), t, g.literal(sliceOf(t), 2).s, i, v)
			g.declare(&variable{name: i, typ: intType})
			g.declare(&variable{name: v, typ: t})
		case 2:
			t := g.someType()
			head = fmt.Sprintf("for %s, %s := range (%s[%s](%s, %s).all()) {\n_, _ = %s, %s", i, v, g.help("cons"), t, g.expr(t, 1).s, g.expr(t, 1).s, i, v)
			g.help("list")
			g.declare(&variable{name: i, typ: intType})
			g.declare(&variable{name: v, typ: t})
		default:
			t := g.someType()
			head = fmt.Sprintf("for %s := range (func(yield func(%s) bool) { _ = yield(%s) && yield(%s) }) {\n_ = %s", v, t, g.expr(t, 1).s, g.expr(t, 1).s, v)
			g.declare(&variable{name: v, typ: t})
		}
		g.looped(false, head, func() { g.repeat(3, func() { g.block(g.size()) }) })
	})
}

func (g *generator) tryStatement() {
	g.line("%s(%q, func() {", g.help("try"), g.name("try "))
	g.buf.WriteString(g.function(nil, func() {
		g.statements(g.size())
		if g.chance(60) {
			g.panicStatement()
		}
	}))
	g.line("})")
}

func (g *generator) panicStatement() {
	if g.literals == 0 || !g.inFunc {
		g.print()
		return
	}
	g.quiet()
	switch g.n(5) {
	case 0:
		g.line("panic(fmt.Sprint(%q, %d))", g.name("boom "), g.n(9))
		return
	case 1:
		g.line("if (%s) {\npanic(%s)\n}", g.expr(boolType, 2).s, g.expr(g.someBasic(), 1).s)
	case 2:
		g.line("if (%s) {\npanic(fmt.Errorf(\"wrapped: %%w\", &%s{%d}))\n}", g.expr(boolType, 2).s, g.help("fail"), g.n(9))
	case 3:
		g.line("if (%s) {\npanic(&%s{%d})\n}", g.expr(boolType, 2).s, g.help("fail"), g.n(9))
	default:
		g.panics = 1
		t := g.typeWhere((*typ).printable)
		g.line("fmt.Println(%s)", g.expr(t, 3).s)
	}
}

func (g *generator) deferStatement() {
	switch g.n(5) {
	case 0:
		t := g.typeWhere((*typ).printable)
		g.line("defer fmt.Println(\"deferred\", %s)", g.expr(t, 2).s)
	case 1:
		g.line("defer func() {\nfmt.Println(\"recovered\", recover() != nil)")
		g.line("}()")
	case 2:
		g.line("defer func() {")
		g.buf.WriteString(g.function(nil, func() { g.statements(1) }))
		g.line("}()")
	case 3:
		t := g.typeWhere((*typ).printable)
		g.panics = 0
		g.line("defer func(v %s) {\nfmt.Println(\"deferred\", v)", t)
		if g.chance(30) {
			g.line("if r := recover(); r != nil {\npanic(fmt.Sprint(\"again: \", r))\n}")
		}
		g.line("}(%s)", g.expr(t, 2).s)
	default:
		g.line("defer func() {\ndefer func() { fmt.Println(\"inner\", recover()) }()")
		g.buf.WriteString(g.function(nil, g.panicStatement))
		g.line("}()")
	}
}

func (g *generator) mapStatement() bool {
	var maps []*variable
	for _, v := range g.visible() {
		if v.typ.kind == mapKind {
			maps = append(maps, v)
		}
	}
	if len(maps) == 0 {
		return false
	}
	m := pick(g, maps...)
	k, e := m.typ.key, m.typ.elem
	g.mode()
	switch g.n(8) {
	case 0:
		g.line("if %s != nil {\n%s[%s] = %s\n}", m.name, m.name, g.expr(k, 2).s, g.expr(e, 2).s)
	case 1:
		g.quiet()
		g.line("%s[%s] = %s", m.name, g.expr(k, 2).s, g.expr(e, 2).s)
	case 2:
		g.line("delete(%s, %s)", m.name, g.expr(k, 2).s)
	case 3:
		v, ok := g.name("v"), g.name("ok")
		g.line("%s, %s := %s[%s]\n_ = %s\nfmt.Println(%s)", v, ok, m.name, g.expr(k, 2).s, v, ok)
		g.declare(&variable{name: v, typ: e})
		g.declare(&variable{name: ok, typ: boolType})
	case 4:
		if e.kind != intKind && e.kind != stringKind {
			return false
		}
		g.panics = 0
		op := "+="
		val := g.literal(e, 0).s
		if e.kind == intKind && g.chance(40) {
			op, val = "++", ""
		}
		g.line("if %s != nil {\n%s[%s] %s %s\n}", m.name, m.name, g.expr(k, 2).s, op, val)
	case 5:
		if k.kind != intKind && k.kind != stringKind {
			return false
		}
		kn := g.name("i")
		g.scope(func() {
			g.declare(&variable{name: kn, typ: k, readonly: true})
			head := fmt.Sprintf("for _, %s := range %s(%s) {\n_ = %s", kn, g.help("keys"), m.name, kn)
			if e.printable() {
				head += fmt.Sprintf("\nfmt.Println(%s, %s[%s])", kn, m.name, kn)
			}
			g.looped(false, head, func() { g.repeat(3, func() { g.block(1) }) })
		})
	case 6:
		n := g.name("v")
		g.line("%s := 0\nfor range %s {\n%s++\n}\nfmt.Println(%s, len(%s))", n, m.name, n, n, m.name)
		if g.chance(30) {
			g.line("clear(%s)", m.name)
		}
	default:
		kn, n := g.name("k"), g.name("v")
		g.line("%s := 0\nfor %s := range %s {\nif len(fmt.Sprint(%s)) > 1 {\ndelete(%s, %s)\ncontinue\n}\n%s++\n}\nfmt.Println(%s)", n, kn, m.name, kn, m.name, kn, n, n)
	}
	return true
}

func (g *generator) sliceStatement() bool {
	var list []*variable
	for _, v := range g.visible() {
		if v.typ.kind == sliceKind {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return false
	}
	s := pick(g, list...)
	e := s.typ.elem
	g.mode()
	g.panics = 0
	switch g.n(8) {
	case 0:
		if s.readonly {
			return false
		}
		g.line("%s = append(%s, %s)", s.name, s.name, g.expr(e, 2).s)
	case 1:
		g.line("if len(%s) > 1 {\n%s[0], %s[1] = %s[1], %s[0]\n}", s.name, s.name, s.name, s.name, s.name)
	case 2:
		g.line("if len(%s) > 2 {\nfmt.Println(copy(%s[1:], %s))\n}", s.name, s.name, s.name)
	case 3:
		v := g.name("v")
		g.quiet()
		g.line("%s := append(%s[:len(%s)/2], %s)\n_ = %s", v, s.name, s.name, g.expr(e, 2).s, v)
		g.declare(&variable{name: v, typ: s.typ})
	case 4:
		g.calls, g.panics = false, 1
		g.line("%s[%s] = %s", s.name, g.notConst(g.someInt(), 2).s, g.leaf(e, 1).s)
	case 5:
		g.line("for i := range %s {\n%s[i] = %s\n}", s.name, s.name, g.leaf(e, 1).s)
	case 6:
		if e.ordered() && e.kind != floatKind {
			g.line("slices.Sort(%s)", s.name)
		} else if e.comparable() {
			g.line("fmt.Println(slices.Index(%s, %s))", s.name, g.typed(e, 1))
		} else {
			g.line("sort.Slice(%s, func(i, j int) bool { return i > j && false })", s.name)
		}
	default:
		g.line("fmt.Println(len(%s), cap(%s) >= len(%s), %s == nil)", s.name, s.name, s.name, s.name)
		if g.chance(30) {
			g.line("clear(%s)", s.name)
		}
	}
	if s.typ.printable() && g.chance(50) {
		g.line("fmt.Println(%s)", s.name)
	}
	return true
}

// closure declares function literals that assign variables, and calls them.
func (g *generator) closure() {
	g.quiet()
	f, n := g.name("f"), g.name("n")
	t := g.typeWhere(func(t *typ) bool { return t.kind == intKind || t.kind == stringKind || t.kind == floatKind })
	switch g.n(5) {
	case 0:
		g.line("%s := %s\n%s := func() %s {\n%s += %s\nreturn %s\n}", n, g.literal(t, 0).s, f, t, n, g.literal(t, 0).s, n)
		g.line("fmt.Println(%s(), %s())\nfmt.Println(%s)", f, f, n)
		g.declare(&variable{name: n, typ: t})
	case 1:
		g.line("var %s []func() int\nfor i := 0; i < 3; i++ {\n%s = append(%s, func() int {\ni += %d\nreturn i\n})\n}", f, f, f, 1+g.n(5))
		g.line("for _, f := range %s {\nfmt.Print(f(), f(), \" \")\n}", f)
	case 2:
		g.line("var %s func(int) int\n%s = func(n int) int {\nif n <= 1 {\nreturn %s\n}\nreturn n*%s(n-1) + %d\n}\nfmt.Println(%s(%d))",
			f, f, g.expr(intType, 1).s, f, g.n(4), f, g.n(9))
	case 3:
		g.line("%s := func(f func(%s) %s) func(%s) %s {\nreturn func(v %s) %s { return f(f(v)) }\n}", f, t, t, t, t, t, t)
		g.line("fmt.Println(%s(%s(func(v %s) %s { return v + %s }))(%s))", f, f, t, t, g.literal(t, 0).s, g.expr(t, 1).s)
	default:
		g.line("%s := map[string]func(*%s){\n\"a\": func(p *%s) { *p = %s },\n\"b\": func(p *%s) { *p += %s },\n}", f, t, t, g.expr(t, 2).s, t, g.expr(t, 1).s)
		g.line("%s := %s\n%s[\"a\"](&%s)\n%s[\"b\"](&%s)\nfmt.Println(%s)", n, g.initial(t, 1), f, n, f, n, n)
		g.declare(&variable{name: n, typ: t})
	}
}

func (g *generator) channel() {
	t := g.typeWhere((*typ).printable)
	c := g.name("c")
	g.panics = 0
	switch g.n(6) {
	case 0:
		g.line("%s := make(chan %s, 2)\n%s <- %s\n%s <- %s\nclose(%s)", c, t, c, g.expr(t, 2).s, c, g.expr(t, 2).s, c)
		g.line("for v := range %s {\nfmt.Println(v, len(%s), cap(%s))\n}\nv%s, ok%s := <-%s\nfmt.Println(v%s, ok%s)", c, c, c, c, c, c, c, c)
	case 1:
		g.line("%s := make(chan %s)\ngo func() {\ndefer close(%s)\nfor i := range %d {\n_ = i\n%s <- %s\n}\n}()", c, t, c, 1+g.n(3), c, g.quietly(t))
		g.line("for v := range %s {\nfmt.Println(v)\n}", c)
	case 2:
		g.line("%s, done%s := make(chan %s, 1), make(chan struct{})\ngo func() {\nfor v := range %s {\nfmt.Println(\"got\", v)\n}\nclose(done%s)\n}()", c, c, t, c, c)
		g.line("%s <- %s\n%s <- %s\nclose(%s)\n<-done%s", c, g.expr(t, 2).s, c, g.quietly(t), c, c)
	case 3:
		g.line("var wg%s sync.WaitGroup\nvar mu%s sync.Mutex\n%s := map[int]%s{}", c, c, c, t)
		g.line("for i := range 3 {\nwg%s.Add(1)\ngo func() {\ndefer wg%s.Done()\nmu%s.Lock()\ndefer mu%s.Unlock()\n%s[i*i] = %s\n}()\n}\nwg%s.Wait()\nfmt.Println(%s)", c, c, c, c, c, g.quietly(t), c, c)
	case 4:
		g.line("%s := make(chan (<-chan %s), 1)\n%s <- %s[%s](%s)\nfmt.Println(<-<-%s)", c, t, c, g.help("ch"), t, g.expr(t, 2).s, c)
	default:
		g.line("%s := make(chan %s, 1)\nclose(%s)\n%s(\"send\", func() { %s <- %s })", c, t, c, g.help("try"), c, g.quietly(t))
		g.line("%s(\"close\", func() { close(%s) })", g.help("try"), c)
	}
}

// quietly returns an expression of type t that prints nothing.
func (g *generator) quietly(t *typ) string {
	var s string
	g.pureExpression(func() { s = g.expr(t, 1).s })
	return s
}

func (g *generator) selectStatement() {
	t := g.typeWhere((*typ).printable)
	c := g.name("c")
	g.panics = 0
	g.line("var nil%s chan %s\n%s := make(chan %s, 1)", c, t, c, t)
	if g.chance(50) {
		g.line("%s <- %s", c, g.expr(t, 2).s)
		g.scope(func() {
			v, ok := g.name("v"), g.name("ok")
			g.looped(true, fmt.Sprintf("select {\ncase nil%s <- %s:\nfmt.Println(\"never\")\ncase %s, %s := <-%s:\n_ = %s", c, g.quietly(t), v, ok, c, v), func() {
				g.declare(&variable{name: v, typ: t})
				g.line("fmt.Println(%s, %s)", v, ok)
				g.block(g.size())
				if g.chance(50) {
					g.line("default:")
					g.block(1)
				}
			})
		})
		return
	}
	g.repeat(3, func() {
		g.looped(false, "for range 3 {", func() {
			g.line("select {\ncase %s <- %s:\nfmt.Println(\"sent\")\ncontinue\ncase v, ok := <-%s:\nfmt.Println(\"received\", v, ok)\nclose(%s)\n%s = nil\ncase <-nil%s:\nfmt.Println(\"never\")\ndefault:", c, g.quietly(t), c, c, c, c)
			g.block(1)
			g.line("}")
		})
	})
}

func (g *generator) gotoStatement() {
	l, n := g.name("again"), g.name("n")
	g.line("%s := 0\n%s:\n%s++", n, l, n)
	g.line("{")
	g.repeat(3, func() { g.block(g.size()) })
	g.line("}")
	g.line("if %s < 3 {\ngoto %s\n}\nfmt.Println(%s)", n, l, n)
}

func (g *generator) methodValue() {
	f := g.name("f")
	if g.chance(40) || len(g.types) == 0 {
		c := g.help("count")
		n := g.name("v")
		switch g.n(4) {
		case 0:
			g.line("%s := %s{%d}\n%s := %s.show\n%s.add(5).add(6)\nfmt.Println(%s(\"a\"), %s.show(\"b\"))", n, c, g.n(9), f, n, n, f, n)
		case 1:
			g.line("%s := %s{%d}\n%s := %s.add\n%s(3)\n%s(4).n *= 2\nfmt.Println(%s)", n, c, g.n(9), f, n, f, f, n)
		case 2:
			g.line("%s := (*%s).add\n%s := &%s{%d}\nfmt.Println(%s(%s, 2).n, (*%s).show(%s, \"x\"))", f, c, n, c, g.n(9), f, n, c, n)
		default:
			g.line("%s := struct {\n*%s\nname string\n}{&%s{1}, \"n\"}\n%s := %s.add\n%s.%s = &%s{7}\n%s(1)\nfmt.Println(%s.n, %s.show(%s.name))", n, c, c, f, n, n, c, c, f, n, n, n)
		}
		return
	}
	t := pick(g, g.types...)
	if len(t.methods) == 0 || t.kind == interfaceKind {
		g.print()
		return
	}
	m := pick(g, t.methods...)
	if m.via {
		g.print()
		return
	}
	g.panics = 0
	v := g.name("v")
	g.line("%s := %s\n%s := %s.%s", v, g.initial(t, 2), f, v, m.name)
	g.mode()
	g.panics = 0
	g.line("%s = %s\nfmt.Println(%s(%s))", v, g.expr(t, 2).s, f, g.methodArg(m, 1))
	g.declare(&variable{name: v, typ: t})
	for _, i := range g.ifaces {
		if _, ok := t.implements(i); ok {
			m := pick(g, i.methods...)
			w := g.name("v")
			g.quiet()
			g.line("%s := %s(&%s)\n%sf := %s.%s\nfmt.Println(%sf(%s))", w, i, v, w, w, m.name, w, g.methodArg(m, 1))
			g.declare(&variable{name: w, typ: i})
		}
	}
}

// copies changes copies of arrays and structs.
func (g *generator) copies() {
	t := g.typeWhere(func(t *typ) bool {
		return (t.kind == arrayKind || t.kind == structKind) && t.printable() || t.kind == intKind
	})
	g.panics = 0
	a, b := g.name("v"), g.name("v")
	g.line("%s := %s\n%s := %s", a, g.initial(t, 2), b, a)
	g.quiet()
	switch t.kind {
	case arrayKind:
		g.line("%s[%d] = %s", b, g.n(t.size), g.expr(t.elem, 2).s)
		if g.chance(50) {
			g.line("for i, v := range %s {\n%s[%d] = v\n_ = i\nif i == 0 {\n%s[len(%s)-1] = %s[0]\n}\n}", b, b, g.n(t.size), b, b, b)
		}
	case structKind:
		f := pick(g, t.fields...)
		g.line("%s.%s = %s", b, f.name, g.expr(f.typ, 2).s)
	default:
		g.line("%s++", b)
	}
	g.line("fmt.Println(%s, %s)", a, b)
	if t.comparable() {
		g.line("fmt.Println(%s == %s)", a, b)
	}
	g.declare(&variable{name: a, typ: t})
	g.declare(&variable{name: b, typ: t})
}

// order writes statements whose operands print when they are evaluated.
func (g *generator) order() {
	g.quiet()
	tr := g.help("tr")
	t := g.someBasic()
	s, m := g.name("v"), g.name("m")
	lit := func() string { return g.literal(t, 0).s }
	switch g.n(6) {
	case 0:
		g.line("%s, %s := make([]%s, 3), map[string]%s{}", s, m, t, t)
		g.line("%s(1, %s)[%s(2, %d)], %s(3, %s)[%s(4, \"k\")] = %s(5, %s), %s(6, %s)", tr, s, tr, g.n(3), tr, m, tr, tr, lit(), tr, lit())
		g.line("fmt.Println(%s, %s)", s, m)
	case 1:
		g.line("%s := []%s{%s, %s}", s, t, lit(), lit())
		g.line("%s(1, %s)[%s(2, 0)], %s(3, %s)[%s(4, 1)] = %s[1], %s[0]", tr, s, tr, tr, s, tr, s, s)
		g.line("fmt.Println(%s)", s)
	case 2:
		g.line("fmt.Println([]%s{1: %s(1, %s), 0: %s(2, %s)}, map[int]%s{%s(3, 1): %s(4, %s), %s(5, 2): %s(6, %s)})", t, tr, lit(), tr, lit(), t, tr, tr, lit(), tr, tr, lit())
	case 3:
		g.line("%s := func(a %s, b ...int) *%s {\nfmt.Print(len(b))\nreturn &%s{len(b)}\n}", s, t, g.help("count"), g.help("count"))
		g.line("fmt.Println(%s(%s(1, %s), %s(2, 5)).add(%s(3, 4)).show(%s(4, \"z\")))", s, tr, lit(), tr, tr, tr)
	case 4:
		g.line("%s := [3]%s{%s, %s}\n%s := 0", s, t, lit(), lit(), m)
		g.line("%s, %s[%s] = 2, %s\nfmt.Println(%s, %s)", m, s, m, lit(), m, s)
	default:
		g.line("%s := make(chan %s, 1)\n%s(1, %s) <- %s(2, %s)", s, t, tr, s, tr, lit())
		g.line("if %s(3, false) && %s(4, true) || %s(5, true) && !%s(6, false) {\nfmt.Println(<-%s(7, %s))\n}", tr, tr, tr, tr, tr, s)
	}
}

// constants declares constants, untyped and with iota.
func (g *generator) constants() {
	a, b, c := g.name("c"), g.name("c"), g.name("c")
	t := g.someInt()
	switch g.n(5) {
	case 0:
		g.line("const (\n%s = iota + %d\n%s\n_\n%s\n)\nfmt.Println(%s, %s, %s)", a, g.n(5), b, c, a, b, c)
	case 1:
		g.line("const (\n%s %s = 1 << iota\n%s\n%s\n)\nfmt.Printf(\"%%T %%v %%v\\n\", %s, %s|%s, %s)", a, t, b, c, a, b, c, c)
		g.declare(&variable{name: a, typ: t, readonly: true})
	case 2:
		g.line("const %s = 1 << 100\nconst %s = %s >> %d\nfmt.Println(%s, float64(%s), %s%%1000003 == %d)", a, b, a, 38+g.n(50), b, a, a, g.n(100))
	case 3:
		g.line("const %s = %d.5 / %d\nfmt.Println(%s, float32(%s), int(%s*%d*2), complex(%s, 1))", a, g.n(50), 1+g.n(9), a, a, a, 0, a)
	default:
		g.line("const %s, %s = %q + %s, len(%q)\nvar %s [%s + 1]int\nfmt.Println(%s, %s, len(%s), 'a'+%s)", a, b, "k", pick(g, strs...), "héllo", c, b, a, b, c, b)
	}
}

// pointers changes variables through pointers.
func (g *generator) pointers() {
	v, ok := g.target()
	if !ok || !v.typ.printable() {
		g.print()
		return
	}
	p := g.name("p")
	g.quiet()
	g.line("%s := &%s\n*%s = %s\nfmt.Println(%s, *%s)", p, v.name, p, g.expr(v.typ, 2).s, v.name, p)
	if g.chance(40) {
		g.line("%sp := &%s\n**%sp = %s\nfmt.Println(%s, *%sp == %s)", p, p, p, g.expr(v.typ, 2).s, v.name, p, p)
	}
	g.declare(&variable{name: p, typ: pointerTo(v.typ), readonly: true})
}

// generic calls generic functions with function values.
func (g *generator) generic() {
	t, u := g.someType(), g.typeWhere((*typ).printable)
	g.panics = 0
	switch g.n(5) {
	case 0:
		g.line("fmt.Println(%s(%s, %s))", g.help("mapf"), g.expr(sliceOf(t), 1).s, g.funcLiteral(funcOf(u, t), 2).s)
	case 1:
		o := g.typeWhere(func(t *typ) bool { return t.ordered() })
		g.line("fmt.Println(%s(%s, %s, %s))", g.help("fold"), g.expr(sliceOf(t), 1).s, g.initial(o, 1), g.funcLiteral(funcOf(o, o, t), 2).s)
	case 2:
		f := g.name("f")
		o := g.typeWhere(func(t *typ) bool { return t.ordered() })
		g.line("%s := %s[%s]\nfmt.Println(%s(%s, %s))", f, g.help("max"), o, f, g.expr(o, 2).s, g.expr(o, 2).s)
	case 3:
		k := g.typeWhere((*typ).keyable)
		v := g.name("v")
		g.line("%s := %s[%s, %s]{%s, %s}\nfmt.Println(%s.is(%s))\nfmt.Println(%s.swap(%s))", v, g.help("pair"), k, u, g.expr(k, 2).s, g.expr(u, 2).s, v, g.expr(k, 1).s, v, g.expr(k, 1).s)
		g.line("fmt.Printf(\"%%v %%T\\n\", %s, %s.key)", v, v)
	default:
		v := g.name("v")
		g.line("%s := %s[%s]{%s}\n%s := %s.get\n%s.set(%s)\nfmt.Println(%s, %s())", v, g.help("box"), u, g.expr(u, 2).s, v+"f", v, v, g.expr(u, 2).s, v, v+"f")
	}
}

// idiom writes uses of the standard library.
func (g *generator) idiom() {
	v := g.name("v")
	g.quiet()
	fail := g.help("fail")
	switch g.n(9) {
	case 0:
		g.line("%s := fmt.Errorf(\"a: %%w\", fmt.Errorf(\"b: %%w\", &%s{%d}))\nvar as%s *%s\nfmt.Println(%s, errors.Is(%s, &%s{3}), errors.As(%s, &as%s), as%s.code)", v, fail, g.n(5), v, fail, v, v, fail, v, v, v)
	case 1:
		g.line("var %s strings.Builder\nfor i := range 3 {\nfmt.Fprintf(&%s, \"%%d-%%v,\", i, %s)\n}\nfmt.Println(%s.String(), %s.Len())", v, v, g.expr(g.someBasic(), 1).s, v, v)
	case 2:
		g.line("%s, err%s := strconv.Atoi(%s)\nfmt.Println(%s, err%s)", v, v, g.expr(stringType, 2).s, v, v)
	case 3:
		g.line("%s := []int{5, %s, 1, %d}\nsort.Slice(%s, func(i, j int) bool { return %s[i] > %s[j] })\nfmt.Println(%s, slices.Max(%s), slices.Contains(%s, 5))", v, g.expr(intType, 1).s, g.n(9), v, v, v, v, v, v)
	case 4:
		g.line("%s := strings.FieldsFunc(%s+\" b c\", func(r rune) bool { return unicode.IsSpace(r) || r == 'é' })\nfmt.Printf(\"%%q\\n\", %s)", v, g.expr(stringType, 2).s, v)
	case 5:
		g.line("var %s error\nvar p%s *%s\nfmt.Println(%s == nil)\n%s = p%s\nfmt.Println(%s == nil, p%s == nil)", v, v, fail, v, v, v, v, v)
	case 6:
		g.line("%s := slices.Collect(maps.Values(map[int]int{1: %s}))\nfmt.Println(%s, slices.Equal(%s, []int{1}))", v, g.expr(intType, 1).s, v, v)
	case 7:
		g.line("var %s atomic.Int64\nfmt.Println(%s.Add(int64(%s)), %s.Load())", v, v, g.notConst(intType, 1).s, v)
	default:
		g.line("next%s, stop%s := iter.Pull(%s(3))\nfmt.Println(next%s())\nfmt.Println(next%s())\nstop%s()\nfmt.Println(next%s())", v, v, g.help("seq"), v, v, v, v)
	}
}
