package celltype

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestAppendCounted tests lengths of one to three bytes.
func TestAppendCounted(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 300, 1<<14 - 1, 1 << 14, 1 << 16} {
		s := strings.Repeat("a", n)
		want := append(binary.AppendUvarint([]byte{7}, uint64(n)), s...)
		if got := appendCounted([]byte{7}, s); !bytes.Equal(got, want) {
			t.Errorf("the length %d is written as % x", n, got[:min(len(got), 4)])
		}
	}
}

// TestCountFields tests that the count stops above its limit, so that it takes no time and cannot overflow.
func TestCountFields(t *testing.T) {
	i := types.Typ[types.Int]
	fields := func(t types.Type, n int) *types.Struct {
		vars := make([]*types.Var, n)
		for k := range vars {
			vars[k] = types.NewField(token.NoPos, nil, fmt.Sprint("F", k), t, false)
		}
		return types.NewStruct(vars, nil)
	}
	small := fields(i, 3)
	deep := types.Type(small)
	for range 40 {
		deep = types.NewNamed(types.NewTypeName(token.NoPos, nil, "T", nil), fields(deep, 3), nil)
	}
	for _, c := range []struct {
		t    types.Type
		want int
	}{
		{i, 1}, {small, 3}, {fields(small, 2), 6}, {types.NewArray(small, 1000), 3},
		{fields(i, maxFields), maxFields}, {fields(i, maxFields+5), maxFields + 1}, {deep, maxFields + 1},
	} {
		if got := countFields(c.t, map[*types.Named]int{}); got != c.want {
			t.Errorf("got %d fields, want %d", got, c.want)
		}
	}
}
