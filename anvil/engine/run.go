package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Force computes as in the background: it returns when the programs are
// launched. As many of as go into one program as MaxOps allows, in order.
func (s *Session) Force(as ...Array) error { return s.force(as, true) }

// force is Force. Without forget what was written since the last look is still
// found by the next.
func (s *Session) force(as []Array, forget bool) error {
	todo := false
	for _, a := range as {
		if a.n.trace != nil {
			return errTraced
		}
		todo = todo || a.n.pending()
	}
	if !todo {
		return nil
	}
	if err := s.lock(); err != nil {
		return err
	}
	if forget {
		s.recent.forget()
	}
	var b batch
	err := s.launchAll(as, &b)
	s.unlock()
	if failed := s.work(b.jobs); failed != nil {
		return failed
	}
	return err
}

// launchAll runs programs for as, up to the first that has to be compiled. That
// and what comes after it are put into b.
func (s *Session) launchAll(as []Array, b *batch) error {
	for len(as) > 0 {
		n, err := s.launch(as, b, false)
		if err != nil {
			return err
		}
		as = as[n:]
	}
	return nil
}

var errTraced = errors.New("a tensor that is being traced has no value yet")

// EndCell computes as in the background, at the end of a cell. Scalars that the
// cell put on a device do not stay there. Where that fails it computes each of
// as alone, so that the others are there all the same, and returns the first
// that cannot be. That one is left alone by the cells that follow: its error has
// been told; whoever reads it is told again.
func (s *Session) EndCell(as []Array) (failed int, err error) {
	defer s.recent.forget()
	wanted := make([]Array, 0, len(as))
	for _, a := range as {
		if a.n.trace != nil || !a.n.told.Load() {
			wanted = append(wanted, a)
		}
	}
	if err = s.Force(wanted...); err != nil && !errors.Is(err, s.options.Interrupt().Err()) {
		failed, err = s.forceEach(as)
	}
	if err != nil {
		return failed, err
	}
	if err := s.lock(); err != nil {
		return 0, err
	}
	defer s.unlock()
	clear(s.scalars)
	return 0, nil
}

// forceEach forces each of as that has not been told to fail.
func (s *Session) forceEach(as []Array) (failed int, first error) {
	for i, a := range as {
		if a.n.trace == nil && a.n.told.Load() {
			continue
		}
		err := s.Force(a)
		if err != nil && s.options.Interrupt().Err() != nil {
			return i, err
		}
		if err != nil {
			a.n.told.Store(true)
			if first == nil {
				failed, first = i, err
			}
		}
	}
	return failed, first
}

// launch runs one program for the first of as, and returns for how many; or puts
// it into b, where it has to be compiled or others wait there already. Look says
// that somebody reads the value.
func (s *Session) launch(as []Array, b *batch, look bool) (int, error) {
	p := &s.plan
	p.begin()
	if gives := b.gives; gives != nil {
		p.stop = func(n *node) bool { return gives[n] }
	}
	device, n := anyDevice, 0
	for ; n < len(as); n++ {
		r := as[n].n
		if !r.pending() || r.mark == p.epoch && contains(p.roots, r) || b.gives[r] {
			continue
		}
		on := s.orDefault(int(r.device))
		if device != anyDevice && on != device {
			break
		}
		at := p.place()
		p.root(r)
		if p.ops > MaxOps && at.roots > 0 {
			p.back(at)
			break
		}
		device = on
	}
	if len(p.roots) == 0 {
		return n, nil
	}
	if p.traced != nil {
		return 0, errEscaped
	}
	if look {
		s.addUnused(device)
		p.keepHeld(s.recent.epoch)
	}
	return n, s.run(device, b)
}

// addUnused makes results of what nothing has used yet and needs some of what
// the program computes or takes.
func (s *Session) addUnused(device int) {
	p := &s.plan
	for _, r := range s.recent.take() {
		if !r.pending() || s.orDefault(int(r.device)) != device || contains(p.roots, r) {
			continue
		}
		at := p.place()
		if p.root(r); !p.shared || p.ops > MaxOps || p.outgrows(r) {
			p.back(at)
		}
	}
}

func contains(ns []*node, n *node) bool {
	for _, m := range ns {
		if m == n {
			return true
		}
	}
	return false
}

// orDefault returns where something is computed that is to be on device.
func (s *Session) orDefault(device int) int {
	if device == anyDevice {
		return s.defaultDevice()
	}
	return device
}

func (s *Session) defaultDevice() int {
	if s.options.Device == "" {
		return 0
	}
	i, _ := s.deviceIndex(s.options.Device)
	return i
}

// run launches the plan and gives its roots their values; where it has to be
// compiled, or others wait, it puts it into b.
func (s *Session) run(device int, b *batch) error {
	p := &s.plan
	p.finish(device)
	c := s.programs.find(p.key)
	if c != nil {
		s.hits.Add(1)
	}
	if c == nil || len(b.jobs) > 0 {
		b.add(p, device, c)
		return nil
	}
	return s.finish(s.options.Interrupt(), c, p.leaves, p.roots, device)
}

// execute launches c on the values of leaves. The result is scratch space.
func (s *Session) execute(ctx context.Context, c *compiled, leaves []*node, device int) ([]Buffer, error) {
	s.args = s.args[:0]
	for _, n := range leaves {
		b, err := s.buffer(n, device)
		if err != nil {
			return nil, err
		}
		s.args = append(s.args, b)
	}
	for len(s.out) < c.results {
		s.out = append(s.out, nil)
	}
	out := s.out[:c.results]
	if c.origin != InHost {
		s.logAbandoned(device)
	}
	err := c.exe.Run(ctx, s.args, out)
	clear(s.args)
	if err != nil {
		clear(out)
		return nil, err
	}
	return out, nil
}

