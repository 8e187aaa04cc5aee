package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/magic"
	"github.com/goanvil/notebook/interp/universe"
	"github.com/goanvil/notebook/messaging/wire"
)

// A cellRun implements magic.Kernel for the run of one cell.
type cellRun struct {
	*session
	code     string
	commands *magic.Commands
	out      io.Writer      // where commands print
	pages    []wire.Payload // documentation for the front end's pager
	parsed   *interp.Parsed // the result of the next call of parse, or nil
}

// parse returns the parsed cell n, prepared for one run. Since a run changes the syntax tree, each call
// after the first parses the code again. See Commands.Prepare for valueless.
func (r *cellRun) parse(ctx context.Context, n int, valueless bool) interp.Parsed {
	if r.parsed == nil {
		again := r.interp.Parse(ctx, r.code, n)
		r.parsed = &again
	}
	p := *r.parsed
	r.parsed = nil
	r.commands.Prepare(p.Syntax(), p.Line, valueless)
	return p
}

// System returns the promotion system of the running and later cells.
func (s *session) System() *promote.System { return s.system }

// promotePath is the path of the package whose variables are the promotion systems.
const promotePath = universe.Module + "/anvil/promote"

// SetSystem sets the promotion system of the running and later cells.
func (s *session) SetSystem(sys *promote.System) error {
	if sys == promote.Anvil {
		s.interp.Under("", "")
	} else if name := s.variableOf(sys); name != "" {
		s.interp.Under(promotePath, name)
	} else {
		return fmt.Errorf("%%promotion %s: no variable of package promote holds this system", sys)
	}
	s.system = sys
	return nil
}

// variableOf returns the name of the variable of package promote that holds sys, or "". If there are
// several, it returns the first in alphabetical order. It compares the names of systems, since the
// variable may hold another *System with the same name.
func (s *session) variableOf(sys *promote.System) (first string) {
	for name, v := range s.world.Symbols(promotePath) {
		held, ok := v.Interface().(*promote.System)
		if !ok || !v.CanAddr() || held.Name() != sys.Name() { // the symbol of a type is not addressable
			continue
		}
		if first == "" || name < first {
			first = name
		}
	}
	return first
}

// Reset starts a new interpreter, which must parse the cell again.
func (r *cellRun) Reset() error {
	r.parsed = nil
	return r.start()
}

// Page adds a page of help to the reply.
func (r *cellRun) Page(markdown string) {
	r.pages = append(r.pages, wire.Page(wire.Bundle{"text/plain": markdown, "text/markdown": markdown}))
}

// Document adds the documentation of a name to the reply, with its source code if source is set. It
// reports whether there is documentation.
func (r *cellRun) Document(name string, source bool) bool {
	detail := 0
	if source {
		detail = 1
	}
	r.completionMu.Lock()
	defer r.completionMu.Unlock()
	page, ok := r.completion.Inspect(name, len([]rune(name)), detail)
	if ok {
		r.pages = append(r.pages, wire.Page(pageBundle(page)))
	}
	return ok
}

// Time starts a measurement, and makes the cell wait at its end until its tensors are computed. spent
// describes how the time since the call of Time was spent; see Context.Spent.
func (s *session) Time() (spent func() string) {
	s.await = true
	begin, before, compiled := time.Now(), s.ctx.Stats(), s.ctx.WhyCompiled().Number
	return func() string { return s.ctx.Spent(time.Since(begin), before, compiled) }
}
