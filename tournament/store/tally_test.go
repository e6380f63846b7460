package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// line is what a ladder's line tells of the matches of a version.
type line struct {
	Games, Wins, Draws, Losses, Faults int
	Form                               string
	P95                                time.Duration
}

// told are the lines of a ladder.
func (w *world) told(ladder string) map[string]line {
	w.T.Helper()
	rows, next, err := w.LadderRows(w.Ctx, ladder, store.Page{Limit: 100})
	w.Must(err)
	if next != "" {
		w.T.Fatal("more than a page")
	}
	out := map[string]line{}
	for _, r := range rows {
		out[r.VersionID] = line{Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Faults: r.Faults, Form: r.Form, P95: r.P95}
	}
	return out
}

// recounted are the same from the matches that rated them, one by one.
func (w *world) recounted(ladder string) map[string]line {
	w.T.Helper()
	out := map[string]line{}
	for p := (store.Page{Sort: store.Oldest, Limit: 100}); ; {
		events, next, err := w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: ladder}, p)
		w.Must(err)
		for _, e := range events {
			l := out[e.VersionID]
			for _, s := range w.Reload(e.MatchID).Seats {
				if s.VersionID != e.VersionID {
					continue
				}
				l.Games++
				l.Faults += s.Faults
				l.P95 = s.P95
				switch s.Verdict {
				case tournament.Win:
					l.Wins++
					l.Form = "W" + l.Form
				case tournament.Draw:
					l.Draws++
					l.Form = "D" + l.Form
				case tournament.Loss:
					l.Losses++
					l.Form = "L" + l.Form
				}
			}
			l.Form = l.Form[:min(5, len(l.Form))]
			out[e.VersionID] = l
		}
		if p.After = next; next == "" {
			return out
		}
	}
}

// chance is an outcome by luck: winners, draws, faults, who retired, how long they took.
func chance(luck *rand.Rand, m tournament.Match) runner.Outcome {
	n := len(m.Seats)
	o := directortest.Won(m, luck.IntN(n))
	if m.Game == storetest.ToyTeams {
		o = directortest.Won(m, n)
		o.Result.Team = make([]string, n)
		for i, best := 0, luck.IntN(2); i < n; i++ {
			if o.Result.Team[i] = fmt.Sprint("team ", i%2); i%2 == best {
				o.Result.Rank[i], o.Result.Points[i] = 1, 3
			}
		}
	} else if luck.IntN(4) == 0 {
		for i := range n {
			o.Result.Rank[i], o.Result.Points[i] = 1, 1
		}
	}
	o.Rank = append([]int(nil), o.Result.Rank...)
	for i := range n {
		o.Faults[i], o.P95[i] = luck.IntN(3), time.Duration(luck.IntN(4))*time.Millisecond
	}
	if luck.IntN(4) == 0 {
		seat := luck.IntN(n)
		o.Retired, o.Rank[seat] = game.Only(game.Seat(seat)), n
	}
	return o
}

// Whatever finishes, is void or is withdrawn: the counts are those of the matches that rated.
func TestALaddersCountsAreThoseOfTheMatchesThatRatedIt(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		luck := rand.New(rand.NewPCG(11, 11))
		field := map[string][]tournament.Match{}
		for _, change := range []func(*tournament.Tournament){
			func(x *tournament.Tournament) { x.Cycles = 2 },
			func(x *tournament.Tournament) { x.Table = 3 },
			func(x *tournament.Tournament) { x.Duplicate = true },
			func(x *tournament.Tournament) { x.Game, x.Table, x.Cycles = storetest.ToyTeams, 4, 3 },
		} {
			_, list := w.Running(4, change)
			field[list[0].LadderID] = append(field[list[0].LadderID], list...)
		}
		check := func(ladder, after string) {
			t.Helper()
			directortest.Alike(t, fmt.Sprintf("%s, after %s", ladder, after), w.recounted(ladder), w.told(ladder))
			if err := w.CheckRatings(w.Ctx, ladder); err != nil {
				t.Errorf("after %s: %v", after, err)
			}
		}
		for ladder, list := range field {
			for i, m := range list {
				if i == 3 {
					w.Did(w.Withdraw(w.Ctx, m.TournamentID, m.Seats[0].BotID, m.Seats[0].OwnerID))
					check(ladder, "a withdrawal")
				}
				if m = w.Reload(m.ID); m.Status.Over() {
					continue
				}
				switch m = w.Take(m); luck.IntN(8) {
				case 0:
					w.Must(w.Void(w.Ctx, m, "x", nil))
				case 1:
					w.Did(w.VoidMatch(w.Ctx, m.ID, "an admin's"))
				default:
					w.Must(w.Finish(w.Ctx, m, chance(luck, m), nil))
				}
				if i%5 == 4 {
					check(ladder, fmt.Sprint("match ", i))
				}
			}
			check(ladder, "all")
			file := backup(t, w.Store)
			storetest.One(t, func(t *testing.T, to storetest.Open) {
				s := w.restored(t, to, bytes.NewReader(file))
				directortest.Alike(t, "restored", w.told(ladder), s.told(ladder))
			})
		}
	})
}

func TestALadderReadsNoMatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.Running(3, nil)
		w.PlayAll(list)
		var asked []string
		s := open(store.Options{Now: w.Clock.Now, Query: func(sql string) { asked = append(asked, sql) }})
		if _, _, _, err := s.LadderPage(w.Ctx, x.LadderID, "", store.Page{}); err != nil || len(asked) != 2 {
			t.Errorf("%d statements (%v), want 2: %q", len(asked), err, asked)
		}
	})
}
