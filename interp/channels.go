package interp

import "reflect"

// A selectCase is one case of a select: the operation, and where to store a received value.
type selectCase struct {
	reflect.SelectCase
	to   reflect.Value // a pointer, or invalid
	more *bool         // receives whether the channel was open; or nil
}

// caseRecv waits to receive from ch into *to.
func caseRecv(ch, to any, more *bool) any {
	c := selectCase{SelectCase: reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ch)}, more: more}
	if to != nil {
		c.to = reflect.ValueOf(to)
	}
	return c
}

// caseSend waits to send *from to ch.
func caseSend(ch, from any) any {
	return selectCase{SelectCase: reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(ch), Send: reflect.ValueOf(from).Elem()}}
}

// received stores the value that c has received.
func (c selectCase) received(v reflect.Value, ok bool) {
	if c.Dir != reflect.SelectRecv {
		return
	}
	if c.to.IsValid() {
		c.to.Elem().Set(v)
	}
	if c.more != nil {
		*c.more = ok
	}
}

// recv receives from ch into *to and reports whether ch was open.
func (s *Session) recv(ch, to any) bool {
	var more bool
	s.choose(true, caseRecv(ch, to, &more))
	return more
}

// send sends *from to ch.
func (s *Session) send(ch, from any) { s.choose(true, caseSend(ch, from)) }

// choose performs one of the cases and returns its index. If none is ready and wait is
// false, it returns -1. An interrupt ends the waiting goroutine.
func (s *Session) choose(wait bool, cases ...any) int {
	list := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i, c := range cases {
		list[i] = c.(selectCase).SelectCase
	}
	now := append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	if i, v, ok := reflect.Select(now); i < len(cases) {
		cases[i].(selectCase).received(v, ok)
		return i
	}
	if !wait {
		return -1
	}
	stop := s.interrupted()
	list = append(list, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(stop)})
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		s.quit()
	}
	cases[i].(selectCase).received(v, ok)
	return i
}
