package compile_test

import (
	"fmt"
	"strings"
)

// deepAssign assigns to an operand that is reached through fields, elements, pointers and maps.
func (g *generator) deepAssign() bool {
	v, ok := g.target()
	if !ok {
		return false
	}
	g.quiet()
	t := v.typ
	n := g.name("v")
	e := func() string { return g.expr(t, 1).s }
	i := g.n(2)
	switch g.n(6) {
	case 0:
		g.line("var %s [2][2]%s\n%s[%d][1] = %s\n%sc := %s\n%sc[%d][1] = %s", n, t, n, i, e(), n, n, n, i, e())
		n += "[" + fmt.Sprint(i) + "][1]"
	case 1:
		g.line("%s := struct {\na struct{ b [2]%s }\np *%s\n}{p: &%s}\n%s.a.b[%d] = %s\n*%s.p = %s", n, t, t, v.name, n, i, e(), n, e())
		n += ".a.b[" + fmt.Sprint(i) + "]"
	case 2:
		g.line("%s := map[string]*struct{ s []%s }{\"k\": {s: make([]%s, 2)}}\n%s[\"k\"].s[%d] = %s\n%s[\"k\"].s = append(%s[\"k\"].s[:1], %s)", n, t, t, n, i, e(), n, n, e())
		n += "[\"k\"].s[1]"
	case 3:
		g.line("%s := [][]%s{{%s}, {%s, %s}}\n%sr := %s[1]\n%sr[0], %s[0] = %s[0][0], %sr", n, t, e(), e(), e(), n, n, n, n, n, n)
		n += "[0][1]"
	case 4:
		g.line("%s := &[2]struct{ x, y %s }{}\nfor i := range %s {\n%s[i].x = %s\n%sp := &%s[i].y\n*%sp = %s\n}\n%sc := *%s\n%s[0].x = %sc[1].y", n, t, n, n, e(), n, n, n, e(), n, n, n, n)
		n += "[0].x"
	default:
		g.line("%s := map[[2]int]struct{ m map[bool]%s }{{1, %d}: {map[bool]%s{true: %s}}}\n%s[[2]int{1, %d}].m[false] = %s", n, t, i, t, e(), n, i, e())
		n += "[[2]int{1, " + fmt.Sprint(i) + "}].m[true]"
	}
	if t.printable() {
		g.line("fmt.Println(%s)", n)
	} else {
		g.line("_ = %s", n)
	}
	return true
}

