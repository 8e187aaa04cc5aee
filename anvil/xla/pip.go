package xla

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pip runs Python's pip to install packages into a folder. Python is not needed to use the plugins
// in the packages.
type pip struct {
	getenv   func(string) string
	progress func(line string)
}

// install installs the packages that requirements lists, with their hashes, into dir. It does not
// install their dependencies. Since dir is not a Python environment, even a Python that is managed
// by the operating system (PEP 668) allows this.
func (p pip) install(ctx context.Context, dir, requirements string) error {
	command, err := p.find(ctx)
	if err != nil {
		return err
	}
	args := append(slices.Clone(command), "install", "--target", dir, "--no-deps", "--only-binary=:all:")
	if filepath.Base(command[0]) != "uv" {
		args = append(args, "--no-input", "--no-compile", "--disable-pip-version-check", "--progress-bar", "off")
	}
	file := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(file, []byte(requirements), 0o644); err != nil {
		return err
	}
	args = append(args, "--require-hashes", "-r", file)
	p.progress(strings.Join(args, " "))
	last, err := p.run(ctx, args)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first, _, _ := strings.Cut(requirements, " ")
		return fmt.Errorf("cannot install %s: %w: %s; check the network and the index that pip is configured for "+
			"(pip 20.3 or newer is needed), or compute without the plugin: goanvil install --backend=reference", first, err, last)
	}
	return nil
}

// find returns the command that runs pip, with the first Python in $PATH that has pip. If no Python
// has it, find returns the command of uv.
func (p pip) find(ctx context.Context) ([]string, error) {
	pythons := p.onPath("python3")
	for _, python := range append(pythons, p.onPath("python")...) {
		command := []string{python, "-m", "pip"}
		if exec.CommandContext(ctx, python, "-m", "pip", "--version").Run() == nil {
			return command, nil
		}
	}
	if uv := p.onPath("uv"); len(uv) > 0 {
		return []string{uv[0], "pip"}, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(pythons) == 0 {
		return nil, errors.New("found no python3, which is needed to install the plugin; " +
			"install python3 and python3-pip, or compute without the plugin: goanvil install --backend=reference")
	}
	return nil, fmt.Errorf("%s has no pip; install the system's package python3-pip (or run in an environment made by "+
		"python3 -m venv; the package is python3-venv), or compute without the plugin: "+
		"goanvil install --backend=reference", pythons[0])
}

// onPath returns the paths of all executables with the given name in the folders of $PATH.
func (p pip) onPath(name string) (found []string) {
	for _, dir := range filepath.SplitList(p.getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			found = append(found, path)
		}
	}
	return found
}

// pipSettings are environment variables that override a user's settings that conflict with --target, and turn off
// pip's warning about running as root.
var pipSettings = []string{
	"PIP_USER=0", "PIP_REQUIRE_VIRTUALENV=0", "PIP_TARGET=", "PIP_PREFIX=", "PIP_ROOT_USER_ACTION=ignore",
}

// run runs a command, calls p.progress with each line of its output, and returns the
// last line.
func (p pip) run(ctx context.Context, args []string) (last string, err error) {
	r, w := io.Pipe()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), pipSettings...)
	cmd.Stdout, cmd.Stderr = w, w
	go func() { w.CloseWithError(cmd.Run()) }()
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			p.progress(line)
			last = line
		}
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return last, err
		}
	}
}
