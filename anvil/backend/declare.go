package backend

import (
	"fmt"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A declarations is what a session says of operations, besides the tables.
type declarations struct {
	mu     sync.RWMutex
	own    map[string][]Rule // in place of the tables' of the same framework
	blocks map[string][]Rule // besides all others
	serial uint64            // of the last change
}

// Declare says what frameworks support of the operation op, in place of what
// the session said before and of what the tables say of these frameworks. It
// panics with a *dtype.Error where the rules contradict each other.
func (s *Settings) Declare(op string, rules ...Rule) {
	of := map[string]bool{}
	for _, r := range rules {
		if err := r.check(op); err != nil {
			panic(err)
		}
		if of[r.of()] {
			panic(&dtype.Error{Op: "Declare", Operands: fmt.Sprintf("%q", op), Reason: "there are two rules about " + r.of(),
				Hint: "a function has one declaration for each framework: of what is supported, or of what is not"})
		}
		of[r.of()] = true
	}
	s.declared.change(s, func(d *declarations) { put(&d.own, opName(op), rules) })
}

func put(m *map[string][]Rule, op string, rules []Rule) {
	if *m == nil {
		*m = map[string][]Rule{}
	}
	(*m)[op] = slices.Clone(rules)
}

func (d *declarations) change(s *Settings, f func(*declarations)) {
	d.mu.Lock()
	f(d)
	d.serial++
	d.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed()
}

// version returns the number of the last change.
func (d *declarations) version() uint64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.serial
}

// A Block marks functions with one rule.
type Block struct {
	settings *Settings
	rule     Rule
}

// WithRule calls f, which names to its Block the functions and modules that
// the rule holds for, besides what is declared of them one by one.
func (s *Settings) WithRule(r Rule, f func(*Block)) {
	if err := r.check("a block"); err != nil {
		panic(err)
	}
	f(&Block{s, r})
}

// Func marks operations. It panics with a *dtype.Error where one is declared
// with what is supported and the block says what is not, or the other way
// round.
func (b *Block) Func(ops ...string) {
	for _, op := range ops {
		name := opName(op)
		for _, r := range b.settings.rules(name) {
			if r.of() == b.rule.of() && r.positive() != b.rule.positive() {
				panic(&dtype.Error{Op: "Func", Operands: fmt.Sprintf("%q", op), Reason: "it is declared otherwise: " + r.String(),
					Hint: "a function has only one kind of declaration, of what is supported or of what is not"})
			}
		}
		b.add(name)
	}
}

// Module marks the operations of a module of Ivy's (see Modules), but those
// that have a declaration of the other kind.
func (b *Block) Module(name string) {
	ops, ok := tables().modules[name]
	if !ok {
		panic(&dtype.Error{Op: "Module", Operands: fmt.Sprintf("%q", name), Reason: "there is no module of this name",
			Hint: fmt.Sprintf("there are %v", Modules())})
	}
	for _, op := range ops {
		other := func(r Rule) bool { return r.of() == b.rule.of() && r.positive() != b.rule.positive() }
		if !slices.ContainsFunc(b.settings.rules(op), other) {
			b.add(op)
		}
	}
}

func (b *Block) add(op string) {
	b.settings.declared.change(b.settings, func(d *declarations) {
		same := func(r Rule) bool { return r.String() == b.rule.String() }
		if rules := d.blocks[op]; !slices.ContainsFunc(rules, same) { // a cell that is run again
			put(&d.blocks, op, append(slices.Clone(rules), b.rule))
		}
	})
}

// Rules returns what is declared of an operation: by the session, then by the
// tables.
func (s *Settings) Rules(op string) []Rule { return s.rules(opName(op)) }

func (s *Settings) rules(op string) []Rule {
	s.declared.mu.RLock()
	rules := slices.Concat(s.declared.own[op], s.declared.blocks[op])
	own := s.declared.own[op]
	s.declared.mu.RUnlock()
	for _, r := range tables().rules[op] {
		if !slices.ContainsFunc(own, func(o Rule) bool { return o.of() == r.of() }) {
			rules = append(rules, r)
		}
	}
	return rules
}

// declares reports whether the session has rules of its own for an operation.
func (s *Settings) declares(op string) bool {
	s.declared.mu.RLock()
	defer s.declared.mu.RUnlock()
	_, own := s.declared.own[op]
	return own || s.declared.blocks[op] != nil
}

// reset forgets what the session said.
func (d *declarations) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own, d.blocks = nil, nil
	d.serial++
}
