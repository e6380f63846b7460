package director_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// fitted returns a fit of a ladder as it stands, with the advantages given and a row for each of its versions.
func (w *world) fitted(l tournament.Ladder, advantages ...tournament.Advantage) tournament.LadderFit {
	w.T.Helper()
	h := must.Get(w.History(w.Ctx, l.ID))(w.T)
	f := tournament.LadderFit{LadderID: l.ID, ToSeq: h.ToSeq, Matches: len(h.Matches), Blocks: len(h.Matches), Advantages: advantages, Took: time.Second}
	for i, v := range h.Versions {
		f.Rows = append(f.Rows, tournament.FitRow{
			VersionID: v.VersionID, BotID: v.BotID, Bot: v.Bot, Number: v.Number, Matches: 40,
			Estimate: tournament.Normal(1600-0.125*float64(i), 20+40*float64(i)), Best: i + 1, Worst: i + 2, Island: 1,
		})
	}
	return f
}

func (w *world) ladder(id string) tournament.Ladder {
	w.T.Helper()
	return must.Get(w.Ladder(w.Ctx, id))(w.T)
}

// seatWorth returns what two seats are worth.
func seatWorth(first float64) []tournament.Advantage {
	return []tournament.Advantage{{Seats: 2, Seat: 0, Estimate: tournament.Normal(first, 3)}, {Seats: 2, Seat: 1, Estimate: tournament.Normal(-first, 3)}}
}

func TestAFitComesBackWholeAndStandsBesideTheLadder(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		l := w.ladder(x.LadderID)
		if f, err := w.Fit(w.Ctx, l.ID); err != nil || !cmp.Equal(f, tournament.LadderFit{LadderID: l.ID}) {
			t.Errorf("before the first: got %+v (%v), want nothing but the id", f, err)
		}
		w.PlayAll(list)
		f := w.fitted(l, seatWorth(12.5)...)
		f.Teams = []string{"agent", "mole"}
		for i := range f.Rows {
			f.Rows[i].High += 10 // lopsided
			f.Rows[i].Roles = []tournament.Estimate{{Elo: 1500.5, SE: 7, Low: 1487, High: 1510.25}, {Elo: 1499.5, SE: 8, Low: 1480, High: 1512}}
		}
		w.Must(w.SaveFit(w.Ctx, f, 0))
		f.FittedAt = w.Clock.Now().UTC().Truncate(time.Microsecond)
		got := must.Get(w.Fit(w.Ctx, l.ID))(w.T)
		directortest.Alike(t, "the fit", f, got)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE fit_rows SET low = NULL, high = NULL WHERE version_id = ?", f.Rows[0].VersionID).Error)
		old := must.Get(w.Fit(w.Ctx, l.ID))(w.T)
		must.Same(t, "a row of a release before, without bounds", old.Rows[0].Estimate, tournament.Normal(f.Rows[0].Elo, f.Rows[0].SE))
		w.Must(w.SQL(w.Ctx).Exec("UPDATE fit_rows SET low = ?, high = ? WHERE version_id = ?", f.Rows[0].Low, f.Rows[0].High, f.Rows[0].VersionID).Error)
		rows := must.First(w.LadderRows(w.Ctx, l.ID, store.Page{}))(w.T)
		for _, r := range rows {
			at := slices.IndexFunc(f.Rows, func(x tournament.FitRow) bool { return x.VersionID == r.VersionID })
			want := f.Rows[at]
			want.BotID, want.Bot, want.Number = "", "", 0
			if r.Fit == nil || !cmp.Equal(*r.Fit, want) {
				t.Errorf("%s: got %+v beside it, want %+v", r.Bot, r.Fit, want)
			}
		}
		older := f
		older.ToSeq, older.Rows = f.ToSeq-1, nil
		w.Must(w.SaveFit(w.Ctx, older, 0))
		if got, err := w.Fit(w.Ctx, l.ID); err != nil || len(got.Rows) != 3 {
			t.Errorf("a fit that has seen less took the place of a newer one: %+v (%v)", got, err)
		}
	})
}

// history returns the fits' points of a bot by place in the order, as its page shows them and as the rating events carry them.
func (w *world) history(botID string) map[int64]tournament.FitPoint {
	w.T.Helper()
	shown, carried := map[int64]tournament.FitPoint{}, map[int64]tournament.FitPoint{}
	career := must.Get(w.Career(w.Ctx, botID))(w.T)
	for _, p := range career.Points {
		shown[p.Seq] = p.FitPoint
	}
	for _, v := range career.Versions {
		var want []int64
		ladder := ""
		for _, p := range career.Points {
			if p.Version == v.Number {
				want, ladder = append(want, p.Milli), p.LadderID
			}
		}
		got := must.Get(w.Trends(w.Ctx, ladder, []string{v.ID, w.T.Name()}))(w.T)
		if diff := cmp.Diff(want, got[v.ID]); diff != "" || len(got) > 1 {
			w.T.Errorf("the trend of version %d among %d (-page +trend)\n%s", v.Number, len(got), diff)
		}
	}
	events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{BotID: botID}, store.Page{}))(w.T)
	for _, e := range events {
		if e.Fit != nil {
			carried[e.LadderSeq] = *e.Fit
		}
	}
	directortest.Alike(w.T, "the page and the events of a bot do not agree", shown, carried)
	return shown
}

