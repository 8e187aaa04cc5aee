package display

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/google/uuid"
)

// A Sink receives what an Outlet shows. Values displayed under an id can be updated.
type Sink interface {
	Display(id string, b Bundle)
	Update(id string, b Bundle)
	Clear(wait bool)
}

// An Outlet shows values for one session, with the session's options. Its methods are the functions of this
// package that depend on the session. It is safe for concurrent use.
type Outlet struct {
	mu   sync.Mutex
	sink Sink
	opts Options
}

// NewOutlet returns an outlet that shows values at s, with DefaultOptions.
func NewOutlet(s Sink) *Outlet { return &Outlet{sink: s, opts: DefaultOptions} }

// SetSink sets the sink for all following output: a kernel sets one for every cell. Values shown earlier are
// updated there too.
func (o *Outlet) SetSink(s Sink) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sink = s
}

func (o *Outlet) state() (Sink, Options) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sink, o.opts
}

// Options returns the options that limit how much of a tensor is shown.
func (o *Outlet) Options() Options {
	_, opts := o.state()
	return opts
}

// MaxRows sets how many lines of a tensor are shown. A negative n shows all.
func (o *Outlet) MaxRows(n int) { o.set(func(opts *Options) { opts.MaxRows = n }) }

// MaxWidth sets the maximal length of a line of a tensor, in characters. 0 or a negative
// n sets no limit.
func (o *Outlet) MaxWidth(n int) { o.set(func(opts *Options) { opts.MaxWidth = n }) }

// Precision sets how many digits of floats are shown after the point, from 0 to 17.
func (o *Outlet) Precision(n int) {
	o.set(func(opts *Options) { opts.Precision = min(max(n, 0), 17) })
}

// R sets whether several values, and the elements of a slice of tensors, are numbered like the elements of a
// list in R: [[1]], [[2]].
func (o *Outlet) R(on bool) { o.set(func(opts *Options) { opts.R = on }) }

func (o *Outlet) set(change func(*Options)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(&o.opts)
}

// Render returns vs as a Bundle of representations, one below the other. The elements of a
// slice of tensors stand under their indexes.
func (o *Outlet) Render(vs ...any) Bundle { return o.Options().Render(vs...) }

// Text returns the text/plain form of v.
func (o *Outlet) Text(v any) string { return o.Render(v).Text() }

// Show shows v at once and returns a handle by which it can be replaced.
func (o *Outlet) Show(v any) *Handle {
	h := &Handle{outlet: o, id: uuid.NewString()}
	sink, opts := o.state()
	sink.Display(h.id, opts.Render(v))
	return h
}

// Clear removes the output of the cell; with wait, only when new output is shown.
func (o *Outlet) Clear(wait bool) {
	sink, _ := o.state()
	sink.Clear(wait)
}

// A Handle refers to a shown value that can be replaced.
type Handle struct {
	outlet *Outlet
	id     string
}

// Update replaces the value shown under h, wherever it is on the page.
func (h *Handle) Update(v any) {
	sink, opts := h.outlet.state()
	sink.Update(h.id, opts.Render(v))
}

// ID returns the id by which front ends refer to the shown value.
func (h *Handle) ID() string { return h.id }

// Default is the outlet of the package's functions: it prints the text form to
// the standard output.
var Default = NewOutlet(WriterSink(os.Stdout))

// MaxRows sets how many lines of a tensor are shown. A negative n shows all.
func MaxRows(n int) { Default.MaxRows(n) }

// MaxWidth sets the maximal length of a line of a tensor, in characters. 0 or a negative
// n sets no limit.
func MaxWidth(n int) { Default.MaxWidth(n) }

// Precision sets how many digits of floats are shown after the point, from 0 to 17.
func Precision(n int) { Default.Precision(n) }

// R sets whether several values, and the elements of a slice of tensors, are numbered like the elements of a
// list in R: [[1]], [[2]].
func R(on bool) { Default.R(on) }

// Render returns vs as a Bundle of representations, one below the other. The elements of a
// slice of tensors stand under their indexes.
func Render(vs ...any) Bundle { return Default.Render(vs...) }

// Text returns the text/plain form of v.
func Text(v any) string { return Default.Text(v) }

// Show shows v at once and returns a handle by which it can be replaced.
func Show(v any) *Handle { return Default.Show(v) }

// Clear removes the output of the cell; with wait, only when new output is shown.
func Clear(wait bool) { Default.Clear(wait) }

// WriterSink returns a sink that writes the text form of everything to w, line by line. It cannot remove what
// it wrote.
func WriterSink(w io.Writer) Sink { return &writerSink{w: w} }

type writerSink struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *writerSink) Display(_ string, b Bundle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := b.Text(); text != "" {
		fmt.Fprintln(s.w, text)
	}
}

func (s *writerSink) Update(id string, b Bundle) { s.Display(id, b) }
func (s *writerSink) Clear(bool)                 {}

// Options limit how much of a tensor is shown.
type Options struct {
	MaxRows   int  // lines of elements; all if negative
	MaxWidth  int  // characters of a line; not limited if 0 or negative
	Precision int  // digits of a float after the point
	R         bool // lists are numbered as R does: [[1]]
}

// DefaultOptions are those of R anvil.
var DefaultOptions = Options{MaxRows: 30, MaxWidth: 85, Precision: 4}
