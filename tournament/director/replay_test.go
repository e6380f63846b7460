package director_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// void ends a match by a fault of the platform and returns what is played in its place, which is nothing once it is given up.
func (w *world) void(m tournament.Match) (next tournament.Match, again bool) {
	w.T.Helper()
	w.Must(w.Void(w.Ctx, w.Take(m), "ours", nil))
	m = w.Reload(m.ID)
	if m.Status != tournament.MatchVoid || m.VoidCause != tournament.VoidByPlatform {
		w.T.Fatalf("match %s is %s by %q, want void by the platform", m.ID, m.Status, m.VoidCause)
	}
	if m.ReplayedAs == "" {
		return next, false
	}
	return w.Reload(m.ReplayedAs), true
}

// wanted makes a match void because somebody wants it so: it is not played again.
func (w *world) wanted(m tournament.Match, why string) error {
	_, err := w.VoidMatch(w.Ctx, m.ID, why)
	return err
}

// heard returns how often an event of a kind was emitted.
func (w *world) heard(kind tournament.EventKind) (n int) {
	w.T.Helper()
	for _, e := range must.Get(w.Feed(w.Ctx, "", 0, 1000))(w.T) {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// Whatever the format, voiding the first match of every place changes no standing: each is played again between the same
// bots in the same seats.
func TestWhatIsVoidByOurFaultIsPlayedAgainInEveryFormat(t *testing.T) {
	for i, format := range tournament.Formats() {
		if format == tournament.Arena || format == tournament.SPRT { // tested apart: the one ends by the clock, the other by its results
			continue
		}
		duplicate := i%2 == 0
		t.Run(fmt.Sprint(format, " duplicate ", duplicate), func(t *testing.T) {
			on(t, storetest.One, func(t *testing.T, w *world) {
				x, bots := w.field(4, func(x *tournament.Tournament) {
					x.Format, x.Duplicate = format, duplicate
					if format == tournament.Groups {
						x.Options = tournament.FormatOptions{GroupSize: 2, Finalists: 2}
					}
				})
				played := 0
				for list := w.open(x); len(list) > 0; list = w.open(x) {
					for _, m := range list {
						played++
						next, again := w.void(m)
						if !again {
							t.Fatalf("round %d: a void match is not played again", m.Round)
						}
						w.replaces(m, next)
						w.best(next)
					}
				}
				w.Over(x)
				lines := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
				if lines[0].BotID != bots[0].ID || lines[0].Wins == 0 || lines[0].Losses > 0 {
					t.Errorf("in front is %+v, want the best bot without a loss", lines[0])
				}
				l := must.Get(w.Ladder(w.Ctx, x.LadderID))(w.T)
				events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: x.LadderID}, store.Page{Limit: 100}))(w.T)
				if l.NextSeq != int64(played)+1 || len(events) != 2*played {
					t.Errorf("the ladder is at place %d with %d changes; want %d places, all of them rated", l.NextSeq, len(events), played)
				}
				w.Must(w.CheckRatings(w.Ctx, x.LadderID))
			})
		})
	}
}

// replaces checks what a replay has of the match that it replaces, and what not.
func (w *world) replaces(m, next tournament.Match) {
	w.T.Helper()
	old := w.Reload(m.ID)
	must.Same(w.T, "old.Rated", old.Rated, false)
	must.Same(w.T, "old.LadderSeq", old.LadderSeq, 0)
	must.Same(w.T, "next.Rated", next.Rated, true)
	must.Same(w.T, "next.LadderSeq", next.LadderSeq, m.LadderSeq)
	must.Same(w.T, "next.LadderID", next.LadderID, m.LadderID)
	must.Same(w.T, "next.Round", next.Round, m.Round)
	must.Same(w.T, "next.Block", next.Block, m.Block)
	must.Same(w.T, "next.ReplayOf", next.ReplayOf, m.First())
	must.Same(w.T, "next.Replay", next.Replay, m.Replay+1)
	must.Same(w.T, "next.Status", next.Status, tournament.MatchQueued)
	for i, s := range next.Seats {
		if s.BotID != m.Seats[i].BotID || s.VersionID != m.Seats[i].VersionID || s.Build != m.Seats[i].Build {
			w.T.Errorf("seat %d is %s's, want that of %s", i, s.BotName, m.Seats[i].BotName)
		}
	}
	aliases := func(m tournament.Match) string { return m.Seats[0].Alias + m.Seats[1].Alias }
	if next.Nonce == m.Nonce || aliases(next) == aliases(m) {
		w.T.Error("nonce or aliases of the void match are used again")
	}
	shared := false
	for _, o := range w.All(store.MatchFilter{TournamentID: m.TournamentID}) {
		shared = shared || m.TournamentID != "" && o.Round == m.Round && o.Block == m.Block && o.First() != m.First()
	}
	if shared != (next.Seed == m.Seed) {
		w.T.Errorf("the same seed: %v; the block has another match: %v", next.Seed == m.Seed, shared)
	}
}

