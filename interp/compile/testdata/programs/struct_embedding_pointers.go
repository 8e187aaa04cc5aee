package main

import "fmt"

type Logger struct {
	prefix string
	lines  []string
}

func (l *Logger) Log(s string) { l.lines = append(l.lines, l.prefix+s) }

type Base struct {
	*Logger
	ID int
}

func (b Base) Describe() string { return fmt.Sprintf("Base(%d)", b.ID) }

type Mid struct {
	Base
	Name string
}
type Top struct {
	*Mid
	Extra map[string]int
}

func (t Top) Describe() string { return "Top:" + t.Mid.Describe() }

type Describer interface{ Describe() string }

func main() {
	l := &Logger{prefix: "> "}
	t := Top{&Mid{Base{l, 7}, "mid"}, map[string]int{}}
	t.Log("one")
	t.Mid.Log("two")
	t.Base.Logger.Log("three")
	fmt.Println(l.lines, t.ID, t.Name, t.Describe(), t.Mid.Describe())
	t.ID++
	t.Extra["k"]++
	var d Describer = t
	fmt.Println(d.Describe(), t.Mid.Base.ID, len(t.prefix))
	d = t.Mid
	fmt.Println(d.Describe())
	d = &t.Base
	fmt.Println(d.Describe())
	f := t.Log
	f("four")
	fmt.Println(len(l.lines))
	m := *t.Mid
	m.ID = 100
	fmt.Println(t.ID, m.ID)
	anon := struct {
		Base
		X int
	}{Base{l, 1}, 2}
	fmt.Println(anon.Describe(), anon.X, anon.ID)
}

// Output:
// [> one > two > three] 7 mid Top:Base(7) Base(7)
// Top:Base(8) 8 2
// Base(8)
// Base(8)
// 4
// 8 100
// Base(1) 2 1
