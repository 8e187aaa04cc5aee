package anvil_test

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
)

func Example() {
	x := nv.Scalar(true)      // i1
	y := nv.Scalar(2, nv.I16) // known
	z := x.Add(1)             // the literal takes on i32, and may give it up
	fmt.Println(z, z.Mul(y))
	// Output: i32?{} 2 i16{} 4
}

func ExampleJit() {
	norm := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(x).Sum().Sqrt() })
	fmt.Println(norm(nv.New([]float64{3, 4})))
	// Output: f32{} 5
}

func ExampleWhile() {
	n := nv.While(nv.Scalar(1),
		func(n nv.Tensor) nv.Tensor { return n.Lt(100) },
		func(n nv.Tensor) nv.Tensor { return n.Mul(2) })
	fmt.Println(n)
	// Output: i32?{} 128
}

func ExampleLib_If() {
	x := nv.Scalar(-3)
	fmt.Println(nv.If(x.Lt(0), func() nv.Tensor { return x.Neg() }, func() nv.Tensor { return x }))
	// Output: i32?{} 3
}

func ExampleTry() {
	err := nv.Try(func() { nv.Zeros(nv.Shape{3, 4}).Add(nv.Zeros(nv.Shape{3})) })
	fmt.Println(err)
	// Output: Add(f32{3,4}, f32{3}): shapes {3,4} and {3} do not broadcast; lengths must be equal or 1, counted from the last axis; insert axes of length 1, as in b[:, nv.NewAxis]
}

func ExampleWhy() {
	fmt.Println(nv.Why(nv.Scalar(true).Add(1)))
	// Output:
	// Add(i1, i32? literal) -> i32? under anvil
	//  1. i1 with i32?: i32? (ambiguous over bool: a known bool gives way to the ambiguous dtype, which stays ambiguous)
}

func ExampleLower() {
	low := nv.Lower(func(x, y nv.Tensor) nv.Tensor { return x.Mul(2).Add(y) }, nv.Scalar(1.0), nv.Scalar(1.0, nv.F64))
	for _, v := range low.Types() {
		fmt.Println(v)
	}
	// Output:
	// %0 = parameter: f32?{}
	// %1 = parameter: f64{}
	// %2 = parameter: f32?{}
	// %3 = Mul: f32?{}
	// %4 = Convert: f64{}
	// %5 = Add: f64{}
}

func ExampleTensor_At() {
	x := nv.Arange(12).Reshape(nv.Shape{3, 4})
	fmt.Println(x.At(nv.All, 0), x.At(-1, nv.Range(1, 3)))
	// Output: i32{3} [0 4 8] i32{2} [9 10]
}

func ExampleCut() {
	w, target := nv.Zeros(nv.Shape{2}), nv.New([]float64{1, 2})
	for range 100 {
		w = w.Sub(w.Sub(target).Mul(0.5))
		nv.Cut(&w) // one program, run a hundred times
	}
	fmt.Println(w)
	// Output: f32{2} [1 2]
}
