//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// cancelWithChildren makes the end of cmd's context terminate not only cmd but also the processes
// that it has started: they are in a process group of their own.
func cancelWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
