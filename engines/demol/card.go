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

var cardNames = [cardEnd]string{
	"nothing", "overheard_conversation", "opinion_maker", "establish_confidence", "open_up", "no_confidence", "close_eye",
	"strong_leader", "spotlight", "take_responsibility",
}

// String is the word on the wire.
func (c Card) String() string { return cardNames[min(c, cardEnd)%cardEnd] }

// cardNamed is the kind of that name, else NoCard.
func cardNamed(name string) Card {
	for c := Overheard; c < cardEnd; c++ {
		if c.String() == name {
			return c
		}
	}
	return NoCard
}

// immediate tells the cards that take effect when given and are then discarded; the others are held.
func (c Card) immediate() bool {
	return c == Overheard || c == EstablishConfidence || c == OpenUp || c == TakeResponsibility
}

// Bounds of a plot deck.
const (
	maxCopies = 15
	maxDeck   = 60
	maxDrawn  = 3
	maxPlays  = missions * maxDrawn // a card is played once at most
)

// cardsPerRound is how many plot cards the leader draws by number of seats.
var cardsPerRound = [MaxSeats + 1]int{5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}

// smallDeck is the deck of 5 and 6 seats, one of each of the first seven kinds; largeDeck is that of 7 and more.
var (
	smallDeck = [cardEnd]int8{Overheard: 1, OpinionMaker: 1, EstablishConfidence: 1, OpenUp: 1, NoConfidence: 1, CloseEye: 1, StrongLeader: 1}
	largeDeck = [cardEnd]int8{
		Overheard: 2, OpinionMaker: 2, EstablishConfidence: 1, OpenUp: 1, NoConfidence: 3, CloseEye: 2, StrongLeader: 2, Spotlight: 1,
		TakeResponsibility: 1,
	}
)

// deck is the copies of each kind; c has been validated.
func (c Config) deck(seats int) [cardEnd]int8 {
	var copies [cardEnd]int8
	switch {
	case !c.PlotCards:
		return copies
	case c.PlotDeck != nil:
		for card := Overheard; card < cardEnd; card++ {
			copies[card] = int8((*c.PlotDeck)[card.String()])
		}
		return copies
	case seats <= 6:
		return smallDeck
	}
	return largeDeck
}

// Play is one plot card used or resolved. By is who looked, showed, took or played.
type Play struct {
	Round, Attempt, Mission int8 // Mission 0: none proposed
	Card                    Card
	By, At                  game.Seat // At is Spectator where nobody is named
	Taken                   Card
}
