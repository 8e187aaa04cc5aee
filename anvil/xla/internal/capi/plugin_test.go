//go:build linux && amd64 && !nopjrt

package capi_test

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// openCPU loads and initializes the plugin for the CPU.
var openCPU = sync.OnceValues(func() (*capi.Table, error) {
	for _, candidate := range xla.Discover("") {
		if candidate.Platform == "cpu" {
			table, err := capi.Open(candidate.Path)
			if err != nil {
				return nil, err
			}
			return table, table.Initialize()
		}
	}
	return nil, errors.New("no XLA plugin for the CPU: run goanvil setup")
})

// cpu returns the plugin and a client with two devices, which is destroyed when the test ends.
func cpu(t *testing.T) (*capi.Table, *capi.Client) {
	t.Helper()
	table, err := openCPU()
	check(t, err)
	client, err := table.CreateClient([]capi.Option{{Name: "cpu_device_count", Value: int64(2)}})
	check(t, err)
	t.Cleanup(func() { check(t, table.DestroyClient(client)) })
	return table, client
}

// standIn returns a stand-in for the CPU plugin, and a client of it.
func standIn(t *testing.T) (*capi.Standin, *capi.Table, *capi.Client) {
	t.Helper()
	base, client := cpu(t)
	s := capi.NewStandin(base)
	table, err := s.Open()
	check(t, err)
	return s, table, client
}

// check fails the test if err is not nil.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// compileOptions is a CompileOptionsProto for one replica of one partition.
var compileOptions = []byte{3<<3 | 2, 4, 4 << 3, 1, 5 << 3, 1}

// program returns the sum of two vectors, as a matrix of one row, and the constant 7.
const program = `func.func public @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<1x3xf32>, tensor<i32>) {
  %sum = stablehlo.add %x, %y : tensor<3xf32>
  %row = stablehlo.reshape %sum : (tensor<3xf32>) -> tensor<1x3xf32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  return %row, %seven : tensor<1x3xf32>, tensor<i32>
}`

