package main

import (
	"bytes"
	"fmt"
)

type S struct{ n int }

func (s S) val() int  { return s.n }
func (s *S) ptr() int { return s.n + 1 }

type Val interface{ val() int }
type Ptr interface{ ptr() int }

func main() {
	var zs struct{ S }
	zs.n = 4
	var v Val = zs
	fmt.Println(v.val(), Ptr(&zs).ptr(), Val(&zs).val())
	_, isVal := any(zs).(Val)
	_, isPtr := any(zs).(Ptr)
	_, pointerIsPtr := any(&zs).(Ptr)
	fmt.Println(isVal, isPtr, pointerIsPtr)
	s := struct {
		*S
		*bytes.Buffer
	}{&S{3}, bytes.NewBufferString("ok")}
	var i fmt.Stringer = s
	v = s
	fmt.Println(i, i.String(), s.String(), v.val())
}

// Output:
// 4 5 4
// true false true
// ok ok ok 3
