package anvil_test

import (
	"fmt"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestFormat(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x := c.New([]float64{1, 2.5})
	tests := []struct{ got, want string }{
		{fmt.Sprint(x), "f32{2} [1 2.5]"},
		{fmt.Sprintf("%v|%s", x, x), "f32{2} [1 2.5]|f32{2} [1 2.5]"},
		{fmt.Sprintf("%.2f", x), "[1.00 2.50]"},
		{fmt.Sprintf("%5.1f|", x.At(1)), "  2.5|"},
		{fmt.Sprintf("%03d", c.Scalar(7)), "007"},
		{fmt.Sprintf("%.1f", nv.Tensor{}), "Tensor(nil)"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
