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

// A Compilation describes a program that was compiled or loaded from disk.
type Compilation struct {
	Number     int64 // 1 for the first
	Operations int
	Took       time.Duration
	Disk       bool   // it was loaded from disk
	Reason     string // why it was needed: how it differs from an earlier program with the same operations
}

// String returns a sentence: "program 3, of 12 operations, compiled
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
	took := c.Took.Round(10 * time.Microsecond)
	return fmt.Sprintf("program %d, of %d operation%s, %s in %v: %s",
		c.Number, c.Operations, plural, how, took, c.Reason)
}

// compilations is a log of the latest compilations. It also remembers earlier programs, to compare new ones with
// them.
type compilations struct {
	mu     sync.Mutex
	count  int64
	last   []Compilation           // at most maxCompilations
	inputs map[uint64][]shape.Type // the input types of the last program with each skeleton
	forms  map[uint64]form         // the form of the last program with each skeleton without conversions
}

// A form is the input types and the conversions of a program. Programs that differ only in their conversions are
// compared by their forms.
type form struct {
	inputs      []shape.Type
	conversions []string // "from i32 to f32"
}

const (
	maxCompilations = 64
	maxSkeletons    = 4096 // the number of remembered programs at which all are forgotten
)

// add logs a compilation of g.
func (c *compilations) add(g *ir.Graph, took time.Duration, disk bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if len(c.last) == maxCompilations {
		c.last = append(c.last[:0], c.last[1:]...)
	}
	c.last = append(c.last,
		Compilation{Number: c.count, Operations: count(g), Took: took, Disk: disk, Reason: c.reason(g)})
}

// reason describes how g differs from the last program whose operations are the same, or are the same without
// conversions. It remembers g for later comparisons.
func (c *compilations) reason(g *ir.Graph) string {
	if c.inputs == nil || len(c.inputs) >= maxSkeletons {
		c.inputs, c.forms = map[uint64][]shape.Type{}, map[uint64]form{}
	}
	now := form{conversions: conversions(g)}
	for _, p := range g.Params {
		now.inputs = append(now.inputs, p.Type)
	}
	exact, loose := skeleton(g, true), skeleton(g, false)
	inputs, known := c.inputs[exact]
	before, similar := c.forms[loose]
	c.inputs[exact], c.forms[loose] = now.inputs, now
	switch {
	case known:
		return inputChanges(inputs, now.inputs)
	case similar:
		return conversionChanges(before, now)
	}
	return "its operations are new"
}

// inputChanges describes how the input types of two programs with the same operations differ. If they are
// equal, it lists the other possible reasons for a new program.
func inputChanges(before, now []shape.Type) string {
	changes := typeChanges(before, now)
	switch n := len(changes); {
	case n == 0:
		return "the input types are the same as before: an axis, a length or another fixed part of an operation, " +
			"its operands, or the device changed, or the earlier program was dropped from memory"
	case n > 3:
		changes = append(changes[:3], fmt.Sprintf("%d more changed", n-3))
	}
	return strings.Join(changes, ", ")
}

// typeChanges describes each input whose type has changed.
func typeChanges(before, now []shape.Type) (changes []string) {
	for i, t := range now {
		if !t.Equal(before[i]) {
			changes = append(changes, fmt.Sprintf("input %d changed from %s to %s", i+1, before[i], t))
		}
	}
	return changes
}

// conversionChanges describes which conversions were added and removed between two programs
// whose other operations are the same, and which input types changed.
func conversionChanges(before, now form) string {
	var changes []string
	for _, c := range subtract(now.conversions, before.conversions) {
		changes = append(changes, "a conversion "+c+" is new")
	}
	for _, c := range subtract(before.conversions, now.conversions) {
		changes = append(changes, "a conversion "+c+" is gone")
	}
	if len(changes) == 0 {
		changes = []string{"a conversion is at another place"}
	}
	changes = append(changes, typeChanges(before.inputs, now.inputs)...)
	if n := len(changes); n > 3 {
		changes = append(changes[:3], fmt.Sprintf("and %d more", n-3))
	}
	return strings.Join(changes, ", ")
}

// subtract returns a without the elements of b, where an element of b removes only one equal element of a.
func subtract(a, b []string) (more []string) {
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

// conversions describes the conversions in g and in its regions.
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

var skeletonSeed = maphash.MakeSeed()

// skeleton returns a hash of the operations of g, the number of operands of each, and the numbers of parameters and
// outputs of g. The hash ignores types, attributes and which values the operands are. Unless withConversions is true,
// it also ignores conversions.
func skeleton(g *ir.Graph, withConversions bool) uint64 {
	var h maphash.Hash
	h.SetSeed(skeletonSeed)
	var walk func(g *ir.Graph)
	walk = func(g *ir.Graph) {
		fmt.Fprint(&h, len(g.Params), len(g.Outputs))
		for _, n := range g.Nodes {
			if n.Code == ir.Convert && !withConversions {
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

// Compilations returns those of the last maxCompilations compilations whose Number is greater than after.
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
