package dense

import (
	"fmt"
	"math"
	"testing"
)

// samples are matrices; most are special cases of some factorization.
var samples = []struct {
	name string
	at   func(i, j int) float64
}{
	{"random", noise},
	{"zeros", func(_, _ int) float64 { return 0 }},
	{"rank 1", func(_, _ int) float64 { return 1 }},
	{"low rank", func(i, j int) float64 { return float64(i*j%3) / 4 }},
	{"identity", func(i, j int) float64 { return float64(b2i(i == j)) }},
	{"diagonal", func(i, j int) float64 { return float64(b2i(i == j) * (i%4 - 1)) }},
	{"graded", func(i, j int) float64 { return noise(i, j) * math.Pow(10, -float64(i%13)) * math.Pow(2, -float64(j)) }},
	{"huge", func(i, j int) float64 { return noise(i, j) * 0x1p1000 }},
	{"minute", func(i, j int) float64 { return noise(i, j) * 0x1p-1000 }},
	{"tridiagonal", func(i, j int) float64 { return float64(2*b2i(i == j) - b2i(i-j == 1 || j-i == 1)) }}, // of nearly equal eigenvalues
	{"Wilkinson", func(i, j int) float64 {
		return math.Abs(float64(i%21-10))*float64(b2i(i == j)) + float64(b2i(i-j == 1 || j-i == 1))
	}},
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// noise returns a pseudorandom number between -1/2 and 1/2.
func noise(i, j int) float64 {
	s := uint64(i*7919+j)*6364136223846793005 + 1442695040888963407
	s ^= s >> 29
	s *= 0xbf58476d1ce4e5b9
	s ^= s >> 32
	return float64(s>>11)/(1<<53) - 0.5
}

func matrix(rows, cols int, at func(i, j int) float64) Matrix {
	a := New(rows, cols)
	for i := range rows {
		for j := range cols {
			a.X[i*cols+j] = at(i, j)
		}
	}
	return a
}

// sides has numbers of rows and columns: small ones, and some of more than one block.
var sides = [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 2}, {3, 2}, {2, 3}, {5, 5}, {25, 24}, {50, 50}, {60, 20}, {20, 60}, {110, 97}, {97, 110}}

// eachSample calls f with every sample of every size.
func eachSample(t *testing.T, f func(t *testing.T, a Matrix)) {
	for _, s := range samples {
		for _, side := range sides {
			t.Run(fmt.Sprint(s.name, side), func(t *testing.T) { f(t, matrix(side[0], side[1], s.at)) })
		}
	}
}

// within fails the test if the error off exceeds a multiple of the rounding error of numbers
// of the given magnitude. The multiple grows with the size of a.
func within(t *testing.T, what string, off, magnitude float64, a Matrix) {
	t.Helper()
	if bound := 20 * epsilon * float64(a.Rows+a.Cols+2) * magnitude; !(off <= bound) {
		t.Errorf("%s is off by %g, more than %g", what, off, bound)
	}
}

// maxAbs returns the greatest magnitude in a.
func maxAbs(a Matrix) (r float64) {
	for _, x := range a.X {
		r = max(r, math.Abs(x))
	}
	return r
}

func product(a, b Matrix) Matrix {
	c := New(a.Rows, b.Cols)
	for i := range a.Rows {
		for k, x := range a.Row(i) {
			for j, y := range b.Row(k) {
				c.X[i*c.Stride+j] += x * y
			}
		}
	}
	return c
}

// distance returns the greatest difference of elements of a and b.
func distance(a, b Matrix) (r float64) {
	for i := range a.Rows {
		for j := range a.Cols {
			if d := math.Abs(a.At(i, j) - b.At(i, j)); !(d <= r) {
				r = d
			}
		}
	}
	return r
}

// orthogonality returns how far the columns of q are from being orthonormal.
func orthogonality(q Matrix) float64 {
	return distance(product(q.Transpose(), q), Identity(q.Cols, q.Cols))
}

