//go:build !amd64

package dense

// vectors is false: there are no functions in assembly for this processor.
const vectors = false

func dotVectors(x, y *float64, n int) float64                            { panic("no vectors") }
func addVectors(a float64, x, y *float64, n int)                         { panic("no vectors") }
func add2Vectors(a float64, x *float64, b float64, z, y *float64, n int) { panic("no vectors") }
func dotAddVectors(a float64, x, v, y *float64, n int) float64           { panic("no vectors") }

// tilings has the tilings that this processor can run.
var tilings = []tiling{genericTiling}
