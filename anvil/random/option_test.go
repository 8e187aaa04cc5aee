package random_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestEverySamplerUsesEveryOption checks that the dtype, nv.Ambiguous and nv.Device change what
// each sampler returns.
func TestEverySamplerUsesEveryOption(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	half := c.New([]float64{0.5, 0.5})
	arguments := map[string][]any{
		"VarianceScaling":    {nv.Shape{2, 2}, 1.0, "fan_in", "normal"},
		"Multinomial":        {4, half, nv.Shape{2, 2}},
		"Dirichlet":          {half, nv.Shape{2}},
		"MultivariateNormal": {half, c.Eye(2), nv.Shape{2}},
		"RandInt":            {nv.Shape{2, 2}, 0, 9},
		"Triangular":         {0, 1, 2, nv.Shape{2, 2}},
		"TruncatedNormal":    {-1, 1, nv.Shape{2, 2}},
		"UniformRange":       {nv.Shape{2, 2}, 0, 1},
	}
	samplers := reflect.TypeFor[*random.Stream]()
	for i := range samplers.NumMethod() {
		name, f := samplers.Method(i).Name, samplers.Method(i).Type
		if last := f.In(f.NumIn() - 1); !f.IsVariadic() || last.Elem() != reflect.TypeFor[nv.Option]() {
			continue
		}
		args, ok := arguments[name]
		for k := 1; !ok && k < f.NumIn()-1; k++ {
			args = append(args, map[reflect.Type]any{reflect.TypeFor[any](): 0.5, reflect.TypeFor[nv.Shape](): nv.Shape{2, 2},
				reflect.TypeFor[int](): 2, reflect.TypeFor[float64](): 2.0}[f.In(k)])
		}
		draw := func(opts ...nv.Option) (text string) {
			in := []reflect.Value{}
			for _, a := range args {
				in = append(in, reflect.ValueOf(a))
			}
			for _, o := range opts {
				in = append(in, reflect.ValueOf(o))
			}
			err := nv.Try(func() {
				x := reflect.ValueOf(random.In(c).New(1)).MethodByName(name).Call(in)[0].Interface().(nv.Tensor)
				text = fmt.Sprint(x.Type(), x.Ambiguous(), x)
			})
			return fmt.Sprint(text, err)
		}
		plain := draw()
		if !strings.HasSuffix(plain, "<nil>") {
			t.Errorf("%s without an option: %s", name, plain)
		}
		for option, o := range map[string]nv.Option{"a dtype": nv.F64, "Ambiguous": nv.Ambiguous(true), "Device": nv.Device("nowhere:1")} {
			if draw(o) == plain {
				t.Errorf("%s with %s: the option is ignored", name, option)
			}
		}
	}
}
