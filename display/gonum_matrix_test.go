package display_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goanvil/notebook/display"
)

// TestMatricesOfGonum checks that matrices and vectors are shown with their elements, large ones with the first
// elements only, and empty ones with their size.
func TestMatricesOfGonum(t *testing.T) {
	for want, v := range map[string]any{
		"mat.Dense 2 x 3\n 1 -2.5        3\n10 1000 0.333333":                     mat.NewDense(2, 3, []float64{1, -2.5, 3, 10, 1e3, 1.0 / 3}),
		"mat.VecDense 3 x 1\n1\n2\n... 1 more row; display.MaxRows(-1) shows all": mat.NewVecDense(3, []float64{1, 2, 3}),
		"mat.Transpose 1 x 2\n1 2":                                                mat.NewDense(2, 1, []float64{1, 2}).T(),
		"mat.Dense 0 x 0":                                                         &mat.Dense{},
		"mat.Dense 1 x 20\n0 0 0 0 0 0 0 0 0 0 0 0 ...":                           mat.NewDense(1, 20, nil),
		"mat.SymDense 2 x 2\n1 2\n2 3":                                            mat.NewSymDense(2, []float64{1, 2, 2, 3}),
		"(*mat.Dense)(nil)":                                                       (*mat.Dense)(nil),
		"[0]\nmat.DiagDense 1 x 1\n7\n\n[1]\n\"mat\"":                             []any{mat.NewDiagDense(1, []float64{7}), "mat"},
	} {
		if got := (display.Options{MaxRows: 2, MaxWidth: 85, Precision: 4}).Render(v).Text(); got != want {
			t.Errorf("%T is shown as\n%s\nwant\n%s", v, got, want)
		}
	}
}
