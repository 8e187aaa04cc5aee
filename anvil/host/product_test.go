package host

import (
	"context"
	"math"
	"strconv"
	"testing"
)

// TestTiles: every tiling that this processor has the instructions for
// multiplies matrices whose sides are and are not multiples of its own. The
// elements are small integers, of which every sum is exact.
func TestTiles(t *testing.T) {
	for _, m := range multipliers {
		for _, s := range [][3]int{{1, 1, 1}, {8, 192, 24}, {16, 400, 48}, {9, 193, 25}, {37, 5, 71}, {3, 500, 23}} {
			rows, inner, columns := s[0], s[1], s[2]
			a, b, c := make([]float64, rows*inner), make([]float64, inner*columns), make([]float64, rows*columns)
			for i := range a {
				a[i] = float64(i*5%13 - 6)
			}
			for i := range b {
				b[i] = float64(i*7%11 - 5)
			}
			m.multiply(context.Background(), c, a, b, rows, inner, columns)
			for i := range rows {
				for j := range columns {
					want := 0.0
					for k := range inner {
						want += a[i*inner+k] * b[k*columns+j]
					}
					if got := c[i*columns+j]; got != want {
						t.Fatalf("%d rows: element %d, %d of %v is %v, not %v", m.rows, i, j, s, got, want)
					}
				}
			}
		}
	}
}

// TestTilesFlush: subnormal numbers are taken for 0 and made 0, as plugins do,
// and only while a product is computed; NaN and infinities go on.
func TestTilesFlush(t *testing.T) {
	for _, m := range multipliers {
		tiny, c := math.SmallestNonzeroFloat64, make([]float64, 4)
		m.multiply(context.Background(), c, []float64{1 << 30, 0x1p-1000, math.Inf(1), math.NaN()}, []float64{tiny, 1, 0x1p-50, 0}, 2, 2, 2)
		if c[0] != 0 || c[1] != 1<<30 || !math.IsNaN(c[2]) || !math.IsNaN(c[3]) {
			t.Errorf("%d rows: %v", m.rows, c)
		}
		if half := tiny * 2 / 2; half == 0 {
			t.Errorf("%d rows: subnormal numbers are 0 afterwards", m.rows)
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, m := range multipliers {
		b.Run(strconv.Itoa(m.rows)+"x"+strconv.Itoa(m.columns), func(b *testing.B) {
			n := 1024
			x, c := make([]float64, n*n), make([]float64, n*n)
			for i := range x {
				x[i] = float64(i%17) / 16
			}
			for b.Loop() {
				m.multiply(context.Background(), c, x, x, n, n, n)
			}
			b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
