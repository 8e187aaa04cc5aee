package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

type Table struct {
	head []string
	rows [][]any
}

func (t Table) String() string {
	var b strings.Builder
	w := make([]int, len(t.head))
	for i, h := range t.head {
		w[i] = len(h)
	}
	for _, r := range t.rows {
		for i, c := range r {
			if n := len(fmt.Sprint(c)); n > w[i] {
				w[i] = n
			}
		}
	}
	for i, h := range t.head {
		fmt.Fprintf(&b, "%-*s|", w[i], h)
	}
	for _, r := range t.rows {
		b.WriteByte('\n')
		for i, c := range r {
			fmt.Fprintf(&b, "%*v|", w[i], c)
		}
	}
	return b.String()
}

type Money int64

func (m Money) String() string { return fmt.Sprintf("$%d.%02d", int64(m)/100, int64(m)%100) }
func main() {
	fmt.Println(Table{[]string{"name", "v"}, [][]any{{"a", 1}, {"long", Money(12345)}, {true, nil}}})
	fmt.Printf("%+v %q %v %x %t|%8.3f|%-8d|%08d|%+d|%e|%g|%U|%c|%%|%6t\n", struct {
		A int
		b string
	}{1, "x"}, []string{"a", "b"}, [3]bool{true}, "hi", false, 3.14159, 42, 42, 42, 1e6, 1e-7, 'ö', 'ö', true)
	fmt.Printf("%[2]d %[1]d %v %d %s\n", 1, 2, []any{1, "a", nil}, []int{1, 2}, errors.New("e"))
	fmt.Printf("%!|%d %d|%z\n", "x", 1)
	fmt.Println(strconv.FormatInt(255, 2), strconv.Itoa(-5), strconv.FormatFloat(1.5, 'f', 2, 64))
	fmt.Printf("%v %v %s %T %p\n", time.Minute, Money(5), Money(7), Money(1), nil)
	fmt.Printf("%5v|%-5v|%05v|%x|%X|%o|%b\n", Money(1), true, 7, 255, 255, 8, 5)
	var p *int
	var e error
	var m map[string]int
	var f func()
	fmt.Println(p, e, m, f == nil, []int(nil), struct{}{})
	fmt.Printf("%v %+v %#v %#v %#v %#v\n", p, e, m, []int(nil), "q", 1.0)
	fmt.Println(fmt.Sprint("a", 1, 2, "b", "c", 3.0), fmt.Sprintln("x", 1) == "x 1\n")
	var a, b int
	n, err := fmt.Sscanf("10-20", "%d-%d", &a, &b)
	fmt.Println(a, b, n, err)
	var s string
	fmt.Sscan("word 5", &s, &a)
	fmt.Println(s, a)
}

// Output:
// name|v      |
//    a|      1|
// long|$123.45|
// true|  <nil>|
// {A:1 b:x} ["a" "b"] [true false false] 6869 false|   3.142|42      |00000042|+42|1.000000e+06|1e-07|U+00F6|ö|%|  true
// 2 1 2 [1 %!d(string=a) <nil>] [%!s(int=1) %!s(int=2)]
// %!!(string=x)|1 %!d(MISSING)|%!z(MISSING)
// 11111111 -5 1.50
// 1m0s $0.05 $0.07 main.Money %!p(<nil>)
// $0.01|true |00007|ff|FF|10|101
// <nil> <nil> map[] true [] {}
// <nil> <nil> map[string]int(nil) []int(nil) "q" 1
// a1 2bc3 true
// 10 20 2 <nil>
// word 5
