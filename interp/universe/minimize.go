package universe

import "gonum.org/v1/gonum/optimize"

// minimize is optimize.Minimize, but a panic of the method, such as one because of a wrong setting, is a panic of
// minimize. Minimize runs the method in a goroutine, where nothing recovers the panic.
func minimize(
	p optimize.Problem, initX []float64, settings *optimize.Settings, method optimize.Method,
) (*optimize.Result, error) {
	switch {
	case method == nil && p.Grad != nil: // the methods that Minimize chooses
		method = &optimize.LBFGS{}
	case method == nil:
		method = &optimize.NelderMead{}
	}
	m := &recoveredMethod{Method: method}
	result, err := optimize.Minimize(p, initX, settings, m)
	if m.panicked {
		panic(m.value)
	}
	return result, err
}

// A recoveredMethod is an optimize.Method that ends the optimization when Method panics.
type recoveredMethod struct {
	optimize.Method
	panicked bool
	value    any // of the panic
}

func (m *recoveredMethod) Run(operation chan<- optimize.Task, result <-chan optimize.Task, tasks []optimize.Task) {
	returned := false
	defer func() {
		if returned {
			return
		}
		m.panicked, m.value = true, recover()
		operation <- optimize.Task{Op: optimize.MethodDone, Location: tasks[0].Location}
		for range result {
		}
		close(operation)
	}()
	m.Method.Run(operation, result, tasks)
	returned = true
}

// Status is called after a MethodDone.
func (m *recoveredMethod) Status() (optimize.Status, error) {
	if m.panicked {
		return optimize.Failure, nil
	}
	s, ok := m.Method.(optimize.Statuser)
	if !ok {
		panic("optimize: method returned MethodDone but is not a Statuser") // as Minimize
	}
	return s.Status()
}
