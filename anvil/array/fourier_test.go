package array

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"github.com/goanvil/notebook/anvil/shape"
)

func TestRootsOfUnity(t *testing.T) {
	for n := 1; n <= 40; n++ {
		for k := range n {
			if got, want := root(k, n), cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n))); cmplx.Abs(got-want) > 4e-15 {
				t.Errorf("root(%d, %d) = %v, want %v", k, n, got, want)
			}
		}
	}
	if root(1, 4) != -1i || root(2, 4) != -1 || root(3, 4) != 1i {
		t.Error("roots at multiples of a quarter turn are not exact: ", root(1, 4), root(2, 4), root(3, 4))
	}
}

// TestFourier compares Fourier with the definition, on contiguous and strided lanes,
// and checks that the inverse restores the lanes.
func TestFourier(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 12, 30} {
		s := shape.Shape{2, n, 3}
		xs := make([]complex128, s.Size())
		for i := range xs {
			xs[i] = complex(float64(i%7), float64(i%5)-2)
		}
		ys := append([]complex128(nil), xs...)
		if err := Fourier(context.Background(), s, 1, ys, false); err != nil {
			t.Fatal(err)
		}
		for i := range xs {
			var want complex128
			lane, k := i/(3*n)*3*n+i%3, i/3%n
			for j := range n {
				want += xs[lane+3*j] * cmplx.Exp(complex(0, -2*math.Pi*float64(j*k)/float64(n)))
			}
			if cmplx.Abs(ys[i]-want) > 1e-12 {
				t.Errorf("of %d elements, number %d is %v, want %v", n, i, ys[i], want)
			}
		}
		if err := Fourier(context.Background(), s, 1, ys, true); err != nil {
			t.Fatal(err)
		}
		for i := range xs {
			if cmplx.Abs(ys[i]-xs[i]) > 1e-13 {
				t.Errorf("of %d elements, number %d comes back as %v, was %v", n, i, ys[i], xs[i])
			}
		}
	}
}

// TestFourierOfNothing checks that an array without lanes takes no time or memory,
// however long its axis is.
func TestFourierOfNothing(t *testing.T) {
	if err := Fourier(context.Background(), shape.Shape{0, 1 << 40}, 1, nil, false); err != nil {
		t.Error(err)
	}
}
