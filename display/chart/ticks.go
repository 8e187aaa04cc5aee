package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks implements plot.Ticker. It marks an axis at multiples of 1, 2, 2.5 or 5 times a power of ten.
type ticks struct{}

// maxTickSteps is the greatest number of steps between marks that an axis has room for.
const maxTickSteps = 7

// Ticks returns the marks between lo and hi.
func (ticks) Ticks(lo, hi float64) (marks []plot.Tick) {
	minStep := hi/maxTickSteps - lo/maxTickSteps // hi-lo may overflow
	exponent := math.Floor(math.Log10(minStep))
	step, decimals := 0.0, 0
	for _, multiple := range []float64{1, 2, 2.5, 5, 10} {
		if step = multiple * math.Pow(10, exponent); step >= minStep {
			switch multiple {
			case 2.5: // needs one decimal more than the power of ten
				exponent--
			case 10: // needs one decimal less
				exponent++
			}
			decimals = max(0, -int(exponent))
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) { // lo equals hi, or the axis is too short or too long for floats
		return []plot.Tick{{Value: lo, Label: strconv.FormatFloat(lo, 'g', 5, 64)}}
	}
	largest := max(math.Abs(lo), math.Abs(hi))
	for k := math.Ceil(lo / step); k*step <= hi && len(marks) <= maxTickSteps; k++ {
		v := k * step
		if v == 0 {
			v = 0 // not -0
		}
		label := strconv.FormatFloat(v, 'f', decimals, 64)
		if largest >= 1e6 || largest < 1e-3 {
			digits := int(math.Ceil(math.Log10(largest/step))) + 1
			label = strconv.FormatFloat(v, 'g', digits, 64)
		}
		marks = append(marks, plot.Tick{Value: v, Label: label})
	}
	return marks
}
