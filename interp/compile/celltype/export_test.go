package celltype

// MethodsAdded tells the table that methods have been added to a named type since its cell ran. Values boxed from
// now on have these methods.
func (tb *Table) MethodsAdded() {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.gen++
}

// Unbox returns v, for which Is(n, v) holds, as a value of row n's inner type.
func (tb *Table) Unbox(n int, v any) any {
	return withType(v, tb.At(n).Inner)
}

// UseStubs takes all stubs but n. giveBack returns them.
func UseStubs(n int) (giveBack func()) {
	stubPool.Lock()
	defer stubPool.Unlock()
	used := stubPool.used
	stubPool.used = stubCount - n
	return func() {
		stubPool.Lock()
		defer stubPool.Unlock()
		stubPool.used = used
	}
}
