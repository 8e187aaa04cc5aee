package universe

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
)

// TestExamplesRun runs each example as a cell of one notebook. Those that write files come first, since others read
// the files.
func TestExamplesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	s, err := interp.New(WithReceivers(map[string]any{
		Module + "/anvil": ctx, Module + "/anvil/random": random.In(ctx), Module + "/anvil/data": data.In(ctx),
		Module + "/display": display.NewOutlet(display.WriterSink(t.Output())),
	}), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(path, name, code string) {
		if DocOf(path, name).Text == "" {
			t.Errorf("%s has no %s", path, name)
		}
		if r := s.Run(context.Background(), code, 1); r.Err != nil && !strings.Contains(r.Err.Text(), `no device "cpu"`) {
			t.Errorf("%s: %s: %s\n%s", path, name, code, r.Err.Text())
		}
	}
	for path, codes := range examples() {
		names := slices.Sorted(maps.Keys(codes))
		writers := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return !strings.HasPrefix(name, "Write")
		})
		for _, name := range append(writers, names...) {
			run(path, name, codes[name])
		}
	}
}

// TestFunctionsHaveExamples tests that the functions of package anvil have examples, with few exceptions.
func TestFunctionsHaveExamples(t *testing.T) {
	without := map[string]bool{"NewContext": true, "Op": true, "Gather": true, "Scatter": true, "Freeze": true}
	for name, v := range packs()[Module+"/anvil"].values() {
		isInto, isTwin := strings.HasSuffix(name, "Into"), strings.HasSuffix(name, "Any") && name != "Any"
		if v.Kind() == reflect.Func && !isInto && !isTwin && !without[name] && exampleOf("anvil", name) == "" {
			t.Errorf("nv.%s has no example", name)
		}
	}
}
