package capi

import (
	"runtime"
	"unsafe"
)

// BufferFromHost starts an upload of data, whose size must be that of an array with the given
// elementType and dims. done happens when the plugin no longer needs data; with the semantics
// ImmutableOnlyDuringCall this is at once. The caller must destroy done. With other semantics, data
// must stay reachable and unchanged until done has happened.
func (t *Table) BufferFromHost(
	c *Client, dev *Device, data []byte, elementType int32, dims []int64, semantics int32,
) (b *Buffer, done *Event, err error) {
	a := ClientBufferFromHostBufferArgs{
		Client: c, Device: dev, Type: elementType, HostBufferSemantics: semantics,
		Data: dataPointer(data), Dims: unsafe.Pointer(unsafe.SliceData(dims)), NumDims: uint64(len(dims)),
	}
	err = t.CallClientBufferFromHostBuffer(&a)
	return a.Buffer, a.DoneWithHostBuffer, err
}

// emptyData provides a valid address for arrays without elements.
var emptyData [64]byte

// dataPointer returns the address of data, or a valid address if data is empty.
func dataPointer(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return unsafe.Pointer(&emptyData)
	}
	return unsafe.Pointer(unsafe.SliceData(data))
}

// Aligned reports whether the CPU plugin can use data as an array without copying it: the address
// of an array must be a multiple of 64.
func Aligned(data []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(data)))%64 == 0
}

// ToHost starts to copy b, in row-major order, to dst. The event happens when the copy is done;
// dst must stay reachable until then, and the caller must destroy the event.
func (t *Table) ToHost(b *Buffer, dst []byte) (*Event, error) {
	a := BufferToHostBufferArgs{Src: b, Dst: dataPointer(dst), DstSize: uint64(len(dst))}
	err := t.CallBufferToHostBuffer(&a)
	return a.Event, err
}

// View calls use with the first n bytes of b, which must be computed and lie in host memory.
// use must neither change nor keep the bytes, and b must not be destroyed before use returns.
func (t *Table) View(b *Buffer, n int, use func(data []byte)) error {
	f := bufferPointerFrames.Get()
	defer bufferPointerFrames.Put(f)
	f.Buffer, f.BufferPointer = b, 0
	if err := t.CallBufferUnsafePointer(f); err != nil {
		return err
	}
	use(unsafe.Slice(*(**byte)(unsafe.Pointer(&f.BufferPointer)), n))
	return nil
}

// CopyToDevice returns a copy of b on dev.
func (t *Table) CopyToDevice(b *Buffer, dev *Device) (*Buffer, error) {
	a := BufferCopyToDeviceArgs{Buffer: b, DstDevice: dev}
	err := t.CallBufferCopyToDevice(&a)
	return a.DstBuffer, err
}

// DestroyBuffer frees b.
func (t *Table) DestroyBuffer(b *Buffer) error {
	f := bufferDestroyFrames.Get()
	defer bufferDestroyFrames.Put(f)
	f.Buffer = b
	return t.CallBufferDestroy(f)
}

// OnHost reports whether b lies in memory that this process may read through its address.
func (t *Table) OnHost(b *Buffer) (bool, error) {
	a := BufferIsOnCpuArgs{Buffer: b}
	err := t.CallBufferIsOnCpu(&a)
	return a.IsOnCpu, err
}

// DeviceBytes returns the bytes that b takes on its device.
func (t *Table) DeviceBytes(b *Buffer) (int64, error) {
	a := BufferOnDeviceSizeInBytesArgs{Buffer: b}
	err := t.CallBufferOnDeviceSizeInBytes(&a)
	return int64(a.OnDeviceSizeInBytes), err
}

// ReadyEvent returns an event that happens when the values of b are computed. The caller must
// destroy it.
func (t *Table) ReadyEvent(b *Buffer) (*Event, error) {
	f := bufferReadyFrames.Get()
	defer bufferReadyFrames.Put(f)
	f.Buffer, f.Event = b, nil
	err := t.CallBufferReadyEvent(f)
	return f.Event, err
}

// IsReady reports whether e has happened.
func (t *Table) IsReady(e *Event) (bool, error) {
	a := EventIsReadyArgs{Event: e}
	err := t.CallEventIsReady(&a)
	return a.IsReady, err
}

// Await blocks the thread until e has happened, and returns the error of e.
func (t *Table) Await(e *Event) error {
	f := eventAwaitFrames.Get()
	defer eventAwaitFrames.Put(f)
	f.Event = e
	return t.CallEventAwait(f)
}

// DestroyEvent frees e, whether it has happened or not.
func (t *Table) DestroyEvent(e *Event) {
	f := eventDestroyFrames.Get()
	defer eventDestroyFrames.Put(f)
	f.Event = e
	_ = t.CallEventDestroy(f) // fails for a NULL event only
}

// Keep keeps v reachable until Keep is called, as runtime.KeepAlive does.
func Keep(v any) { runtime.KeepAlive(v) }
