//go:build linux && amd64 && !nopjrt

package xlatest

import "github.com/goanvil/notebook/anvil/xla/internal/capi"

// The plugin of a GPU returns from a launch before it allocates memory. If the allocation fails,
// the events of the results, and of all buffers computed from them, return the error.

// overrideEvents makes the events of failed buffers return the errors in p.failed.
func (p *Plugin) overrideEvents() {
	capi.Override(p.standin, "PJRT_Buffer_ReadyEvent", func(a *capi.BufferReadyEventArgs, forward func() error) error {
		err := forward()
		p.failEvent(a.Event, p.failureOf(a.Buffer))
		return err
	})
	capi.Override(p.standin, "PJRT_Event_Await", func(a *capi.EventAwaitArgs, forward func() error) error {
		if err := forward(); err != nil {
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.events[a.Event]
	})
	capi.Override(p.standin, "PJRT_Event_Destroy", func(a *capi.EventDestroyArgs, forward func() error) error {
		p.mu.Lock()
		delete(p.events, a.Event)
		p.mu.Unlock()
		return forward()
	})
}

// failureOf returns the error of b, or nil if b has not failed.
func (p *Plugin) failureOf(b *capi.Buffer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed[b]
}

// failEvent makes e return err. It does nothing if e or err is nil.
func (p *Plugin) failEvent(e *capi.Event, err error) {
	if err == nil || e == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events[e] = err
}

// failLaunch makes done, the event of a launch, return the error of the first failed result, if any.
func (p *Plugin) failLaunch(done *capi.Event, results []*capi.Buffer) {
	for _, b := range results {
		if err := p.failureOf(b); err != nil {
			p.failEvent(done, err)
			return
		}
	}
}
