package game

import (
	"encoding/json"
	"fmt"
)

// Coder serves training: it numbers the actions of a game and writes its views as arrays of a fixed length. All of it follows from the
// configuration and the seats, so that what one process learns another may use.
type Coder[C, S, A any] interface {
	// Numbering returns how many numbers there are, 1 to 65,536, and the number of an action, 0 to size−1; −1 for an action that has none.
	Numbering(c C, seats int) (size int, number func(A) int)
	// Choices fills the list of an empty offer with legal actions of a due seat, no two with the same number. They are all of them; where
	// several share a number, one of those.
	Choices(s *S, seat Seat, o *Offer[A])
	// Observe writes what seat may know: the same features, whatever has happened.
	Observe(s *S, seat Seat, o *Observation)
}

// Enumerate numbers actions in the order in which each gives them to add, for [Coder.Numbering]. An action given again keeps its number.
func Enumerate[A comparable](each func(add func(A))) (size int, number func(A) int) {
	numbers := map[A]int{}
	each(func(a A) {
		if _, given := numbers[a]; !given {
			numbers[a] = len(numbers)
		}
	})
	return len(numbers), func(a A) int {
		if n, ok := numbers[a]; ok {
			return n
		}
		return -1
	}
}

// Feature is a part of an observation: whole numbers Low to High in an array of Shape, the last index first; [] is one number.
type Feature struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
	Low   int    `json:"low"`
	High  int    `json:"high"`
}

// Observation is a view as numbers, written feature by feature.
type Observation struct {
	Values   []int32
	features []Feature
	describe bool
}

// Put appends a feature. One with the name of the last is its next row. low, high and the number of values follow from the configuration.
func Put[T ~int | ~int8 | ~int16 | ~int32 | ~uint8](o *Observation, name string, low, high int, values ...T) {
	for _, v := range values {
		o.Values = append(o.Values, int32(v))
	}
	if o.describe {
		o.note(name, low, high, len(values))
	}
}

// Flag appends a feature that is 1 for yes and 0 for no.
func (o *Observation) Flag(name string, yes bool) {
	value := 0
	if yes {
		value = 1
	}
	Put(o, name, 0, 1, value)
}

// Bits appends a feature of the n lowest bits of set, the lowest first.
func (o *Observation) Bits(name string, n int, set uint64) {
	for i := range n {
		o.Values = append(o.Values, int32(set>>i&1))
	}
	if o.describe {
		o.note(name, 0, 1, n)
	}
}

func (o *Observation) note(name string, low, high, n int) {
	if last := len(o.features) - 1; last >= 0 && o.features[last].Name == name {
		if f := &o.features[last]; len(f.Shape) == 2 {
			f.Shape[0]++
		} else {
			f.Shape = append([]int{2}, n)
		}
		return
	}
	shape := []int{n}
	if n == 1 {
		shape = []int{}
	}
	o.features = append(o.features, Feature{name, shape, low, high})
}

// Numbered is a match that is played by numbers, on the typed path: no JSON, no events. One seat is asked at a time; where several
// decide at once, the rules move on after the last of them. It is not safe for concurrent use.
type Numbered interface {
	// Size is how many numbers actions have.
	Size() int
	// Features are the parts of an observation, in order.
	Features() []Feature
	// Number is the number of an action, −1 if it has none; [ErrIllegal] if it is no action of the game.
	Number(action json.RawMessage) (int, error)
	// Deal starts the match of a seed, the one that [Engine.New] deals.
	Deal(seed Seed)
	// Sit goes on with a table of the same engine, configuration and seats; else [ErrConfig].
	Sit(t Table) error
	// Table is the match itself, which lacks what seats have chosen in a step that is not complete.
	Table() Table
	// Asked is the seat to choose, [Spectator] when the match is over.
	Asked() Seat
	// Choices are the numbers that the seat asked may choose; Actions are what they mean, as JSON. Both hold until it has chosen.
	Choices() []uint16
	Actions() []json.RawMessage
	// Observe appends what a seat may know.
	Observe(seat Seat, to []int32) []int32
	// Choose decides for the seat asked, by one of its Choices; else [ErrIllegal].
	Choose(number int) error
	// Play decides for the seat asked, by any legal action; else [ErrIllegal].
	Play(action json.RawMessage) error
	// Chosen are the actions chosen in this step so far, by seat in ascending order.
	Chosen() []json.RawMessage
	// House decides for the seat asked as [Table.House] does.
	House()
	// Set copies another match of the same engine, configuration and seats into it; Twin makes a copy.
	Set(from Numbered)
	Twin() Numbered
}

// numbered is the only implementation of [Numbered], for every game.
type numbered[C, S, A, V, E any] struct {
	coder    Coder[C, S, A]
	config   C
	size     int
	number   func(A) int
	features []Feature
	t        *table[C, S, A, V, E]
	waiting  Seats // who has yet to choose in this step
	acts     []Act[A]
	choices  Offer[A] // of the seat asked; its list and numbers are empty before somebody looks
	numbers  []uint16
	seen     Observation
}

