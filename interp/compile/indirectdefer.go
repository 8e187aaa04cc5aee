package compile

import (
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// A deferred call can reach a function of cells through a function that package reflect has made, or through a stub of
// package celltype. During such a call, the session stores the frame that deferred it, so that the function of cells
// can recover the panic of that frame.

// methodOfValue describes the functions that package reflect makes for method values. All of them have the same code
// address, and some of their words are the receiver, a reflect.Value.
var methodOfValue struct {
	code     uintptr // the code address
	receiver int     // the index of the first word of the receiver
}

// methodWords is the number of words that such a function points to (package reflect, methodValue).
const methodWords = 8

// sampleReceiver has a method. The init function below reads the layout from its method value.
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

// callsCellFunction reports whether f was made by package reflect or is a stub of package celltype, and the first
// function that f calls is a function of a cell.
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

// beginIndirectDefer makes the next call of a function of cells by a package, in this goroutine, a deferred call of the
// frame by, so that the function may recover the panic of by. It has no effect after release is called.
func (s *Session) beginIndirectDefer(by *frame) (release func()) {
	key := goroutine.Key()
	s.indirectDefers.Store(key, by)
	s.numIndirectDefers.Add(1)
	return func() {
		s.indirectDefers.Delete(key)
		s.numIndirectDefers.Add(-1)
	}
}

// takeIndirectDefer returns the frame that beginIndirectDefer has stored for this goroutine, and removes it. It returns
// nil if there is none.
func (s *Session) takeIndirectDefer() *frame {
	by, ok := s.indirectDefers.LoadAndDelete(goroutine.Key())
	if !ok {
		return nil
	}
	return by.(*frame)
}
