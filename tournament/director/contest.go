package director

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// contest is a tournament as its format sees it, rebuilt from the rounds made and the results of their matches.
type contest struct {
	pairing.Contest
	t      tournament.Tournament
	info   game.Info
	field  []store.Entered             // by number in the pairings
	aside  []store.Entered             // those that wait for a place, were left out at the start or replaced after it, in the order of joining
	by     map[string]tournament.Entry // who plays for one that was replaced, by its bot
	begins bool                        // it starts now: an error is the caller's
	played map[string]store.MatchResult
	sealed []string // matches that are over and whose results are left out: see [contest.seal]
}

// contest rebuilds a tournament. Before the start it is the entries as they stand.
func (d *Director) contest(r store.Reader, t tournament.Tournament) (*contest, error) {
	rows, err := r.Rounds(t.ID)
	if err != nil {
		return nil, err
	}
	return d.rebuild(r, t, rows)
}

// look returns the contest for those who only show it, in three queries. The seed, which is secret, is left out.
func (d *Director) look(ctx context.Context, id string) (*contest, error) {
	r := d.store.Reader(ctx)
	t, rows, err := r.WithRounds(id)
	if err != nil {
		return nil, err
	}
	t.Seed = game.Seed{}
	c, err := d.rebuild(r, t, rows)
	if err == nil {
		c.seal()
	}
	return c, err
}

// seal leaves out what ended in blocks whose matches share a seed, as long as one of them is not over: nobody is told the result of such a
// match, in the standings neither.
func (c *contest) seal() {
	if !c.info.OneDeal {
		return
	}
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			if !b.Open() {
				continue
			}
			for i, g := range b.Games {
				if g.Result != nil && !g.Result.Void {
					b.Games[i].Result = nil
					c.sealed = append(c.sealed, g.Match)
				}
			}
		}
	}
}

// rebuild returns the contest with the rounds as they were made.
func (d *Director) rebuild(r store.Reader, t tournament.Tournament, rows []store.Round) (*contest, error) {
	c, err := d.unplayed(r, t)
	if err != nil {
		return nil, err
	}
	if c.played, err = r.Results(t.ID); err != nil {
		return nil, err
	}
	results := resultsOf(c.played)
	for _, row := range rows {
		round, err := roundOf(row)
		if err != nil {
			return nil, err
		}
		if err := addResults(row, round, results); err != nil {
			return nil, err
		}
		c.Rounds = append(c.Rounds, round)
	}
	if t.EndedAt == nil {
		return c, nil
	}
	return c, c.giveBack(r)
}

// giveBack gives the places whose substitutes have played no match until the end back to those who played last in them.
func (c *contest) giveBack(r store.Reader) error {
	who := c.roster()
	if len(who.Out) == 0 {
		return nil
	}
	var err error
	if who.Sat, err = c.sat(r, who); err != nil {
		return err
	}
	for place, now := range c.field {
		last := c.lastIn(place, who)
		if now.Replaces == "" || last == "" || last == now.BotID {
			continue
		}
		at := slices.IndexFunc(c.aside, func(e store.Entered) bool { return e.BotID == last })
		c.field[place], c.aside[at] = c.aside[at], now
		delete(c.by, last)
	}
	return nil
}

// lastIn returns the bot that played last in a place, "" if nobody did.
func (c *contest) lastIn(place int, who tournament.Roster) string {
	last := ""
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				if c.played[g.Match].Status == tournament.MatchDone && slices.Contains(g.Seats, place) {
					last = who.At(place, g.Match).BotID
				}
			}
		}
	}
	return last
}

// latest rebuilds a tournament from its last round alone, if that keeps what came before it, as an sprt's does: the rounds
// before are empty, so what is read does not grow with their number. Otherwise it is the whole contest.
func (d *Director) latest(r store.Reader, t tournament.Tournament) (*contest, error) {
	row, made, err := r.LastRound(t.ID)
	if err != nil {
		return nil, err
	}
	if !made {
		return d.contest(r, t)
	}
	last, err := roundOf(row)
	if err != nil {
		return nil, err
	}
	if last.Before == nil {
		return d.contest(r, t)
	}
	c, err := d.unplayed(r, t)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, b := range last.Blocks {
		ids = append(ids, b.Matches()...)
	}
	played, err := r.ResultsOf(ids)
	if err != nil {
		return nil, err
	}
	c.Rounds = append(make([]pairing.Round, row.Number-1), last)
	return c, addResults(row, last, resultsOf(played))
}

// unplayed returns the contest without its rounds.
func (d *Director) unplayed(r store.Reader, t tournament.Tournament) (*contest, error) {
	info, err := d.info(t.Game)
	if err != nil {
		return nil, err
	}
	all, err := r.Entered(t.ID)
	if err != nil {
		return nil, err
	}
	c := &contest{t: t, info: info, field: fieldOf(all), by: substitutes(all)}
	c.aside = slices.DeleteFunc(all, func(e store.Entered) bool {
		return e.LeftOut == "" && (!e.Waiting || e.WithdrawnAt != nil) && c.by[e.BotID].BotID == ""
	})
	c.Settings, c.Seed = pairing.SettingsOf(t, info), t.Seed
	ends := t.Ends(d.now())
	c.Closed = t.EndedAt != nil || ends != nil && !d.now().Before(*ends)
	for _, e := range c.field {
		c.Entries = append(c.Entries, c.entry(e, d.now()))
	}
	return c, nil
}

