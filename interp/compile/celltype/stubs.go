package celltype

import (
	"reflect"
	"sync"
	"unsafe"
)

// A type descriptor has, for each method, the address of code that takes the receiver as its first argument. The bodies
// of cells' methods are closures, whose code also needs the address of the closure in a register. A stub loads the
// closure in its slot into that register and jumps to the closure's code. It does not touch the arguments, so that it
// can serve methods of any signature.

// slots holds the closure that each stub jumps to.
var slots [stubCount]unsafe.Pointer

// stubPool counts the stubs that are in use.
var stubPool struct {
	sync.Mutex
	used int
}

// mustStub returns a free stub for a method of the type of e. It calls fail if none is left.
func mustStub(e *typeRecord) int {
	stubPool.Lock()
	defer stubPool.Unlock()
	if stubPool.used == stubCount {
		fail(e.declared(), "has too many methods: the types of this kernel, including those that were declared again, "+
			"can have %d in all; restart the kernel", stubCount)
	}
	stubPool.used++
	return stubPool.used - 1
}

// setStub makes stub i jump to f, a function whose first parameter is the receiver.
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
