package nn_test

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

//go:embed testdata/recurrent.json
var recurrentJSON []byte

// recurrentRun is a call of RNN.Run.
type recurrentRun struct {
	Layer any
	X     nv.Tensor
	State []nv.Tensor
}

// TestTorchRecurrent compares values, gradients and last states with those of PyTorch.
func TestTorchRecurrent(t *testing.T) {
	var cases map[string]map[string]golden
	if err := json.Unmarshal(recurrentJSON, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 12 {
		t.Errorf("%d cases", len(cases))
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			layer, states := nn.RNN{Cell: nn.LSTM{Features: 4}}, []string{"c", "h"}
			if strings.HasPrefix(name, "gru") {
				layer, states = nn.RNN{Cell: nn.GRU{Features: 4}}, []string{"h"}
			}
			layer.Reverse = strings.Contains(name, "reverse")
			run := recurrentRun{X: c["x"].tensor(t)}
			run.Layer = fill(t, nn.Init(layer, random.Key(0), run.X), "p.", c)
			for _, s := range states {
				run.State = append(run.State, c[s].tensor(t))
			}
			check := func(what string, got nv.Tensor) {
				t.Helper()
				want, ok := c[what]
				if !ok {
					t.Fatalf("no %s in the case", what)
				}
				if got.DType().String() != want.DType || !got.Shape().Equal(nv.Shape(want.Shape)) {
					t.Fatalf("%s is %v%v, and PyTorch has %s%v", what, got.DType(), got.Shape(), want.DType, want.Shape)
				}
				if e := difference(got, want); !(e <= tolerance(run.X.DType())) {
					t.Errorf("%s differs from PyTorch by %.2g\n got %v\nwant %v", what, e, numbers(got), want.Data)
				}
			}
			y, last := run.Layer.(nn.RNN).Run(run.X, run.State)
			check("y", y)
			g := nv.Grad(func(r recurrentRun) nv.Tensor {
				y, _ := r.Layer.(nn.RNN).Run(r.X, r.State)
				return y.Mul(c["ct"].tensor(t)).AsType(nv.F64).Sum()
			})(run)
			check("g.x", g.X)
			for i, s := range states {
				check("s."+s, last[i])
				check("g."+s, g.State[i])
			}
			for i, leaf := range nv.TreeLeaves(g.Layer) {
				check("g."+caseName(nv.TreePaths(g.Layer)[i]), leaf)
			}
		})
	}
}
