package director_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/broadcast"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
)

// strength returns the number at the end of a bot's name: bots of [world.running] with a smaller one are stronger.
func strength(s tournament.MatchSeat) string { return s.BotName[len(s.BotName)-2:] }

// best returns an outcome in which the strongest bot wins.
func best(m tournament.Match) runner.Outcome {
	winner := 0
	for i := range m.Seats {
		if strength(m.Seats[i]) < strength(m.Seats[winner]) {
			winner = i
		}
	}
	return directortest.Won(m, winner)
}

// open returns the matches of a tournament that wait to be played.
func (w *world) open(x tournament.Tournament) []tournament.Match {
	w.T.Helper()
	return w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchQueued})
}

// toEnd plays a tournament to its end, the stronger bot winning, and returns how many times matches were waiting.
func (w *world) toEnd(x tournament.Tournament) (turns int) {
	w.T.Helper()
	for list := w.open(x); len(list) > 0; list = w.open(x) {
		turns++
		w.toEndOnce(x)
	}
	return turns
}

func (w *world) status(x tournament.Tournament) tournament.Tournament {
	w.T.Helper()
	return must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
}

// field returns a started tournament of n bots named so that [best] knows their strength.
func (w *world) field(n int, change func(*tournament.Tournament)) (tournament.Tournament, []tournament.Bot) {
	w.T.Helper()
	x := w.Plan(change)
	var list []tournament.Bot
	for i := range n {
		name := fmt.Sprintf("%s-%02d", x.ID[len(x.ID)-6:], i)
		u := w.NewUser(name)
		b := w.NewBot(name, u)
		w.Did(w.JoinAs(w.Ctx, x.ID, b.ID, u.ID, director.EntryOptions{Challenger: x.Format == tournament.Gauntlet && i < 2}))
		list = append(list, b)
	}
	x = must.Get(w.Start(w.Ctx, x.ID))(w.T)
	return x, list
}

func TestEveryFormatIsPlayedToItsEndRoundByRound(t *testing.T) {
	for _, row := range []struct {
		format  tournament.Format
		n       int
		options tournament.FormatOptions
		rounds  int // with matches of their own time
		matches int
	}{
		{tournament.RoundRobin, 5, tournament.FormatOptions{}, 1, 20}, // 10 pairs, all at once
		{tournament.Swiss, 6, tournament.FormatOptions{}, 5, 30},      // ⌈log₂ 6⌉ + 2 rounds of 3 pairs
		{tournament.Swiss, 6, tournament.FormatOptions{Rounds: 2}, 2, 12},
		// Two rounds of 3 pairs, then the semi-finals and the final.
		{tournament.Swiss, 6, tournament.FormatOptions{Rounds: 2, Playoff: tournament.SingleElimination, Finalists: 4}, 4, 18},
		// Two groups of 3 pairs, then 2·4−2 ties.
		{tournament.Groups, 6, tournament.FormatOptions{GroupSize: 3, Playoff: tournament.DoubleElimination, Finalists: 4}, 7, 24},
		{tournament.SingleElimination, 6, tournament.FormatOptions{}, 3, 10},                 // 5 ties
		{tournament.SingleElimination, 6, tournament.FormatOptions{ThirdPlace: true}, 3, 12}, // and one more
		{tournament.DoubleElimination, 4, tournament.FormatOptions{}, 4, 12},                 // 2·4−2 ties: the best never loses
		{tournament.Gauntlet, 6, tournament.FormatOptions{}, 4, 16},                          // 2 challengers × 4
		{tournament.Groups, 6, tournament.FormatOptions{GroupSize: 3, Finalists: 2}, 4, 14},  // two groups of 3 pairs, and a final
	} {
		t.Run(fmt.Sprint(row.format, " ", row.n, " ", row.options.Rounds, " ", row.options.Playoff), func(t *testing.T) {
			on(t, storetest.One, func(t *testing.T, w *world) {
				x, bots := w.field(row.n, func(x *tournament.Tournament) {
					x.Format, x.Options, x.Duplicate = row.format, row.options, true
				})
				if turns := w.toEnd(x); turns != row.rounds {
					t.Errorf("matches were waiting %d times, want %d", turns, row.rounds)
				}
				list := w.All(store.MatchFilter{TournamentID: x.ID})
				must.Same(t, "matches", len(list), row.matches)
				w.Over(x)
				lines := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
				if len(lines) != row.n || lines[0].BotID != bots[0].ID || lines[0].Rank != 1 || len(lines[0].Ties) == 0 {
					t.Errorf("got %+v, want %d lines and the best bot first", lines, row.n)
				}
				for _, m := range list {
					for _, o := range list {
						if m.Round == o.Round && m.Block == o.Block && (m.Seed != o.Seed || m.ID != o.ID && m.Nonce == o.Nonce) {
							t.Errorf("round %d block %d: another seed or the same nonce", m.Round, m.Block)
						}
						if (m.Round != o.Round || m.Block != o.Block) && m.Seed == o.Seed {
							t.Errorf("round %d block %d and round %d block %d share a seed", m.Round, m.Block, o.Round, o.Block)
						}
					}
				}
				w.Must(w.CheckRatings(w.Ctx, x.LadderID))
			})
		})
	}
}

func TestSeedsFollowTheRatingAtTheStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		first, bots := w.field(4, nil)
		w.toEnd(first)
		// The weakest had a strong version once, and has gone back from it.
		weakest := bots[len(bots)-1]
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq) VALUES (?, ?, ?, 3000000, 1, 1)",
			first.LadderID, w.Second(weakest, storetest.Toy).ID, weakest.ID).Error)
		x := w.Plan(func(x *tournament.Tournament) { x.Format = tournament.SingleElimination })
		for i := range bots { // the weakest joins first
			b := bots[len(bots)-1-i]
			w.Did(w.Join(w.Ctx, x.ID, b.ID, b.OwnerID))
		}
		x = must.Get(w.Start(w.Ctx, x.ID))(w.T)
		for _, m := range w.open(x) {
			names := []string{strength(m.Seats[0]), strength(m.Seats[1])}
			if slices.Sort(names); names[0]+names[1] != "0003" && names[0]+names[1] != "0102" {
				t.Errorf("%v meet in the first round, want the first seed against the fourth, the second against the third", names)
			}
		}
	})
}

func TestARoundIsMadeOnceByManyWorkers(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		others := []*director.Director{w.Director, directortest.New(open(store.Options{Now: w.Clock.Now})), directortest.New(open(store.Options{Now: w.Clock.Now}))}
		x, _ := w.field(6, func(x *tournament.Tournament) { x.Format = tournament.Swiss })
		for round := 1; round <= 5; round++ {
			list := w.open(x)
			if len(list) != 3 || list[0].Round != round {
				t.Fatalf("round %d: %d matches wait, want 3", round, len(list))
			}
			for i := range list {
				list[i] = w.Take(list[i])
			}
			directortest.Race(6, func(i int) error {
				if i < 3 {
					return others[i].Finish(w.Ctx, list[i], best(list[i]), nil)
				}
				return others[i-3].Advance(w.Ctx, x.ID)
			}, func(err error) { t.Error(err) })
		}
		w.Over(x)
	})
}

func TestWhoDoesNotAnswerDelaysNobody(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.field(5, func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 3 })
		w.Did(w.Check(bots[1].ID, "it is gone"))
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[2].ID, bots[2].OwnerID))
		w.toEnd(x)
		for _, m := range w.All(store.MatchFilter{TournamentID: x.ID}) {
			if m.Round > 1 && (sits(m, bots[1].ID) || sits(m, bots[2].ID)) {
				t.Errorf("round %d has a bot that is paused or has withdrawn: %+v", m.Round, m.Seats)
			}
		}
		w.Over(x)
		directortest.Refused(t, "come back", directortest.Err(w.Join(w.Ctx, x.ID, bots[2].ID, bots[2].OwnerID)), tournament.ErrState)
	})
}

