package messaging_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

// newKernel returns a kernel whose cells can block.
func newKernel() *messagingtest.Kernel {
	return &messagingtest.Kernel{Started: make(chan struct{}, 1), Release: make(chan struct{})}
}

// start serves a new kernel and connects a client to it.
func start(t *testing.T, options messaging.Options) (*messagingtest.Kernel, *messagingtest.Server, *client.Client) {
	t.Helper()
	kernel := newKernel()
	server := messagingtest.NewServer(t, kernel, options)
	return kernel, server, server.Client()
}

// run runs a cell and returns its reply and its outputs, each as a line.
func run(t *testing.T, c *client.Client, e client.Execution) (wire.ExecuteReply, []string) {
	t.Helper()
	var outputs []client.Output
	e.Output = func(o client.Output) { outputs = append(outputs, o) }
	reply, err := c.Execute(t.Context(), e)
	if err != nil {
		t.Fatalf("%q: %v", e.Code, err)
	}
	return reply, describeAll(outputs)
}

// describeAll returns a line for each output. Consecutive text of one stream is
// joined, as the number of its messages depends on timing.
func describeAll(outputs []client.Output) (shown []string) {
	var joined wire.Stream
	flush := func() {
		if joined.Text != "" {
			shown = append(shown, fmt.Sprintf("%s %q", joined.Name, joined.Text))
		}
		joined = wire.Stream{}
	}
	for _, o := range outputs {
		if s, ok := o.Content.(wire.Stream); ok {
			if s.Name != joined.Name {
				flush()
			}
			joined = wire.Stream{Name: s.Name, Text: joined.Text + s.Text}
			continue
		}
		flush()
		shown = append(shown, describe(o))
	}
	flush()
	return shown
}

// describe returns an output as a line.
func describe(o client.Output) string {
	switch v := o.Content.(type) {
	case wire.ExecuteInput:
		return fmt.Sprintf("in[%d] %s", v.ExecutionCount, v.Code)
	case wire.ExecuteResult:
		return fmt.Sprintf("out[%d] %v", v.ExecutionCount, v.Data["text/plain"])
	case wire.DisplayData:
		return fmt.Sprintf("%s %s %v", o.Type, v.Transient.DisplayID, v.Data["text/plain"])
	case wire.Failure:
		return fmt.Sprintf("error %s %s %q", v.Ename, v.Evalue, v.Traceback)
	case wire.ClearOutput:
		return fmt.Sprintf("clear %v", v.Wait)
	}
	return fmt.Sprintf("%s %+v", o.Type, o.Content)
}

func TestCellsShowInOrder(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	tests := []struct {
		cell client.Execution
		want []string
	}{
		{client.Execution{Code: "echo 2"}, []string{"in[1] echo 2", "out[1] 2"}},
		{client.Execution{Code: "print a\nprint b\nwarn c\nprint d"}, []string{`stdout "a\nb\n"`, `stderr "c\n"`, `stdout "d\n"`}},
		{client.Execution{Code: "print a\ndisplay i v\nprint b\nupdate i w\necho x"},
			[]string{`stdout "a\n"`, "display_data i v", `stdout "b\n"`, "update_display_data i w", "out[3] x"}},
		{client.Execution{Code: "clear\nclear wait"}, []string{"clear false", "clear true"}},
		{client.Execution{Code: "print a\nfail f"}, []string{`stdout "a\n"`, `error Failure f ["\x1b[31mFailure\x1b[0m: f"]`}},
		{client.Execution{Code: "nan\nprint b"}, []string{`stderr "cannot show this: display_data: json: unsupported value: NaN\n"`, `stdout "b\n"`}},
		{client.Execution{Code: "bytes é€😀 <&>"}, []string{`stdout "é€😀 <&>"`}},
		{client.Execution{Code: "print a\necho b\nfail c", Silent: true}, nil},
	}
	for i, test := range tests {
		_, shown := run(t, c, test.cell)
		if i > 0 && !test.cell.Silent {
			if want := fmt.Sprintf("in[%d] %s", i+1, test.cell.Code); len(shown) == 0 || shown[0] != want {
				t.Fatalf("%q shows %q, want %q first", test.cell.Code, shown, want)
			}
			shown = shown[1:]
		}
		if d := cmp.Diff(test.want, shown); d != "" {
			t.Errorf("%q: -want +got\n%s", test.cell.Code, d)
		}
	}
}

