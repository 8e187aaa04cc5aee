package compile

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// TestPrinted tests how the predeclared print writes values of each kind. Pointers are addresses.
func TestPrinted(t *testing.T) {
	var pointer *int
	var address uintptr = 0xbeef
	for _, c := range []struct {
		v    reflect.Value
		want string
	}{
		{as(true), "true"}, {as(false), "false"}, {as(-3), "-3"}, {as(int8(-128)), "-128"}, {as('a'), "97"},
		{as(uint8(200)), "200"}, {as(^uint64(0)), "18446744073709551615"}, {as(uintptr(7)), "7"},
		{as(1.5), "1.5"}, {as(float32(0.1)), "0.1"}, {as(1e100), "1e+100"},
		{as(complex(1, -2)), "(1-2i)"}, {as(complex64(complex(0.1, 2))), "(0.1+2i)"},
		{as("a\nb"), "a\nb"}, {as(any(nil)), "(0x0,0x0)"}, {as(error(nil)), "(0x0,0x0)"}, {as([]int(nil)), "[0/0]0x0"},
		{as(pointer), "0x0"}, {as(map[int]int(nil)), "0x0"}, {as((chan int)(nil)), "0x0"}, {as((func())(nil)), "0x0"},
		{as(*(*unsafe.Pointer)(unsafe.Pointer(&address))), "0xbeef"},
	} {
		if got := printed(c.v); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
	if got := printed(as(make([]int, 2, 5))); !strings.HasPrefix(got, "[2/5]0x") || got == "[2/5]0x0" {
		t.Errorf("a slice prints as %s", got)
	}
	if got := printed(as(any(1))); !strings.HasPrefix(got, "(0x") || strings.Count(got, ",0x") != 1 {
		t.Errorf("an interface prints as %s", got)
	}
}
