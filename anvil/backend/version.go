package backend

import (
	"slices"
	"strconv"
	"strings"
)

// Versions are lists of dtypes, classes of dtypes or devices by versions of a
// framework. A key is a version, "2.0.1", a range, "2.0.1 and below", "1.12.1 and
// above" or "1.4 to 1.9", or "any" for all versions.
type Versions map[string][]string

// At returns the list at a version, and its key (see ResolveVersion).
func (v Versions) At(version string) (names []string, key string) {
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	key = ResolveVersion(keys, version)
	return v[key], key
}

// ResolveVersion returns the key that covers a version: the version itself; else a
// range around it, "and below" before "to" before "and above", and of one form the
// tightest; else "any"; else the key with the greatest version. It returns "" where
// there are no keys.
// Versions are compared number by number: 1.9 is below 1.13.
func ResolveVersion(keys []string, version string) string {
	at := parseVersion(version)
	var best span
	for _, k := range keys {
		s := parseSpan(k)
		s.rank = s.match(at)
		if s.rank > best.rank || s.rank == best.rank && s.rank > noMatch && s.tighter(best) {
			best = s
		}
	}
	if best.rank > noMatch {
		return best.key
	}
	if slices.Contains(keys, always) {
		return always
	}
	return lastKnown(keys)
}

// lastKnown returns the key with the greatest version.
func lastKnown(keys []string) string {
	var last span
	for _, k := range keys {
		s := parseSpan(k)
		order := slices.Compare(s.to, last.to)
		if last.key == "" || order > 0 || order == 0 && k < last.key {
			last = s
		}
	}
	return last.key
}

// A span is a key and the versions that it covers.
type span struct {
	key      string
	from, to []int // results of parseVersion; from is nil for "and below", and to is from for "and above"
	above    bool  // of the form "and above"
	rank     int   // of the key for the version that ResolveVersion looks for
}

// The ranks of keys for a version, worst first.
const (
	noMatch = iota
	matchAbove
	matchRange
	matchBelow
	matchExact
)

// parseSpan returns the span of a key. The span is not valid if the key has none of the forms.
func parseSpan(key string) span {
	s := span{key: key}
	switch words := strings.Fields(key); {
	case len(words) == 3 && words[1] == "and" && words[2] == "below":
		s.to = parseVersion(words[0])
	case len(words) == 3 && words[1] == "and" && words[2] == "above":
		s.from = parseVersion(words[0])
		s.to, s.above = s.from, true
	case len(words) == 3 && words[1] == "to":
		s.from, s.to = parseVersion(words[0]), parseVersion(words[2])
	case len(words) == 1:
		s.from = parseVersion(words[0])
		s.to = s.from
	}
	return s
}

// valid reports whether the key is of one of the forms.
func (s span) valid() bool { return len(s.to) > 0 }

// match returns the rank of s for a version.
func (s span) match(at []int) int {
	low, high := slices.Compare(s.from, at), slices.Compare(at, s.to)
	switch {
	case !s.valid() || low > 0 || high > 0 && !s.above:
		return noMatch
	case s.above:
		return matchAbove
	case s.from == nil:
		return matchBelow
	case slices.Equal(s.from, s.to):
		return matchExact
	}
	return matchRange
}

// tighter reports whether s covers fewer versions than t, which has the same rank.
func (s span) tighter(t span) bool {
	if s.above {
		return slices.Compare(s.from, t.from) > 0
	}
	if order := slices.Compare(s.to, t.to); order != 0 {
		return order < 0
	}
	return slices.Compare(s.from, t.from) > 0
}

// parseVersion returns the numbers of a version, without trailing zeros: 2.2 and
// 2.2.0 are equal. A suffix, as in 2.0.1+cpu, is ignored.
func parseVersion(version string) []int {
	var numbers []int
	for _, part := range strings.Split(version, ".") {
		digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		if digits != part {
			break
		}
	}
	for len(numbers) > 1 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}
