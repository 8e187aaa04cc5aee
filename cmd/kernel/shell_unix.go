//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endTogether makes an interrupt end the processes that the command has started, too.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
