package cia

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Rules is CIA for [game.Wrap] and [game.Sim].
type Rules struct {
	loaded Roll // tests only: every roll shows this face; 0 is a fair die
}

// turn is what the steps of a turn work on: the state, the luck and where to report.
type turn struct {
	s      *State
	r      *game.Rand
	log    *game.Log[Event]
	loaded Roll
}

// Deal gives out the agents and, with Top Secret, two cards to each seat, and rolls for the first turn.
func (r Rules) Deal(s *State, c Config, seats int, rnd *game.Rand, log *game.Log[Event]) {
	s.start(c, seats)
	t := turn{s, rnd, log, r.loaded}
	var colours [NumAgents]Agent
	for i := range colours {
		colours[i] = Agent(i) //nolint:gosec // below 7
	}
	game.Shuffle(rnd, colours[:])
	for i, a := range colours[:agentsFor(seats)] {
		s.InPlay = s.InPlay.With(a)
		if i < seats {
			s.Agent[i] = a
		}
	}
	first := game.Seat(c.First)
	if c.First == Lot {
		first = game.Seat(rnd.IntN(seats)) //nolint:gosec // below 7
	}
	if c.TopSecret {
		for card, copies := range s.Box {
			for range copies {
				s.Deck[s.DeckN] = Card(card) //nolint:gosec // below 15
				s.DeckN++
			}
		}
		game.Shuffle(rnd, s.Deck[:s.DeckN])
		for range dealt {
			for seat := range s.seats().Each() {
				t.give(seat)
				s.Fresh[seat], s.Shown[seat] = 0, 0
			}
		}
	}
	t.begin(first)
}

// start is the table before the deal.
func (s *State) start(c Config, seats int) {
	*s = State{
		Seats: int8(seats), TopSecret: c.TopSecret, WithFiles: c.Dossier, AtOnce: c.DrawnPlayable == atOnce,
		Track: int16(c.Track), FilesAt: int16(c.DossierAt), Bonus: int32(c.DossierBonus), MaxTurns: int32(c.MaxTurns), //nolint:gosec // Validate bounds them
		Safe: safeStart,
	}
	if c.TopSecret {
		for card, copies := range c.box(seats) {
			s.Box[card] = int8(copies) //nolint:gosec // at most 60
		}
	}
}

// Due is who decides now.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase {
	case PhaseMove:
		return game.Only(s.Turn)
	case PhaseRound:
		return game.Only(s.Asks)
	case PhaseSafe:
		return game.Only(s.Flags[0].Seat)
	case PhaseDossier:
		return s.seats()
	case PhaseOver:
	}
	return 0
}

// Legal tells why a due seat may not do a.
func (Rules) Legal(s *State, seat game.Seat, a Action) error {
	switch {
	case s.Phase == PhaseMove && a.Kind == ActMove:
		return s.legalMove(&a)
	case s.Phase == PhaseRound && a.Kind == ActPass:
		return nil
	case s.Phase == PhaseRound && a.Kind == ActCard:
		return s.legalPlay(seat, &a)
	case s.Phase == PhaseSafe && a.Kind == ActSafe:
		return s.legalSafe(a.To)
	case s.Phase == PhaseDossier && a.Kind == ActDossier:
		return s.legalFile(&a)
	case s.Phase == PhaseOver:
		return errors.New("the match is over")
	}
	want := [...]string{"move", "card or pass", "dossier", "safe"}[s.Phase]
	return fmt.Errorf("in phase %s the action is %s, not %s", s.Phase, want, a.Kind)
}

// legalMove is the rule for the points of the roll.
func (s *State) legalMove(a *Action) error {
	sum := 0
	for i, n := range a.Steps {
		switch agent := Agent(i); { //nolint:gosec // below 7
		case n != 0 && !s.InPlay.Has(agent):
			return fmt.Errorf("%s is not in play", agent)
		case n < 0:
			return fmt.Errorf("%s cannot go back: each agent named goes 1 or more", agent)
		}
		sum += int(n)
	}
	least, most := s.points()
	switch {
	case sum > most || sum < least && (sum > 0 || least == most):
		return fmt.Errorf("the roll %s is to be used in full, the steps add up to %d", s.Roll, sum)
	case sum < least && !s.TopSecret:
		return errors.New("at least one agent is to be moved")
	}
	return nil
}

// points is the least and the most that a move uses; under Top Secret 1-3 can also be left unused.
func (s *State) points() (least, most int) {
	if s.Roll == OneToThree {
		return 1, 3
	}
	return int(s.Roll), int(s.Roll)
}

// Apply plays the decisions of the due seats.
func (r Rules) Apply(s *State, acts []game.Act[Action], rnd *game.Rand, log *game.Log[Event]) {
	t := turn{s, rnd, log, r.loaded}
	seat, a := acts[0].Seat, &acts[0].Action
	switch s.Phase {
	case PhaseMove:
		t.move(a)
	case PhaseRound:
		if a.Kind == ActPass {
			t.pass()
		} else {
			t.play(seat, a)
		}
	case PhaseSafe:
		t.moveSafe(seat, a.To)
		t.next()
	case PhaseDossier:
		t.file(acts)
	case PhaseOver:
		panic("cia: Apply after the end")
	}
}