func TestReplies(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	ok := wire.ExecuteReply{Outcome: wire.OK, UserExpressions: map[string]wire.Expression{}, Payload: []wire.Payload{}}
	counted := func(n int, r wire.ExecuteReply) wire.ExecuteReply { r.ExecutionCount = n; return r }
	expr, page, fail := ok, ok, ok
	expr.UserExpressions = map[string]wire.Expression{
		"a": {Outcome: wire.OK, Data: wire.Bundle{"text/plain": "x"}, Metadata: wire.Bundle{}},
		"b": {Outcome: wire.Failed("NoExpression", "it is empty")},
	}
	page.Payload = []wire.Payload{wire.Page(wire.Bundle{"text/plain": "doc"})}
	fail.Outcome = wire.Failed("Failure", "f", "\x1b[31mFailure\x1b[0m: f")
	tests := []struct {
		cell client.Execution
		want wire.ExecuteReply
	}{
		{client.Execution{Code: "echo 1"}, counted(1, ok)},
		{client.Execution{Code: "echo 1", NoHistory: true}, counted(2, ok)},
		{client.Execution{Code: "echo 1", Silent: true}, counted(2, ok)},
		{client.Execution{Code: "echo 1", UserExpressions: map[string]string{"a": "x", "b": ""}}, counted(2, expr)},
		{client.Execution{Code: "fail f", UserExpressions: map[string]string{"a": "x"}}, counted(3, fail)},
		{client.Execution{Code: "page doc"}, counted(4, page)},
	}
	for _, test := range tests {
		reply, _ := run(t, c, test.cell)
		if d := cmp.Diff(test.want, reply); d != "" {
			t.Errorf("%+v: -want +got\n%s", test.cell, d)
		}
	}
}

