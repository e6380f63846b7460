package director

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// Rearrangement is a round as its organiser wants it.
type Rearrangement struct {
	Tables [][]string // the bots of each table, by id, in the order of the seats
	Byes   []string
	ByID   string // the user behind the request
	Reason string // public
}

// Rearrange pairs the last round of a swiss again, by hand. Tables that stay as they are keep their matches, unless these are void; the others'
// become void and are not played again. None of the round's matches may have begun, and the format must pair by standing ([tournament.ErrState]).
// Everybody of the round plays or has a bye, which whoever has withdrawn keeps unsaid; what is wrong is refused all at once. The round keeps
// who changed it, when, why, and how it was.
func (d *Director) Rearrange(ctx context.Context, tournamentID string, round int, in Rearrangement) error {
	return d.inTx(ctx, func(tx *txn) error {
		t, err := tx.LockTournament(tournamentID)
		if err != nil {
			return err
		}
		c, err := tx.d.contest(tx.Reader, t)
		if err != nil {
			return err
		}
		if _, err := tx.LockWaiting(t.ID); err != nil {
			return err
		}
		if err := c.canRearrange(round); err != nil {
			return err
		}
		var ids []string
		for _, b := range c.Rounds[round-1].Blocks {
			ids = append(ids, b.Matches()...)
		}
		if begun, err := tx.HasBegun(ids); err != nil || begun {
			return cmp.Or(err, fmt.Errorf("%w: round %d has begun; pause the tournament, and change the next round before you resume it", tournament.ErrState, round))
		}
		now, err := c.arranged(round, in)
		if err != nil {
			return err
		}
		return tx.rearrange(ctx, c, round, now, in)
	})
}

// canRearrange reports why a round may not be paired again, if none of its matches has begun.
func (c *contest) canRearrange(round int) error {
	switch {
	case c.t.Status != tournament.Running:
		return fmt.Errorf("%w: the tournament is %s; a round is paired again while it is %s", tournament.ErrState, c.t.Status, tournament.Running)
	case c.t.Format != tournament.Swiss:
		return fmt.Errorf("%w: the format %s does not pair by standing: its rounds follow from its seeds, which are set before the start", tournament.ErrState, c.t.Format)
	case round < 1 || round > len(c.Rounds):
		return fmt.Errorf("%w: round %d; %d are made", tournament.ErrNotFound, round, len(c.Rounds))
	case round < len(c.Rounds):
		return fmt.Errorf("%w: round %d is over; the last is %d", tournament.ErrState, round, len(c.Rounds))
	case round > c.Playoff():
		return fmt.Errorf("%w: round %d belongs to the playoff, which follows from the standing", tournament.ErrState, round)
	}
	return nil
}

// isWaiting reports whether a block is still to be played and no match of it has begun; waiting are those that have not.
func isWaiting(b pairing.Block, waiting map[string]bool) bool {
	return b.Open() && !slices.ContainsFunc(b.Matches(), func(id string) bool { return !waiting[id] })
}

// arranged returns a round as it is asked for, or everything that is wrong with it.
func (c *contest) arranged(round int, in Rearrangement) (pairing.Round, error) {
	was := c.Rounds[round-1]
	left := slices.Clone(was.Byes)
	for _, b := range was.Blocks {
		left = append(left, b.Games[0].Seats...)
	}
	there := slices.Clone(left)
	var errs []error
	refuse := func(pointer, reason string, args ...any) {
		errs = append(errs, &tournament.FieldError{Pointer: pointer, Reason: fmt.Sprintf(reason, args...)})
	}
	take := func(pointer, id string) int {
		e := slices.IndexFunc(c.field, func(x store.Entered) bool { return x.BotID == id })
		at := slices.Index(left, e)
		switch {
		case at < 0 && slices.Contains(there, e):
			refuse(pointer, "bot %q is there twice", c.field[e].BotName)
			return pairing.Bye
		case at < 0:
			refuse(pointer, "is not in this round")
			return pairing.Bye
		}
		left = slices.Delete(left, at, at+1)
		return e
	}
	now := was
	now.Blocks, now.Byes = nil, nil
	for i, table := range in.Tables {
		var seats []int
		for k, id := range table {
			pointer := fmt.Sprintf("/tables/%d/%d", i, k)
			e := take(pointer, id)
			if e >= 0 && c.Entries[e].State == pairing.Withdrawn {
				refuse(pointer, "bot %q has withdrawn and plays no more; leave it its bye", c.field[e].BotName)
			}
			seats = append(seats, e)
		}
		if err := c.Seated(seats); err != nil {
			refuse(fmt.Sprintf("/tables/%d", i), "%s", pairing.Reason(err))
			continue
		}
		now.Blocks = append(now.Blocks, c.Settings.Block(seats))
	}
	for i, id := range in.Byes {
		now.Byes = append(now.Byes, take(fmt.Sprintf("/byes/%d", i), id))
	}
	if len(in.Tables) == 0 {
		refuse("/tables", "is empty: nobody would play")
	}
	left = slices.DeleteFunc(left, func(e int) bool {
		gone := c.Entries[e].State == pairing.Withdrawn
		if gone {
			now.Byes = append(now.Byes, e)
		}
		return gone
	})
	if len(left) > 0 {
		refuse("/byes", "in the round, and neither at a table nor here: %s", tournament.Listed(store.Map(left, func(e int) string { return c.field[e].BotName })))
	}
	slices.Sort(now.Byes)
	return now, errors.Join(errs...)
}

