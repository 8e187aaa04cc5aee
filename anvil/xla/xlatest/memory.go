//go:build linux && amd64 && !nopjrt

package xlatest

import (
	"errors"
	"fmt"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// An allocation records the device memory of a buffer.
type allocation struct {
	device *capi.Device
	bytes  int64
}

// overrideMemory makes the functions that allocate and free memory count the memory in use
// on each device, and return an error beyond Options.Limit.
func (p *Plugin) overrideMemory() {
	capi.Override(p.standin, "PJRT_Client_BufferFromHostBuffer", p.upload)
	capi.Override(p.standin, "PJRT_Buffer_CopyToDevice", func(a *capi.BufferCopyToDeviceArgs, forward func() error) error {
		if err := forward(); err != nil {
			return err
		}
		return p.take(a.DstBuffer, a.DstDevice, p.failureOf(a.Buffer))
	})
	capi.Override(p.standin, "PJRT_LoadedExecutable_Execute", p.execute)
	capi.Override(p.standin, "PJRT_Buffer_Destroy", func(a *capi.BufferDestroyArgs, forward func() error) error {
		p.refund(a.Buffer)
		return forward()
	})
	capi.Override(p.standin, "PJRT_Device_MemoryStats", func(a *capi.DeviceMemoryStatsArgs, _ func() error) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		a.BytesInUse, a.BytesLimit, a.BytesLimitIsSet = p.used[a.Device], p.options.Limit, true
		return nil
	})
}

// upload replaces PJRT_Client_BufferFromHostBuffer.
func (p *Plugin) upload(a *capi.ClientBufferFromHostBufferArgs, forward func() error) error {
	if a.HostBufferSemantics >= capi.HostBufferSemanticsKImmutableZeroCopy {
		return &capi.Error{Code: capi.ErrorCodeINVALIDARGUMENT, Message: "a device cannot keep its arrays in host memory"}
	}
	if err := forward(); err != nil {
		return err
	}
	err := p.charge(a.Device, a.Buffer)
	if err != nil {
		p.base().DestroyEvent(a.DoneWithHostBuffer)
		return errors.Join(err, p.base().DestroyBuffer(a.Buffer))
	}
	return nil
}

// base returns the functions of the CPU plugin.
func (p *Plugin) base() *capi.Table { return p.standin.Base() }

// execute replaces PJRT_LoadedExecutable_Execute.
func (p *Plugin) execute(a *capi.LoadedExecutableExecuteArgs, forward func() error) error {
	p.options.Launching()
	outputs, err := p.base().Outputs(a.Executable)
	if err != nil {
		return err
	}
	var failure error // the errors of failed arguments: the results fail too
	for _, b := range a.Arguments() {
		failure = errors.Join(failure, p.failureOf(b))
	}
	if err := forward(); err != nil {
		return err
	}
	results := a.Results(len(outputs))
	for i, b := range results {
		dev := capi.BufferDeviceArgs{Buffer: b}
		err := p.base().CallBufferDevice(&dev)
		if err == nil {
			err = p.take(b, dev.Device, failure)
		}
		if err != nil {
			return p.undo(a, results, i, err)
		}
	}
	p.failLaunch(a.Done(), results)
	return nil
}

// take records the new buffer b. If failure is not nil, it records that b has failed. Otherwise it
// records b's memory. If the device's memory is exhausted, it records that b has failed if
// Options.Late is set, and otherwise destroys b and returns the error.
func (p *Plugin) take(b *capi.Buffer, d *capi.Device, failure error) error {
	if failure == nil {
		failure = p.charge(d, b)
		if failure == nil {
			return nil
		}
		if !p.options.Late {
			return errors.Join(failure, p.base().DestroyBuffer(b))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed[b] = failure
	return nil
}

// undo destroys the results of a launch, except the one at index refused, which is destroyed
// already. It returns err.
func (p *Plugin) undo(a *capi.LoadedExecutableExecuteArgs, results []*capi.Buffer, refused int, err error) error {
	for i, b := range results {
		if i != refused {
			p.refund(b)
			err = errors.Join(err, p.base().DestroyBuffer(b))
		}
	}
	if done := a.Done(); done != nil {
		p.base().DestroyEvent(done)
	}
	return err
}

// charge records the memory of a new buffer, or returns an error if the device's memory is
// exhausted.
func (p *Plugin) charge(d *capi.Device, b *capi.Buffer) error {
	n, err := p.base().DeviceBytes(b)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used[d]+n > p.options.Limit {
		return &capi.Error{Code: capi.ErrorCodeRESOURCEEXHAUSTED,
			Message: fmt.Sprintf("Out of memory allocating %d bytes.", n)}
	}
	p.used[d] += n
	p.buffers[b] = allocation{d, n}
	return nil
}

// refund removes the record of a buffer.
func (p *Plugin) refund(b *capi.Buffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.failed, b)
	if a, ok := p.buffers[b]; ok {
		p.used[a.device] -= a.bytes
		delete(p.buffers, b)
	}
}