// bytesOf returns the bytes of floats.
func bytesOf(xs ...float32) []byte {
	var data []byte
	for _, x := range xs {
		bits := math.Float32bits(x)
		data = append(data, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return data
}

// upload returns a vector on a device.
func upload(t *testing.T, table *capi.Table, c *capi.Client, d *capi.Device, xs ...float32) *capi.Buffer {
	t.Helper()
	b, done, err := table.BufferFromHost(c, d, bytesOf(xs...), capi.BufferTypeF32, []int64{int64(len(xs))},
		capi.HostBufferSemanticsKImmutableOnlyDuringCall)
	check(t, err)
	table.DestroyEvent(done)
	t.Cleanup(func() { check(t, table.DestroyBuffer(b)) })
	return b
}

// download returns the first n bytes of a buffer.
func download(t *testing.T, table *capi.Table, b *capi.Buffer, n int) []byte {
	t.Helper()
	data := make([]byte, n)
	e, err := table.ToHost(b, data)
	check(t, err)
	check(t, table.Await(e))
	table.DestroyEvent(e)
	return data
}

// TestDevices checks what the plugin says about itself and its devices.
func TestDevices(t *testing.T) {
	table, client := cpu(t)
	if major, minor := table.Version(); major != capi.Major || minor < 50 {
		t.Errorf("version %d.%d", major, minor)
	}
	attributes, err := table.Attributes()
	check(t, err)
	for _, name := range []string{"stablehlo_current_version", "stablehlo_minimum_version"} {
		if v, ok := attributes[name].([]int64); !ok || len(v) != 3 {
			t.Errorf("%s: %v", name, attributes[name])
		}
	}
	if name, err := table.PlatformName(client); name != "cpu" || err != nil {
		t.Errorf("platform %s, %v", name, err)
	}
	devices, err := table.Devices(client)
	check(t, err)
	if len(devices) != 2 {
		t.Fatalf("%d devices", len(devices))
	}
	for i, d := range devices {
		info, err := table.DeviceInfo(d)
		check(t, err)
		if info.ID != i || info.Kind != "cpu" || info.MemoryKind == "" {
			t.Errorf("device %d: %+v", i, info)
		}
	}
}

// TestPrograms checks a program from its text to its results: also after it was serialized.
func TestPrograms(t *testing.T) {
	table, client := cpu(t)
	devices, err := table.Devices(client)
	check(t, err)
	text := []byte(program + "rest of a longer text")[:len(program)]
	compiled, err := table.Compile(client, text, compileOptions)
	check(t, err)
	data, err := table.Serialize(compiled)
	check(t, err)
	loaded, err := table.Deserialize(client, data)
	check(t, err)
	x, y := upload(t, table, client, devices[0], 1, 2, 3), upload(t, table, client, devices[0], 10, 20, 30)
	for _, e := range []*capi.LoadedExecutable{compiled, loaded} {
		outputs, err := table.Outputs(e)
		check(t, err)
		want := []capi.Output{{capi.BufferTypeF32, []int64{1, 3}}, {capi.BufferTypeS32, nil}}
		if !reflect.DeepEqual(outputs, want) {
			t.Errorf("outputs %v, want %v", outputs, want)
		}
		if n, err := table.TempBytes(e); n < 0 || n > 1<<20 || err != nil {
			t.Errorf("%d temporary bytes, %v", n, err)
		}
		f := capi.NewFrame(e, 2, 2)
		f.In[0], f.In[1] = x, y
		for range 2 { // a frame can be used again
			done, err := table.ExecuteWithEvent(f)
			check(t, err)
			check(t, table.Await(done))
			if ready, err := table.IsReady(done); !ready || err != nil {
				t.Errorf("awaited, but not ready: %v", err)
			}
			table.DestroyEvent(done)
			checkResults(t, table, f)
			check(t, table.Execute(f))
			checkResults(t, table, f)
		}
		check(t, table.DestroyExecutable(e))
	}
}

// checkResults checks the results of program for 1, 2, 3 and 10, 20, 30, and destroys them.
func checkResults(t *testing.T, table *capi.Table, f *capi.Frame) {
	t.Helper()
	if got := download(t, table, f.Out[0], 12); string(got) != string(bytesOf(11, 22, 33)) {
		t.Errorf("sum %v", got)
	}
	if got := download(t, table, f.Out[1], 4); string(got) != "\a\x00\x00\x00" {
		t.Errorf("constant %v", got)
	}
	for _, b := range f.Out {
		check(t, table.DestroyBuffer(b))
	}
}

// TestBuffers checks the places of a buffer, and the bytes seen through its address.
func TestBuffers(t *testing.T) {
	table, client := cpu(t)
	devices, err := table.Devices(client)
	check(t, err)
	b := upload(t, table, client, devices[0], 5, 6)
	if on, err := table.OnHost(b); !on || err != nil {
		t.Errorf("on the host: %v, %v", on, err)
	}
	if n, err := table.DeviceBytes(b); n != 8 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	moved, err := table.CopyToDevice(b, devices[1])
	check(t, err)
	if got := download(t, table, moved, 8); string(got) != string(bytesOf(5, 6)) {
		t.Errorf("copied %v", got)
	}
	check(t, table.DestroyBuffer(moved))
	for n := range 9 {
		var seen []byte
		check(t, table.View(b, n, func(data []byte) { seen = slices.Clone(data) }))
		if string(seen) != string(bytesOf(5, 6)[:n]) {
			t.Errorf("%d bytes: %v", n, seen)
		}
	}
	empty, done, err := table.BufferFromHost(client, devices[0], nil, capi.BufferTypeF32, []int64{0},
		capi.HostBufferSemanticsKImmutableOnlyDuringCall)
	check(t, err)
	table.DestroyEvent(done)
	if got := download(t, table, empty, 0); len(got) != 0 {
		t.Error(got)
	}
	check(t, table.DestroyBuffer(empty))
}

// TestErrors checks the errors of C, of a stand-in, and of a function of a stand-in; all are
// destroyed.
func TestErrors(t *testing.T) {
	s, table, client := standIn(t)
	if s.Base() == table {
		t.Error("the base is the stand-in itself")
	}
	_, err := table.CreateClient([]capi.Option{{Name: "nothing", Value: true}})
	var e *capi.Error
	if !errors.As(err, &e) || e.Func != "PJRT_Client_Create" || e.Code != capi.ErrorCodeINVALIDARGUMENT ||
		!strings.Contains(e.Message, "Unexpected option name") {
		t.Errorf("of C: %#v", err)
	}
	if _, err = table.Compile(client, []byte("no program"), compileOptions); err == nil {
		t.Error("a text that is no program was compiled")
	}
	device := (*capi.Device)(nil)
	var given error
	capi.Override(s, "PJRT_Device_MemoryStats", func(a *capi.DeviceMemoryStatsArgs, _ func() error) error {
		a.BytesInUse, a.BytesLimit = 5, 7
		return given
	})
	table, err = s.Open()
	check(t, err)
	for _, c := range []struct {
		given error
		want  capi.Error
	}{
		{errors.New("no statistics"), capi.Error{Code: capi.ErrorCodeINTERNAL, Message: "no statistics"}},
		{&capi.Error{Code: capi.ErrorCodeRESOURCEEXHAUSTED, Message: "full"},
			capi.Error{Code: capi.ErrorCodeRESOURCEEXHAUSTED, Message: "full"}},
	} {
		given, c.want.Func = c.given, "PJRT_Device_MemoryStats"
		inUse, limit, err := table.MemoryStats(device)
		if !errors.As(err, &e) || *e != c.want || inUse != 0 || limit != 0 {
			t.Errorf("of the stand-in: %d, %d, %#v, want %#v", inUse, limit, err, c.want)
		}
	}
	if n := s.LiveErrors(); n != 0 {
		t.Errorf("%d errors are not destroyed", n)
	}
	func() {
		defer func() {
			if r, _ := recover().(string); r != "capi.Override(PJRT_Nothing): no such function" {
				t.Errorf("an unknown function: %v", r)
			}
		}()
		capi.Override(s, "PJRT_Nothing", func(*capi.ErrorDestroyArgs, func() error) error { return nil })
	}()
}

// TestMemoryStats checks that the limit of a device is 0 unless the plugin sets it.
func TestMemoryStats(t *testing.T) {
	s, _, _ := standIn(t)
	limitIsSet := false
	capi.Override(s, "PJRT_Device_MemoryStats", func(a *capi.DeviceMemoryStatsArgs, _ func() error) error {
		a.BytesInUse, a.BytesLimit, a.BytesLimitIsSet = 5, 7, limitIsSet
		return nil
	})
	table, err := s.Open()
	check(t, err)
	for set, want := range map[bool]int64{false: 0, true: 7} {
		limitIsSet = set
		if inUse, limit, err := table.MemoryStats(nil); inUse != 5 || limit != want || err != nil {
			t.Errorf("limit set is %v: %d, %d, %v", set, inUse, limit, err)
		}
	}
}

// TestClientOptions checks that options of each type arrive as they were given.
func TestClientOptions(t *testing.T) {
	s, _, _ := standIn(t)
	var got map[string]any
	capi.Override(s, "PJRT_Client_Create", func(a *capi.ClientCreateArgs, forward func() error) error {
		got = a.Options()
		a.SetOptions([]capi.NamedValue{capi.Int64Option("cpu_device_count", 3)})
		return forward()
	})
	table, err := s.Open()
	check(t, err)
	want := map[string]any{"int": int64(-5), "list": []int64{1, 2, 1 << 40}, "yes": true, "no": false,
		"float": float32(0.75), "text": "some text", "empty": ""}
	var options []capi.Option
	for name, v := range want {
		options = append(options, capi.Option{Name: name, Value: v})
	}
	client, err := table.CreateClient(options)
	check(t, err)
	devices, err := table.Devices(client)
	if len(devices) != 3 || err != nil {
		t.Errorf("%d devices, %v", len(devices), err)
	}
	check(t, table.DestroyClient(client))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
	if _, err := table.CreateClient([]capi.Option{{Name: "n", Value: 1}}); err == nil ||
		err.Error() != "option n: unsupported type int" {
		t.Errorf("an option of another type: %v", err)
	}
}

// TestLaunchArguments checks what a stand-in sees of a launch.
func TestLaunchArguments(t *testing.T) {
	s, _, client := standIn(t)
	var arguments, results []*capi.Buffer
	var done *capi.Event
	look := func(a *capi.LoadedExecutableExecuteArgs, forward func() error) error {
		err := forward()
		arguments, results, done = slices.Clone(a.Arguments()), slices.Clone(a.Results(2)), a.Done()
		return err
	}
	capi.Override(s, "PJRT_LoadedExecutable_Execute", look)
	table, err := s.Open()
	check(t, err)
	devices, err := table.Devices(client)
	check(t, err)
	e, err := table.Compile(client, []byte(program), compileOptions)
	check(t, err)
	f := capi.NewFrame(e, 2, 2)
	f.In[0], f.In[1] = upload(t, table, client, devices[0], 1, 2, 3), upload(t, table, client, devices[0], 10, 20, 30)
	event, err := table.ExecuteWithEvent(f)
	check(t, err)
	if !slices.Equal(arguments, f.In) || !slices.Equal(results, f.Out) || done != event || event == nil {
		t.Error("the stand-in sees other buffers")
	}
	table.DestroyEvent(event)
	checkResults(t, table, f)
	check(t, table.Execute(f))
	if done != nil {
		t.Error("an event that nobody asked for")
	}
	checkResults(t, table, f)
	check(t, table.DestroyExecutable(e))
}

// TestWaiter checks that a Waiter reports false until its event happens. The stand-in holds the
// event back, and gives it an error when it happens.
func TestWaiter(t *testing.T) {
	s, _, client := standIn(t)
	var happen func(err unsafe.Pointer)
	capi.Override(s, "PJRT_Event_OnReady", func(a *capi.EventOnReadyArgs, _ func() error) error {
		callback, argument := uintptr(a.Callback), uintptr(a.UserArg)
		happen = func(err unsafe.Pointer) { purego.SyscallN(callback, uintptr(err), argument) }
		return nil
	})
	table, err := s.Open()
	check(t, err)
	devices, err := table.Devices(client)
	check(t, err)
	b := upload(t, table, client, devices[0], 1)
	event, err := table.ReadyEvent(b)
	check(t, err)
	defer table.DestroyEvent(event)
	ended, end := context.WithCancel(context.Background())
	end()
	for _, wait := range []func(*capi.Waiter) bool{
		func(w *capi.Waiter) bool { return w.Until(context.Background()) },
		func(w *capi.Waiter) bool { return w.Within(time.Minute) },
		func(w *capi.Waiter) bool { // which may take longer than BriefWait on a busy machine
			for !w.Briefly() {
			}
			return true
		},
	} {
		w, err := table.NewWaiter(event)
		check(t, err)
		if w.Briefly() || w.Within(time.Millisecond) || w.Until(ended) {
			t.Error("the event has not happened")
		}
		happen(s.NewError(errors.New("of the event")))
		if !wait(w) {
			t.Error("the event has happened")
		}
		if s.LiveErrors() != 1 {
			t.Error("the error was destroyed before Release")
		}
		w.Release()
		if s.LiveErrors() != 0 {
			t.Error("Release does not destroy the error")
		}
	}
	destroyed := 0
	capi.Override(s, "PJRT_Error_Destroy", func(*capi.ErrorDestroyArgs, func() error) error {
		destroyed++
		return nil
	})
	table, err = s.Open()
	check(t, err)
	w, err := table.NewWaiter(event)
	check(t, err)
	happen(nil)
	if !w.Until(context.Background()) {
		t.Error("the event has happened")
	}
	if w.Release(); destroyed != 0 {
		t.Error("Release destroys an error that does not exist")
	}
	capi.Override(s, "PJRT_Event_OnReady", func(*capi.EventOnReadyArgs, func() error) error {
		return errors.New("no events")
	})
	table, err = s.Open()
	check(t, err)
	if _, err := table.NewWaiter(event); err == nil || !strings.Contains(err.Error(), "no events") {
		t.Errorf("no waiter: %v", err)
	}
}

// TestOpen checks the errors of files that are no plugins.
func TestOpen(t *testing.T) {
	if _, err := capi.Open(t.TempDir() + "/none.so"); err == nil {
		t.Error("a file that is not there is opened")
	}
	if _, err := capi.Open("libc.so.6"); err == nil || !strings.HasPrefix(err.Error(), "not a PJRT plugin: ") {
		t.Errorf("libc: %v", err)
	}
	if os.Getenv("TF_CPP_MIN_LOG_LEVEL") == "" {
		t.Error("XLA's log is not silenced")
	}
}

// TestHostMemory checks that libc is told to keep memory.
func TestHostMemory(t *testing.T) {
	if strings.Contains(os.Getenv("GLIBC_TUNABLES"), "glibc.malloc") {
		t.Skip("the environment has tunables of malloc")
	}
	capi.KeepHostMemory()
	if !capi.KeepsHostMemory() {
		t.Error("libc does not keep memory")
	}
	capi.GiveBackHostMemory()
}
