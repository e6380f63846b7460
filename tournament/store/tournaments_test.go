package store_test

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
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestATournamentComesBackAsItWasMade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		made := w.plan(func(x *tournament.Tournament) {
			x.Config = json.RawMessage(`{"b":1,"a":  2}`)
			x.Clock = tournament.Clock{Limit: 1500 * time.Microsecond, Bank: 2 * time.Second, Increment: time.Microsecond, Allowance: 3 * time.Millisecond}
			x.Limits = tournament.FaultLimits{InRow: 2, Total: 5}
			x.Duplicate, x.Table, x.Cycles = true, 4, 3
		})
		if made.LadderID != storetest.Toy || made.Status != tournament.Scheduled || made.StartsAt.Location() != time.UTC || made.StartsAt.Nanosecond()%1000 != 0 {
			t.Errorf("made %+v; want the toy's ladder, scheduled, UTC in microseconds", made)
		}
		got, err := w.Tournament(w.ctx, made.ID)
		w.must(err)
		if diff := cmp.Diff(made, got); diff != "" {
			t.Error(diff)
		}
		unrated := w.plan(func(x *tournament.Tournament) { x.Rated = false })
		if unrated.LadderID != "" {
			t.Errorf("an unrated tournament has the ladder %q", unrated.LadderID)
		}
		for _, row := range []struct {
			name   string
			filter store.TournamentFilter
			want   int
		}{{"all", store.TournamentFilter{}, 2}, {"game", store.TournamentFilter{Game: storetest.ToyTeams}, 0}, {"status", store.TournamentFilter{Status: tournament.Scheduled, Game: storetest.Toy}, 2}, {"other status", store.TournamentFilter{Status: tournament.Running}, 0}} {
			list, _, err := w.Tournaments(w.ctx, row.filter, store.Page{})
			w.must(err)
			if len(list) != row.want {
				t.Errorf("%s: %d tournaments, want %d", row.name, len(list), row.want)
			}
		}
	})
}

func TestATournamentIsDueFromItsStartOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		late := w.plan(nil)
		early := w.plan(func(x *tournament.Tournament) { x.StartsAt = x.StartsAt.Add(-30 * time.Minute) })
		due := func() (ids []string) {
			list, err := w.DueTournaments(w.ctx)
			w.must(err)
			for _, x := range list {
				ids = append(ids, x.ID)
			}
			return ids
		}
		w.clk.move(time.Hour - time.Microsecond)
		if diff := cmp.Diff([]string{early.ID}, due()); diff != "" {
			t.Errorf("a microsecond before: %s", diff)
		}
		w.clk.move(time.Microsecond)
		if diff := cmp.Diff([]string{early.ID, late.ID}, due()); diff != "" {
			t.Errorf("at the start: %s", diff)
		}
		_, err := w.Cancel(w.ctx, early.ID, "rain")
		w.must(err)
		if diff := cmp.Diff([]string{late.ID}, due()); diff != "" {
			t.Errorf("after a cancellation: %s", diff)
		}
	})
}

func TestEntriesComeAndGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada := w.user("ada")
		x, b := w.plan(nil), w.bot("fox", ada)
		_, err := w.Join(w.ctx, x.ID, b.ID, w.org.ID)
		refused(t, "somebody else's bot", err, tournament.ErrNotYours)
		_, err = w.Withdraw(w.ctx, x.ID, b.ID, ada.ID)
		refused(t, "withdraw before joining", err, tournament.ErrNotFound)
		e, err := w.Join(w.ctx, x.ID, b.ID, ada.ID)
		w.must(err)
		check := func(e tournament.Entry) {
			t.Helper()
			list, err := w.Entries(w.ctx, x.ID)
			w.must(err)
			if diff := cmp.Diff([]tournament.Entry{e}, list); diff != "" {
				t.Error(diff)
			}
		}
		check(e)
		_, err = w.Join(w.ctx, x.ID, b.ID, ada.ID)
		refused(t, "join twice", err, tournament.ErrTaken)
		_, err = w.Withdraw(w.ctx, x.ID, b.ID, w.org.ID)
		refused(t, "withdraw somebody else's bot", err, tournament.ErrNotYours)
		gone, err := w.Withdraw(w.ctx, x.ID, b.ID, ada.ID)
		w.must(err)
		if gone.WithdrawnAt == nil {
			t.Error("withdrawn, but not when")
		}
		check(gone)
		_, err = w.Withdraw(w.ctx, x.ID, b.ID, ada.ID)
		refused(t, "withdraw twice", err, tournament.ErrState)
		w.clk.move(time.Minute)
		e, err = w.Join(w.ctx, x.ID, b.ID, ada.ID)
		w.must(err)
		check(e)
	})
}

