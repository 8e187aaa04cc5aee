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
	codes    []string    // "*" is every code
	replaces bool        // replaces the message instead of following it
	when     []condition // all must hold
	text     string
}

// A condition holds if the fact is known and, if words are given, one of the fact's values matches one of them.
type condition struct {
	fact  string
	words []string // patterns of [path.Match]
}

// phrases returns the phrases of phrases.txt.
var phrases = sync.OnceValue(func() []phrase { return parsePhrases(phraseText) })

// parsePhrases parses text, whose format phrases.txt describes.
func parsePhrases(text string) (all []phrase) {
	var codes []string
	heading := false // the previous line is part of a heading, which may have several lines of codes
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
		head, sentence, _ := strings.Cut(body, ": ")
		p := phrase{codes: codes, text: sentence}
		for _, field := range strings.Fields(head) {
			fact, words, hasWords := strings.Cut(field, "=")
			switch {
			case field == "say":
				p.replaces = true
			case field == "always":
			case hasWords:
				p.when = append(p.when, condition{fact, strings.Split(words, "|")})
			default:
				p.when = append(p.when, condition{fact, nil})
			}
		}
		all = append(all, p)
	}
	return all
}

// choose returns the text of the first phrase for the error whose conditions hold and whose facts are known, or "". If
// replaces is true, it chooses among the phrases that replace the message, and otherwise among those that follow it.
// The phrase "-" stands for no text.
func (m *mistake) choose(replaces bool) string {
	for _, p := range phrases() {
		if p.replaces != replaces || !slices.Contains(p.codes, string(m.code)) && p.codes[0] != "*" {
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

// holds reports whether a condition holds.
func (m *mistake) holds(c condition) bool {
	return slices.ContainsFunc(m.fact(c.fact), func(value string) bool {
		return value != "" && (c.words == nil || slices.ContainsFunc(c.words, func(word string) bool {
			ok, err := path.Match(libraryName.ReplaceAllLiteralString(word, m.tensorName()), value)
			return ok && err == nil
		}))
	})
}

// libraryName matches the name that phrases.txt uses for the tensor package.
var libraryName = regexp.MustCompile(`\bnv\b`)

// write returns text, in which each $FACT is replaced by the first value of the fact, and nv by the cell's name for the
// tensor package. known reports whether all these facts are known.
func (m *mistake) write(text string) (written string, known bool) {
	known = true
	text = libraryName.ReplaceAllLiteralString(text, m.tensorName())
	return os.Expand(text, func(name string) string {
		if values := m.fact(name); len(values) > 0 && values[0] != "" {
			return values[0]
		}
		known = false
		return ""
	}), known
}

// fact returns the values of the named fact. Texts of phrases show the first value; conditions may match any of them.
func (m *mistake) fact(name string) []string {
	if _, known := m.known[name]; !known {
		m.known[name] = facts[name](m)
	}
	return m.known[name]
}
