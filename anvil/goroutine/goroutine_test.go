package goroutine_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// deep calls itself until the stack has grown and moved, and returns Key there.
func deep(n int) uintptr {
	var space [128]byte
	space[n%128] = 1
	if n == 0 {
		return goroutine.Key()
	}
	return deep(n-1) + uintptr(space[(n+1)%128])
}

// TestKey checks that a goroutine keeps its key while its stack grows and its thread
// changes, and that goroutines that live at the same time have different keys.
func TestKey(t *testing.T) {
	var mu sync.Mutex
	var counted sync.WaitGroup
	keys := map[uintptr]bool{}
	end := make(chan struct{}) // keeps the goroutines alive until all are counted
	for range 100 {
		counted.Add(1)
		go func() {
			key := goroutine.Key()
			if got := deep(10_000); got != key {
				t.Errorf("%x on a deep stack, %x before", got, key)
			}
			for range 10 {
				runtime.Gosched()
				if got := goroutine.Key(); got != key {
					t.Errorf("%x after others ran, %x before", got, key)
				}
			}
			mu.Lock()
			keys[key] = true
			mu.Unlock()
			counted.Done()
			<-end
		}()
	}
	counted.Wait()
	keys[goroutine.Key()] = true
	close(end)
	if len(keys) != 101 {
		t.Errorf("101 goroutines have %d keys", len(keys))
	}
}

func BenchmarkKey(b *testing.B) {
	for b.Loop() {
		goroutine.Key()
	}
}

// TestStackUsed checks that StackUsed grows with the depth of calls by the space that each
// call needs.
func TestStackUsed(t *testing.T) {
	if goroutine.StackUsed() == 0 {
		t.Skip("not known on this architecture")
	}
	used := make(chan uintptr)
	for _, n := range []int{0, 1000, 10_000} {
		go func() { used <- deepUse(n) }()
		if got, least := <-used, uintptr(n*128); got < least || got > 4*least+8192 {
			t.Errorf("%d calls of at least 128 bytes use %d bytes", n, got)
		}
	}
}

// deepUse returns StackUsed after n calls of itself.
func deepUse(n int) uintptr {
	var space [128]byte
	space[n%128] = 1
	if n == 0 {
		return goroutine.StackUsed()
	}
	return deepUse(n-1) + uintptr(space[(n+1)%128])
}
