package demol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
)

// chiSquare is the statistic against a uniform distribution over the cells.
func chiSquare(count []int) (x float64) {
	total := 0
	for _, n := range count {
		total += n
	}
	want := float64(total) / float64(len(count))
	for _, n := range count {
		x += float64((float64(n) - want) * (float64(n) - want) / want)
	}
	return x
}

// secret is all that is hidden in a state.
type secret struct {
	moles  game.Seats
	failed [missions]game.Seats
}

func secretOf(s *State) secret {
	out := secret{moles: s.Moles}
	for i := range s.Missions {
		out.failed[i] = s.Missions[i].Failed
	}
	return out
}

// world is one match with all that each seat has been sent so far, spectator first.
type world struct {
	s    State
	sent [MinSeats + 1]string
}

// grow plays one step in every way that matters: the leader takes the first or the last team, votes are all for or one
// of them all against, mission cards are all that can be.
func grow(w world, rejections bool, out []world) []world {
	var choices [][]game.Act[Action]
	switch w.s.wants() {
	case ActTeam:
		first := game.First(w.s.size(w.s.Round))
		last := first << (MinSeats - w.s.size(w.s.Round))
		for _, team := range []game.Seats{first, last} {
			choices = append(choices, []game.Act[Action]{{Seat: w.s.Leader, Action: Action{Kind: ActTeam, Proposal: Proposal{Members: team}}}})
		}
	case ActVote:
		choices = append(choices, everybody(&w.s, game.First(MinSeats)))
		if rejections {
			choices = append(choices, everybody(&w.s, 0))
		}
	case ActMission:
		can := w.s.Team & w.s.Moles
		for failed := can; ; failed = (failed - 1) & can {
			choices = append(choices, everybody(&w.s, w.s.Team&^failed))
			if failed == 0 {
				break
			}
		}
	}
	for _, acts := range choices {
		next := w
		var log game.Log[Event]
		Rules{}.Apply(&next.s, acts, nil, &log)
		next.hear(acts, log.Notes)
		out = append(out, next)
	}
	return out
}

// everybody due says yes or no.
func everybody(s *State, yes game.Seats) (acts []game.Act[Action]) {
	for seat := range (Rules{}).Due(s).Each() {
		acts = append(acts, game.Act[Action]{Seat: seat, Action: Action{Kind: s.wants(), Yes: yes.Has(seat)}})
	}
	return acts
}

// hear writes down what each seat did and heard, and who was asked.
func (w *world) hear(acts []game.Act[Action], notes []game.Note[Event]) {
	for seat := game.Spectator; seat < MinSeats; seat++ {
		var b strings.Builder
		for _, a := range acts {
			if a.Seat == seat {
				b.Write(a.Action.AppendJSON(nil))
			}
		}
		for _, n := range notes {
			if (game.Event{For: n.For}).Hears(seat) {
				text, err := json.Marshal(n.Event)
				if err != nil {
					panic(err)
				}
				b.Write(text)
			}
		}
		fmt.Fprintf(&b, "due %v\n", Rules{}.Due(&w.s))
		w.sent[seat+1] += b.String()
	}
}

// deals is every deal of five seats with a given leader.
func deals(c Config, leader game.Seat) (out []world) {
	for moles := game.First(2); moles < 1<<MinSeats; moles = nextOfSize(moles) {
		var w world
		w.s.set(c, MinSeats, moles, leader)
		w.s.advance(PhaseStrongLeader, nil)
		notes := []game.Note[Event]{{For: game.All, Event: DealEvent{Kind: "deal", Leader: leader}}}
		for seat := range w.s.seats().Each() {
			notes = append(notes, game.Note[Event]{
				For: game.Only(seat), Event: RoleEvent{Kind: "deal", Role: w.s.role(seat), Known: w.s.knownRoles(seat)},
			})
		}
		w.hear(nil, notes)
		out = append(out, w)
	}
	return out
}

