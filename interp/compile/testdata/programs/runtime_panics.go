package main

import "fmt"

type Shower interface{ Show() string }

type Leaf struct{ n int }

func (l *Leaf) Show() string { return fmt.Sprint("leaf ", l.n) }
func (l Leaf) Size() int     { return l.n }

type Holder struct{ Shower }

type Inner struct{ Leaf }

type Outer struct{ *Inner }

type Sizer interface{ Size() int }

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name+":", r)
		}
	}()
	f()
}

func main() {
	try("embedded nil interface", func() { fmt.Println(Shower(Holder{}).Show()) })
	try("nil pointer to an embedding struct", func() { fmt.Println(Shower((*Holder)(nil)).Show()) })
	try("embedded nil pointer", func() { fmt.Println(Sizer(Outer{}).Size()) })
	fmt.Println(Shower(Holder{&Leaf{3}}).Show(), Sizer(Outer{&Inner{Leaf{4}}}).Size())

	big, minus := uint64(1)<<63+5, -1
	s, a, text := []int{1, 2}, [3]int{}, "héllo"
	try("slice", func() { fmt.Println(s[big]) })
	try("array", func() { fmt.Println(a[big]) })
	try("string", func() { fmt.Println(text[big]) })
	try("rows", func() { fmt.Println([][]int{s}[0][uintptr(big)]) })
	try("negative", func() { fmt.Println(s[minus]) })
	try("low", func() { fmt.Println(s[big:]) })
	try("high", func() { fmt.Println(s[:big]) })
	try("limit", func() { fmt.Println(s[:1:big]) })
	try("low of three", func() { fmt.Println(s[big:1:2]) })
	try("negative high", func() { fmt.Println(s[:minus]) })
	try("low of a string", func() { fmt.Println(text[big:]) })
	try("high of a string", func() { fmt.Println(text[:big]) })
	try("low of both", func() { fmt.Println(text[big:2]) })
	try("high of an array", func() { fmt.Println(a[:big]) })
}

// Output:
// embedded nil interface: runtime error: invalid memory address or nil pointer dereference
// nil pointer to an embedding struct: runtime error: invalid memory address or nil pointer dereference
// embedded nil pointer: runtime error: invalid memory address or nil pointer dereference
// leaf 3 4
// slice: runtime error: index out of range [9223372036854775813] with length 2
// array: runtime error: index out of range [9223372036854775813] with length 3
// string: runtime error: index out of range [9223372036854775813] with length 6
// rows: runtime error: index out of range [9223372036854775813] with length 2
// negative: runtime error: index out of range [-1]
// low: runtime error: slice bounds out of range [9223372036854775813:2]
// high: runtime error: slice bounds out of range [:9223372036854775813] with capacity 2
// limit: runtime error: slice bounds out of range [::9223372036854775813] with capacity 2
// low of three: runtime error: slice bounds out of range [9223372036854775813:1:]
// negative high: runtime error: slice bounds out of range [:-1]
// low of a string: runtime error: slice bounds out of range [9223372036854775813:6]
// high of a string: runtime error: slice bounds out of range [:9223372036854775813] with length 6
// low of both: runtime error: slice bounds out of range [9223372036854775813:2]
// high of an array: runtime error: slice bounds out of range [:9223372036854775813] with length 3
