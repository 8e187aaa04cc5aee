package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// Force starts to compute the arrays, and returns when their programs are launched. It takes the arrays in order and
// puts as many of them into each program as MaxOps allows.
func (s *Session) Force(as ...Array) error { return s.force(as, true) }

// force is Force if forget is true. Otherwise it does not clear the list of recent operations, so that the next look
// can still compute them.
func (s *Session) force(as []Array, forget bool) error {
	pending, copied := false, false
	for i, a := range as {
		if a.n.trace != nil {
			n := s.withValue(a.n)
			if n == nil {
				return errTraced
			}
			if !copied {
				as, copied = slices.Clone(as), true
			}
			as[i].n = n
		}
		pending = pending || as[i].n.pending()
	}
	if !pending {
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
	if jobErr := s.runJobs(b.jobs); jobErr != nil { // the jobs precede the program that failed with err
		return jobErr
	}
	return err
}

// launchAll launches the programs that compute the arrays, up to the first program that must be compiled. It adds
// that program and the later ones to b.
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

// EndCell starts to compute the arrays at the end of a cell, and drops the scalars that the
// cell has put on devices. If starting them together fails, it starts each array by itself, so that
// one failure does not stop the others, and returns the index and the error of the first array
// that fails. Later calls do not report the failure of that array again, but reading it returns
// the error.
func (s *Session) EndCell(as []Array) (failed int, err error) {
	defer s.recent.forget()
	wanted := make([]Array, 0, len(as))
	for _, a := range as {
		if a.n.trace != nil || !a.n.failed.Load() {
			wanted = append(wanted, a)
		}
	}
	if err = s.Force(wanted...); err != nil && s.options.Interrupt().Err() == nil {
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

// forceEach forces each array, except those whose failure EndCell has already reported.
func (s *Session) forceEach(as []Array) (failed int, first error) {
	for i, a := range as {
		if a.n.trace == nil && a.n.failed.Load() {
			continue
		}
		err := s.Force(a)
		if err != nil && s.options.Interrupt().Err() != nil {
			return i, err
		}
		if err != nil {
			a.n.failed.Store(true)
			if first == nil {
				failed, first = i, err
			}
		}
	}
	return failed, first
}

// launch launches one program that computes the first arrays of as, as many as MaxOps allows, and returns their
// number. If the program must be compiled, or b already has jobs, launch adds the program to b instead. If withUnused
// is true, the program also computes other values that are likely to be needed soon: see Session.look.
func (s *Session) launch(as []Array, b *batch, withUnused bool) (int, error) {
	p := &s.plan
	p.begin()
	if roots := b.roots; roots != nil {
		p.stop = func(n *node) bool { return roots[n] } // results of earlier jobs become parameters
	}
	device, n := anyDevice, 0
	for ; n < len(as); n++ {
		r := as[n].n
		inProgram := r.mark == p.epoch && slices.Contains(p.roots, r)
		if !r.pending() || inProgram || b.roots[r] {
			continue
		}
		on := s.orDefault(int(r.device))
		if device != anyDevice && on != device {
			break
		}
		before := p.checkpoint()
		p.root(r)
		if p.ops > MaxOps && before.roots > 0 {
			p.restore(before)
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
	if withUnused {
		s.addUnused(device)
		p.keepIntermediate(s.recent.lastLook)
	}
	return n, s.runPlan(device, b)
}

// addUnused adds to the program's results those recent operations that no other operation has used, if they need a
// value that the program computes or has as a parameter.
func (s *Session) addUnused(device int) {
	p := &s.plan
	for _, r := range s.recent.take() {
		if !r.pending() || s.orDefault(int(r.device)) != device || slices.Contains(p.roots, r) {
			continue
		}
		before := p.checkpoint()
		if p.root(r); !p.shared || p.ops > MaxOps || p.tooLarge(r) {
			p.restore(before)
		}
	}
}

// orDefault returns device, or the default device if it is anyDevice.
func (s *Session) orDefault(device int) int {
	if device == anyDevice {
		return s.defaultDevice()
	}
	return device
}

// defaultDevice returns the index of the device that the options name, or 0.
func (s *Session) defaultDevice() int {
	if s.options.Device == "" {
		return 0
	}
	i, _ := s.deviceIndex(s.options.Device)
	return i
}

// runPlan launches the program of the plan and settles its roots. If the program must be compiled, or b
// already has jobs, runPlan adds the program to b instead.
func (s *Session) runPlan(device int, b *batch) error {
	p := &s.plan
	p.finishKey(device)
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

// execute launches c on the values of leaves and returns the buffers of its results. The
// slice is valid until the next call.
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

// logAbandoned logs, once per cell, the number of interrupted programs that a launch on the device must wait
// for.
func (s *Session) logAbandoned(device int) {
	if k := s.exec.Abandoned(device); k > 0 && !s.warned.Swap(true) {
		s.options.Log(fmt.Sprintf("waiting for %d interrupted program(s) that %s still runs; interrupt again to give up",
			k, s.DeviceName(device)))
	} else if k == 0 {
		s.warned.Store(false)
	}
}

// WarnAgain makes logAbandoned log again. It is called when a cell starts.
func (s *Session) WarnAgain() { s.warned.Store(false) }

// buffer returns a buffer on the device with the value of n. n must be computed or made from host memory.
func (s *Session) buffer(n *node, device int) (Buffer, error) {
	if n.donated.Load() {
		return nil, errDonated
	}
	if b := n.value(); b != nil {
		if int(n.bufferDevice) == device {
			return b, nil
		}
		return s.exec.Copy(b, device)
	}
	if n.hostScalar() {
		h := n.host
		if h.uploaded == nil || h.device != device {
			var err error
			if h.uploaded, err = s.scalar(n.typ.DType, h.bytes, device); err != nil {
				return nil, err
			}
			h.device = device
		}
		return h.uploaded, nil
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

// maxScalars is the greatest number of scalars that are kept on devices.
const maxScalars = 256

// scalar returns a buffer on the device with a scalar. It keeps the buffer for later uses of the same scalar, since
// cells use few different literals.
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

// Wait computes a and waits until it is computed.
func (s *Session) Wait(a Array) error {
	b, err := s.value(a)
	if err != nil || b == nil {
		return err
	}
	return b.Await(s.options.Interrupt())
}

// Read computes a and copies its elements, in host form, to dst.
func (s *Session) Read(a Array, dst []byte) error {
	if a.n.donated.Load() {
		return errDonated
	}
	if a.n = s.withValue(a.n); a.n == nil {
		return errTraced
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

// View computes a and calls use with its elements, in host form and without copying them. It returns false, without
// calling use, if the elements are not in host memory. use must neither change nor keep data.
func (s *Session) View(a Array, use func(data []byte)) (bool, error) {
	if a.n.donated.Load() {
		return false, errDonated
	}
	if a.n = s.withValue(a.n); a.n == nil {
		return false, errTraced
	}
	if h := a.n.host; h != nil {
		use(h.bytes)
		return true, nil
	}
	b, err := s.value(a)
	if err != nil {
		return false, err
	}
	return b.View(s.options.Interrupt(), use)
}

// Look starts to compute a as Read does, but does not wait for the elements.
func (s *Session) Look(a Array) error {
	if !a.n.pending() {
		return nil
	}
	return s.look(a)
}

// look starts to compute the array a, which is about to be read. The program also computes operations that were
// written since the last look, that no other operation has used, and that need one of the values that the array
// needs. An example is the update of a parameter when the loss is read: the update is likely to be requested next, and
// one program can compute both.
func (s *Session) look(a Array) error {
	if a.n = s.withValue(a.n); a.n == nil {
		return errTraced
	}
	err := s.lookOnce(a, true)
	if err != nil && s.options.Interrupt().Err() == nil {
		err = s.lookOnce(a, false) // the error may have come from the other operations
	}
	return err
}

// lookOnce launches a program for a. For withUnused see launch.
func (s *Session) lookOnce(a Array, withUnused bool) error {
	if err := s.lock(); err != nil {
		return err
	}
	if !a.n.pending() {
		s.unlock()
		return nil
	}
	var b batch
	_, err := s.launch([]Array{a}, &b, withUnused)
	s.recent.lastLook = s.serial.Load()
	s.unlock()
	if err != nil {
		return err
	}
	return s.runJobs(b.jobs)
}

// value computes a and returns its buffer, or nil if a was made from host memory and has no buffer yet.
func (s *Session) value(a Array) (Buffer, error) {
	if a.n = s.withValue(a.n); a.n == nil {
		return nil, errTraced
	}
	if a.n.pending() {
		if err := s.look(a); err != nil {
			return nil, err
		}
	}
	if a.n.donated.Load() {
		return nil, errDonated
	}
	return a.n.value(), nil
}
