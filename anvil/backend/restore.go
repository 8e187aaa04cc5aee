package backend

// A Restore makes the settings what they were before the call that returned it:
//
//	defer backend.Set("torch")()
type Restore func()

// String says what to do with it.
func (r Restore) String() string {
	return "it is set; call this to go back to what was set before: restore := ..., then restore()"
}
