package molemajority

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Rules is Mole Majority for [game.Wrap] and [game.Sim].
type Rules struct{}

// turn is what the steps of a turn work on: the state, the luck and where to report.
type turn struct {
	s   *State
	r   *game.Rand
	log *game.Log[Event]
}

// Due returns who decides now.
func (Rules) Due(s *State) game.Seats {
	if s.Phase == PhaseOver {
		return 0
	}
	return game.Only(s.Active)
}

// Apply plays the decision of the due seat.
func (Rules) Apply(s *State, acts []game.Act[Action], r *game.Rand, log *game.Log[Event]) {
	t := turn{s, r, log}
	a := &acts[0].Action
	if log.Enabled() {
		log.Emit(game.All, actEvent{Kind: "act", Seat: s.Active, Action: *a})
	}
	switch a.Kind {
	case ActPlaceHome:
		t.placeHome(a.At)
	case ActPlaceTile:
		t.placeTile(a.At)
	default:
		t.decide(a)
	}
}

// decide plays a decision of the play phase and what follows from it.
func (t *turn) decide(a *Action) {
	s := t.s
	switch a.Kind {
	case ActPlay:
		t.play(a.Card)
	case ActStack:
		t.stack(a.Card, a.As)
	case ActDone:
		if s.PartN == 0 {
			t.endTurn(true)
			return
		}
		s.dropPart()
	case ActDiscardHand:
		t.discardHand()
		t.endTurn(true)
		return
	case ActMove:
		t.move(a)
	case ActBreed:
		t.breed(a)
	case ActConvert:
		t.convert(a)
	case ActCaveIn:
		t.caveIn(a.Edges)
	case ActMakeHome:
		t.makeHome(a.At)
	case ActRoll:
		t.roll(a)
	case ActSwap:
		t.swap(a.Seat, a.Card)
	}
	if !t.eliminate() {
		t.advance()
	}
}

// dropPart goes on to the next part of the card.
func (s *State) dropPart() {
	s.PartN--
	copy(s.Parts[:], s.Parts[1:])
	s.Parts[maxParts-1] = Part{}
}

// useStep counts a step of the current part.
func (s *State) useStep() {
	if s.Parts[0].Left--; s.Parts[0].Left == 0 {
		s.dropPart()
	}
}

// advance drops the parts that leave nothing to decide, and ends the turn of a seat without cards and parts.
func (t *turn) advance() {
	s := t.s
	for s.PartN > 0 && !s.possible(s.Active, s.Parts[0].Do) {
		s.dropPart()
	}
	if s.PartN == 0 && s.HandN[s.Active] == 0 {
		t.endTurn(true)
	}
}

// play uses a card as the action of the turn, or as the number of a Groundskeeper.
func (t *turn) play(c Card) {
	s := t.s
	t.discard(c)
	if s.Current() == DoNumber {
		s.Parts[0] = Part{DoRoll, c.number()}
		return
	}
	s.Played = c
	s.PartN = int8(copy(s.Parts[:], actions[c]))
}

// stack uses a card for its stackable effect.
func (t *turn) stack(c Card, as As) {
	s := t.s
	t.discard(c)
	s.Stacked = true
	if as == asRoll {
		s.Parts[0].Left++
		return
	}
	s.PartN = 1
	switch as {
	case asBreed:
		s.Parts[0] = Part{DoBreed, breeds[c]}
	case asMove:
		s.Parts[0] = Part{DoMove, 1}
	case asConvert:
		s.Parts[0] = Part{DoConvert, 1}
	}
}

// move plays MOVE: lift, return the claim of an emptied hex, put down, check the majority.
func (t *turn) move(a *Action) {
	s, seat := t.s, t.s.Active
	s.useStep()
	from, to := a.Leave-1, a.Space-1
	if from < 0 {
		from = s.lastOf(a.At, seat)
	}
	if to < 0 {
		to = s.firstOf(a.To, 0)
	}
	s.lift(a.At, from)
	t.emptied(a.At)
	t.enter(a.To, to)
}

