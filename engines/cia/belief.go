package cia

import "github.com/molerun/molerun/engines/game"

// A belief goes along the trail as one seat saw it. A card that another seat played was drawn from one of the decks so far,
// and if copies of it are hidden in several the seat does not know from which. A hypothesis is one way it can have been: how
// many cards of each kind are still hidden from each deck, and how many cards each of the others holds from each deck.
// Given the hypothesis, any hidden card of a deck is as likely as any other in any place of that deck, so the number of
// complete histories is a product of factorials; choosing the decks of the cards played by these numbers draws a history
// uniformly.
type belief struct {
	s       *State
	seat    game.Seat
	steps   []observation
	barred  bool // in the end no hand holds take_free_agent
	deck    int8 // the deck in use in the end
	start   hypothesis
	memo    map[memoKey]float64
	held    [maxSeats][]place
	end     hypothesis
	top     [maxBox]Card // the deck
	rest    [maxBox]Card
	chances []chance
}

type hypothesis struct {
	pool       [maxDecks][cardKinds]int8 // hidden cards by deck
	old, fresh [maxSeats][maxDecks]int8  // cards held by the others: settled, and drawn this turn
}

// memoKey is a hypothesis before a step.
type memoKey struct {
	step int
	hypothesis
}

// observation is a step of the trail.
type observation struct {
	kind   observationKind
	deck   int8 // in use
	seat   game.Seat
	card   Card
	op     int             // its place in the trail
	pool   [cardKinds]int8 // of a new deck
	barred bool            // no hand holds take_free_agent after it
}

type observationKind uint8

const (
	observeNewDeck  observationKind = iota // a new deck
	observeOwnDraw                         // the seat's own draw
	observeDraw                            // another seat's draw
	observePlayed                          // a card played from another hand
	observeRemoved                         // a copy of take_free_agent leaves another hand when the last free agent is taken
	observeReturned                        // a copy of take_free_agent just drawn by another seat leaves the game
	observeTurnEnd                         // the turn ends
)

// place is a card that another seat has or had.
type place struct {
	deck    int8
	settled int // step from which it is no longer fresh
	gone    int // step it left at
	op      int // its draw in the trail, −1
	card    Card
}

const never = 1 << 30

// maxHypotheses bounds the memory of a belief. Play stays far below it (some hundred hypotheses after 500 turns); beyond it only
// the first deck that fits is followed: the draw still fits what was seen, but is no longer uniform.
const maxHypotheses = 1 << 16

// chance is one deck that a card can have come from, and its number of histories.
type chance struct {
	deck  int8
	fresh bool
	ways  float64
}

// open prepares the belief; false if no history fits.
func (w *belief) open(s *State, seat game.Seat) bool {
	w.s, w.seat = s, seat
	mine := w.read()
	base, fresh := s.HandN, s.Shown
	if s.Trail.On {
		base, fresh = s.Trail.Hands, s.Trail.Fresh
	}
	for other := range s.seats().Without(seat).Each() {
		w.start.old[other][0], w.start.fresh[other][0] = base[other]-fresh[other], fresh[other]
	}
	for c := range w.start.pool[0] {
		if w.start.pool[0][c] -= mine[c]; w.start.pool[0][c] < 0 {
			return false
		}
	}
	if len(w.steps) > 0 {
		w.memo = map[memoKey]float64{}
	}
	return w.ways(0, w.start) > 0
}

// read turns the trail into steps and fills the pool of the first deck, where the cards returned, held by the seat itself
// at the beginning, still are.
func (w *belief) read() [cardKinds]int8 {
	var mine [cardKinds]int8
	s := w.s
	if w.seat >= 0 {
		for _, c := range s.Hand[w.seat][:s.HandN[w.seat]] {
			mine[c]++
		}
	}
	var discard [cardKinds]int8
	removed := s.Removed
	w.barred = s.freeLeft() == 0
	if s.Trail.On {
		discard = s.Trail.Discard
		for _, op := range s.Trail.ops() {
			w.barred = w.barred && op != markNone
		}
	} else {
		for _, c := range s.Discard[:s.DiscardN] {
			discard[c]++
		}
	}
	first := discard
	ops := s.Trail.ops()
	for i, op := range ops {
		x := observation{op: i, deck: w.deck, barred: w.barred}
		x.seat, x.card = split(op)
		switch {
		case op == markNew:
			w.deck++
			x.kind, x.deck, x.pool, discard = observeNewDeck, w.deck, discard, [cardKinds]int8{}
		case op == markTurn:
			x.kind = observeTurnEnd
		case op == markNone:
			w.barred = true
			continue
		case op&opDraw != 0 && x.seat == w.seat:
			x.kind = observeOwnDraw
			mine[x.card]--
		case op&opDraw != 0:
			x.kind = observeDraw
		default:
			away := w.barred && x.card == TakeFreeAgent
			if away {
				removed--
			} else {
				discard[x.card]++
			}
			if x.seat == w.seat {
				mine[x.card]++
				continue
			}
			x.kind, x.barred = observePlayed, false
			if away {
				x.kind = observeRemoved
				if before, _ := split(ops[max(0, i-1)]); i > 0 && ops[i-1]&opDraw != 0 && before == x.seat {
					x.kind = observeReturned
				}
			}
		}
		w.steps = append(w.steps, x)
	}
	for c := range w.start.pool[0] {
		w.start.pool[0][c] = s.Box[c] - first[c]
	}
	w.start.pool[0][TakeFreeAgent] -= removed
	return mine
}

