package compile

import (
	"go/types"
	"os"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A standard stream of a session need not be a file. The variable of type *os.File, such as os.Stdout, then holds
// a substitute file. Calls of its methods go to the stream, and when it is converted to an interface, the stream
// takes its place.

var fileType = reflect.TypeFor[*os.File]()

// substituteFile returns the address of a variable that holds the substitute file for stream. stream is the value of
// the symbol called name; each name has one substitute file.
func (s *Session) substituteFile(name string, stream any) unsafe.Pointer {
	if p, ok := s.files.Load(name); ok {
		return unsafe.Pointer(p.(**os.File))
	}
	file := new(os.File)
	s.streams.Store(file, stream)
	s.files.Store(name, &file)
	return unsafe.Pointer(&file)
}

// StandardStream returns the file or the stream that the variable called name of package os, such as Stdout, holds.
func (s *Session) StandardStream(name string) any {
	own := s.Hooks.Symbols("os")[name].Interface() // a variable, so this is its value
	p, ok := s.files.Load(name)
	if !ok { // it holds a file, or no cell uses it
		return own
	}
	file := *p.(**os.File)
	if stream := s.stream(file); stream != nil {
		return stream
	}
	return file
}

// stream returns the stream that file is the substitute for, or nil.
func (s *Session) stream(file *os.File) any {
	v, _ := s.streams.Load(file)
	return v
}

// isFileType reports whether the run-time type of t is *os.File.
func (b *builder) isFileType(t types.Type) bool { return b.inner(t) == fileType }

// boxFile emits the conversion of a file to an interface. The stream takes the place of a substitute file.
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

// fileMethod returns the caller of a method of *os.File. For substitute files it calls the method of the stream,
// for others call.
func (b *builder) fileMethod(fn *ssa.Function, call caller) caller {
	s, name := b.s, fn.Name()
	return func(fr *frame, args, results []*register) {
		v := s.stream(*at[*os.File](unsafe.Pointer(fr), args[0].off))
		if v == nil {
			call(fr, args, results)
			return
		}
		m := reflect.ValueOf(v).MethodByName(name)
		p := pointerTo(m)
		callReflect(m.Type(), fr, *(*unsafe.Pointer)(p), args[1:], results)
	}
}
