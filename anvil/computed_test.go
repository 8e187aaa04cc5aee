package anvil_test

import (
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestWhyNamesTheWiderDType checks that Why names the wider dtype in which a function
// of one or two tensors computes if its program has one, and only then.
func TestWhyNamesTheWiderDType(t *testing.T) {
	lib, any := reflect.ValueOf(nv.Default()), reflect.TypeFor[any]()
	said := 0
	for i := range lib.NumMethod() {
		name, f := lib.Type().Method(i).Name, lib.Method(i).Type()
		n := f.NumIn()
		if f.IsVariadic() {
			n--
		}
		if n == 0 || n > 2 || f.NumOut() != 1 || f.Out(0) != reflect.TypeFor[nv.Tensor]() || f.In(0) != any || f.In(n-1) != any {
			continue
		}
		call := func(x nv.Tensor) nv.Tensor {
			in := []reflect.Value{reflect.ValueOf(x), reflect.ValueOf(x)}[:n]
			return lib.MethodByName(name).Call(in)[0].Interface().(nv.Tensor)
		}
		for _, d := range []nv.DType{nv.F16, nv.F32} {
			x := nv.New([][]float64{{0.25, 0.5}, {0.5, 0.75}}, d)
			var program string
			var r nv.Reason
			if err := nv.Try(func() {
				r = nv.Why(call(x))
				program = nv.Lower(call, x).StableHLO()
			}); err != nil || r.Result.DType != d {
				continue
			}
			var want nv.DType
			for _, wide := range []nv.DType{nv.F32, nv.F64} {
				if wide != d && strings.Contains(program, wide.String()+">") {
					want = wide
				}
			}
			if r.Computed != want {
				t.Errorf("%s of %s computes in %v, and Why says %v", name, d, want, r.Computed)
			} else if want != 0 {
				said++
			}
		}
	}
	if said < 20 {
		t.Errorf("%d functions compute in f32", said)
	}
}
