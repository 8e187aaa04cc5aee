package main

import (
	"fmt"
	"os"
)

func main() { fmt.Println(len(os.Args)) }

// Output:
// 1
