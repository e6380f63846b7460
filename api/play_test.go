package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// name is a fresh name.
func (w *world) name(stem string) string {
	w.serial++
	return fmt.Sprintf("%s-%d", stem, w.serial)
}

// bot adds a bot for one of the people, past the API.
func (w *world) bot(who string) tournament.Bot {
	w.t.Helper()
	b, _, err := w.store.CreateBot(w.t.Context(), tournament.Bot{OwnerID: w.users[who].ID, Name: w.name("bot")},
		tournament.Version{URL: "https://secret.example/" + w.name("path"), Secrets: tournament.Secrets{"whsec_" + strings.Repeat("QUJD", 8)}, Games: []string{"masks", "openmasks", "toy", "cia", "demol", "mole", "molehill", "molemajority"}}, 10_000)
	must.OK(w.t, err)
	return b
}

// version adds a version to a bot, past the API.
func (w *world) version(b tournament.Bot, build string) tournament.Version {
	w.t.Helper()
	v, err := w.store.AddVersion(w.t.Context(), tournament.Version{
		BotID: b.ID, URL: "https://secret.example/" + w.name("path"), Secrets: tournament.Secrets{"whsec_" + strings.Repeat("QUJD", 8)}, Build: build, Games: []string{"masks", "toy"},
	}, 1000)
	must.OK(w.t, err)
	return v
}

// cup is a tournament of the organiser's that takes entries now.
func (w *world) cup(change func(*tournament.Tournament)) tournament.Tournament {
	w.t.Helper()
	now := w.clk.Now()
	t := tournament.Tournament{
		Name: w.name("cup"), OrganiserID: w.users[organiser].ID, Game: "masks", Config: json.RawMessage(`{"rounds":4}`),
		Format: tournament.RoundRobin, Table: 2, Cycles: 1, Rated: true, Capacity: 8, Clock: tournament.DefaultClock(),
		Limits: tournament.DefaultFaultLimits(), OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour),
	}
	change(&t)
	t, err := w.director.CreateTournament(w.t.Context(), t)
	must.OK(w.t, err)
	return t
}

// started is a cup that has started with a bot of each of the people named, and its matches in order.
func (w *world) started(change func(*tournament.Tournament), who ...string) (tournament.Tournament, []tournament.Match) {
	w.t.Helper()
	t := w.cup(change)
	var bots []tournament.Bot
	for _, p := range who {
		bots = append(bots, w.bot(p))
	}
	return w.begin(t, bots...)
}

// played is started, and all its matches are over.
func (w *world) played(change func(*tournament.Tournament), who ...string) (tournament.Tournament, []tournament.Match) {
	w.t.Helper()
	t, list := w.started(change, who...)
	for _, m := range list {
		w.play(m, 100)
	}
	return t, list
}

// begin starts a tournament with these bots, and returns it and its matches in order.
func (w *world) begin(t tournament.Tournament, bots ...tournament.Bot) (tournament.Tournament, []tournament.Match) {
	w.t.Helper()
	for _, b := range bots {
		_, err := w.director.Join(w.t.Context(), t.ID, b.ID, b.OwnerID)
		must.OK(w.t, err)
	}
	t, err := w.director.Start(w.t.Context(), t.ID)
	must.OK(w.t, err)
	list, _, err := w.store.Matches(w.t.Context(), store.MatchFilter{TournamentID: t.ID}, store.Page{Sort: store.Oldest})
	must.OK(w.t, err)
	return t, list
}

// nodder always takes the first offer and says so to its owner.
type nodder struct{ builds []string } // that it says, by step

func (nodder) Start(context.Context, runner.Briefing) error { return nil }
func (n nodder) Ask(_ context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	build := ""
	if a.Step < len(n.builds) {
		build = n.builds[a.Step]
	}
	return runner.Reply{Build: build, Choose: new(int), Debug: fmt.Sprintf("seat %d saw step %d", b.Seat, a.Step), Memo: "m"}
}
func (nodder) End(context.Context, runner.Briefing, *game.Result, int) {}
func (nodder) RoundTrip() time.Duration                                { return 0 }

var errEnough = errors.New("enough steps")

// tape writes steps to the store, at most left of them.
type tape struct {
	s    *store.Store
	m    tournament.Match
	left int
}

func (t *tape) Append(ctx context.Context, s runner.Step) error {
	if t.left--; t.left < 0 {
		return errEnough
	}
	return t.s.AppendStep(ctx, t.m.ID, t.m.Epoch, s)
}

// play claims a queued match and plays at most steps of it; a match that ends is finished.
func (w *world) play(m tournament.Match, steps int) {
	w.t.Helper()
	w.playWith(m, steps, nodder{w.builds})
}

// playWith is play by others.
func (w *world) playWith(m tournament.Match, steps int, player runner.Player) {
	w.t.Helper()
	engine, _ := findGame(m.Game)
	w.playOn(m, engine, steps, player)
}

// playOn is playWith by the rules of an engine.
func (w *world) playOn(m tournament.Match, engine game.Engine, steps int, player runner.Player) {
	w.t.Helper()
	ctx := w.t.Context()
	m, done, err := w.director.Claim(ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "test", time.Minute)
	must.OK(w.t, err)
	players := make([]runner.Player, len(m.Seats))
	for i := range players {
		players[i] = player
	}
	o, err := runner.Play(ctx, runner.SpecOf(m, engine, done), players, &tape{w.store, m, steps})
	if errors.Is(err, errEnough) {
		return
	}
	if err == nil {
		err = w.director.Finish(ctx, m, o, nil)
	}
	must.OK(w.t, err)
}
