package backend

import (
	"slices"
	"strconv"
	"strings"
)

// Versions has lists of dtypes, of classes of dtypes, or of devices, by version of a
// framework. A key is a version such as "2.0.1", a range such as "2.0.1 and below",
// "1.12.1 and above" or "1.4 to 1.9", or "any" for all versions.
type Versions map[string][]string

// At returns the list for a version, and the key of the list (see ResolveVersion).
func (v Versions) At(version string) (names []string, key string) {
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	key = ResolveVersion(keys, version)
	return v[key], key
}

// ResolveVersion returns the key that applies to a version. If the version itself is a key, it returns that key.
// Otherwise it returns a range that includes the version: one of the form "and below" if there is one, else one of the
// form "to", else one of the form "and above". Of several ranges of the same form it prefers the one with the lowest
// end and, if these are equal or there are none, the one with the greatest start. If no range includes the version, it
// returns "any" or, if that is not a key, the key with the greatest version. It returns "" if there are no keys.
//
// Versions are compared number by number: 1.9 is below 1.13.
func ResolveVersion(keys []string, version string) string {
	at := parseVersion(version)
	var best span
	for _, k := range keys {
		s := parseSpan(k)
		s.rank = s.match(at)
		if s.rank > best.rank || s.rank == best.rank && s.tighter(best) {
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

// A span is a key and the versions that it includes.
type span struct {
	key      string
	from, to []int // results of parseVersion; from is nil for "and below", and to is equal to from for "and above"
	above    bool  // the key has the form "and above"
	rank     int   // the rank of the key for the version that ResolveVersion looks for
}

// The ranks of keys for a version, the worst first.
const (
	noMatch = iota
	matchAbove
	matchRange
	matchBelow
	matchExact
)

// parseSpan returns the span of a key. The span is not valid if the key is not a version or a range.
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

// valid reports whether the key is a version or a range.
func (s span) valid() bool { return len(s.to) > 0 }

// match returns the rank of s for version, a result of parseVersion.
func (s span) match(version []int) int {
	low, high := slices.Compare(s.from, version), slices.Compare(version, s.to)
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

// tighter reports whether ResolveVersion prefers s to t: s ends at a lower version or, if the ends are equal or there
// are none, starts at a greater one. Both must have the same rank.
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
