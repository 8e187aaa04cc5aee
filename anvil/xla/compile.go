package xla

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// CompileOptions say what a program is compiled for. The C side checks no
// argument, so Args must be what the program declares: Run checks against it.
type CompileOptions struct {
	Device        *Device // nil: the first
	Args, Results []Type
	Overrides     map[string]any // XLA's options by name: bool, int, float64, string
	Cheap         bool           // known to be tiny: see RunContext
	Stoppable     []bool         // nil, or of each result whether it comes of loops that an argument of StopType behind Args ends
	Donated       []int          // arguments whose memory the program takes for results: its text says for which
}

// declared returns the types of all that the program takes.
func (o CompileOptions) declared() []Type {
	if o.Stoppable != nil {
		return append(slices.Clone(o.Args), StopType)
	}
	return o.Args
}

// excessPrecision is always false where the plugin knows it: with it, a chain in
// bf16 gives another answer in one program than op by op.
const excessPrecision = "xla_allow_excess_precision"

// fastMinMax is always false where the plugin knows it: with it, the CPU compiler
// has max(x, NaN) = x.
const fastMinMax = "xla_cpu_enable_fast_min_max"

// Compile compiles StableHLO text on the calling goroutine. @main has to be written
// as func.func @main(%x: tensor<...>, ...), so that its arguments can be checked.
func (c *Client) Compile(program []byte, o CompileOptions) (*Executable, error) {
	e := &Executable{client: c, cheap: o.Cheap, donated: o.Donated, stoppable: o.Stoppable}
	if err := e.setTypes(o); err != nil {
		return nil, refused("Compile", "", nil, "", "%v", err)
	}
	dev, err := c.enter("Compile", e, o.Device)
	if err != nil {
		return nil, err
	}
	defer c.drop()
	e.device = dev
	if err := checkProgram(program, o.declared(), o.Donated); err != nil {
		return nil, refused("Compile", e.String(), nil, "", "%v", err)
	}
	return e.load("Compile", func() (*capi.LoadedExecutable, error) {
		c.counters.compiles.Add(1)
		return c.compile(program, dev, o.Overrides)
	})
}

// compile adds the options that programs are always compiled with; whether the plugin
// knows them shows at the first program.
func (c *Client) compile(program []byte, dev *Device, overrides map[string]any) (*capi.LoadedExecutable, error) {
	all := c.plugin.defaultOverrides()
	maps.Copy(all, overrides)
	options, err := compileOptions(dev.id, all)
	if err != nil {
		return nil, err
	}
	ptr, err := c.table.Compile(c.ptr, program, options)
	for name := range all {
		if _, explicit := overrides[name]; !explicit && lacks(err, name) {
			c.plugin.setOption(name, false)
			return c.compile(program, dev, overrides)
		}
	}
	return ptr, err
}

// defaultOverrides returns those that are not known to be unknown to the plugin.
func (p *Plugin) defaultOverrides() map[string]any {
	all := map[string]any{excessPrecision: false, fastMinMax: false}
	if p.toolkit != "" {
		all["xla_gpu_cuda_data_dir"] = p.toolkit
	}
	for name := range all {
		if known, asked := p.option(name); asked && !known {
			delete(all, name)
		}
	}
	return all
}

// toolkit returns the folder of CUDA's device library beside a plugin that pip
// installed, for XLA to find; "" where there is none.
func toolkit(plugin string) string {
	site := filepath.Dir(filepath.Dir(filepath.Dir(plugin)))
	for _, name := range []string{"cu13", "cuda_nvcc"} { // of nvidia-nvvm; of nvidia-cuda-nvcc-cu12
		dir := filepath.Join(site, "nvidia", name)
		if _, err := os.Stat(filepath.Join(dir, "nvvm", "libdevice")); err == nil {
			return dir
		}
	}
	return ""
}

// lacks reports whether err says that there is no compile option of that name.
func lacks(err error, name string) bool {
	return err != nil && strings.Contains(err.Error(), "No such compile option: '"+name+"'")
}

// HasOption reports whether the plugin has a compile option of that name. The
// first question per plugin and name compiles a tiny program.
func (c *Client) HasOption(name string) bool {
	if known, asked := c.plugin.option(name); asked {
		return known
	}
	const program = "func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }"
	options, err := compileOptions(c.devices[0].id, map[string]any{name: false})
	if err != nil || c.life.ended.Load() {
		return false
	}
	ptr, err := c.table.Compile(c.ptr, []byte(program), options)
	if err == nil {
		_ = c.table.DestroyExecutable(ptr)
	}
	known := !lacks(err, name) // an option that is no bool is another error
	c.plugin.setOption(name, known)
	return known
}

func (p *Plugin) option(name string) (known, asked bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, asked = p.options[name]
	return known, asked
}

func (p *Plugin) setOption(name string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.options[name] = known
}

// CompileContext is Compile on a goroutine of its own: when ctx ends first it
// returns ctx's error at once, and the result is thrown away.
func (c *Client) CompileContext(ctx context.Context, program []byte, o CompileOptions) (*Executable, error) {
	type outcome struct {
		e   *Executable
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		e, err := c.Compile(program, o)
		done <- outcome{e, err}
	}()
	select {
	case r := <-done:
		return r.e, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.e != nil {
				r.e.Destroy()
			}
		}()
		return nil, ctx.Err()
	}
}

// Deserialize loads what Serialize returned. The data is code: the caller has
// made sure that it is whole, and from this plugin (Hash), this kind of
// processor and these options; any other may be loaded and compute garbage.
func (c *Client) Deserialize(data []byte, o CompileOptions) (*Executable, error) {
	e := &Executable{client: c, cheap: o.Cheap, donated: o.Donated, stoppable: o.Stoppable}
	if err := e.setTypes(o); err != nil {
		return nil, refused("Deserialize", "", nil, "", "%v", err)
	}
	dev, err := c.enter("Deserialize", e, o.Device)
	if err != nil {
		return nil, err
	}
	defer c.drop()
	e.device = dev
	if len(data) == 0 {
		return nil, refused("Deserialize", e.String(), nil, "", "there is nothing to load")
	}
	return e.load("Deserialize", func() (*capi.LoadedExecutable, error) {
		return c.table.Deserialize(c.ptr, data)
	})
}

// load fills e with what get returns, once its types are known to be the ones
// that it was said to have.
func (e *Executable) load(op string, get func() (*capi.LoadedExecutable, error)) (*Executable, error) {
	ptr, err := get()
	if err != nil {
		return nil, failed(op, e.String(), err, "")
	}
	if err := e.client.checkResults(ptr, e.results); err != nil {
		return nil, errors.Join(refused(op, e.String(), nil, "", "%v", err), e.client.table.DestroyExecutable(ptr))
	}
	e.adopt(ptr)
	return e, nil
}

// checkResults compares what the plugin says of the results with what it was told.
func (c *Client) checkResults(ptr *capi.LoadedExecutable, results []Type) error {
	outputs, err := c.table.Outputs(ptr)
	if err != nil {
		return err
	}
	got := make([]Type, len(outputs))
	for i, o := range outputs {
		got[i].DType = dtypeOf(o.ElementType)
		for _, d := range o.Dims {
			got[i].Dims = append(got[i].Dims, int(d))
		}
	}
	if !slices.EqualFunc(got, results, func(a, b Type) bool { return a.equal(&b) }) {
		return fmt.Errorf("the program returns (%s)", types(got))
	}
	return nil
}

func dtypeOf(element int32) dtype.DType {
	for d, e := range elements {
		if e == element {
			return d
		}
	}
	return dtype.Invalid
}
