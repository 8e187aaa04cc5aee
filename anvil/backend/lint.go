package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Finding is a redundant part of a declared rule.
type Finding struct {
	Op   string
	Rule Rule
	Doc  string // what is redundant
}

// String returns the operation, what is redundant, and the rule.
func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Op, f.Doc, f.Rule) }

// Lint returns the redundant parts of the rules that the session has declared: dtypes that a rule
// names although its framework does not have them for any operation.
func Lint() []Finding { return Current().Lint() }

// Lint is the method form of the function Lint.
func (s *Settings) Lint() []Finding {
	s.declared.mu.RLock()
	all := map[string][]Rule{}
	for _, declared := range []map[string][]Rule{s.declared.own, s.declared.blocks} {
		for op, rules := range declared {
			all[op] = append(all[op], rules...)
		}
	}
	s.declared.mu.RUnlock()
	var found []Finding
	for _, op := range slices.Sorted(maps.Keys(all)) {
		for _, r := range all[op] {
			found = append(found, r.lint(op)...)
		}
	}
	return found
}

// lint returns the findings about dtypes that the rule names and that its framework lacks. It
// ignores classes of dtypes, which are not redundant.
func (r Rule) lint(op string) (found []Finding) {
	p, _ := ProfileOf(r.Framework + r.Frontend)
	for _, c := range r.clauses() {
		if c.devices {
			continue
		}
		var redundant []string
		for _, names := range c.versions {
			for _, name := range names {
				d, err := dtype.Parse(name)
				isDType := err == nil && classes[name] == 0
				if isDType && !p.Has(d) && !slices.Contains(redundant, d.Long()) {
					redundant = append(redundant, d.Long())
				}
			}
		}
		if slices.Sort(redundant); len(redundant) > 0 {
			found = append(found, Finding{op, r,
				fmt.Sprintf("%s lacks %s altogether, so the declaration need not say so", p.Name,
					strings.Join(redundant, ", "))})
		}
	}
	return found
}
