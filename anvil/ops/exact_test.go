package ops_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

var exactFile = flag.String("exact", "testdata/exact.txt.gz", "values of functions of f64, by testdata/exact.py")

// exactValues has the values of a function at exactPoints: the nearest f64, and the offset of
// the exact value from it in 1/256 ulp.
type exactValues struct {
	nearest []float64
	offset  []int8
}

// readExact reads the values of each function.
func readExact(t *testing.T) map[string]exactValues {
	t.Helper()
	data, err := os.ReadFile(*exactFile)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]exactValues{}
	for r := bufio.NewReaderSize(z, 1<<24); ; {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return values
		}
		words := strings.Fields(line)
		if err != nil || len(words) != 3 {
			t.Fatal(*exactFile, err)
		}
		values[words[0]] = exactValues{array.Load[float64](vectorOf(t, words[1])), offsetsOf(t, words[2])}
	}
}

func vectorOf(t *testing.T, text string) array.Array {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return array.Array{Type: shape.Of(dtype.F64, len(data)/8), Data: data}
}

func offsetsOf(t *testing.T, text string) []int8 {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	offsets := make([]int8, len(data))
	for i, b := range data {
		offsets[i] = int8(b)
	}
	return offsets
}

// exactPoints returns the points of testdata/exact.py: half of them distributed evenly over
// all bit patterns, half over the numbers from 2^-32 to 2^11 of both signs.
func exactPoints(n int) array.Array {
	a := array.New(shape.Of(dtype.F64, n))
	copy(a.Data, spread(dtype.F64, n/2).Data)
	const low = (0x3ff - 32) << 52
	width := uint64(43<<52)/uint64(n/4) | 1
	for i := range n / 4 {
		at := low + uint64(i)*width
		dtype.PutUint(a.Data[(n/2+2*i)*8:], dtype.U64, at)
		dtype.PutUint(a.Data[(n/2+2*i+1)*8:], dtype.U64, 1<<63|at+width/2)
	}
	return a
}

// accuracy64 measures a function of f64, as computed by XLA and by package host, against its
// exact values.
func accuracy64(client *xla.Client, def *ops.Def, exact exactValues) (compiled, host worst, err error) {
	x := exactPoints(len(exact.nearest))
	g, args := graphOf(def, x.Type), []array.Array{x}
	got, err := runXLA(client, g, args, nil)
	if err != nil {
		return worst{}, worst{}, err
	}
	flushed, err := reference.RunFlushing(context.Background(), g, args)
	if err != nil {
		return worst{}, worst{}, err
	}
	return exact.farthest(def, x, got[0]), exact.farthest(def, x, flushed[0]), nil
}

// farthest compares the results of a function at x with its exact values.
func (e exactValues) farthest(def *ops.Def, x, got array.Array) (w worst) {
	gs := array.Load[float64](got)
	for i, x := range array.Load[float64](x) {
		if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) || subnormal(dtype.F64, x) {
			continue
		}
		off, want := inaccuracy(dtype.F64, gs[i], e.nearest[i], def.Bound.Floor), e.nearest[i]
		if unit := ulp(dtype.F64, want); def.Bound.Floor <= math.Abs(want) && off < 1e6 && (off > 0 || gs[i] == want) {
			off = math.Abs((gs[i]-want)/unit - float64(e.offset[i])/256)
		}
		if off > w.ulp {
			w.ulp, w.x, w.got, w.want = off, x, gs[i], want
		}
	}
	return w
}
