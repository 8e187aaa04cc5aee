package anvil

import (
	"image"
	"image/color"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file converts values of other packages, matrices of gonum and images, for New and From.

// fromGonum returns a matrix or vector of gonum as a slice or nested slices, and other values unchanged.
func fromGonum(v any) any {
	switch m := v.(type) {
	case vector:
		return listed(m.Len(), m.AtVec)
	case matrix[float64]:
		rows, cols := m.Dims()
		return gridOf(rows, cols, m.At)
	case matrix[complex128]:
		rows, cols := m.Dims()
		return gridOf(rows, cols, m.At)
	}
	return v
}

// A matrix has the methods of gonum's mat.Matrix and mat.CMatrix that are used here.
type matrix[T any] interface {
	Dims() (rows, cols int)
	At(i, j int) T
}

// A vector has the methods of gonum's mat.Vector that are used here.
type vector interface {
	Len() int
	AtVec(i int) float64
}

// listed returns at(0), ... at(n-1) as a slice.
func listed[T any](n int, at func(int) T) []T {
	xs := make([]T, n)
	for i := range xs {
		xs[i] = at(i)
	}
	return xs
}

// gridOf returns the rows of a matrix whose element in row i and column j is at(i, j).
func gridOf[T any](rows, cols int, at func(i, j int) T) [][]T {
	return listed(rows, func(i int) []T { return listed(cols, func(j int) T { return at(i, j) }) })
}

// picture returns an image as a tensor {height,width,channels}.
func (c *call) picture(m image.Image, o dtype.Options) Tensor {
	d, b, n := dtype.U8, m.Bounds(), channels(m)
	if has16Bits(m) {
		d = dtype.U16
	}
	o = c.settle(o, d, d)
	ty := shape.Type{DType: d, Shape: Shape{b.Dy(), b.Dx(), n}}
	data := make([]byte, 0, ty.Bytes())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			data = appendPixel(data, m.At(x, y), n, d)
		}
	}
	t := c.host(ty, data, o.Device)
	o.Device = "" // host put t on the device, so creationResult must not move it again
	return c.creationResult(c.cast(t, o.DType), false, o)
}

// appendPixel appends the first n of the channels red, green, blue and alpha of a colour at dtype d.
func appendPixel(data []byte, pixel color.Color, n int, d dtype.DType) []byte {
	if d == dtype.U8 {
		p := color.NRGBAModel.Convert(pixel).(color.NRGBA)
		return append(data, []byte{p.R, p.G, p.B, p.A}[:n]...)
	}
	p := color.NRGBA64Model.Convert(pixel).(color.NRGBA64)
	for _, v := range []uint16{p.R, p.G, p.B, p.A}[:n] {
		data = le.AppendUint16(data, v)
	}
	return data
}

// has16Bits reports whether the type of an image has 16 bits per channel.
func has16Bits(m image.Image) bool {
	switch m.(type) {
	case *image.Gray16, *image.RGBA64, *image.NRGBA64, *image.Alpha16:
		return true
	}
	return false
}

// channels returns the number of channels that an image needs: 1 if it is gray, 3 if it is opaque, and 4 otherwise.
func channels(m image.Image) int {
	switch m.(type) {
	case *image.Gray, *image.Gray16:
		return 1
	}
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return 3
	}
	return 4
}
