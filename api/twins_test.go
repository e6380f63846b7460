package api_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
)

// What is hidden in a real game (a role, a hand, the order of a deck) has no text of its own that could be searched for in
// an answer. So two platforms run the same matches, alike in all that a spectator may know and in nothing else: the hidden
// part of every state is drawn again, and so are the seeds, what bots noted, how long they thought and which of them failed.
// Whatever tells the one from the other, to anybody, on any route, is a leak.

// double is a game whose tables are not those that were dealt, but others that a spectator cannot tell from them.
type double struct {
	game.Engine
	tables [][]byte       // snapshots, by step
	events [][]game.Event // of each step
	turns  [][]game.Turn  // that lead to the step
}

type doubleTable struct {
	game.Table
	of *double
}

func (d *double) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	if seed == (game.Seed{1}) { // of the pictures of games, which are of matches that nobody plays
		return d.Engine.New(config, seats, seed)
	}
	t, err := d.Restore(d.tables[0])
	return t, d.events[0], err
}

func (d *double) Restore(snapshot []byte) (game.Table, error) {
	t, err := d.Engine.Restore(snapshot)
	return &doubleTable{t, d}, err
}

// Check takes what was played: it was legal when the step was made.
func (t *doubleTable) Check(game.Turn) error { return nil }

func (t *doubleTable) Apply([]game.Turn) (events []game.Event, err error) {
	step := t.Step() + 1
	if step == len(t.of.tables) {
		return nil, errEnough
	}
	t.Table, err = t.of.Engine.Restore(t.of.tables[step])
	return t.of.events[step], err
}

func (t *doubleTable) Repeat(turns []game.Turn) error {
	_, err := t.Apply(turns)
	return err
}

// reseeded is a table whose luck to come is a seed's.
func reseeded(t *testing.T, e game.Engine, table game.Table, seed game.Seed) game.Table {
	t.Helper()
	b := table.Snapshot()
	head, state, _ := bytes.Cut(b[:len(b)-sha256.Size], []byte("\n"))
	head = regexp.MustCompile(`"seed":"[0-9a-f]{64}"`).ReplaceAll(head, []byte(`"seed":"`+seed.String()+`"`))
	b = slices.Concat(head, []byte("\n"), state)
	sum := sha256.Sum256(b)
	out, err := e.Restore(append(b, sum[:]...))
	must.OK(t, err)
	return out
}

func publicOf(events []game.Event) (out []game.Event) {
	for _, e := range events {
		if e.For == game.All {
			out = append(out, e)
		}
	}
	return out
}

// sameToAll reports whether a spectator sees and heard the same.
func sameToAll(a, b game.Table, told, also []game.Event) bool {
	x, _ := json.Marshal(publicOf(told))
	y, _ := json.Marshal(publicOf(also))
	return bytes.Equal(x, y) && a.Due() == b.Due() && bytes.Equal(a.View(game.Spectator), b.View(game.Spectator))
}

// doubleOf makes the double of a recorded match: step by step, hidden things and decisions are drawn until everybody is
// told the same. Where none is found in some tries the step is the recorded one, with what is hidden after it drawn again
// and without what only seats were told. It counts the steps whose decisions or private events differ.
func doubleOf(t *testing.T, e game.Engine, m tournament.Match, steps []runner.Step, seed game.Seed) (d *double, differ int) {
	t.Helper()
	table, events, err := e.New(m.Config, len(m.Seats), m.Seed)
	must.OK(t, err)
	twin := table.Resample(game.Spectator, seed)
	d = &double{
		Engine: e,
		tables: [][]byte{twin.Snapshot()},
		events: [][]game.Event{publicOf(events)},
		turns:  [][]game.Turn{nil},
	}
	for _, s := range steps {
		turns := make([]game.Turn, len(s.Turns))
		for i, x := range s.Turns {
			turns[i] = game.Turn{Seat: x.Seat, Action: x.Action, Say: x.Say}
		}
		events, err = table.Apply(turns)
		must.OK(t, err)
		next, told, also := table.Resample(game.Spectator, seed), publicOf(events), turns
		for try := range 60 {
			luck := game.Seed{'d', byte(s.Step), byte(try)}
			other := twin.Resample(game.Spectator, luck)
			acts := slices.Clone(turns)
			for i := range acts {
				if try < 40 {
					acts[i].Action = other.House(acts[i].Seat)
				}
			}
			other = reseeded(t, e, other, m.Seed)
			if got, err := other.Apply(acts); err == nil && sameToAll(other, table, got, events) {
				next, told, also = reseeded(t, e, other, seed), got, acts
				break
			}
		}
		a, _ := json.Marshal([]any{turns, events})
		b, _ := json.Marshal([]any{also, told})
		differ += btoi(!bytes.Equal(a, b))
		twin = next
		d.tables, d.events, d.turns = append(d.tables, twin.Snapshot()), append(d.events, told), append(d.turns, also)
	}
	return d, differ
}

