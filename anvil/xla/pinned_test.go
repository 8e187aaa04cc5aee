package xla

import (
	"errors"
	"testing"
)

func TestPinned(t *testing.T) {
	pluginWith := func(hash string, err error) *Plugin {
		return &Plugin{hash: func() (string, error) { return hash, err }}
	}
	if !pluginWith(targets[0].sha256, nil).Pinned() {
		t.Error("the file that Setup installs is not pinned")
	}
	if pluginWith(targets[0].sha256[1:]+"0", nil).Pinned() || pluginWith("", errors.New("no file")).Pinned() {
		t.Error("another file is pinned")
	}
}
