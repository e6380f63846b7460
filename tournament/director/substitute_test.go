package director_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// pausedSwiss is a swiss of n bots whose first round is played, lower seats won, and whose second is made and has not begun.
func pausedSwiss(w *world, n int, change func(*tournament.Tournament)) (tournament.Tournament, []tournament.Match) {
	w.T.Helper()
	t, first := w.Running(n, func(t *tournament.Tournament) {
		t.Format = tournament.Swiss
		t.Options.Rounds = 3
		if change != nil {
			change(t)
		}
	})
	var taken []tournament.Match
	for _, m := range first {
		taken = append(taken, w.Take(m))
	}
	w.Did(w.PauseTournament(w.Ctx, t.ID))
	for _, m := range taken {
		for n := 1; n <= 3; n++ {
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(n, len(m.Seats))))
		}
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
	}
	return t, slices.DeleteFunc(w.All(store.MatchFilter{TournamentID: t.ID}), func(m tournament.Match) bool { return m.Round != 2 })
}

// sits reports whether a bot has a seat in a match.
func sits(m tournament.Match, bot string) bool {
	return slices.ContainsFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == bot })
}

func TestASubstitutePlaysOnWithTheResultsOfThePlace(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		cup, second := pausedSwiss(w, 4, nil)
		standings := must.Get(w.Standings(w.Ctx, cup.ID))(w.T)
		was := standings[0]
		owner := w.NewUser("standby")
		by := w.NewBot("standby", owner)
		e := must.Get(w.Substitute(w.Ctx, cup.ID, was.BotID, by.ID))(w.T)
		if e.SinceRound != 2 || e.ReplacesName != was.Bot || e.VersionID == "" {
			t.Errorf("the entry is %+v, want since round 2 for %s", e, was.Bot)
		}
		now := must.Get(w.Standings(w.Ctx, cup.ID))(w.T)
		if now[0].BotID != by.ID || now[0].Points != was.Points || now[0].Replaces != was.Bot || now[0].SinceRound != 2 {
			t.Errorf("the first line is %+v, want %s with the %g points of %s", now[0], by.Name, was.Points, was.Bot)
		}
		if slices.ContainsFunc(now, func(s tournament.Standing) bool { return s.BotID == was.BotID }) || len(now) != 4 {
			t.Errorf("%s still has a line of %d", was.Bot, len(now))
		}
		var waits []tournament.Match
		for _, m := range w.All(store.MatchFilter{TournamentID: cup.ID}) {
			switch {
			case m.Round == 1 && sits(m, by.ID):
				t.Error("the first round was played by another, and names the substitute")
			case m.Round == 2 && sits(m, was.BotID) && m.Status != tournament.MatchVoid:
				t.Errorf("a match of round 2 still waits for %s", was.Bot)
			case m.Round == 2 && m.Status == tournament.MatchQueued:
				waits = append(waits, m)
			}
		}
		if len(waits) != len(second) || !slices.ContainsFunc(waits, func(m tournament.Match) bool { return sits(m, by.ID) }) {
			t.Fatalf("round 2 has %d matches, and %d before", len(waits), len(second))
		}
		w.Did(w.ResumeTournament(w.Ctx, cup.ID))
		for round := 2; round <= 3; round++ {
			w.PlayAll(w.All(store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}))
		}
		w.Over(cup)
		directortest.Refused(t, "the replaced bot enters again", directortest.Err(w.Substitute(w.Ctx, cup.ID, by.ID, was.BotID)), tournament.ErrState)
	})
}

// Two are replaced in one place in the same pause: the results are those of who played, whom the standings name.
func TestTheStandingsNameWhoPlayedBefore(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup, _ := pausedSwiss(w, 4, nil)
		standings := must.Get(w.Standings(w.Ctx, cup.ID))(w.T)
		first, owner := standings[0], w.NewUser("standby")
		one, two, three := w.NewBot("one", owner), w.NewBot("two", owner), w.NewBot("three", owner)
		names := func(want string) {
			t.Helper()
			lines := must.Get(w.Standings(w.Ctx, cup.ID))(w.T)
			board := must.Get(w.Scoreboard(w.Ctx, cup.ID))(w.T)
			if lines[0].Replaces != want || board.Standings[0].Replaces != want {
				t.Errorf("%s plays for %s, want for %s", lines[0].Bot, lines[0].Replaces, want)
			}
		}
		w.Did(w.Substitute(w.Ctx, cup.ID, first.BotID, one.ID))
		err := directortest.Err(w.Substitute(w.Ctx, cup.ID, first.BotID, two.ID))
		if !strings.Contains(err.Error(), `bot "one" plays for bot "`+first.Bot) {
			t.Errorf("who is replaced again: %v", err)
		}
		w.Did(w.Substitute(w.Ctx, cup.ID, one.ID, two.ID))
		names(first.Bot)
		w.Did(w.ResumeTournament(w.Ctx, cup.ID))
		for _, m := range w.All(store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}) {
			w.Must(w.Played(m, max(0, slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == two.ID }))))
		}
		w.Did(w.Substitute(w.Ctx, cup.ID, two.ID, three.ID))
		names("two")
	})
}

