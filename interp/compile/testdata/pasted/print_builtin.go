package main

import "os"

func two() (int, string) { return 1, "x" }
func main() {
	print(1, 2, "a", 3, "\n")
	print("x=", 5, "\n")
	println(two())
	_ = os.Args
}

// Output:
