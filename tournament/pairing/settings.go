package pairing

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// SettingsOf returns what the organiser of a tournament has chosen, for the game of info.
func SettingsOf(t tournament.Tournament, info game.Info) Settings {
	barred := t.Rated && info.Teams
	return Settings{
		Format:        t.Format,
		SeatsPerTable: t.Table,
		Cycles:        t.Cycles,
		Duplicate:     t.Duplicate,
		FormatOptions: t.Options,
		OwnersApart:   barred,
		// An unrated gauntlet is for whatever its challengers want to be compared with, their owner's others too. Tournaments
		// without a bound on an owner's entries were announced before owners were looked at, and go on as they began.
		OwnersMeet: !barred && (t.OwnerEntries == 0 || !t.Rated && t.Format == tournament.Gauntlet),
	}
}
