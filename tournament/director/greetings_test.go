package director_test

import (
	"crypto/rand"
	"errors"
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

// A round of a Swiss waits for the greeting of who failed in the one before, and leaves out whoever is gone; not longer than a while, for
// it may be our fault that nobody is greeted. A match that a bot played well makes nobody wait.
func TestARoundWaitsForGreetings(t *testing.T) {
	for name, row := range map[string]struct {
		found  string // by the greeting
		never  bool   // it does not come about
		paired bool
	}{"gone": {"nothing listens", false, false}, "there": {"", false, true}, "not greeted by our fault": {"", true, true}} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			tour, matches := w.Running(4, func(t *tournament.Tournament) { t.Format, t.Options.Rounds = tournament.Swiss, 3 })
			bot := matches[0].Seats[0].BotID
			w.ends(matches[0], bot, retired)
			w.ends(matches[1], "", well)
			round := func() []tournament.Match {
				w.Must(w.Advance(w.Ctx, tour.ID))
				return w.All(store.MatchFilter{TournamentID: tour.ID})[2:]
			}
			if list := round(); len(list) > 0 {
				t.Errorf("%s: %d matches of the second round before the greeting", name, len(list))
			}
			if row.never {
				w.Clock.Move(tournament.GreetWithin)
			} else {
				w.checks(map[string]string{bot: row.found})
			}
			list := round()
			in := slices.ContainsFunc(list, func(m tournament.Match) bool { return sits(m, bot) })
			if len(list) == 0 || in != row.paired {
				t.Errorf("%s: %d matches in the second round, it is in one: %v", name, len(list), in)
			}
		})
	}
}

// Where checks are carried out, a tournament greets all its bots before the first round, with a decision on trial: neither who died since
// its last check nor who only says hello is paired. In a round robin their matches are forfeited.
func TestATournamentGreetsItsBotsAtTheStart(t *testing.T) {
	for format, matches := range map[tournament.Format]int{tournament.Swiss: 1, tournament.RoundRobin: 3, tournament.Groups: 1} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			w.Director = director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: rand.Reader, Greets: true})
			tour, list := w.Running(5, func(t *tournament.Tournament) {
				t.Format = format
				if format == tournament.Groups {
					t.Options.GroupSize = 5
				}
			})
			if len(list) > 0 {
				t.Fatalf("%s: %d matches before anybody was greeted", format, len(list))
			}
			entries := must.Get(w.Entries(w.Ctx, tour.ID))(w.T)
			bad := map[string]string{entries[2].BotID: "nothing listens", entries[4].BotID: "a decision on trial: status 500"}
			trials := w.checks(bad)
			for _, e := range entries {
				if !trials[e.BotID] {
					t.Errorf("%s: %s is greeted without a decision on trial", format, e.BotName)
				}
			}
			w.Must(w.Advance(w.Ctx, tour.ID))
			played := w.playAll(tour.ID)
			if played[entries[2].BotID]+played[entries[4].BotID] > 0 {
				t.Errorf("%s: matches by bot are %v, want none of who is gone or only says hello", format, played)
			}
			if got := played[entries[0].BotID] + played[entries[1].BotID] + played[entries[3].BotID]; got < matches {
				t.Errorf("%s: the others have %d seats in matches, want %d at least", format, got, matches)
			}
		})
	}
}

// A tournament that starts greets a bot of a running arena so that the arena loses it for no round: it is paired on, and paused if it is
// gone. A bot that plays, or has just played, is not greeted.
func TestATournamentThatStartsCostsNobodyARoundOfAnother(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Director = director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: rand.Reader, Greets: true})
		arena, list := w.Running(5, func(x *tournament.Tournament) {
			x.Format, x.Options.LastsMS = tournament.Arena, (24 * time.Hour).Milliseconds()
		})
		entries := must.Get(w.Entries(w.Ctx, arena.ID))(w.T)
		cup := func() tournament.Tournament {
			x := w.Plan(func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 1 })
			for _, e := range entries {
				w.Did(w.Join(w.Ctx, x.ID, e.BotID, e.OwnerID))
			}
			return must.Get(w.Start(w.Ctx, x.ID))(w.T)
		}
		playing, ended := w.Take(list[0]), list[1]
		idle := slices.IndexFunc(entries, func(e tournament.Entry) bool { return !sits(playing, e.BotID) && !sits(ended, e.BotID) })
		w.ends(ended, "", well) // who played it is paired at once with who was left over
		first := cup()
		if trials := w.checks(nil); len(trials) != 1 || !trials[entries[idle].BotID] {
			t.Errorf("greeted are %v, want %s alone, which neither plays nor has played", trials, entries[idle].BotName)
		}
		w.Must(w.Advance(w.Ctx, first.ID))
		if list := w.open(first); len(list) != 2 {
			t.Errorf("the other tournament has %d matches in its first round, want 2", len(list))
		}

		w.Must(w.Finish(w.Ctx, playing, directortest.Won(playing, 0), nil))
		w.Clock.Move(tournament.ProvenFor)
		cup()
		list = w.open(arena)
		for _, m := range list {
			w.ends(m, "", well)
		}
		w.Must(w.Advance(w.Ctx, arena.ID))
		if n := len(w.open(arena)); len(list) != 2 || n != 2 {
			t.Errorf("the arena has %d matches, and %d after them while all are greeted, want 2 and 2", len(list), n)
		}
		gone := w.open(arena)[0].Seats[0].BotID
		if trials := w.checks(map[string]string{gone: "nothing listens"}); len(trials) != 5 {
			t.Errorf("greeted are %v, want all", trials)
		}
		if status, _ := w.paused(gone); status != tournament.BotPaused {
			t.Errorf("who is gone is %s", status)
		}
	})
}