// sideEffects writes statements whose operands change what other operands read, where the
// specification orders them.
func (g *generator) sideEffects() {
	g.quiet()
	tr, n := g.help("tr"), g.name("v")
	a, b := g.n(3), g.n(3)
	switch g.n(10) {
	case 0:
		g.line("%s := []int{1, 2, 3}\n%s[%s(1, %d)] += %s(2, %d)\n%s[%s(3, %d)]++\nfmt.Println(%s)", n, n, tr, a, tr, b, n, tr, b, n)
	case 1:
		g.line("%s := map[string][]int{}\n%sf := func(k string) string {\nfmt.Print(k)\nreturn k\n}\n%s[%sf(\"a\")] = append(%s[%sf(\"b\")], %s(1, %d))\nfmt.Println(%s)", n, n, n, n, n, n, tr, a, n)
	case 2:
		g.line("%s := 0\n%sf := func() *int {\nfmt.Print(\"p\")\n%s++\nreturn &%s\n}\n*%sf() = %s(1, %d)\n*%sf() *= %s(2, 3)\nfmt.Println(%s)", n, n, n, n, n, tr, a, n, tr, n)
	case 3:
		g.line("%s := func() (int, string, error) { return %s(1, %d), %s(2, \"s\"), nil }\nvar %sa [3]int\nvar %sm = map[string]string{}\nvar %se error\n%sa[%s(3, %d)], %sm[%s(4, \"k\")], %se = %s()\nfmt.Println(%sa, %sm, %se)", n, tr, a, tr, n, n, n, n, tr, b, n, tr, n, n, n, n, n)
	case 4:
		g.line("%s := make(chan int, 3)\n%s <- %d\n%s <- %d\nvar %sv [3]int\nvar %sok bool\n%sv[%s(1, %d)], %sok = <-%s\nfmt.Println(%sv, %sok, <-%s, len(%s))", n, n, a, n, b, n, n, n, tr, a, n, n, n, n, n, n)
	case 5:
		g.line("%s := func(vs ...int) []int {\nfmt.Print(len(vs))\nreturn vs\n}\nfmt.Println(append(%s(%s(1, 1), %s(2, 2)), append(%s(%s(3, 3)), %s()...)...))", n, n, tr, tr, n, tr, n)
	case 6:
		g.line("%s := []func() int{func() int { return %s(1, 10) }, func() int { return %s(2, 20) }}\nfmt.Println(%s[%s(3, 1)]()-%s[%s(4, 0)]()*%s(5, 2))", n, tr, tr, n, tr, n, tr, tr)
	case 7:
		g.line("%s := %s(1, []int{5, 6, 7})[%s(2, %d):%s(3, 3)]\ncopy(%s(4, %s), %s(5, []int{8}))\nfmt.Println(%s)", n, tr, tr, a, tr, tr, n, tr, n)
	case 8:
		g.line("%s := struct{ a, b, c int }{c: %s(1, %d), a: %s(2, %d)}\nfmt.Println(%s, [...]int{2: %s(3, 1), %s(4, 2), 0: %s(5, 3)})", n, tr, a, tr, b, n, tr, tr, tr)
	default:
		g.line("switch %s := %s(1, %d); %s(2, %s) {\ncase %s(3, 5), %s(4, %d):\nfmt.Println(\"first\")\nfallthrough\ncase %s(5, 1):\nfmt.Println(\"second\")\ncase %s(6, 2):\nfmt.Println(\"third\")\ndefault:\nfmt.Println(\"default\", %s)\n}", n, tr, a, tr, n, tr, tr, b, tr, tr, n)
	}
}

// reflection examines values with packages reflect, encoding/json and unsafe.
func (g *generator) reflection() {
	g.quiet()
	t := g.typeWhere((*typ).printable)
	n := g.name("v")
	g.line("var %s %s = %s\n_ = %s", n, t, g.expr(t, 2).s, n)
	switch g.n(6) {
	case 0:
		g.line("if t := reflect.TypeOf(%s); t != nil {\nfmt.Println(t, t.Kind(), t.Name(), t.NumMethod(), t.Comparable(), t.Size())\n}", n)
	case 1:
		g.line("%sj, %se := json.Marshal(%s)\nfmt.Println(string(%sj), %se == nil)", n, n, n, n, n)
	case 2:
		g.line("%sc := %s\nfmt.Println(reflect.DeepEqual(%s, %sc), reflect.DeepEqual(any(%s), any(%s)))", n, n, n, n, n, g.expr(t, 1).s)
	case 3:
		g.line("fmt.Println(unsafe.Sizeof(%s), unsafe.Alignof(%s))", n, n)
	case 4:
		g.line("if r := reflect.ValueOf(%s); r.IsValid() && r.Kind() == reflect.Struct {\nfor i := range r.NumField() {\nf := r.Type().Field(i)\nfmt.Println(f.Name, f.Type, f.Anonymous, f.Index, f.IsExported())\n}\n}", n)
	default:
		g.line("fmt.Println(reflect.TypeFor[map[string]%s](), reflect.TypeFor[func(...%s) *%s](), reflect.TypeFor[chan<- [2]%s]())", t, t, t, t)
	}
	g.declare(&variable{name: n, typ: t})
}

