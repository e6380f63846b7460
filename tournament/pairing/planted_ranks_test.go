package pairing_test

import (
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// A fault is what somebody may get wrong, and the kinds of events in which the referee must notice it.
type fault struct {
	name  string
	rules rules
	kinds []kind
}

// read returns our standings of a contest that a fault has changed.
func read(change func(*pairing.Contest)) rules {
	return rules{pairing.Next, func(c pairing.Contest) ([]pairing.Line, error) {
		c = clone(c)
		change(&c)
		return pairing.Standings(c)
	}}
}

// paired returns our next step, changed by a fault.
func paired(change func(c pairing.Contest, r *pairing.Round)) rules {
	return rules{func(c pairing.Contest) (pairing.Step, error) {
		step, err := pairing.Next(c)
		change(c, &step.Round)
		return step, err
	}, pairing.Standings}
}

func faults() []fault {
	single, double := tournament.SingleElimination, tournament.DoubleElimination
	swiss, groups := tournament.Swiss, tournament.Groups
	eliminations := []kind{{format: single}, {format: double}}
	playoffs := []kind{{swiss, single}, {swiss, double}, {groups, single}, {groups, double}}
	return []fault{
		{"the first stage alone ranks all after a playoff", read(func(c *pairing.Contest) {
			c.Rounds, c.Settings.Playoff = c.Rounds[:c.Playoff()], ""
		}), playoffs},
		{"a tie for which neither side is there is lost by both", paired(func(c pairing.Contest, r *pairing.Round) {
			var out []pairing.Forfeit
			for _, f := range r.Forfeits {
				if f.Winner != pairing.Bye && c.Entries[f.Winner].State != pairing.Active {
					out = append(out, pairing.Forfeit{Tie: f.Tie, Winner: pairing.Bye, Loser: f.Winner, Why: f.Why})
					f.Winner = pairing.Bye
				}
				out = append(out, f)
			}
			r.Forfeits = out
		}), append(eliminations, playoffs...)},
		{"a bracket after groups is rebuilt without the groups", read(func(c *pairing.Contest) {
			if i := c.Playoff(); i < len(c.Rounds) {
				c.Rounds[i].Places = c.Rounds[i].Seeds
			}
		}), []kind{{groups, single}, {groups, double}}},
		{"a bracket is rebuilt by ratings that have moved", read(func(c *pairing.Contest) {
			for i := range c.Rounds {
				c.Rounds[i].Seeds, c.Rounds[i].Places = nil, nil
			}
			for e := range c.Entries {
				c.Entries[e].Rating = -c.Entries[e].Rating
			}
		}), eliminations},
		{"who loses an even tie goes on", read(func(c *pairing.Contest) {
			if len(c.Rounds) > 0 && c.Rounds[0].Seeds != nil {
				c.Rounds[0].Seeds = slices.Clone(c.Rounds[0].Seeds)
				slices.Reverse(c.Rounds[0].Seeds)
			}
		}), eliminations},
		{"who leaves early is annulled in round robins alone", read(func(c *pairing.Contest) {
			for e, x := range c.Entries {
				if c.Settings.Format != tournament.RoundRobin && x.State == pairing.Withdrawn {
					c.Entries[e].State = pairing.Paused
				}
			}
			for i := range c.Rounds {
				c.Rounds[i].Left = nil
			}
		}), []kind{{format: groups}, {groups, single}, {groups, double}, {format: tournament.Gauntlet}}},
		{"who leaves after the groups is annulled in them", read(func(c *pairing.Contest) {
			for i := range c.Rounds {
				for e, x := range c.Entries {
					if x.State == pairing.Withdrawn {
						c.Rounds[i].Left = append(c.Rounds[i].Left, e)
					}
				}
			}
		}), []kind{{format: groups}, {groups, single}, {groups, double}}},
		{"nobody is annulled", read(func(c *pairing.Contest) {
			for e := range c.Entries {
				c.Entries[e].State = pairing.Active
			}
		}), []kind{{format: tournament.RoundRobin}}},
		{"a forfeit is forgotten", read(func(c *pairing.Contest) {
			for i := range c.Rounds {
				if len(c.Rounds[i].Forfeits) > 0 {
					c.Rounds[i].Forfeits = c.Rounds[i].Forfeits[1:]
				}
			}
		}), []kind{{format: single}, {format: double}, {format: tournament.RoundRobin}, {format: groups}, {format: tournament.Gauntlet}}},
		{"the first two change places", rules{pairing.Next, func(c pairing.Contest) ([]pairing.Line, error) {
			lines, err := pairing.Standings(c)
			if len(lines) > 1 {
				lines[0].Rank, lines[1].Rank = lines[1].Rank, lines[0].Rank
			}
			return lines, err
		}}, append(eliminations, playoffs...)},
		{"a bye of a swiss counts nothing", read(func(c *pairing.Contest) {
			for i := range c.Rounds {
				c.Rounds[i].Byes = nil
			}
		}), []kind{{format: swiss}}},
	}
}

// Each fault is noticed in each kind of event that it concerns.
func TestTheRefereeNoticesPlantedFaults(t *testing.T) {
	for _, f := range faults() {
		for _, k := range f.kinds {
			var err error
			at := 0
			for ; at < eventsOfAKind && err == nil; at++ {
				err = newCourse(t, k, at, f.rules).verdict()
			}
			if err == nil {
				t.Errorf("%s: not noticed in %d events of %s", f.name, eventsOfAKind, k)
				continue
			}
			t.Logf("%s: noticed in event %d of %s: %v", f.name, at, k, err)
		}
	}
}
