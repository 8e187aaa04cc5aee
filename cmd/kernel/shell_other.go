//go:build !unix

package main

import "os/exec"

// cancelWithChildren does nothing: on these systems the end of cmd's context ends only cmd itself.
func cancelWithChildren(*exec.Cmd) {}
