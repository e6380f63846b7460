package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// silentWhileLive are the routes that give nobody anything while a match runs, and why.
var silentWhileLive = map[string]string{
	"/v1/matches/:id/replay":    "the record is of matches that are over",
	"/v1/matches/:id/review":    "as the record",
	"/v1/matches/:id/decisions": "an owner reads them when the match is over",
	"/cards/:hash":              "a card is about no match of the platform",
	"/cards/:hash/badge.svg":    "as /cards/:hash",
	"/v1/cards/:hash":           "as /cards/:hash",
	"/play/:game":               "no guests play here: what a person's seat shows is held beside the record of real games, in cli/demo",
	"/seat":                     "as /play/:game",
	"/seat/board.svg":           "as /play/:game",
	"/login/callback":           "there is no login here, and its pages show no match",
	"/login/name":               "as /login/callback",
	"/login/once":               "nobody here has a link, and its page shows no match",
	"/class":                    "as /login/once",
	"/v1/class-links/:id":       "there is no class here, and it is about no match",
	"/me":                       "as /login/callback",

	"/me/events":                "as /login/callback",
	"/tournaments/:id/organise": "as /login/callback",
	"/schedules/:id/organise":   "as /login/callback",
	"/series/:id/organise":      "as /login/callback",
}

// isForm reports whether a route is a form, which is behind the login.
func isForm(route string) bool {
	return slices.ContainsFunc(api.Forms(), func(f api.Form) bool { return f.Path == route })
}

// idsOf are those of the i-th match.
func (x *twins) idsOf(i int) map[string]string {
	out := maps.Clone(x.ids)
	out["tournaments"] = x.cups[i].ID
	return out
}

// links are the places of this host that a page names.
var links = regexp.MustCompile(`="(/[^"]*)"`)

// crawl asks every GET route as everybody, with the things of every match that runs, and every step of it.
func (x *twins) crawl(t *testing.T) {
	h := hearing{x: x, t: t, bodies: map[string]string{}, asked: map[string]bool{}, pages: map[string]bool{}, urls: x.addresses(t)}
	answered := map[string]bool{}
	for i, m := range x.matches {
		ids, callers := x.idsOf(i), people()
		if i > 0 {
			callers = callers[:4] // nobody, two who play, one who does not in the games for two
		}
		for _, r := range x.worlds[0].api.Routes() {
			route, get := strings.CutPrefix(r, "GET ")
			if !get {
				continue
			}
			path := fill(route, m, ids)
			if h.asked[anon+" "+path] {
				continue // it is about no match
			}
			for _, who := range callers {
				answered[route] = h.ask(who, path) == 200 || answered[route]
				if strings.Contains(route, "/matches/:id") {
					h.ask(who, path+"?seat=0")
					h.ask(who, path+"?seat=-2") // everything
				}
			}
		}
		for _, path := range readable(m, realGames[i].steps) {
			h.ask(anon, path)
		}
	}
	for page := range h.pages {
		for _, link := range links.FindAllStringSubmatch(page, -1) {
			if at := strings.ReplaceAll(link[1], "&amp;", "&"); !h.asked[anon+" "+at] {
				h.ask(anon, at)
			}
		}
	}
	for _, r := range x.worlds[0].api.Routes() {
		if route, get := strings.CutPrefix(r, "GET "); get && answered[route] == (silentWhileLive[route] != "" || isForm(route)) {
			t.Errorf("GET %s: answered is %v, want it but for routes that are silent while a match runs: else the crawl is blind there", route, answered[route])
		}
	}
	h.nothingHidden()
	t.Logf("%d answers of each of two platforms, %d different bodies", len(h.asked), len(h.bodies))
}

// hearing gathers what was said.
type hearing struct {
	x      *twins
	t      *testing.T
	bodies map[string]string // and where each was said first
	asked  map[string]bool
	pages  map[string]bool
	urls   map[string]string // private addresses of bots, and whose they are
}

// ask asks both platforms once.
func (h *hearing) ask(who, path string) int {
	h.t.Helper()
	said, status, diff := h.x.same(who, "GET", path, nil)
	if diff != "" && !strings.HasPrefix(path, "/v1/admin/jobs") { // times of the queue's own clock
		h.t.Errorf("%s %s tells twins apart: %s", who, path, diff)
	}
	h.asked[who+" "+path] = true
	head, body, _ := strings.Cut(said, "\n")
	if h.bodies[body] == "" {
		h.bodies[body] = who + " " + path
	}
	h.bodies[head] = who + " " + path
	if strings.HasPrefix(body, "<!") {
		h.pages[body] = true
	}
	for url, of := range h.urls {
		if who != of && who != admin && strings.Contains(said, url) {
			h.t.Errorf("%s %s: shows where a bot of %s lives", who, path, of)
		}
	}
	for _, m := range h.x.matches {
		if m.Game == "demol" && strings.Contains(path, m.ID) {
			for _, s := range m.Seats {
				if strings.Contains(said, s.BotID) || strings.Contains(said, s.BotName+`"`) || strings.Contains(said, s.VersionID) {
					h.t.Errorf("%s %s: names %s of seat %d, in a game of hidden teams", who, path, s.BotName, s.Seat)
				}
			}
		}
	}
	return status
}

