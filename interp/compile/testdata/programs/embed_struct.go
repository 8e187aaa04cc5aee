package main

import (
	"fmt"
	"sync"
)

type Animal struct {
	Name string
	legs int
}

func (a Animal) Speak() string    { return a.Name + " speaks" }
func (a *Animal) Rename(n string) { a.Name = n }

type Dog struct {
	Animal
	Breed string
}

func (d Dog) Speak() string { return d.Animal.Speak() + " woof" }

type Puppy struct {
	*Dog
	age int
}
type Counter struct {
	sync.Mutex
	m map[string]int
}

func (c *Counter) Inc(k string) { c.Lock(); defer c.Unlock(); c.m[k]++ }

type Speaker interface{ Speak() string }

func main() {
	d := Dog{Animal{"Rex", 4}, "lab"}
	d.Rename("Max")
	fmt.Println(d.Speak(), d.Name, d.legs, d)
	p := Puppy{&d, 1}
	p.Rename("Tim")
	p.legs = 3
	fmt.Println(p.Speak(), d.Name, p.Dog.Animal.legs)
	for _, s := range []Speaker{d, &d, p, Animal{"cat", 4}, &p} {
		fmt.Println(s.Speak())
	}
	c := Counter{m: map[string]int{}}
	c.Inc("a")
	c.Inc("a")
	fmt.Println(c.m)
	fmt.Printf("%+v\n", d)
}

// Output:
// Max speaks woof Max 4 {{Max 4} lab}
// Tim speaks woof Tim 3
// Tim speaks woof
// Tim speaks woof
// Tim speaks woof
// cat speaks
// Tim speaks woof
// map[a:2]
// {Animal:{Name:Tim legs:3} Breed:lab}
