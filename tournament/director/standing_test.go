package director_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestAStandingLadderGivesEverybodyMatches(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 9, 600)
		played := map[string]int{}
		for range 12 {
			for _, m := range w.Tick(l) {
				w.best(m)
				for _, s := range m.Seats {
					played[s.BotID]++
				}
			}
			w.Clock.Move(time.Minute)
		}
		least, most := 1000, 0
		for _, b := range bots {
			least, most = min(least, played[b.ID]), max(most, played[b.ID])
		}
		if least < 8 || most-least > 3 {
			t.Errorf("%d to %d matches in 12 ticks, want all to have about as many", least, most)
		}
		w.Must(w.CheckRatings(w.Ctx, l.ID))
		got := must.Get(w.Ladder(w.Ctx, l.ID))(w.T)
		if got.NextSeq != got.LastSeq+1 || got.LastSeq == 0 {
			t.Errorf("rated up to %d of %d", got.NextSeq-1, got.LastSeq)
		}
	})
}

func TestADeadBotDelaysNobodyOnTheLadder(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 7, 600)
		w.Did(w.Check(bots[0].ID, "it is gone"))
		slow := w.Take(w.Tick(l)[0]) // is never played to its end
		stuck := map[string]bool{}
		for _, s := range slow.Seats {
			stuck[s.BotID] = true
		}
		played := map[string]int{}
		for range 6 {
			for _, m := range w.Tick(l) {
				w.best(m)
				for _, s := range m.Seats {
					played[s.BotID]++
				}
			}
		}
		for i, b := range bots {
			switch n := played[b.ID]; {
			case i == 0 && n > 0:
				t.Errorf("the bot that is paused got %d matches", n)
			case stuck[b.ID] && n > 0:
				t.Errorf("%s got %d matches beside the one it is in", b.Name, n)
			case i > 0 && !stuck[b.ID] && len(bots)-1-len(stuck) > 1 && n == 0:
				t.Errorf("%s got no match while others were stuck", b.Name)
			}
		}
	})
}

func TestALadderKeepsWhatAnEntryAsksFor(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.ToyTeams, 2, 3)
		hour := func() (n int) {
			for range 20 { // a third of an hour: its matches are spread
				for _, m := range w.Tick(l) {
					m = w.Take(m)
					w.Must(w.wanted(m, "not the matter here"))
					n++
				}
				w.Clock.Move(time.Minute)
			}
			return n
		}
		must.Same(t, "matches in an hour", hour(), 3)
		w.Clock.Move(time.Hour)
		must.Same(t, "matches in the next hour", hour(), 3)
		w.Clock.Move(time.Hour)
		w.Must(w.LeaveLadder(w.Ctx, l.ID, bots[0].ID, bots[0].OwnerID))
		must.Same(t, "matches of one bot", hour(), 0)
		directortest.Refused(t, "leave twice", w.LeaveLadder(w.Ctx, l.ID, bots[0].ID, bots[0].OwnerID), tournament.ErrNotFound)
		again := w.NewBot("second", tournament.User{ID: bots[1].OwnerID})
		w.Did(w.JoinLadder(w.Ctx, l.ID, again.ID, bots[1].OwnerID, 3))
		must.Same(t, "matches of two bots of one owner in a game with hidden teams", hour(), 0)
		for what, row := range map[string]struct {
			ladder, bot, owner string
			perHour            int
			want               error
		}{
			"a ladder that is not there": {"chess", again.ID, again.OwnerID, 3, tournament.ErrNotFound},
			"somebody else's bot":        {l.ID, bots[0].ID, again.OwnerID, 3, tournament.ErrNotYours},
			"no matches at all":          {l.ID, again.ID, again.OwnerID, 0, tournament.ErrInvalid},
			"too many matches":           {l.ID, again.ID, again.OwnerID, 601, tournament.ErrInvalid},
		} {
			if _, err := w.JoinLadder(w.Ctx, row.ladder, row.bot, row.owner, row.perHour); !errors.Is(err, row.want) {
				t.Errorf("%s: got %v, want %v", what, err, row.want)
			}
		}
	})
}

