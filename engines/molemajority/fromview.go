package molemajority

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// StateFromView builds a state from a view alone, drawn as Resample draws: it sets what the view tells, puts the hidden things
// anywhere, redraws them and holds the view of the state so made against the given one. A view that no match can show is
// refused with the place.
func (r Rules) StateFromView(c Config, seats int, seat game.Seat, v View, s *State, rnd *game.Rand) error {
	s.start(c, seats)
	g := stateBuilder{
		s:    s,
		v:    &v,
		c:    c,
		seat: seat,
	}
	for _, read := range []func() error{g.phase, g.board, g.setUp, g.players, g.secrets, g.tokens, g.turn} {
		if err := read(); err != nil {
			return err
		}
	}
	if !s.redraw(seat, rnd) {
		return bad("/players", "the cards cannot have gone this way")
	}
	return game.Agree(r.View(s, seat), v)
}

// stateBuilder reads a view into a state.
type stateBuilder struct {
	s    *State
	v    *View
	c    Config
	seat game.Seat
}

func bad(at, why string, args ...any) error {
	return fmt.Errorf("at %s: "+why, append([]any{at}, args...)...)
}

// phase reads the phase and who is due.
func (g stateBuilder) phase() error {
	s, v := g.s, g.v
	i := slices.Index(phaseNames[:], v.Phase)
	if i < 0 {
		return bad("/phase", "%q is no phase", v.Phase)
	}
	s.Phase = Phase(i)
	if (v.Active == nil) != (s.Phase == PhaseOver) || v.Active != nil && !s.seats().Has(*v.Active) {
		return bad("/active", "want a seat of the table, and null only once over")
	}
	if v.Active != nil {
		s.Active = *v.Active
	}
	if played := s.Phase >= PhasePlay; played != (v.Turn > 0) || s.MaxTurns > 0 && v.Turn > s.MaxTurns {
		return bad("/turn", "%d turns do not go with phase %s", v.Turn, v.Phase)
	}
	s.Turn = v.Turn
	if len(v.Players) != int(s.Seats) {
		return bad("/players", "want %d, got %d", s.Seats, len(v.Players))
	}
	return nil
}

// board reads the tiles with all that lies on them.
func (g stateBuilder) board() error {
	s, v := g.s, g.v
	homed := Board(0)
	for i, x := range v.Hexes {
		at := "/hexes/" + strconv.Itoa(i)
		h, ok := hexOf(x.At)
		if !ok || s.Tiles.Has(h) || x.Size < minSize || x.Size > maxSize || len(x.Spaces) != int(x.Size) {
			return bad(at, "want a hex, once, of %d to %d spaces", minSize, maxSize)
		}
		s.lay(h, x.Size)
		for space, seat := range x.Spaces {
			if seat == nil {
				continue
			}
			if !s.seats().Has(*seat) || s.Moles[*seat] == 0 {
				return bad(at+"/spaces", "there is no such seat, or it has not so many moles")
			}
			s.put(*seat, h, int8(space))
			s.Moles[*seat]--
		}
		if x.Claim != nil {
			if !s.seats().Has(*x.Claim) || s.Claims[*x.Claim] == 0 || !s.moled().Has(h) {
				return bad(at+"/claim", "there is no such seat, it has not so many claims, or the hex is empty")
			}
			s.Claimed[*x.Claim] |= 1 << h
			s.Claims[*x.Claim]--
		}
		if x.Home {
			homed |= 1 << h
		}
	}
	for i, name := range v.Edges {
		e, ok := edgeOf(name)
		if !ok || !s.edges().has(e) || s.Walls.has(e) {
			return bad("/edges/"+strconv.Itoa(i), "want an edge between two tiles, once")
		}
		s.Walls |= 1 << e
	}
	if s.Homed = homed; s.Phase < PhasePlay && homed != 0 {
		return bad("/hexes", "no home token lies there in set-up")
	}
	return g.tiles()
}

// tiles holds the tiles on the board against those of the match; what is left in set-up is the pile.
func (g stateBuilder) tiles() error {
	s, v := g.s, g.v
	left := g.c.Tiles
	for m := s.Tiles; m != 0; m &= m - 1 {
		left[s.Size[m.Lowest()]-minSize]--
	}
	if v.Tile != nil {
		if *v.Tile < minSize || *v.Tile > maxSize {
			return bad("/tile", "want a size of %d to %d", minSize, maxSize)
		}
		s.Tile = *v.Tile
		left[s.Tile-minSize]--
	}
	if s.Phase == PhaseHome {
		left[maxSize-minSize] -= int(s.Seats - int8(s.Active))
	}
	for i, n := range left {
		if n < 0 {
			return bad("/hexes", "there are not so many tiles of size %d", minSize+i)
		}
	}
	if s.Stack, s.Tiled = [maxTiles]int8{}, 0; s.Phase < PhasePlay {
		s.Tiled = int8(len(game.LayOut(s.Stack[:0], minSize, left[:])))
	}
	return nil
}

