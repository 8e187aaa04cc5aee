package main

import (
	"errors"
	"fmt"
	"time"
)

type MyInt int
type P struct{ x int }

func (p P) String() string { return "P!" }

type Q struct{}

func (q *Q) Error() string { return "Q?" }
func what(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int:
		return fmt.Sprint("int ", x+1)
	case MyInt:
		return fmt.Sprint("MyInt ", x+1)
	case string, bool:
		return fmt.Sprintf("sb %v", x)
	case error:
		return "error " + x.Error()
	case time.Duration:
		return "dur " + x.String()
	case fmt.Stringer:
		return "stringer " + x.String()
	case []int:
		return fmt.Sprint("ints ", len(x))
	case map[string]MyInt:
		return fmt.Sprint("map ", x["a"])
	case func() int:
		return fmt.Sprint("func ", x())
	case *int:
		return fmt.Sprint("ptr ", *x)
	case chan int:
		return "chan"
	case struct{ A int }:
		return fmt.Sprint("anon ", x.A)
	}
	return fmt.Sprintf("other %T", v)
}
func main() {
	n := 7
	for _, v := range []any{nil, 1, MyInt(2), "s", true, errors.New("e"), &Q{}, P{1}, &P{2}, time.Second, []int{1}, map[string]MyInt{"a": 9}, func() int { return 3 }, &n, make(chan int), struct{ A int }{4}, 2.5, []MyInt{1}, Q{}} {
		fmt.Println(what(v))
	}
	switch any(n).(type) {
	case int:
		fmt.Println("plain")
	}
}

// Output:
// nil
// int 2
// MyInt 3
// sb s
// sb true
// error e
// error Q?
// stringer P!
// stringer P!
// dur 1s
// ints 1
// map 9
// func 3
// ptr 7
// chan
// anon 4
// other float64
// other []main.MyInt
// other main.Q
// plain
