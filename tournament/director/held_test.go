package director_test

import (
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// goOn does what a sweep does for ladders, until nothing is left to do.
func (w *world) goOn() {
	w.T.Helper()
	for _, id := range must.Get(w.MisplacedLadders(w.Ctx))(w.T) {
		w.Must(w.ReorderLadder(w.Ctx, id))
	}
	for went := 1; went > 0; {
		went = 0
		for _, id := range must.Get(w.PendingLadders(w.Ctx))(w.T) {
			went += must.Get(w.ApplyRatings(w.Ctx, id))(w.T)
		}
	}
}

// rated counts the matches of a tournament that have changed ratings.
func (w *world) rated(x tournament.Tournament) (n int64) {
	w.T.Helper()
	w.Must(w.SQL(w.Ctx).Table("rating_events e").Joins("JOIN matches m ON m.id = e.match_id").Where("m.tournament_id = ?", x.ID).Distinct("e.match_id").Count(&n).Error)
	return n
}

// A tournament that waits holds up no rating of others, whatever it waits for and however much of it is played; what it plays later is rated
// all the same, block by block.
func TestATournamentThatWaitsHoldsUpNoRating(t *testing.T) {
	swiss := func(x *tournament.Tournament) {
		x.Format, x.Options = tournament.Swiss, tournament.FormatOptions{Rounds: 2, RoundPauseMS: time.Hour.Milliseconds()}
	}
	blocks := func(x *tournament.Tournament) { x.Duplicate = true } // of two matches
	pause := func(w *world, x tournament.Tournament) { w.Did(w.PauseTournament(w.Ctx, x.ID)) }
	resume := func(w *world, x tournament.Tournament, _ []tournament.Bot) { w.Did(w.ResumeTournament(w.Ctx, x.ID)) }
	for name, row := range map[string]struct {
		change func(*tournament.Tournament)
		hold   func(w *world, x tournament.Tournament, bots []tournament.Bot)
		free   func(w *world, x tournament.Tournament, bots []tournament.Bot)
	}{
		"for the time of its round": {
			change: swiss,
			hold:   func(w *world, x tournament.Tournament, _ []tournament.Bot) { w.PlayAll(w.open(x)) },
		},
		"paused before it began": {
			change: blocks,
			hold:   func(w *world, x tournament.Tournament, _ []tournament.Bot) { pause(w, x) },
			free:   resume,
		},
		"paused in the middle of a block": {
			change: blocks,
			hold: func(w *world, x tournament.Tournament, _ []tournament.Bot) {
				w.PlayAll(w.open(x)[:3])
				pause(w, x)
			},
			free: resume,
		},
		"paused while a match of the block runs, which is played again": {
			change: blocks,
			hold: func(w *world, x tournament.Tournament, _ []tournament.Bot) {
				w.Take(w.open(x)[1])
				pause(w, x)
			},
			free: func(w *world, x tournament.Tournament, bots []tournament.Bot) {
				w.Must(w.Void(w.Ctx, w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchRunning})[0], "ours", nil))
				resume(w, x, bots)
			},
		},
		"for a bot": {
			change: blocks,
			hold: func(w *world, x tournament.Tournament, bots []tournament.Bot) {
				w.Did(w.Check(bots[0].ID, "it is gone"))
				for _, m := range w.open(x) {
					if err := w.Played(m, 0); err != nil { // it is parked
						continue
					}
				}
			},
			free: func(w *world, x tournament.Tournament, bots []tournament.Bot) {
				for range 2 {
					w.Did(w.Check(bots[0].ID, ""))
				}
				w.Must(w.Advance(w.Ctx, x.ID))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, storetest.Each, func(t *testing.T, w *world) {
				x, bots := w.field(4, row.change)
				row.hold(w, x, bots)
				before := w.rated(x)
				y, list := w.Running(3, blocks)
				w.PlayAll(list)
				if w.rated(y) > 0 {
					t.Fatal("the tournament that waits holds up nothing: this tests nothing")
				}
				w.goOn()
				if got := w.rated(y); got != int64(len(list)) {
					t.Errorf("%d of %d matches of another tournament are rated while this one waits", got, len(list))
				}
				if got := w.rated(x); got < before {
					t.Errorf("%d of its matches are rated, %d were", got, before)
				}
				if list := must.Get(w.MisplacedLadders(w.Ctx))(t); len(list) > 0 {
					t.Errorf("it is still out of order: %v", list)
				}
				w.Must(w.CheckRatings(w.Ctx, x.LadderID))
				if row.free != nil {
					row.free(w, x, bots)
				}
				w.toEnd(x)
				w.goOn()
				w.Over(x)
				if got, want := w.rated(x), len(w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchDone})); got != int64(want) {
					t.Errorf("%d of %d matches are rated in the end", got, want)
				}
				if l := w.ladder(x.LadderID); l.NextSeq != l.LastSeq+1 {
					t.Errorf("the ladder waits for place %d of %d", l.NextSeq, l.LastSeq)
				}
			})
		})
	}
}

// A ladder looks back on its last matches, also where they have moved up in its order since this process read them.
func TestALadderLooksBackOnMatchesThatHaveMovedUp(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		l, _ := w.StandingLadder(storetest.Toy, 6, 600)
		x, _ := w.field(9, nil) // 36 places before those of the ladder's matches
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		met := map[string][]string{}
		for tick := range 40 {
			if tick == 20 {
				w.Must(w.ReorderLadder(w.Ctx, l.ID))
			}
			w.Did(w.MakeLadder(w.Ctx, l.ID, 1000))
			list := slices.DeleteFunc(w.All(store.MatchFilter{LadderID: l.ID, Status: tournament.MatchQueued}), func(m tournament.Match) bool { return m.TournamentID != "" })
			for _, m := range list {
				ids, lineup := together(m)
				for _, id := range ids {
					if past := met[id]; slices.Contains(past[max(0, len(past)-4):], lineup) { // there are five others
						t.Errorf("tick %d: %s sit together again", tick, lineup)
					}
					met[id] = append(met[id], lineup)
				}
			}
			w.end(list)
		}
	})
}
