package xla

import (
	"os"
	"path/filepath"
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
	if _, err := cachedHash(filepath.Join(dir, "missing"), cache); err == nil {
		t.Error("a missing file has a hash")
	}
}
