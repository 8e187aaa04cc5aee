package shape

import (
	"encoding/binary"
	"iter"
	"strconv"
)

// Dims is a list of integers, such as axes or lengths, in the attributes of an operation. It is
// comparable, so that attributes can be part of a map key: it holds the integers as varints,
// which take one byte for -64 to 63. The zero value is the empty list.
type Dims string

// DimsOf returns the list of xs. It does not allocate for an empty list or for one integer from
// -64 to 63.
func DimsOf(xs ...int) Dims {
	var buf [48]byte
	b := buf[:0]
	for _, x := range xs {
		b = binary.AppendVarint(b, int64(x))
	}
	return Dims(b)
}

// Len returns the number of integers in d.
func (d Dims) Len() int {
	n := 0
	for i := range len(d) {
		if d[i] < 0x80 {
			n++
		}
	}
	return n
}

// All iterates over the positions and integers of d.
func (d Dims) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		rest := d // a copy, so that the iterator can be used again
		for i := 0; len(rest) > 0; i++ {
			x, n := rest.first()
			rest = rest[n:]
			if !yield(i, x) {
				return
			}
		}
	}
}

// Ints returns the integers of d; nil for the empty list.
func (d Dims) Ints() []int {
	if d == "" {
		return nil
	}
	xs := make([]int, 0, len(d))
	for _, x := range d.All() {
		xs = append(xs, x)
	}
	return xs
}

// Shape returns the integers of d as the lengths of axes.
func (d Dims) Shape() Shape { return Shape(d.Ints()) }

// Has reports whether d contains x.
func (d Dims) Has(x int) bool {
	for _, y := range d.All() {
		if x == y {
			return true
		}
	}
	return false
}

// String returns the integers in brackets: "[0, 1]".
func (d Dims) String() string {
	b := []byte{'['}
	for i, x := range d.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(append(b, ']'))
}

// Dims returns the lengths of the axes of s.
func (s Shape) Dims() Dims { return DimsOf(s...) }

// first returns the first integer of d and the number of its bytes.
func (d Dims) first() (x, width int) {
	var u uint64
	for i := range len(d) {
		u |= uint64(d[i]&0x7f) << (7 * i)
		if d[i] < 0x80 {
			return int(int64(u>>1) ^ -int64(u&1)), i + 1 // undo the zigzag encoding of binary.AppendVarint
		}
	}
	return 0, len(d)
}
