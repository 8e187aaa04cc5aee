//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endTogether makes an interrupt end the command together with the processes that it has started.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
