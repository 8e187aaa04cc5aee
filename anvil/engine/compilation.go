package engine

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Compilation is a program that was found neither in memory nor among what is
// small enough to be run in host memory as it is.
type Compilation struct {
	Number     int64 // 1 for the first
	Operations int
	Took       time.Duration
	Disk       bool   // it was loaded, since another session had compiled it
	Reason     string // why no program of before would do
}

// String returns the compilation in words: "program 3, of 12 operations, compiled
// in 14ms: input 2 changed from f32{3} to f32{4}".
func (c Compilation) String() string {
	if c.Number == 0 {
		return "nothing was compiled"
	}
	how := "compiled"
	if c.Disk {
		how = "loaded from disk"
	}
	plural := "s"
	if c.Operations == 1 {
		plural = ""
	}
	return fmt.Sprintf("program %d, of %d operation%s, %s in %v: %s", c.Number, c.Operations, plural, how, c.Took.Round(10*time.Microsecond), c.Reason)
}

// compilations are the last ones, and programs by their operations.
type compilations struct {
	mu     sync.Mutex
	count  int64
	last   []Compilation
	inputs map[uint64][]shape.Type
	forms  map[uint64]form // by the operations that are no conversions
}

// A form is what a program has besides its operations.
type form struct {
	inputs      []shape.Type
	conversions []string // "from i32 to f32"
}

// Bounds of what is kept.
const (
	maxCompilations = 64
	maxSkeletons    = 4096
)

// add takes note of a compilation of g.
func (c *compilations) add(g *ir.Graph, took time.Duration, disk bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if len(c.last) == maxCompilations {
		c.last = append(c.last[:0], c.last[1:]...)
	}
	c.last = append(c.last, Compilation{Number: c.count, Operations: count(g), Took: took, Disk: disk, Reason: c.reason(g)})
}

// reason returns what is new about g, and takes note of it.
func (c *compilations) reason(g *ir.Graph) string {
	if c.inputs == nil || len(c.inputs) >= maxSkeletons {
		c.inputs, c.forms = map[uint64][]shape.Type{}, map[uint64]form{}
	}
	now := form{conversions: conversions(g)}
	for _, p := range g.Params {
		now.inputs = append(now.inputs, p.Type)
	}
	key, loose := skeleton(g, true), skeleton(g, false)
	inputs, known := c.inputs[key]
	before, similar := c.forms[loose]
	c.inputs[key], c.forms[loose] = now.inputs, now
	switch {
	case known:
		return inputChanges(inputs, now.inputs)
	case similar:
		return conversionChanges(before, now)
	}
	return "its operations are new"
}

// inputChanges returns which of the inputs changed, and that something else did
// where none has.
func inputChanges(before, now []shape.Type) string {
	changes := changed(before, now)
	switch n := len(changes); {
	case n == 0:
		return "an axis, a length or another static part of its operations, or the device, changed"
	case n > 3:
		changes = append(changes[:3], fmt.Sprintf("%d more changed", n-3))
	}
	return strings.Join(changes, ", ")
}

func changed(before, now []shape.Type) (changes []string) {
	for i, t := range now {
		if i < len(before) && !t.Equal(before[i]) {
			changes = append(changes, fmt.Sprintf("input %d changed from %s to %s", i+1, before[i], t))
		}
	}
	return changes
}

// conversionChanges returns which conversions now has and before has not, and which
// it lacks; the operations are the same otherwise.
func conversionChanges(before, now form) string {
	var changes []string
	for _, c := range beyond(now.conversions, before.conversions) {
		changes = append(changes, "a conversion "+c+" is new")
	}
	for _, c := range beyond(before.conversions, now.conversions) {
		changes = append(changes, "a conversion "+c+" is gone")
	}
	if len(changes) == 0 {
		changes = []string{"a conversion is at another place"}
	}
	changes = append(changes, changed(before.inputs, now.inputs)...)
	if n := len(changes); n > 3 {
		changes = append(changes[:3], fmt.Sprintf("%d more changes", n-3))
	}
	return strings.Join(changes, ", ")
}

// beyond returns the elements of a that b has not, or not as often.
func beyond(a, b []string) (more []string) {
	b = slices.Clone(b)
	for _, x := range a {
		if i := slices.Index(b, x); i >= 0 {
			b = slices.Delete(b, i, i+1)
		} else {
			more = append(more, x)
		}
	}
	return more
}

// conversions returns the conversions of g and of its regions.
func conversions(g *ir.Graph) (all []string) {
	for _, n := range g.Nodes {
		if n.Code == ir.Convert {
			all = append(all, fmt.Sprintf("from %s to %s", n.Args[0].Type.DType, n.Results[0].Type.DType))
		}
		for _, r := range n.Regions {
			all = append(all, conversions(r)...)
		}
	}
	return all
}

var seed = maphash.MakeSeed()

// skeleton returns a number that programs share which differ only in types and
// attributes, and in conversions where these do not count.
func skeleton(g *ir.Graph, converting bool) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var walk func(g *ir.Graph)
	walk = func(g *ir.Graph) {
		fmt.Fprint(&h, len(g.Params), len(g.Outputs))
		for _, n := range g.Nodes {
			if n.Code == ir.Convert && !converting {
				continue
			}
			fmt.Fprint(&h, " ", n.Code, len(n.Args))
			for _, r := range n.Regions {
				walk(r)
			}
		}
	}
	walk(g)
	return h.Sum64()
}

// Compilations returns the last compilations with a Number beyond after, at most
// 64 of them.
func (s *Session) Compilations(after int64) []Compilation {
	c := &s.compilations
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []Compilation
	for _, x := range c.last {
		if x.Number > after {
			found = append(found, x)
		}
	}
	return found
}

// Traced adds to the time that functions were being traced for.
func (s *Session) Traced(d time.Duration) { s.traceTime.Add(int64(d)) }
