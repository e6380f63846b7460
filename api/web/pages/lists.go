package pages

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
	Players          []MatchPlayer // none: not known yet
	Seats            int
	Sealed           string // why not all is shown, "" if it is
	Status           string
	In, InPath       string // what it is part of; "" for a challenge
	When             string
	Steps            int
	HasBoard         bool          // it is drawn, and everybody may see it now
	Won, Rest        []MatchPlayer // the players of a match that is open: who won, and the others
}

// MatchPlayer is who has a seat. Verdict is win, draw or loss, "" before the end.
type MatchPlayer struct{ BotID, Bot, Verdict string }
