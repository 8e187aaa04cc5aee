package backend_test

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

func ExampleSet() {
	restore := backend.Set("torch")
	fmt.Println(backend.Active(), "lacks", backend.Invalid(dtype.Any))
	fmt.Println(nv.Try(func() { nv.Zeros(nv.Shape{2}, nv.U64) }) != nil)
	restore()
	fmt.Println(nv.Zeros(nv.Shape{2}, nv.U64).DType())
	// Output:
	// torch 2.2 lacks [ui16 ui32 ui64]
	// true
	// ui64
}

func ExampleWithDefault() {
	backend.WithDefault(backend.Int, nv.I16, func() { fmt.Println(nv.Arange(3).DType()) })
	fmt.Println(nv.Arange(3).DType())
	// Output:
	// i16
	// i32
}

func ExamplePreciseMode() {
	ivy := nv.With(promote.Ivy)
	x, y := nv.New([]int16{2049}), nv.New([]float64{0}, nv.F16)
	for _, precise := range []bool{true, false} {
		backend.PreciseMode(precise, func() { fmt.Println(ivy.Add(x, y).DType(), nv.Item[float64](ivy.Add(x, y))) })
	}
	// Output:
	// f32 2049
	// f16 2048
}

func ExampleInfer() {
	fmt.Println(backend.Infer(nv.I8, 1.5))
	fmt.Println(backend.Infer(dtype.Invalid, nv.U8))
	fmt.Println(backend.Infer(dtype.Invalid, 1<<40).DType)
	fmt.Println(backend.Infer(dtype.Invalid, nil).Step)
	// Output:
	// i8 (step 1, dtype argument: a dtype that is given is used as it is)
	// ui8 (step 2, array argument: the dtype of the first array among the arguments)
	// i64
	// 4
}
