package compile_test

import (
	"fmt"
	"regexp"
)

// A generic is a generic function or type that a program declares. Its use is a format string of statements for a
// type argument, two values of that type, and a name.
type generic struct {
	use      string
	argument func(*typ) bool
}

const numbers = "~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64"

func isNumber(t *typ) bool {
	return (t.kind == intKind || t.kind == floatKind) && t.text != "uintptr" && (t.under == nil || t.under.text != "uintptr")
}

func isAny(*typ) bool { return true }

// declareGeneric declares a generic function or type.
func (g *generator) declareGeneric() {
	name := g.name("@G")
	k := 1 + g.n(5)
	var decl, use string
	argument := isAny
	switch g.n(12) {
	case 0:
		decl = fmt.Sprintf("func N[T %s](a, b T) (T, bool) {\nvar zero T\nfor i := range %d {\nif i %% 2 == 0 {\na += b\n} else {\na -= T(i)\n}\n}\nreturn a*b, a == zero\n}", numbers, k)
		use, argument = "fmt.Println(N[%[1]s](%[2]s, %[3]s))", isNumber
	case 1:
		decl = "type N[T any] struct {\nitems []T\nlast *T\n}\n\nfunc (s *N[T]) push(v T) *N[T] {\ns.items = append(s.items, v)\ns.last = &s.items[len(s.items)-1]\nreturn s\n}\n\nfunc (s N[T]) each(yield func(int, T) bool) {\nfor i, v := range s.items {\nif !yield(i, v) {\nreturn\n}\n}\n}"
		use = "%[4]s := N[%[1]s]{}\n%[4]s.push(%[2]s).push(%[3]s)\nfor i := range %[4]s.each {\nfmt.Print(i, len(%[4]s.items), \" \")\n}\nfmt.Printf(\"%%T %%v\\n\", %[4]s, %[4]s.last == &%[4]s.items[1])"
	case 2:
		decl = "func N[M ~map[K]V, K comparable, V any](m M, k K, f func(V, bool) V) M {\nif m == nil {\nm = make(M)\n}\nv, ok := m[k]\nm[k] = f(v, ok)\nreturn m\n}"
		use = "%[4]s := N(map[string]%[1]s(nil), \"k\", func(v %[1]s, ok bool) %[1]s {\nfmt.Println(ok)\nreturn %[2]s\n})\nN(%[4]s, \"k\", func(v %[1]s, ok bool) %[1]s {\nfmt.Println(ok)\nreturn v\n})\nfmt.Println(len(%[4]s))"
	case 3:
		decl = fmt.Sprintf("func N[T any](a T, n int) (out []T) {\nif n == 0 {\nreturn []T{a}\n}\ndefer func() { out = append(out, a) }()\nreturn N(a, n-%d/%d)\n}", k, k)
		use = "fmt.Println(len(N(%[1]s(%[2]s), 3)), cap(N[%[1]s](%[3]s, 0)) > 0)"
	case 4:
		decl = "type N[K comparable, V any] struct {\nleft, right *N[K, V]\nkey K\nval V\n}\n\nfunc (n *N[K, V]) insert(k K, v V, less func(a, b K) bool) *N[K, V] {\nswitch {\ncase n == nil:\nreturn &N[K, V]{key: k, val: v}\ncase less(k, n.key):\nn.left = n.left.insert(k, v, less)\ncase less(n.key, k):\nn.right = n.right.insert(k, v, less)\ndefault:\nn.val = v\n}\nreturn n\n}\n\nfunc (n *N[K, V]) walk(f func(K, V)) {\nif n != nil {\nn.left.walk(f)\nf(n.key, n.val)\nn.right.walk(f)\n}\n}"
		use = "var %[4]s *N[int, %[1]s]\nfor i, v := range []%[1]s{%[2]s, %[3]s, %[2]s} {\n%[4]s = %[4]s.insert(i*7%%3, v, func(a, b int) bool { return a < b })\n}\n%[4]s.walk(func(k int, v %[1]s) { fmt.Print(k, \" \") })\nfmt.Println()"
	case 5:
		decl = "func N[T any](v any, def T) (r T, s string) {\nswitch x := v.(type) {\ncase T:\nreturn x, \"T\"\ncase []T:\nif len(x) > 0 {\nreturn x[0], \"[]T\"\n}\ncase func() T:\nreturn x(), \"func\"\ncase *T:\nreturn *x, \"*T\"\n}\nreturn def, fmt.Sprintf(\"%T\", v)\n}"
		use = "for _, v := range []any{%[2]s, []%[1]s{%[3]s}, func() %[1]s { return %[2]s }, \"s\", 2.5, []%[1]s{}} {\n_, s := N[%[1]s](v, %[3]s)\nfmt.Print(s, \";\")\n}\nfmt.Println()"
		argument = func(t *typ) bool { return t.kind != interfaceKind && t.text != "float64" && t.text != "string" }
	case 6:
		decl = "type N[T cmp.Ordered] []T\n\nfunc (l N[T]) Len() int { return len(l) }\nfunc (l N[T]) Less(i, j int) bool { return l[i] > l[j] }\nfunc (l N[T]) Swap(i, j int) { l[i], l[j] = l[j], l[i] }\nfunc (l N[T]) String() string { return fmt.Sprint(\"L\", []T(l)) }"
		use = "%[4]s := N[%[1]s]{%[2]s, %[3]s, %[2]s}\nsort.Sort(%[4]s)\nfmt.Println(%[4]s, sort.IsSorted(%[4]s))\nfmt.Printf(\"%%T\\n\", %[4]s)"
		argument = func(t *typ) bool { return t.ordered() && t.kind != floatKind && t.text != "uintptr" }
	case 7:
		decl = "func N[A, B, C any](f func(A) B, g func(B) C) func(A) C {\nreturn func(a A) C { return g(f(a)) }\n}"
		use = "fmt.Println(N(func(v %[1]s) int { fmt.Print(\"f\"); return 3 }, func(i int) string { fmt.Print(\"g\"); return fmt.Sprint(i + 1) })(%[2]s))"
	case 8:
		decl = "type N[T any] interface {\n*T\nset(int)\nget() int\n}\n\ntype N_c struct{ n int }\n\nfunc (c *N_c) set(n int) { c.n = n }\nfunc (c *N_c) get() int { return c.n * 2 }\n\nfunc N_make[T any, P N[T]](n int) (t T, s int) {\np := P(&t)\np.set(n)\nreturn t, p.get()\n}"
		use = "fmt.Println(N_make[N_c](" + fmt.Sprint(k) + "))\n%[4]s := []%[1]s{%[2]s, %[3]s}\nfmt.Println(len(%[4]s))"
	case 9:
		decl = "type N[T any] struct {\nN_base[T]\nextra int\n}\n\ntype N_base[T any] struct{ val T }\n\nfunc (b *N_base[T]) put(v T) { b.val = v }\nfunc (b N_base[T]) take() T { return b.val }"
		use = "%[4]s := N[%[1]s]{N_base[%[1]s]{%[2]s}, 4}\n%[4]s_f := %[4]s.take\n%[4]s.put(%[3]s)\n_ = %[4]s_f()\nfmt.Printf(\"%%T %%T %%d\\n\", %[4]s, %[4]s.take, %[4]s.extra)"
	case 10:
		decl = "func N[S ~string | ~[]byte](s S) (n int) {\nfor i := range len(s) {\nif s[i] > 'a' {\nn += int(s[i])\n}\n}\nreturn n + len(string(s))\n}"
		use = "fmt.Println(N(string(%[2]s)), N([]byte(%[3]s)))"
		argument = func(t *typ) bool { return t.kind == stringKind }
	default:
		decl = "func N[T comparable](vs ...T) (uniq []T, first map[T]int) {\nfirst = map[T]int{}\nfor i, v := range vs {\nif _, ok := first[v]; ok {\ncontinue\n}\nfirst[v] = i\nuniq = append(uniq, v)\n}\nreturn\n}"
		use = "%[4]s, %[4]s_m := N(%[1]s(%[2]s), %[3]s, %[2]s)\nfmt.Println(len(%[4]s), len(%[4]s_m), %[4]s_m[%[2]s])"
		argument = func(t *typ) bool {
			return t.comparable() && t.kind != floatKind && t.kind != complexKind && t.kind < pointerKind && !hasFloat(t)
		}
	}
	g.decls = append(g.decls, renamed(decl, name)+"\n")
	g.generics = append(g.generics, generic{renamed(use, name), argument})
}

// hasFloat reports whether values of t hold floats, which may be NaN.
func hasFloat(t *typ) bool {
	if t.kind == floatKind || t.kind == complexKind {
		return true
	}
	for _, p := range t.parts() {
		if hasFloat(p) {
			return true
		}
	}
	return false
}

// ownGeneric uses a generic function or type of the program.
func (g *generator) ownGeneric() {
	if len(g.generics) == 0 {
		g.generic()
		return
	}
	d := pick(g, g.generics...)
	t := g.typeWhere(d.argument)
	g.quiet()
	g.line(d.use, conversion(t), g.leaf(t, 1).s, g.leaf(t, 1).s, g.name("v"))
}

var placeName = regexp.MustCompile(`\bN(_\w+)?\b`)

// renamed returns text with the name N replaced by name.
func renamed(text, name string) string { return placeName.ReplaceAllString(text, name+"$1") }
