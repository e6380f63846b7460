package director_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// trial returns an sprt of two in which nothing is entered yet.
func (w *world) trial(change func(*tournament.Tournament)) tournament.Tournament {
	w.T.Helper()
	return w.Plan(func(x *tournament.Tournament) {
		x.Format, x.Duplicate, x.Rated, x.Capacity, x.Options.Test = tournament.SPRT, true, false, 2, tournament.Test{Elo1: 100, MaxPairs: 200}
		if change != nil {
			change(x)
		}
	})
}

// tryOut starts an sprt of two bots.
func (w *world) tryOut(first, second tournament.Bot, change func(*tournament.Tournament)) tournament.Tournament {
	w.T.Helper()
	x := w.trial(change)
	w.Enter(x, first)
	w.Clock.Move(time.Second)
	return w.Begin(x, second)
}

// firstWins tells by its place in the schedule whether the first entry wins a match of an sprt: three times of four.
func firstWins(m tournament.Match) bool { return (m.Round*31+m.Block*7+m.Number*3)%4 != 0 }

// tried plays an sprt to its end, its matches ending in the order of luck (nil: of the schedule), and returns the lines.
func (w *world) tried(x tournament.Tournament, first string, luck *rand.Rand) []tournament.Standing {
	w.T.Helper()
	var late []tournament.Match // under way when the test ends
	for w.status(x).Status == tournament.Running {
		list := w.open(x)
		if luck != nil {
			luck.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for i, m := range list {
			list[i] = w.Take(m)
		}
		for i, m := range list {
			if w.status(x).Status != tournament.Running {
				late = list[i:]
				break
			}
			winner := 0
			if (m.Seats[0].VersionID == first) != firstWins(m) {
				winner = 1
			}
			w.Must(w.Finish(w.Ctx, m, directortest.Won(m, winner), nil))
		}
	}
	for _, m := range late {
		directortest.Refused(w.T, "a result after the end of the test", w.Finish(w.Ctx, m, directortest.Won(m, 0), nil), tournament.ErrFenced)
	}
	return must.Get(w.Standings(w.Ctx, x.ID))(w.T)
}

func TestAnSPRTEndsAtOnceAndAlikeWhateverEndsFirst(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		u := w.NewUser("author")
		first, second := w.NewBot("first", u), w.NewBot("second", u)
		var want *tournament.Trial
		void := 0
		for order, luck := range []*rand.Rand{nil, rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))} {
			x := w.tryOut(first, second, nil)
			lines := w.tried(x, first.VersionID, luck)
			got := lines[0].Trial
			if got == nil || lines[1].Trial != nil || got.Verdict != "H1" || lines[0].Played != 2*got.Pairs || lines[0].BotID != first.ID {
				t.Fatalf("order %d: %+v, want the first bot stronger, which its line alone says", order, lines)
			}
			if end := w.status(x); end.Status != tournament.Finished || !strings.Contains(end.Reason, fmt.Sprintf("H1 after %d pairs", got.Pairs)) {
				t.Errorf("order %d: %s (%s), want finished in words", order, end.Status, end.Reason)
			}
			for _, m := range w.All(store.MatchFilter{TournamentID: x.ID}) {
				if m.Status == tournament.MatchVoid && strings.Contains(m.Reason, "the test ended") {
					void++
				} else if m.Status != tournament.MatchDone || m.Rated {
					t.Errorf("order %d: match %d/%d is %s (%s), rated %v", order, m.Round, m.Block, m.Status, m.Reason, m.Rated)
				}
			}
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("order %d: %+v, want %+v as in the order of the schedule", order, got, want)
			}
		}
		if void == 0 {
			t.Error("no match was open when a test ended: this shows nothing")
		}
	})
}

