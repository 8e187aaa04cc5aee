//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// connection writes a connection file with sockets in the file system, and returns its content and path.
func connection(t *testing.T) (wire.ConnectionInfo, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "goanvil") // t.TempDir's paths are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	info := wire.ConnectionInfo{
		Transport: "ipc", IP: filepath.Join(dir, "s"), Key: "key", SignatureScheme: "hmac-sha256",
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5,
	}
	path := filepath.Join(dir, "connection.json")
	if err := wire.WriteConnectionFile(path, info); err != nil {
		t.Fatal(err)
	}
	return info, path
}

// startKernel runs a shell script that starts the kernel, and returns once the
// kernel answers. In the script $0 is the kernel's binary and $1 its connection
// file. The reader reaches its end when shell and kernel have ended.
func startKernel(t *testing.T, script string) (cmd *exec.Cmd, stdin io.Closer, ended io.Reader, c *client.Client) {
	t.Helper()
	t.Setenv("GOANVIL_DATA", t.TempDir())
	binary, err := exec.LookPath("goanvil") // see TestMain
	if err != nil {
		t.Fatal(err)
	}
	info, path := connection(t)
	cmd = exec.Command("sh", "-c", script, binary, path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if the test has not ended it
	if c, err = client.Dial(t.Context(), info); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if _, err := c.KernelInfo(t.Context()); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out, c
}

func TestKernelEndsWithItsFrontEnd(t *testing.T) {
	cmd, stdin, ended, _ := startKernel(t, `JPY_PARENT_PID=$$ "$0" kernel -f "$1" --backend=reference & read line`)
	stdin.Close() // the shell, which stands for the front end, ends
	if _, err := io.ReadAll(ended); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // read fails at the end of input
}

func TestKernelEndsWhenAsked(t *testing.T) {
	cmd, _, ended, c := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	if err := c.Shutdown(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(ended); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after shutdown_request: %v", err)
	}
}

func TestKernelEndsAtSIGTERM(t *testing.T) {
	cmd, _, ended, _ := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(ended); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

func TestSIGINTIsNeverFatal(t *testing.T) {
	cmd, _, _, c := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	f := &front{T: t, client: c}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, err := c.KernelInfo(t.Context()); err != nil { // nothing ran that it could interrupt
		t.Fatal(err)
	}
	running, begun := make(chan struct{}), sync.Once{}
	var a answer
	e := f.execution("fmt.Println(\"go\")\nfor {\n}", &a)
	show := e.Output
	e.Output = func(o client.Output) {
		if _, ok := o.Content.(wire.Stream); ok {
			begun.Do(func() { close(running) })
		}
		show(o)
	}
	call, err := c.Begin(e)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-running
		_ = cmd.Process.Signal(syscall.SIGINT)
	}()
	if reply, err := call.Wait(t.Context()); err != nil || reply.Status != wire.StatusError {
		t.Errorf("%+v, %v", reply, err)
	}
	f.want("1 + 1", "2")
	if err := c.Shutdown(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
