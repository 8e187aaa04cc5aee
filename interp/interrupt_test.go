package interp_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// A signal is an io.Writer that sends a value when something is written.
type signal struct{ written chan string }

func (s signal) Write(b []byte) (int, error) {
	s.written <- string(b)
	return len(b), nil
}

// interrupted runs code, which prints once and then runs endlessly, and interrupts it after it has printed.
func interrupted(t *testing.T, nb *interptest.Notebook, out signal, code string, n int) interp.Result {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-out.written
		cancel()
	}()
	return nb.Run(ctx, code, n) // code that cannot be interrupted runs until the time limit of go test
}

// TestInterrupt interrupts cells that run endlessly in different ways, and checks that the earlier state of the
// session is unchanged.
func TestInterrupt(t *testing.T) {
	endless := map[string]string{
		"loop":       "for {\n}",
		"computing":  "for i := 0; ; i++ {\n\tcount += i\n}",
		"function":   "var spin func()\nspin = func() {\n\tfor {\n\t}\n}\nspin()",
		"receive":    "<-make(chan int)",
		"send":       "make(chan int) <- 1",
		"select":     "select {}",
		"range":      "for range make(chan int) {\n}",
		"select two": "select {\ncase <-make(chan int):\ncase make(chan string) <- \"a\":\n}",
		"callback":   "sort.Slice([]int{2, 1}, func(i, j int) bool {\n\tfor {\n\t}\n})",
		"recovering": "func() {\n\tdefer func() { recover() }()\n\tfor {\n\t}\n}()\nlost = 1",
		"compiled":   "time.Sleep(time.Hour)\nlost = 1",
		"wait group": "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()\nlost = 1",
		"goto":       "again:\n\tgoto again",
		"goexit":     "go func() { select {} }()\nruntime.Goexit()",
		"mutual":     "fib := func(n int) int { return n }\n_ = fib\nslow(60)",
	}
	for name, code := range endless {
		t.Run(name, func(t *testing.T) {
			nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
			nb.MustRun(t, 1, "import (\n\"sort\"\n\"sync\"\n)\nkept, lost, count := 7, 0, 0\nfunc get() int { return kept }\nclosure := func() int { return kept + 1 }\nch := make(chan int, 1)\nfunc slow(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn slow(n-1) + slow(n-2)\n}")
			nb.SetStdout(out)
			res := interrupted(t, nb, out, "kept = 8\nnow := 9\nfmt.Println(\"started\")\n"+code+"\nlost = 2", 2)
			if res.Err == nil || res.Err.Name != "Interrupt" {
				t.Fatalf("got %+v", res)
			}
			nb.SetStdout(&nb.Stdout)
			if got := nb.MustRun(t, 3, "fmt.Sprint(get(), closure(), now, lost)"); got != "8 9 9 0" {
				t.Errorf("after the interrupt: %s", got)
			}
			if got := nb.MustRun(t, 4, "ch <- 5\nsum := <-ch\nfor i := 0; i < 10; i++ {\n\tsum += i\n}\nsum"); got != "50" {
				t.Errorf("channels and loops after the interrupt: %s", got)
			}
		})
	}
}

// TestInterruptedPosition checks that the error of a cell without loops that was interrupted has the position of the
// last call, after which the cell has noticed the interrupt.
func TestInterruptedPosition(t *testing.T) {
	nb := interptest.New(t, interp.Options{Finishing: func() bool { return true }})
	out := signal{make(chan string, 1000)}
	nb.SetStdout(out)
	res := interrupted(t, nb, out, "fmt.Println(\"started\")\ntime.Sleep(2 * time.Second)", 1)
	if res.Err == nil || res.Err.Name != "Interrupt" || res.Err.Pos != "cell[1]:2:1" {
		t.Errorf("got %+v", res.Err)
	}
}

// TestAbandonedTraceback checks that the functions that an abandoned goroutine leaves while a later cell runs are not
// in the traceback of the later cell.
func TestAbandonedTraceback(t *testing.T) {
	nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
	nb.MustRun(t, 1, "import \"sync\"\nvar mu sync.Mutex\nfunc wait() {\n\tmu.Lock()\n\tfor {\n\t}\n}\nmu.Lock()")
	nb.SetStdout(out)
	interrupted(t, nb, out, "fmt.Println(\"started\")\nwait()", 2)
	nb.SetStdout(&nb.Stdout)
	res := nb.Run(t.Context(), "later := time.After(100 * time.Millisecond)\nmu.Unlock()\n<-later\npanic(\"third\")", 3)
	if res.Err == nil || res.Err.Pos != "cell[3]:4:1" || strings.Contains(strings.Join(res.Err.Traceback, "\n"), "cell[1]") {
		t.Errorf("got %+v", res.Err)
	}
}

// TestInterruptedCalls checks that functions that call each other without a loop end when their cell is interrupted,
// and run their deferred calls.
func TestInterruptedCalls(t *testing.T) {
	nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
	nb.MustRun(t, 1, `ended := make(chan bool)
func slow(n int) int { if n < 2 { return n }; return slow(n-1) + slow(n-2) }
func work() { defer close(ended); slow(60) }`)
	nb.SetStdout(out)
	if res := interrupted(t, nb, out, "fmt.Println(\"started\")\nwork()", 2); res.Err == nil || res.Err.Name != "Interrupt" {
		t.Fatalf("got %+v", res)
	}
	nb.SetStdout(&nb.Stdout)
	nb.MustRun(t, 3, "<-ended") // never returns if slow goes on
}

