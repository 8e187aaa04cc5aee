package interp_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestPanicInGoroutine checks that a panic in a goroutine is reported with its position, unless a deferred call of
// the goroutine recovers it, and ends nothing else.
func TestPanicInGoroutine(t *testing.T) {
	tests := []struct{ name, code, want string }{
		{"literal", "go func() {\n\tpanic(\"far\")\n}()",
			"panic in a goroutine: far\ncell[1]:2:2\n    \tpanic(\"far\")\n    \t^\n"},
		{"called", "boom := func(n int) { panic(n) }\ndone := make(chan bool)\ngo func() {\n\tdefer close(done)\n\tboom(3)\n}()\n<-done",
			"panic in a goroutine: 3\ncell[1]:1:23\n    boom := func(n int) { panic(n) }\n                          ^\ncell[1]:5:2\n    \tboom(3)\n    \t^\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := signal{make(chan string, 1)}
			nb := interptest.New(t, interp.Options{Stderr: out})
			nb.MustRun(t, 1, test.code)
			if diff := cmp.Diff(test.want, <-out.written); diff != "" {
				t.Error(diff)
			}
			if got := nb.MustRun(t, 2, "1 + 1"); got != "2" {
				t.Errorf("the next cell shows %q", got)
			}
		})
	}
}

// TestThousandsOfGoroutinesThatWait checks that goroutines that wait for channels let others run.
func TestThousandsOfGoroutinesThatWait(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second) // it takes 0.3 s
	defer cancel()
	res := nb.Run(ctx, `
never, all := make(chan int), make([]chan int, 4000)
sum := make(chan int)
for i := range all {
	all[i] = make(chan int)
	go func() {
		got := 0
		for range 10 {
			select {
			case n := <-all[i]:
				got += n
			case <-never:
			}
		}
		sum <- got
	}()
}
for n := range 10 {
	for _, c := range all {
		c <- n
	}
}
total := 0
for range all {
	total += <-sum
}
total`, 1)
	if res.Err != nil || interptest.Text(res.Values) != "180000" {
		t.Errorf("got %s, %+v", interptest.Text(res.Values), res.Err)
	}
}