// Every state of a small game tree is grouped by what a seat has been sent; Resample and Guess must draw from exactly
// that group, and evenly.
func TestDrawsAreUniformOverAllThatFits(t *testing.T) {
	for _, row := range []struct {
		name       string
		blind      bool
		rejections bool
		steps      int
	}{
		{"moles know each other, three missions", false, false, 9},
		{"blind moles, three missions", true, false, 9},
		{"blind moles, rejections too", true, true, 6},
	} {
		t.Run(row.name, func(t *testing.T) {
			config := Rules{}.Defaults()
			config.BlindMoles = row.blind
			worlds := deals(config, 0)
			checked := check(t, config, worlds)
			for range row.steps {
				var next []world
				for _, w := range worlds {
					next = grow(w, row.rejections, next)
				}
				worlds = next
				checked += check(t, config, worlds)
			}
			t.Logf("%d groups of states", checked)
		})
	}
}

// check groups the worlds for every seat and draws from some member of each group.
func check(t *testing.T, config Config, worlds []world) (groups int) {
	t.Helper()
	for seat := game.Spectator; seat < MinSeats; seat++ {
		members := map[string]map[secret]int{}
		var order []*world
		for i := range worlds {
			key := worlds[i].sent[seat+1]
			if members[key] == nil {
				members[key] = map[secret]int{}
				order = append(order, &worlds[i])
			}
			members[key][secretOf(&worlds[i].s)] = 0
		}
		groups += len(order)
		for i, w := range order {
			if i%max(1, len(order)/10) == 0 { // at most 20 groups a seat and depth are drawn from
				drawEvenly(t, config, w, seat, members[w.sent[seat+1]])
			}
		}
	}
	return groups
}

// drawEvenly counts draws of both kinds over the group.
func drawEvenly(t *testing.T, config Config, w *world, seat game.Seat, group map[secret]int) {
	t.Helper()
	r := game.Stream(game.Seed{9}, 0, "draws")
	view := Rules{}.View(&w.s, seat)
	for _, kind := range []string{"Resample", "Guess"} {
		draws := 150 * len(group)
		for range draws {
			s := w.s
			if kind == "Resample" {
				Rules{}.Resample(&s, seat, r)
			} else if err := (Rules{}).Guess(config, MinSeats, seat, view, &s, r); err != nil {
				t.Fatalf("Guess for seat %d: %v", seat, err)
			}
			if _, ok := group[secretOf(&s)]; !ok {
				t.Fatalf("%s for seat %d gives %+v, which cannot be after\n%s", kind, seat, secretOf(&s), w.sent[seat+1])
			}
			group[secretOf(&s)]++
		}
		var count []int
		for key, n := range group {
			if n == 0 {
				t.Errorf("%s for seat %d never gives %+v after\n%s", kind, seat, key, w.sent[seat+1])
			}
			count = append(count, n)
			group[key] = 0
		}
		// The statistic has mean free and deviation √(2·free): the bound is far out for chance and near for a real bias.
		if free := float64(len(group) - 1); chiSquare(count) > 3*free+22 {
			t.Errorf("%s for seat %d: chi-square %.1f at %g degrees of freedom, counts %v", kind, seat, chiSquare(count), free, count)
		}
	}
}

