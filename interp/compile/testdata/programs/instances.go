package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"runtime"
	"unique"
	"weak"
)

type user struct {
	Name sql.Null[string]
	Age  sql.Null[int64]
}

type key struct {
	unique.Handle[string]
	n int
}

func intern[T comparable](list ...T) (handles []unique.Handle[T]) {
	for _, v := range list {
		handles = append(handles, unique.Make(v))
	}
	return handles
}

func main() {
	a, b := unique.Make("gopher"), unique.Make("go"+"pher")
	fmt.Println(a == b, a.Value(), a == unique.Make("other"))
	fmt.Printf("%T %T\n", a, weak.Pointer[byte]{})
	var x any = a
	_, isHandle := x.(unique.Handle[string])
	_, isNull := x.(sql.Null[string])
	fmt.Println(isHandle, isNull, x == any(b))

	count := map[unique.Handle[string]]int{}
	for _, r := range "banana" {
		count[unique.Make(string(r))]++
	}
	fmt.Println(count[unique.Make("a")], count[unique.Make("z")], len(count))
	words := intern("go", "gopher", "go")
	fmt.Println(words[0] == words[1], words[0] == words[2], words[1].Value())
	k := key{a, 1}
	fmt.Println(k == key{b, 1}, k.Value())
	make := unique.Make[string]
	value := unique.Handle[string].Value
	fmt.Println(value(make("value")))

	u := user{Name: sql.Null[string]{V: "Ann", Valid: true}}
	if err := u.Age.Scan("41"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(u, u.Age.Valid)
	fmt.Println(u.Age.Scan("x"))
	v, err := u.Name.Value()
	fmt.Println(v, err)
	data, err := json.Marshal(u)
	fmt.Println(string(data), err)
	var s sql.Scanner = &u.Name
	fmt.Println(s.Scan(nil), u.Name.Valid)

	n := new(int)
	*n = 7
	w := weak.Make(n)
	fmt.Println(*w.Value(), w == weak.Make(n), w == weak.Make(new(int)))
	runtime.KeepAlive(n)
}

// Output:
// true gopher false
// unique.Handle[string] weak.Pointer[uint8]
// true false true
// 3 0 3
// false true gopher
// true gopher
// value
// {{Ann true} {41 true}} true
// converting driver.Value type string ("x") to a int64: invalid syntax
// Ann <nil>
// {"Name":{"V":"Ann","Valid":true},"Age":{"V":41,"Valid":true}} <nil>
// <nil> false
// 7 true false
