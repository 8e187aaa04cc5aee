package dense

// genericTiling is a tiling in Go, which runs on every processor.
var genericTiling = tiling{rows: 2, columns: 4, tile: func(n int, a []float64, lda int, b, c []float64, ldc int) {
	for i := range 2 {
		var s0, s1, s2, s3 float64
		for k, v := range a[i*lda : i*lda+n] {
			r := b[4*k : 4*k+4]
			s0, s1, s2, s3 = s0+v*r[0], s1+v*r[1], s2+v*r[2], s3+v*r[3]
		}
		t := c[i*ldc : i*ldc+4]
		t[0], t[1], t[2], t[3] = t[0]+s0, t[1]+s1, t[2]+s2, t[3]+s3
	}
}}
