package compile

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/anvil/memory"
)

// TestPanics tests the texts of panics and of errors of the compiler that no cell should reach, and others that depend
// on the memory of the machine or on the order of goroutines.
func TestPanics(t *testing.T) {
	b := &builder{p: &program{}, layout: &layout{of: map[ssa.Value]*register{}}}
	var l mapLock
	m := unsafe.Pointer(new(int))
	l.Lock()
	l.written.Store((*byte)(m))
	kept := memory.SizeText(int64(kernelReserve()))
	integer := ssa.NewConst(nil, types.Typ[types.Int])
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"f is called before the cell that declares it has run", func() { (&function{name: "f"}).current() }},
		{"errors: target must be a non-nil pointer", func() { errorsAs(errors.New("a"), nil, true, nil) }},
		{"runtime error: concurrent map writes", func() { new(thread).lockMap(&l, m, true) }},
		{"runtime error: concurrent map read and map write", func() { new(thread).lockMap(&l, m, false) }},
		{"no register for an index", func() { b.scratch() }},
		{"no register for a receiver", func() { b.receiverRegister() }},
		{"cells do not support a *ssa.Const as an operand", func() { b.reg(integer) }},
		{"a value of type int is used as a string", func() { b.checkLayout(reflect.TypeFor[int](), reflect.TypeFor[string](), 0) }},
		{"a value of type interface {} is used as a error", func() { b.checkLayout(reflect.TypeFor[[]any](), reflect.TypeFor[[]error](), 0) }},
		{"cells do not support a conversion between type parameters", func() { b.instruction(&ssa.MultiConvert{}) }},
		{"cells do not support a *ssa.DebugRef", func() { b.instruction(&ssa.DebugRef{}) }},
		{"runtime error: out of memory: 3.00 GiB are available, of which the kernel keeps " + kept, func() { panic(outOfMemory(3 << 30)) }},
		{"runtime error: out of memory: 12 bytes are available, less than the " + kept + " that the kernel keeps", func() { panic(outOfMemory(12)) }},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			}()
			c.f()
		}()
	}
}

// TestCheckPicture tests the panic for a picture that does not fit into memory.
func TestCheckPicture(t *testing.T) {
	const header = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x03\x00\x00\x00\x03\x00\x00\x08\x06\x00\x00\x00\xc2\x9a\xa9\x01"
	var call struct {
		frame
		picture io.Reader
	}
	call.picture = strings.NewReader(header)
	defer func() {
		const want = "runtime error: out of memory: an image of 196608 x 196608 pixels needs "
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}()
	checkPicture(nil)(&call.frame, []*register{{off: unsafe.Offsetof(call.picture)}}, nil)
}
