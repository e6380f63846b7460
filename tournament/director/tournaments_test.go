package director_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestATournamentComesBackAsItWasMade(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		made := w.Plan(func(x *tournament.Tournament) {
			x.Config = json.RawMessage(`{"b":1,"a":  2}`)
			x.Clock = tournament.Clock{Limit: 1500 * time.Microsecond, Bank: 2 * time.Second, Increment: time.Microsecond, Allowance: 3 * time.Millisecond}
			x.Limits = tournament.FaultLimits{InRow: 2, Total: 5}
			x.Duplicate, x.Table, x.Cycles = true, 4, 3
		})
		if made.LadderID != storetest.Toy || made.Status != tournament.Scheduled || made.StartsAt != w.Clock.Now().Add(time.Hour).UTC().Truncate(time.Microsecond) {
			t.Errorf("made %+v, want it scheduled in an hour, to the microsecond in UTC", made)
		}
		got := must.Get(w.Tournament(w.Ctx, made.ID))(w.T)
		directortest.Alike(t, "the tournament", made, got)
		unrated := w.Plan(func(x *tournament.Tournament) { x.Rated = false })
		if unrated.LadderID != "" {
			t.Errorf("an unrated tournament has the ladder %q", unrated.LadderID)
		}
		for _, row := range []struct {
			name   string
			filter store.TournamentFilter
			want   int
		}{{"all", store.TournamentFilter{}, 2}, {"game", store.TournamentFilter{Game: storetest.ToyTeams}, 0}, {"status", store.TournamentFilter{Status: tournament.Scheduled, Game: storetest.Toy}, 2}, {"other status", store.TournamentFilter{Status: tournament.Running}, 0}} {
			list := must.First(w.Tournaments(w.Ctx, row.filter, store.Page{}))(w.T)
			must.Same(t, row.name+": tournaments", len(list), row.want)
		}
	})
}

func TestATournamentIsDueFromItsStartOn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		late := w.Plan(nil)
		early := w.Plan(func(x *tournament.Tournament) { x.StartsAt = x.StartsAt.Add(-30 * time.Minute) })
		due := func() []string {
			return must.Get(w.DueTournaments(w.Ctx))(w.T)
		}
		w.Clock.Move(time.Hour - time.Microsecond)
		directortest.Alike(t, "a microsecond before", []string{early.ID}, due())
		w.Clock.Move(time.Microsecond)
		directortest.Alike(t, "at the start", []string{early.ID, late.ID}, due())
		w.Did(w.Cancel(w.Ctx, early.ID, "rain"))
		directortest.Alike(t, "after a cancellation", []string{late.ID}, due())
	})
}

func TestEntriesComeAndGo(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		ada := w.NewUser("ada")
		x, b := w.Plan(nil), w.NewBot("fox", ada)
		directortest.Refused(t, "somebody else's bot", directortest.Err(w.Join(w.Ctx, x.ID, b.ID, w.Org.ID)), tournament.ErrNotYours)
		directortest.Refused(t, "withdraw before joining", directortest.Err(w.Withdraw(w.Ctx, x.ID, b.ID, ada.ID)), tournament.ErrNotFound)
		e := must.Get(w.Join(w.Ctx, x.ID, b.ID, ada.ID))(w.T)
		check := func(e tournament.Entry) {
			t.Helper()
			list := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
			directortest.Alike(t, "the entries", []tournament.Entry{e}, list)
		}
		check(e)
		directortest.Refused(t, "join twice", directortest.Err(w.Join(w.Ctx, x.ID, b.ID, ada.ID)), tournament.ErrTaken)
		directortest.Refused(t, "withdraw somebody else's bot", directortest.Err(w.Withdraw(w.Ctx, x.ID, b.ID, w.Org.ID)), tournament.ErrNotYours)
		gone := must.Get(w.Withdraw(w.Ctx, x.ID, b.ID, ada.ID))(w.T)
		if gone.WithdrawnAt == nil {
			t.Error("withdrawn, but not when")
		}
		check(gone)
		directortest.Refused(t, "withdraw twice", directortest.Err(w.Withdraw(w.Ctx, x.ID, b.ID, ada.ID)), tournament.ErrState)
		w.Clock.Move(time.Minute)
		e = must.Get(w.Join(w.Ctx, x.ID, b.ID, ada.ID))(w.T)
		check(e)
	})
}

func TestTheLastPlaceIsTakenOnceByAHundredAtOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.Plan(func(x *tournament.Tournament) { x.Capacity, x.OwnerEntries = 3, 3 })
		var bots []tournament.Bot
		for i := range 102 {
			bots = append(bots, w.NewBot(fmt.Sprint("b", i), w.Org))
		}
		for _, b := range bots[100:] {
			w.Did(w.Join(w.Ctx, x.ID, b.ID, w.Org.ID))
		}
		w.Warm(8)
		won := directortest.Race(100, func(i int) error {
			_, err := w.Join(w.Ctx, x.ID, bots[i].ID, w.Org.ID)
			return err
		}, func(err error) { directortest.Refused(t, "no place", err, tournament.ErrFull) })
		list := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
		if won != 1 || len(list) != 3 {
			t.Errorf("%d joined and %d are entered; want 1 and 3", won, len(list))
		}
	})
}

func TestAStartMakesTheWholeScheduleOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.Plan(func(x *tournament.Tournament) { x.Duplicate = true })
		bots := w.Rivals("b0", "b1", "b2", "b3", "b4")
		w.Enter(x, bots...)
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		w.Did(w.RetireBot(w.Ctx, bots[1].ID, "old"))
		w.Warm(8)
		won := directortest.Race(10, func(int) error { _, err := w.Start(w.Ctx, x.ID); return err },
			func(err error) { directortest.Refused(t, "a second start", err, tournament.ErrState) })
		if won != 1 {
			t.Fatalf("started %d times", won)
		}
		if got := w.status(x); got.Status != tournament.Running || got.StartedAt == nil {
			t.Errorf("tournament %+v is not running", got)
		}
		for i, e := range must.Get(w.Entries(w.Ctx, x.ID))(w.T) {
			if playing := i >= 2; (e.WithdrawnAt == nil) != playing || (e.VersionID == bots[i].VersionID) != playing {
				t.Errorf("entry %+v; want it fixed to its bot's version if it plays (%v)", e, playing)
			}
		}
		list := w.All(store.MatchFilter{TournamentID: x.ID})
		if len(list) != 6 { // three pairs, each from both sides
			t.Fatalf("%d matches, want 6", len(list))
		}
		seats := map[string]int{}
		for i, m := range list {
			want := tournament.Match{
				LadderSeq: int64(i + 1), Number: 1 + i%2, Status: tournament.MatchQueued, RulesVersion: 1, Config: x.Config, Clock: x.Clock, Limits: x.Limits,
			}
			got := tournament.Match{
				LadderSeq: m.LadderSeq, Number: m.Number, Status: m.Status, RulesVersion: m.RulesVersion, Config: m.Config, Clock: m.Clock, Limits: m.Limits,
				Epoch: m.Epoch, Engine: m.Engine,
			}
			if diff := cmp.Diff(want, got); diff != "" || m.Nonce == [16]byte{} || m.Seed == (game.Seed{}) {
				t.Errorf("match %d, nonce %x, seed %x: %s", i, m.Nonce, m.Seed, diff)
			}
			seats[m.Seats[0].BotName+" before "+m.Seats[1].BotName]++
		}
		if jobs := w.number("SELECT COUNT(*) FROM river_job WHERE kind = 'play_match'"); len(seats) != 6 || jobs != 6 {
			t.Errorf("%d jobs and the seatings %v; want 6, and each pair once from each side", jobs, slices.Sorted(maps.Keys(seats)))
		}
	})
}

func TestAliasesAreFreshAndDistinctAndTellNothing(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		_, list := w.Running(8, func(x *tournament.Tournament) { x.Table, x.Cycles, x.Duplicate = 4, 2, true })
		byBot := map[string]map[string]bool{}
		for _, m := range list {
			seen := map[string]bool{}
			for _, s := range m.Seats {
				for _, word := range strings.Split(s.Alias, "-") {
					if seen[word] {
						t.Errorf("match %s: %q comes twice", m.ID, word)
					}
					seen[word] = true
				}
				if byBot[s.BotID] == nil {
					byBot[s.BotID] = map[string]bool{}
				}
				byBot[s.BotID][s.Alias] = true
			}
		}
		for bot, names := range byBot {
			if len(names) < 7 { // of 8 matches, one repeat is luck
				t.Errorf("bot %s had %d names in its matches: %v", bot, len(names), names)
			}
		}
	})
}

func TestTooFewEntriesCancelADueTournamentAndOnlyPutOffAnEarlyStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x := w.Plan(nil)
		w.Did(w.Join(w.Ctx, x.ID, w.NewBot("only", w.Org).ID, w.Org.ID))
		_, err := w.Start(w.Ctx, x.ID)
		directortest.Refused(t, "an early start", err, tournament.ErrState)
		if want := "cannot start yet: 1 entry cannot fill"; !strings.Contains(err.Error(), want) {
			t.Errorf("an early start says %q, want %q", err, want)
		}
		w.Clock.Move(time.Hour)
		got := must.Get(w.Start(w.Ctx, x.ID))(w.T)
		if got.Status != tournament.Cancelled || got.Reason != "1 entry cannot fill a table of 2" || got.EndedAt == nil {
			t.Errorf("got %s, reason %q, ended %v; want cancelled for 1 entry", got.Status, got.Reason, got.EndedAt)
		}
		stored := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
		directortest.Alike(t, "the tournament", got, stored)
		directortest.Refused(t, "start again", directortest.Err(w.Start(w.Ctx, x.ID)), tournament.ErrState)
	})
}