// setUp holds the shape of the board against how far the set-up is.
func (g stateBuilder) setUp() error {
	s := g.s
	middle := grid.ring | 1<<grid.centre
	bases, placed := int(s.Seats), s.Tiles.Len()-inner-int(s.Seats)
	if s.Phase == PhaseHome {
		bases, placed = int(s.Active), s.Tiles.Len()-inner-int(s.Active)
	}
	want := 0
	switch s.Phase {
	case PhaseTile:
		if want = placed; placed < 0 || placed/extraTiles != int(s.Active) {
			return bad("/hexes", "%d tiles do not go with seat %d being active", s.Tiles.Len(), s.Active)
		}
	case PhasePlay, PhaseOver:
		want = extraTiles * int(s.Seats)
	case PhaseHome:
	}
	if s.Tiles&middle != middle || placed != want || (s.Phase == PhaseTile) != (s.Tile != 0) {
		return bad("/hexes", "this is no board in phase %s", s.Phase)
	}
	if s.Phase >= PhasePlay {
		return nil
	}
	for seat := range game.Seat(s.Seats) {
		home := s.Claimed[seat]
		switch {
		case int(seat) >= bases && home|s.Occupied[seat] == 0:
		case int(seat) < bases && home.Len() == 1 && home&grid.bases != 0 && s.Occupied[seat] == home && s.On[seat][home.Lowest()] == maxSize:
		default:
			return bad("/hexes", "a seat has a Home Base with six moles, in order, and nothing else in set-up")
		}
	}
	return nil
}

// players reads what is public of the seats and cannot be counted from the board.
func (g stateBuilder) players() error {
	s := g.s
	walls, kinds := 0, Deck{}
	for i := range g.v.Players {
		at, x, seat := "/players/"+strconv.Itoa(i), &g.v.Players[i], game.Seat(i)
		if x.CaveIns < 0 || x.CaveIns > s.CaveIns[seat] {
			return bad(at+"/cave_ins", "want 0 to %d", s.CaveIns[seat])
		}
		walls += int(s.CaveIns[seat] - x.CaveIns)
		s.CaveIns[seat] = x.CaveIns
		if s.Phase < PhasePlay {
			continue
		}
		if x.OutOrder < 0 || x.OutOrder >= s.Seats || (x.OutOrder > 0) != (s.Claimed[seat] == 0) {
			return bad(at+"/out_order", "a seat is out when it has no claim, and only then")
		}
		s.Out[seat] = x.OutOrder
		if err := g.cards(at, x, seat, &kinds); err != nil {
			return err
		}
	}
	if walls != s.Walls.Len() {
		return bad("/edges", "the seats have used %d Cave-In tokens", walls)
	}
	for c, copies := range g.c.Deck {
		if s.Phase >= PhasePlay && copies*int(s.Seats) != kinds[c] {
			return bad("/players", "there are %d cards %s in all", copies*int(s.Seats), Card(c))
		}
	}
	if in := s.in().Len(); s.Phase == PhasePlay && (in < 2 || s.Out[s.Active] != 0) {
		return bad("/active", "is out, or nobody else is left")
	}
	return nil
}

