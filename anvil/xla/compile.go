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

// CompileOptions describe a program to be compiled.
type CompileOptions struct {
	// Device is the device to compile for; nil means the first.
	Device *Device

	// Args and Results are the types that the program declares. Run compares the types of its
	// arguments with Args, since the plugin does not check them.
	Args, Results []Type

	// Overrides has values for options of XLA's compiler, by name: bool, int, float64 or string.
	Overrides map[string]any

	// Cheap says that the program is known to be tiny; see RunContext.
	Cheap bool

	// Stoppable is not nil if the program declares one more argument after Args, of
	// StopType, with which its loops can be stopped. For each result it says whether
	// such loops compute the result.
	Stoppable []bool

	// Donated are the indices of the arguments whose memory the program reuses for results.
	// The program's text says which result reuses the memory of which argument.
	Donated []int
}

// declared returns the types of all arguments that the program declares.
func (o CompileOptions) declared() []Type {
	if o.Stoppable != nil {
		return append(slices.Clone(o.Args), StopType)
	}
	return o.Args
}

// excessPrecision is an option that is set to false. If it were true, a chain of bf16
// operations would give different results in one program than in several.
const excessPrecision = "xla_allow_excess_precision"

// fastMinMax is an option that is set to false. If it were true, max(x, NaN) would be x on CPUs.
const fastMinMax = "xla_cpu_enable_fast_min_max"

// Compile compiles a program, StableHLO text, on the calling goroutine. The text must declare
// func.func @main(%x: tensor<...>, ...), so that the types of its arguments can be checked.
func (c *Client) Compile(program []byte, o CompileOptions) (*Executable, error) {
	e := &Executable{client: c, cheap: o.Cheap, donated: o.Donated, stoppable: o.Stoppable}
	if err := e.setTypes(o); err != nil {
		return nil, refused("Compile", "", nil, "", "%v", err)
	}
	dev, err := c.enter("Compile", e, o.Device)
	if err != nil {
		return nil, err
	}
	defer c.release()
	e.device = dev
	if err := checkProgram(program, o.declared(), o.Donated); err != nil {
		return nil, refused("Compile", e.String(), nil, "", "%v", err)
	}
	return e.load("Compile", func() (*capi.LoadedExecutable, error) {
		c.counters.compiles.Add(1)
		return c.compile(program, dev, o.Overrides)
	})
}

// compile compiles program with the default overrides and the given ones. If the error is that
// the plugin does not know a default option, compile records this and tries again without the
// option.
func (c *Client) compile(program []byte, dev *Device, overrides map[string]any) (*capi.LoadedExecutable, error) {
	all := c.plugin.defaultOverrides()
	maps.Copy(all, overrides)
	options, err := compileOptions(dev.id, all)
	if err != nil {
		return nil, err
	}
	ptr, err := c.table.Compile(c.ptr, program, options)
	for name := range all {
		if _, explicit := overrides[name]; !explicit && isUnknownOption(err, name) {
			c.plugin.setOption(name, false)
			return c.compile(program, dev, overrides)
		}
	}
	return ptr, err
}

// defaultOverrides returns the options that programs are always compiled with, without
// those that the plugin is known to lack.
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

// toolkit returns the folder of CUDA's device library that pip has installed together with the
// plugin at the given path, or "".
func toolkit(plugin string) string {
	site := filepath.Dir(filepath.Dir(filepath.Dir(plugin)))
	for _, name := range []string{"cu13", "cuda_nvcc"} { // from the packages nvidia-nvvm and nvidia-cuda-nvcc-cu12
		dir := filepath.Join(site, "nvidia", name)
		if _, err := os.Stat(filepath.Join(dir, "nvvm", "libdevice")); err == nil {
			return dir
		}
	}
	return ""
}

// isUnknownOption reports whether err is the plugin's error that no compile option has the given name.
func isUnknownOption(err error, name string) bool {
	return err != nil && strings.Contains(err.Error(), "No such compile option: '"+name+"'")
}

// HasOption reports whether the plugin has a compile option with the given name. To find out, the
// first call for a plugin and a name compiles a tiny program.
func (c *Client) HasOption(name string) bool {
	if known, asked := c.plugin.option(name); asked {
		return known
	}
	const program = "func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }"
	options, err := compileOptions(c.devices[0].id, map[string]any{name: false})
	if err != nil || !c.refs.acquire() {
		return false
	}
	defer c.release()
	ptr, err := c.table.Compile(c.ptr, []byte(program), options)
	if err == nil {
		_ = c.table.DestroyExecutable(ptr)
	}
	known := !isUnknownOption(err, name) // an option that is not a bool gives a different error
	c.plugin.setOption(name, known)
	return known
}

// option reports whether the plugin has a compile option. asked is false if no program has been
// compiled with the option yet, so that the answer is not known.
func (p *Plugin) option(name string) (known, asked bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, asked = p.options[name]
	return known, asked
}

// setOption records whether the plugin has a compile option.
func (p *Plugin) setOption(name string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.options[name] = known
}

// CompileContext is Compile in another goroutine. If ctx ends before the program is compiled,
// CompileContext returns ctx's error at once, and the executable is destroyed later.
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

// Deserialize loads data that Serialize returned. The data is machine code: the caller must
// ensure that it is complete, and that it was serialized by the same plugin (see Plugin.Hash) for
// the same kind of processor and the same options. Other data may compute garbage.
func (c *Client) Deserialize(data []byte, o CompileOptions) (*Executable, error) {
	e := &Executable{client: c, cheap: o.Cheap, donated: o.Donated, stoppable: o.Stoppable}
	if err := e.setTypes(o); err != nil {
		return nil, refused("Deserialize", "", nil, "", "%v", err)
	}
	dev, err := c.enter("Deserialize", e, o.Device)
	if err != nil {
		return nil, err
	}
	defer c.release()
	e.device = dev
	if len(data) == 0 {
		return nil, refused("Deserialize", e.String(), nil, "", "the data is empty")
	}
	return e.load("Deserialize", func() (*capi.LoadedExecutable, error) {
		return c.table.Deserialize(c.ptr, data)
	})
}

// load makes e the owner of the executable that get returns, after checking its result types, and returns e.
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

// checkResults returns an error unless the executable's results have the given types.
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
		return fmt.Errorf("the program returns (%s), not (%s)", typeList(got), typeList(results))
	}
	return nil
}

// dtypeOf returns the dtype of PJRT's element type.
func dtypeOf(element int32) dtype.DType {
	for d, e := range elements {
		if e == element {
			return d
		}
	}
	return dtype.Invalid
}
