package enginetest_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/engine/enginetest"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A fake is the reference executor on several devices, between which it keeps buffers apart, with mistakes.
type fake struct {
	engine.Executor
	name, platform string
	devices        []string
	host, inHost   bool                                                // what HostMemory and HostPrograms report
	fails          string                                              // this method fails
	read           func(b *buffer, data []byte)                        // changes what is read
	view           func(b *buffer, use func([]byte), data []byte) bool // replaces View
	run            func(e *executable, ctx context.Context) error      // called by Run first
	origin         func(e *executable) engine.Origin                   // replaces Origin
	compile        func(f *fake, g *ir.Graph, m engine.Mode) error     // called by Compile first
	counters       func(f *fake, c *engine.Counters)                   // changes the counters
	release        func(b *buffer)                                     // replaces Release
	hostLaunches   atomic.Int64
}

// A buffer is a buffer of a fake.
type buffer struct {
	engine.Buffer
	of     *fake
	typ    shape.Type
	from   string // the method that made it
	at     int    // the index of a result
	exe    *executable
	device int
	args   []engine.Buffer
	kept   []byte // what Upload was given
}

// An executable is an executable of a fake.
type executable struct {
	engine.Executable
	of    *fake
	g     *ir.Graph
	mode  engine.Mode
	runs  atomic.Int64
	ended atomic.Bool // a Run has got an ended context
}

func (f *fake) Name() string        { return f.name }
func (f *fake) Platform() string    { return f.platform }
func (f *fake) Devices() []string   { return f.devices }
func (f *fake) HostMemory(int) bool { return f.host }
func (f *fake) HostPrograms() bool  { return f.inHost }

func (f *fake) err(method string) error {
	if f.fails == method {
		return errors.New(method + " fails")
	}
	return nil
}

func (f *fake) Counters() engine.Counters {
	c := f.Executor.Counters()
	if f.counters != nil {
		f.counters(f, &c)
	}
	return c
}

func (f *fake) upload(from string, t shape.Type, data []byte, device int) (engine.Buffer, error) {
	if err := f.err(from); err != nil {
		return nil, err
	}
	b, err := f.Executor.UploadCopied(t, data, device)
	return &buffer{Buffer: b, of: f, typ: t, from: from, device: device, kept: data}, err
}

func (f *fake) Upload(t shape.Type, data []byte, device int) (engine.Buffer, error) {
	return f.upload("Upload", t, data, device)
}

func (f *fake) UploadCopied(t shape.Type, data []byte, device int) (engine.Buffer, error) {
	return f.upload("UploadCopied", t, data, device)
}

func (f *fake) Copy(b engine.Buffer, device int) (engine.Buffer, error) {
	if err := f.err("Copy"); err != nil {
		return nil, err
	}
	from := b.(*buffer)
	return &buffer{Buffer: from.Buffer, of: f, typ: from.typ, from: "Copy", device: device}, nil
}

func (f *fake) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	if err := f.err("Compile"); err != nil {
		return nil, err
	}
	if f.compile != nil {
		if err := f.compile(f, g, m); err != nil {
			return nil, err
		}
	}
	e, err := f.Executor.Compile(ctx, g, m)
	return &executable{Executable: e, of: f, g: g, mode: m}, err
}

func (e *executable) Origin() engine.Origin {
	if e.of.origin != nil {
		return e.of.origin(e)
	}
	return e.Executable.Origin()
}

func (e *executable) Run(ctx context.Context, args, out []engine.Buffer) error {
	if err := e.of.err("Run"); err != nil {
		return err
	}
	e.runs.Add(1)
	if e.of.run != nil {
		if err := e.of.run(e, ctx); err != nil {
			return err
		}
	}
	own := make([]engine.Buffer, len(args))
	for i, a := range args {
		b := a.(*buffer)
		if b.device != e.mode.Device {
			return errors.New("an argument is on another device")
		}
		own[i] = b.Buffer
	}
	if err := e.Executable.Run(ctx, own, out); err != nil {
		return err
	}
	for i, b := range out {
		out[i] = &buffer{Buffer: b, of: e.of, typ: e.g.Outputs[i].Type, from: "Run", at: i, exe: e, device: e.mode.Device, args: args}
	}
	return nil
}

