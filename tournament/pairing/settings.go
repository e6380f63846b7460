package pairing

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// SettingsOf is what the organiser of a tournament has chosen, for the game of info.
func SettingsOf(t tournament.Tournament, info game.Info) Settings {
	o := t.Options
	return Settings{
		Format: t.Format, SeatsPerTable: t.Table, MinSeats: o.MinTable, Cycles: t.Cycles, Rounds: o.Rounds, Duplicate: t.Duplicate,
		BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists, OwnersApart: t.Rated && info.Teams,
		Test: o.Test.Filled(),
	}
}

// Settle is a round of a plan as it can be played with those who are there: at tables of two who is not there forfeits;
// larger tables are played short-handed while the settings allow, and else the others have a bye.
func Settle(c Contest, plan Round) Round { return c.settle(plan) }
