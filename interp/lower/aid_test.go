package lower_test

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/universe"
)

// TestAid checks the types of aids.
func TestAid(t *testing.T) {
	u := universe.WithReceivers(nil)
	for _, row := range []struct {
		aid  any
		want string // the type, or the error
	}{
		{func() {}, "func()"},
		{func(int, string) bool { return false }, "func(int, string) bool"},
		{func(...any) (float64, error) { return 0, nil }, "func(...any) (float64, error)"},
		{func([]byte, **complex64) {}, "func([]uint8, **complex64)"},
		{func(chan struct{}, func(any) error) {}, "func(chan struct{}, func(any) error)"},
		{func(time.Duration) *time.Time { return nil }, "func(time.Duration) *time.Time"},
		{func(context.Context, io.Reader, http.Handler) {}, "func(context.Context, io.Reader, net/http.Handler)"},
		{func([3]int) {}, "aid F: [3]int: an aid cannot have this type"},
		{func() map[string]int { return nil }, "aid F: map[string]int: an aid cannot have this type"},
		{func([]map[string]int) {}, "aid F: map[string]int: an aid cannot have this type"},
		{func(chan [1]int) {}, "aid F: [1]int: an aid cannot have this type"},
		{func(struct{ x int }) {}, "aid F: struct { x int }: an aid cannot have this type"},
		{func(interface{ M() }) {}, "aid F: interface { M() }: an aid cannot have this type"},
		{func(func([2]int)) {}, "aid F: [2]int: an aid cannot have this type"},
		{reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeOf(errors.New(""))}, nil, false), nil).Interface(), "aid F: no type errors.errorString"},
	} {
		pkg, symbols, err := lower.Aid(u, map[string]any{"F": row.aid})
		if err != nil {
			if pkg != nil || symbols != nil || err.Error() != row.want {
				t.Errorf("%T: %v, not %s", row.aid, err, row.want)
			}
			continue
		}
		f := pkg.Scope().Lookup("F").(*types.Func)
		if got := types.TypeString(f.Signature(), nil); got != row.want || f.Pkg() != pkg || !pkg.Complete() {
			t.Errorf("%T has the type %s, not %s", row.aid, got, row.want)
		}
		if got := fmt.Sprint(symbols["F"].Pointer()); got == "0" || len(symbols) != 1 {
			t.Errorf("%T: symbols %v", row.aid, symbols)
		}
	}
}
