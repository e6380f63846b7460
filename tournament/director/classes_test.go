package director_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// standingAt is a bot's line on the toy ladder, as a test wants it.
type standingAt struct {
	milli int64
	games int
	seq   int64 // place of its last match
}

// settled returns a ladder of nine bots with the lines given by bot, the last of them of the classes that their names say: the first four
// are established, two of them equal.
func (w *world) settled() (tournament.Tournament, []tournament.Bot) {
	w.T.Helper()
	x, bots := w.field(9, nil)
	w.Clock.Move(tournament.InactiveAfter + time.Hour)
	w.toEnd(x)
	y := w.Plan(nil) // half of the places are given out after the rest
	w.Enter(y, bots[:2]...)
	y = must.Get(w.Start(w.Ctx, y.ID))(w.T)
	w.toEnd(y)
	last := w.All(store.MatchFilter{TournamentID: y.ID})[0].LadderSeq
	for i, l := range []standingAt{{1500, 40, last}, {1900, 40, last}, {1500, 40, last}, {1400, 40, last}, {2000, 29, last}, {2100, 40, 1}, {2200, 40, last}, {2300, 40, last}, {1450, 29, last}} {
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET milli = ?, games = ?, wins = ?, draws = 0, losses = 0, last_seq = ? WHERE version_id = ?",
			l.milli*1000, l.games, l.games, l.seq, bots[i].VersionID).Error)
	}
	w.Did(w.RetireBot(w.Ctx, bots[6].ID, "enough"))
	w.Did(w.Promote(w.Ctx, bots[7].ID, w.Second(bots[7], storetest.Toy, storetest.ToyTeams, "demol").ID))
	w.Must(w.Classify(w.Ctx))
	return x, bots
}

func TestOnlyEstablishedLinesAreRanked(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.settled()
		told := func(rows []tournament.LadderRow) (out []string) {
			for _, r := range rows {
				at := -1
				for i, b := range bots {
					if b.ID == r.BotID {
						at = i
					}
				}
				out = append(out, fmt.Sprint(at, " ", r.Rank, " ", r.Class))
			}
			return out
		}
		whole := must.First(w.LadderRows(w.Ctx, x.LadderID, store.Page{}))(w.T)
		want := []string{
			"1 1 established", "0 2 established", "2 2 established", "3 4 established", "4 0 provisional", "8 0 provisional",
			"5 0 inactive", "7 0 replaced", "6 0 replaced",
		}
		directortest.Alike(t, "the lines of the ladder", want, told(whole))
		w.sameInPages(x.LadderID, whole, 4)
		_, _, tops, err := w.Home(w.Ctx)
		w.Must(err)
		for _, top := range tops {
			if top.Ladder.ID == x.LadderID && (top.BotID != bots[1].ID || top.Bots != 4 || !top.Ranked || top.Past) {
				t.Errorf("the first page has %+v, want the first of the ranking, in front of all 4", top)
			}
		}
		for i, class := range map[int]int{0: 0, 4: 1, 5: 2, 6: 3} {
			career := must.Get(w.Career(w.Ctx, bots[i].ID))(w.T)
			for _, p := range career.Places {
				if p.LadderID == x.LadderID && (p.Class != class || (p.Place > 0) != (class == 0)) {
					t.Errorf("bot %d has the place %+v, want class %d", i, p, class)
				}
			}
		}
		w.Clock.Move(tournament.InactiveAfter + time.Hour)
		w.Must(w.Classify(w.Ctx))
		_, _, tops, err = w.Home(w.Ctx)
		w.Must(err)
		for _, top := range tops {
			if top.Ladder.ID == x.LadderID && (top.Ranked || !top.Past || top.Bots != 0) {
				t.Errorf("the first page has %+v, want nobody ranked any more", top)
			}
		}
	})
}

// A search leaves lines out, and changes neither their order nor their ranks.
func TestWhoIsFoundOnALadderKeepsTheirRank(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, _ := w.settled()
		whole := must.First(w.LadderRows(w.Ctx, x.LadderID, store.Page{}))(w.T)
		names := []string{"b", "nobody", "%", "_", `\`}
		for _, r := range whole {
			names = append(names, strings.ToUpper(r.Bot))
		}
		for _, name := range names {
			var want, got []tournament.LadderRow
			for _, r := range whole {
				if strings.Contains(r.Bot, strings.ToLower(name)) {
					want = append(want, r)
				}
			}
			for p := (store.Page{Limit: 2}); ; {
				_, rows, next, err := w.LadderPage(w.Ctx, x.LadderID, name, p)
				w.Must(err)
				got = append(got, rows...)
				if p.After = next; next == "" {
					break
				}
			}
			directortest.Alike(t, fmt.Sprintf("%q", name), want, got)
		}
	})
}

// A bot that registers again whenever it falls: its old selves are history, its new one is provisional, so its rank is that of what it
// can show for itself. Under the ranks of before it stood in front of all who had fallen below its start.
func TestStartingAgainGivesNoRank(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.settled()
		again := w.Second(bots[3], storetest.Toy, storetest.ToyTeams, "demol")
		w.Did(w.Promote(w.Ctx, bots[3].ID, again.ID))
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq, wins) VALUES (?, ?, ?, 1600000, ?, 37, ?)",
			x.LadderID, again.ID, bots[3].ID, tournament.ProvisionalGames-1, tournament.ProvisionalGames-1).Error)
		w.Must(w.Classify(w.Ctx))
		rows := must.First(w.LadderRows(w.Ctx, x.LadderID, store.Page{}))(w.T)
		for _, r := range rows {
			if r.BotID == bots[3].ID && (r.Rank != 0 || r.Class == tournament.LineEstablished) {
				t.Errorf("it has rank %d as %s", r.Rank, r.Class)
			}
			if r.BotID == bots[2].ID && r.Rank != 2 {
				t.Errorf("another has rank %d, want 2 as before", r.Rank)
			}
		}
	})
}

// What was made first may end last: the first page has it first.
func TestTheLatestResultsAreThoseThatCameLast(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, _ := w.field(4, nil)
		list := w.open(x)[:3]
		for _, i := range []int{1, 2, 0} {
			m := w.Take(list[i])
			w.Clock.Move(time.Minute)
			w.Must(w.Finish(w.Ctx, m, best(m), nil))
		}
		latest, _, _, err := w.Home(w.Ctx)
		w.Must(err)
		for k, i := range []int{0, 2, 1} {
			if k >= len(latest) || latest[k].Match.ID != list[i].ID {
				t.Fatalf("result %d of %d is not that of match %d", k+1, len(latest), i+1)
			}
		}
	})
}
