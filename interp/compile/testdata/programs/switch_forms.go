package main

import "fmt"

func f(n int) string {
	switch {
	case n < 0:
		return "neg"
	case n == 0:
		fallthrough
	case n == 1:
		return "small"
	default:
		return "big"
	}
}

type S string

func main() {
	fmt.Println(f(-1), f(0), f(1), f(5))
	switch x := 5; x {
	case 1, 2, 3:
		fmt.Println("low")
	case 4, 5:
		fmt.Println("mid")
		fallthrough
	case 6:
		fmt.Println("six")
	default:
		fmt.Println("no")
	}
	switch s := S("b"); s {
	case "a":
		fmt.Println("A")
	case "b":
		fmt.Println("B")
	}
	var v any = 3
	switch v {
	case "3":
		fmt.Println("str")
	case 3:
		fmt.Println("int")
	case nil:
		fmt.Println("nil")
	}
	switch {
	default:
		fmt.Println("def")
	case false:
	}
	switch y := v.(int); {
	case y > 2:
		fmt.Println("gt")
	}
	for i := 0; i < 3; i++ {
		switch i {
		case 1:
			continue
		case 2:
			break
		}
		fmt.Print(i, " ")
	}
	switch f := func() int { return 2 }; f() {
	case 2:
		fmt.Println("two")
	}
	switch 'c' {
	case 'a', 'c':
		fmt.Println("rune")
	}
}

// Output:
// neg small small big
// mid
// six
// B
// int
// def
// gt
// 0 2 two
// rune