// workers starts goroutines that share work in a fixed order.
func (g *generator) workers() {
	t := g.typeWhere((*typ).printable)
	n := g.name("v")
	g.quiet()
	e := func() string { return g.expr(t, 1).s }
	switch g.n(6) {
	case 0:
		g.line("%s := make([]%s, 4)\nvar %sw sync.WaitGroup\nfor i := range %s {\n%sw.Go(func() { %s[i] = %s })\n}\n%sw.Wait()\nfmt.Println(%s)", n, t, n, n, n, n, e(), n, n)
	case 1:
		g.line("%s, %so := make(chan int), make(chan [2]int, 9)\nvar %sw sync.WaitGroup\nfor id := range 2 {\n%sw.Add(1)\ngo func() {\ndefer %sw.Done()\nfor v := range %s {\n%so <- [2]int{v * v, id - id}\n}\n}()\n}\nfor i := range 5 {\n%s <- i\n}\nclose(%s)\n%sw.Wait()\nclose(%so)\n%ss := 0\nfor v := range %so {\n%ss += v[0]\n}\nfmt.Println(%ss)", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n)
	case 2:
		g.line("var %s sync.Once\nfor i := range 3 {\n%s.Do(func() { fmt.Println(\"once\", i, %s) })\n}", n, n, e())
	case 3:
		g.line("%s, %sc := context.WithCancel(context.WithValue(context.Background(), \"k\", %s))\ngo %sc()\n<-%s.Done()\nfmt.Println(%s.Err(), %s.Value(\"k\"), context.Cause(%s))", n, n, e(), n, n, n, n, n)
	case 4:
		g.line("%s, %sq := make(chan %s), make(chan struct{})\ngo func() {\ndefer close(%sq)\nfor {\nselect {\ncase v, ok := <-%s:\nif !ok {\nreturn\n}\nfmt.Println(v)\n}\n}\n}()\n%s <- %s\n%s <- %s\nclose(%s)\n<-%sq", n, n, t, n, n, n, e(), n, e(), n, n)
	default:
		g.line("var %sm sync.RWMutex\n%s := 0\nvar %sw sync.WaitGroup\nfor i := range 4 {\n%sw.Go(func() {\n%sm.Lock()\ndefer %sm.Unlock()\n%s += i\n})\n}\n%sw.Wait()\n%sm.RLock()\nfmt.Println(%s)\n%sm.RUnlock()", n, n, n, n, n, n, n, n, n, n, n)
	}
}

// deferredOrder defers calls in loops, with methods, and with panics.
func (g *generator) deferredOrder() {
	g.quiet()
	n, try := g.name("f"), g.help("try")
	k := 1 + g.n(3)
	switch g.n(8) {
	case 0:
		g.line("func() {\nfor i := range %d {\ndefer fmt.Print(i, \" \")\ndefer func() { fmt.Print(\"c\", i, \" \") }()\n}\n}()\nfmt.Println()", k)
	case 1:
		g.line("func() {\n%s := %s{%d}\ndefer fmt.Println(%s.show(\"shown \"))\ndefer %s.add(1).add(2)\ndefer %s.show(\"x\")\n%s.n *= 10\n}()", n, g.help("count"), k, n, n, n, n)
	case 2:
		g.line("%s := func() (n int, err error) {\ndefer func() {\nif r := recover(); r != nil {\nerr = fmt.Errorf(\"caught %%v\", r)\n}\nn++\n}()\nif n = %d; n > 1 {\npanic(n)\n}\nreturn n * 10, nil\n}\nfmt.Println(%s())", n, k, n)
	case 3:
		g.line("%s(%q, func() {\ndefer func() { panic(\"third\") }()\ndefer func() {\ndefer func() { fmt.Println(recover()) }()\npanic(\"second\")\n}()\npanic(\"first\")\n})", try, n)
	case 4:
		g.line("var %s func()\n%s(%q, func() {\ndefer func() { fmt.Println(\"ran\") }()\ndefer %s()\nfmt.Println(\"before\")\n})", n, try, n, n)
	case 5:
		g.line("%s := func() (s string) {\nfor v := range %s(3) {\ndefer func() { s += fmt.Sprint(v) }()\nif v == %d {\nreturn \"early\"\n}\n}\nreturn \"late\"\n}\nfmt.Println(%s())", n, g.help("seq"), k, n)
	case 6:
		g.line("%s := make(chan string)\ngo func() {\ndefer func() { %s <- fmt.Sprint(recover()) }()\nvar m map[string]int\nm[\"a\"] = %d\n}()\nfmt.Println(<-%s)", n, n, k, n)
	default:
		g.line("func() {\ndefer func() {\nfmt.Println(recover(), recover())\n}()\ndefer func() {\nfunc() { fmt.Println(recover()) }()\n}()\nvar p *%s\np.n = %d\n}()", g.help("count"), k)
	}
}