func TestHiddenTeamsTakeOneEntryPerOwnerWhenRated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada := w.user("ada")
		a, b := w.bot("a", ada), w.bot("b", ada)
		rated := w.plan(func(x *tournament.Tournament) { x.Game = storetest.ToyTeams })
		_, err := w.Join(w.ctx, rated.ID, a.ID, ada.ID)
		w.must(err)
		_, err = w.Join(w.ctx, rated.ID, b.ID, ada.ID)
		refused(t, "a second bot", err, tournament.ErrLimit)
	})
}

func TestTheLastPlaceIsTakenOnceByAHundredAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x := w.plan(func(x *tournament.Tournament) { x.Capacity, x.OwnerEntries = 3, 3 })
		var bots []tournament.Bot
		for i := range 102 {
			bots = append(bots, w.bot(fmt.Sprint("b", i), w.org))
		}
		for _, b := range bots[100:] {
			_, err := w.Join(w.ctx, x.ID, b.ID, w.org.ID)
			w.must(err)
		}
		w.warm(8)
		won := race(100, func(i int) error {
			_, err := w.Join(w.ctx, x.ID, bots[i].ID, w.org.ID)
			return err
		}, func(err error) { refused(t, "no place", err, tournament.ErrFull) })
		list, err := w.Entries(w.ctx, x.ID)
		w.must(err)
		if won != 1 || len(list) != 3 {
			t.Errorf("%d joined and %d are entered; want 1 and 3", won, len(list))
		}
	})
}

func TestAStartMakesTheWholeScheduleOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x := w.plan(func(x *tournament.Tournament) { x.Duplicate = true })
		var bots []tournament.Bot
		for i := range 5 {
			b := w.bot(fmt.Sprint("b", i), w.user(fmt.Sprint("u", i)))
			bots = append(bots, b)
			_, err := w.Join(w.ctx, x.ID, b.ID, b.OwnerID)
			w.must(err)
		}
		_, err := w.Withdraw(w.ctx, x.ID, bots[0].ID, bots[0].OwnerID)
		w.must(err)
		_, err = w.RetireBot(w.ctx, bots[1].ID, "old")
		w.must(err)
		w.warm(8)
		won := race(10, func(int) error { _, err := w.Start(w.ctx, x.ID); return err },
			func(err error) { refused(t, "a second start", err, tournament.ErrState) })
		if won != 1 {
			t.Fatalf("started %d times", won)
		}
		got, err := w.Tournament(w.ctx, x.ID)
		w.must(err)
		if got.Status != tournament.Running || got.StartedAt == nil {
			t.Errorf("tournament %+v is not running", got)
		}
		entries, err := w.Entries(w.ctx, x.ID)
		w.must(err)
		for i, e := range entries {
			if playing := i >= 2; (e.WithdrawnAt == nil) != playing || (e.VersionID == bots[i].VersionID) != playing {
				t.Errorf("entry %+v; want it fixed to its bot's version if it plays (%v)", e, playing)
			}
		}
		list := w.all(store.MatchFilter{TournamentID: x.ID})
		if len(list) != 6 { // three pairs, each from both sides
			t.Fatalf("%d matches, want 6", len(list))
		}
		seats := map[string]int{}
		for i, m := range list {
			if m.LadderSeq != int64(i+1) || m.Status != tournament.MatchQueued || m.Epoch != 0 || m.RulesVersion != 1 || string(m.Config) != string(x.Config) ||
				m.Clock != x.Clock || m.Limits != x.Limits || m.Engine != "" || m.Nonce == [16]byte{} || m.Seed == (game.Seed{}) {
				t.Errorf("match %+v", m)
			}
			seats[m.Seats[0].BotName+" before "+m.Seats[1].BotName]++
			block := slices.DeleteFunc(slices.Clone(list), func(o tournament.Match) bool { return o.Round != m.Round || o.Block != m.Block })
			if len(block) != 2 || block[0].Seed != m.Seed || block[1].Seed != m.Seed || block[0].Nonce == block[1].Nonce || block[0].Number != 1 || block[1].Number != 2 {
				t.Errorf("block of match %d: %+v; want two matches, one seed, nonces of their own", i, block)
			}
		}
		if len(seats) != 6 {
			t.Errorf("seatings %v; want each pair once from each side", slices.Sorted(maps.Keys(seats)))
		}
		var jobs int64
		w.must(w.SQL(w.ctx).Table("river_job").Where("kind = ?", "play_match").Count(&jobs).Error)
		if jobs != 6 {
			t.Errorf("%d jobs, want 6", jobs)
		}
	})
}

