package compile_test

import (
	"fmt"
	"regexp"
	"strings"
)

var hole = regexp.MustCompile(`\$\w+`)

// template writes one of the templates: declarations, a line --, and statements. N and names such as N_x are
// replaced by names that are unique in the program. $T is a printable type, $K a type of map keys and $I an integer
// type; $e, $k and $i are expressions of these types. $int and $str are expressions of types int and string, and $n
// is a constant from 0 to 3.
func (g *generator) template() {
	g.quiet()
	t, k, i := g.typeWhere((*typ).printable), g.typeWhere((*typ).keyable), g.someInt()
	text := hole.ReplaceAllStringFunc(pick(g, templates...), func(s string) string {
		switch s {
		case "$T":
			return t.text
		case "$K":
			return k.text
		case "$I":
			return i.text
		case "$e":
			return conversion(t) + "(" + g.expr(t, 1).s + ")"
		case "$k":
			return conversion(k) + "(" + g.expr(k, 1).s + ")"
		case "$i":
			return g.notConst(i, 2).s
		case "$int":
			return g.notConst(intType, 2).s
		case "$str":
			return g.notConst(stringType, 1).s
		case "$n":
			return fmt.Sprint(g.n(4))
		case "$op":
			return pick(g, "+", "-", "*", "&", "|", "^", "&^")
		case "$jump":
			return pick(g, "break", "continue")
		case "$verb":
			return pick(g, "v", "+v", "#v", "T", "d", "s", "q", "x", "X", "8.3f", "e", "g", "t", "c", "U", "o", "b", "08d", "-9v|", "+d", "6.2v", "# x", "+q", "z")
		}
		panic(s)
	})
	name := g.name("@N")
	if decls, rest, ok := strings.Cut(text, "\n--\n"); ok {
		g.decls = append(g.decls, renamed(decls, name))
		text = rest
	}
	g.line("%s", renamed(text, name))
}

