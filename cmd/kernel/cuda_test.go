//go:build linux && amd64 && !nopjrt

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/xlatest"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// gpuFront serves a kernel with a plugin that simulates GPUs. Discovery, promotion,
// programs and transfers are those of a machine with GPUs.
func gpuFront(t *testing.T, o xlatest.Options) (*front, *xlatest.Plugin) {
	t.Helper()
	p := xlatest.Install(t, o)
	return newFront(t, ""), p
}

func TestCellsOnCUDA(t *testing.T) {
	f, p := gpuFront(t, xlatest.Options{})
	f.want("1 + 1", "2")
	f.want(`x := nv.Scalar(1.0, nv.Device("cuda:0"))`+"\nx", "AnvilTensor\n 1\n[ CUDAf32?{} ]")
	f.want("x.Device()", `"cuda:0"`)
	f.want(`m := nv.New([][]float64{{1, 2}, {3, 4}}, nv.Device("cuda:1"))`+"\nm.MatMul(m) + 1", "AnvilTensor\n  8 11\n 16 23\n[ CUDAf32{2,2} ]")
	f.want("(m + 1).Device()", `"cuda:1"`)
	f.want("m[:, 0]", "AnvilTensor\n 1\n 3\n[ CUDAf32{2} ]")
	a := f.run("m")
	html, _ := a.result["text/html"].(string)
	f.contains("text/html", html, "cuda:1", "f32")
	f.want("nv.Values[float32](m)", "[]float32{1, 2, 3, 4}")
	f.want("m.Sum().Float()", "10")
	if p.Pointers() != 0 || p.Transfers() == 0 {
		t.Errorf("%d addresses were asked for, %d transfers were made", p.Pointers(), p.Transfers())
	}
}

func TestCellsOnTwoGPUs(t *testing.T) {
	f, _ := gpuFront(t, xlatest.Options{})
	f.text(`x := nv.New([]float64{1, 2}, nv.Device("cuda:0"))` + "\n" + `y := x.ToDevice("cuda:1")`)
	f.want("y.Device()", `"cuda:1"`)
	f.want("2*y + 1", "AnvilTensor\n 3\n 5\n[ CUDAf32{2} ]")
	f.want("(2*y + 1).Device()", `"cuda:1"`)
	f.contains("two devices", f.fails("z := 1\nx + y"), "cell[5]:2", "Add(f32{2}, f32{2})", "cuda:0 and cuda:1", "ToDevice")
	f.want(`x + y.ToDevice("cuda:0")`, "AnvilTensor\n 2\n 4\n[ CUDAf32{2} ]")
	f.want("x + nv.Arange(2)", "AnvilTensor\n 1\n 3\n[ CUDAf32{2} ]") // made on no device in particular
	f.contains("no such device", f.fails(`nv.Scalar(1, nv.Device("cuda:7"))`), `no device "cuda:7"`, "devices are cuda:0, cuda:1")

	f.text("double := nv.Jit(func(x nv.Tensor) nv.Tensor { return 2 * x })\nadd := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x + y })")
	f.want("double(x).Device()", `"cuda:0"`)
	f.want("double(y).Device()", `"cuda:1"`)
	f.want("double(y)", "AnvilTensor\n 2\n 4\n[ CUDAf32{2} ]")
	f.contains("two devices", f.fails("add(x, y)"), "cuda:0 and cuda:1", "ToDevice")
}

// TestInterruptOfAProgram interrupts a program that keeps running on the device, and
// the next cell, which waits for the device.
func TestInterruptOfAProgram(t *testing.T) {
	launched, release := make(chan struct{}, 10), make(chan struct{})
	var hold atomic.Bool
	f, _ := gpuFront(t, xlatest.Options{Launching: func() {
		if hold.Load() {
			launched <- struct{}{}
			<-release
		}
	}})
	f.text("kept := 41\nx := nv.Scalar(20)\nm := nv.Ones(nv.Shape{100, 100})\nm.Wait()")
	interrupted := func(code string, running <-chan struct{}, e *client.Execution) {
		t.Helper()
		go func() {
			<-running
			_ = f.client.Interrupt(t.Context())
		}()
		if reply, err := f.client.Execute(t.Context(), *e); err != nil || reply.Failure == nil || reply.Ename != "Interrupt" {
			t.Errorf("%s: %+v, %v", code, reply, err)
		}
	}
	hold.Store(true)
	var a answer
	const long = "m.MatMul(m).Wait()"
	e := f.execution(long, &a)
	interrupted(long, launched, &e)
	f.want("1 + 1", "2")
	f.want("kept + 1", "42")
	for _, goOn := range []bool{false, true} { // the device is still busy
		waiting, said := make(chan struct{}), sync.Once{}
		e := f.execution("x + 1", &a)
		show := e.Output
		e.Output = func(o client.Output) {
			show(o)
			if s, ok := o.Content.(wire.Stream); ok && strings.Contains(s.Text, "interrupted program") {
				said.Do(func() { close(waiting) })
			}
		}
		if !goOn {
			interrupted("x + 1", waiting, &e)
			continue
		}
		go func() { <-waiting; close(release) }()
		reply, err := f.client.Execute(t.Context(), e)
		if err != nil || reply.Status != wire.StatusOK || a.result["text/plain"] != "AnvilTensor\n 21\n[ CUDAi32?{} ]" {
			t.Errorf("%+v, %v, %v", reply, err, a.result)
		}
	}
}

