package molemajority

import "slices"

// Card is a kind of card, in the order of the deck table.
type Card int8

// The cards; NoCard means none.
const (
	Number4 Card = iota
	Number3
	Number2
	CaveIn
	Convert
	Groundskeeper1
	Groundskeeper2
	GopherIt
	noCard
	Cards = int(noCard)
)

var cardNames = [...]string{
	"number_4", "number_3", "number_2", "cave_in", "convert", "groundskeeper_1", "groundskeeper_2", "gopher_it", "none",
}

// String returns the word on the wire.
func (c Card) String() string { return cardNames[c] }

// cardOf reads a card.
func cardOf(name string) (Card, bool) {
	i := slices.Index(cardNames[:Cards], name)
	return Card(i), i >= 0
}

// number returns the number printed on a NUMBER CARD; 0 for the others, the Cave-In card among them.
func (c Card) number() int8 {
	if c <= Number2 {
		return 4 - int8(c)
	}
	return 0
}

// Do is what a part of a card lets its player do.
type Do uint8

// The parts; DoNothing is between cards.
const (
	DoNothing Do = iota
	DoStep       // MOVE or BREED
	DoBreed
	DoMove
	DoConvert
	DoNumber // choose the NUMBER CARD of a Groundskeeper
	DoRoll
	DoSpecial // two Cave-Ins or one home
	DoSwap
)

var doNames = [...]string{"nothing", "step", "breed", "move", "convert", "number", "roll", "special", "swap"}

// String returns the word on the wire.
func (d Do) String() string { return doNames[d] }

// Part is what is left to do of a card: Left is the number of steps, for a roll the ROLL NUMBER.
type Part struct {
	Do   Do
	Left int8
}

const maxParts = 2

// actions are the parts of each card played as the action of a turn; a number becomes a roll once chosen.
var actions = [Cards][]Part{
	Number4:        {{DoStep, 4}},
	Number3:        {{DoStep, 3}},
	Number2:        {{DoStep, 2}, {DoBreed, 1}},
	CaveIn:         {{DoStep, 2}, {DoSpecial, 1}},
	Convert:        {{DoConvert, 1}},
	Groundskeeper1: {{DoNumber, 1}, {DoBreed, 1}},
	Groundskeeper2: {{DoNumber, 1}, {DoBreed, 2}},
	GopherIt:       {{DoSwap, 1}, {DoBreed, 1}},
}

// breeds is how many moles each card breeds when stacked.
var breeds = [Cards]int8{Number2: 1, Convert: 1, Groundskeeper1: 1, Groundskeeper2: 2, GopherIt: 1}

// As is how a stacked card is used.
type As uint8

// The uses of a stacked card.
const (
	asBreed As = iota + 1
	asMove
	asRoll
	asConvert // REPEAT CONVERT
)

var asNames = [...]string{"nothing", "breed", "move", "roll", "convert"}

// String returns the word on the wire.
func (x As) String() string { return asNames[min(int(x), len(asNames)-1)] }
