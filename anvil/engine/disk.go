package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/cpu"
)

// A diskCache keeps compiled programs in files. An executable is machine code
// for one processor from one plugin: loaded into another it computes garbage
// without an error, so both are part of the key; and each file begins with the
// checksum of the rest. A nil *diskCache keeps nothing.
type diskCache struct {
	dir    string
	plugin string
}

func newDiskCache(dir, plugin string) *diskCache {
	if dir == "" {
		return nil
	}
	return &diskCache{filepath.Join(dir, "programs"), plugin}
}

// formatVersion changes when what a program text means to us does.
const formatVersion = "1"

// key returns the name of the file for a program compiled with options.
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

// load returns the executable of the key, or nil.
func (d *diskCache) load(key string) []byte {
	if d == nil {
		return nil
	}
	file, err := os.ReadFile(d.path(key))
	if err != nil || len(file) < sha256.Size {
		return nil
	}
	sum, data := file[:sha256.Size], file[sha256.Size:]
	if want := sha256.Sum256(data); !bytes.Equal(sum, want[:]) {
		os.Remove(d.path(key))
		return nil
	}
	return data
}

// store writes the executable of the key: to a file of another name first, so
// that nobody sees half of it. What cannot be written is compiled again.
func (d *diskCache) store(key string, data []byte) {
	if d == nil {
		return
	}
	dir := filepath.Dir(d.path(key))
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return
	}
	sum := sha256.Sum256(data)
	_, err1 := f.Write(sum[:])
	_, err2 := f.Write(data)
	err3 := f.Close()
	if err1 != nil || err2 != nil || err3 != nil || os.Rename(f.Name(), d.path(key)) != nil {
		os.Remove(f.Name())
	}
}

func (d *diskCache) path(key string) string { return filepath.Join(d.dir, key[:2], key[2:]) }

// cpuFeatures returns the instruction sets that compiled code may use.
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
