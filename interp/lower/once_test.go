package lower_test

import (
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
	"github.com/goanvil/notebook/interp/universe"
)

// ordinary are cells in which lowering at most replaces operators on tensors by calls.
var ordinary = []string{
	"1+1",
	"x := 3",
	"x = x * 2\nx",
	"t := nv.Arange(3)\n2*t + 1",
	"u := 2*t + nv.Ones(nv.Shape{3})\nv := u / 3\nv",
	"u -= v\nu[0] = 7\nu[1:3]",
	"u[:, nv.NewAxis]",
	"t.Sum()",
	"t.Sum().Float() * 2",
	"fmt.Println(t)",
	"math.Sqrt(2), t",
	"func half(x nv.Tensor) nv.Tensor {\n\ty := x / 2\n\tif y.Sum() > 3 {\n\t\treturn -y\n\t}\n\treturn y * half1(y)\n}\nfunc half1(x nv.Tensor) nv.Tensor { return x + 1 }",
	"func add(a, b int) int { return a + b }",
	"half(t) + float64(add(1, 2))",
	"s := 0\nfor i := range 10 {\n\ts += i\n}\ns",
	"w := t\nfor i := 0; i < 3; i++ {\n\tw = w*2 + i\n}\nw",
	"for i, row := range nv.Ones(nv.Shape{2, 3}) {\n\tfmt.Println(i, row*2)\n}",
	"type Layer struct{ W, B nv.Tensor }\nfunc (l Layer) Apply(x nv.Tensor) nv.Tensor { return l.W*x + l.B }\nl := Layer{W: t, B: nv.Scalar(1.0)}\nl.Apply(t) - l.B",
	"layers := []Layer{{t, 2 * t}, {W: t}}\nlayers[0].W * layers[1].W",
	"f := func(x nv.Tensor) nv.Tensor { return x*x + 1 }\nf(t) * 2",
	"m := map[string]nv.Tensor{\"a\": t}\nif a, ok := m[\"a\"]; ok {\n\tfmt.Println(a + 1)\n}",
	"t := t + 1\nt",
	"switch x := any(t).(type) {\ncase nv.Tensor:\n\tfmt.Println(x + 1)\n}",
	"import \"strconv\"\na, err := strconv.Atoi(\"4\")\nb, err := strconv.Atoi(\"5\")\nt * (a + b)",
	"err := nv.Try(func() { fmt.Println(t * 2) })\nerr",
	"g := nv.Jit(func(x nv.Tensor) nv.Tensor { return x*x + t })\ng(t) + 1",
	"var z nv.Tensor = -t\nconst k = 3\nz * k",
	"import \"slices\"\nnames := []string{\"b\", \"a\"}\nslices.Sort(names)\nnames",
	"import \"strings\"\nstrings.ToUpper(\"a\")",
}

// TestCheckedOnce checks that ordinary cells are type-checked once, under the default promotion system and under
// another one.
func TestCheckedOnce(t *testing.T) {
	for _, system := range []string{"", "Torch"} {
		nb := interptest.New(t, interp.Options{})
		if system != "" {
			nb.Under(universe.Module+"/anvil/promote", system)
		}
		for i, code := range ordinary {
			before := nb.Env().Checks()
			nb.MustRun(t, i+1, code)
			if n := nb.Env().Checks() - before; n != 1 {
				t.Errorf("%s: %d checks of\n%s", system, n, code)
			}
		}
	}
}

// TestNamesBeforeTheCheck checks that the meaning of an operator is determined by the types that the names have at
// its position, even if the cell redeclares or hides them.
func TestNamesBeforeTheCheck(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	for i, c := range []struct{ code, want string }{
		{"x := 3\nt := nv.Scalar(2.0)", ""},
		{"y := 2 * x\nx := nv.Scalar(1.0)\nfmt.Sprintf(\"%T %v\", y, y)", "int 6"},
		{"z := 2 * x\nx := 4\nfmt.Sprintf(\"%T %T\", z, x)", "anvil.Tensor int"},
		{"func f(t int) int { return t * 2 }\nf(4)", "8"},
		{"s := 0\nfor _, t := range []int{1, 2} {\n\ts += t * 2\n}\ns", "6"},
		{"if t := 5; t > 3 {\n\ts = t * 2\n}\ns", "10"},
		{"g := func() (nv.Tensor, int) { return t, 7 }\n_, t := g()\nt * 2", "14"},
		{"type T struct{ t int }\nT{t: 3}.t * 2", "6"},
		{"m := map[int]int{t: t * 2}\nm[7]", "14"},
	} {
		if got := nb.MustRun(t, i+1, c.code); got != c.want {
			t.Errorf("%s\ngives %q, not %q", c.code, got, c.want)
		}
	}
}

// TestUnknownSystem checks the error of a cell whose system does not exist.
func TestUnknownSystem(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.Under(universe.Module+"/anvil/promote", "Torches")
	res := nb.Run(t.Context(), "nv.Ones(nv.Shape{2}).Sum()", 1)
	const want = "the promotion system cannot be set here: cell[1]/go:1:1: undefined: ꓸpromote.Torches"
	if res.Err == nil || res.Err.Message != want {
		t.Errorf("%+v, want %q", res.Err, want)
	}
}
