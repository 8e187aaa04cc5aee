package ops_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// indexParam has the number of the first operand with indices, for each row that has such.
var indexParam = map[ir.Code]int{ir.DynamicSlice: 1, ir.DynamicUpdateSlice: 2, ir.Gather: 1, ir.Scatter: 1}

// TestIndexDTypes checks that results do not depend on the dtype of indices: with every dtype
// that a row accepts they are JAX's results for i32.
func TestIndexDTypes(t *testing.T) {
	answers := readAnswers(t)
	var points []point
	var want [][][]byte
	tested := map[ir.Code]map[dtype.DType]bool{}
	for _, def := range ops.All() {
		k, ok := indexParam[def.Code]
		if !ok {
			continue
		}
		tested[def.Code] = map[dtype.DType]bool{}
		for _, base := range pointsOf(def, 0, nil) {
			for _, d := range dtype.All() {
				p, ok := indexedBy(base, k, d)
				if !ok || base.dtype != dtype.F32 {
					continue
				}
				tested[def.Code][d] = true
				points, want = append(points, p), append(want, answers[key(base)])
			}
		}
		for _, d := range dtype.All() {
			if def.Takes(k, d) && !tested[def.Code][d] {
				t.Errorf("%s accepts indices of %v, but no sample has such", def.Name, d)
			}
		}
	}
	g, args := program(points)
	evaluated, compiled := bothWays(t, g, args)
	for i, p := range points {
		n := len(p.types)
		comparePeer(t, p, evaluated[:n], want[i])
		comparePeer(t, p, compiled[:n], want[i])
		evaluated, compiled = evaluated[n:], compiled[n:]
	}
}

// indexedBy returns p with indices of dtype d. ok is false if the row does not accept d, or
// the indices do not fit into d.
func indexedBy(p point, k int, d dtype.DType) (point, bool) {
	if !p.def.Takes(k, d) {
		return p, false
	}
	args := append([]array.Array(nil), p.sample.Args...)
	for i, a := range args {
		if i != k && !(p.def.Variadic && i > k) {
			continue
		}
		if !a.DType().Is(dtype.Integral) {
			return p, false
		}
		for _, n := range array.Load[int64](a) {
			if _, err := dtype.Fit(int(n), d); err != nil || n < 0 && a.DType().Is(dtype.Unsigned) { // a number of ui64 beyond i64
				return p, false
			}
		}
		ty := a.Type
		ty.DType = d
		args[i] = array.Store(array.New(ty), array.Load[int64](a))
	}
	p.sample.Args = args
	p.sample.Name += " by " + d.String()
	types, err := ops.Infer(p.def.Code, p.sample.Attrs, p.sample.Regions, argTypes(args)...)
	p.types = types
	return p, err == nil
}
