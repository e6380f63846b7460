package director

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// voidOpen makes the matches of a tournament that are not over void.
func (tx *txn) voidOpen(tournamentID, reason string) error {
	return tx.tellVoid(tx.VoidOpen(tournamentID, reason))
}

// voidThese makes matches void, whose rows are locked.
func (tx *txn) voidThese(ids []string, reason string) error {
	return tx.tellVoid(tx.VoidMatches(ids, reason))
}

func (tx *txn) tellVoid(list []tournament.Match, err error) error {
	for _, m := range list {
		tx.EmitMatch(tournament.EventMatchVoid, m, nil)
	}
	return err
}

// VoidMatch ends a match that is not over, for a reason, without a result: its worker is fenced, it takes its place in
// schedule order and rates nobody, is not played again, and its tournament goes on without it. A match that is over is
// [tournament.ErrState]: its result stands.
func (d *Director) VoidMatch(ctx context.Context, id, reason string) (tournament.Match, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Match, error) { return tx.voidMatch(ctx, id, reason) })
}

func (tx *txn) voidMatch(ctx context.Context, id, reason string) (tournament.Match, error) {
	m, err := tx.Match(id)
	if err != nil {
		return m, err
	}
	var event *tournament.Tournament // locked before the match, as everywhere
	if m.TournamentID != "" {
		t, err := tx.LockTournament(m.TournamentID)
		if err != nil {
			return m, err
		}
		event = &t
	}
	if _, err := tx.openMatch(id, "void"); err != nil {
		return m, err
	}
	if err := tx.voidThese([]string{id}, reason); err != nil {
		return m, err
	}
	if event != nil { // an sprt that ends locks matches: before the ladder
		if err := tx.finishTournament(ctx, event); err != nil {
			return m, err
		}
	}
	if err := tx.rateOn(m.LadderID); err != nil {
		return m, err
	}
	if m.AskerID != "" {
		if err := tx.nextChallenges(ctx, m.AskerID); err != nil {
			return m, err
		}
	}
	return tx.Match(id)
}

// openMatch returns a match that is not over, its row locked.
func (tx *txn) openMatch(id, what string) (tournament.Match, error) {
	m, err := tx.LockMatch(id)
	if err == nil && m.Status.Over() {
		err = fmt.Errorf("%w: the match is %s; only one that is %s or %s can be %s", tournament.ErrState, m.Status,
			tournament.MatchQueued, tournament.MatchRunning, what)
	}
	return m, err
}

// Evict takes the bots of disabled users from what is open. Their matches by challenge, asked for by them or with a bot of
// theirs, are void, running ones too: the workers are fenced. So are matches of standing ladders that have not begun, whose other
// bots get new ones; those that have begun are played to the end under the ladder's clock. Retired bots are taken from what has not begun,
// also by challenge. The tournaments of all these go on as after [Director.Withdraw]. Each step is a transaction of its own; evicting
// again does what is left.
func (d *Director) Evict(ctx context.Context) error {
	disabled, err := d.store.OfDisabled(ctx)
	if err != nil {
		return err
	}
	retired, err := d.store.OfRetired(ctx)
	if err != nil {
		return err
	}
	entered, err := d.store.GoneEntries(ctx)
	if err != nil {
		return err
	}
	var failed error
	void := func(ids []string, reason string) {
		for _, id := range ids {
			if _, err := d.VoidMatch(ctx, id, reason); !errors.Is(err, tournament.ErrState) { // else it has ended meanwhile
				failed = errors.Join(failed, err)
			}
		}
	}
	void(disabled, "the account of a bot's owner is disabled")
	void(retired, "a bot at the table is retired")
	for _, e := range entered {
		if _, err := d.Withdraw(ctx, e.TournamentID, e.BotID, e.OwnerID); !errors.Is(err, tournament.ErrState) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// A match of a tournament or a ladder that is void by our fault is played again by itself, so that nobody gains by it. The
// match that is played instead has the void one's seats, its place in the round and its place in the ladder's order; the
// void one keeps its record and is unrated. Voiding and replaying are one transaction, and a place is given away once.

// playAgain makes the match that is played in the place of a void one, whose row and whose tournament's row are locked. When
// its replays are used up, an event goes to whoever runs the tournament or the ladder instead.
func (tx *txn) playAgain(ctx context.Context, m tournament.Match) error {
	if m.Replay == tournament.MaxReplays {
		tx.EmitGivenUp(m)
		return nil
	}
	m, err := tx.Match(m.ID) // since a worker read it, the place may have changed
	if err != nil {
		return err
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

// replayOf returns the match between the same seats with luck, nonce and aliases of its own, under the rules that hold now.
func (d *Director) replayOf(m tournament.Match) (tournament.Match, error) {
	info, err := d.info(m.Game)
	if err != nil {
		return m, err
	}
	next := tournament.Match{
		TournamentID: m.TournamentID, Round: m.Round, Block: m.Block, Number: m.Number,
		Game: m.Game, RulesVersion: info.Version, Config: m.Config, Clock: m.Clock, Limits: m.Limits, Beliefs: m.Beliefs,
		Rated: m.Rated, LadderID: m.LadderID, LadderSeq: m.LadderSeq, Seats: slices.Clone(m.Seats),
		ReplayOf: m.First(), Replay: m.Replay + 1,
	}
	err = d.draw(&next, d.opts.Rand)
	return next, err
}

// intoBlock gives a replay the next number of its block, and the block's seed if another match there is played on it.
func (tx *txn) intoBlock(m tournament.Match, next *tournament.Match) error {
	block, err := tx.BlockOf(m)
	if err != nil {
		return err
	}
	for _, x := range block {
		next.Number = max(next.Number, x.Number+1)
		if x.ID != m.ID && x.ReplayedAs == "" && x.Seed == m.Seed {
			next.Seed = m.Seed
		}
	}
	return nil
}

// substitute writes a replay into the round of the match that it replaces: pairings, brackets and standings read it from there.
func (tx *txn) substitute(m tournament.Match, id string) error {
	r, err := tx.round(m)
	if err != nil {
		return err
	}
	for _, b := range r.Blocks {
		for i := range b.Games {
			if b.Games[i].Match != m.ID {
				continue
			}
			b.Games[i].Match = id
			return tx.changeRound(m.TournamentID, m.Round, r)
		}
	}
	return fmt.Errorf("match %s is not in round %d of its tournament", m.ID, m.Round)
}