func TestQR(t *testing.T) {
	eachSample(t, func(t *testing.T, a Matrix) {
		for _, width := range []int{min(a.Rows, a.Cols), a.Rows} {
			q, r := QR(a, width)
			within(t, "q*r", distance(product(q, r), a), maxAbs(a), a)
			within(t, "q", orthogonality(q), 1, a)
			for i := range r.Rows {
				for j := range min(i, r.Cols) {
					if r.At(i, j) != 0 {
						t.Fatalf("r has %v below the diagonal", r.At(i, j))
					}
				}
			}
		}
	})
}

func TestLU(t *testing.T) {
	eachSample(t, func(t *testing.T, a Matrix) {
		f, pivots, order := LU(a)
		k := min(a.Rows, a.Cols)
		l, u, x := Identity(a.Rows, k), New(k, a.Cols), New(a.Rows, a.Cols)
		for i := range a.Rows {
			for j := range a.Cols {
				if i > j {
					l.X[i*k+j] = f.At(i, j)
					if math.Abs(f.At(i, j)) > 1 {
						t.Fatalf("a factor of %v: the pivot is not the greatest", f.At(i, j))
					}
				} else {
					u.X[i*a.Cols+j] = f.At(i, j)
				}
			}
			copy(x.Row(i), a.Row(order[i]))
		}
		within(t, "l*u", distance(product(l, u), x), max(maxAbs(u), maxAbs(a)), a)
		rows := upTo(a.Rows)
		for i, p := range pivots {
			rows[i], rows[p] = rows[p], rows[i]
		}
		if fmt.Sprint(rows) != fmt.Sprint(order) {
			t.Errorf("pivots %v give the order %v, not %v", pivots, rows, order)
		}
	})
}

func upTo(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

func TestEigh(t *testing.T) {
	eachSample(t, func(t *testing.T, a Matrix) {
		if a.Rows != a.Cols {
			return
		}
		for i := range a.Rows {
			for j := range i {
				a.X[j*a.Cols+i] = a.At(i, j)
			}
		}
		w, v := Eigh(a)
		scaled := v.Clone()
		for i := range v.Rows {
			for j := range v.Cols {
				scaled.X[i*v.Cols+j] *= w[j]
			}
		}
		within(t, "a*v", distance(product(a, v), scaled), maxAbs(a), a)
		within(t, "v", orthogonality(v), 1, a)
		checkOrder(t, w, 1)
		checkLeads(t, v)
		for i := range a.Rows { // the other triangle is not read
			for j := range i {
				a.X[j*a.Cols+i] = math.NaN()
			}
		}
		if _, again := Eigh(a); distance(again, v) != 0 {
			t.Error("the upper triangle is read")
		}
	})
}

func TestSVD(t *testing.T) {
	eachSample(t, func(t *testing.T, a Matrix) {
		for _, full := range []bool{false, true} {
			u, w, vt := SVD(a, full)
			if full && (u.Cols != a.Rows || vt.Rows != a.Cols) {
				t.Fatalf("u of %d columns and v of %d", u.Cols, vt.Rows)
			}
			scaled := New(a.Rows, vt.Rows)
			for i := range a.Rows {
				for j, x := range w {
					scaled.X[i*scaled.Stride+j] = u.At(i, j) * x
				}
			}
			within(t, "u*w*vt", distance(product(scaled, vt), a), maxAbs(a), a)
			within(t, "u", orthogonality(u), 1, a)
			within(t, "v", orthogonality(vt.Transpose()), 1, a)
			checkOrder(t, w, -1)
			checkLeads(t, u)
		}
	})
}

// checkOrder checks that w times sign is in ascending order.
func checkOrder(t *testing.T, w []float64, sign float64) {
	t.Helper()
	for i := 1; i < len(w); i++ {
		if w[i-1]*sign > w[i]*sign {
			t.Errorf("%v and %v are not in order", w[i-1], w[i])
		}
	}
}

// checkLeads checks that the leading components of v's columns are positive.
func checkLeads(t *testing.T, v Matrix) {
	t.Helper()
	columns := v.Transpose()
	for j := range columns.Rows {
		x, greatest := columns.Row(j), 0.0
		for _, e := range x {
			greatest = max(greatest, math.Abs(e))
		}
		for _, e := range x {
			if math.Abs(e) >= 0.9*greatest {
				if e < 0 {
					t.Errorf("the leading component of column %d is %v", j, e)
				}
				break
			}
		}
	}
}

// TestConditions checks that the singular values of an ill-conditioned matrix, and the
// solution of a linear system with it, are exact within rounding errors.
func TestConditions(t *testing.T) {
	n := 60
	q, _ := QR(matrix(n, n, noise), n)
	p, _ := QR(matrix(n, n, func(i, j int) float64 { return noise(j, i) }), n)
	scaled := q.Clone()
	want := make([]float64, n)
	for j := range n {
		want[j] = math.Pow(10, -12*float64(j)/float64(n-1))
		for i := range n {
			scaled.X[i*n+j] *= want[j]
		}
	}
	a := product(scaled, p.Transpose())
	_, w, _ := SVD(a, false)
	for i, x := range w {
		within(t, "a singular value", math.Abs(x-want[i]), 1, a)
	}
	b := matrix(n, 1, noise)
	f, _, order := LU(a)
	rows := New(n, 1)
	for i, k := range order {
		rows.X[i] = b.X[k]
	}
	x := Triangular(f, Triangular(f, rows, false, true), true, false)
	within(t, "a*x", distance(product(a, x), b), maxAbs(x), a)
}

func TestCholesky(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 48, 49, 110} {
		b := matrix(n, n, noise)
		a := product(b, b.Transpose())
		for i := range n {
			a.X[i*n+i]++
			for j := i + 1; j < n; j++ {
				a.X[i*n+j] = math.NaN() // not read
			}
		}
		l, ok := Cholesky(a)
		again := product(l, l.Transpose())
		for i := range n {
			for j := range i + 1 {
				if off := math.Abs(again.At(i, j) - a.At(i, j)); !ok || !(off <= 1e-14*float64(n+1)) {
					t.Fatalf("%d rows: l*transpose(l) is off by %g", n, off)
				}
			}
		}
		if n == 0 {
			continue
		}
		a.X[n*n-1] = -1
		if l, ok := Cholesky(a); ok || !math.IsNaN(l.At(n-1, 0)) || n > 1 && l.At(0, n-1) != 0 {
			t.Errorf("%d rows, not positive definite: %v", n, ok)
		}
	}
}

