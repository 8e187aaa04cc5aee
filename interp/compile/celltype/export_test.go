package celltype

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
