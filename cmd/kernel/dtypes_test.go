package main

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/wire"
)

// TestDTypes runs a training at three dtypes. At the 16-bit ones the parameter does not change, since
// a step is less than half a unit in its last place.
func TestDTypes(t *testing.T) {
	f := newFront(t, trainingBackend())
	a := f.run(`%%dtypes f32 bf16 f16
layer := nn.Dense{Features: 1, NoBias: true, KernelInit: nn.Ones}.Init(random.Key(0), nv.Ones(nv.Shape{1, 1}))
var weights []nv.Tensor
for range 100 {
	g := nv.Grad(func(l nn.Dense) nv.Tensor { return nv.Sum(l.Apply(nv.Ones(nv.Shape{1, 1}))) })(layer)
	layer.Kernel -= 1e-4 * g.Kernel
	weights = append(weights, layer.Kernel[0, 0])
}
fmt.Println("trained at", layer.Kernel.DType())
weights`)
	if a.Status != wire.StatusOK {
		t.Fatal(strings.Join(a.Traceback, "\n"))
	}
	if a.stdout != "trained at f32\ntrained at bf16\ntrained at f16\n" {
		t.Errorf("printed %q", a.stdout)
	}
	lines := strings.Split(a.result["text/plain"].(string), "\n")
	for i, want := range []string{"f32 0.9999 0.99 no no no no", "bf16 1 1 no no no 100 %, first Sub of 1 and 0.0001", "f16 1 1 no no no 100 %, first Sub of 1 and 0.0001"} {
		if got := strings.Join(strings.Fields(lines[i+1]), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	charts := 0
	for _, o := range a.outputs {
		if d, ok := o.Content.(wire.DisplayData); ok && d.Data["image/svg+xml"] != nil {
			charts++
		}
	}
	if charts != 1 {
		t.Errorf("%d charts", charts)
	}
	f.want("layer.Kernel.DType()", "f16")
	f.want("nn.Dense{Features: 1}.Init(random.Key(0), nv.Ones(nv.Shape{1, 1})).Kernel.DType()", "f32")

	table := func(code string) string {
		a := f.run(code)
		text, _ := a.result["text/plain"].(string)
		if a.Status != wire.StatusOK {
			text = strings.Join(a.Traceback, "")
		}
		return strings.Join(strings.Fields(text), " ")
	}
	const head = "dtype first last overflowed NaN rounded to 0 sums that change nothing "
	for code, want := range map[string]string{
		"%%dtypes f16\nh := nv.New([]float64{1, 300})\nh * h":     head + "f16 1 +Inf, first +Inf at 1 Mul of 300 and 300 no no no",
		"%%dtypes f16\nh := nv.New([]float64{1, 1e-5})\nh * h":    head + "f16 1 0 no no 50 %, first Mul of 1e-05 and 1e-05 no",
		"%%dtypes f32\nnv.New([]float64{1}).Reshape(nv.Shape{7})": head + "f32 - error: Reshape(f32{1}): shape {7} does not hold 1 element; the product of the lengths must be the number of elements, as in nv.Shape{1}; one may be -1 no no no no",
		"%%dtypes f32\nnv.Full(nv.Shape{}, 3.0)":                  head + "f32 - 3 no no no no",
		"%%dtypes i8\n1":                                          "CommandError: %%dtypes: i8 is not a float; write %%dtypes f32 bf16 f16",
		"%%dtypes f33\n1":                                         `CommandError: %%dtypes: dtype.Parse("f33"): no dtype has this name; the common names are i1, i8 … i64, ui8 … ui64, bf16, f16, f32, f64, c64, c128`,
		"%%dtypes\n1":                                             "CommandError: %%dtypes: name the dtypes: %%dtypes f32 bf16 f16",
	} {
		if got := table(code); got != want {
			t.Errorf("%s\n%s\nwant %s", code, got, want)
		}
	}
}