// unnamedStructs converts and compares structs of local and unnamed types.
func (g *generator) unnamedStructs() {
	g.quiet()
	t := g.typeWhere(func(t *typ) bool { return t.comparable() && t.printable() })
	n := g.name("v")
	e := func() string { return g.expr(t, 1).s }
	l := strings.ToUpper(n)
	switch g.n(6) {
	case 0:
		g.line("type %s struct{ A, b %s }\n%s := %s{%s, %s}\n%su := struct{ A, b %s }(%s)\n%su.A = %s\nvar %sw %s = %su\nfmt.Printf(\"%%v %%+v %%T\\n\", %s == %sw, %su, %sw)", l, t, n, l, e(), e(), n, t, n, n, e(), n, l, n, n, n, n, n)
	case 1:
		g.line("%s := []struct {\nname string\nval %s\n}{{\"a\", %s}, {val: %s}}\nfor _, c := range %s {\nc.name += \"!\"\nfmt.Printf(\"%%+v %%q\\n\", c.val, c.name)\n}\nfmt.Println(%s[0].name, %s[0] == %s[1])", n, t, e(), e(), n, n, n, n)
	case 2:
		g.line("type %s []%s\ntype %sm map[string]%s\n%s := %sm{\"x\": {%s}, \"y\": nil}\n%s[\"y\"] = append(%s[\"x\"], %s)\nfmt.Printf(\"%%v %%T %%T\\n\", %s, %s, %s[\"x\"])", l, t, l, l, n, l, e(), n, n, e(), n, n, n)
	case 3:
		g.line("type %s int\nconst (\n%sA %s = iota*2 + 1\n%sB\n)\n%s := map[%s]%s{%sA: %s}\n_, %sok := %s[%sB]\nfmt.Println(len(%s), %sok, any(%sA) == any(1), any(%sA) == any(%s(1)))", l, l, l, l, n, l, t, l, e(), n, n, l, n, n, l, l, l)
	case 4:
		c, f := g.help("count"), g.help("fail")
		g.line("%s := struct {\n%s\n*%s\nv %s\n}{%s{%d}, &%s{2}, %s}\n%s.n++\n%s.add(2)\nfmt.Println(%s.%s.n, %s.v, %s.%s.Error(), %s.show(\"s\"))", n, c, f, t, c, g.n(9), f, e(), n, n, n, c, n, n, f, n)
	default:
		g.line("{\ntype %s struct{ v %s }\n%s := any(%s{%s})\n{\ntype %s struct{ v %s }\n_, ok := %s.(%s)\nfmt.Printf(\"%%v %%T\\n\", ok, %s)\n}\n}", l, t, n, l, e(), l, t, n, l, n)
	}
}

