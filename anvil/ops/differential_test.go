package ops_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// TestDifferential runs every row of the op table, on every dtype that it accepts, at the
// row's samples and at random ones, by the reference and by XLA. It also compares XLA with
// the answers of NumPy, SciPy and JAX. Integers and booleans must agree exactly, and floats
// within the bound of the row. testdata/xla_gaps.txt lists what the plugin does not support.
func TestDifferential(t *testing.T) {
	client := newClient(t)
	gaps := readLines(t, "testdata/xla_gaps.txt")
	drawn := 2
	if testing.Short() {
		drawn = 1
	}
	var points []point
	for _, d := range ops.All() {
		if !named(d.Name) {
			continue
		}
		points = append(points, pointsOf(d, drawn, gaps)...)
	}
	if testing.Short() {
		points = thin(points)
	}
	t.Logf("%d points", len(points))
	answers := readAnswers(t)
	fast := fewOptimizations(client)
	var thorough, brief []point
	for _, p := range points {
		switch {
		case p.elementwise() && len(p.types[0].Shape) == 1: // part of a joined point
		case p.elementwise() || p.def.Bound.Norm || !common[p.dtype]:
			brief = append(brief, p)
		default:
			thorough = append(thorough, p)
		}
	}
	for _, p := range joined(points) {
		if common[p.dtype] || p.dtype.Bits() < 8 || p.dtype.Is(dtype.Floating) {
			thorough = append(thorough, p)
		} else {
			brief = append(brief, p)
		}
	}
	inBatches(thorough, func(batch []point) { checkBatch(t, client, batch, nil, answers) })
	inBatches(brief, func(batch []point) { checkBatch(t, client, batch, fast, answers) })
}

// common has dtypes of each class. Their programs are compiled with all optimizations, and so
// are those of narrow dtypes, as in the engine. The lowerings for other dtypes are the same;
// they are compiled with few optimizations, since compiling takes nearly all of the time.
var common = map[dtype.DType]bool{dtype.I1: true, dtype.I32: true, dtype.U8: true, dtype.BF16: true, dtype.F32: true, dtype.F64: true,
	dtype.C64: true, dtype.C128: true}

// elementwise reports whether each element of the result depends only on the elements of
// the operands at the same position.
func (p point) elementwise() bool {
	if c := p.def.Code; c != ir.Convert && (c < ir.Neg || c > ir.Clamp) {
		return false
	}
	for _, a := range p.sample.Args {
		if !a.Type.Shape.Equal(p.types[0].Shape) {
			return false
		}
	}
	return true
}

// joined joins elementwise points of the same row, dtype and attributes into one point with
// concatenated operands, since compiling an operation for each shape would take most of the
// time. Points of other ranks than 1 are also tested themselves, compiled with few
// optimizations.
func joined(points []point) []point {
	type kind struct {
		code  ir.Code
		dtype dtype.DType
		attrs any
	}
	at := map[kind]int{}
	var all []point
	for _, p := range points {
		if !p.elementwise() {
			continue
		}
		k := kind{p.def.Code, p.dtype, p.sample.Attrs}
		i, ok := at[k]
		if !ok {
			i, at[k] = len(all), len(all)
			all = append(all, point{def: p.def, dtype: p.dtype, sample: opstest.Sample{Attrs: p.sample.Attrs, Args: make([]array.Array, len(p.sample.Args))}})
		}
		all[i].parts = append(all[i].parts, p)
		for j, a := range p.sample.Args {
			all[i].sample.Args[j].Data = append(all[i].sample.Args[j].Data, a.Data...)
		}
	}
	for i := range all {
		p := &all[i]
		n := 0
		for _, part := range p.parts {
			n += part.types[0].Shape.Size()
		}
		for j, a := range p.parts[0].sample.Args {
			p.sample.Args[j].Type = shape.Of(a.DType(), n)
		}
		p.types = []shape.Type{shape.Of(p.parts[0].types[0].DType, n)}
		p.sample.Name = "joined"
	}
	return all
}

