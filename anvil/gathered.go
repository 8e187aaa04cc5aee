package anvil

// gathered returns operands with those in slices of tensors one by one: what a
// loop has gathered is joined as it is, nv.Stack(nv.Axis(0), steps).
func gathered(xs []any) []any {
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
