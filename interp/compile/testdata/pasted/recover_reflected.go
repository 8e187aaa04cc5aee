package main

import (
	"fmt"
	"reflect"
	"sync"
)

type Pointer struct{}

func (*Pointer) M() { fmt.Println("pointer", recover()) }

type Value [2]string

func (Value) M() { fmt.Println("value", recover()) }

func inCall() { fmt.Println("in a call", recover()) }

func made(args []reflect.Value) []reflect.Value {
	inCall()
	fmt.Println("made", recover(), recover())
	return nil
}

func calls(args []reflect.Value) []reflect.Value {
	args[0].Call(nil)
	return nil
}

func try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Println("left", v)
		}
	}()
	defer f()
	panic("panic")
}

func main() {
	try(reflect.ValueOf(&Pointer{}).Method(0).Interface().(func()))
	try(reflect.ValueOf(Value{}).Method(0).Interface().(func()))
	try(reflect.MakeFunc(reflect.TypeFor[func()](), made).Interface().(func()))
	func() {
		defer func() { fmt.Println("left", recover()) }()
		f := reflect.TypeFor[Value]().Method(0).Func.Interface().(func(Value))
		defer f(Value{})
		panic("panic")
	}()
	func() {
		defer func() { fmt.Println("left", recover()) }()
		f := reflect.MakeFunc(reflect.TypeFor[func(func())](), calls).Interface().(func(func()))
		defer f(inCall)
		panic("panic")
	}()
	func() {
		defer func() { fmt.Println("left", recover()) }()
		do := reflect.ValueOf(&sync.Once{}).MethodByName("Do").Interface().(func(func()))
		defer do(inCall)
		panic("panic")
	}()
}

// Output:
// pointer panic
// value panic
// in a call <nil>
// made panic <nil>
// value panic
// left <nil>
// in a call <nil>
// left panic
// in a call <nil>
// left panic
