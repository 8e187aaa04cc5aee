package random_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

var initializers = map[string]func(random.PRNGKey, nv.Shape, ...nv.Option) nv.Tensor{
	"GlorotUniform": random.GlorotUniform, "GlorotNormal": random.GlorotNormal,
	"HeUniform": random.HeUniform, "HeNormal": random.HeNormal,
	"LecunUniform": random.LecunUniform, "LecunNormal": random.LecunNormal,
}

// TestInitializers compares with what jax.nn.initializers draw, to the bit or 2 ulp of the dtype.
func TestInitializers(t *testing.T) {
	data, err := os.ReadFile("testdata/initializer.txt")
	if err != nil {
		t.Fatal(err)
	}
	dtypes := map[string]nv.DType{"float32": nv.F32, "float64": nv.F64, "bfloat16": nv.BF16}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		d, seed, s := dtypes[words[1]], must(strconv.Atoi(words[2])), nv.Shape{}
		for part := range strings.SplitSeq(words[3], "x") {
			s = append(s, must(strconv.Atoi(part)))
		}
		draw, ok := initializers[words[0]]
		if !ok {
			args := strings.Split(words[0], ",")
			draw = func(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
				return random.VarianceScaling(k, s, must(strconv.ParseFloat(args[0], 64)), args[1], args[2], opts...)
			}
		}
		x := draw(random.Key(seed), s, d)
		values := make([]float64, len(words)-4)
		for i, w := range words[4:] {
			values[i] = must(strconv.ParseFloat(w, 64))
		}
		want := nv.New(values, d).Reshape(s)
		if off := stepsApart(x, want); x.DType() != d || !x.Shape().Equal(s) || off > 2 {
			t.Errorf("%s: %s, %d ulp off", strings.Join(words[:4], " "), x, off)
		}
	}
}

// stepsApart returns the greatest number of steps between two floats of one dtype that have one sign.
func stepsApart(x, y nv.Tensor) int {
	bits := map[int]nv.DType{2: nv.I16, 4: nv.I32, 8: nv.I64}[x.DType().Size()]
	a, b := nv.Values[int64](x.BitcastConvert(bits).AsType(nv.I64)), nv.Values[int64](y.BitcastConvert(bits).AsType(nv.I64))
	most := 0
	for i := range a {
		most = max(most, int(max(a[i]-b[i], b[i]-a[i])))
	}
	return most
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestInitializerErrors(t *testing.T) {
	k, s := random.Key(0), nv.Shape{2, 3}
	for want, f := range map[string]func(){
		"random.HeNormal(f32{3}): shape {3} has fewer than two axes; give at least two: the last two are the " +
			"inputs and the outputs": func() { random.HeNormal(k, nv.Shape{3}) },
		`random.VarianceScaling(f32{2,3}): unknown mode "fan"; use "fan_in", "fan_out" or "fan_avg"`: func() { random.VarianceScaling(k, s, 1, "fan", "normal") },
		`random.VarianceScaling(f32{2,3}): unknown distribution "gauss"; use "normal", "truncated_normal" or ` +
			`"uniform"`: func() { random.VarianceScaling(k, s, 1, "fan_in", "gauss") },
		"random.VarianceScaling(f32{2,3}): the scale is -1; use a finite number of 0 or more":                     func() { random.VarianceScaling(k, s, -1, "fan_in", "normal") },
		"random.GlorotUniform(i32{2,3}): the dtype must be f16, bf16, f32 or f64; convert the result with AsType": func() { random.GlorotUniform(k, s, nv.I32) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if x := random.LecunNormal(k, nv.Shape{0, 3}); x.Size() != 0 {
		t.Error(x)
	}
}
