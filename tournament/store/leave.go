package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// leave takes an entry that has withdrawn out of the rounds that are made already: only a round robin makes them ahead. A
// block that has begun is played to its end. Of the others the matches become void, and the block is settled as the format
// says: forfeited at a table of two, else played short-handed or a bye for the rest.
func (tx *Tx) leave(ctx context.Context, t tournament.Tournament, bot tournament.Bot) error {
	c, err := tx.s.contest(tx.db, t)
	if err != nil {
		return err
	}
	gone := slices.IndexFunc(c.Entries, func(e pairing.Entry) bool { return e.ID == bot.ID })
	var waiting []string
	if err := locked(tx.db).Model(&matchRow{}).Where("tournament_id = ? AND status = ? AND epoch = 0", t.ID, tournament.MatchQueued).
		Order("id").Pluck("id", &waiting).Error; err != nil {
		return err
	}
	queued := make(map[string]bool, len(waiting))
	for _, id := range waiting {
		queued[id] = true
	}
	var blocks []struct{ Round, Last int }
	if err := tx.db.Model(&matchRow{}).Select("round, MAX(block) AS last").Where("tournament_id = ?", t.ID).Group("round").Scan(&blocks).Error; err != nil {
		return err
	}
	last := make(map[int]int, len(blocks))
	for _, b := range blocks {
		last[b.Round] = b.Last
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
	for ids := range slices.Chunk(void, batch) {
		var rows []matchRow
		if err := tx.db.Where("id IN ?", ids).Order("id").Find(&rows).Error; err != nil {
			return err
		}
		if err := tx.tellVoid(rows); err != nil {
			return err
		}
		if err := tx.db.Model(&matchRow{}).Where("id IN ?", ids).Updates(map[string]any{
			"status": tournament.MatchVoid, "reason": fmt.Sprintf("bot %q has withdrawn", bot.Name), "ended_at": tx.s.now(), "worker": "",
		}).Error; err != nil {
			return err
		}
	}
	if err := tx.save(ctx, t, made); err != nil {
		return err
	}
	if t.LadderID != "" {
		if _, err := tx.applyRatings(t.LadderID); err != nil {
			return err
		}
	}
	return tx.finishTournament(ctx, &t)
}

// resettle writes round i of a contest anew without entry gone, but for its blocks that have begun. It returns the matches
// to be voided and those that take their place.
func (tx *Tx) resettle(c *contest, i, last, gone int, queued map[string]bool) (void []string, made []tournament.Match, err error) {
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
	if made, err = tx.s.deal(c, i+1, last, now.Blocks, " without "+c.Entries[gone].ID); err != nil {
		return nil, nil, err
	}
	out.Blocks, ids = append(out.Blocks, now.Blocks...), append(ids, each(made, func(m tournament.Match) string { return m.ID })...)
	out.Byes, out.Absent, out.Forfeits = append(was.Byes, now.Byes...), append(was.Absent, now.Absent...), append(was.Forfeits, now.Forfeits...)
	slices.Sort(out.Byes)
	out.Final, out.Before = was.Final, was.Before
	row, err := newRoundRow(c.t.ID, i+1, out, ids, tx.s.now())
	if err != nil {
		return nil, nil, err
	}
	return void, made, tx.db.Model(&roundRow{}).Where("tournament_id = ? AND number = ?", c.t.ID, i+1).Update("pairing", row.Pairing).Error
}