// partOf returns the part of a joined point's result that belongs to point i.
func (p point) partOf(result array.Array, i int) array.Array {
	from := 0
	for _, part := range p.parts[:i] {
		from += part.types[0].Shape.Size()
	}
	t := p.parts[i].types[0]
	size := result.DType().Size()
	return array.Array{Type: t, Data: result.Data[from*size:][:t.Shape.Size()*size]}
}

// fewOptimizations returns options with which programs compile fast.
func fewOptimizations(client *xla.Client) map[string]any {
	options := map[string]any{}
	for name, v := range map[string]any{"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": false} {
		if client.HasOption(name) {
			options[name] = v
		}
	}
	return options
}

// bothWays returns the results of g by the reference and by XLA.
func bothWays(t *testing.T, g *ir.Graph, args []array.Array) (evaluated, compiled []array.Array) {
	t.Helper()
	evaluated, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err = runXLA(newClient(t), g, args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return evaluated, compiled
}

var onlyRows = flag.String("rows", "", "test these rows of the op table alone: Exp,Log")

// named reports whether the flag -rows selects a row.
func named(row string) bool {
	return *onlyRows == "" || slices.Contains(strings.Split(*onlyRows, ","), row)
}

// newClient returns a client of this machine's CPU plugin. It skips the test on systems
// without PJRT.
func newClient(t *testing.T) *xla.Client {
	t.Helper()
	p, err := loadCPU()
	var unsupported *xla.UnsupportedError
	if errors.As(err, &unsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.NewClient(xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// loadCPU loads the first CPU plugin that Discover finds.
func loadCPU() (*xla.Plugin, error) {
	for _, c := range xla.Discover("") {
		if c.Platform == "cpu" {
			return xla.Load(c.Path)
		}
	}
	if _, err := xla.Load(""); errors.As(err, new(*xla.UnsupportedError)) {
		return nil, err
	}
	return nil, errors.New("no CPU plugin is found; set " + xla.PluginVariable + " or run goanvil setup")
}

// A point is a row with a dtype and a sample, or several points joined.
type point struct {
	def    *ops.Def
	dtype  dtype.DType
	sample opstest.Sample
	types  []shape.Type // of the results
	parts  []point      // the points that it joins
}

func (p point) String() string {
	return fmt.Sprintf("%s/%s/%s", p.def.Name, p.dtype, p.sample.Name)
}

// pointsOf returns the points of a row, without the gaps.
func pointsOf(d *ops.Def, drawn int, gaps map[string]bool) []point {
	var points []point
	for _, t := range dtypesOf(d) {
		for _, s := range append(opstest.Samples(d, t), opstest.Drawn(d, t, drawn, 1000)...) {
			p := point{def: d, dtype: t, sample: s}
			if gaps[d.Name+" "+t.String()] || gaps[d.Name+" "+t.String()+" "+s.Name] {
				continue
			}
			var err error
			if p.types, err = ops.Infer(d.Code, s.Attrs, s.Regions, argTypes(s.Args)...); err != nil {
				panic(fmt.Sprintf("%v: %v", p, err))
			}
			points = append(points, p)
		}
	}
	return points
}

// dtypesOf returns the dtypes to test a row on: those of the operand that accepts the most,
// or all dtypes for a row without operands.
func dtypesOf(d *ops.Def) []dtype.DType {
	if len(d.Params) == 0 {
		return dtype.All()
	}
	best := 0
	for i, k := range d.Accepts {
		if len(k.DTypes()) > len(d.Accepts[best].DTypes()) {
			best = i
		}
	}
	var ts []dtype.DType
	for _, t := range dtype.All() {
		if d.Takes(best, t) {
			ts = append(ts, t)
		}
	}
	return ts
}

func argTypes(args []array.Array) []shape.Type {
	ts := make([]shape.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type
	}
	return ts
}

// thin returns the points of a short run: on common dtypes, the awkward points and every
// fourth of the others.
func thin(points []point) []point {
	var selected []point
	for i, p := range points {
		if common[p.dtype] && (p.sample.Name == "awkward" || i%4 == 0) {
			selected = append(selected, p)
		}
	}
	return selected
}

// inBatches calls do with batches of points, in as many goroutines as there are processors,
// and waits for them. A batch has at most 96 points, and fewer if compiling its program
// would take long.
func inBatches(points []point, do func([]point)) {
	batches := make(chan []point)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for b := range batches {
				do(b)
			}
		})
	}
	lengths := map[*ops.Def]int{}
	for len(points) > 0 {
		n, length := 0, 0
		for n < min(96, len(points)) && length < 100_000 {
			d := points[n].def
			if lengths[d] == 0 {
				g, _ := program(points[n : n+1])
				lengths[d] = len(ops.AppendStableHLO(nil, g))
			}
			length += lengths[d]
			n++
		}
		batches <- points[:n]
		points = points[n:]
	}
	close(batches)
	wg.Wait()
}

// program returns one graph that computes all points, and its arguments.
func program(points []point) (*ir.Graph, []array.Array) {
	g := &ir.Graph{Name: "batch"}
	var args []array.Array
	for _, p := range points {
		operands := make([]*ir.Value, len(p.sample.Args))
		for i, a := range p.sample.Args {
			operands[i] = g.Param(a.Type)
			args = append(args, a)
		}
		n := g.Add(p.def.Code, p.sample.Attrs, p.sample.Regions, operands, p.types...)
		g.Outputs = append(g.Outputs, n.Results...)
	}
	return g, args
}

// checkBatch compares the reference and XLA on a batch, and XLA with the peers.
func checkBatch(t *testing.T, client *xla.Client, points []point, overrides map[string]any, answers map[string][][]byte) {
	g, args := program(points)
	want, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Errorf("reference: %v", err)
		return
	}
	got, err := runXLA(client, g, args, overrides)
	if err != nil {
		if len(points) == 1 {
			t.Errorf("%v: %v", points[0], firstLine(err))
			return
		}
		for i := range points { // find the points that fail
			checkBatch(t, client, points[i:i+1], overrides, answers)
		}
		return
	}
	for _, p := range points {
		n := len(p.types)
		compare := func(p point, got, want []array.Array) {
			comparePoint(t, p, got, want)
			if want, ok := answers[key(p)]; ok {
				comparePeer(t, p, got, want)
			}
		}
		if len(p.parts) == 0 {
			compare(p, got[:n], want[:n])
		}
		for i, part := range p.parts {
			compare(part, []array.Array{p.partOf(got[0], i)}, []array.Array{p.partOf(want[0], i)})
		}
		got, want = got[n:], want[n:]
	}
}

