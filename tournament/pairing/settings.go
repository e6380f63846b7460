package pairing

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// SettingsOf returns what the organiser of a tournament has chosen, for the game of info.
func SettingsOf(t tournament.Tournament, info game.Info) Settings {
	return Settings{
		Format:        t.Format,
		SeatsPerTable: t.Table,
		Cycles:        t.Cycles,
		Duplicate:     t.Duplicate,
		FormatOptions: t.Options,
		OwnersApart:   t.Rated && info.Teams,
		// An unrated gauntlet is for whatever its challengers want to be compared with, their owner's others too.
		OwnersMeet: !t.Rated && t.Format == tournament.Gauntlet,
	}
}
