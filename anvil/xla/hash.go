package xla

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// hashFile returns the SHA-256 of a file in hexadecimal.
func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("xla.Hash(%s): %w", path, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("xla.Hash(%s): %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// cachedHash is hashFile with a cache in the folder cache. Hashing a plugin takes a quarter of a
// second, which is too long for each start of the program.
func cachedHash(path, cache string) (string, error) {
	cached, err := hashCachePath(path, cache)
	if err != nil {
		return "", fmt.Errorf("xla.Hash(%s): %w", path, err)
	}
	if sum, err := os.ReadFile(cached); err == nil && len(sum) == hex.EncodedLen(sha256.Size) {
		return string(sum), nil
	}
	sum, err := hashFile(path)
	if err == nil {
		writeCache(cached, sum)
	}
	return sum, err
}

// hashCachePath returns the path of the file in cache for the hash of the file at path. It depends on
// the path, size and modification time of that file.
func hashCachePath(path, cache string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", path, info.Size(), info.ModTime().UnixNano()))
	return filepath.Join(cache, "plugins", hex.EncodeToString(key[:16])), nil
}

// writeCache writes a file, completely or not at all. It ignores errors: a cache that
// cannot be written is not used.
func writeCache(path, text string) {
	if !filepath.IsAbs(path) || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "tmp-")
	if err != nil {
		return
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
	}
}
