package xla

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

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

// rememberedHash is hashFile, whose quarter of a second for a plugin would be felt
// at each start: what it returned is kept under the file's path, size and time.
func rememberedHash(path, cache string) (string, error) {
	memo, err := memoPath(path, cache)
	if err != nil {
		return "", fmt.Errorf("xla.Hash(%s): %w", path, err)
	}
	if sum, err := os.ReadFile(memo); err == nil && len(sum) == hex.EncodedLen(sha256.Size) {
		return string(sum), nil
	}
	sum, err := hashFile(path)
	if err == nil {
		remember(memo, sum)
	}
	return sum, err
}

// memoPath returns where the hash of a file, as it is now, is kept.
func memoPath(path, cache string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", path, info.Size(), info.ModTime().UnixNano()))
	return filepath.Join(cache, "plugins", hex.EncodeToString(key[:16])), nil
}

// remember writes a file whole or not at all. A cache that cannot be written is
// none, which is no error.
func remember(path, text string) {
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
