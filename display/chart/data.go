package chart

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/plot/plotter"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/typename"
)

// numbers returns the elements of v, an argument of op, as float64s. It fails unless v is a tensor of rank 0 or 1, a
// column of a table, or a slice or an array of numbers or of scalar tensors.
func numbers(op string, v any) []float64 {
	switch v := v.(type) {
	case nv.Tensor:
		if v.Valid() && v.Rank() > 1 {
			hint := "choose a row or column: x[0], x[:, 0]"
			if v.Rank() > 2 {
				hint = "choose a vector: x[" + strings.Repeat("0, ", v.Rank()-2) + "0]"
			}
			fail(op, v, "a tensor of rank 0 or 1 is needed", hint)
		}
		return valuesIn(op, v)
	case []nv.Tensor:
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = x.Float()
		}
		return out
	case []float64:
		return v
	case *nv.Column:
		return nv.Values[float64](v.Tensor(nv.F64))
	}
	s := reflect.ValueOf(v)
	if k := s.Kind(); k != reflect.Slice && k != reflect.Array {
		hint := "give a tensor, a slice of numbers or of scalar tensors, or t.Col(name)"
		switch {
		case op == "Hist" && s.CanInt():
			hint = fmt.Sprintf("the number of bins is chart.Bins(%d)", v)
		case k == reflect.String:
			hint = fmt.Sprintf("a title is chart.Title(%q), a name in the legend chart.Legend(%[1]q)", v)
		}
		fail(op, v, "neither tensor, slice nor column", hint)
	}
	out := make([]float64, s.Len())
	for i := range out {
		out[i] = number(op, v, s.Index(i))
	}
	return out
}

// valuesIn returns the elements of x. It fails if they are complex numbers.
func valuesIn(op string, x nv.Tensor) []float64 {
	if x.Valid() && x.DType().Is(dtype.Complex) {
		fail(op, x, "its elements are not real numbers", "choose a part: nv.Abs(x), nv.Real(x), nv.Imag(x)")
	}
	return nv.Values[float64](x)
}

// number returns e as a float64. e is an element of v, an argument of op.
func number(op string, v any, e reflect.Value) float64 {
	x, ok := realNumber(e)
	if !ok {
		fail(op, v, "its elements are not real numbers", "convert them to float64")
	}
	return x
}

// realNumber returns e as a float64. ok is false if e is neither a real number nor a tensor.
func realNumber(e reflect.Value) (x float64, ok bool) {
	if e.Kind() == reflect.Interface {
		e = e.Elem()
	}
	switch {
	case e.CanFloat():
		return e.Float(), true
	case e.CanInt():
		return float64(e.Int()), true
	case e.CanUint():
		return float64(e.Uint()), true
	case e.IsValid() && e.Type() == reflect.TypeFor[nv.Tensor]():
		return e.Interface().(nv.Tensor).Float(), true
	}
	return 0, false
}

// arguments holds all arguments of a chart function, for an error that is not about one of them.
type arguments []any

// fail panics with an error of the chart function op about v, which is an argument or all arguments of op.
func fail(op string, v any, reason, hint string) {
	panic(&nv.Error{Op: "chart." + op, Operands: describe(v), Reason: reason, Hint: hint})
}

// describe returns the type of an argument, or the types of all arguments, for an error.
func describe(v any) string {
	switch v := v.(type) {
	case arguments:
		texts := make([]string, len(v))
		for i, arg := range v {
			texts[i] = describe(arg)
		}
		return strings.Join(texts, ", ")
	case nv.Tensor:
		if v.Valid() {
			return v.Typed().String() + v.Shape().String()
		}
	}
	return typename.Of(v)
}

// A series holds the values to draw, and the name of the table column that contains them, or "".
type series struct {
	name   string
	values []float64
	points plotter.XYs // set by seriesOf
}

// valuesOf returns the series in data, without points: one for each vector, and one for each column of a matrix.
func valuesOf(op string, data []any) (all []series) {
	if len(data) == 0 {
		fail(op, arguments(data), "no data", "give a tensor, a slice of numbers or a column of a table")
	}
	for _, v := range data {
		x, ok := v.(nv.Tensor)
		if !ok || !x.Valid() || x.Rank() != 2 {
			all = append(all, series{name: nameOf(v), values: numbers(op, v)})
			continue
		}
		values, rows, cols := valuesIn(op, x), x.Shape()[0], x.Shape()[1]
		if cols > len(colors) {
			fail(op, x, fmt.Sprintf("%d columns are too many series to tell apart, at most %d are drawn", cols, len(colors)),
				fmt.Sprintf("choose some, as x[:, :%d], or chart.Heat(x)", len(colors)))
		}
		for k := range cols {
			column := make([]float64, rows)
			for i := range column {
				column[i] = values[i*cols+k]
			}
			all = append(all, series{values: column})
		}
	}
	return all
}

// nameOf returns the name of v if v is a column of a table, otherwise "".
func nameOf(v any) string {
	if c, ok := v.(*nv.Column); ok && c != nil {
		return c.Name()
	}
	return ""
}

// seriesOf returns the series in data with their points. If data has several elements, the first holds the x
// coordinates of all series; otherwise the x coordinates are 0, 1, 2, ... Points that cannot be placed on the axes
// are left out. The names of table columns label the axes.
func (s *settings) seriesOf(op string, data []any) []series {
	var xs []float64
	if len(data) > 1 {
		xs = numbers(op, data[0])
		if s.x == "" {
			s.x = nameOf(data[0])
		}
		data = data[1:]
	}
	all := valuesOf(op, data)
	for k := range all {
		ys := all[k].values
		if xs != nil && len(xs) != len(ys) {
			fail(op, data[0], fmt.Sprintf("xs and ys have lengths %d and %d", len(xs), len(ys)), "give the same number of each")
		}
		// The slice is allocated at once: while append copied a large slice, the goroutine could not be preempted.
		all[k].points = make(plotter.XYs, 0, len(ys))
		for i, y := range ys {
			p := point{X: float64(i), Y: y}
			if xs != nil {
				p.X = xs[i]
			}
			if drawable(p.X, s.logX) && drawable(p.Y, s.logY) {
				all[k].points = append(all[k].points, p)
			}
		}
	}
	s.labelSingle(all)
	return all
}

// labelSingle uses the name of a single series as the label of the y axis instead of in the legend.
func (s *settings) labelSingle(all []series) {
	if len(all) == 1 {
		if s.y == "" {
			s.y = all[0].name
		}
		all[0].name = ""
	}
}

// A point is the coordinates of a value in a chart.
type point = plotter.XY

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// thin returns at most 2n points of ps: the lowest and the highest of each of n runs of neighbouring points. A line
// through them looks the same.
func thin(ps []point, n int) []point {
	if len(ps) <= 2*n {
		return ps
	}
	out := make([]point, 0, 2*n)
	for i := range n {
		run := ps[i*len(ps)/n : (i+1)*len(ps)/n]
		lo, hi := 0, 0
		for k, p := range run {
			if p.Y < run[lo].Y {
				lo = k
			}
			if p.Y > run[hi].Y {
				hi = k
			}
		}
		out = append(out, run[min(lo, hi)])
		if lo != hi {
			out = append(out, run[max(lo, hi)])
		}
	}
	return out
}
