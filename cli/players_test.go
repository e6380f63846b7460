package cli_test

import (
	"context"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// players reaches the bots of a store on loopback.
func players(t *testing.T, db *store.Store) func(context.Context, *tournament.Match, game.Seat) (runner.Player, error) {
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	t.Cleanup(client.Close)
	return func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
		v, err := db.Version(ctx, m.Seats[seat].VersionID)
		if err != nil {
			return nil, err
		}
		return httpbot.New(httpbot.Config{URL: v.URL, Secrets: v.Secrets, Text: v.WantsText, Client: client})
	}
}
