package tournament

import "slices"

// Roster is who has the places of a tournament, and who had them before a substitute took them.
type Roster struct {
	Entries []Entry             // who has them now, by number in the pairings
	Out     map[string]Entry    // by bot, those whose place another has taken
	Sat     map[string][]string // by match, the bots of those who sat there
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
