package display

import "fmt"

// A view is the layout of the part of an array that is shown: the matrices that fit, and how much does not.
type view struct {
	pages              []page
	moreRows, moreCols int      // how many rows and columns are left out
	tail               []string // the last elements of a vector; HTML shows them after the elements in pages
}

// elements returns the number of elements shown.
func (v view) elements() (n int) {
	for _, p := range v.pages {
		for _, b := range p.blocks {
			n += len(b.rows) * (b.to - b.from)
		}
	}
	return n
}

// A page is the shown part of one matrix.
type page struct {
	index  []int // the indices of the matrix along the leading axes; nil for a tensor of rank up to 2
	format format
	blocks []block
	matrix matrix
}

// A block is a group of columns that fit side by side.
type block struct {
	from, to int        // the columns from <= c < to
	rows     [][]string // the elements as text
	width    int        // of every column, in characters
	partial  bool       // the matrix has more columns than the block
}

// layOut reads the elements of a that may fit within the limits of o, and lays them out.
func (o Options) layOut(a array) (view, error) {
	matrices, rows, cols := o.window(a)
	if matrices*rows*cols == 0 {
		return o.emptyView(a), nil
	}
	data, err := a.read(matrices, rows, cols)
	if err != nil {
		return view{}, err
	}
	if want := matrices * rows * cols * a.typed.DType.Size(); len(data) != want {
		return view{}, fmt.Errorf("display: read %d bytes for %d matrices of %d x %d, want %d",
			len(data), matrices, rows, cols, want)
	}
	return o.pages(a, data), nil
}

// emptyView returns a view without elements.
func (o Options) emptyView(a array) view {
	matrices, rows, cols := a.extent()
	if cols == 0 {
		rows = 0
	}
	return view{moreRows: matrices * rows}
}

// pages lays out data, the elements of a in o.window(a).
func (o Options) pages(a array, data []byte) (v view) {
	matrices, rows, cols := o.window(a)
	all, allRows, allCols := a.extent()
	v.moreRows = all * allRows
	left := o.MaxRows // the number of lines that are left; negative for no limit
	for i := 0; i < matrices && left != 0; i++ {
		m := matrix{a.typed.DType, data[i*rows*cols*a.typed.DType.Size():], rows, cols}
		if left > 0 {
			m.rows = min(rows, left)
		}
		p := o.page(m, left, allCols)
		if len(a.shape) > 2 {
			p.index = a.index(i)
		}
		v.pages = append(v.pages, p)
		v.moreRows -= m.rows
		v.moreCols = max(v.moreCols, allCols-p.blocks[len(p.blocks)-1].to) // an earlier page may have left out more
		if left > 0 {
			left = max(0, left-len(p.blocks)*m.rows)
		}
	}
	return v
}

// page lays out m in blocks, each of m.rows lines. A block may begin only while fewer than limit lines are used, so the
// last block may exceed limit. A negative limit is no limit. page adds columns one by one and chooses the format from
// the columns added so far, so that the format does not depend on elements that are not shown. allCols is the number of
// columns of the whole matrix.
func (o Options) page(m matrix, limit, allCols int) page {
	var s spread
	p := packing{m: m, width: o.MaxWidth - 1, limit: limit, format: s.format(o.Precision)}
	if o.MaxWidth == 1 {
		p.width = 1 // not 0, which means no limit
	}
	for c := 0; c < m.cols; c++ {
		for r := 0; r < m.rows; r++ {
			s.element(m.dtype, m.element(r, c))
		}
		next := p // next shares memory with p; a column that does not fit begins a new block and changes nothing of p
		if f := s.format(o.Precision); f != p.format {
			next = packing{m: m, width: p.width, limit: p.limit, format: f}
		}
		if !next.upTo(c+1) && c > 0 {
			break
		}
		p = next
	}
	return p.page(allCols)
}

// A packing puts columns into blocks, each as wide as width allows.
type packing struct {
	m       matrix
	width   int // the greatest width of a line; no limit if 0 or negative
	limit   int // the number of lines after which no block may begin; no limit if negative
	format  format
	columns [][]string // the texts of each column added
	blocks  []block    // without their rows, which the method page sets
}

// upTo adds columns until there are n, and reports whether they fit: whether the last block begins within limit.
func (p *packing) upTo(n int) bool {
	for c := len(p.columns); c < n; c++ {
		tokens, width := p.column(c)
		p.columns = append(p.columns, tokens)
		if !p.widen(c, width) {
			p.blocks = append(p.blocks, block{from: c, to: c + 1, width: width})
		}
	}
	return p.limit < 0 || (len(p.blocks)-1)*p.m.rows < p.limit
}

// widen adds column c, of the given width, to the last block and reports whether it fits there.
func (p *packing) widen(c, width int) bool {
	if len(p.blocks) == 0 {
		return false
	}
	b := p.blocks[len(p.blocks)-1]
	b.to, b.width = c+1, max(b.width, width)
	n := b.to - b.from
	if p.width > 0 && n*b.width+n-1 > p.width {
		return false
	}
	p.blocks[len(p.blocks)-1] = b
	return true
}

// column returns the texts of column c and the length of the longest.
func (p *packing) column(c int) (tokens []string, width int) {
	tokens = make([]string, p.m.rows)
	for r := range tokens {
		tokens[r] = p.format.token(p.m.dtype, p.m.element(r, c))
		width = max(width, len(tokens[r]))
	}
	return tokens, width
}

// page returns the page of the added columns. allCols is the number of columns of the whole matrix.
func (p *packing) page(allCols int) page {
	pg := page{format: p.format, blocks: p.blocks, matrix: p.m}
	for i := range pg.blocks {
		b := &pg.blocks[i]
		b.partial = b.to-b.from < allCols
		b.rows = make([][]string, p.m.rows)
		for r := range b.rows {
			for c := b.from; c < b.to; c++ {
				b.rows[r] = append(b.rows[r], p.columns[c][r])
			}
		}
	}
	return pg
}
