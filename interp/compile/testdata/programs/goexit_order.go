package main

import "fmt"

func step(s string) string { fmt.Print(s, " "); return s }
func main() {
	m := map[string]string{step("k1"): step("v1"), step("k2"): step("v2")}
	a := []string{step("a"), step("b")}
	fmt.Println(len(m), len(a))
	func(x, y string) { fmt.Println(x, y) }(step("x"), step("y"))
	if step("l") == "z" && step("never") == "z" || step("r") == "r" {
		fmt.Println("ok")
	}
}

// Output:
// k1 v1 k2 v2 a b 2 2
// x y x y
// l r ok
