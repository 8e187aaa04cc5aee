package explain

import (
	_ "embed"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed phrases.txt
var phraseText string

// A phrase is a line of phrases.txt.
type phrase struct {
	codes []string // "*" is every code
	says  bool     // takes the place of the message, and does not follow it
	when  []condition
	text  string
}

// A condition holds if a fact is known and, where words are given, is one of them.
type condition struct {
	fact  string
	words []string // patterns of [path.Match]
}

var phrases = sync.OnceValue(func() []phrase { return parsePhrases(phraseText) })

// parsePhrases reads the form that phrases.txt describes.
func parsePhrases(text string) (all []phrase) {
	var codes []string
	heading := false // the line before was one of codes
	for line := range strings.Lines(text) {
		body, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		if body == "" || strings.HasPrefix(body, "#") {
			heading = false
			continue
		}
		if !indented {
			if !heading {
				codes = nil
			}
			codes = append(codes, strings.Fields(body)...)
			heading = true
			continue
		}
		heading = false
		head, said, _ := strings.Cut(body, ": ")
		p := phrase{codes: codes, text: said}
		for _, field := range strings.Fields(head) {
			fact, words, some := strings.Cut(field, "=")
			switch {
			case field == "say":
				p.says = true
			case field == "always":
			case some:
				p.when = append(p.when, condition{fact, strings.Split(words, "|")})
			default:
				p.when = append(p.when, condition{fact, nil})
			}
		}
		all = append(all, p)
	}
	return all
}

// choose returns the text of the first phrase that fits, "" if none does: of those
// that take the place of the message, or of those that follow it.
func (m *mistake) choose(says bool) string {
	for _, p := range phrases() {
		if p.says != says || !slices.Contains(p.codes, string(m.code)) && p.codes[0] != "*" {
			continue
		}
		if slices.ContainsFunc(p.when, func(c condition) bool { return !m.holds(c) }) {
			continue
		}
		if text, known := m.write(p.text); text == "-" {
			return ""
		} else if known {
			return text
		}
	}
	return ""
}

func (m *mistake) holds(c condition) bool {
	return slices.ContainsFunc(m.fact(c.fact), func(is string) bool {
		return is != "" && (c.words == nil || slices.ContainsFunc(c.words, func(word string) bool {
			ok, err := path.Match(theLibrary.ReplaceAllLiteralString(word, m.tensorName()), is)
			return ok && err == nil
		}))
	})
}

var theLibrary = regexp.MustCompile(`\bnv\b`)

// write returns text with facts in place of their names and the package of tensors
// called as the cell calls it. It reports whether all facts are known.
func (m *mistake) write(text string) (written string, known bool) {
	known = true
	text = theLibrary.ReplaceAllLiteralString(text, m.tensorName())
	return os.Expand(text, func(name string) string {
		if values := m.fact(name); len(values) > 0 && values[0] != "" {
			return values[0]
		}
		known = false
		return ""
	}), known
}

// fact returns what is known under a name: the text for a phrase, and then other
// words that conditions may ask for.
func (m *mistake) fact(name string) []string {
	if _, known := m.known[name]; !known {
		m.known[name] = facts[name](m)
	}
	return m.known[name]
}
