package xla

import (
	"context"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// These constants say how long the plugin may read the data of an upload: during the call, until the
// transfer completes, or as long as the buffer lives.
const (
	duringCall    = capi.HostBufferSemanticsKImmutableOnlyDuringCall
	untilTransfer = capi.HostBufferSemanticsKImmutableUntilTransferCompletes
	zeroCopy      = capi.HostBufferSemanticsKImmutableZeroCopy
)

// maxStaged is the largest size in bytes of an upload to device memory for which the plugin makes a copy
// of the data during the call, so that Upload need not wait for the transfer.
const maxStaged = 1 << 20

// Upload copies data, row-major with at least one byte per element, into a new buffer
// on dev, or on the first device if dev is nil. The caller may modify data afterwards.
func (c *Client) Upload(data []byte, d dtype.DType, dims []int, dev *Device) (*Buffer, error) {
	typ, dev, err := c.checkUpload("Upload", data, Type{d, dims}, dev)
	if err != nil {
		return nil, err
	}
	defer c.release()
	semantics := int32(duringCall)
	if !dev.memory.host && len(data) > maxStaged {
		semantics = untilTransfer
	}
	b, done, err := c.upload(data, typ, dev, semantics)
	if err != nil {
		return nil, failed("Upload", typ.String()+", "+dev.name, err, "")
	}
	if semantics == untilTransfer {
		if err := c.table.Await(done); err != nil {
			c.table.DestroyEvent(done)
			b.Destroy()
			return nil, failed("Upload", typ.String()+", "+dev.name, err, "")
		}
	}
	c.table.DestroyEvent(done)
	return b, nil
}

// UploadShared is Upload, but does not copy data if the device uses host memory and data begins at
// an address divisible by 64, as large Go slices do. The caller must not modify data as long as
// the buffer exists or a program that uses it runs.
func (c *Client) UploadShared(data []byte, d dtype.DType, dims []int, dev *Device) (*Buffer, error) {
	typ, dev, err := c.checkUpload("UploadShared", data, Type{d, dims}, dev)
	if err != nil {
		return nil, err
	}
	defer c.release()
	if !dev.memory.host || len(data) == 0 || !capi.Aligned(data) || packed(d) {
		return c.Upload(data, d, dims, dev)
	}
	b, done, err := c.upload(data, typ, dev, zeroCopy)
	if err != nil {
		return nil, failed("UploadShared", typ.String()+", "+dev.name, err, "")
	}
	b.array.loan = &loan{data: data, returned: done}
	return b, nil
}

// UploadCopied is Upload, but if the device uses host memory, it copies data of at least hugePage
// bytes to memory of the client's pool. This is faster, since the pool reuses the memory of
// earlier uploads.
func (c *Client) UploadCopied(data []byte, d dtype.DType, dims []int, dev *Device) (*Buffer, error) {
	typ, dev, err := c.checkUpload("UploadCopied", data, Type{d, dims}, dev)
	if err != nil {
		return nil, err
	}
	defer c.release()
	if !dev.memory.host || len(data) < hugePage || packed(d) {
		return c.Upload(data, d, dims, dev)
	}
	block := c.pool.take(len(data))
	copy(block, data)
	b, done, err := c.upload(block, typ, dev, zeroCopy)
	if err != nil {
		c.pool.put(block)
		return nil, failed("UploadCopied", typ.String()+", "+dev.name, err, "")
	}
	b.array.loan = &loan{data: block, returned: done, pooled: true}
	return b, nil
}

// packed reports whether devices may store several elements of d in a byte. In host form each
// element takes a byte.
func packed(d dtype.DType) bool { return d.Bits() < 8 && d != dtype.I1 }

// checkUpload checks the arguments of an upload and makes room for it in memory. It returns a copy of
// t, and dev or the first device. The caller must release the client after the upload.
func (c *Client) checkUpload(op string, data []byte, t Type, dev *Device) (*Type, *Device, error) {
	size, err := t.bytes()
	if err != nil {
		return nil, nil, refused(op, t.String(), nil, "", "%v", err)
	}
	if size != len(data) {
		return nil, nil, refused(op, t.String(), nil, "", "data has %d bytes, want %d", len(data), size)
	}
	typ := t.clone()
	if dev, err = c.enter(op, &typ, dev); err != nil {
		return nil, nil, err
	}
	if err := c.reserve(op, &typ, dev, int64(size)); err != nil {
		c.release()
		return nil, nil, err
	}
	return &typ, dev, nil
}

// upload returns a buffer with data, and an event that happens when XLA no longer uses data.
func (c *Client) upload(data []byte, typ *Type, dev *Device, semantics int32) (*Buffer, *capi.Event, error) {
	var space [6]int64 // avoids an allocation
	dims := space[:0]
	for _, d := range typ.Dims {
		dims = append(dims, int64(d))
	}
	call := func() (*capi.Buffer, *capi.Event, error) {
		return c.table.BufferFromHost(c.ptr, dev.ptr, data, elements[typ.DType], dims, semantics)
	}
	ptr, done, err := call()
	if isOutOfMemory(err) {
		c.collect()
		ptr, done, err = call()
	}
	if err != nil {
		return nil, nil, err
	}
	c.counters.toDevice.Add(int64(len(data)))
	return dev.adopt(ptr, typ, int64(len(data))), done, nil
}

// signExtend sign-extends the elements in data if d is a signed dtype narrower than a byte. Plugins
// set the upper bits of such elements to 0.
func signExtend(data []byte, d dtype.DType) {
	if !packed(d) || !d.Is(dtype.Signed) {
		return
	}
	shift := 8 - d.Bits()
	for i, v := range data {
		data[i] = byte(int8(v<<shift) >> shift)
	}
}

// Read waits for the values and copies them, in row-major order, to dst, which must have Size
// bytes. Elements of i2 and i4 are sign-extended to a byte. If ctx ends during the wait, or
// during a copy from host memory, Read stops and returns ctx's error. A copy from device memory
// is not interrupted.
func (b *Buffer) Read(ctx context.Context, dst []byte) error {
	a := &b.array
	if len(dst) != b.Size() {
		return refused("Read", b.String(), nil, "", "dst has %d bytes, want %d", len(dst), b.Size())
	}
	if err := b.Await(ctx); err != nil {
		return err
	}
	if !a.refs.acquire() {
		return refused("Read", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	defer a.release()
	if err := b.copyOut(ctx, dst); err != nil {
		return err
	}
	signExtend(dst, b.typ.DType)
	a.device.client.counters.toHost.Add(int64(len(dst)))
	return nil
}

// View waits for the values and calls use with them, in host form and without copying them. It
// returns false, without calling use, if b is empty or is not stored in host form in host memory.
// use must neither change nor keep data.
func (b *Buffer) View(ctx context.Context, use func(data []byte)) (bool, error) {
	a := &b.array
	if !a.device.memory.host || packed(b.typ.DType) || b.Size() == 0 {
		return false, nil
	}
	if err := b.Await(ctx); err != nil {
		return false, err
	}
	if !a.refs.acquire() {
		return false, refused("View", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	defer a.release()
	if err := a.device.client.table.View(a.ptr, b.Size(), use); err != nil {
		return false, failed("View", b.String(), err, "")
	}
	return true, nil
}

// copyOut copies the values, which must be computed, to dst. If they are in host memory, it reads
// them through their address, which is 10 times faster than the plugin's ToHostBuffer.
func (b *Buffer) copyOut(ctx context.Context, dst []byte) (err error) {
	a := &b.array
	t := a.device.client.table
	switch {
	case len(dst) == 0:
		return nil
	case a.device.memory.host && !packed(b.typ.DType):
		var ended error
		err = t.View(a.ptr, len(dst), func(data []byte) { ended = copyParts(ctx, dst, data) })
		if ended != nil {
			return ended
		}
	default:
		err = copyByPlugin(t, a.ptr, dst)
	}
	if err != nil {
		return failed("Read", b.String(), err, "")
	}
	return nil
}

// copyParts copies src to dst, and returns ctx's error if ctx ends before all parts are copied. It copies a part at
// a time, since Go's runtime cannot preempt a goroutine during a copy: a garbage collection, and with it all other
// goroutines, would wait for the end of a long copy.
func copyParts(ctx context.Context, dst, src []byte) error {
	for len(src) > 0 {
		n := copy(dst, src[:min(len(src), copiedAtOnce)])
		dst, src = dst[n:], src[n:]
		if len(src) > 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// copiedAtOnce is the number of bytes that copyParts copies at a time. This takes a few milliseconds.
const copiedAtOnce = 4 << 20

// copyByPlugin copies b to dst with the plugin's ToHostBuffer.
func copyByPlugin(t *capi.Table, b *capi.Buffer, dst []byte) error {
	event, err := t.ToHost(b, dst)
	if err != nil {
		return err
	}
	defer t.DestroyEvent(event)
	err = t.Await(event)
	capi.Keep(dst)
	return err
}