// cards reads the cards of a seat; its hand is any of those unseen.
func (g stateBuilder) cards(at string, x *playerView, seat game.Seat, kinds *Deck) error {
	s, deck := g.s, game.Sum(g.c.Deck[:])
	s.Deck[seat], s.DeckN[seat] = [maxDeck]Card{}, 0
	if x.Hand < 0 || x.Hand > s.FullHand || x.Deck < 0 || int(x.Hand)+int(x.Deck)+len(x.Discard) != deck {
		return bad(at+"/hand", "want a hand of at most %d and %d cards with deck and discard", s.FullHand, deck)
	}
	for i, name := range x.Discard {
		c, ok := cardOf(name)
		if !ok {
			return bad(at+"/discard/"+strconv.Itoa(i), "%q is no card", name)
		}
		s.push(seat, c)
		kinds[c]++
	}
	total := 0
	for c, copies := range x.Unseen.counts() {
		if total += int(copies); copies < 0 || total > deck-len(x.Discard) {
			return bad(at+"/unseen", "want %d cards", deck-len(x.Discard))
		}
		kinds[c] += int(copies)
		for range copies {
			if s.HandN[seat] < x.Hand {
				s.Hand[seat][c]++
				s.HandN[seat]++
			} else {
				s.Deck[seat][s.DeckN[seat]] = Card(c)
				s.DeckN[seat]++
			}
		}
	}
	if total != deck-len(x.Discard) {
		return bad(at+"/unseen", "want %d cards", deck-len(x.Discard))
	}
	return g.trail(at+"/trail", x.Trail, x.Hand, &s.Trail[seat])
}

func (g stateBuilder) trail(at string, v *trailView, hand int8, x *trail) error {
	if v == nil {
		return nil
	}
	if x.On = true; len(v.Known) == 0 || len(v.Known) > int(g.s.FullHand) || len(v.Plays) >= maxDeck || hand == 0 {
		return bad(at, "belongs to a hand with cards; want at most %d known, and fewer plays than cards", g.s.FullHand)
	}
	for i, name := range v.Known {
		c, ok := cardOf(name)
		if !ok {
			return bad(at+"/known/"+strconv.Itoa(i), "%q is no card", name)
		}
		x.Known[c]++
	}
	for i, p := range v.Plays {
		c, ok := cardOf(p.Card)
		if !ok || p.Hand < 2 || p.Hand > g.s.FullHand {
			return bad(at+"/plays/"+strconv.Itoa(i), "want a card, out of a hand of 2 to %d", g.s.FullHand)
		}
		x.play(c, p.Hand)
	}
	return nil
}

// secrets reads the hands that the seat knows.
func (g stateBuilder) secrets() error {
	s, v := g.s, g.v
	if (v.Me == nil) != (g.seat == game.Spectator) || v.Me != nil && v.Me.Seat != g.seat {
		return bad("/me", "belongs to the view of a seat, and to no other")
	}
	if (v.Reveal == nil) != (s.Phase != PhaseOver) || v.Reveal != nil && len(v.Reveal.Hands) != int(s.Seats) {
		return bad("/reveal", "belongs to the end of a match, and only there; want one entry a seat")
	}
	if s.Phase < PhasePlay {
		return nil
	}
	if v.Me != nil {
		if err := g.hand("/me/hand", v.Me.Hand, g.seat); err != nil {
			return err
		}
	}
	if v.Reveal == nil {
		return nil
	}
	for seat, hand := range v.Reveal.Hands {
		if err := g.hand("/reveal/hands/"+strconv.Itoa(seat), hand, game.Seat(seat)); err != nil {
			return err
		}
	}
	return nil
}

// hand takes the cards of a hand out of those unseen.
func (g stateBuilder) hand(at string, words []string, seat game.Seat) error {
	s := g.s
	left := s.unseen(seat)
	if len(words) != int(s.HandN[seat]) {
		return bad(at, "want %d cards", s.HandN[seat])
	}
	s.Hand[seat] = Counts{}
	for i, name := range words {
		c, ok := cardOf(name)
		if !ok || left[c] == 0 {
			return bad(at+"/"+strconv.Itoa(i), "%q is not among the unseen cards", name)
		}
		left[c]--
		s.Hand[seat][c]++
	}
	game.LayOut(s.Deck[seat][:0], Number4, left[:])
	return nil
}

// tokens reads the home tokens whose values the seat knows; the others lie anywhere.
func (g stateBuilder) tokens() error {
	s, v := g.s, g.v
	if s.Phase < PhasePlay {
		return nil
	}
	left := g.c.HomeTokens
	take := func(at string, values []int8, seat game.Seat) error {
		s.Homes[seat] = [maxValue]int8{}
		for i, value := range values {
			if value < 1 || value > maxValue || left[value-1] == 0 {
				return bad(at+"/"+strconv.Itoa(i), "there is no home token of %d left", value)
			}
			left[value-1]--
			s.Homes[seat][value-1]++
		}
		return nil
	}
	known := game.Seats(0)
	if v.Reveal != nil {
		if len(v.Reveal.Homes) != int(s.Seats) {
			return bad("/reveal/homes", "want one entry a seat")
		}
		for seat, values := range v.Reveal.Homes {
			if err := take("/reveal/homes/"+strconv.Itoa(seat), values, game.Seat(seat)); err != nil {
				return err
			}
		}
		known = s.seats()
	} else if v.Me != nil {
		if err := take("/me/homes", v.Me.Homes, g.seat); err != nil {
			return err
		}
		known = game.Only(g.seat)
	}
	return g.hide(left, known)
}

