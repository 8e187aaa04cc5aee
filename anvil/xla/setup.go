package xla

import (
	"context"
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

// A target is what Setup can install.
type target struct {
	name     string
	packages []string // pinned, or ranges as JAX's own plugin package has them
	library  string   // the plugin in the folder that pip makes
	sha256   string   // of the library
	driver   string   // the platform whose driver must be present
}

var targets = []target{
	{
		name:     "cpu",
		packages: []string{"lammps-jax-pjrt-cpu==0.11.2"},
		library:  "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		sha256:   "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	},
	{
		name: "cuda12",
		packages: []string{
			"jax-cuda12-pjrt==0.12.0.1", "nvidia-cublas-cu12>=12.1.3.1,<13", "nvidia-cuda-cupti-cu12>=12.1.105,<13",
			"nvidia-cuda-nvcc-cu12>=12.6.85,<13", "nvidia-cuda-nvrtc-cu12>=12.1.55,<13", "nvidia-cuda-runtime-cu12>=12.1.105,<13",
			"nvidia-cudnn-cu12>=9.8,<10", "nvidia-cufft-cu12>=11.0.2.54,<12", "nvidia-cusolver-cu12>=11.4.5.107,<12",
			"nvidia-cusparse-cu12>=12.1.0.106,<13", "nvidia-nccl-cu12>=2.18.1,<3", "nvidia-nvjitlink-cu12>=12.1.105,<13",
			"nvidia-nvshmem-cu12>=3.2.5,<4",
		},
		library: "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
		sha256:  "921aaa9c635255fb7b7a660d11c8f702c78a70e7f7d005d4f377c2dc5f0fede2",
		driver:  "cuda",
	},
	{
		name: "cuda13",
		packages: []string{
			"jax-cuda13-pjrt==0.12.0.1", "nvidia-cublas>=13.0.0.19,<14", "nvidia-cuda-cupti>=13.0.48,<14", "nvidia-cuda-nvcc>=13.0.48,<14",
			"nvidia-cuda-nvrtc>=13.0.48,<14", "nvidia-cuda-runtime>=13.0.48,<14", "nvidia-cudnn-cu13>=9.12.0.46,<10",
			"nvidia-cufft>=12.0.0.15,<13", "nvidia-cusolver>=12.0.3.29,<13", "nvidia-cusparse>=12.6.2.49,<13", "nvidia-nccl-cu13>=2.27.7,<3",
			"nvidia-nvjitlink>=13.0.39,<14", "nvidia-nvshmem-cu13>=3.3.20,<4", "nvidia-nvvm>=13,<14",
		},
		library: "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		sha256:  "b6de513893c09af2c77e71afcef46d9706f8c259337cdef4cd5cae2353886f75",
		driver:  "cuda",
	},
}

// Targets returns the names that Setup knows.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Lacks returns what a target needs and this machine shows nothing of, in words,
// and "" where nothing is missing. What it would fetch then is gigabytes that
// nothing can use.
func Lacks(name string) string {
	for _, t := range targets {
		if t.name == name && t.driver != "" && !hasDriver(t.driver) {
			return "a GPU with its driver: none of " + strings.Join(drivers[t.driver], ", ") + " is there"
		}
	}
	return ""
}

// Setup installs the plugin of a target into DataDir with pip, unless it is
// there already, and tries it. progress is called with lines as the work goes on.
func Setup(ctx context.Context, name string, progress func(line string)) (Candidate, error) {
	i := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
	if i < 0 {
		return Candidate{}, refused("Setup", name, nil, "", "the targets are %s", strings.Join(Targets(), ", "))
	}
	if !capi.Supported {
		_, err := capi.Open("")
		return Candidate{}, failed("Setup", name, err, "")
	}
	c, err := targets[i].install(ctx, filepath.Join(DataDir(), "plugins"), pip{os.Getenv, progress})
	if err != nil {
		return Candidate{}, fmt.Errorf("goanvil setup %s: %w", name, err)
	}
	return c, nil
}

// install makes folder/name, wholly or not at all: pip fills a folder beside
// it, which is renamed once what is in it was tried.
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
	if memo, err := memoPath(c.Path, CacheDir()); err == nil {
		remember(memo, t.sha256) // it was compared just now
	}
	return c, nil
}

func (t target) fill(ctx context.Context, staging string, p pip) error {
	if err := os.Chmod(staging, 0o755); err != nil { // MkdirTemp's is for one user
		return err
	}
	if err := p.install(ctx, staging, t.packages); err != nil {
		return err
	}
	if err := t.checkHash(staging); err != nil {
		return err
	}
	return t.try(ctx, filepath.Join(staging, t.library), p.progress)
}

// checkHash compares the library with what it was when it was chosen.
func (t target) checkHash(dir string) error {
	sum, err := hashFile(filepath.Join(dir, t.library))
	if err == nil && sum != t.sha256 {
		err = fmt.Errorf("%s has SHA-256 %s, not the expected %s: it is not used", t.library, sum, t.sha256)
	}
	return err
}

// try has the plugin answer for itself. A plugin whose device is not there is
// as good as it can be seen to be.
func (t target) try(ctx context.Context, path string, progress func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, t.patience())
	defer cancel()
	err := Check(ctx, path)
	if t.driver != "" && errors.Is(err, ErrNoDevice) {
		progress("the plugin loads; " + err.Error())
		return nil
	}
	if err == nil {
		progress("a program was compiled and its result is right")
	}
	return err
}

// patience is how long a plugin may take to start and answer. A machine with
// eight GPUs starts them one after the other.
func (t target) patience() time.Duration {
	if t.driver != "" {
		return time.Minute
	}
	return 5 * time.Second
}

// Check loads a plugin, looks at its version and compiles and runs a program
// whose result is known.
func Check(ctx context.Context, path string) error {
	p, err := Load(path)
	if err != nil {
		return err
	}
	if major, minor := p.APIVersion(); minor < oldestMinor {
		return refused("Check", path, nil, "", "the plugin speaks PJRT %d.%d, at least %d.%d is needed", major, minor, capi.Major, oldestMinor)
	}
	c, err := p.NewClient(ClientOptions{})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.conform(ctx)
}

// oldestMinor is of late 2025; older plugins lack functions and were not tried.
const oldestMinor = 70

// conform computes sum over i of x[i]*x[i] + 1/2 for x = 0..3.
func (c *Client) conform(ctx context.Context) error {
	const program = `func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.5> : tensor<f32>
  %square = stablehlo.multiply %x, %x : tensor<4xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}`
	vector := Type{dtype.F32, []int{4}}
	e, err := c.CompileContext(ctx, []byte(program), CompileOptions{Args: []Type{vector}, Results: []Type{{DType: dtype.F32}}})
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
	if err := e.RunContext(ctx, []*Buffer{x}, out, true); err != nil {
		return err
	}
	defer out[0].Destroy()
	result := make([]byte, 4)
	if err := out[0].Read(ctx, result); err != nil {
		return err
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(result)); got != 14.5 {
		return refused("Check", c.plugin.path, nil, "the plugin is not used", "the plugin computes %v where 14.5 is right", got)
	}
	return nil
}
