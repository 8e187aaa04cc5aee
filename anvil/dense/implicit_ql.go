package dense

import "math"

// maxQLSteps bounds the number of steps for one eigenvalue. Most eigenvalues take two.
const maxQLSteps = 60

// implicitQL replaces the diagonal d of a symmetric tridiagonal matrix with off-diagonal
// e by its eigenvalues, and applies the same rotations to the rows of v. Source: Martin
// and Wilkinson, The implicit QL algorithm, 1968.
func implicitQL(d, e []float64, v Matrix) {
	n := len(d)
	offDiagonal := append(append(make([]float64, 0, n), e...), 0)
	for l := range n {
		for range maxQLSteps {
			m := l
			for ; m < n-1; m++ {
				if math.Abs(offDiagonal[m]) <= epsilon*(math.Abs(d[m])+math.Abs(d[m+1])) {
					break
				}
			}
			if m == l {
				break
			}
			qlStep(d, offDiagonal, v, l, m)
		}
	}
}

// qlStep applies one QL iteration with Wilkinson's shift to rows l to m. The variables have the
// names of the source.
func qlStep(d, e []float64, v Matrix, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	r := math.Hypot(g, 1)
	g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r = math.Hypot(f, g)
		e[i+1] = r
		if r == 0 {
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		rotate(c, s, v.Row(i), v.Row(i+1))
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
