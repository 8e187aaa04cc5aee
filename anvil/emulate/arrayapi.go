package emulate

import "github.com/goanvil/notebook/anvil/dtype"

// arrayAPI is array-api-strict, which computes by NumPy but lets no number wrap.
var arrayAPI = Framework{
	Ops:        merged(numpyOps, map[string]Rule{"Where": where(fitting), "Clamp": clampExactly}),
	Convert:    numpyConvert,
	MeanDType:  numpyMean,
	SumDType:   numpyMean,
	Reduce:     numpyReduce,
	Running:    numpyRunning,
	MeanSum:    quotientInF64,
	Covariance: dtype.F64,
	Faults:     numpy.Faults,
}
