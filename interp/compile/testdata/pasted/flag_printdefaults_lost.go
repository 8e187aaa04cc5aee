package main

import "flag"

func main() {
	fs := flag.NewFlagSet("t", flag.ContinueOnError)
	fs.Int("n", 3, "how many")
	fs.PrintDefaults()
}

// Output:
//
