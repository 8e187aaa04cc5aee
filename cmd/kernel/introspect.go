package main

import (
	"context"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
	"github.com/goanvil/notebook/messaging/wire"
)

// Complete returns the completions at a position in code.
func (s *session) Complete(_ context.Context, req wire.CompleteRequest) wire.CompleteReply {
	var matches []complete.Match
	var start, end int
	s.withNames(func(names *complete.Session) { matches, start, end = names.Complete(req.Code, req.CursorPos) })
	reply := wire.CompleteReply{Outcome: wire.OK, Matches: []string{}, CursorStart: start, CursorEnd: end}
	kinds := []wire.CompletionType{}
	for _, m := range matches {
		reply.Matches = append(reply.Matches, m.Text)
		kinds = append(kinds, wire.CompletionType{
			Start: start, End: end, Text: m.Text, Type: string(m.Kind), Signature: m.Signature,
		})
	}
	reply.Metadata = map[string]any{wire.CompletionTypesKey: kinds}
	return reply
}

// namesTimeout is how long withNames waits for the running cell to end.
const namesTimeout = 20 * time.Millisecond

// withNames calls f with the session's names. If a cell is running, f cannot get the values of variables from names,
// since the cell may be changing them.
func (s *session) withNames(f func(names *complete.Session)) {
	s.completionMu.Lock()
	defer s.completionMu.Unlock()
	if !s.busy.lockWithin(namesTimeout) {
		s.mu.Lock()
		running, names := s.interp, *s.completion
		s.mu.Unlock()
		names.Value, names.Texts = nil, knownTexts
		running.Names(func(*check.Env) { f(&names) })
		return
	}
	defer s.busy.unlock()
	f(s.completion)
}

// hidden reports whether completion leaves out o, since o is a dtype that the active backend lacks.
func (s *session) hidden(o types.Object) bool {
	c, ok := o.(*types.Const)
	if !ok || !s.ctx.Settings().Restricts() || types.TypeString(c.Type(), nil) != dtypeName {
		return false
	}
	d, exact := constant.Uint64Val(c.Val())
	return exact && !s.ctx.Settings().Active().Has(dtype.DType(d))
}

// dtypeName is the qualified name of the type of dtype constants.
const dtypeName = universe.Module + "/anvil/dtype.DType"

// Inspect returns the documentation of the name at the cursor, if any.
func (s *session) Inspect(_ context.Context, req wire.InspectRequest) wire.InspectReply {
	reply := wire.InspectReply{Outcome: wire.OK, Data: wire.Bundle{}, Metadata: wire.Bundle{}}
	var page complete.Page
	var ok bool
	s.withNames(func(names *complete.Session) { page, ok = names.Inspect(req.Code, req.CursorPos, req.DetailLevel) })
	if ok {
		reply.Found, reply.Data = true, pageBundle(page)
	}
	return reply
}

func pageBundle(p complete.Page) wire.Bundle {
	return wire.Bundle{"text/plain": p.Text, "text/markdown": p.Markdown, "text/html": p.HTML}
}

// IsComplete reports whether code can run as it stands.
func (s *session) IsComplete(_ context.Context, req wire.IsCompleteRequest) wire.IsCompleteReply {
	s.mu.Lock()
	current := s.interp
	s.mu.Unlock()
	status, indent := current.IsComplete(req.Code)
	return wire.IsCompleteReply{Status: wire.Completeness(status), Indent: indent}
}

// Names returns a line for each name of the session: the name, its type, and a variable's value.
func (s *session) Names() []string {
	var lines []string
	env := s.interp.Env()
	for _, name := range env.Names() {
		o := env.Lookup(name).Object
		line := name + "  " + types.TypeString(o.Type(), s.nameOf)
		if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
			line = name + "  type " + types.TypeString(o.Type().Underlying(), s.nameOf)
		}
		if v, ok := s.interp.Value(name); ok {
			line = strings.TrimRight(line+"  "+brief(v), " ")
		}
		lines = append(lines, line)
	}
	return lines
}

// nameOf returns the name by which cells refer to a package: the name in the prelude, or else the package's own
// name. It returns "" for the package of the cells themselves.
func (s *session) nameOf(p *types.Package) string {
	path, known := universe.Resolve(p.Path())
	if !known {
		return ""
	}
	for _, i := range s.world.Prelude() {
		if i.Path == path {
			return i.Name
		}
	}
	return p.Name()
}

// value returns the text of a variable's value, or "" if it is longer than maxValue. For a tensor it returns
// the type, since the elements may be on a device.
func (s *session) value(name string) string {
	v, ok := s.interp.Value(name)
	if !ok || !v.CanInterface() {
		return ""
	}
	if t, ok := v.Interface().(anvil.Tensor); ok {
		return tensorType(t)
	}
	if text := s.outlet.Text(v.Interface()); len(text) <= maxValue {
		return text
	}
	return ""
}

// tensorType returns the dtype, the ambiguity flag and the shape of t, such as "f32?{2,3}", or "" for the zero Tensor.
func tensorType(t anvil.Tensor) string {
	if !t.Valid() {
		return ""
	}
	dims := make([]string, t.Rank())
	for i, n := range t.Shape() {
		dims[i] = strconv.Itoa(n)
	}
	return t.Typed().String() + "{" + strings.Join(dims, ",") + "}"
}

// maxValue is the greatest length in bytes of a value that inspection shows.
const maxValue = 500
