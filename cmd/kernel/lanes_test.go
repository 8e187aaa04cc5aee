//go:build unix

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// TestBusyKernelAnswers tests that completion and inspection are answered while a cell changes
// variables. The answers have the names of earlier cells, but no values. A cell in a subshell
// waits for the running one.
func TestBusyKernelAnswers(t *testing.T) {
	_, _, _, c := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	f := &front{T: t, client: c}
	info, err := c.KernelInfo(t.Context())
	if err != nil || !slices.Contains(info.SupportedFeatures, "kernel subshells") {
		t.Errorf("%q, %v", info.SupportedFeatures, err)
	}
	f.text("words := map[string]int{\"first\": 1}\ncount := 7\ntype point struct{ Xray int }\nfunc (p point) Yield() int { return p.Xray }\nvar p point")
	running := make(chan struct{})
	call, err := c.Begin(client.Execution{
		Code: "fmt.Println(\"go\")\nfor i := 0; ; i++ {\n\twords[fmt.Sprint(i%100)]++\n\tcount = i\n}",
		Output: func(o client.Output) {
			if _, ok := o.Content.(wire.Stream); ok {
				close(running)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan wire.ExecuteReply, 1)
	go func() {
		reply, _ := call.Wait(t.Context()) // zero if there is no reply
		ended <- reply
	}()
	<-running
	for range 5 {
		f.completes("strings.Rep", "Repeat")
		f.completes("p.", "Yield")
		f.completes("coun", "count")
		if r, err := c.Complete(t.Context(), `words["`, 7); err != nil || slices.Contains(r.Matches, "first") {
			t.Errorf("keys of a map that is being changed: %q, %v", r.Matches, err)
		}
		if r, err := c.Inspect(t.Context(), "count", 3, 0); err != nil || !strings.Contains(r.Data["text/plain"].(string), "int") {
			t.Errorf("%+v, %v", r, err)
		}
	}
	var sub wire.SubshellID
	m, err := c.Request(t.Context(), client.Control, wire.TypeCreateSubshellRequest, wire.TypeCreateSubshellReply, struct{}{})
	if err != nil || json.Unmarshal(m.Content, &sub) != nil {
		t.Fatal(err)
	}
	later, err := c.Begin(client.Execution{Code: "count = 3", Subshell: sub.SubshellID})
	if err != nil {
		t.Fatal(err)
	}
	f.completes("coun", "count") // the cell of the subshell has arrived
	if err := c.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if reply := <-ended; reply.Status != wire.StatusError {
		t.Errorf("%+v", reply)
	}
	reply, err := later.Wait(t.Context())
	if err != nil || reply.Status != wire.StatusError { // the interrupt is for both
		t.Errorf("%+v, %v", reply, err)
	}
	reply, err = c.Execute(t.Context(), client.Execution{Code: "count = 3", Subshell: sub.SubshellID})
	if err != nil || reply.Status != wire.StatusOK {
		t.Errorf("%+v, %v", reply, err)
	}
	f.want("count", "3")
	f.completes(`words["f`, "first")
}
