package director_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// places returns the fields that an error refuses.
func places(err error) []string {
	var out []string
	var one *tournament.FieldError
	var many interface{ Unwrap() []error }
	switch {
	case errors.As(err, &many):
		for _, e := range many.Unwrap() {
			out = append(out, places(e)...)
		}
	case errors.As(err, &one):
		out = append(out, one.Pointer)
	}
	return out
}

// enter enters bots, each of an owner of its own, and returns their ids.
func (w *world) enter(x tournament.Tournament, names ...string) (ids []string) {
	w.T.Helper()
	for _, b := range w.Rivals(names...) {
		w.Enter(x, b)
		ids = append(ids, b.ID)
	}
	return ids
}

func TestTheOrganisersSeedsComeBeforeTheRatings(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.Plan(func(x *tournament.Tournament) { x.Format = tournament.SingleElimination })
		ids := w.enter(x, "ann", "ben", "cat", "dan")
		_, err := w.SeedEntries(w.Ctx, x.ID, []string{ids[3], "nobody", ids[3]})
		if got, want := places(err), []string{"/bots/1", "/bots/2"}; !slices.Equal(got, want) {
			t.Errorf("wrong seeds: refused %v (%v), want %v", got, err, want)
		}
		w.Did(w.SeedEntries(w.Ctx, x.ID, []string{ids[0], ids[1]}))
		entries := must.Get(w.SeedEntries(w.Ctx, x.ID, []string{ids[3], ids[1]}))(w.T)
		for i, want := range []int{0, 2, 0, 1} {
			if got := entries[i].Seed; got != want {
				t.Errorf("entry %d has the seed %d, want %d", i, got, want)
			}
		}
		w.Begin(x)
		directortest.Refused(t, "seeds after the start", directortest.Err(w.SeedEntries(w.Ctx, x.ID, nil)), tournament.ErrState)
		// Seeds 1 to 4 are dan, ben, ann and cat: 1 meets 4, and 2 meets 3.
		for _, m := range w.open(x) {
			pair := []string{m.Seats[0].BotID, m.Seats[1].BotID}
			if slices.Contains(pair, ids[3]) != slices.Contains(pair, ids[2]) {
				t.Errorf("the first seed does not meet the last: %s against %s", m.Seats[0].BotName, m.Seats[1].BotName)
			}
		}
	})
}

