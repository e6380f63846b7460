package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// A match by challenge is unrated, outside tournaments, and of bots somebody chose. Of those that one user asked for,
// [tournament.ChallengesAtOnce] have a job; the others are parked, queued with job_id 0, until one of them ends.

// openAsked narrows to the matches by challenge of an asker that are not over.
const openAsked = "asker_id = ? AND status IN ('queued', 'running')"

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
// [tournament.CanChallenge]; an asker with [tournament.MaxAsked] of them open is [tournament.ErrLimit], a disabled one
// [tournament.ErrDisabled].
func (s *Store) Challenge(ctx context.Context, x Challenge) (m tournament.Match, err error) {
	engine, err := s.engine(x.Game)
	if err != nil {
		return m, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.mayAsk(x.Asker.UserID); err != nil {
			return err
		}
		table, field, err := tx.challenged(x)
		if err != nil {
			return err
		}
		if err := tournament.CanChallenge(engine.Info(), table, x.Asker); err != nil {
			return err
		}
		seats := make([]int, len(field))
		for i := range seats {
			seats[i] = i
		}
		if m, err = s.aside(engine, x.Config, field, seats); err != nil {
			return err
		}
		m.Clock, m.Limits, m.AskerID = x.Clock, x.Limits, x.Asker.UserID
		jobs := []int64{0}
		if room, err := tx.challengeRoom(m.AskerID); err != nil {
			return err
		} else if room > 0 {
			if jobs, err = tx.enqueue(ctx, tournament.SourceChallenge, PlayMatch{MatchID: m.ID}); err != nil {
				return err
			}
		}
		return tx.insertMatches([]tournament.Match{m}, jobs)
	})
	m.Status = tournament.MatchQueued
	return m, err
}

// mayAsk reports why a user may not have another match by challenge. The user's row is locked, so that requests at once cannot
// share the last place; not against rows that refer to it, which matches that others make do.
func (tx *Tx) mayAsk(userID string) error {
	var u userRow
	if err := tx.db.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", userID).Take(&u).Error; err != nil {
		return found(err, "user", userID)
	}
	if u.DisabledAt != nil {
		return fmt.Errorf("%w: %s", tournament.ErrDisabled, u.DisabledReason)
	}
	var open int64
	if err := tx.db.Model(&matchRow{}).Where(openAsked, userID).Count(&open).Error; err != nil {
		return err
	}
	if open >= tournament.MaxAsked {
		return fmt.Errorf("%w: you have %d matches by challenge open, and may have %d; wait for one to end", tournament.ErrLimit, open, tournament.MaxAsked)
	}
	return nil
}

// challengeRoom is how many more of an asker's matches may have a job.
func (tx *Tx) challengeRoom(askerID string) (int, error) {
	var going int64
	err := tx.db.Model(&matchRow{}).Where(openAsked+" AND job_id <> 0", askerID).Count(&going).Error
	return tournament.ChallengesAtOnce - int(going), err
}

// nextChallenges gives jobs to an asker's matches that are parked, as far as there is room. Where another transaction parks one or
// ends one at the same time, the sweeper sees to what neither saw.
func (tx *Tx) nextChallenges(ctx context.Context, askerID string) error {
	room, err := tx.challengeRoom(askerID)
	if err != nil || room < 1 {
		return err
	}
	var parked []matchRow
	if err := tx.db.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).Select("id", "epoch").
		Where(openAsked+" AND status = 'queued' AND job_id = 0", askerID).Order("id").Limit(room).Find(&parked).Error; err != nil {
		return err
	}
	return tx.giveJobs(ctx, tournament.SourceChallenge, parked)
}

// sweepChallenges gives jobs to parked matches of every asker who has room.
func (tx *Tx) sweepChallenges(ctx context.Context) error {
	var askers []string
	if err := tx.db.Model(&matchRow{}).Distinct("asker_id").Where("asker_id IS NOT NULL AND status IN ('queued', 'running') AND status = 'queued' AND job_id = 0").
		Order("asker_id").Pluck("asker_id", &askers).Error; err != nil {
		return err
	}
	for _, id := range askers {
		if err := tx.nextChallenges(ctx, id); err != nil {
			return err
		}
	}
	return nil
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
