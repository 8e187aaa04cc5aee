//go:build linux && amd64 && !nopjrt

package xla

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// patterns returns the bytes of n elements of d; narrow dtypes use the low bits of a byte.
func patterns(d dtype.DType, n int) []byte {
	data := make([]byte, n*d.Size())
	for i := range data {
		data[i] = byte(i*37 + 1)
		if d.Bits() < 8 {
			data[i] &= 1<<d.Bits() - 1
		}
		if d == dtype.I2 && data[i] >= 2 || d == dtype.I4 && data[i] >= 8 {
			data[i] |= 0xff << d.Bits() & 0xff // the host form is sign-extended
		}
	}
	return data
}

func TestEveryDTypeComesBack(t *testing.T) {
	c := newClient(t, 1)
	for _, d := range dtype.All() {
		for _, dims := range [][]int{{}, {0}, {3}, {2, 5}, {1, 2, 3, 1, 2, 1, 7}} {
			n := 1
			for _, k := range dims {
				n *= k
			}
			data := patterns(d, n)
			for name, up := range map[string]func([]byte, dtype.DType, []int, *Device) (*Buffer, error){"Upload": c.Upload, "UploadShared": c.UploadShared} {
				b, err := up(data, d, dims, nil)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := read(t, b); !bytes.Equal(got, data) {
					t.Errorf("%s of %s: %x came back as %x", name, b, data, got)
				}
				b.Destroy()
			}
		}
	}
}

func TestEveryDTypeRuns(t *testing.T) {
	c := newClient(t, 1)
	for _, d := range dtype.All() {
		typ := Type{d, []int{2, 3}}
		program := strings.ReplaceAll("func.func @main(%a: T, %p: tensor<i1>) -> T { %0 = stablehlo.select %p, %a, %a : (tensor<i1>, T, T) -> T\n return %0 : T }", "T", typ.MLIR())
		e := compile(t, c, program, CompileOptions{Args: []Type{typ, {DType: dtype.I1}}, Results: []Type{typ}})
		data := patterns(d, 6)
		a, err := c.Upload(data, d, typ.Dims, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Upload([]byte{1}, dtype.I1, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]*Buffer, 1)
		if err := e.Run([]*Buffer{a, p}, out); err != nil {
			t.Fatal(err)
		}
		if got := read(t, out[0]); !bytes.Equal(got, data) {
			t.Errorf("%s: %x came back as %x", d, data, got)
		}
	}
}

