package dtype_test

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
)

func ExampleCommon() {
	fmt.Println(dtype.Common(dtype.I64, dtype.F32))              // floats keep their width
	fmt.Println(dtype.Common(dtype.F32, dtype.F64))              // both known
	fmt.Println(dtype.Common(dtype.F32, dtype.F64, false, true)) // the second one ambiguous
	fmt.Println(dtype.Common(dtype.F32, dtype.F64, true, true))
	// Output:
	// f32
	// f64
	// f32
	// f64?
}

func ExampleCast() {
	for _, v := range []any{300.7, -1.0, 200} {
		u, _ := dtype.Cast(v, dtype.U8)
		i, _ := dtype.Cast(v, dtype.I8)
		fmt.Println(v, u, i)
	}
	// Output:
	// 300.7 255 127
	// -1 0 -1
	// 200 200 -56
}

func ExampleFit() {
	fmt.Println(dtype.Fit(0.1, dtype.F64))
	fmt.Println(dtype.Fit(300, dtype.I8))
	// Output:
	// 0.1 <nil>
	// <nil> dtype.Fit(300, i8): the number does not fit i8, which holds -128 to 127; use a wider dtype, or wrap on purpose with AsType
}

func ExampleRound() {
	fmt.Println(dtype.Round(dtype.BF16, 0.1), dtype.Round(dtype.F8E4M3FN, 460), dtype.Round(dtype.F16, 70000))
	// Output: 0.10009765625 448 +Inf
}

func ExampleDType_Describe() {
	fmt.Println(dtype.F64, dtype.F64.Describe())
	// Output: f64 <FloatType: 64>
}
