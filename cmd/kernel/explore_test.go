package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// explore sends a request of the Debug Adapter Protocol and returns the body of the reply, and whether it succeeded.
func (f *front) explore(command string, arguments map[string]any) (body map[string]any, success bool) {
	f.Helper()
	m, err := f.client.Request(f.Context(), client.Control, wire.TypeDebugRequest, wire.TypeDebugReply, map[string]any{"type": "request", "seq": 1, "command": command, "arguments": arguments})
	if err != nil {
		f.Fatal(err)
	}
	var reply struct {
		Success bool           `json:"success"`
		Body    map[string]any `json:"body"`
	}
	if err := json.Unmarshal(m.Content, &reply); err != nil {
		f.Fatal(err)
	}
	return reply.Body, reply.Success
}

// listed returns "name type value" for each variable of a body, and the references by name.
func listed(body map[string]any) (lines []string, references map[string]any) {
	references = map[string]any{}
	for _, v := range body["variables"].([]any) {
		v := v.(map[string]any)
		line := fmt.Sprint(v["name"], " ", v["type"])
		if v["type"] == "int" {
			line += fmt.Sprint(" ", v["value"])
		}
		lines = append(lines, line)
		references[v["name"].(string)] = v["variablesReference"]
	}
	return lines, references
}

// TestVariables tests the answers to the requests of JupyterLab's panel of variables.
func TestVariables(t *testing.T) {
	f := newFront(t, "reference")
	if info, err := f.client.KernelInfo(t.Context()); err != nil || !info.Debugger {
		t.Fatal("the kernel says that it lists no variables")
	}
	f.text("x := nv.Arange(6).Reshape(nv.Shape{2, 3}) + nv.Scalar(0)\ntype P struct{ X int; T nv.Tensor; m map[string]*P; a any }\n" +
		"p := P{X: 3, T: x}\nvalues := []float64{1, 2.5}\nn := 3\nfunc double(n int) int { return 2 * n }")
	if body, ok := f.explore("debugInfo", nil); !ok || body["isStarted"] != false || body["richRendering"] != true {
		t.Errorf("debugInfo: %v", body)
	}
	for _, command := range []string{"initialize", "attach"} {
		if _, ok := f.explore(command, nil); !ok {
			t.Errorf("%s fails", command)
		}
	}
	if body, _ := f.explore("debugInfo", nil); body["isStarted"] != true {
		t.Errorf("debugInfo: %v", body)
	}
	body, _ := f.explore("inspectVariables", nil)
	lines, references := listed(body)
	want := "n int 3\np P {X: 3, T: i32{2,3}, m: 0 keys, a: nil}\nvalues []float64 2 elements: 1 2.5\nx nv.Tensor i32{2,3}"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("variables\n%s\nwant\n%s", got, want)
	}
	body, _ = f.explore("variables", map[string]any{"variablesReference": references["p"]})
	if lines, _ := listed(body); strings.Join(lines, "\n") != "X int 3\nT nv.Tensor i32{2,3}\nm map[string]*P 0 keys\na any nil" {
		t.Errorf("fields %q", lines)
	}
	if references["x"] != 0. || references["values"] == 0. {
		t.Errorf("references %v", references)
	}
	body, ok := f.explore("richInspectVariables", map[string]any{"variableName": "x"})
	if html := fmt.Sprint(body["data"].(map[string]any)["text/html"]); !ok || !strings.Contains(html, "i32") {
		t.Errorf("rich: %v", body)
	}
	if _, ok := f.explore("richInspectVariables", map[string]any{"variableName": "nosuch"}); ok {
		t.Error("rich: something of a name that is not there")
	}
	if _, ok := f.explore("next", nil); ok {
		t.Error("the kernel steps")
	}
	if body, ok := f.explore("setBreakpoints", map[string]any{"source": map[string]any{"path": "goanvil_.go"}}); !ok || len(body["breakpoints"].([]any)) != 0 {
		t.Errorf("breakpoints: %v", body)
	}
}
