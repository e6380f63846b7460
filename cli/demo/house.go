package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/command"
)

// serveHouse serves the house bot that name begins with on a free port of this machine until ctx ends, for one game.
func serveHouse(ctx context.Context, group *errgroup.Group, name, gameID string, seed uint64) (url, secret string, err error) {
	strength, _, _ := strings.Cut(name, "-")
	bot, ok := house.Find(strength)
	if !ok || !slices.Contains(bot.Games, gameID) {
		return "", "", fmt.Errorf("the house has no %s for %s", strength, gameID)
	}
	if secret, err = protocol.NewSecret(rand.Reader); err != nil {
		return "", "", err
	}
	card := bot.Kit(seed)
	card.Name = name
	for id := range card.Games {
		if id != gameID {
			delete(card.Games, id)
		}
	}
	h, err := kit.Handler(card, secret)
	if err != nil {
		return "", "", err
	}
	l, err := command.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	group.Go(func() error { return kit.ServeOn(ctx, l, h) })
	return "http://" + l.Addr().String() + "/", secret, nil
}