// interfaces compares values of interfaces and asks for their types.
func (g *generator) interfaces() {
	g.quiet()
	n, try := g.name("v"), g.help("try")
	t, u := g.typeWhere((*typ).printable), g.typeWhere((*typ).printable)
	e := func(t *typ) string { return g.typed(t, 1) }
	switch g.n(7) {
	case 0:
		g.line("%s(%q, func() {\nvar a, b any = %s, %s\nfmt.Println(a == b, a == a)\n})", try, n, e(t), e(u))
	case 1:
		g.line("%s(%q, func() {\nm := map[any]int{1: 1, \"a\": 2, 2.5: 3, int8(1): 4, [2]int{}: 5}\nm[any(%s)]++\nfmt.Println(len(m), m[1], m[int8(1)], m[[2]int{}])\n})", try, n, e(t))
	case 2:
		g.line("%s(%q, func() {\nvar v any = %s\nfmt.Println(v.(fmt.Stringer).String() != \"\")\n})", try, n, e(t))
	case 3:
		g.line("var %s any = %s\nswitch v := %s.(type) {\ncase interface{ M3() int }:\nfmt.Println(\"M3\", v != nil)\ncase error:\nfmt.Println(\"error\")\ncase fmt.Stringer, interface{ M1(int) int }:\nfmt.Printf(\"%%T\\n\", v)\ncase %s:\nfmt.Println(\"itself\")\ncase nil:\nfmt.Println(\"nil\")\n}", n, e(t), n, pick(g, "func()", "chan int", "[]any", "struct{}", "map[int]int"))
	case 4:
		g.line("var %sp *%s\nvar %s error = %sp\nfmt.Println(%s == nil, %s == (*%s)(nil), %sp == nil)\n_, %sok := %s.(*%s)\nfmt.Println(%sok)", n, g.help("fail"), n, n, n, n, g.help("fail"), n, n, n, g.help("fail"), n)
	case 5:
		g.line("%s := []any{%s, nil, %s, %s}\nfor _, v := range %s {\nfmt.Printf(\"%%T,\", v)\n}\nfmt.Println(len(%s))", n, e(t), e(u), e(t), n, n)
	default:
		i := pick(g, g.ifaces...)
		g.line("%s(%q, func() {\nvar v any = %s\n_, ok := v.(%s)\nfmt.Println(ok)\nfmt.Println(v.(%s) == nil)\n})", try, n, e(t), i, i)
	}
}

