package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

// A course is a schedule over three ladders: matches of the standing ladders, then tournaments of every format but the arena,
// whose pairings hang on who is free when. Tournaments of a phase begin together, each on a ladder of its own, when all
// ladders stand still: seeds are ratings, so what runs beside them on the same ladder would show in their pairings.

// event is one tournament of a course.
type event struct {
	game    string
	format  tournament.Format
	table   int
	entries int
	cycles  int
	options tournament.FormatOptions
}

// phases returns the tournaments of a course, times over, the round robins in so many cycles.
func phases(times, cycles int) (out [][]event) {
	none := tournament.FormatOptions{}
	for range times {
		out = append(out,
			[]event{
				{"molehill", tournament.RoundRobin, 2, 5, cycles, none},
				{"cia", tournament.Groups, 3, 7, cycles, tournament.FormatOptions{Finalists: 3}},
				{"demol", tournament.RoundRobin, 5, 5, cycles, none},
			},
			[]event{
				{"molehill", tournament.Swiss, 2, 5, 1, none},
				{"cia", tournament.Gauntlet, 3, 6, cycles, none},
				{"demol", tournament.Swiss, 5, 6, 1, tournament.FormatOptions{Rounds: 2}},
			},
			[]event{
				{"molehill", tournament.DoubleElimination, 2, 5, 1, none},
				{"cia", tournament.SingleElimination, 3, 7, 1, none},
				{"molehill", tournament.SPRT, 2, 2, 1, tournament.FormatOptions{Test: tournament.Test{Elo1: 200, MaxPairs: 10}}},
			})
	}
	return out
}

// courseGames are the ladders of a course, and their bots at most.
var courseGames = []string{"cia", "demol", "molehill"}

const courseBots = 7

