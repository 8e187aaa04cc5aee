package main

import "fmt"

type Fn func(int) int

func (f Fn) Twice(x int) int { return f(f(x)) }

type Ch chan int

func (c Ch) SendAll(xs ...int) Ch {
	for _, x := range xs {
		c <- x
	}
	close(c)
	return c
}

type Arr [3]int

func (a Arr) Sum() (s int) {
	for _, v := range a {
		s += v
	}
	return
}
func (a *Arr) Zero() { *a = Arr{} }

type Str string

func (s Str) Len() int   { return len(s) }
func (s *Str) Add(t Str) { *s += t }

type B bool

func (b B) Not() B { return !b }

type F float32

func (f F) Half() F { return f / 2 }

type C complex128

func (c C) Conj() C { return C(complex(real(complex128(c)), -imag(complex128(c)))) }

type PS *Str
type Slice []Str

func (s Slice) Map(f func(Str) Str) Slice {
	r := make(Slice, len(s))
	for i, x := range s {
		r[i] = f(x)
	}
	return r
}
func (s *Slice) Push(x Str) { *s = append(*s, x) }

type M map[Str]Slice

func (m M) Get(k Str) Slice { return m[k] }

type Empty struct{}

func (Empty) Hello() string { return "hello" }
func (*Empty) Ptr() string  { return "ptr" }

type I8 int8

func (i *I8) Inc() I8 { *i++; return *i }
func main() {
	fmt.Println(Fn(func(x int) int { return x * 3 }).Twice(2))
	c := make(Ch, 3).SendAll(1, 2)
	for v := range c {
		fmt.Print(v, " ")
	}
	a := Arr{1, 2, 3}
	fmt.Println(a.Sum())
	a.Zero()
	fmt.Println(a, a == Arr{})
	s := Str("ab")
	s.Add("cd")
	fmt.Println(s, s.Len(), Str("x"+s).Len(), s[1:3], s == "abcd")
	fmt.Println(B(true).Not(), F(3).Half(), C(1+2i).Conj(), B(1 < 2) && !B(false))
	sl := Slice{"a"}
	sl.Push("b")
	fmt.Println(sl.Map(func(s Str) Str { return s + s }), len(sl), sl[1].Len())
	fmt.Println(M{"k": sl}.Get("k"), M{}.Get("z") == nil)
	e := Empty{}
	fmt.Println(e.Hello(), e.Ptr(), (&e).Hello(), new(Empty).Ptr(), Empty{} == e)
	var i I8 = 126
	i.Inc()
	fmt.Println(i.Inc(), i)
	ms := map[string]*I8{"x": &i}
	ms["x"].Inc()
	fmt.Println(i)
	arr := []I8{1, 2}
	arr[0].Inc()
	for k := range arr {
		arr[k].Inc()
	}
	fmt.Println(arr)
	var p PS = &s
	*p = "new"
	fmt.Println(s)
	fmt.Printf("%T %T %T %T %v\n", sl, M{}, c, Fn(nil), []F{1.5})
}

// Output:
// 18
// 1 2 6
// [0 0 0] true
// abcd 4 5 bc true
// false 1.5 (1-2i) true
// [aa bb] 2 1
// [a b] true
// hello ptr hello ptr true
// -128 -128
// -127
// [3 3]
// new
// main.Slice main.M main.Ch main.Fn [1.5]