// TestInterruptedWaits checks that a function that waits for a channel for ever ends when its cell is interrupted, runs
// its deferred calls, and does not take part in the channel any more.
func TestInterruptedWaits(t *testing.T) {
	for name, wait := range map[string]string{
		"receive": "<-ch", "send": "ch <- 1", "range": "for range ch { }", "select": "select { case <-ch: case ch <- 1: }", "nothing": "select { }",
	} {
		nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
		nb.MustRun(t, 1, "ch, ended := make(chan int), make(chan bool)\nfunc work() {\n\tdefer close(ended)\n\t"+wait+"\n}")
		nb.SetStdout(out)
		if res := interrupted(t, nb, out, "fmt.Println(\"started\")\nwork()", 2); res.Err == nil || res.Err.Name != "Interrupt" {
			t.Errorf("%s: got %+v", name, res)
		}
		nb.SetStdout(&nb.Stdout)
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second) // otherwise it would wait for ever
		defer cancel()
		res := nb.Run(ctx, "<-ended\ntaken := 0\nselect {\ncase ch <- 1:\n\ttaken++\ncase <-ch:\n\ttaken++\ndefault:\n}\ntaken", 3)
		if res.Err != nil || interptest.Text(res.Values) != "0" {
			t.Errorf("%s: after the interrupt: %s, %+v", name, interptest.Text(res.Values), res.Err)
		}
	}
}

// TestInterruptedDefers checks that the deferred calls of a function run when its cell is interrupted, the last one
// first, and that one that runs endlessly is abandoned.
func TestInterruptedDefers(t *testing.T) {
	nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
	nb.MustRun(t, 1, `closed := make(chan string, 3)
func note(s string) { for i := 0; i < 10; i++ { closed <- s; return } }
func work() {
	defer note("first")
	defer func() { for { } }()
	defer func() { defer note("nested"); note("literal") }()
	fmt.Println("started")
	for {
	}
}`)
	nb.SetStdout(out)
	res := interrupted(t, nb, out, "work()", 2)
	if res.Err == nil || res.Err.Name != "Interrupt" || strings.Contains(res.Err.Text(), "note") {
		t.Errorf("got %+v", res.Err)
	}
	nb.SetStdout(&nb.Stdout)
	if got := nb.MustRun(t, 3, "fmt.Sprint(<-closed, <-closed)"); got != "literalnested" {
		t.Errorf("called: %s", got)
	}
}

// TestInterruptedGoroutines checks that a goroutine of an earlier cell goes on after another cell was interrupted.
func TestInterruptedGoroutines(t *testing.T) {
	nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
	nb.MustRun(t, 1, "ask, answer := make(chan int), make(chan int)\ngo func() {\n\tfor n := range ask {\n\t\tanswer <- n * n\n\t}\n}()")
	nb.SetStdout(out)
	res := interrupted(t, nb, out, "fmt.Println(\"started\")\nfor {\n}", 2)
	if res.Err == nil || !strings.Contains(res.Err.Text(), "cell[2]:") { // at the loop or at Println
		t.Errorf("the interrupt has no position: %+v", res.Err)
	}
	nb.SetStdout(&nb.Stdout)
	if got := nb.MustRun(t, 3, "ask <- 12; <-answer"); got != "144" {
		t.Errorf("got %s", got)
	}
}

// TestEndlessRecursion checks that endless recursion ends in an error and not in the end of the process.
func TestEndlessRecursion(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "func down(n int) int { return down(n+1) + 1 }\nkept := 3")
	res := nb.Run(context.Background(), "down(0)", 2)
	if res.Err == nil || res.Err.Name != "stack overflow" || res.Err.Pos != "cell[1]:1:31" ||
		res.Err.Message != "functions call each other without end" {
		t.Fatalf("got %+v", res.Err)
	}
	if got := nb.MustRun(t, 3, "kept"); got != "3" {
		t.Errorf("got %s", got)
	}
}

// A counting is a context that counts the calls of Err.
type counting struct {
	context.Context
	asked *atomic.Int64
}

func (c counting) Err() error {
	c.asked.Add(1)
	return c.Context.Err()
}

// TestCheckLooksAtInterrupts checks that rewriting looks for an interrupt at each operator, and the explanation of
// errors at each error.
func TestCheckLooksAtInterrupts(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "x := nv.New([]float64{1, 2, 3}); i := 1")
	asked := func(line string, n int) int64 {
		ctx := counting{context.Background(), new(atomic.Int64)}
		nb.Run(ctx, strings.Repeat(line, n)+"undefined()", 2)
		return ctx.asked.Load()
	}
	perLine := func(line string) int64 { return (asked(line, 200) - asked(line, 100)) / 100 }
	operator, wrong, right := perLine("_ = x + 1\n"), perLine("_ = -undefined\n"), perLine("_ = -i\n")
	if operator < 3 {
		t.Errorf("an operator on a tensor: %d", operator)
	}
	if wrong <= right {
		t.Errorf("an error: %d, none: %d", wrong, right)
	}
}
