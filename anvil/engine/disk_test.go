package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

func TestDiskCache(t *testing.T) {
	d := newDiskCache(t.TempDir(), "plugin")
	key := d.key([]byte("program"), "cpu:0")
	if d.load(key) != nil {
		t.Error("something where nothing was stored")
	}
	d.store(key, []byte("code"))
	if got := d.load(key); string(got) != "code" {
		t.Errorf("%q", got)
	}
	for name, other := range map[string]string{
		"program": d.key([]byte("another"), "cpu:0"),
		"device":  d.key([]byte("program"), "cpu:1"),
		"plugin":  newDiskCache(t.TempDir(), "other").key([]byte("program"), "cpu:0"),
	} {
		if other == key {
			t.Error(name, "is no part of the key")
		}
	}
	file, err := os.ReadFile(d.path(key))
	if err != nil {
		t.Fatal(err)
	}
	for i := range file { // any bit that flips is seen, and the file is not used again
		bad := append([]byte(nil), file...)
		bad[i] ^= 1
		if err := os.WriteFile(d.path(key), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if d.load(key) != nil {
			t.Fatal("a changed file is used")
		}
	}
	if _, err := os.Stat(d.path(key)); !os.IsNotExist(err) {
		t.Error("a changed file stays")
	}
	if left, _ := filepath.Glob(filepath.Join(d.dir, "*", "new-*")); len(left) > 0 {
		t.Error(left)
	}
	var none *diskCache
	none.store(none.key(nil, ""), nil)
	if none.load("") != nil {
		t.Error("no cache has something")
	}
}

func TestProgramsSurviveTheSession(t *testing.T) {
	t.Setenv("GOANVIL_CACHE", t.TempDir())
	run := func() Stats {
		s := New(Options{Compiled: true})
		a, err := s.Host(shape.Of(dtype.F32, 2), []byte{0, 0, 128, 63, 0, 0, 0, 64}, "")
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Apply(a.Type(), ir.Add, nil, a, a)
		if err != nil {
			t.Fatal(err)
		}
		var out [8]byte
		if err := s.Read(b, out[:]); err != nil {
			t.Fatal(err)
		}
		if out != [8]byte{0, 0, 0, 64, 0, 0, 128, 64} {
			t.Error(out)
		}
		if s.Name() == "reference" {
			t.Skip("the reference evaluator compiles nothing")
		}
		return s.Stats()
	}
	if s := run(); s.Compiles != 1 || s.DiskHits != 0 {
		t.Errorf("%+v", s)
	}
	if s := run(); s.Compiles != 0 || s.DiskHits != 1 {
		t.Errorf("%+v", s)
	}
}

func TestEqualProgramsHaveOneKey(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	scalar := func(v byte) Array { return s.Scalar(dtype.U8, []byte{v}) }
	sum := func(a, b Array) Array {
		r, err := s.Apply(shape.Of(dtype.U8), ir.Add, nil, a, b)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for i := range byte(5) { // one program with two parameters, one where both are the same
		x, y := scalar(i), scalar(7)
		if err := s.Force(sum(x, y)); err != nil {
			t.Fatal(err)
		}
		if err := s.Force(sum(x, x)); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.Stats().Programs; n != 2 {
		t.Error(n, "programs")
	}
}

// What it takes to find a program does not grow with how many there are.
func TestLookupStaysFlat(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	add := func(n int) {
		a, err := s.Host(shape.Of(dtype.U8, n), make([]byte, n), "")
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Apply(a.Type(), ir.Add, nil, a, a)
		if err == nil {
			err = s.Force(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	allocs := func() float64 { // the least of a few: other goroutines allocate too
		add(5)
		least := testing.AllocsPerRun(100, func() { add(5) })
		for range 2 {
			least = min(least, testing.AllocsPerRun(100, func() { add(5) }))
		}
		return least
	}
	made := 0
	upTo := func(n int) {
		for made < n {
			made++
			add(made)
		}
	}
	upTo(10)
	few := allocs()
	upTo(10_000)
	programs := s.Stats().Programs
	if many := allocs(); many > few {
		t.Errorf("%v allocations among 10 programs, %v among 10,000", few, many)
	}
	if st := s.Stats(); programs != 10_000 || st.Programs > programs+1 || st.CacheHits < 600 { // one at most was let go of
		t.Errorf("%+v", st)
	}
}
