package main

import "fmt"

type MyInt int
type Celsius float64

func (c Celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

type Color int

const (
	Red Color = iota
	Green
	Blue
)

func (c Color) String() string { return [...]string{"R", "G", "B"}[c] }

type Point struct{ X, Y int }
type pt struct {
	x, Y int
	c    Color
	in   *Point
	cs   []Celsius
}
type Names []string
type M map[string]Celsius
type Fn func(int) string
type Err struct{ code int }

func (e *Err) Error() string { return fmt.Sprintf("err %d", e.code) }
func main() {
	fmt.Printf("%T %v %d\n", MyInt(3), MyInt(3), MyInt(3))
	fmt.Printf("%v %s %d %T %x %q\n", Green, Blue, Blue, Red, Green, Blue)
	fmt.Println(Celsius(36.6), []Celsius{1, 2}, map[string]Celsius{"a": 3}, M{"k": 4}, [2]Color{1, 2})
	fmt.Printf("%v %+v %#v %T\n", Point{1, 2}, Point{1, 2}, Point{1, 2}, Point{1, 2})
	p := pt{1, 2, Blue, nil, []Celsius{5}}
	fmt.Printf("%v\n%+v\n%#v\n%T\n", p, p, p, &p)
	fmt.Printf("%v %+v %T\n", &Point{1, 2}, &Point{3, 4}, &Point{})
	fmt.Printf("%#v %v %T\n", Names{"a", "b"}, Names{"x"}, Names{})
	fmt.Printf("%T %T\n", Fn(nil), M{})
	var e error = &Err{4}
	fmt.Println(e, []error{e})
	fmt.Printf("%v %T %+v\n", e, e, struct{ E error }{e})
	fmt.Printf("%T %T %T\n", []Point{}, map[Color]*Point{}, struct{ a Color }{})
	fmt.Println(struct {
		C Color
		p Point
	}{Green, Point{1, 2}})
	fmt.Printf("%5d|%-8v|%08.3f|%v\n", MyInt(3), Green, Celsius(2), &p.c == nil)
	var s fmt.Stringer = Green
	fmt.Println(s, s.String(), s == Green, s == Blue)
	fmt.Println(fmt.Sprint(Green), fmt.Sprintf("%s|%v", []any{Green, 1}, []fmt.Stringer{Red, Celsius(1)}))
}

// Output:
// main.MyInt 3 3
// G B 2 main.Color 47 "B"
// 36.6°C [1.0°C 2.0°C] map[a:3.0°C] map[k:4.0°C] [G B]
// {1 2} {X:1 Y:2} main.Point{X:1, Y:2} main.Point
// {1 2 2 <nil> [5]}
// {x:1 Y:2 c:2 in:<nil> cs:[5]}
// main.pt{x:1, Y:2, c:2, in:(*main.Point)(nil), cs:[]main.Celsius{5}}
// *main.pt
// &{1 2} &{X:3 Y:4} *main.Point
// main.Names{"a", "b"} [x] main.Names
// main.Fn main.M
// err 4 [err 4]
// err 4 *main.Err {E:err 4}
// []main.Point map[main.Color]*main.Point struct { a main.Color }
// {G {1 2}}
//     3|G       |0002.000|false
// G G true false
// G [G %!s(int=1)]|[R 1.0°C]
