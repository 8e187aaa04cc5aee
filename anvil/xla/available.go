package xla

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Available returns the number of bytes that this process can still allocate, and
// whether it is known.
func Available() (free int64, known bool) { return available() }

// Total returns the bytes of memory of this machine, or the limit of its control
// group, and whether it is known.
func Total() (bytes int64, known bool) {
	total, known := procValue("/proc/meminfo", "MemTotal:", 1024)
	if limit, limited := fileNumber("/sys/fs/cgroup/memory.max"); limited {
		total = min(total, limit)
	}
	return total, known
}

// available implements Available. It is a variable for tests.
var available = func() (int64, bool) {
	free, known := procValue("/proc/meminfo", "MemAvailable:", 1024)
	if !known {
		return 0, false
	}
	return min(free, groupAvailable("/sys/fs/cgroup")), true
}

// groupAvailable returns the bytes left below the memory limit of the control
// group (version 2) at dir. Page cache counts as free.
func groupAvailable(dir string) int64 {
	limit, limited := fileNumber(filepath.Join(dir, "memory.max"))
	used, known := fileNumber(filepath.Join(dir, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	stat := filepath.Join(dir, "memory.stat")
	inactive, _ := procValue(stat, "inactive_file", 1)
	active, _ := procValue(stat, "active_file", 1)
	return max(limit-used+inactive+active, 0)
}

// fileNumber returns the number that a file consists of.
func fileNumber(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// procValue returns unit times the number after name in a file of lines
// "name number".
func procValue(path, name string, unit int64) (int64, bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if w := strings.Fields(lines.Text()); len(w) >= 2 && w[0] == name {
			n, err := strconv.ParseInt(w[1], 10, 64)
			return n * unit, err == nil
		}
	}
	return 0, false
}

// SizeText returns n bytes as text: "1.50 GiB".
func SizeText(n int64) string {
	if n < 1<<20 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(float64(n)/(1<<30), 'f', 2, 64) + " GiB"
}
