package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

// anyName calls a game by its id.
func anyName(id string) string { return id }

// played is a match of the house against itself, at most so many steps, and its table after each.
func played(t *testing.T, id string, seats, steps int) (runner.Spec, []game.Table) {
	t.Helper()
	return playedWith(t, id, "", seats, steps)
}

func playedWith(t *testing.T, id, asked string, seats, steps int) (runner.Spec, []game.Table) {
	t.Helper()
	engine, _ := catalog.Find(id)
	config, err := engine.Configure([]byte(asked), seats)
	must.OK(t, err)
	spec := runner.Spec{Header: replay.Header{Config: config, Seats: make([]replay.Seat, seats)}, Engine: engine, Seed: game.Seed{3}}
	table, _, err := engine.New(config, seats, spec.Seed)
	must.OK(t, err)
	at := func() game.Table {
		twin, err := engine.Restore(table.Snapshot())
		must.OK(t, err)
		return twin
	}
	tables := []game.Table{at()}
	for table.Due() != 0 && table.Step() < steps {
		step := runner.Step{Step: table.Step() + 1}
		var turns []game.Turn
		for seat := range table.Due().Each() {
			turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			step.Turns = append(step.Turns, runner.Decision{Turn: replay.Turn{Seat: seat, Action: table.House(seat), By: replay.ByBot}})
		}
		_, err := table.Apply(turns)
		must.OK(t, err)
		spec.Recorded, tables = append(spec.Recorded, step), append(tables, at())
	}
	rehash(t, spec)
	return spec, tables
}

// rehash gives each recorded step the hash that its decisions make.
func rehash(t *testing.T, spec runner.Spec) {
	t.Helper()
	hashes, err := runner.Hashes(spec)
	must.OK(t, err)
	for i, hash := range hashes {
		spec.Recorded[i].Hash = hash
	}
}

func TestEveryFrameIsWhatTheSeatSawThen(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	for id, seats := range map[string]int{"cia": 3, "demol": 5, "mole": 2, "molehill": 2, "molemajority": 2} {
		spec, tables := played(t, id, seats, 30)
		played, err := pages.NewReplay(spec)
		must.OK(t, err)
		if played.Last() != len(tables)-1 {
			t.Fatalf("%s: got %d steps, want %d", id, played.Last(), len(tables)-1)
		}
		for seat := int(game.Everything); seat < seats; seat++ {
			for _, from := range []int{0, 5, 8, played.Last()} {
				frames, err := site.Frames(played, pages.Look{Seat: seat}, from, 10)
				must.OK(t, err)
				for i, f := range frames {
					want, err := tables[from+i].Draw(game.Seat(seat), nil)
					must.OK(t, err)
					if f.Step != from+i || f.SVG != string(want) {
						t.Errorf("%s, seat %d, step %d: not the drawing of that seat then", id, seat, from+i)
					}
					if len(f.Turns) != 0 {
						t.Errorf("%s: decisions are shown before the end", id)
					}
				}
			}
		}
		if _, err := site.Frames(played, pages.Look{Seat: -1}, played.Last()+1, 1); err == nil {
			t.Errorf("%s: a step after the last is no error", id)
		}
	}
}

func TestASpectatorIsToldNoEventOfASeat(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	spec, _ := played(t, "demol", 5, 1)
	played, err := pages.NewReplay(spec)
	must.OK(t, err)
	told := map[bool]int{} // of its role
	for seat := -1; seat < 5; seat++ {
		frames, err := site.Frames(played, pages.Look{Seat: seat}, 0, 1)
		must.OK(t, err)
		for _, e := range frames[0].Events {
			if strings.HasPrefix(e, "You are ") {
				told[seat >= 0]++
			}
		}
	}
	if told[false] != 0 || told[true] != 5 {
		t.Errorf("got roles told to spectators %d, to seats %d times, want 0 and 5", told[false], told[true])
	}
}

