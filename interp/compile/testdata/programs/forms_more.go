package main

import (
	"fmt"
	"strings"
	"unsafe"
)

type Meters float32
type Name string
type Grid [2][3]int

func three() [3]int                 { return [3]int{1, 2, 3} }
func grid() *Grid                   { return &Grid{{1, 2}, {3}} }
func nilGrid() *Grid                { return nil }
func caught(f func())               { defer func() { fmt.Println(recover()) }(); f() }
func pick(i uint8) byte             { return "hello"[i] }
func elem(i int) int                { return three()[i] }
func cut(s string, l, h int) string { return s[l:h] }

func main() {
	fmt.Println(len(three()), cap(three()), len(grid()), cap(grid()), len(nilGrid()), len(grid()[0]))
	for i := range nilGrid() {
		fmt.Print(i, " ")
	}
	fmt.Println(pick(1), elem(2))
	caught(func() { pick(9) })
	caught(func() { elem(-1 + len(fmt.Sprint())) })
	caught(func() { elem(3) })
	caught(func() { cut("abc", 2, 1) })
	caught(func() { cut("abc", 1, 4) })
	caught(func() { i := 4; _ = "abc"[i:] })
	caught(func() { i := -1; _ = []int{1}[i:] })
	caught(func() { s := []int{1, 2}; i := 3; _ = s[:i] })
	caught(func() { s := []int{1, 2}; i, j := 1, 3; _ = s[:i:j] })
	caught(func() { s := []int{1, 2}; i, j := 2, 1; _ = s[:i:j] })
	caught(func() { var p *[4]int; i := 1; _ = p[i:] })
	caught(func() { s := []int{1, 2}; _ = [3]int(s) })
	caught(func() { n := -1; _ = make([]int, n) })
	caught(func() { n := -1; _ = make(chan int, n) })
	caught(func() { n := 2; _ = make([]int, 3, n) })
	caught(func() { var m map[string]int; m["a"]++ })

	caught(func() { u := ^uint(0); _ = "abc"[u:] })
	caught(func() { u := ^uint(0); _ = "abc"[:u] })
	caught(func() { u, h := uint(3), 2; _ = "abc"[u:h] })
	caught(func() { l, h := 2, 1; _ = "abc"[l:h] })
	caught(func() { l := -2; _ = "abc"[l:] })
	caught(func() { h := -2; _ = "abc"[:h] })
	caught(func() { u := uint8(200); _ = []int{1}[u:] })
	caught(func() { u := ^uint64(0); s := []int{1}; _ = s[:u] })
	caught(func() { u := ^uint64(0); s := []int{1}; _ = s[u] })

	// Smallest and largest values of each kind.
	var f, g Meters = 2.5, -1
	var a, b Name = "pear", "apple"
	var u, v uint16 = 7, 65535
	fmt.Println(min(f, g), max(f, g), min(a, b, "fig"), max(a, b), min(u, v, 9), max(u, v))
	zero := 0.0
	nan, minus := zero/zero, -zero
	fmt.Println(min(nan, 1, zero), max(1, nan), 1/min(zero, -1/(1/zero)), 1/max(minus, zero))
	f32 := float32(zero) / float32(zero)
	fmt.Println(min(f32, 1), max(2, float32(1), 3))

	// Conversions.
	c := complex64(complex(1.5, -2))
	d := complex128(c)
	type point complex64
	fmt.Println(c, d, point(c), real(c), imag(d), complex64(d) == c, -d, d*d, d/d)
	var r rune = 0x1F600
	fmt.Println(string(r), string(rune(-1)), string(rune(0xD800)), []byte(a), []rune(b), string([]rune{97, 0x110000}))
	fmt.Println(int8(u+300), uint8(u), int32(f), uint64(f), Meters(v), float32(1<<24+1), int64(-2.0))

	// Long texts, whose conversions are checked.
	long := strings.Repeat("añ", 1<<15)
	bytes, runes := []byte(long), []rune(long)
	fmt.Println(len(long), len(bytes), len(runes), string(bytes) == long, string(runes) == long, len(long+long))
	bytes[0], runes[1] = 'x', 'y'
	fmt.Println(long[:3], string(bytes[:3]), string(runes[:2]))
	big := new([1 << 17]byte)
	big[len(big)-1] = 1
	fmt.Println(len(big), cap(big[1:]), big[1<<17-1])

	// Comparisons with nil, and of interfaces.
	var fn func()
	var list []int
	var table map[int]int
	var ch chan int
	var p *int
	var e error
	var q unsafe.Pointer
	fmt.Println(fn == nil, nil == list, table != nil, ch == nil, nil != p, e == nil, q == nil)
	fmt.Println(any(1) == any(1.0), any(a) == any("pear"), any(a) == any(Name("pear")), any(three()) == any(three()))
	caught(func() { fmt.Println(any(list) == any(list)) })

	clear(table)
	table = map[int]int{1: 2}
	clear(table)
	pairs := []struct{ s string }{{"a"}, {"b"}}
	clear(pairs[1:])
	fmt.Println(len(table), pairs)

	arr := [4]int{1, 2, 3, 4}
	fmt.Println(unsafe.Slice(&arr[1], 2), len(unsafe.Slice(p, 0)), unsafe.String(unsafe.StringData("abc"), 2))
	tail := arr[:]
	fmt.Println(unsafe.SliceData(tail[4:]) == unsafe.SliceData(tail), unsafe.SliceData(tail[3:]) == &tail[3])
	caught(func() { n := -4; _ = unsafe.Slice(&arr[0], n) })
	caught(func() { _ = unsafe.Slice(p, len(arr)) })
	caught(func() { _ = unsafe.Slice(&arr[0], uint64(1)<<62+uint64(u)) })

	// Shifts.
	one, by := 1, 70
	var small int8 = -128
	fmt.Println(one<<by, small>>by, uint8(200)>>uint(one), small<<1, -one>>1, uint32(1)<<31>>uint(by-40))
	caught(func() { fmt.Println(one << -by) })
	caught(func() { fmt.Println(one / (by - 70)) })
	caught(func() { fmt.Println(small % int8(by-70)) })
	fmt.Println(-7/2, -7%2, 7&^5, 6^3, ^by, small/-1, uint8(by)-71)
}

