// Command worker runs workloads of goanvil for bench.py. It reads requests from its input, each a line
// {"w": name, "budget": seconds}. The answer to a request is a line of JSON with the list of the samples in
// seconds. If the budget is 0, the workload runs once, to warm up, and the answer is null.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/xla"
)

// A step does the work of a workload once, waits until the work is done, and returns the duration.
type step func() time.Duration

// timed returns a step that calls f, which must wait for its results.
func timed(f func()) step {
	return func() time.Duration {
		start := time.Now()
		f()
		return time.Since(start)
	}
}

// repeat runs s once to warm up, and then until budget is used up. It returns the duration of each
// run but the first, in seconds.
func repeat(s step, budget time.Duration) []float64 {
	s()
	var samples []float64
	for end := time.Now().Add(budget); time.Now().Before(end); {
		samples = append(samples, s().Seconds())
	}
	return samples
}

// measure returns the samples of the workload w, whose step is s. It returns an error if the steps
// did not launch w.launches programs each, since the samples then do not measure the computation.
func measure(w workload, s step, budget time.Duration) ([]float64, error) {
	before := nv.Stats().Launches
	samples := repeat(s, budget)
	launches, steps := nv.Stats().Launches-before, int64(len(samples)+1)
	if w.launches > 0 && launches != w.launches*steps {
		return nil, fmt.Errorf("%d launches in %d steps, want %d", launches, steps, w.launches*steps)
	}
	return samples, nil
}

// serve answers the requests in r, one per line. It prepares a workload only if the previous request
// named another one.
func serve(r io.Reader, out io.Writer) error {
	prepared, s := "", step(nil)
	in := bufio.NewScanner(r)
	for in.Scan() {
		var request struct {
			W      string
			Budget float64
		}
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			return err
		}
		w, ok := workloads[request.W]
		if !ok {
			return fmt.Errorf("there is no workload %q", request.W)
		}
		if prepared != request.W {
			prepared, s = request.W, w.prepare()
		}
		samples, err := measure(w, s, time.Duration(request.Budget*float64(time.Second)))
		if err != nil {
			return fmt.Errorf("%s: %w", request.W, err)
		}
		line, err := json.Marshal(samples)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", line); err != nil {
			return err
		}
	}
	return in.Err()
}

func main() {
	xla.TuneMemory() // as the kernel does
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}
