// Package opstest provides samples of operands for each row of the op table, for the tests
// of all packages that execute operations.
package opstest

import (
	"strconv"

	"pgregory.net/rapid"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// A Sample holds operands, attributes and regions to test an operation on.
type Sample struct {
	Name    string
	Attrs   any
	Regions []*ir.Graph
	Args    []array.Array
}

// Samples returns the fixed samples of row d for operands of dtype t.
func Samples(d *ops.Def, t dtype.DType) []Sample { return samplesOf(d).fixed(t) }

// Drawn returns n random samples of row d for operands of dtype t, or none if the fixed
// samples suffice. The samples depend only on the arguments; another seed gives other
// samples.
func Drawn(d *ops.Def, t dtype.DType, n, seed int) []Sample {
	draw := samplesOf(d).draw
	if draw == nil {
		return nil
	}
	samples := make([]Sample, n)
	for i := range samples {
		samples[i] = rapid.Custom(func(rt *rapid.T) Sample {
			return draw(source{rt}, t)
		}).Example(seed*int(d.Code) + 30*i + int(t)) // there are fewer than 30 dtypes
		samples[i].Name = "drawn " + strconv.Itoa(i)
	}
	return samples
}

type (
	// A sampleFunc returns the samples for operands of dtype d.
	sampleFunc func(d dtype.DType) []Sample
	// A drawFunc returns a random sample for operands of dtype d.
	drawFunc func(r source, d dtype.DType) Sample
)

// A source returns random numbers.
type source struct{ t *rapid.T }

// Int returns a number between low and high, both included.
func (s source) Int(low, high int) int { return rapid.IntRange(low, high).Draw(s.t, "int") }

// Bits returns 64 random bits.
func (s source) Bits() uint64 { return rapid.Uint64().Draw(s.t, "bits") }

// rowSamples are the samples of a row.
type rowSamples struct {
	fixed sampleFunc
	draw  drawFunc // nil: the fixed samples suffice
}

// samplesOf returns the entry of table for d, or the samples of an elementwise operation if
// there is no entry.
func samplesOf(d *ops.Def) rowSamples {
	s, ok := table[d.Code]
	switch n := len(d.Params); {
	case ok:
		return s
	case d.HLO == "" && d.Expansion != nil:
		return rowSamples{fixed: functionSamples(n)}
	default:
		return rowSamples{elementwise(n), drawElementwise(n)}
	}
}

// table holds the samples of the rows that need attributes, or operands of different
// types.
var table = map[ir.Code]rowSamples{
	ir.Constant:           {fixed: constantSamples},
	ir.Iota:               {fixed: iotaSamples},
	ir.Convert:            {convertSamples, redraw(convertSamples, 0)},
	ir.BitcastConvert:     {bitcastSamples, redraw(bitcastSamples, 0)},
	ir.Reshape:            {reshapeSamples, redraw(reshapeSamples, 0)},
	ir.BroadcastInDim:     {broadcastSamples, drawBroadcast},
	ir.Transpose:          {transposeSamples, drawTranspose},
	ir.Slice:              {sliceSamples, drawSlice},
	ir.DynamicSlice:       {dynamicSliceSamples, redraw(dynamicSliceSamples, 0)},
	ir.DynamicUpdateSlice: {updateSamples, redraw(updateSamples, 0)},
	ir.Gather:             {gatherSamples, redraw(gatherSamples, 0)},
	ir.Scatter:            {scatterSamples, drawScatter},
	ir.Concatenate:        {concatenateSamples, redraw(concatenateSamples, 0)},
	ir.Pad:                {padSamples, drawPad},
	ir.Reverse:            {reverseSamples, redraw(reverseSamples, 0)},

	ir.NextAfter: {fixed: functionSamples(2)},
	ir.Polygamma: {fixed: polygammaSamples},
	ir.Compare:   {compareSamples, drawCompare},
	ir.Select:    {selectSamples, redraw(selectSamples, 0)},
	ir.Clamp:     {clampSamples, redraw(clampSamples, 0)},

	ir.ReduceSum:  {reduceSamples, drawReduce},
	ir.ReduceProd: {reduceSamples, drawReduce},
	ir.ReduceMax:  {reduceSamples, drawReduce},
	ir.ReduceMin:  {reduceSamples, drawReduce},
	ir.ReduceAnd:  {reduceSamples, drawReduce},
	ir.ReduceOr:   {reduceSamples, drawReduce},
	ir.ReduceXor:  {reduceSamples, drawReduce},
	ir.Reduce:     {foldSamples, drawFold},
	ir.ArgMax:     {argSamples, redraw(argSamples, 0)},
	ir.ArgMin:     {argSamples, redraw(argSamples, 0)},
	ir.DotGeneral: {dotSamples, drawDot},
	ir.Sort:       {sortSamples, redraw(sortSamples, 0)},

	ir.Convolution:      {convSamples, drawConv},
	ir.ReduceWindowSum:  {fewWindowSamples, drawWindow},
	ir.ReduceWindowProd: {fewWindowSamples, drawWindow},
	ir.ReduceWindowMax:  {windowSamples, drawWindow},
	ir.ReduceWindowMin:  {fewWindowSamples, drawWindow},
	ir.FFT:              {fftSamples(ir.FFT), redraw(fftSamples(ir.FFT), 0)},
	ir.IFFT:             {fftSamples(ir.IFFT), redraw(fftSamples(ir.IFFT), 0)},
	ir.RFFT:             {fftSamples(ir.RFFT), redraw(fftSamples(ir.RFFT), 0)},
	ir.IRFFT:            {fftSamples(ir.IRFFT), redraw(fftSamples(ir.IRFFT), 0)},

	ir.Cholesky:        {fixed: choleskySamples},
	ir.TriangularSolve: {fixed: triangularSamples},
	ir.LU:              {fixed: luSamples},
	ir.QR:              {fixed: qrSamples},
	ir.Eigh:            {fixed: eighSamples},
	ir.SVD:             {fixed: svdSamples},

	ir.If:                  {ifSamples, redraw(ifSamples, 0)},
	ir.Case:                {caseSamples, redraw(caseSamples, 1)},
	ir.While:               {whileSamples, redraw(whileSamples, 1)},
	ir.Scan:                {scanSamples, redraw(scanSamples, 1)},
	ir.OptimizationBarrier: {fixed: barrierSamples},
	ir.Call:                {fixed: callSamples},

	ir.CumSum:  {cumulativeSamples(ir.CumSum), redraw(cumulativeSamples(ir.CumSum), 0)},
	ir.CumProd: {cumulativeSamples(ir.CumProd), redraw(cumulativeSamples(ir.CumProd), 0)},
	ir.CumMax:  {cumulativeSamples(ir.CumMax), redraw(cumulativeSamples(ir.CumMax), 0)},
	ir.CumMin:  {cumulativeSamples(ir.CumMin), redraw(cumulativeSamples(ir.CumMin), 0)},
}
