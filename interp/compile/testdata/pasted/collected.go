package main

import (
	"fmt"
	"runtime"
)

type block struct{ n [8]int }

var freed = make(chan string, 10)

func newBlock(name string) *block {
	b := new(block)
	runtime.SetFinalizer(b, func(*block) { freed <- name })
	return b
}

// collect prints what two collections free.
func collect(at string) {
	runtime.GC()
	runtime.GC()
	for {
		select {
		case name := <-freed:
			fmt.Println(at, "freed", name)
			continue
		default:
		}
		break
	}
}

func use(b *block) { b.n[0]++ }

func inner(b *block) {
	collect("inner")
	use(b)
	collect("inner, unused")
}

func outer() {
	a, b := newBlock("a"), newBlock("b")
	use(a)
	collect("outer")
	inner(b)
	c := newBlock("c")
	for i := range 3 {
		collect(fmt.Sprint("loop ", i))
		if i == 1 {
			use(c)
			c = nil
		}
	}
	d := newBlock("d")
	collect("kept")
	runtime.KeepAlive(d)
}

func deferring() (e *block) {
	defer func() {
		collect("deferred")
		fmt.Println(e != nil)
	}()
	f := newBlock("f")
	e = newBlock("e")
	use(f)
	collect("before return")
	return e
}

func recovering() (e *block) {
	defer func() {
		recover()
		collect("recovered")
	}()
	e = newBlock("g")
	collect("before panic")
	panic(1)
}

type pair struct{ first, second *block }

func aggregates() {
	p := pair{newBlock("h"), newBlock("i")}
	q := [2]*block{newBlock("j")}
	use(p.first)
	p.second = nil
	collect("unused element")
	use(p.first)
	collect("unused struct")
	use(q[0])
	collect("unused array")
}

func panicking(b *block) {
	use(b)
	defer func() {
		collect("unused after panic")
		recover()
	}()
	*(*int)(nil) = 0
}

func main() {
	outer()
	collect("after outer")
	e := deferring()
	use(e)
	collect("after")
	use(recovering())
	collect("after recovery")
	aggregates()
	panicking(newBlock("k"))
}

// Output:
// outer freed a
// inner, unused freed b
// loop 2 freed c
// after outer freed d
// before return freed f
// true
// after freed e
// after recovery freed g
// unused element freed i
// unused struct freed h
// unused array freed j
// unused after panic freed k