func TestAMatchIsPlayedAgainThreeTimesAndThenItsOrganiserIsTold(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		hook, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://org", Secret: "whsec_1", Enabled: true, Kinds: []tournament.EventKind{tournament.EventMatchGivenUp}}, 9)
		w.Must(err)
		m := list[0]
		for n := range tournament.MaxReplays {
			next, again := w.void(m)
			if !again || next.Replay != n+1 || w.heard(tournament.EventMatchGivenUp) != 0 {
				t.Fatalf("after %d void ones: played again %v, replay %d, told %d times", n+1, again, next.Replay, w.heard(tournament.EventMatchGivenUp))
			}
			w.replaces(m, next)
			m = next
		}
		if _, again := w.void(m); again {
			t.Errorf("played again after %d replays", tournament.MaxReplays)
		}
		last := w.Reload(m.ID)
		if last.LadderSeq != list[0].LadderSeq || w.heard(tournament.EventMatchGivenUp) != 1 {
			t.Errorf("the last has place %d, and was told of %d times; want place %d, once", last.LadderSeq, w.heard(tournament.EventMatchGivenUp), list[0].LadderSeq)
		}
		sent := must.First(w.Deliveries(w.Ctx, hook.ID, store.Page{}))(w.T)
		if len(sent) != 1 || sent[0].Kind != tournament.EventMatchGivenUp {
			t.Errorf("the organiser is sent %+v, want one %s", sent, tournament.EventMatchGivenUp)
		}
		w.toEnd(x)
		w.Over(x)
		events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: x.LadderID}, store.Page{}))(w.T)
		if len(events) != 4 {
			t.Errorf("%d changes of ratings, want those of the two other matches", len(events))
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
	})
}

func TestWhatSomebodyWantsVoidIsNotPlayedAgain(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, list := w.Running(4, nil)
		w.Did(w.VoidMatch(w.Ctx, list[0].ID, "by an administrator"))
		w.Did(w.Withdraw(w.Ctx, x.ID, list[5].Seats[0].BotID, list[5].Seats[0].OwnerID))
		again, _ := w.void(w.open(x)[0])
		w.Take(again)
		w.Did(w.Cancel(w.Ctx, x.ID, "rain"))
		replays := 0
		for _, m := range w.All(store.MatchFilter{TournamentID: x.ID}) {
			if m.Replay > 0 {
				replays++
			}
			if !m.Status.Over() || m.ID != again.First() && (m.VoidCause != "" || m.ReplayedAs != "") {
				t.Errorf("match %s is %s by %q, played again as %q", m.ID, m.Status, m.VoidCause, m.ReplayedAs)
			}
		}
		if replays != 1 {
			t.Errorf("%d replays, want the one of the match that was void by our fault", replays)
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
	})
}

func TestAMatchOfALadderIsPlayedAgainAndAChallengeIsNot(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		w.Did(w.EnsureLadder(w.Ctx, storetest.Toy))
		fox, owl := w.NewBot("fox", w.NewUser("ada")), w.NewBot("owl", w.NewUser("bob"))
		for _, b := range []tournament.Bot{fox, owl} {
			w.Did(w.JoinLadder(w.Ctx, storetest.Toy, b.ID, b.OwnerID, 60))
		}
		made := must.Get(w.MakeLadder(w.Ctx, storetest.Toy, 100))(w.T)
		m := w.All(store.MatchFilter{LadderID: storetest.Toy})[0]
		next, again := w.void(m)
		if made != 1 || !again {
			t.Fatalf("%d made, played again %v", made, again)
		}
		w.replaces(m, next)
		if _, over, err := w.Reader(w.Ctx).Block(w.Reload(m.ID)); err != nil || over {
			t.Errorf("over %v (%v): the void match is open to all while the same bots sit in the replay", over, err)
		}
		if seen, err := w.Watch(w.Ctx, m.ID); err != nil || !seen.Open {
			t.Errorf("its page is open %v (%v)", !seen.Open, err)
		}
		made = must.Get(w.MakeLadder(w.Ctx, storetest.Toy, 100))(w.T)
		if made != 0 {
			t.Error("bots are paired while they wait for their replay")
		}
		w.Must(w.Played(next, 0))
		if _, over, err := w.Reader(w.Ctx).Block(w.Reload(m.ID)); err != nil || !over {
			t.Errorf("over %v (%v), want it open once the replay is over", over, err)
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
		c, err := w.Challenge(w.Ctx, director.Challenge{
			Game: storetest.Toy, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(), Bots: []string{fox.ID, owl.ID},
			Asker: tournament.Asker{UserID: fox.OwnerID, Admin: true},
		})
		w.Must(err)
		if _, again := w.void(c); again {
			t.Error("a challenge is played again")
		}
	})
}

