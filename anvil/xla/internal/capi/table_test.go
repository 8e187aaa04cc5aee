package capi

import (
	"strings"
	"testing"
	"unsafe"
)

// TestNewTable checks which PJRT_Api structs are accepted. Functions beyond the size of the struct
// are missing, and a call of one says so.
func TestNewTable(t *testing.T) {
	for _, c := range []struct {
		name         string
		size         uint64
		major, minor int32
		want         string // part of the error, or "" if the struct is accepted
	}{
		{"whole", apiHeader + 8*numFuncs, Major, 81, ""},
		{"older", apiHeader + 8, Major, 1, ""},
		{"greatest", 1 << 20, Major, 99, ""},
		{"too small", apiHeader + 7, Major, 81, "impossible size, 47"},
		{"too large", 1<<20 + 1, Major, 81, "impossible size, 1048577"},
		{"other version", apiHeader + 8*numFuncs, Major + 1, 3, "the plugin implements PJRT 1.3, want 0.x"},
	} {
		api := make([]uint64, apiHeader/8+numFuncs)
		head := (*apiHead)(unsafe.Pointer(&api[0]))
		head.structSize, head.version.MajorVersion, head.version.MinorVersion = c.size, c.major, c.minor
		for i := range numFuncs {
			api[apiHeader/8+i] = uint64(100 + i)
		}
		table, err := newTable(unsafe.Pointer(&api[0]))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if major, minor := table.Version(); major != Major || minor != int(c.minor) {
			t.Errorf("%s: version %d.%d", c.name, major, minor)
		}
		for i, fn := range table.fn {
			want := uintptr(100 + i)
			if apiHeader+8*uint64(i+1) > c.size {
				want = 0
			}
			if fn != want {
				t.Errorf("%s: function %d is %d, want %d", c.name, i, fn, want)
			}
		}
	}
	if _, err := newTable(nil); err == nil || err.Error() != "GetPjrtApi returned NULL" {
		t.Errorf("NULL: %v", err)
	}
	older := &Table{minor: 5}
	err := older.Initialize()
	want := Error{"PJRT_Plugin_Initialize", ErrorCodeUNIMPLEMENTED, "the plugin's PJRT API 0.5 has no such function"}
	if e, ok := err.(*Error); !ok || *e != want || err.Error() != want.Func+": "+want.Message {
		t.Errorf("a missing function: %v", err)
	}
}

// TestNamedValues checks that options of each type are read as they were set.
func TestNamedValues(t *testing.T) {
	if s := goString(nil, 3) + goString(unsafe.Pointer(&emptyData), 0); s != "" {
		t.Errorf("strings without bytes: %q", s)
	}
	unknown := NamedValue{Type: 9}
	if v := unknown.value(); v != nil {
		t.Errorf("a value of an unknown type: %v", v)
	}
	var v NamedValue
	if err := v.set(Option{"n", 1}, nil); err == nil || err.Error() != "option n: unsupported type int" {
		t.Errorf("an int: %v", err)
	}
}

// TestAligned checks that of 64 addresses in a row one is aligned.
func TestAligned(t *testing.T) {
	data, aligned := make([]byte, 128), 0
	for i := range 64 {
		if Aligned(data[i:]) {
			aligned++
			if uintptr(unsafe.Pointer(&data[i]))&63 != 0 {
				t.Error("not a multiple of 64")
			}
		}
	}
	if aligned != 1 {
		t.Errorf("%d of 64", aligned)
	}
}
