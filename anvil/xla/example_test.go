//go:build linux && amd64 && !nopjrt

package xla_test

import (
	"context"
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla"
)

// A program is compiled for given types of arguments and results, and run on buffers
// of these types.
func Example() {
	client, _, err := xla.Open("", xla.ClientOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	vector := xla.Type{DType: dtype.I8, Dims: []int{3}}
	double, err := client.Compile([]byte(`func.func @main(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = stablehlo.add %x, %x : tensor<3xi8>
  return %y : tensor<3xi8>
}`), xla.CompileOptions{Args: []xla.Type{vector}, Results: []xla.Type{vector}})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := client.Upload([]byte{1, 2, 3}, vector.DType, vector.Dims, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	results := make([]*xla.Buffer, 1)
	if err := double.Run([]*xla.Buffer{x}, results); err != nil {
		fmt.Println(err)
		return
	}
	values := make([]byte, 3)
	if err := results[0].Read(context.Background(), values); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(double, values)
	fmt.Println(double.Run([]*xla.Buffer{nil}, results))
	// Output:
	// (i8{3}) -> (i8{3}) [2 4 6]
	// xla.Run((i8{3}) -> (i8{3})): argument 0 is nil
}
