package main

import (
	"fmt"
	"math"
	"math/rand"
	"sort"
)

type Point struct{ X, Y float64 }

func (p Point) Dist(q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

type Stats struct {
	Mean, Std float64
	N         int
}

func Describe(xs []float64) (s Stats) {
	s.N = len(xs)
	for _, x := range xs {
		s.Mean += x
	}
	s.Mean /= float64(s.N)
	for _, x := range xs {
		s.Std += (x - s.Mean) * (x - s.Mean)
	}
	s.Std = math.Sqrt(s.Std / float64(s.N))
	return
}
func median(xs []float64) float64 {
	ys := append([]float64(nil), xs...)
	sort.Float64s(ys)
	if n := len(ys); n%2 == 1 {
		return ys[n/2]
	} else {
		return (ys[n/2-1] + ys[n/2]) / 2
	}
}
func newton(f, df func(float64) float64, x float64) float64 {
	for range 50 {
		d := f(x) / df(x)
		x -= d
		if math.Abs(d) < 1e-12 {
			break
		}
	}
	return x
}
func main() {
	r := rand.New(rand.NewSource(1))
	a := r.Intn(100)
	r2 := rand.New(rand.NewSource(1))
	fmt.Println(a == r2.Intn(100), r.Perm(3) != nil)
	fmt.Printf("%.3f %+v\n", Point{0, 0}.Dist(Point{3, 4}), Describe([]float64{1, 2, 3, 4}))
	fmt.Println(median([]float64{3, 1, 2}), median([]float64{4, 1, 2, 3}))
	fmt.Printf("%.6f\n", newton(func(x float64) float64 { return x*x - 2 }, func(x float64) float64 { return 2 * x }, 1))
	fmt.Println(math.Max(3, math.NaN()), math.Inf(-1), math.Signbit(math.Copysign(0, -1)), math.Trunc(-1.7), math.Cbrt(27))
	e := 0.0
	fact := 1.0
	for i := 0; i < 20; i++ {
		if i > 0 {
			fact *= float64(i)
		}
		e += 1 / fact
	}
	fmt.Printf("%.10f %t\n", e, math.Abs(e-math.E) < 1e-10)
	inside := 0
	rr := rand.New(rand.NewSource(42))
	for range 2000 {
		if x, y := rr.Float64(), rr.Float64(); x*x+y*y < 1 {
			inside++
		}
	}
	fmt.Println(inside > 1400 && inside < 1700)
	fmt.Println(gcd(48, 18), primes(20), collatz(27))
}
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
func primes(n int) (ps []int) {
	comp := make([]bool, n+1)
	for i := 2; i <= n; i++ {
		if !comp[i] {
			ps = append(ps, i)
			for j := i * i; j <= n; j += i {
				comp[j] = true
			}
		}
	}
	return
}
func collatz(n int) (steps int) {
	for ; n != 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return
}

// Output:
// true true
// 5.000 {Mean:2.5 Std:1.118033988749895 N:4}
// 2 2.5
// 1.414214
// NaN -Inf true -1 3
// 2.7182818285 true
// true
// 6 [2 3 5 7 11 13 17 19] 111
