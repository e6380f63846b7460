package pairing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// A playoff is the second stage of a swiss or of groups: a bracket, or at larger tables a knockout, among the best of the first. They
// are seeded by their standing, so the byes are for the first of it. Its rounds follow those of the first stage; the first of them
// keeps who plays it ([Round.Seeds]), so that nothing that changes later moves anybody.

// defaultFinalists is how many play a playoff where the organiser has said nothing.
const defaultFinalists = 8

// playoff returns the settings of the second stage.
func (s Settings) playoff() Settings {
	s.Format, s.Playoff = s.Playoff, ""
	return s
}

// playoffSize returns the most that play the playoff of so many entries.
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

// Playoff returns how many of the contest's rounds come before its playoff: all of them while there is none.
func (c Contest) Playoff() int {
	if c.Settings.Playoff == "" {
		return len(c.Rounds)
	}
	return c.second()
}

// second returns how many rounds come before the second stage, a playoff or the final of groups: all while there is none.
func (c Contest) second() int {
	begins := func(r Round) bool {
		return c.Settings.Playoff != "" && r.Seeds != nil || c.Settings.Format == tournament.Groups && r.Final
	}
	if i := slices.IndexFunc(c.Rounds, begins); i >= 0 {
		return i
	}
	return len(c.Rounds)
}

// left returns those who have withdrawn: in the first stage, those who had by its end.
func (c Contest) left(first bool) []int {
	if i := c.second(); first && i < len(c.Rounds) {
		return c.Rounds[i].Left
	}
	return chosen(len(c.Entries), func(e int) bool { return c.Entries[e].State == Withdrawn })
}

// firstStage returns the contest as it stood before its second stage; without one it is the contest itself.
func (c Contest) firstStage() Contest {
	left := c.left(true)
	c.Rounds, c.Entries = c.Rounds[:c.second()], slices.Clone(c.Entries)
	for e := range c.Entries {
		if x := &c.Entries[e]; x.State == Withdrawn && !slices.Contains(left, e) {
			x.State = Active
		}
	}
	c.Settings.Playoff = ""
	return c
}

// beforePlayoff returns the part of the contest that gives points: all but a playoff.
func (c Contest) beforePlayoff() Contest {
	if c.Settings.Playoff == "" {
		return c
	}
	return c.firstStage()
}

// secondStage returns the playoff as a contest of its own, with the same numbers: seeds, the best first, are its starters. Entries from
// one group do not meet while the bracket allows.
func (c Contest) secondStage(seeds []int) Contest {
	out := c
	pool := map[int]string{}
	if c.Settings.Format == tournament.Groups {
		pool = groups{}.pools(c)
	}
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

// playoffSeeds returns who plays the playoff that has begun, by seed; nil before it.
func (c Contest) playoffSeeds() []int {
	if i := c.Playoff(); i < len(c.Rounds) {
		return c.Rounds[i].Seeds
	}
	return nil
}

// playoffNext returns the next round of the playoff among the best of order, which is the standing of the first stage. If too few of them are
// there for a table, the best has won it.
func (c Contest) playoffNext(order []int) (Step, error) {
	seeds := c.playoffSeeds()
	begins := seeds == nil
	for _, e := range order {
		if begins && c.absent(e) == "" && len(seeds) < c.Settings.playoffSize(len(c.Entries)) {
			seeds = append(seeds, e)
		}
	}
	if least := c.Settings.least(); len(seeds) < least {
		return c.alone(seeds, order, begins, fmt.Sprintf("too few of the best were active for a playoff at a table of %d", least)), nil
	}
	step, err := Next(c.secondStage(seeds))
	if begins && step.Status == Play {
		step.Round.Left = c.left(true)
	}
	return step, err
}

// alone returns the step to a second stage that is not played, as too few are there: its only round is a bye for the first of them. If nobody is
// there, the first of order, all of the first stage, that may come back has won it. Then it is over.
func (c Contest) alone(seeds, order []int, begins bool, why string) Step {
	r := Round{Seeds: seeds, Final: c.Settings.Playoff == "", Left: c.left(true)}
	if len(seeds) == 0 {
		r.Seeds = slices.DeleteFunc(slices.Clone(order), func(e int) bool { return c.Entries[e].State == Withdrawn })
	}
	if !begins || len(r.Seeds) == 0 {
		return Step{Status: Over, Why: why}
	}
	first := r.Seeds[0]
	r.Seeds = r.Seeds[:1]
	if len(seeds) == 0 {
		r.Absent = []Absence{{Entry: first, Why: c.absent(first)}}
	} else {
		r.Byes = r.Seeds
	}
	return Step{Status: Play, Round: r}
}

// playoffStages returns how far each entry came in the playoff; 0 for an entry that did not play it.
func (c Contest) playoffStages() []int {
	out := make([]int, len(c.Entries))
	seeds := c.playoffSeeds()
	if seeds == nil {
		return out
	}
	f := elimination{double: c.Settings.Playoff == tournament.DoubleElimination}
	stages := f.stages(c.secondStage(seeds))
	for _, e := range seeds {
		out[e] = 1 + stages[e]
	}
	return out
}
