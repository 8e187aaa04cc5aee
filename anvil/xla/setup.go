package xla

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A target is a plugin that Setup can install.
type target struct {
	name         string
	requirements string // the packages with versions and hashes, as pip reads them
	library      string // path of the plugin's file in the folder in which pip installs the packages
	sha256       string // hash of the library
	driver       string // platform whose driver the plugin needs, or ""
}

// JAX's packages jax-cuda12-plugin and jax-cuda13-plugin allow ranges of versions of the packages that they need. The
// requirements of a CUDA plugin have the newest versions in these ranges at the time of the plugin's release.
var (
	//go:embed requirements/cpu.txt
	cpuRequirements string
	//go:embed requirements/cuda12.txt
	cuda12Requirements string
	//go:embed requirements/cuda13.txt
	cuda13Requirements string
)

// targets are the plugins that Setup can install. This version of goanvil is tested with them.
var targets = []target{
	{
		name:         "cpu",
		requirements: cpuRequirements,
		library:      "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		sha256:       "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	},
	{
		name:         "cuda12",
		requirements: cuda12Requirements,
		library:      "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
		sha256:       "921aaa9c635255fb7b7a660d11c8f702c78a70e7f7d005d4f377c2dc5f0fede2",
		driver:       "cuda",
	},
	{
		name:         "cuda13",
		requirements: cuda13Requirements,
		library:      "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		sha256:       "b6de513893c09af2c77e71afcef46d9706f8c259337cdef4cd5cae2353886f75",
		driver:       "cuda",
	},
}

// Targets returns the names of the plugins that Setup can install.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Lacks describes the hardware and driver that the plugin with the given name needs, if this machine
// lacks them, and returns "" otherwise. If they are missing, Setup would download gigabytes that
// cannot be used.
func Lacks(name string) string {
	for _, t := range targets {
		if t.name == name && t.driver != "" && !hasDriver(t.driver) {
			return "a GPU with its driver: none of " + strings.Join(drivers[t.driver], ", ") + " exists"
		}
	}
	return ""
}

// Setup installs the named plugin into DataDir with pip, unless it is installed already, and runs
// Check on it. It reports its progress in lines of text.
func Setup(ctx context.Context, name string, progress func(line string)) (Candidate, error) {
	i := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
	if i < 0 {
		return Candidate{}, refused("Setup", name, nil, "",
			"unknown plugin; want one of %s", strings.Join(Targets(), ", "))
	}
	if !capi.Supported {
		_, err := capi.Open("") // fails, and says why plugins cannot be loaded
		return Candidate{}, failed("Setup", name, err, "")
	}
	c, err := targets[i].install(ctx, filepath.Join(DataDir(), "plugins"), pip{os.Getenv, progress})
	if err != nil {
		return Candidate{}, fmt.Errorf("goanvil setup %s: %w", name, err)
	}
	return c, nil
}

// install installs t into the folder folder/t.name, completely or not at all: pip installs into a
// temporary folder, which is renamed after the plugin has been tried.
func (t target) install(ctx context.Context, folder string, p pip) (Candidate, error) {
	final := filepath.Join(folder, t.name)
	c := Candidate{filepath.Join(final, t.library), platformOf(t.library), "installed by goanvil setup"}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return c, err
	}
	unlock, err := lock(ctx, filepath.Join(folder, ".lock"), p.progress)
	if err != nil {
		return c, err
	}
	defer unlock()
	if t.checkHash(final) == nil {
		p.progress(c.Path + " is installed")
		return c, t.try(ctx, c.Path, p.progress)
	}
	staging, err := os.MkdirTemp(folder, ".staging-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(staging)
	if err := t.fill(ctx, staging, p); err != nil {
		return c, err
	}
	if err := os.RemoveAll(final); err != nil {
		return c, err
	}
	if err := os.Rename(staging, final); err != nil {
		return c, err
	}
	if cached, err := hashCachePath(c.Path, CacheDir()); err == nil {
		writeCache(cached, t.sha256) // fill has checked that this is the hash
	}
	return c, nil
}

