package pages

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

// List is the page of a list, with rows of its own kind.
type List[R any] struct {
	Asking
	Rows []R
}

// Asking is what a list was asked for, and where it goes on.
type Asking struct {
	Page
	Name    string // in the singular: tournament
	Path    string // of the list
	Search  Choice // of any text; no Key: the list has none
	Choices []Choice
	Asked   bool   // it is narrowed
	Next    string // path of the next page, "" after the last
	First   string // of the first, where this is not
}

// Choice is a word of a search form that is one of some.
type Choice struct {
	Key, Label, Value string
	Options           []Option
}

// Option is a word that can be chosen, with its name for people.
type Option struct{ Value, Name string }

// MatchRow is a match in a list.
type MatchRow struct {
	ID, GameID, Game string
	Players          []MatchPlayer // as they are called at the table while their bots are not named
	Seats            int
	Sealed           string // why not all is shown, "" if it is
	Status           string
	In, InPath       string    // what it is part of; "" for a challenge
	Stake            string    // what hangs on it, in a sentence; "" where nobody has asked
	Outcome          string    // which team won; "" before, and without teams
	At               time.Time // when it ended, or else began, or was made
	Steps            int
	HasBoard         bool // it is drawn, and everybody may see it now
}

// MatchPlayer names the player at a seat, and what came of it: win, draw or loss, and the points. Both are "" before the end, and so are the points of
// a team.
type MatchPlayer struct{ BotID, Bot, Verdict, Score string }

// Coming is a tournament that is announced, or one without an id that a schedule will announce.
type Coming struct {
	tournament.Tournament
	Series string // the id of the series of its schedule; "" if there is none
}

// Events is the page of all tournaments.
type Events[R any] struct {
	List[R]
	Coming []Coming // that schedules will announce
}
