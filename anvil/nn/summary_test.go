package nn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

// sequence returns a model whose layers have different dtypes, and which has operations outside of
// layers.
func sequence() nn.Sequential {
	return nn.Sequential{
		nn.RNN{Cell: nn.LSTM{Features: 4}},
		nn.Dense{Features: 4, DType: nv.F16},
		nn.LayerNorm{DType: nv.BF16},
		nv.Relu,
		nn.Residual{Part: nn.Dense{Features: 4}},
	}
}

func TestSummary(t *testing.T) {
	x := nv.Ones(nv.Shape{2, 5, 4}, nv.BF16)
	const want = `layer                 input        output       param dtype  computed at  parameters  bytes  operations  why
0 (nn.RNN)            bf16{2,5,4}  f32{2,5,4}                                      0      0           0
0.Cell (nn.LSTM)      bf16{2,4}    f32{2,4}     f32          f32                 144    576       3 240  bf16, f32 to f32 in jax64: least upper bound
1 (nn.Dense)          f32{2,5,4}   f16{2,5,4}   f32          f16                  20     80         360  f32 to f16: the field DType
2 (nn.LayerNorm)      f16{2,5,4}   bf16{2,5,4}  f32          f32                   8     32         320  f16, f32 to bf16: the field DType; statistics are f32 at least
4 (nn.Residual)       bf16{2,5,4}  f32{2,5,4}                f32                   0      0          40  bf16, f32 to f32 in jax64: least upper bound
4.Part (nn.Dense)     bf16{2,5,4}  f32{2,5,4}   f32          f32                  20     80         360  bf16, f32 to f32 in jax64: least upper bound
nn.Sequential         bf16{2,5,4}  f32{2,5,4}   f32                              192    768       4 400`
	trim := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	absent := nn.Summary(sequence(), x)
	if trim(absent.String()) != trim(want) {
		t.Errorf("got\n%s\nwant\n%s", absent, want)
	}
	model := nn.Init(sequence(), random.Key(0), x)
	if made := nn.Summary(model, x); made.String() != absent.String() {
		t.Errorf("after Init\n%s", made)
	}
	if html := absent.HTML(); strings.Count(html, "<tr>") != 8 || !strings.Contains(html, "0.Cell (nn.LSTM)") {
		t.Errorf("HTML %s", html)
	}
}

// TestSummaryOfLayerDType checks that the summary does not name a field for the dtype that is set for all layers.
func TestSummaryOfLayerDType(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	c.SetLayerDType(nv.BF16)
	text := nn.Summary(nn.Dense{Features: 4}, c.Ones(nv.Shape{2, 3})).String()
	if want := "layer     input     output     param dtype  computed at  parameters  bytes  operations  " +
		"why\nnn.Dense  f32{2,3}  bf16{2,4}  bf16         bf16                 16     32          56  " +
		"f32, bf16 to bf16: the dtype set for layers\nnn.Dense  f32{2,3}  bf16{2,4}  bf16               " +
		"               16     32          56"; text != want {
		t.Error(text)
	}
}

