package pool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// Version of the pool. It is raised, and the scale of each game measured, whenever [Hash] changes.
const Version = 1

// Game is what the pool plays in a game.
type Game struct {
	ID      string   `json:"game"`
	Variant string   `json:"variant"` // of the engine, by its name
	Seats   int      `json:"seats"`
	Bots    []string `json:"bots"` // house bots; the first is random, the last what the scale calls 100
	// Zero and Hundred are the ends of the scale: the mean share of its matches that the first of the bots, and the last, takes from all of
	// the bots, itself included (which is ½). The shares are from 0 to 1. TestTheScaleIsWhatTheBotsTake measures them.
	Zero    float64 `json:"zero"`
	Hundred float64 `json:"hundred"`
}

// Games returns the games of the pool.
func Games() []Game {
	bots := []string{"random", "greedy", "thinker"}
	return []Game{
		{ID: "cia", Variant: "base", Seats: 2, Bots: bots, Zero: 0.170, Hundred: 0.811},
		{ID: "demol", Variant: "base", Seats: 5, Bots: bots, Zero: 0.182, Hundred: 0.801},
		{ID: "mole", Variant: "base", Seats: 2, Bots: bots, Zero: 0.167, Hundred: 0.718},
		{ID: "molehill", Variant: "base", Seats: 2, Bots: bots, Zero: 0.168, Hundred: 0.833},
		{ID: "molemajority", Variant: "base", Seats: 2, Bots: bots, Zero: 0.167, Hundred: 0.798},
	}
}

// Find returns what the pool plays in a game; false if it does not play it.
func Find(id string) (Game, bool) {
	list := Games()
	i := slices.IndexFunc(list, func(g Game) bool { return g.ID == id })
	if i < 0 {
		return Game{}, false
	}
	return list[i], true
}

// Config returns the canonical configuration of the game's variant.
func (g Game) Config(e game.Engine) (json.RawMessage, error) {
	v, ok := e.Info().Variant(g.Variant)
	if !ok {
		return nil, fmt.Errorf("%w: variant %q of %s", errPool, g.Variant, g.ID)
	}
	return e.Configure(json.RawMessage(v.Config), g.Seats)
}

// Scaled returns a share as strength: 0 is what random takes from the same bots, and 100 what the last of them takes.
func (g Game) Scaled(share float64) float64 { return 100 * (share - g.Zero) / (g.Hundred - g.Zero) }

// Hash returns a hash of the pool's games by their ids in order: of the rules' versions, the configurations, the scales, and all that the
// bots decide in fixed matches against each other. find looks an engine up by its id.
func Hash(ctx context.Context, find func(id string) (game.Engine, bool)) (string, error) {
	return hashOf(ctx, Games(), find, ofHouse)
}

// seatOf returns how a bot decides with its luck.
type seatOf = func(name string, luck uint64) (kit.Decide, error)

func ofHouse(name string, luck uint64) (kit.Decide, error) {
	b, ok := house.Find(name)
	if !ok {
		return nil, fmt.Errorf("%w: there is no house bot %q", errPool, name)
	}
	return b.Decide(luck), nil
}

func hashOf(ctx context.Context, games []Game, find func(id string) (game.Engine, bool), seat seatOf) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "pool/%d\n", Version)
	for _, g := range games {
		e, ok := find(g.ID)
		if !ok {
			return "", fmt.Errorf("%w: there is no game %q", errPool, g.ID)
		}
		if err := g.digest(ctx, e, seat, sum); err != nil {
			return "", fmt.Errorf("%s: %w", g.ID, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// digest writes the game's part of the hash: every bot meets every other.
func (g Game) digest(ctx context.Context, e game.Engine, seat seatOf, sum hash.Hash) error {
	config, err := g.Config(e)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(sum).Encode(struct {
		Game
		Rules  int             `json:"rules_version"`
		Config json.RawMessage `json:"config"`
	}{g, e.Info().Version, config}); err != nil {
		return err
	}
	deal := uint64(0)
	for i, first := range g.Bots {
		for _, second := range g.Bots[i+1:] {
			sides := [2]string{first, second}
			if deal++; deal%2 == 0 {
				slices.Reverse(sides[:])
			}
			m, err := g.play(ctx, e, config, deal, func(side int, luck uint64) (kit.Decide, error) {
				decide, err := seat(sides[side], luck)
				return written(decide, sum), err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%v\n", m.Result)
		}
	}
	return nil
}

// play plays a match of two sides. In a game of teams each has all seats of one, else every second seat.
func (g Game) play(ctx context.Context, e game.Engine, config json.RawMessage, deal uint64, decide func(side int, luck uint64) (kit.Decide, error)) (house.Match, error) {
	table, opening, err := e.New(config, g.Seats, house.Seed(deal))
	if err != nil {
		return house.Match{}, err
	}
	players := make([]kit.Decide, g.Seats)
	for i := range players {
		if players[i], err = decide(sideOf(table, i), deal<<8+uint64(i)); err != nil { //nolint:gosec // a seat
			return house.Match{}, err
		}
	}
	return house.Play(ctx, e, config, table, opening, players)
}

func sideOf(table game.Table, seat int) int {
	if teams := table.Teams(); teams != nil {
		if teams[seat] == teams[0] {
			return 0
		}
		return 1
	}
	return seat % 2
}

// written writes what a bot decides.
func written(decide kit.Decide, to io.Writer) kit.Decide {
	return func(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
		a, err := decide(ctx, t)
		if err != nil {
			return a, err
		}
		text, err := json.Marshal(a)
		fmt.Fprintf(to, "%d %d %s\n", t.Step, t.Seat, text)
		return a, err
	}
}

var errPool = errors.New("bad_pool")
