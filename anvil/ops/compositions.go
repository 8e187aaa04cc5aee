package ops

// compositions returns the rows without a Code, which are composed of other operations.
func compositions() []*Def {
	var all []*Def
	for _, rows := range [][]Def{specialFunctions, incompleteIntegrals, activations} {
		for i := range rows {
			all = append(all, &rows[i])
		}
	}
	return all
}