// Paused at the start, so that nothing begins: the first round is paired again, and the rest is played.
func TestARoundIsPairedAnewBeforeItBegins(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.Plan(func(x *tournament.Tournament) {
			x.Format = tournament.Swiss
			x.Options.Rounds = 2
		})
		ids := w.enter(x, "ann", "ben", "cat", "dan", "eve")
		x = must.Get(w.StartPaused(w.Ctx, x.ID))(w.T)
		if x.PausedAt == nil {
			t.Fatal("started paused, and it is not")
		}
		before := must.First(w.Contest(w.Ctx, x.ID))(w.T)
		kept := before.Rounds[0].Blocks[0].Games[0].Seats
		left := []string{}
		for e, id := range ids {
			if !slices.Contains(kept, e) {
				left = append(left, id)
			}
		}
		change := director.Rearrangement{ByID: w.Org.ID, Reason: "two of one club"}
		change.Tables = [][]string{{left[0], left[0]}, {"nobody"}}
		change.Byes = []string{left[1]}
		err := w.Rearrange(w.Ctx, x.ID, 1, change)
		want := []string{"/tables/0/1", "/tables/1/0", "/tables/1", "/byes"}
		if got := places(err); !slices.Equal(got, want) {
			t.Errorf("a wrong pairing: refused %v (%v), want %v", got, err, want)
		}
		if want := "/tables/1: has 1 bot; a table here takes 2\n"; !strings.Contains(err.Error(), want) {
			t.Errorf("a wrong pairing is refused with %q, want %q", err, want)
		}
		// The one with the bye plays, and one of the second table sits out.
		bye := ids[before.Rounds[0].Byes[0]]
		out := left[slices.IndexFunc(left, func(id string) bool { return id != bye })]
		change.Tables = [][]string{{ids[kept[0]], ids[kept[1]]}, slices.DeleteFunc(slices.Clone(left), func(id string) bool { return id == out })}
		change.Byes = []string{out}
		w.Must(w.Rearrange(w.Ctx, x.ID, 1, change))
		w.Must(w.Rearrange(w.Ctx, x.ID, 1, change)) // once more: it is so already, and nothing is noted
		after, entries, err := w.Contest(w.Ctx, x.ID)
		w.Must(err)
		r := after.Rounds[0]
		if len(r.Byes) != 1 || entries.Entries[r.Byes[0]].BotID != out {
			t.Errorf("byes %v, want %s", r.Byes, out)
		}
		if len(r.Changes) != 1 {
			t.Fatalf("the round keeps the changes %+v, want one", r.Changes)
		}
		if kept := r.Changes[0]; kept.Reason != change.Reason || kept.ByID != w.Org.ID || len(kept.Tables) != 2 {
			t.Errorf("the round keeps %+v of its change", kept)
		}
		void := w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchVoid})
		queued := w.open(x)
		if len(void) != 1 || len(queued) != 2 {
			t.Errorf("%d matches void and %d waiting, want 1 and 2", len(void), len(queued))
		}
		w.Must(w.wanted(queued[0], "by mistake"))
		w.Must(w.Rearrange(w.Ctx, x.ID, 1, change)) // its table gets a match again, the other keeps its own
		if again := w.open(x); len(again) != 2 || !slices.ContainsFunc(again, func(m tournament.Match) bool { return m.ID == queued[1].ID }) {
			t.Errorf("after a match was made void before it began: %+v, want two tables, one of them as it was", again)
		}
		w.Did(w.ResumeTournament(w.Ctx, x.ID))
		m := w.Take(w.open(x)[0])
		w.Must(w.Release(w.Ctx, m.ID, m.Epoch)) // it is queued again, and has begun
		slices.Reverse(change.Tables[0])
		directortest.Refused(t, "a round that has begun", w.Rearrange(w.Ctx, x.ID, 1, change), tournament.ErrState)
		w.toEndOnce(x)
		directortest.Refused(t, "a round that is over", w.Rearrange(w.Ctx, x.ID, 1, change), tournament.ErrState)
		w.toEnd(x)
		w.Over(x)
	})
}

// Whoever withdraws with a bye keeps it: no pairing by hand brings it back to a table.
func TestNobodyWhoHasWithdrawnIsPairedByHand(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, _ := w.field(3, func(x *tournament.Tournament) { x.Format = tournament.Swiss })
		c, who, err := w.Contest(w.Ctx, x.ID)
		w.Must(err)
		table, gone := c.Rounds[0].Blocks[0].Games[0].Seats, who.Entries[c.Rounds[0].Byes[0]]
		w.Did(w.Withdraw(w.Ctx, x.ID, gone.BotID, gone.OwnerID))
		change := director.Rearrangement{ByID: w.Org.ID, Reason: "by hand", Tables: [][]string{{who.Entries[table[0]].BotID, gone.BotID}}, Byes: []string{who.Entries[table[1]].BotID}}
		if err := w.Rearrange(w.Ctx, x.ID, 1, change); !slices.Equal(places(err), []string{"/tables/0/1"}) {
			t.Errorf("a bot that has withdrawn is put at a table: refused %v, want its place", err)
		}
		one, other := who.Entries[table[0]].BotID, who.Entries[table[1]].BotID
		for i, byes := range [][]string{nil, {gone.BotID}} { // nobody need name it
			change.Tables, change.Byes = [][]string{{other, one}}, byes
			w.Must(w.Rearrange(w.Ctx, x.ID, 1, change))
			c := must.First(w.Contest(w.Ctx, x.ID))(w.T)
			if r := c.Rounds[0]; !slices.Equal(r.Byes, []int{slices.IndexFunc(who.Entries, func(e tournament.Entry) bool { return e.BotID == gone.BotID })}) || len(r.Blocks) != 1 {
				t.Errorf("way %d: the round is %+v, want one table and the bye of who has withdrawn", i, r)
			}
			one, other = other, one
		}
	})
}
