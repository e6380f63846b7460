package director_test

import (
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// misled plays a round robin of nine bots in which what the first one is in goes wrong, and returns that one.
func (w *world) misled(gameID string, wrong func(m tournament.Match, seat int)) (first string, others []string) {
	w.T.Helper()
	x, bots := w.field(9, func(x *tournament.Tournament) { x.Game, x.Config = gameID, nil })
	for list := w.open(x); len(list) > 0; list = w.open(x) {
		for _, m := range list {
			seat := slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == bots[0].ID })
			if seat >= 0 && m.Replay == 0 {
				wrong(m, seat)
				continue
			}
			w.Must(w.Played(m, 0))
		}
	}
	for _, b := range bots[1:] {
		others = append(others, b.ID)
	}
	return bots[0].ID, others
}

// judged judges every suspect, and returns who is paused for what.
func (w *world) judged() map[string]tournament.Conduct {
	w.T.Helper()
	ids := must.Get(w.Suspects(w.Ctx))(w.T)
	out := map[string]tournament.Conduct{}
	for _, id := range ids {
		conduct := must.Get(w.JudgeBot(w.Ctx, id))(w.T)
		if conduct != "" {
			out[id] = conduct
		}
	}
	return out
}

func TestABotPastABoundIsPausedUntilAnAdministratorLiftsIt(t *testing.T) {
	for _, row := range []struct {
		want  tournament.Conduct
		game  string
		wrong func(w *world, m tournament.Match, seat int)
	}{
		{tournament.ConductVoids, storetest.Toy, func(w *world, m tournament.Match, _ int) { w.void(m) }},
		{tournament.ConductRetirements, storetest.ToyTeams, func(w *world, m tournament.Match, seat int) {
			m = w.Take(m)
			o := directortest.Won(m, 1-seat)
			o.Retired = game.Only(game.Seat(seat))
			w.Must(w.Finish(w.Ctx, m, o, nil))
		}},
	} {
		t.Run(string(row.want), func(t *testing.T) {
			on(t, storetest.Each, func(t *testing.T, w *world) {
				bad, _ := w.misled(row.game, func(m tournament.Match, seat int) { row.wrong(w, m, seat) })
				if got := w.judged(); len(got) != 1 || got[bad] != row.want {
					t.Fatalf("paused %v, want %s alone for %s: the others were in one such match each", got, bad, row.want)
				}
				b := must.Get(w.Bot(w.Ctx, bad))(w.T)
				if b.Status != tournament.BotPaused || b.BannedAt == nil || b.Conduct != row.want {
					t.Errorf("got %+v, want it paused for %s", b, row.want)
				}
				directortest.Refused(t, "its owner wakes it", directortest.Err(w.Greet(bad, "")), tournament.ErrState)
				directortest.Refused(t, "a health check wakes it", directortest.Err(w.Check(bad, "")), tournament.ErrState)
				w.Clock.Move(time.Second)
				b = must.Get(w.UnbanBot(w.Ctx, bad))(w.T)
				if b.BannedAt != nil || b.Conduct != "" {
					t.Errorf("got %+v after the ban was lifted", b)
				}
				if got := w.judged(); len(got) != 0 {
					t.Errorf("paused %v again for what was before", got)
				}
			})
		})
	}
}

// Whoever asks for matches by challenge could have another's bot retired from them, or fill its own window with matches that go well.
func TestNobodyIsJudgedByChallenges(t *testing.T) {
	for _, row := range []struct {
		name                   string
		inRounds, inChallenges bool // where it is retired
		want                   tournament.Conduct
	}{
		{"retired from challenges alone", false, true, ""},
		{"retired from all but challenges", true, false, tournament.ConductRetirements},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			play := func(m tournament.Match, seat int, retired bool) {
				m = w.Take(m)
				o := directortest.Won(m, 1-seat)
				if retired {
					o.Retired = game.Only(game.Seat(seat))
				}
				w.Must(w.Finish(w.Ctx, m, o, nil))
			}
			bad, others := w.misled(storetest.ToyTeams, func(m tournament.Match, seat int) { play(m, seat, row.inRounds) })
			for range tournament.ConductWindow {
				m := must.Get(w.Challenge(w.Ctx, director.Challenge{
					Game: storetest.ToyTeams, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
					Bots: []string{others[0], bad}, Asker: tournament.Asker{UserID: w.Org.ID, Admin: true},
				}))(w.T)
				play(m, 1, row.inChallenges)
			}
			if got := w.judged()[bad]; got != row.want {
				t.Errorf("%s: paused for %q, want %q", row.name, got, row.want)
			}
		})
	}
}

func TestVoidsThatSomebodyWantedAreNobodysConduct(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		w.misled(storetest.Toy, func(m tournament.Match, _ int) { w.Must(w.wanted(m, "a word from above")) })
		if got := w.judged(); len(got) != 0 {
			t.Errorf("paused %v", got)
		}
		list := must.Get(w.Conduct(w.Ctx, w.Clock.Now().Add(-time.Hour), 10))(w.T)
		if len(list) != 0 {
			t.Errorf("counted %+v", list)
		}
	})
}

func TestWhatBotsDoIsCountedTheWorstFirst(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		n := 0
		bad, others := w.misled(storetest.Toy, func(m tournament.Match, seat int) {
			if n++; n <= 3 {
				w.void(m)
				return
			}
			m = w.Take(m)
			broken := directortest.Step(1, 2)
			broken.Turns[seat].Fault = string(tournament.FaultConnect)
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, broken))
			o := directortest.Won(m, 1-seat)
			o.Faults[seat] = 1
			if n == 8 {
				o.Retired = game.Only(game.Seat(seat))
			}
			w.Must(w.Finish(w.Ctx, m, o, nil))
		})
		list := must.Get(w.Conduct(w.Ctx, w.Clock.Now().Add(-time.Hour), 10))(w.T)
		if len(list) != 4 {
			t.Fatalf("%d bots, want the bad one and the three it met in void matches: %+v", len(list), list)
		}
		b := must.Get(w.Bot(w.Ctx, bad))(w.T)
		want := tournament.BotConduct{BotID: bad, Bot: b.Name, Owner: b.Name, Matches: 11, Voids: 3, Retirements: 1, Resets: 5}
		if list[0] != want {
			t.Errorf("got %+v first, want %+v", list[0], want)
		}
		for _, x := range list[1:] {
			if !slices.Contains(others, x.BotID) || x.Voids != 1 || x.Matches != 9 || x.Resets != 0 {
				t.Errorf("got %+v, want one void match of 9 of one of %v", x, others)
			}
		}
		if list, err := w.Conduct(w.Ctx, w.Clock.Now().Add(time.Hour), 10); err != nil || len(list) != 0 {
			t.Errorf("counted %+v (%v) since later", list, err)
		}
	})
}