func TestNobodyIsReplacedInWhatHasBegun(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup, second := pausedSwiss(w, 4, nil)
		by := w.NewBot("standby", w.NewUser("standby"))
		w.Did(w.ResumeTournament(w.Ctx, cup.ID))
		begun := w.Take(second[0])
		err := directortest.Err(w.Substitute(w.Ctx, cup.ID, begun.Seats[0].BotID, by.ID))
		directortest.Refused(t, "a bot that plays", err, tournament.ErrState)
		if !strings.Contains(err.Error(), "round 2") {
			t.Errorf("the refusal does not say where it plays: %v", err)
		}
		entered := second[1].Seats[0].BotID
		directortest.Refused(t, "by a bot that is entered", directortest.Err(w.Substitute(w.Ctx, cup.ID, entered, begun.Seats[0].BotID)), tournament.ErrTaken)
		w.Did(w.Substitute(w.Ctx, cup.ID, entered, by.ID)) // its own block has not begun
	})
}

// A match that was void is over, as are all others of a round that is.
func TestWhoseMatchWasVoidIsReplaced(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup, second := pausedSwiss(w, 4, nil)
		void := must.Get(w.VoidMatch(w.Ctx, second[0].ID, "the clock was wrong"))(w.T)
		e := must.Get(w.Substitute(w.Ctx, cup.ID, void.Seats[0].BotID, w.NewBot("standby", w.NewUser("standby")).ID))(w.T)
		if e.SinceRound != 3 {
			t.Errorf("it plays since round %d, want 3, as round 2 is over for it", e.SinceRound)
		}
	})
}

func TestBeforeTheStartASubstituteHasThePlaceInTheQueue(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup := w.Plan(func(t *tournament.Tournament) { t.Capacity, t.WaitingList, t.Rated = 2, true, false })
		u := w.NewUser("ada")
		var bots []tournament.Bot
		for _, name := range []string{"first", "second", "third", "fourth"} {
			bots = append(bots, w.NewBot(name, u))
		}
		for _, b := range bots[:3] {
			w.Did(w.Join(w.Ctx, cup.ID, b.ID, u.ID))
		}
		e := must.Get(w.Substitute(w.Ctx, cup.ID, bots[0].ID, bots[3].ID))(w.T)
		if e.Waiting || e.Replaces != "" {
			t.Errorf("got %+v, want the place of the first", e)
		}
		entries := must.Get(w.Entries(w.Ctx, cup.ID))(w.T)
		free, waiting := tournament.Places(cup, entries)
		if free != 0 || waiting != 1 {
			t.Errorf("%d places are free and %d wait, want 0 and 1", free, waiting)
		}
	})
}

func TestWhereNobodyIsReplaced(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		by := w.NewBot("standby", w.NewUser("standby"))
		arena, list := w.Running(3, func(t *tournament.Tournament) {
			t.Format, t.Rated = tournament.Arena, false
			t.Options.LastsMS = 600_000
		})
		directortest.Refused(t, "in an arena", directortest.Err(w.Substitute(w.Ctx, arena.ID, list[0].Seats[0].BotID, by.ID)), tournament.ErrState)
		cup, _ := w.Running(3, nil)
		directortest.Refused(t, "who is not entered", directortest.Err(w.Substitute(w.Ctx, cup.ID, by.ID, by.ID)), tournament.ErrNotFound)
		other := w.Second(by, "another-game")
		w.Did(w.Promote(w.Ctx, by.ID, other.ID))
		entries := must.Get(w.Entries(w.Ctx, cup.ID))(w.T)
		directortest.Refused(t, "by a bot that does not play the game", directortest.Err(w.Substitute(w.Ctx, cup.ID, entries[0].BotID, by.ID)), tournament.ErrInvalid)
	})
}

