package messaging

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/messaging/wire"
)

// An explorer is a kernel with the variables x and y.
type explorer struct{ Kernel }

func (explorer) Variables(reference int) []wire.Variable {
	if reference != 0 {
		return nil
	}
	return []wire.Variable{{Name: "x", Value: "1"}}
}

func (explorer) Variable(name string) (data, metadata wire.Bundle, ok bool) {
	if name != "x" {
		return nil, nil, false
	}
	return wire.Bundle{"text/plain": "1"}, nil, true
}

// TestDebugReplies checks the replies to the requests of a debugger, as JSON.
func TestDebugReplies(t *testing.T) {
	s := &Server{kernel: explorer{}}
	x, err := json.Marshal(wire.Variable{Name: "x", Value: "1"})
	if err != nil {
		t.Fatal(err)
	}
	info := func(started string) string {
		return `{"isStarted":` + started + `,"richRendering":true,"copyToGlobals":false,"hashMethod":"Murmur2",` +
			`"hashSeed":0,"tmpFilePrefix":"goanvil_","tmpFileSuffix":".go","breakpoints":[],"stoppedThreads":[],` +
			`"exceptionPaths":[]}`
	}
	for i, c := range []struct{ command, arguments, body, message string }{
		{"debugInfo", "", info("false"), ""},
		{"initialize", "", "{}", ""},
		{"debugInfo", "", info("true"), ""},
		{"attach", "", "{}", ""},
		{"configurationDone", "", "{}", ""},
		{"inspectVariables", "", `{"variables":[` + string(x) + `]}`, ""},
		{"variables", `,"arguments":{"variablesReference":0}`, `{"variables":[` + string(x) + `]}`, ""},
		{"variables", `,"arguments":{"variablesReference":1}`, `{"variables":[]}`, ""},
		{"richInspectVariables", `,"arguments":{"variableName":"x"}`, `{"data":{"text/plain":"1"},"metadata":{}}`, ""},
		{"richInspectVariables", `,"arguments":{"variableName":"z"}`, `{"data":{},"metadata":{}}`, "none"},
		{"dumpCell", "", `{"sourcePath":"goanvil_.go"}`, ""},
		{"setBreakpoints", "", `{"breakpoints":[]}`, ""},
		{"setExceptionBreakpoints", "", `{"breakpoints":[]}`, ""},
		{"modules", "", `{"modules":[],"totalModules":0}`, ""},
		{"disconnect", "", "{}", ""},
		{"debugInfo", "", info("false"), ""},
		{"terminate", "", "{}", ""},
		{"next", "", "{}", "this kernel's debugger only lists variables; it cannot step"},
	} {
		var req debugRequest
		if err := json.Unmarshal([]byte(`{"seq":7,"command":"`+c.command+`"`+c.arguments+`}`), &req); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"type": "response", "seq": 7.0, "request_seq": 7.0, "command": c.command, "success": c.message == "",
		}
		if c.message != "" && c.message != "none" {
			want["message"] = c.message
		}
		var body any
		if err := json.Unmarshal([]byte(c.body), &body); err != nil {
			t.Fatal(err)
		}
		want["body"] = body
		r := &request{}
		text, err := json.Marshal(s.debug(r, req))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("request %d, %s: %s", i, c.command, d)
		}
		if after := r.after != nil; after != (c.command == "initialize") {
			t.Errorf("%s: an event follows: %t", c.command, after)
		}
	}
}
