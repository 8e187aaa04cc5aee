package xla

import (
	"context"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// How long the plugin may read the data of an upload: during the call, until the transfer
// completes, or as long as the buffer lives.
const (
	duringCall    = capi.HostBufferSemanticsKImmutableOnlyDuringCall
	untilTransfer = capi.HostBufferSemanticsKImmutableUntilTransferCompletes
	zeroCopy      = capi.HostBufferSemanticsKImmutableZeroCopy
)

// maxStaged bounds the size in bytes of the uploads to device memory whose data the plugin
// copies first, so that Upload need not wait for the transfer.
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

// UploadShared is Upload without the copy if the device's memory is the host's and
// data begins at a multiple of 64 bytes, as large Go slices do. The caller must not
// modify data while the buffer, or a program that uses it, lives.
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

// UploadCopied is Upload, but if the device's memory is the host's it copies data of at least
// blockSize bytes to memory of the client's pool. That is faster, since the pool reuses the
// memory of earlier uploads.
func (c *Client) UploadCopied(data []byte, d dtype.DType, dims []int, dev *Device) (*Buffer, error) {
	typ, dev, err := c.checkUpload("UploadCopied", data, Type{d, dims}, dev)
	if err != nil {
		return nil, err
	}
	defer c.release()
	if !dev.memory.host || len(data) < blockSize || packed(d) {
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

// packed reports whether devices may store elements of d in another form than the host, which
// uses a byte for each.
func packed(d dtype.DType) bool { return d.Bits() < 8 && d != dtype.I1 }

// checkUpload checks the arguments of an upload and makes room for it. The caller must
// release the client after the upload.
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

// signExtend sign-extends the elements of signed dtypes narrower than a byte: plugins
// leave their upper bits 0.
func signExtend(data []byte, d dtype.DType) {
	if !packed(d) || !d.Is(dtype.Signed) {
		return
	}
	shift := 8 - d.Bits()
	for i, v := range data {
		data[i] = byte(int8(v<<shift) >> shift)
	}
}

// Read waits for the values and copies them, row-major, to dst, which must have Size
// bytes. Elements of i2 and i4 are sign-extended to a byte. If ctx ends during the wait, or
// during a copy from host memory, Read stops and returns ctx's error. Other copies are not interrupted.
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

// View calls use with the values in host form, without copying them, and reports whether it
// did: b must lie in host memory, with at least a byte for each element, and not be empty. use must
// neither change nor keep the values.
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

// copyOut copies the values, which are computed, to dst. It reads host memory through
// its address, which is 10 times faster than the plugin's ToHostBuffer.
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

// copyParts copies src to dst until ctx ends. It copies a part at a time, since Go's runtime cannot stop a
// goroutine during a copy, and all other goroutines would wait for the end of a long one.
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

// copiedAtOnce is the number of bytes that copyParts copies before it checks its context again. That takes a few
// milliseconds.
const copiedAtOnce = 4 << 20

// copyByPlugin copies b to dst by the plugin's ToHostBuffer.
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
