package xla

import "runtime"

// A launcher is an operating system thread that runs the functions sent to it: C calls that may block
// for long, for callers that can be interrupted. Go moves a goroutine between threads, and so what
// such a call computes between processors, away from cached data.
type launcher chan func()

// idleLaunchers has the launchers with nothing to do. More than four end when done.
var idleLaunchers = make(chan launcher, 4)

// onLauncher runs f on a launcher, without waiting for it.
func onLauncher(f func()) {
	select {
	case l := <-idleLaunchers:
		l <- f
	default:
		l := make(launcher, 1)
		l <- f
		go l.run()
	}
}

func (l launcher) run() {
	runtime.LockOSThread() // the thread ends with the goroutine
	for f := range l {
		f()
		select {
		case idleLaunchers <- l:
		default:
			return
		}
	}
}