func firstLine(err error) string { return strings.SplitN(err.Error(), "\n", 2)[0] }

// runXLA compiles g and runs it on args.
func runXLA(client *xla.Client, g *ir.Graph, args []array.Array, overrides map[string]any) ([]array.Array, error) {
	o := xla.CompileOptions{Overrides: overrides}
	for _, p := range g.Params {
		o.Args = append(o.Args, xlaType(p.Type))
	}
	for _, v := range g.Outputs {
		o.Results = append(o.Results, xlaType(v.Type))
	}
	exe, err := client.Compile(ops.AppendStableHLO(nil, g), o)
	if err != nil {
		return nil, err
	}
	defer exe.Destroy()
	in, out := make([]*xla.Buffer, len(args)), make([]*xla.Buffer, len(g.Outputs))
	for i, a := range args {
		if in[i], err = client.Upload(a.Data, a.Type.DType, a.Type.Shape, nil); err != nil {
			return nil, err
		}
		defer in[i].Destroy()
	}
	if err := exe.Run(in, out); err != nil {
		return nil, err
	}
	results := make([]array.Array, len(out))
	for i, b := range out {
		defer b.Destroy()
		results[i] = array.New(g.Outputs[i].Type)
		if err := b.Read(context.Background(), results[i].Data); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func xlaType(t shape.Type) xla.Type { return xla.Type{DType: t.DType, Dims: t.Shape} }

// readLines returns the lines of a list of gaps: "Op", "Op dtype", or "Op dtype
// sample", followed by "#" and a reason.
func readLines(t *testing.T, file string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gaps := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			gaps[line] = true
		}
	}
	return gaps
}
