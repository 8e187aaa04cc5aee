package check

import (
	"context"
	"go/types"
	"runtime"
)

// Abandon calls f in a new goroutine and waits for it. If f panics, so does Abandon. If ctx ends first, Abandon panics
// with the error of ctx while f goes on running. Therefore f must not change data that other goroutines read.
func Abandon(ctx context.Context, f func()) {
	Poll(ctx)
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case v := <-done:
		if v != nil {
			panic(v)
		}
		Poll(ctx) // exitIfEnded may have ended f
	case <-ctx.Done():
		panic(ctx.Err())
	}
}

// Poll panics with the error of ctx if ctx has ended.
func Poll(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
}

// exitIfEnded ends the calling goroutine, which runs the function of [Abandon], if ctx has ended. It does not panic
// because go/types writes about a panic to standard error.
func exitIfEnded(ctx context.Context) {
	if ctx.Err() != nil {
		runtime.Goexit()
	}
}

// go/types calls the methods of a pollingImporter and a pollingSizes during a check. They end the goroutine once ctx
// has ended, so that an abandoned check ends too.
type (
	pollingImporter struct {
		ctx context.Context
		types.Importer
	}
	pollingSizes struct {
		ctx context.Context
		types.Sizes
	}
)

// Import implements types.Importer.
func (i pollingImporter) Import(path string) (*types.Package, error) {
	exitIfEnded(i.ctx)
	return i.Importer.Import(path)
}

// Alignof implements types.Sizes.
func (s pollingSizes) Alignof(t types.Type) int64 {
	exitIfEnded(s.ctx)
	return s.Sizes.Alignof(t)
}

// Offsetsof implements types.Sizes.
func (s pollingSizes) Offsetsof(fields []*types.Var) []int64 {
	exitIfEnded(s.ctx)
	return s.Sizes.Offsetsof(fields)
}

// Sizeof implements types.Sizes.
func (s pollingSizes) Sizeof(t types.Type) int64 {
	exitIfEnded(s.ctx)
	return s.Sizes.Sizeof(t)
}
