package main

import (
	"context"
	"fmt"
)

type S struct{ ctx context.Context }

func (s S) Done() <-chan struct{} { return s.ctx.Done() }
func main()                       { fmt.Println(S{context.Background()}.Done() == nil) }

// Output:
// true
