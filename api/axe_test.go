package api_test

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axeFile is axe-core, which make setup installs.
const axeFile = "testdata/axe/node_modules/axe-core/axe.min.js"

// runAxe lists what axe-core finds, of any level, in what is shown. It does not look for targets too small for a thumb
// unless asked.
const runAxe = `axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then((r) =>
	r.violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + ") at " + n.target + ": " + n.html.slice(0, 120))))`

// audit lists what axe-core does not look at: the width of the page, focus that is seen, the first stop, headings of tables,
// contrast before a gradient.
//
//go:embed testdata/audit.js
var audit string

// screen is a window's width in CSS pixels and the colours that its owner prefers.
type screen struct {
	width int64
	light string
}

// screens are what a page of every type is looked at on.
var screens = []screen{{1440, "light"}, {1440, "dark"}, {768, "dark"}, {768, "light"}, {360, "light"}, {360, "dark"}}

// pageType is a page that stands for all of its kind.
type pageType struct{ name, path string }

// pageTypes are one page of every type: who adds a type of page adds a row.
func (g *gallery) pageTypes() []pageType {
	m := g.done["demol"]
	list := []pageType{
		{"home", "/"},
		{"ladder", "/ladders/demol"},
		{"calibration", "/ladders/demol/calibration"},
		{"bot", "/bots/" + m.Seats[0].BotID},
		{"tournament", "/tournaments/" + m.TournamentID},
		{"bracket", "/tournaments/" + g.bracket.TournamentID},
		{"running match", "/matches/" + g.live["demol"].ID},
	}
	for _, id := range slices.Sorted(maps.Keys(g.done)) {
		list = append(list, pageType{"match of " + id, "/matches/" + g.done[id].ID})
	}
	return list
}

// audits looks at a page of every type on every screen, with its script and without, and at planted pages with much or
// nothing on them on two screens. It reports a fault once, with the first screen that shows it.
func (g *gallery) audits(t *testing.T, b *browser, planted map[string][]byte) {
	axe := readAxe(t)
	b.finds(axe)
	look := func(p pageType, scripted bool, on []screen) {
		where := fmt.Sprintf("%s (%s), script %v", p.name, p.path, scripted)
		// A page that was read without its script stays so; axe runs in it all the same.
		b.run(emulation.SetScriptExecutionDisabled(!scripted), chromedp.Navigate(b.base+p.path), emulation.SetScriptExecutionDisabled(false))
		b.eval(axe, nil)
		seen := map[string]bool{}
		for _, s := range on {
			b.screen(s.width, s.light)
			for _, x := range b.violations() {
				if !seen[x] {
					t.Errorf("%s at %d, %s: %s", where, s.width, s.light, x)
				}
				seen[x] = true
			}
		}
		b.clean(where)
	}
	for _, p := range g.pageTypes() {
		look(p, true, screens)
		b.weighs(p.path)
		look(p, false, screens)
	}
	for _, path := range slices.Sorted(maps.Keys(planted)) {
		look(pageType{name: "planted", path: path}, true, []screen{{360, "light"}, {1440, "dark"}})
	}
}

func readAxe(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		t.Fatalf("make setup installs axe-core: %v", err)
	}
	return string(axe)
}

// screen sets the width and the colours. Nothing moves, so that no colour is on its way to another.
func (b *browser) screen(width int64, light string) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: light}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}))
}

// violations is what axe-core, which the page holds, and our audit find.
func (b *browser) violations() []string {
	b.t.Helper()
	var found, ours []string
	b.run(chromedp.Evaluate(runAxe, &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	b.eval(audit, &ours)
	return append(found, ours...)
}

// weighs holds the first view of the page against its bound.
func (b *browser) weighs(where string) {
	b.t.Helper()
	var page, all int
	b.eval(`performance.getEntriesByType("navigation")[0].decodedBodySize`, &page)
	b.eval(`performance.getEntries().reduce((n, e) => n + (e.initiatorType !== "fetch" && e.decodedBodySize || 0), 0)`, &all)
	b.t.Logf("%s: %d bytes, with style, script and drawing %d", where, page, all)
	if page < 1000 || all < page || all > 100_000 {
		b.t.Errorf("%s: the first view is %d bytes, %d of them the page; want at most 100 000", where, all, page)
	}
}

// faultyPage has a fault of each kind that the audits are there for.
const faultyPage = `<!doctype html><html lang="en"><head><title>Faults</title><link rel="icon" href="data:,"><style>
.pale{color:#aaa;background:#fff}.painted{background:linear-gradient(#fff,#eee)}.painted b{color:#bbb}.low{height:3rem;overflow:auto}.far{width:3000px}
a:focus-visible{outline:none}</style></head><body>
<a href="#content">Skip</a><header>Top</header><nav aria-label="Twin"><a href="/a">one</a></nav><nav aria-label="Twin"><a href="/b">two</a></nav>
<main id="content"><h1>Faults</h1><p class="pale">Pale words.</p><p class="painted"><b>Pale words before a gradient.</b></p>
<form><input name="q"></form><div class="low"><p>One.</p><p>Two.</p><p>Three.</p><p>Four.</p></div><p class="far">Wide.</p>
<table><tr><td>1</td></tr></table></main><footer>End</footer></body></html>`

// finds checks that both audits see what is planted.
func (b *browser) finds(axe string) {
	b.t.Helper()
	b.open("/planted/faults")
	b.eval(axe, nil)
	b.screen(360, "light")
	found := strings.Join(b.violations(), "\n")
	for _, want := range []string{
		"color-contrast (serious) at .pale", "label (critical) at input", "landmark-unique (moderate)", "scrollable-region-focusable (serious)",
		"wider than the screen: 3", "contrast 1.", "focus is not seen: <a href=\"/a\"", "table without heads",
	} {
		if !strings.Contains(found, want) {
			b.t.Errorf("a planted fault is not seen: %s; found:\n%s", want, found)
		}
	}
}
