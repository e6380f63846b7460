package pairing

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// SettingsOf returns what the organiser of a tournament has chosen, for the game of info.
func SettingsOf(t tournament.Tournament, info game.Info) Settings {
	o := t.Options
	apart := t.Rated && info.Teams
	var ties []Tie
	for _, by := range o.TieBreaks {
		ties = append(ties, Tie(by))
	}
	return Settings{
		Format:        t.Format,
		SeatsPerTable: t.Table,
		MinSeats:      o.MinTable,
		Cycles:        t.Cycles,
		Rounds:        o.Rounds,
		Duplicate:     t.Duplicate,
		BestOf:        o.BestOf,
		ThirdPlace:    o.ThirdPlace,
		GroupSize:     o.GroupSize,
		Playoff:       o.Playoff,
		Finalists:     o.Finalists,
		TieBreaks:     ties,
		Test:          o.Test.Filled(),
		OwnersApart:   apart,
		// An unrated gauntlet is for whatever its challengers want to be compared with, their owner's others too. Tournaments
		// without a bound on an owner's entries were announced before owners were looked at, and go on as they began.
		OwnersMeet: !apart && (t.OwnerEntries == 0 || !t.Rated && t.Format == tournament.Gauntlet),
	}
}

// Settle returns a round of a plan as it can be played with those who are there: at tables of two who is not there forfeits;
// larger tables are played short-handed while the settings allow, and else the others have a bye.
func Settle(c Contest, plan Round) Round { return c.settle(plan) }