// breed plays BREED.
func (t *turn) breed(a *Action) {
	s := t.s
	s.useStep()
	space := a.Space - 1
	if space < 0 {
		space = s.firstOf(a.At, 0)
	}
	s.Moles[s.Active]--
	t.enter(a.At, space)
}

// convert plays CONVERT: a mole of another seat goes home, one of the supply takes its space.
func (t *turn) convert(a *Action) {
	s := t.s
	s.useStep()
	space := a.Space - 1
	if space < 0 {
		space = s.firstOf(a.At, int8(a.Seat)+1)
	}
	s.Moles[s.lift(a.At, space)]++
	s.Moles[s.Active]--
	t.enter(a.At, space)
}

// roll plays the Groundskeeper.
func (t *turn) roll(a *Action) {
	s := t.s
	s.dropPart()
	space := a.Space - 1
	for range a.Count {
		s.Moles[s.lift(a.At, space)]++
		space = s.beside(a.At, space, a.Way)
	}
	t.emptied(a.At)
}

// caveIn puts down two Cave-In tokens and a home token of the unused pile.
func (t *turn) caveIn(edges [2]int8) {
	s := t.s
	s.dropPart()
	s.Walls |= 1<<edges[0] | 1<<edges[1]
	if s.CaveIns[s.Active] -= 2; s.PileN > 0 {
		s.PileN--
		t.takeHome(s.Pile[s.PileN])
		s.Pile[s.PileN] = 0
	}
}

// makeHome plays Make A Home.
func (t *turn) makeHome(h Hex) {
	s := t.s
	s.dropPart()
	s.Homed &^= 1 << h
	t.takeHome(s.Home[h])
	s.Home[h] = 0
}

func (t *turn) takeHome(value int8) {
	s := t.s
	s.Homes[s.Active][value-1]++
	if t.log.Enabled() {
		t.log.Emit(game.All, homeEvent{Kind: "home", Seat: s.Active})
		t.log.Emit(game.Only(s.Active), homeEvent{Kind: "home", Seat: s.Active, Value: value})
	}
}

// enter puts a mole of the active seat onto a free space and checks the majority.
func (t *turn) enter(h Hex, space int8) {
	s := t.s
	if s.put(s.Active, h, space); s.Free.Has(h) {
		return
	}
	winner, old := s.majority(h), s.Owner(h)
	if winner == old {
		return
	}
	if old >= 0 {
		t.unclaim(old, h)
	}
	if s.Claims[winner] > 0 {
		s.Claims[winner]--
		s.Claimed[winner] |= 1 << h
		t.tellClaim(h, winner)
	} else if old >= 0 {
		t.tellClaim(h, game.Spectator)
	}
}

// majority returns who has the most moles on h among the seats in; of those level the active seat, which has just added a mole,
// or else the next backwards from it.
func (s *State) majority(h Hex) game.Seat {
	in, best := s.in(), int8(0) // moles, and below them how soon the seat comes: one number, for which has more no processor foresees
	for i := range s.Seats {
		seat := s.back(i)
		best = max(best, s.On[seat][h]*int8(in>>seat&1)*MaxSeats+MaxSeats-1-i)
	}
	if best < MaxSeats {
		return game.Spectator
	}
	return s.back(MaxSeats - 1 - best%MaxSeats)
}

// back returns the i-th seat backwards from the active one.
func (s *State) back(i int8) game.Seat {
	if i = int8(s.Active) - i; i < 0 {
		i += s.Seats
	}
	return game.Seat(i)
}

// emptied returns the claim of a hex that no mole is on.
func (t *turn) emptied(h Hex) {
	s := t.s
	if s.moled().Has(h) {
		return
	}
	if owner := s.Owner(h); owner >= 0 {
		t.unclaim(owner, h)
		t.tellClaim(h, game.Spectator)
	}
}

func (t *turn) unclaim(owner game.Seat, h Hex) {
	t.s.Claimed[owner] &^= 1 << h
	t.s.Claims[owner]++
}

