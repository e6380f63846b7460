package wire

// Round is one round of a tournament: who met whom, and who did not play and why.
type Round struct {
	Round    int        `json:"round"`
	Final    bool       `json:"final,omitempty"`   // after a group stage
	Playoff  bool       `json:"playoff,omitempty"` // of the second stage, a bracket
	Tables   []Table    `json:"tables"`
	Byes     []string   `json:"byes"` // bots that could have played
	Absent   []Absence  `json:"absent"`
	Forfeits []Walkover `json:"forfeits"`
} // @name Round

// Table is what is compared: one game, or with duplicate one for each seat.
type Table struct {
	Tie    int       `json:"tie,omitempty"`                       // its number in a bracket
	Name   string    `json:"name,omitempty" example:"semi-final"` // of the tie
	Bots   []string  `json:"bots,omitempty"`                      // left out until it is over where the game has hidden teams
	Points []float64 `json:"points,omitempty"`                    // by bot, once it is over
	Games  int       `json:"games"`
	Over   bool      `json:"over"`
} // @name Table

// Absence is a bot that could not be paired in a round.
type Absence struct {
	Bot string `json:"bot"`
	Why string `json:"why" example:"its bot does not answer"`
} // @name Absence

// Walkover is what was not played because the loser was not there.
type Walkover struct {
	Tie    int    `json:"tie,omitempty"`    // of a bracket
	Winner string `json:"winner,omitempty"` // none if nobody was there
	Loser  string `json:"loser"`
	Why    string `json:"why"`
} // @name Walkover

// CrosstableRow is what one bot has of the others it has met.
type CrosstableRow struct {
	Rank  int              `json:"rank"`
	Bot   string           `json:"bot"`
	Cells []CrosstableCell `json:"cells"`
} // @name CrosstableRow

// CrosstableCell is what a bot has of one other, in blocks that were played to their end.
type CrosstableCell struct {
	Bot    string  `json:"bot"` // the other
	Blocks int     `json:"blocks"`
	Games  int     `json:"games"`
	Share  float64 `json:"share"` // of a game, 0 to 1, in the mean; at larger tables 1 for more points than the other
	Low    float64 `json:"low"`   // its 95 % interval, the block as the unit
	High   float64 `json:"high"`
} // @name CrosstableCell
