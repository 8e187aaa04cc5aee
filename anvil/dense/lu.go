package dense

import "math"

// LU returns l and u of a[order] = l*u in one matrix, without the ones of l, the
// row that each step exchanged its own with, and the order in which the rows of a
// then are. Each pivot is the greatest magnitude of its column; a column of zeros
// is passed over.
func LU(a Matrix) (lu Matrix, pivots, order []int) {
	lu = a.Clone()
	m, n := a.Rows, a.Cols
	steps := min(m, n)
	pivots, order = make([]int, steps), make([]int, m)
	for i := range order {
		order[i] = i
	}
	for k := 0; k < steps; k += block {
		end := min(k+block, steps)
		for j := k; j < end; j++ {
			p := lu.pivot(j)
			pivots[j] = p
			order[j], order[p] = order[p], order[j]
			lu.exchange(j, p)
			lu.eliminate(j, end)
		}
		if end == n {
			continue
		}
		across := lu.part(k, end, end, n)
		substitute(lu.part(k, end, k, end), across, false, true)
		multiply(lu.part(end, m, end, n), -1, as(lu.part(end, m, k, end)), as(across))
	}
	return lu, pivots, order
}

// pivot returns the row of the greatest magnitude in column j, from row j on.
func (a Matrix) pivot(j int) int {
	best, most := j, math.Abs(a.At(j, j))
	for i := j + 1; i < a.Rows; i++ {
		if v := math.Abs(a.At(i, j)); v > most {
			best, most = i, v
		}
	}
	return best
}

func (a Matrix) exchange(i, k int) {
	if i == k {
		return
	}
	x, y := a.Row(i), a.Row(k)
	for j, v := range x {
		x[j], y[j] = y[j], v
	}
}

// eliminate takes multiples of row j from those below it, up to before column end.
func (a Matrix) eliminate(j, end int) {
	head, rest := a.At(j, j), a.Row(j)[j+1:end]
	if head == 0 {
		return
	}
	for i := j + 1; i < a.Rows; i++ {
		row := a.Row(i)
		row[j] /= head
		add(-row[j], rest, row[j+1:end])
	}
}
