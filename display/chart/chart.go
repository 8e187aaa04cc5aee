// Package chart draws numbers: lines, points, bars, histograms, heat maps and more.
//
//	chart.Line(losses)                                      // over 0, 1, 2 ...
//	chart.Line(xs, train, test, chart.Legend("train", "test"), chart.LogY())
//	chart.Scatter(t.Col("length"), t.Col("width"))          // columns of a table
//	chart.Func(math.Sin, 0, 6, chart.Title("sine"))
//	chart.Grid(2, p, q)                                     // two charts in a row
//
// A series is a tensor of rank 1, a slice of numbers or of scalar tensors, or a column of
// a table. Each column of a matrix is a series. Values that are not finite are left out.
// A chart is a *plot.Plot of gonum, which can be changed before it is shown, as
// in p.X.Max = 10.
package chart

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/display"
)

// maxPoints is the greatest number of points of a series that Line and Scatter draw.
const maxPoints = 2000

// Line returns a chart of lines: chart.Line(ys) over 0, 1, 2 ..., chart.Line(xs, ys), or
// several lines over the same xs: chart.Line(xs, y1, y2). Its options are chart.Title("loss"),
// chart.Labels("x", "y"), chart.Legend("a", "b"), chart.LogX() and chart.LogY().
//
// If there are very many points, only the lowest and the highest point of each run of neighbouring points are drawn.
func Line(args ...any) *plot.Plot {
	s, data := settingsOf("Line", args)
	return s.line(data)
}

// line returns the chart of Line.
func (s *settings) line(data []any) *plot.Plot {
	return s.finish(s.plotSeries("Line", data, func(p *plot.Plot, i int, points plotter.XYs) plot.Thumbnailer {
		line := &plotter.Line{XYs: thin(points, maxPoints/2), LineStyle: lineStyle(i)}
		p.Add(line)
		return line
	}))
}

// plotSeries returns a plot of the series in data, the arguments of op. add adds series i, which has points, to p, and
// returns its sample for the legend.
func (s *settings) plotSeries(
	op string, data []any, add func(p *plot.Plot, i int, points plotter.XYs) plot.Thumbnailer,
) *plot.Plot {
	all := s.seriesOf(op, data)
	p := s.newPlot()
	p.Add(plotter.NewGrid())
	for i, y := range all {
		if len(y.points) > 0 {
			s.addToLegend(p, i, y.name, add(p, i, y.points))
		}
	}
	return p
}

// Scatter returns a chart of points: chart.Scatter(xs, ys), or several series over the same
// xs: chart.Scatter(xs, y1, y2). Its options are those of Line, such as chart.Labels("x", "y").
//
// If there are very many points, every n-th is drawn, and the x axis says so.
func Scatter(args ...any) *plot.Plot {
	s, data := settingsOf("Scatter", args)
	return s.finish(s.plotSeries("Scatter", data, func(p *plot.Plot, i int, all plotter.XYs) plot.Thumbnailer {
		step := (len(all) + maxPoints - 1) / maxPoints
		var points plotter.XYs
		for k := 0; k < len(all); k += step {
			points = append(points, all[k])
		}
		if len(points) < len(all) {
			p.X.Label.Text = strings.TrimSpace(fmt.Sprintf("%s (%d of %d points)", s.x, len(points), len(all)))
		}
		dots := &plotter.Scatter{XYs: points, GlyphStyle: glyphStyle(i)}
		p.Add(dots)
		return dots
	}))
}

// Stem returns a chart of points on vertical lines from 0: chart.Stem(ys) or chart.Stem(xs, ys).
// Its options are those of Line.
func Stem(args ...any) *plot.Plot {
	s, data := settingsOf("Stem", args)
	p := s.plotSeries("Stem", data, func(p *plot.Plot, i int, points plotter.XYs) plot.Thumbnailer {
		dots := &plotter.Scatter{XYs: points, GlyphStyle: glyphStyle(i)}
		p.Add(stems{points, lineStyle(i)}, dots)
		return dots
	})
	if !s.logY && p.Y.Min <= p.Y.Max {
		p.Y.Min, p.Y.Max = min(p.Y.Min, 0), max(p.Y.Max, 0)
	}
	return s.finish(p)
}

// stems are the vertical lines of Stem.
type stems struct {
	points plotter.XYs
	style  draw.LineStyle
}

// Plot draws the lines. They start at 0, or if 0 is not on the y axis, at the end of the axis that is nearer to 0.
func (s stems) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	foot := y(max(p.Y.Min, min(0, p.Y.Max)))
	for _, at := range s.points {
		c.StrokeLine2(s.style, x(at.X), foot, x(at.X), y(at.Y))
	}
}

