package universe

import (
	"encoding/json"
	"sync"
)

// A Doc documents one symbol.
type Doc struct {
	Text string `json:"d"` // its comment
	Decl string `json:"t"` // the declaration of a type
}

var (
	docMu    sync.Mutex
	docCache = map[string]map[string]Doc{}
)

// DocOf returns the documentation of a package's symbol: name is "F", "T",
// "T.Method", "T.Field", or "" for the package; the path "builtin" has the names
// that need no import. The zero Doc where there is none.
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
		docCache[full] = readDocs(full)
	}
	return docCache[full][name]
}

func readDocs(path string) map[string]Doc {
	all := map[string]Doc{}
	if data, err := unpack(docs()[path]); err == nil {
		_ = json.Unmarshal(data, &all) // our own data; a test reads all of it
	}
	return all
}
