package nn_test

import (
	_ "embed"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

//go:embed testdata/dtypes.txt
var dtypesText string

// layerSamples has a layer of each kind and the shape of an input for it.
var layerSamples = map[string]struct {
	layer any
	shape nv.Shape
}{
	"Dense":              {nn.Dense{Features: 4}, nv.Shape{2, 3}},
	"Conv":               {nn.Conv{Features: 4, Window: nv.Shape{3}}, nv.Shape{2, 5, 3}},
	"ConvTranspose":      {nn.ConvTranspose{Features: 4, Window: nv.Shape{3}}, nv.Shape{2, 5, 3}},
	"Embed":              {nn.Embed{Count: 5, Features: 3}, nv.Shape{2, 3}},
	"LayerNorm":          {nn.LayerNorm{}, nv.Shape{2, 4}},
	"RMSNorm":            {nn.RMSNorm{}, nv.Shape{2, 4}},
	"GroupNorm":          {nn.GroupNorm{Groups: 2}, nv.Shape{2, 4}},
	"BatchNorm":          {nn.BatchNorm{}, nv.Shape{2, 4}},
	"MultiHeadAttention": {nn.MultiHeadAttention{Heads: 2}, nv.Shape{2, 3, 4}},
	"LSTM":               {nn.LSTM{Features: 2}, nv.Shape{2, 3}},
	"GRU":                {nn.GRU{Features: 2}, nv.Shape{2, 3}},
}

// TestDTypes compares the dtypes of results and parameters with those of Flax. There are two
// intended differences: attention refuses complex numbers, and a layer drops imaginary parts
// only if OnComplexTruncation allows it.
func TestDTypes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", NoCache: true})
	defer c.Close()
	parse := func(s string) nv.DType {
		d, _ := dtype.Parse(s)
		return d
	}
	n := 0
	for line := range strings.Lines(dtypesText) {
		f := strings.Fields(line)
		kind, in, d, p, want := f[0], parse(f[1]), parse(f[2]), parse(f[3]), f[4]
		n++
		layer := reflect.New(reflect.TypeOf(layerSamples[kind].layer)).Elem()
		layer.Set(reflect.ValueOf(layerSamples[kind].layer))
		layer.FieldByName("DType").Set(reflect.ValueOf(d))
		layer.FieldByName("ParamDType").Set(reflect.ValueOf(p))
		x := c.Ones(layerSamples[kind].shape, in)
		got := "error"
		err := nv.Try(func() {
			m := nn.InitAny(layer.Interface(), random.In(c).Key(0), x)
			y := apply(m, x)
			got = y.DType().String()
			for i, leaf := range nv.TreeLeaves(m) {
				name := nv.TreePaths(m)[i]
				if leaf.Valid() && name != "Mean" && name != "Var" && leaf.DType() != p {
					t.Errorf("%s: %s is %v", strings.TrimSpace(line), name, leaf.DType())
				}
			}
		})
		complexOperand := in.Is(dtype.Complex) || p.Is(dtype.Complex)
		switch {
		case strings.HasSuffix(want, "Error"):
			want = "error"
		case kind == "MultiHeadAttention" && (d.Is(dtype.Complex) || complexOperand && !d.Valid()):
			want = "error"
		case d.Valid() && !d.Is(dtype.Complex) && complexOperand && !(kind == "Embed" && !p.Is(dtype.Complex)):
			want = "error"
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", strings.TrimSpace(line), got, want, err)
		}
	}
	if n < 1000 {
		t.Errorf("only %d rows", n)
	}
}

// TestDTypeOfIntegers checks that layers without float operands compute at f32.
func TestDTypeOfIntegers(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", NoCache: true})
	defer c.Close()
	for _, d := range []nv.DType{nv.I1, nv.I8, nv.U32, nv.I64} {
		x := c.Ones(nv.Shape{2, 2}, d)
		for name, y := range map[string]nv.Tensor{
			"LayerNorm":           nn.LayerNorm{NoScale: true, NoBias: true}.Apply(x),
			"DotProductAttention": nn.DotProductAttention(x, x, x),
		} {
			if y.DType() != nv.F32 {
				t.Errorf("%s of %v is %v", name, d, y)
			}
		}
	}
}

// TestDTypesOfAttend checks that Embed.Attend computes at DType, or without it at the promotion of its input and the
// parameter.
func TestDTypesOfAttend(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", NoCache: true})
	defer c.Close()
	for _, d := range []struct {
		input, given, parameter, want nv.DType
		value                         float64 // of 2049 * 1, which f16 and bf16 round to 2048
	}{
		{nv.F32, nv.F16, nv.F32, nv.F16, 2048},
		{nv.F64, nv.BF16, nv.F16, nv.BF16, 2048},
		{nv.F32, nv.F64, nv.F32, nv.F64, 2049},
		{nv.F32, dtype.Invalid, nv.F16, nv.F32, 2049},
		{nv.F32, dtype.Invalid, nv.F64, nv.F64, 2049},
	} {
		e := nn.Embed{Count: 2, Features: 1, EmbeddingInit: nn.Ones, DType: d.given, ParamDType: d.parameter}
		e = e.Init(random.In(c).Key(0), c.New([]int{0}))
		y := e.Attend(c.New([][]float64{{2049}}, d.input))
		if got := numbers(y); y.DType() != d.want || len(got) != 2 || got[0] != d.value || got[1] != d.value {
			t.Errorf("%v: the result is %v", d, y)
		}
		if e.Embedding.DType() != d.parameter {
			t.Errorf("%v: the parameter is %v", d, e.Embedding.DType())
		}
	}
}

// These match the source of a struct, and the lines in it that make it a layer with tensors.
var (
	structSource = regexp.MustCompile(`(?ms)^type ([A-Z]\w*) struct \{\n(.*?)^\}`)
	layerLine    = regexp.MustCompile(`(?m)^\tbase$`)
	tensorLine   = regexp.MustCompile(`(?m)^\t[A-Z][\w, ]*\s+(nv\.Tensor|State|Dense)\b`)
)

// TestFields checks that every layer with tensors has the fields DType and ParamDType.
func TestFields(t *testing.T) {
	for kind, s := range layerSamples {
		for _, field := range []string{"DType", "ParamDType"} {
			f, ok := reflect.TypeOf(s.layer).FieldByName(field)
			if !ok || f.Type != reflect.TypeFor[nv.DType]() {
				t.Errorf("%s has no field %s", kind, field)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range structSource.FindAllSubmatch(source, -1) {
			if !layerLine.Match(m[2]) || !tensorLine.Match(m[2]) {
				continue
			}
			found++
			if _, ok := layerSamples[string(m[1])]; !ok {
				t.Errorf("layerSamples lacks the layer %s of %s", m[1], file)
			}
		}
	}
	if found != len(layerSamples) {
		t.Errorf("the source has %d layers, and layerSamples %d", found, len(layerSamples))
	}
}
