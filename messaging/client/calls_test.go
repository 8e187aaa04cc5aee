package client_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

// TestOutputs checks the outputs of a cell and its reply.
func TestOutputs(t *testing.T) {
	c := messagingtest.NewServer(t, newKernel(), messaging.Options{}).Client()
	text := func(s string) wire.Bundle { return wire.Bundle{"text/plain": s} }
	var got []client.Output
	var updates []bool
	reply, err := c.Execute(t.Context(), client.Execution{
		Code:            "print a\nwarn b\ndisplay id c\nupdate id d\nclear wait\necho e\nfail f",
		UserExpressions: map[string]string{"x": "1"},
		Output:          func(o client.Output) { got, updates = append(got, o), append(updates, o.Update()) },
	})
	if err != nil || reply.Status != wire.StatusError || reply.Evalue != "f" || reply.ExecutionCount != 1 {
		t.Errorf("%+v, %v", reply, err)
	}
	id := wire.Transient{DisplayID: "id"}
	failure := wire.Failure{Ename: "Failure", Evalue: "f", Traceback: []string{"\x1b[31mFailure\x1b[0m: f"}}
	want := []client.Output{
		{Type: wire.TypeExecuteInput, Content: wire.ExecuteInput{
			Code: "print a\nwarn b\ndisplay id c\nupdate id d\nclear wait\necho e\nfail f", ExecutionCount: 1}},
		{Type: wire.TypeStream, Content: wire.Stream{Name: wire.Stdout, Text: "a\n"}},
		{Type: wire.TypeStream, Content: wire.Stream{Name: wire.Stderr, Text: "b\n"}},
		{Type: wire.TypeDisplayData, Content: wire.DisplayData{Data: text("c"), Metadata: wire.Bundle{}, Transient: id}},
		{Type: wire.TypeUpdateDisplayData, Content: wire.DisplayData{
			Data: text("d"), Metadata: wire.Bundle{}, Transient: id}},
		{Type: wire.TypeClearOutput, Content: wire.ClearOutput{Wait: true}},
		{Type: wire.TypeExecuteResult, Content: wire.ExecuteResult{
			ExecutionCount: 1, Data: text("e"), Metadata: wire.Bundle{}}},
		{Type: wire.TypeError, Content: failure},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if want := []bool{false, false, false, false, true, false, false, false}; !slices.Equal(updates, want) {
		t.Errorf("updates %v, want %v", updates, want)
	}
	reply, err = c.Execute(t.Context(), client.Execution{Code: "echo a", UserExpressions: map[string]string{"x": "1"}})
	if err != nil || reply.ExecutionCount != 2 || reply.UserExpressions["x"].Data["text/plain"] != "1" {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestCellsInTheHistory checks which cells are counted and stored, and the requests for code.
func TestCellsInTheHistory(t *testing.T) {
	kernel := newKernel()
	server := messagingtest.NewServer(t, kernel, messaging.Options{})
	var mu sync.Mutex
	published := map[wire.Type]int{}
	c := server.ClientOf(client.Dialer{Published: func(m *wire.Message) {
		mu.Lock()
		defer mu.Unlock()
		published[m.Header.MsgType]++
	}})
	cells := []client.Execution{
		{Code: "echo 1"}, {Code: "echo 2", Silent: true}, {Code: "echo 3", NoHistory: true}, {Code: "echo 4"},
	}
	for i, e := range cells {
		reply, err := c.Execute(t.Context(), e)
		if want := []int{1, 2, 2, 2}[i]; err != nil || reply.ExecutionCount != want {
			t.Errorf("%+v: %+v, %v", e, reply, err)
		}
	}
	history, err := c.History(t.Context(), wire.HistoryRequest{HistAccessType: "tail"})
	if got := fmt.Sprint(history.History); err != nil || got != "[[1 1 echo 1] [1 2 echo 4]]" {
		t.Errorf("history %s, %v", got, err)
	}
	if r, err := c.Complete(t.Context(), "ech", 3); err != nil || fmt.Sprint(r.Matches, r.CursorEnd) != "[echo] 3" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Inspect(t.Context(), "echo", 4, 1); err != nil || !r.Found ||
		r.Data["text/plain"] != "echo is a command" {
		t.Errorf("%+v, %v", r, err)
	}
	for code, want := range map[string]wire.Completeness{
		"echo": wire.CodeComplete, `echo \`: wire.CodeIncomplete, `\`: wire.CodeInvalid,
	} {
		if r, err := c.IsComplete(t.Context(), code); err != nil || r.Status != want {
			t.Errorf("%s: %+v, %v", code, r, err)
		}
	}
	if info, err := c.KernelInfo(t.Context()); err != nil || info.Implementation != "messagingtest" {
		t.Errorf("%+v, %v", info, err)
	}
	if err := c.Heartbeat(t.Context()); err != nil {
		t.Error(err)
	}
	about, err := c.Notify(t.Context(), wire.TypeCommClose, wire.Comm{CommID: "x"})
	if err != nil || len(about) != 2 {
		t.Errorf("%d messages about a comm, %v", len(about), err)
	}
	mu.Lock()
	if published[wire.TypeExecuteInput] != 3 || published[wire.TypeExecuteResult] != 3 ||
		published[wire.TypeExecuteReply] != 0 {
		t.Errorf("published %v", published)
	}
	mu.Unlock()
	if err := c.Shutdown(t.Context(), true); err != nil {
		t.Error(err)
	}
	if err := server.Wait(); err != nil || !slices.Equal(kernel.Down(), []bool{true}) {
		t.Errorf("%v, shut down %v", err, kernel.Down())
	}
}

// TestInput checks the answers to a cell that asks for a line.
func TestInput(t *testing.T) {
	c := messagingtest.NewServer(t, newKernel(), messaging.Options{}).Client()
	prompt := func(r wire.InputRequest) (string, error) { return fmt.Sprint(r.Prompt, r.Password), nil }
	for _, c2 := range []struct {
		code   string
		input  func(wire.InputRequest) (string, error)
		want   string
		failed bool
	}{
		{"ask name", prompt, "namefalse", false},
		{"secret name", prompt, "nametrue", false},
		{"ask name", func(wire.InputRequest) (string, error) { return "", errors.New("no answer") }, "", true},
		{"ask name", nil, "", true},
	} {
		shown := ""
		reply, err := c.Execute(t.Context(), client.Execution{Code: c2.code, Input: c2.input, Output: func(o client.Output) {
			if r, ok := o.Content.(wire.ExecuteResult); ok {
				shown = r.Data["text/plain"].(string)
			}
		}})
		if err != nil || shown != c2.want || (reply.Status != wire.StatusOK) != c2.failed {
			t.Errorf("%s: %q, %+v, %v", c2.code, shown, reply, err)
		}
	}
}
