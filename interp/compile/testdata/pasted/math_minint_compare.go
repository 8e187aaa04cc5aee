package main

import (
	"fmt"
	"math"
)

func f(x int64) bool { return x == math.MinInt64 }
func main()          { fmt.Println(f(1)) }

// Output:
// false
