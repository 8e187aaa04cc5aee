package xla

import (
	"errors"
	"testing"
)

func TestPinned(t *testing.T) {
	of := func(hash string, err error) *Plugin {
		return &Plugin{hash: func() (string, error) { return hash, err }}
	}
	if !of(targets[0].sha256, nil).Pinned() {
		t.Error("the file that Setup fetches is not pinned")
	}
	if of(targets[0].sha256[1:]+"0", nil).Pinned() || of("", errors.New("no file")).Pinned() {
		t.Error("another file is pinned")
	}
}
