package backend

import (
	"fmt"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// declarations are the rules that a session has declared, by operation.
type declarations struct {
	mu      sync.RWMutex
	own     map[string][]Rule // added by Declare: they replace the tables' rules about the same framework
	blocks  map[string][]Rule // added by a Block: they apply in addition to all other rules
	changes uint64            // the number of changes so far
}

// Declare is the method form of the function Declare.
func (s *Settings) Declare(op string, rules ...Rule) {
	subjects := map[string]bool{} // see Rule.subject
	for _, r := range rules {
		if err := r.check("Declare", op); err != nil {
			panic(err)
		}
		if subjects[r.subject()] {
			panic(&dtype.Error{Op: "Declare", Operands: fmt.Sprintf("%q", op),
				Reason: "there are two rules about " + r.subject(),
				Hint:   "give one rule for each framework, with either the supported or the unsupported dtypes"})
		}
		subjects[r.subject()] = true
	}
	s.declare(func(d *declarations) { put(&d.own, opName(op), rules) })
}

// put sets the rules of op in *m, which may be nil.
func put(m *map[string][]Rule, op string, rules []Rule) {
	if *m == nil {
		*m = map[string][]Rule{}
	}
	(*m)[op] = slices.Clone(rules)
}

// declare calls f, which changes the declarations of s, and publishes the change.
func (s *Settings) declare(f func(*declarations)) {
	d := &s.declared
	d.mu.Lock()
	f(d)
	d.changes++
	d.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed()
}

// changeCount returns the number of changes of the declarations so far.
func (d *declarations) changeCount() uint64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.changes
}

// A Block adds a rule to operations: see WithRule.
type Block struct {
	settings *Settings
	rule     Rule
}

// WithRule is the method form of the function WithRule.
func (s *Settings) WithRule(r Rule, f func(*Block)) {
	if err := r.check("WithRule", "a block"); err != nil {
		panic(err)
	}
	f(&Block{s, r})
}

// Func adds the rule to operations. It panics with a *dtype.Error if an operation has a rule about the same framework
// that names supported dtypes while the block's rule names unsupported ones, or vice versa.
func (b *Block) Func(ops ...string) {
	for _, op := range ops {
		name := opName(op)
		for _, r := range b.settings.rules(name) {
			if b.contradicts(r) {
				panic(&dtype.Error{Op: "Func", Operands: fmt.Sprintf("%q", op),
					Reason: "it is already declared as " + r.String(),
					Hint:   "declare either the supported or the unsupported dtypes of an operation, not both"})
			}
		}
		b.add(name)
	}
}

// Module adds the rule to the operations of one of Ivy's modules (see Modules), except the
// operations for which Func would panic.
func (b *Block) Module(name string) {
	ops, ok := tables().modules[name]
	if !ok {
		panic(&dtype.Error{Op: "Module", Operands: fmt.Sprintf("%q", name), Reason: "unknown module",
			Hint: fmt.Sprintf("give one of %v", Modules())})
	}
	for _, op := range ops {
		if !slices.ContainsFunc(b.settings.rules(op), b.contradicts) {
			b.add(op)
		}
	}
}

// contradicts reports whether r and the block's rule are about the same framework, and exactly one of them names
// supported dtypes.
func (b *Block) contradicts(r Rule) bool {
	return r.subject() == b.rule.subject() && r.namesSupported() != b.rule.namesSupported()
}

// add adds the block's rule to an operation.
func (b *Block) add(op string) {
	b.settings.declare(func(d *declarations) {
		same := func(r Rule) bool { return r.String() == b.rule.String() }
		if rules := d.blocks[op]; !slices.ContainsFunc(rules, same) { // a cell that runs again adds the same rule again
			put(&d.blocks, op, append(slices.Clone(rules), b.rule))
		}
	})
}

// Rules is the method form of the function Rules.
func (s *Settings) Rules(op string) []Rule { return s.rules(opName(op)) }

// rules is Rules for an operation given by Ivy's name.
func (s *Settings) rules(op string) []Rule {
	s.declared.mu.RLock()
	own := s.declared.own[op]
	rules := slices.Concat(own, s.declared.blocks[op])
	s.declared.mu.RUnlock()
	for _, r := range tables().rules[op] {
		if !slices.ContainsFunc(own, func(o Rule) bool { return o.subject() == r.subject() }) {
			rules = append(rules, r)
		}
	}
	return rules
}

// hasOwnRules reports whether the session has declared rules for an operation.
func (s *Settings) hasOwnRules(op string) bool {
	s.declared.mu.RLock()
	defer s.declared.mu.RUnlock()
	_, own := s.declared.own[op]
	return own || s.declared.blocks[op] != nil
}

// reset removes all declared rules.
func (d *declarations) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own, d.blocks = nil, nil
	d.changes++
}
