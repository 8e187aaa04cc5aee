package optim_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/optim"
)

// golden is the content of testdata/optax.json, which gen/golden.py writes.
type golden struct {
	Steps, Counts []int
	Optimizers    map[string]map[string][][]float64
	Schedules     map[string][]float64
}

func readGolden(t *testing.T) (g golden) {
	data, err := os.ReadFile("testdata/optax.json")
	if err == nil {
		err = json.Unmarshal(data, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// weights is a model with a tensor of each rank.
type weights struct{ S, V, M nv.Tensor }

func start() weights {
	return weights{nv.From(0.3), nv.From([]float64{0.45, -0.4, 0.7}), nv.From([][]float64{{0.2, -0.6, 0.9}, {-0.8, 0.35, 0.15}})}
}

// problems has the losses of gen/golden.py.
var problems = map[string]func(p weights) nv.Tensor{
	"quadratic": func(p weights) nv.Tensor {
		c := nv.From([][]float64{{1, 0.3, 0.1}, {0.3, 2, 0.2}, {0.1, 0.2, 10}})
		d := p.V.Sub(nv.From([]float64{1, -2, 0.5}))
		return d.MatMul(c).MatMul(d).Mul(0.5).Add(p.S.Sub(3).Square()).Add(p.M.Sub(1.5).Square().Sum().Mul(0.1))
	},
	"logistic": func(p weights) nv.Tensor {
		x := nv.Arange(48.0, nv.F64).Add(1).Sin().Reshape(nv.Shape{8, 6})
		sign := nv.From([]float64{1, -1, 1, 1, -1, -1, 1, -1})
		z := x.MatMul(p.M.Reshape(nv.Shape{6})).Add(x.At(nv.All, nv.Slice(0, 3, 1)).MatMul(p.V)).Add(p.S)
		return sign.Mul(z).Neg().Exp().Log1p().Mean().Add(ridge(p).Mul(0.05))
	},
	"network": func(p weights) nv.Tensor {
		x := nv.Arange(15.0, nv.F64).Sin().Reshape(nv.Shape{5, 3})
		y := nv.Arange(5.0, nv.F64).Mul(2).Cos()
		h := x.MatMul(p.M.Transpose()).Add(p.V.At(nv.Slice(0, 2, 1))).Tanh()
		return h.MatMul(p.V.At(nv.Slice(1, 3, 1))).Add(p.S).Sub(y).Square().Mean().Add(ridge(p).Mul(0.1))
	},
}

func ridge(p weights) nv.Tensor { return p.S.Square().Add(p.V.Square().Sum()).Add(p.M.Square().Sum()) }

var vectors = []string{"S", "V"}

// optimizers has the optimizers of gen/golden.py.
var optimizers = map[string]optim.Optimizer{
	"SGD":              optim.SGD{Rate: 0.05},
	"SGD momentum":     optim.SGD{Rate: 0.02, Momentum: 0.9},
	"SGD Nesterov":     optim.SGD{Rate: 0.02, Momentum: 0.8, Nesterov: true},
	"Adam":             optim.Adam{Rate: 0.05},
	"Adam betas":       optim.Adam{Rate: 0.02, Beta1: 0.8, Beta2: 0.95, Epsilon: 1e-3},
	"AdamW":            optim.AdamW{Rate: 0.05, Decay: 0.01},
	"AdamW mask":       optim.AdamW{Rate: 0.05, Decay: 0.1, NoDecay: vectors},
	"NAdam":            optim.NAdam{Rate: 0.05},
	"RMSProp":          optim.RMSProp{Rate: 0.0001},
	"RMSProp centered": optim.RMSProp{Rate: 0.002, Decay: 0.8, Epsilon: 1e-4, Centered: true},
	"RMSProp momentum": optim.RMSProp{Rate: 0.0005, Momentum: 0.9},
	"RMSProp Nesterov": optim.RMSProp{Rate: 0.0001, Momentum: 0.7, Nesterov: true},
	"Adagrad":          optim.Adagrad{Rate: 0.3},
	"Adadelta":         optim.Adadelta{},
	"Lion":             optim.Lion{Rate: 0.01},
	"Lion mask":        optim.Lion{Rate: 0.01, Beta1: 0.85, Beta2: 0.95, Decay: 0.1, NoDecay: vectors},
	"LAMB":             optim.LAMB{Rate: 0.01},
	"LAMB decay":       optim.LAMB{Rate: 0.01, Decay: 0.1, NoDecay: vectors},
	"LBFGS":            optim.LBFGS{Rate: 0.1},
	"LBFGS memory 3":   optim.LBFGS{Rate: 0.1, Memory: 3},
	"Decay SGD":        optim.Chain{optim.Decay{Weight: 0.1, Except: vectors}, optim.SGD{Rate: 0.05, Momentum: 0.5}},
	"ClipValue":        optim.Chain{optim.ClipValue{Max: 0.2}, optim.SGD{Rate: 0.05}},
	"ClipNorm":         optim.Chain{optim.ClipNorm{Max: 0.5}, optim.Adam{Rate: 0.05}},
	"Accumulate":       optim.Accumulate{Steps: 4, Optimizer: optim.Adam{Rate: 0.05}},
	"Schedule": optim.Adam{Rate: optim.Warmup{Steps: 10, From: 0.001,
		Then: optim.Cosine{Rate: 0.05, Steps: 70, End: 0.002}}},
}

// stepOf returns a compiled step of opt.
func stepOf[M any](opt optim.Optimizer, loss func(M) nv.Tensor) func(M, optim.State) (M, optim.State) {
	return nv.Jit(func(m M, s optim.State) (M, optim.State) { return optim.Update(opt, m, nv.Grad(loss)(m), s) })
}

func TestStepsAgreeWithOptax(t *testing.T) {
	g := readGolden(t)
	if len(g.Optimizers) != len(optimizers) {
		t.Errorf("%d optimizers in the golden file, and %d here", len(g.Optimizers), len(optimizers))
	}
	for name, runs := range g.Optimizers {
		for problem, want := range runs {
			t.Run(name+"/"+problem, func(t *testing.T) {
				opt := optimizers[name]
				step := stepOf(opt, problems[problem])
				model := start()
				state := optim.Init(opt, model)
				worst, done := 0.0, 0
				for i, n := range g.Steps {
					for ; done < n; done++ {
						model, state = step(nv.Donate(model), nv.Donate(state))
					}
					var got []float64
					for _, x := range nv.TreeLeaves(model) {
						got = append(got, nv.Values[float64](x)...)
					}
					size := 0.0
					for _, w := range want[i] {
						size = max(size, math.Abs(w))
					}
					for k, w := range want[i] {
						e := math.Abs(got[k]-w) / size
						if !(e <= 1e-12) {
							t.Fatalf("step %d: parameter %d is %v, Optax has %v: %.2g of the greatest", n, k, got[k], w, e)
						}
						worst = max(worst, e)
					}
				}
				t.Logf("the greatest error is %.2g of the greatest parameter", worst)
			})
		}
	}
}

func TestSchedulesAgreeWithOptax(t *testing.T) {
	g := readGolden(t)
	for name, s := range map[string]optim.Schedule{
		"Constant": optim.Constant(0.1),
		"Step":     optim.Step{Rate: 0.5, Every: 30},
		"Cosine":   optim.Cosine{Rate: 0.2, Steps: 100, End: 0.02},
		"Warmup":   optim.Warmup{Steps: 10, From: 0.01, Then: optim.Cosine{Rate: 0.2, Steps: 100}},
		"OneCycle": optim.OneCycle{Peak: 0.4, Steps: 100},
	} {
		got := nv.Values[float64](s.At(nv.New(g.Counts)))
		for i, w := range g.Schedules[name] {
			if math.Abs(got[i]-w) > 1e-12*math.Abs(w)+1e-16 {
				t.Errorf("%s after %d steps: %v, Optax has %v", name, g.Counts[i], got[i], w)
			}
		}
	}
}