// apply takes a step that leaves no choice; dead reports whether the hypothesis cannot be.
func (w *belief) apply(x *observation, a *hypothesis) bool {
	if x.barred { // whatever is hidden of earlier decks is in hands
		for d := range x.deck {
			if a.pool[d][TakeFreeAgent] != 0 {
				return true
			}
		}
	}
	switch x.kind {
	case observeNewDeck:
		a.pool[x.deck] = x.pool
	case observeOwnDraw:
		a.pool[x.deck][x.card]--
		return a.pool[x.deck][x.card] < 0
	case observeDraw:
		a.fresh[x.seat][x.deck]++
	case observeTurnEnd:
		for i := range a.fresh {
			for d := range a.fresh[i] {
				a.old[i][d] += a.fresh[i][d]
				a.fresh[i][d] = 0
			}
		}
	case observePlayed, observeRemoved, observeReturned:
	}
	return false
}

// choice reports whether the step leaves one.
func (x *observation) choice() bool { return x.kind >= observePlayed && x.kind <= observeReturned }

// perStep scales the numbers of histories, so that long trails stay within the range of float64.
const perStep = 1.0 / 64

// ways returns the number of histories, up to scale, that go on from a before step i.
func (w *belief) ways(i int, a hypothesis) float64 {
	for ; i < len(w.steps) && !w.steps[i].choice(); i++ {
		if w.apply(&w.steps[i], &a) {
			return 0
		}
	}
	if i == len(w.steps) {
		return w.endings(&a)
	}
	key := memoKey{i, a}
	if n, ok := w.memo[key]; ok {
		return n
	}
	var sum float64
	for _, c := range w.choices(i, &a, nil) {
		sum += c.ways
	}
	w.memo[key] = sum
	return sum
}

// choices appends where the card of step i can have come from.
func (w *belief) choices(i int, a *hypothesis, out []chance) []chance {
	x := &w.steps[i]
	try := func(d int8, fresh bool, holds int8) {
		if holds <= 0 || a.pool[d][x.card] <= 0 || len(w.memo) > maxHypotheses && len(out) > 0 {
			return
		}
		next := *a
		next.take(x, d, fresh)
		if n := w.ways(i+1, next); n > 0 {
			n = float64(n * float64(holds) * float64(a.pool[d][x.card]) * perStep)
			out = append(out, chance{d, fresh, n})
		}
	}
	if x.kind == observeReturned {
		try(x.deck, true, min(1, a.fresh[x.seat][x.deck]))
		return out
	}
	for d := range x.deck + 1 {
		try(d, false, a.old[x.seat][d])
		if x.kind == observeRemoved || w.s.AtOnce {
			try(d, true, a.fresh[x.seat][d])
		}
	}
	return out
}

// take removes the card of step x from deck d.
func (a *hypothesis) take(x *observation, d int8, fresh bool) {
	a.pool[d][x.card]--
	if fresh {
		a.fresh[x.seat][d]--
	} else {
		a.old[x.seat][d]--
	}
}

// endings counts the ways to lay the hidden cards of a into their places at the end of the trail.
func (w *belief) endings(a *hypothesis) float64 {
	n := 1.0
	for d := range w.deck + 1 {
		cards, places, copies := 0, 0, int(a.pool[d][TakeFreeAgent])
		for _, k := range a.pool[d] {
			cards += int(k)
		}
		for i := range a.old {
			places += int(a.old[i][d] + a.fresh[i][d])
		}
		if d == w.deck {
			places += int(w.s.DeckN)
		}
		if cards != places {
			return 0
		}
		if w.barred { // the copies are in the deck
			room := 0
			if d == w.deck {
				room = int(w.s.DeckN)
			}
			for k := range copies {
				n = float64(n * float64(room-k))
			}
			cards -= copies
		}
		for k := 2; k <= cards; k++ {
			n = float64(n * float64(k))
		}
	}
	return max(n, 0)
}

