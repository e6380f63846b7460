package review

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

// Redraws is how many other outcomes of a chance event are looked at. A 16th of what luck scatters is added to the points without it.
const Redraws = 16

// Luck returns, by step of a record and seat, what the chance of the step gave the seat, in points of the match (0 to 1); the deal is
// step 0. It is what [game.Table.Expect] says of the table that chance made, less the mean over redraws tables that it might have made as
// well: the same step with the same turns and other seeds. That is 0 on average however wrong Expect is (Burch, Schmid,
// Moravčík and Bowling 2018, AIVAT: for the chance nodes alone), so points less the sum of their luck are as just as points of record, and
// scatter less. It follows from the record. The error is the engine's: of a record that it did not make, or a game that judges no tables.
func Luck(engine game.Engine, rec *replay.Record, redraws int) ([][]float64, error) {
	out := make([][]float64, len(rec.Steps))
	h := rec.Header
	table, _, err := engine.New(h.Config, len(h.Seats), rec.Seed)
	if err != nil {
		return nil, fmt.Errorf("the deal: %w", err)
	}
	out[0], err = given(table, rec.Seed, redraws, func(seed game.Seed) (game.Table, error) {
		other, _, err := engine.New(h.Config, len(h.Seats), seed)
		return other, err
	})
	if err != nil {
		return nil, fmt.Errorf("the deal: %w", err)
	}
	for i, step := range rec.Steps[1:] {
		turns := replay.GameTurns(step.Turns)
		before := table.Resample(game.Everything, rec.Seed)
		if err := table.Repeat(turns); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		out[i+1], err = given(table, rec.Seed, redraws, func(seed game.Seed) (game.Table, error) {
			other := before.Resample(game.Everything, seed)
			return other, other.Repeat(turns)
		})
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return out, nil
}

// given returns what chance gave each seat of a table, by what it would have made of other seeds.
func given(table game.Table, seed game.Seed, redraws int, with func(game.Seed) (game.Table, error)) ([]float64, error) {
	if !table.Chance() {
		return make([]float64, table.Seats()), nil
	}
	out, err := table.Expect()
	if err != nil {
		return nil, err
	}
	r := game.Stream(seed, table.Step(), "luck")
	for range redraws {
		var other game.Seed
		for i := range other {
			other[i] = byte(r.IntN(256))
		}
		table, err := with(other)
		if err != nil {
			return nil, err
		}
		mean, err := table.Expect()
		if err != nil {
			return nil, err
		}
		for seat, x := range mean {
			out[seat] -= x / float64(redraws)
		}
	}
	return out, nil
}