// A guessed state shows the very view it was made from, at every moment, to every seat.
func TestGuessShowsTheSameView(t *testing.T) {
	e := game.Wrap(Rules{})
	for i, c := range configs() {
		table, _, err := e.New(json.RawMessage(c.Config), c.Seats, game.Seed{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		for {
			for seat := game.Spectator; int(seat) < c.Seats; seat++ {
				guess, err := e.Guess(json.RawMessage(c.Config), c.Seats, seat, table.View(seat), game.Seed{1})
				if err != nil {
					t.Fatalf("%v, step %d, seat %d: %v", c, table.Step(), seat, err)
				}
				if got, want := string(guess.View(seat)), string(table.View(seat)); got != want {
					t.Fatalf("%v, step %d, seat %d: got %s, want %s", c, table.Step(), seat, got, want)
				}
			}
			if table.Due() == 0 {
				break
			}
			var turns []game.Turn
			for seat := range table.Due().Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			if _, err := table.Apply(turns); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGuessRefusesImpossibleViews(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	d.mission(0, 0) // seats 0 and 1, one fail
	d.team(0, 0, 1, 2)
	for _, row := range []struct {
		name  string
		seat  game.Seat
		spoil func(v *View)
		words string
	}{
		{"another seat's view", 2, func(v *View) { v.Me.Seat = 3 }, "at /me/seat"},
		{"no me", 2, func(v *View) { v.Me = nil }, "at /me: belongs"},
		{"me for a spectator", -1, func(v *View) { v.Me = &Me{} }, "at /me: belongs"},
		{"an unknown role", 2, func(v *View) { v.Me.Role = "spy" }, `at /me/role: want agent or mole, got "spy"`},
		{"an agent knows a mole", 2, func(v *View) { v.Me.Known[0] = mole }, "at /me/known"},
		{"a mole knows too few", 0, func(v *View) { delete(v.Me.Known, 1) }, "at /me/known"},
		{"a mole knows too many", 0, func(v *View) { v.Me.Known[2] = mole }, "no set of moles"},
		{"more fails than moles", 2, func(v *View) { *v.Missions[0].Fails = 3 }, "at /missions: no set of moles"},
		{"a fail too few", 2, func(v *View) { *v.Missions[0].Fails = 0 }, "at /missions/0"},
		{"an own fail not counted", 0, func(v *View) { *v.Missions[0].Fails = 0 }, "at /missions/0/fails"},
		{"an agent who failed", 2, func(v *View) { v.Me.Played = []PlayedView{{1, false}} }, "an agent plays success"},
		{"an own card on a mission without it", 2, func(v *View) { v.Me.Played = []PlayedView{{1, true}} }, "at /me/played"},
		{"an own card on mission 9", 2, func(v *View) { v.Me.Played = []PlayedView{{9, true}} }, "at /me/played/0/mission"},
		{"a leader out of turn", 2, func(v *View) { v.Leader = 3 }, "at /leader: the rules give 1 here, not 3"},
		{"no such leader", 2, func(v *View) { v.Votes[0].Leader = 7 }, "there is no seat 7"},
		{"a team too large", 2, func(v *View) { v.Votes[0].Team = 7 }, "at /votes/0: members"},
		{"too few votes", 2, func(v *View) { v.Votes[0].Approve = nil }, "at /votes/0: approve"},
		{"a vote that was lost", 2, func(v *View) { v.Votes[0].Approve = make([]bool, 5) }, "at /"},
		{"a vote after the end", 2, func(v *View) {
			for range 9 {
				v.Votes = append(v.Votes, VoteView{Team: 7, Approve: make([]bool, 5)})
			}
		}, "over before"},
		{"another size", 2, func(v *View) { v.Missions[4].Size = 4 }, "at /missions/4/size"},
		{"an unknown phase", 2, func(v *View) { v.Phase = "tea" }, "at /phase"},
		{"a vote without a team", 2, func(v *View) { v.Team = nil }, "at /team"},
		{"a bad team", 2, func(v *View) { *v.Team = 1 }, "at /team"},
		{"roles before the end", 2, func(v *View) { v.Roles = []string{mole, mole, agent, agent, agent} }, "at /roles"},
		{"plot cards", 2, func(v *View) { v.Seats[1].Cards = []string{"spotlight"} }, "at /seats/1/cards"},
		{"a short table", 2, func(v *View) { v.Seats = v.Seats[:4] }, "at /seats"},
		{"a future round", 2, func(v *View) { v.Round = 3 }, "at /round"},
	} {
		t.Run(row.name, func(t *testing.T) {
			view := Rules{}.View(&d.s, row.seat)
			row.spoil(&view)
			var s State
			err := Rules{}.Guess(Rules{}.Defaults(), 5, row.seat, view, &s, game.Stream(game.Seed{}, 0, "guess"))
			if err == nil || !strings.Contains(err.Error(), row.words) {
				t.Errorf("got error %v, want one with %q", err, row.words)
			}
		})
	}
}

type spoiled = gametest.Spoiled[Config, State, Action, View, Event]

// One leak for each hidden thing and each way out.
func TestPlantedLeaksAreCaught(t *testing.T) {
	failed := func(s *State) bool { return s.Missions[0].Failed.Has(0) }
	leaks := map[string]spoiled{
		"role in a view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if s.Moles.Has(0) {
				v.Seats[0].Cards = []string{"!"}
			}
		}},
		"role in the spectator's view": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if seat == game.Spectator {
				v.Roles = rolesIn(s.Moles, int(s.Seats))
			}
		}},
		"a name too many in known": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if v.Me != nil && seat != 3 && s.Moles.Has(3) {
				v.Me.Known[3] = mole
			}
		}},
		"who failed a mission": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if failed(s) {
				v.Missions[0].Open[0] = false
			}
		}},
		"who failed a mission, in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if failed(s) {
				o.List = append(o.List, o.List[0])
			}
		}},
		"roles in the order of an offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Moles.Has(1) && len(o.List) > 1 {
				o.List[0], o.List[1] = o.List[1], o.List[0]
			}
		}},
		"roles in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error {
			if s.Moles.Has(1) {
				return errors.New(err.Error() + ".")
			}
			return err
		}},
		"roles in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhaseTeam && s.Moles.Has(1) {
				return due.With(1)
			}
			return due
		}},
		"roles in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if a.Kind == ActVote {
				a.Yes = s.Moles.Has(4)
			}
		}},
		"roles in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if e, ok := n.Event.(TeamEvent); ok && s.Moles.Has(2) {
					e.Team = 0
					notes[i].Event = e
				}
			}
			return notes
		}},
		"who failed, in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Round == 2 && failed(s) && len(notes) > 0 {
				notes[0].Event = DealEvent{Kind: "failed"}
			}
			return notes
		}},
		"roles in the number of events": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Moles.Has(2) {
				notes = append(notes, game.Note[Event]{For: game.All, Event: DealEvent{Kind: "tick"}})
			}
			return notes
		}},
		"a private event told to all": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: RoleEvent{Kind: "deal", Role: s.role(0)}})
		}},
		"left neighbours of moles hear an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: s.Moles << 1 & s.seats(), Event: DealEvent{Kind: "psst"}})
		}},
		"words": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: OverEvent{Kind: "say", Why: "seat 0 is " + s.role(0)}})
		}},
	}
	for _, config := range []string{`{}`, `{"blind_moles":true,"targeting":true}`} {
		for name, x := range leaks {
			x.Rules = Rules{}
			leaks[name] = x
		}
		gametest.Catch(t, gametest.Case{Config: config, Seats: 6}, 5000, leaks)
	}
}

