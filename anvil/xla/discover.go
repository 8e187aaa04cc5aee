package xla

import (
	"bufio"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Candidate is a plugin file that may be loaded.
type Candidate struct {
	Path     string
	Platform string // "cpu", "cuda", "rocm", or the name of its folder; guessed from the path
	Reason   string // how it was found
}

func (c Candidate) String() string { return c.Path + " (" + c.Platform + ", " + c.Reason + ")" }

// PluginVariable is the environment variable with the path of the plugin to use.
const PluginVariable = "GOANVIL_PJRT_PLUGIN"

// Discover returns the plugins of this machine in the order in which they should be tried. If
// explicit or $GOANVIL_PJRT_PLUGIN is the path of a plugin, it returns only this plugin. Otherwise
// plugins for CUDA come first and plugins for the CPU last. Plugins for CUDA or ROCm are left out if
// the driver is missing. Discover loads no plugin and runs no Python.
func Discover(explicit string) []Candidate {
	if !capi.Supported {
		return nil
	}
	return thisMachine().find(explicit)
}

// A finder finds plugins. Its functions query the machine; tests replace them.
type finder struct {
	getenv func(string) string
	driver func(platform string) bool // whether the platform's driver is present
	plugin func(path string) bool     // whether the file is a plugin
}

// thisMachine returns the finder that queries this machine.
func thisMachine() *finder {
	return &finder{
		getenv: os.Getenv,
		driver: func(platform string) bool { return standIn.Load().isFor(platform) || hasDriver(platform) },
		plugin: func(path string) bool { return standIn.Load().isAt(path) || exportsPJRT(path) },
	}
}

// find implements Discover.
func (f *finder) find(explicit string) []Candidate {
	if explicit != "" {
		return []Candidate{{explicit, platformOf(explicit), "named by --plugin"}}
	}
	if path := f.getenv(PluginVariable); path != "" {
		return []Candidate{{path, platformOf(path), "named by " + PluginVariable}}
	}
	return f.installed()
}

// installed returns the installed plugins, except those whose platform lacks a driver, in the order of Discover.
func (f *finder) installed() []Candidate {
	var found []Candidate
	for _, s := range f.sites() {
		for _, path := range f.plugins(s.dir) {
			c := Candidate{path, platformOf(path), s.reason}
			known := slices.ContainsFunc(found, func(o Candidate) bool { return sameFile(o.Path, path) })
			if !known && f.driver(c.Platform) {
				found = append(found, c)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Candidate) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

// rank returns a number by which Discover sorts plugins: CUDA comes first, with the newer version of
// CUDA before the older one, and the CPU last.
func rank(c Candidate) int {
	switch {
	case c.Platform == "cuda" && strings.Contains(c.Path, "cuda13"):
		return 0
	case c.Platform == "cuda":
		return 1
	case c.Platform == "cpu":
		return 3
	}
	return 2
}

// A site is a folder with Python packages. reason says why it is searched, as Candidate.Reason.
type site struct{ dir, reason string }

// sites returns the folders to search, in the order of preference: those of goanvil setup, of the
// active Python environment, and of the user's Python packages.
func (f *finder) sites() (sites []site) {
	add := func(reason string, parts ...string) {
		dirs, _ := filepath.Glob(filepath.Join(parts...)) // fails only for malformed patterns
		for _, dir := range dirs {
			sites = append(sites, site{dir, reason})
		}
	}
	data := folder(f.getenv, "GOANVIL_DATA", "XDG_DATA_HOME", ".local", "share")
	add("installed by goanvil setup", data, "plugins", "[^.]*")
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := f.getenv(name); dir != "" {
			add("from "+name, dir, "lib", "python3*", "site-packages")
		}
	}
	base := f.getenv("PYTHONUSERBASE")
	if base == "" {
		base = filepath.Join(homeDir(f.getenv), ".local")
	}
	add("from the user's Python packages", base, "lib", "python3*", "site-packages")
	return sites
}

// folders are patterns for folders that may contain a plugin although no entry point declares it.
var folders = []string{"xla_plugins/*", "jax_plugins/*", "lammps_jax_pjrt_cpu"}

// plugins returns the plugin files in a folder of Python packages.
func (f *finder) plugins(dir string) (paths []string) {
	for _, pattern := range append(slices.Clone(folders), entryPoints(dir)...) {
		files, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern), "*.so"))
		for _, file := range files {
			// If the home directory is that for temporary files, other users may have put a file there.
			shared := filepath.Clean(os.TempDir())
			isShared := homeDir(f.getenv) == shared && strings.HasPrefix(file, shared+string(filepath.Separator))
			if isShared && !ownFile(file, shared) {
				continue
			}
			if !slices.Contains(paths, file) && f.plugin(file) {
				paths = append(paths, file)
			}
		}
	}
	return paths
}

