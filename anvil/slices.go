package anvil

// spreadSlices returns operands with each []Tensor among them replaced by its elements, so that a slice appended to in a
// loop can be given as it is: nv.Stack(nv.Axis(0), steps).
func spreadSlices(xs []any) []any {
	n, slices := 0, false
	for _, x := range xs {
		ts, ok := x.([]Tensor)
		slices = slices || ok
		n += max(1, len(ts))
	}
	if !slices {
		return xs
	}
	all := make([]any, 0, n)
	for _, x := range xs {
		ts, ok := x.([]Tensor)
		if !ok {
			all = append(all, x)
		}
		for _, t := range ts {
			all = append(all, t)
		}
	}
	return all
}
