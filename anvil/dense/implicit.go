package dense

import "math"

// implicitQL makes the eigenvalues of a symmetric tridiagonal matrix of its diagonal
// d, and turns the rows of v by what that takes. Elements e beside the diagonal are
// lost. Source: Martin and Wilkinson, The implicit QL algorithm, 1968.
func implicitQL(d, e []float64, v Matrix) {
	n := len(d)
	beside := append(append(make([]float64, 0, n), e...), 0)
	for l := range n {
		for range 60 {
			m := l
			for ; m < n-1; m++ {
				if math.Abs(beside[m]) <= epsilon*(math.Abs(d[m])+math.Abs(d[m+1])) || beside[m] == 0 {
					break
				}
			}
			if m == l {
				break
			}
			sweep(d, beside, v, l, m)
		}
	}
}

// sweep is one step of QL from m up to l, by Wilkinson's shift.
func sweep(d, e []float64, v Matrix, l, m int) {
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
		turn(c, s, v.Row(i), v.Row(i+1))
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
