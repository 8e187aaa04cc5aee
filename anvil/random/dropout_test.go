package random_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestDropout checks that Bernoulli decides which elements stay, that they are divided by
// their probability, and that the dtype is that of x.
func TestDropout(t *testing.T) {
	k, x := random.Key(7), nv.Arange(1.0, 101.0).AsType(nv.BF16)
	y := random.Dropout(k, x, 0.25)
	stays := random.Bernoulli(k, 0.75, nv.Shape{100})
	if want := stays.Where(x.Div(0.75), 0); y.DType() != nv.BF16 || !nv.ArrayEqual(y, want).Bool() {
		t.Errorf("%v, want %v", y, want)
	}
	if n := stays.AsType(nv.I32).Sum().Int(); n < 60 || n > 90 {
		t.Errorf("%d of 100 stay", n)
	}
	inf := nv.Ones(nv.Shape{3}).Div(0)
	if got := random.Dropout(k, inf, 1); !nv.ArrayEqual(got, nv.Zeros(nv.Shape{3})).Bool() {
		t.Errorf("at rate 1 %v stays", got)
	}
	if got := random.Dropout(k, x, 0); !nv.ArrayEqual(got, x).Bool() {
		t.Errorf("at rate 0 there is %v", got)
	}
}

func TestDropoutErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"random.Dropout(f32{2}): the rate is not a probability; use a rate from 0 to 1":           func() { random.Dropout(random.Key(1), nv.Ones(nv.Shape{2}), 1.5) },
		"random.Dropout(i32{2}): the elements of x are not floats; convert x with AsType(nv.F32)": func() { random.Dropout(random.Key(1), nv.Ones(nv.Shape{2}, nv.I32), 0.5) },
	} {
		func() {
			defer func() {
				if err, ok := recover().(*nv.Error); !ok || err.Error() != want {
					t.Errorf("%v; want %q", err, want)
				}
			}()
			f()
		}()
	}
}
