package main

import (
	"fmt"
	"math"
)

const top uint64 = 1 << 63
const fnv = 14695981039346656037

func main() {
	var x uint64 = 1 << 63
	fmt.Println(x, top, top-1, uint64(math.MaxUint64), ^uint64(0), math.MaxInt64, math.MinInt64)
	var h uint64 = fnv
	for _, b := range []byte("hello") {
		h ^= uint64(b)
		h *= 1099511628211
	}
	fmt.Println(h)
	var i8 int8 = 127
	i8++
	fmt.Println(i8)
	var u8 uint8 = 200
	u8 += 100
	fmt.Println(u8)
	var u uint32 = 1<<32 - 1
	u += 2
	fmt.Println(u)
	fmt.Println(uint32(h), int8(x>>60), x/3, x%1000, h>>3, x > 5)
	var f32 float32 = 16777216
	fmt.Println(f32+1, float32(0.1), float64(float32(0.1)))
	fmt.Println(math.Pi, float32(math.Pi), math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxUint32)
}

// Output:
// 9223372036854775808 9223372036854775808 9223372036854775807 18446744073709551615 18446744073709551615 9223372036854775807 -9223372036854775808
// 11831194018420276491
// -128
// 44
// 1
// 2158673163 8 3074457345618258602 808 1478899252302534561 true
// 1.6777216e+07 0.1 0.10000000149011612
// 3.141592653589793 3.1415927 1.7976931348623157e+308 5e-324 4294967295
