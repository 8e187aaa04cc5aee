package display

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/google/uuid"
)

// A Sink receives what an Outlet shows.
type Sink interface {
	// Display shows b. If id is not "", Update can replace it.
	Display(id string, b Bundle)
	// Update replaces what was displayed under id by b.
	Update(id string, b Bundle)
	// Clear removes the output of the cell. With wait, it does so when new output is shown.
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

// SetSink sets the sink for all following output. Updates of values shown earlier go to this sink too.
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

// MaxWidth sets the maximal length of a line of a tensor, in characters. If n is 0 or negative, there is no limit.
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

// Render returns a Bundle that shows vs, one below the other. Each element of a slice of tensors has its index above
// it.
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

// Clear removes the output of the cell. With wait, it does so when new output is shown.
func (o *Outlet) Clear(wait bool) {
	sink, _ := o.state()
	sink.Clear(wait)
}

// A Handle refers to a shown value that can be replaced.
type Handle struct {
	outlet *Outlet
	id     string
}

// Update replaces the value that h refers to by v, wherever it is shown on the page.
func (h *Handle) Update(v any) {
	sink, opts := h.outlet.state()
	sink.Update(h.id, opts.Render(v))
}

// ID returns the id by which front ends refer to the shown value.
func (h *Handle) ID() string { return h.id }

// Default is the outlet of the package's functions. It prints the text form to the standard output.
var Default = NewOutlet(WriterSink(os.Stdout))

// MaxRows sets how many lines of a tensor are shown. A negative n shows all.
func MaxRows(n int) { Default.MaxRows(n) }

// MaxWidth sets the maximal length of a line of a tensor, in characters. If n is 0 or negative, there is no limit.
func MaxWidth(n int) { Default.MaxWidth(n) }

// Precision sets how many digits of floats are shown after the point, from 0 to 17.
func Precision(n int) { Default.Precision(n) }

// R sets whether several values, and the elements of a slice of tensors, are numbered like the elements of a
// list in R: [[1]], [[2]].
func R(on bool) { Default.R(on) }

// Render returns a Bundle that shows vs, one below the other. Each element of a slice of tensors has its index above
// it.
func Render(vs ...any) Bundle { return Default.Render(vs...) }

// Text returns the text/plain form of v.
func Text(v any) string { return Default.Text(v) }

// Show shows v at once and returns a handle by which it can be replaced.
func Show(v any) *Handle { return Default.Show(v) }

// Clear removes the output of the cell. With wait, it does so when new output is shown.
func Clear(wait bool) { Default.Clear(wait) }

// WriterSink returns a sink that writes the text forms of values to w, each on lines of its own. Its Update writes the
// new value below the old one, and its Clear does nothing.
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
	MaxRows   int  // the greatest number of lines of elements; all if negative
	MaxWidth  int  // the greatest number of characters of a line; no limit if 0 or negative
	Precision int  // the number of digits of a float after the point
	R         bool // lists are numbered as in R: [[1]]
}

// DefaultOptions are the options of R anvil.
var DefaultOptions = Options{MaxRows: 30, MaxWidth: 85, Precision: 4}
