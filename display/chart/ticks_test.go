package chart

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
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
	names := make([]string, 2*maxNames+1)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	shown := 0
	for _, tick := range Bar(names, make([]float64, len(names))).X.Tick.Marker.Ticks(0, 100) {
		if tick.Label != "" {
			if shown++; tick.Label != strconv.Itoa(int(tick.Value)) {
				t.Errorf("%s stands below bar %g", tick.Label, tick.Value)
			}
		}
	}
	if shown != 21 || names[1] != "1" {
		t.Errorf("%d names of %d are shown; the second is %q", shown, len(names), names[1])
	}
	if p := Bar([]float64{}); p.X.Min != 0 || p.X.Max != 1 {
		t.Errorf("no bars from %g to %g", p.X.Min, p.X.Max)
	}
}

// TestLevelsOnce checks that the legend of a contour chart, for which there is room above the data, names each of few
// levels once.
func TestLevelsOnce(t *testing.T) {
	for bins, named := range map[int]float64{1: 1, 2: 2, 5: 3} {
		p := Contour([][]int{{0, 1}, {1, 2}}, Bins(bins))
		if room := 0.08 * named; math.Abs(p.Y.Max-1/(1-room)) > 1e-9 {
			t.Errorf("%d levels: the y axis ends at %g", bins, p.Y.Max)
		}
	}
}

// TestAxes checks the range and the ticks of axes, and the room for the legend above the data.
func TestAxes(t *testing.T) {
	for _, c := range []struct {
		min, max   float64
		log        bool
		lo, hi     float64
		ticksOfLog bool
	}{
		{1, 2, false, 1, 2, false}, {5, 5, false, 5, 5, false}, {math.Inf(1), math.Inf(-1), false, 0, 1, false},
		{1, 100, true, 1, 100, true}, {1, 10, true, 1, 10, true}, {2, 19, true, 2, 19, false},
		{5, 5, true, 2.5, 10, false}, {math.Inf(1), math.Inf(-1), true, 1, 10, true},
	} {
		a := plot.New().Y
		a.Min, a.Max = c.min, c.max
		setAxis(&a, c.log)
		logTicks := a.Tick.Marker == plot.LogTicks{Prec: 4}
		_, logScale := a.Scale.(plot.LogScale)
		if a.Min != c.lo || a.Max != c.hi || logTicks != c.ticksOfLog || logScale != c.log {
			t.Errorf("%g to %g, logarithmic %v: %g to %g, with the ticks %T", c.min, c.max, c.log, a.Min, a.Max,
				a.Tick.Marker)
		}
	}
	for _, c := range []struct {
		named  int
		log    bool
		lo, hi float64
		want   float64 // hi with room for the legend: 8 % of the height for each name, and half of it at most
	}{
		{0, false, 2, 3, 3}, {2, false, 16, 100, 116}, {1, false, 0, 92, 100}, {6, false, 0, 52, 100},
		{7, false, 0, 50, 100}, {100, false, 0, 50, 100}, {2, true, 1, math.Pow(10, 0.84), 10}, {0, true, 1, 10, 10},
	} {
		p := plot.New()
		p.Y.Min, p.Y.Max = c.lo, c.hi
		(&settings{named: c.named, logY: c.log}).finish(p)
		if p.Y.Min != c.lo || math.Abs(p.Y.Max-c.want) > 1e-9 {
			t.Errorf("%d names above %g to %g: %g to %g, want %g", c.named, c.lo, c.hi, p.Y.Min, p.Y.Max, c.want)
		}
	}
	for _, c := range []struct {
		v        float64
		log, can bool
	}{
		{1, false, true}, {0, false, true}, {-1, false, true}, {math.NaN(), false, false}, {math.Inf(-1), false, false},
		{1, true, true}, {0, true, false}, {-1, true, false}, {math.Inf(1), true, false},
	} {
		if drawable(c.v, c.log) != c.can {
			t.Errorf("%g is drawable, logarithmic %v: %v", c.v, c.log, !c.can)
		}
	}
}

// TestLabels checks the texts beside a scale and an axis of a matrix.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		lo, hi, part float64
		want         string
	}{
		{0, 4, 0.25, "1"}, {1, 2, 1, "2"}, {-1, 1, 0.5, "0"}, {-1, 1.0001, 0.5, "0"}, {-1, 1.0004, 0.5, "0.0002"},
		{1e-9, 4e-9, 0.25, "1.75e-09"}, {123456, 123456, 0, "1.235e+05"}, {-2, 0, 0.5, "-1"},
	} {
		if got := (scaleBar{lo: c.lo, hi: c.hi}).label(c.part); got != c.want {
			t.Errorf("%g of %g to %g: %s, want %s", c.part, c.lo, c.hi, got, c.want)
		}
	}
	for _, c := range []struct {
		label string
		n     int
		want  string
	}{
		{"", 600, "row"}, {"", 601, "row (600 of 601 shown)"}, {"y", 3, "y"}, {"y", 1000, "y (600 of 1000 shown)"},
	} {
		if got := axisLabel(c.label, "row", c.n); got != c.want {
			t.Errorf("%q, %d rows: %s, want %s", c.label, c.n, got, c.want)
		}
	}
}
