package main

import (
	"fmt"
	"unique"
)

type point struct{ x, y int }

func main() {
	fmt.Println(unique.Make(point{1, 2}) == unique.Make(point{1, 2}))
}

// Refused: unique.Handle[point] is an instance of a generic type of a package, which a cell cannot make; declare a type of your own
