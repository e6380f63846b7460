package cia

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// StateFromView builds a state from a view alone, drawn as Resample draws: it sets what the view tells, draws the rest and holds
// the view of the state so made against the given one. A view that no match can show is refused with the place.
func (r Rules) StateFromView(c Config, seats int, seat game.Seat, v View, s *State, rnd *game.Rand) error {
	s.start(c, seats)
	g := stateBuilder{s: s, v: &v}
	for _, read := range []func() error{g.board, g.flags, g.phase, g.turn, g.cards, g.trail} {
		if err := read(); err != nil {
			return err
		}
	}
	if err := g.secrets(seat); err != nil {
		return err
	}
	if !s.redraw(seat, rnd) {
		return errors.New("at /trail: the cards cannot have gone this way")
	}
	return game.Agree(r.View(s, seat), v)
}

// stateBuilder reads a view into a state.
type stateBuilder struct {
	s *State
	v *View
}

func bad(at, why string, args ...any) error {
	return fmt.Errorf("at %s: "+why, append([]any{at}, args...)...)
}

// board reads the agents, the stones and the safe.
func (g stateBuilder) board() error {
	s, v := g.s, g.v
	for i, at := range v.Agents {
		if at != absent {
			s.InPlay = s.InPlay.With(Agent(i))
			s.Pos[i] = at
		}
		if (v.Stones[i] != absent) != (at != absent) {
			return bad("/stones", "want the agents in play, as in agents")
		}
		s.Stone[i] = max(0, v.Stones[i])
	}
	if want := agentsFor(int(s.Seats)); s.InPlay.Len() != want {
		return bad("/agents", "want %d at a table of %d, got %d", want, s.Seats, s.InPlay.Len())
	}
	ok := false
	if s.Safe, ok = ParseBuilding(v.Safe); !ok {
		return bad("/safe", "%q is no building", v.Safe)
	}
	return nil
}

// flags reads the flags, whose agents stand by the safe.
func (g stateBuilder) flags() error {
	s := g.s
	near := s.inside(s.Safe)
	for i, f := range g.v.Flags {
		agent, ok := ParseAgent(f.Agent)
		if !ok || !near.Has(agent) || !s.seats().Has(f.Seat) {
			return bad("/flags/"+strconv.Itoa(i), "want an agent in the building with the safe, once, and a seat")
		}
		near = near.Without(agent)
		s.Flags[i] = flag{agent, f.Seat}
		s.FlagN++
	}
	return nil
}

// phase reads the phase and holds it against the board.
func (g stateBuilder) phase() error {
	s, v := g.s, g.v
	i := slices.Index(phaseNames[:], v.Phase)
	if i < 0 {
		return bad("/phase", "%q is no phase", v.Phase)
	}
	s.Phase, s.Filed = Phase(i), v.Filed
	won := s.reached(s.Track)
	switch {
	case s.Phase == PhaseRound && !s.TopSecret, s.Phase == PhaseDossier && (!s.WithFiles || s.Filed):
		return bad("/phase", "%s cannot be here", v.Phase)
	case won && s.Phase != PhaseOver && s.Phase != PhaseDossier:
		return bad("/phase", "a stone has come round, the match is over")
	case s.WithFiles && s.reached(s.FilesAt) && !s.Filed && s.Phase != PhaseDossier, s.Filed && !s.WithFiles:
		return bad("/dossier_filed", "does not go with the stones")
	case s.Phase == PhaseSafe && s.FlagN == 0, s.Phase == PhaseMove && s.FlagN > 0:
		return bad("/flags", "do not go with phase %s", v.Phase)
	}
	if s.Phase == PhaseOver && !won {
		s.Why = turnLimit
	}
	if wants := s.Phase == PhaseRound; wants && v.Round == nil || v.Round != nil && !wants && s.Phase != PhaseDossier {
		return bad("/round", "does not go with phase %s", v.Phase)
	}
	if r := v.Round; r != nil {
		if !s.seats().Has(r.Asked) || r.Passes < 0 || r.Passes >= s.Seats || !s.TopSecret {
			return bad("/round", "want a seat and fewer passes than seats")
		}
		s.Asks, s.Passes, s.Again, s.Paused = r.Asked, r.Passes, r.Again, s.Phase == PhaseDossier
	}
	return nil
}

// turn reads whose turn it is.
func (g stateBuilder) turn() error {
	s, v := g.s, g.v
	i := slices.Index(rollNames[:], v.Roll)
	switch {
	case !s.seats().Has(v.Turn):
		return bad("/turn", "there is no seat %d", v.Turn)
	case i < int(oneToThree):
		return bad("/roll", "%q is no roll", v.Roll)
	case v.Turns < 1 || s.MaxTurns > 0 && v.Turns > s.MaxTurns:
		return bad("/turns", "%d turns cannot have begun", v.Turns)
	case s.Phase == PhaseOver && s.Why == turnLimit && v.Turns != s.MaxTurns:
		return bad("/turns", "the match ends after %d, not after %d", s.MaxTurns, v.Turns)
	}
	s.Turn, s.Turns, s.Roll, s.Drew = v.Turn, v.Turns, Roll(i), v.Drawn
	return nil
}

