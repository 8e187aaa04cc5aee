package dense

import "math"

// LU returns l and u, for which a[order] = l*u, as one matrix, which omits the ones on l's diagonal. Step j
// swaps rows j and pivots[j]; order has the resulting order of the rows of a. Each pivot has the greatest
// magnitude in its column; a column of zeros is skipped.
func LU(a Matrix) (lu Matrix, pivots, order []int) {
	lu = a.Clone()
	m, n := a.Rows, a.Cols
	steps := min(m, n)
	pivots, order = make([]int, steps), make([]int, m)
	for i := range order {
		order[i] = i
	}
	for k := 0; k < steps; k += blockSize {
		end := min(k+blockSize, steps)
		for j := k; j < end; j++ {
			p := lu.pivot(j)
			pivots[j] = p
			order[j], order[p] = order[p], order[j]
			lu.swapRows(j, p)
			lu.eliminate(j, end)
		}
		if end == n {
			continue
		}
		across := lu.part(k, end, end, n)
		substitute(lu.part(k, end, k, end), across, false, true)
		multiply(lu.part(end, m, end, n), -1, noTrans(lu.part(end, m, k, end)), noTrans(across))
	}
	return lu, pivots, order
}

// pivot returns the row, from j on, with the greatest magnitude in column j.
func (a Matrix) pivot(j int) int {
	best, largest := j, math.Abs(a.At(j, j))
	for i := j + 1; i < a.Rows; i++ {
		if v := math.Abs(a.At(i, j)); v > largest {
			best, largest = i, v
		}
	}
	return best
}

func (a Matrix) swapRows(i, k int) {
	if i == k {
		return
	}
	x, y := a.Row(i), a.Row(k)
	for j, v := range x {
		x[j], y[j] = y[j], v
	}
}

// eliminate subtracts multiples of row j from the rows below it, in columns j to end-1, so that column j
// below row j becomes 0. It stores the factors in place of these zeros.
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
