package ops_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

var (
	measureAccuracy = flag.Bool("accuracy", false, "measure millions of points of each function and write docs/accuracy.md")
	updateBounds    = flag.Bool("bounds", false, "write the bounds of the rows into docs/accuracy.md, and keep what was measured")
)

// A worst is the point at which a result is farthest from the exact value, and the number
// of results that are not correctly rounded.
type worst struct {
	ulp, x, got, want float64
	off               int
}

// functions returns the rows of one operand with rounded floats of its dtype as results.
func functions() []*ops.Def {
	var fs []*ops.Def
	for _, d := range ops.All() {
		if len(d.Params) == 1 && d.Code != ir.Abs && d.Code != ir.Sign && d.Takes(0, dtype.F32) && d.Takes(0, dtype.BF16) &&
			d.Bound.ULP > 0 && !d.Bound.Sum && d.Code != ir.CumProd && !strings.HasPrefix(d.Name, "Reduce") {
			fs = append(fs, d)
		}
	}
	return fs
}

// spread returns n values of d, or all if there are no more, evenly distributed over the
// bit patterns and so over signs and exponents.
func spread(d dtype.DType, n int) array.Array {
	step := uint64(1)
	if d.Bits() > 16 || n < 1<<d.Bits() {
		step = 1<<(d.Bits()-1)/uint64(n)*2 | 1
	} else {
		n = 1 << d.Bits()
	}
	a := array.New(shape.Of(d, n))
	u := map[int]dtype.DType{8: dtype.U8, 16: dtype.U16, 32: dtype.U32, 64: dtype.U64}[d.Bits()]
	for i := range n {
		dtype.PutUint(a.Data[i*d.Size():], u, uint64(i)*step+step/2)
	}
	return a
}

// accuracy measures a function of d at n points, as computed by XLA and by package host, which
// computes as RunFlushing does.
func accuracy(client *xla.Client, def *ops.Def, d dtype.DType, n int) (compiled, host worst, err error) {
	x := spread(d, n)
	g, h := graphOf(def, x.Type), graphOf(def, shape.Of(dtype.F64, n))
	exact := array.Store(array.New(h.Params[0].Type), array.Load[float64](x))
	want, err := reference.Run(context.Background(), h, []array.Array{exact})
	if err != nil {
		return worst{}, worst{}, err
	}
	got, err := runXLA(client, g, []array.Array{x}, nil)
	if err != nil {
		return worst{}, worst{}, err
	}
	flushed, err := reference.RunFlushing(context.Background(), g, []array.Array{x})
	if err != nil {
		return worst{}, worst{}, err
	}
	return farthest(def, x, got[0], want[0]), farthest(def, x, flushed[0], want[0]), nil
}

// graphOf returns the program that computes one function.
func graphOf(def *ops.Def, t shape.Type) *ir.Graph {
	g := &ir.Graph{}
	g.Outputs = g.Add(def.Code, nil, nil, []*ir.Value{g.Param(t)}, t).Results
	return g
}

// farthest compares the results of a function at x with its values in f64.
func farthest(def *ops.Def, x, got, exact array.Array) (w worst) {
	d := x.DType()
	xs, gs, ws := array.Load[float64](x), array.Load[float64](got), array.Load[float64](exact)
	nearest := array.Load[float64](array.Store(array.New(x.Type), ws))
	for i, x := range xs {
		if subnormal(d, x) {
			continue
		}
		if got, want := gs[i], nearest[i]; got != want && (got == got || want == want) && !subnormal(d, want) {
			w.off++
		}
		if off := inaccuracy(d, gs[i], ws[i], def.Bound.Floor); off > w.ulp {
			w.ulp, w.x, w.got, w.want = off, x, gs[i], ws[i]
		}
	}
	return w
}

// subnormal reports whether XLA's programs for CPUs flush x to 0. Dtypes narrower than bf16
// are computed in f32.
func subnormal(d dtype.DType, x float64) bool {
	return (d == dtype.BF16 || d.Bits() > 16) && x != 0 && math.Abs(x) < math.Ldexp(1, smallestExp[d])
}

// inaccuracy returns the distance of got and want in ulp. It returns 0 for subnormal results.
func inaccuracy(d dtype.DType, got, want, floor float64) float64 {
	tiny := math.Ldexp(1, smallestExp[d])
	limit := largestOf[d]
	switch {
	case d.Bits() == 8, math.IsNaN(got) && math.IsNaN(want), got == want: // 8-bit floats are only counted (see off)
		return 0
	case math.Abs(want) < tiny && math.Abs(got) <= tiny:
		return 0
	case math.IsNaN(got) || math.IsNaN(want):
		return math.Inf(1)
	case math.Abs(want) >= limit && math.IsInf(got, 0) && got*want > 0:
		return 0
	}
	got, want = max(-limit, min(limit, got)), max(-limit, min(limit, want))
	return math.Abs(got-want) / ulp(d, max(math.Abs(want), floor))
}