// conversions converts a number through a chain of types.
func (g *generator) conversions() {
	g.quiet()
	n := g.name("v")
	from := g.someInt()
	if g.chance(30) {
		from = g.typeWhere(func(t *typ) bool { return t.kind == floatKind })
	}
	g.line("%s := %s", n, g.notConst(from, 2).s)
	s := n
	if from.kind == floatKind {
		s = fmt.Sprintf("int64(%s(float64(%s)))", g.help("fl"), n)
	}
	for range 2 + g.n(4) {
		s = fmt.Sprintf("%s(%s)", pick(g, "int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "uintptr", g.someInt().text), s)
	}
	f := pick(g, "float32", "float64")
	g.line("fmt.Println(%s, %s(%s), float32(float64(%s)), string(rune(%s)), complex(%s(%s), 1))", s, f, s, s, s, f, s)
	if g.chance(50) {
		g.line("fmt.Println(math.Float64bits(float64(%s)), math.Float32bits(float32(%s)), uint8(%s)<<3>>1, int8(%s)>>2, ^uint16(%s), -int32(%s))", n, n, s, s, s, s)
	}
}

// moreConstants declares constants of large values, shifts and conversions.
func (g *generator) moreConstants() {
	a, b := g.name("c"), g.name("c")
	k := g.n(60)
	switch g.n(8) {
	case 0:
		g.line("const %s = (1<<%d - 1) / %d\nconst %s = %s %% 1000\nfmt.Println(%s, uint64(%s>>%d), float32(%s))", a, 64+k, 3+k, b, a, b, a, 64, b)
	case 1:
		g.line("const %s = 'a' + %d.0\nfmt.Printf(\"%%T %%v %%q\\n\", %s, %s, rune(%s))", a, k, a, a, a)
	case 2:
		g.line("type %sT uint8\nconst (\n%s %sT = iota + %d\n%s\n)\nfmt.Printf(\"%%T %%v %%v\\n\", %s, %s-%s, %s^%s)", a, a, a, k, b, b, b, a, a, b)
	case 3:
		g.line("const %s, %s = len(\"%s\"), len([...]int{%d: 1})\nvar %sv [%s * 2]string\nfmt.Println(len(%sv), %s, cap(%sv[%s:]))", a, b, strings.Repeat("é", k%5), k%7, a, b, a, a, a, b)
	case 4:
		g.line("const %s = %d + 2i\nfmt.Println(%s*%s, real(%s), imag(%s*%s), complex64(%s))", a, k, a, a, a, a, a, a)
	case 5:
		g.line("const %s = 1.0 / %d\nvar %s float32 = %s\nfmt.Println(%s, %s*3 == 1, float64(%s) == %s, 7/%d, 7/%d.0, -7%%%d)", a, 3+k, b, a, a, a, b, a, 3+k%3, 3+k%3, 3+k%3)
	case 6:
		g.line("var %s uint = %d\nvar %s = 1<<%s == 2<<31\nfmt.Println(%s, 1<<%s, int8(1)<<%s, uint32(1)<<%s>>1, 1.0<<3)", a, k%40, b, a, b, a, a, a)
		g.line("_ = %s", b)
	default:
		g.line("const (\n%s = iota << %d\n%s = \"s\" + \"t\"\n%sx\n%sy = len(%s) + iota\n)\nfmt.Println(%s, %s, %sx, %sy, %s[0] == 's', %s[%d:])", a, k%8, b, a, a, b, a, b, a, a, b, b, k%3)
	}
}

// methodExpressions calls methods of interfaces, embedded types and pointers as functions.
func (g *generator) methodExpressions() {
	g.quiet()
	n, c, f := g.name("v"), g.help("count"), g.help("fail")
	switch g.n(6) {
	case 0:
		g.line("%s := error.Error\nfmt.Println(%s(&%s{%d}))", n, n, f, g.n(9))
	case 1:
		g.line("type %sT struct{ *%s }\n%s := %sT{&%s{%d}}\n%sf, %sg := %sT.add, (*%sT).show\n%sf(%s, 2).add(1)\nfmt.Println(%sg(&%s, \"n\"))", n, c, n, n, c, g.n(9), n, n, n, n, n, n, n, n)
	case 2:
		g.line("%s := []%s{{1}, {2}, {3}}\nvar %sf []func(int) *%s\nfor i := range %s {\n%sf = append(%sf, %s[i].add)\n}\nfor i, f := range %sf {\nf(i * 10)\n}\nfmt.Println(%s)", n, c, n, c, n, n, n, n, n, n)
	case 3:
		g.line("%s := map[string]func(string) string{\"a\": %s{%d}.show, \"b\": strings.ToUpper}\nfmt.Println(%s[\"a\"](\"x\"), %s[\"b\"](\"y\"), %s[\"c\"] == nil)", n, c, g.n(9), n, n, n)
	case 4:
		g.line("type %sI interface{ show(string) string }\ntype %sT struct{ %sI }\n%s := %sT{%s{%d}}\n%sf := %s.show\n%s.%sI = &%s{9}\nfmt.Println(%sf(\"a\"), %s.show(\"b\"), %sI.show(%s, \"c\"))", n, n, n, n, n, c, g.n(9), n, n, n, n, c, n, n, n, n)
	default:
		g.line("%s(%q, func() {\nvar p *%s\nf := p.add\nfmt.Println(f != nil)\nvar e error\ng := e.Error\nfmt.Println(g())\n})", g.help("try"), n, c)
	}
}

// nestedFuncs writes nested loops that range over functions, with jumps out of them.
func (g *generator) nestedFuncs() {
	g.quiet()
	n, seq := g.name("v"), g.help("seq")
	a, b := 1+g.n(3), g.n(3)
	jump := strings.ReplaceAll(pick(g, "break", "continue", "break @L", "continue @L", "return @n", "goto @E"), "@", n)
	g.line("%s := func() (%sn int) {\n%sL:\nfor i := range %s(%d) {\nfor j, v := range %s([]int{4, 5, 6}) {\nif j == %d {\n%s\n}\n%sn += i*10 + v\nfor k := range 2 {\nif k == i {\ncontinue %sL\n}\n}\n}\n}\ngoto %sE\n%sE:\nfmt.Print(\"end \")\nreturn %sn\n}", n, n, n, seq, a+1, g.help("seq2"), b, jump, n, n, n, n, n)
	g.line("fmt.Println(%s())", n)
}