// rearrange writes a round as it is now.
func (tx *txn) rearrange(ctx context.Context, c *contest, round int, now pairing.Round, in Rearrangement) error {
	was := c.Rounds[round-1]
	var before [][]int
	var kept []pairing.Block
	var void []string
	for _, b := range was.Blocks {
		before = append(before, b.Games[0].Seats)
		if b.Open() && isTableOf(now.Blocks, b) {
			kept = append(kept, b)
		} else {
			void = append(void, b.Matches()...)
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(now.Blocks), func(b pairing.Block) bool { return isTableOf(kept, b) })
	if len(fresh) == 0 && slices.Equal(now.Byes, was.Byes) { // it is as asked for: nothing is changed by hand
		return nil
	}
	last, err := tx.LastBlocks(c.t.ID)
	if err != nil {
		return err
	}
	made, err := tx.d.deal(c, round, last[round], fresh, fmt.Sprintf(" arranged %d", len(was.Changes)+1))
	if err != nil {
		return err
	}
	now.Blocks = slices.Concat(kept, withMatches(fresh, made))
	now.Changes = append(slices.Clone(was.Changes), pairing.Change{ByID: in.ByID, At: tx.d.now(), Reason: in.Reason, Tables: before, Byes: was.Byes})
	if err := tx.changeRound(c.t.ID, round, now); err != nil {
		return err
	}
	if err := tx.voidThese(void, "the organiser has changed the pairing: "+in.Reason); err != nil {
		return err
	}
	if err := tx.save(ctx, c.t, now.StartsAt, made); err != nil {
		return err
	}
	tx.EmitTournament(tournament.EventStandings, c.t)
	return tx.rateOn(c.t.LadderID)
}

// isTableOf reports whether one of some blocks has the seats of b.
func isTableOf(blocks []pairing.Block, b pairing.Block) bool {
	return slices.ContainsFunc(blocks, func(x pairing.Block) bool { return slices.Equal(x.Games[0].Seats, b.Games[0].Seats) })
}

// leave takes an entry that has withdrawn out of the rounds that are made already. It ends an sprt.
func (tx *txn) leave(ctx context.Context, t tournament.Tournament, bot tournament.Bot) error {
	if t.Format == tournament.SPRT {
		return tx.finishTournament(ctx, &t)
	}
	c, err := tx.d.contest(tx.Reader, t)
	if err != nil {
		return err
	}
	gone := slices.IndexFunc(c.Entries, func(e pairing.Entry) bool { return e.ID == bot.ID })
	waiting, err := tx.LockWaiting(t.ID)
	if err != nil {
		return err
	}
	return tx.dropBlocks(ctx, &t, c, []int{gone}, waiting, fmt.Sprintf("bot %q has withdrawn", bot.Name))
}

// dropBlocks takes entries that are gone out of the rounds that are made already. A block that has begun is played to its end. Of the
// others the matches become void, and the block is settled as the format says: forfeited at a table of two, played short-handed, or a bye
// for the rest. waiting are the matches that have not begun, whose rows are locked.
func (tx *txn) dropBlocks(ctx context.Context, t *tournament.Tournament, c *contest, gone []int, waiting map[string]bool, why string) error {
	last, err := tx.LastBlocks(t.ID)
	if err != nil {
		return err
	}
	dropped := c.held(gone, waiting)
	var void []string
	var made []tournament.Match
	for i := range c.Rounds {
		of, list, err := tx.resettle(c, i, last[i+1], gone, dropped)
		if err != nil {
			return err
		}
		void, made = append(void, of...), append(made, list...)
	}
	if err := tx.voidThese(void, why); err != nil {
		return err
	}
	var starts time.Time
	if n := len(c.Rounds); n > 0 {
		starts = c.Rounds[n-1].StartsAt // where rounds have pauses between them, no other one waits
	}
	if err := tx.save(ctx, *t, starts, made); err != nil {
		return err
	}
	if err := tx.rateOn(t.LadderID); err != nil {
		return err
	}
	return tx.finishTournament(ctx, t)
}

// resettle writes round i of a contest once more without the entries that are gone. It returns the matches of its blocks that are
// dropped, and those that take their place.
func (tx *txn) resettle(c *contest, i, last int, gone []int, dropped map[string]bool) ([]string, []tournament.Match, error) {
	var void []string
	var drop pairing.Round
	was := c.Rounds[i]
	out := was
	out.Blocks = nil
	for _, b := range was.Blocks {
		if of := b.Matches(); dropped[of[0]] {
			drop.Blocks, void = append(drop.Blocks, b), append(void, of...)
		} else {
			out.Blocks = append(out.Blocks, b)
		}
	}
	if len(void) == 0 {
		return nil, nil, nil
	}
	now := c.Settle(drop)
	occasion := " without " + strings.Join(store.Map(gone, func(e int) string { return c.Entries[e].ID }), " ")
	made, err := tx.d.deal(c, i+1, last, now.Blocks, occasion)
	if err != nil {
		return nil, nil, err
	}
	out.Blocks = append(out.Blocks, withMatches(now.Blocks, made)...)
	out.Byes, out.Absent, out.Forfeits = append(was.Byes, now.Byes...), append(was.Absent, now.Absent...), append(was.Forfeits, now.Forfeits...)
	out.Final = was.Final && (len(out.Blocks) > 0 || c.t.Format != tournament.SingleElimination) // a knockout's is still to be played
	slices.Sort(out.Byes)
	return void, made, tx.changeRound(c.t.ID, i+1, out)
}
