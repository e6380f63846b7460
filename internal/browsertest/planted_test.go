package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/browsertest"
)

// planted is a page without a fault, as the audit sees it.
const planted = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Planted</title><link rel="icon" href="data:,">
<style>:focus-visible{outline:3px solid blue}.box{overflow:auto;width:200px}.long{width:600px}</style></head><body>
<a href="#content">Skip</a><header>Top</header><nav aria-label="Site"><a href="/">Home</a></nav>
<main id="content"><h1>One</h1><section aria-labelledby="two"><h2 id="two">Two</h2>
<label for="pick">Pick</label> <select id="pick"><option>a</option></select> <button type="button">Press</button> <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="nothing">
<table><thead><tr><th scope="col">Head</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>
<div class="box" tabindex="0" role="group" aria-label="Box"><div class="long">long</div></div>
<details><summary>More</summary><a href="/more">Folded away</a></details>
<p>Words</p></section></main><footer>End</footer></body></html>`

// Every audit of a page is held against a page with that fault alone: an audit that sees nothing is worth nothing.
func TestEachAuditSeesItsFault(t *testing.T) {
	rows := []struct{ fault, from, to, want string }{
		{"a button without a name", "Press", "", "button-name"},
		{"a link without a name", ">Home<", "><", "link-name"},
		{"a field without a label", `<label for="pick">Pick</label>`, "", "select-name"},
		{"an input without a label", "<label", `<input name="q"><label`, "label"},
		{"a picture without a text", ` alt="nothing"`, "", "image-alt"},
		{"a section labelled by nothing", `aria-labelledby="two"`, `aria-labelledby="three"`, "labelled by nothing"},
		{"one id twice", "<p>", `<p id="two">`, "id twice"},
		{"a focus order of its own", `<button type="button"`, `<button type="button" tabindex="3"`, "tabindex"},
		{"no way past the navigation", `<a href="#content">Skip</a>`, "", "the first stop"},
		{"a way to somewhere else", `"#content"`, `"#two"`, "the first stop"},
		{"no header", "<header>Top</header>", "", "no landmark header"},
		{"no footer", "<footer>End</footer>", "", "no landmark footer"},
		{"a navigation without a name", `<nav aria-label="Site">`, "<nav>", "no landmark nav"},
		{"no first heading", `<h1>One</h1><section aria-labelledby="two"><h2 id="two">Two</h2>`, `<section aria-label="Two">`, "not one h1"},
		{"two first headings", "<h1>One</h1>", "<h1>One</h1><h1>Two</h1>", "not one h1"},
		{"no language", ` lang="en"`, "", "html-has-lang"},
		{"no title", "Planted", "", "document-title"},
		{"a heading left out", `<h2 id="two">Two</h2>`, `<h3 id="two">Two</h3>`, "heading-order"},
		{"a table without heads", `<th scope="col">Head</th>`, "<td>Head</td>", "table without heads"},
		{"a page wider than the screen", "<p>", `<p style="width:2000px">`, "wider than the screen"},
		{"grey on white", "<p>", `<p style="color:#999">`, "color-contrast"},
		{"white on its own ground", "<p>", `<p style="color:#fff;background:#aaa">`, "color-contrast"},
		{"pale before a gradient", "<p>", `<p style="color:#bbb;background:linear-gradient(#fff,#eee)">`, "contrast 1."},
		{"a focus that is not seen", ":focus-visible{outline:3px solid blue}", ":focus-visible{outline:none}", "focus is not seen"},
		{"a box that keys cannot scroll", ` tabindex="0"`, "", "scrolls, but not by keys"},
		{"a low box that keys cannot scroll", "<p>Words</p>", `<div style="height:3rem;overflow:auto"><p>One.</p><p>Two.</p><p>Three.</p><p>Four.</p></div>`, "scrollable-region-focusable"},
		{"a box that is a landmark like its section", `role="group" aria-label="Box"`, `role="region" aria-label="Two"`, "landmark-unique"},
		{"a box without a name", ` aria-label="Box"`, "", "scrolls, but not by keys"},
	}
	page := planted
	top, end, _ := strings.Cut(planted, "<label")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/slow" {
			_, _ = w.Write([]byte(top))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(300 * time.Millisecond) // a fault shows within this time
			page = "<label" + end
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	b := browsertest.New(t, server.URL)
	b.Screen(800, 600, "light")
	look := func() []string {
		b.Open("/")
		return b.Audit()
	}
	if wrong := look(); len(wrong) != 0 {
		t.Fatalf("a page without a fault: %q", wrong)
	}
	for _, row := range rows {
		page = strings.Replace(planted, row.from, row.to, 1)
		wrong := look()
		if !slices.ContainsFunc(wrong, func(w string) bool { return strings.HasPrefix(w, row.want) }) {
			t.Errorf("%s: got %q, want %q among them", row.fault, wrong, row.want)
		}
	}

	// What a test waits for may stand at the top of a page whose end is still on its way.
	b.Eval(fmt.Sprintf("location.href = %q", server.URL+"/slow"), nil)
	b.Until(`document.body.innerText.includes("Two")`)
	var there bool
	if b.Eval(`document.getElementById("pick") !== null`, &there); !there {
		t.Error("the heading is there before the field")
	}
}
