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

// A pip installs Python packages into a folder. No Python is part of what runs later.
type pip struct {
	getenv   func(string) string
	progress func(line string)
}

// install puts the packages, and nothing that they may name as their needs, into dir.
// A folder of its own is no environment, so that a Python which the system
// manages (PEP 668) allows it.
func (p pip) install(ctx context.Context, dir string, packages []string) error {
	command, err := p.find(ctx)
	if err != nil {
		return err
	}
	args := append(slices.Clone(command), "install", "--target", dir, "--no-deps", "--only-binary=:all:")
	if filepath.Base(command[0]) != "uv" {
		args = append(args, "--no-input", "--no-compile", "--disable-pip-version-check", "--progress-bar", "off")
	}
	args = append(args, packages...)
	p.progress(strings.Join(args, " "))
	last, err := p.run(ctx, args)
	if err != nil {
		return fmt.Errorf("%s could not be installed: %w: %s; look at the network and the index that pip is configured for (pip 20.3 or newer is needed), or go on with --backend=reference",
			packages[0], err, last)
	}
	return nil
}

// find returns the command line of a pip: of one of the Pythons on the path,
// of which the first may be an environment without pip, or of uv.
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
		return nil, errors.New("the plugin is a package of Python's index, and there is no python3 to fetch it with; install python3 and python3-pip, or go on with --backend=reference")
	}
	return nil, fmt.Errorf("%s has no pip; install the system's package python3-pip (or run in an environment that python3 -m venv made; the package is python3-venv), or go on with --backend=reference", pythons[0])
}

// onPath returns every executable of that name on the path.
func (p pip) onPath(name string) (found []string) {
	for _, dir := range filepath.SplitList(p.getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			found = append(found, path)
		}
	}
	return found
}

// contrary are settings that users have and that do not go with --target.
var contrary = []string{"PIP_USER=0", "PIP_REQUIRE_VIRTUALENV=0", "PIP_TARGET=", "PIP_PREFIX=", "PIP_ROOT_USER_ACTION=ignore"}

// run runs a command, whose lines go to progress, and returns the last one.
func (p pip) run(ctx context.Context, args []string) (last string, err error) {
	r, w := io.Pipe()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), contrary...)
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