// The next round of each format that is paired round by round stands as soon as the last is over, and its jobs wait; so do those of a
// pairing that the organiser changes meanwhile.
func TestARoundStartsAfterItsPause(t *testing.T) {
	for format, options := range map[tournament.Format]tournament.FormatOptions{
		tournament.Swiss:             {Rounds: 2},
		tournament.SingleElimination: {},
		tournament.DoubleElimination: {},
		tournament.Groups:            {GroupSize: 4, Finalists: 4},
	} {
		t.Run(string(format), func(t *testing.T) {
			storetest.One(t, func(t *testing.T, open storetest.Open) {
				w := newWorld(t, open)
				options := options
				options.RoundPauseMS = (3 * time.Minute).Milliseconds()
				x, _ := w.field(4, func(x *tournament.Tournament) { x.Format, x.Options = format, options })
				waits := func() {
					t.Helper()
					jobs := must.First(w.Jobs(w.Ctx, "", store.Page{}))(w.T)
					for _, m := range w.open(x) {
						i := slices.IndexFunc(jobs, func(j queue.Job) bool { return bytes.Contains(j.Args, []byte(m.ID)) })
						if i < 0 {
							t.Fatalf("match %s of round %d has no job", m.ID, m.Round)
						}
						if got := jobs[i].ScheduledAt.Sub(w.Clock.Now()); (got - 3*time.Minute).Abs() > time.Second {
							t.Errorf("a match of round %d begins in %v, want 3m0s", m.Round, got)
						}
					}
				}
				w.PlayAll(w.open(x))
				next := w.open(x)
				if len(next) == 0 || next[0].Round != 2 {
					t.Fatalf("%d matches are open, want those of round 2", len(next))
				}
				waits()
				c := must.First(w.Contest(w.Ctx, x.ID))(w.T)
				if got := c.Rounds[1].StartsAt.Sub(w.Clock.Now()).Round(time.Millisecond); got != 3*time.Minute || !c.Rounds[0].StartsAt.IsZero() {
					t.Errorf("round 2 starts in %v and round 1 at %v, want 3m0s and no time", got, c.Rounds[0].StartsAt)
				}
				if format != tournament.Swiss {
					return
				}
				table := func(i int) []string { return []string{next[i].Seats[0].BotID, next[i].Seats[1].BotID} }
				a, b := table(0), table(1)
				w.Must(w.Rearrange(w.Ctx, x.ID, 2, director.Rearrangement{Tables: [][]string{{a[0], b[0]}, {a[1], b[1]}}, ByID: w.Org.ID, Reason: "friends"}))
				waits()
			})
		})
	}
}

// A round is shown when all of it is over, its first tables alone, in their order; an sprt never is.
func TestARoundIsShownWhenAllOfItIsOver(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, _ := w.field(20, func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 2 })
		shown := func() []broadcast.Showing {
			t.Helper()
			return must.Get(w.Showings(w.Ctx, x.ID))(w.T)
		}
		first := w.open(x)
		for i, m := range slices.Backward(first) { // the first table is over last
			if list := shown(); len(list) > 0 {
				t.Fatalf("%d matches are shown while %d of the round are open", len(list), i+1)
			}
			w.Clock.Move(time.Minute)
			w.Must(w.Played(m, 0))
		}
		list := shown()
		if len(list) != broadcast.MatchesPerRound {
			t.Fatalf("%d matches are shown, want %d of %d", len(list), broadcast.MatchesPerRound, len(first))
		}
		for i, s := range list {
			if s.ID != first[i].ID || s.Round != 1 || !s.Over.Equal(w.Reload(first[0].ID).EndedAt.UTC()) {
				t.Errorf("showing %d is of match %s of round %d, over at %v; want %s of round 1, over with the last at %v", i, s.ID, s.Round, s.Over, first[i].ID, w.Clock.Now())
			}
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET format = 'sprt' WHERE id = ?", x.ID).Error)
		if list := shown(); len(list) > 0 {
			t.Errorf("%d matches of an sprt are shown", len(list))
		}
	})
}

