package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

type T struct {
	a byte
	b int32
}

type (
	address uintptr
	raw     unsafe.Pointer
	ref     *T
)

func size[V any](v V) (size, align uintptr) { return unsafe.Sizeof(v), unsafe.Alignof(v) }

func main() {
	t := &T{1, 2}
	p := (*int32)(unsafe.Add(unsafe.Pointer(t), unsafe.Offsetof(t.b)))
	*p = 5
	s := []int{1, 2, 3}
	bits := *(*uint64)(unsafe.Pointer(new(1.5)))
	fmt.Println(unsafe.Sizeof(*t), t.b, unsafe.Slice(unsafe.SliceData(s), 2), bits)
	fmt.Println(unsafe.String(unsafe.StringData("hello"), 4), uintptr(unsafe.Pointer(nil)))
	fmt.Println(size("x"))
	var c struct {
		a  atomic.Int32
		b  atomic.Int64
		mu sync.Mutex
		_  struct{}
	}
	fmt.Println(unsafe.Offsetof(c.b), unsafe.Sizeof(c), unsafe.Sizeof([2]time.Time{}), unsafe.Alignof(c.mu))
	r := raw(t)
	n := address(r) + address(unsafe.Offsetof(t.b))
	fmt.Println(ref(r) == t, *(*int32)(raw(n)), unsafe.Pointer(ref(r)) == unsafe.Pointer(t), uint8(n-address(r)))
}

// Output:
// 8 5 [1 2] 4609434218613702656
// hell 0
// 16 8
// 8 32 48 4
// true 5 true 4
