package demol

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// gift is a plot card that a leader gave. A view does not say when a held card was given, only that it was not before play
// lo, which found nothing to take, and not after play hi, which needs it.
type gift struct {
	card   Card
	to     game.Seat
	lo, hi int
	round  int8
}

// roundCards is what was given in one mission round: the cards of the plays from first on, before last, took effect at
// once; room is how many others were given.
type roundCards struct {
	first, last int
	room        int
	leader      game.Seat
}

// ledger looks for gifts that explain all the plot cards of a view.
type ledger struct {
	v       *View
	seats   int
	plays   []Play
	pending Play // given and not resolved: no card if there is none
	drawn   []Card
	rounds  [missions + 1]roundCards
	gifts   []gift // of held cards
}

// readCards finds the gifts and arranges the deck so that they are drawn in turn, above a shuffle of the cards not seen.
func (x *replay) readCards(c Config, r *game.Rand) error {
	l := ledger{v: x.v, seats: int(x.s.Seats)}
	for _, step := range []func() error{l.readPlays, l.readDrawn, l.readRounds, l.readGifts, l.placeAll} {
		if err := step(); err != nil {
			return err
		}
	}
	var order []Card
	for round := int8(1); round <= missions; round++ {
		for _, g := range l.inRound(round) {
			x.gifts = append(x.gifts, g)
			order = append(order, g.card)
		}
	}
	order = append(order, l.drawn...)
	unseen := c.deck(l.seats)
	for _, card := range order {
		if unseen[card]--; unseen[card] < 0 {
			return fmt.Errorf("at /deck: it never had so many cards %s as are seen", card)
		}
	}
	at := len(game.LayOut(x.s.Deck[:0], NoCard, unseen[:]))
	game.Shuffle(r, x.s.Deck[:at])
	for i, card := range order {
		x.s.Deck[at+len(order)-1-i] = card
	}
	return nil
}

// readPlays checks the words and seats of the plays.
func (l *ledger) readPlays() error {
	table := game.FirstSeats(l.seats)
	for i, p := range l.v.Plays {
		play := Play{Round: p.Round, Attempt: p.Attempt, Card: cardNamed(p.Card), By: p.By, At: game.Spectator}
		if p.At != nil {
			play.At = *p.At
		}
		if p.Taken != nil {
			play.Taken = cardNamed(*p.Taken)
		}
		switch {
		case play.Card == NoCard || p.Taken != nil && (play.Taken == NoCard || p.At == nil):
			return fmt.Errorf("at /plays/%d: there is no such card", i)
		case !table.Has(play.By) || p.At != nil && !table.Has(play.At):
			return fmt.Errorf("at /plays/%d: there is no such seat", i)
		case play.Round < 1 || i > 0 && play.Round < l.plays[i-1].Round:
			return fmt.Errorf("at /plays/%d/round: is out of order", i)
		}
		l.plays = append(l.plays, play)
	}
	return nil
}

// readDrawn takes the cards drawn and not given, and the one being resolved.
func (l *ledger) readDrawn() error {
	for i, name := range l.v.Drawn {
		card := cardNamed(name)
		if card == NoCard {
			return fmt.Errorf("at /drawn/%d: there is no card %q", i, name)
		}
		l.drawn = append(l.drawn, card)
	}
	switch l.v.Phase {
	case phaseLook.String(), phaseShow.String(), phaseTake.String():
	default:
		return nil
	}
	if len(l.v.Discard) == 0 || !game.FirstSeats(l.seats).Has(l.v.Due.Lowest()) {
		return fmt.Errorf("at /discard: in phase %s a card is being resolved", l.v.Phase)
	}
	last := l.v.Discard[len(l.v.Discard)-1]
	l.pending = Play{Card: cardNamed(last), By: l.v.Due.Lowest()}
	if !l.pending.Card.immediate() {
		return fmt.Errorf("at /discard/%d: %s takes no effect when given", len(l.v.Discard)-1, last)
	}
	return nil
}

