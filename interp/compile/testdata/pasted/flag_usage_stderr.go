package main

import (
	"flag"
	"fmt"
)

func main() {
	fs := flag.NewFlagSet("t", flag.ContinueOnError)
	fs.Int("n", 3, "how many")
	fmt.Println(fs.Parse([]string{"-x"}))
}

// Output:
// flag provided but not defined: -x
