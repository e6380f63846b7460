package director

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// A match by challenge is unrated, outside tournaments, and of bots somebody chose. Of those that one user asked for,
// [tournament.ChallengesAtOnce] have a job; the others are parked until one of them ends.

// Challenge asks for such a match.
type Challenge struct {
	Game   string
	Config json.RawMessage // for a table of the bots; nil is the base variant
	Clock  tournament.Clock
	Limits tournament.FaultLimits
	Bots   []string // ids by seat
	// Beliefs asks seats what they believe.
	Beliefs bool
	Asker   tournament.Asker
}

// Challenge makes an unrated match of the bots' active versions, with a seed of its own. The rule is
// [tournament.CanChallenge]; an asker with [tournament.MaxAsked] of them open is [tournament.ErrLimit], a disabled one
// [tournament.ErrDisabled].
func (d *Director) Challenge(ctx context.Context, x Challenge) (tournament.Match, error) {
	var m tournament.Match
	engine, err := d.engine(x.Game)
	if err != nil {
		return m, err
	}
	err = d.inTx(ctx, func(tx *txn) error {
		if err := tx.mayAsk(x.Asker.UserID); err != nil {
			return err
		}
		table, field, err := tx.challenged(x.Bots, x.Asker.UserID)
		if err != nil {
			return err
		}
		if err := tournament.CanChallenge(engine.Info(), table, x.Asker); err != nil {
			return err
		}
		if m, err = d.newUnratedMatch(engine, x.Config, field); err != nil {
			return err
		}
		m.Clock, m.Limits, m.Beliefs, m.AskerID = x.Clock, x.Limits, x.Beliefs, x.Asker.UserID
		room, err := tx.challengeRoom(m.AskerID)
		if err != nil {
			return err
		}
		if room > 0 {
			return tx.QueueMatches(ctx, time.Time{}, m)
		}
		return tx.ParkMatch(m)
	})
	m.Status = tournament.MatchQueued
	return m, err
}

// mayAsk reports why a user may not have another match by challenge. The user's row is locked, so that requests at once cannot
// share the last place.
func (tx *txn) mayAsk(userID string) error {
	u, err := tx.LockUser(userID)
	if err != nil {
		return err
	}
	if u.DisabledAt != nil {
		return fmt.Errorf("%w: %s", tournament.ErrDisabled, u.DisabledReason)
	}
	open, _, err := tx.OpenAsked(userID)
	if err != nil {
		return err
	}
	if open >= tournament.MaxAsked {
		return fmt.Errorf("%w: you have %d matches by challenge open, and may have %d; wait for one to end", tournament.ErrLimit, open, tournament.MaxAsked)
	}
	return nil
}

// challengeRoom returns how many more of an asker's matches may have a job.
func (tx *txn) challengeRoom(askerID string) (int, error) {
	_, going, err := tx.OpenAsked(askerID)
	return tournament.ChallengesAtOnce - going, err
}

// nextChallenges gives jobs to an asker's matches that are parked, as far as there is room. Where another transaction parks one or
// ends one at the same time, the sweeper sees to what neither saw.
func (tx *txn) nextChallenges(ctx context.Context, askerID string) error {
	room, err := tx.challengeRoom(askerID)
	if err != nil || room < 1 {
		return err
	}
	parked, err := tx.ParkedAsked(askerID, room)
	if err != nil {
		return err
	}
	return tx.GiveJobs(ctx, parked)
}

// sweepChallenges gives jobs to parked matches of every asker who has room; an asker for whom that fails holds up no other.
func (d *Director) sweepChallenges(ctx context.Context) error {
	askers, err := d.store.Reader(ctx).ParkedAskers()
	if err != nil {
		return err
	}
	var failed error
	for _, id := range askers {
		if err := d.inTx(ctx, func(tx *txn) error { return tx.nextChallenges(ctx, id) }); err != nil {
			failed = errors.Join(failed, fmt.Errorf("challenges of user %s: %w", id, err))
		}
	}
	return failed
}

// challenged returns the bots of a user's challenge by seat, their rows locked so that two challenges at once see each other.
func (tx *txn) challenged(bots []string, askerID string) ([]tournament.Seated, []tournament.MatchSeat, error) {
	if err := tx.Lock(store.Rows{store.Bots: bots}); err != nil {
		return nil, nil, err
	}
	var table []tournament.Seated
	var field []tournament.MatchSeat
	for _, id := range bots {
		b, err := tx.Bot(id)
		if err != nil {
			return nil, nil, err
		}
		v, err := tx.Version(b.VersionID)
		if err != nil {
			return nil, nil, err
		}
		open, asked, err := tx.OpenChallenges(id, askerID)
		if err != nil {
			return nil, nil, err
		}
		table = append(table, tournament.Seated{Bot: b, Games: v.Games, Open: open, Asked: asked})
		field = append(field, tournament.MatchSeat{BotID: b.ID, BotName: b.Name, OwnerID: b.OwnerID, VersionID: v.ID, Build: v.Build})
	}
	return table, field, nil
}
