package main

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/cmplx"
)

func main() {
	fmt.Println(7/2, -7/2, 7%3, -7%3, 7.0/2, 1<<10, 0xff&0x0f, 6^3, ^5, 5&^4)
	var a int32 = math.MaxInt32
	a++
	fmt.Println(a, uint8(255)+uint8(a))
	x := 0.1 + 0.2
	y := 0.1
	z := y + 0.2
	fmt.Println(x, z, z == 0.3, float32(z), math.Sqrt(2), math.Inf(1), math.NaN(), -math.Inf(1))
	c := complex(1, 2)
	c2 := c * c
	fmt.Println(c2, real(c2), imag(c2), cmplx.Abs(3+4i), c == 1+2i, -c)
	var c64 complex64 = 1 + 1i
	fmt.Printf("%v %T\n", c64*c64, c64)
	fmt.Println(int(z*100), int(-z*100), int64(math.Round(2.5)), uint8(int(300)&0xff), float64(7)/2)
	f := new(big.Int).Exp(big.NewInt(2), big.NewInt(100), nil)
	fmt.Println(f, f.Cmp(big.NewInt(0)), bits.OnesCount(255), bits.Len(8))
	var i, j = 17, 5
	i += j
	i -= 2
	i *= 3
	i /= 4
	i %= 7
	i <<= 3
	i |= 1
	i &= 0xf
	i ^= 2
	i >>= 1
	i &^= 1
	fmt.Println(i, math.MaxInt64, math.Floor(-1.5), math.Mod(7, 3), math.Hypot(3, 4))
	var u uint = 3
	fmt.Println(u-4 > 0, 1<<u, -5>>1, uint32(1)<<31>>u)
}

// Output:
// 3 -3 1 -1 3.5 1024 15 5 -6 1
// -2147483648 255
// 0.3 0.30000000000000004 false 0.3 1.4142135623730951 +Inf NaN -Inf
// (-3+4i) -3 4 5 true (-1-2i)
// (0+2i) complex64
// 30 -30 3 44 3.5
// 1267650600228229401496703205376 1 8 4
// 4 9223372036854775807 -2 1 5
// true 8 -3 268435456
