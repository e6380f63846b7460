package tournament

import "slices"

// Roster is who has the places of a tournament, and who had them before a substitute took them.
type Roster struct {
	Entries []Entry             // who has them now, by number in the pairings
	Out     map[string]Entry    // by bot, those whose place another has taken
	Sat     map[string][]string // by match of a round, the bots of those who sat there
}

// Before returns who had a place before the one that has it now, and earned its results: an entry replaced before it played is passed over.
func (r Roster) Before(place int) Entry {
	now := r.Entries[place]
	e := r.Out[now.Replaces]
	for e.Replaces != "" && e.SinceRound >= now.SinceRound && !r.played(e.BotID) {
		e = r.Out[e.Replaces]
	}
	return e
}

func (r Roster) played(bot string) bool {
	for _, bots := range r.Sat {
		if slices.Contains(bots, bot) {
			return true
		}
	}
	return false
}

// In returns who had a place in a round.
func (r Roster) In(place, round int) Entry {
	e := r.Entries[place]
	for e.Replaces != "" && round < e.SinceRound {
		e = r.Out[e.Replaces]
	}
	return e
}

// At returns who sat for a place in a match. Of a round robin one round may have been played before another that comes first.
func (r Roster) At(place int, match string) Entry {
	for e := r.Entries[place]; e.Replaces != ""; {
		if e = r.Out[e.Replaces]; slices.Contains(r.Sat[match], e.BotID) {
			return e
		}
	}
	return r.Entries[place]
}