func (b *buffer) Await(ctx context.Context) error {
	return errors.Join(b.of.err("Await"), b.Buffer.Await(ctx))
}

func (b *buffer) Read(ctx context.Context, data []byte) error {
	if err := b.of.err("Read"); err != nil {
		return err
	}
	err := b.Buffer.Read(ctx, data)
	if b.of.read != nil {
		b.of.read(b, data)
	}
	return err
}

func (b *buffer) View(ctx context.Context, use func([]byte)) (bool, error) {
	if err := b.of.err("View"); err != nil {
		return true, err
	}
	if b.of.view == nil {
		return b.Buffer.View(ctx, use)
	}
	data := make([]byte, 4)
	err := b.Buffer.Read(ctx, data)
	return b.of.view(b, use, data), err
}

func (b *buffer) Release() {
	if b.of.release != nil {
		b.of.release(b)
	}
}

// wrong returns a change of what is read: it flips the byte at index at of the buffers that when selects.
func wrong(at int, when func(b *buffer) bool) func(f *fake) {
	return func(f *fake) {
		f.read = func(b *buffer, data []byte) {
			if when(b) {
				data[(at+len(data))%len(data)] ^= 0x41
			}
		}
	}
}

// result selects result i of the programs that has selects.
func result(i int, has func(e *executable) bool) func(b *buffer) bool {
	return func(b *buffer) bool { return b.from == "Run" && b.at == i && has(b.exe) }
}

// with selects the programs with an operation.
func with(c ir.Code) func(e *executable) bool {
	return func(e *executable) bool {
		return slices.ContainsFunc(e.g.Nodes, func(n *ir.Node) bool { return n.Code == c })
	}
}

func loops(f *fake, e *executable) bool { return with(ir.While)(e) }

// everything has the names of all tests of the suite that compile a program.
const everything = "a_copy_on_each_device view_of_elements order_of_results a_parameter_as_a_result " +
	"narrow_numbers,_compiled_fast an_empty_tensor a_loop a_canceled_context concurrent_use counters origins a_released_argument"

