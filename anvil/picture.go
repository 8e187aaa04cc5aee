package anvil

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // decoders of ReadImage
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/memory"
)

// Image returns x as an image, which a cell displays. A tensor {height,width} or
// {height,width,1} is gray, {height,width,3} is RGB, and {height,width,4} has an alpha
// channel too. Elements of ui8 and ui16 are used as they are, floats are clamped to 0 to 1,
// bools are black and white. Image waits for x, and panics with an *Error if x is not an
// image.
func (x Tensor) Image() image.Image {
	x.must("Image")
	fail := func(reason, hint string) {
		panic(&Error{Op: "Image", Operands: describe(x), Reason: reason, Hint: hint})
	}
	s, d := x.Shape(), x.DType()
	n := 1 // channels
	if len(s) == 3 {
		n = s[2]
	}
	if len(s) != 2 && len(s) != 3 || n != 1 && n != 3 && n != 4 {
		fail("the shape is not that of an image", "give {height,width}, or {height,width,c} with c 1, 3 or 4")
	}
	if d != dtype.I1 && d != dtype.U8 && d != dtype.U16 && !d.Is(dtype.Floating) {
		fail("images cannot have dtype "+d.String(), "give ui8, ui16, floats from 0 to 1, or bools: x.AsType(nv.U8)")
	}
	data := x.host("Image")
	if d == dtype.U16 {
		return image16(data, s[1], s[0], n)
	}
	at := func(i int) uint8 { return channelByte(data[i*d.Size():], d) } // element i
	bounds := image.Rect(0, 0, s[1], s[0])
	if n == 1 {
		m := image.NewGray(bounds)
		for i := range m.Pix {
			m.Pix[i] = at(i)
		}
		return m
	}
	m := image.NewNRGBA(bounds)
	for i := range s[0] * s[1] {
		p := color.NRGBA{R: at(i * n), G: at(i*n + 1), B: at(i*n + 2), A: 255}
		if n == 4 {
			p.A = at(i*n + 3)
		}
		m.SetNRGBA(i%s[1], i/s[1], p)
	}
	return m
}

// image16 returns an image with n channels of 16 bits each from data, the elements in host form.
func image16(data []byte, width, height, n int) image.Image {
	at := func(i int) uint16 { return le.Uint16(data[2*i:]) } // element i
	bounds := image.Rect(0, 0, width, height)
	if n == 1 {
		m := image.NewGray16(bounds)
		for i := range width * height {
			m.SetGray16(i%width, i/width, color.Gray16{Y: at(i)})
		}
		return m
	}
	m := image.NewNRGBA64(bounds)
	for i := range width * height {
		p := color.NRGBA64{R: at(i * n), G: at(i*n + 1), B: at(i*n + 2), A: 65535}
		if n == 4 {
			p.A = at(i*n + 3)
		}
		m.SetNRGBA64(i%width, i/width, p)
	}
	return m
}

// channelByte returns the element of dtype d at the start of data as a level from 0 to 255.
func channelByte(data []byte, d dtype.DType) uint8 {
	switch {
	case d == dtype.I1:
		return 255 * min(data[0], 1)
	case d == dtype.U8:
		return data[0]
	}
	v := dtype.GetFloat(data, d)
	if math.IsNaN(v) {
		return 0
	}
	return uint8(math.Round(255 * min(max(v, 0), 1)))
}

// ReadImage returns the image in a PNG, JPEG or GIF file as a tensor
// {height,width,channels} of ui8, or of ui16 if the file has 16 bits per channel.
func (l *Lib) ReadImage(path string) (x Tensor, err error) {
	f, err := os.Open(path)
	if err != nil {
		return x, fileError("ReadImage", path, err)
	}
	defer f.Close()
	var m image.Image
	r, err := memory.CheckPicture(f)
	if err == nil {
		m, _, err = image.Decode(r)
	}
	if errors.Is(err, image.ErrFormat) {
		err = errors.New("the file is not a PNG, JPEG or GIF image")
	}
	if err != nil {
		return x, fileError("ReadImage", path, err)
	}
	err = Try(func() { x = l.New(m) })
	return x, err
}

// WriteImage writes an image, or a tensor that the method Image accepts, to a file with extension
// .png, .jpg or .jpeg. An existing file is replaced after everything is written.
func (l *Lib) WriteImage(path string, picture any) error {
	m, ok := picture.(image.Image)
	if !ok {
		if err := Try(func() { m = l.New(picture).Image() }); err != nil {
			return err
		}
	}
	encode, ok := map[string]func(io.Writer) error{
		".png":  func(w io.Writer) error { return png.Encode(w, m) },
		".jpg":  func(w io.Writer) error { return jpeg.Encode(w, m, nil) },
		".jpeg": func(w io.Writer) error { return jpeg.Encode(w, m, nil) },
	}[strings.ToLower(filepath.Ext(path))]
	if !ok {
		err := fmt.Errorf("no image format has the extension %q; use .png or .jpg", filepath.Ext(path))
		return fileError("WriteImage", path, err)
	}
	if m.Bounds().Empty() { // package jpeg would write a file that is no JPEG image
		return fileError("WriteImage", path, errors.New("the image has no pixels"))
	}
	return replaceFile("WriteImage", path, encode)
}
