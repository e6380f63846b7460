package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// A match by challenge is unrated, outside tournaments, and of bots somebody chose.

// Challenge asks for such a match.
type Challenge struct {
	Game   string
	Config json.RawMessage // for a table of the bots; nil is the base variant
	Clock  tournament.Clock
	Limits tournament.FaultLimits
	Bots   []string // ids by seat
	Asker  tournament.Asker
}

// Challenge makes an unrated match of the bots' active versions, with a seed of its own. The rule is
// [tournament.CanChallenge].
func (s *Store) Challenge(ctx context.Context, x Challenge) (m tournament.Match, err error) {
	engine, err := s.engine(x.Game)
	if err != nil {
		return m, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		table, field, err := tx.challenged(x)
		if err != nil {
			return err
		}
		if err := tournament.CanChallenge(engine.Info(), table, x.Asker); err != nil {
			return err
		}
		luck, err := s.seed()
		if err != nil {
			return err
		}
		seats := make([]int, len(field))
		for i := range seats {
			seats[i] = i
		}
		if m, err = s.aside(engine, x.Config, field, seats, game.Stream(luck, 0, "aliases")); err != nil {
			return err
		}
		m.Clock, m.Limits = x.Clock, x.Limits
		return tx.save(ctx, tournament.Tournament{}, []tournament.Match{m})
	})
	m.Status = tournament.MatchQueued
	return m, err
}

// challenged is the bots of a challenge by seat, their rows locked so that two challenges at once see each other.
func (tx *Tx) challenged(x Challenge) ([]tournament.Seated, []onLadder, error) {
	for _, id := range slices.Sorted(slices.Values(x.Bots)) {
		if err := locked(tx.db).Where("id = ?", id).Take(&botRow{}).Error; err != nil {
			return nil, nil, found(err, "bot", id)
		}
	}
	var table []tournament.Seated
	var field []onLadder
	for _, id := range x.Bots {
		var r botRow
		if err := tx.db.Where("id = ?", id).Take(&r).Error; err != nil {
			return nil, nil, found(err, "bot", id)
		}
		v, err := version(tx.db, r.VersionID)
		if err != nil {
			return nil, nil, err
		}
		var open int64
		if err := tx.db.Table("match_seats s").Joins("JOIN matches m ON m.id = s.match_id").
			Where("s.bot_id = ? AND m.tournament_id IS NULL AND m.ladder_id IS NULL AND m.status IN ('queued', 'running')", id).Count(&open).Error; err != nil {
			return nil, nil, err
		}
		table = append(table, tournament.Seated{Bot: r.bot(), Games: v.Games, Open: int(open)})
		field = append(field, onLadder{BotID: r.ID, BotName: r.Name, OwnerID: r.OwnerID, VersionID: v.ID, Build: v.Build})
	}
	return table, field, nil
}

// TakeChallenges writes whether a bot takes challenges. A retired bot is [tournament.ErrState].
func (s *Store) TakeChallenges(ctx context.Context, botID string, takes bool) (b tournament.Bot, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		r, err := tx.living(botID)
		if err != nil {
			return err
		}
		r.TakesChallenges = takes
		b = r.bot()
		return tx.db.Model(&botRow{}).Where("id = ?", botID).Update("takes_challenges", takes).Error
	})
	return b, err
}