// logAbandoned logs, once per cell, how many interrupted programs a launch on the
// device waits for.
func (s *Session) logAbandoned(device int) {
	if k := s.exec.Abandoned(device); k > 0 && !s.warned.Swap(true) {
		s.options.Log(fmt.Sprintf("waiting for %d interrupted program(s) that %s still runs; interrupt again to give up", k, s.DeviceName(device)))
	} else if k == 0 {
		s.warned.Store(false)
	}
}

// TellAgain makes the next launch say what it waits for, even if an earlier
// one has said so: another cell asks.
func (s *Session) TellAgain() { s.warned.Store(false) }

// buffer returns the value of n on the device.
func (s *Session) buffer(n *node, device int) (Buffer, error) {
	if n.given.Load() {
		return nil, errGiven
	}
	if b := n.value(); b != nil {
		if int(n.on) == device {
			return b, nil
		}
		return s.exec.Copy(b, device)
	}
	if n.number() {
		return s.scalar(n.typ.DType, n.host.bytes, device)
	}
	e, err := s.executor()
	if err != nil {
		return nil, err
	}
	b, err := e.Upload(n.typ, n.host.bytes, device)
	if err == nil {
		n.settle(b, device)
	}
	return b, err
}

// maxScalars bounds how many scalars stay uploaded.
const maxScalars = 256

// scalar returns an element on the device. The last ones used stay there: most
// literals of a program are few.
func (s *Session) scalar(d dtype.DType, data []byte, device int) (Buffer, error) {
	k := scalarKey{dtype: uint8(d), device: device}
	copy(k.bits[:], data)
	if b, ok := s.scalars[k]; ok {
		return b, nil
	}
	e, err := s.executor()
	if err != nil {
		return nil, err
	}
	b, err := e.Upload(shape.Type{DType: d}, append([]byte(nil), data...), device)
	if err != nil {
		return nil, err
	}
	if len(s.scalars) >= maxScalars {
		clear(s.scalars)
	}
	s.scalars[k] = b
	return b, nil
}

// Wait computes a and waits for it.
func (s *Session) Wait(a Array) error {
	b, err := s.value(a)
	if err != nil || b == nil {
		return err
	}
	return b.Await(s.options.Interrupt())
}

// Read computes a and copies it, in host form, to dst.
func (s *Session) Read(a Array, dst []byte) error {
	if a.n.given.Load() {
		return errGiven
	}
	if h := a.n.host; h != nil {
		copy(dst, h.bytes)
		return nil
	}
	b, err := s.value(a)
	if err != nil {
		return err
	}
	return b.Read(s.options.Interrupt(), dst)
}

// Look computes a in the background, as reading it does.
func (s *Session) Look(a Array) error {
	if !a.n.pending() {
		return nil
	}
	return s.look(a)
}

// look computes a because somebody reads it. With it goes what was written
// since the last look, has not been used yet, and needs some of what a needs,
// such as the update of a parameter whose loss is read: it will be asked for,
// and one program is enough for both.
func (s *Session) look(a Array) error {
	if a.n.trace != nil {
		return errTraced
	}
	err := s.lookOnce(a, true)
	if err != nil && s.options.Interrupt().Err() == nil {
		err = s.lookOnce(a, false) // what went along may be what fails
	}
	return err
}

func (s *Session) lookOnce(a Array, along bool) error {
	if err := s.lock(); err != nil {
		return err
	}
	if !a.n.pending() {
		s.unlock()
		return nil
	}
	var b batch
	_, err := s.launch([]Array{a}, &b, along)
	s.recent.epoch = s.serial.Load()
	s.unlock()
	if err != nil {
		return err
	}
	return s.work(b.jobs)
}

// value returns the buffer of a, computed; nil where a is a host value.
func (s *Session) value(a Array) (Buffer, error) {
	if a.n.pending() {
		if err := s.look(a); err != nil {
			return nil, err
		}
	}
	if a.n.code == parameter {
		return nil, errTraced
	}
	if a.n.given.Load() {
		return nil, errGiven
	}
	return a.n.value(), nil
}

// cheap reports whether g is known to be tiny: no loop, little work.
func cheap(g *ir.Graph) bool {
	work := 0
	for _, n := range g.Nodes {
		if len(n.Regions) > 0 {
			return false
		}
		w := 0
		for _, v := range n.Results {
			w += v.Type.Shape.Size()
		}
		for _, v := range n.Args {
			if n.Code != ir.Slice && n.Code != ir.DynamicSlice { // of which only the result is looked at
				w = max(w, v.Type.Shape.Size())
			}
		}
		if n.Code == ir.DotGeneral {
			a, b := n.Args[0].Type.Shape.Size(), n.Args[1].Type.Shape.Size()
			w = a * b
		}
		if work += w; work > 1000 {
			return false
		}
	}
	return true
}

// few reports whether no value of g has more than a few elements, and none is
// computed in a loop.
func few(g *ir.Graph) bool {
	for _, n := range g.Nodes {
		if len(n.Regions) > 0 {
			return false
		}
		for _, v := range append(n.Args[:len(n.Args):len(n.Args)], n.Results...) {
			if v.Type.Shape.Size() > 64 {
				return false
			}
		}
	}
	return true
}
