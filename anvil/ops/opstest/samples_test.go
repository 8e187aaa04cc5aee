package opstest

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

var update = flag.Bool("update", false, "rewrite testdata/samples.txt")

// TestSamplesAreKept compares the awkward values of each dtype, and the samples of rows, with testdata/samples.txt: a
// case that is no longer tested must show. Rows that share their samples are there once.
func TestSamplesAreKept(t *testing.T) {
	var text strings.Builder
	for _, d := range dtype.All() {
		fmt.Fprintf(&text, "awkward %v: %s\n", d, elements(awkward(d)))
	}
	var last string
	for _, d := range ops.All() {
		if _, ok := table[d.Code]; !ok && d.Code != ir.Add && d.Code != ir.Neg && d.Code != ir.Tan && d.Code != ir.Digamma {
			continue
		}
		var own, others strings.Builder
		for _, dt := range dtype.All() {
			if len(d.Params) > 0 && !d.Takes(0, dt) {
				continue
			}
			to := &others
			if dt == shown(d) {
				to = &own
			}
			for _, s := range Samples(d, dt) {
				fmt.Fprintf(to, "\t%v %s:%s", dt, s.Name, attributes(s.Attrs))
				for _, g := range s.Regions {
					to.WriteString(" " + graph(g))
				}
				for _, a := range s.Args {
					to.WriteString(" " + short(a.Type.String()+elements(a)))
				}
				to.WriteString("\n")
			}
		}
		samples := fmt.Sprintf("%s\t%d of other dtypes %s\n", own.String(), strings.Count(others.String(), "\n"), digest(others.String()))
		if samples == last {
			samples = "\tas above\n"
		} else {
			last = samples
		}
		text.WriteString(d.Name + "\n" + samples)
	}
	const golden = "testdata/samples.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("go test ./anvil/ops/opstest -update rewrites it (-want +got):\n%s", diff)
	}
}

// shown returns the dtype whose samples of row d are in the file. Of those of other dtypes it has a digest.
func shown(d *ops.Def) dtype.DType {
	for _, t := range []dtype.DType{dtype.F32, dtype.I32, dtype.C64} {
		if len(d.Params) == 0 || d.Takes(0, t) {
			return t
		}
	}
	return dtype.I1
}

// elements returns the elements of a, rounded: functions of package math may differ by platform in the last bits.
func elements(a array.Array) string {
	var b strings.Builder
	for i := range a.Size() {
		at := a.Data[i*a.DType().Size():]
		switch d := a.DType(); d.Kind() {
		case dtype.Complex:
			fmt.Fprintf(&b, " %.4g", dtype.GetComplex(at, d))
		case dtype.Floating:
			fmt.Fprintf(&b, " %.4g", dtype.GetFloat(at, d))
		default:
			fmt.Fprint(&b, " ", dtype.Get(at, d))
		}
	}
	return b.String()
}

// attributes returns attributes as text.
func attributes(attrs any) string {
	switch a := attrs.(type) {
	case nil:
		return ""
	case ir.ConstantAttrs:
		return short(fmt.Sprintf(" %v%v %x", a.DType, a.Shape, a.Data))
	}
	return fmt.Sprintf(" %+v", attrs)
}

// graph returns the nodes of g as text.
func graph(g *ir.Graph) string {
	var b strings.Builder
	names := map[*ir.Value]int{}
	name := func(values []*ir.Value) (s string) {
		for _, v := range values {
			if _, known := names[v]; !known {
				names[v] = len(names)
			}
			s += fmt.Sprint(" %", names[v], " ", v.Type)
		}
		return s
	}
	b.WriteString(name(g.Params))
	for _, n := range g.Nodes {
		fmt.Fprint(&b, "; ", name(n.Results), " = ", n.Code, attributes(n.Attrs), name(n.Args))
	}
	b.WriteString("; return" + name(g.Outputs))
	return short("{" + b.String() + "}")
}

// short returns s, or a digest of it if it is long.
func short(s string) string {
	if len(s) > 60 {
		return s[:20] + "... " + digest(s)
	}
	return s
}

func digest(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return fmt.Sprintf("%016x", h.Sum64())
}