// fieldOf returns the entries that have a place, by number; whose place another has taken has none. Before the
// start they have no numbers: there it is the order of joining.
func fieldOf(all []store.Entered) []store.Entered {
	by := substitutes(all)
	out := slices.DeleteFunc(slices.Clone(all), func(e store.Entered) bool {
		return e.Waiting || e.WithdrawnAt != nil && e.VersionID == "" || by[e.BotID].BotID != ""
	})
	number := func(e store.Entered) int {
		if e.Place == nil {
			return len(all)
		}
		return *e.Place
	}
	slices.SortStableFunc(out, func(a, b store.Entered) int { return cmp.Compare(number(a), number(b)) })
	if len(out) == 1 && out[0].AgainstID != "" {
		return versions(out[0])
	}
	return out
}

// substitutes returns who plays for one that was replaced after the start, by its bot.
func substitutes(all []store.Entered) map[string]tournament.Entry {
	out := map[string]tournament.Entry{}
	for _, e := range all {
		if e.Replaces != "" {
			out[e.Replaces] = e.Entry
		}
	}
	return out
}

// versions returns the two entries of one that brought another version along, with names that differ.
func versions(e store.Entered) []store.Entered {
	other := e
	other.VersionID, other.Build = e.AgainstID, e.AgainstBuild
	if e.AgainstNumber > 0 {
		other.BotName = fmt.Sprintf("%s (version %d)", e.BotName, e.AgainstNumber)
	}
	e.BotName = fmt.Sprintf("%s (version %d)", e.BotName, e.VersionNumber)
	return []store.Entered{e, other}
}

// entry returns one entry for the format. A round robin is made whole, so a bot that does not answer then may be back in time: only those
// who have withdrawn are left out of it, and the matches of the others wait for them ([txn.attend]).
func (c *contest) entry(e store.Entered, now time.Time) pairing.Entry {
	out := pairing.Entry{
		ID:         e.BotID,
		Owner:      e.OwnerID,
		Seed:       e.Seed,
		Rating:     float64(e.SeedMilli) / 1000,
		State:      pairing.Active,
		Joined:     e.JoinedRound,
		Challenger: e.Challenger,
	}
	state := c.state(e)
	switch {
	case c.t.Format == tournament.Arena && unproven(e, now):
		out.State = pairing.Unproven
	case c.t.Format != tournament.RoundRobin || state == pairing.Withdrawn:
		out.State = state
	}
	return out
}

// state returns whether an entry's bot is there, or why it is not. What its owner does after the end changes nothing: the end has
// withdrawn the bots that were retired by then.
func (c *contest) state(e store.Entered) pairing.State {
	switch {
	case e.WithdrawnAt != nil, e.Status == tournament.BotRetired && c.t.EndedAt == nil:
		return pairing.Withdrawn
	case e.Status != tournament.BotPaused:
		return pairing.Active
	case e.Pause == tournament.PausedByOwner:
		return pairing.Paused
	case e.Pause == tournament.PausedByChecks:
		return pairing.Dead
	case e.Pause == tournament.PausedByFaults:
		return pairing.Faulty
	}
	return pairing.Barred
}

// greets reports whether a tournament's rounds wait for greetings. An arena goes on with the others, and an sprt has nobody else.
func (c *contest) greets() bool {
	return c.t.Format != tournament.Arena && c.t.Format != tournament.SPRT
}

// greeting reports whether a bot is being greeted before it plays, so that the next round knows who is there. When that takes too long,
// which is not the bots' fault, the round is made without knowing.
func (c *contest) greeting(now time.Time) bool {
	return c.greets() && slices.ContainsFunc(c.field, func(e store.Entered) bool { return unproven(e, now) })
}

// unproven reports whether an entry's bot, which is active, is being greeted.
func unproven(e store.Entered, now time.Time) bool {
	return e.WithdrawnAt == nil && e.Status == tournament.BotActive && e.UnprovenAt != nil && now.Sub(*e.UnprovenAt) < tournament.GreetWithin
}

// resultsOf returns results as formats see them, nil while a match is not over.
func resultsOf(played map[string]store.MatchResult) map[string]*pairing.Result {
	out := make(map[string]*pairing.Result, len(played))
	for id, m := range played {
		switch m.Status {
		case tournament.MatchVoid:
			out[id] = &pairing.Result{Void: true}
		case tournament.MatchDone:
			out[id] = &pairing.Result{Points: rating.Points(*m.Result, m.Retired), Score: m.Result.Points, Team: m.Result.Team}
		case tournament.MatchQueued, tournament.MatchRunning:
			out[id] = nil
		}
	}
	return out
}
