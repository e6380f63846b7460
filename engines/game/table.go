package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/molerun/molerun/engines/game/strict"
)

// Wrap makes an engine of the rules of a game. The type arguments are inferred: Wrap(molehill.Rules{}).
func Wrap[C, S, A, V, E any](r Rules[C, S, A, V, E]) Engine {
	if binary.Size(new(S)) < 0 {
		panic(fmt.Sprintf("game: the state of %s is not plain data of fixed size", r.Info().ID))
	}
	return engine[C, S, A, V, E]{r: r, layout: layoutOf(reflect.TypeFor[S]())}
}

type engine[C, S, A, V, E any] struct {
	r      Rules[C, S, A, V, E]
	layout layout // of S
}

// table is the only implementation of [Table], for every game.
type table[C, S, A, V, E any] struct {
	r      Rules[C, S, A, V, E]
	layout layout
	config json.RawMessage
	seats  int
	seed   Seed
	step   int
	chance bool // the last step, or the deal, drew at random
	s      S
	rnd    Rand
	acts   []Act[A] // of the last step, reused
	offer  Offer[A]
	log    Log[E] // of the last step, reused
	buffer []byte // for its events and for the state's binary form, reused
}

func (e engine[C, S, A, V, E]) Info() Info { return e.r.Info() }

func (e engine[C, S, A, V, E]) Schemas() map[string]string {
	if s, ok := any(e.r).(Schemer); ok {
		return withOffer(s.Schemas())
	}
	return nil
}

// read returns the configuration filled in and checked, and its canonical JSON.
func (e engine[C, S, A, V, E]) read(config json.RawMessage, seats int) (C, json.RawMessage, error) {
	c := e.r.Defaults()
	if len(config) > 0 {
		if err := strict.Merge(config, &c); err != nil {
			return c, nil, fmt.Errorf("%w: config: %w", ErrConfig, err)
		}
	}
	if err := e.r.Validate(c, seats); err != nil {
		return c, nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return c, must(json.Marshal(c)), nil
}

func (e engine[C, S, A, V, E]) Configure(config json.RawMessage, seats int) (json.RawMessage, error) {
	c, canonical, err := e.read(config, seats)
	if err != nil {
		return nil, err
	}
	switch most, keys := e.r.MaxSteps(c, seats); {
	case most == Endless:
		return nil, fmt.Errorf("%w: %s: a match need not end so; give a limit with which it takes at most %d steps", ErrConfig, keys, MaxSteps)
	case most > MaxSteps:
		return nil, fmt.Errorf("%w: %s: a match could take %d steps, and at most %d are played; give less", ErrConfig, keys, most, MaxSteps)
	}
	return canonical, nil
}

func (e engine[C, S, A, V, E]) MaxSteps(config json.RawMessage, seats int) (int, error) {
	c, _, err := e.read(config, seats)
	if err != nil {
		return 0, err
	}
	most, _ := e.r.MaxSteps(c, seats)
	return most, nil
}

// table returns an empty table; config is canonical.
func (e engine[C, S, A, V, E]) table(config json.RawMessage, seats int, seed Seed) *table[C, S, A, V, E] {
	return &table[C, S, A, V, E]{
		r:      e.r,
		layout: e.layout,
		config: config,
		seats:  seats,
		seed:   seed,
	}
}

func (e engine[C, S, A, V, E]) New(config json.RawMessage, seats int, seed Seed) (Table, []Event, error) {
	c, canonical, err := e.read(config, seats)
	if err != nil {
		return nil, nil, err
	}
	t := e.table(canonical, seats, seed)
	t.rnd.Reset(seed, 0, "deal", Spectator)
	e.r.Deal(&t.s, c, seats, &t.rnd, &t.log)
	t.chance = t.rnd.keyed
	return t, t.events(nil), nil
}

func (e engine[C, S, A, V, E]) StateFromView(config json.RawMessage, seats int, seat Seat, view json.RawMessage, seed Seed) (Table, error) {
	g, ok := any(e.r).(Determinizer[C, V, S])
	if !ok {
		return nil, fmt.Errorf("%w: %s cannot guess from a view", ErrUnsupported, e.r.Info().ID)
	}
	c, canonical, err := e.read(config, seats)
	if err != nil {
		return nil, err
	}
	if seat < Spectator || int(seat) >= seats {
		return nil, fmt.Errorf("%w: there is no seat %d at a table of %d", ErrSeats, seat, seats)
	}
	var v V
	if err := strict.Decode(view, &v); err != nil {
		return nil, fmt.Errorf("%w: view: %w", ErrView, err)
	}
	t := e.table(canonical, seats, seed)
	t.rnd.Reset(seed, 0, "guess", seat)
	if err := g.StateFromView(c, seats, seat, v, &t.s, &t.rnd); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrView, err)
	}
	return t, nil
}

