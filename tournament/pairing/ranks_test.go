package pairing_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// rules are what decides: ours, or ours with a fault.
type rules struct {
	next      func(pairing.Contest) (pairing.Step, error)
	standings func(pairing.Contest) ([]pairing.Line, error)
}

var ours = rules{pairing.Next, pairing.Standings}

// kind is a format with its second stage.
type kind struct{ format, playoff tournament.Format }

func (k kind) String() string {
	if k.playoff == "" {
		return string(k.format)
	}
	return fmt.Sprintf("%s, then %s", k.format, k.playoff)
}

// kinds returns all formats, with all second stages.
func kinds() []kind {
	var out []kind
	for _, f := range tournament.Formats() {
		out = append(out, kind{format: f})
		if f == tournament.Swiss || f == tournament.Groups {
			out = append(out, kind{f, tournament.SingleElimination}, kind{f, tournament.DoubleElimination})
		}
	}
	return out
}

// eventsOfAKind is how many random events of each kind are judged.
const eventsOfAKind = 300

// course is an event on its way.
type course struct {
	*world
	rules rules
	judge referee
	pairs bool // both sides of a table may go away at once
}

// newCourse returns event number i of a kind.
func newCourse(t fataler, k kind, i int, by rules) *course {
	r := game.Stream(game.Seed{byte(i), byte(i >> 8)}, 0, "events of "+k.String())
	pick := func(from ...int) int { return from[r.IntN(len(from))] }
	s := pairing.Settings{Format: k.format, SeatsPerTable: 2, Duplicate: r.IntN(3) == 0, FormatOptions: tournament.FormatOptions{Playoff: k.playoff}}
	n := 4 + r.IntN(10)
	double := k.format == tournament.DoubleElimination || k.playoff == tournament.DoubleElimination
	bracket := k.playoff != "" || double || k.format == tournament.SingleElimination
	switch {
	case k.format == tournament.SPRT:
		n, s.Duplicate, s.Test.MaxPairs = 2, true, 20
	case r.IntN(4) == 0 && bracket && !double && k.format != tournament.Groups:
		s.SeatsPerTable = 3 + r.IntN(2)
		s.MinTable = pick(0, 2, 3)
	case bracket:
		s.BestOf = pick(0, 0, 1, 2, 3)
		s.ThirdPlace = !double && r.IntN(2) == 0
	}
	if s.Duplicate {
		s.BestOf &^= 1
	}
	switch k.format {
	case tournament.RoundRobin, tournament.Gauntlet:
		s.Cycles = pick(1, 1, 2)
	case tournament.Groups:
		s.GroupSize, s.Finalists = pick(0, 3, 4, 5), pick(0, 2, 3, 4)
	}
	if k.playoff != "" {
		s.Finalists = s.SeatsPerTable + r.IntN(8)
	}
	x := &course{rules: by, pairs: r.IntN(2) == 0, world: &world{
		t: t, r: r, c: pairing.Contest{Settings: s, Entries: field(n), Seed: game.Seed{byte(i)}},
		trouble: pick(0, 10, 40), leaves: pick(0, 5, 20), voids: pick(0, 0, 15), late: pick(0, 2),
	}}
	game.Shuffle(r, x.c.Entries)
	if r.IntN(3) == 0 {
		for e := range x.c.Entries {
			x.c.Entries[e].Owner = fmt.Sprint(e % (1 + n/2))
		}
	}
	for e := range 1 + r.IntN(2) {
		x.c.Entries[e].Challenger = true
	}
	return x
}

// play plays the event to its end.
func (x *course) play() error {
	var err error
	if x.c.Plan, err = pairing.Plan(x.c); err != nil {
		return err
	}
	for {
		step, err := x.rules.next(x.c)
		if err == nil && step.Status == pairing.Wait { // all games are over, so it waits for entries
			for e := range x.c.Entries {
				if x.c.Entries[e].State != pairing.Withdrawn {
					x.c.Entries[e].State = pairing.Active
				}
			}
			step, err = x.rules.next(x.c)
		}
		if err != nil || step.Status != pairing.Play {
			return err
		}
		x.note(step.Round)
		if x.c.Plan != nil {
			x.c.Plan = append(x.c.Plan, step.Fixed...)
		}
		x.byHand(&step.Round)
		x.c.Rounds = append(x.c.Rounds, step.Round)
		x.finish()
		x.happen()
		x.bothAway()
		x.c.Closed = len(x.c.Rounds) > 8
		if len(x.c.Rounds) > 400 {
			return fmt.Errorf("no end after %d rounds", len(x.c.Rounds))
		}
	}
}

