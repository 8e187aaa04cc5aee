// Package memory tells how much memory this machine has and how much this process can still allocate, and
// reads data without allocating more than that.
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

// Available returns the number of bytes that this process can still allocate, and whether the number is
// known. The number is the least of MemAvailable in Linux's /proc/meminfo (proc(5)) and the bytes left below
// the limits of the control group and of the address space.
func Available() (free int64, known bool) {
	free = min(Physical(), addressSpaceLeft())
	return free, free < math.MaxInt64
}

// Physical is Available without the limit of the address space. It returns math.MaxInt64 if the number is not
// known.
func Physical() int64 {
	free, known := fieldValue("/proc/meminfo", "MemAvailable:", 1024)
	if !known {
		free = math.MaxInt64
	}
	return min(free, cgroupV2Left("/sys/fs/cgroup"), cgroupV1Left("/sys/fs/cgroup/memory"))
}

// available is Available, as a variable that tests can replace.
var available = Available

// Total returns the number of bytes of memory of this machine, or the limit of the control group
// if that is less, and whether the number is known.
func Total() (bytes int64, known bool) {
	total, known := fieldValue("/proc/meminfo", "MemTotal:", 1024)
	if limit, limited := readNumber("/sys/fs/cgroup/memory.max"); limited {
		total = min(total, limit)
	}
	return total, known
}

// Resident returns the bytes of memory that the process itself has allocated and that are not swapped out
// (RssAnon in proc(5)), and whether the number is known.
func Resident() (bytes int64, known bool) {
	return fieldValue("/proc/self/status", "RssAnon:", 1024)
}

// cgroupV2Left returns the bytes left below the memory limit of the control group (version 2)
// at dir, or math.MaxInt64 if there is no limit. Page cache counts as free (Linux,
// Documentation/admin-guide/cgroup-v2.rst).
func cgroupV2Left(dir string) int64 {
	limit, limited := readNumber(filepath.Join(dir, "memory.max"))
	used, known := readNumber(filepath.Join(dir, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	stat := filepath.Join(dir, "memory.stat")
	inactive, _ := fieldValue(stat, "inactive_file", 1)
	active, _ := fieldValue(stat, "active_file", 1)
	return max(limit-used+inactive+active, 0)
}

// cgroupV1Left is cgroupV2Left for version 1. The usage in version 1 includes page cache, which can be freed
// (cgroup-v1/memory.rst). So the result is at least a tenth of the limit, even if the usage has reached the limit.
func cgroupV1Left(dir string) int64 {
	limit, limited := readNumber(filepath.Join(dir, "memory.limit_in_bytes"))
	used, known := readNumber(filepath.Join(dir, "memory.usage_in_bytes"))
	if !limited || !known {
		return math.MaxInt64
	}
	return max(limit-used, limit/10)
}

// readNumber returns the number in a file that contains nothing else, or false if the file has no number.
func readNumber(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// fieldValue returns unit times the number after name in a file of lines "name number", or false if the file
// has no such number.
func fieldValue(path, name string, unit int64) (int64, bool) {
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

// SizeText returns n bytes as text: "1.50 GiB", "2.00 MiB" or "5 bytes".
func SizeText(n int64) string {
	if n < 1<<20 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	if n < 1<<30 {
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 2, 64) + " MiB"
	}
	return strconv.FormatFloat(float64(n)/(1<<30), 'f', 2, 64) + " GiB"
}

// Unchecked is the number of bytes up to which memory is allocated without checking how much is available.
const Unchecked = 64 << 20

// All is the n of Read for reading to the end.
const All = math.MaxInt64

// Read reads n bytes from r, or all if there are fewer. If the bytes need more memory than is available, it
// returns an error: a file's header may state a wrong n, and compressed data may be a thousand times as large
// when decompressed.
func Read(r io.Reader, n int64) ([]byte, error) {
	var data []byte
	for int64(len(data)) < n {
		size := min(n, max(1<<20, 2*int64(len(data))))
		if free, known := available(); known && size > Unchecked && size > free {
			need := n
			if n == All {
				need = size
			}
			return data, errors.New(SizeText(need) + " of memory are needed and " + SizeText(free) + " are free")
		}
		start := len(data)
		data = append(make([]byte, 0, size), data...)[:size]
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
