package data

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/table"
)

// The data sets that ship with the package; tables/LICENSES.md has their licences.
var (
	//go:embed tables/digits.gz
	digitsFile []byte
	//go:embed tables/iris.csv
	irisFile []byte
	//go:embed tables/housing.csv
	housingFile []byte
)

// Digits returns 1797 images of handwritten digits. X, f32{1797,8,8}, has the grey levels
// between 0 and 1; Y, i32{1797}, has the digits.
//
// Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine
// Learning Repository, 1998 (the test set); CC BY 4.0.
func Digits() Set { return In(nv.Default()).Digits() }

// Iris returns the lengths and widths in cm of the sepals and petals of 150 flowers, and
// their species: the columns sepal_length, sepal_width, petal_length, petal_width, species.
//
// Source: R. A. Fisher, Iris, UCI Machine Learning Repository, 1936; CC BY 4.0.
func Iris() *nv.Table { return In(nv.Default()).Iris() }

// Housing returns 414 sales of houses in Sindian, Taipei, in 2012 and 2013. The columns
// are date (a year with a fraction, such as 2012.917), age (in years), distance (to the next underground station, in
// metres), stores (convenience stores within walking distance), latitude, longitude, and
// price (in 10000 New Taiwan dollars per 3.3 square metres).
//
// Source: I-C. Yeh, Real Estate Valuation, UCI Machine Learning Repository, 2018; CC BY 4.0.
func Housing() *nv.Table { return In(nv.Default()).Housing() }

const (
	digitCount  = 1797
	digitPixels = 64
	digitLevels = 16 // the greatest grey level
)

// Digits returns the images, as the function Digits does.
func (s Source) Digits() Set {
	rows := digitRows()
	pixels, labels := make([]float32, 0, digitCount*digitPixels), make([]int32, 0, digitCount)
	for len(rows) > 0 {
		for _, level := range rows[:digitPixels] {
			pixels = append(pixels, float32(level)/digitLevels)
		}
		labels = append(labels, int32(rows[digitPixels]))
		rows = rows[digitPixels+1:]
	}
	return Set{X: s.ctx.New(pixels).Reshape(nv.Shape{digitCount, 8, 8}), Y: s.ctx.New(labels)}
}

// digitRows returns the grey levels and the label of each image, a byte each.
var digitRows = sync.OnceValue(func() []byte {
	z, err := gzip.NewReader(bytes.NewReader(digitsFile))
	if err != nil {
		panic(err) // the embedded file is damaged
	}
	rows, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return rows
})

// Iris returns the table of flowers, as the function Iris does.
func (s Source) Iris() *nv.Table { return s.table(irisFile) }

// Housing returns the table of sales, as the function Housing does.
func (s Source) Housing() *nv.Table { return s.table(housingFile) }

// table returns an embedded file of comma separated values as a table.
func (s Source) table(file []byte) *nv.Table {
	t, err := table.ReadCSV(bytes.NewReader(file), table.CSV{})
	if err != nil {
		panic(err)
	}
	columns := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		switch c.Kind {
		case table.Ints:
			columns[i] = s.ctx.New(c.Ints, nv.I32)
		case table.Floats:
			columns[i] = c.Floats
		case table.Texts:
			columns[i] = c.Texts
		}
	}
	return s.ctx.NewTable(t.Names(), columns...)
}
