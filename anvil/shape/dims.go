package shape

import (
	"encoding/binary"
	"iter"
	"strconv"
)

// Dims is a list of integers (axes, lengths, bounds) in a form that compares
// with == and hashes as a string: each number as a varint, one byte for -64 to
// 63. Attributes of operations are made of it. The zero value is the empty list.
type Dims string

// DimsOf returns the list of xs. It allocates nothing for no number, or for one
// small one.
func DimsOf(xs ...int) Dims {
	var buf [48]byte
	b := buf[:0]
	for _, x := range xs {
		b = binary.AppendVarint(b, int64(x))
	}
	return Dims(b)
}

// Len returns how many numbers d holds.
func (d Dims) Len() int {
	n := 0
	for i := range len(d) {
		if d[i] < 0x80 {
			n++
		}
	}
	return n
}

// All returns the numbers of d with their positions.
func (d Dims) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; len(d) > 0; i++ {
			x, n := d.first()
			d = d[n:]
			if !yield(i, x) {
				return
			}
		}
	}
}

// Ints returns the numbers of d; nil for none.
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

// Shape returns the numbers of d as the lengths of axes.
func (d Dims) Shape() Shape { return Shape(d.Ints()) }

// Has reports whether x is one of d's numbers.
func (d Dims) Has(x int) bool {
	for _, y := range d.All() {
		if x == y {
			return true
		}
	}
	return false
}

// String returns the numbers in brackets: "[0, 1]".
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

// Dims returns the lengths of the axes of s in comparable form.
func (s Shape) Dims() Dims { return DimsOf(s...) }

func (d Dims) first() (x, width int) {
	var u uint64
	for i := range len(d) {
		u |= uint64(d[i]&0x7f) << (7 * i)
		if d[i] < 0x80 {
			return int(int64(u>>1) ^ -int64(u&1)), i + 1
		}
	}
	return 0, len(d)
}