// cards reads what is public about them.
func (g stateBuilder) cards() error {
	s, v := g.s, g.v
	if err := sizes("/hands", v.Hands, s.Seats, &s.HandN); err != nil {
		return err
	}
	if err := sizes("/fresh", v.Fresh, s.Seats, &s.Shown); err != nil {
		return err
	}
	total := int(v.Deck)
	for seat, n := range s.HandN {
		if total += int(n); s.Shown[seat] > n {
			return bad("/fresh/"+strconv.Itoa(seat), "is more than the hand")
		}
	}
	s.Fresh = s.Shown
	if len(v.Discard) > maxBox || v.Deck < 0 || v.Deck > maxBox {
		return bad("/deck", "there are at most %d cards", maxBox)
	}
	for i, name := range v.Discard {
		var ok bool
		if s.Discard[i], ok = cardOf(name); !ok {
			return bad("/discard/"+strconv.Itoa(i), "%q is no card", name)
		}
	}
	s.DeckN, s.DiscardN = v.Deck, int8(len(v.Discard))
	for i, name := range v.Removed {
		if name != TakeFreeAgent.String() || i >= int(s.Box[TakeFreeAgent]) {
			return bad("/removed/"+strconv.Itoa(i), "cannot have left the game")
		}
		s.Removed++
	}
	box := int(game.Sum(s.Box[:]))
	if total += int(s.DiscardN) + int(s.Removed); total != box {
		return bad("/deck", "the box has %d cards, the view %d", box, total)
	}
	return nil
}

// sizes reads one small number a seat.
func sizes(at string, list []int8, seats int8, out *[maxSeats]int8) error {
	if len(list) != int(seats) {
		return bad(at, "want one number a seat, got %d", len(list))
	}
	for i, n := range list {
		if n < 0 || n > maxHand {
			return bad(at+"/"+strconv.Itoa(i), "want 0 to %d, got %d", maxHand, n)
		}
		out[i] = n
	}
	return nil
}

// trail reads the trail; cards that the view does not tell are drawn later.
func (g stateBuilder) trail() error {
	s, v := g.s, g.v.Trail
	if v == nil {
		return nil
	}
	x := &s.Trail
	if x.On = s.TopSecret; !x.On {
		return bad("/trail", "there are no cards in this match")
	}
	if err := sizes("/trail/hands", v.Hands, s.Seats, &x.Hands); err != nil {
		return err
	}
	if err := sizes("/trail/fresh", v.Fresh, s.Seats, &x.Fresh); err != nil {
		return err
	}
	if len(v.Discard) > maxBox || len(v.Steps) > maxTrail {
		return bad("/trail", "is too long")
	}
	for i, name := range v.Discard {
		card, ok := cardOf(name)
		if !ok {
			return bad("/trail/discard/"+strconv.Itoa(i), "%q is no card", name)
		}
		x.Discard[card]++
	}
	for i, step := range v.Steps {
		op, ok := g.step(step)
		if !ok {
			return bad("/trail/steps/"+strconv.Itoa(i), "want a mark, or a seat and its card")
		}
		if x.add(op); op == markNew {
			if x.Decks++; x.Decks >= maxDecks {
				return bad("/trail/steps", "at most %d reshuffles", maxDecks-1)
			}
		}
	}
	return g.counts()
}

func (g stateBuilder) step(x trailStep) (uint8, bool) {
	mark := map[string]uint8{stepNew: markNew, stepNone: markNone, stepTurns: markTurn}[x.Kind]
	if mark != 0 {
		return mark, x.Seat == nil && x.Card == ""
	}
	if x.Seat == nil || !g.s.seats().Has(*x.Seat) {
		return 0, false
	}
	card, ok := cardOf(x.Card)
	switch x.Kind {
	case stepCard:
		return entry(*x.Seat, card), ok
	case stepDraw:
		mine := g.v.Me != nil && g.v.Me.Seat == *x.Seat
		if !mine {
			card = 0
		}
		return opDraw | entry(*x.Seat, card), mine && ok || !mine && x.Card == ""
	}
	return 0, false
}

