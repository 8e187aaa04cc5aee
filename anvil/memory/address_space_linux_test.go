package memory

import (
	"math"
	"syscall"
	"testing"
)

func TestAddressSpaceLeft(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &before); err != nil {
		t.Fatal(err)
	}
	set := func(limit uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: before.Max}); err != nil {
			t.Fatal(err)
		}
	}
	defer set(before.Cur)
	const most = 1 << 40
	set(min(most, before.Max))
	if left := addressSpaceLeft(); left <= 0 || left >= most {
		t.Errorf("%d bytes are left of a limit of %d", left, most)
	}
	if set(before.Max); before.Max == math.MaxUint64 {
		if left := addressSpaceLeft(); left != math.MaxInt64 {
			t.Errorf("%d bytes are left without a limit", left)
		}
	}
}
