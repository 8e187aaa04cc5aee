package data

import "math"

// EarlyStopping tells when to end a training: after Patience values in a row that were not
// below Best by more than MinDelta.
//
//	early := data.EarlyStopping{Patience: 5}
//	for epoch := range 100 {
//		...
//		if early = early.Add(validation.Value().Float()); early.Stop() {
//			break
//		}
//	}
type EarlyStopping struct {
	Patience int // 0 means 1
	MinDelta float64

	Values int     // the number of values added
	Best   float64 // the last value that improved
	BestAt int     // its number, from 1; 0 if there is none
}

// Add returns e with a value added, such as the loss of an epoch. A NaN never improves.
func (e EarlyStopping) Add(value float64) EarlyStopping {
	e.Values++
	if !math.IsNaN(value) && (e.BestAt == 0 || value < e.Best-e.MinDelta) {
		e.Best, e.BestAt = value, e.Values
	}
	return e
}

// Improved reports whether the last value improved. If so, it is a good time for Save.
func (e EarlyStopping) Improved() bool { return e.Values > 0 && e.BestAt == e.Values }

// Stop reports whether the training should end.
func (e EarlyStopping) Stop() bool { return e.Values > 0 && e.Values-e.BestAt >= max(1, e.Patience) }
