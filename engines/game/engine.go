package game

import (
	"bytes"
	"encoding/json"
)

// Turn is one decision from outside: the action as JSON and, where the game allows talk, words.
type Turn struct {
	Seat   Seat            `json:"seat"`
	Action json.RawMessage `json:"action"`
	Say    string          `json:"say,omitempty"`
}

// MaxSayBytes limits the words of one turn.
const MaxSayBytes = 500

// Event is something that happened, with its audience.
type Event struct {
	For   Seats
	Data  json.RawMessage // an object with "kind"
	Value Worded          // the game's own value; nil if the game has no words for it
}

// Words returns the event in one sentence; "" if the game has no words for it.
func (e Event) Words() string { return e.WordsTo(Spectator) }

// WordsTo returns the event in one sentence to a seat, which is "you" there.
func (e Event) WordsTo(seat Seat) string {
	if e.Value == nil {
		return ""
	}
	return ReadBy(e.Value.Words(), seat, Spectator)
}

// VisibleTo reports whether seat gets the event; a spectator gets the public ones.
func (e Event) VisibleTo(seat Seat) bool {
	return e.For == All || e.For.Has(seat) || seat == Everything
}

// MarshalJSON writes the event flat, with its audience first: {"for":"all","kind":…} or {"for":[0],"kind":…}.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends what MarshalJSON writes.
func (e Event) AppendJSON(b []byte) []byte {
	b = append(b, `{"for":`...)
	if e.For == All {
		b = append(b, `"all"`...)
	} else {
		b = e.For.AppendJSON(b)
	}
	if len(e.Data) > 2 {
		return append(append(b, ','), e.Data[1:]...)
	}
	return append(b, '}')
}

// Engine is a game as everything outside it sees it.
type Engine interface {
	Info() Info
	// Configure returns the canonical form of a configuration: every key, in a fixed order. Keys left out take their
	// defaults; unknown keys are refused ([ErrConfig]). Empty input is the base variant. It is for new matches: a configuration
	// whose matches can take more than [MaxSteps] is refused too. New takes it all the same: a record of before has to be
	// played again.
	Configure(config json.RawMessage, seats int) (json.RawMessage, error)
	// MaxSteps is the most steps that a match of this configuration can take, or [Endless].
	MaxSteps(config json.RawMessage, seats int) (int, error)
	// New deals a match and returns the events of the deal.
	New(config json.RawMessage, seats int, seed Seed) (Table, []Event, error)
	// Restore makes a table from a [Table.Snapshot]; anything else is [ErrSnapshot].
	Restore(snapshot []byte) (Table, error)
	// StateFromView makes a table from one seat's view alone ([Determinizer]); games of open information take any seat's view.
	StateFromView(config json.RawMessage, seats int, seat Seat, view json.RawMessage, seed Seed) (Table, error)
	// Playout makes a random match on the typed path, not yet dealt, without JSON or events.
	Playout(config json.RawMessage, seats int) (Playout, error)
	// Numbered makes a match on the typed path, dealt from the zero seed, whose actions are numbers and whose views are arrays ([Coder]).
	Numbered(config json.RawMessage, seats int) (Numbered, error)
	// Hides reports whether seats know what others do not: only then [Everything] shows more than a spectator sees.
	Hides() bool
	// Canonical is an action as offers write it, whatever the order of its keys and of what has no order: two that mean the same are the same
	// bytes. [ErrIllegal] if it is no action of the game.
	Canonical(action json.RawMessage) (json.RawMessage, error)
	// ActionWords is an action in the words that follow its seat ([Worded]): "proposes seats 0 and 1"; "" if the game has no words for
	// it.
	ActionWords(action json.RawMessage) string
	// ActionWordsTo is the same to the seat that acts, in the words that follow "you", or ask for it: "propose seat 1 and you".
	ActionWordsTo(action json.RawMessage, seat Seat) string
	// Label is what people call a type, field or value of actions ([Aider]); "" where its own word does.
	Label(word string) string
	// EndingWords is a [Result.Why] in words that follow a colon ([Scorer]); "" if the game has none.
	EndingWords(why string) string
	// Schemas are the JSON Schemas of config, action, view, event and offer, by name.
	Schemas() map[string]string
}

// Same reports whether two actions of a game mean the same, as [Engine].Canonical writes them.
func Same(e Engine, a, b json.RawMessage) bool {
	x, errX := e.Canonical(a)
	y, errY := e.Canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Table is one match in progress. It is not safe for concurrent use.
type Table interface {
	// Step counts the steps applied so far; it is 0 after the deal.
	Step() int
	Seats() int
	// Config is the configuration in its canonical form.
	Config() json.RawMessage
	Due() Seats
	// Chance reports whether the last step, or the deal, drew at random: with another seed it might have led elsewhere.
	Chance() bool
	// Expect is the points that each seat can expect of the match, 0 to 1: the mean chance to rank ahead of each that is not of its team
	// ([Expecter]), a tie counting ½; once the match is over, what it has. [ErrUnsupported] if the game does not judge tables.
	Expect() ([]float64, error)
	// Factors are what Expect weighs, by seat; the match is not over.
	Factors() ([][]float64, error)
	View(s Seat) json.RawMessage
	// Offer is {"list":[]} for a seat that is not due.
	Offer(s Seat) json.RawMessage
	// Check says why a turn may not be played ([ErrIllegal], [ErrSeats], [ErrSay]); it changes nothing.
	Check(t Turn) error
	// Chains reports whether actions sent ahead may follow this one, which was legal ([Chainer]).
	Chains(action json.RawMessage) bool
	// House is the published action for a seat whose bot failed: Sample under (seed, step, "house", seat).
	House(s Seat) json.RawMessage
	// Apply plays the turns of exactly the due seats, in any order, all or nothing. Words become public "say" events.
	Apply(turns []Turn) ([]Event, error)
	// Repeat is Apply without events: a cheaper way to a later step of a record.
	Repeat(turns []Turn) error
	// Result is the end of the match; false while a seat is due.
	Result() (Result, bool)
	// Hash is SHA-256 of the state's binary form.
	Hash() [32]byte
	// Snapshot is the whole table: header, seed, step and state.
	Snapshot() []byte
	// Resample returns a table that seat s cannot distinguish from this one. It takes a new seed, so that its future luck differs; with
	// [Everything] nothing else does.
	Resample(s Seat, seed Seed) Table
	// Questions are what a seat's beliefs can be asked about, with the chances that the rules alone give ([Asker]); of [Everything] the truth.
	Questions(s Seat) []Question
	// Teams are the hidden teams by seat, as dealt ([Teamer]); nil for games without. They never leave the server.
	Teams() []string
	// Reveal is the whole hidden state as JSON, for local use only.
	Reveal() json.RawMessage
	// Draw is the SVG of what a seat sees, or of [Everything], in which names[i] is what seat i is called ([Drawer]).
	Draw(s Seat, names []string) ([]byte, error)
	// Score is how the match stands as far as a seat sees it ([Scorer]); [ErrUnsupported] if the game does not say.
	Score(s Seat) (Score, error)
	// Describe is what a seat sees, or [Everything], in plain text.
	Describe(s Seat) (string, error)
	// Aid is what a person at a seat keeps before their eyes ([Aider]).
	Aid(s Seat) Aid
}
