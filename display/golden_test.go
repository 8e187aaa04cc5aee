package display

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the files of what is expected")

// A golden is a txtar file of expected outputs, by name.
type golden struct {
	t    *testing.T
	want map[string]string
	got  txtar.Archive
}

// openGolden reads a file of expectations; with -update it is rewritten at the
// end of the test.
func openGolden(t *testing.T, path string) *golden {
	t.Helper()
	g := &golden{t: t, want: map[string]string{}}
	a, err := txtar.ParseFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if a != nil {
		for _, f := range a.Files {
			g.want[f.Name] = string(f.Data)
		}
	}
	t.Cleanup(func() {
		if *update {
			if err := os.WriteFile(path, txtar.Format(&g.got), 0o644); err != nil {
				t.Error(err)
			}
		} else if len(g.got.Files) != len(g.want) {
			t.Errorf("%s has %d entries, the test %d", path, len(g.want), len(g.got.Files))
		}
	})
	return g
}

func (g *golden) compare(name, got string) {
	g.t.Helper()
	g.got.Files = append(g.got.Files, txtar.File{Name: name, Data: []byte(got)})
	if diff := cmp.Diff(g.want[name], got); diff != "" && !*update {
		g.t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// compareForms compares the text of b and its page.
func (g *golden) compareForms(name string, b Bundle) {
	g.t.Helper()
	g.compare(name, b.Text()+"\n")
	g.compare(name+" as "+MIMEHTML, breakLines(b.Data[MIMEHTML].(string))+"\n")
}
