package compile

import (
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// methodOfValue is the code address of all methods that package reflect returns as functions, and
// the place where they hold their receiver.
var methodOfValue struct {
	code     uintptr
	receiver int
}

type sampleReceiver struct{ _ byte }

func (*sampleReceiver) M() {}

func init() {
	v := reflect.ValueOf(&sampleReceiver{})
	f := funcPointer(reflect.ValueOf(v.Method(0).Interface()))
	for i, word := range (*[8]unsafe.Pointer)(f)[1:7] {
		if word == descriptor(v.Type()) {
			methodOfValue.code, methodOfValue.receiver = *(*uintptr)(f), i+1
		}
	}
}

// isMadeOfCells reports whether f is a function that package reflect has made, by MakeFunc or as a method
// value, and that first calls a function of a cell.
func (s *Session) isMadeOfCells(f unsafe.Pointer) bool {
	words := (*[8]unsafe.Pointer)(f)
	switch code := *(*uintptr)(f); {
	case code == madeByReflection.code:
		body := words[madeByReflection.body]
		return closureAt(body) != nil
	case code == methodOfValue.code:
		receiver := (*reflect.Value)(unsafe.Pointer(&words[methodOfValue.receiver]))
		named, _ := s.Table.Named(receiver.Interface())
		return named != nil
	default:
		return celltype.IsStub(code)
	}
}

// entrust lets the next function of cells that a package calls in this goroutine recover the panic
// of by, until release is called.
func (s *Session) entrust(by *frame) (release func()) {
	key := goroutine.Key()
	s.deferring.Store(key, by)
	s.entrusting.Add(1)
	return func() {
		s.deferring.Delete(key)
		s.entrusting.Add(-1)
	}
}

// entrusted returns the frame whose deferred call begins in this goroutine, or nil.
func (s *Session) entrusted() *frame {
	by, ok := s.deferring.LoadAndDelete(goroutine.Key())
	if !ok {
		return nil
	}
	return by.(*frame)
}