// follow draws the decks of the cards played, and which card of the hand it was.
func (w *belief) follow(r *game.Rand) {
	s := w.s
	a := w.start
	for other := range s.seats().Without(w.seat).Each() {
		w.held[other] = w.held[other][:0]
		for range a.old[other][0] {
			w.held[other] = append(w.held[other], place{settled: -1, gone: never, op: -1})
		}
		for range a.fresh[other][0] {
			w.held[other] = append(w.held[other], place{settled: never, gone: never, op: -1})
		}
	}
	for i := range w.steps {
		x := &w.steps[i]
		if x.choice() {
			c := w.pick(w.choices(i, &a, w.chances[:0]), r)
			w.play(i, c, &a, r)
			a.take(x, c.deck, c.fresh)
			continue
		}
		w.apply(x, &a)
		switch x.kind {
		case observeDraw:
			w.held[x.seat] = append(w.held[x.seat], place{deck: x.deck, settled: never, gone: never, op: x.op})
		case observeTurnEnd:
			for _, hand := range w.held {
				for k := range hand {
					hand[k].settled = min(hand[k].settled, i)
				}
			}
		default: // the rest changes no place
		}
	}
	w.end = a
}

// pick draws one of the chances by its number of histories.
func (w *belief) pick(list []chance, r *game.Rand) chance {
	w.chances = list
	if len(list) == 1 {
		return list[0]
	}
	var sum float64
	for _, c := range list {
		sum += c.ways
	}
	at := float64(float64(r.Uint64()>>11) / (1 << 53) * sum)
	for _, c := range list[:len(list)-1] {
		if at -= c.ways; at < 0 {
			return c
		}
	}
	return list[len(list)-1]
}

// play says which place the card of step i left.
func (w *belief) play(i int, c chance, a *hypothesis, r *game.Rand) {
	x := &w.steps[i]
	hand := w.held[x.seat]
	n := a.old[x.seat][c.deck]
	if c.fresh {
		n = a.fresh[x.seat][c.deck]
	}
	k := r.IntN(int(n))
	if x.kind == observeReturned {
		k = int(n) - 1
	}
	for j := range hand {
		if p := &hand[j]; p.gone == never && p.deck == c.deck && (p.settled == never) == c.fresh {
			if k--; k < 0 {
				p.gone, p.card = i, x.card
				break
			}
		}
	}
}

// fill lays the cards still hidden into the places left: hands, and the deck.
func (w *belief) fill(r *game.Rand) {
	for d := range w.deck + 1 {
		n := 0
		put := func(c Card, copies int8) {
			for range copies {
				w.rest[n] = c
				n++
			}
		}
		pool := w.end.pool[d]
		if w.barred {
			pool[TakeFreeAgent] = 0
		}
		for c, copies := range pool {
			put(Card(c), copies)
		}
		game.Shuffle(r, w.rest[:n])
		for i := range w.held {
			for k := range w.held[i] {
				if p := &w.held[i][k]; p.deck == d && p.gone == never {
					n--
					p.card = w.rest[n]
				}
			}
		}
		if d == w.deck {
			if w.barred {
				put(TakeFreeAgent, w.end.pool[d][TakeFreeAgent])
				game.Shuffle(r, w.rest[:n])
			}
			copy(w.top[:], w.rest[:n])
		}
	}
}

// oldestFirst goes along the history drawn once more and lets the oldest of equal cards go, as the rules do.
func (w *belief) oldestFirst() {
	for i := range w.held {
		for k := range w.held[i] {
			w.held[i][k].gone = never
		}
	}
	for i := range w.steps {
		x := &w.steps[i]
		if !x.choice() {
			continue
		}
		anyAge := w.s.AtOnce || x.kind != observePlayed
		for k := range w.held[x.seat] {
			if p := &w.held[x.seat][k]; p.card == x.card && p.gone == never && (anyAge || p.settled < i) {
				p.gone = i
				break
			}
		}
	}
}

// write puts the history drawn into s.
func (w *belief) write(s *State) {
	for other := range s.seats().Without(w.seat).Each() {
		s.Hand[other], s.Fresh[other] = [maxHand]Card{}, 0
		n := 0
		for _, p := range w.held[other] {
			if p.op >= 0 {
				s.Trail.Ops[p.op] = opDraw | entry(other, p.card)
			}
			if p.gone != never {
				continue
			}
			s.Hand[other][n] = p.card
			n++
			if p.settled == never {
				s.Fresh[other]++
			}
		}
	}
	s.Deck = w.top
}
