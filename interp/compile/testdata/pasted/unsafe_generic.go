package main

import (
	"fmt"
	"unsafe"
)

type Base struct{ a, b int16 }

type Row[K any] struct {
	key K
	Base
	value struct{ n, m K }
}

func (r *Row[K]) offsets() (key, b, value, m uintptr) {
	return unsafe.Offsetof(r.key), unsafe.Offsetof(r.b), unsafe.Offsetof((r.value)), unsafe.Offsetof(r.value.m)
}

func made[K any]() Row[K] { panic("not evaluated") }

func unevaluated[K any](p *Row[K]) (size, align, offset uintptr) {
	return unsafe.Sizeof(made[K]()), unsafe.Alignof(p.key), unsafe.Offsetof(made[K]().value)
}

func main() {
	fmt.Println(new(Row[byte]).offsets())
	fmt.Println(new(Row[string]).offsets())
	fmt.Println((*Row[int32])(nil).offsets())
	fmt.Println(unevaluated[string](nil))
}

// Output:
// 0 4 6 1
// 0 18 24 16
// 0 6 8 4
// 56 8 24