// largestOf has, for each dtype, the number that would follow the largest one (for f64 the
// largest one itself).
var largestOf = map[dtype.DType]float64{dtype.F64: math.MaxFloat64, dtype.F32: 0x1p128, dtype.BF16: 0x1p128, dtype.F16: 0x1p16}

// measured has the groups of dtypes in the table besides f64, and the number of points:
// dtypes of up to 16 bits at all values; without -accuracy only f32, at few points.
var measured = []struct {
	dtypes    []dtype.DType
	many, few int
}{
	{[]dtype.DType{dtype.F32}, 1 << 21, 1 << 12},
	{[]dtype.DType{dtype.BF16}, 1 << 16, 0},
	{[]dtype.DType{dtype.F16}, 1 << 16, 0},
	{[]dtype.DType{dtype.F8E3M4, dtype.F8E4M3, dtype.F8E4M3B11FNUZ, dtype.F8E4M3FN, dtype.F8E4M3FNUZ, dtype.F8E5M2, dtype.F8E5M2FNUZ}, 1 << 8, 0},
}

// ulpColumns has the columns of the table that have a bound.
var ulpColumns = map[int]dtype.DType{0: dtype.F32, 2: dtype.F64, 4: dtype.BF16, 6: dtype.F16, 9: dtype.F32, 10: dtype.F64}

const accuracyFile = "../../docs/accuracy.md"

