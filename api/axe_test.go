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
		{"rules", "/rules/demol"},
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
	b.Open("/planted/small")
	if got := g.sizes(b, pageType{"planted", "/planted/small"}); len(got) != 4 {
		b.T.Errorf("of a link too low, a column askew, a page too high and one too wide it says %q", got)
	}
	for _, p := range g.pageTypes() {
		b.Open(p.path)
		b.AuditsInTurn(p.name + " (" + p.path + ")")
		weighs(b, p.path)
		g.fits(b, p)
		if without := browsertest.Looks(0); len(without) > 0 {
			b.Scripts(false)
			b.Open(p.path)
			b.Scripts(true) // a page that was read without its script stays so; axe runs in it all the same
			b.Audits(p.name+" ("+p.path+") without its script", without)
		}
	}
	b.Open("/nowhere")
	g.fits(b, pageType{"problem", "/nowhere"})
	b.Forgive() // the page of a problem is an error to the browser
	for _, path := range slices.Sorted(maps.Keys(planted)) {
		b.Open(path)
		b.Audits(path, browsertest.Looks(1))
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

// mostHigh is the height of a page on a phone, in CSS pixels, of all but texts to be read.
const mostHigh = 5000

// small lists the links and controls that are seen and lower than a thumb needs. A link that runs over two lines is as high as its highest.
const small = `[...document.querySelectorAll("a[href], button, select, summary, input:not([type=hidden])")]
	.filter((e) => e.getClientRects().length && e.checkVisibility({ visibilityProperty: true }) && !e.closest("svg, .skip") &&
		Math.max(...[...e.getClientRects()].map((r) => r.height)) < 23.5)
	.map((e) => Math.round(e.getBoundingClientRect().height) + " px: " + e.outerHTML.slice(0, 120))`

// crooked gives each row of a table the longest name, and lists the figures that it pushes off a phone's screen or that stand higher than it.
const crooked = `[...document.querySelectorAll(".standings, .groups table, table.stacked")].filter((e) => e.checkVisibility()).flatMap((table) => [...table.tBodies[0].rows].flatMap((row) => {
	const name = row.querySelector("th[scope=row] > a"), at = (e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); };
	if (!name) return [];
	const level = row.querySelector("td.n"), off = level && getComputedStyle(row).display === "table-row" ? Math.abs(at(level).top - at(name).top) : 0;
	name.textContent = "W".repeat(32);
	const strong = row.querySelector("td strong") ?? row.cells[row.cells.length - 1];
	return [off > 2 && "a name stands " + off + " px lower than its figure", at(strong).right > innerWidth && "a long name pushes figures to " + Math.round(at(strong).right)].filter(Boolean);
}))`

// askew lists the heads of columns that do not stand as the cells below them do.
const askew = `[...document.querySelectorAll("thead th")].filter((th) => {
	const cell = th.closest("table").tBodies[0]?.rows[0]?.cells[th.cellIndex], at = (e) => getComputedStyle(e).textAlign.replace("start", "left");
	return cell?.checkVisibility() && th.checkVisibility() && th.closest("thead").offsetWidth > 1 && at(cell) !== at(th);
}).map((th) => "does not stand as its cells: " + th.outerHTML)`

// screens are the screens of the sizes.
var screens = []struct{ wide, high int64 }{{390, 844}, {1440, 900}}

// fits measures the page that is open on a phone and on a desk.
func (g *gallery) fits(b *browsertest.Browser, p pageType) {
	b.T.Helper()
	for _, wrong := range g.sizes(b, p) {
		b.T.Errorf("%s (%s): %s", p.name, p.path, wrong)
	}
}

// smallPage has a fault of each kind.
const smallPage = `<!doctype html><html lang="en"><head><title>Small</title><link rel="icon" href="data:,"></head><body><main>
<p><a href="/" style="font-size:8px">low</a></p><div style="height:6000px;width:1px"></div><div style="width:1500px">wide</div>
<table><thead><tr><th style="text-align:left">left</th></tr></thead><tbody><tr><td style="text-align:right">1</td></tr></tbody></table></main></body></html>`

// sizes returns what is wrong with the measures of the page that is open, whose names it makes long.
func (g *gallery) sizes(b *browsertest.Browser, p pageType) []string {
	b.T.Helper()
	var wrong []string
	add := func(s string) {
		if !slices.Contains(wrong, s) {
			wrong = append(wrong, s)
		}
	}
	for _, on := range screens {
		b.Screen(on.wide, on.high, "light")
		var low, left []string
		b.Eval(small, &low)
		b.Eval(askew, &left)
		for _, s := range append(low, left...) {
			add(s)
		}
		var high, wide int64
		b.Eval(`document.documentElement.scrollHeight`, &high)
		b.Eval(`document.documentElement.scrollWidth`, &wide)
		if on.wide < 400 {
			var bad []string
			b.Eval(crooked, &bad)
			wrong = append(wrong, bad...)
		}
		text := strings.HasPrefix(p.path, "/rules/") || strings.HasPrefix(p.path, "/guides/")
		if on.wide < 400 && high > mostHigh && !text {
			add(fmt.Sprintf("%d px high on a phone", high))
		}
		if wide > on.wide {
			add("wider than the screen")
		}
	}
	return wrong
}

// answers asks pages what strangers ask, where they see the answer.
func (g *gallery) answers(b *browsertest.Browser) {
	b.T.Helper()
	cup := "/tournaments/" + g.open.ID
	for _, on := range screens {
		b.Screen(on.wide, on.high, "light")
		at := ""
		for _, x := range []struct{ question, path, element, says string }{
			{"what is at stake in the match on the first page", "/", ".featured", "At stake: Round"},
			{"when does the next event start", "/", "section[aria-labelledby=next]", "Open Cup starts in 1 h"},
			{"how do I enter it", "/", "section[aria-labelledby=next] .step", "Enter"},
			{"how do I play", "/", ".plays", "De Mol"},
			{"what is at stake in an event", cup, ".facts", "At stake"},
			{"what is there to win", cup, ".facts", "Prizes"},
			{"when does it start", cup, ".countdown", "Starts in 1 h"},
			{"may I enter", cup, ".facts", "0 of 8 places taken"},
			{"how do I enter", cup, ".enter", "molerun bot enter BOT " + g.open.ID},
			{"how is it played", cup, ".facts", "Round robin of at most"},
			{"what is the match part of", "/matches/" + g.bracket.ID, ".match-news", "part of Knockout Cup, semi-final"},
		} {
			if x.path != at {
				at = x.path
				b.Open(at)
				b.Until(`document.querySelector("time[datetime]") && !document.querySelector("time[datetime]").textContent.includes("UTC")`)
			}
			said := ""
			b.Eval(fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, x.element), &said)
			if !strings.Contains(strings.Join(strings.Fields(said), " "), x.says) {
				b.T.Errorf("%d × %d, %s: %s says %q, want %q in it", on.wide, on.high, x.question, x.element, said, x.says)
			}
			var top float64
			if b.Eval(fmt.Sprintf(`document.querySelector(%q)?.getBoundingClientRect().top ?? 1e6`, x.element), &top); top > float64(on.high) {
				b.T.Errorf("%d × %d, %s: the answer is %.0f px down, below the fold", on.wide, on.high, x.question, top)
			}
		}
	}
	b.Clean("the answers")
}