// hide puts the tokens left onto the hexes, to the seats that are not known and into the pile.
func (g stateBuilder) hide(left homeTokens, known game.Seats) error {
	s := g.s
	s.Pile = [maxHomes]int8{}
	s.PileN = int8(len(game.LayOut(s.Pile[:0], 1, left[:])))
	next := func() (value int8) {
		s.PileN--
		value, s.Pile[s.PileN] = s.Pile[s.PileN], 0
		return value
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		if s.PileN == 0 {
			return bad("/hexes", "there are not so many home tokens")
		}
		s.Home[m.Lowest()] = next()
	}
	for i := range g.v.Players {
		seat := game.Seat(i)
		for range max(0, g.v.Players[i].Homes) {
			if known.Has(seat) {
				break
			}
			if s.PileN == 0 {
				return bad("/players/"+strconv.Itoa(i)+"/homes", "there are not so many home tokens")
			}
			s.Homes[seat][next()-1]++
		}
	}
	return nil
}

// turn reads what has been done of the turn.
func (g stateBuilder) turn() error {
	s, v := g.s, g.v
	if v.Action != nil {
		c, ok := cardOf(*v.Action)
		if !ok {
			return bad("/action", "%q is no card", *v.Action)
		}
		s.Played = c
		if pile := s.Junk[s.Active][:s.JunkN[s.Active]]; c != GopherIt && !slices.Contains(pile, c) {
			return bad("/action", "is not on the discard pile of seat %d", s.Active)
		}
	}
	s.Stacked = v.Stacked
	if len(v.Pending) > maxParts {
		return bad("/pending", "has at most %d parts", maxParts)
	}
	for i, p := range v.Pending {
		do := slices.Index(doNames[:], p.Do)
		if do <= int(DoNothing) {
			return bad("/pending/"+strconv.Itoa(i), "%q is nothing to do", p.Do)
		}
		s.Parts[i] = Part{Do(do), p.Left}
		s.PartN++
	}
	why, over := s.ended()
	switch {
	case s.Phase < PhasePlay && s.begun(), s.Phase == PhaseOver && s.begun(), !s.planned():
		return bad("/pending", "does not follow from action and stacked")
	case s.Phase == PhaseOver && !over:
		return bad("/phase", "the match is not over")
	case s.Phase == PhasePlay && !s.begun() && over && why != turnLimit:
		return bad("/phase", "the match is over")
	case s.Phase == PhasePlay && s.PartN == 0 && s.HandN[s.Active] == 0:
		return bad("/pending", "the turn of an empty hand is over")
	case s.PartN > 0 && !s.possible(s.Active, s.Parts[0].Do), s.Current() == DoNumber && g.seat == s.Active && !s.numbers(s.Active):
		return bad("/pending/0", "there is nothing to decide")
	}
	s.Why = why
	if s.Phase != PhaseOver {
		s.Why = 0
	}
	return nil
}

// planned reports whether the parts are what action and stacked cards can have left.
func (s *State) planned() bool {
	if s.PartN == 0 {
		return true
	}
	first := s.Parts[0]
	if s.Stacked && s.PartN == 1 && first.Do != DoRoll {
		return first == Part{DoBreed, 2} || first.Left == 1 && (first.Do == DoBreed || first.Do == DoMove || first.Do == DoConvert && s.Played == Convert)
	}
	if s.Played == noCard || s.Stacked && first.Do != DoRoll {
		return false
	}
	plan := actions[s.Played]
	if len(plan) < int(s.PartN) {
		return false
	}
	plan = plan[len(plan)-int(s.PartN):]
	if s.PartN == maxParts && s.Parts[1] != plan[1] {
		return false
	}
	if first.Do == DoSwap {
		n := s.JunkN[s.Active]
		return plan[0] == first && n > 0 && s.Junk[s.Active][n-1] == GopherIt
	}
	if first.Do == DoRoll {
		return plan[0].Do == DoNumber && first.Left > 0 && first.Left <= Number4.number()+maxDeck
	}
	return plan[0].Do == first.Do && first.Left > 0 && first.Left <= plan[0].Left
}