// believed returns the chance that a whisperer gives to the first answer of every question: nobody may read it.
var believed = map[string]float64{"whisper": 0.2876501, "murmured": 0.3876502}

// tokens returns what a whisperer says that a decision used.
func tokens(words string) int64 { return 7_654_321 + int64(len(words)) }

// whisperer plays and tells its owner things that nobody else may read.
type whisperer struct {
	nodder
	words string
	plays [][]game.Turn // by step; nil: as dicer does
}

func (p whisperer) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) (r runner.Reply) {
	if p.plays == nil {
		r = dicer{}.Ask(ctx, b, a)
	} else if a.Step+1 < len(p.plays) {
		for _, x := range p.plays[a.Step+1] {
			if x.Seat == b.Seat {
				r.Action = x.Action
			}
		}
	}
	r.Debug, r.Memo, r.Note = p.words+"-debug", p.words+"-memo", p.words+"-note"
	r.Usage = &claim.Usage{Model: p.words + "-model", InputTokens: tokens(p.words), CostUSD: 0.7654321}
	r.Belief = claim.Belief{}
	for _, q := range a.Asks {
		r.Belief[q.About] = map[string]float64{q.Answers[0]: believed[p.words], q.Answers[len(q.Answers)-1]: 1 - believed[p.words]}
	}
	r.Then = []json.RawMessage{json.RawMessage(`{"ahead":"` + p.words + `-ahead"}`)}
	r.Ledger = runner.Ledger{Elapsed: time.Duration(len(p.words)) * 1717 * time.Microsecond}
	return r
}

// realGames are the five games with all that can be hidden in them, how many steps of a match are looked at, and the first
// byte of its seed: one with which the match is so long and its twin is unlike it.
var realGames = []struct {
	id, config string
	seats      int
	steps      int
	seed       byte
}{
	{"cia", `{"top_secret":true,"dossier":true}`, 3, 9, 10},
	{"demol", `{"plot_cards":true,"targeting":true,"blind_moles":true}`, 5, 24, 4},
	{"mole", `{"points":5,"max_rounds":60}`, 2, 3, 2},
	{"molehill", `{}`, 2, 4, 3},
	{"molemajority", `{"choose_spaces":true}`, 2, 40, 48},
}

// twins holds two platforms, and which of their texts may differ: what is made of the seed of a match and not shown.
type twins struct {
	worlds  [2]*world
	cups    []tournament.Tournament
	matches []tournament.Match // of the first
	engines [2][]game.Engine   // of the real games
	public  *strings.Replacer  // commitments of the second to those of the first
	ids     map[string]string  // of things that a match is not about itself
	hidden  map[string]string
}

// forked is a world on a copy of a database in which some texts are others.
func (w *world) forked(backup []byte, texts *strings.Replacer) *world {
	w.t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(backup))
	must.OK(w.t, err)
	var b bytes.Buffer
	z, sum := gzip.NewWriter(&b), sha256.New()
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := []byte(texts.Replace(lines.Text()) + "\n")
		if bytes.HasPrefix(line, []byte(`{"rows":`)) {
			line = regexp.MustCompile(`"sha256":"[0-9a-f]*"`).ReplaceAll(line, []byte(`"sha256":"`+hex.EncodeToString(sum.Sum(nil))+`"`))
		}
		sum.Write(line)
		_, _ = z.Write(line)
	}
	must.OK(w.t, z.Close())
	out := *w
	storetest.SQLite(w.t, func(t *testing.T, open storetest.Open) {
		out.store = open(store.Options{Now: w.clk.Now})
		out.director = directortest.Of(out.store, findGame)
		_, err := archive.Restore(t.Context(), out.store, findGame, &b)
		must.OK(t, err)
	})
	return &out
}

// serving is the world with an API of its own over some games; cursors are the same for all such.
func (w *world) serving(list []game.Engine) *world {
	w.t.Helper()
	out := *w
	out.live, out.log, out.reg = nil, &logbook{}, prometheus.NewRegistry()
	out.cfg.Store, out.cfg.Director, out.cfg.Engines, out.cfg.Metrics = w.store, w.director, list, out.reg
	out.cfg.Logger, out.cfg.CursorKey, out.cfg.Rand = logTo(out.log), make([]byte, 32), rand.NewChaCha8([32]byte{})
	var err error
	out.api, err = api.New(out.cfg)
	must.OK(w.t, err)
	return &out
}

