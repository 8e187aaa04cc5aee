package emulate

// arrayAPI is array-api-strict, which computes like NumPy but rejects numbers that would wrap.
var arrayAPI = func() Framework {
	f := numpy
	f.Ops = merged(numpyOps, map[string]Rule{"Where": where(fitting), "Clamp": clampExactly})
	f.Bounds, f.Lacks = nil, nil
	return f
}()