// counts holds the hands and the deck along the trail against those of the view.
func (g stateBuilder) counts() error {
	s, x := g.s, &g.s.Trail
	hands := x.Hands
	for i, op := range x.ops() {
		seat, _ := split(op)
		switch {
		case op&^opDraw >= opMark:
			continue
		case op&opDraw != 0:
			hands[seat]++
		default:
			hands[seat]--
		}
		if hands[seat] < 0 || hands[seat] > maxHand {
			return bad("/trail/steps/"+strconv.Itoa(i), "seat %d cannot have %d cards", seat, hands[seat])
		}
	}
	if hands != s.HandN {
		return bad("/trail/hands", "do not lead to the hands of the view")
	}
	return nil
}

// secrets reads what the seat alone knows and what is open at the end; the others get agents to be redrawn.
func (g stateBuilder) secrets(seat game.Seat) error {
	s, v := g.s, g.v
	if (v.Me == nil) != (seat == game.Spectator) || v.Me != nil && v.Me.Seat != seat {
		return bad("/me", "belongs to the view of a seat, and to no other")
	}
	if (v.Reveal == nil) != (s.Phase != PhaseOver) {
		return bad("/reveal", "belongs to the end of a match, and only there")
	}
	if len(v.Extra) != int(s.Seats) {
		return bad("/extra", "want one number a seat, got %d", len(v.Extra))
	}
	if v.Reveal != nil {
		if err := g.reveal(); err != nil {
			return err
		}
		return g.mine(seat)
	}
	left := s.InPlay
	if v.Me != nil {
		own, extra, err := readAgents("/me", v.Me.Agent, v.Me.Extra, left)
		if err != nil {
			return err
		}
		s.Agent[seat], s.Extra[seat] = own, extra
		left &^= extra.With(own)
	}
	for other := range s.seats().Without(seat).Each() {
		for k := range 1 + max(0, v.Extra[other]) {
			if left == 0 {
				return bad("/extra", "more agents are taken than there are")
			}
			if k == 0 {
				s.Agent[other] = left.Lowest()
			} else {
				s.Extra[other] = s.Extra[other].With(left.Lowest())
			}
			left &= left - 1
		}
	}
	return g.mine(seat)
}

// readAgents reads a seat's own agent and its extra ones out of those left.
func readAgents(at, name string, names []string, left Agents) (Agent, Agents, error) {
	var own Agent
	var extra Agents
	for i, word := range append([]string{name}, names...) {
		a, ok := ParseAgent(word)
		if !ok || !left.Has(a) {
			return 0, 0, bad(at, "%q is not an agent that a seat can have", word)
		}
		if left = left.Without(a); i == 0 {
			own = a
		} else {
			extra = extra.With(a)
		}
	}
	return own, extra, nil
}

// reveal reads the end.
func (g stateBuilder) reveal() error {
	s, x := g.s, g.v.Reveal
	files := 0
	if s.Filed {
		files = int(s.Seats)
	}
	if len(x.Agents) != int(s.Seats) || len(x.Extra) != int(s.Seats) || len(x.Dossiers) != files {
		return bad("/reveal", "want one entry a seat")
	}
	left := s.InPlay
	for seat := range s.seats().Each() {
		own, extra, err := readAgents("/reveal", x.Agents[seat], x.Extra[seat], left)
		if err != nil {
			return err
		}
		s.Agent[seat], s.Extra[seat] = own, extra
		left &^= extra.With(own)
		if s.Filed {
			if err := s.readFile("/reveal/dossiers/"+strconv.Itoa(int(seat)), seat, &x.Dossiers[seat]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *State) readFile(at string, seat game.Seat, o *owners) error {
	a := Action{Kind: ActDossier, Owners: *o}
	for i := range o {
		if o[i] != unnamed {
			a.Agents = a.Agents.With(Agent(i))
		} else {
			a.Owners[i] = game.Spectator
		}
	}
	if err := s.legalFile(&a); err != nil {
		return bad(at, "%w", err)
	}
	s.Files[seat] = a.Owners
	return nil
}

// mine reads the seat's own hand and dossier.
func (g stateBuilder) mine(seat game.Seat) error {
	s, me := g.s, g.v.Me
	if me == nil {
		return nil
	}
	if len(me.Cards) != int(s.HandN[seat]) || len(me.Fresh) > len(me.Cards) {
		return bad("/me/cards", "want as many as hands tells")
	}
	for i, name := range me.Cards {
		var ok bool
		if s.Hand[seat][i], ok = cardOf(name); !ok {
			return bad("/me/cards/"+strconv.Itoa(i), "%q is no card", name)
		}
	}
	if s.Fresh[seat] = int8(len(me.Fresh)); s.Fresh[seat] < s.Shown[seat] {
		return bad("/me/fresh", "want at least as many as fresh tells")
	}
	if s.Filed && me.Dossier != nil {
		return s.readFile("/me/dossier", seat, me.Dossier)
	}
	return nil
}
