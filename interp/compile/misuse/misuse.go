// Package misuse has replacements of functions and methods of the standard library that end the process when they
// are misused. The replacements panic or return an error instead of ending the process.
package misuse

import (
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	html "html/template"
	"log"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"unsafe"
)

// methods has the replacements of methods, by the name that go/ssa gives the method. The first parameter of a
// replacement is the receiver.
var methods = map[string]reflect.Value{}

func init() {
	for name, f := range map[string]any{
		"(*encoding/gob.Encoder).Encode":            encode[*gob.Encoder]("gob", !handlesCycles),
		"(*encoding/json.Encoder).Encode":           encode[*json.Encoder]("json", handlesCycles),
		"(*encoding/xml.Encoder).Encode":            encode[*xml.Encoder]("xml", !handlesCycles),
		"(*flag.FlagSet).Parse":                     ParseFlags,
		"(*html/template.Template).Execute":         execute[*html.Template],
		"(*html/template.Template).ExecuteTemplate": executeNamed[*html.Template],
		"(*html/template.Template).Funcs":           withFuncs((*html.Template).Funcs),
		"(*log.Logger).Fatal":                       withPrintable(fatal),
		"(*log.Logger).Fatalf":                      withPrintableFormat(fatalf),
		"(*log.Logger).Fatalln":                     withPrintable(fatalln),
		"(*log.Logger).Panic":                       withPrintable((*log.Logger).Panic),
		"(*log.Logger).Panicf":                      withPrintableFormat((*log.Logger).Panicf),
		"(*log.Logger).Panicln":                     withPrintable((*log.Logger).Panicln),
		"(*log.Logger).Print":                       withPrintable((*log.Logger).Print),
		"(*log.Logger).Printf":                      withPrintableFormat((*log.Logger).Printf),
		"(*log.Logger).Println":                     withPrintable((*log.Logger).Println),
		"(*log/slog.Logger).Debug":                  logAt(slog.LevelDebug),
		"(*log/slog.Logger).DebugContext":           logContextAt(slog.LevelDebug),
		"(*log/slog.Logger).Error":                  logAt(slog.LevelError),
		"(*log/slog.Logger).ErrorContext":           logContextAt(slog.LevelError),
		"(*log/slog.Logger).Info":                   logAt(slog.LevelInfo),
		"(*log/slog.Logger).InfoContext":            logContextAt(slog.LevelInfo),
		"(*log/slog.Logger).Log":                    logRecord,
		"(*log/slog.Logger).LogAttrs":               logAttrs,
		"(*log/slog.Logger).Warn":                   logAt(slog.LevelWarn),
		"(*log/slog.Logger).WarnContext":            logContextAt(slog.LevelWarn),
		"(*log/slog.Logger).With":                   logWith,
		"(*log/slog.Record).Add":                    addAttrs,
		"(*net/http.Server).RegisterOnShutdown":     registerOnShutdown,
		"(*os.Process).Kill":                        kill,
		"(*os.Process).Signal":                      signal,
		"(*os/exec.Cmd).CombinedOutput":             combinedCommandOutput,
		"(*os/exec.Cmd).Output":                     commandOutput,
		"(*os/exec.Cmd).Run":                        runCommand,
		"(*os/exec.Cmd).Start":                      startCommand,
		"(*sync.Cond).Wait":                         wait,
		"(*sync.Mutex).Unlock":                      unlock,
		"(*sync.RWMutex).RUnlock":                   unlockReader,
		"(*sync.RWMutex).Unlock":                    unlockWriter,
		"(*sync.WaitGroup).Go":                      goInGroup,
		"(*sync.rlocker).Unlock":                    unlockReader,
		"(*text/template.Template).Execute":         execute[*template.Template],
		"(*text/template.Template).ExecuteTemplate": executeNamed[*template.Template],
		"(*text/template.Template).Funcs":           withFuncs((*template.Template).Funcs),
		"(*testing.B).Run":                          runBenchmark,
		"(*testing.B).RunParallel":                  runParallel,
		"(reflect.Value).Method":                    methodNumbered,
		"(reflect.Value).MethodByName":              Method,
	} {
		methods[name] = reflect.ValueOf(f)
	}
}

// Named returns the replacement of the method that has the given name in go/ssa, or the zero Value if there is none.
func Named(name string) reflect.Value { return methods[name] }

// MethodOf returns the named method of values of type t, or its replacement, as a function whose first parameter
// is the receiver. It returns the zero Value if there is no such method.
func MethodOf(t reflect.Type, name string) reflect.Value {
	if f := replacement(t, name); f.IsValid() {
		return f
	}
	m, _ := t.MethodByName(name)
	return m.Func
}

// replacement returns the replacement of a method of values of type t, or the zero Value.
func replacement(t reflect.Type, name string) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return reflect.Value{}
	}
	return methods["(*"+t.Elem().PkgPath()+"."+t.Elem().Name()+")."+name]
}

