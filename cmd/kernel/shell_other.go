//go:build !unix

package main

import "os/exec"

// cancelWithChildren does nothing. On these systems, cancelling the context of cmd ends only cmd itself.
func cancelWithChildren(*exec.Cmd) {}
