package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

func TestDiskCache(t *testing.T) {
	d := newDiskCache(t.TempDir(), "plugin")
	key := d.key([]byte("program"), "cpu:0")
	if d.load(key) != nil {
		t.Error("an empty cache returns a program")
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
			t.Error("the key does not depend on the", name)
		}
	}
	file, err := os.ReadFile(d.path(key))
	if err != nil {
		t.Fatal(err)
	}
	for i := range file { // a change of any byte is detected, and the file is removed
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
		t.Error("a changed file is not removed")
	}
	if left, _ := filepath.Glob(filepath.Join(d.dir, "*", "new-*")); len(left) > 0 {
		t.Error(left)
	}
	var none *diskCache
	none.store(none.key(nil, ""), nil)
	if none.load("") != nil {
		t.Error("a nil cache returns a program")
	}
}

// A file under a program's name that does not hold the program is neither loaded nor waited for.
func TestDiskCacheTrustsNothingElse(t *testing.T) {
	d := newDiskCache(t.TempDir(), "plugin")
	a, b := d.key([]byte("a"), ""), d.key([]byte("b"), "")
	check := func(what string) {
		t.Helper()
		if got := d.load(a); got != nil {
			t.Errorf("%s: %q is loaded", what, got)
		}
		if d.store(a, []byte("code of a")); string(d.load(a)) != "code of a" {
			t.Errorf("%s: the program cannot be stored afterwards", what)
		}
	}
	d.store(a, []byte("code of a"))
	d.store(b, []byte("code of b"))
	other, err := os.ReadFile(d.path(b))
	if err != nil {
		t.Fatal(err)
	}
	for what, file := range map[string][]byte{"another program": other, "nothing": {}, "half a checksum": other[:16], "a checksum": other[:32], "zeros": make([]byte, 5000)} {
		if err := os.WriteFile(d.path(a), file, 0o600); err != nil {
			t.Fatal(err)
		}
		check(what)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(d.path(a), 0o666); err != nil {
		t.Fatal(err)
	}
	check("a file that anybody may write")
	os.Remove(d.path(a))
	pipe(t, d.path(a))
	check("a pipe that nobody writes to")
}

// The folder may be removed while a session runs. If it cannot be made, that is logged once.
func TestDiskCacheWithoutFolder(t *testing.T) {
	dir := t.TempDir()
	d := newDiskCache(dir, "plugin")
	key := d.key([]byte("a"), "")
	d.store(key, []byte("code"))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if d.load(key) != nil {
		t.Error("a removed program is loaded")
	}
	if d.store(key, []byte("code")); string(d.load(key)) != "code" {
		t.Error("the folder is not made again")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d = newDiskCache(file, "plugin")
	var logged []string
	d.setLog(func(line string) { logged = append(logged, line) })
	for range 3 {
		d.store(key, []byte("code"))
	}
	want := "compiled programs cannot be saved, so the next session compiles them again: mkdir " + file + ": "
	if len(logged) != 1 || !strings.HasPrefix(logged[0], want) || d.load(key) != nil {
		t.Errorf("logged %q, want one line that begins with %s", logged, want)
	}
}

// A folder keeps the programs that were used last.
func TestDiskCacheIsBounded(t *testing.T) {
	d := newDiskCache(t.TempDir(), "plugin")
	key := func(i int) string { return fmt.Sprintf("00%062d", i) }
	for i := range maxFiles {
		d.store(key(i), []byte("code"))
		old := time.Unix(int64(1_000_000+i), 0)
		if err := os.Chtimes(d.path(key(i)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if d.load(key(3)) == nil { // makes it the most recently used
		t.Fatal("a stored program is missing")
	}
	d.store(key(maxFiles), []byte("code"))
	for i, want := range map[int]bool{3: true, maxFiles: true, maxFiles - 1: true, 0: false, maxFiles / 3: false} {
		if got := d.load(key(i)) != nil; got != want {
			t.Errorf("program %d is stored: %t, want %t", i, got, want)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(d.path(key(0)))); err != nil || len(left) > maxFiles/2+1 {
		t.Error(len(left), err)
	}
}

// Concurrent stores of the same program leave one complete file.
func TestDiskCacheOfMany(t *testing.T) {
	dir := t.TempDir()
	data := bytes.Repeat([]byte("code"), 50_000)
	key := newDiskCache(dir, "plugin").key([]byte("a"), "")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d := newDiskCache(dir, "plugin")
			for range 20 {
				d.store(key, data)
				if !bytes.Equal(d.load(key), data) {
					t.Error("the loaded program is incomplete")
				}
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, "programs", "*", "*")); len(left) != 1 {
		t.Error(left)
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

// The cost of finding a program does not grow with the number of programs.
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
	allocs := func() float64 { // the least of three measurements, since other goroutines allocate too
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
	if st := s.Stats(); programs != 10_000 || st.Programs > programs+1 || st.CacheHits < 600 { // at most one was dropped
		t.Errorf("%+v", st)
	}
}
