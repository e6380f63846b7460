package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// gang is how many bots collude: the first and its clones, all of mean strength.
const gang = 10

// colluding is a ladder of 60 bots of two seats, 150 matches a bot, on which the clones play to win against everybody or, if
// throws, lose every match with the first of the gang. owner names whose a bot of the gang is. met counts the matches of the
// first with its clones; list is all of them.
func colluding(t *testing.T, throws bool, seed byte, owner func(bot int) string) (l *ladder, met int, list []rating.Match) {
	t.Helper()
	l, err := newLadder(forms()[0], 60, []float64{200}, 0, game.Seed{seed})
	must.OK(t, err)
	for b := range gang {
		l.bots[b].Owner, l.is.strength[b] = owner(b), 0
	}
	const seats = 150 * 60
	for step := 0; l.seats < seats || len(l.queue) > 0; step++ {
		now := time.Duration(step) * tick
		must.OK(t, l.finish(now))
		old := len(l.queue)
		if l.seats < seats {
			l.tick(now, step)
		}
		for _, q := range l.queue[old:] {
			a, b := &q.match.Seats[0], &q.match.Seats[1]
			if a.Player < gang && b.Player < gang && (a.Player == 0 || b.Player == 0) {
				if met++; throws {
					a.Rank, b.Rank = 1+min(1, a.Player), 1+min(1, b.Player)
				}
			}
			list = append(list, q.match.Match)
		}
	}
	return l, met, list
}

// Nine clones that would lose every match with their owner's main bot never get one: the ladder is the same as if they were
// honest. That such matches would pay is seen where the clones are registered by another account, which the platform cannot
// know.
func TestThrowingGamesToAPartnerGainsNothing(t *testing.T) {
	const seeds = 2
	gain, fitted := 0.0, 0.0
	for seed := range byte(seeds) {
		for _, x := range []struct {
			name    string
			owner   func(int) string
			meets   bool
			by, fit *float64
		}{
			{"one owner", func(int) string { return "gang" }, false, new(float64), new(float64)},
			{"two accounts", func(b int) string { return fmt.Sprint("gang ", min(1, b)) }, true, &gain, &fitted},
		} {
			honest, _, _ := colluding(t, false, seed, x.owner)
			cheats, met, _ := colluding(t, true, seed, x.owner)
			h, err := honest.history.Fit()
			must.OK(t, err)
			c, err := cheats.history.Fit()
			must.OK(t, err)
			online, fit := float64(cheats.online[0].Rating-honest.online[0].Rating)/1000, c.Players[0].Elo-h.Players[0].Elo
			*x.by, *x.fit = *x.by+online/seeds, *x.fit+fit/seeds
			if x.meets != (met > 0) || !x.meets && (online != 0 || fit != 0) {
				t.Errorf("%s, seed %d: %d matches with a clone; the main bot gains %+.1f on line and %+.1f in the fit", x.name, seed, met, online, fit)
			}
		}
	}
	t.Logf("where two accounts hide it the main bot gains %+.1f on line and %+.1f in the fit", gain, fitted)
	guide, err := os.ReadFile("../../docs/4-ratings.md")
	must.OK(t, err)
	if says := fmt.Sprintf("%.0f points on line and %.0f in the fit", gain, fitted); !strings.Contains(string(guide), says) {
		t.Errorf("docs/4-ratings.md does not say %q", says)
	}
	if gain < 10 || fitted < 40 {
		t.Errorf("throwing games gains %+.1f on line and %+.1f in the fit where it is possible: this test would not see it", gain, fitted)
	}
}

// encounters are those of a ladder's matches by owner, with what the ratings on line expected.
func encounters(t *testing.T, l *ladder, list []rating.Match) []tournament.Encounters {
	t.Helper()
	states := make([]rating.State, len(l.bots))
	for i := range states {
		states[i] = rating.New()
	}
	at := map[[2]string]*tournament.Encounters{}
	for _, m := range list {
		deltas, err := rating.Rate(m, states, rating.Params{Rule: rating.WideRule})
		must.OK(t, err)
		for _, d := range deltas {
			states[d.Player] = d.After
			partners := []string{""}
			for _, s := range m.Seats {
				if s.Player != d.Player {
					partners = append(partners, l.bots[s.Player].Owner)
				}
			}
			for _, partner := range partners {
				key := [2]string{l.bots[d.Player].Owner, partner}
				if at[key] == nil {
					at[key] = &tournament.Encounters{Owner: key[0], Partner: key[1]}
				}
				e := at[key]
				e.Matches++
				e.Score, e.Expected, e.Variance = e.Score+d.Score, e.Expected+d.Expected, e.Variance+d.Expected*(1-d.Expected)
			}
		}
	}
	var out []tournament.Encounters
	for _, e := range at {
		out = append(out, *e)
	}
	return out
}

// Two accounts that throw games stand first in the table of surpluses, beyond all doubt; among honest ones nobody stands out.
func TestPartnersStandOut(t *testing.T) {
	alarms := 0
	for seed := range byte(3) {
		owner := func(b int) string { return fmt.Sprint("gang ", min(1, b)) }
		honest, _, list := colluding(t, false, seed, owner)
		if worst := rating.Surpluses(encounters(t, honest, list))[0]; worst.Adjusted < .05 {
			alarms++
		}
		cheats, met, list := colluding(t, true, seed, owner)
		if worst := rating.Surpluses(encounters(t, cheats, list))[0]; worst.Owner != "gang 0" || worst.Partner != "gang 1" || worst.Adjusted > .01 { // a wide K has the main bot's rating follow what it is given, so less is left over
			t.Errorf("seed %d: the worst is %+v, want the main bot against its clones, with whom it had %d matches", seed, worst, met)
		}
	}
	if alarms > 0 {
		t.Errorf("%d of 3 honest ladders have a pair at 5 %%", alarms)
	}
}
