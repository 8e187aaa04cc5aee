package main

import (
	"bytes"
	"fmt"
	"strings"
)

const n = 70 << 20 // more than is copied at once

func main() {
	var text [251]byte
	for i := range text {
		text[i] = byte(i)
	}
	want := bytes.Repeat(text[:], n/251)
	b := bytes.Clone(want)
	fmt.Println(copy(b, b[3:]), bytes.Equal(b[:len(b)-3], want[3:]))
	copy(b, want)
	fmt.Println(copy(b[3:], b), bytes.Equal(b[3:], want[:len(want)-3]), b[:3])
	long := strings.Repeat("xy", n/2)
	fmt.Println(copy(b[1:100], long), copy(b, long), string(b) == long[:len(b)])
	c := append(make([]byte, 5, n+5), long...)
	c = append(c[:5], want...)
	fmt.Println(bytes.Equal(c[5:], want))
	fmt.Println(copy(make([]struct{}, n), make([]struct{}, n+1)))
	type pair struct {
		p *int
		k int
	}
	x := 7
	ps := make([]pair, n/16+1)
	ps[0] = pair{&x, 1}
	ps[n/16-1] = pair{&x, 2}
	fmt.Println(copy(ps[1:], ps), *ps[n/16].p, ps[n/16].k, *ps[1].p, ps[1].k, *ps[0].p)
}

// Output:
// 73400178 true
// 73400178 true [0 1 2]
// 99 73400181 true
// true
// 73400320
// 4587520 7 2 7 1 7
