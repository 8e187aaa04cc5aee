package backend

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Describe returns a table of the dtypes that each framework supports for an
// operation, and the rules and notes that say so; "" where nothing is declared
// of it.
func Describe(op string) string { return Current().Describe(op) }

// Describe is the function Describe.
func (s *Settings) Describe(op string) string {
	name := opName(op)
	rules := s.rules(name)
	if len(rules) == 0 {
		return ""
	}
	var b strings.Builder
	for _, p := range profiles {
		if a := s.Active(); a.Name == p.Name {
			p = a
		}
		if p.Version == "" {
			continue // what computes here says itself what it takes
		}
		lacks := union(s.excluded(name, p, s.DefaultDevice(), ""), p.Invalid(dtype.Any))
		fmt.Fprintf(&b, "%-18s%s\n", p, columns(lacks))
	}
	b.WriteByte('\n')
	for _, r := range rules {
		fmt.Fprintln(&b, r)
	}
	return b.String()
}

// columns returns all dtypes, in columns, with a dash for those that are lacking.
func columns(lacks []dtype.DType) string {
	var b strings.Builder
	for _, d := range all {
		word := d.String()
		for _, l := range lacks {
			if l == d {
				word = "-"
			}
		}
		fmt.Fprintf(&b, "%-*s", len(d.String())+1, word)
	}
	return strings.TrimRight(b.String(), " ")
}
