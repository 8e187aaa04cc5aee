package main

import (
	"context"
	"fmt"
)

type C struct {
	context.Context
	id int
}

func run(ctx context.Context) error { return ctx.Err() }
func main()                         { fmt.Println(run(C{context.Background(), 1})) }

// Output:
// <nil>