// newTwins starts a match of every game and plays some of it on both platforms; played is every game as it is played and
// shown there.
func newTwins(w *world, played func(game.Engine) game.Engine) *twins {
	x := &twins{hidden: map[string]string{}}
	w.agent(owner, "agent-that-plays")
	w.agent(other, "agent-that-looks")
	everybody := []string{owner, other, organiser, rival, admin}
	var swaps [2][]string
	for _, g := range realGames {
		e, _ := catalog.Find(g.id)
		config, err := e.Configure(json.RawMessage(g.config), g.seats)
		must.OK(w.t, err)
		cup, list := w.started(func(t *tournament.Tournament) {
			t.Game, t.Config, t.Table, t.Name, t.Beliefs = g.id, config, g.seats, "Cup of "+g.id, true
		}, everybody[:g.seats]...)
		w.playWith(list[0], 0, nodder{}) // begun: what is said of that is the same for both
		x.cups, x.matches = append(x.cups, cup), append(x.matches, list[0])
		drawn, nonce, seed := list[0].Seed.String(), hex.EncodeToString(list[0].Nonce[:]), game.Seed{g.seed}.String()
		swaps[0] = append(swaps[0], drawn, seed)
		swaps[1] = append(swaps[1], drawn, flipped(seed), nonce, flipped(nonce))
		for _, text := range []string{seed, flipped(seed), nonce, flipped(nonce)} {
			x.hidden["seed or nonce of "+g.id+" "+text[:4]] = text
		}
	}
	hook, plan := w.hooked(owner), w.series(func(*schedule.Schedule) {})
	league, err := w.store.CreateSeries(w.t.Context(), series.Series{OrganiserID: w.users[organiser].ID, Name: "league", Tournaments: []string{x.cups[0].ID}, By: series.Points})
	must.OK(w.t, err)
	var backup bytes.Buffer
	_, err = archive.Backup(w.t.Context(), w.store.DB, &backup)
	must.OK(w.t, err)
	for i, texts := range swaps {
		x.worlds[i] = w.forked(backup.Bytes(), strings.NewReplacer(texts...))
	}
	commitments := make([]string, 0, 2*len(realGames))
	for i, g := range realGames {
		e, _ := catalog.Find(g.id)
		a, b := x.worlds[0].matchOf(x.matches[i].ID), x.worlds[1].matchOf(x.matches[i].ID)
		x.worlds[0].playOn(a, played(e), g.steps, whisperer{words: "whisper"})
		steps, err := x.worlds[0].store.Decisions(w.t.Context(), a.ID)
		if err != nil || len(steps) != g.steps {
			w.t.Fatalf("%s: got %d steps, %v", g.id, len(steps), err)
		}
		d, differ := doubleOf(w.t, e, a, steps, b.Seed)
		x.worlds[1].playOn(b, played(d), g.steps, whisperer{words: "murmured", plays: d.turns})
		x.engines[0], x.engines[1] = append(x.engines[0], played(e)), append(x.engines[1], played(d))
		x.matches[i] = x.worlds[0].matchOf(a.ID)
		x.differs(w.t, g.id, a, d, steps, differ)
		ours, theirs := a.Commitment(), b.Commitment()
		commitments = append(commitments, hex.EncodeToString(theirs[:]), hex.EncodeToString(ours[:]))
	}
	x.public = strings.NewReplacer(commitments...)
	for i := range x.worlds {
		x.worlds[i] = x.worlds[i].serving(append(engines(), x.engines[i]...))
		x.keep(x.worlds[i])
	}
	x.ids = map[string]string{
		"tournaments": x.cups[0].ID, "webhooks": hook.ID, "schedules": plan.ID, "series": league.ID, "tokens": hook.ID,
		"assets": between(string(x.worlds[0].get(anon, "/").body), `"/assets/`, `"`),
	}
	return x
}

// differs makes sure that the double of a game with hidden things is not the match itself.
func (x *twins) differs(t *testing.T, id string, m tournament.Match, d *double, steps []runner.Step, told int) {
	t.Helper()
	states := 0
	for step := range len(steps) + 1 {
		a, err := rerun(runner.SpecOf(m, x.engines[0][len(x.engines[0])-1], steps[:step]))
		must.OK(t, err)
		b, err := d.Restore(d.tables[step])
		must.OK(t, err)
		states += btoi(!bytes.Equal(a.Reveal(), b.Reveal()))
	}
	t.Logf("%s: of %d states %d are others, of %d steps %d in decisions or in what seats were told", id, len(steps)+1, states, len(steps), told)
	if open := id == "mole" || id == "molehill"; !open && (states < len(steps)*3/4 || told < 2) {
		t.Errorf("%s: the twins are too alike", id) // and in the open games only the luck to come is hidden
	}
}

