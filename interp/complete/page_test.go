package complete

import (
	"testing"
)

// TestProse checks the three forms of documentation: links have nothing to link to, and headings stand below those of
// a notebook.
func TestProse(t *testing.T) {
	var p Page
	p.prose("")
	if p != (Page{}) {
		t.Errorf("no documentation gives %+v", p)
	}
	p.prose("Sum adds; see [Add].\n\n# A Head\n\n  - one [T.M]\n  - two\n\nIn code:\n\n\tx < y\n")
	want := Page{
		Text:     "\nSum adds; see Add.\n\n# A Head\n\n  - one T.M\n  - two\n\nIn code:\n\n\tx < y\n",
		Markdown: "\nSum adds; see Add.\n\n#### A Head\n\n  - one T.M\n  - two\n\nIn code:\n\n\tx < y\n",
		HTML: "<p>Sum adds; see Add.\n<h4>A Head</h4>\n<ul>\n<li>one T.M\n<li>two\n</ul>\n<p>In code:\n" +
			"<pre>x &lt; y\n</pre>\n",
	}
	if p != want {
		t.Errorf("got  %q\nwant %q", p, want)
	}
}

func TestFence(t *testing.T) {
	for code, want := range map[string]string{
		"x\n\n":     "```go\nx\n```\n",
		"a ``` b":   "````go\na ``` b\n````\n",
		"a ````` b": "``````go\na ````` b\n``````\n",
	} {
		if got := fence(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
	if got := pre("<a>\n"); got != "<pre>&lt;a&gt;</pre>\n" {
		t.Error(got)
	}
}

// TestSentences checks where the first sentence of documentation ends.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ doc, first, rest, short string }{
		{"", "", "", ""},
		{"Sum adds. Then more.", "Sum adds.", "Then more.", "Sum adds."},
		{"Sum adds. [T] is more.", "Sum adds.", "[T] is more.", "Sum adds."},
		{"No end", "No end", "", "No end"},
		{"Over two\nlines. B\n\nC", "Over two\nlines.", "B\n\nC", "Over two lines."},
		{"One.\nTwo.", "One.", "Two.", "One."},
		{"The point v. The rest", "The point v. The rest", "", "The point v."},
		{"About 1.5 and i.e. this.", "About 1.5 and i.e. this.", "", "About 1.5 and i.e."},
		{"It prints:\n\n\tx := 1\n\n\ty\n\nMore.", "It prints:\n\n\tx := 1\n\n\ty", "More.", "It prints."},
		{"A [T].", "A [T].", "", "A T."},
		{"First.\n\nSecond. Third.", "First.", "Second. Third.", "First."},
	} {
		first, rest := cutSentence(c.doc)
		if first != c.first || rest != c.rest {
			t.Errorf("%q is cut into %q and %q, want %q and %q", c.doc, first, rest, c.first, c.rest)
		}
		if got := firstSentence(c.doc); got != c.short {
			t.Errorf("the first sentence of %q is %q, want %q", c.doc, got, c.short)
		}
	}
}