func TestTriangular(t *testing.T) {
	for _, side := range [][2]int{{1, 1}, {5, 1}, {5, 7}, {48, 3}, {110, 5}, {110, 1}, {3, 0}, {0, 3}} {
		for variant := range 4 {
			upper, unit := variant&1 != 0, variant&2 != 0
			n := side[0]
			a, read := New(n, n), New(n, n)
			for i := range n {
				for j := range n {
					x := noise(i, j) / float64(n)
					a.X[i*n+j] = x
					if i == j {
						a.X[i*n+j], x = 2+x, 2+x
					}
					switch {
					case i == j && unit:
						read.X[i*n+j] = 1
					case i == j || i < j == upper:
						read.X[i*n+j] = x
					default:
						a.X[i*n+j] = math.NaN()
					}
				}
			}
			b := matrix(n, side[1], noise)
			if off := distance(product(read, Triangular(a, b, upper, unit)), b); !(off <= 1e-14) {
				t.Errorf("%v, upper %v, unit %v: a*x is off by %g", side, upper, unit, off)
			}
		}
	}
}

// TestNotFinite checks that an infinite or NaN element makes the results NaN, and that the
// computation ends.
func TestNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		a := matrix(30, 30, noise)
		a.X[29*30] = x
		w, v := Eigh(a)
		u, s, vt := SVD(a, true)
		q, _ := QR(a, 30)
		for _, e := range []float64{w[0], v.X[7], u.X[7], s[0], vt.X[7], q.X[29*30]} {
			if !math.IsNaN(e) {
				t.Errorf("of a matrix with %v: %v", x, e)
			}
		}
	}
}