// fill installs the target into the folder staging, and tries it.
func (t target) fill(ctx context.Context, staging string, p pip) error {
	if err := os.Chmod(staging, 0o755); err != nil { // MkdirTemp makes a folder that only this user can read
		return err
	}
	if err := p.install(ctx, staging, t.requirements); err != nil {
		return err
	}
	if err := t.checkHash(staging); err != nil {
		return err
	}
	return t.try(ctx, filepath.Join(staging, t.library), p.progress)
}

// checkHash returns an error unless the library in dir has the expected hash.
func (t target) checkHash(dir string) error {
	sum, err := hashFile(filepath.Join(dir, t.library))
	if err == nil && sum != t.sha256 {
		err = fmt.Errorf("%s has SHA-256 %s, want %s; it is not used", t.library, sum, t.sha256)
	}
	return err
}

// checkInstalled returns an error if path is the path of a plugin that Setup has installed, but the
// file has changed since. A damaged library may end the process or compute garbage.
func checkInstalled(path string) error {
	for _, t := range targets {
		if path != filepath.Join(DataDir(), "plugins", t.name, t.library) {
			continue
		}
		sum, err := cachedHash(path, CacheDir())
		if err == nil && sum != t.sha256 {
			err = fmt.Errorf("the file has SHA-256 %s, want %s", sum, t.sha256)
		}
		return err
	}
	return nil
}

// try runs Check on the plugin. It accepts a plugin that loads but finds no device, since nothing
// else can be checked then.
func (t target) try(ctx context.Context, path string, progress func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, t.timeout())
	defer cancel()
	err := Check(ctx, path)
	if t.driver != "" && errors.Is(err, ErrNoDevice) {
		progress("the plugin loads; " + err.Error())
		return nil
	}
	if err == nil {
		progress("a test program was compiled and its result is right")
	}
	return err
}

// timeout returns the longest time that a plugin may take to start and run a program. The devices of
// a machine with several GPUs start one after another.
func (t target) timeout() time.Duration {
	if t.driver != "" {
		return time.Minute
	}
	return 5 * time.Second
}

// Check loads a plugin, checks its version, and compiles and runs a program with a
// known result.
func Check(ctx context.Context, path string) error {
	p, err := Load(path)
	if err != nil {
		return err
	}
	if major, minor := p.APIVersion(); minor < oldestMinor {
		return refused("Check", path, nil, "",
			"the plugin implements PJRT %d.%d, want at least %d.%d", major, minor, capi.Major, oldestMinor)
	}
	c, err := p.NewClient(ClientOptions{})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.runTestProgram(ctx)
}

// oldestMinor is the minor version of the PJRT API of late 2025. Plugins with older versions lack
// functions and have not been tested.
const oldestMinor = 70

// runTestProgram compiles and runs a program that computes 1/2 + (sum over i of x[i]*x[i]) for
// x = 0, 1, 2, 3, and returns an error unless the result is 14.5.
func (c *Client) runTestProgram(ctx context.Context) error {
	const program = `func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %square = stablehlo.multiply %x, %x : tensor<4xf32>
  %sum = stablehlo.reduce(%square init: %half) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}`
	vector := Type{dtype.F32, []int{4}}
	options := CompileOptions{Args: []Type{vector}, Results: []Type{{DType: dtype.F32}}}
	e, err := c.CompileContext(ctx, []byte(program), options)
	if err != nil {
		return err
	}
	defer e.Destroy()
	var data []byte
	for i := range 4 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	x, err := c.Upload(data, vector.DType, vector.Dims, nil)
	if err != nil {
		return err
	}
	defer x.Destroy()
	out := make([]*Buffer, 1)
	if err := e.RunContext(ctx, []*Buffer{x}, out); err != nil {
		return err
	}
	defer out[0].Destroy()
	result := make([]byte, 4)
	if err := out[0].Read(ctx, result); err != nil {
		return err
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(result)); got != 14.5 {
		return refused("Check", c.plugin.path, nil, "use another plugin", "a test program returns %v, want 14.5", got)
	}
	return nil
}
