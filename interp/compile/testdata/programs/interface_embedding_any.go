package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

type Reader interface{ Read() string }
type Writer interface{ Write(string) int }
type Closer interface{ Close() error }
type RW interface {
	Reader
	Writer
}
type RWC interface {
	RW
	Closer
	fmt.Stringer
}
type file struct {
	buf    []string
	closed bool
}

func (f *file) Read() string {
	if len(f.buf) == 0 {
		return ""
	}
	s := f.buf[0]
	f.buf = f.buf[1:]
	return s
}
func (f *file) Write(s string) int { f.buf = append(f.buf, s); return len(s) }
func (f *file) Close() error {
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	return nil
}
func (f *file) String() string { return "file[" + strings.Join(f.buf, ",") + "]" }

type Num interface{ int | float64 }
type Comparable[T any] interface{ CompareTo(T) int }
type Age int

func (a Age) CompareTo(b Age) int { return int(a - b) }
func MaxOf[T Comparable[T]](xs ...T) T {
	m := xs[0]
	for _, x := range xs[1:] {
		if x.CompareTo(m) > 0 {
			m = x
		}
	}
	return m
}

type Plugin interface {
	Name() string
	Run(args ...any) (any, error)
}
type add struct{}

func (add) Name() string { return "add" }
func (add) Run(args ...any) (any, error) {
	t := 0
	for _, a := range args {
		n, ok := a.(int)
		if !ok {
			return nil, fmt.Errorf("bad %T", a)
		}
		t += n
	}
	return t, nil
}

type optional interface{ Help() string }
type helped struct{ Plugin }

func (helped) Help() string { return "helps" }
func main() {
	var rwc RWC = &file{}
	rwc.Write("a")
	rwc.Write("b")
	var r Reader = rwc
	var rw RW = rwc
	fmt.Println(r.Read(), rw, rwc.Close(), rwc.Close())
	if c, ok := r.(Closer); ok {
		fmt.Println("closer", c != nil)
	}
	_, isW := any(r).(interface{ Write(string) int })
	_, isX := any(r).(interface{ Foo() })
	fmt.Println(isW, isX)
	fmt.Println(MaxOf(Age(3), 9, 4))
	ps := map[string]Plugin{}
	for _, p := range []Plugin{add{}, helped{add{}}} {
		ps[p.Name()+fmt.Sprint(len(ps))] = p
	}
	var ks []string
	for k := range ps {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	for _, k := range ks {
		v, err := ps[k].Run(1, 2)
		h, ok := ps[k].(optional)
		fmt.Println(k, v, err, ok)
		if ok {
			fmt.Println(h.Help())
		}
	}
	_, err := ps["add0"].Run("x")
	fmt.Println(err)
	var n RWC
	fmt.Println(n == nil, rwc != nil)
	var e1, e2 any = Age(3), Age(3)
	fmt.Println(e1 == e2, e1 == any(3), e1.(Age) == 3)
	f := rw.Write
	fmt.Println(f("zz"), rwc.String())
	s := []any{1, "a", nil, 2.5, []int{1}, map[string]int{"k": 1}, Age(7), add{}, &file{}, func() {}, true, 'x', error(nil)}
	for _, v := range s {
		switch t := v.(type) {
		case nil:
			fmt.Print("nil ")
		case int, float64:
			fmt.Printf("num:%v ", t)
		case string:
			fmt.Print("str:"+t, " ")
		case []int:
			fmt.Print(len(t), " ")
		case fmt.Stringer:
			fmt.Print(t.String(), " ")
		case Plugin:
			fmt.Print(t.Name(), " ")
		case func():
			fmt.Print("func ")
		case bool:
			fmt.Print(!t, " ")
		default:
			fmt.Printf("%T ", t)
		}
	}
	fmt.Println()
}

// Output:
// a file[b] <nil> closed twice
// closer true
// true false
// 9
// add0 3 <nil> false
// add1 3 <nil> true
// helps
// bad string
// true true
// true false true
// 2 file[b,zz]
// num:1 str:a nil num:2.5 1 map[string]int main.Age add file[] func false int32 nil
