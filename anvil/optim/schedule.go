package optim

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// A Schedule is a rate that depends on the number of steps taken. A compiled step is compiled
// once for all counts, since the count is a tensor.
type Schedule interface {
	// At returns the rate after count steps, in f64, for each element of count, a tensor of
	// integers. chart.Line(s.At(nv.Arange(1000))) draws a schedule.
	At(count nv.Tensor) nv.Tensor
}

// Constant is the Schedule of a constant rate.
type Constant float64

// At returns the rates after count steps.
func (s Constant) At(count nv.Tensor) nv.Tensor {
	return count.AsType(nv.F64).Mul(0).Add(float64(s))
}

// Step is the Schedule Rate*Factor^floor(count/Every).
type Step struct {
	Rate   float64
	Every  int
	Factor float64 // 0: 0.1
}

// At returns the rates after count steps.
func (s Step) At(count nv.Tensor) nv.Tensor {
	times := count.FloorDiv(positive("Step", "Every", s.Every)).AsType(nv.F64)
	return nv.Pow(count.Context().Scalar(or(s.Factor, 0.1), nv.F64), times).Mul(s.Rate)
}

// Cosine is the Schedule that falls from Rate to End along half a period of the cosine, in
// the given number of steps:
//
//	End + (Rate-End)*(1+cos(pi*min(count, Steps)/Steps))/2
//
// Source: Loshchilov and Hutter, SGDR: stochastic gradient descent with warm restarts, ICLR
// 2017.
type Cosine struct {
	Rate  float64
	Steps int
	End   float64
}

// At returns the rates after count steps.
func (s Cosine) At(count nv.Tensor) nv.Tensor {
	return cosine(s.Rate, s.End, fraction(count, 0, positive("Cosine", "Steps", s.Steps)))
}

// Warmup is the Schedule that rises linearly from From to the first rate of Then in the given
// number of steps, and then follows Then.
type Warmup struct {
	Steps int
	From  float64
	Then  Schedule
}

// At returns the rates after count steps.
func (s Warmup) At(count nv.Tensor) nv.Tensor {
	if s.Then == nil {
		fail("Warmup", "", "the field Then is missing", "give the schedule to follow, such as optim.Constant(0.1)")
	}
	first := s.Then.At(count.Mul(0))
	rise := first.Sub(s.From).Mul(fraction(count, 0, positive("Warmup", "Steps", s.Steps))).Add(s.From)
	after := count.Sub(s.Steps)
	return nv.Where(after.Lt(0), rise, s.Then.At(after.Maximum(0)))
}

// OneCycle is the Schedule that rises from Peak/Divide to Peak, and then falls to
// Peak/Divide/DivideEnd, both along half a period of the cosine, in the given number of
// steps. Source: Smith and Topin, Super-convergence: very fast training of neural networks
// using large learning rates, 2017.
type OneCycle struct {
	Peak      float64
	Steps     int
	Rise      float64 // the fraction of the steps until the peak; 0: 0.3
	Divide    float64 // 0: 25
	DivideEnd float64 // 0: 1e4
}

// At returns the rates after count steps.
func (s OneCycle) At(count nv.Tensor) nv.Tensor {
	end := positive("OneCycle", "Steps", s.Steps)
	top := int(or(s.Rise, 0.3) * float64(end))
	if top < 0 || top > end {
		fail("OneCycle", fmt.Sprintf("Rise: %v", s.Rise), "Rise is not between 0 and 1",
			"give the fraction of the steps until the peak")
	}
	first := s.Peak / or(s.Divide, 25)
	return nv.Where(count.Lt(top), cosine(first, s.Peak, fraction(count, 0, top)),
		cosine(s.Peak, first/or(s.DivideEnd, 1e4), fraction(count, top, end)))
}

// fraction returns the position of each count between from and to, as a number from 0 to 1.
func fraction(count nv.Tensor, from, to int) nv.Tensor {
	return count.AsType(nv.F64).Sub(from).Div(max(to-from, 1)).Clamp(0, 1)
}

// cosine returns rates between from and to along half a period of the cosine; position 0 is from, 1 is to.
func cosine(from, to float64, position nv.Tensor) nv.Tensor {
	return position.Mul(math.Pi).Cos().Add(1).Mul((from - to) / 2).Add(to)
}

// positive returns n, the value of a field of op, after checking that it is positive. The field is a number of steps.
func positive(op, field string, n int) int {
	if n <= 0 {
		fail(op, fmt.Sprintf("%s: %d", field, n), field+" is not positive", "give the number of steps")
	}
	return n
}
