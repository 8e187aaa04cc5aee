package compile

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/anvil/memory"
)

// readers describes the functions of packages that read from an io.Reader, or that return an object that reads from
// one.
var readers = map[string]struct {
	arg  int                                            // the index of the reader among the arguments
	keep func(fr unsafe.Pointer, args []*register) bool // whether the call keeps all data in memory
}{
	"io.ReadAll":               {0, always},
	"io/ioutil.ReadAll":        {0, always},
	"(*bytes.Buffer).ReadFrom": {1, always},
	"io.Copy":                  {1, toMemory},
	"io.CopyBuffer":            {1, toMemory},
	"io.CopyN":                 {1, toMemory},
	"bufio.NewScanner":         {0, never},
	"bufio.NewReader":          {0, never},
	"bufio.NewReaderSize":      {0, never},
	"fmt.Fscan":                {0, never},
	"fmt.Fscanf":               {0, never},
	"fmt.Fscanln":              {0, never},
	"encoding/csv.NewReader":   {0, never},
	"encoding/gob.NewDecoder":  {0, never},
	"encoding/json.NewDecoder": {0, never},
	"encoding/xml.NewDecoder":  {0, never},
}

// decoders has the names of functions of packages that decode a picture. They read it from their first argument, an
// io.Reader.
var decoders = map[string]bool{
	"image.Decode": true, "image/png.Decode": true, "image/jpeg.Decode": true,
	"image/gif.Decode": true, "image/gif.DecodeAll": true,
}

func always(unsafe.Pointer, []*register) bool { return true }
func never(unsafe.Pointer, []*register) bool  { return false }

// toMemory reports whether the first argument, an io.Writer, is a buffer in memory.
func toMemory(fr unsafe.Pointer, args []*register) bool {
	switch (*at[io.Writer](fr, args[0].off)).(type) {
	case *bytes.Buffer, *strings.Builder:
		return true
	}
	return false
}

// withReadCheck returns call, a call of fn, with checks if fn is os.ReadFile or one of decoders or readers: the
// returned call fails if there is not enough memory for what it reads and keeps. A function of readers, and os.ReadFile
// of a file that is not regular, can also be interrupted at each Read, unless bypassesRead reports true for the reader.
func (b *builder) withReadCheck(fn *ssa.Function, call caller) caller {
	s := b.s
	if fn.String() == "os.ReadFile" {
		return s.readFile(call)
	}
	if decoders[fn.String()] {
		return checkPicture(call)
	}
	r, ok := readers[fn.String()]
	if !ok {
		return call
	}
	name := fn.Name()
	return func(fr *frame, args, results []*register) {
		p := at[io.Reader](unsafe.Pointer(fr), args[r.arg].off)
		given := *p
		defer func() { *p = given }()
		if given != nil && !bypassesRead(given) {
			polled := &polledReader{s: s, r: given}
			if r.keep(unsafe.Pointer(fr), args) {
				polled.fr, polled.name, polled.next = fr, name, largeAllocation
			}
			*p = polled
		}
		call(fr, args, results)
	}
}

// bypassesRead reports whether r has methods that packages call instead of Read. Such a reader must not be replaced by
// a polledReader, which lacks these methods. Most such readers read from memory, or from a reader
// that is already polled.
func bypassesRead(r io.Reader) bool {
	switch r.(type) {
	case *os.File:
		return false // its other methods only let the operating system copy
	case io.WriterTo, io.ByteReader, io.RuneReader:
		return true
	}
	return false
}

// checkPicture returns call, a call of one of decoders, preceded by a check that there is memory for the picture.
func checkPicture(call caller) caller {
	return func(fr *frame, args, results []*register) {
		p := at[io.Reader](unsafe.Pointer(fr), args[0].off)
		given := *p
		defer func() { *p = given }()
		checked, err := memory.CheckPicture(given)
		if err != nil {
			panic(runtimeError("out of memory: " + err.Error()))
		}
		*p = checked
		call(fr, args, results)
	}
}

// readFile returns the caller of os.ReadFile. It uses call, which calls the compiled function, for regular files, since
// their size is known.
func (s *Session) readFile(call caller) caller {
	return func(fr *frame, args, results []*register) {
		name := *at[string](unsafe.Pointer(fr), args[0].off)
		info, err := os.Stat(name)
		if err != nil || info.Mode().IsRegular() {
			if err == nil {
				fr.checkMemory("ReadFile", int(info.Size()), 1)
			}
			call(fr, args, results)
			return
		}
		var data []byte
		f, err := os.Open(name)
		if err == nil {
			defer f.Close()
			data, err = io.ReadAll(&polledReader{s: s, r: f, fr: fr, name: "ReadFile", next: largeAllocation})
		}
		if len(results) > 0 {
			*at[[]byte](unsafe.Pointer(fr), results[0].off) = data
			*at[error](unsafe.Pointer(fr), results[1].off) = err
		}
	}
}

// A polledReader is a reader whose Read can be interrupted.
type polledReader struct {
	s *Session
	r io.Reader

	// Set if the call keeps everything that it reads in memory:
	fr   *frame // the frame of the call
	name string // the name of the function that reads
	next int    // the number of bytes read at which the memory is checked next

	n int // the number of bytes read
}

// Read calls p.r.Read. Before that it polls for an interrupt and checks that there is memory.
func (p *polledReader) Read(b []byte) (int, error) {
	if p.s.mustPoll() {
		p.s.Hooks.Poll()
	}
	// b may be half of a buffer that the caller doubles when it is full.
	if next := uint64(4 * len(b)); next >= largeAllocation && !hasMemoryFor(next) {
		if have := afterCollection(); !hasMemoryFor(next) {
			panic(outOfMemory(have))
		}
	}
	n, err := p.r.Read(b)
	p.n += n
	if p.fr != nil && p.n >= p.next {
		p.fr.checkMemory(p.name, 2*p.n, 1)
		p.next = p.n + p.n/4
	}
	return n, err
}
