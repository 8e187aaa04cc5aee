package main

import "fmt"

type Grid [3][3]rune

func (g *Grid) Set(r, c int, v rune) *Grid { g[r][c] = v; return g }
func (g Grid) String() (s string) {
	for _, row := range g {
		for _, c := range row {
			if c == 0 {
				c = '.'
			}
			s += string(c)
		}
		s += "\n"
	}
	return
}
func life(g [][]bool) [][]bool {
	n := len(g)
	out := make([][]bool, n)
	for i := range g {
		out[i] = make([]bool, n)
		for j := range g[i] {
			c := 0
			for di := -1; di <= 1; di++ {
				for dj := -1; dj <= 1; dj++ {
					if (di != 0 || dj != 0) && g[(i+di+n)%n][(j+dj+n)%n] {
						c++
					}
				}
			}
			out[i][j] = c == 3 || g[i][j] && c == 2
		}
	}
	return out
}
func spiral(n int) [][]int {
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
	}
	r, c, dr, dc := 0, 0, 0, 1
	for k := 1; k <= n*n; k++ {
		m[r][c] = k
		if nr, nc := r+dr, c+dc; nr < 0 || nr >= n || nc < 0 || nc >= n || m[nr][nc] != 0 {
			dr, dc = dc, -dr
		}
		r, c = r+dr, c+dc
	}
	return m
}
func main() {
	var g Grid
	fmt.Print(g.Set(0, 0, 'X').Set(1, 1, 'O'))
	b := make([][]bool, 5)
	for i := range b {
		b[i] = make([]bool, 5)
	}
	b[2][1], b[2][2], b[2][3] = true, true, true
	fmt.Println(life(b)[1][2], life(b)[2][1], life(life(b))[2])
	fmt.Println(spiral(3))
	t := [2][3]int{{1, 2, 3}, {4, 5, 6}}
	var u [3][2]int
	for i, r := range t {
		for j, v := range r {
			u[j][i] = v
		}
	}
	fmt.Println(u)
	tri := make([][]int, 5)
	for i := range tri {
		tri[i] = make([]int, i+1)
		tri[i][0], tri[i][i] = 1, 1
		for j := 1; j < i; j++ {
			tri[i][j] = tri[i-1][j-1] + tri[i-1][j]
		}
	}
	fmt.Println(tri)
}

// Output:
// X..
// .O.
// ...
// true false [false true true true false]
// [[1 2 3] [8 9 4] [7 6 5]]
// [[1 4] [2 5] [3 6]]
// [[1] [1 1] [1 2 1] [1 3 3 1] [1 4 6 4 1]]