// The rules may have changed between the void match and its replay: that one is played under those that hold then.
func TestAReplayIsOfTheRulesThatHoldThen(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		_, list := w.Running(2, nil)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET rules_version = 0").Error)
		if next, _ := w.void(w.Reload(list[0].ID)); next.RulesVersion != list[0].RulesVersion {
			t.Errorf("rules %d, want %d", next.RulesVersion, list[0].RulesVersion)
		}
	})
}

// Many who say at once that a match is void make one replay, and so does one whose commit was cut.
func TestAPlaceIsGivenAwayOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		m := w.Take(list[0])
		w.Warm(8)
		if ended := directortest.Race(8, func(int) error { return w.Void(w.Ctx, m, "ours", nil) }, func(err error) { directortest.Refused(t, "void", err, tournament.ErrFenced) }); ended != 1 {
			t.Errorf("void %d times", ended)
		}
		if n := len(w.open(x)); n != 3 {
			t.Errorf("%d matches wait, want 2 and the replay", n)
		}
	})
}

func TestAReplayWhoseCommitWasCutIsMadeOnce(t *testing.T) {
	c, open := storetest.Through(t)
	w := newWorld(t, open)
	x, list := w.Running(3, nil)
	for i, how := range []storetest.Cut{storetest.OnTheWayThere, storetest.OnTheWayBack} {
		m := w.Take(list[i])
		void := func() error { return w.Void(w.Ctx, m, "ours", nil) }
		c.Arm(how, storetest.IsCommit)
		if err := void(); err == nil || errors.Is(err, tournament.ErrFenced) || c.Cuts() != i+1 {
			t.Fatalf("cut %d: got %v after %d cuts, want an error that says nothing of the outcome", how, err, c.Cuts())
		}
		if err := void(); how == storetest.OnTheWayThere && err != nil || how == storetest.OnTheWayBack && !errors.Is(err, tournament.ErrFenced) {
			t.Errorf("cut %d: tried again: %v", how, err)
		}
	}
	all := w.All(store.MatchFilter{TournamentID: x.ID})
	places := map[int64]int{}
	for _, m := range all {
		places[m.LadderSeq]++
	}
	jobs := w.number("SELECT COUNT(*) FROM river_job")
	if want := map[int64]int{0: 2, 1: 1, 2: 1, 3: 1}; jobs != 5 || !maps.Equal(places, want) {
		t.Errorf("%d jobs and the places %v, want 5 and %v", jobs, places, want)
	}
	w.toEnd(x)
	w.Over(x)
}

func TestAnArenaKeepsTheBotsOfAReplayBusy(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.field(2, func(x *tournament.Tournament) {
			x.Format, x.Duplicate, x.Options.LastsMS = tournament.Arena, false, time.Minute.Milliseconds()
		})
		next, again := w.void(w.open(x)[0])
		w.Must(w.Advance(w.Ctx, x.ID))
		if list := w.open(x); !again || len(list) != 1 || list[0].ID != next.ID {
			t.Errorf("%d matches wait, want the replay alone: its bots are not free", len(list))
		}
		w.best(next)
		lines := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
		if i := slices.IndexFunc(lines, func(l tournament.Standing) bool { return l.BotID == bots[0].ID }); i < 0 || lines[i].Wins != 1 {
			t.Errorf("standings %+v, want the win in the replay", lines)
		}
	})
}

// A comparison of versions counts the replays: it ends as if nothing had been void.
func TestATrialCountsTheReplays(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		u := w.NewUser("author")
		first, second := w.NewBot("first", u), w.NewBot("second", u)
		var ends []string // by whether matches are void
		for _, faults := range []bool{false, true} {
			x := w.tryOut(first, second, func(x *tournament.Tournament) { x.Options.Test.MaxPairs = 20 })
			if faults {
				for _, m := range w.open(x)[:5] {
					w.void(m)
				}
			}
			for w.status(x).Status == tournament.Running {
				m := w.open(x)[0]
				w.Must(w.Played(m, slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == first.ID })))
			}
			ends = append(ends, w.status(x).Reason)
		}
		if ends[0] != ends[1] || ends[0] == "" {
			t.Errorf("ends %q, want both alike", ends)
		}
	})
}
