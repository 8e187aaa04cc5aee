package main

import "fmt"

type Event struct {
	Name string
	Data any
}
type Listener interface{ On(Event) }
type ListenerFunc func(Event)

func (f ListenerFunc) On(e Event) { f(e) }

type Bus struct{ m map[string][]Listener }

func (b *Bus) Sub(n string, l Listener) func() {
	if b.m == nil {
		b.m = map[string][]Listener{}
	}
	b.m[n] = append(b.m[n], l)
	i := len(b.m[n]) - 1
	return func() { b.m[n][i] = nil }
}
func (b *Bus) Pub(n string, d any) (count int) {
	for _, l := range b.m[n] {
		if l != nil {
			l.On(Event{n, d})
			count++
		}
	}
	return
}

type logger struct{ lines []string }

func (l *logger) On(e Event) { l.lines = append(l.lines, fmt.Sprintf("%s=%v", e.Name, e.Data)) }
func main() {
	var b Bus
	l := &logger{}
	b.Sub("a", l)
	un := b.Sub("a", ListenerFunc(func(e Event) {
		if n, ok := e.Data.(int); ok {
			fmt.Println("int", n*2)
		} else {
			fmt.Printf("%T\n", e.Data)
		}
	}))
	fmt.Println(b.Pub("a", 1), b.Pub("a", "s"), b.Pub("b", nil))
	un()
	fmt.Println(b.Pub("a", l == nil), l.lines)
}

// Output:
// int 2
// string
// 2 2 0
// 1 [a=1 a=s a=false]
