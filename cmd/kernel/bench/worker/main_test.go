package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
)

// Every workload but the large ones runs and launches the programs that it must.
func TestWorkloads(t *testing.T) {
	large := regexp.MustCompile(`10M|1M|1e8|100 MB|4096|2048|10,000|100,000|1,000|Gaussian|200 lengths|never seen|conv|CNN`)
	for name, w := range workloads {
		if large.MatchString(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			samples, err := measure(w, w.prepare(), time.Microsecond)
			if err != nil {
				t.Fatal(err)
			}
			if len(samples) > 1 && samples[0] <= 0 {
				t.Errorf("took %v s", samples)
			}
		})
	}
}

// bench.py measures every workload.
func TestNames(t *testing.T) {
	script, err := os.ReadFile("../bench.py")
	if err != nil {
		t.Fatal(err)
	}
	for name := range workloads {
		quoted := `"` + name + `"`
		if name == "ten-operation expression, 200 lengths" { // bench.py measures expressions of several kinds of shapes
			quoted = `name + "200 lengths"`
		}
		if !strings.Contains(string(script), quoted) {
			t.Errorf("bench.py does not measure %q", name)
		}
	}
}

func TestServe(t *testing.T) {
	var prepared, steps int
	workloads["test"] = workload{func() step {
		prepared++
		return func() time.Duration { steps++; return 1500 * time.Millisecond }
	}, 0}
	defer delete(workloads, "test")
	var out bytes.Buffer
	if err := serve(strings.NewReader(`{"W": "test", "Budget": 0}
{"W": "test", "Budget": 1e-4}
`), &out); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(out.String(), "\n")
	var samples []float64
	if err := json.Unmarshal([]byte(second), &samples); err != nil {
		t.Fatal(err)
	}
	if prepared != 1 || first != "null" || len(samples) == 0 || samples[0] != 1.5 || steps != len(samples)+2 {
		t.Errorf("prepared %d times, %d steps, answers %q", prepared, steps, out.String())
	}
}

func TestServeFails(t *testing.T) {
	x := nv.Arange(4, nv.F32)
	await(x)
	workloads["test"] = workload{func() step { return timed(func() { await(x.Add(1)) }) }, 2}
	defer delete(workloads, "test")
	for _, test := range []struct{ request, want string }{
		{`{"W": "nothing"}`, `there is no workload "nothing"`},
		{`{"W": `, "unexpected end of JSON input"},
		{`{"W": "test"}`, "test: 1 launches in 1 steps, want 2"},
	} {
		var out bytes.Buffer
		if err := serve(strings.NewReader(test.request), &out); err == nil || err.Error() != test.want || out.Len() > 0 {
			t.Errorf("%s: error %v, answer %q; want error %s", test.request, err, out.String(), test.want)
		}
	}
}
