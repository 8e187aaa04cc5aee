package emulate

// arrayAPI is array-api-strict, which computes by NumPy but lets no number wrap.
var arrayAPI = Framework{
	Ops:     merged(numpyOps, map[string]Rule{"Where": where(fitting), "Clamp": clampExactly}),
	Convert: numpyConvert,
	Faults:  numpy.Faults,
}
