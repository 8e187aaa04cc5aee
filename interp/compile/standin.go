package compile

import (
	"go/types"
	"os"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A standard stream of a session need not be a file. A variable of type *os.File then holds a substitute
// file: calls of its methods go to the stream, and in an interface it is replaced by the stream itself.

var fileType = reflect.TypeFor[*os.File]()

// standIn returns the address of the variable of type *os.File for a stream, the value of
// the symbol name.
func (s *Session) standIn(name string, stream any) unsafe.Pointer {
	if p, ok := s.files[name]; ok {
		return p
	}
	file := new(os.File)
	p := unsafe.Pointer(&file)
	s.files[name] = p
	s.streams.Store(file, stream)
	return p
}

// stream returns the stream that a file stands for, or nil.
func (s *Session) stream(file *os.File) any {
	v, _ := s.streams.Load(file)
	return v
}

// isFile reports whether the run-time type of t is *os.File.
func (b *builder) isFile(t types.Type) bool { return b.inner(t) == fileType }

// boxFile puts the file at x, or the stream that it stands for, into an interface of type to.
func (b *builder) boxFile(in *ssa.MakeInterface) {
	d, x := b.off(in), b.off(in.X)
	to, s := b.inner(in.Type()), b.s
	b.emit(func(fr unsafe.Pointer) {
		file := *at[*os.File](fr, x)
		v := s.stream(file)
		if v == nil {
			v = file
		}
		p := reflect.NewAt(to, unsafe.Add(fr, d)).Elem()
		p.Set(reflect.ValueOf(v))
	})
}

// fileMethod returns the caller of a method of *os.File, and call for files that stand for
// nothing.
func (b *builder) fileMethod(fn *ssa.Function, call caller) caller {
	s, name := b.s, fn.Name()
	return func(fr *frame, args, results []*register) {
		v := s.stream(*at[*os.File](unsafe.Pointer(fr), args[0].at))
		if v == nil {
			call(fr, args, results)
			return
		}
		m := reflect.ValueOf(v).MethodByName(name)
		p := pointerTo(m)
		callReflect(m.Type(), fr, *(*unsafe.Pointer)(p), args[1:], results)
	}
}
