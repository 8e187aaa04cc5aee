package compile

import (
	"go/types"
	"os"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A standard stream of a session need not be a file. If it is not, the variable of type *os.File, such as os.Stdout,
// holds a substitute file. Calls of methods of the substitute file go to the stream, and converting the substitute file
// to an interface gives an interface that holds the stream.

var fileType = reflect.TypeFor[*os.File]()

// substituteFile returns the address of a variable that holds the substitute file for stream, the value of the variable
// of package os called name. Each name has one substitute file.
func (s *Session) substituteFile(name string, stream any) unsafe.Pointer {
	if p, ok := s.files.Load(name); ok {
		return unsafe.Pointer(p.(**os.File))
	}
	file := new(os.File)
	s.streams.Store(file, stream)
	s.files.Store(name, &file)
	return unsafe.Pointer(&file)
}

// StandardStream returns the file or the stream that the variable of package os called name, such as Stdout, holds.
func (s *Session) StandardStream(name string) any {
	p, ok := s.files.Load(name)
	if !ok { // no cell uses the variable, or it holds a file
		return s.Hooks.Symbols("os")[name].Interface()
	}
	file := *p.(**os.File)
	if stream := s.stream(file); stream != nil {
		return stream
	}
	return file
}

// stream returns the stream of which file is the substitute, or nil.
func (s *Session) stream(file *os.File) any {
	v, _ := s.streams.Load(file)
	return v
}

// isFileType reports whether the run-time type of t is *os.File.
func (b *builder) isFileType(t types.Type) bool { return b.inner(t) == fileType }

// boxFile emits the conversion of a file to an interface. For a substitute file, the interface holds the stream.
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

// fileMethod returns the caller of fn, a method of *os.File. For substitute files the caller calls the method of the
// stream, and for other files it uses call.
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
