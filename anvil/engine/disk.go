package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/cpu"
)

// A diskCache keeps compiled programs in files. An executable is machine code made by one
// plugin for one kind of processor. Loaded by another plugin or on another processor, it
// computes garbage without an error. So the key depends on both, and each file begins with a
// checksum of the key and the executable. A nil *diskCache keeps nothing.
type diskCache struct {
	dir    string
	plugin string

	logOnce sync.Once
	log     func(line string)
}

// newDiskCache returns a cache in the folder programs of dir, for executables of the plugin with the given hash. It
// returns nil if dir is "".
func newDiskCache(dir, plugin string) *diskCache {
	if dir == "" {
		return nil
	}
	return &diskCache{dir: filepath.Join(dir, "programs"), plugin: plugin, log: func(string) {}}
}

// setLog sets the function that logs a line if programs cannot be written.
func (d *diskCache) setLog(log func(line string)) {
	if d != nil {
		d.log = log
	}
}

// formatVersion is part of each key. It must change when the meaning of a program text or the format
// of the files changes.
const formatVersion = "2"

// key returns the key of a program compiled with options, a SHA-256 in hexadecimal, or "" if d is nil.
func (d *diskCache) key(text []byte, options string) string {
	if d == nil {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{formatVersion, d.plugin, runtime.GOARCH, cpuFeatures(), options} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// load returns the executable with the given key, or nil.
func (d *diskCache) load(key string) []byte {
	if d == nil {
		return nil
	}
	path := d.path(key)
	if info, err := os.Stat(path); err != nil || !trusted(info) {
		return nil
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if want := checksum(key, file[min(sha256.Size, len(file)):]); !bytes.HasPrefix(file, want) {
		os.Remove(path)
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // prune takes the modification time for the time of the last use
	return file[sha256.Size:]
}

// checksum returns a hash of key and data. The key is included to detect a file with a wrong name.
func checksum(key string, data []byte) []byte {
	h := sha256.New()
	h.Write([]byte(key))
	h.Write(data)
	return h.Sum(nil)
}

// store writes an executable. The first failure is logged.
func (d *diskCache) store(key string, data []byte) {
	if d == nil {
		return
	}
	if err := d.write(d.path(key), checksum(key, data), data); err != nil {
		d.logOnce.Do(func() {
			d.log(fmt.Sprintf("compiled programs cannot be saved, so the next session compiles them again: %v", err))
		})
		return
	}
	d.prune(filepath.Dir(d.path(key)))
}

// write writes parts to a temporary file and renames it to path, so that no process reads
// an incomplete file.
func (d *diskCache) write(path string, parts ...[]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// maxFiles is the greatest number of files in a folder. There are 256 folders, one for each value of the first byte
// of a key; together they take about a gigabyte when they are full.
const maxFiles = 128

// prune removes the least recently used half of the files in dir if there are more than
// maxFiles. Temporary files left behind by processes that ended early count too.
func (d *diskCache) prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxFiles {
		return
	}
	used := make(map[string]time.Time, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			used[e.Name()] = info.ModTime()
		}
	}
	names := slices.SortedFunc(maps.Keys(used), func(a, b string) int {
		return cmp.Or(used[a].Compare(used[b]), strings.Compare(a, b))
	})
	for _, name := range names[:len(names)/2] {
		os.Remove(filepath.Join(dir, name))
	}
}

func (d *diskCache) path(key string) string { return filepath.Join(d.dir, key[:2], key[2:]) }

// cpuFeatures returns a digit for each instruction set that compiled code may use: 1 if this processor has it, or 0.
func cpuFeatures() string {
	x := cpu.X86
	flags := []bool{x.HasAVX, x.HasAVX2, x.HasFMA, x.HasBMI1, x.HasBMI2, x.HasAVX512F, x.HasAVX512BW, x.HasAVX512CD,
		x.HasAVX512DQ, x.HasAVX512VL, x.HasAVX512VNNI, x.HasAVX512BF16, x.HasAVXVNNI, x.HasAMXTile, x.HasAMXInt8, x.HasAMXBF16,
		x.HasAES, x.HasPCLMULQDQ, x.HasSSE41, x.HasSSE42, cpu.ARM64.HasASIMD, cpu.ARM64.HasSVE, cpu.ARM64.HasSVE2}
	b := make([]byte, len(flags))
	for i, f := range flags {
		b[i] = '0'
		if f {
			b[i] = '1'
		}
	}
	return string(b)
}
