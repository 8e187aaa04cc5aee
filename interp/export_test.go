package interp

// LiveFunctions returns how many compiled functions can still be called.
func (s *Session) LiveFunctions() int { return len(s.compiler.Positions()) }

// Exhaust ends the running cell with err, as if memory were short.
func (s *Session) Exhaust(err error) {
	s.mu.Lock()
	r := s.run
	s.mu.Unlock()
	if r != nil {
		s.exhausted(r, err)
	}
}