// addresses are where bots live, and their owners.
func (x *twins) addresses(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range x.matches {
		for _, s := range m.Seats {
			v, err := x.worlds[0].store.Version(t.Context(), s.VersionID)
			must.OK(t, err)
			for who, u := range x.worlds[0].users {
				if u.ID == s.OwnerID {
					out[v.URL+`"`] = who
				}
			}
		}
	}
	return out
}

// nothingHidden searches all that was said, the log and the metrics for texts that nobody may read.
func (h *hearing) nothingHidden() {
	h.t.Helper()
	for i, w := range h.x.worlds {
		families, err := w.reg.Gather()
		must.OK(h.t, err)
		h.bodies[w.log.String()], h.bodies[fmt.Sprint(families)] = fmt.Sprint("log ", i), fmt.Sprint("metrics ", i)
	}
	for body, where := range h.bodies {
		for what, text := range h.x.hidden {
			if strings.Contains(body, text) {
				h.t.Errorf("%s: shows the %s", where, what)
			}
		}
		if strings.Contains(body, "whsec_") && !strings.Contains(where, "/docs") && !strings.Contains(where, "/guides") && !strings.Contains(where, "/openapi.json") {
			h.t.Errorf("%s: shows a secret of a bot or a webhook", where)
		}
	}
}

// streams reads the events of every match and tournament, and all, as they are streamed.
func (x *twins) streams(t *testing.T) {
	paths := []string{"/v1/events"}
	for i, m := range x.matches {
		paths = append(paths, "/v1/matches/"+m.ID+"/events", "/v1/tournaments/"+x.cups[i].ID+"/events")
	}
	for _, path := range paths {
		for _, who := range []string{anon, owner, other} {
			var text [2]string
			for i, w := range x.worlds {
				text[i] = w.onceLive().all(who, path, w.get(who, path))
			}
			if diff := x.compare(text); diff != "" {
				t.Errorf("the stream %s as %s tells twins apart: %s", path, who, diff)
			}
			for what, hidden := range x.hidden {
				if strings.Contains(text[0]+text[1], hidden) {
					t.Errorf("the stream %s as %s shows the %s", path, who, what)
				}
			}
		}
	}
}

// made are texts that are new in every answer to a write.
var made = regexp.MustCompile(uuidText.String() + `|whsec_[A-Za-z0-9+/=]*|mr_[A-Za-z0-9]*|"id":"[A-Za-z0-9]{15}"|code=[A-Za-z0-9_-]*`)

// writes asks every other route as everybody who cannot end a match by it.
func (x *twins) writes(t *testing.T) {
	ends := []string{"/v1/matches/:id/void", "/v1/matches/:id/requeue", "/v1/tournaments/:id/cancel", "/v1/users/:id/disable"}
	n := 0
	for i, m := range x.matches {
		ids := x.idsOf(i)
		for _, r := range x.worlds[0].api.Routes() {
			method, route, _ := strings.Cut(r, " ")
			if method == "GET" || i > 0 && !strings.Contains(route, "/matches/") && !strings.Contains(route, "/tournaments/") {
				continue
			}
			for _, who := range people() {
				if slices.Contains(ends, route) && (who == organiser || who == admin) {
					continue
				}
				var text [2]string
				for i, w := range x.worlds {
					a := w.do(who, method, fill(route, m, ids), "{}")
					text[i] = made.ReplaceAllString(fmt.Sprint(a.status, string(a.body)), "")
				}
				n++
				if diff := x.compare(text); diff != "" {
					t.Errorf("%s %s as %s tells twins apart: %s", method, route, who, diff)
				}
				for what, hidden := range x.hidden {
					if strings.Contains(text[0]+text[1], hidden) {
						t.Errorf("%s %s as %s shows the %s", method, route, who, what)
					}
				}
			}
		}
	}
	for _, m := range x.matches {
		if got := x.worlds[0].matchOf(m.ID); got.Status != tournament.MatchRunning {
			t.Errorf("%s: the match is %s, want it running: else the writes were asked when all was open", m.Game, got.Status)
		}
	}
	t.Logf("%d writes", n)
}

