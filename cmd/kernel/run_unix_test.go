//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// endless is a notebook whose first cell runs until it is interrupted.
const endless = `{"cells": [
{"cell_type": "code", "execution_count": null, "metadata": {"tags": ["raises-exception"]}, "outputs": [], "source": "fmt.Println(\"running\")\nfor {\n}"},
{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": "1 + 1"}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`

// TestRunPassesInterruptsOn sends SIGINT to this process while a cell runs.
func TestRunPassesInterruptsOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endless.ipynb")
	if err := os.WriteFile(path, []byte(endless), 0o644); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- execute(t.Context(), []string{"run", path, "--backend=reference"}, w, w)
		w.Close()
	}()
	var printed strings.Builder
	for lines := bufio.NewScanner(r); lines.Scan(); {
		printed.WriteString(lines.Text() + "\n")
		if lines.Text() == "running" {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := <-status; got != 0 || !strings.Contains(printed.String(), "interrupted") || !strings.Contains(printed.String(), "Out[2]: 2") {
		t.Errorf("status %d:\n%s", got, printed.String())
	}
}
