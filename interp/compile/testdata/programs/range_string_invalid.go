package main

import "fmt"

type name string

func main() {
	for i, r := range "a\xffb世" {
		fmt.Println(i, r)
	}
	for i := range "é\xc3" {
		fmt.Print(i, " ")
	}
	fmt.Println()
	var n int
	var last rune
loop:
	for n, last = range name("añ\xe4\xb8b") {
		switch last {
		case 'ñ':
			continue
		case 'b':
			break loop
		}
	}
	fmt.Println(n, last)
	for range "\xff\xfe" {
		fmt.Print(".")
	}
	var fs []func() rune
	for _, r := range "xyz" {
		fs = append(fs, func() rune { return r })
	}
	for _, f := range fs {
		fmt.Print(string(f()))
	}
	for range "" {
		fmt.Println("never")
	}
	fmt.Println(len([]rune("a\xff\xfeb")))
}

// Output:
// 0 97
// 1 65533
// 2 98
// 3 19990
// 0 2
// 5 98
// ..xyz4
