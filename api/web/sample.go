package web

import (
	"github.com/molerun/molerun/engines/game"
)

// sampleSteps is how far into a match the picture of a game is: far enough for pieces to have moved.
const sampleSteps = 24

// sample is a picture of a game, some steps into a match of its house against itself; nil for a game without drawings.
func sample(e game.Engine) []byte {
	info := e.Info()
	seats := (info.MinSeats + info.MaxSeats) / 2
	config, err := e.Configure(nil, seats)
	if err != nil {
		return nil
	}
	table, _, err := e.New(config, seats, game.Seed{1})
	if err != nil {
		return nil
	}
	for table.Due() != 0 && table.Step() < sampleSteps {
		var turns []game.Turn
		for seat := range table.Due().Each() {
			turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
		}
		if _, err := table.Apply(turns); err != nil {
			return nil
		}
	}
	svg, err := table.Draw(game.Spectator, nil)
	if err != nil {
		return nil
	}
	return svg
}