func (e engine[C, S, A, V, E]) Hides() bool { _, ok := any(e.r).(Opener[S, V]); return ok }

func (t *table[C, S, A, V, E]) Step() int    { return t.step }
func (t *table[C, S, A, V, E]) Seats() int   { return t.seats }
func (t *table[C, S, A, V, E]) Due() Seats   { return t.r.Due(&t.s) }
func (t *table[C, S, A, V, E]) Chance() bool { return t.chance }

func (t *table[C, S, A, V, E]) Config() json.RawMessage { return t.config }

func (t *table[C, S, A, V, E]) View(s Seat) json.RawMessage {
	return must(json.Marshal(t.r.View(&t.s, s)))
}

func (t *table[C, S, A, V, E]) Offer(s Seat) json.RawMessage {
	t.offer.List, t.offer.Forms, t.offer.Examples = t.offer.List[:0], t.offer.Forms[:0], t.offer.Examples[:0]
	if t.Due().Has(s) {
		t.r.Offer(&t.s, s, &t.offer)
	}
	return t.offer.AppendJSON(nil)
}

func (t *table[C, S, A, V, E]) House(s Seat) json.RawMessage {
	if !t.Due().Has(s) {
		return nil
	}
	t.rnd.Reset(t.seed, t.step, "house", s)
	return must(json.Marshal(t.r.Sample(&t.s, s, &t.rnd)))
}

func (t *table[C, S, A, V, E]) Check(turn Turn) error { return t.read(turn, new(A)) }

// read reads the action of a turn into a.
func (t *table[C, S, A, V, E]) read(turn Turn, a *A) error {
	if turn.Seat < 0 || int(turn.Seat) >= t.seats {
		return fmt.Errorf("%w: there is no seat %d at a table of %d", ErrSeats, turn.Seat, t.seats)
	}
	if !t.Due().Has(turn.Seat) {
		return fmt.Errorf("%w: seat %d is not due", ErrSeats, turn.Seat)
	}
	if err := t.sayable(turn.Say); err != nil {
		return fmt.Errorf("%w: seat %d: %w", ErrSay, turn.Seat, err)
	}
	if err := readAction(turn.Action, a); err != nil {
		return fmt.Errorf("%w: action: %w", ErrIllegal, err)
	}
	if err := t.r.Legal(&t.s, turn.Seat, *a); err != nil {
		return fmt.Errorf("%w: %w", ErrIllegal, err)
	}
	return nil
}

// readAction reads an action. One that reads itself does so strictly: no second decoder around its own.
func readAction[A any](b json.RawMessage, a *A) error {
	if u, ok := any(a).(json.Unmarshaler); ok {
		return u.UnmarshalJSON(b)
	}
	return strict.Decode(b, a)
}

func (e engine[C, S, A, V, E]) Canonical(action json.RawMessage) (json.RawMessage, error) {
	var a A
	if err := readAction(action, &a); err != nil {
		return nil, fmt.Errorf("%w: action: %w", ErrIllegal, err)
	}
	return appendJSON(nil, &a), nil
}

func (t *table[C, S, A, V, E]) Chains(action json.RawMessage) bool {
	x, ok := t.r.(Chainer[A])
	if !ok {
		return true
	}
	var a A
	return readAction(action, &a) == nil && x.Chains(a)
}

func (t *table[C, S, A, V, E]) sayable(words string) error {
	switch {
	case words == "":
		return nil
	case !t.r.Info().Talk:
		return fmt.Errorf("%s has no table talk", t.r.Info().ID)
	case len(words) > MaxSayBytes:
		return fmt.Errorf("what is said has %d bytes, at most %d are allowed; a letter with an accent has two", len(words), MaxSayBytes)
	case !utf8.ValidString(words):
		return fmt.Errorf("the words are not valid UTF-8")
	}
	return nil
}

func (t *table[C, S, A, V, E]) Apply(turns []Turn) ([]Event, error) {
	turns = bySeat(turns)
	t.log.Notes = t.log.Notes[:0]
	if err := t.play(turns, &t.log); err != nil {
		return nil, err
	}
	var said []Event
	for _, turn := range turns {
		if turn.Say != "" {
			e := sayEvent{"say", turn.Seat, turn.Say}
			said = append(said, Event{For: All, Data: must(json.Marshal(e)), Value: e})
		}
	}
	return t.events(said), nil
}

func (t *table[C, S, A, V, E]) Repeat(turns []Turn) error { return t.play(bySeat(turns), nil) }

// bySeat returns the turns in order of their seats. It changes nothing of the caller's.
func bySeat(turns []Turn) []Turn {
	order := func(a, b Turn) int { return int(a.Seat) - int(b.Seat) }
	if slices.IsSortedFunc(turns, order) {
		return turns
	}
	turns = slices.Clone(turns)
	slices.SortStableFunc(turns, order)
	return turns
}

