package display

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A picture is a drawing as a PNG, in the coordinates of the drawing.
type picture struct{ image.Image }

func pictureOf(t *testing.T, d *drawing) picture {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(d.png()))
	if err != nil {
		t.Fatal(err)
	}
	if size := p.Bounds().Size(); math.Abs(float64(size.X)/2-d.width) > 1 || math.Abs(float64(size.Y)/2-d.height) > 1 {
		t.Fatalf("the picture has %v pixels, the drawing the size %.1f x %.1f", size, d.width, d.height)
	}
	return picture{p}
}

// at returns the colour at (x, y) of the drawing.
func (p picture) at(x, y float64) color.RGBA {
	return color.RGBAModel.Convert(p.At(int(2*x), int(2*y))).(color.RGBA)
}

// inked reports whether a line or a letter is at (x, y).
func (p picture) inked(x, y float64) bool { return p.at(x, y).R < 0x80 }

// labelRect matches the background of a label in SVG.
var labelRect = regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="(16)" rx="3" fill="(#\w{6})" stroke="none"/>`)

// TestPNG checks that the picture of a drawing shows frames, edges and labels where the SVG does.
func TestPNG(t *testing.T) {
	d := &drawing{}
	from := d.add("from", true, nil)
	to := d.add("ABCDEFGHABCDEFGH", false, []*box{from})
	heavy := d.add("heavy", false, []*box{to})
	bare := d.add("bare", false, []*box{to})
	to.width += 2
	heavy.heavy, bare.bare = true, true
	d.edges = []edge{
		{from: from, to: to, label: "f32{2,3}", dtype: dtype.F32}, {from: from, to: to, label: "i64{}", dtype: dtype.I64},
		{from: from, to: to, label: "f32{2,3}", dtype: dtype.F32}, {from: to, to: heavy, heavy: true}, {from: to, to: bare},
	}
	d.place()
	p := pictureOf(t, d)

	rects := labelRect.FindAllStringSubmatch(d.svg(), -1)
	if len(rects) != 2 {
		t.Fatalf("%d labels in %s", len(rects), d.svg())
	}
	for _, r := range rects {
		var v [4]float64
		for i := range v {
			v[i], _ = strconv.ParseFloat(r[i+1], 64)
		}
		left, top, right, bottom := v[0], v[1], v[0]+v[2], v[1]+v[3]
		hex := func(x, y float64) string {
			c := p.at(x, y)
			return "#" + strings.TrimPrefix(strconv.FormatInt(1<<24|int64(c.R)<<16|int64(c.G)<<8|int64(c.B), 16), "1")
		}
		for _, at := range [][2]float64{{left + 1, top + 1}, {right - 1, top + 1}, {left + 1, bottom - 1}, {right - 1, bottom - 1}} {
			if got := hex(at[0], at[1]); got != r[5] {
				t.Errorf("at %v is %s, want the ground %s of the label", at, got, r[5])
			}
		}
		if c := hex(right+2, (top+bottom)/2); c != "#ffffff" {
			t.Errorf("to the right of a label is %s", c)
		}
		letters := p.words(left, top, right, bottom)
		if letters.empty() || math.Abs((letters.left+letters.right)/2-(left+right)/2) > charWidth/2 {
			t.Errorf("the letters of a label at %.1f to %.1f are at %+v", left, right, letters)
		}
	}

	words := p.words(to.x-to.width/2+2, to.y-boxHeight/2+2, to.x+to.width/2-2, to.y+boxHeight/2-2)
	if full := charWidth * float64(len(to.label)); words.right-words.left > full || words.right-words.left < 0.95*full {
		t.Errorf("the label of a box is %.1f wide, want nearly %.1f", words.right-words.left, full)
	}
	if math.Abs((words.left+words.right)/2-to.x) > 2 || math.Abs((words.top+words.bottom)/2-to.y) > 2 {
		t.Errorf("the label of the box at %.1f, %.1f is at %+v", to.x, to.y, words)
	}

	for _, b := range []*box{from, to, heavy, bare} {
		left, top, right, bottom := b.x-b.width/2, b.y-boxHeight/2, b.x+b.width/2, b.y+boxHeight/2
		for side, at := range map[string][2]float64{
			"left": {left, b.y}, "right": {right, b.y}, "top": {left + b.width/4, top}, "bottom": {left + b.width/4, bottom},
		} {
			if p.inked(at[0], at[1]) == b.bare {
				t.Errorf("%s: the frame has a line on the %s: %t", b.label, side, b.bare)
			}
		}
		for _, at := range [][2]float64{{left + 4, top}, {right - 4, top}, {left + 4, bottom}, {right - 4, bottom}} {
			if p.inked(at[0], at[1]) != (!b.round && !b.bare) {
				t.Errorf("%s: a line at %v near the corner: %t", b.label, at, p.inked(at[0], at[1]))
			}
		}
		if wide := p.inked(left-1.2, b.y) && p.inked(left+1, b.y); wide != b.heavy {
			t.Errorf("%s: the frame is thick: %t", b.label, wide)
		}
	}
	for _, e := range d.edges {
		x, y := e.from.x, e.from.y+boxHeight/2+10
		if wide := p.inked(x-1.2, y) && p.inked(x+1, y); !p.inked(x, y) || wide != (e.from == to) { // a thick edge covers the other
			t.Errorf("from %s to %s: a line at its start: %t, thick: %t", e.from.label, e.to.label, p.inked(x, y), wide)
		}
		x, y = e.to.x, e.to.y-boxHeight/2
		for _, at := range [][2]float64{{x, y - 4}, {x - 2, y - 5.5}, {x + 2, y - 5.5}} {
			if !p.inked(at[0], at[1]) {
				t.Errorf("to %s: no arrowhead at %v", e.to.label, at)
			}
		}
		if e.from != to && (p.inked(x-3, y-3) || p.inked(x+3, y-3) || p.inked(x-4, y-5.5) || p.inked(x+4, y-5.5)) {
			t.Errorf("to %s: the arrowhead is not pointed", e.to.label)
		}
	}
}

// An extent is the smallest rectangle around something.
type extent struct{ left, top, right, bottom float64 }

func (e extent) empty() bool { return e.left > e.right }

// words returns the extent of the letters in a rectangle.
func (p picture) words(left, top, right, bottom float64) extent {
	e := extent{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for y := top; y < bottom; y += 0.5 {
		for x := left; x < right; x += 0.5 {
			if p.inked(x, y) {
				e = extent{min(e.left, x), min(e.top, y), max(e.right, x+0.5), max(e.bottom, y+0.5)}
			}
		}
	}
	return e
}
