package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

type Shape interface{ Area() float64 }
type Circle struct {
	R float64 `json:"r"`
}

func (c Circle) Area() float64 { return 3 * c.R * c.R }

type Event struct {
	Kind  string          `json:"kind"`
	Data  json.RawMessage `json:"data"`
	extra int
}
type Level int

func (l *Level) UnmarshalJSON(b []byte) error { *l = Level(len(b)); return nil }
func (l Level) MarshalJSON() ([]byte, error)  { return json.Marshal(strings.Repeat("*", int(l))) }

type Doc struct {
	L      Level
	P      *Level
	M      map[string]Level
	S      []Level
	Nested struct{ A, B int } `json:"n"`
	Any    any
	Ptr    *Doc `json:",omitempty"`
}

func main() {
	var ev Event
	fmt.Println(json.Unmarshal([]byte(`{"kind":"circle","data":{"r":2}}`), &ev), ev.Kind)
	var s Shape
	switch ev.Kind {
	case "circle":
		var c Circle
		json.Unmarshal(ev.Data, &c)
		s = c
	}
	fmt.Println(s.Area(), s)
	var d Doc
	fmt.Println(json.Unmarshal([]byte(`{"L":"ab","P":"c","M":{"x":"yy"},"S":["1","22"],"n":{"A":1,"B":2},"Any":{"k":[1,2.5,"s"]},"Ptr":{"L":"q"}}`), &d))
	fmt.Println(d.L, *d.P, d.M, d.S, d.Nested, d.Any, d.Ptr.L)
	b, _ := json.Marshal(d)
	fmt.Println(string(b))
	var list []Circle
	json.Unmarshal([]byte(`[{"r":1},{"r":2}]`), &list)
	fmt.Printf("%+v %T\n", list, list)
	var anyv any
	json.Unmarshal([]byte(`{"a":1}`), &anyv)
	fmt.Printf("%T %v\n", anyv, anyv)
}

// Output:
// <nil> circle
// 12 {2}
// <nil>
// 4 3 map[x:4] [3 4] {1 2} map[k:[1 2.5 s]] 3
// {"L":"****","P":"***","M":{"x":"****"},"S":["***","****"],"n":{"A":1,"B":2},"Any":{"k":[1,2.5,"s"]},"Ptr":{"L":"***","P":null,"M":null,"S":null,"n":{"A":0,"B":0},"Any":null}}
// [{R:1} {R:2}] []main.Circle
// map[string]interface {} map[a:1]