func TestAliasesAreFreshAndDistinctAndTellNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.running(8, func(x *tournament.Tournament) { x.Table, x.Cycles, x.Duplicate = 4, 2, true })
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
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x := w.plan(nil)
		_, err := w.Join(w.ctx, x.ID, w.bot("only", w.org).ID, w.org.ID)
		w.must(err)
		_, err = w.Start(w.ctx, x.ID)
		refused(t, "an early start", err, tournament.ErrState)
		w.clk.move(time.Hour)
		got, err := w.Start(w.ctx, x.ID)
		w.must(err)
		if got.Status != tournament.Cancelled || !strings.Contains(got.Reason, "1 entries") || got.EndedAt == nil {
			t.Errorf("got %s, reason %q, ended %v; want cancelled for 1 entry", got.Status, got.Reason, got.EndedAt)
		}
		stored, err := w.Tournament(w.ctx, x.ID)
		w.must(err)
		if diff := cmp.Diff(got, stored); diff != "" {
			t.Error(diff)
		}
		_, err = w.Start(w.ctx, x.ID)
		refused(t, "start again", err, tournament.ErrState)
	})
}

func TestCancellingVoidsWhatIsNotOverAndFreesTheLadder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(3, nil)
		first := w.claim(list[0])
		w.must(w.Finish(w.ctx, first, won(first, 0), nil))
		running := w.claim(list[1])
		other, next := w.running(2, nil)
		done := w.claim(next[0])
		w.must(w.Finish(w.ctx, done, won(done, 0), nil)) // waits on the ladder behind two open matches

		got, err := w.Cancel(w.ctx, x.ID, "rain")
		w.must(err)
		if got.Status != tournament.Cancelled || got.Reason != "rain" {
			t.Errorf("got %+v", got)
		}
		for i, want := range []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid, tournament.MatchVoid} {
			if m := w.match(list[i].ID); m.Status != want || (want == tournament.MatchVoid) != strings.Contains(m.Reason, "rain") {
				t.Errorf("match %d is %s (%q), want %s", i, m.Status, m.Reason, want)
			}
		}
		refused(t, "the cancelled match's worker records", w.AppendStep(w.ctx, running.ID, running.Epoch, step(1, 2)), tournament.ErrFenced)
		refused(t, "the cancelled match's worker finishes", w.Finish(w.ctx, running, won(running, 0), nil), tournament.ErrFenced)
		l, err := w.Ladder(w.ctx, x.LadderID)
		w.must(err)
		if l.NextSeq != 5 || l.LastSeq != 4 {
			t.Errorf("ladder waits for %d of %d, want 5 of 4: void matches take their places", l.NextSeq, l.LastSeq)
		}
		w.must(w.CheckRatings(w.ctx, x.LadderID))
		_, err = w.Cancel(w.ctx, x.ID, "again")
		refused(t, "cancel twice", err, tournament.ErrState)
		_, err = w.Cancel(w.ctx, other.ID, "too late")
		refused(t, "cancel a finished one", err, tournament.ErrState)
	})
}

func TestStandingsAreOfTheMatchesDone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(3, nil)
		m := w.claim(list[0])
		o := won(m, 1)
		o.Faults[0] = 2
		w.must(w.Finish(w.ctx, m, o, nil))
		got, err := w.Standings(w.ctx, x.ID)
		w.must(err)
		if len(got) != 3 || got[0].Rank != 1 || got[0].BotID != m.Seats[1].BotID || got[0].Points != 1 || got[0].Score != 3 {
			t.Errorf("standings %+v; want seat 1 of the first match first", got)
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
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x := w.plan(func(x *tournament.Tournament) { x.Capacity = 1 })
		first, second := w.bot("first", w.org), w.bot("second", w.user("ada"))
		late := make(chan error, 1)
		w.must(w.InTx(w.ctx, func(tx *store.Tx) error {
			if err := tx.Exec("SELECT id FROM tournaments WHERE id = ? FOR UPDATE", x.ID); err != nil {
				return err
			}
			go func() { _, err := w.Join(w.ctx, x.ID, second.ID, second.OwnerID); late <- err }()
			w.untilBlocked()
			return tx.Exec("INSERT INTO entries (tournament_id, bot_id, joined_at) VALUES (?, ?, ?)", x.ID, first.ID, x.CreatedAt)
		}))
		refused(t, "the second of one place", <-late, tournament.ErrFull)
	})
}
