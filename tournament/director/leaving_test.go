package director_test

import (
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestWhoLeavesARoundRobinForfeitsWhatHasNotBegun(t *testing.T) {
	for how, leave := range map[string]func(w *world, x tournament.Tournament, b tournament.Bot) error{
		"withdraws": func(w *world, x tournament.Tournament, b tournament.Bot) error {
			_, err := w.Withdraw(w.Ctx, x.ID, b.ID, b.OwnerID)
			return err
		},
		"is retired": func(w *world, _ tournament.Tournament, b tournament.Bot) error {
			_, err := w.RetireBot(w.Ctx, b.ID, "done")
			return err
		},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			x, bots := w.field(4, func(x *tournament.Tournament) { x.Duplicate = true })
			own := store.MatchFilter{TournamentID: x.ID, BotID: bots[0].ID, Named: []string{x.Game}}
			first := w.Take(w.All(own)[0]) // its block has begun
			w.Must(leave(w, x, bots[0]))
			for i, m := range w.All(own) {
				if want := i > 1; (m.Status == tournament.MatchVoid) != want {
					t.Errorf("who %s: its match %d is %s (%s), want void = %v", how, i+1, m.Status, m.Reason, want)
				}
			}
			w.Must(w.Finish(w.Ctx, first, best(first), nil))
			w.toEnd(x)
			lines := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
			if last := lines[3]; last.BotID != bots[0].ID || !last.IsAnnulled || last.Points != 0 || last.Forfeits != 2 {
				t.Errorf("the last is %+v, want who %s, its results annulled and 2 blocks forfeited", last, how)
			}
			if l := lines[0]; l.BotID != bots[1].ID || l.Points != 4 {
				t.Errorf("the best of the rest: %+v, want 4 points: games against who left early count for nobody", l)
			}
			w.Over(x)
		})
	}
}

// A bot that is retired leaves its place in what is to come.
func TestARetiredBotLeavesItsPlace(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.queue("", 3, nil)
		w.Did(w.RetireBot(w.Ctx, bots[0].ID, "done"))
		must.Same(t, "retired", w.stand(x), "a- b c")
	})
}

// A match that its organiser has made void before it began does not begin its block: who is away is waited for, and who leaves plays none of it.
func TestABlockDoesNotBeginWithAVoidMatch(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.field(2, func(x *tournament.Tournament) { x.Duplicate, x.Cycles = true, 2 })
		list := w.open(x)
		w.Must(w.wanted(list[0], "a cable"))
		w.Did(w.PauseBot(w.Ctx, bots[0].ID))
		_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: list[1].ID}, "w", directortest.Lease)
		directortest.Refused(t, "begin the other match while a bot is paused", err, tournament.ErrState)
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		w.are("who has withdrawn plays", tournament.MatchVoid, list...)
		if first := w.Reload(list[0].ID); first.Reason != "a cable" {
			t.Errorf("the first is void for %q, want what the organiser said", first.Reason)
		}
	})
}

// Whoever withdraws before a match has begun does not play it, whatever the format: the other one has the tie, the block or a bye.
func TestWhoHasWithdrawnPlaysNothingThatHasNotBegun(t *testing.T) {
	swiss := func(o tournament.FormatOptions) func(*tournament.Tournament) {
		return func(x *tournament.Tournament) { x.Format, x.Options = tournament.Swiss, o }
	}
	knockout := tournament.FormatOptions{Playoff: tournament.SingleElimination, Finalists: 4}
	for name, row := range map[string]struct {
		entries int
		rounds  int // that are over when it withdraws
		change  func(*tournament.Tournament)
		points  float64 // of the other one in its match, once all is over; -1: that may be anything
	}{
		"single elimination": {4, 0, func(x *tournament.Tournament) { x.Format = tournament.SingleElimination }, -1},
		"a final":            {4, 1, func(x *tournament.Tournament) { x.Format = tournament.SingleElimination }, -1},
		"double elimination": {4, 0, func(x *tournament.Tournament) { x.Format = tournament.DoubleElimination }, -1},
		"a knockout at larger tables": {6, 0, func(x *tournament.Tournament) {
			x.Format, x.Table, x.Options.MinTable = tournament.SingleElimination, 3, 2
		}, -1},
		"its final":              {3, 0, func(x *tournament.Tournament) { x.Format, x.Table = tournament.SingleElimination, 3 }, -1},
		"a swiss":                {4, 0, swiss(tournament.FormatOptions{Rounds: 1}), 1},
		"a swiss, later":         {4, 1, swiss(tournament.FormatOptions{Rounds: 2}), -1},
		"the playoff of a swiss": {4, 1, swiss(tournament.FormatOptions{Rounds: 1, Playoff: knockout.Playoff, Finalists: 4}), -1},
		"groups": {6, 0, func(x *tournament.Tournament) {
			x.Format, x.Options.GroupSize, x.Options.Finalists = tournament.Groups, 3, 2
		}, -1},
		"a gauntlet": {4, 0, func(x *tournament.Tournament) { x.Format = tournament.Gauntlet }, -1},
		"an sprt":    {2, 0, func(x *tournament.Tournament) { x.Format, x.Rated, x.Duplicate = tournament.SPRT, false, true }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, storetest.One, func(t *testing.T, w *world) {
				x, _ := w.field(row.entries, row.change)
				for range row.rounds {
					w.toEndOnce(x)
				}
				m := w.open(x)[0]
				gone := m.Seats[0]
				w.Did(w.Withdraw(w.Ctx, x.ID, gone.BotID, gone.OwnerID))
				for range 20 {
					for _, m := range w.open(x) {
						if sits(m, gone.BotID) {
							t.Errorf("match %d of round %d still has who withdrew", m.Block, m.Round)
						}
					}
					w.toEndOnce(x)
				}
				w.Over(x)
				for _, l := range must.Get(w.Standings(w.Ctx, x.ID))(w.T) {
					if l.Rank == 1 && l.BotID == gone.BotID && x.Format != tournament.SPRT {
						t.Errorf("%s won after it had withdrawn", l.Bot)
					}
					if l.BotID == m.Seats[1].BotID && row.points >= 0 && l.Points != row.points {
						t.Errorf("its opponent has %v points, want %v", l.Points, row.points)
					}
				}
				if x.LadderID != "" {
					w.Must(w.CheckRatings(w.Ctx, x.LadderID))
				}
			})
		})
	}
}
