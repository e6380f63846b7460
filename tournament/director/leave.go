package director

import (
	"context"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// leave takes an entry that has withdrawn out of the rounds that are made already: only a round robin makes them ahead. A
// block that has begun is played to its end. Of the others the matches become void, and the block is settled as the format
// says: forfeited at a table of two, else played short-handed or a bye for the rest.
func (tx *txn) leave(ctx context.Context, t tournament.Tournament, bot tournament.Bot) error {
	c, err := tx.d.contest(tx.Reader, t)
	if err != nil {
		return err
	}
	gone := slices.IndexFunc(c.Entries, func(e pairing.Entry) bool { return e.ID == bot.ID })
	waiting, err := tx.LockWaiting(t.ID)
	if err != nil {
		return err
	}
	queued := make(map[string]bool, len(waiting))
	for _, id := range waiting {
		queued[id] = true
	}
	last, err := tx.LastBlocks(t.ID)
	if err != nil {
		return err
	}
	var void []string
	var made []tournament.Match
	for i := range c.Rounds {
		dropped, list, err := tx.resettle(c, i, last[i+1], gone, queued)
		if err != nil {
			return err
		}
		void, made = append(void, dropped...), append(made, list...)
	}
	if err := tx.voidThese(void, fmt.Sprintf("bot %q has withdrawn", bot.Name)); err != nil {
		return err
	}
	if err := tx.save(ctx, t, made); err != nil {
		return err
	}
	if t.LadderID != "" {
		if _, err := tx.rate(t.LadderID); err != nil {
			return err
		}
	}
	return tx.finishTournament(ctx, &t)
}

// resettle writes round i of a contest anew without entry gone, but for its blocks that have begun. It returns the matches
// to be voided and those that take their place.
func (tx *txn) resettle(c *contest, i, last, gone int, queued map[string]bool) (void []string, made []tournament.Match, err error) {
	var out, drop pairing.Round
	var ids []string
	rest := c.matches[i]
	for _, b := range c.Rounds[i].Blocks {
		of := rest[:len(b.Games)]
		rest = rest[len(b.Games):]
		begun := slices.ContainsFunc(of, func(id string) bool { return !queued[id] })
		if begun || !slices.Contains(b.Games[0].Seats, gone) {
			out.Blocks, ids = append(out.Blocks, b), append(ids, of...)
		} else {
			drop.Blocks, void = append(drop.Blocks, b), append(void, of...)
		}
	}
	if len(void) == 0 {
		return nil, nil, nil
	}
	was, now := c.Rounds[i], pairing.Settle(c.Contest, drop)
	if made, err = tx.d.deal(c, i+1, last, now.Blocks, " without "+c.Entries[gone].ID); err != nil {
		return nil, nil, err
	}
	out.Blocks, ids = append(out.Blocks, now.Blocks...), append(ids, each(made, func(m tournament.Match) string { return m.ID })...)
	out.Byes, out.Absent, out.Forfeits = append(was.Byes, now.Byes...), append(was.Absent, now.Absent...), append(was.Forfeits, now.Forfeits...)
	slices.Sort(out.Byes)
	out.Final, out.Seeds, out.Before = was.Final, was.Seeds, was.Before
	text, err := newPaired(out, ids).text()
	if err != nil {
		return nil, nil, err
	}
	return void, made, tx.ChangeRound(store.Round{TournamentID: c.t.ID, Number: i + 1, Pairing: text})
}
