package celltype

import (
	"go/types"
	"reflect"
	"sync"
	"unsafe"
)

// A method of a run-time type needs the address of code that takes the receiver as its first argument. The
// code of a closure needs its context in a register besides. Each stub loads the closure of its slot into
// that register and jumps to the closure's code without touching the arguments, so that one stub serves any
// signature.

// slots holds the closure that each stub jumps to.
var slots [stubCount]unsafe.Pointer

// stubPool hands out stubs.
var stubPool struct {
	sync.Mutex
	used int
}

// allocStub returns a free stub, or -1 when none is left.
func allocStub() int {
	stubPool.Lock()
	defer stubPool.Unlock()
	if stubPool.used == stubCount {
		return -1
	}
	stubPool.used++
	return stubPool.used - 1
}

// mustStub returns a free stub for a method of t.
func mustStub(t types.Type) int {
	i := allocStub()
	if i < 0 {
		fail(t, "too many methods: the types of this kernel, including those that were declared again, can have %d in all; restart the kernel", stubCount)
	}
	return i
}

// setStub makes stub i jump to f, a function value whose first parameter is
// the receiver word.
func setStub(i int, f reflect.Value) {
	retain(f.Interface())
	slots[i] = closureOf(f)
}

// IsStub reports whether code is the address of a stub.
func IsStub(code uintptr) bool {
	return HasMethods && code-uintptr(stubAddress(0)) < uintptr(stubAddress(stubCount))-uintptr(stubAddress(0))
}

// closureOf returns the closure of a function value.
func closureOf(f reflect.Value) unsafe.Pointer {
	v := f.Interface()
	return (*eface)(unsafe.Pointer(&v)).data
}