// begin starts the turn of seat: its roll.
func (t *turn) begin(seat game.Seat) {
	s := t.s
	s.Turn, s.Phase, s.Drew = seat, PhaseMove, false
	s.Turns++
	if s.Roll = t.loaded; s.Roll == 0 {
		s.Roll = OneToThree + Roll(t.r.IntN(6)) //nolint:gosec // below 6
	}
	if t.log.On() {
		t.log.Tell(game.All, RollEvent{Kind: "roll", Seat: seat, Roll: s.Roll.String()})
	}
}

// next passes the die on, unless that was the last turn.
func (t *turn) next() {
	s := t.s
	if s.MaxTurns > 0 && s.Turns >= s.MaxTurns {
		t.end(TurnLimit)
		return
	}
	if s.TopSecret {
		s.settleHands()
	}
	t.begin(s.left(s.Turn))
}

// move uses the points of the roll.
func (t *turn) move(a *Action) {
	s := t.s
	to := s.Pos
	still := true
	for i, n := range a.Steps {
		if n != 0 {
			to[i], still = s.Pos[i].step(n), false
		}
	}
	ruin := t.relocate(s.Turn, &to)
	if still && t.log.On() {
		t.log.Tell(game.All, MoveEvent{Kind: "move", Seat: s.Turn, Agents: nowhere()})
	}
	if !s.TopSecret {
		t.settle()
		return
	}
	if ruin || still {
		t.earn()
	}
	t.openRound()
}

// relocate puts the agents where to says and tells whether one was moved into the ruin. Agents that leave the safe's
// building lose their flags, agents that come to it get one, in the order of the agents.
func (t *turn) relocate(seat game.Seat, to *[NumAgents]Building) (ruin bool) {
	s := t.s
	var moved Agents
	came := false
	for i := range to {
		if to[i] != s.Pos[i] {
			moved = moved.With(Agent(i)) //nolint:gosec // below 7
			ruin = ruin || to[i] == Ruin
			came = came || to[i] == s.Safe
		}
	}
	if moved &= s.InPlay; moved == 0 {
		return false
	}
	s.dropFlags(moved)
	for m := moved; m != 0; m &= m - 1 {
		a := m.Lowest()
		if s.Pos[a] = to[a]; came && to[a] == s.Safe {
			s.Flags[s.FlagN] = Flag{a, seat}
			s.FlagN++
		}
	}
	if t.log.On() {
		places := nowhere()
		for m := moved; m != 0; m &= m - 1 {
			places[m.Lowest()] = to[m.Lowest()]
		}
		t.log.Tell(game.All, MoveEvent{Kind: "move", Seat: seat, Agents: places})
	}
	return ruin
}

// dropFlags takes away the flags of the agents in m.
func (s *State) dropFlags(m Agents) {
	kept := int8(0)
	for i := range s.FlagN {
		if f := s.Flags[i]; !m.Has(f.Agent) {
			s.Flags[kept] = f
			kept++
		}
	}
	for i := kept; i < s.FlagN; i++ {
		s.Flags[i] = Flag{}
	}
	s.FlagN = kept
}

// moveSafe moves the safe; whoever stands in its new building has not been moved to it.
func (t *turn) moveSafe(seat game.Seat, to Building) {
	t.s.Safe = to
	t.s.dropFlags(t.s.InPlay)
	if t.log.On() {
		t.log.Tell(game.All, SafeEvent{Kind: "safe", Seat: seat, To: to.String()})
	}
}

// settle ends what a turn has moved: a scoring if an agent was moved to the safe and is still there.
func (t *turn) settle() {
	s := t.s
	if s.FlagN == 0 {
		t.next()
		return
	}
	for m := s.InPlay; m != 0; m &= m - 1 {
		a := m.Lowest()
		s.Stone[a] = max(0, s.Stone[a]+s.Pos[a].Value())
	}
	t.tellStones()
	t.stonesMoved(false)
}

func (t *turn) tellStones() {
	if t.log.On() {
		t.log.Tell(game.All, ScoreEvent{Kind: "score", Stones: t.s.scores()})
	}
}

// stonesMoved goes on after the stones have changed, by a scoring or, in a round, by a card.
func (t *turn) stonesMoved(inRound bool) {
	s := t.s
	if s.WithFiles && !s.Filed && s.reached(s.FilesAt) {
		s.Phase, s.Paused = PhaseDossier, inRound
		return
	}
	switch {
	case s.reached(s.Track):
		t.end(Finish)
	case inRound:
		t.goOn()
	default:
		s.Phase = PhaseSafe
	}
}

// end is the end of the match.
func (t *turn) end(why Why) {
	t.s.Phase, t.s.Why = PhaseOver, why
	if t.log.On() {
		t.log.Tell(game.All, OverEvent{Kind: "over", Reveal: *t.s.reveal()})
	}
}