// TestMemoryOfAGPUIsOut runs out of memory, which is reported by the launch or by its result.
func TestMemoryOfAGPUIsOut(t *testing.T) {
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprint("late ", late), func(t *testing.T) {
			f, _ := gpuFront(t, xlatest.Options{Limit: 1 << 20, Late: late})
			f.text("x := nv.Scalar(20)")
			f.contains("too much", f.fails("big := nv.Zeros(nv.Shape{1 << 19}) + 1\nbig"), "f32{524288}", "ut of memory")
			f.contains("once more", f.fails("nv.Zeros(nv.Shape{1 << 20}) + 1"), "ut of memory")
			f.want("1 + 1", "2")
			f.want("2*x + 2", "AnvilTensor\n 42\n[ CUDAi32?{} ]")
		})
	}
}

// TestWithoutAGPU computes on a machine with a driver and a plugin that finds no GPU.
func TestWithoutAGPU(t *testing.T) {
	f, p := gpuFront(t, xlatest.Options{NoDevice: true})
	if a := f.run("1 + 1"); a.stderr != "" {
		t.Errorf("before the first tensor: %q", a.stderr)
	}
	a := f.run("nv.Scalar(1) + 1")
	if got, want := a.result["text/plain"], "AnvilTensor\n 2\n[ CPUi32?{} ]"; got != want {
		t.Errorf("shows %q", got)
	}
	want := "passed over " + p.Path() + " (cuda, installed by goanvil setup): No visible GPU devices; computing on cpu:0\n"
	if a.stderr != want {
		t.Errorf("says %q\nwant %q", a.stderr, want)
	}
	if a := f.run("nv.Scalar(2) + 1"); a.stderr != "" || a.Status != wire.StatusOK {
		t.Errorf("said again: %q", a.stderr)
	}
}

// TestCUDAPluginWithoutAGPU is TestWithoutAGPU with NVIDIA's own plugin: 190 MB,
// which ./test fetches, but not with -short.
func TestCUDAPluginWithoutAGPU(t *testing.T) {
	const variable = "GOANVIL_TEST_CUDA_PLUGIN"
	path := os.Getenv(variable)
	if path == "" {
		t.Skip(variable + " names no plugin")
	}
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		t.Skip("this machine has a GPU, or its driver")
	}
	t.Setenv(xla.PluginVariable, path)
	t.Setenv("GOANVIL_BACKEND", "")
	f := newFront(t, "")
	a := f.run("nv.Scalar(1) + 1")
	if got, want := a.result["text/plain"], "AnvilTensor\n 2\n[ CPUi32?{} ]"; got != want {
		t.Errorf("shows %q", got)
	}
	want := "passed over " + path + " (cuda, named by " + xla.PluginVariable + "): No visible GPU devices; computing on cpu:0\n"
	if a.stderr != want {
		t.Errorf("says %q\nwant %q", a.stderr, want)
	}
	if a := f.run("nv.Scalar(2) + 1"); a.stderr != "" || a.Status != wire.StatusOK {
		t.Errorf("said again: %q", a.stderr)
	}
}

// TestNotebooksOnCUDA runs the examples, which were run on the CPU: nothing but
// the names of the devices differs.
func TestNotebooksOnCUDA(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "notebooks", "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	onCUDA := strings.NewReplacer("[ CPU", "[ CUDA", "cpu:0", "cuda:0").Replace
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := xlatest.Install(t, xlatest.Options{})
			nb := openNotebook(t, path)
			before := shownBy(t, nb)
			if err := runNotebook(t.Context(), nb, backend{}, io.Discard); err != nil {
				t.Fatal(err)
			}
			shown, codes := shownBy(t, nb), codeOf(nb)
			for i := range before {
				if strings.Contains(codes[i], `"cpu"`) || varies(nb, i) {
					continue // it is about that device, or its outputs depend on the time
				}
				if want := onCUDA(before[i]); shown[i] != want {
					t.Errorf("cell %d shows\n%s\nwant\n%s", i+1, shown[i], want)
				}
			}
			if p.Pointers() != 0 {
				t.Errorf("%d addresses were asked for", p.Pointers())
			}
		})
	}
}

// varies reports whether code cell i has the tag "varies": its outputs depend on the time, or on
// a processor's rounding over a whole training.
func varies(nb *notebook, i int) bool {
	for _, c := range nb.cells {
		if c.kind() == "code" {
			if i == 0 {
				return c.hasTag("varies")
			}
			i--
		}
	}
	return false
}

// codeOf returns the code of each code cell.
func codeOf(nb *notebook) (codes []string) {
	for _, c := range nb.cells {
		if c.kind() == "code" {
			codes = append(codes, c.source())
		}
	}
	return codes
}
