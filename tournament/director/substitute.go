package director

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// A substitute takes an entry's place: its number in the pairings, and so its results so far, its seed and its byes. Ratings stay with the
// bots that played. See docs/decisions/0044.

// Substitute has a bot take the place of another's entry, before the start or between rounds: whoever is in a block that has begun stays
// until that is over ([tournament.ErrState]). Its matches that have not begun are dealt again. The rule is [tournament.CanSubstitute].
func (d *Director) Substitute(ctx context.Context, tournamentID, botID, byID string) (tournament.Entry, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Entry, error) {
		t, err := tx.LockTournament(tournamentID)
		if err != nil {
			return tournament.Entry{}, err
		}
		waiting, err := tx.LockWaiting(t.ID)
		if err != nil {
			return tournament.Entry{}, err
		}
		was, now, err := tx.standIn(t, botID, byID)
		if err != nil {
			return tournament.Entry{}, err
		}
		if t.Status == tournament.Scheduled {
			tx.EmitSubstituted(t, was.Entry, now.Entry, fmt.Sprintf("it plays for bot %q", was.BotName))
			return now.Entry, tx.exchange(was, now)
		}
		return tx.succeed(ctx, t, was, now, waiting)
	})
}

// standIn returns an entry and the one that takes its place, unless the rule refuses. The version that is active now plays, whatever is
// promoted meanwhile.
func (tx *txn) standIn(t tournament.Tournament, botID, byID string) (was, now store.Entered, err error) {
	all, err := tx.Entered(t.ID)
	if err != nil {
		return was, now, err
	}
	at := slices.IndexFunc(all, func(e store.Entered) bool { return e.BotID == botID })
	if at < 0 {
		return was, now, fmt.Errorf("%w: the bot is not entered", tournament.ErrNotFound)
	}
	was = all[at]
	b, err := tx.Bot(byID)
	if err != nil {
		return was, now, err
	}
	info, err := tx.d.info(t.Game)
	if err != nil {
		return was, now, err
	}
	games, err := tx.GamesOf(b.VersionID)
	if err != nil {
		return was, now, err
	}
	if err := tournament.CanSubstitute(t, info, store.Map(all, entryOf), was.Entry, b, games); err != nil {
		return was, now, err
	}
	now = store.Entered{Entry: was.Entry, Place: was.Place, SeedMilli: was.SeedMilli, JoinedRound: was.JoinedRound}
	now.BotID, now.BotName, now.OwnerID, now.CheckedInAt = b.ID, b.Name, b.OwnerID, nil
	if t.ChecksIn(tx.d.now()) {
		now.CheckedInAt = new(tx.d.now()) // whoever names a bot now has it ready
	}
	if t.Status == tournament.Running {
		v, err := tx.Version(b.VersionID)
		if err != nil {
			return was, now, err
		}
		now.VersionID, now.Build, now.Replaces, now.ReplacesName = v.ID, v.Build, was.BotID, was.BotName
	}
	return was, now, nil
}

// exchange writes an entry in the place of another.
func (tx *txn) exchange(was, now store.Entered) error {
	if err := tx.ReplaceEntry(was.Entry); err != nil {
		return err
	}
	return tx.AddEntry(now)
}

// succeed has an entry play on for another in a tournament that runs. waiting are the matches that have not begun, whose rows are locked.
func (tx *txn) succeed(ctx context.Context, t tournament.Tournament, was, now store.Entered, waiting map[string]bool) (tournament.Entry, error) {
	c, err := tx.d.contest(tx.Reader, t)
	if err != nil {
		return now.Entry, err
	}
	place := slices.IndexFunc(c.field, func(e store.Entered) bool { return e.BotID == was.BotID })
	if place < 0 || was.Place == nil {
		return now.Entry, fmt.Errorf("%w: bot %q has no place in the pairings", tournament.ErrState, was.BotName)
	}
	again := map[int][]int{} // by round, the blocks to be dealt again
	now.SinceRound = len(c.Rounds) + 1
	for i, r := range c.Rounds {
		begun := slices.ContainsFunc(r.Blocks, func(b pairing.Block) bool { return !isWaiting(b, waiting) })
		if len(r.Blocks) > 0 && !begun && slices.Contains(r.Byes, place) {
			now.SinceRound = min(now.SinceRound, i+1)
		}
		for k, b := range r.Blocks {
			switch {
			case !b.Open() || !slices.Contains(b.Games[0].Seats, place):
			case !isWaiting(b, waiting):
				return now.Entry, fmt.Errorf("%w: bot %q plays in round %d; pause the tournament, and substitute it when that is over", tournament.ErrState, was.BotName, i+1)
			default:
				again[i] = append(again[i], k)
				now.SinceRound = min(now.SinceRound, i+1)
			}
		}
	}
	c.field[place] = now
	if err := tx.exchange(was, now); err != nil {
		return now.Entry, err
	}
	if err := tx.dealAgain(ctx, c, again, fmt.Sprintf("bot %q plays for bot %q", now.BotName, was.BotName)); err != nil {
		return now.Entry, err
	}
	tx.EmitSubstituted(t, was.Entry, now.Entry, fmt.Sprintf("since round %d it plays for bot %q", now.SinceRound, was.BotName))
	tx.EmitTournament(tournament.EventStandings, t)
	return now.Entry, nil
}

// dealAgain deals blocks of rounds, each by its index, once more; their matches, which have not begun, become void.
func (tx *txn) dealAgain(ctx context.Context, c *contest, blocks map[int][]int, why string) error {
	last, err := tx.LastBlocks(c.t.ID)
	if err != nil {
		return err
	}
	var void []string
	var made []tournament.Match
	var at time.Time // that of the one round, where rounds have times
	for i, r := range c.Rounds {
		if len(blocks[i]) == 0 {
			continue
		}
		at = r.StartsAt
		var fresh []pairing.Block
		for _, k := range blocks[i] {
			void = append(void, r.Blocks[k].Matches()...)
			fresh = append(fresh, r.Blocks[k])
		}
		list, err := tx.d.deal(c, i+1, last[i+1], fresh, " "+why)
		if err != nil {
			return err
		}
		made = append(made, list...)
		for n, b := range withMatches(fresh, list) {
			r.Blocks[blocks[i][n]] = b
		}
		if err := tx.changeRound(c.t.ID, i+1, r); err != nil {
			return err
		}
	}
	if c.info.Teams { // nobody is told who sits at the table that takes its place
		why = "a substitute plays for a bot of this table"
	}
	if err := tx.voidThese(void, why); err != nil {
		return err
	}
	if err := tx.save(ctx, c.t, at, made); err != nil || len(void) == 0 {
		return err
	}
	return tx.rateOn(c.t.LadderID)
}