func TestCancellingVoidsWhatIsNotOverAndFreesTheLadder(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		first := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, first, directortest.Won(first, 0), nil))
		running := w.Take(list[1])
		other, next := w.Running(2, nil)
		done := w.Take(next[0])
		w.Must(w.Finish(w.Ctx, done, directortest.Won(done, 0), nil)) // waits on the ladder behind two open matches

		got := must.Get(w.Cancel(w.Ctx, x.ID, "rain"))(w.T)
		if got.Status != tournament.Cancelled || got.Reason != "rain" {
			t.Errorf("got %+v", got)
		}
		for i, want := range []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid, tournament.MatchVoid} {
			if m := w.Reload(list[i].ID); m.Status != want || (want == tournament.MatchVoid) != strings.Contains(m.Reason, "rain") {
				t.Errorf("match %d is %s (%q), want %s", i, m.Status, m.Reason, want)
			}
		}
		directortest.Refused(t, "the cancelled match's worker records", w.AppendStep(w.Ctx, running.ID, running.Epoch, directortest.Step(1, 2)), tournament.ErrFenced)
		directortest.Refused(t, "the cancelled match's worker finishes", w.Finish(w.Ctx, running, directortest.Won(running, 0), nil), tournament.ErrFenced)
		l := must.Get(w.Ladder(w.Ctx, x.LadderID))(w.T)
		if l.NextSeq != 5 || l.LastSeq != 4 {
			t.Errorf("ladder waits for %d of %d, want 5 of 4: void matches take their places", l.NextSeq, l.LastSeq)
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		directortest.Refused(t, "cancel twice", directortest.Err(w.Cancel(w.Ctx, x.ID, "again")), tournament.ErrState)
		directortest.Refused(t, "cancel a finished one", directortest.Err(w.Cancel(w.Ctx, other.ID, "too late")), tournament.ErrState)
	})
}

func TestStandingsAreOfTheMatchesDone(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		m := w.Take(list[0])
		o := directortest.Won(m, 1)
		o.Faults[0] = 2
		w.Must(w.Finish(w.Ctx, m, o, nil))
		got := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
		if first := got[0]; len(got) != 3 || first.Rank != 1 || first.BotID != m.Seats[1].BotID || first.Points != 1 || first.Score != 3 {
			t.Errorf("got %+v, want three lines and the winner first", got)
		}
		for _, s := range got[1:] {
			if s.Rank != 2 || s.Points != 0 {
				t.Errorf("line %+v; want rank 2 without points", s)
			}
			if s.BotID == m.Seats[0].BotID && s.Faults != 2 {
				t.Errorf("line %+v; want 2 faults", s)
			}
		}
	})
}

// The same without luck: while one entry is being made, two others wait for it and then see it.
func TestAJoinWaitsForTheOneUnderWay(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		x := w.Plan(func(x *tournament.Tournament) { x.Capacity = 1 })
		first, second := w.NewBot("first", w.Org), w.NewBot("second", w.NewUser("ada"))
		late := make(chan error, 1)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			if err := tx.SQL.Exec("SELECT id FROM tournaments WHERE id = ? FOR UPDATE", x.ID).Error; err != nil {
				return err
			}
			go func() { _, err := w.Join(w.Ctx, x.ID, second.ID, second.OwnerID); late <- err }()
			storetest.UntilBlocked(t, w.Store)
			return tx.SQL.Exec("INSERT INTO entries (tournament_id, bot_id, joined_at) VALUES (?, ?, ?)", x.ID, first.ID, x.CreatedAt).Error
		}))
		directortest.Refused(t, "the second of one place", <-late, tournament.ErrFull)
	})
}

// A bot that is promoted while its event runs plays on as it was at the start, in the rounds to come and in a match that is played again,
// so that the points of an event are of one program.
func TestAnEntryPlaysWithTheVersionOfItsStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		tour, matches := w.Running(4, func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 2 })
		first := matches[0].Seats[0]
		w.Did(w.Promote(w.Ctx, first.BotID, w.Second(must.Get(w.Bot(w.Ctx, first.BotID))(t), storetest.Toy).ID))
		w.Must(w.Void(w.Ctx, w.Take(matches[0]), "ours", nil))
		for range 2 {
			w.PlayAll(w.All(store.MatchFilter{TournamentID: tour.ID, Status: tournament.MatchQueued}))
		}
		w.Over(tour)
		of := w.All(store.MatchFilter{TournamentID: tour.ID, BotID: first.BotID})
		must.Same(t, "its matches, with the one that is void", len(of), 3)
		for _, m := range of {
			for _, s := range m.Seats {
				if s.BotID == first.BotID && s.VersionID != first.VersionID {
					t.Errorf("round %d, attempt %d: it plays with the version %s, want that of the start, %s", m.Round, m.Replay, s.VersionID, first.VersionID)
				}
			}
		}
	})
}
