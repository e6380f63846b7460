package demol

import "github.com/molerun/molerun/engines/game"

// Card is a kind of plot card of the expansion "De samenzwering groeit".
type Card uint8

// The kinds in the rulebook's own order; the zero Card is no card.
const (
	NoCard Card = iota
	Overheard
	OpinionMaker
	EstablishConfidence
	OpenUp
	NoConfidence
	CloseEye
	StrongLeader
	Spotlight
	TakeResponsibility
	cardEnd
)

// cards is what is fixed of each kind: its word on the wire, whether it takes effect when given and is then discarded (the
// others are held), and its copies in the decks of 5 and 6 seats (small), and of 7 and more (large).
var cards = [cardEnd]struct {
	name         string
	immediate    bool
	small, large int8
}{
	NoCard:              {name: "nothing"},
	Overheard:           {name: "overheard_conversation", immediate: true, small: 1, large: 2},
	OpinionMaker:        {name: "opinion_maker", small: 1, large: 2},
	EstablishConfidence: {name: "establish_confidence", immediate: true, small: 1, large: 1},
	OpenUp:              {name: "open_up", immediate: true, small: 1, large: 1},
	NoConfidence:        {name: "no_confidence", small: 1, large: 3},
	CloseEye:            {name: "close_eye", small: 1, large: 2},
	StrongLeader:        {name: "strong_leader", small: 1, large: 2},
	Spotlight:           {name: "spotlight", large: 1},
	TakeResponsibility:  {name: "take_responsibility", immediate: true, large: 1},
}

// String returns the word on the wire.
func (c Card) String() string { return cards[min(c, cardEnd)%cardEnd].name }

// cardNamed returns the kind of that name, else NoCard.
func cardNamed(name string) Card {
	for c := Overheard; c < cardEnd; c++ {
		if c.String() == name {
			return c
		}
	}
	return NoCard
}

// immediate reports whether the card takes effect when given.
func (c Card) immediate() bool { return cards[c].immediate }

// Bounds of a plot deck.
const (
	maxCopies = 15
	maxDeck   = 60
	maxDrawn  = 3
	maxPlays  = missions * maxDrawn // a card is played once at most
)

// cardsPerRound is how many plot cards the leader draws by number of seats.
var cardsPerRound = [MaxSeats + 1]int{5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}

// deck returns the copies of each kind; c has been validated.
func (c Config) deck(seats int) [cardEnd]int8 {
	var copies [cardEnd]int8
	for card := Overheard; c.PlotCards && card < cardEnd; card++ {
		switch {
		case c.PlotDeck != nil:
			copies[card] = int8((*c.PlotDeck)[card.String()])
		case seats <= 6:
			copies[card] = cards[card].small
		default:
			copies[card] = cards[card].large
		}
	}
	return copies
}

// Play is one plot card used or resolved. By is who looked, showed, took or played.
type Play struct {
	Round, Attempt, Mission int8 // Mission 0: none proposed
	Card                    Card
	By, At                  game.Seat // At is Spectator where nobody is named
	Taken                   Card
}