// The rounds of a round robin are all made at the start: what has not begun is the substitute's, what was played the other's.
func TestTheRestOfARoundRobinIsTheSubstitutes(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup, list := w.Running(4, nil)
		w.Must(w.Played(list[0], 0))
		was := list[0].Seats[0].BotID
		by := w.NewBot("standby", w.NewUser("standby"))
		w.Did(w.Substitute(w.Ctx, cup.ID, was, by.ID))
		for _, m := range w.All(store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}) {
			if sits(m, was) {
				t.Errorf("round %d still waits for the one that is out", m.Round)
			}
			w.Must(w.Played(m, max(0, slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == by.ID }))))
		}
		w.Over(cup)
		lines := must.Get(w.Standings(w.Ctx, cup.ID))(w.T)
		if lines[0].BotID != by.ID || lines[0].Points != 3 || lines[0].Played != 3 {
			t.Errorf("in front is %+v, want the substitute with the three points of the place", lines[0])
		}
	})
}

// A bye of a round that has not begun is the substitute's, as its matches would be.
func TestAByeOfARoundToComeIsTheSubstitutes(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup, _ := pausedSwiss(w, 5, nil)
		c, who, err := w.Contest(w.Ctx, cup.ID)
		w.Must(err)
		rests, by := c.Rounds[1].Byes[0], w.NewBot("standby", w.NewUser("standby"))
		e := must.Get(w.Substitute(w.Ctx, cup.ID, who.Entries[rests].BotID, by.ID))(w.T)
		_, who, err = w.Contest(w.Ctx, cup.ID)
		w.Must(err)
		if e.SinceRound != 2 || who.In(rests, 2).BotID != by.ID || who.In(rests, 1).BotID == by.ID {
			t.Errorf("it plays since round %d, and the bye is %s's; want since round 2", e.SinceRound, who.In(rests, 2).BotName)
		}
	})
}

// Somebody takes a place in which nothing is left to play: out of a bracket, or first of a swiss whose last round goes on at another table. The
// end, and so a series, is the bot's that played.
func TestAPlaceIsWhosePlayedInIt(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		standby := w.NewUser("standby")
		for format, rank := range map[tournament.Format]int{tournament.SingleElimination: 3, tournament.Swiss: 1} {
			cup, list := w.Running(4, func(t *tournament.Tournament) {
				t.Format = format
				if format == tournament.Swiss {
					t.Options.Rounds = 1
				}
			})
			by, next := w.NewBot(string(format)+"-one", standby), w.NewBot(string(format)+"-two", standby)
			w.Must(w.Played(list[0], 0))
			was := list[0].Seats[0]
			if format == tournament.SingleElimination {
				was = list[0].Seats[1]
			}
			w.Did(w.Substitute(w.Ctx, cup.ID, was.BotID, by.ID))
			w.Did(w.Substitute(w.Ctx, cup.ID, by.ID, next.ID))
			w.Must(w.Played(list[1], 0))
			w.PlayAll(w.All(store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}))
			w.Over(cup)
			board := must.Get(w.Scoreboard(w.Ctx, cup.ID))(w.T)
			at := slices.IndexFunc(board.Standings, func(s tournament.Standing) bool { return s.BotID == was.BotID })
			if at < 0 || board.Standings[at].Rank != rank || board.Standings[at].Replaces != "" || board.Standings[at].VersionID != was.VersionID {
				t.Errorf("%s: %s has line %d of %+v, want rank %d", format, was.BotName, at, board.Standings, rank)
			}
			var aside []string
			for _, e := range board.Aside {
				aside = append(aside, e.BotName+" "+string(e.Code))
			}
			slices.Sort(aside)
			must.SameList(t, fmt.Sprintf("%s: aside", format), aside, []string{by.Name + " replaced", next.Name + " over"})
			if len(board.Standings) != 4 {
				t.Errorf("%s: %d lines", format, len(board.Standings))
			}
			x := must.Get(w.CreateSeries(w.Ctx, series.Series{OrganiserID: cup.OrganiserID, Name: string(format), By: series.Rank, RankPoints: []float64{8, 4, 2, 2}, Tournaments: []string{cup.ID}}))(w.T)
			lines := must.Get(w.SeriesBoard(w.Ctx, x.ID))(w.T).Lines
			if !slices.ContainsFunc(lines, func(l series.Line) bool { return l.BotID == was.BotID && l.Points > 0 }) || len(lines) != 4 {
				t.Errorf("%s: the series pays %+v, want %s to be paid", format, lines, was.BotName)
			}
		}
	})
}
