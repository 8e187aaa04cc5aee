package chart

import (
	"fmt"
	"math"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
)

// numbers returns v, a tensor of rank up to 1 or a slice of numbers or of
// scalar tensors, as float64s.
func numbers(op string, v any) []float64 {
	switch v := v.(type) {
	case nv.Tensor:
		if v.Valid() && v.Rank() > 1 {
			fail(op, v, "a tensor of rank 0 or 1 is needed", "choose a row or column: x[0], x[:, 0]")
		}
		return nv.Values[float64](v)
	case []nv.Tensor:
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = x.Float()
		}
		return out
	case []float64:
		return v
	}
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Slice && s.Kind() != reflect.Array {
		fail(op, v, "neither tensor nor slice", "give a tensor, a slice of numbers, or a slice of scalar tensors")
	}
	out := make([]float64, s.Len())
	for i := range out {
		out[i] = number(op, v, s.Index(i))
	}
	return out
}

func number(op string, v any, e reflect.Value) float64 {
	if e.Kind() == reflect.Interface {
		e = e.Elem()
	}
	switch {
	case e.CanFloat():
		return e.Float()
	case e.CanInt():
		return float64(e.Int())
	case e.CanUint():
		return float64(e.Uint())
	case e.IsValid() && e.Type() == reflect.TypeFor[nv.Tensor]():
		return e.Interface().(nv.Tensor).Float()
	}
	fail(op, v, "its elements are not real numbers", "convert them to float64")
	return 0
}

func fail(op string, v any, reason, hint string) {
	operand := fmt.Sprintf("%T", v)
	if x, ok := v.(nv.Tensor); ok && x.Valid() {
		operand = x.Typed().String() + x.Shape().String()
	}
	panic(&nv.Error{Op: "chart." + op, Operands: operand, Reason: reason, Hint: hint})
}

// pairs returns the points of one or two arguments: ys over 0, 1, 2 ..., or xs
// and ys. Points that are not finite are left out.
func pairs(op string, args []any) (points []point) {
	var xs, ys []float64
	switch len(args) {
	case 1:
		ys = numbers(op, args[0])
	case 2:
		xs, ys = numbers(op, args[0]), numbers(op, args[1])
	default:
		fail(op, args, fmt.Sprintf("%d arguments", len(args)), "give ys, or xs and ys")
	}
	if xs != nil && len(xs) != len(ys) {
		fail(op, args[1], fmt.Sprintf("%d xs and %d ys", len(xs), len(ys)), "give the same number of each")
	}
	for i, y := range ys {
		p := point{X: float64(i), Y: y}
		if xs != nil {
			p.X = xs[i]
		}
		if finite(p.X) && finite(p.Y) {
			points = append(points, p)
		}
	}
	return points
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// thin returns about 2n points that look the same as a line: the lowest and the highest of
// each run of neighbours.
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
