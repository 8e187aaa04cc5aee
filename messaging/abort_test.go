package messaging

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// cellAt returns a cell stamped and received at given times.
func cellAt(session string, stamped, received time.Time) *request {
	return &request{
		Message:  &wire.Message{Header: wire.Header{MsgType: wire.TypeExecuteRequest, Session: session, Date: wire.Date(stamped)}},
		received: received,
	}
}

// A cell that fails at once waits for the burst behind it, and all of it is
// aborted; one that comes after the burst is not.
func TestBurstIsAborted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		failed := cellAt("s", time.Now(), time.Now())
		go func() {
			for range 10 {
				time.Sleep(quiet / 2)
				sh.push(cellAt("s", time.Now(), time.Now()))
			}
		}()
		began := time.Now()
		sh.abort(failed, sh.settle(failed))
		if held := time.Since(began); held != 6*quiet {
			t.Errorf("held for %v, want %v", held, 6*quiet)
		}
		time.Sleep(time.Millisecond)
		sh.push(cellAt("s", time.Now(), time.Now()))
		if len(sh.queue) != 11 {
			t.Fatalf("%d cells, want 11", len(sh.queue))
		}
		for i, r := range sh.queue {
			if aborted := r.refusal == &wire.Aborted; aborted != (i < 10) {
				t.Errorf("cell %d aborted: %v", i, aborted)
			}
		}
	})
}

func TestEndlessBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		var burst sync.WaitGroup
		burst.Go(func() {
			for range 100 {
				time.Sleep(quiet / 2)
				sh.push(cellAt("s", time.Now(), time.Now()))
			}
		})
		began := time.Now()
		sh.settle(cellAt("s", began, began))
		if held := time.Since(began); held != maxHold {
			t.Errorf("held for %v, want %v", held, maxHold)
		}
		burst.Wait()
	})
}

// A cell that ran for long is answered at once.
func TestLongCellIsNotHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		failed := cellAt("s", time.Now(), time.Now())
		time.Sleep(2 * atOnce)
		began := time.Now()
		sh.abort(failed, sh.settle(failed))
		if held := time.Since(began); held != 0 {
			t.Errorf("held for %v", held)
		}
	})
}

// An interrupt is known to its sender: what comes after it is run.
func TestCellsAfterAnInterruptRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		interrupted := cellAt("s", time.Now(), time.Now())
		for range 2 {
			time.Sleep(time.Second)
			sh.push(cellAt("s", time.Now(), time.Now()))
		}
		sh.abort(interrupted, time.Now().Add(-time.Second/2))
		if first, second := sh.queue[0].refusal, sh.queue[1].refusal; first != &wire.Aborted || second != nil {
			t.Errorf("sent before %v, after %v", first, second)
		}
	})
}

// A cell of the burst that comes late is known by its stamp, whatever the
// difference between the clocks.
func TestLateCellOfABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, skew := range []time.Duration{0, -time.Hour, time.Hour} {
			sh := newSubshell()
			sent := time.Now().Add(skew)
			failed := cellAt("s", sent, time.Now())
			time.Sleep(3 * time.Second)
			sh.abort(failed, sh.settle(failed))
			time.Sleep(time.Second)
			now := time.Now()
			tests := []struct {
				name string
				cell *request
				want bool
			}{
				{"sent with it", cellAt("s", sent.Add(time.Second), now), true},
				{"sent after the reply", cellAt("s", sent.Add(3*time.Second), now), false},
				{"of another front end", cellAt("other", sent, now), false},
				{"too late", cellAt("s", sent, now.Add(maxLate)), false},
				{"without a date", &request{Message: &wire.Message{Header: wire.Header{MsgType: wire.TypeExecuteRequest, Session: "s"}}, received: now}, false},
			}
			for _, test := range tests {
				sh.push(test.cell)
				if got := test.cell.refusal != nil; got != test.want {
					t.Errorf("skew %v, %s: aborted %v", skew, test.name, got)
				}
			}
		}
	})
}
