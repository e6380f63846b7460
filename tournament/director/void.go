package director

import (
	"context"
	"errors"
	"fmt"

	"github.com/molerun/molerun/tournament"
)

// voidOpen makes the matches of a tournament that are not over void.
func (tx *txn) voidOpen(tournamentID, reason string) error {
	list, err := tx.VoidOpen(tournamentID, reason)
	for _, m := range list {
		tx.TellMatch(tournament.EventMatchVoid, m)
	}
	return err
}

// voidThese makes matches void, whose rows are locked.
func (tx *txn) voidThese(ids []string, reason string) error {
	list, err := tx.VoidMatches(ids, reason)
	for _, m := range list {
		tx.TellMatch(tournament.EventMatchVoid, m)
	}
	return err
}

// VoidMatch ends a match that is not over, for a reason, without a result: its worker is fenced, it takes its place in
// schedule order and rates nobody, and its tournament goes on as after [Director.Void]. A match that is over is
// [tournament.ErrState]: its result stands.
func (d *Director) VoidMatch(ctx context.Context, id, reason string) (m tournament.Match, err error) {
	err = d.inTx(ctx, func(tx *txn) error {
		if m, err = tx.Match(id); err != nil {
			return err
		}
		var cup *tournament.Tournament // locked before the match, as everywhere
		if m.TournamentID != "" {
			t, err := tx.LockTournament(m.TournamentID)
			if err != nil {
				return err
			}
			cup = &t
		}
		if _, err := tx.openMatch(id, "void"); err != nil {
			return err
		}
		if err := tx.voidThese([]string{id}, reason); err != nil {
			return err
		}
		if m.LadderID != "" {
			if _, err := tx.rate(m.LadderID); err != nil {
				return err
			}
		}
		if cup != nil {
			if err := tx.finishTournament(ctx, cup); err != nil {
				return err
			}
		}
		if m.AskerID != "" {
			if err := tx.nextChallenges(ctx, m.AskerID); err != nil {
				return err
			}
		}
		m, err = tx.Match(id)
		return err
	})
	return m, err
}

// openMatch is a match that is not over, its row locked.
func (tx *txn) openMatch(id, what string) (tournament.Match, error) {
	m, err := tx.LockMatch(id)
	if err == nil && m.Status.Over() {
		err = fmt.Errorf("%w: the match is %s; only one that is %s or %s can be %s", tournament.ErrState, m.Status,
			tournament.MatchQueued, tournament.MatchRunning, what)
	}
	return m, err
}

// evicted is the reason of a match that is void because a player's owner may not play any more.
const evicted = "the account of a bot's owner is disabled"

// Evict takes the bots of disabled users from what is open. Their matches by challenge, asked for by them or with a bot of
// theirs, are void, running ones too: the workers are fenced. So are matches of standing ladders that have not begun, whose other
// bots get new ones; those that have begun are played to the end under the ladder's clock. Tournaments go on as after
// [Director.Withdraw]. Each step is a transaction of its own; evicting again does what is left.
func (d *Director) Evict(ctx context.Context) error {
	open, err := d.store.OfDisabled(ctx)
	if err != nil {
		return err
	}
	entered, err := d.store.DisabledEntries(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range open {
		if _, err := d.VoidMatch(ctx, id, evicted); !errors.Is(err, tournament.ErrState) { // else it has ended meanwhile
			failed = errors.Join(failed, err)
		}
	}
	for _, e := range entered {
		if _, err := d.Withdraw(ctx, e.TournamentID, e.BotID, e.OwnerID); !errors.Is(err, tournament.ErrState) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
