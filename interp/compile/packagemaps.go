package compile

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// Functions of packages print, encode and compare maps without locking them. Therefore the maps in the arguments of
// such a function are registered while it is called. Functions of cells in other goroutines do not write registered
// maps, and do not read a registered map if the function writes it.

// packageMaps holds the registered maps of a session.
type packageMaps struct {
	active atomic.Int32 // len(uses)
	mu     sync.Mutex
	uses   []*packageUse
}

// A packageUse is a call of a function of a package, with the registered maps.
type packageUse struct {
	goroutine uintptr                 // the key of the goroutine that makes the call
	writes    bool                    // the function writes the maps
	maps      map[unsafe.Pointer]bool // changed only by this goroutine, which then holds packageMaps.mu
}

// conflicts reports whether another goroutine calls a function of a package that uses m, and that function or the
// caller of conflicts writes m. writes reports whether the caller writes m.
func (p *packageMaps) conflicts(m unsafe.Pointer, writes bool) bool {
	if p.active.Load() == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conflictsLocked(m, &packageUse{goroutine: goroutine.Key(), writes: writes})
}

// conflictsLocked is conflicts for the use u of m. The caller holds p.mu.
func (p *packageMaps) conflictsLocked(m unsafe.Pointer, u *packageUse) bool {
	for _, other := range p.uses {
		if other.goroutine != u.goroutine && (other.writes || u.writes) && other.maps[m] {
			return true
		}
	}
	return false
}

// register adds m to the use u. While a use by another goroutine conflicts with u, it waits and calls poll.
func (p *packageMaps) register(m unsafe.Pointer, u *packageUse, poll func()) {
	var wait mapWait
	for l := lockOf(m); ; wait.sleep(poll, u.writes) {
		if u.writes {
			l.Lock()
		} else {
			l.RLock()
		}
		p.mu.Lock()
		free := !p.conflictsLocked(m, u)
		if free && u.maps == nil {
			u.maps = map[unsafe.Pointer]bool{}
			p.uses = append(p.uses, u)
			p.active.Add(1)
		}
		if free {
			u.maps[m] = true
		}
		p.mu.Unlock()
		l.unlock(u.writes)
		if free {
			return
		}
	}
}

// release ends the use u.
func (p *packageMaps) release(u *packageUse) {
	if u.maps == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.uses, u)
	p.uses = slices.Delete(p.uses, i, i+1)
	p.active.Add(-1)
}

// A mapWait is the wait for a map that a function of a package uses.
type mapWait struct{ end time.Time }

// maxMapWait is how long a function waits for a map before it panics. Without a limit there could be a deadlock, since
// the function of a package that uses the map may in turn wait for this function.
const maxMapWait = time.Second

// sleep calls poll and waits for a short time. It panics if the whole wait exceeds maxMapWait.
func (w *mapWait) sleep(poll func(), writes bool) {
	switch now := time.Now(); {
	case w.end.IsZero():
		w.end = now.Add(maxMapWait)
	case now.After(w.end) && writes:
		panic(runtimeError("concurrent map iteration and map write"))
	case now.After(w.end):
		panic(runtimeError("concurrent map read and map write"))
	}
	poll()
	time.Sleep(20 * time.Microsecond)
}

// withPackageMaps returns call, a call of the function fn of a package. During the call, the maps that fn uses are
// registered.
func (b *builder) withPackageMaps(fn *ssa.Function, call caller) caller {
	search := searchOf(fn)
	if search == nil {
		return call
	}
	t := b.signatureType(fn)
	var searched []int // the indices of the arguments in which there can be maps
	for i := range t.NumIn() {
		isReceiver := i == 0 && fn.Signature.Recv() != nil
		if isReceiver == search.receiver && (isReceiver || holdsMaps(t.In(i))) {
			searched = append(searched, i)
		}
		if isReceiver && search.receiver {
			break
		}
	}
	if len(searched) == 0 {
		return call
	}
	s := b.s
	return func(fr *frame, args, results []*register) {
		mayFind := false
		for _, i := range searched {
			mayFind = mayFind || search.mayFindIn(t.In(i), unsafe.Add(unsafe.Pointer(fr), args[i].off))
		}
		if !mayFind {
			call(fr, args, results)
			return
		}
		use := packageUse{goroutine: goroutine.Key(), writes: search.writes}
		f := &mapFinder{mapSearch: search, s: s, th: fr.th, use: use}
		defer s.packageMaps.release(&f.use)
		for _, i := range searched {
			arg := unsafe.Add(unsafe.Pointer(fr), args[i].off)
			if t.In(i) == anyListType {
				f.findAll(*(*[]any)(arg))
			} else {
				f.find(reflect.NewAt(t.In(i), arg).Elem(), 0)
			}
		}
		call(fr, args, results)
	}
}

// WithMaps calls f, which reads or prints values. Meanwhile functions of cells do not write the maps in values. If a
// function of a package writes one of these maps for longer than maxMapWait, WithMaps returns an error and does not
// call f.
func (s *Session) WithMaps(values []any, f func()) (err error) {
	finder := &mapFinder{mapSearch: shownMaps, s: s, use: packageUse{goroutine: goroutine.Key()}}
	if _, owned := s.owned.Load(finder.use.goroutine); !owned {
		s.maps.add() // count this goroutine: functions of cells then lock maps and look for registered ones
		defer s.maps.remove()
	}
	defer s.packageMaps.release(&finder.use)
	if err := finder.tryAll(values); err != nil {
		return err
	}
	f()
	return nil
}
