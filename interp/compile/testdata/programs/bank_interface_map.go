package main

import (
	"errors"
	"fmt"
	"sort"
)

type Account interface {
	Deposit(float64) error
	Balance() float64
	Owner() string
}
type base struct {
	owner string
	bal   float64
}

func (b *base) Deposit(v float64) error {
	if v <= 0 {
		return &AmountError{v}
	}
	b.bal += v
	return nil
}
func (b *base) Balance() float64 { return b.bal }
func (b base) Owner() string     { return b.owner }

type Savings struct {
	base
	rate float64
}

func (s *Savings) Balance() float64 { return s.bal * (1 + s.rate) }

type AmountError struct{ v float64 }

func (e *AmountError) Error() string { return fmt.Sprintf("bad amount %.2f", e.v) }

type Bank struct {
	accs map[string]Account
	log  []string
}

func (b *Bank) Open(a Account) {
	if b.accs == nil {
		b.accs = map[string]Account{}
	}
	b.accs[a.Owner()] = a
}
func (b *Bank) Do(owner string, f func(Account) error) (err error) {
	defer func() { b.log = append(b.log, fmt.Sprintf("%s:%v", owner, err)) }()
	a, ok := b.accs[owner]
	if !ok {
		return errors.New("no account")
	}
	return f(a)
}
func main() {
	var b Bank
	b.Open(&base{"ann", 10})
	b.Open(&Savings{base{"bob", 100}, 0.1})
	fmt.Println(b.Do("ann", func(a Account) error { return a.Deposit(5) }))
	err := b.Do("bob", func(a Account) error { return a.Deposit(-1) })
	var ae *AmountError
	fmt.Println(err, errors.As(err, &ae), b.Do("zed", nil))
	var names []string
	for n := range b.accs {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		a := b.accs[n]
		fmt.Printf("%s %.1f %T\n", n, a.Balance(), a)
	}
	fmt.Println(b.log)
	if s, ok := b.accs["bob"].(*Savings); ok {
		fmt.Println(s.rate, s.base.bal)
	}
	var accs []Account
	for _, n := range names {
		accs = append(accs, b.accs[n])
	}
	sort.Slice(accs, func(i, j int) bool { return accs[i].Balance() > accs[j].Balance() })
	fmt.Println(accs[0].Owner())
}

// Output:
// <nil>
// bad amount -1.00 true no account
// ann 15.0 *main.base
// bob 110.0 *main.Savings
// [ann:<nil> bob:bad amount -1.00 zed:no account]
// 0.1 100
// bob
