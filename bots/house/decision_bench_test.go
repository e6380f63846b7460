package house_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
)

// turns returns those of all seats in one match that greedy plays against itself, random where it has no strategy.
func turns(b *testing.B, e game.Engine, n int) []*protocol.Turn {
	b.Helper()
	var list []*protocol.Turn
	bot := housetest.Find(b, "greedy")
	if !slices.Contains(bot.Games, e.Info().ID) {
		bot = housetest.Find(b, "random")
	}
	seats := make([]kit.Decide, n)
	for i := range seats {
		decide := bot.Decide(1)
		seats[i] = func(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
			list = append(list, t)
			return decide(ctx, t)
		}
	}
	housetest.Play(b, e, `{}`, 1, seats)
	return list
}

// An operation is one decision, of the turns of a match in their order, at the smallest and the largest table.
func BenchmarkDecision(b *testing.B) {
	for _, e := range catalog.All() {
		info := e.Info()
		for _, n := range slices.Compact([]int{info.MinSeats, info.MaxSeats}) {
			list := turns(b, e, n)
			for _, name := range house.Names() {
				bot := housetest.Find(b, name)
				if !slices.Contains(bot.Games, info.ID) {
					continue
				}
				b.Run(fmt.Sprintf("%s/%d/%s", info.ID, n, name), func(b *testing.B) {
					decide := bot.Decide(1)
					for i := range b.N {
						// Steps that divide no length of a match reach early and late turns alike.
						if _, err := decide(context.Background(), list[i*37%len(list)]); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