// The coins of the viewer end where the engine draws them.
func TestAFlickEndsWhereTheCoinsAreDrawn(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	spec, tables := played(t, "mole", 2, 30)
	played, err := pages.NewReplay(spec)
	must.OK(t, err)
	frames, err := site.Frames(played, pages.Look{Seat: -1, Open: true}, 0, 31)
	must.OK(t, err)
	met, moved := 0, 0
	for i, f := range frames {
		if f.Flick == nil {
			continue
		}
		var v struct {
			Coins []struct {
				ID    string `json:"id"`
				X     int64  `json:"x_um"`
				Y     int64  `json:"y_um"`
				Alive bool   `json:"alive"`
			} `json:"coins"`
		}
		must.OK(t, json.Unmarshal(tables[i].View(game.Spectator), &v))
		for k, c := range f.Flick.Coins {
			var end [2]float64
			for _, m := range f.Flick.Moves {
				if m.Coin == k {
					end = m.To
				}
			}
			moved++
			if strings.Contains(f.SVG, fmt.Sprintf(`transform="translate(%.1f %.1f)"><ellipse cx="3" cy="5" rx="%.1f"`, end[0], end[1], c.R)) {
				met++
			}
			if math.IsNaN(end[0]) || f.Flick.Lasts <= 0 {
				t.Errorf("step %d: a flick of %v ms to %v", i, f.Flick.Lasts, end)
			}
		}
	}
	if moved < 5 || met*2 < moved {
		t.Errorf("%d of %d coins end where they are drawn; only those that die or begin again may not", met, moved)
	}
}

// What happened is what the games say of it: no event and no decision is shown as JSON.
func TestEventsAndDecisionsAreToldInWords(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	for id, want := range map[string][]string{
		"cia":          {"Seat 0 rolls ", "</strong> moves "},
		"demol":        {"The roles are dealt; seat ", "Rejected: the team of ", "</strong> approves the team", "</strong> proposes seats "},
		"mole":         {"The mignettes are placed in the nichee", "The mole is flicked ", "</strong> flicks m"},
		"molehill":     {"A round begins: seat ", "</strong> lays a rod between "},
		"molemajority": {"The board begins with 7 hexes ", "</strong> places its Home Base on hex "},
	} {
		seats := 2 + 3*strings.Count(id, "demol")
		spec, _ := played(t, id, seats, 20)
		played, err := pages.NewReplay(spec)
		must.OK(t, err)
		html := ""
		for seat := -1; seat < seats; seat++ {
			frames, err := site.Frames(played, pages.Look{Seat: seat, Open: true}, 0, 21)
			must.OK(t, err)
			for _, f := range frames {
				html += f.HTML
				for _, e := range f.Events {
					if !strings.HasSuffix(e, ".") || strings.ContainsAny(e, `{}_`) {
						t.Errorf("%s: %q is no sentence", id, e)
					}
				}
			}
		}
		for _, w := range want {
			must.Say(t, html, w)
		}
		if action := `<code>{&#34;type&#34;:`; !strings.Contains(html, action) {
			t.Errorf("%s: no decision is there as it was sent", id)
		}
	}
}

func TestEventsWithoutWordsAreListed(t *testing.T) {
	for _, row := range []struct{ event, want string }{
		{`{"kind":"open_vote","seat":2,"votes":{"0":true}}`, `open vote: seat 2, votes {"0":true}`},
		{`{"kind":"out"}`, "out"},
		{`{"kind":"say","seat":1,"text":"<b>no</b>"}`, "say: seat 1, text <b>no</b>"}, // templates escape
		{`{"kind":"x","long":"` + strings.Repeat("é", 200) + `"}`, "x: long " + strings.Repeat("é", 120) + "…"},
		{`[]`, "event"},
		{``, "event"},
	} {
		if got := pages.Sentence(game.Event{Data: json.RawMessage(row.event)}); got != row.want {
			t.Errorf("%s: got %q, want %q", row.event, got, row.want)
		}
	}
}

