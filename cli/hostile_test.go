package cli_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/internal/texttest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// hostile answers with what somebody might hope breaks a platform: fuzzed bytes, and odd text in every field of an answer.
type hostile struct {
	seed    uint64
	answers atomic.Int64 // to turns
	fuzzed  atomic.Int64 // of these, those that are no JSON by intent
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	message, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	rnd := rand.New(rand.NewPCG(h.seed, uint64(h.answers.Load())))
	if !bytes.Contains(message[:min(64, len(message))], []byte(`"type":"turn"`)) {
		_, _ = w.Write([]byte(texttest.Value(rnd, 3)))
		return
	}
	rnd = rand.New(rand.NewPCG(h.seed, uint64(h.answers.Add(1))))
	answer := hostileAnswer(rnd, decisionOf(message))
	switch rnd.IntN(40) {
	case 0, 1, 2:
		h.fuzzed.Add(1)
		answer = texttest.Bytes(rnd, answer)
	case 3:
		w.Header().Set("Content-Encoding", "\x80\xff\u202e"[rnd.IntN(3):])
	case 4:
		w.WriteHeader([]int{204, 302, 418, 500}[rnd.IntN(4)])
	}
	_, _ = w.Write(answer)
}

// decisionOf returns the decision that a turn asks for. A whole decoder would cost more than all the rest of the bot.
func decisionOf(turn []byte) string {
	_, rest, _ := bytes.Cut(turn, []byte(`"decision":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}

// hostileAnswer has a legal move mostly, so that its extras come into the database, and odd text everywhere.
func hostileAnswer(r *rand.Rand, decision string) []byte {
	var b bytes.Buffer
	add := func(key, value string) {
		b.WriteByte("{,"[min(1, b.Len())])
		b.WriteString(`"` + key + `":` + value)
	}
	if r.IntN(8) > 0 {
		add("choose", strconv.Itoa(max(0, r.IntN(4)-2)))
	} else {
		add("action", texttest.Value(r, 3))
	}
	for _, key := range []string{"say", "memo", "debug", "build"} {
		if r.IntN(3) > 0 {
			add(key, texttest.Literal(r))
		} else if r.IntN(6) == 0 {
			add(key, texttest.Value(r, 2))
		}
	}
	if decision != "" && r.IntN(4) > 0 {
		add("decision", `"`+decision+`"`)
	} else if r.IntN(6) == 0 {
		add("decision", texttest.Value(r, 1))
	}
	if r.IntN(6) == 0 {
		add("then", "["+texttest.Value(r, 3)+","+texttest.Value(r, 2)+"]")
	}
	if r.IntN(12) == 0 {
		b.WriteString("," + texttest.Literal(r) + ":" + texttest.Value(r, 2))
	}
	return append(b.Bytes(), '}')
}

func TestHostileAnswersAreJSONMostly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	valid, read := 0, 0
	for range 1000 {
		answer := hostileAnswer(r, "d")
		valid += map[bool]int{true: 1}[jsontext.Value(answer).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))]
		if _, _, err := protocol.ParseAnswer(answer); err == nil {
			read++
		}
	}
	if valid != 1000 || read < 400 || read > 900 {
		t.Errorf("of 1000 answers %d are JSON and %d are read, want all and 400 to 900: else the test tries one side alone", valid, read)
	}
}

// hostileCount names a variable with how many answers each database is given.
const hostileCount = "MOLERUN_HOSTILE"

// TestHostileAnswersBreakNothing: no text of a bot makes a match void, is an error of the database or cannot be carried to the
// other database.
func TestHostileAnswersBreakNothing(t *testing.T) {
	t.Parallel()
	count := 800
	if nightly() {
		count = 500_000
	}
	if text := os.Getenv(hostileCount); text != "" {
		n, err := strconv.Atoi(text)
		must.OK(t, err)
		count = n
	}
	dir := t.TempDir()
	sqlite := func(name string) string { return "sqlite:" + filepath.Join(dir, name) }
	for _, row := range []struct{ name, from, to string }{
		{"sqlite", sqlite("from.db"), storetest.PostgresURL(t)},
		{"postgres", storetest.PostgresURL(t), sqlite("to.db")},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			told(t, "", "migrate", "--database", row.from)
			playHostile(t, row.from, count)
			file := filepath.Join(dir, row.name+".jsonl.gz")
			told(t, "", "admin", "backup", file, "--database", row.from)
			code, out, errs := call("", "admin", "restore", file, "--verify", "--database", row.to)
			if code != 0 || !strings.Contains(out, "; 0 are of rules this program no longer plays") || strings.Contains(out, " 0 played") {
				t.Errorf("restore: exit code %d\n%s%s", code, out, errs)
			}
			t.Logf("restored into the other database:\n%s%s", out, errs)
		})
	}
}

// playHostile plays tournaments of all games among hostile bots until they gave so many answers.
func playHostile(t *testing.T, url string, count int) {
	h := &hostile{seed: 1}
	db, err := store.Open(t.Context(), url, store.Options{Now: time.Now, Rand: rand.NewChaCha8([32]byte{7}), Program: "molerun test", MaxConns: 8, FastSync: true})
	must.OK(t, err)
	defer db.Close()
	var log clitest.Log
	voided := atomic.Int64{}
	stop := runs(t, jobs.Config{
		Store: db, Slots: 12, Players: players(t, db),
		// Without a greeting the next cup would wait two minutes for those who failed in this one.
		Check:   func(context.Context, store.DueCheck) (string, error) { return "", nil },
		Logger:  slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Observe: jobs.Observer{Voided: func(*tournament.Match, string) { voided.Add(1) }},
	})
	begin, field := time.Now(), hostileField(t, db, h)
	for turn := 0; h.answers.Load() < int64(count) && !t.Failed(); turn++ {
		var cups []string
		for i, e := range catalog.All() {
			cycles := 1
			switch id := e.Info().ID; {
			case id == "demol": // with words and the most seats: most answers are its
				cycles = min(100, 1+count/2500)
			case turn > 0, id != "molehill" && !nightly() && os.Getenv(hostileCount) == "":
				continue
			}
			cups = append(cups, hostileCup(t, db, field, e, fmt.Sprintf("cup %d-%d", turn, i), cycles))
		}
		waitHostile(t, db, h, cups)
	}
	took := time.Since(begin)
	stop()
	t.Logf("seed %d: %d answers, %d of them no JSON by intent: %.0f answers/s", h.seed, h.answers.Load(), h.fuzzed.Load(), float64(h.answers.Load())/took.Seconds())
	if n := voided.Load(); n > 0 {
		t.Errorf("%d matches were voided, want none", n)
	}
	for line := range strings.Lines(log.String()) {
		for _, word := range []string{"SQLSTATE", "constraint", "msg=\"match "} { // the queue also tells of a slow machine
			if strings.Contains(line, word) {
				t.Fatalf("the log has an error of the database or of a match: %s", line)
			}
		}
	}
	checkHostile(t, db)
}

// runs works on a store's jobs of all games until stop is called, which waits for the end.
func runs(t *testing.T, c jobs.Config) (stop func()) {
	t.Helper()
	c.Director, c.Engines, c.Refit = directortest.Of(c.Store, catalog.Find), catalog.Find, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- jobs.Run(ctx, c) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// hostileField returns ten bots of ten owners, each behind a server of its own.
func hostileField(t *testing.T, db *store.Store, h *hostile) (bots []tournament.Bot) {
	t.Helper()
	var games []string
	for _, e := range catalog.All() {
		games = append(games, e.Info().ID)
	}
	for i := range 10 {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		name := fmt.Sprintf("bot-%d", i)
		owner, _, err := db.CreateUser(t.Context(), tournament.User{Name: name, Role: tournament.RoleOrganiser}, tournament.Token{ID: name, Hash: sha256.Sum256([]byte(name))})
		must.OK(t, err)
		bot, _, err := db.CreateBot(t.Context(), tournament.Bot{OwnerID: owner.ID, Name: name}, tournament.Version{URL: server.URL, Games: games}, 10)
		must.OK(t, err)
		bots = append(bots, bot)
	}
	return bots
}

// hostileCup starts a round robin of a game at its largest table, where nobody is retired for faults.
func hostileCup(t *testing.T, db *store.Store, field []tournament.Bot, e game.Engine, name string, cycles int) string {
	d := directortest.Of(db, catalog.Find)
	t.Helper()
	ctx, now := t.Context(), time.Now()
	seats, config := min(len(field), e.Info().MaxSeats), []byte(nil)
	if e.Info().ID == "demol" {
		config = []byte(`{"talk_rounds":9,"vote_talk_rounds":9}`)
	}
	config, err := e.Configure(config, seats)
	must.OK(t, err)
	cup, err := d.CreateTournament(ctx, tournament.Tournament{
		Name: name, OrganiserID: field[0].OwnerID, Game: e.Info().ID, Config: config, Format: tournament.RoundRobin, Table: seats, Cycles: cycles,
		Capacity: seats, Clock: tournament.Clock{Limit: 20 * time.Second}, Limits: tournament.FaultLimits{InRow: 1000, Total: 1000},
		OpensAt: now.Add(-time.Minute), ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour), Status: tournament.Scheduled,
	})
	must.OK(t, err)
	for _, bot := range field[:seats] {
		_, err := d.Join(ctx, cup.ID, bot.ID, bot.OwnerID)
		must.OK(t, err)
	}
	if cup, err = d.Start(ctx, cup.ID); err != nil || cup.Status != tournament.Running {
		t.Fatalf("the tournament is %s for %q (%v), want running", cup.Status, cup.Reason, err)
	}
	return cup.ID
}

// waitHostile waits for the end of tournaments; five minutes without an answer more are a failure.
func waitHostile(t *testing.T, db *store.Store, h *hostile, cups []string) {
	t.Helper()
	last, end := int64(-1), time.Time{}
	for len(cups) > 0 {
		now, err := db.Tournament(t.Context(), cups[0])
		must.OK(t, err)
		if now.Status != tournament.Running {
			cups = cups[1:]
			continue
		}
		if n := h.answers.Load(); n != last {
			last, end = n, time.Now().Add(5*time.Minute)
		}
		if time.Now().After(end) {
			t.Fatalf("tournament %s is still %s, with no answer asked for in five minutes", now.Name, now.Status)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// checkHostile looks at every match and every decision.
func checkHostile(t *testing.T, db *store.Store) {
	t.Helper()
	faults, own, words, notes := map[string]int{}, 0, 0, 0
	for after := ""; ; {
		list, next, err := db.Matches(t.Context(), store.MatchFilter{}, store.Page{After: after, Sort: store.Oldest, Limit: 100})
		must.OK(t, err)
		for _, m := range list {
			if m.Status != tournament.MatchDone || m.Result == nil || m.Epoch != 1 {
				t.Errorf("match %s of %s is %s at epoch %d for %q, want done at the first attempt", m.ID, m.Game, m.Status, m.Epoch, m.Reason)
			}
			steps, err := db.Decisions(t.Context(), m.ID)
			must.OK(t, err)
			for _, s := range steps {
				for _, d := range s.Turns {
					faults[d.Fault]++
					own += map[bool]int{true: 1}[d.By == replay.ByBot]
					words += map[bool]int{true: 1}[d.Say != ""]
					notes += map[bool]int{true: 1}[d.Fault == "" && d.Reason != ""]
				}
			}
		}
		if after = next; after == "" {
			break
		}
	}
	t.Logf("%d moves of bots, %d with words, %d with something dropped; faults %v", own, words, notes, faults)
	if own == 0 || words == 0 || notes == 0 || faults[string(tournament.FaultBadJSON)] == 0 || faults[string(tournament.FaultIllegal)] == 0 {
		t.Error("something of that is missing: else the test tries one side alone")
	}
	if n := faults[string(tournament.FaultPlatform)]; n > 0 {
		t.Errorf("%d faults of the platform, want none", n)
	}
}

// players reaches the bots of a store on loopback.
func players(t *testing.T, db *store.Store) func(context.Context, *tournament.Match, game.Seat) (runner.Player, error) {
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	t.Cleanup(client.Close)
	return func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
		v, err := db.Version(ctx, m.Seats[seat].VersionID)
		if err != nil {
			return nil, err
		}
		return httpbot.New(httpbot.Config{URL: v.URL, Secrets: v.Secrets, Text: v.WantsText, Client: client})
	}
}
