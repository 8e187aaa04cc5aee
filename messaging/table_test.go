package messaging_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// Exactly the types that a front end sends have a row, and the reply to x_request
// is x_reply.
func TestEveryTypeHasAHandler(t *testing.T) {
	replies, _ := messaging.Answered()
	for _, typ := range wire.Types() {
		reply, ok := replies[typ]
		role := wire.RoleOf(typ)
		if want := role == wire.Request || role == wire.Notice; ok != want {
			t.Errorf("%s: has a row %v, want %v", typ, ok, want)
		}
		want := wire.Type("")
		if name, ok := strings.CutSuffix(string(typ), "_request"); ok && role == wire.Request {
			want = wire.Type(name + "_reply")
		}
		if reply != want || want != "" && wire.RoleOf(want) != wire.Reply {
			t.Errorf("%s: answered by %q, want %q", typ, reply, want)
		}
	}
}

// minimal has the contents with which requests succeed that need more than {}.
var minimal = map[wire.Type]any{
	wire.TypeHistoryRequest: wire.HistoryRequest{HistAccessType: "tail"},
}

// refused has the requests for features that this kernel does not have.
var refused = map[wire.Type]bool{
	wire.TypeCreateSubshellRequest: true,
	wire.TypeDeleteSubshellRequest: true,
}

// statusless has the requests whose reply has no status, or one of another kind:
// is_complete_reply, and a message of the Debug Adapter Protocol.
var statusless = map[wire.Type]bool{
	wire.TypeIsCompleteRequest: true,
	wire.TypeDebugRequest:      true,
}

// Every row answers with the reply type of the table.
func TestEveryRowAnswers(t *testing.T) {
	replies, control := messaging.Answered()
	for ask, reply := range replies {
		if reply == "" {
			continue
		}
		_, _, c := start(t, messaging.Options{})
		on := client.Shell
		if control[ask] {
			on = client.Control
		}
		content := minimal[ask]
		if content == nil {
			content = struct{}{}
		}
		var got struct{ Status wire.Status }
		request(t, c, on, ask, reply, content, &got)
		want := wire.StatusOK
		if refused[ask] {
			want = wire.StatusError
		}
		if got.Status != want && !statusless[ask] {
			t.Errorf("%s: status %q, want %q", ask, got.Status, want)
		}
	}
}

func TestContentOfTheWrongForm(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	for ask, content := range map[wire.Type]string{
		wire.TypeExecuteRequest:    `{"code":5}`,
		wire.TypeCompleteRequest:   `{"cursor_pos":"x"}`,
		wire.TypeHistoryRequest:    `{"n":"x"}`,
		wire.TypeIsCompleteRequest: `{"code":[]}`,
	} {
		var got wire.Outcome
		reply := wire.Type(strings.Replace(string(ask), "request", "reply", 1))
		request(t, c, client.Shell, ask, reply, json.RawMessage(content), &got)
		if got.Status != wire.StatusError || got.Failure == nil || got.Ename != "BadRequest" {
			t.Errorf("%s %s: %+v", ask, content, got)
		}
	}
}

func TestUsage(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	var got struct {
		PID    int    `json:"pid"`
		Memory uint64 `json:"kernel_memory"`

		KernelCPU *float64 `json:"kernel_cpu"`
		HostCPU   *float64 `json:"host_cpu_percent"`
		Host      struct {
			Total     uint64 `json:"total"`
			Available uint64 `json:"available"`
		} `json:"host_virtual_memory"`
	}
	request(t, c, client.Control, wire.TypeUsageRequest, wire.TypeUsageReply, struct{}{}, &got)
	if got.PID <= 0 || got.Memory < 1<<20 {
		t.Errorf("%+v", got)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if got.KernelCPU == nil || *got.KernelCPU < 0 || got.HostCPU == nil || *got.HostCPU < 0 || *got.HostCPU > 100 {
		t.Errorf("CPU: %+v", got)
	}
	if got.Host.Total < got.Memory || got.Host.Available > got.Host.Total {
		t.Errorf("memory: %+v", got)
	}
}
