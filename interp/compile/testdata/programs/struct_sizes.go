package main

import (
	"bytes"
	"fmt"
	"sync"
	"time"
	"unsafe"
)

type small struct {
	a bool
	b int64
	c int16
	d byte
}
type ends struct {
	n int32
	e struct{}
}
type held struct {
	a  int8
	t  time.Time
	b  bool
	m  sync.Mutex
	bs [3]bytes.Buffer
	c  complex64
}
type mixed struct {
	small
	p    *small
	s    string
	list []int8
	any  any
	f    func()
	arr  [5]small
	tail uint8
}

const size = unsafe.Sizeof(mixed{}) // a constant

func main() {
	var s small
	var h held
	var m mixed
	fmt.Println(unsafe.Sizeof(s), unsafe.Alignof(s), unsafe.Offsetof(s.b), unsafe.Offsetof(s.c), unsafe.Offsetof(s.d))
	fmt.Println(unsafe.Sizeof(ends{}), unsafe.Sizeof(struct{}{}), unsafe.Sizeof([0]int{}), unsafe.Sizeof([3]ends{}))
	fmt.Println(unsafe.Sizeof(h), unsafe.Alignof(h), unsafe.Offsetof(h.t), unsafe.Offsetof(h.b), unsafe.Offsetof(h.m),
		unsafe.Offsetof(h.bs), unsafe.Offsetof(h.c))
	fmt.Println(size, unsafe.Offsetof(m.p), unsafe.Offsetof(m.s), unsafe.Offsetof(m.list), unsafe.Offsetof(m.any),
		unsafe.Offsetof(m.f), unsafe.Offsetof(m.arr), unsafe.Offsetof(m.tail), unsafe.Offsetof(m.b))
	fmt.Println(unsafe.Sizeof([2]time.Time{}), unsafe.Alignof([2]int16{}), unsafe.Sizeof(struct {
		a struct{}
		b byte
	}{}), unsafe.Sizeof(struct{ a [0]int64 }{}), unsafe.Sizeof(struct {
		b byte
		a [0]int64
	}{}))
	m.arr[4].d, m.tail = 7, 9
	base := unsafe.Pointer(&m)
	fmt.Println(*(*byte)(unsafe.Add(base, unsafe.Offsetof(m.arr)+4*unsafe.Sizeof(s)+unsafe.Offsetof(s.d))),
		*(*uint8)(unsafe.Add(base, unsafe.Offsetof(m.tail))))
}

// Output:
// 24 8 8 16 18
// 8 0 0 24
// 176 8 8 32 36 48 168
// 224 24 32 48 72 88 96 216 8
// 48 2 1 0 16
// 7 9
