// The objects whose addresses the arguments of a goroutine are live as long as the goroutine, also
// when the function that started it has returned.
package main

import (
	"fmt"
	"runtime"
	"unsafe"
)

var done, started = make(chan bool), make(chan bool)

func object() unsafe.Pointer {
	s := "kept"
	runtime.SetFinalizer(&s, func(p *string) { *p = "freed" })
	return unsafe.Pointer(&s)
}

//go:uintptrescapes
func read(first uintptr, rest ...uintptr) {
	<-started
	fmt.Println(*(*string)(unsafe.Pointer(first)), *(*string)(unsafe.Pointer(rest[0])))
	done <- true
}

func start() { go read(uintptr(object()), uintptr(object())) }

func main() {
	start()
	for range 3 {
		runtime.GC()
	}
	started <- true
	<-done
}

// Output:
// kept kept
