package emulate

// arrayAPI describes array-api-strict. It computes like NumPy, but Where rejects numbers that do not fit
// the dtype, Clamp compares integers with its bounds exactly, and linear algebra accepts all dtypes.
var arrayAPI = func() Framework {
	f := numpy
	f.Ops = merged(numpyOps, map[string]Rule{"Where": where(fittingOperand), "Clamp": clampExactly})
	f.Bounds, f.Lacks = nil, nil
	return f
}()