func TestARatingsHistoryIsThatOfTheFits(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil) // three bots meet each other: two matches a bot
		l := w.ladder(x.LadderID)
		finish := func(m tournament.Match) {
			w.Must(w.Played(m, 0))
		}
		bot := list[0].Seats[0].BotID
		want, last := map[int64]tournament.FitPoint{}, int64(0)
		for i, m := range list {
			finish(m)
			if m.Seats[0].BotID == bot || m.Seats[1].BotID == bot {
				last = int64(i + 1)
			}
			f := w.fitted(l)
			for j, r := range f.Rows {
				f.Rows[j].Estimate = tournament.Estimate{Elo: 1500.125 + float64(i), SE: 10, Low: 1480.25, High: 1533.5 + float64(i)}
				if r.BotID == bot && want[last] == (tournament.FitPoint{}) {
					want[last] = tournament.FitPoint{Milli: 1500125 + 1000*int64(i), LowMilli: 1480250, HighMilli: 1533500 + 1000*int64(i)}
				}
			}
			w.Must(w.SaveFit(w.Ctx, f, 0))
			w.Must(w.SaveFit(w.Ctx, f, 0)) // one more look at the same matches adds nothing
			directortest.Alike(t, fmt.Sprintf("after match %d", i+1), want, w.history(bot))
		}
		if len(want) != 2 {
			t.Errorf("the bot played at %d places, want 2", len(want))
		}
	})
}

func TestARatingIsProvisionalWhileItsIntervalIsWide(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		w.PlayAll(list)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET games = 30").Error)
		for _, fitted := range []bool{false, true} {
			if fitted { // standard errors 20, 60 and 100: half intervals of 39, 118 and 196
				w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID)), 0))
			}
			rows := must.First(w.LadderRows(w.Ctx, x.LadderID, store.Page{}))(w.T)
			for _, r := range rows {
				if want := fitted && r.Fit.SE > 51; r.Provisional != want {
					t.Errorf("%s with 30 matches: provisional = %v, want %v (fit %+v)", r.Bot, r.Provisional, want, r.Fit)
				}
			}
		}
	})
}

func TestALadderIsFittedByOneProcessAtATimeAndOnlyForNewResults(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		due := func(want bool, when string) {
			t.Helper()
			ids := must.Get(w.DueFits(w.Ctx))(w.T)
			if slices.Contains(ids, x.LadderID) != want {
				t.Errorf("%s: due are %v, want the ladder among them: %v", when, ids, want)
			}
		}
		due(false, "without results")
		finish := func(m tournament.Match) {
			w.Must(w.Played(m, 0))
		}
		finish(list[0])
		due(true, "after the first result")
		got := directortest.Race(4, func(int) error {
			ours, err := w.ClaimFit(w.Ctx, x.LadderID)
			if err == nil && !ours {
				err = errNotOurs
			}
			return err
		}, func(err error) {
			if !errors.Is(err, errNotOurs) {
				t.Error(err)
			}
		})
		must.Same(t, "processes that have it", got, 1)
		due(false, "while one is at it")
		w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID)), 0))
		due(false, "without results since")
		finish(list[1])
		due(true, "after another result")
		w.Must(w.RestFit(w.Ctx, x.LadderID, time.Hour))
		due(false, "while it rests")
	})
}

var errNotOurs = errors.New("another was first")

func TestTheHistoryIsWhatIsRated(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(4, func(x *tournament.Tournament) { x.Duplicate = true })
		for i, m := range list {
			c := w.Take(m)
			switch i {
			case 2: // and with it the other match on its deal
				w.Must(w.wanted(c, "x"))
			case 4:
				o := directortest.Won(c, 0)
				o.Retired, o.Rank = game.Only(0), []int{2, 1}
				w.Must(w.Finish(w.Ctx, c, o, nil))
			default:
				w.Must(w.Finish(w.Ctx, c, directortest.Won(c, i%2), nil))
			}
		}
		h := must.Get(w.History(w.Ctx, x.LadderID))(w.T)
		if h.ToSeq != int64(len(list)) || len(h.Matches) != len(list)-2 || len(h.Versions) != 4 {
			t.Fatalf("got %d matches of %d versions up to place %d; want %d, 4, %d", len(h.Matches), len(h.Versions), h.ToSeq, len(list)-2, len(list))
		}
		states, parents := make([]rating.State, 4), make([]int, 4)
		for i, v := range h.Versions {
			states[i], parents[i] = rating.New(), v.Parent
			if v.Number != 1 || v.Parent != -1 || v.Bot == "" {
				t.Errorf("version %+v: want number 1, no parent, a name", v)
			}
		}
		var matches []rating.Match
		blocks := map[int]int{}
		for _, m := range h.Matches {
			matches = append(matches, m.Match)
			blocks[m.Block]++
		}
		if len(blocks) != 5 || blocks[0] != 0 {
			t.Errorf("blocks %v, want 5 of 2 matches", blocks)
		}
		states = must.Get(rating.Fold(states, parents, matches, rating.Params{Rule: rating.WideRule}))(w.T)
		for i, r := range must.Get(w.ReplayRatings(w.Ctx, x.LadderID))(w.T) {
			if got := (rating.State{Rating: rating.Milli(r.Milli), Games: r.Games}); r.VersionID != h.Versions[i].VersionID || got != states[i] {
				t.Errorf("version %s: the fold of the history gives %+v, the replay %+v", r.VersionID, states[i], got)
			}
		}
	})
}

