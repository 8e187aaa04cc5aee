package main

import (
	"fmt"
	"time"
)

type Server struct {
	addr    string
	timeout time.Duration
	tags    map[string]string
}
type Option func(*Server)

func WithTimeout(d time.Duration) Option { return func(s *Server) { s.timeout = d } }
func WithTag(k, v string) Option         { return func(s *Server) { s.tags[k] = v } }
func New(addr string, opts ...Option) *Server {
	s := &Server{addr: addr, timeout: time.Second, tags: map[string]string{}}
	for _, o := range opts {
		o(s)
	}
	return s
}

type Middleware func(Handler) Handler
type Handler func(string) string

func (h Handler) Serve(s string) string { return h(s) }
func chain(h Handler, ms ...Middleware) Handler {
	for i := len(ms) - 1; i >= 0; i-- {
		h = ms[i](h)
	}
	return h
}
func tag(t string) Middleware {
	return func(next Handler) Handler { return func(s string) string { return t + "(" + next(s) + ")" } }
}

type Builder struct{ parts []string }

func (b *Builder) Add(s string) *Builder { b.parts = append(b.parts, s); return b }
func (b Builder) Build() string          { return fmt.Sprint(b.parts) }
func main() {
	s := New("x:1", WithTimeout(3*time.Second), WithTag("a", "b"))
	fmt.Println(s.addr, s.timeout, s.tags)
	h := chain(func(s string) string { return s + "!" }, tag("A"), tag("B"))
	fmt.Println(h.Serve("hi"), h("yo"))
	fmt.Println((&Builder{}).Add("1").Add("2").Build(), new(Builder).Add("z").Build())
	fmt.Printf("%T %T\n", h, WithTag("", ""))
}

// Output:
// x:1 3s map[a:b]
// A(B(hi!)) A(B(yo!))
// [1 2] [z]
// main.Handler main.Option
