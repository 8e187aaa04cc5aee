package xla

import (
	"runtime"
	"syscall"
	"testing"
)

// TestLaunchersStay: consecutive functions run on existing threads, and any number of
// concurrent ones on different threads.
func TestLaunchersStay(t *testing.T) {
	const many = 20
	threads, enough, done := make(chan int, many), make(chan bool), make(chan bool, many)
	for range many {
		onLauncher(func() {
			threads <- syscall.Gettid()
			<-enough
			done <- true
		})
	}
	seen := map[int]bool{}
	for range many {
		seen[<-threads] = true
	}
	if len(seen) != many {
		t.Errorf("%d at once are on %d threads", many, len(seen))
	}
	close(enough)
	for range many {
		<-done
	}
	for range many {
		for len(idleLaunchers) < cap(idleLaunchers) {
			runtime.Gosched()
		}
		onLauncher(func() { threads <- syscall.Gettid() })
		if !seen[<-threads] {
			t.Fatal("a thread was made though others rest")
		}
	}
}