// TestSummaryNotTrained checks that running statistics, frozen tensors and integers count as not trained.
func TestSummaryNotTrained(t *testing.T) {
	x := nv.Ones(nv.Shape{2, 3})
	model := nn.Sequential{nn.Dense{Features: 4}, nn.BatchNorm{}, counted{nn.Dense{Features: 2}, nv.Arange(7)}}
	counts := func(table nn.LayerTable) (all []int) {
		for _, r := range table {
			all = append(all, r.NotTrained)
		}
		return all
	}
	for range 2 { // before and after Init
		table := nn.Summary(model, x, nn.Freeze("0.Kernel", "2.Layer"))
		if got, want := counts(table), []int{12, 8, 10, 37}; !slices.Equal(got, want) {
			t.Errorf("%v numbers do not train, want %v", got, want)
		}
		if last := table[len(table)-1]; last.Parameters != 16+16+10+7 {
			t.Errorf("%d parameters", last.Parameters)
		}
		if text := table.String(); !strings.Contains(text, "parameters  not trained  bytes") || !strings.Contains(text, "49           37    ") {
			t.Errorf("the table has no column of numbers not trained:\n%s", text)
		}
		if got, want := counts(nn.Summary(model, x)), []int{0, 8, 0, 15}; !slices.Equal(got, want) {
			t.Errorf("with nothing frozen %v numbers do not train, want %v", got, want)
		}
		model = nn.Init(model, random.Key(0), x)
	}
	for _, c := range []struct {
		arg  any
		want string
	}{
		{nn.Freeze("3"), `nn.Summary(nn.Sequential): no tensor is at the frozen path "3"; the paths are 0.Kernel, ` +
			"0.Bias, 1.Scale, 1.Bias, 1.Mean, 1.Var, 2.Layer.Kernel, 2.Layer.Bias, 2.Counts"},
		{nv.Wrt(0), "nn.Summary(nn.Sequential): an option of Grad other than Freeze is given; leave out Wrt and " +
			`Conventions, and give only options such as nn.Freeze("In")`},
		{1.5, "nn.Summary(float64): the argument is neither a tensor nor an option; write nn.Summary(model, x, " +
			`nn.Freeze("In"))`},
	} {
		if err := nv.Try(func() { nn.Summary(model, x, c.arg) }); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}

type counted struct {
	Layer  nn.Dense
	Counts nv.Tensor
}

func (m counted) Apply(x nv.Tensor) nv.Tensor { return m.Layer.Apply(x) }

// TestAuditStatistics checks that the conversions of running statistics are listed.
func TestAuditStatistics(t *testing.T) {
	norm := nn.Init(nn.BatchNorm{}, random.Key(0), nv.Ones(nv.Shape{2, 3}))
	norm.Mean.Tensor = norm.Mean.AsType(nv.F64)
	got := nn.Audit(norm, nv.Ones(nv.Shape{2, 3}))
	want := []string{"f32 f64 {2,3} 1", "f32 f64 {3} 3", "f64 f32 {2,3} 1"} // x, Scale with Bias and Var, the result
	var lines []string
	for _, c := range got {
		lines = append(lines, fmt.Sprintf("%v %v %v %d", c.From, c.To, c.Shape, c.Count))
	}
	if !slices.Equal(lines, want) || got[2].Loss != "0.1 becomes 0.10000000149011612" {
		t.Errorf("got\n%v", got)
	}
}

// TestSummaryOperations checks the numbers of operations of a convolution and of a matrix
// multiplication, and that the tensors of a layer that is applied twice count once.
func TestSummaryOperations(t *testing.T) {
	x := nv.Ones(nv.Shape{1, 6, 6, 4})
	conv := nn.Conv{Features: 8, Window: nv.Shape{3, 3}, Groups: 2, NoBias: true}
	if got, want := nn.Summary(conv, x)[0].Operations, 2*(6*6*8)*(3*3*2); got != want {
		t.Errorf("a convolution has %d operations, want %d", got, want)
	}
	table := nn.Summary(twice{nn.Dense{Features: 3}}, nv.Ones(nv.Shape{5, 3}))
	row, total := table[0], table[1]
	if len(table) != 2 || row.Parameters != 12 || row.Operations != 2*(5*3*3*2+5*3) || total.Operations != row.Operations+15 {
		t.Errorf("a layer that is applied twice:\n%v", table)
	}
}

type twice struct{ Layer nn.Dense }

func (m twice) Apply(x nv.Tensor) nv.Tensor { return nv.Tanh(m.Layer.Apply(m.Layer.Apply(x))) }

type narrowed struct{ Layer nn.Dense }

func (m narrowed) Apply(x nv.Tensor) nv.Tensor { return m.Layer.Apply(x).AsType(nv.F16) }

func TestAudit(t *testing.T) {
	got := nn.Audit(sequence(), nv.Ones(nv.Shape{2, 5, 4}, nv.BF16))
	var lines []string
	for _, c := range got {
		lines = append(lines, strings.Join([]string{c.Path, c.Layer, c.From.String(), c.To.String(), c.Shape.String(), c.Loss}, " "))
	}
	want := `0.Cell nn.LSTM bf16 f32 {2,4} 
1 nn.Dense f32 f16 {2,5,4} 0.1 becomes 0.099975586
1 nn.Dense f32 f16 {4,4} 0.1 becomes 0.099975586
1 nn.Dense f32 f16 {4} 0.1 becomes 0.099975586
2 nn.LayerNorm f16 f32 {2,5,4} 
2 nn.LayerNorm f32 bf16 {2,5,4} 0.1 becomes 0.100097656
4 nn.Residual bf16 f32 {2,5,4} 
4.Part nn.Dense bf16 f32 {2,5,4} `
	if strings.Join(lines, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), want)
	}
	outside := nn.Audit(widened{}, nv.Ones(nv.Shape{3}, nv.I32))
	if len(outside) != 1 || outside[0].Layer != "nn_test.widened" || outside[0].Loss != "16777217 becomes 16777216" {
		t.Errorf("outside of layers: %v", outside)
	}
	behind := nn.Audit(narrowed{nn.Init(nn.Dense{Features: 2}, random.Key(0), nv.Ones(nv.Shape{1, 3}))}, nv.Ones(nv.Shape{1, 3}))
	if len(behind) != 1 || behind[0].Layer != "nn_test.narrowed" || behind[0].Why != "outside of layers" {
		t.Errorf("behind a layer: %v", behind)
	}
	text := `layer             from  to   shape  count  loss                          why
nn_test.widened   i32   f32  {3}        1  16777217 becomes 16777216     outside of layers`
	if got := strings.Join(strings.Fields(outside.String()), " "); got != strings.Join(strings.Fields(text), " ") {
		t.Errorf("as text:\n%v", outside)
	}
	row := `<tr><td style="text-align:left">nn_test.widened</td><td style="text-align:left">i32</td>`
	if s := outside.HTML(); !strings.Contains(s, row) || !strings.Contains(s, `<td style="text-align:right">1</td>`) {
		t.Errorf("as HTML: %s", s)
	}
	if s := got[0].Path + " " + strings.Split(got.String(), "\n")[1]; !strings.HasPrefix(s, "0.Cell 0.Cell (nn.LSTM) ") {
		t.Errorf("a conversion of a layer: %s", s)
	}
	if !strings.Contains(got.String(), "  none  ") {
		t.Errorf("no conversion keeps all numbers:\n%v", got)
	}
	if s := (nn.Conversions{}).HTML(); s != "no conversions" {
		t.Error(s)
	}
	if s := nn.Audit(nn.Dense{Features: 2}, nv.Ones(nv.Shape{3, 2})).String(); s != "no conversions" {
		t.Error(s)
	}
}

