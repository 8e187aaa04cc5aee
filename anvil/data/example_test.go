package data_test

import (
	"fmt"
	"os"
	"path/filepath"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
)

func ExampleSet_Batches() {
	set := data.Set{X: nv.New([][]float64{{1, 10}, {2, 20}, {3, 30}}), Y: nv.New([]int{0, 1, 0})}
	for b := range set.Batches(2) {
		fmt.Println(nv.Values[int](b.X), nv.Values[int](b.Y), nv.Values[bool](b.Mask))
	}
	// Output:
	// [1 10 2 20] [0 1] [true true]
	// [3 30 3 30] [0 0] [true false]
}

func ExampleNewScaler() {
	x := nv.New([][]float64{{1, 10}, {3, 30}})
	scale := data.NewScaler(x)
	fmt.Println(nv.Values[int](scale.Apply(x)))
	// Output: [-1 -1 1 1]
}

func ExampleMean_Add() {
	losses, mask := nv.New([]float64{1, 2, 9}), nv.New([]bool{true, true, false})
	m := data.NewMean().Add(losses, mask).Add(nv.New([]float64{6}))
	fmt.Println(m.Value().Float())
	// Output: 3
}

func ExampleLoad() {
	type Model struct{ W, B nv.Tensor }
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "model.safetensors")
	if err := data.Save(file, Model{W: nv.Ones(nv.Shape{2}, nv.F64)}); err != nil {
		panic(err)
	}
	model, report, err := data.Load(file, Model{W: nv.Zeros(nv.Shape{2}), B: nv.Zeros(nil)})
	fmt.Println(nv.Values[int](model.W), err)
	fmt.Println(report)
	// Output:
	// [1 1] <nil>
	// missing in the file: B
	// cast: W (f64 to f32)
}
