package main

import (
	"bytes"
	"fmt"
	"strings"
)

func crc(b []byte) (c uint32) {
	c = ^c
	for _, x := range b {
		c ^= uint32(x)
		for range 8 {
			if c&1 != 0 {
				c = c>>1 ^ 0xEDB88320
			} else {
				c >>= 1
			}
		}
	}
	return ^c
}
func hexdump(b []byte) string {
	var s strings.Builder
	for i, x := range b {
		if i > 0 && i%4 == 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%02x", x)
	}
	return s.String()
}

type RGB uint32

func (c RGB) R() uint8 { return uint8(c >> 16) }
func Mix(a, b RGB) RGB { return (a&0xfefefe)>>1 + (b&0xfefefe)>>1 }

type bitset []uint64

func (b bitset) set(i uint) { b[i>>6] |= 1 << (i & 63) }
func (b bitset) count() (n int) {
	for _, w := range b {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return
}
func main() {
	fmt.Printf("%08x %s %d %#x\n", crc([]byte("123456789")), hexdump([]byte("hello")), RGB(0xAABBCC).R(), Mix(0x102030, 0x304050))
	b := make(bitset, 2)
	b.set(0)
	b.set(63)
	b.set(64)
	fmt.Println(b.count(), b[0]>>63, b)
	x := []byte("abc")
	y := x
	y[0] = 'z'
	fmt.Println(string(x), bytes.Equal(x, y), bytes.ToUpper(x), string(bytes.Repeat([]byte{'-'}, 3)))
	var n int32 = -5
	fmt.Println(n>>1, uint32(n)>>28, n<<2, n&7, ^n, uint8(n))
	u := uint8(250)
	for range 3 {
		u += 3
		fmt.Print(u, " ")
	}
	var i16 int16 = 32767
	i16++
	fmt.Println(i16, -i16, i16/-1)
	s := "abc"
	bs := []byte(s)
	bs[1] = 'X'
	fmt.Println(s, string(bs), s[1:], strings.Compare(s, string(bs)), s+string(bs[0]))
}

// Output:
// cbf43926 68656c6c 6f 170 0x203040
// 3 1 [9223372036854775809 1]
// zbc true [90 66 67] ---
// -3 15 -20 3 4 251
// 253 0 3 -32768 -32768 -32768
// abc aXc bc 1 abca