// Every request is answered between busy and idle, all its outputs come before
// idle, and a client receives starting at most once.
func TestLifecycle(t *testing.T) {
	server := messagingtest.NewServer(t, newKernel(), messaging.Options{})
	published := make(chan *wire.Message, 100)
	c := server.ClientOf(client.Dialer{Published: func(m *wire.Message) { published <- m }})
	run(t, c, client.Execution{Code: "print a\necho b"})
	if _, err := c.KernelInfo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Notify(t.Context(), wire.TypeCommMsg, wire.Comm{CommID: "none"}); err != nil {
		t.Fatal(err)
	}
	want := map[wire.Type]string{
		wire.TypeExecuteRequest:    "busy execute_input stream execute_result idle ",
		wire.TypeKernelInfoRequest: "busy idle ",
		wire.TypeCommMsg:           "busy idle ",
	}
	got := make(map[wire.Type]string)
	starting := 0
	for idle := 0; idle < len(want); { // control and shell do not wait for each other
		m := <-published
		word := string(m.Header.MsgType)
		if m.Header.MsgType == wire.TypeStatus {
			var s wire.KernelStatus
			if err := json.Unmarshal(m.Content, &s); err != nil {
				t.Fatal(err)
			}
			word = string(s.ExecutionState)
		}
		switch parent := m.ParentHeader().MsgType; {
		case parent != "":
			got[parent] += word + " "
		case word == string(wire.Starting):
			starting++
		}
		if word == string(wire.Idle) {
			idle++
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if starting > 1 { // 0 if the client connected later
		t.Errorf("starting %d times", starting)
	}
}

func TestHundredThousandLines(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	var text strings.Builder
	messages, began := 0, time.Now()
	reply, err := c.Execute(t.Context(), client.Execution{Code: "lines 100000", Output: func(o client.Output) {
		if s, ok := o.Content.(wire.Stream); ok {
			messages++
			text.WriteString(s.Text)
		}
	}})
	if err != nil || reply.Status != wire.StatusOK {
		t.Fatal(reply, err)
	}
	if most := 50 + int(time.Since(began)/(50*time.Millisecond)); messages > most {
		t.Errorf("%d stream messages, want at most %d", messages, most)
	}
	i := 0
	for line := range strings.Lines(text.String()) {
		if want := fmt.Sprintf("line %d\n", i); line != want {
			t.Fatalf("line %d is %q", i, line)
		}
		i++
	}
	if i != 100_000 {
		t.Errorf("%d lines, want 100000", i)
	}
}

// The first cell waits for the subscription of its client, which may come after the cell.
func TestFirstCellBeforeTheSubscription(t *testing.T) {
	messaging.SetMaxSubscribeWait(t, time.Hour)
	server := messagingtest.NewServer(t, newKernel(), messaging.Options{})
	f := newForger(t, server.Connection())
	shake(t, server.Connection().ShellPort, "DEALER", "").put(message(f.frames(wire.TypeExecuteRequest, `{"code":"print early"}`)...))
	control := shake(t, server.Connection().ControlPort, "DEALER", "")
	for range 20 { // enough answers for the cell to run, if it did not wait
		control.put(message(f.frames(wire.TypeKernelInfoRequest, `{}`)...))
		control.message()
	}
	sub := shake(t, server.Connection().IOPubPort, "SUB", "")
	sub.put(frame(0, "\x01"))
	for {
		m := f.decode(sub.message())
		if m.Header.MsgType == wire.TypeStream {
			break
		}
		if strings.Contains(string(m.Content), "idle") {
			t.Fatal("the cell's output is lost")
		}
	}
}

// A client that never subscribes gets its reply.
func TestFirstCellWithoutASubscription(t *testing.T) {
	messaging.SetMaxSubscribeWait(t, time.Millisecond)
	server := messagingtest.NewServer(t, newKernel(), messaging.Options{})
	f := newForger(t, server.Connection())
	shell := shake(t, server.Connection().ShellPort, "DEALER", "")
	shell.put(message(f.frames(wire.TypeExecuteRequest, `{"code":"print unheard"}`)...))
	if m := f.decode(shell.message()); m.Header.MsgType != wire.TypeExecuteReply {
		t.Errorf("%s, want a reply", m.Header.MsgType)
	}
}

// Text that a goroutine prints after its cell has ended appears below that cell.
func TestOutputAfterTheCell(t *testing.T) {
	kernel := newKernel()
	server := messagingtest.NewServer(t, kernel, messaging.Options{})
	late := make(chan string, 1)
	c := server.ClientOf(client.Dialer{Published: func(m *wire.Message) {
		if m.Header.MsgType == wire.TypeStream {
			late <- fmt.Sprintf("%s %s", m.ParentHeader().MsgType, m.Content)
		}
	}})
	run(t, c, client.Execution{Code: "later on"})
	kernel.Release <- struct{}{}
	if got, want := <-late, `execute_request {"name":"stdout","text":"on\n"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStopOnErrorAbortsWaitingCells(t *testing.T) {
	for _, goOn := range []bool{false, true} {
		kernel, _, c := start(t, messaging.Options{Subshells: true})
		var sub wire.SubshellID
		request(t, c, client.Control, wire.TypeCreateSubshellRequest, wire.TypeCreateSubshellReply, struct{}{}, &sub)
		var calls []*client.Call
		for _, code := range []string{"block\nfail f", "echo 1", "echo 2"} {
			call, err := c.Begin(client.Execution{Code: code, ContinueOnError: goOn})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call)
		}
		<-kernel.Started
		// Messages are received in order, so an answer from another subshell
		// means that the cells sent before it are queued.
		run(t, c, client.Execution{Code: "echo other", Subshell: sub.SubshellID})
		kernel.Release <- struct{}{}
		var got []wire.Status
		for _, call := range calls {
			reply, err := call.Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, reply.Status)
		}
		want := []wire.Status{wire.StatusError, wire.StatusAborted, wire.StatusAborted}
		log := []string{"block\nfail f", "echo other"}
		if goOn {
			want = []wire.Status{wire.StatusError, wire.StatusOK, wire.StatusOK}
			log = append(log, "echo 1", "echo 2")
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("continue %v: -want +got\n%s", goOn, d)
		}
		if d := cmp.Diff(log, kernel.Log()); d != "" {
			t.Errorf("continue %v, cells run: -want +got\n%s", goOn, d)
		}
		if reply, _ := run(t, c, client.Execution{Code: "echo 3"}); reply.Status != wire.StatusOK {
			t.Errorf("the next cell: %+v", reply)
		}
	}
}

func TestControlAnswersWhileACellRuns(t *testing.T) {
	kernel, _, c := start(t, messaging.Options{})
	call, err := c.Begin(client.Execution{Code: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	<-kernel.Started
	info, err := c.KernelInfo(t.Context())
	if err != nil || info.ProtocolVersion != "5.5" || info.Implementation != "messagingtest" || info.Status != wire.StatusOK {
		t.Errorf("kernel_info %+v, %v", info, err)
	}
	if err := c.Heartbeat(t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	reply, err := call.Wait(t.Context())
	if err != nil || reply.Status != wire.StatusError || reply.Ename != "Interrupted" || reply.Evalue != "interrupted" {
		t.Errorf("interrupted cell: %+v, %v", reply, err)
	}
	if reply, _ := run(t, c, client.Execution{Code: "echo 1"}); reply.Status != wire.StatusOK {
		t.Errorf("the next cell: %+v", reply)
	}
}

func TestSignalInterrupts(t *testing.T) {
	signals := make(chan os.Signal)
	kernel, _, c := start(t, messaging.Options{Interrupts: signals})
	signals <- os.Interrupt // nothing runs: without effect
	for range 2 {
		call, err := c.Begin(client.Execution{Code: "wait"})
		if err != nil {
			t.Fatal(err)
		}
		<-kernel.Started
		signals <- os.Interrupt
		if reply, err := call.Wait(t.Context()); err != nil || reply.Evalue != "interrupted" {
			t.Errorf("interrupted cell: %+v, %v", reply, err)
		}
	}
}

func TestInput(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	var asked []wire.InputRequest
	answer := func(r wire.InputRequest) (string, error) {
		asked = append(asked, r)
		return "line " + r.Prompt, nil
	}
	_, shown := run(t, c, client.Execution{Code: "print before\nask a\nsecret b", Input: answer})
	if d := cmp.Diff([]string{`stdout "before\n"`, "out[1] line a", "out[1] line b"}, shown[1:]); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if d := cmp.Diff([]wire.InputRequest{{Prompt: "a"}, {Prompt: "b", Password: true}}, asked); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	reply, _ := run(t, c, client.Execution{Code: "ask a"})
	if reply.Failure == nil || reply.Evalue != "input: not supported by this front end; run the cell where a user can answer" {
		t.Errorf("without allow_stdin: %+v", reply)
	}
	refuse := func(wire.InputRequest) (string, error) { return "", context.Canceled }
	if reply, _ = run(t, c, client.Execution{Code: "ask a", Input: refuse}); reply.Ename != "InputError" ||
		reply.Evalue != "input: the front end did not ask the user" {
		t.Errorf("refused: %+v", reply)
	}
}

func TestInterruptWhileInputIsAwaited(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	release := make(chan struct{})
	asked := make(chan struct{})
	call, err := c.Begin(client.Execution{Code: "ask a", Input: func(wire.InputRequest) (string, error) {
		close(asked)
		<-release
		return "late", nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan wire.ExecuteReply)
	go func() {
		reply, _ := call.Wait(t.Context())
		done <- reply
	}()
	<-asked
	if err := c.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(release) // the late answer must not be taken for the answer to the next prompt
	if reply := <-done; reply.Failure == nil || reply.Evalue != "interrupted" {
		t.Errorf("interrupted: %+v", reply)
	}
	_, shown := run(t, c, client.Execution{Code: "ask b", Input: func(wire.InputRequest) (string, error) { return "mine", nil }})
	if shown[1] != "out[2] mine" {
		t.Errorf("next question: %q", shown)
	}
}

func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "history.jsonl")
	session := func(cells ...string) (get func(wire.HistoryRequest) string, end func()) {
		_, server, c := start(t, messaging.Options{HistoryFile: file})
		for _, code := range cells {
			run(t, c, client.Execution{Code: code})
		}
		run(t, c, client.Execution{Code: "echo hidden", NoHistory: true})
		get = func(req wire.HistoryRequest) string {
			reply, err := c.History(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(reply.History)
			if err != nil || reply.Status != wire.StatusOK {
				return fmt.Sprint(reply.Status, err)
			}
			return string(out)
		}
		return get, server.Close
	}
	_, end := session("echo 1", "print 2")
	end()
	get, _ := session("echo 3", "echo 1", "echo 1")
	n := func(i int) *int { return &i }
	tests := []struct {
		req  wire.HistoryRequest
		want string
	}{
		{wire.HistoryRequest{HistAccessType: "tail", N: n(2)}, `[[2,2,"echo 1"],[2,3,"echo 1"]]`},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(4), Output: true},
			`[[1,2,["print 2",null]],[2,1,["echo 3","3"]],[2,2,["echo 1","1"]],[2,3,["echo 1","1"]]]`},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(0)}, `[]`},
		{wire.HistoryRequest{HistAccessType: "range", Session: 0, Start: 1, Stop: n(2)}, `[[2,1,"echo 3"]]`},
		{wire.HistoryRequest{HistAccessType: "range", Session: -1, Start: 1}, `[[1,1,"echo 1"],[1,2,"print 2"]]`},
		{wire.HistoryRequest{HistAccessType: "range", Session: 1, Start: 2}, `[[1,2,"print 2"]]`},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "e?ho 1"}, `[[1,1,"echo 1"],[2,2,"echo 1"],[2,3,"echo 1"]]`},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "*o*", Unique: true}, `[[2,1,"echo 3"],[2,3,"echo 1"]]`},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "*", N: n(1)}, `[[2,3,"echo 1"]]`},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "cho"}, `[]`},
		{wire.HistoryRequest{HistAccessType: "other"}, `error<nil>`},
	}
	for _, test := range tests {
		if got := get(test.req); got != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.req, got, test.want)
		}
	}
}

func TestIntrospection(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	if r, err := c.Complete(t.Context(), "pr", 2); err != nil || cmp.Diff([]string{"print"}, r.Matches) != "" || r.CursorEnd != 2 {
		t.Errorf("complete %+v, %v", r, err)
	}
	if r, err := c.Complete(t.Context(), "nothing", 7); err != nil || r.Matches == nil || r.Metadata == nil {
		t.Errorf("complete with no match %+v, %v", r, err)
	}
	if r, err := c.Inspect(t.Context(), "print", 2, 0); err != nil || !r.Found || r.Data["text/plain"] != "print is a command" {
		t.Errorf("inspect %+v, %v", r, err)
	}
	if r, err := c.Inspect(t.Context(), "nothing", 2, 0); err != nil || r.Found || r.Data == nil {
		t.Errorf("inspect of nothing %+v, %v", r, err)
	}
	for code, want := range map[string]wire.IsCompleteReply{
		"x": {Status: wire.CodeComplete}, `x\`: {Status: wire.CodeIncomplete, Indent: "  "}, `\x`: {Status: wire.CodeInvalid},
	} {
		if r, err := c.IsComplete(t.Context(), code); err != nil || r != want {
			t.Errorf("is_complete %q: %+v, %v", code, r, err)
		}
	}
}

func TestUnknownCommIsClosed(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	published, err := c.Notify(t.Context(), wire.TypeCommOpen, wire.Comm{CommID: "c1", TargetName: "none"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range published {
		got = append(got, string(m.Header.MsgType)+" "+string(m.Content))
	}
	want := []string{`status {"execution_state":"busy"}`, `comm_close {"comm_id":"c1","data":{}}`, `status {"execution_state":"idle"}`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		kernel := newKernel()
		server := messagingtest.NewServerAt(t, messagingtest.OwnAddress(), kernel, messaging.Options{})
		c := server.Client()
		call, err := c.Begin(client.Execution{Code: "wait"})
		if err != nil {
			t.Fatal(err)
		}
		<-kernel.Started
		if err := c.Shutdown(t.Context(), restart); err != nil {
			t.Fatal(err)
		}
		if reply, err := call.Wait(t.Context()); err != nil || reply.Failure == nil || reply.Evalue != "the kernel shuts down" {
			t.Errorf("running cell: %+v, %v", reply, err)
		}
		if err := server.Wait(); err != nil {
			t.Errorf("Serve: %v", err)
		}
		if d := cmp.Diff([]bool{restart}, kernel.Down()); d != "" {
			t.Errorf("Kernel.Shutdown: %s", d)
		}
		// The ports must be free again, since a restarted kernel uses the same ones.
		again := messagingtest.NewServerAt(t, server.Connection(), newKernel(), messaging.Options{})
		run(t, again.Client(), client.Execution{Code: "echo 1"})
	}
}

func TestSubshells(t *testing.T) {
	kernel, _, c := start(t, messaging.Options{Subshells: true})
	ids := func() []string {
		var list wire.ListSubshellReply
		request(t, c, client.Control, wire.TypeListSubshellRequest, wire.TypeListSubshellReply, struct{}{}, &list)
		return list.SubshellID
	}
	var made wire.SubshellID
	request(t, c, client.Control, wire.TypeCreateSubshellRequest, wire.TypeCreateSubshellReply, struct{}{}, &made)
	if d := cmp.Diff([]string{made.SubshellID}, ids()); d != "" {
		t.Errorf("list: %s", d)
	}
	call, err := c.Begin(client.Execution{Code: "block"})
	if err != nil {
		t.Fatal(err)
	}
	<-kernel.Started
	if reply, _ := run(t, c, client.Execution{Code: "echo 1", Subshell: made.SubshellID}); reply.Status != wire.StatusOK {
		t.Errorf("in the subshell: %+v", reply)
	}
	kernel.Release <- struct{}{}
	if _, err := call.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if reply, _ := run(t, c, client.Execution{Code: "echo 1", Subshell: "none"}); reply.Failure == nil || reply.Ename != "NoSubshell" ||
		reply.Evalue != "subshell none: not found; see list_subshell_request" {
		t.Errorf("in no subshell: %+v", reply)
	}
	var outcome wire.Outcome
	request(t, c, client.Control, wire.TypeDeleteSubshellRequest, wire.TypeDeleteSubshellReply, made, &outcome)
	if outcome.Status != wire.StatusOK || len(ids()) != 0 {
		t.Errorf("deleted: %+v, left %v", outcome, ids())
	}
}

// request sends a request and reads the content of its reply.
func request(t *testing.T, c *client.Client, on client.Channel, ask, reply wire.Type, content, answer any) {
	t.Helper()
	m, err := c.Request(t.Context(), on, ask, reply, content)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(m.Content, answer); err != nil {
		t.Fatal(err)
	}
}

// TestAsk tests that a cell that was sent by itself can ask the user, and that the question
// is refused if other cells were sent with the cell, or arrive while the question is open.
func TestAsk(t *testing.T) {
	kernel, _, c := start(t, messaging.Options{})
	begin := func(code string, answer func() string) <-chan string {
		call, err := c.Begin(client.Execution{Code: code, Input: func(wire.InputRequest) (string, error) { return answer(), nil }})
		if err != nil {
			t.Fatal(err)
		}
		refused := make(chan string, 1)
		go func() {
			reply, err := call.Wait(t.Context())
			switch {
			case err != nil:
				refused <- err.Error()
			case reply.Failure != nil:
				refused <- reply.Evalue
			default:
				refused <- ""
			}
		}()
		return refused
	}
	const notAlone = "input: the cell cannot wait for an answer while other cells are queued; run it by itself"
	wantRefusal := func(refused <-chan string, want string) { // "" if the cell must succeed
		t.Helper()
		if got := <-refused; got != want {
			t.Errorf("the question is refused with %q; want %q", got, want)
		}
	}
	here := func() string { return "here" }
	nobody := func() string { t.Error("the user was asked"); return "" }
	until := func(over chan struct{}) func() string {
		return func() string { <-over; return "late" }
	}

	run(t, c, client.Execution{Code: "echo 1"})
	wantRefusal(begin("question alone", here), "")

	running := begin("block", nobody)
	<-kernel.Started
	behind := begin("question behind another", nobody)
	time.Sleep(5 * time.Millisecond) // front ends stamp cells with whole milliseconds
	kernel.Release <- struct{}{}
	wantRefusal(running, "")
	wantRefusal(behind, notAlone)

	over := make(chan struct{})
	before := begin("block\nquestion before another", until(over))
	<-kernel.Started
	last := begin("echo 3", nobody)
	kernel.Release <- struct{}{}
	wantRefusal(last, "")
	close(over)
	wantRefusal(before, notAlone)

	asked, over := make(chan struct{}), make(chan struct{})
	open := begin("question open", func() string { close(asked); return until(over)() })
	<-asked
	wantRefusal(begin("echo 4", nobody), "")
	close(over)
	wantRefusal(open, notAlone)

	wantRefusal(begin("question alone again", here), "")
}

// Completion, inspection and comms are answered while a cell runs.
func TestLanesAnswerWhileACellRuns(t *testing.T) {
	kernel, _, c := start(t, messaging.Options{Subshells: true})
	call, err := c.Begin(client.Execution{Code: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	<-kernel.Started
	if r, err := c.Complete(t.Context(), "ech", 3); err != nil || len(r.Matches) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Inspect(t.Context(), "echo", 2, 0); err != nil || !r.Found {
		t.Errorf("%+v, %v", r, err)
	}
	var comms wire.CommInfoReply
	request(t, c, client.Shell, wire.TypeCommInfoRequest, wire.TypeCommInfoReply, struct{}{}, &comms)
	opened, err := c.Notify(t.Context(), wire.TypeCommOpen, wire.Comm{CommID: "c", TargetName: "t"})
	if err != nil || len(opened) != 3 || opened[1].Header.MsgType != wire.TypeCommClose {
		t.Errorf("%v, %v", opened, err)
	}
	if err := c.Interrupt(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := call.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// A connection file without ip is served on the loopback interface alone.
func TestWithoutIP(t *testing.T) {
	info := messaging.ConnectionInfo{Key: uuid.NewString(), SignatureScheme: "hmac-sha256"}
	server := messagingtest.NewServerAt(t, info, newKernel(), messaging.Options{})
	_, shown := run(t, server.Client(), client.Execution{Code: "echo 1"})
	if d := cmp.Diff([]string{"in[1] echo 1", "out[1] 1"}, shown); d != "" {
		t.Error(d)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range append(addresses, &net.IPNet{IP: net.IPv6loopback}) {
		ip := a.(*net.IPNet).IP
		if ip.Equal(net.IPv4(127, 0, 0, 1)) {
			continue
		}
		address := net.JoinHostPort(ip.String(), strconv.Itoa(server.Connection().ShellPort))
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			c.Close()
			t.Errorf("listens on %s", address)
		}
	}
}
