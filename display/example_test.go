package display_test

import (
	"fmt"
	"os"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/display"
)

func ExampleText() {
	nv := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	fmt.Println(display.Text(nv.New([][]float64{{1, 3, 5}, {2, 4, 6}})))
	// Output:
	// AnvilTensor
	//  1 3 5
	//  2 4 6
	// [ REFERENCEf32{2,3} ]
}

func ExampleOutlet_Show() {
	out := display.NewOutlet(display.WriterSink(os.Stdout))
	h := out.Show("waiting")
	h.Update("done")
	// Output:
	// "waiting"
	// "done"
}