// A release before let a test be announced that cannot be reckoned.
func TestAnSPRTThatMakesNoSenseIsShownAndCancelledAtItsStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x := w.trial(func(x *tournament.Tournament) { x.Options.Test = tournament.Test{Elo1: 200, Normalised: true} })
		w.Enter(x, w.Rivals("ada", "bob")...)
		w.Clock.Set(x.StartsAt)
		for _, want := range []string{"continue", "undecided"} {
			board, err := w.Scoreboard(w.Ctx, x.ID)
			if lines := board.Standings; err != nil || len(lines) != 2 || lines[0].Trial.Verdict != want || lines[0].Trial.Pairs != 0 {
				t.Errorf("its scoreboard has the lines %+v (%v)", lines, err)
			}
			w.Start(w.Ctx, x.ID) // the second is refused
		}
		if got := w.status(x); got.Status != tournament.Cancelled || !strings.Contains(got.Reason, "both within 150") {
			t.Errorf("%s (%s), want it cancelled with the reason", got.Status, got.Reason)
		}
	})
}

func TestAnSPRTComparesTwoVersionsOfOneBot(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u := w.NewUser("author")
		b := w.NewBot("bot", u)
		old := "0190a000-0000-7000-8000-000000000001"
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO versions (id, bot_id, number, url, secrets, author, build, created_at, wants_text)"+
			" SELECT ?, bot_id, 2, url, secrets, author, 'b2', created_at, wants_text FROM versions WHERE id = ?", old, b.VersionID).Error)
		x, tour := w.trial(nil), w.Plan(nil)
		join := func(x tournament.Tournament, b tournament.Bot, against string) error {
			_, err := w.JoinAs(w.Ctx, x.ID, b.ID, b.OwnerID, director.EntryOptions{Against: against})
			return err
		}
		directortest.Refused(t, "a version that does not play the game", join(x, b, old), tournament.ErrInvalid)
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO version_games (version_id, position, game) VALUES (?, 0, ?)", old, storetest.Toy).Error)
		directortest.Refused(t, "in a round robin", join(tour, b, old), tournament.ErrInvalid)
		directortest.Refused(t, "against itself", join(x, b, b.VersionID), tournament.ErrInvalid)
		other := w.NewBot("other", u)
		directortest.Refused(t, "another bot's version", join(x, b, other.VersionID), tournament.ErrNotFound)
		w.Must(join(x, other, ""))
		directortest.Refused(t, "with one place left", join(x, b, old), tournament.ErrFull)
		w.Did(w.Withdraw(w.Ctx, x.ID, other.ID, u.ID))
		w.Must(join(x, b, old))
		directortest.Refused(t, "a third", join(x, other, ""), tournament.ErrFull)
		x = must.Get(w.Start(w.Ctx, x.ID))(w.T)
		for _, m := range w.open(x) {
			x, y := m.Seats[0], m.Seats[1]
			if x.BotID != b.ID || y.BotID != b.ID || x.VersionID == y.VersionID || x.Build == y.Build {
				t.Fatalf("got %+v against %+v, want two versions of the bot", x, y)
			}
		}
		lines := w.tried(x, b.VersionID, nil)
		if lines[0].Bot != "bot (version 1)" || lines[1].Bot != "bot (version 2)" || lines[1].VersionID != old || lines[0].Trial.Verdict != "H1" {
			t.Errorf("got %+v, want version 1 stronger than version 2", lines)
		}
	})
}

// What is read when a match ends does not grow with the matches before it.
func TestAnSPRTReadsAsMuchAfterManyRoundsAsAfterFew(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		u := w.NewUser("author")
		x := w.tryOut(w.NewBot("first", u), w.NewBot("second", u), func(x *tournament.Tournament) { x.Options.Test = tournament.Test{Elo1: 5} })
		read := int64(0)
		w.Must(w.SQL(w.Ctx).Callback().Query().After("gorm:query").Register("count rows", func(db *gorm.DB) { read += db.RowsAffected }))
		var most []int64 // by round
		for range 5 {
			round := int64(0)
			for i, m := range w.open(x) {
				m = w.Take(m)
				read = 0
				w.Must(w.Finish(w.Ctx, m, directortest.Won(m, i/2%2), nil))
				round = max(round, read)
			}
			most = append(most, round)
		}
		if w.status(x).Status != tournament.Running || most[1] == 0 || most[4] > most[1] {
			t.Errorf("rows read by the greediest match of each round: %v; want no more in the fifth than in the second", most)
		}
	})
}
