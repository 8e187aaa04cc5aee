package dense

// In each function of this file, all vectors must have the length of the first one. The loops in Go run
// where the CPU lacks the vector instructions of the assembly, and for up to four elements, for which calling a function
// in assembly takes longer.

// dot returns the dot product of x and y.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	if vectors && len(x) > 4 {
		return dotVectors(&x[0], &y[0], len(x))
	}
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// add adds a*x to y.
func add(a float64, x, y []float64) {
	y = y[:len(x)]
	if vectors && len(x) > 4 {
		addVectors(a, &x[0], &y[0], len(x))
		return
	}
	for i, v := range x {
		y[i] += a * v
	}
}

// add2 adds a*x + b*z to y.
func add2(a float64, x []float64, b float64, z, y []float64) {
	z, y = z[:len(x)], y[:len(x)]
	if vectors && len(x) > 4 {
		add2Vectors(a, &x[0], b, &z[0], &y[0], len(x))
		return
	}
	for i, v := range x {
		y[i] += a*v + b*z[i]
	}
}

// dotAdd returns dot(x, v), and adds a*x to y.
func dotAdd(a float64, x, v, y []float64) float64 {
	v, y = v[:len(x)], y[:len(x)]
	if vectors && len(x) > 4 {
		return dotAddVectors(a, &x[0], &v[0], &y[0], len(x))
	}
	s := 0.0
	for i, e := range x {
		s += e * v[i]
		y[i] += a * e
	}
	return s
}

// rotate sets x to c*x - s*y and y to s*x + c*y.
func rotate(c, s float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		x[i], y[i] = c*v-s*w, s*v+c*w
	}
}
