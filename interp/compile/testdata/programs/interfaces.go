package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
)

type Shape interface {
	Area() float64
	Perimeter() float64
}
type Rect struct{ w, h float64 }
type Circle struct{ r float64 }

func (r Rect) Area() float64         { return r.w * r.h }
func (r Rect) Perimeter() float64    { return 2 * (r.w + r.h) }
func (c *Circle) Area() float64      { return math.Pi * c.r * c.r }
func (c *Circle) Perimeter() float64 { return 2 * math.Pi * c.r }

type Scaler interface{ Scale(float64) }

func (c *Circle) Scale(f float64) { c.r *= f }

type ShapeScaler interface {
	Shape
	Scaler
}
type secret interface{ hidden(int) (int, error) }

func (r Rect) hidden(n int) (int, error) { return n + int(r.w), nil }

type myWriter struct {
	n int
	b strings.Builder
}

func (m *myWriter) Write(p []byte) (int, error) { m.n += len(p); return m.b.Write(p) }
func total(ss ...Shape) (t float64) {
	for _, s := range ss {
		t += s.Area()
	}
	return
}

type Namer interface{ String() string }

func main() {
	ss := []Shape{Rect{3, 4}, &Circle{1}}
	for _, s := range ss {
		fmt.Printf("%.2f %.2f %T\n", s.Area(), s.Perimeter(), s)
		if sc, ok := s.(Scaler); ok {
			sc.Scale(2)
			fmt.Printf("%.2f\n", s.Area())
		}
		if r, ok := s.(Rect); ok {
			fmt.Println("rect", r.w)
		}
		if _, ok := s.(fmt.Stringer); !ok {
			fmt.Println("no stringer")
		}
	}
	fmt.Printf("%.2f\n", total(ss...))
	var both ShapeScaler = &Circle{3}
	var sh Shape = both
	both.Scale(2)
	fmt.Printf("%.1f\n", sh.Perimeter())
	var h secret = Rect{5, 1}
	fmt.Println(h.hidden(2))
	w := &myWriter{}
	fmt.Fprintf(w, "hello %d", 5)
	io.WriteString(w, "!")
	fmt.Println(w.n, w.b.String())
	var buf bytes.Buffer
	io.Copy(io.MultiWriter(&buf, w), strings.NewReader("copy"))
	fmt.Println(buf.String(), w.n)
	var nm Namer = &buf
	fmt.Println(nm.String())
	m := map[Shape]string{Rect{1, 2}: "a"}
	fmt.Println(m[Rect{1, 2}], m[Rect{2, 1}] == "", ss[0] == Shape(Rect{3, 4}), ss[1] == ss[1])
	var nilShape Shape
	func() { defer func() { fmt.Println("recovered:", recover()) }(); nilShape.Area() }()
	f := ss[0].Area
	fmt.Println(f())
}

// Output:
// 12.00 14.00 main.Rect
// rect 3
// no stringer
// 3.14 6.28 *main.Circle
// 12.57
// no stringer
// 24.57
// 37.7
// 7 <nil>
// 8 hello 5!
// copy 12
// copy
// a true true true
// recovered: runtime error: invalid memory address or nil pointer dereference
// 12
