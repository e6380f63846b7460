package store

import (
	"context"
	"errors"

	"github.com/molerun/molerun/tournament"
)

// evicted is the reason of a match that is void because a player's owner may not play any more.
const evicted = "the account of a bot's owner is disabled"

// Evict takes the bots of disabled users from what is open. Their matches by challenge, asked for by them or with a bot of
// theirs, are void, running ones too: the workers are fenced. So are matches of standing ladders that have not begun, whose other
// bots get new ones; those that have begun are played to the end under the ladder's clock. Tournaments go on as after
// [Store.Withdraw]. Each step is a transaction of its own; evicting again does what is left.
func (s *Store) Evict(ctx context.Context) error {
	var open []string
	// Parked ones first: the end of one that is played makes room for them.
	if err := s.with(ctx).Raw("SELECT m.id FROM matches m WHERE m.tournament_id IS NULL AND m.status IN ('queued', 'running')" +
		" AND (m.ladder_id IS NULL OR m.status = 'queued' AND m.epoch = 0) AND (" +
		"EXISTS (SELECT 1 FROM users u WHERE u.id = m.asker_id AND u.disabled_at IS NOT NULL) OR " +
		"EXISTS (SELECT 1 FROM match_seats s JOIN users u ON u.id = s.owner_id WHERE s.match_id = m.id AND u.disabled_at IS NOT NULL))" +
		" ORDER BY m.job_id, m.id").Scan(&open).Error; err != nil {
		return err
	}
	var entered []struct{ TournamentID, BotID, OwnerID string }
	if err := s.with(ctx).Raw("SELECT e.tournament_id, e.bot_id, b.owner_id FROM tournaments t JOIN entries e ON e.tournament_id = t.id"+
		" JOIN bots b ON b.id = e.bot_id JOIN users u ON u.id = b.owner_id WHERE t.status IN (?, ?) AND e.withdrawn_at IS NULL AND u.disabled_at IS NOT NULL"+
		" ORDER BY e.tournament_id, e.bot_id", tournament.Scheduled, tournament.Running).Scan(&entered).Error; err != nil {
		return err
	}
	var failed error
	for _, id := range open {
		if _, err := s.VoidMatch(ctx, id, evicted); !errors.Is(err, tournament.ErrState) { // else it has ended meanwhile
			failed = errors.Join(failed, err)
		}
	}
	for _, e := range entered {
		if _, err := s.Withdraw(ctx, e.TournamentID, e.BotID, e.OwnerID); !errors.Is(err, tournament.ErrState) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
