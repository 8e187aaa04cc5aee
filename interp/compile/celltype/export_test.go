package celltype

// UseStubs takes stubs until n are left, and returns what gives them back.
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