// tools calls every tool of agents but wait, which keeps its caller, as everybody: about each match and every seat of it.
func (x *twins) tools(t *testing.T) {
	t.Helper()
	type args map[string]any
	answered, n := map[string]bool{}, 0
	call := func(who, tool string, with args) {
		said, _, diff := x.same(who, "POST", "/mcp", args{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": args{"name": tool, "arguments": with}})
		if diff != "" {
			t.Errorf("the tool %s %v as %s tells twins apart: %s", tool, with, who, diff)
		}
		for what, hidden := range x.hidden {
			if strings.Contains(said, hidden) {
				t.Errorf("the tool %s %v as %s shows the %s", tool, with, who, what)
			}
		}
		answered[tool] = answered[tool] || strings.Contains(said, `"text":`)
		n++
	}
	for _, who := range people() {
		for _, tool := range []string{"what_can_i_play", "results"} {
			call(who, tool, nil)
		}
		for i, m := range x.matches {
			call(who, "rules", args{"game": m.Game})
			for _, s := range m.Seats {
				turn := runner.DecisionID(m.ID, m.Steps, s.Seat)
				call(who, "look", args{"turn": turn})
				call(who, "look", args{"turn": turn, "json": true})
				call(who, "act", args{"turn": turn, "choose": 0, "say": "what is hidden?"})
			}
			for _, tool := range []string{"enter", "leave"} {
				call(who, tool, args{"event": x.cups[i].ID})
				call(who, tool, args{"ladder": m.Game})
			}
			call(who, "check_in", args{"event": x.cups[i].ID})
			call(who, "review", args{"match": m.ID})
		}
	}
	for _, tool := range []string{"what_can_i_play", "results", "rules", "look", "act", "enter", "check_in", "leave", "review"} {
		if !answered[tool] {
			t.Errorf("the tool %s answers nobody", tool)
		}
	}
	t.Logf("%d calls of tools", n)
}

// Where a leak is planted.
const (
	inView    = "the view"
	inWords   = "the view in words"
	inDrawing = "the drawing"
	inEvent   = "a public event"
)

// leaky is a game that shows a spectator one hidden thing.
type leaky struct {
	game.Engine
	where string
}

type leakyTable struct {
	game.Table
	of leaky
}

func (e leaky) New(c json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	t, events, err := e.Engine.New(c, seats, seed)
	return leakyTable{t, e}, events, err
}

func (e leaky) Restore(snapshot []byte) (game.Table, error) {
	t, err := e.Engine.Restore(snapshot)
	return leakyTable{t, e}, err
}

// secret is who is who, or the order of the cards, or in games without either the luck to come.
func (t leakyTable) secret() string {
	var state map[string]json.RawMessage
	if err := json.Unmarshal(t.Reveal(), &state); err != nil {
		panic(err)
	}
	switch t.of.Info().ID {
	case "cia":
		return string(state["Agent"])
	case "demol":
		return string(state["Moles"])
	case "molemajority":
		return string(state["Deck"])
	}
	return between(string(t.Snapshot()), `"seed":"`, `"`)
}

// with is an object of JSON with the secret in it.
func (t leakyTable) with(object json.RawMessage) json.RawMessage {
	leak, err := json.Marshal(t.secret())
	if err != nil {
		panic(err)
	}
	return slices.Concat([]byte(`{"leak":`), leak, []byte(","), object[1:])
}

func (t leakyTable) View(s game.Seat) json.RawMessage {
	if s == game.Spectator && t.of.where == inView {
		return t.with(t.Table.View(s))
	}
	return t.Table.View(s)
}

func (t leakyTable) Describe(s game.Seat) (string, error) {
	text, err := t.Table.Describe(s)
	if t.of.where == inWords {
		text += t.secret()
	}
	return text, err
}

func (t leakyTable) Draw(s game.Seat, names []string) ([]byte, error) {
	svg, err := t.Table.Draw(s, names)
	if t.of.where == inDrawing {
		svg = bytes.Replace(svg, []byte("</svg>"), []byte("<desc>"+t.secret()+"</desc></svg>"), 1)
	}
	return svg, err
}

func (t leakyTable) Apply(turns []game.Turn) ([]game.Event, error) {
	events, err := t.Table.Apply(turns)
	if t.of.where != inEvent {
		return events, err
	}
	events = slices.Clone(events)
	for i, e := range events {
		if e.For == game.All {
			events[i].Data = t.with(e.Data)
		}
	}
	return events, err
}

// serving are the same matches on platforms that show them by other games.
func (x *twins) serving(by func(game.Engine) game.Engine) *twins {
	y := *x
	for i, w := range x.worlds {
		list := engines()
		for _, e := range x.engines[i] {
			list = append(list, by(e))
		}
		y.worlds[i] = w.serving(list)
	}
	return &y
}

// leak wants what every game was made to leak seen by anybody who looks at its match: else this test is blind.
func (x *twins) leak(t *testing.T, where string) {
	for _, m := range x.matches {
		var seen []string
		for _, path := range readable(m, 0) {
			if _, _, diff := x.same(anon, "GET", path, nil); diff != "" {
				seen = append(seen, strings.ReplaceAll(path, m.ID, ":id"))
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s: a leak in %s was not seen by anybody", m.Game, where)
		}
		t.Logf("%s: a leak in %s is seen at %d places, first %v", m.Game, where, len(seen), seen[:min(4, len(seen))])
	}
}
