package messagingtest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

// A recorder records the outputs of a cell, a line each. Input returns the prompt, in capitals if the input is secret.
type recorder struct {
	messaging.Output
	bytes.Buffer
}

func (r *recorder) Stdout() io.Writer { return stream{r, "stdout"} }
func (r *recorder) Stderr() io.Writer { return stream{r, "stderr"} }

func (r *recorder) Result(d wire.DisplayData)  { r.data("result", d) }
func (r *recorder) Display(d wire.DisplayData) { r.data("display", d) }
func (r *recorder) Update(d wire.DisplayData)  { r.data("update", d) }
func (r *recorder) Clear(wait bool)            { fmt.Fprintf(r, "clear %t\n", wait) }

func (r *recorder) data(kind string, d wire.DisplayData) {
	fmt.Fprintf(r, "%s %v %s\n", kind, d.Data, d.Transient.DisplayID)
}

func (r *recorder) Input(_ context.Context, prompt string, secret bool) (string, error) {
	switch {
	case prompt == "":
		return "", fmt.Errorf("no prompt")
	case secret:
		return strings.ToUpper(prompt), nil
	}
	return prompt, nil
}

func (r *recorder) Ask(_ context.Context, prompt string) (string, error) { return prompt + "?", nil }

// A stream is a recorder's standard output or standard error.
type stream struct {
	r    *recorder
	name string
}

func (s stream) Write(p []byte) (int, error) {
	fmt.Fprintf(s.r, "%s %q\n", s.name, p)
	return len(p), nil
}

func cell(code string) messaging.Cell {
	return messaging.Cell{ExecuteRequest: wire.ExecuteRequest{Code: code}}
}

func TestCommands(t *testing.T) {
	for _, test := range []struct{ code, outputs, status string }{
		{"echo a b", "result map[text/plain:a b] \n", "ok"},
		{"print a\nwarn b", "stdout \"a\\n\"\nstderr \"b\\n\"\n", "ok"},
		{"lines 2", "stdout \"line 0\\n\"\nstdout \"line 1\\n\"\n", "ok"},
		{"bytes xy", "stdout \"x\"\nstdout \"y\"\n", "ok"},
		{"big 3", "display map[text/plain:xxx] \n", "ok"},
		{"display d a", "display map[text/plain:a] d\n", "ok"},
		{"update d b", "update map[text/plain:b] d\n", "ok"},
		{"nan", "display map[application/json:NaN] \n", "ok"},
		{"clear\nclear wait", "clear false\nclear true\n", "ok"},
		{"ask name\nsecret key\nquestion sure",
			"result map[text/plain:name] \nresult map[text/plain:KEY] \nresult map[text/plain:sure?] \n", "ok"},
		{"ask\nprint a", "", "error InputError: no prompt"},
		{"fail why\nprint a", "", "error Failure: why"},
		{"print a\nunknown", "stdout \"a\\n\"\n", "error NoCommand: unknown"},
		{"", "", "ok"},
	} {
		k := &messagingtest.Kernel{}
		out := &recorder{}
		reply := k.Execute(t.Context(), cell(test.code), out)
		status := string(reply.Status)
		if reply.Status != wire.StatusOK {
			status += " " + reply.Ename + ": " + reply.Evalue
		}
		if out.String() != test.outputs || status != test.status {
			t.Errorf("%q: %q, %s; want %q, %s", test.code, out.String(), status, test.outputs, test.status)
		}
		if log := k.Log(); len(log) != 1 || log[0] != test.code {
			t.Errorf("%q: log %q", test.code, log)
		}
	}
}

func TestPages(t *testing.T) {
	k := &messagingtest.Kernel{}
	reply := k.Execute(t.Context(), cell("page a\nbigpage 2"), &recorder{})
	want := []wire.Payload{wire.Page(wire.Bundle{"text/plain": "a"}), wire.Page(wire.Bundle{"text/plain": "xx"})}
	if !reflect.DeepEqual(reply.Payload, want) {
		t.Errorf("payload %v, want %v", reply.Payload, want)
	}
}

