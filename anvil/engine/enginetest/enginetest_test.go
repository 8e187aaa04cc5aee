package enginetest_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/engine/enginetest"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// The executors below have one mistake each.
type (
	misnamed   struct{ engine.Executor }
	keeping    struct{ engine.Executor }
	reversing  struct{ engine.Executor }
	endless    struct{ engine.Executor }
	uncounted  struct{ engine.Executor }
	unoriginal struct{ engine.Executor }

	reversed   struct{ engine.Executable }
	unending   struct{ engine.Executable }
	originless struct{ engine.Executable }
)

func (misnamed) Devices() []string { return []string{"device"} }

func (e keeping) UploadCopied(t shape.Type, data []byte, device int) (engine.Buffer, error) {
	return e.Upload(t, data, device)
}

func (uncounted) Counters() engine.Counters { return engine.Counters{} }

func (e reversing) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	exe, err := e.Executor.Compile(ctx, g, m)
	return reversed{exe}, err
}

func (e reversed) Run(ctx context.Context, args, out []engine.Buffer) error {
	err := e.Executable.Run(ctx, args, out)
	slices.Reverse(out)
	return err
}

func (e endless) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	exe, err := e.Executor.Compile(ctx, g, m)
	return unending{exe}, err
}

func (e unending) Run(_ context.Context, args, out []engine.Buffer) error {
	return e.Executable.Run(context.Background(), args, out)
}

func (e unoriginal) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	exe, err := e.Executor.Compile(ctx, g, m)
	return originless{exe}, err
}

func (originless) Origin() engine.Origin { return -1 }

// mistakes maps the tests of the suite, separated by spaces, to executors that must fail them, and only them.
var mistakes = map[string]func(engine.Executor) engine.Executor{
	"upload_of_a_copy": func(e engine.Executor) engine.Executor { return keeping{e} },
	"order_of_results narrow_numbers,_compiled_fast": func(e engine.Executor) engine.Executor { return reversing{e} },
	"a_canceled_context":                             func(e engine.Executor) engine.Executor { return endless{e} },
	"counters origins":                               func(e engine.Executor) engine.Executor { return uncounted{e} },
	"origins":                                        func(e engine.Executor) engine.Executor { return unoriginal{e} },
	"":                                               func(e engine.Executor) engine.Executor { return e },
}

// TestWrong tests an executor with a mistake where TestMistakesAreNoticed runs it.
func TestWrong(t *testing.T) {
	switch name, set := os.LookupEnv("GOANVIL_TEST_WRONG"); {
	case name == "names":
		enginetest.Run(t, misnamed{engine.NewReference()})
	case set:
		enginetest.Run(t, mistakes[name](engine.NewReference()))
	}
}

// TestMistakesAreNoticed checks which tests fail for executors with one mistake.
func TestMistakesAreNoticed(t *testing.T) {
	run := func(name string) (output string, failed []string) {
		wrong := exec.Command(os.Args[0], "-test.run=^TestWrong$")
		wrong.Env = append(os.Environ(), "GOANVIL_TEST_WRONG="+name)
		out, _ := wrong.CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if rest, ok := strings.CutPrefix(line, "        --- FAIL: TestWrong/reference:0/"); ok {
				failed = append(failed, rest[:strings.IndexByte(rest, ' ')])
			}
		}
		return string(out), failed
	}
	for name := range mistakes {
		if out, failed := run(name); strings.Join(failed, " ") != name {
			t.Errorf("%q: failed %v:\n%s", name, failed, out)
		}
	}
	if out, _ := run("names"); !strings.Contains(out, "device 0 is device, want reference:0") {
		t.Errorf("a device with another name:\n%s", out)
	}
}
