//go:build linux && amd64 && !nopjrt

package xla

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// donatingProgram is addProgram with its result in the memory of the second argument.
var donatingProgram = strings.Replace(addProgram, "%b: tensor<4xf32>", "%b: tensor<4xf32> {tf.aliasing_output = 0 : i32}", 1)

func TestDonatedArgument(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	e := compile(t, c, donatingProgram, CompileOptions{Args: []Type{f, f}, Results: []Type{f}, Donated: []int{1}})
	for name, run := range map[string]func(args, out []*Buffer) error{
		"Run": e.Run, "RunContext": func(args, out []*Buffer) error { return e.RunContext(background, args, out) },
	} {
		a, b, out := upload(t, c, nil, 1, 2, 3, 4), upload(t, c, nil, 10, 20, 30, 40), make([]*Buffer, 1)
		before := c.Stats()
		if err := run([]*Buffer{a, b}, out); err != nil {
			t.Fatal(name, err)
		}
		if got := read(t, out[0]); !bytes.Equal(got, f32s(11, 22, 33, 44)) {
			t.Errorf("%s: %x", name, got)
		}
		if after := c.Stats(); after.LiveBytes != before.LiveBytes || after.LiveBuffers != before.LiveBuffers || !b.Destroyed() || a.Destroyed() {
			t.Errorf("%s: %+v, before %+v", name, after, before)
		}
		if err := e.Run([]*Buffer{a, b}, out); !errors.Is(err, ErrDestroyed) {
			t.Errorf("%s: a donated buffer is an argument: %v", name, err)
		}
		if err := e.Run([]*Buffer{a, a}, out); err == nil || a.Destroyed() {
			t.Errorf("%s: a buffer is a donated and another argument: %v", name, err)
		}
		b.Destroy()
		out[0].Destroy()
		a.Destroy()
	}
	if s := c.Stats(); s.LiveBytes != 0 || s.LiveBuffers != 0 {
		t.Errorf("%+v", s)
	}
}

// TestFreedMemoryIsCounted checks that libc's memory is counted as kept from when a large buffer is freed until it is
// used again, once for a donated buffer and its result, and not at all if the memory belongs to Go.
func TestFreedMemoryIsCounted(t *testing.T) {
	const n = 4 << 20
	c := newClient(t, 1)
	f := vector(dtype.F32, n/4)
	program := strings.ReplaceAll(donatingProgram, "4xf32", strconv.Itoa(n/4)+"xf32")
	e := compile(t, c, program, CompileOptions{Args: []Type{f, f}, Results: []Type{f}, Donated: []int{1}})
	data := newBlock(n)
	uploaded := func(upload func([]byte, dtype.DType, []int, *Device) (*Buffer, error)) *Buffer {
		b, err := upload(data, f.DType, f.Dims, nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	check := func(after string, want int64) {
		t.Helper()
		if kept := c.gc.kept.Load(); kept != want {
			t.Errorf("after %s: %d bytes are kept, want %d", after, kept, want)
		}
	}
	c.gc.kept.Store(0)
	uploaded(c.UploadShared).Destroy()
	check("Go's memory is freed", 0)
	a, b, out := uploaded(c.Upload), uploaded(c.Upload), make([]*Buffer, 1)
	if err := e.Run([]*Buffer{a, b}, out); err != nil {
		t.Fatal(err)
	}
	check("a donation", 0)
	out[0].Destroy()
	check("the result is freed", n)
	a.Destroy()
	check("an argument is freed", 2*n)
	a = uploaded(c.Upload)
	check("an upload", n)
	a.Destroy()
	c.freed(largeBuffer - 1)
	check("a small buffer is freed", 2*n)
	c.freed(maxKept - 2*n - 1)
	check("a buffer is freed and libc may keep it", maxKept-1)
	c.freed(largeBuffer)
	check("libc has given its memory back", 0)
	c.counters.liveBytes.Add(maxKept)
	c.freed(maxKept)
	check("libc keeps less than is live twice", maxKept)
	c.counters.liveBytes.Add(-maxKept)
}

// TestDonationIsChecked checks that Donated must agree with the text of the program.
func TestDonationIsChecked(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	for name, o := range map[string]struct {
		program string
		donated []int
	}{
		"unknown": {donatingProgram, nil}, "another": {donatingProgram, []int{0}},
		"none": {addProgram, []int{1}}, "no argument": {donatingProgram, []int{2}},
	} {
		if _, err := c.Compile([]byte(o.program), CompileOptions{Args: []Type{f, f}, Results: []Type{f}, Donated: o.donated}); err == nil {
			t.Errorf("%s: the donation of %v is accepted", name, o.donated)
		}
	}
}
