package game

import (
	"fmt"
	"math"
	"strconv"
)

// Act is one checked decision of one seat.
type Act[A any] struct {
	Seat   Seat
	Action A
}

// Note is an event and its audience ([All]: everyone, including spectators).
type Note[E any] struct {
	For   Seats
	Event E
}

// Log collects what Deal and Apply report. A nil log reports nothing and costs nothing.
type Log[E any] struct{ Notes []Note[E] }

// Emit appends an event for the seats in to; on a nil log it does nothing.
func (l *Log[E]) Emit(to Seats, e E) {
	if l != nil {
		l.Notes = append(l.Notes, Note[E]{to, e})
	}
}

// Enabled reports whether anyone listens: check it before building an event that allocates.
func (l *Log[E]) Enabled() bool { return l != nil }

// Offer is what a due seat may do: the complete list, or forms with at least one legal example.
type Offer[A any] struct {
	List     []A
	Forms    []Form
	Examples []A
}

// Add puts a on the list.
func (o *Offer[A]) Add(a A) { o.List = append(o.List, a) }

// Form represents all actions of one type: every combination of its fields is legal.
type Form struct {
	Type   string  `json:"type"`
	Fields []Field `json:"fields,omitempty"`
}

// Field is one choice of a form: one of OneOf; or Choose distinct members of Of, which are seats if they are whole numbers; or a whole
// number Min..Max, in Unit. With a Domain, OneOf and Of list some of the legal values only.
type Field struct {
	Name   string `json:"name"`
	OneOf  []any  `json:"one_of,omitempty"`
	Choose int    `json:"choose,omitempty"`
	Of     []any  `json:"of,omitempty"`
	Min    *int   `json:"min,omitempty"`
	Max    *int   `json:"max,omitempty"`
	Unit   string `json:"unit,omitempty"`

	Domain *Domain `json:"domain,omitempty"`
}

// Domain describes every legal value of a field whose values are too many to be listed, in one of three ways. A share is an object
// that gives whole numbers to members of Among, Share in all; a member that gets 0 is left out. A giving is an object that gives each
// member of Give, which is a seat, to another member of Among, and null to the others. A set of points is a list of Choose pairs [x, y], in Unit: each
// Within the rectangle [x0, y0, x1, y1], no two nearer than Gap; the rules may refuse some.
type Domain struct {
	Share  int       `json:"share,omitempty"`
	Give   []any     `json:"give,omitempty"`
	Among  []any     `json:"among,omitempty"`
	Within *[4]int32 `json:"within,omitempty"`
	Gap    int32     `json:"gap,omitempty"`
}

// Result is how a match ended, by seat. Rank: 1 is best, ties share a rank, a team shares its rank. Points are the
// game's own score. Team is empty for games without teams. Why names the end in the game's words.
type Result struct {
	Rank   []int     `json:"rank"`
	Points []float64 `json:"points"`
	Team   []string  `json:"team,omitempty"`
	Why    string    `json:"why"`
}

// Info holds the constants of a game.
type Info struct {
	ID       string    `json:"id"`            // in paths and messages
	Name     string    `json:"name"`          // for people
	Version  int       `json:"rules_version"` // raised with every change of behaviour
	MinSeats int       `json:"min_seats"`
	MaxSeats int       `json:"max_seats"`
	Talk     bool      `json:"talk"`         // table talk (say) is allowed
	Teams    bool      `json:"hidden_teams"` // hidden teams: one owner must not hold two seats of a rated match
	OneDeal  bool      `json:"-"`            // the deal is all the luck and public: matches may share one
	Variants []Variant `json:"variants"`     // named configurations; the first is the base game
	About    About     `json:"about"`
}

// Sizes names the numbers of seats that the game has: "2 to 5", or "2".
func (i Info) Sizes() string {
	if i.MinSeats == i.MaxSeats {
		return strconv.Itoa(i.MinSeats)
	}
	return fmt.Sprintf("%d to %d", i.MinSeats, i.MaxSeats)
}

// About introduces a game to somebody who has never seen it, in one sentence each.
type About struct {
	Is    string `json:"is"`    // what it is
	Win   string `json:"win"`   // how one wins
	Watch string `json:"watch"` // what to watch
}

