package ops_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

var samplesFile = flag.String("samples", "", "write the points of TestPeersAreWhole to this file, for testdata/peers.py")

const peersFile = "testdata/peers.txt.gz"

// Peers are NumPy, SciPy and JAX. testdata/peers.py writes their answers at the samples of
// each row on each dtype. TestDifferential also compares XLA with these answers: integers and
// booleans exactly, and floats within the bound of the row plus an ulp for the rounding of
// the answer.

// TestPeersAreWhole checks that there is an answer for exactly the operands of every point.
func TestPeersAreWhole(t *testing.T) {
	points := peerPoints()
	if *samplesFile != "" {
		writeSamples(t, points)
		return
	}
	answers := readAnswers(t)
	for _, p := range points {
		if _, ok := answers[key(p)]; !ok {
			t.Errorf("%v: %s has no answer for these operands; run testdata/peers.py again", p, peersFile)
		}
	}
}

// TestReferenceAgreesWithPeers compares the reference with the peers' answers, also on
// dtypes on which it does not follow XLA's CPU compiler.
func TestReferenceAgreesWithPeers(t *testing.T) {
	answers := readAnswers(t)
	for _, p := range peerPoints() {
		g, args := program([]point{p})
		got, err := reference.Run(context.Background(), g, args)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		comparePeer(t, p, got, answers[key(p)])
	}
}

// peerPoints returns the points at the samples that are not random.
func peerPoints() []point {
	var points []point
	for _, d := range ops.All() {
		if named(d.Name) {
			points = append(points, pointsOf(d, 0, nil)...)
		}
	}
	return points
}

// comparePeer is comparePoint with a peer's answer.
func comparePeer(t *testing.T, p point, got []array.Array, answer [][]byte) {
	t.Helper()
	want := make([]array.Array, len(got))
	for k := range got {
		want[k] = array.Array{Type: p.types[k], Data: answer[k]}
	}
	looser := *p.def
	if b := &looser.Bound; b.ULP > 0 || b.Sum {
		b.ULP++ // the answer was rounded
		if b.F64 > 0 {
			b.F64++
		}
	}
	// F4E2M1FN has no nan, and converts nan to a zero of some sign.
	looser.Bound.AnyZero = looser.Bound.AnyZero || p.dtype == dtype.F4E2M1FN
	p.def = &looser
	comparePoint(t, p, got, want)
}

// key returns the key of a point in the file of answers: its name and a checksum of its
// operands and attributes.
func key(p point) string {
	h := crc32.NewIEEE()
	fmt.Fprintf(h, "%v", attributes(p.sample.Attrs))
	for _, a := range p.sample.Args {
		fmt.Fprint(h, a.Type)
		h.Write(a.Data)
	}
	if len(p.sample.Regions) > 0 {
		json.NewEncoder(h).Encode(regionsOf(p.sample.Regions))
	}
	return fmt.Sprintf("%v %08x", p, h.Sum32())
}

// attributes returns the fields of attributes as JSON values.
func attributes(attrs any) map[string]any {
	fields := map[string]any{}
	v := reflect.ValueOf(attrs)
	for i := 0; attrs != nil && i < v.NumField(); i++ {
		name := v.Type().Field(i).Name
		if name == "Coupled" && !v.Field(i).Bool() {
			continue // only derivatives set it; peers have no such attribute
		}
		switch x := v.Field(i).Interface().(type) {
		case shape.Dims:
			fields[name] = append([]int{}, x.Ints()...)
		case string:
			fields[name] = base64.StdEncoding.EncodeToString([]byte(x))
		case fmt.Stringer:
			fields[name] = x.String()
		default:
			fields[name] = x
		}
	}
	return fields
}

// A peerPoint is a point in the form that testdata/peers.py reads, one a line.
type peerPoint struct {
	Key, Row string
	Attrs    map[string]any
	Args     []peerArray
	Results  []peerArray
	Regions  []peerRegion
}

// A peerArray is a tensor, or the type of one if Data is nil.
type peerArray struct {
	DType string
	Shape []int
	Data  []byte
}

// A peerRegion is a graph with numbered values: the parameters, then the results of the
// nodes.
type peerRegion struct {
	Nodes   []peerNode
	Outputs []int
}

// A peerNode is a node of a peerRegion. Args are numbers of values.
type peerNode struct {
	Row     string
	Attrs   map[string]any
	Args    []int
	Results []peerArray
	Regions []peerRegion
}

// regionsOf converts regions to the form that testdata/peers.py reads.
func regionsOf(graphs []*ir.Graph) []peerRegion {
	var regions []peerRegion
	for _, g := range graphs {
		at := map[*ir.Value]int{}
		for _, v := range g.Params {
			at[v] = len(at)
		}
		numbers := func(vs []*ir.Value) (list []int) {
			for _, v := range vs {
				list = append(list, at[v])
			}
			return list
		}
		var r peerRegion
		for _, n := range g.Nodes {
			r.Nodes = append(r.Nodes, peerNode{n.Code.String(), attributes(n.Attrs), numbers(n.Args), nil, regionsOf(n.Regions)})
			for _, v := range n.Results {
				at[v] = len(at)
				last := &r.Nodes[len(r.Nodes)-1]
				last.Results = append(last.Results, peerType(v.Type))
			}
		}
		r.Outputs = numbers(g.Outputs)
		regions = append(regions, r)
	}
	return regions
}

func peerType(t shape.Type) peerArray {
	return peerArray{t.DType.String(), append([]int{}, t.Shape...), nil}
}

// writeSamples writes points to the file of the flag -samples.
func writeSamples(t *testing.T, points []point) {
	f, err := os.Create(*samplesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := json.NewEncoder(f)
	for _, p := range points {
		q := peerPoint{Key: key(p), Row: p.def.Name, Attrs: attributes(p.sample.Attrs), Regions: regionsOf(p.sample.Regions)}
		for _, a := range p.sample.Args {
			q.Args = append(q.Args, peerType(a.Type))
			q.Args[len(q.Args)-1].Data = a.Data
		}
		for _, r := range p.types {
			q.Results = append(q.Results, peerType(r))
		}
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
}

// readAnswers returns the results of each key in peersFile. Its lines are the key and the
// results in base64, separated by tabs.
func readAnswers(t *testing.T) map[string][][]byte {
	t.Helper()
	data, err := os.ReadFile(peersFile)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string][][]byte{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		name, results, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue // a comment
		}
		for r := range strings.SplitSeq(results, "\t") {
			b, err := base64.StdEncoding.DecodeString(r)
			if err != nil {
				t.Fatal(err)
			}
			answers[name] = append(answers[name], b)
		}
	}
	return answers
}