// Output:
// 3 3 2 2 2 3
// 0 1 101 3
// runtime error: index out of range [9] with length 5
// runtime error: index out of range [-1]
// runtime error: index out of range [3] with length 3
// runtime error: slice bounds out of range [2:1]
// runtime error: slice bounds out of range [:4] with length 3
// runtime error: slice bounds out of range [4:3]
// runtime error: slice bounds out of range [-1:]
// runtime error: slice bounds out of range [:3] with capacity 2
// runtime error: slice bounds out of range [::3] with capacity 2
// runtime error: slice bounds out of range [:2:1]
// runtime error: invalid memory address or nil pointer dereference
// runtime error: cannot convert slice with length 2 to array or pointer to array with length 3
// runtime error: makeslice: len out of range
// makechan: size out of range
// runtime error: makeslice: cap out of range
// assignment to entry in nil map
// runtime error: slice bounds out of range [18446744073709551615:3]
// runtime error: slice bounds out of range [:18446744073709551615] with length 3
// runtime error: slice bounds out of range [3:2]
// runtime error: slice bounds out of range [2:1]
// runtime error: slice bounds out of range [-2:]
// runtime error: slice bounds out of range [:-2]
// runtime error: slice bounds out of range [200:1]
// runtime error: slice bounds out of range [:18446744073709551615] with capacity 1
// runtime error: index out of range [18446744073709551615] with length 1
// -1 2.5 apple pear 7 65535
// NaN NaN -Inf +Inf
// NaN 3
// (1.5-2i) (1.5-2i) (1.5-2i) 1.5 -2 true (-1.5+2i) (-1.75-6i) (1-0i)
// 😀 � � [112 101 97 114] [97 112 112 108 101] a�
// 51 7 2 2 65535 1.6777216e+07 -2
// 98304 98304 65536 true true 196608
// añ xñ ay
// 131072 131071 1
// true true false true false true true
// false false true true
// runtime error: comparing uncomparable type []int
// 0 [{a} {}]
// [2 3] 0 ab
// true true
// runtime error: unsafe.Slice: len out of range
// runtime error: unsafe.Slice: ptr is nil and len is not zero
// runtime error: unsafe.Slice: len out of range
// 0 -1 100 0 -1 2
// runtime error: negative shift amount
// runtime error: integer divide by zero
// runtime error: integer divide by zero
// -3 -1 2 5 -71 -128 255
