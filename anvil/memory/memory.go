// Package memory finds out how much memory this process and this machine have, and reads files only as far as
// they fit in it.
package memory

import (
	"bufio"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Available returns the number of bytes that this process can still allocate, and whether it
// is known. It is the least of MemAvailable in Linux's /proc/meminfo (proc(5)) and what is left
// below the limits of the control group and of the address space.
func Available() (free int64, known bool) {
	free, known = lineValue("/proc/meminfo", "MemAvailable:", 1024)
	if !known {
		free = math.MaxInt64
	}
	free = min(free, leftInGroup("/sys/fs/cgroup"), leftInGroupV1("/sys/fs/cgroup/memory"), leftInAddresses())
	return free, free < math.MaxInt64
}

// available is Available. It is a variable for tests.
var available = Available

// Total returns the number of bytes of memory of this machine, or the limit of the control group
// if that is less, and whether it is known.
func Total() (bytes int64, known bool) {
	total, known := lineValue("/proc/meminfo", "MemTotal:", 1024)
	if limit, limited := number("/sys/fs/cgroup/memory.max"); limited {
		total = min(total, limit)
	}
	return total, known
}

// Resident returns the bytes of memory that the process itself has allocated and that are not swapped
// out (RssAnon in proc(5)), and whether it is known.
func Resident() (bytes int64, known bool) {
	return lineValue("/proc/self/status", "RssAnon:", 1024)
}

// leftInGroup returns the bytes left below the memory limit of the control group (version 2)
// at dir. Page cache counts as free (Linux, Documentation/admin-guide/cgroup-v2.rst).
func leftInGroup(dir string) int64 {
	limit, limited := number(filepath.Join(dir, "memory.max"))
	used, known := number(filepath.Join(dir, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	stat := filepath.Join(dir, "memory.stat")
	inactive, _ := lineValue(stat, "inactive_file", 1)
	active, _ := lineValue(stat, "active_file", 1)
	return max(limit-used+inactive+active, 0)
}

// leftInGroupV1 is leftInGroup for version 1. A tenth of the limit is left in any case: the
// use includes page cache (cgroup-v1/memory.rst).
func leftInGroupV1(dir string) int64 {
	limit, limited := number(filepath.Join(dir, "memory.limit_in_bytes"))
	used, known := number(filepath.Join(dir, "memory.usage_in_bytes"))
	if !limited || !known {
		return math.MaxInt64
	}
	return max(limit-used, limit/10)
}

// number returns the number in a file that contains nothing else, and whether there is one.
func number(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// lineValue returns unit times the number after name in a file of lines "name number", and
// whether there is one.
func lineValue(path, name string, unit int64) (int64, bool) {
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

// SizeText returns n bytes as text: "1.50 GiB", or "5 bytes" below a MiB.
func SizeText(n int64) string {
	if n < 1<<20 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(float64(n)/(1<<30), 'f', 2, 64) + " GiB"
}

// Unchecked is the number of bytes up to which memory is allocated without a check of what is
// available.
const Unchecked = 64 << 20

// All is the argument of Read for reading to the end.
const All = math.MaxInt64

// Read reads n bytes from r, or all if there are fewer. It returns an error before it
// allocates more than is available: a header may state a wrong n, and compressed data may
// grow a thousandfold.
func Read(r io.Reader, n int64) ([]byte, error) {
	var data []byte
	for int64(len(data)) < n {
		grown := min(n, max(1<<20, 2*int64(len(data))))
		if free, known := available(); known && grown > Unchecked && grown > free {
			need := n
			if n == All {
				need = grown
			}
			return data, errors.New(SizeText(need) + " of memory are needed and " + SizeText(free) + " are free")
		}
		start := len(data)
		data = append(make([]byte, 0, grown), data...)[:grown]
		read, err := io.ReadFull(r, data[start:])
		data = data[:start+read]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
	return data, nil
}
