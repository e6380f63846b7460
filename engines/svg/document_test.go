package svg_test

import (
	"testing"

	"github.com/molerun/molerun/engines/svg"
)

func TestWordsDoNotBecomeMarks(t *testing.T) {
	var d svg.Document
	d.Begin(svg.Head{ID: "toy", Width: 10, Height: 20, Title: "<b>", Desc: "a & b", Style: "text{}", Defs: svg.Pattern("toy-1", "#fff", "<path/>")})
	d.Text(1, 2, "h", `"><script>`)
	const want = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" width="10" height="20" class="toy" role="img" aria-labelledby="toy-t toy-d">` +
		`<title id="toy-t">&lt;b&gt;</title><desc id="toy-d">a &amp; b</desc><style>text{}</style>` +
		`<defs><pattern id="toy-1" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#fff"/><path/></pattern></defs>` +
		`<rect width="10" height="20" fill="#fbfaf6"/><text x="1" y="2" class="h">&#34;&gt;&lt;script&gt;</text></svg>`
	if got := string(d.End()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
