package main

import (
	"sync"
	"testing"
)

// TestSessionsHaveSettingsOfTheirOwn runs two kernels at once, with different default
// dtypes, backends and modes. %reset restores the initial settings.
func TestSessionsHaveSettingsOfTheirOwn(t *testing.T) {
	half, double := newFront(t, "reference"), newFront(t, "reference")
	half.text("backend.SetDefault(backend.Float, nv.F16)\nbackend.SetPrecise(false)\nbackend.Set(\"torch\")")
	double.text("backend.SetDefault(backend.Float, nv.F64)\nbackend.Set(\"numpy\")")
	const code = "fmt.Sprint(nv.Zeros(nv.Shape{1}).DType(), promote.Ivy.Result(nv.F32, nv.I32).DType, backend.Active())"
	var wg sync.WaitGroup
	for f, want := range map[*front]string{half: `"f16 f32 torch 2.2"`, double: `"f64 f64 numpy 1.26.3"`} {
		wg.Go(func() {
			for range 20 {
				var a answer
				if _, err := f.client.Execute(f.Context(), f.execution(code, &a)); err != nil || a.result["text/plain"] != want {
					t.Errorf("%v, not %s; %v", a.result["text/plain"], want, err)
				}
			}
		})
	}
	wg.Wait()
	double.want("nv.Zeros(nv.Shape{1}, nv.U16).DType()", "ui16")
	half.refused("nv.Zeros(nv.Shape{1}, nv.U16)", `Zeros(): dtype ui16 is not available on backend "torch"; a valid dtype of the same kind is ui8; i32 holds every ui16; `+
		"backend.Unset() restores the previous backend")
	half.text("%reset")
	half.want("nv.Zeros(nv.Shape{1}).DType()", "f32")
	half.want("nv.Zeros(nv.Shape{1}, nv.U16).DType()", "ui16")
}
