//go:build !linux || !amd64 || nopjrt

package xla

import (
	"context"
	"errors"
	"testing"
)

func TestUnsupported(t *testing.T) {
	_, load := Load("x.so")
	_, _, open := Open("", ClientOptions{})
	_, _, installed := OpenInstalled(ClientOptions{})
	_, setup := Setup(context.Background(), "cpu", func(string) {})
	for name, err := range map[string]error{"Load": load, "Open": open, "OpenInstalled": installed, "Setup": setup, "Check": Check(context.Background(), "x.so")} {
		var u *UnsupportedError
		if !errors.As(err, &u) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found := Discover("x.so"); found != nil {
		t.Errorf("Discover: %v", found)
	}
}
