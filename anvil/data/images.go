package data

import (
	"fmt"
	"image"
	_ "image/gif" // for image.Decode
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/memory"
)

// imageExtensions are the extensions of the files that FromImages reads.
var imageExtensions = []string{".png", ".jpg", ".jpeg", ".gif"}

// FromImages returns the PNG, JPEG and GIF images in the subfolders of a folder, one for each
// class: "cats/1.png", "dogs/7.jpg". X, f32{n,height,width,3}, has the red, green and blue of each pixel
// between 0 and 1; images of another size are scaled, and transparent ones are drawn on black. Classes
// are the sorted names of the subfolders, and Y, i32{n}, has the index in Classes of each image.
func FromImages(folder string, height, width int) (Set, error) {
	return In(nv.Default()).FromImages(folder, height, width)
}

// FromImages returns the images in a folder, as the function FromImages does.
func (s Source) FromImages(folder string, height, width int) (Set, error) {
	fail := func(reason string) (Set, error) {
		return Set{}, &nv.Error{Op: "data.FromImages", Operands: fmt.Sprintf("%q", folder), Reason: reason}
	}
	if height < 1 || width < 1 {
		return fail(fmt.Sprintf("images cannot be %d x %d", height, width))
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fail(err.Error())
	}
	var pixels []float32
	var labels []int32
	var classes []string
	for _, e := range entries { // sorted by name
		if !e.IsDir() {
			continue
		}
		files, err := os.ReadDir(filepath.Join(folder, e.Name()))
		if err != nil {
			return fail(err.Error())
		}
		for _, f := range files {
			if f.IsDir() || !slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(f.Name()))) {
				continue
			}
			if pixels, err = appendImage(pixels, filepath.Join(folder, e.Name(), f.Name()), height, width); err != nil {
				return fail(err.Error())
			}
			labels = append(labels, int32(len(classes)))
		}
		classes = append(classes, e.Name())
	}
	if len(labels) == 0 {
		return fail("the subfolders have no file that ends in " + strings.Join(imageExtensions, ", ") +
			"; put the images of each class into a subfolder")
	}
	x := s.ctx.New(pixels).Reshape(nv.Shape{len(labels), height, width, 3})
	return Set{X: x, Y: s.ctx.New(labels), Classes: classes}, nil
}

// appendImage scales the image in a file to height and width, and appends the red, green and blue of each pixel.
func appendImage(pixels []float32, file string, height, width int) ([]float32, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var source image.Image
	checked, err := memory.CheckPicture(r)
	if err == nil {
		source, _, err = image.Decode(checked)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	scaled := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.BiLinear.Scale(scaled, scaled.Bounds(), source, source.Bounds(), draw.Src, nil)
	for i := range height * width {
		for _, level := range scaled.Pix[4*i : 4*i+3] {
			pixels = append(pixels, float32(level)/255)
		}
	}
	return pixels, nil
}