// TestTilings checks every tiling for this processor with matrices whose sides are, or are
// not, multiples of the tile's, transposed or not. The elements are small integers, so that
// every sum is exact.
func TestTilings(t *testing.T) {
	small := func(i, j int) float64 { return float64((i*5+j*3)%13 - 6) }
	for _, tiles := range tilings {
		for _, s := range [][3]int{{1, 1, 1}, {8, 192, 24}, {16, 400, 48}, {9, 193, 25}, {37, 5, 71}, {3, 500, 23}} {
			a, b := matrix(s[0], s[1], small), matrix(s[1], s[2], small)
			want := product(a, b)
			for i := range want.X {
				want.X[i] = 1 - 2*want.X[i]
			}
			for _, x := range []operand{noTrans(a), trans(a.Transpose())} {
				for _, y := range []operand{noTrans(b), trans(b.Transpose())} {
					c := matrix(s[0], s[2], func(_, _ int) float64 { return 1 })
					if tiles.multiply(c, -2, x, y); distance(c, want) != 0 {
						t.Errorf("tiles of %d x %d: the product of sides %v is wrong", tiles.rows, tiles.columns, s)
					}
				}
			}
		}
	}
}

// TestVectors compares the vector functions with loops in Go.
// TestMultiply checks the sum of c and the product of a and b, or of their transposes.
func TestMultiply(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 1}, {3, 4, 5}, {40, 33, 70}, {2, 0, 3}} {
		a, b := matrix(shape[0], shape[1], noise), matrix(shape[1], shape[2], noise)
		c := matrix(shape[0], shape[2], noise)
		p := product(a, b)
		want := matrix(c.Rows, c.Cols, func(i, j int) float64 { return c.At(i, j) + p.At(i, j) })
		for transposes := range 4 {
			aTransposed, bTransposed := transposes&1 != 0, transposes&2 != 0
			x, y := a, b
			if aTransposed {
				x = a.Transpose()
			}
			if bTransposed {
				y = b.Transpose()
			}
			got := c.Clone()
			if Multiply(got, x, y, aTransposed, bTransposed); distance(got, want) > 1e-12 {
				t.Errorf("%v, transposed %t and %t: off by %v", shape, aTransposed, bTransposed, distance(got, want))
			}
		}
	}
}

func TestVectors(t *testing.T) {
	for n := range 70 {
		x, v, y := make([]float64, n), make([]float64, n), make([]float64, n)
		want, want2, sum := make([]float64, n), make([]float64, n), 0.0
		for i := range n {
			x[i], v[i], y[i] = float64(i%7-3), float64(i%5-2), float64(i%3)
			sum += x[i] * v[i]
			want[i] = y[i] + 3*x[i]
			want2[i] = want[i] + 2*x[i] - 5*v[i]
		}
		if got := dot(x, v); got != sum {
			t.Errorf("dot of %d: %v, not %v", n, got, sum)
		}
		z := append([]float64(nil), y...)
		if add(3, x, z); fmt.Sprint(z) != fmt.Sprint(want) {
			t.Errorf("add of %d: %v, not %v", n, z, want)
		}
		if got := dotAdd(3, x, v, y); got != sum || fmt.Sprint(y) != fmt.Sprint(want) {
			t.Errorf("dotAdd of %d: %v and %v, not %v and %v", n, got, y, sum, want)
		}
		if add2(2, x, -5, v, y); fmt.Sprint(y) != fmt.Sprint(want2) {
			t.Errorf("add2 of %d: %v, not %v", n, y, want2)
		}
	}
}

func BenchmarkFactorizations(b *testing.B) {
	for _, n := range []int{64, 512} {
		a := matrix(n, n, noise)
		spd := Identity(n, n)
		multiply(spd, 1, noTrans(a), trans(a))
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"Cholesky", func() { Cholesky(spd) }}, {"LU", func() { LU(a) }}, {"QR", func() { QR(a, n) }},
			{"Eigh", func() { Eigh(spd) }}, {"SVD", func() { SVD(a, false) }},
		} {
			b.Run(fmt.Sprint(f.name, n), func(b *testing.B) {
				for b.Loop() {
					f.run()
				}
			})
		}
	}
}