// play plays the turns, which are in order of their seats.
func (t *table[C, S, A, V, E]) play(turns []Turn, log *Log[E]) error {
	due := t.Due()
	t.acts = slices.Grow(t.acts[:0], len(turns))[:len(turns)]
	for i, turn := range turns {
		if i > 0 && turns[i-1].Seat == turn.Seat {
			return fmt.Errorf("%w: seat %d is given twice", ErrSeats, turn.Seat)
		}
		t.acts[i] = Act[A]{Seat: turn.Seat}
		if err := t.read(turn, &t.acts[i].Action); err != nil {
			return err
		}
	}
	if len(turns) != due.Len() {
		return fmt.Errorf("%w: the seats due are %s", ErrSeats, due.AppendJSON(nil))
	}
	if due == 0 {
		return fmt.Errorf("%w: the match is over", ErrSeats)
	}
	t.advance(t.acts, log)
	return nil
}

// advance plays the next step.
func (t *table[C, S, A, V, E]) advance(acts []Act[A], log *Log[E]) {
	t.step++
	t.rnd.Reset(t.seed, t.step, "apply", Spectator)
	t.r.Apply(&t.s, acts, &t.rnd, log)
	t.chance = t.rnd.keyed
}

// sayEvent is the public event that a seat's words become.
type sayEvent struct {
	Kind string `json:"kind"`
	Seat Seat   `json:"seat"`
	Text string `json:"text"`
}

// events appends what the log has to out. Their texts share one array, and they keep nothing of the log's own.
func (t *table[C, S, A, V, E]) events(out []Event) []Event {
	notes, first := slices.Clone(t.log.Notes), len(out)
	out, t.buffer = slices.Grow(out, len(notes)), t.buffer[:0]
	for i := range notes {
		from := len(t.buffer)
		t.buffer = appendJSON(t.buffer, &notes[i].Event)
		out = append(out, Event{For: notes[i].For, Data: t.buffer[from:], Value: wordsOf(&notes[i].Event)})
	}
	text := bytes.Clone(t.buffer)
	for i := range notes {
		e := &out[first+i]
		n := len(e.Data)
		e.Data, text = text[:n:n], text[n:]
	}
	return out
}

// appendJSON appends x as JSON.
func appendJSON[T any](b []byte, x *T) []byte {
	if a, ok := any(x).(Appender); ok {
		return a.AppendJSON(b)
	}
	return append(b, must(json.Marshal(x))...)
}

func (t *table[C, S, A, V, E]) Result() (Result, bool) {
	if t.Due() != 0 {
		return Result{}, false
	}
	return t.r.Result(&t.s), true
}

func (t *table[C, S, A, V, E]) Hash() [32]byte {
	t.buffer = t.binary(t.buffer[:0])
	return sha256.Sum256(t.buffer)
}

// binary appends the state's binary form.
func (t *table[C, S, A, V, E]) binary(b []byte) []byte {
	if !littleEndian() {
		return must(binary.Append(b, binary.LittleEndian, &t.s))
	}
	return t.layout.append(slices.Grow(b, int(unsafe.Sizeof(t.s))), unsafe.Pointer(&t.s))
}

func (t *table[C, S, A, V, E]) Resample(seat Seat, seed Seed) Table {
	n := *t
	n.seed, n.acts, n.offer, n.log, n.buffer = seed, nil, Offer[A]{}, Log[E]{}, nil
	if x, ok := t.r.(Resampler[S]); ok && seat != Everything {
		n.rnd.Reset(seed, t.step, "resample", seat)
		x.Resample(&n.s, seat, &n.rnd)
	}
	return &n
}

func (t *table[C, S, A, V, E]) Teams() []string {
	if x, ok := t.r.(Teamer[S]); ok {
		return x.Teams(&t.s)
	}
	return nil
}

func (t *table[C, S, A, V, E]) Reveal() json.RawMessage { return must(json.Marshal(&t.s)) }

// look returns what a seat sees, or [Everything].
func (t *table[C, S, A, V, E]) look(s Seat) V {
	if x, ok := t.r.(Opener[S, V]); ok && s == Everything {
		return x.Open(&t.s)
	}
	return t.r.View(&t.s, s)
}

func (t *table[C, S, A, V, E]) Draw(s Seat, names []string) ([]byte, error) {
	d, ok := t.r.(Drawer[V])
	if !ok {
		return nil, fmt.Errorf("%w: %s has no drawing", ErrUnsupported, t.r.Info().ID)
	}
	return d.Draw(t.look(s), names), nil
}

func (t *table[C, S, A, V, E]) Describe(s Seat) (string, error) {
	d, ok := t.r.(Describer[V])
	if !ok {
		return "", fmt.Errorf("%w: %s has no description in words", ErrUnsupported, t.r.Info().ID)
	}
	return d.Describe(t.look(s)), nil
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(fmt.Sprintf("game: own data cannot be written as JSON: %v", err))
	}
	return b
}
