// Command gen writes the files of the kernel's logo: a tensor with one translucent element,
// on an anvil.
//
//	go generate ./kernelspec
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"strings"

	"golang.org/x/image/vector"
)

// size is the side length of the square in which the shapes are drawn.
const size = 64

type point struct{ x, y float32 }

// A shape is a filled polygon.
type shape struct {
	fill   color.NRGBA
	points []point
}

var (
	steel       = color.NRGBA{0x2f, 0x6f, 0x8f, 0xff}
	ember       = color.NRGBA{0xf2, 0x9f, 0x3d, 0xff}
	translucent = color.NRGBA{0xf2, 0x9f, 0x3d, 0x66}
)

// shapes are drawn in this order.
var shapes = append([]shape{anvil}, elements()...)

// anvil is the shape of an anvil with its horn on the left.
var anvil = shape{steel, []point{
	{3, 30}, {20, 31}, {20, 27}, {61, 27}, {61, 35}, {48, 38}, {43, 44}, {43, 49},
	{53, 53}, {53, 60}, {15, 60}, {15, 53}, {25, 49}, {25, 44}, {21, 41}, {11, 37},
}}

// elements returns the squares of a tensor of 2 by 3 elements, the last one translucent.
func elements() []shape {
	const side, gap, left, top = 9, 2, 24, 4
	var all []shape
	for row := range 2 {
		for col := range 3 {
			x, y := float32(left+col*(side+gap)), float32(top+row*(side+gap))
			fill := ember
			if row == 1 && col == 2 {
				fill = translucent
			}
			all = append(all, shape{fill, []point{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}})
		}
	}
	return all
}

func main() {
	log.SetFlags(0)
	write("kernelspec/logo-svg.svg", svg())
	for _, n := range []int{32, 64} {
		var b bytes.Buffer
		if err := png.Encode(&b, raster(n)); err != nil {
			log.Fatal(err)
		}
		write(fmt.Sprintf("kernelspec/logo-%dx%d.png", n, n), b.Bytes())
	}
}

// write writes data to path, which is relative to the module's root. go generate runs this
// program in the folder kernelspec; write then drops that folder from path.
func write(path string, data []byte) {
	if _, err := os.Stat("kernelspec"); err != nil {
		path = strings.TrimPrefix(path, "kernelspec/")
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		log.Fatal(err)
	}
}

// raster returns the logo as an image of n by n pixels.
func raster(n int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	scale := float32(n) / size
	for _, s := range shapes {
		r := vector.NewRasterizer(n, n)
		r.MoveTo(s.points[0].x*scale, s.points[0].y*scale)
		for _, p := range s.points[1:] {
			r.LineTo(p.x*scale, p.y*scale)
		}
		r.ClosePath()
		r.Draw(img, img.Bounds(), image.NewUniform(s.fill), image.Point{})
	}
	return img
}

// svg returns the logo as an SVG file.
func svg() []byte {
	var b bytes.Buffer
	const head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n" +
		"<title>goanvil</title>\n"
	fmt.Fprintf(&b, head, size, size)
	for _, s := range shapes {
		var points []string
		for _, p := range s.points {
			points = append(points, fmt.Sprintf("%g,%g", p.x, p.y))
		}
		fmt.Fprintf(&b, "<polygon fill=\"#%02x%02x%02x\" fill-opacity=\"%.2g\" points=\"%s\"/>\n",
			s.fill.R, s.fill.G, s.fill.B, float64(s.fill.A)/255, strings.Join(points, " "))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
