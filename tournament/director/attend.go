package director

import (
	"context"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// A round robin is made whole, so a bot that dies in it would lose all that it has left. Instead its matches that have not begun wait,
// parked, while it is greeted or paused: it may be back in time. When nothing else is left to play, their blocks are settled without it.
// A block that has begun is played to its end.

// waitsForBots reports whether a match of a round robin that has not begun waits for one of its bots.
func (tx *txn) waitsForBots(m tournament.Match) (bool, error) {
	away, err := tx.HasBotAway(m.ID)
	if err != nil || !away {
		return false, err
	}
	r, err := tx.round(m)
	if err != nil {
		return false, err
	}
	for _, b := range r.Blocks {
		ids := b.Matches()
		if slices.Contains(ids, m.ID) {
			begun, err := tx.HasBegun(ids)
			return !begun, err
		}
	}
	return false, nil
}

// attend sees to the parked matches of a round robin, whose row is locked: those that wait for nobody any more go on, and when nothing
// else is left to play, the others are settled.
func (tx *txn) attend(ctx context.Context, t *tournament.Tournament) error {
	if t.PausedAt != nil {
		return nil
	}
	parked, err := tx.Parked(t.ID)
	if err != nil || len(parked) == 0 {
		return err
	}
	c, err := tx.d.contest(tx.Reader, *t)
	if err != nil {
		return err
	}
	waiting, err := tx.LockWaiting(t.ID)
	if err != nil {
		return err
	}
	away, greeting := c.away(tx.d.now())
	held := c.held(away, waiting)
	back := slices.DeleteFunc(slices.Clone(parked), func(m store.MatchAt) bool { return held[m.ID] })
	if err := tx.GiveJobs(ctx, back); err != nil {
		return err
	}
	if greeting || len(back) > 0 || c.Open() > len(parked) {
		return nil // for somebody, or something, to be over
	}
	for _, e := range away {
		c.Entries[e].State = c.state(c.field[e])
	}
	return tx.dropBlocks(ctx, t, c, away, waiting, "a bot is paused, and nothing else is left to play")
}

// away returns the entries whose bots begin no match now, and whether one of them is only being greeted.
func (c *contest) away(now time.Time) (entries []int, greeting bool) {
	for i, e := range c.field {
		s := c.state(e)
		if unproven(e, now) {
			greeting = true
		} else if s == pairing.Active || s == pairing.Withdrawn {
			continue
		}
		entries = append(entries, i)
	}
	return entries, greeting
}

// held returns the matches of the blocks of some entries that have not begun; waiting are all that have not.
func (c *contest) held(entries []int, waiting map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			if !sits(b, entries) || !isWaiting(b, waiting) {
				continue
			}
			for _, id := range b.Matches() {
				out[id] = true
			}
		}
	}
	return out
}

// sits reports whether one of some entries plays in a block.
func sits(b pairing.Block, entries []int) bool {
	return slices.ContainsFunc(b.Games[0].Seats, func(e int) bool { return slices.Contains(entries, e) })
}

// EntryStates returns the entries of a tournament in the order they joined, withdrawn ones too, with what each does now.
func (d *Director) EntryStates(ctx context.Context, tournamentID string) ([]tournament.EntryState, error) {
	r, now := d.store.Reader(ctx), d.now()
	t, err := d.store.Tournament(ctx, tournamentID)
	if err != nil {
		return nil, err
	}
	all, err := r.Entered(t.ID)
	if err != nil {
		return nil, err
	}
	info, err := d.info(t.Game)
	if err != nil {
		return nil, err
	}
	running, err := r.SeatedIn(t.ID, tournament.MatchRunning)
	if err != nil {
		return nil, err
	}
	queued, err := r.SeatedIn(t.ID, tournament.MatchQueued)
	if err != nil {
		return nil, err
	}
	by := substitutes(all)
	return store.Map(all, func(e store.Entered) tournament.EntryState {
		return stateOf(t, info, e, by[e.BotID], slices.Contains(running, e.BotID), slices.Contains(queued, e.BotID), now)
	}), nil
}

// stateOf returns an entry with what it does now; by is who plays for it. Who sits at which table is secret in games with hidden teams: there nobody learns
// whose match has begun.
func stateOf(t tournament.Tournament, info game.Info, e store.Entered, by tournament.Entry, running, queued bool, now time.Time) tournament.EntryState {
	return tournament.EntryState{Entry: e.Entry, By: by, Code: t.CodeOf(e.Entry, tournament.InTournament{
		Running:  running && !info.Teams,
		Queued:   queued || running,
		Paused:   e.Status == tournament.BotPaused,
		Greeting: unproven(e, now),
		ChecksIn: t.ChecksIn(now),
		Replaced: by.BotID != "",
	})}
}

// states returns what the entries with a place do now, by bot, from what the contest was rebuilt of.
func (c *contest) states(now time.Time) map[string]tournament.EntryState {
	open := map[tournament.MatchStatus]map[string]bool{tournament.MatchRunning: {}, tournament.MatchQueued: {}}
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				of, isOpen := open[c.played[g.Match].Status]
				for _, e := range g.Seats {
					if isOpen {
						of[c.field[e].BotID] = true
					}
				}
			}
		}
	}
	out := make(map[string]tournament.EntryState, len(c.field))
	for _, e := range c.field {
		out[e.BotID] = stateOf(c.t, c.info, e, tournament.Entry{}, open[tournament.MatchRunning][e.BotID], open[tournament.MatchQueued][e.BotID], now)
	}
	return out
}