type widened struct{}

func (widened) Apply(x nv.Tensor) nv.Tensor { return x.Add(nv.Ones(nil, nv.F32)) }

// TestWhyNaN checks that the layer of a NaN is named, in derivatives too.
func TestWhyNaN(t *testing.T) {
	x := nv.Ones(nv.Shape{5, 3})
	m := newMLP(t, x)
	m.In.Kernel = m.In.Kernel.Mul(1e38).Mul(10)
	why, want := nv.WhyNaN(m.Apply(x)), "element [0, 0] of DotGeneral in the layer In (nn.Dense) is NaN, computed "+
		"from f32{5,3} and f32{3,4}; the first infinity came from Mul at element [0, 0], computed from "+
		"7.746164069682229e+37 and 10"
	if why != want {
		t.Error(why)
	}
	flat := nv.Zeros(nv.Shape{2, 4, 3})
	r := nn.RNN{Cell: nn.LSTM{Features: 2, Act: nv.Tensor.Sqrt, KernelInit: nn.Zeros, RecurrentInit: nn.Zeros}}
	r = nn.Init(r, random.Key(0), flat)
	loss := func(r nn.RNN) nv.Tensor { return r.Apply(flat).Sum() }
	defer nv.Default().WatchNaN()()
	err := nv.Try(func() { _ = nv.Grad(loss)(r).Cell.(nn.LSTM).Kernel.String() })
	if want := "Grad(): element [0, 0] of MulNoNaN in the derivative of Mul in the layer Cell (nn.LSTM) is NaN, " +
		"computed from +Inf and 0; the first infinity came from Div in the layer Cell (nn.LSTM) at " +
		"element [0, 0], computed from 0.5 and 0"; err == nil || err.Error() != want {
		t.Errorf("a derivative: %v", err)
	}
}

// TestLayerNames checks that the calls of a layer are described with the name of its type.
func TestLayerNames(t *testing.T) {
	samples := map[string]any{"MaxPool": nn.MaxPool{Window: nv.Shape{2}}, "AvgPool": nn.AvgPool{Window: nv.Shape{2}},
		"Dropout": nn.Dropout{Rate: 0.5}, "RNN": nn.RNN{Cell: nn.GRU{Features: 2}}}
	for kind, s := range layerSamples {
		samples[kind] = s.layer
	}
	for kind, layer := range samples {
		x := nv.Ones(nv.Shape{2, 4, 4})
		if kind == "Embed" {
			x = nv.Zeros(nv.Shape{2, 3}, nv.I32)
		}
		if kind == "LSTM" || kind == "GRU" {
			layer = nn.RNN{Cell: layer}
		}
		rows := nn.Summary(layer, x)
		if !slices.ContainsFunc(rows, func(r nn.LayerRow) bool { return r.Layer == "nn."+kind }) {
			t.Errorf("%s is described as %+v", kind, rows)
		}
	}
}
