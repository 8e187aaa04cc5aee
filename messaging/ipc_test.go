//go:build unix

package messaging_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
)

func TestIPC(t *testing.T) {
	info := messaging.ConnectionInfo{Transport: "ipc", IP: filepath.Join(t.TempDir(), "k"), Key: uuid.NewString(),
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}
	server := messagingtest.NewServerAt(t, info, newKernel(), messaging.Options{})
	_, shown := run(t, server.Client(), client.Execution{Code: "echo 1"})
	if d := cmp.Diff([]string{"in[1] echo 1", "out[1] 1"}, shown); d != "" {
		t.Error(d)
	}
}