func (e engine[C, S, A, V, E]) Numbered(config json.RawMessage, seats int) (Numbered, error) {
	coder, ok := any(e.r).(Coder[C, S, A])
	if !ok {
		return nil, fmt.Errorf("%w: %s numbers no actions", ErrUnsupported, e.r.Info().ID)
	}
	c, canonical, err := e.read(config, seats)
	if err != nil {
		return nil, err
	}
	x := &numbered[C, S, A, V, E]{coder: coder, config: c, t: e.table(canonical, seats, Seed{})}
	x.size, x.number = coder.Numbering(c, seats)
	x.Deal(Seed{})
	described := Observation{describe: true}
	coder.Observe(&x.t.s, 0, &described)
	x.features = described.features
	return x, nil
}

func (x *numbered[C, S, A, V, E]) Size() int           { return x.size }
func (x *numbered[C, S, A, V, E]) Features() []Feature { return x.features }
func (x *numbered[C, S, A, V, E]) Table() Table        { return x.t }
func (x *numbered[C, S, A, V, E]) Asked() Seat         { return x.waiting.Lowest() }

func (x *numbered[C, S, A, V, E]) Number(action json.RawMessage) (int, error) {
	var a A
	if err := readAction(action, &a); err != nil {
		return 0, fmt.Errorf("%w: action: %w", ErrIllegal, err)
	}
	return x.number(a), nil
}

func (x *numbered[C, S, A, V, E]) Deal(seed Seed) {
	x.t.seed, x.t.step = seed, 0
	x.t.rnd.Reset(seed, 0, "deal", Spectator)
	x.t.r.Deal(&x.t.s, x.config, x.t.seats, &x.t.rnd, nil)
	x.begin()
}

// begin begins a step: nobody has chosen.
func (x *numbered[C, S, A, V, E]) begin() {
	x.waiting, x.acts = x.t.Due(), x.acts[:0]
	x.ask()
}

// ask forgets what the last seat was asked.
func (x *numbered[C, S, A, V, E]) ask() {
	x.choices.List, x.numbers = x.choices.List[:0], x.numbers[:0]
}

func (x *numbered[C, S, A, V, E]) Sit(t Table) error {
	other, ok := t.(*table[C, S, A, V, E])
	if !ok || other.seats != x.t.seats || string(other.config) != string(x.t.config) {
		return fmt.Errorf("%w: the table is of another game, configuration or number of seats", ErrConfig)
	}
	x.t = other
	x.begin()
	return nil
}

func (x *numbered[C, S, A, V, E]) Choices() []uint16 {
	if len(x.numbers) == 0 && x.waiting != 0 {
		x.coder.Choices(&x.t.s, x.Asked(), &x.choices)
		for _, a := range x.choices.List {
			x.numbers = append(x.numbers, uint16(x.number(a)))
		}
	}
	return x.numbers
}

func (x *numbered[C, S, A, V, E]) Actions() []json.RawMessage {
	out := make([]json.RawMessage, len(x.Choices()))
	for i := range out {
		out[i] = appendJSON(nil, &x.choices.List[i])
	}
	return out
}

func (x *numbered[C, S, A, V, E]) Chosen() []json.RawMessage {
	out := make([]json.RawMessage, len(x.acts))
	for i := range out {
		out[i] = appendJSON(nil, &x.acts[i].Action)
	}
	return out
}

func (x *numbered[C, S, A, V, E]) Observe(seat Seat, to []int32) []int32 {
	x.seen.Values = to
	x.coder.Observe(&x.t.s, seat, &x.seen)
	return x.seen.Values
}

func (x *numbered[C, S, A, V, E]) Choose(number int) error {
	choices := x.Choices()
	for i, n := range choices {
		if int(n) == number {
			x.take(x.choices.List[i])
			return nil
		}
	}
	return fmt.Errorf("%w: %d is none of the %d numbers that seat %d may choose", ErrIllegal, number, len(choices), x.Asked())
}

func (x *numbered[C, S, A, V, E]) Play(action json.RawMessage) error {
	var a A
	if err := x.t.read(Turn{Seat: x.Asked(), Action: action}, &a); err != nil {
		return err
	}
	x.take(a)
	return nil
}

func (x *numbered[C, S, A, V, E]) House() {
	x.t.rnd.Reset(x.t.seed, x.t.step, "house", x.Asked())
	x.take(x.t.r.Sample(&x.t.s, x.Asked(), &x.t.rnd))
}

// take decides for the seat asked; after the last one the rules move on.
func (x *numbered[C, S, A, V, E]) take(a A) {
	seat := x.Asked()
	x.acts = append(x.acts, Act[A]{seat, a})
	x.ask()
	if x.waiting = x.waiting.Without(seat); x.waiting != 0 {
		return
	}
	x.t.advance(x.acts, nil)
	x.begin()
}

func (x *numbered[C, S, A, V, E]) Set(from Numbered) {
	f := from.(*numbered[C, S, A, V, E])
	x.t.seed, x.t.step, x.t.s = f.t.seed, f.t.step, f.t.s
	x.begin()
	x.waiting, x.acts = f.waiting, append(x.acts, f.acts...)
}

func (x *numbered[C, S, A, V, E]) Twin() Numbered {
	t := &table[C, S, A, V, E]{r: x.t.r, layout: x.t.layout, config: x.t.config, seats: x.t.seats}
	n := &numbered[C, S, A, V, E]{coder: x.coder, config: x.config, size: x.size, number: x.number, features: x.features, t: t}
	n.Set(x)
	return n
}
