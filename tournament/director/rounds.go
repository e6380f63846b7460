package director

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// textOf returns a round, or several, as they are stored.
func textOf(rounds any) (string, error) {
	text, err := json.Marshal(rounds)
	return string(text), err
}

// changeRound writes a round in the place of what it was.
func (tx *txn) changeRound(tournamentID string, number int, r pairing.Round) error {
	text, err := textOf(r)
	if err != nil {
		return err
	}
	return tx.ChangeRound(store.Round{TournamentID: tournamentID, Number: number, Pairing: text})
}

// roundOf reads a round; its games have no results.
func roundOf(row store.Round) (pairing.Round, error) {
	var r pairing.Round
	if err := json.Unmarshal([]byte(row.Pairing), &r); err != nil {
		return r, fmt.Errorf("tournament %s round %d: %w", row.TournamentID, row.Number, err)
	}
	return r, nil
}

// round returns the round of a match; its games have no results.
func (tx *txn) round(m tournament.Match) (pairing.Round, error) {
	row, err := tx.Round(m.TournamentID, m.Round)
	if err != nil {
		return pairing.Round{}, err
	}
	return roundOf(row)
}

// addResults gives the games of a round their results, nil while a match is not over.
func addResults(row store.Round, r pairing.Round, results map[string]*pairing.Result) error {
	for _, b := range r.Blocks {
		for i := range b.Games {
			g := &b.Games[i]
			var ok bool
			if g.Result, ok = results[g.Match]; !ok {
				return fmt.Errorf("tournament %s round %d: there is no match %s", row.TournamentID, row.Number, g.Match)
			}
		}
	}
	return nil
}

// withMatches returns blocks whose games are the matches of list, in order. The blocks of a plan stay without.
func withMatches(blocks []pairing.Block, list []tournament.Match) []pairing.Block {
	return store.Map(blocks, func(b pairing.Block) pairing.Block {
		b.Games = store.Map(b.Games, func(g pairing.Game) pairing.Game {
			g.Match, list = list[0].ID, list[1:]
			return g
		})
		return b
	})
}

// A plan is the rounds that a format fixes ahead. It follows from the seed and the entries, but may take seconds to find, too
// long for the transaction that ends a round.

// keepPlan keeps the rounds that a tournament will make, in the place of what was kept before.
func (tx *txn) keepPlan(tournamentID string, rounds []pairing.Round) error {
	text, err := textOf(rounds)
	if err != nil {
		return err
	}
	return tx.KeepPlan(tournamentID, text)
}

// plan returns what was kept; nil if nothing was.
func (tx *txn) plan(tournamentID string) ([]pairing.Round, error) {
	text, err := tx.Plan(tournamentID)
	if err != nil || text == "" {
		return nil, err
	}
	var out []pairing.Round
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("tournament %s: plan: %w", tournamentID, err)
	}
	return out, nil
}