// pure returns the bots of a course: each answer is a function of the request alone, and of which bot is asked.
func pure(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var turn protocol.Turn
		if err != nil || json.Unmarshal(body, &turn) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch turn.Type {
		case protocol.TypeHello:
			var hello protocol.Hello
			_ = json.Unmarshal(body, &hello)
			_ = json.NewEncoder(w).Encode(protocol.HelloAnswer{Challenge: hello.Challenge, Games: courseGames})
		case protocol.TypeTurn:
			h := fnv.New64a()
			_, _ = io.WriteString(h, r.URL.Path)
			_, _ = h.Write(turn.View)
			answer, err := kit.Random(turn.Offer, rand.New(rand.NewPCG(h.Sum64(), 1)))
			if err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(w).Encode(answer)
		default:
			_, _ = w.Write([]byte("{}"))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// course is a database in which a course is played by processes of its own.
type course struct {
	*store.Store
	*director.Director
	t         *testing.T
	url       string
	binary    string
	organiser string
	bots      []tournament.Bot
	names     map[string]string // of bots, by version
	cups      []tournament.Tournament
	alive     []*clitest.Process
	slots     int
	kills     []int64 // at so many rated matches a worker is killed, at the first of them all
	killed    int
	luck      *rand.Rand
}

// newCourse opens a fresh database whose clock stands still for what this process writes: only the order tells.
func newCourse(t *testing.T, binary string, slots int) *course {
	t.Helper()
	c := &course{t: t, url: storetest.PostgresURL(t), binary: binary, slots: slots, names: map[string]string{}, luck: rand.New(rand.NewPCG(5, 6))}
	now := time.Now()
	var err error
	c.Store, err = store.Open(t.Context(), c.url, store.Options{
		Now: func() time.Time { return now }, Rand: rand.NewChaCha8([32]byte{8}), Program: "molerun test", MaxConns: 4,
	})
	must.OK(c.t, err)
	c.Director = director.New(c.Store, director.Options{Engines: catalog.Find, Rand: rand.NewChaCha8([32]byte{9})})
	t.Cleanup(func() { _ = c.Close() })
	c.organiser = c.user("organiser", tournament.RoleOrganiser)
	bots := pure(t)
	for i := range courseBots {
		name := fmt.Sprintf("bot-%d", i)
		owner := c.user("owner-of-"+name, tournament.RoleOwner)
		b, v, err := c.CreateBot(t.Context(), tournament.Bot{OwnerID: owner, Name: name, Status: tournament.BotActive},
			tournament.Version{Number: 1, URL: fmt.Sprintf("%s/%d", bots.URL, i), Games: courseGames}, 10)
		must.OK(c.t, err)
		c.bots, c.names[v.ID] = append(c.bots, b), name
	}
	return c
}

func (c *course) user(name string, role tournament.Role) string {
	c.t.Helper()
	u, _, err := c.CreateUser(c.t.Context(), tournament.User{Name: name, Role: role}, tournament.Token{ID: "token-" + name, Hash: sha256.Sum256([]byte(name))})
	must.OK(c.t, err)
	return u.ID
}

// ladders makes a match for everybody on each standing ladder, before there are workers that would make more.
func (c *course) ladders() {
	c.t.Helper()
	for _, game := range courseGames {
		l, err := c.EnsureLadder(c.t.Context(), game)
		must.OK(c.t, err)
		for _, b := range c.bots {
			_, err := c.JoinLadder(c.t.Context(), l.ID, b.ID, b.OwnerID, 10)
			must.OK(c.t, err)
		}
		made, err := c.MakeLadder(c.t.Context(), l.ID, 1000)
		must.OK(c.t, err)
		if made == 0 {
			c.t.Fatalf("ladder %s: nobody was given a match", game)
		}
		for _, b := range c.bots {
			must.OK(c.t, c.LeaveLadder(c.t.Context(), l.ID, b.ID, b.OwnerID))
		}
	}
}

// begin makes and starts a tournament.
func (c *course) begin(e event) {
	c.t.Helper()
	engine, _ := catalog.Find(e.game)
	config, err := engine.Configure(nil, e.table)
	must.OK(c.t, err)
	now := time.Now()
	clock := tournament.DefaultClock()
	clock.Limit = tournament.MaxLimit // nobody is late on a busy machine
	x := tournament.Tournament{
		Name: string(e.format), OrganiserID: c.organiser, Game: e.game, Config: config, Format: e.format, Table: e.table, Cycles: e.cycles,
		Duplicate: true, Rated: e.format != tournament.SPRT, Capacity: e.entries, Options: e.options, Clock: clock, Limits: tournament.DefaultFaultLimits(),
		OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(24 * time.Hour), StartsAt: now.Add(48 * time.Hour),
	}
	must.OK(c.t, x.Check(engine.Info(), now))
	x, err = c.CreateTournament(c.t.Context(), x)
	must.OK(c.t, err)
	for i, b := range c.bots[:e.entries] {
		_, err := c.JoinAs(c.t.Context(), x.ID, b.ID, b.OwnerID, director.EntryOptions{Challenger: e.format == tournament.Gauntlet && i < 2})
		must.OK(c.t, err)
	}
	x, err = c.Start(c.t.Context(), x.ID)
	must.OK(c.t, err)
	c.cups = append(c.cups, x)
}

func (c *course) work() *clitest.Process { return worker(c.t, c.binary, c.url, c.slots) }

// rated returns how many places of all ladders are dealt with, and whether that is all of them.
func (c *course) rated() (n int64, all bool) {
	c.t.Helper()
	list, err := c.Ladders(c.t.Context())
	must.OK(c.t, err)
	all = true
	for _, l := range list {
		n += l.NextSeq - 1
		all = all && l.NextSeq == l.LastSeq+1
	}
	return n, all
}

// running reports whether a few matches are under way.
func (c *course) running() bool {
	c.t.Helper()
	list, _, err := c.Matches(c.t.Context(), store.MatchFilter{Status: tournament.MatchRunning}, store.Page{Limit: 3})
	must.OK(c.t, err)
	return len(list) >= 3
}

// strike kills a worker and starts another; the first time all of them, so that something is hit for certain.
func (c *course) strike() {
	c.kills = c.kills[1:]
	victims := []int{c.luck.IntN(len(c.alive))}
	if c.killed == 0 {
		victims = c.luck.Perm(len(c.alive))
	}
	for _, i := range victims {
		c.alive[i].Kill()
		c.killed++
	}
	for _, i := range victims {
		c.alive[i] = c.work()
	}
}

// settle waits until everything begun is over, and kills workers on the way.
func (c *course) settle() {
	c.t.Helper()
	for last, still := int64(-1), 0; ; {
		n, all := c.rated()
		for len(c.kills) > 0 && n >= c.kills[0] && (c.killed > 0 || c.running()) {
			c.strike()
		}
		over := all
		for _, x := range c.cups {
			now, err := c.Tournament(c.t.Context(), x.ID)
			must.OK(c.t, err)
			over = over && now.Status == tournament.Finished
		}
		if over {
			c.fit()
			return
		}
		if still++; n != last {
			last, still = n, 0
		}
		if still > 3000 { // the bound is for a broken program, not a measure
			c.t.Fatalf("nothing was rated for five minutes, %d so far\n%s", n, c.alive[0].Log)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// fit fits the ladders to all that is rated: seeds go by the fit, and workers may not have come to it.
func (c *course) fit() {
	c.t.Helper()
	for _, game := range courseGames {
		f, err := jobs.FitLadder(c.t.Context(), c.Director, catalog.Find, game)
		must.OK(c.t, err)
		must.OK(c.t, c.SaveFit(c.t.Context(), f, 0))
	}
}

// play plays the course to its end.
func (c *course) play(workers int, list [][]event) {
	c.t.Helper()
	c.ladders()
	for range workers {
		c.alive = append(c.alive, c.work())
	}
	defer func() {
		for _, p := range c.alive {
			p.Kill()
		}
	}()
	c.settle()
	for _, phase := range list {
		for _, e := range phase {
			c.begin(e)
		}
		c.settle()
	}
}

// told returns all that came of a course, as text in a fixed order, without what two runs cannot share: ids and times.
func (c *course) told() (lines []string, matches, resumed int) {
	c.t.Helper()
	for _, game := range courseGames {
		must.OK(c.t, c.CheckRatings(c.t.Context(), game))
		// Whether a line is provisional hangs on its interval, and so on how far the workers' last fit had come.
		fitted, err := jobs.FitLadder(c.t.Context(), c.Director, catalog.Find, game)
		must.OK(c.t, err)
		must.OK(c.t, c.SaveFit(c.t.Context(), fitted, time.Hour))
		rows, _, err := c.LadderRows(c.t.Context(), game, store.Page{Limit: 100})
		must.OK(c.t, err)
		for _, r := range rows {
			lines = append(lines, fmt.Sprintln(game, r.Rank, r.Bot, r.Milli, r.OnlineMilli, r.Games, r.Wins, r.Draws, r.Losses, r.Faults))
		}
		for after := ""; ; {
			events, next, err := c.RatingEvents(c.t.Context(), store.RatingEventFilter{LadderID: game}, store.Page{Limit: 100, Sort: store.Oldest, After: after})
			must.OK(c.t, err)
			for _, e := range events {
				lines = append(lines, fmt.Sprintln(game, e.LadderSeq, c.names[e.VersionID], e.BeforeMilli, e.DeltaMilli, e.AfterMilli, e.K, e.Expected, e.Score))
			}
			if after = next; after == "" {
				break
			}
		}
	}
	for _, x := range c.cups {
		rows, err := c.Standings(c.t.Context(), x.ID)
		must.OK(c.t, err)
		for _, r := range rows {
			trial, _ := json.Marshal(r.Trial)
			lines = append(lines, fmt.Sprintln(x.Game, x.Format, r.Rank, r.Bot, r.Played, r.Points, r.Score, r.Faults, r.Ties, string(trial)))
		}
	}
	for after := ""; ; {
		list, next, err := c.Matches(c.t.Context(), store.MatchFilter{}, store.Page{Limit: 100, Sort: store.Oldest, After: after})
		must.OK(c.t, err)
		matches += len(list)
		for _, m := range list {
			if m.Epoch > 1 {
				resumed++
			}
			if m.Rated && m.Status != tournament.MatchDone {
				c.t.Errorf("match %s is %s (%s)", m.ID, m.Status, m.Reason)
			}
		}
		if after = next; after == "" {
			return lines, matches, resumed
		}
	}
}

func TestOneScheduleHasOneOutcomeWithOneWorkerAndWithEightThatAreKilled(t *testing.T) {
	t.Parallel()
	times, cycles, kills, least := 1, 1, 10, 50
	if nightly() {
		times, cycles, kills, least = 5, 16, 100, 5000
	}
	binary := molerun(t)
	list := phases(times, cycles)
	if !nightly() {
		list = list[2:] // knockouts and the sequential test: what a place and an end hang on
	}
	calm := newCourse(t, binary, 1)
	calm.play(1, list)
	want, matches, resumed := calm.told()
	total, _ := calm.rated()
	if matches < least || resumed > 0 {
		t.Errorf("%d matches, %d of them resumed, with one calm worker; want %d or more and none", matches, resumed, least)
	}

	wild := newCourse(t, binary, 2)
	const workers = 8
	strikes := int64(kills - workers + 1) // the first kills all
	for i := range strikes {
		wild.kills = append(wild.kills, 10+i*total/strikes) // the first when the first round robins have just begun
	}
	wild.play(workers, list)
	got, again, resumed := wild.told()
	if len(wild.kills) > 0 || resumed == 0 {
		t.Errorf("%d kills were left over and %d matches resumed: the kills hit nothing", len(wild.kills), resumed)
	}
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("line %d of %d and %d:\n%s, with one calm worker\n%s", i+1, len(got), len(want), strings.TrimSpace(got[i]), strings.TrimSpace(want[i]))
			}
		}
		t.Fatalf("%d lines, with one calm worker %d", len(got), len(want))
	}
	t.Logf("%d and %d matches (%d rated), 1 worker and 8 with %d kills, %d matches resumed: %d lines of ratings, their history and standings are equal",
		matches, again, total, wild.killed, resumed, len(want))
}