// However many wait at once, few or a crowd, and whichever of two processes seats them, nobody meets the same opponents within five matches.
func TestALadderRemembersWhoMetWhom(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		w.end(w.Tick(l)) // what was looked back on then is too little later
		for _, sql := range []string{
			"INSERT INTO users (id, name, name_folded, role, created_at) SELECT 'u' || i, 'u' || i, 'u' || i, 'owner', created_at FROM bots, g WHERE id = ?",
			"INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes)" +
				" SELECT 'b' || i, 'u' || i, 'b' || i, 'b' || i, status, '', 'v' || i, created_at, checked_at, 0 FROM bots, g WHERE id = ?",
			"INSERT INTO versions (id, bot_id, number, url, secrets, author, build, created_at)" +
				" SELECT 'v' || i, 'b' || i, 1, url, secrets, '', '', created_at FROM versions, g WHERE bot_id = ?",
			"INSERT INTO version_games (version_id, position, game) SELECT 'v' || i, position, game FROM version_games x JOIN bots b ON b.version_id = x.version_id, g WHERE b.id = ?",
			"INSERT INTO ladder_entries (ladder_id, bot_id, matches_per_hour, joined_at) SELECT ladder_id, 'b' || i, 600, joined_at FROM ladder_entries, g WHERE bot_id = ?",
		} {
			w.Must(w.SQL(w.Ctx).Exec("WITH RECURSIVE g (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM g WHERE i < 249) "+sql, bots[0].ID).Error)
		}
		met := map[string][]string{} // by bot: the line-ups of its matches
		processes := [2]*director.Director{w.Director, directortest.New(w.Store)}
		for tick := range 12 {
			w.Director = processes[tick/2%2] // each in ticks of both kinds
			list := w.Tick(l)
			for _, m := range list {
				ids, lineup := together(m)
				for _, id := range ids {
					past := met[id]
					if slices.Contains(past[max(0, len(past)-5):], lineup) {
						t.Errorf("tick %d: %s sit together again", tick, lineup)
					}
				}
			}
			ending := list // in even ticks all end, in odd ones a few
			if tick%2 > 0 {
				ending = list[:15]
			}
			w.end(ending)
			for _, m := range ending {
				ids, lineup := together(m)
				for _, id := range ids {
					met[id] = append(met[id], lineup)
				}
			}
		}
	})
}

// end makes queued matches void.
func (w *world) end(list []tournament.Match) {
	w.T.Helper()
	for _, m := range list {
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET status = 'void', ended_at = created_at WHERE id = ?", m.ID).Error)
	}
}

// The last matches count, not the first, to a process that has just started and to one that has looked on for long.
func TestALadderLooksBackOnItsLastMatches(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		l, _ := w.StandingLadder(storetest.Toy, 6, 600)
		met := map[string][]string{}
		for tick := range 120 {
			if tick == 60 {
				w.Director = directortest.New(w.Store)
			}
			list := w.Tick(l)
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

// Where an owner's bots may have one match open, it goes to the one that has waited the longest, to a process that has just started too.
func TestTheBotsOfAnOwnerTakeTurns(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, _ := w.StandingLadder(storetest.Toy, 1, 600)
		many := w.NewUser("many")
		for _, id := range w.NewBots(many, 3) {
			w.Clock.Move(time.Second)
			w.Did(w.JoinLadder(w.Ctx, l.ID, id, many.ID, 600))
		}
		for turn := range 9 {
			if turn == 5 {
				w.Director = directortest.New(w.Store)
			}
			w.Clock.Move(time.Minute)
			w.Did(w.MakeLadder(w.Ctx, l.ID, 1))
			list := w.All(store.MatchFilter{LadderID: l.ID, Status: tournament.MatchQueued})
			if len(list) != 1 {
				t.Fatalf("turn %d: %d matches, want one", turn, len(list))
			}
			want := fmt.Sprintf("many-%02d", turn%3)
			if !slices.ContainsFunc(list[0].Seats, func(s tournament.MatchSeat) bool { return s.BotName == want }) {
				t.Errorf("turn %d is not of %s", turn, want)
			}
			w.end(list)
		}
	})
}

// Who is rated alike meets; a bot of one camp meets one of the other when nobody else is left, or by the one draw in ten that is uniform.
func TestALadderSeatsBotsWithThoseRatedAlike(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 24, 600)
		camp := map[string]int{} // by bot
		for i, b := range bots {
			camp[b.ID] = i % 2
			w.Must(w.SQL(w.Ctx).Exec("INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq, wins, losses) VALUES (?, ?, ?, ?, 50, 1, 0, 0)",
				l.ID, b.VersionID, b.ID, 1_000_000+2_000_000*(i%2)).Error)
		}
		mixed, all := 0, 0
		for range 6 {
			list := w.Tick(l)
			for _, m := range list {
				camps := map[int]bool{}
				for _, s := range m.Seats {
					camps[camp[s.BotID]] = true
				}
				if all++; len(camps) > 1 {
					mixed++
				}
			}
			w.end(list)
		}
		if all < 36 || mixed > all/2 {
			t.Errorf("%d of %d tables have bots with 2,000 Elo between them, want a fifth or so", mixed, all)
		}
	})
}

