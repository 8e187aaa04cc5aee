package xla

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckFlags(t *testing.T) {
	dir := t.TempDir()
	plugin, file := filepath.Join(dir, "plugin.so"), filepath.Join(dir, "flags")
	text := bytes.Repeat([]byte{'x'}, 9<<20)
	copy(text[4<<20-5:], "xla_across\x00") // across the boundary of two blocks that are read
	copy(text[6<<20:], "xla_inside\x00")
	copy(text[7<<20:], "xla_longer_name\x00")
	copy(text[9<<20-12:], "xla_at_end\x00")
	for path, data := range map[string][]byte{plugin: text, file: []byte("--xla_inside=2\n--xla_missing")} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for flags, part := range map[string]string{
		"": "", "  ": "", "--xla_across=1 -xla_inside=a=b  --xla_at_end": "", "--xla_longer": "XLA_FLAGS has --xla_longer, which this plugin does not know",
		"--xla_b --xla_inside --xla_a=3": "XLA_FLAGS has --xla_a and --xla_b, which this plugin does not know", file: "XLA_FLAGS has --xla_missing, which this plugin does not know", filepath.Join(dir, "no"): "XLA_FLAGS has neither flags nor the path of a file with flags: open ",
	} {
		err := checkFlags(plugin, flags)
		if (err == nil) != (part == "") || err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, want %q", flags, err, part)
		}
	}
}