// entryPoints returns the folders of the modules that the packages in dir declare as plugins. A
// package declares a plugin with a line "name = module.path" or "name = module.path:function" in
// the group jax_plugins or xla_plugins of its file entry_points.txt.
func entryPoints(dir string) (patterns []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.dist-info", "entry_points.txt"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		group := ""
		for lines := bufio.NewScanner(f); lines.Scan(); {
			line := strings.TrimSpace(lines.Text())
			if strings.HasPrefix(line, "[") {
				group = strings.Trim(line, "[]")
				continue
			}
			_, value, declares := strings.Cut(line, "=")
			if declares && (group == "jax_plugins" || group == "xla_plugins") {
				module, _, _ := strings.Cut(strings.TrimSpace(value), ":")
				patterns = append(patterns, strings.ReplaceAll(module, ".", "/"))
			}
		}
		f.Close()
	}
	return patterns
}

// exportsPJRT reports whether the library at path exports GetPjrtApi, as every plugin does.
// The folder of a plugin may also contain other libraries.
func exportsPJRT(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == "GetPjrtApi" && s.Section != elf.SHN_UNDEF
	})
}

// sameFile reports whether a and b are paths of the same file.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// platformOf guesses the platform of a plugin from its path. Only Client.Platform is reliable.
func platformOf(path string) string {
	name := strings.ToLower(filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path))
	for _, p := range []string{"cuda", "rocm", "cpu"} {
		if strings.Contains(name, p) {
			return p
		}
	}
	return filepath.Base(filepath.Dir(path))
}

// drivers lists files of each platform's driver. If a driver is installed, at least one of its
// files exists.
var drivers = map[string][]string{
	"cuda": {
		"/dev/nvidiactl", "/dev/dxg", "/proc/driver/nvidia/version", "/usr/local/nvidia/lib64/libcuda.so.1",
		"/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
	},
	"rocm": {"/dev/kfd"},
}

// hasDriver reports whether the platform's driver is installed. It returns true for platforms
// that are not in drivers: CPUs need no driver, and the drivers of other platforms are not known.
func hasDriver(platform string) bool {
	files, needs := drivers[platform]
	return !needs || slices.ContainsFunc(files, func(f string) bool {
		_, err := os.Stat(f)
		return err == nil
	})
}

// A Skipped is a plugin that could not be used, with the error that says why.
type Skipped struct {
	Candidate
	Err error
}

// ErrNoPlugin is the error of Open if no plugin works.
var ErrNoPlugin = errors.New("no XLA plugin")

// Open returns a client of the first plugin of Discover that works, and the plugins
// skipped before it.
func Open(explicit string, o ClientOptions) (*Client, []Skipped, error) {
	if !capi.Supported {
		_, err := capi.Open("")
		return nil, nil, failed("Open", "", err, "")
	}
	return openFirst(Discover(explicit), o)
}

// openFirst returns a client of the first candidate that works, and the candidates skipped
// before it.
func openFirst(candidates []Candidate, o ClientOptions) (*Client, []Skipped, error) {
	var skipped []Skipped
	for _, candidate := range candidates {
		c, err := openOne(candidate.Path, o)
		if err == nil {
			return c, skipped, nil
		}
		skipped = append(skipped, Skipped{candidate, err})
	}
	return nil, skipped, noPlugin(skipped)
}

// openOne loads the plugin at path and returns a client of it.
func openOne(path string, o ClientOptions) (*Client, error) {
	p, err := Load(path)
	if err != nil {
		return nil, err
	}
	return p.NewClient(o)
}

// noPlugin returns the error for the case that no plugin is installed, or that all plugins were skipped.
func noPlugin(skipped []Skipped) error {
	const hint = "install a plugin with the command goanvil setup, or start with --backend=reference, which needs none"
	if len(skipped) == 0 {
		f, err := os.Open(os.DevNull)
		if err != nil { // no file can be opened, so that Discover cannot find plugins
			return &Error{Op: "Open", Reason: "the search for XLA plugins failed: " + err.Error(),
				Hint: "close files, and restart the kernel", Code: NotFound, cause: ErrNoPlugin}
		}
		f.Close()
		return &Error{Op: "Open", Reason: "no XLA plugin is installed", Hint: hint, Code: NotFound, cause: ErrNoPlugin}
	}
	why := make([]string, len(skipped))
	for i, s := range skipped {
		why[i] = fmt.Sprintf("%s: %v", s.Candidate, s.Err)
	}
	reason := "no XLA plugin works: " + strings.Join(why, "; ")
	return &Error{Op: "Open", Reason: reason, Hint: hint, Code: NotFound, cause: ErrNoPlugin}
}

// OpenInstalled is Open without a named plugin: it ignores $GOANVIL_PJRT_PLUGIN. It is
// used when the named plugin has no device.
func OpenInstalled(o ClientOptions) (*Client, []Skipped, error) {
	if !capi.Supported {
		return Open("", o)
	}
	return openFirst(thisMachine().installed(), o)
}
