package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament/rating"
)

// setting is a game and who plays it.
type setting struct {
	game  string
	seats int
	bot   string  // the better of the pair, and whoever fills the table
	errs  float64 // how often the worse of the pair plays any legal action instead

	config string // "": the base game
}

// tape records the steps of a match.
type tape struct {
	game.Table
	steps []replay.Step
}

// Apply keeps the turns.
func (t *tape) Apply(turns []game.Turn) ([]game.Event, error) {
	step := replay.Step{}
	for _, turn := range turns {
		step.Turns = append(step.Turns, replay.Turn{Seat: turn.Seat, Action: turn.Action, Say: turn.Say})
	}
	t.steps = append(t.steps, step)
	return t.Table.Apply(turns)
}

// match is one that has been played: the pair sits in seats a and b.
type match struct {
	engine game.Engine
	rec    *replay.Record
	a, b   int
	points []float64
}

// erring returns a bot that plays any legal action as often as errs says. The luck of that follows from seed and step.
func erring(decide kit.Decide, errs float64, seed uint64) kit.Decide {
	return func(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
		rng := rand.New(rand.NewPCG(seed, uint64(t.Step)))
		if rng.Float64() >= errs {
			return decide(ctx, t)
		}
		lot, _ := house.Find("random")
		return lot.Decide(rng.Uint64())(ctx, t)
	}
}

// play plays a match of a setting. With the same seed and another take, the players have other luck of their own.
func (x setting) play(ctx context.Context, seed uint64, take int) (match, error) {
	engine, ok := catalog.Find(x.game)
	if !ok {
		return match{}, fmt.Errorf("there is no game %q", x.game)
	}
	config, err := engine.Configure([]byte(x.config), x.seats)
	if err != nil {
		return match{}, err
	}
	bot, ok := house.Find(x.bot)
	if !ok {
		return match{}, fmt.Errorf("there is no house bot %q", x.bot)
	}
	m := match{engine: engine, a: int(seed % uint64(x.seats))}
	m.b = (m.a + 1 + int(seed/uint64(x.seats)%uint64(x.seats-1))) % x.seats
	r := game.Stream(house.Seed(seed), take, "match")
	players := make([]kit.Decide, x.seats)
	for i := range players {
		players[i] = bot.Decide(r.Uint64())
	}
	players[m.b] = erring(players[m.b], x.errs, r.Uint64())
	table, opening, err := engine.New(config, x.seats, house.Seed(seed))
	if err != nil {
		return match{}, err
	}
	t := &tape{Table: table, steps: make([]replay.Step, 1)}
	end, err := house.Play(ctx, engine, config, t, opening, players)
	if err != nil {
		return match{}, err
	}
	m.rec = &replay.Record{Header: replay.Header{Game: x.game, Config: config, Seats: make([]replay.Seat, x.seats)}, Steps: t.steps, Result: end.Result, Seed: house.Seed(seed)}
	m.points = rating.Points(end.Result, 0)
	return m, nil
}

// luck returns what chance gave each seat of a match.
func (m match) luck() ([]float64, error) {
	luck, err := review.Luck(m.engine, m.rec, review.Redraws)
	if err != nil {
		return nil, err
	}
	return review.Total(luck), nil
}
