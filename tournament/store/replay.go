package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// A match of a tournament or a ladder that is void by our fault is played again by itself, so that nobody gains by it. The
// match that is played instead has the void one's seats, its place in the round and its place in the ladder's order; the
// void one keeps its record and is unrated. Voiding and replaying are one transaction, and a place is given away once.

// playAgain makes the match that is played in the place of a void one, whose row and whose tournament's row are locked. When
// its replays are used up, whoever runs the tournament or the ladder is told instead.
func (tx *Tx) playAgain(ctx context.Context, m tournament.Match) error {
	if m.Replay == tournament.MaxReplays {
		tx.tellGivenUp(m)
		return nil
	}
	next, err := tx.s.replayOf(m)
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
	if err := tx.db.Model(&matchRow{}).Where("id = ?", m.ID).Updates(map[string]any{
		"replayed_as": next.ID, "rated": false, "ladder_id": nil, "ladder_seq": nil,
	}).Error; err != nil {
		return err
	}
	jobs, err := tx.enqueueAt(ctx, tournament.ReplayAt(tx.s.now(), next.Replay), next.Source(), PlayMatch{MatchID: next.ID})
	if err != nil {
		return err
	}
	row, seats := newMatchRow(next, jobs[0])
	return errors.Join(tx.db.Create(&row).Error, tx.db.Create(&seats).Error)
}

// replayOf is the match between the same seats with luck, nonce and aliases of its own, under the rules that hold now.
func (s *Store) replayOf(m tournament.Match) (tournament.Match, error) {
	info, err := s.info(m.Game)
	if err != nil {
		return m, err
	}
	next := tournament.Match{
		TournamentID: m.TournamentID, Round: m.Round, Block: m.Block, Number: m.Number,
		Game: m.Game, RulesVersion: info.Version, Config: m.Config, Clock: m.Clock, Limits: m.Limits,
		Rated: m.Rated, LadderID: m.LadderID, LadderSeq: m.LadderSeq, Seats: slices.Clone(m.Seats),
		ReplayOf: m.First(), Replay: m.Replay + 1,
	}
	return next, s.draw(&next, s.opts.Rand)
}

// intoBlock gives a replay the next number of its block, and the block's seed if another match there is played on it.
func (tx *Tx) intoBlock(m tournament.Match, next *tournament.Match) error {
	var block []matchRow
	if err := ofBlock(tx.db.Select("id", "number", "seed", "replayed_as"), m).Find(&block).Error; err != nil {
		return err
	}
	for _, r := range block {
		next.Number = max(next.Number, r.Number+1)
		if r.ID != m.ID && r.ReplayedAs == nil && r.Seed == m.Seed.String() {
			next.Seed = m.Seed
		}
	}
	return nil
}

// substitute writes a replay into the round of the match that it replaces: pairings, brackets and standings read it from there.
func (tx *Tx) substitute(m tournament.Match, id string) error {
	var row roundRow
	round := tx.db.Model(&roundRow{}).Where("tournament_id = ? AND number = ?", m.TournamentID, m.Round)
	rows := round.Session(&gorm.Session{}).Limit(1).Find(&row)
	if rows.Error != nil || rows.RowsAffected == 0 { // rounds of old programs have no row: there it follows from the matches
		return rows.Error
	}
	p, err := row.paired()
	if err != nil {
		return err
	}
	for b := range p.Blocks {
		for g := range p.Blocks[b].Games {
			if p.Blocks[b].Games[g].Match == m.ID {
				p.Blocks[b].Games[g].Match = id
				text, err := p.text()
				if err != nil {
					return err
				}
				return round.Session(&gorm.Session{}).Update("pairing", text).Error
			}
		}
	}
	return fmt.Errorf("match %s is not in round %d of its tournament", m.ID, m.Round)
}

// tellGivenUp tells the organiser of a tournament, or the administrators where it is a ladder's, of a match that is not
// played again.
func (tx *Tx) tellGivenUp(m tournament.Match) {
	tx.tell(told{
		Event: tournament.Event{
			Kind: tournament.EventMatchGivenUp, Game: m.Game, MatchID: m.ID, TournamentID: m.TournamentID, LadderID: m.LadderID,
			Round: m.Round, Block: m.Block, Number: m.Number, Reason: fmt.Sprintf("void %d times by a fault of the platform", m.Replay+1),
		},
		owners: func(db *gorm.DB) ([]ownedBot, error) {
			who := db.Table("users").Select("id").Where("role = ?", tournament.RoleAdmin)
			if m.TournamentID != "" {
				who = db.Table("tournaments").Select("organiser_id").Where("id = ?", m.TournamentID)
			}
			var ids []string
			err := who.Scan(&ids).Error
			return each(ids, func(id string) ownedBot { return ownedBot{OwnerID: id} }), err
		},
	})
}