func TestWordsOfBotsCannotBecomeMarkup(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	spec, _ := played(t, "demol", 5, 3)
	spec.Recorded[0].Turns[0].Say = `<img src=x onerror=alert(1)>`
	rehash(t, spec)
	played, err := pages.NewReplay(spec)
	must.OK(t, err)
	frames, err := site.Frames(played, pages.Look{Seat: -1, Open: true}, 1, 1)
	must.OK(t, err)
	if html := frames[0].HTML; strings.Contains(html, "<img") || strings.Count(html, "&lt;img src=x") != 2 {
		t.Errorf("got %s, want the words escaped, as event and in the decision", html)
	}
	names := slices.Repeat([]string{`"><img src=x>`}, 5)
	m := pages.Match{ID: "01", Open: true, Viewer: played.Watch(pages.Look{Seat: 2, Open: true, Names: names}, 1, 10)}
	m.Viewer.Sides, m.Viewer.Moves[2].Key = nil, "a key moment"
	page, err := site.Page("match", m)
	must.OK(t, err)
	must.Say(t, string(page),
		`<li><a href="/matches/01?step=1&amp;seat=2#viewer" data-step="1" aria-current="step"><span class="n">1</span> &#34;&gt;&lt;img src=x&gt; `,
		`<li><a href="/matches/01?step=2&amp;seat=2#viewer" data-step="2" class="key"><span class="n">2</span> `,
	)
	must.Say(t, string(page), "not", "<img src=x")
}

// Who stands at the top of a ladder is told by how: ranked, not ranked yet, or not any more.
func TestTheTopOfALadderIsToldByHowItIsRanked(t *testing.T) {
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	top := pages.LadderTop{Best: "fox", BestID: "b1", Rating: "1640.0", Bots: 4}
	for want, change := range map[string]func(*pages.LadderTop){
		`<a href="/bots/b1">fox</a> leads 4 bots with a rating of <strong`:                          func(x *pages.LadderTop) { x.Ranked = true },
		`Nobody is ranked yet; <a href="/bots/b1">fox</a> has the best provisional rating, <strong`: func(*pages.LadderTop) {},
		`Nobody is ranked now; <a href="/bots/b1">fox</a> was rated <strong`:                        func(x *pages.LadderTop) { x.Past = true },
		"Nobody is rated yet": func(x *pages.LadderTop) { *x = pages.LadderTop{} },
	} {
		card := pages.GameCard{GameID: "cia", Game: "CIA", LadderTop: top}
		change(&card.LadderTop)
		page, err := site.Page("ladders", pages.List[pages.GameCard]{Rows: []pages.GameCard{card}})
		must.OK(t, err)
		must.Say(t, string(page), want)
	}
}

// counts finds a number in a template before things that are always named in the plural. A match has two seats or more.
var counts = regexp.MustCompile(`\{\{(?:len )?[.\w]+\}\} (?:rated )?(?:bots|matches|games|tournaments|entries|steps|faults|results|rounds|points|times)\b`)

func TestTemplatesCountOneThingInTheSingular(t *testing.T) {
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d templates (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.OK(t, err)
		for _, found := range counts.FindAllString(string(text), -1) {
			if found != "{{.Seats}} bots" && !bytes.Contains(text, []byte("{{else}}"+found+"{{end}}")) {
				t.Errorf("%s says %q, also of one; want plural", file, found)
			}
		}
	}
}

// A wall that cannot scroll shows one part after the other, each line once, and says which.
func TestAWallTurnsToEveryPart(t *testing.T) {
	seen := map[string]int{}
	for turn := range 4 {
		x := pages.Tournament{Standings: make([]pages.Standing, 40), Now: &pages.Round{Tables: make([]pages.Table, 9)}}
		for i := range x.Standings {
			x.Standings[i].Bot = strconv.Itoa(i)
		}
		x.Turn(turn, 16, 9)
		if want := []string{"1–16 of 40", "17–32 of 40", "33–40 of 40", "1–16 of 40"}[turn]; x.Lines != want || x.Seen != "" || len(x.Wall.Tables) != 9 {
			t.Errorf("turn %d: got %q and %q, want %q and all tables", turn, x.Lines, x.Seen, want)
		}
		if turn < 3 {
			for _, l := range x.Standings {
				seen[l.Bot]++
			}
		}
	}
	if len(seen) != 40 {
		t.Errorf("three turns show %d of 40 lines", len(seen))
	}
}
