package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

type Box[T any] struct{ v T }
type Pair[K comparable, V any] struct {
	k K
	v V
}
type Celsius float64
type Keys map[*Keys]int
type Lists []*Lists
type Sends chan Sends
type Chain func(Chain, ...Chain) Chain
type Arr [2]*Arr

func (b Box[T]) Join(sep string, parts ...T) string {
	texts := []string{fmt.Sprint(b.v)}
	for _, p := range parts {
		texts = append(texts, fmt.Sprint(p))
	}
	return strings.Join(texts, sep)
}

type Adder struct{ sum int }

func (a Adder) Plus(xs ...int) int {
	for _, x := range xs {
		a.sum += x
	}
	return a.sum
}
func (a *Adder) Add(label string, xs ...int) string {
	a.sum = a.Plus(xs...)
	return fmt.Sprint(label, a.sum)
}

type Outer struct{ *Adder }
type plus interface{ Plus(xs ...int) int }
type add interface {
	Add(label string, xs ...int) string
}

func caught(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	type local struct{ n int }
	for _, v := range []any{
		Box[int]{}, Box[[3]int]{}, Box[map[string]time.Duration]{}, Box[*time.Time]{}, Box[[]Celsius]{}, Box[any]{},
		Box[Box[Celsius]]{}, Pair[string, *Pair[int, bool]]{}, Pair[Celsius, [2]Box[error]]{}, Box[func(int) string]{},
		Box[struct{ A int }]{}, Box[chan int]{}, Box[strings.Builder]{}, &Box[byte]{}, []Box[rune]{},
		Keys{}, Lists{}, Sends(nil), Chain(nil), Arr{}, local{}, []*local{},
	} {
		fmt.Printf("%T\n", v)
	}
	k := Keys{}
	k[&k] = 2
	l := Lists{nil}
	l[0] = &l
	fmt.Println(k[&k], len(*l[0]), len(*(*l[0])[0]), cap(make(Sends, 3)))

	// Variadic methods, called in all ways.
	b := Box[int]{1}
	a := &Adder{}
	o := Outer{a}
	fmt.Println(b.Join("-", 2, 3), b.Join("-"), a.Plus(1, 2), a.Add("a", 3), o.Plus(4), o.Add("o", []int{1, 1}...))
	var p plus = o
	var q add = o
	var r add = a
	f, g := p.Plus, (*Adder).Add
	fmt.Println(p.Plus(1, 2), q.Add("q"), r.Add("r", 5), f(1, 1), g(a, "g", 1), Adder.Plus(*a, 1, 2), plus.Plus(p, 1))
	call := func(v any, name string, args ...any) {
		in := []reflect.Value{}
		for _, arg := range args {
			in = append(in, reflect.ValueOf(arg))
		}
		m := reflect.ValueOf(v).MethodByName(name)
		fmt.Println(m.Type(), m.Call(in)[0])
		last := in[len(in)-1]
		list := reflect.MakeSlice(m.Type().In(m.Type().NumIn()-1), 0, 2)
		in = append(in[:m.Type().NumIn()-1:m.Type().NumIn()-1], reflect.Append(list, last, last))
		fmt.Println(m.CallSlice(in)[0])
	}
	call(b, "Join", "+", 7, 8)
	call(&b, "Join", "+", 7)
	call(*a, "Plus", 1, 2, 3)
	call(a, "Add", "x", 1)
	call(o, "Add", "y", 1)

	// Methods of nil pointers.
	var none *Adder
	caught(func() { p = none; fmt.Println(p.Plus(1)) })
	caught(func() { f := none.Add; fmt.Println(f("n")) })
	caught(func() { f := p.Plus; fmt.Println(f(1)) })
	caught(func() { fmt.Println(Outer{}.Plus(1)) })
	caught(func() { p = Outer{}; fmt.Println(p.Plus(1)) })
	caught(func() { var q plus; q.Plus(1) })
	caught(func() { var q plus; f := q.Plus; f(1) })
	caught(func() { p = (*Outer)(nil); p.Plus(1) })
	fmt.Println(reflect.TypeOf(none).NumMethod(), reflect.TypeOf(*none2()).NumMethod(), reflect.TypeOf(o).NumMethod())
	_, ok := any(*a).(add)
	_, ok2 := any(o).(add)
	fmt.Println(ok, ok2)
}

func none2() *Adder { return new(Adder) }

// Output:
// main.Box[int]
// main.Box[[3]int]
// main.Box[map[string]time.Duration]
// main.Box[*time.Time]
// main.Box[[]main.Celsius]
// main.Box[interface {}]
// main.Box[main.Box[main.Celsius]]
// main.Pair[string,*main.Pair[int,bool]]
// main.Pair[main.Celsius,[2]main.Box[error]]
// main.Box[func(int) string]
// main.Box[struct { A int }]
// main.Box[chan int]
// main.Box[strings.Builder]
// *main.Box[uint8]
// []main.Box[int32]
// main.Keys
// main.Lists
// main.Sends
// main.Chain
// main.Arr
// main.local
// []*main.local
// 2 1 1 3
// 1-2-3 1 3 a3 7 o5
// 8 q5 r10 12 g11 14 12
// func(string, ...int) string 1+7+8
// 1+8+8
// func(string, ...int) string 1+7
// 1+7+7
// func(...int) int 17
// 17
// func(string, ...int) string x12
// x14
// func(string, ...int) string y15
// y17
// value method main.Adder.Plus called using nil *Adder pointer
// runtime error: invalid memory address or nil pointer dereference
// value method main.Adder.Plus called using nil *Adder pointer
// runtime error: invalid memory address or nil pointer dereference
// runtime error: invalid memory address or nil pointer dereference
// runtime error: invalid memory address or nil pointer dereference
// runtime error: invalid memory address or nil pointer dereference
// runtime error: invalid memory address or nil pointer dereference
// 2 1 2
// false true
