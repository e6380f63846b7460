package director

import (
	"context"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// A match of a tournament or a ladder that is void by our fault is played again by itself, so that nobody gains by it. The
// match that is played instead has the void one's seats, its place in the round and its place in the ladder's order; the
// void one keeps its record and is unrated. Voiding and replaying are one transaction, and a place is given away once.

// playAgain makes the match that is played in the place of a void one, whose row and whose tournament's row are locked. When
// its replays are used up, whoever runs the tournament or the ladder is told instead.
func (tx *txn) playAgain(ctx context.Context, m tournament.Match) error {
	if m.Replay == tournament.MaxReplays {
		tx.TellGivenUp(m)
		return nil
	}
	next, err := tx.d.replayOf(m)
	if err != nil {
		return err
	}
	if m.TournamentID != "" {
		if err := tx.intoBlock(m, &next); err != nil {
			return err
		}
		if err := tx.substitute(m, next.ID); err != nil {
			return err
		}
	}
	if err := tx.Replaced(m.ID, next.ID); err != nil {
		return err
	}
	return tx.QueueMatches(ctx, tournament.ReplayAt(tx.d.now(), next.Replay), next)
}

// replayOf is the match between the same seats with luck, nonce and aliases of its own, under the rules that hold now.
func (d *Director) replayOf(m tournament.Match) (tournament.Match, error) {
	info, err := d.info(m.Game)
	if err != nil {
		return m, err
	}
	next := tournament.Match{
		TournamentID: m.TournamentID, Round: m.Round, Block: m.Block, Number: m.Number,
		Game: m.Game, RulesVersion: info.Version, Config: m.Config, Clock: m.Clock, Limits: m.Limits,
		Rated: m.Rated, LadderID: m.LadderID, LadderSeq: m.LadderSeq, Seats: slices.Clone(m.Seats),
		ReplayOf: m.First(), Replay: m.Replay + 1,
	}
	return next, d.draw(&next, d.opts.Rand)
}

// intoBlock gives a replay the next number of its block, and the block's seed if another match there is played on it.
func (tx *txn) intoBlock(m tournament.Match, next *tournament.Match) error {
	block, err := tx.BlockOf(m)
	if err != nil {
		return err
	}
	for _, x := range block {
		next.Number = max(next.Number, x.Number+1)
		if x.ID != m.ID && !x.Replaced && x.Seed == m.Seed.String() {
			next.Seed = m.Seed
		}
	}
	return nil
}

// substitute writes a replay into the round of the match that it replaces: pairings, brackets and standings read it from there.
func (tx *txn) substitute(m tournament.Match, id string) error {
	row, made, err := tx.Round(m.TournamentID, m.Round)
	if err != nil || !made { // rounds of old programs have no row: there it follows from the matches
		return err
	}
	p, err := pairedOf(row)
	if err != nil {
		return err
	}
	for b := range p.Blocks {
		for g := range p.Blocks[b].Games {
			if p.Blocks[b].Games[g].Match != m.ID {
				continue
			}
			p.Blocks[b].Games[g].Match = id
			if row.Pairing, err = p.text(); err != nil {
				return err
			}
			return tx.ChangeRound(row)
		}
	}
	return fmt.Errorf("match %s is not in round %d of its tournament", m.ID, m.Round)
}
