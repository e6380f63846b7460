package pairing

import (
	"cmp"
	"fmt"

	"github.com/molerun/molerun/tournament"
)

// A playoff is the second stage of a swiss or of groups: a bracket, or at larger tables a knockout, among the best of the first. They
// are seeded by their standing, so the byes are for the first of it. Its rounds follow those of the first stage; the first of them
// keeps who plays it ([Round.Seeds]), so that nothing that changes later moves anybody.

// defaultFinalists is how many play a playoff where the organiser has said nothing.
const defaultFinalists = 8

// playoff are the settings of the second stage.
func (s Settings) playoff() Settings {
	s.Format, s.Playoff = s.Playoff, ""
	return s
}

// playoffSize is the most that play the playoff of so many entries.
func (s Settings) playoffSize(entries int) int {
	return min(entries, cmp.Or(s.Finalists, defaultFinalists))
}

// checkPlayoff refuses a second stage that cannot be played.
func (s Settings) checkPlayoff(entries int) error {
	switch s.Playoff {
	case "":
		return nil
	case tournament.SingleElimination, tournament.DoubleElimination:
		return elimination{double: s.Playoff == tournament.DoubleElimination}.check(s.playoffSize(entries), s.playoff())
	}
	return fmt.Errorf("%w: a playoff is %s or %s, not %q", ErrOptions, tournament.SingleElimination, tournament.DoubleElimination, s.Playoff)
}

// Playoff is how many of the contest's rounds come before its second stage: all of them while there is none.
func (c Contest) Playoff() int {
	for i, r := range c.Rounds {
		if r.Seeds != nil {
			return i
		}
	}
	return len(c.Rounds)
}

// firstStage is the contest as if it ended before its playoff; without one it is the contest itself.
func (c Contest) firstStage() Contest {
	c.Rounds = c.Rounds[:c.Playoff()]
	c.Settings.Playoff = ""
	return c
}

// secondStage is the playoff as a contest of its own, with the same numbers: seeds, the best first, are its starters. pool tells which
// group each entry comes from; those of one are kept apart while the bracket allows. nil: there are no groups.
func (c Contest) secondStage(seeds []int, pool map[int]string) Contest {
	out := c
	out.Settings = c.Settings.playoff()
	out.Rounds = c.Rounds[c.Playoff():]
	out.Plan = nil
	out.Entries = make([]Entry, len(c.Entries))
	for e, x := range c.Entries {
		x.Joined, x.Seed, x.pool = 1, 0, pool[e]
		out.Entries[e] = x
	}
	for i, e := range seeds {
		out.Entries[e].Joined, out.Entries[e].Seed = 0, i+1
	}
	return out
}

// playoffSeeds is who plays the playoff that has begun, by seed; nil before it.
func (c Contest) playoffSeeds() []int {
	if i := c.Playoff(); i < len(c.Rounds) {
		return c.Rounds[i].Seeds
	}
	return nil
}

// playoffNext is the next round of the playoff among the best of order, which is the standing of the first stage.
func (c Contest) playoffNext(order []int, pool map[int]string) (Step, error) {
	seeds := c.playoffSeeds()
	begins := seeds == nil
	for _, e := range order {
		if begins && c.absent(e) == "" && len(seeds) < c.Settings.playoffSize(len(c.Entries)) {
			seeds = append(seeds, e)
		}
	}
	if least := c.Settings.least(); len(seeds) < least {
		return Step{Status: Over, Why: fmt.Sprintf("%d of the best are active, too few for a playoff at a table of %d", len(seeds), least)}, nil
	}
	step, err := Next(c.secondStage(seeds, pool))
	if begins && step.Status == Play {
		step.Round.Seeds = seeds
	}
	return step, err
}

// playoffStages tells how far each entry came in the playoff; 0 for who did not play it.
func (c Contest) playoffStages() []int {
	out := make([]int, len(c.Entries))
	seeds := c.playoffSeeds()
	if seeds == nil {
		return out
	}
	f := elimination{double: c.Settings.Playoff == tournament.DoubleElimination}
	stages := f.stages(c.secondStage(seeds, nil))
	for _, e := range seeds {
		out[e] = 1 + stages[e]
	}
	return out
}