func TestASeasonFreezesTheAdvantagesFromTheNextMatchScheduledOn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.field(2, func(x *tournament.Tournament) { x.Cycles = 2 })
		directortest.Refused(t, "without a fit", directortest.Err(w.NewSeason(w.Ctx, x.LadderID)), tournament.ErrState)
		list := w.open(x)
		c := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, c, directortest.Won(c, 0), nil))
		w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID), seatWorth(40)...), 0))
		next := must.Get(w.NewSeason(w.Ctx, x.LadderID))(w.T)
		if next.Number != 2 || next.FromSeq != int64(len(list))+1 || !cmp.Equal(next.Advantages, seatWorth(40)) || w.ladder(x.LadderID).Season != 2 {
			t.Errorf("the next season is %+v, want number 2 from place %d with the fit's advantages", next, len(list)+1)
		}
		directortest.Refused(t, "a season without a match", directortest.Err(w.NewSeason(w.Ctx, x.LadderID)), tournament.ErrState)
		w.toEnd(x) // scheduled in the first season, played in the second
		y := w.again(bots, nil)
		w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID), seatWorth(-5.5)...), 0))
		w.Did(w.NewSeason(w.Ctx, x.LadderID))
		w.toEnd(y)
		w.toEnd(w.again(bots, nil))
		all := must.Get(w.Seasons(w.Ctx, x.LadderID))(w.T)
		want := []tournament.Season{
			{LadderID: x.LadderID, Number: 1, FromSeq: 1},
			{LadderID: x.LadderID, Number: 2, FromSeq: 3, Advantages: seatWorth(40)},
			{LadderID: x.LadderID, Number: 3, FromSeq: 4, Advantages: seatWorth(-5.5)},
		}
		directortest.Alike(t, "the seasons", want, all, cmpopts.IgnoreFields(tournament.Season{}, "BeganAt"))
		w.mustExpect(x.LadderID, map[int64]float64{1: 0, 2: 0, 3: 80, 4: -11})
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		undo := errors.New("undo")
		err := w.InTx(w.Ctx, func(tx *store.Tx) error {
			w.Must(tx.SQL.Exec("UPDATE seasons SET from_seq = 2 WHERE number = 2").Error)
			if err := director.CheckRatings(tx.Reader, x.LadderID); !errors.Is(err, director.ErrRatings) {
				t.Errorf("a season moved: got %v, want %v", err, director.ErrRatings)
			}
			return undo
		})
		if !errors.Is(err, undo) {
			t.Error(err)
		}
	})
}

// again returns another tournament of the bots, started.
func (w *world) again(bots []tournament.Bot, change func(*tournament.Tournament)) tournament.Tournament {
	w.T.Helper()
	x := w.Plan(change)
	x = w.Begin(x, bots...)
	return x
}

// mustExpect checks the advantage of the first seat, in Elo by place, that the expectations of the events rest on.
func (w *world) mustExpect(ladderID string, worth map[int64]float64) {
	w.T.Helper()
	events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: ladderID}, store.Page{Limit: store.MaxPage}))(w.T)
	before := map[string]int64{}
	for _, e := range events {
		before[e.MatchID+e.VersionID] = e.BeforeMilli
	}
	for _, e := range events {
		m := w.Reload(e.MatchID)
		first, second := m.Seats[0].VersionID, m.Seats[1].VersionID
		if e.VersionID != first {
			continue
		}
		want := rating.Expected(float64(before[m.ID+first]-before[m.ID+second])/1000 + worth[e.LadderSeq])
		if math.Abs(e.Expected-want) > 1e-9 {
			w.T.Errorf("place %d: the first seat expects %v, want %v with %v Elo for the seat", e.LadderSeq, e.Expected, want, worth[e.LadderSeq])
		}
	}
	must.Same(w.T, "events", len(events), 2*len(worth))
}