func (t *turn) tellClaim(h Hex, seat game.Seat) {
	if !t.log.Enabled() {
		return
	}
	e := claimEvent{Kind: "claim", At: h.String()}
	if seat >= 0 {
		claimant := seat // a copy: nothing is allocated when nobody listens
		e.Seat = &claimant
	}
	t.log.Emit(game.All, e)
}

// eliminate puts out the seats without a claim; it reports whether the turn is over by that.
func (t *turn) eliminate() bool {
	s := t.s
	var out game.Seats
	for seat := range game.Seat(s.Seats) {
		if s.Claimed[seat]|Board(s.Out[seat]) == 0 { // one question for both: nearly always the same answer
			out = out.With(seat)
		}
	}
	if out == 0 {
		return false
	}
	in, order := s.in(), int8(1)
	for _, n := range s.Out {
		order = max(order, n+1)
	}
	for m := out; m != 0; m &= m - 1 {
		s.Out[m.Lowest()] = order
		if t.log.Enabled() {
			t.log.Emit(game.All, outEvent{Kind: "out", Seat: m.Lowest()})
		}
	}
	if (in&^out).Len() > 1 && !out.Has(s.Active) {
		return false
	}
	s.Parts, s.PartN = [maxParts]Part{}, 0
	t.endTurn(false)
	return true
}

// endTurn looks for the end of the match, draws and passes the turn on.
func (t *turn) endTurn(draw bool) {
	s := t.s
	s.Played, s.Stacked = noCard, false
	if why, over := s.ended(); over {
		s.Phase, s.Why, s.Active = PhaseOver, why, 0
		if t.log.Enabled() {
			t.log.Emit(game.All, overEvent{Kind: "over", Why: why.String(), Reveal: *s.reveal()})
		}
		return
	}
	if draw {
		t.refill(s.Active)
	}
	next := s.Active
	for done := false; !done; done = s.Out[next] == 0 {
		if next++; int8(next) == s.Seats {
			next = 0
		}
	}
	t.begin(next)
}

// begin starts a turn.
func (t *turn) begin(seat game.Seat) {
	s := t.s
	s.Active, s.Played, s.Stacked = seat, noCard, false
	s.Turn++
	if t.log.Enabled() {
		t.log.Emit(game.All, turnEvent{Kind: "turn", Seat: seat, Turn: s.Turn})
	}
}

// ended returns the first end of the match that holds now.
func (s *State) ended() (why, bool) {
	in := s.in()
	if in.Len() == 1 {
		return lastClaimant, true
	}
	claims, moles, claimed := false, false, Board(0)
	for m := in; m != 0; m &= m - 1 {
		seat := m.Lowest()
		claims = claims || s.Claims[seat] == 0
		moles = moles || s.Moles[seat] == 0
		claimed |= s.Claimed[seat]
	}
	switch {
	case claims:
		return claimsOut, true
	case moles && s.EndOnEmpty:
		return molesOut, true
	case claimed == s.Tiles:
		return allClaimed, true
	}
	return turnLimit, s.MaxTurns > 0 && s.Turn >= s.MaxTurns
}

// Legal returns why a due seat may not do a.
func (Rules) Legal(s *State, seat game.Seat, a Action) error {
	switch {
	case s.Phase == PhaseHome && a.Kind == ActPlaceHome || s.Phase == PhaseTile && a.Kind == ActPlaceTile:
		if !s.sites().Has(a.At) {
			return fmt.Errorf("at: %s is no place for it: %s", a.At, siteRule[s.Phase])
		}
		return nil
	case s.Phase == PhasePlay:
		return s.legalPlay(seat, &a)
	}
	return fmt.Errorf("in phase %s the action is %s, not %s", s.Phase, s.Phase, a.Kind)
}

var siteRule = [...]string{
	PhaseHome: "a Home Base touches two hexes of the ring and lies on a free place",
	PhaseTile: "a tile touches two tiles, one of them in the ring, and lies on a free place",
}
