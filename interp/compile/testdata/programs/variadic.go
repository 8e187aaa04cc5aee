package main

import "fmt"

type T struct{ n int }

func sum(xs ...int) (t int) {
	for _, x := range xs {
		t += x
	}
	return
}
func show(prefix string, vs ...any) string { return prefix + fmt.Sprint(len(vs)) + fmt.Sprint(vs...) }
func ifs(ss ...fmt.Stringer) int           { return len(ss) }
func (t T) String() string                 { return fmt.Sprintf("T%d", t.n) }
func multi() (int, string, T)              { return 1, "a", T{2} }
func main() {
	fmt.Println(sum(), sum(1), sum([]int{1, 2, 3}...))
	fmt.Println(show("a"), show("b", 1, T{1}), show("c", []any{T{2}, nil}...), show("d", nil))
	fmt.Println(ifs(T{1}, &T{2}), ifs())
	fmt.Println(multi())
	a, b, c := multi()
	fmt.Println(a, b, c)
	f := func(p ...T) T { return p[len(p)-1] }
	fmt.Println(f(T{1}, T{2}))
	var args []any
	args = append(args, T{3}, 4, "x")
	fmt.Println(args...)
	fmt.Printf("%v %v %v\n", args...)
	s := fmt.Sprintf("%s-%d", "k", 5)
	fmt.Println(s)
}

// Output:
// 0 1 6
// a0 b21 T1 c2T2 <nil> d1<nil>
// 2 0
// 1 a T2
// 1 a T2
// T2
// T3 4 x
// T3 4 x
// k-5