// together returns the bots of a match, in no order of seats.
func together(m tournament.Match) (ids []string, lineup string) {
	for _, s := range m.Seats {
		ids = append(ids, s.BotID)
	}
	slices.Sort(ids)
	return ids, strings.Join(ids, " ")
}

// A ladder of a variant is beside the base ladder: its own matches have its configuration, seats and clock, results enter it alone, and
// what was there keeps its ratings.
func TestALadderOfAVariantIsBesideTheBaseLadder(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		base, bots := w.StandingLadder(storetest.Toy, 6, 600)
		for _, m := range w.Tick(base) {
			w.best(m)
		}
		before := must.Get(w.ReplayRatings(w.Ctx, base.ID))(w.T)

		want := tournament.Ladder{ID: "toy-long", Game: storetest.Toy, Config: []byte(`{"steps":9}`), Table: 3, Beliefs: true, ClockClass: tournament.ClockSlow}
		long := must.Get(w.OpenLadder(w.Ctx, want))(w.T)
		if !long.Alike(want) || long.Season != 1 || long.NextSeq != 1 {
			t.Errorf("opened %+v", long)
		}
		alike, game := want, want
		alike.ID, game.ID, game.Table = "toy-longer", storetest.ToyTeams, 4
		for what, l := range map[string]tournament.Ladder{"twice": want, "of matches that another has": alike, "with the id of a game": game} {
			directortest.Refused(t, what, directortest.Err(w.OpenLadder(w.Ctx, l)), tournament.ErrTaken)
		}
		if _, err := w.OpenLadder(w.Ctx, alike); err == nil || !strings.Contains(err.Error(), `ladder "toy-long" has`) {
			t.Errorf("it is not said which ladder has these matches: %v", err)
		}

		for _, b := range bots {
			w.Did(w.JoinLadder(w.Ctx, long.ID, b.ID, b.OwnerID, 600))
		}
		made := w.Tick(long)
		if len(made) == 0 {
			t.Error("it makes no matches")
		}
		for _, m := range made {
			if len(m.Seats) != 3 || string(m.Config) != `{"steps":9}` || m.Clock != tournament.ClockSlow.Clock() || !m.Beliefs {
				t.Errorf("its match has %d seats, %s, %+v, beliefs %v", len(m.Seats), m.Config, m.Clock, m.Beliefs)
			}
			w.best(m)
		}
		w.Must(w.CheckRatings(w.Ctx, base.ID))
		w.Must(w.CheckRatings(w.Ctx, long.ID))
		if after, err := w.ReplayRatings(w.Ctx, base.ID); err != nil || !slices.Equal(before, after) {
			t.Errorf("the base ladder has changed (%v): %v, before %v", err, after, before)
		}
		if rows, _, err := w.LadderRows(w.Ctx, long.ID, store.Page{}); err != nil || len(rows) != 3*len(made) {
			t.Errorf("%d are rated after %d matches of three (%v)", len(rows), len(made), err)
		}

		x, list := w.Running(3, func(x *tournament.Tournament) { x.LadderID = long.ID })
		w.PlayAll(list)
		got := must.Get(w.Ladder(w.Ctx, long.ID))(w.T)
		if x.LadderID != long.ID || got.Rated() != int64(len(made)+len(list)) {
			t.Errorf("the event enters %s, where %d of %d and %d matches are rated", x.LadderID, got.Rated(), len(made), len(list))
		}
		states := must.Get(w.LadderStates(w.Ctx, bots[0]))(w.T)
		if len(states) != 2 || states[0].LadderID != base.ID || states[1].LadderID != long.ID {
			t.Errorf("it is on %+v", states)
		}
		if all, err := w.Ladders(w.Ctx); err != nil || len(all) != 2 || !all[0].IsBase() || all[1].ID != long.ID {
			t.Errorf("ladders %+v (%v)", all, err)
		}
	})
}

// The answer to a change of the pace is the entry as it is kept: of the time when the bot joined.
func TestAChangeOfThePaceIsNoNewEntry(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		b := bots[0]
		w.Clock.Move(24 * time.Hour)
		said := must.Get(w.JoinLadder(w.Ctx, l.ID, b.ID, b.OwnerID, 20))(w.T)
		states := must.Get(w.LadderStates(w.Ctx, b))(w.T)
		if kept := states[0]; !said.JoinedAt.Equal(kept.JoinedAt) || said.MatchesPerHour != 20 || said.BotName != b.Name || w.Clock.Now().Sub(said.JoinedAt) < 24*time.Hour {
			t.Errorf("the answer is %+v, and kept is %v, of the day before", said, kept.JoinedAt)
		}
	})
}
