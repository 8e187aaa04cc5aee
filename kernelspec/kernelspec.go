// Package kernelspec installs the kernel for Jupyter front ends. It writes a folder with
// kernel.json, logos and a copy of the binary, so that the binary that installs the kernel
// may be moved or removed. The folder is specified at
// https://jupyter-client.readthedocs.io/en/latest/kernels.html#kernel-specs.
package kernelspec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Defaults of Options.Name and Options.DisplayName.
const (
	DefaultName        = "goanvil"
	DefaultDisplayName = "Go (anvil)"
)

// A Spec is the content of kernel.json.
type Spec struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode"`
	ProtocolVersion string            `json:"kernel_protocol_version"`
	Env             map[string]string `json:"env,omitempty"`
	Metadata        map[string]any    `json:"metadata"`
}

// Options say what to install and where. At most one of User, SysPrefix and Prefix may be
// set; the default is User.
type Options struct {
	Name        string            // the name in commands, and the name of the folder
	DisplayName string            // the name that front ends show
	User        bool              // install into the user's data folder
	SysPrefix   bool              // install into the active virtual or conda environment
	Prefix      string            // install into Prefix/share/jupyter
	Binary      string            // the file to copy; empty means this process's own
	Args        []string          // arguments of the kernel after its connection file
	Env         map[string]string // environment variables of the kernel
}

// Install writes the kernel's folder and returns the folder's path. It replaces the files
// of an earlier Install.
func Install(o Options) (dir string, err error) {
	dir, err = o.Dir()
	if err != nil {
		return "", err
	}
	if o.Binary == "" {
		if o.Binary, err = os.Executable(); err != nil {
			return "", fmt.Errorf("install: %w", err)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	binary := filepath.Join(dir, binaryName)
	if err := copyFile(binary, o.Binary); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	if err := writeLogos(dir); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	return dir, writeSpec(dir, o.spec(binary))
}

// spec returns the content of kernel.json for the installed file binary.
func (o Options) spec(binary string) Spec {
	display := o.DisplayName
	if display == "" {
		display = DefaultDisplayName
	}
	return Spec{
		Argv:            append([]string{binary, "kernel", "-f", "{connection_file}"}, o.Args...),
		DisplayName:     display,
		Language:        "go",
		InterruptMode:   "message",
		ProtocolVersion: "5.5",
		Env:             o.Env,
		Metadata:        map[string]any{"debugger": true}, // front ends list variables with the debug protocol
	}
}

// Uninstall removes the kernel's folder and returns the folder's path. It fails if the
// folder was not written by Install.
func Uninstall(o Options) (dir string, err error) {
	dir, err = o.Dir()
	if err != nil {
		return "", err
	}
	spec, err := Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, fmt.Errorf("uninstall: no kernel at %s", dir)
	}
	if err != nil {
		return dir, fmt.Errorf("uninstall: %w", err)
	}
	if !Installed(spec, dir) {
		return dir, fmt.Errorf("uninstall: the kernel at %s was not installed by goanvil; remove it by hand", dir)
	}
	return dir, os.RemoveAll(dir)
}

// Installed reports whether s, the spec in the folder dir, was written by Install.
func Installed(s Spec, dir string) bool {
	return len(s.Argv) > 0 && s.Argv[0] == filepath.Join(dir, binaryName)
}

// Read returns the content of kernel.json in the folder dir.
func Read(dir string) (Spec, error) {
	var s Spec
	data, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w", filepath.Join(dir, specFile), err)
	}
	return s, nil
}

// specFile is the name of the file that holds a Spec.
const specFile = "kernel.json"

// nameForm matches the kernel names that jupyter_client accepts.
var nameForm = regexp.MustCompile(`(?i)^[a-z0-9._-]+$`)

// Dir returns the path of the kernel's folder. The folder need not exist.
func (o Options) Dir() (string, error) {
	name := o.Name
	if name == "" {
		name = DefaultName
	}
	if !nameForm.MatchString(name) || strings.Trim(name, ".") == "" {
		return "", fmt.Errorf("invalid kernel name %q; "+
			"write ASCII letters, digits, '.', '_' and '-', and not only dots", name)
	}
	data, err := o.dataDir()
	if err != nil {
		return "", err
	}
	data, err = filepath.Abs(data)
	if err != nil {
		return "", err
	}
	// Front ends look kernels up by their names in lower case.
	return filepath.Join(data, "kernels", strings.ToLower(name)), nil
}

// writeSpec writes s into the folder dir.
func writeSpec(dir string, s Spec) error {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, specFile), append(data, '\n'), 0o644)
}