func TestARoundWaitsForBotsToComeBack(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.field(2, func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 2 })
		w.Did(w.Check(bots[1].ID, "it is gone"))
		w.toEnd(x)
		for range 2 {
			due := must.Get(w.DueRounds(w.Ctx))(w.T)
			if !slices.Equal(due, []string{x.ID}) {
				t.Fatalf("due %v, want the tournament that waits", due)
			}
			w.Must(w.Advance(w.Ctx, x.ID))
			if list := w.open(x); len(list) != 0 {
				t.Fatalf("%d matches without an opponent", len(list))
			}
		}
		for range 2 {
			w.Did(w.Check(bots[1].ID, ""))
		}
		w.Must(w.Advance(w.Ctx, x.ID))
		if list := w.open(x); len(list) != 1 || list[0].Round != 2 {
			t.Errorf("%d matches after it came back, want one of round 2", len(list))
		}
		if due, err := w.DueRounds(w.Ctx); err != nil || len(due) != 0 {
			t.Errorf("due %v (%v), want none while a match is open", due, err)
		}
	})
}

func TestLateEntries(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, _ := w.field(4, func(x *tournament.Tournament) {
			x.Format, x.Options.Rounds, x.Options.LateEntries = tournament.Swiss, 3, true
		})
		late := w.NewBot("99", w.Org)
		e := must.Get(w.Join(w.Ctx, x.ID, late.ID, w.Org.ID))(w.T)
		if e.VersionID != late.VersionID {
			t.Errorf("entry %+v, want it fixed to version %s", e, late.VersionID)
		}
		w.toEnd(x)
		seen := map[int]bool{}
		for _, m := range w.All(store.MatchFilter{TournamentID: x.ID, BotID: late.ID, Named: []string{x.Game}}) {
			seen[m.Round] = true
		}
		lines := must.Get(w.Standings(w.Ctx, x.ID))(w.T)
		i := slices.IndexFunc(lines, func(l tournament.Standing) bool { return l.BotID == late.ID })
		if seen[1] || i < 0 || lines[i].Played+lines[i].Byes != 2 {
			t.Errorf("it played rounds %v, line %d of %+v; want two rounds after the first", seen, i, lines)
		}
		again := w.NewBot("98", w.Org)
		directortest.Refused(t, "after the end", directortest.Err(w.Join(w.Ctx, x.ID, again.ID, w.Org.ID)), tournament.ErrState)
		y, _ := w.field(4, func(x *tournament.Tournament) {
			x.Format, x.Options.Rounds, x.Options.LateEntries = tournament.Swiss, 1, true
		})
		directortest.Refused(t, "in the second half", directortest.Err(w.Join(w.Ctx, y.ID, again.ID, w.Org.ID)), tournament.ErrWindow)
		z, _ := w.field(4, func(x *tournament.Tournament) { x.Format = tournament.Swiss })
		directortest.Refused(t, "where the organiser takes none", directortest.Err(w.Join(w.Ctx, z.ID, again.ID, w.Org.ID)), tournament.ErrState)
	})
}

func TestAnArenaPairsWhoIsFreeUntilItsTimeIsUp(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, _ := w.field(4, func(x *tournament.Tournament) {
			x.Format, x.Options.LastsMS = tournament.Arena, time.Hour.Milliseconds()
		})
		if list := w.open(x); len(list) != 2 {
			t.Fatalf("%d matches at the start, want 2", len(list))
		}
		w.toEndOnce(x)
		list := w.open(x)
		if len(list) != 2 || list[0].Round != 2 {
			t.Fatalf("%d matches when all are free again, want 2 of round 2", len(list))
		}
		w.Must(w.Advance(w.Ctx, x.ID)) // all are busy
		if list := w.open(x); len(list) != 2 {
			t.Errorf("%d matches while all are busy, want the same 2", len(list))
		}
		w.Clock.Move(time.Hour)
		w.toEnd(x)
		w.Over(x)
		if n := len(w.All(store.MatchFilter{TournamentID: x.ID})); n != 4 {
			t.Errorf("%d matches, want 4", n)
		}
	})
}