// Variant returns the variant of a name; false if the game has none of that name.
func (i Info) Variant(name string) (Variant, bool) {
	for _, v := range i.Variants {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}

// Variant is a named configuration; Config holds only the keys that differ from the defaults.
type Variant struct {
	Name   string     `json:"name"`
	Config ConfigText `json:"config"`
}

// ConfigText is a configuration as the text of a JSON object.
type ConfigText string

// MarshalJSON writes the object itself.
func (c ConfigText) MarshalJSON() ([]byte, error) { return []byte(c), nil }

// MaxSteps is the most steps that a match may take, for every game and whoever asks for it. A record is read, kept and played
// again by strangers: what that costs grows with its steps.
const MaxSteps = 10_000

// Endless is the most steps of a match that need not end.
const Endless = math.MaxInt

// Rules is what a game implements: C its configuration, S its state, A its actions, V its views, E its events. All methods
// are pure functions of their arguments. S is plain data of fixed size (sized integers, bools, arrays), so that a copy is a
// fork and its binary form is canonical. It keeps everything that a seat has seen or done and that reveals something hidden.
type Rules[C, S, A, V, E any] interface {
	// Info never changes.
	Info() Info
	// Defaults is the configuration of the base variant.
	Defaults() C
	// Validate refuses a bad configuration and names the key. It must refuse a number of seats outside Info's.
	Validate(c C, seats int) error
	// MaxSteps is the most steps that a match of c, which is valid, can take, or [Endless], and which keys of c make it that long.
	MaxSteps(c C, seats int) (most int, keys string)
	// Deal overwrites *s with the start of a match; c is valid.
	Deal(s *S, c C, seats int, r *Rand, log *Log[E])
	// Due is the seats that decide now: one, several at once (secret votes), none when the match is over.
	Due(s *S) Seats
	// View is all that seat may know. Build it up from nothing; never cut it down from the state.
	View(s *S, seat Seat) V
	// Offer fills an empty, reused offer for a due seat.
	Offer(s *S, seat Seat, o *Offer[A])
	// Legal decides what a due seat may do; its reasons use only what that seat knows.
	Legal(s *S, seat Seat, a A) error
	// Sample is a random legal action of a due seat.
	Sample(s *S, seat Seat, r *Rand) A
	// Apply plays the acts of exactly the due seats, checked and sorted by seat, in place. It cannot fail.
	Apply(s *S, acts []Act[A], r *Rand, log *Log[E])
	// Result is called only when nobody is due.
	Result(s *S) Result
}

// Resampler serves games with hidden information: Resample redraws, uniformly, all that seat cannot know. The seat could have
// got exactly the same views and offers.
type Resampler[S any] interface {
	Resample(s *S, seat Seat, r *Rand)
}

// Opener serves games with hidden information: Open is the view of a spectator from whom nothing is hidden, for drawings, words and scores.
// What a view has no word for on the wire it keeps beside.
type Opener[S, V any] interface{ Open(s *S) V }

// Determinizer builds a whole state from one seat's view (search calls that a determinization), drawn uniformly from the states that
// the seat cannot distinguish. It refuses a view that no match can have.
type Determinizer[C, V, S any] interface {
	StateFromView(c C, seats int, seat Seat, v V, s *S, r *Rand) error
}

// Teamer returns the hidden teams by seat, as dealt. Measurements and bots that try their own deals use it; a server keeps it
// secret until the match is over.
type Teamer[S any] interface{ Teams(s *S) []string }

// Chainer serves games in which a bot must see the outcome of some actions first: where Chains reports false for an action, the
// actions that the bot sent ahead after it are dropped. Without a Chainer nothing is dropped.
type Chainer[A any] interface{ Chains(a A) bool }

// Drawer draws a view as a self-contained SVG document. names[i] is what seat i is called; a seat without a name there is
// called by its number, as the game does. What moves keeps its data-piece from step to step; what can be chosen has as its
// data-at the word that offers and actions use for it.
type Drawer[V any] interface {
	Draw(v V, names []string) []byte
}

// Describer puts a view into plain text, for terminals and language models.
type Describer[V any] interface{ Describe(v V) string }

// Schemer publishes JSON Schemas (2020-12) by name: config, action, view, event.
type Schemer interface {
	Schemas() map[string]string
}

// Appender writes itself as JSON without reflection. Actions implement it to make long offers cheap, events to make replaying
// a match cheap.
type Appender interface{ AppendJSON(b []byte) []byte }