// ErrorBars returns a chart of points with vertical bars from y-err to y+err:
// chart.ErrorBars(xs, ys, errs).
func ErrorBars(args ...any) *plot.Plot {
	s, data := settingsOf("ErrorBars", args)
	if len(data) != 3 {
		fail("ErrorBars", arguments(data), fmt.Sprintf("the number of arguments is %d", len(data)), "give xs, ys and their errors")
	}
	xs, ys, errs := numbers("ErrorBars", data[0]), numbers("ErrorBars", data[1]), numbers("ErrorBars", data[2])
	if len(xs) != len(ys) || len(ys) != len(errs) {
		fail("ErrorBars", data[0], fmt.Sprintf("xs, ys and errors have lengths %d, %d and %d", len(xs), len(ys), len(errs)),
			"give the same number of each")
	}
	var bars struct {
		plotter.XYs
		plotter.YErrors
	}
	for i, err := range errs {
		if drawable(xs[i], s.logX) && drawable(ys[i]-err, s.logY) && finite(ys[i]+err) {
			bars.XYs = append(bars.XYs, point{X: xs[i], Y: ys[i]})
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{err, err})
		}
	}
	p := s.newPlot()
	p.Add(plotter.NewGrid())
	if len(bars.XYs) > 0 {
		dots := &plotter.Scatter{XYs: bars.XYs, GlyphStyle: glyphStyle(0)}
		lines := &plotter.YErrorBars{XYs: bars.XYs, YErrors: bars.YErrors, LineStyle: lineStyle(0), CapWidth: vg.Points(6)}
		p.Add(lines, dots)
		s.addToLegend(p, 0, nameOf(data[1]), dots)
	}
	return s.finish(p)
}

// funcPoints is the number of points at which Func evaluates a function.
const funcPoints = 500

// Func returns a chart of functions from lo to hi: chart.Func(math.Sin, 0, 6). A function
// takes and returns a float64 or a tensor; tensor functions get all points as f64.
func Func(args ...any) *plot.Plot {
	const hint = "write chart.Func(f, 0, 1), where f takes and returns a float64"
	s, data := settingsOf("Func", args)
	var fs []any
	var ends []float64
	for _, arg := range data {
		switch arg.(type) {
		case func(float64) float64, func(nv.Tensor) nv.Tensor:
			fs = append(fs, arg)
		default:
			end, ok := realNumber(reflect.ValueOf(arg))
			if !ok {
				fail("Func", arg, "neither a number nor a function of float64 or of tensors", hint)
			}
			ends = append(ends, end)
		}
	}
	if len(fs) == 0 || len(ends) != 2 || !(ends[0] < ends[1]) || s.logX && ends[0] <= 0 {
		fail("Func", arguments(data), "functions and two numbers lo < hi are needed (both positive with chart.LogX)", hint)
	}
	xs := make([]float64, funcPoints)
	for i := range xs {
		part := float64(i) / (funcPoints - 1) // from 0 to 1
		if xs[i] = ends[0] + part*(ends[1]-ends[0]); s.logX {
			xs[i] = ends[0] * math.Pow(ends[1]/ends[0], part)
		}
	}
	out := []any{xs}
	for _, f := range fs {
		ys := make([]float64, funcPoints)
		switch f := f.(type) {
		case func(float64) float64:
			for i, x := range xs {
				ys[i] = f(x)
			}
		case func(nv.Tensor) nv.Tensor:
			if ys = numbers("Func", f(nv.New(xs, nv.F64))); len(ys) != len(xs) {
				fail("Func", f, fmt.Sprintf("the function is given %d points and returns a tensor of size %d", len(xs), len(ys)),
					"return an element for each point; for a constant return nv.FullLike(x, 2)")
			}
		}
		out = append(out, ys)
	}
	return s.line(out)
}

// Grid returns charts as one picture, with as many charts in a row as columns says.
func Grid(columns int, charts ...*plot.Plot) display.Plots {
	if columns < 1 || len(charts) == 0 {
		fail("Grid", columns, "at least 1 column and 1 chart are needed", "write chart.Grid(2, chart.Line(a), chart.Line(b))")
	}
	return display.Plots{Columns: columns, Plots: charts}
}

// addToLegend adds series i to the legend of p. The option Legend takes precedence over name. If neither gives a name,
// addToLegend does nothing. sample draws the series in the legend.
func (s *settings) addToLegend(p *plot.Plot, i int, name string, sample plot.Thumbnailer) {
	if i < len(s.legend) {
		name = s.legend[i]
	}
	if name != "" {
		p.Legend.Add(name, sample)
		s.named++
	}
}
