package data_test

import (
	"runtime"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/random"
)

// TestMemoryIsFlat checks that epochs over shuffled batches do not retain memory.
func TestMemoryIsFlat(t *testing.T) {
	set, m := numbers(64), data.NewMean()
	step := nv.Jit(func(m data.Mean, b data.Batch) data.Mean { return m.Add(b.X, b.Mask) })
	epochs := func(n int) {
		for i := range n {
			for b := range set.Batches(5, data.Shuffle(random.Key(i))) {
				m = step(m, b)
			}
		}
		if err := m.Sum.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	epochs(20)
	before, live := heap(), nv.Stats().LiveBuffers
	epochs(200)
	if after := heap(); after > before+1<<20 {
		t.Errorf("2600 steps leave %d bytes", after-before)
	}
	if more := nv.Stats().LiveBuffers - live; more > 200 {
		t.Errorf("2600 steps leave %d buffers", more)
	}
}

func BenchmarkBatches(b *testing.B) {
	set := data.Digits()
	for b.Loop() {
		for batch := range set.Batches(64) {
			if err := batch.X.Wait(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*set.Steps(64)), "us/batch")
}