func flipped(hex string) string {
	return strings.NewReplacer("0", "f", "1", "e", "2", "d", "3", "c", "4", "b", "5", "a", "6", "9", "7", "8",
		"8", "7", "9", "6", "a", "5", "b", "4", "c", "3", "d", "2", "e", "1", "f", "0").Replace(hex)
}

// keep remembers the texts of a platform that nobody may read now.
func (x *twins) keep(w *world) {
	claimed := map[string]bool{}
	for i, m := range x.matches {
		steps, err := w.store.Decisions(w.t.Context(), m.ID)
		must.OK(w.t, err)
		for _, s := range steps {
			x.hidden[fmt.Sprintf("hash of step %d of %s (%p)", s.Step, realGames[i].id, w)] = hex.EncodeToString(s.Hash[:])
			for _, d := range s.Turns {
				claimed[m.Game] = claimed[m.Game] || len(d.Belief) > 0 && len(d.Usage) > 0
			}
		}
	}
	for who, token := range w.tokens {
		x.hidden["token of "+who] = token
	}
	for _, words := range []string{"whisper", "murmured"} {
		x.hidden["words of a bot to its owner: "+words] = words + "-"
		x.hidden["belief of a bot: "+words] = fmt.Sprint(believed[words])
		x.hidden["tokens of a bot: "+words] = fmt.Sprint(tokens(words))
	}
	if !claimed["cia"] || !claimed["demol"] {
		w.t.Errorf("beliefs and usage are recorded of %v, want cia and demol: else nobody could read them", claimed)
	}
}

// same asks both platforms the same, tells what differs, and returns what was said.
func (x *twins) same(who, method, path string, body any) (said string, status int, diff string) {
	var text [2]string
	for i, w := range x.worlds {
		a := w.do(who, method, path, body)
		for _, name := range []string{"X-Request-Id", "Ratelimit"} {
			a.header.Del(name)
		}
		head, _ := json.Marshal(a.header)
		text[i], status = fmt.Sprint(a.status, string(head), "\n", string(a.body)), a.status
	}
	return text[0], status, x.compare(text)
}

// random is what of an answer follows from nothing, or from how many there were before.
var random = regexp.MustCompile(`"request_id":"[0-9a-f]*"|(X-Request-Id|Ratelimit|Date):\[[^\]]*\]`)

// sized are headers that follow from a body: where a commitment differs in it they say no more than it does.
var sized = regexp.MustCompile(`"(Etag|Content-Length)":\["[^\]]*\]`)

// compare shows where two texts differ that may differ in commitments alone; "" if nowhere.
func (x *twins) compare(text [2]string) string {
	a, b := text[0], x.public.Replace(text[1])
	if a != b && b != text[1] {
		a, b = sized.ReplaceAllString(a, ""), sized.ReplaceAllString(b, "")
	}
	if a != b {
		a, b = random.ReplaceAllString(a, ""), random.ReplaceAllString(b, "")
	}
	if a == b {
		return ""
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	part := func(s string) string { return s[max(0, n-80):min(len(s), n+80)] }
	return fmt.Sprintf("%q and %q", part(a), part(b))
}

// readable are the looks at the steps of a match that need no more than its address.
func readable(m tournament.Match, steps int) (out []string) {
	at, v1 := "/matches/"+m.ID, "/v1/matches/"+m.ID
	out = append(out, at, at+"/frames", at+"/moves", "/embed"+at, at+"/board.svg", v1, v1+"/events", v1+"/view")
	for step := 0; step <= steps; step += max(1, steps/8) { // frames have every one
		n := fmt.Sprint("?step=", step)
		out = append(out, at+n, at+"/board.svg"+n, v1+"/view"+n)
	}
	for from := 16; from <= steps; from += 16 {
		out = append(out, fmt.Sprint(at, "/frames?from=", from))
	}
	return out
}

// twinsOf are the twins of a fresh platform.
func twinsOf(t *testing.T, open storetest.Open, played func(game.Engine) game.Engine) *twins {
	t.Helper()
	w := newWorld(t, open, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) })
	return newTwins(w, played)
}

func TestLongTwinMatchesOfTheFiveGamesAreAlikeToEverybody(t *testing.T) {
	t.Parallel()
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		x := twinsOf(t, open, func(e game.Engine) game.Engine { return e })
		x.crawl(t)
		x.streams(t)
		x.writes(t)
		x.tools(t)
		for _, where := range []string{inView, inWords, inDrawing} {
			x.serving(func(e game.Engine) game.Engine { return leaky{e, where} }).leak(t, where)
		}
	})
}

// A leak in an event is in the record's hashes too: it can only be there from the first step on.
func TestALeakInAPublicEventOfTwinMatchesIsSeen(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		twinsOf(t, open, func(e game.Engine) game.Engine { return leaky{e, inEvent} }).leak(t, inEvent)
	})
}