// readRounds finds who gave in each round, which plays took effect at once, and how many other cards were given.
func (l *ledger) readRounds() error {
	v := l.v
	if v.Round < 1 || v.Round > missions {
		return fmt.Errorf("at /round: want 1 to %d, got %d", missions, v.Round)
	}
	at := 0
	for round := int8(1); round <= v.Round; round++ {
		if round == v.Round && v.Attempt == 1 && v.Phase == phaseStrongLeader.String() {
			break // not drawn yet
		}
		x := roundCards{room: cardsPerRound[l.seats], leader: v.Leader}
		for i := range v.Votes {
			if vote := &v.Votes[i]; vote.Round == round && vote.Attempt == 1 {
				x.leader = vote.Leader
			}
		}
		for at < len(l.plays) && l.plays[at].before(round) {
			at++
		}
		for x.first = at; at < len(l.plays) && l.plays[at].Round == round && l.plays[at].Card.immediate(); at++ {
			x.room--
		}
		x.last = at
		if round == v.Round {
			if x.room -= len(l.drawn); l.pending.Card != NoCard {
				x.room--
			}
		}
		if x.room < 0 {
			return fmt.Errorf("at /plays: round %d has more cards than were drawn", round)
		}
		l.rounds[round] = x
	}
	return nil
}

// before reports whether a play comes before the cards of a round are given.
func (p *Play) before(round int8) bool {
	return p.Round < round || p.Round == round && p.Attempt == 1 && p.Card == StrongLeader
}

// readGifts finds a gift for each held card that is or was before a seat, but for those it took.
func (l *ledger) readGifts() error {
	var took [MaxSeats][cardEnd]int
	for i, p := range l.plays {
		switch {
		case p.Taken != NoCard:
			l.need(&took, p.At, p.Taken, i)
			took[p.By][p.Taken]++
		case !p.Card.immediate():
			l.need(&took, p.By, p.Card, i)
		}
	}
	for i := range l.v.Seats[:min(len(l.v.Seats), l.seats)] {
		for _, name := range l.v.Seats[i].Cards {
			card := cardNamed(name)
			if card == NoCard {
				return fmt.Errorf("at /seats/%d/cards: there is no card %q", i, name)
			}
			l.need(&took, game.Seat(i), card, len(l.plays))
		}
	}
	for seat := range took {
		for card, copies := range took[seat] {
			if copies > 0 {
				return fmt.Errorf("at /seats/%d/cards: %s was taken and is gone", seat, Card(card))
			}
		}
	}
	return nil
}

// need is a seat having a card at play at. What it took is used first: that leaves the others most time to be given.
func (l *ledger) need(took *[MaxSeats][cardEnd]int, seat game.Seat, card Card, at int) {
	if took[seat][card] > 0 {
		took[seat][card]--
		return
	}
	g := gift{card: card, to: seat, hi: at}
	for i, p := range l.plays[:at] {
		if p.Card == TakeResponsibility && p.Taken == NoCard && p.By != seat {
			g.lo = i + 1
		}
	}
	l.gifts = append(l.gifts, g)
}

// placeAll gives each gift its round and leaves no room.
func (l *ledger) placeAll() error {
	for i := range l.gifts {
		var tried [missions + 1]bool
		if !l.place(i, &tried) {
			return fmt.Errorf("at /seats/%d/cards: no leader can have given %s", l.gifts[i].to, l.gifts[i].card)
		}
	}
	for round, x := range l.rounds {
		if x.room > 0 {
			return fmt.Errorf("at /seats: %d cards given in round %d are missing", x.room, round)
		}
	}
	return nil
}

// place finds a round for gift i, moving others where that helps: a bipartite matching by augmenting paths.
func (l *ledger) place(i int, tried *[missions + 1]bool) bool {
	g := &l.gifts[i]
	for round := int8(1); round <= missions; round++ {
		x := &l.rounds[round]
		if tried[round] || x.leader == g.to || max(x.first, g.lo) > min(x.last, g.hi) {
			continue
		}
		tried[round] = true
		if x.room > 0 {
			x.room--
			g.round = round
			return true
		}
		for j := range l.gifts {
			if l.gifts[j].round == round && l.place(j, tried) {
				g.round = round
				return true
			}
		}
	}
	return false
}

// inRound returns all gifts of a round in order: the held ones as early as they can, between those that took effect at once.
func (l *ledger) inRound(round int8) []gift {
	var out []gift
	x := &l.rounds[round]
	for at := x.first; at <= x.last; at++ {
		for _, g := range l.gifts {
			if g.round == round && max(x.first, g.lo) == at {
				out = append(out, g)
			}
		}
		now := l.pending
		if at < x.last {
			now = l.plays[at]
		} else if round != l.v.Round {
			break
		}
		if now.Card != NoCard {
			out = append(out, l.once(now, x.leader))
		}
	}
	return out
}

// once returns the gift of a card that took effect at once. Who was given an Establish Confidence does not matter: any seat but
// the leader's.
func (l *ledger) once(p Play, leader game.Seat) gift {
	if p.Card == EstablishConfidence {
		return gift{card: p.Card, to: (leader + 1) % game.Seat(l.seats)}
	}
	return gift{card: p.Card, to: p.By}
}