var templates = strings.Split(strings.TrimSpace(`
N, N_i := []int{$int, 2, 3}, 0
N_i, N[N_i] = 1, $int
N[N_i], N_i = N[0], 2
N_p := &N[0]
*N_p, N_p = $int, &N[1]
*N_p, N[2] = N[2], *N_p
fmt.Println(N, N_i, *N_p)

func N_up(x $I) $I { return x + 1 }
func N_down(x $I) $I { return x - 3 }
func N_same[T any](x T) T { return x }
func N_nothing[T any](x T) (y T) { return }
func N_state(n *int) func(*int) N_states { *n += 10; return N_next }
type N_states struct { f func(*int) func(*int) N_states }
func N_next(n *int) N_states { if *n++; *n > 40 + $n { return N_states{} }; return N_states{N_state} }
--
N, N_g, N_n := N_up, N_same[$T], 0
if $int & 1 == 0 { N = N_down; N_g = N_nothing[$T] }
fmt.Println(N($i), N_g($e))
for i := range 3 { if N == nil || i == $n { N = N_up } else { N = nil }; if N != nil { fmt.Print(N($i), " ") } }
switch $int & 3 { case 0: N = N_up; case 1: N = N_down }
if N != nil { fmt.Println(N(N($i))) }
for N_s := N_state; N_s != nil; N_s = N_s(&N_n)(&N_n).f { fmt.Print(N_n, " ") }

type N struct { v int; next *N }
--
var N_l, N_r *N
for i := range $n + 2 { N_l = &N{i * $int, N_l} }
for N_l != nil { N_l, N_l.next, N_r = N_l.next, N_r, N_l }
for p := N_r; p != nil; p = p.next { fmt.Print(p.v, " ") }

N := []struct{ a [2]int; m map[string]int }{{m: map[string]int{}}, {}}
N_x := 0
N[h_tr(1, 0)].a[h_tr(2, 1)], N_x, N[0].m[h_tr(3, "k")] = h_tr(4, $int), h_tr(5, 2), h_tr(6, N_x)
h_try("N", func() { N[h_tr(7, $n)].a[0], N[1].m["nil"] = 5, $int })
fmt.Println(N, N_x)

var N, N_b $I = $i, $i
N_c := N
N_c $op= N_b
N_c <<= uint8(N_b) & 15
fmt.Println(N_c, N+N_b, N-N_b, N*N_b, -N, ^N, N&^N_b, N<<(N_b&7), N>>(N_b&7), N<<65, N>>65, N*7>>1, N < N_b, N+1 > N)
h_try("N", func() { fmt.Println(N/^$I(0), N%^$I(0), N/N_b, N%N_b, N/$I(N_b>>3)) })

N, N_s, N_u := $i, $int%70, uint8($int)
h_try("N", func() { fmt.Println(N<<N_s, N>>N_s) })
N <<= N_u % 9
N >>= N_u % 3
fmt.Println(N, 1<<(N_u&63)>>3 == N, uint16(1)<<N_u, int64(-1)>>N_u, -8>>(N_u&1), ^uint32(0)>>(N_u&31))

N := &struct{ a, b $I; c [2]$I }{$i, $i, [2]$I{$i}}
N.a $op= N.b
N.c[1] $op= N.a
N.c[0]--
N_p := &N.b
*N_p |= $i
*N_p %= 7
N.b++
fmt.Println(*N, N.a &^ *N_p, N.c[0] == N.c[1])
for v := $I(120); v > 100; v += 3 { N.a += v; if v > 126 { break } }
fmt.Println(N.a)

N := float64($int) / 3
N_z := N - N
fmt.Println(1/N_z, -1/N_z, N_z/N_z, -N_z, 1/(-N_z), math.Signbit(-N_z), N_z/N_z == N_z/N_z, min(N, N_z/N_z), max(N_z, -N_z), min(-N_z, N_z, 1))
fmt.Printf("%$verb %$verb %$verb\n", N, float32(N), float32(N)*float32(N))
fmt.Println(float32(N)+1 == float32(N), float64(float32(N))-N, float32(0.1)+float32(N), int8(int64(h_fl(N))), uint8(int64(h_fl(-N))))

N := $str + "\xe2\x82" + $str
for i, r := range N { fmt.Print(i, ":", r, " "); if i > $n { N = "" } }
N = $str + "\xf0\x9f" + $str
N_b := []byte(N)
N_b[0] = 'x'
for i := range N { fmt.Print(i, N[i:] < $str, " ") }
fmt.Printf("%$verb|%$verb|%$verb|%q\n", N, []rune(N), N_b, string([]rune{-1, 0x10ffff + 1, 0xd800, 'é', rune($int)}))
h_try("N", func() { fmt.Println(N[$n:]+N[:$n], N[$int&7], N[$int&7:$int&7]) })

N:
for i := 0; i < 4; i++ {
N_b:
	switch {
	case i == $n:
		for j := range 3 { if j == $n { $jump N }; if j == 2 { break N_b }; fmt.Print(j) }
		fmt.Print("x")
		fallthrough
	case i > $n:
		select {
		case <-h_ch(i): if i == 1 { break }; fmt.Print("c")
		default: break N_b
		}
	default: fmt.Print("d"); continue
	}
	fmt.Print(i, " ")
}

var N_fs []func() int
N_i := 0
N:
N_v := N_i * $int
N_fs = append(N_fs, func() int { N_v++; return N_v })
if N_i++; N_i < 3 { goto N }
for _, f := range N_fs { fmt.Print(f(), f(), " ") }

var N []func() int
for i, j := 0, 10; i < j; i, j = i+1, j-2 {
	if i == $n { i++; continue }
	N = append(N, func() int { i += 5; j++; return i*100 + j })
	if $n == i { N[len(N)-1]() }
	defer func() { fmt.Print(i, j, " ") }()
}
for _, f := range N { fmt.Print(f(), " ") }

N := func(p int) (r int, f func() int) {
	defer func() { r += p }()
	f = func() int { p++; r *= 2; return r + p }
	r = f()
	if $n == 1 { return }
	g := f
	return r + 1, func() int { return g() + g() }
}
N_r, N_f := N($int)
fmt.Println(N_r, N_f(), N_f())

N := func(n int) (r int, err error) {
	defer func() { r *= 2 }()
	defer func() { if e := recover(); e != nil { err = fmt.Errorf("r%v: %v", r, e); if n == $n { panic("again") } } }()
	for i := range n { defer func() { r += i }(); if i == $n { return i * 10, nil } }
	r = 7
	if n > 2 { return 1, errors.New("e") }
	var s []int
	return s[n], nil
}
for n := range 5 { h_try("N", func() { fmt.Println(N(n)) }) }

N := map[string]int{"a": 1, "b": $int}
N_c, N_s := make(chan int, 1), []int{1, 2, 3}
func() {
	defer delete(N, "a")
	defer close(N_c)
	defer copy(N_s, []int{$int})
	defer clear(N_s[2:])
	N_s = N_s[:2]
}()
_, N_ok := <-N_c
fmt.Println(N, N_s, N_s[:3], N_ok)
h_try("N", func() { defer recover(); defer panic($n); defer func() { defer fmt.Print("in ") }() })

N := make(chan string, 4)
go func() {
	defer close(N)
	defer func() { N <- fmt.Sprint("d", recover()) }()
	func() { defer func() { N <- "inner" }(); runtime.Goexit() }()
	N <- "never"
}()
for s := range N { fmt.Print(s, " ") }

type N_k struct { a $K; b [2]int; c any }
N := map[N_k]int{}
for i := range 4 { N[N_k{$k, [2]int{i % 2}, i / 2}]++; N[N_k{c: fmt.Sprint(i)}] -= $int }
fmt.Println(len(N), N[N_k{$k, [2]int{1}, 0}], N[N_k{c: "2"}])
h_try("N", func() { N[N_k{c: []int{$n}}] += 1 })
h_try("N", func() { fmt.Println(N[N_k{c: map[int]int{}}]) })
h_try("N", func() { delete(N, N_k{c: func() {}}) })
h_try("N", func() { fmt.Println(map[any]int(nil)[[]int{}]) })
h_try("N", func() { fmt.Println(any(N_k{c: []int{}}) == any(N_k{c: []int{}})) })
fmt.Println(len(N))

N, N_k := map[$K]$I{$k: $i}, $k
N[$k] $op= $i
N[N_k]++
N[N_k] <<= uint($n)
h_try("N", func() { var z $I; N[$k] /= z })
fmt.Println(len(N), N[N_k], N[$k] $op N[N_k])
N_v, N_ok := N[$k]
delete(N, N_k)
fmt.Println(N_v, N_ok, len(N))
clear(N)
N_v, N_ok = N[N_k]
fmt.Println(N_v, N_ok, len(N))

N := map[[20]int][20]$T{}
var N_k [20]int
N_k[$n] = $int
N_v := N[N_k]
N_v[3] = $e
N[N_k] = N_v
N_k[19]++
N[N_k] = N_v
N_c := make(chan [20]$T, 1)
N_c <- N_v
N_v[3] = $e
N_w := <-N_c
for k, v := range N { if k[19] == 1 { fmt.Println(v[3]) } }
fmt.Println(len(N), N_w[3])

N := map[float64]int{math.NaN(): 1, 0: 2}
N[math.NaN()] += $int
N[math.Copysign(0, -1)]++
delete(N, math.NaN())
fmt.Println(len(N), N[0], N[math.NaN()])
clear(N)
fmt.Println(len(N))

N := map[string]map[$K]*struct{ n []$I }{}
for i, s := range []string{"a", "b", "a", $str} {
	if N[s] == nil { N[s] = map[$K]*struct{ n []$I }{} }
	N[s][$k] = &struct{ n []$I }{[]$I{$i}}
	for _, p := range N[s] { p.n = append(p.n, $I(i)); p.n[0] $op= $i }
}
for _, s := range h_keys(N) { fmt.Print(s, len(N[s]), " ") }

var N struct { i int; m map[string]rune; a [3]int }
N.m = map[string]rune{}
for N.i, N.m[fmt.Sprint(N.i)] = range $str + "é\xff" { N.a[N.i%3]++ }
fmt.Println(N)
for N.a[0], N.a[1] = range []int{$int, 5} { fmt.Print(N.a) }
for N.a[N.i%3] = range 2 { N.i++ }
fmt.Println(N)

N := [3]int{1, 2, 3}
for i, v := range N { N[2] = $int; if i == 2 { fmt.Println(v) } }
for i, v := range &N { N[2] = 99 + $n; if i == 2 { fmt.Println(v) } }
N_s := N[:]
for i, v := range N_s { N_s = append(N_s, v+$n); N_s[2], N[2] = -1, v; if i == 2 { fmt.Println(v) } }
var N_p *[3]int
for i := range N_p { fmt.Print(i) }
fmt.Println(len(N_p), cap(N_p), N_s, N)
h_try("N", func() { for _, v := range N_p { fmt.Println(v) } })

for N := range $I(3) { fmt.Printf("%T %v ", N, N $op $i) }
for N := range h_ch($e, $e) { fmt.Println(N) }
for range $I($n) { fmt.Print("r") }

N := func(yield func(int) bool) { for i := range 3 { if !yield(i) { fmt.Print("stop "); if $n == 1 { yield(9) } else { return } } } }
h_try("N", func() { for v := range N { fmt.Print(v, " "); if v == $n { break } }; fmt.Println("end") })
h_try("N", func() { for v := range N { defer fmt.Print("d", v, " "); if v == $n { panic("body") } } })
var N_y func(int) bool
h_try("N", func() { for range func(yield func(int) bool) { N_y = yield; yield(1) } { fmt.Print("b ") } ; N_y(2) })
h_try("N", func() { for range func(yield func(int) bool) { defer func() { fmt.Print(recover() != nil) }(); yield(1) } { panic("x") } })

N := func(s []int) (r string, n int) {
	for i, v := range slices.Backward(s) {
		for w := range slices.Values(s) {
			n++
			if w == v { continue }
			if n > $n + 2 { return fmt.Sprint(i, v, w), n * 10 }
			defer func() { n += w }()
		}
	}
	return "all", n
}
fmt.Println(N([]int{1, $int, 3}))

N := make([]$T, 2, 5)
N[0], N[1] = $e, $e
N_a, N_b, N_c := append(N, $e), append(N, $e), append(N[:1:1], $e)
N_d := append(N[:1], N[1:]...)
N = append(N, N...)
copy(N[1:], N)
N_p, N_q := (*[2]$T)(N), [2]$T(N)
N_p[1], N_q[0] = $e, $e
clear(N_c[:1])
fmt.Println(N, N_a, N_b, N_c, N_d, *N_p, N_q, len(N[1:3]), cap(N[1:3:4]))
h_try("N", func() { fmt.Println([4]$T(N_c)) })
h_try("N", func() { fmt.Println(len(N_a[$int&7:$int&7])) })
h_try("N", func() { fmt.Println(cap(N_p[$n:$int&3])) })

N := slices.Insert([]$I{$i, 2, $i}, $n, $i, 9)
slices.Sort(N)
N_i, N_ok := slices.BinarySearch(N, 9)
N = slices.DeleteFunc(slices.Compact(N), func(v $I) bool { return v&1 == 0 })
slices.Reverse(N)
fmt.Println(N, N_i, N_ok, slices.Index(N, 9), slices.Repeat(N, 2), slices.Collect(slices.Chunk(N, 2)))

N := complex(float64($int), $n)
N_z := N - N
fmt.Println(N/N_z, N_z/N_z, N*N == N, real(N)+imag(N), -N)
N *= 1i
N /= 3
N_c := complex64(N)
N_c += 2 - 1i
N_c /= complex64(N) + 1
fmt.Printf("%$verb %.2f %T %v %v\n", N, N_c, N_c, N_c == complex64(N), any(2i) == any(complex(0, 2)))

type N struct { A $T; b *int; c []byte; d map[string]$T; e error; f any; g func(); h [2]bool; i struct{ X, y $I } }
N_v := N{A: $e, c: []byte($str), d: map[string]$T{"k": $e}, f: $e}
fmt.Printf("%v\n%+v\n%#v\n%T %v %+v\n", N_v, N_v, N_v, N_v, &N_v, &N_v)
fmt.Printf("%$verb|%$verb|%$verb|%$verb\n", N_v.A, N_v.c, N_v.i, N_v.h)

fmt.Printf("%$verb|%$verb|%$verb|\n", $e, $i, $str)
fmt.Printf("%[2]$verb %[1]*d %v %d%%\n", 5, $int, $e)
fmt.Printf("%$verb %$verb\n", []$T{$e}, [1]any{$e}, $n)

type N struct{ n int }
func (x *N) String() string { return fmt.Sprint("N", x.n) }
type N_i int
func (x N_i) String() string { if x == $n { panic("bad") }; return "ok" }
type N_f struct{}
func (N_f) Format(s fmt.State, verb rune) { fmt.Fprintf(s, "<%c>", verb) }
type N_g []int
func (N_g) GoString() string { return "GO" }
func (N_g) Error() string { return "ERR" }
--
fmt.Println(N{1}, &N{2}, (*N)(nil), []any{N{3}, &N{4}}, map[string]*N{"a": {5}}, struct{ P *N }{&N{6}})
fmt.Println(N_i(1), N_i(2), []N_i{$n}, N_f{}, N_g{$n}, []error{N_g{}})
fmt.Printf("%#v %d %s %x %v\n", N_g{1}, N_i(3), N_i(0), &N{7}, map[N_i]N_f{1: {}})

type N_num interface { ~int | ~float64; String() string }
type N_a int
func (a N_a) String() string { return fmt.Sprintf("a%d", int(a)) }
type N_b float64
func (b N_b) String() string { return fmt.Sprintf("b%.1f", float64(b)) }
func N[T N_num](vs ...T) (s T, text string) { for i, v := range vs { s += v * T(i+1); text += v.String() }; return s / 2, text }
--
fmt.Println(N(N_a($int), 2))
fmt.Println(N[N_b](N_b($n), 2.5))
N_f := N[N_a]
fmt.Println(N_f())

type N[T cmp.Ordered] struct { l, r *N[T]; v T }
func (n *N[T]) add(v T) *N[T] { if n == nil { return &N[T]{v: v} }; if v < n.v { n.l = n.l.add(v) } else { n.r = n.r.add(v) }; return n }
func (n *N[T]) all() iter.Seq[T] { return func(yield func(T) bool) { n.push(yield) } }
func (n *N[T]) push(yield func(T) bool) bool { return n == nil || n.l.push(yield) && yield(n.v) && n.r.push(yield) }
func N_map[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] { return func(yield func(U) bool) { for v := range s { if !yield(f(v)) { return } } } }
--
var N_t *N[$I]
N_add := (*N[$I]).add
for _, v := range []$I{$i, $i, 3, 1} { N_t = N_add(N_t, v) }
for v := range N_map(N_t.all(), func(v $I) string { return fmt.Sprint(v, "!") }) { fmt.Print(v, " "); if v == "3!" { break } }

type N[T comparable] map[T]struct{}
func (s N[T]) add(vs ...T) N[T] { for _, v := range vs { s[v] = struct{}{} }; return s }
func (s N[T]) has(v T) bool { _, ok := s[v]; return ok }
type N_p[K comparable, V any] = struct { N[K]; v []V }
func N_of[K comparable, V any](k K, vs ...V) *N_p[K, V] { return &N_p[K, V]{N[K]{}.add(k), vs} }
--
N_v := N_of($k, $e)
N_h := N_v.has
fmt.Println(N_h($k), N_v.add($k).has($k), N[$K].has(N_v.N, $k), N_v.v)
fmt.Printf("%T %T %v\n", N[$I]{}, N_of[int, $T](1).v, N[string]{}.add("b", "a"))

type N[T any] func(*T)
func N_new[T any, O ~func(*T)](v T, os ...O) T { for _, o := range os { o(&v) }; return v }
func N_fix[A, B any](f func(func(A) B) func(A) B) func(A) B { return func(a A) B { return f(N_fix(f))(a) } }
func N_kind[T any](v T) string { switch any(v).(type) { case int, N[int]: return "int"; case []T: return "[]T"; case interface{ M1(int) int }: return "M1" }; switch any(&v).(type) { case *string: return "*string"; case *$K: return "*K" }; return fmt.Sprintf("%T", v) }
--
fmt.Println(N_new($int, func(p *int) { *p++ }, N[int](func(p *int) { *p *= 2 })))
fmt.Println(N_fix(func(f func(int) $I) func(int) $I { return func(n int) $I { if n < 1 { return $i }; return f(n-1) * 3 } })(4))
fmt.Println(N_kind($e), N_kind($k), N_kind([]$T{}), N_kind(N[int](nil)))

h_try("N", func() { var p *h_count; f := p.show; fmt.Println(f("x")) })
h_try("N", func() { v := h_id[interface{ show(string) string }]((*h_count)(nil)); fmt.Println(v.show("")) })
h_try("N", func() { var v interface{ show(string) string }; f := v.show; fmt.Println(f("")) })
h_try("N", func() { var e struct{ error }; fmt.Println(e.Error()) })
h_try("N", func() { var v any = $e; fmt.Println(v.(interface{ show(string) string })) })

type N_a struct { h_count; x int }
type N_b struct { *N_a; x string }
type N_c struct { N_b; *h_fail }
N := N_c{N_b{&N_a{h_count{$n}, $int}, $str}, &h_fail{2}}
N.add(2)
N.n++
N.N_a.x *= 2
N_f, N_g, N_h := N.show, N_c.show, (*N_c).add
fmt.Println(N.x, N.N_a.x, N.show("s"), N_f("f"), N_g(N, "g"), N_h(&N, 3).n, N.Error(), N.code)
N_m := N.add
N.N_a = &N_a{}
fmt.Println(N_m(1).n, N.n, N.show("t"), N_f("u"))
N.N_a = nil
h_try("N", func() { fmt.Println(N.n) })
h_try("N", func() { N.add(1) })
h_try("N", func() { fmt.Println(N.show("")) })

N := []h_count{{1}, {$n}}
N_p, N_q := &N[0], &N[1].n
N = append(N, h_count{3})
N_p.add(10)
N[1].add(5)
*N_q *= 3
N_s := [2]struct{ h_count }{{N[1]}}
N_s[$n&1].add(2)
fmt.Println(N, *N_p, *N_q, N_s)

N := $int
func() {
	len, true, nil, rune := N, false, []int{1}, 2.5
	append := func(a ...int) int { return a[0] + len }
	fmt.Println(len, true, nil, rune, append(4, 5))
	type int string
	var iota, any int = "x", "y"
	nv, print, error := iota+any, func(v ...interface{}) { fmt.Print(v...) }, 3i
	print(nv, error, "\n")
	fmt := func(s int) int { return s + "!" }
	print(fmt(nv), "\n")
}()

type N struct { A $T "json:\"a\"" }
N_v := struct{ A $T }(N{$e})
N_w := (*N)(&N_v)
N_w.A = $e
fmt.Printf("%+v %T %T\n", N_v, N_v, *N_w)

N := [2][3]$T{{$e}, {1: $e}}
N_r, N_p := N[0], &N[1][2]
N_r[1] = $e
*N_p = $e
N_q := N
N[1], N_q[0][0] = N_r, $e
for _, row := range N { row[0] = $e }
func(a [2][3]$T, b *[2][3]$T) { a[0][0], b[1][1] = $e, $e }(N, &N_q)
fmt.Println(N, N_q, len(N[0]), *N_p)

N := struct { a [2]$T; s []$T }{[2]$T{$e}, []$T{$e}}
N_i := any(N)
N_m := map[int]any{1: N_i, 2: &N.a[0]}
N.a[0], N.s[0] = $e, $e
N_j := *N_m[2].(*$T)
fmt.Println(N, N_i, N_m[1], N_j)

N := func(v $I) string {
	switch v { case 0, 1: return "a"; case 2: fmt.Print("2"); fallthrough; case 3: return "b"; case 4: break; case 5, 6, 7, 8: if v == 7 { return "7" }; default: return "d" }
	return "end"
}
for i := range $I(10) { fmt.Print(N(i), N(i*$i), " ") }
switch x := $str; x + "a" { case "a", "ba": fmt.Println("one"); case "xyza": fmt.Println("two"); case x: fmt.Println("never"); default: fmt.Println(x) }
h_try("N", func() { switch any($e) { case 1: fmt.Println("1"); case "a": fmt.Println("a"); case nil, 2.5: fmt.Println("nil"); case any($e): fmt.Println("same") } })

N := func(k int, c chan int) chan int { fmt.Print("c", k, " "); return c }
N_c, N_d := make(chan int, 1), make(chan int, 1)
var N_a [2]int
var N_ok bool
for range 3 {
	select {
	case N(1, N_c) <- h_tr(2, $int): fmt.Println("sent")
	case N_a[h_tr(3, $n&1)], N_ok = <-N(4, N_d): fmt.Println("never", N_a)
	default:
		select { case N_a[h_tr(5, $n&1)], N_ok = <-N(6, N_c): fmt.Println(N_a, N_ok); close(N_c); N_c = nil; default: fmt.Println("none") }
	}
}

fmt.Printf("%T %T %T %T %T %T\n", 1<<3, 'a'+1.0, 2*1i, 1/2.0, 'a'*2, "s"+"t")
const N, N_c $I = 1<<6 - $n, $n
const ( N_d = 1 << (iota * 3); _; N_e; N_f = iota; N_g = len("abc") + iota*$n )
const N_big = 1<<62
fmt.Println(N/3, N_c<<2, N_d, N_e, N_f, N_g, N_big>>60, uint64(N_big)<<1, N_big*4/8, int8(N_big>>58), N_big/3.0, -7/2, -7%3, 7.0/2)

N := func() (int, string, error) { return $int, $str, nil }
N_f := func(v ...any) int { return len(v) }
fmt.Println(N_f(N()))
fmt.Println(N())
N_g := func(i int, s string, es ...error) string { return fmt.Sprint(s, i, es) }
fmt.Println(N_g(N()))

type N func(int) int
func (f N) twice(v int) int { return f(f(v)) }
type N_m map[string]int
func (m N_m) inc(k string) N_m { m[k]++; m[k+k] += m[k]; return m }
type N_c chan int
func (c N_c) put(vs ...int) N_c { for _, v := range vs { c <- v }; return c }
type N_s []int
func (s *N_s) push(v int) *N_s { *s = append(*s, v); return s }
--
fmt.Println(N(func(v int) int { return v*3 - $n }).twice($int), N_m.inc(N_m{"a": $n}, "a").inc($str))
fmt.Println(<-make(N_c, 3).put($int, 2), len(make(N_c, 2).put(1, $n)), *new(N_s).push($int).push(2))

func N_f(k int) (int, string) { return k * N_b, fmt.Sprint(N_b) }
var ( N_a, N_t = N_f(N_c); N_b = N_c + $n; N_c = func() int { return N_d }() ; N_d = 2 )
--
fmt.Println(N_a, N_b, N_c, N_d, N_t)

if N := $int; N > 2 { fmt.Println(N) } else if N, N_s := $str, N; N_s < 0 { fmt.Println(N, N_s) } else if N := len(N); N == $n { fmt.Println("len", N) } else { fmt.Println(N, N_s) }
for N, N_i := []int{$n}, 0; ; N, N_i = append(N, len(N)*2), N_i+1 { if N_i == 3 { fmt.Println(N); break } }

type N interface { M3() int; fmt.Stringer }
type N_i interface { N; M1(int) int }
type N_t struct{ n int }
func (t N_t) M3() int { return t.n }
func (t N_t) String() string { return "t" }
func (t *N_t) M1(k int) int { t.n += k; return t.n }
--
var N_v N_i = &N_t{$n}
var N_w N = N_v
N_f := N_i.M1
fmt.Println(N_f(N_v, 3), N_w.M3(), N_w, N_w.(N_i).M1(1), N_w == N_v, N(N_t{1}) == N(N_t{$n}))
h_try("N", func() { N_w = *N_v.(*N_t); _, ok := N_w.(N_i); fmt.Println(ok, N_w.(N_i)) })
h_try("N", func() { fmt.Println(any(N_v).(N_t)) })
`), "\n\n")
