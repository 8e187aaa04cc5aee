package main

import "fmt"

type Matrix struct {
	rows, cols int
	data       []float64
}

func NewM(r, c int) *Matrix               { return &Matrix{r, c, make([]float64, r*c)} }
func (m *Matrix) At(i, j int) float64     { return m.data[i*m.cols+j] }
func (m *Matrix) Set(i, j int, v float64) { m.data[i*m.cols+j] = v }
func (m *Matrix) Mul(n *Matrix) *Matrix {
	r := NewM(m.rows, n.cols)
	for i := 0; i < m.rows; i++ {
		for j := 0; j < n.cols; j++ {
			var s float64
			for k := 0; k < m.cols; k++ {
				s += m.At(i, k) * n.At(k, j)
			}
			r.Set(i, j, s)
		}
	}
	return r
}

type Vec3 [3]float64

func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a *Vec3) Scale(f float64) {
	for i := range a {
		a[i] *= f
	}
}
func main() {
	a := NewM(2, 2)
	b := NewM(2, 2)
	for i := 0; i < 4; i++ {
		a.data[i] = float64(i)
		b.data[i] = float64(i * 2)
	}
	c := a.Mul(b)
	fmt.Println(c.data, c.At(1, 1), *c)
	v := Vec3{1, 2, 3}
	w := v.Add(v)
	w.Scale(0.5)
	fmt.Println(v, w, v == w)
	var grid [3][4]int
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = i * j
		}
	}
	fmt.Println(grid, len(grid[0]))
	g2 := grid
	g2[2][3] = 100
	fmt.Println(grid[2][3], g2[2][3])
}

// Output:
// [4 6 12 22] 22 {2 2 [4 6 12 22]}
// [1 2 3] [1 2 3] true
// [[0 0 0 0] [0 1 2 3] [0 2 4 6]] 4
// 6 100
