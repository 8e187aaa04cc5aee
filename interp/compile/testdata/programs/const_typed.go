package main

import (
	"fmt"
	"time"
)

type Meters float64

const km Meters = 1000
const timeout = 2 * time.Second

func main() {
	fmt.Println(2.5*km, timeout, timeout/4, time.Duration(1.5*float64(time.Second)))
	fmt.Printf("%T %T %v\n", km/2, timeout, 7/2*1.0)
	var f float64 = 7 / 2
	const c = 7 / 2.0
	var i = 'a' + 1
	fmt.Println(f, c, i, string(rune(i)), 1<<3|1, 5&^1, -7/2, -7%3, 07, 0x1F, 0b101, 1_000)
	s := 3
	var w int64 = 1 << s
	var g = 1.0 * 3
	fmt.Println(w, g, uint8(1)<<7, "a"+"b" < "b", !true || 2 > 1, len("héllo"), len([3]int{}))
	fmt.Printf("%T %T %T %T\n", 1<<s, 'x', 2i, 1/2.0)
	var dd time.Duration = 90
	fmt.Println(dd*time.Minute, dd.String(), time.Millisecond*5)
}

// Output:
// 2500 2s 500ms 1.5s
// main.Meters time.Duration 3
// 3 3.5 98 b 9 4 -3 -1 7 31 5 1000
// 8 3 128 true true 6 3
// int int32 complex128 float64
// 1h30m0s 90ns 5ms
