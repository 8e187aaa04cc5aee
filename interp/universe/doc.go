package universe

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// A Doc documents one symbol.
type Doc struct {
	Text    string // its comment
	Decl    string // the declaration of a type
	Example string // code that uses it
}

var (
	docMu    sync.Mutex
	docCache = map[string]map[string]string{}
)

// DocOf returns the documentation of a package's symbol: name is "F", "T",
// "T.Method", "T.Field", or "" for the package; the path "builtin" has the names
// that need no import. It returns the zero Doc if
// the symbol has no documentation.
func DocOf(path, name string) Doc {
	full, ok := Resolve(path)
	if !ok && path == "builtin" {
		full, ok = path, true
	}
	if !ok {
		return Doc{}
	}
	docMu.Lock()
	defer docMu.Unlock()
	if docCache[full] == nil {
		docCache[full] = readDoc(full)
	}
	section := name
	if name == "" {
		section = "package"
	}
	return Doc{Text: unindent(docCache[full][section]), Decl: unindent(docCache[full]["type "+name]), Example: exampleOf(Short(full), name)}
}

//go:embed examples.txt
var exampleText string

// examples returns the examples of examples.txt by package and symbol.
var examples = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	path := ""
	for line := range strings.Lines(exampleText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			path = strings.Trim(line, "[]")
			all[path] = map[string]string{}
		default:
			name, code, _ := strings.Cut(line, "\t")
			all[path][name] = strings.TrimSpace(code)
		}
	}
	return all
})

// exampleOf returns the example of a symbol. A method without one has that of the function
// of the same name.
func exampleOf(path, symbol string) string {
	of := examples()[path]
	if code := of[symbol]; code != "" {
		return code
	}
	if owner, method, ok := strings.Cut(symbol, "."); ok && (owner == "Tensor" || owner == "Lib") {
		return of[method]
	}
	return ""
}

// readDoc returns the sections of a package's documentation: the indented lines
// below each line that is not indented.
func readDoc(path string) map[string]string {
	rest := docFile("doc/" + Short(path) + ".txt")
	sections := map[string]string{}
	for rest != "" {
		name, below, _ := strings.Cut(rest, "\n")
		end := 0
		for end < len(below) && (below[end] == '\t' || below[end] == '\n') {
			end += strings.IndexByte(below[end:], '\n') + 1
		}
		sections[name], rest = below[:end], below[end:]
	}
	return sections
}

// docFile returns the content of a file of documentation; packages outside this module are
// compressed. It ignores errors: a test reads all files.
func docFile(name string) string {
	if text, err := files.ReadFile(name); err == nil {
		return string(text)
	}
	packed, err := files.Open(name + ".gz")
	if err != nil {
		return ""
	}
	defer packed.Close()
	var text strings.Builder
	if z, err := gzip.NewReader(packed); err == nil {
		_, _ = io.Copy(&text, z)
	}
	return text.String()
}

// unindent removes a tab from each line of section, and a final newline.
func unindent(section string) string {
	return strings.TrimSuffix(strings.ReplaceAll("\n"+section, "\n\t", "\n")[1:], "\n")
}