func TestUploadIsACopyAndUploadSharedIsNot(t *testing.T) {
	c := newClient(t, 1)
	data := make([]byte, 1<<20) // large, so at a multiple of 64
	copied, err := c.Upload(data, dtype.U8, []int{len(data)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := c.UploadShared(data, dtype.U8, []int{len(data)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	data[5] = 9 // callers must not do this; it shows whether the buffer has the same memory
	if got := read(t, copied)[5]; got != 0 {
		t.Errorf("a copy changed to %d", got)
	}
	if got := read(t, shared)[5]; got != 9 {
		t.Errorf("shared memory was copied, and holds %d", got)
	}
	shared.Destroy()
	shared.Destroy()
}

func TestUploadIsChecked(t *testing.T) {
	c, other := newClient(t, 1), newClient(t, 1)
	data := make([]byte, 16)
	for want, call := range map[string]func() (*Buffer, error){
		"xla.Upload(f32{5}): data has 16 bytes, want 20":                          func() (*Buffer, error) { return c.Upload(data, dtype.F32, []int{5}, nil) },
		"xla.Upload(f32{4}): data has 0 bytes, want 16":                           func() (*Buffer, error) { return c.Upload(nil, dtype.F32, []int{4}, nil) },
		"xla.Upload(f32{-2,-2}): a dimension is negative":                         func() (*Buffer, error) { return c.Upload(data, dtype.F32, []int{-2, -2}, nil) },
		"xla.Upload(f32{9223372036854775807,8}): the size in bytes overflows int": func() (*Buffer, error) { return c.Upload(data, dtype.F32, []int{math.MaxInt, 8}, nil) },
		"xla.Upload(invalid{4}): arrays cannot have dtype invalid":                func() (*Buffer, error) { return c.Upload(nil, dtype.Invalid, []int{4}, nil) },
		"xla.Upload(invalid{16}): arrays cannot have dtype invalid":               func() (*Buffer, error) { return c.Upload(data, dtype.DType(200), []int{16}, nil) },
		"xla.Upload(f32{4}): cpu:0 belongs to another client":                     func() (*Buffer, error) { return c.Upload(data, dtype.F32, []int{4}, other.Devices()[0]) },
		"xla.Upload(f32{4}): the client is nil":                                   func() (*Buffer, error) { return (*Client)(nil).Upload(data, dtype.F32, []int{4}, nil) },
		"xla.UploadShared(f64{4}): data has 16 bytes, want 32":                    func() (*Buffer, error) { return c.UploadShared(data, dtype.F64, []int{4}, nil) },
	} {
		var e *Error
		if b, err := call(); !errors.As(err, &e) || e.Code != InvalidArgument || err.Error() != want {
			t.Errorf("%v, %v, want %s", b, err, want)
		}
	}
}

func TestReadIsChecked(t *testing.T) {
	c := newClient(t, 1)
	b := upload(t, c, nil, 1, 2, 3)
	if err := b.Read(background, make([]byte, 11)); err == nil || err.Error() !=
		"xla.Read(f32{3} on cpu:0): dst has 11 bytes, want 12" {
		t.Errorf("12 bytes are read into 11: %v", err)
	}
	b.Destroy()
	if err := b.Read(background, make([]byte, 12)); !errors.Is(err, ErrDestroyed) || err.Error() !=
		"xla.Await(f32{3} on cpu:0): the buffer is destroyed" {
		t.Errorf("a destroyed buffer reads: %v", err)
	}
	if _, err := b.CopyTo(nil); !errors.Is(err, ErrDestroyed) || err.Error() !=
		"xla.CopyTo(f32{3} on cpu:0): the buffer is destroyed" {
		t.Errorf("a destroyed buffer copies: %v", err)
	}
	if err := b.Await(background); !b.Destroyed() || !b.Ready() || err == nil && b.array.ready.Load() == false {
		t.Errorf("a destroyed buffer: %v", err)
	}
}

// TestReadIsInterrupted checks that Read copies a large buffer, and at most a part of it if the context has ended.
func TestReadIsInterrupted(t *testing.T) {
	c := newClient(t, 1)
	data := make([]byte, 3*copiedAtOnce+5)
	for i := range data {
		data[i] = byte(i % 251)
	}
	b, err := c.Upload(data, dtype.U8, []int{len(data)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Destroy()
	got := make([]byte, len(data))
	if err := b.Read(background, got); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the values differ (%v)", err)
	}
	ended, end := context.WithCancel(background)
	end()
	clear(got)
	if err := b.Read(ended, got); !errors.Is(err, context.Canceled) || bytes.Contains(got[copiedAtOnce:], data[:8]) {
		t.Errorf("Read did not stop: %v", err)
	}
}

func TestStats(t *testing.T) {
	c := newClient(t, 1)
	e := compileAdd(t, c, nil)
	a := upload(t, c, nil, 1, 2, 3, 4)
	out := make([]*Buffer, 1)
	if err := e.Run([]*Buffer{a, a}, out); err != nil {
		t.Fatal(err)
	}
	read(t, out[0])
	if got, want := c.Stats(), (Stats{Compiles: 1, Launches: 1, BytesToHost: 16, BytesToDevice: 16, LiveBytes: 32, LiveBuffers: 2, PeakBytes: 32}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	a.Destroy()
	out[0].Destroy()
	if got := c.Stats(); got.LiveBytes != 0 || got.LiveBuffers != 0 {
		t.Errorf("after all buffers are destroyed: %+v", got)
	}
}