// The check that is under way for one tournament is the other's too.
func TestTwoTournamentsThatStartGreetTheirBotsOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Director = director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: rand.Reader, Greets: true})
		swiss := func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 1 }
		second := w.Plan(swiss)
		first, bots := w.field(2, func(x *tournament.Tournament) { swiss(x); x.Name = "first" })
		w.Enter(second, bots...)
		due := must.Get(w.DueChecks(w.Ctx, 10, 10, nil))(w.T)
		w.Clock.Move(time.Second)
		w.Begin(second)
		for _, d := range due {
			w.Did(w.Check(d.BotID, ""))
		}
		for _, x := range []tournament.Tournament{first, second} {
			w.Must(w.Advance(w.Ctx, x.ID))
			if list := w.open(x); len(list) != 1 {
				t.Errorf("%s has %d matches after the greeting, want its first round", x.Name, len(list))
			}
		}
	})
}

// playAll plays all that can be claimed in a tournament and returns by bot how many matches it sat in. The sweeper looks at the tournament
// whenever nothing is left to claim.
func (w *world) playAll(id string) map[string]int {
	w.T.Helper()
	seats := map[string]int{}
	for idle := 0; idle < 2; idle++ {
		for _, m := range w.All(store.MatchFilter{TournamentID: id, Status: tournament.MatchQueued}) {
			now, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w1", directortest.Lease)
			if errors.Is(err, tournament.ErrState) {
				continue // it waits
			}
			w.Must(err)
			idle = 0
			for _, s := range now.Seats {
				seats[s.BotID]++
			}
			w.Must(w.Finish(w.Ctx, now, directortest.Won(now, 0), nil))
		}
		w.Must(w.Advance(w.Ctx, id))
	}
	return seats
}

// A bot that dies in a round robin loses the match in which it dies. What it has left waits for it, while the others play; it is played
// if the bot is back in time, and else forfeited at the end.
func TestABotThatDiesInARoundRobinLosesOneMatch(t *testing.T) {
	for name, row := range map[string]struct {
		found  string // by the greeting
		never  bool   // nobody greets it, by our fault
		back   bool   // its owner resumes it before the others are through
		played int    // of its 4 matches
	}{
		"it stays away":         {"nothing listens", false, false, 1},
		"it is there":           {"", false, false, 4},
		"it is back in time":    {"nothing listens", false, true, 4},
		"nobody has greeted it": {"", true, false, 4},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			tour, list := w.Running(5, nil)
			bot, played := list[0].Seats[0].BotID, 1
			w.ends(list[0], bot, retired)
			for _, m := range list[1:] {
				if sits(m, bot) {
					_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID}, "w1", directortest.Lease)
					directortest.Refused(t, name+": a match before the greeting", err, tournament.ErrState)
				}
			}
			state := func(want tournament.EntryCode) {
				t.Helper()
				states := must.Get(w.EntryStates(w.Ctx, tour.ID))(w.T)
				board := must.Get(w.Scoreboard(w.Ctx, tour.ID))(w.T)
				for _, s := range states {
					if s.BotID == bot && s.Code != want || s.BotID != bot && s.Code != tournament.EntryQueued {
						t.Errorf("%s: the entry of %s is %s, want %s of the bot that died", name, s.BotName, s.Code, want)
					}
					if shown := board.States[s.BotID].Code; shown != s.Code {
						t.Errorf("%s: the scoreboard says %s of %s, want %s as the entries say", name, shown, s.BotName, s.Code)
					}
				}
			}
			state(tournament.EntryGreeting)
			if row.never {
				w.Clock.Move(tournament.GreetWithin)
			} else {
				w.checks(map[string]string{bot: row.found})
			}
			if row.found != "" {
				state(tournament.EntryPaused)
			} else {
				state(tournament.EntryQueued)
			}
			w.Must(w.Advance(w.Ctx, tour.ID))
			if row.back {
				w.Did(w.Greet(bot, ""))
			}
			due := must.Get(w.DueRounds(w.Ctx))(w.T)
			if waits := row.back || row.found != ""; slices.Contains(due, tour.ID) != waits {
				t.Errorf("%s: due are %v, want the tournament while matches wait: %v", name, due, waits)
			}
			seats := w.playAll(tour.ID)
			if played += seats[bot]; played != row.played {
				t.Errorf("%s: it played %d matches, want %d", name, played, row.played)
			}
			w.Over(tour)
			for _, l := range must.Get(w.Standings(w.Ctx, tour.ID))(w.T) {
				if want := 4 - row.played; l.BotID == bot && l.Forfeits != want || l.BotID != bot && l.Forfeits != 0 {
					t.Errorf("%s: %s has %d forfeits, want %d of the bot that is gone", name, l.Bot, l.Forfeits, want)
				}
			}
		})
	}
}
