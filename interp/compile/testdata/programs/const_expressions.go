package main

import (
	"fmt"
	"math"
	"time"
)

const (
	a = iota * 2
	b
	c = "s"
	d = len(c) + b
)
const (
	KB float64 = 1 << (10 * (iota + 1))
	MB
)

type Month int

const (
	Jan Month = 1 + iota
	Feb
	Mar
)
const typed int8 = 100
const f32 float32 = 1.0 / 3
const (
	x = 1.5
	y = x * 2
	z = int(y)
)
const big = math.MaxUint64
const r = 'a' + 1
const cplx = 2i * 2i
const cond = 1 < 2 && "a" < "b"

func main() {
	fmt.Println(a, b, c, d, KB, MB, Feb, Mar, typed, f32, y, z, uint64(big), r, string(r), cplx, cond)
	fmt.Printf("%T %T %T %T %T\n", Feb, typed, f32, r, cplx)
	var u8 uint8 = 255
	u8 += 1
	fmt.Println(u8, -typed, ^typed, typed/3, typed%7)
	fmt.Println(math.MaxInt8, math.MinInt16, math.MaxInt64, 1e3, 1e100, 0x1p-2, 'x', "\u00e9\x41\t|", `\n`)
	fmt.Println(5/2, 5.0/2, 5/2.0, -5>>1, 1<<62, 7&^2, 3*time.Second/2, time.Duration(2.5*float64(time.Second)))
	var i8 int8 = -128
	fmt.Println(-i8, i8-1, i8*i8, uint8(i8), int16(i8), uint32(i8))
	var n int = 70
	fmt.Println(1<<n == 0, int32(n)<<31, uint16(n)<<15<<1, -1>>70)
	fmt.Println(len([...]int{1, 2, 3}), cap([4]int{}), len("héé"))
	f := 1e15
	fmt.Println(int64(f), int(-2.7*float64(n)), uint8(int(f)&0xff), math.Float64bits(1.5), float32(0.1)+float32(0.2))
	const huge = 1 << 100
	fmt.Println(huge>>95, float64(huge))
}

// Output:
// 0 2 s 3 1024 1.048576e+06 2 3 100 0.33333334 3 3 18446744073709551615 98 b (-4+0i) true
// main.Month int8 float32 int32 complex128
// 0 -100 -101 33 2
// 127 -32768 9223372036854775807 1000 1e+100 0.25 120 éA	| \n
// 2 2.5 2.5 -3 4611686018427387904 5 1.5s 2.5s
// -128 127 0 128 -128 4294967168
// true 0 0 -1
// 3 4 5
// 1000000000000000 -189 0 4609434218613702656 0.3
// 32 1.2676506002282294e+30
