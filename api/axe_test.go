package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/tournament"
)

// pageType names a page that represents all of its kind.
type pageType struct{ name, path string }

// pageTypes are one page of every type: who adds a type of page adds a row.
func (g *gallery) pageTypes() []pageType {
	m := g.done["demol"]
	list := []pageType{
		{"home", "/"},
		{"games", "/games"},
		{"game", "/games/demol"},
		{"tournaments", "/tournaments"},
		{"matches", "/matches?game=demol"},
		{"bots", "/bots?q=no-such-bot"},
		{"schedules", "/schedules"},
		{"ladders", "/ladders"},
		{"all series", "/series"},
		{"series", "/series/" + g.league.ID},
		{"open tournament", "/tournaments/" + g.open.ID},
		{"bots found", "/bots"},
		{"API", "/api"},
		{"ladder", "/ladders/demol"},
		{"calibration", "/ladders/demol/calibration"},
		{"bot", "/bots/" + m.Seats[0].BotID},
		{"tournament", "/tournaments/" + m.TournamentID},
		{"bracket", "/tournaments/" + g.bracket.TournamentID},
		{"guides", "/guides"},
		{"guide", "/guides/organise"},
		{"guide with a diagram", "/guides/contribute"},
		{"rules", "/rules/mole"},
		{"running match", "/matches/" + g.live["demol"].ID},
		{"match in a frame", "/embed/matches/" + m.ID},
		{"cards of agents", "/cards"},
		{"card of an agent", "/cards/" + g.card(tournament.CardChecked)},
		{"match that waits for its review", "/matches/" + g.bracket.ID}, // that of De Mol has one
	}
	for _, id := range slices.Sorted(maps.Keys(g.done)) {
		list = append(list, pageType{"match of " + id, "/matches/" + g.done[id].ID})
	}
	return list
}

// audits looks at a page of every type with its script and, at night, without, and measures it; and it looks at planted pages with much or
// nothing on them.
func (g *gallery) audits(b *browsertest.Browser, planted map[string][]byte) {
	g.finds(b)
	look := func(p pageType, scripted bool, on []browsertest.Look) {
		b.Scripts(scripted)
		b.Open(p.path)
		b.Scripts(true) // a page that was read without its script stays so; axe runs in it all the same
		b.Audits(fmt.Sprintf("%s (%s), script %v", p.name, p.path, scripted), on)
	}
	for i, p := range g.pageTypes() {
		looks := browsertest.Looks(2)
		if len(looks) == 2 { // by day one after the other, a phone and a dark desktop in turn
			looks = looks[i%2:][:1]
		}
		look(p, true, looks)
		weighs(b, p.path)
		g.fits(b, p)
		if without := browsertest.Looks(0); len(without) > 0 {
			look(p, false, without)
		}
	}
	b.Open("/nowhere")
	g.fits(b, pageType{"problem", "/nowhere"})
	b.Forgive() // the page of a problem is an error to the browser
	for _, path := range slices.Sorted(maps.Keys(planted)) {
		look(pageType{name: "planted", path: path}, true, browsertest.Looks(1))
	}
}

// weighs holds the first view of the page, as it comes over the line, against its bound.
func weighs(b *browsertest.Browser, where string) {
	b.T.Helper()
	var page, all int
	b.Eval(`performance.getEntriesByType("navigation")[0].encodedBodySize`, &page)
	b.Eval(`performance.getEntries().reduce((n, e) => n + (e.initiatorType !== "fetch" && e.encodedBodySize || 0), 0)`, &all)
	b.T.Logf("%s: %d bytes, with style, script and drawing %d", where, page, all)
	if page < 1000 || all < page || all > 50_000 {
		b.T.Errorf("%s: the first view is %d bytes, %d of them the page; want at most 50 000", where, all, page)
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

// finds checks that the audits and the measures see what is planted.
func (g *gallery) finds(b *browsertest.Browser) {
	b.T.Helper()
	b.Open("/planted/faults")
	b.Screen(360, 900, "light")
	found := strings.Join(b.Audit(), "\n")
	for _, want := range []string{
		"color-contrast (serious) at .pale", "label (critical) at input", "landmark-unique (moderate)", "scrollable-region-focusable (serious)",
		"wider than the screen: 3", "contrast 1.", "focus is not seen: <a href=\"/a\"", "table without heads",
	} {
		if !strings.Contains(found, want) {
			b.T.Errorf("a planted fault is not seen: %s; found:\n%s", want, found)
		}
	}
	b.Open("/planted/small")
	if got := g.sizes(b, pageType{"planted", "/planted/small"}); len(got) != 4 {
		b.T.Errorf("of a link too low, a column askew, a page too high and one too wide it says %q", got)
	}
}
