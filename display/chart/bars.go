package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	nv "github.com/goanvil/notebook/anvil"
)

// Bar returns a bar chart: chart.Bar(ys), or chart.Bar([]string{"a", "b"}, ys) for names below the bars. The bars of
// several series stand side by side. If there are very many bars, every n-th name is shown.
func Bar(args ...any) *plot.Plot {
	s, data := settingsOf("Bar", args)
	var names []string
	if len(data) > 0 {
		if names = slices.Clone(texts(data[0])); names != nil {
			data = data[1:]
		}
	}
	series := valuesOf("Bar", data)
	s.labelSingle(series)
	p := s.newPlot()
	count := 0
	for i, y := range series {
		count = max(count, len(y.values))
		if names != nil && len(y.values) != len(names) {
			fail("Bar", data[0], fmt.Sprintf("names and values have lengths %d and %d", len(names), len(y.values)),
				"give the same number of each")
		}
		width := groupWidth / float64(len(series))
		b := bars{values: y.values, from: float64(i)/float64(len(series))*groupWidth - groupWidth/2, width: width, series: i}
		if len(y.values) > 0 {
			p.Add(b)
		}
		s.addToLegend(p, i, y.name, b)
	}
	if names == nil && count <= maxNames {
		for i := range count {
			names = append(names, strconv.Itoa(i))
		}
	}
	every := max(1, (count+maxNames-1)/maxNames)
	for i := range names {
		if i%every != 0 {
			names[i] = ""
		}
	}
	if count > 0 && names != nil {
		p.NominalX(names...)
		p.X.Width, p.X.Padding = vg.Points(0.5), 0
		p.X.Min, p.X.Max = nominalRange(count)
	}
	return s.finish(p)
}

// maxNames is the greatest number of names below the bars.
const maxNames = 30

// groupWidth is the total width of the bars at one name. groupGap is the distance to the bars at the next name.
const groupWidth, groupGap = 0.8, 0.2

// nominalRange returns the range of an x axis with n names, which stand at 0, 1, 2, ...
func nominalRange(n int) (low, high float64) {
	const margin = groupWidth/2 + groupGap
	return -margin, float64(n-1) + margin
}

// bars are one series of Bar.
type bars struct {
	values      []float64
	from, width float64 // the left edge of the first bar, and the width of each bar
	series      int     // the index of the series, which determines the colour
}

// DataRange implements plot.DataRanger.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, v := range b.values {
		if finite(v) {
			ymin, ymax = min(ymin, v), max(ymax, v)
		}
	}
	xmin, xmax = nominalRange(len(b.values))
	return xmin, xmax, ymin, ymax
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, v := range b.values {
		if finite(v) {
			left := float64(i) + b.from
			b.fill(c, x(left), x(left+b.width), y(0), y(v))
		}
	}
}

// Thumbnail draws the sample of the series in the legend.
func (b bars) Thumbnail(c *draw.Canvas) { b.fill(*c, c.Min.X, c.Max.X, c.Min.Y, c.Max.Y) }

// fill draws a bar. The bars of every second series are lighter, so that neighbours can be told apart without colour.
func (b bars) fill(c draw.Canvas, left, right, low, high vg.Length) {
	corners := []vg.Point{{X: left, Y: low}, {X: left, Y: high}, {X: right, Y: high}, {X: right, Y: low}}
	if col := colorOf(b.series); b.series%2 == 0 {
		c.FillPolygon(col, corners)
	} else {
		c.FillPolygon(lighter(col), corners)
	}
	edge := draw.LineStyle{Color: colorOf(b.series), Width: vg.Points(1)}
	c.StrokeLines(edge, append(corners, corners[0]))
}

// Hist returns a histogram of each series: chart.Hist(x), chart.Hist(x, y). A histogram has 20 bins, or n bins with
// the option chart.Bins(n).
func Hist(args ...any) *plot.Plot {
	s, data := settingsOf("Hist", args)
	n := s.bins
	if n <= 0 {
		n = 20
	}
	series := valuesOf("Hist", data)
	if s.x == "" && len(series) == 1 {
		s.x, series[0].name = series[0].name, ""
	}
	p := s.newPlot()
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range series {
		finites := make([]float64, 0, len(series[i].values))
		for _, v := range series[i].values {
			if finite(v) {
				finites, lo, hi = append(finites, v), min(lo, v), max(hi, v)
			}
		}
		series[i].values = finites
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	width := (hi - lo) / float64(n)
	if math.IsInf(width, 1) || width == 0 {
		fail("Hist", series[0].values, fmt.Sprintf("values from %g to %g cannot be divided into bins", lo, hi), "")
	}
	for i, y := range series {
		if len(y.values) == 0 {
			continue
		}
		h := &plotter.Histogram{Width: width, FillColor: lighter(colorOf(i)),
			LineStyle: draw.LineStyle{Color: colorOf(i), Width: vg.Points(1), Dashes: dashes[i%len(dashes)]}, LogY: s.logY}
		for k := range n {
			h.Bins = append(h.Bins, plotter.HistogramBin{Min: lo + float64(k)*h.Width, Max: lo + float64(k+1)*h.Width})
		}
		for _, v := range y.values {
			h.Bins[min(n-1, int((v-lo)/h.Width))].Weight++
		}
		p.Add(h)
		s.addToLegend(p, i, y.name, h)
	}
	if s.logY {
		p.Y.Min = 0.5 // below 1, so that bins with one value are visible
	}
	return s.finish(p)
}

// Box returns a box plot of each series: the median, the quartiles, whiskers to the furthest values within 1.5
// interquartile ranges of the box, and the values beyond the whiskers as points.
func Box(args ...any) *plot.Plot {
	s, data := settingsOf("Box", args)
	p := s.newPlot()
	var names []string
	for i, y := range valuesOf("Box", data) {
		name := y.name
		if i < len(s.legend) {
			name = s.legend[i]
		} else if name == "" {
			name = strconv.Itoa(i)
		}
		names = append(names, name)
		values := make(plotter.Values, 0, len(y.values))
		for _, v := range y.values {
			if drawable(v, s.logY) {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			continue
		}
		box, err := plotter.NewBoxPlot(vg.Points(30), float64(i), values)
		if err != nil {
			fail("Box", data[0], err.Error(), "")
		}
		box.FillColor, box.BoxStyle.Color = lighter(colorOf(i)), colorOf(i)
		p.Add(box)
	}
	if len(names) > 0 { // a matrix may have no columns
		p.NominalX(names...)
		p.X.Width, p.X.Padding = vg.Points(0.5), vg.Points(4)
		p.X.Min, p.X.Max = nominalRange(len(names))
	}
	return s.finish(p)
}

// texts returns v if v is a slice of strings, the texts of v if v is a column of texts, and otherwise nil.
func texts(v any) []string {
	switch v := v.(type) {
	case []string:
		return v
	case *nv.Column:
		if v.Kind() == "texts" {
			return v.Texts()
		}
	}
	return nil
}
