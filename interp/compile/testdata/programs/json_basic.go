package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

type Base struct {
	ID     int `json:"id"`
	secret string
}
type Status int

func (s Status) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("status-%d", int(s))), nil }
func (s *Status) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "status-%d", (*int)(s))
	return err
}

type Temp float64

func (t Temp) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf(`"%gC"`, float64(t))), nil }

type Person struct {
	Base
	Name    string `json:"name"`
	Age     int    `json:"age,omitempty"`
	email   string
	Tags    []string `json:"tags"`
	S       Status
	T       Temp
	Friends []*Person `json:"friends,omitempty"`
	M       map[string]any
	When    time.Time
	Skip    int `json:"-"`
}

func main() {
	p := Person{Base{7, "x"}, "Ann", 0, "e", []string{"a"}, 3, 36.5, []*Person{{Name: "Bob"}}, map[string]any{"z": 1, "a": []int{1}}, time.Unix(0, 0).UTC(), 5}
	b, err := json.Marshal(p)
	fmt.Println(string(b), err)
	var q Person
	err = json.Unmarshal([]byte(`{"id":9,"name":"Z","age":4,"S":"status-8","friends":[{"name":"F"}],"M":{"k":[1,"x",null]}}`), &q)
	fmt.Println(q.ID, q.Name, q.Age, q.S, len(q.Friends), q.Friends[0].Name, q.M, err)
	fmt.Printf("%T\n", q.M["k"])
	bad := json.Unmarshal([]byte(`{"name": 5}`), &q)
	fmt.Println(bad)
	out, _ := json.MarshalIndent(map[string]Base{"a": {1, "s"}}, "", " ")
	fmt.Println(string(out))
	dec := json.NewDecoder(strings.NewReader(`[{"id":1},{"id":2}]`))
	var list []Base
	fmt.Println(dec.Decode(&list), list)
}

// Output:
// {"id":7,"name":"Ann","tags":["a"],"S":"status-3","T":"36.5C","friends":[{"id":0,"name":"Bob","tags":null,"S":"status-0","T":"0C","M":null,"When":"0001-01-01T00:00:00Z"}],"M":{"a":[1],"z":1},"When":"1970-01-01T00:00:00Z"} <nil>
// 9 Z 4 8 1 F map[k:[1 x <nil>]] <nil>
// []interface {}
// json: cannot unmarshal number into Go struct field Person.name of type string
// {
//  "a": {
//   "id": 1
//  }
// }
// <nil> [{1 } {2 }]
