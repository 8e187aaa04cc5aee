package main

import (
	"sync"
	"time"
)

// idleBeforePreload is the length of a pause after which the plugin's library is loaded ahead
// of the first tensor. Loading takes 15 to 200 ms, during which a cell would wait (1+1: 40 ms
// and more, instead of 5), so it is done in a pause.
const idleBeforePreload = 500 * time.Millisecond

// A preloader calls a function once, in the first pause that is long enough.
type preloader struct {
	load func()

	mu    sync.Mutex
	timer *time.Timer
	busy  int
}

// idle starts a pause unless a cell is running.
func (p *preloader) idle() {
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

// run ends the pause until done is called.
func (p *preloader) run() (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy++
	p.stopTimer()
	return func() {
		p.mu.Lock()
		p.busy--
		p.mu.Unlock()
		p.idle()
	}
}

// close stops the preloader.
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