// faults has executors by name, the tests that each must fail on a device (after a slash those on the second, if they
// differ), and a part of what is printed.
var faults = map[string]struct {
	make         func(f *fake)
	failed, text string
}{
	"none":         {func(*fake) {}, "", ""},
	"host memory":  {func(f *fake) { f.host = true }, "", ""},
	"no device":    {func(f *fake) { f.devices = nil }, "", `has devices []`},
	"no name":      {func(f *fake) { f.name = "" }, "", `executor "" on platform`},
	"no platform":  {func(f *fake) { f.platform = "" }, "", `on platform ""`},
	"device names": {func(f *fake) { f.devices = []string{"reference:0", "reference:2"} }, "", "device 1 is reference:2, want reference:1"},

	"Compile":      {func(f *fake) { f.fails = "Compile" }, everything, "Compile fails"},
	"Upload":       {func(f *fake) { f.fails = "Upload" }, "upload_and_read_of_every_dtype " + everything, "Upload fails"},
	"UploadCopied": {func(f *fake) { f.fails = "UploadCopied" }, "upload_of_a_copy", "UploadCopied fails"},
	"Copy":         {func(f *fake) { f.fails = "Copy" }, "a_copy_on_each_device", "Copy fails"},
	"Run":          {func(f *fake) { f.fails = "Run" }, everything, "Run fails"},
	"Await": {func(f *fake) { f.fails = "Await" },
		strings.NewReplacer(" concurrent_use", "", " a_released_argument", "").Replace(everything), "Await fails"},
	"Read": {func(f *fake) { f.fails = "Read" }, "upload_and_read_of_every_dtype upload_of_a_copy " + everything, "Read fails"},
	"View": {func(f *fake) { f.fails = "View" }, "view_of_elements", "View fails"},

	"the last dtype": {wrong(-1, func(b *buffer) bool { return b.from == "Upload" && b.typ.DType == dtype.C128 }),
		"upload_and_read_of_every_dtype", ", read "},
	"the first dtype": {wrong(0, func(b *buffer) bool { return b.from == "Upload" && b.typ.DType == dtype.I1 && len(b.typ.Shape) == 1 }),
		"upload_and_read_of_every_dtype", ", read "},
	"the second element": {func(f *fake) { // is taken for 0
		f.read = func(b *buffer, data []byte) {
			if b.from == "Upload" && len(b.typ.Shape) == 1 && b.typ.DType == dtype.I32 {
				clear(data[4:8])
			}
		}
	}, "upload_and_read_of_every_dtype", ", read "},

	"a small copy": {func(f *fake) {
		f.read = func(b *buffer, data []byte) {
			if b.from == "UploadCopied" && len(data) == 3 {
				copy(data, b.kept)
			}
		}
	}, "upload_of_a_copy", "the last of 3 bytes are 0 and 0"},
	"a large copy": {func(f *fake) {
		f.read = func(b *buffer, data []byte) {
			if b.from == "UploadCopied" && len(data) >= engine.Large {
				copy(data, b.kept)
			}
		}
	}, "upload_of_a_copy", "bytes are 0 and 0"},
	"the first byte of a copy": {wrong(0, func(b *buffer) bool { return b.from == "UploadCopied" }), "upload_of_a_copy", "bytes are 64 and 2,"},
	"the last byte of a copy":  {wrong(-1, func(b *buffer) bool { return b.from == "UploadCopied" }), "upload_of_a_copy", "bytes are 1 and 67,"},

	"a copy on the second device": {wrong(0, func(b *buffer) bool { return b.from == "Copy" && b.device == 1 }),
		"a_copy_on_each_device", "the copy on device 1 is "},
	"a program on the second device": {wrong(0, func(b *buffer) bool {
		return b.from == "Run" && b.device == 1 && b.args[0].(*buffer).from == "Copy"
	}), "a_copy_on_each_device", "the result of a program on device 1 is "},
	"a compilation for the second device": {func(f *fake) {
		f.compile = func(f *fake, _ *ir.Graph, m engine.Mode) error {
			if m.Device == 1 {
				return errors.New("no compiler")
			}
			return nil
		}
	}, "a_copy_on_each_device / " + everything, "no compiler"},

	"a wrong view": {func(f *fake) {
		f.view = func(_ *buffer, use func([]byte), data []byte) bool { use([]byte{0, 0, 0, 1}); return true }
	}, "view_of_elements", "true and <nil>, and passes on 00000001"},
	"a wrong view of a result": {func(f *fake) {
		f.view = func(b *buffer, use func([]byte), data []byte) bool {
			if b.from != "Run" {
				use(data)
			}
			return true
		}
	}, "view_of_elements", "true and <nil>, and passes on "},
	"a view that is not reported": {func(f *fake) {
		f.view = func(_ *buffer, use func([]byte), data []byte) bool { use(data); return false }
	}, "view_of_elements", "false and <nil>, and passes on 00004040"},
	"no view": {func(f *fake) {
		f.view = func(*buffer, func([]byte), []byte) bool { return false }
	}, "", ""},
	"no view of host memory": {func(f *fake) {
		f.host = true
		f.view = func(*buffer, func([]byte), []byte) bool { return false }
	}, "view_of_elements", "View returns false although buffers lie in host memory"},

	"the first of two results":  {wrong(0, result(0, with(ir.Sub))), "order_of_results", "410000c0"},
	"the second of two results": {wrong(0, result(1, with(ir.Sub))), "order_of_results", "41000040"},
	"a parameter that is a result": {wrong(0, result(0, func(e *executable) bool { return len(e.g.Nodes) == 0 })),
		"a_parameter_as_a_result", "4100e040"},
	"a parameter that is the second result": {wrong(0, result(1, func(e *executable) bool { return len(e.g.Nodes) == 0 })),
		"a_parameter_as_a_result", "4100e040"},
	"narrow floats":   {narrow(0, 2), "narrow_numbers,_compiled_fast", "result 0 is"},
	"narrow integers": {narrow(1, 0), "narrow_numbers,_compiled_fast", "result 1 is"},
	"bools":           {narrow(2, 0), "narrow_numbers,_compiled_fast", "result 2 is"},
	"quick compilation": {func(f *fake) {
		f.compile = func(_ *fake, _ *ir.Graph, m engine.Mode) error {
			if m.Quick {
				return errors.New("not so fast")
			}
			return nil
		}
	}, "narrow_numbers,_compiled_fast", "not so fast"},
	"no elements": {func(f *fake) {
		f.compile = func(_ *fake, g *ir.Graph, _ engine.Mode) error {
			if g.Params[0].Type.Shape.Size() == 0 {
				return errors.New("nothing to compute")
			}
			return nil
		}
	}, "an_empty_tensor", "nothing to compute"},
	"a loop": {wrong(3, func(b *buffer) bool {
		return b.from == "Run" && loops(b.of, b.exe) && b.args[0] != b.args[1] && string(b.args[0].(*buffer).kept) == "\x00\x00\x40\x40"
	}), "view_of_elements a_loop a_released_argument", "0000c000"},

	"a context that has ended": {func(f *fake) {
		f.run = func(_ *executable, ctx context.Context) error {
			if ctx.Err() != nil {
				return errors.New("some error")
			}
			return nil
		}
	}, "a_canceled_context", "some error"},
	"a run after an interrupted one": {func(f *fake) {
		f.run = func(e *executable, ctx context.Context) error {
			if ctx.Err() != nil {
				e.ended.Store(true)
			}
			return nil
		}
		f.read = func(b *buffer, data []byte) {
			if b.from == "Run" && b.exe.ended.Load() {
				data[0] ^= 0x41
			}
		}
	}, "a_canceled_context", "the result of the later Run is 41000040, want 00000040"},

	"the last of many runs": {func(f *fake) {
		f.run = func(e *executable, _ context.Context) error {
			if e.runs.Load() == 20 {
				return errors.New("too many runs")
			}
			return nil
		}
	}, "concurrent_use", "too many runs"},
	"the results of many runs": {wrong(0, func(b *buffer) bool { return b.from == "Run" && b.exe.runs.Load() > 10 }),
		"concurrent_use", "read 41008040, <nil>, want 00008040"},
	"a fourth goroutine": {wrong(0, func(b *buffer) bool {
		return b.from == "Run" && len(b.args) == 2 && b.args[0] == b.args[1] && string(b.args[0].(*buffer).kept) == "\x00\x00\x80\x40"
	}), "concurrent_use", "want 00008040"},

	"no launches":     {count(func(c *engine.Counters) { c.Launches = 0 }), "counters", "before {"},
	"launches twice":  {count(func(c *engine.Counters) { c.Launches *= 2 }), "counters", "before {"},
	"no compiles":     {count(func(c *engine.Counters) { c.Compiles = 0 }), "counters origins", "before {"},
	"compiles twice":  {count(func(c *engine.Counters) { c.Compiles *= 2 }), "counters", "before {"},
	"no bytes there":  {count(func(c *engine.Counters) { c.BytesToDevice = 0 }), "counters", "before {"},
	"few bytes there": {count(func(c *engine.Counters) { c.BytesToDevice /= 2 }), "counters", "before {"},
	"no bytes back":   {count(func(c *engine.Counters) { c.BytesToHost = 0 }), "counters", "before {"},
	"few bytes back":  {count(func(c *engine.Counters) { c.BytesToHost /= 2 }), "counters", "before {"},
	"more bytes":      {count(func(c *engine.Counters) { c.BytesToHost *= 2; c.BytesToDevice *= 2 }), "", ""},
	"from files": {func(f *fake) {
		f.origin = func(*executable) engine.Origin { return engine.Loaded }
		f.counters = func(_ *fake, c *engine.Counters) { c.DiskHits, c.Compiles = c.Compiles, 0 }
	}, "", ""},
	"from files, counted as compiled": {func(f *fake) {
		f.origin = func(*executable) engine.Origin { return engine.Loaded }
	}, "origins", "a program with a loop has origin 1"},
	"compiled, counted as from files": {count(func(c *engine.Counters) { c.DiskHits, c.Compiles = c.Compiles, 0 }),
		"origins", "a program with a loop has origin 0"},

	"host programs":                    {inHost(1, false), "", ""},
	"host programs, not counted":       {inHost(0, false), "origins", "counts 0 launches for one launch of a program with origin 2"},
	"host programs, counted twice":     {inHost(2, false), "origins", "counts 2 launches for one launch of a program with origin 2"},
	"host programs with loops":         {inHost(1, true), "origins", "a program with a loop has origin 2"},
	"host programs that are not there": {func(f *fake) { f.inHost = true }, "origins", "a small program has origin 0; HostPrograms is true"},
	"host programs that are denied": {func(f *fake) {
		inHost(1, false)(f)
		f.inHost = false
	}, "origins", "a small program has origin 2; HostPrograms is false"},
	"launches in host memory of other programs": {func(f *fake) {
		f.counters = func(_ *fake, c *engine.Counters) { c.HostLaunches = c.Launches }
	}, "origins", "counts 1 launches for one launch of a program with origin 0"},

	"a released argument": {func(f *fake) {
		f.release = func(b *buffer) { b.from = "" }
		f.read = func(b *buffer, data []byte) {
			if b.from == "Run" && b.args[0].(*buffer).from == "" {
				clear(data)
			}
		}
	}, "a_released_argument", "00000000"},
}