// TestAccuracy measures each function and compares with its bound. With -accuracy it does so
// at millions of points and writes the document.
func TestAccuracy(t *testing.T) {
	client, values := newClient(t), readExact(t)
	if *measureAccuracy && len(values["Exp"].nearest) < 100_000 {
		t.Fatal("-accuracy needs the values of many points: testdata/exact.py writes the file for -exact")
	}
	var table strings.Builder
	for _, def := range functions() {
		if named(def.Name) {
			table.WriteString("| " + def.Name + " | " + strings.Join(measure(t, client, def, values[def.Name]), " | ") + " |\n")
		}
	}
	if *measureAccuracy && *onlyRows != "" {
		t.Log("\n" + table.String())
	} else if *measureAccuracy {
		doc := accuracyHead + boundsTable() + "\n" + measuredHead + table.String()
		if err := os.WriteFile(accuracyFile, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// measure returns the cells of a function's line in the table.
func measure(t *testing.T, client *xla.Client, def *ops.Def, exact exactValues) (cells []string) {
	if len(exact.nearest) == 0 {
		t.Fatalf("%s has no values in %s: run testdata/exact.py", def.Name, *exactFile)
	}
	var host worst // ulp is that of f32, and off counts all narrower dtypes
	for i, m := range measured {
		n, compiled := m.few, worst{}
		if *measureAccuracy {
			n = m.many
		}
		for _, d := range m.dtypes[:min(n, len(m.dtypes))] {
			got, gotHost, err := accuracy(client, def, d, n)
			if err != nil {
				t.Fatal(def.Name, d, err)
			}
			checkBound(t, def, d, "XLA", got)
			checkBound(t, def, d, "package host", gotHost)
			got.off += compiled.off
			if compiled = got; i == 0 {
				host.ulp = gotHost.ulp
			} else {
				host.off += gotHost.off
			}
		}
		ulp, off := fmt.Sprintf("%.2f", compiled.ulp), strconv.Itoa(compiled.off)
		cells = append(cells, [][]string{{ulp, at(compiled)}, {ulp, off}, {ulp, off}, {off}}[i]...)
	}
	got, gotHost, err := accuracy64(client, def, exact)
	if err != nil {
		t.Fatal(def.Name, err)
	}
	checkBound(t, def, dtype.F64, "XLA", got)
	checkBound(t, def, dtype.F64, "package host", gotHost)
	cells = slices.Insert(cells, 2, fmt.Sprintf("%.2f", got.ulp), at(got))
	return append(cells, fmt.Sprintf("%.2f", host.ulp), fmt.Sprintf("%.2f", gotHost.ulp), strconv.Itoa(host.off))
}

// at formats the argument at which a function is least accurate.
func at(w worst) string { return fmt.Sprintf("%.6g", w.x) }

// checkBound checks that the worst result of a function, computed by XLA or package host, is
// within the bound of the row.
func checkBound(t *testing.T, def *ops.Def, d dtype.DType, executor string, w worst) {
	t.Helper()
	if bound := float64(def.Bound.For(d)); w.ulp > bound {
		t.Errorf("%s: %s of %v(%v) is %v, not %v: %.3g ulp, bound %v", executor, def.Name, d, w.x, w.got, w.want, w.ulp, bound)
	}
}

// TestAccuracyDocument checks that docs/accuracy.md has the bounds of the rows, and for each
// function a measurement within its bound.
func TestAccuracyDocument(t *testing.T) {
	data, err := os.ReadFile(accuracyFile)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	if *updateBounds {
		doc = accuracyHead + boundsTable() + "\n" + doc[strings.Index(doc, measuredHead):]
		if err := os.WriteFile(accuracyFile, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasPrefix(doc, accuracyHead+boundsTable()+"\n"+measuredHead) {
		t.Error("docs/accuracy.md differs from the rows: run go test ./anvil/ops -run TestAccuracyDocument -bounds")
	}
	lines := map[string]string{}
	for line := range strings.Lines(doc[strings.Index(doc, measuredHead):]) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok {
			lines[name] = rest
		}
	}
	for _, def := range functions() {
		cells := strings.Split(strings.TrimRight(lines[def.Name], " |\n"), " | ")
		if len(cells) != 12 {
			t.Error(def.Name, "has no measurement in docs/accuracy.md: run go test ./anvil/ops -run TestAccuracy -accuracy")
			continue
		}
		for i, d := range ulpColumns {
			if ulp, err := strconv.ParseFloat(cells[i], 64); err != nil || ulp > float64(def.Bound.For(d)) {
				t.Errorf("docs/accuracy.md: %s of %v: %q ulp, and the bound is %d", def.Name, d, cells[i], def.Bound.For(d))
			}
		}
	}
}

const accuracyHead = `<!-- Written by go test ./anvil/ops -run TestAccuracy -accuracy; a test compares it with the op table. -->

# Accuracy

How far a float may be from the exact result, in units in the last place (ulp) of its dtype, stands in the row of each
operation (anvil/ops), and holds on every platform that the tests run on. What is not listed is exact: integers and bools,
and floats that are moved, compared or rounded once (add, subtract, negate). A complex number's unit is that of its greater part.

Dtypes narrower than f32 are computed in f32 and rounded once, wherever an operation is a function of one number: half an ulp
and a little. XLA's programs for CPUs make zeros of subnormal numbers (f32 below 1.2e-38, f64 below 2.2e-308); these are outside
of every bound, as arguments and as results. A program may fuse a product and a sum, which changes the last bit of a sum.

## Bounds

"Sum" counts in ulp of the sum of magnitudes, as it must for a sum in any order, and "norm" in ulp of the greatest magnitude
in the result, as it must for factors of matrices. "From" is the magnitude below which results
count in the ulp of that number: a function that goes through 0 between two numbers has no better one there. "Zeros" leaves
open the sign of a zero.

| operation | f32 and narrower | f64 | c64 | c128 | remarks |
| --- | --- | --- | --- | --- | --- |
`

const measuredHead = `## Measured

The worst ulp found, and the argument where it was, of each function of one number, under XLA's CPU plugin: f32 at 2,097,152
points, evenly over the bit patterns of both signs and so over all exponents, against the same function in f64; f64 at 131,072
points over all bit patterns and as many of magnitudes from 2^-32 to 2^11, against values of a hundred bits and more (Arb's); bf16, f16 and the seven kinds of float8 with fractions at every number there is.
Half an ulp is what rounding alone costs. "Off" is how many results are not the nearest number: of 65,536 in bf16 and in f16, of
1,792 in float8. The last three columns are of small programs, which are done in host memory: the worst ulp of f32 and f64 at the
same points, and how many of all results of bf16, f16 and float8 are off.

| function | f32 ulp | at | f64 ulp | at | bf16 ulp | off | f16 ulp | off | f8 off | host f32 ulp | host f64 ulp | host off |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// boundsTable returns the table of the bounds of all rows that have one.
func boundsTable() string {
	var b strings.Builder
	for _, d := range ops.All() {
		if d.Bound == (ops.Bound{}) {
			continue
		}
		cells := []string{d.Name}
		for _, t := range []dtype.DType{dtype.F32, dtype.F64, dtype.C64, dtype.C128} {
			if d.Takes(0, t) {
				cells = append(cells, strconv.Itoa(d.Bound.For(t)))
			} else {
				cells = append(cells, "-")
			}
		}
		var remarks []string
		if d.Bound.Sum {
			remarks = append(remarks, "sum")
		}
		if d.Bound.Norm {
			remarks = append(remarks, "norm")
		}
		if d.Bound.Floor > 0 {
			remarks = append(remarks, fmt.Sprint("from ", d.Bound.Floor))
		}
		if d.Bound.AnyZero {
			remarks = append(remarks, "zeros")
		}
		b.WriteString("| " + strings.Join(append(cells, strings.Join(remarks, ", ")), " | ") + " |\n")
	}
	return b.String()
}
