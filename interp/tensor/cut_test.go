package tensor_test

import (
	"reflect"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestCuts checks how often the tensors of a loop are cut: at the end of each iteration and before each continue that
// ends one, also of a labelled loop and after inner loops, but not before the branches of inner loops.
func TestCuts(t *testing.T) {
	for code, want := range map[string]int{
		"for range 3 {\n\tw += 1\n}": 3,
		"for i := range 3 {\n\tw += 1\n\tif i == 1 {\n\t\tcontinue\n\t}\n\tw *= 2\n}":                                                               3,
		"for i := range 3 {\n\tn := 0\n\tfor range 2 {\n\t\tn++\n\t}\n\tw += n\n\tif i < 2 {\n\t\tcontinue\n\t}\n\tw *= 2\n}":                       3,
		"for i := range 3 {\n\tfor k := range 4 {\n\t\tif k < 3 {\n\t\t\tcontinue\n\t\t}\n\t\tn += k\n\t}\n\tw += i\n}":                             3,
		"outer:\nfor i := range 3 {\n\tw += i\n\tfor k := range 4 {\n\t\tif k == 2 {\n\t\t\tcontinue outer\n\t\t}\n\t\tn++\n\t}\n}":                 3,
		"for range 3 {\n\tw += 1\n\tif n == 0 {\n\t\tbreak\n\t}\n}":                                                                                 0,
		"for range 3 {\n\tw += 1\n\tf := func() {\n\t\tfor range 2 {\n\t\t\tcontinue\n\t\t}\n\t}\n\tf()\n\tcontinue\n}":                             3,
		"for range 2 {\n\tfor range 2 {\n\t\tn++\n\t}\n\tfor range 2 {\n\t\tn++\n\t\tcontinue\n\t}\n\tif n > 0 {\n\t\tw += 1\n\t\tcontinue\n\t}\n}": 2,

		"outer:\nfor i := range 3 {\n\tw += i\n\tif n > 0 {\n\t\tcontinue outer\n\t}\n}": 3,
		"outer:\nfor range 3 {\n\tf := func() {\n\touter:\n\t\tfor range 2 {\n\t\t\tcontinue outer\n\t\t}\n\t}\n" +
			"\tf()\n\tw += 1\n\tif n > 0 {\n\t\tbreak outer\n\t}\n}": 3,
	} {
		cuts := 0
		nb := interptest.New(t, interp.Options{Cut: func([]reflect.Value) { cuts++ }})
		nb.MustRun(t, 1, "w := nv.Scalar(1.0)\nn := 0")
		nb.MustRun(t, 2, code)
		if cuts != want {
			t.Errorf("%s\nis cut %d times, want %d", code, cuts, want)
		}
	}
}

// TestKeeps checks where a loop keeps the tensors that it assigns: after each assignment but one at the end of the loop,
// also in inner loops, and never in function literals.
func TestKeeps(t *testing.T) {
	for code, want := range map[string]int{
		"for range 3 {\n\tw += 1\n\tn++\n}":                                              3,
		"for range 3 {\n\tn++\n\tw += 1\n}":                                              0,
		"for range 3 {\n\tw += 1\n\tv = w * 2\n\tw = v\n}":                               0,
		"for range 3 {\n\tw += 1\n\tn++\n\tv = w * 2\n}":                                 3,
		"for range 3 {\n\tif n == 0 {\n\t\tw += 1\n\t}\n\tn++\n}":                        1,
		"for range 2 {\n\tfor range 3 {\n\t\tw += 1\n\t\tn++\n\t}\n\tn++\n}":             6,
		"for range 3 {\n\tf := func() {\n\t\tw += 1\n\t\tn++\n\t}\n\tf()\n\tn++\n}":      0,
		"for range 3 {\n\tlocal := w * 2\n\tlocal += 1\n\tn++\n\t_ = local\n\tw += 1\n}": 0,
		"for range 3 {\n\ts.W -= 1\n\tn++\n}":                                            3,
		"for range 3 {\n\tvs[0] = vs[0] * 2\n\tn++\n}":                                   0, // it has no address
		"for range 3 {\n\tn, w = n+1, w+1\n\tn++\n}":                                     3,
		"for range 3 {\n\t*address(), w = nv.Scalar(3.0), w+1\n\tn++\n}":                 3, // only w is a variable
	} {
		keeps := 0
		nb := interptest.New(t, interp.Options{Keep: func([]reflect.Value) { keeps++ }})
		nb.MustRun(t, 1, "type S struct{ W nv.Tensor }\nw, v, n := nv.Scalar(1.0), nv.Scalar(2.0), 0\n"+
			"s, vs := S{w}, []nv.Tensor{w}\nfunc address() *nv.Tensor { return &v }")
		nb.MustRun(t, 2, code)
		if keeps != want {
			t.Errorf("%s\nkeeps tensors %d times, want %d", code, keeps, want)
		}
	}
}