// The clock of an arena stands still in a pause: what is left then is left afterwards, for pairings and for late entries.
func TestAPausedArenaLastsLonger(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, _ := w.field(4, func(x *tournament.Tournament) {
			x.Format, x.Options.LastsMS, x.Options.LateEntries = tournament.Arena, time.Hour.Milliseconds(), true
		})
		w.Clock.Move(50 * time.Minute)
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		w.Clock.Move(3 * time.Hour)
		w.Must(w.Advance(w.Ctx, x.ID))
		late := w.NewBot("late", w.NewUser("late"))
		w.Did(w.Join(w.Ctx, x.ID, late.ID, late.OwnerID))
		back := must.Get(w.ResumeTournament(w.Ctx, x.ID))(w.T)
		got := w.status(x)
		if want := 4 * time.Hour; back.Options.Lasts() != want || got.Options.Lasts() != want || !got.Options.LateEntries {
			t.Errorf("after a pause of three hours an arena of one lasts %s, and its row says %s; want %s", back.Options.Lasts(), got.Options.Lasts(), want)
		}
		if asked := time.Hour.Milliseconds(); back.Options.LastsMS != asked || got.Options.LastsMS != asked {
			t.Errorf("its options say %d ms, and its row says %d; want the %d that were asked for, which a copy takes", back.Options.LastsMS, got.Options.LastsMS, asked)
		}
		w.Clock.Move(9 * time.Minute)
		w.toEndOnce(x)
		if list := w.open(x); len(list) == 0 {
			t.Error("a minute before its end an arena that was paused pairs nobody")
		}
		w.Clock.Move(time.Minute)
		w.toEnd(x)
		w.Over(x)
	})
}

// toEndOnce plays the matches that wait now.
func (w *world) toEndOnce(x tournament.Tournament) {
	w.T.Helper()
	for _, m := range w.open(x) {
		w.best(m)
	}
}

func TestALargerTableGoesOnShortHanded(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.field(6, func(x *tournament.Tournament) { x.Table, x.Options.MinTable = 3, 2 })
		before := w.open(x)
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[5].ID, bots[5].OwnerID))
		short := 0
		for _, m := range w.open(x) {
			if sits(m, bots[5].ID) {
				t.Errorf("match %d of round %d still has who withdrew", m.Block, m.Round)
			}
			if len(m.Seats) == 2 {
				short++
			}
		}
		if after := w.open(x); len(after) != len(before) || short == 0 {
			t.Errorf("%d matches of %d, %d of them short-handed; want as many, some with two seats", len(after), len(before), short)
		}
		w.toEnd(x)
		w.Over(x)
	})
}

func TestABlockIsRatedWholeOrNotAtAll(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, _ := w.field(3, func(x *tournament.Tournament) { x.Duplicate = true })
		list := w.All(store.MatchFilter{TournamentID: x.ID}) // three blocks of two
		at := func(want int64) {
			t.Helper()
			l := must.Get(w.Ladder(w.Ctx, x.LadderID))(w.T)
			if l.NextSeq != want {
				t.Errorf("the ladder waits for place %d, want %d", l.NextSeq, want)
			}
			w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		}
		finish := func(i int) {
			t.Helper()
			w.best(list[i])
		}
		finish(0)
		at(1)
		finish(1)
		at(3)
		w.Did(w.VoidMatch(w.Ctx, list[2].ID, "the administrator's will"))
		at(3)
		finish(4)
		finish(3)
		at(5)
		finish(5)
		at(7)
		rated := map[string]bool{}
		events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: x.LadderID}, store.Page{}))(w.T)
		for _, e := range events {
			rated[e.MatchID] = true
		}
		for i, m := range list {
			if want := i != 2 && i != 3; rated[m.ID] != want {
				t.Errorf("match %d of block %d: rated = %v, want %v", m.Number, m.Block, rated[m.ID], want)
			}
		}
	})
}

// best plays a match; the strongest bot wins.
func (w *world) best(m tournament.Match) {
	w.T.Helper()
	m = w.Take(m)
	w.Must(w.Finish(w.Ctx, m, best(m), nil))
}
