package compile

import (
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// A deferred call can reach a function of cells through a function that package reflect has made, or through a method
// stub. While such a call is made, the session notes the frame that has deferred it, so that the function of cells can
// recover the frame's panic.

// methodOfValue describes the functions that package reflect makes of method values. They share one code
// address, and some of their words are the receiver, a reflect.Value.
var methodOfValue struct {
	code     uintptr
	receiver int // the index of the first word of the receiver
}

// methodWords is the number of words that a method value made by package reflect points to (methodValue).
const methodWords = 8

// sampleReceiver has a method from which init learns the layout of these functions.
type sampleReceiver struct{ _ byte }

func (*sampleReceiver) M() {}

func init() {
	v := reflect.ValueOf(&sampleReceiver{})
	f := funcPointer(reflect.ValueOf(v.Method(0).Interface()))
	for i, word := range (*[methodWords]unsafe.Pointer)(f) {
		if i > 0 && word == descriptor(v.Type()) {
			methodOfValue.code, methodOfValue.receiver = *(*uintptr)(f), i
		}
	}
}

// callsCellFunction reports whether f was made by package reflect or is a method stub, and the first function
// that it calls is one of a cell.
func (s *Session) callsCellFunction(f unsafe.Pointer) bool {
	switch code := *(*uintptr)(f); {
	case code == madeByReflection.code:
		body := (*[makeFuncWords]unsafe.Pointer)(f)[madeByReflection.body]
		return closureAt(body) != nil
	case code == methodOfValue.code:
		words := (*[methodWords]unsafe.Pointer)(f)
		receiver := (*reflect.Value)(unsafe.Pointer(&words[methodOfValue.receiver]))
		named, _ := s.Table.Named(receiver.Interface())
		return named != nil
	default:
		return celltype.IsStub(code)
	}
}

// beginIndirectDefer makes the next function of cells that a package calls in this goroutine a deferred call of by,
// which may recover the panic of by. This ends when release is called.
func (s *Session) beginIndirectDefer(by *frame) (release func()) {
	key := goroutine.Key()
	s.indirectDefers.Store(key, by)
	s.numIndirectDefers.Add(1)
	return func() {
		s.indirectDefers.Delete(key)
		s.numIndirectDefers.Add(-1)
	}
}

// takeIndirectDefer returns and forgets the frame that the last call of beginIndirectDefer in this goroutine was for,
// or nil.
func (s *Session) takeIndirectDefer() *frame {
	by, ok := s.indirectDefers.LoadAndDelete(goroutine.Key())
	if !ok {
		return nil
	}
	return by.(*frame)
}
