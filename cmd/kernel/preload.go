package main

import (
	"sync"
	"time"
)

// idleBeforePreload is the length of a pause after which the plugin's library is loaded, before the
// first tensor needs it. Loading takes 15 to 200 ms. A cell that runs at the same time is slow: 1+1
// takes 40 ms or more instead of 5 ms.
const idleBeforePreload = 500 * time.Millisecond

// A preloader calls load once, in the first pause between cells that is at least idleBeforePreload long.
type preloader struct {
	mu    sync.Mutex
	load  func() // nil once it is called, and after close
	timer *time.Timer
	busy  int // the number of running cells
}

// beginPause starts a pause unless a cell is running.
func (p *preloader) beginPause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.load == nil, p.busy > 0:
	case p.timer == nil:
		p.timer = time.AfterFunc(idleBeforePreload, p.fire)
	default:
		p.timer.Reset(idleBeforePreload)
	}
}

// beginCell ends the pause. The caller must call end when the cell has run; end starts the next pause.
func (p *preloader) beginCell() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy++
	p.stopTimer()
	return func() {
		p.mu.Lock()
		p.busy--
		p.mu.Unlock()
		p.beginPause()
	}
}

// close prevents further calls of load.
func (p *preloader) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load = nil
	p.stopTimer()
}

func (p *preloader) stopTimer() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

// fire calls load unless a cell has started since the timer fired.
func (p *preloader) fire() {
	p.mu.Lock()
	load := p.load
	if p.busy > 0 {
		load = nil
	} else {
		p.load = nil
	}
	p.mu.Unlock()
	if load != nil {
		load()
	}
}