// note keeps what the referee wants to know of the moment at which a second stage begins.
func (x *course) note(r pairing.Round) {
	if x.c.Settings.Playoff != "" && r.Seeds != nil {
		x.judge.before, _ = pairing.Standings(x.c)
	}
	if !slices.ContainsFunc(x.c.Rounds, x.second) {
		x.judge.left = referee{c: x.c}.gone()
	}
}

func (x *course) second(r pairing.Round) bool {
	return x.c.Settings.Playoff != "" && r.Seeds != nil || x.c.Settings.Format == tournament.Groups && r.Final
}

// byHand lets two entries of a round of a swiss change places now and then.
func (x *course) byHand(r *pairing.Round) {
	if x.c.Settings.Format != tournament.Swiss || r.Seeds != nil || x.second(*r) || len(r.Blocks) < 2 || x.r.IntN(4) > 0 {
		return
	}
	a, b := slices.Clone(r.Blocks[0].Games[0].Seats), slices.Clone(r.Blocks[1].Games[0].Seats)
	if r.Blocks[0].Tie > 0 || len(x.c.Rounds) > x.c.Playoff() {
		return
	}
	a[0], b[0] = b[0], a[0]
	r.Blocks[0], r.Blocks[1] = x.c.Settings.Block(a), x.c.Settings.Block(b)
}

// bothAway takes both sides of a table that would be next away: for a while or until the end, both or one.
func (x *course) bothAway() {
	if !x.pairs || x.r.IntN(3) > 0 {
		return
	}
	all := clone(x.c)
	for e := range all.Entries {
		if all.Entries[e].State != pairing.Withdrawn {
			all.Entries[e].State = pairing.Active
		}
	}
	step, err := pairing.Next(all)
	if err != nil || len(step.Round.Blocks) == 0 {
		return
	}
	for _, e := range step.Round.Blocks[x.r.IntN(len(step.Round.Blocks))].Games[0].Seats {
		x.c.Entries[e].State = []pairing.State{pairing.Paused, pairing.Dead, pairing.Withdrawn}[x.r.IntN(3)]
	}
}

// verdict plays the event and judges how it ended.
func (x *course) verdict() error {
	if err := x.play(); err != nil {
		return err
	}
	if !slices.ContainsFunc(x.c.Rounds, x.second) {
		x.judge.left = referee{c: x.c}.gone()
	}
	x.judge.c = x.c
	lines, err := x.rules.standings(x.c)
	if err != nil || len(x.c.Rounds) == 0 {
		return err
	}
	return x.judge.judge(lines)
}

// Whatever happens: who won the final is first, nobody ranks below one that was out before, out is who has lost as often as the format
// says, and what was played against one that left early counts for nobody.
func TestTheRanksFollowFromWhatWasPlayed(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) {
			for i := range eventsOfAKind {
				x := newCourse(t, k, i, ours)
				if err := x.verdict(); err != nil {
					t.Fatalf("event %d, %+v:\n%v\n%s", i, x.c.Settings, err, x.story())
				}
			}
		})
	}
}

// story returns what happened, for messages.
func (x *course) story() string {
	out := ""
	for i, r := range x.c.Rounds {
		out += fmt.Sprintf("round %d: byes %v, absent %v, forfeits %+v, seeds %v, places %v, left %v\n", i+1, r.Byes, r.Absent, r.Forfeits, r.Seeds, r.Places, r.Left)
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				out += fmt.Sprintf("   tie %d %s: %v %+v\n", b.Tie, b.Name, g.Seats, *g.Result)
			}
		}
	}
	lines, err := x.rules.standings(x.c)
	for _, l := range lines {
		out += fmt.Sprintf("%d. entry %d, %s: %v of %d games, %v\n", l.Rank, l.Entry, x.c.Entries[l.Entry].State, l.Points, l.Played, l.Ties)
	}
	return fmt.Sprint(out, err)
}
