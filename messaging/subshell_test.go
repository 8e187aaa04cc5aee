package messaging

import (
	"slices"
	"testing"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// TestRoute checks the queue in which requests wait.
func TestRoute(t *testing.T) {
	main, sub := newSubshell(), newSubshell()
	lanesOf := map[string]*subshell{"complete": newSubshell(), "inspect": newSubshell(), "comm": newSubshell()}
	for _, c := range []struct {
		typ      wire.Type
		subshell string
		want     *subshell
	}{
		{wire.TypeExecuteRequest, "", main},
		{wire.TypeExecuteRequest, "s", sub},
		{wire.TypeExecuteRequest, "none", main},
		{wire.TypeKernelInfoRequest, "", main},
		{wire.TypeIsCompleteRequest, "", main},
		{wire.TypeHistoryRequest, "", main},
		{wire.TypeCompleteRequest, "", lanesOf["complete"]},
		{wire.TypeCompleteRequest, "s", sub},
		{wire.TypeInspectRequest, "", lanesOf["inspect"]},
		{wire.TypeCommOpen, "", lanesOf["comm"]},
		{wire.TypeCommMsg, "", lanesOf["comm"]},
		{wire.TypeCommClose, "", lanesOf["comm"]},
		{wire.TypeCommInfoRequest, "", lanesOf["comm"]},
	} {
		ss := &subshells{byID: map[string]*subshell{mainShell: main, "s": sub}, lanes: lanesOf}
		r := &request{Message: &wire.Message{Header: wire.Header{MsgType: c.typ, SubshellID: c.subshell}}}
		ss.route(r)
		if r.shell != c.want {
			t.Errorf("%s of subshell %q waits in another queue", c.typ, c.subshell)
		}
		if refused := r.refusal != nil; refused != (c.subshell == "none") {
			t.Errorf("%s of subshell %q: refused %v", c.typ, c.subshell, refused)
		}
		// Without lanes, the main shell answers.
		ss.lanes = nil
		r = &request{Message: r.Message}
		if ss.route(r); c.subshell == "" && r.shell != main {
			t.Errorf("%s waits in another queue than cells", c.typ)
		}
	}
}

// TestRemovedSubshell checks that the main shell refuses the requests that were queued in a removed subshell.
func TestRemovedSubshell(t *testing.T) {
	main, sub := newSubshell(), newSubshell()
	ss := &subshells{byID: map[string]*subshell{mainShell: main, "s": sub}}
	var sent []*request
	for _, typ := range []wire.Type{wire.TypeExecuteRequest, wire.TypeIsCompleteRequest, wire.TypeCompleteRequest} {
		r := &request{Message: &wire.Message{Header: wire.Header{MsgType: typ, SubshellID: "s"}}}
		ss.route(r)
		sent = append(sent, r)
	}
	if !ss.remove("s") || !slices.Equal(main.queue, sent) || len(sub.queue) > 0 {
		t.Errorf("%d requests wait in the main shell, %d in the removed one", len(main.queue), len(sub.queue))
	}
	for _, r := range sent {
		if r.shell != main || r.refusal == nil || r.refusal.Evalue != "subshell s: not found; see list_subshell_request" {
			t.Errorf("%s: %+v", r.Header.MsgType, r.refusal)
		}
	}
}

// TestSubshellIDs checks that the main shell is not listed and cannot be removed.
func TestSubshellIDs(t *testing.T) {
	a := newSubshell()
	ss := &subshells{byID: map[string]*subshell{mainShell: newSubshell(), "b": newSubshell(), "a": a}}
	if got := ss.ids(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	if ss.remove(mainShell) || ss.remove("c") || !ss.remove("a") || ss.remove("a") || !a.stopped {
		t.Error("what can be removed is wrong")
	}
	if got := ss.ids(); !slices.Equal(got, []string{"b"}) || ss.get(mainShell) == nil || ss.get("a") != nil {
		t.Errorf("%q are left", got)
	}
	ss.remove("b")
	if got := ss.ids(); got == nil || len(got) > 0 {
		t.Errorf("%#v: no subshell is an empty list", got)
	}
	ss.wait(time.Now()) // does not wait for the main shell, which has not ended
}
