//go:build linux && amd64 && !nopjrt

package xla

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// BenchmarkAwaitedAdd measures the minimal cost of an eager operation: launch, await,
// destroy.
func BenchmarkAwaitedAdd(b *testing.B) {
	c := newClient(b, 1)
	e := compileAdd(b, c, nil)
	x := upload(b, c, nil, 1, 2, 3, 4)
	args, out := []*Buffer{x, x}, make([]*Buffer, 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Run(args, out); err != nil {
			b.Fatal(err)
		}
		if err := out[0].Await(background); err != nil {
			b.Fatal(err)
		}
		out[0].Destroy()
	}
}

// BenchmarkAwaitedAddContext is BenchmarkAwaitedAdd with a context that can end.
func BenchmarkAwaitedAddContext(b *testing.B) {
	c := newClient(b, 1)
	e := compileAdd(b, c, nil)
	x := upload(b, c, nil, 1, 2, 3, 4)
	args, out := []*Buffer{x, x}, make([]*Buffer, 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := runAwait(b.Context(), e, args, out); err != nil {
			b.Fatal(err)
		}
		out[0].Destroy()
	}
}

func BenchmarkUpload(b *testing.B) {
	c := newClient(b, 1)
	data, dims := f32s(1, 2, 3, 4), []int{4}
	b.ReportAllocs()
	for b.Loop() {
		x, err := c.Upload(data, dtype.F32, dims, nil)
		if err != nil {
			b.Fatal(err)
		}
		x.Destroy()
	}
}

func BenchmarkRead(b *testing.B) {
	c := newClient(b, 1)
	x, dst := upload(b, c, nil, 1, 2, 3, 4), make([]byte, 16)
	b.ReportAllocs()
	for b.Loop() {
		if err := x.Read(background, dst); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileAdd(b *testing.B) {
	c := newClient(b, 1)
	for b.Loop() {
		compileAdd(b, c, nil).Destroy()
	}
}
