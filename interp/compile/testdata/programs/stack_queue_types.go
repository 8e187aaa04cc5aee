package main

import (
	"errors"
	"fmt"
)

var ErrEmpty = errors.New("empty")

type Queue[T any] interface {
	Push(T)
	Pop() (T, error)
	Len() int
}
type fifo[T any] struct{ xs []T }
type lifo[T any] struct{ fifo[T] }

func (q *fifo[T]) Push(x T) { q.xs = append(q.xs, x) }
func (q *fifo[T]) Len() int { return len(q.xs) }
func (q *fifo[T]) Pop() (x T, err error) {
	if len(q.xs) == 0 {
		return x, ErrEmpty
	}
	x, q.xs = q.xs[0], q.xs[1:]
	return
}
func (q *lifo[T]) Pop() (x T, err error) {
	n := len(q.xs)
	if n == 0 {
		err = ErrEmpty
		return
	}
	x, q.xs = q.xs[n-1], q.xs[:n-1]
	return x, nil
}
func drain[T any](q Queue[T]) (out []T) {
	for {
		x, err := q.Pop()
		if errors.Is(err, ErrEmpty) {
			return
		}
		out = append(out, x)
	}
}
func fill[T any](q Queue[T], xs ...T) Queue[T] {
	for _, x := range xs {
		q.Push(x)
	}
	return q
}
func main() {
	fmt.Println(drain(fill[int](&fifo[int]{}, 1, 2, 3)), drain(fill[string](&lifo[string]{}, "a", "b")))
	qs := []Queue[any]{&fifo[any]{}, &lifo[any]{}}
	for _, q := range qs {
		fill(q, any(1), "x", nil)
		fmt.Print(q.Len(), " ")
		fmt.Println(drain(q))
	}
	fmt.Printf("%T %T\n", qs[1], qs[0])
}

// Output:
// [1 2 3] [b a]
// 3 [1 x <nil>]
// 3 [<nil> x 1]
// *main.lifo[interface {}] *main.fifo[interface {}]