// Commands that wait say that they have started, and continue when they are released or interrupted.
func TestWaiting(t *testing.T) {
	k := &messagingtest.Kernel{Started: make(chan struct{}), Release: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(t.Context())
	for code, proceed := range map[string]func(){
		"block": func() { k.Release <- struct{}{} },
		"wait":  func() { cancel(messaging.ErrInterrupted) },
	} {
		done := make(chan wire.ExecuteReply)
		go func() { done <- k.Execute(ctx, cell(code), &recorder{}) }()
		<-k.Started
		proceed()
		reply := <-done
		want := wire.OK
		if code == "wait" {
			want = wire.Failed("Interrupted", messaging.ErrInterrupted.Error())
		}
		if !reflect.DeepEqual(reply.Outcome, want) {
			t.Errorf("%s: %v, want %v", code, reply.Outcome, want)
		}
	}
	written, out := io.Pipe()
	k.Execute(t.Context(), cell("later a"), later{w: out})
	k.Release <- struct{}{}
	text := make([]byte, 2)
	if _, err := io.ReadFull(written, text); err != nil || string(text) != "a\n" {
		t.Errorf("later: %q, %v", text, err)
	}
}

// later is the output of a cell that writes after its end.
type later struct {
	messaging.Output
	w io.Writer
}

func (l later) Stdout() io.Writer { return l.w }

func TestRequests(t *testing.T) {
	k, ctx := &messagingtest.Kernel{}, t.Context()
	k.Shutdown(true)
	k.Shutdown(false)
	matches := k.Complete(ctx, wire.CompleteRequest{Code: "big", CursorPos: 3})
	slices.Sort(matches.Matches)
	for _, test := range []struct {
		got  any
		want string
	}{
		{k.Down(), "[true false]"},
		{matches.Matches, "[big bigpage]"},
		{matches.CursorEnd, "3"},
		{k.Evaluate(ctx, "x").Data, "map[text/plain:x]"},
		{k.Evaluate(ctx, "x").Status, "ok"},
		{k.Evaluate(ctx, "").Status, "error"},
		{k.Inspect(ctx, wire.InspectRequest{Code: "echo"}).Data, "map[text/plain:echo is a command]"},
		{k.Inspect(ctx, wire.InspectRequest{Code: "echo"}).Found, "true"},
		{k.Inspect(ctx, wire.InspectRequest{Code: "ech"}).Found, "false"},
		{k.IsComplete(ctx, wire.IsCompleteRequest{Code: `\a`}).Status, "invalid"},
		{k.IsComplete(ctx, wire.IsCompleteRequest{Code: `a\`}).Status, "incomplete"},
		{k.IsComplete(ctx, wire.IsCompleteRequest{Code: `a`}).Status, "complete"},
		{k.Info().LanguageInfo.Name, "commands"},
	} {
		if got := fmt.Sprint(test.got); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// A server answers a client until it is closed, and its address can then be served again.
func TestServer(t *testing.T) {
	info := messagingtest.OwnAddress()
	if runtime.GOOS == "linux" {
		pid := os.Getpid()
		ip := net.ParseIP(info.IP).To4()
		if got := int(ip[1]-1)<<16 | int(ip[2])<<8 | int(ip[3]); ip[0] != 127 || got != pid&0x7fffff {
			t.Errorf("process %d has the address %s", pid, info.IP)
		}
	}
	for range 2 {
		server := messagingtest.NewServerAt(t, info, &messagingtest.Kernel{}, messaging.Options{})
		info = server.Connection() // with the ports
		reply, err := server.Client().KernelInfo(t.Context())
		if err != nil || reply.Implementation != "messagingtest" {
			t.Fatalf("%+v, %v", reply, err)
		}
		server.Close()
		if err := server.Wait(); err != nil {
			t.Errorf("a closed server: %v", err)
		}
	}
	server := messagingtest.NewServer(t, &messagingtest.Kernel{}, messaging.Options{})
	if server.Connection().IP != "127.0.0.1" {
		t.Errorf("served at %s", server.Connection().IP)
	}
	server.Client()
}
