package interp

// LiveFunctions returns how many compiled functions can still be called.
func (s *Session) LiveFunctions() int { return len(s.compiler.Positions()) }
