package xla

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCachedHash(t *testing.T) {
	dir := t.TempDir()
	path, cache := filepath.Join(dir, "plugin.so"), filepath.Join(dir, "cache")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	want, err := hashFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := cachedHash(path, cache); err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	cached, err := filepath.Glob(filepath.Join(cache, "plugins", "*"))
	if err != nil || len(cached) != 1 {
		t.Fatalf("the cache has %q, %v", cached, err)
	}
	write("another")
	if got, err := cachedHash(path, cache); err != nil || got == want {
		t.Errorf("a changed file still has the hash %s, %v", got, err)
	}
	if got, err := cachedHash(path, filepath.Join(path, "no folder")); err != nil || got == want {
		t.Errorf("without a cache: %s, %v", got, err)
	}
}

// TestHashErrors checks that an error names the file, whatever fails: its size, or opening or reading it.
func TestHashErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	hash := func(path string) error { _, err := hashFile(path); return err }
	cached := func(path string) error { _, err := cachedHash(path, dir); return err }
	for _, c := range []struct {
		err        error
		path, want string
	}{
		{hash(missing), missing, "no such file or directory"},
		{cached(missing), missing, "no such file or directory"},
		{hash(dir), dir, "is a directory"},
		{cached(dir), dir, "is a directory"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), "xla.Hash("+c.path+"): ") ||
			!strings.HasSuffix(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}
