package guides_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/molerun/molerun/api/web/guides"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/internal/must"
)

func library(t *testing.T, files fs.FS) *guides.Library {
	t.Helper()
	l, err := guides.New(files)
	must.OK(t, err)
	return l
}

var (
	links = regexp.MustCompile(`<a href="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

func TestEveryLinkOfAGuideLeadsToAPlaceOnTheSite(t *testing.T) {
	l := library(t, docs.Files())
	places := map[string]bool{}
	count := 0
	for _, shelf := range l.Shelves {
		for _, g := range shelf.Guides {
			count++
			places[g.Path] = true
			for _, id := range ids.FindAllStringSubmatch(string(g.HTML), -1) {
				if places[g.Path+"#"+id[1]] {
					t.Errorf("%s has the place %s twice", g.Path, id[1])
				}
				places[g.Path+"#"+id[1]] = true
			}
		}
	}
	if count < 30 {
		t.Errorf("%d documents, want all guides, rules and decisions", count)
	}
	for _, shelf := range l.Shelves {
		for _, g := range shelf.Guides {
			for _, link := range links.FindAllStringSubmatch(string(g.HTML), -1) {
				to := link[1]
				if strings.HasPrefix(to, "#") {
					to = g.Path + to
				}
				if !places[to] && !strings.HasPrefix(to, "https://") {
					t.Errorf("%s links to %s, which is nowhere", g.Path, link[1])
				}
			}
			for _, h := range g.Contents {
				if !places[g.Path+"#"+h.ID] {
					t.Errorf("%s: its contents list %s, which is nowhere", g.Path, h.ID)
				}
			}
		}
	}
}

func TestADocumentAsAPage(t *testing.T) {
	l := library(t, fstest.MapFS{
		"0-start.md": {Data: []byte("# 0 Start\n\nReader: *all*,\nat once.\n\n## A `part`\n\n[next](1-on.md#so) [rules](rules/go.md) [code](../main.go) [away](https://a.example/?b&c)\n\n" +
			"<!-- a comment -->\n\n```mermaid\na --> b\n```\n\n|a|b|\n|-|-|\n|<b>|2|\n\n|code|\n|-|\n|`too_late`|\n\n[bad](javascript:alert(1)) <script>alert(1)</script>\n\n" +
			"<details><summary>More</summary>\n\nhere\n\n</details>\n\n<div onclick=x>\n")},
		"1-on.md":     {Data: []byte("# 1 On\n\n## So\n")},
		"rules/go.md": {Data: []byte("# Go\n")},
		"README.md":   {Data: []byte("# No guide\n")},
	})
	g, ok := l.At("/guides/start")
	if !ok || g.Title != "0 Start" || g.Reader != "all, at once." {
		t.Fatalf("got %+v, want the guide with its title and its reader", g)
	}
	if g.Previous != nil || g.Next == nil || g.Next.Path != "/guides/on" {
		t.Errorf("got %v and %v around it, want nothing and /guides/on", g.Previous, g.Next)
	}
	if len(g.Contents) != 1 || g.Contents[0] != (guides.Heading{ID: "a-part", Text: "A part", Level: 2}) {
		t.Errorf("got the contents %+v, want the one part", g.Contents)
	}
	for _, want := range []string{
		`<h2 id="a-part"><a href="#a-part">A <code>part</code></a></h2>`, `<a href="/guides/on#so">next</a>`, `<a href="/rules/go">rules</a> code`,
		`<a href="https://a.example/?b&amp;c">away</a>`, `<details><summary>The diagram as text</summary><pre tabindex="0" role="group" aria-label="Code"><code>a --&gt; b`,
		`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>`, `<th scope="col">a</th>`, `<tr id="too_late">`, "</table></div>",
		"<details><summary>More</summary>\n<p>here</p>\n</details>\n",
	} {
		if !strings.Contains(string(g.HTML), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, never := range []string{"<!--", "<script", "javascript:", "<b>", "main.go", "onclick"} {
		if strings.Contains(string(g.HTML), never) {
			t.Errorf("the page has %s:\n%s", never, g.HTML)
		}
	}
	for _, path := range []string{"/guides/0-start", "/guides/README", "/guides/", "/rules/start", ""} {
		if _, found := l.At(path); found {
			t.Errorf("there is a guide at %q", path)
		}
	}
}