// narrow makes result i of programs of narrow dtypes the byte x.
func narrow(i int, x byte) func(f *fake) {
	return func(f *fake) {
		f.read = func(b *buffer, data []byte) {
			if result(i, with(ir.Clamp))(b) {
				data[0] = x
			}
		}
	}
}

func count(change func(c *engine.Counters)) func(f *fake) {
	return func(f *fake) { f.counters = func(_ *fake, c *engine.Counters) { change(c) } }
}

// inHost makes small programs run in host memory, each launch counted n times. If loops is set, so do those with loops.
func inHost(n int64, too bool) func(f *fake) {
	return func(f *fake) {
		is := func(e *executable) bool { return too || !loops(f, e) }
		f.inHost = true
		f.origin = func(e *executable) engine.Origin {
			if is(e) {
				return engine.InHost
			}
			return engine.Compiled
		}
		f.run = func(e *executable, _ context.Context) error {
			if is(e) {
				f.hostLaunches.Add(n)
			}
			return nil
		}
		f.counters = func(_ *fake, c *engine.Counters) { c.HostLaunches = f.hostLaunches.Load() }
	}
}

// TestFault tests an executor of faults where TestFaultsAreNoticed runs it.
func TestFault(t *testing.T) {
	fault, ok := faults[os.Getenv("GOANVIL_TEST_FAULT")]
	if !ok {
		return
	}
	f := &fake{
		Executor: engine.NewReference(), name: "fake", platform: "REFERENCE", devices: []string{"reference:0", "reference:1"},
	}
	fault.make(f)
	enginetest.Run(t, f)
}

