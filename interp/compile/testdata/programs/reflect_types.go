package main

import (
	"fmt"
	"reflect"
)

type Inner struct{ A int }
type T struct {
	Name string `k:"v"`
	n    int
	In   Inner
	P    *Inner
}

func (t T) Hello(s string) string { return "hello " + s + " from " + t.Name }
func (t *T) Set(n int)            { t.n = n }

type Kind uint8

func (k Kind) String() string { return "kind" }
func main() {
	v := T{Name: "x", n: 3}
	rt := reflect.TypeOf(v)
	fmt.Println(rt, rt.Name(), rt.Kind(), rt.NumField(), rt.NumMethod(), reflect.TypeOf(&v).NumMethod())
	for i := 0; i < rt.NumField(); i++ {
		f := rt.Field(i)
		fmt.Println(f.Name, f.Type, f.Tag.Get("k"), f.IsExported())
	}
	out := reflect.ValueOf(v).MethodByName("Hello").Call([]reflect.Value{reflect.ValueOf("me")})
	fmt.Println(out[0])
	pv := reflect.ValueOf(&v).Elem()
	pv.FieldByName("Name").SetString("changed")
	pv.Field(2).Field(0).SetInt(42)
	fmt.Println(v.Name, v.In.A, v.n)
	reflect.ValueOf(&v).MethodByName("Set").Call([]reflect.Value{reflect.ValueOf(9)})
	fmt.Println(v.n, reflect.DeepEqual(v, v), reflect.DeepEqual([]Inner{{1}}, []Inner{{1}}))
	fmt.Println(reflect.TypeOf(Kind(1)), reflect.TypeOf([]Kind{}), reflect.TypeOf(map[string]*T{}), reflect.ValueOf(Kind(3)).Uint())
	var s fmt.Stringer = Kind(2)
	fmt.Println(reflect.TypeOf(s), reflect.TypeOf(s) == reflect.TypeOf(Kind(9)))
	n := reflect.New(reflect.TypeOf(Inner{})).Interface().(*Inner)
	n.A = 5
	fmt.Println(*n)
}

// Output:
// main.T T struct 4 1 2
// Name string v true
// n int  false
// In main.Inner  true
// P *main.Inner  true
// hello me from x
// changed 42 3
// 9 true true
// main.Kind []main.Kind map[string]*main.T 3
// main.Kind true
// {5}
