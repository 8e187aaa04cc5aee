package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

func try(name string, f func()) {
	defer func() {
		fmt.Println(name, recover())
		pcs := make([]uintptr, 30)
		pcs = pcs[:runtime.Callers(0, pcs)]
		frames := runtime.CallersFrames(pcs)
		for {
			f, more := frames.Next()
			if strings.HasPrefix(f.Function, "main.") {
				fmt.Print(" ", f.Function, ":", f.Line)
			} else {
				fmt.Print(" ", f.Function)
			}
			if !more {
				break
			}
		}
		fmt.Println()
		for _, pc := range pcs {
			if name := runtime.FuncForPC(pc - 1).Name(); strings.HasPrefix(name, "main.") {
				fmt.Print(" ", name)
			}
		}
		fmt.Println()
	}()
	f()
}

var p *int
var i any
var zero int

var call = regexp.MustCompile(`(?m)^([\w./]+)\(.*\n\t.*:(\d+)`)

func stack() {
	for _, m := range call.FindAllStringSubmatch(string(debug.Stack()), -1) {
		switch m[1] {
		case "panic":
			fmt.Print(" panic")
		case "runtime/debug.Stack":
		default:
			fmt.Print(" ", m[1], ":", m[2])
		}
	}
	fmt.Println()
}

func deref(p *int) int {
	defer func() {}()
	v := *p
	return v + 1
}

func again() {
	defer func() {
		defer func() {
			recover()
			stack()
		}()
		panic("second")
	}()
	panic("first")
}

func main() {
	try("nil", func() { *p = 1 })
	try("index", func() { a := []int{1}; a[zero+5] = 1 })
	try("slice", func() { a := []int{1}; _ = a[zero+5:] })
	try("conversion", func() { _ = i.(int) })
	try("division", func() { zero = 1 / zero })
	try("own", func() {
		panic(1)
	})
	try("deeper", func() {
		defer func() {
			stack()
		}()
		deref(nil)
	})
	try("again", again)
	buf := make([]byte, 1000)
	fmt.Println(strings.HasPrefix(string(buf[:runtime.Stack(buf, false)]), "goroutine "))
	done := make(chan bool)
	go func() {
		defer close(done)
		pcs := make([]uintptr, 9)
		fmt.Println(runtime.FuncForPC(pcs[runtime.Callers(0, pcs)-1]).Name())
	}()
	<-done
}

// Output:
// nil runtime error: invalid memory address or nil pointer dereference
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicmem runtime.sigpanic main.main.func1:76 main.try:36 main.main:76 runtime.main runtime.goexit
//  main.try.func1 main.main.func1 main.try main.main
// index runtime error: index out of range [5] with length 1
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicBounds64 runtime.panicBounds main.main.func2:77 main.try:36 main.main:77 runtime.main runtime.goexit
//  main.try.func1 main.main.func2 main.try main.main
// slice runtime error: slice bounds out of range [5:1]
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicBounds64 runtime.panicBounds main.main.func3:78 main.try:36 main.main:78 runtime.main runtime.goexit
//  main.try.func1 main.main.func3 main.try main.main
// conversion interface conversion: interface {} is nil, not int
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicdottypeE main.main.func4:79 main.try:36 main.main:79 runtime.main runtime.goexit
//  main.try.func1 main.main.func4 main.try main.main
// division runtime error: integer divide by zero
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicdivide main.main.func5:80 main.try:36 main.main:80 runtime.main runtime.goexit
//  main.try.func1 main.main.func5 main.try main.main
// own 1
//  runtime.Callers main.try.func1:15 runtime.gopanic main.main.func6:82 main.try:36 main.main:81 runtime.main runtime.goexit
//  main.try.func1 main.main.func6 main.try main.main
//  main.stack:46 main.main.func7.1:86 panic main.deref:60 main.main.func7:88 main.try:36 main.main:84
// deeper runtime error: invalid memory address or nil pointer dereference
//  runtime.Callers main.try.func1:15 runtime.gopanic runtime.panicmem runtime.sigpanic main.deref:60 main.main.func7:88 main.try:36 main.main:84 runtime.main runtime.goexit
//  main.try.func1 main.deref main.main.func7 main.try main.main
//  main.stack:46 main.again.func1.1:68 panic main.again.func1:70 panic main.again:72 main.try:36 main.main:90
// again first
//  runtime.Callers main.try.func1:15 runtime.gopanic main.again:72 main.try:36 main.main:90 runtime.main runtime.goexit
//  main.try.func1 main.again main.try main.main
// true
// runtime.goexit
