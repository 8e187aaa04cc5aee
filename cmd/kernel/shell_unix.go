//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// cancelWithChildren puts cmd into a new process group, to which the processes that cmd starts belong too.
// Cancelling the context of cmd sends SIGTERM to all processes of the group.
func cancelWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