// The agents' forced card is asked for like the moles' free one: else due would tell the roles.
func TestAskingOnlyMolesIsCaught(t *testing.T) {
	x := spoiled{Rules: Rules{}, SpoilDue: func(s *State, due game.Seats) game.Seats {
		if moles := due & s.Moles; s.Phase == PhaseMission && moles != 0 {
			return moles
		}
		return due
	}}
	gametest.Catch(t, gametest.Case{Config: `{}`, Seats: 7}, 5000, map[string]spoiled{"1.5-11": x})
}

func TestResampleThatKeepsTooMuchIsCaught(t *testing.T) {
	hidden := gametest.Hidden[State]{Facts: facts, Possible: possible}
	c := gametest.Case{Config: `{}`, Seats: 5}
	for name, h := range map[string]gametest.Hidden[State]{"facts listed": hidden, "state as a whole": {}} {
		if err := gametest.Vary(spoiled{Rules: Rules{}, NoResample: true}, c, 1, h); err == nil {
			t.Errorf("%s: a Resample that changes nothing was not caught", name)
		}
	}
	for name, r := range map[string]game.Rules[Config, State, Action, View, Event]{
		"keeps who failed": keepsFails{}, "keeps the roles": keepsRoles{},
	} {
		if err := gametest.Vary(r, c, 3, hidden); err == nil {
			t.Errorf("a Resample that %s was not caught", name)
		}
	}
}

// keepsFails redraws only roles that go with the fails as they were.
type keepsFails struct{ Rules }

func (keepsFails) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := secretOf(s)
	for {
		Rules{}.Resample(s, seat, r)
		if now := secretOf(s); now.failed == was.failed {
			return
		}
	}
}

// keepsRoles redraws only who failed.
type keepsRoles struct{ Rules }

func (keepsRoles) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.Moles
	for {
		if (Rules{}).Resample(s, seat, r); s.Moles == was {
			return
		}
	}
}
