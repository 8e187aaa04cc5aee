//go:build !unix

package main

import "io"

// A pipe is a plain writer on systems where a pipe cannot be read without blocking. On these systems
// cells can write to os.Stdout, but compiled code cannot use it as an *os.File.
type pipe struct{ to io.Writer }

func newPipe(to io.Writer) (*pipe, error) { return &pipe{to}, nil }

func (p *pipe) drain()          {}
func (p *pipe) file() io.Writer { return p.to }
func (p *pipe) close()          {}
