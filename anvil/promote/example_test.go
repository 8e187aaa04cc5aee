package promote_test

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

func ExampleSystem_Result() {
	fmt.Println(promote.Anvil.Result(1, 2.5))                 // two literals
	fmt.Println(promote.Anvil.Result(dtype.I1, 1))            // a bool tensor and a literal
	fmt.Println(promote.Anvil.Result(dtype.I1, 1, dtype.I16)) // an ambiguous dtype yields to a known one
	// Output:
	// f32?
	// i32?
	// i16
}

func ExampleSystem_Explain() {
	fmt.Println(promote.Anvil.Explain(dtype.I32, 0.5))
	// Output:
	// anvil: i32, 0.5 -> f32?
	//  1. 0.5: f32? (literal: the number 0.5 has no dtype of its own; by itself it counts as f32)
	//  2. i32 with f32?: f32? (ambiguous of a higher kind: the known dtype is of a lower kind (bool < integer < float < complex): the ambiguous one wins, and stays ambiguous)
}
