package main

import (
	"context"
	"fmt"
	"reflect"
)

func main() {
	var a any = context.Background()
	_, ok := a.(context.Context)
	var b any = reflect.TypeOf(1)
	_, ok2 := b.(reflect.Type)
	fmt.Println(ok, ok2)
}

// Output:
// true true
