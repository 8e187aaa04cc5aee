package messaging

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// cellAt returns a notebook's cell sent and received at given times.
func cellAt(session string, sent, received time.Time) *request {
	return &request{
		Message: &wire.Message{
			Header:   wire.Header{MsgType: wire.TypeExecuteRequest, Session: session, Date: wire.Date(sent)},
			Metadata: []byte(`{"cellId": "a"}`),
		},
		received: received,
	}
}

// The reply to a cell that fails quickly is held until the burst of cells after
// it is over, and the whole burst is aborted; a later cell is not.
func TestBurstIsAborted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		failed := cellAt("s", time.Now(), time.Now())
		go func() {
			for range 10 {
				time.Sleep(burstGap / 2)
				sh.push(cellAt("s", time.Now(), time.Now()))
			}
		}()
		began := time.Now()
		sh.abort(failed, sh.awaitBurst(failed))
		if held := time.Since(began); held != 6*burstGap {
			t.Errorf("held for %v, want %v", held, 6*burstGap)
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

// The reply to a program's cell is held for burstGap only if more cells follow at once, and
// otherwise for loneGap. The reply to a notebook's cell is held for burstGap.
func TestLoneCellIsHardlyHeld(t *testing.T) {
	tests := []struct {
		name     string
		metadata string
		ran      time.Duration // how long the cell ran
		burst    bool          // another cell arrives with it
		want     time.Duration // held
	}{
		{"a program's cell", "{}", 0, false, loneGap},
		{"a slow cell of a program", "{}", loneGap, false, 0},
		{"a program's cells", "{}", 0, true, burstGap + loneGap/2},
		{"a notebook's cell", `{"cellId": "a"}`, 0, false, burstGap},
		{"a slow cell of a notebook", `{"cellId": "a"}`, burstGap, false, 0},
		{"without metadata", "", 0, false, loneGap},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			sh := newSubshell()
			failed := cellAt("s", time.Now(), time.Now())
			failed.Metadata = []byte(test.metadata)
			sh.push(failed)
			if test.burst {
				go func() {
					time.Sleep(loneGap / 2)
					sh.push(cellAt("s", time.Now(), time.Now()))
				}()
			}
			time.Sleep(test.ran)
			began := time.Now()
			sh.awaitBurst(failed)
			if held := time.Since(began); held != test.want {
				t.Errorf("%s: held for %v, want %v", test.name, held, test.want)
			}
		})
	}
}

func TestEndlessBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		var burst sync.WaitGroup
		burst.Go(func() {
			for range 100 {
				time.Sleep(burstGap / 2)
				sh.push(cellAt("s", time.Now(), time.Now()))
			}
		})
		began := time.Now()
		sh.awaitBurst(cellAt("s", began, began))
		if held := time.Since(began); held != maxBurst {
			t.Errorf("held for %v, want %v", held, maxBurst)
		}
		burst.Wait()
	})
}

// A cell that ran for long is answered at once.
func TestLongCellIsNotHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		failed := cellAt("s", time.Now(), time.Now())
		time.Sleep(2 * quickFailure)
		began := time.Now()
		sh.abort(failed, sh.awaitBurst(failed))
		if held := time.Since(began); held != 0 {
			t.Errorf("held for %v", held)
		}
	})
}

// Cells sent after an interrupt are run, since their sender knows of it.
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

// A cell of the burst that arrives late is recognized by its stamp, however the
// two clocks differ.
func TestLateCellOfABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, skew := range []time.Duration{0, -time.Hour, time.Hour} {
			sh := newSubshell()
			sent := time.Now().Add(skew)
			failed := cellAt("s", sent, time.Now())
			time.Sleep(3 * time.Second)
			sh.abort(failed, sh.awaitBurst(failed))
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
				{"too late", cellAt("s", sent, now.Add(maxLag)), false},
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

// A request in a lane waits for the cells that arrived before it, but not for long.
func TestTurnOfALane(t *testing.T) {
	tests := []struct {
		name string
		ran  time.Duration // until the cell before it has ended
		want time.Duration
	}{
		{"a short cell", maxCellWait / 2, maxCellWait / 2},
		{"a long cell", 2 * maxCellWait, maxCellWait},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			sh := newSubshell()
			began := time.Now()
			before := cellAt("s", began, began)
			sh.push(before)
			completion := &request{Message: &wire.Message{}, received: began}
			var cells sync.WaitGroup
			cells.Go(func() {
				time.Sleep(maxCellWait / 4)
				sh.next() // begins to run
				sh.push(cellAt("s", time.Now(), time.Now()))
				time.Sleep(test.ran - maxCellWait/4)
				sh.finish(before)
			})
			sh.awaitCells(completion)
			if waited := time.Since(began); waited != test.want {
				t.Errorf("%s: waited %v, want %v", test.name, waited, test.want)
			}
			cells.Wait()
		})
	}
}

// If a front end draws between the cells of a burst, the kernel may have run each cell before
// the next one arrives. Even so none of them is alone, not even the last.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := newSubshell()
		run := func() (r *request) {
			r = cellAt("s", time.Now(), time.Now())
			sh.push(r)
			sh.next()
			return r
		}
		for range 3 {
			first := run()
			answered := make(chan bool)
			go func() { answered <- sh.alone(first) }()
			time.Sleep(150 * time.Millisecond)
			last := cellAt("s", time.Now(), time.Now())
			sh.push(last)
			if <-answered {
				t.Error("the first cell of a burst is alone")
			}
			sh.finish(first)
			sh.next()
			if sh.alone(last) {
				t.Error("the last cell of a burst is alone")
			}
			sh.finish(last)
			time.Sleep(time.Second)
			single := run()
			if !sh.alone(single) {
				t.Error("a cell run by itself is not alone")
			}
			sh.finish(single)
			time.Sleep(time.Second)
		}
	})
}
