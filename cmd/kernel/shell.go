package main

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/goanvil/notebook/interp/cell"
)

// TakesShell reports whether lines that begin with ! are commands of the shell.
func (s *session) TakesShell() bool { return s.shell }

// SetShell sets whether lines of later cells that begin with ! are commands of the shell.
func (s *session) SetShell(on bool) {
	s.shell = on
	if on {
		s.interp.Syntax(cell.Shell)
	} else {
		s.interp.Syntax()
	}
}

// shellWait is how long Shell waits for processes that still have bash's output open, after bash has ended or the cell
// is interrupted.
const shellWait = 2 * time.Second

// Shell runs commands with bash. An interrupt of the cell ends them.
func (s *session) Shell(commands string) error {
	ctx, _ := s.console.current()
	cmd := exec.CommandContext(ctx, "bash", "-c", commands)
	cmd.Stdout, cmd.Stderr = s.console.stdout(), s.console.stderr()
	cmd.WaitDelay = shellWait
	cancelWithChildren(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // bash succeeded, but a process in the background has the output open
	case errors.As(err, &exit):
		return fmt.Errorf("bash: %w", err)
	case err != nil:
		return fmt.Errorf("cannot run bash: %w; package os/exec runs other programs", err)
	}
	return nil
}