// Method is like v.MethodByName(name), but if the method has a replacement, Method returns the replacement.
func Method(v reflect.Value, name string) reflect.Value {
	m := v.MethodByName(name)
	if !m.IsValid() {
		return m
	}
	f := replacement(v.Type(), name)
	if !f.IsValid() {
		return m
	}
	// The receiver of f has the type of v. The exception is a *sync.rlocker, which f takes as a *sync.RWMutex.
	recv := reflect.NewAt(f.Type().In(0).Elem(), v.UnsafePointer())
	return reflect.MakeFunc(m.Type(), func(args []reflect.Value) []reflect.Value {
		args = append([]reflect.Value{recv}, args...)
		if m.Type().IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}

// methodNumbered is like v.Method(i), but if the method has a replacement, it returns the replacement.
func methodNumbered(v reflect.Value, i int) reflect.Value { return Method(v, v.Type().Method(i).Name) }

// unlocking holds locks. While a goroutine tests whether a mutex is locked and then unlocks it, the goroutine holds one
// of these locks, so that no other goroutine unlocks the mutex after the test. The address of the mutex selects the
// lock.
var unlocking [64]sync.Mutex

// guard locks the element of unlocking for the mutex at p, and returns the element.
func guard(p unsafe.Pointer) *sync.Mutex {
	g := &unlocking[uintptr(p)/8%uintptr(len(unlocking))]
	g.Lock()
	return g
}

// isLocked reports whether m is locked: whether the lowest bit of its first word is set (internal/sync, mutexLocked).
func isLocked(m *sync.Mutex) bool { return *(*int32)(unsafe.Pointer(m))&1 != 0 }

// An RWMutex stores the number of its readers. While a writer holds the lock or waits for it, package sync subtracts
// maxReaders from this number (rwmutexMaxReaders).
const maxReaders = 1 << 30

// readers returns the number of readers that hold m or wait for it, minus maxReaders if a writer holds m or waits for
// it.
func readers(m *sync.RWMutex) int32 {
	return (*struct {
		_       sync.Mutex
		_, _    uint32
		readers int32
	})(unsafe.Pointer(m)).readers
}

// isWriteLocked reports whether a writer holds m or waits for it.
func isWriteLocked(m *sync.RWMutex) bool { return readers(m) < 0 }

// isReadLocked reports whether readers hold m or wait for it. The mask gives their number even if maxReaders was
// subtracted.
func isReadLocked(m *sync.RWMutex) bool { return readers(m)&(maxReaders-1) != 0 }

func unlock(m *sync.Mutex) {
	defer guard(unsafe.Pointer(m)).Unlock()
	if !isLocked(m) {
		panic("sync: unlock of unlocked mutex")
	}
	m.Unlock()
}

func unlockWriter(m *sync.RWMutex) {
	defer guard(unsafe.Pointer(m)).Unlock()
	if !isWriteLocked(m) {
		panic("sync: Unlock of unlocked RWMutex")
	}
	m.Unlock()
}

func unlockReader(m *sync.RWMutex) {
	defer guard(unsafe.Pointer(m)).Unlock()
	if !isReadLocked(m) {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	m.RUnlock()
}

// readLocker is the type of the value that (*sync.RWMutex).RLocker returns. The value points to the RWMutex.
var readLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())

// wait is like c.Wait, which unlocks c.L, but panics if c.L is a lock of package sync that is not locked.
func wait(c *sync.Cond) {
	locked := true
	switch l := c.L.(type) {
	case *sync.Mutex:
		locked = isLocked(l)
	case *sync.RWMutex:
		locked = isWriteLocked(l)
	default:
		if v := reflect.ValueOf(l); l != nil && v.Type() == readLocker {
			locked = isReadLocked((*sync.RWMutex)(v.UnsafePointer()))
		}
	}
	if !locked {
		panic("sync: Wait of a Cond whose L is not locked")
	}
	c.Wait()
}

// ParseFlags is like f.Parse, but panics where f.Parse would end the process.
func ParseFlags(f *flag.FlagSet, args []string) error {
	if f.ErrorHandling() == flag.ExitOnError {
		f.Init(f.Name(), flag.PanicOnError)
		defer f.Init(f.Name(), flag.ExitOnError)
	}
	return f.Parse(args)
}

// An Exit is the value of a panic that ends a cell as os.Exit ends a program: no deferred calls run, and the panic
// cannot be recovered. The string is the message of the cell's error.
type Exit string

func (e Exit) String() string { return string(e) }

// Fatal is like log.Fatal for the logger l: it prints text and ends the cell.
func Fatal(l *log.Logger, text string) {
	l.Print(text)
	panic(Exit(strings.TrimSuffix(text, "\n")))
}

func fatal(l *log.Logger, args ...any) { Fatal(l, fmt.Sprint(args...)) }

func fatalf(l *log.Logger, format string, args ...any) { Fatal(l, fmt.Sprintf(format, args...)) }

func fatalln(l *log.Logger, args ...any) { Fatal(l, fmt.Sprintln(args...)) }

// errOwnProcess is the error of a signal to the kernel's own process.
var errOwnProcess = errors.New("os: a cell cannot signal the kernel's own process")

func kill(p *os.Process) error { return signal(p, os.Kill) }

func signal(p *os.Process, sig os.Signal) error {
	if p.Pid == os.Getpid() {
		return errOwnProcess
	}
	return p.Signal(sig)
}
