package chart

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0.1, 3.08, "0.5 1.0 1.5 2.0 2.5 3.0"},
		{-2.774, 3.311, "-2 -1 0 1 2 3"},
		{-1.43, 6.97, "0 2 4 6"},
		{0, 15, "0.0 2.5 5.0 7.5 10.0 12.5 15.0"},
		{0, 40.99, "0 10 20 30 40"},
		{1e9, 1e9 + 1, "1000000000 1000000000.2 1000000000.4 1000000000.6 1000000000.8 1000000001"},
		{0, 5e-9, "0 1e-09 2e-09 3e-09 4e-09 5e-09"},
		{7, 7, "7"},
		{-math.MaxFloat64, math.MaxFloat64, "-1e+308 0 1e+308"},
		{math.Inf(1), math.Inf(-1), "+Inf"},
	} {
		var labels []string
		for _, m := range (ticks{}).Ticks(c.lo, c.hi) {
			labels = append(labels, m.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// TestBoundsOfNothing checks that a matrix without finite values has the bounds 0 and 0.
func TestBoundsOfNothing(t *testing.T) {
	if lo, hi := (grid{values: []float64{math.NaN(), math.Inf(1)}}).bounds(); lo != 0 || hi != 0 {
		t.Errorf("bounds %v to %v", lo, hi)
	}
	if lo, hi := (grid{values: []float64{math.NaN(), 3, -1}}).bounds(); lo != -1 || hi != 3 {
		t.Errorf("bounds %v to %v", lo, hi)
	}
}

// TestPictures checks the pixels of a matrix: rectangles of equal size in the shades of viridis, and nothing for NaN.
func TestPictures(t *testing.T) {
	dark, middle, bright := shades[0], shades[4], shades[8]
	for _, g := range []grid{
		{[]float64{0, 2, 4, math.NaN(), 4, 0}, 2, 3}, {[]float64{0, 4}, 1, 2}, {[]float64{0, 2, 4}, 3, 1},
	} {
		img := g.picture(0, 4)
		size := img.Bounds()
		w, h := size.Dx()/g.cols, size.Dy()/g.rows
		if size.Min != (image.Point{}) || w*g.cols != size.Dx() || h*g.rows != size.Dy() ||
			size.Dx()+g.cols <= maxPixels || size.Dy()+g.rows <= maxPixels || size.Dx() > maxPixels || size.Dy() > maxPixels {
			t.Fatalf("%d x %d elements are %v", g.rows, g.cols, size)
		}
		for x := range size.Dx() {
			for y := range size.Dy() {
				v := g.values[y/h*g.cols+x/w]
				want := map[float64]color.RGBA{0: dark, 2: middle, 4: bright}[v]
				if got := img.At(x, y); got != want {
					t.Fatalf("(%d, %d) of %v is %v, want %v", x, y, g.values, got, want)
				}
			}
		}
	}
	for n, want := range map[int]int{
		1: maxPixels, maxPixels: maxPixels, maxPixels + 1: maxPixels, maxPixels - 1: maxPixels - 1, maxPixels/2 + 1: maxPixels/2 + 1,
	} {
		if got := pixelsFor(n); got != want {
			t.Errorf("%d pixels for %d elements, want %d", got, n, want)
		}
	}
	half := color.RGBA{
		uint8((int(shades[0].R) + int(shades[1].R) + 1) / 2), uint8((int(shades[0].G) + int(shades[1].G) + 1) / 2),
		uint8((int(shades[0].B) + int(shades[1].B) + 1) / 2), 0xff,
	}
	if got := shade(1.0 / 16); got != half {
		t.Errorf("the shade between the first two is %v, want %v", got, half)
	}
}

// TestBarsInView checks that the axis of few bars shows all of them, with room at the sides.
func TestBarsInView(t *testing.T) {
	for n, want := range map[int][2]float64{1: {-0.6, 0.6}, 3: {-0.6, 2.6}, maxNames: {-0.6, maxNames - 0.4}} {
		p := Bar(make([]float64, n))
		if p.X.Min != want[0] || math.Abs(p.X.Max-want[1]) > 1e-9 {
			t.Errorf("%d bars from %g to %g, want %v", n, p.X.Min, p.X.Max, want)
		}
	}
	if p := Bar([]float64{}); p.X.Min != 0 || p.X.Max != 1 {
		t.Errorf("no bars from %g to %g", p.X.Min, p.X.Max)
	}
}
