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
	for step := range out {
		out[step] = make([]float64, len(rec.Header.Seats))
	}
	err := Chances(engine, rec, redraws, func(step int, table game.Table, share float64) error {
		expect, err := table.Expect()
		for seat, x := range expect {
			out[step][seat] += float64(share * x)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Chances shows each table that chance made in a record, and those that it might have made as well: the share of the first is 1, that of
// each of the others −1/redraws. A step that draws nothing shows none. The error is the engine's or each's own, with the step.
func Chances(engine game.Engine, rec *replay.Record, redraws int, each func(step int, table game.Table, share float64) error) error {
	h := rec.Header
	deal := func(seed game.Seed) (game.Table, error) {
		table, _, err := engine.New(h.Config, len(h.Seats), seed)
		return table, err
	}
	table, err := deal(rec.Seed)
	if err == nil {
		err = around(table, rec.Seed, redraws, deal, each)
	}
	if err != nil {
		return fmt.Errorf("the deal: %w", err)
	}
	for i, step := range rec.Steps[1:] {
		turns, before := replay.GameTurns(step.Turns), table.Resample(game.Everything, rec.Seed)
		err := table.Repeat(turns)
		if err == nil {
			err = around(table, rec.Seed, redraws, func(seed game.Seed) (game.Table, error) {
				other := before.Resample(game.Everything, seed)
				return other, other.Repeat(turns)
			}, each)
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// around shows a table and what other seeds make of its last step.
func around(table game.Table, seed game.Seed, redraws int, with func(game.Seed) (game.Table, error), each func(int, game.Table, float64) error) error {
	if !table.Chance() {
		return nil
	}
	if err := each(table.Step(), table, 1); err != nil {
		return err
	}
	r := game.Stream(seed, table.Step(), "luck")
	for range redraws {
		var other game.Seed
		for i := range other {
			other[i] = byte(r.IntN(256))
		}
		twin, err := with(other)
		if err != nil {
			return err
		}
		if err := each(table.Step(), twin, -1/float64(redraws)); err != nil {
			return err
		}
	}
	return nil
}

// Total returns the luck of a match by seat: the sum over its steps, of which there is at least the deal.
func Total(luck [][]float64) []float64 {
	out := make([]float64, len(luck[0]))
	for _, step := range luck {
		for seat, x := range step {
			out[seat] += x
		}
	}
	return out
}