// TestFaultsAreNoticed checks which tests fail for the executors in faults, on which device, and what is printed.
func TestFaultsAreNoticed(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		fault := faults[name]
		cmd := exec.Command(os.Args[0], "-test.run=^TestFault$", "-test.v")
		cmd.Env = append(os.Environ(), "GOANVIL_TEST_FAULT="+name)
		out, err := cmd.CombinedOutput()
		text := string(out)
		if (err == nil) != (fault.text == "") || !strings.Contains(text, fault.text) || strings.Contains(text, "panic: ") {
			t.Errorf("%s: %v, want %q in\n%s", name, err, fault.text, text)
		}
		for _, device := range []string{"reference:0", "reference:1"} {
			var failed []string
			for line := range strings.Lines(text) {
				if rest, ok := strings.CutPrefix(line, "        --- FAIL: TestFault/"+device+"/"); ok {
					failed = append(failed, rest[:strings.IndexByte(rest, ' ')])
				}
			}
			want, other, differs := strings.Cut(fault.failed, " / ")
			if device == "reference:1" && differs {
				want = other
			}
			if got := strings.Join(failed, " "); got != want {
				t.Errorf("%s: on %s failed %s, want %s\n%s", name, device, got, want, text)
			}
		}
		if passes := strings.Count(text, "--- PASS: TestFault/reference:1/"); name == "none" && passes != 14 {
			t.Errorf("%d tests run on the second device\n%s", passes, text)
		}
	}
}
