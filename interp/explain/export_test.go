package explain

import "regexp"

// ForeignNames returns a section of foreign.txt.
func ForeignNames(section string) map[string]string { return foreignNames()[section] }

// A Phrase is a line of phrases.txt, with the facts that its conditions and its text name.
type Phrase struct {
	Codes, Facts []string
	Text         string
}

// Phrases returns the lines of phrases.txt.
func Phrases() (all []Phrase) {
	for _, p := range phrases() {
		facts := []string{}
		for _, c := range p.when {
			facts = append(facts, c.fact)
		}
		for _, m := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(p.text, -1) {
			facts = append(facts, m[1])
		}
		all = append(all, Phrase{p.codes, facts, p.text})
	}
	return all
}

// Facts returns the names of the facts.
func Facts() map[string]bool {
	names := map[string]bool{}
	for name := range facts {
		names[name] = true
	}
	return names
}

// Distance and Nearest are the functions that find misspelled names.
var (
	Distance = distance
	Nearest  = nearest
)
