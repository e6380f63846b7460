package svg_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/svg"
)

func TestWordsDoNotBecomeMarks(t *testing.T) {
	var d svg.Document
	d.Begin(svg.Head{
		ID:     "toy",
		Width:  10,
		Height: 20,
		Title:  "<b>",
		Desc:   "a & b",
		Style:  "\n.x{}",
		Dark:   "\n.y{}",
		Defs:   `<marker id="toy-1"/>`,
	})
	d.Text(1, 2, "h", `"><script>`)
	d.BeginPiece(`"`, 3, 4)
	d.BeginTarget("a<b")
	d.Tooltip("c<d")
	d.EndGroup()
	d.EndGroup()
	got := string(d.End())
	for _, want := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" width="10" height="20" class="toy" role="img" aria-labelledby="toy-t toy-d">`,
		`<title id="toy-t">&lt;b&gt;</title><desc id="toy-d">a &amp; b</desc><style>`,
		"\n.toy .x{}",
		"\n.toy .y{}}</style>",
		`<defs><marker id="toy-1"/></defs>`,
		`<rect width="10" height="20" class="paper"/><text x="1" y="2" class="h">&#34;&gt;&lt;script&gt;</text>`,
		`<g data-piece="&#34;" transform="translate(3 4)"><g data-at="a&lt;b"><title>c&lt;d</title></g></g></svg>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got  %s\nwant %s in it", got, want)
		}
	}
}

func TestNamesAreCutToTheirRoom(t *testing.T) {
	for _, row := range []struct {
		words string
		width int
		want  string
	}{
		{"badger", 100, "badger"},
		{"badger-the-first", 100, "badge…"},
		{"greedy-shrew", 161, "greedy-shrew"},
		{strings.Repeat("W", 40), 100, "WWW…"},
		{strings.Repeat("田", 40), 64, "田田…"},
		{"a b c", 40, "a…"},
		{"x", 1, "…"},
		{"", 1, ""},
	} {
		if got := svg.Fit(row.words, row.width, 20); got != row.want {
			t.Errorf("%q in %d units: got %q, want %q", row.words, row.width, got, row.want)
		}
	}
}

func TestASeatWithoutANameIsItsNumber(t *testing.T) {
	names := []string{"badger", ""}
	for seat, want := range map[int]string{-1: "seat -1", 0: "badger", 1: "seat 1", 2: "seat 2"} {
		if got := svg.Name(names, seat); got != want {
			t.Errorf("seat %d: got %q, want %q", seat, got, want)
		}
	}
}
