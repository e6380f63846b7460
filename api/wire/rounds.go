package wire

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

// Round is one round of a tournament: who met whom, who did not play, and why.
type Round struct {
	Round    int        `json:"round"`
	Final    bool       `json:"final,omitempty"`                        // after a group stage
	Playoff  bool       `json:"playoff,omitempty"`                      // of the second stage, a bracket
	StartsAt *time.Time `json:"starts_at,omitempty" format:"date-time"` // its matches wait until then, after a pause between rounds
	Tables   []Table    `json:"tables"`
	Byes     []string   `json:"byes"` // bots that could have played and have no pairing; in a bracket, those that pass a tie without an opponent
	Absent   []Absence  `json:"absent"`
	Forfeits []Walkover `json:"forfeits"`
	Changes  []Change   `json:"changes,omitempty"` // by hand, the last one last
} // @name Round

// Change is how a round was before somebody paired it again by hand.
type Change struct {
	At     time.Time  `json:"at" format:"date-time"`
	ByID   string     `json:"by_id"` // the organiser, or an administrator
	Reason string     `json:"reason"`
	Tables [][]string `json:"tables,omitempty"` // the bots of each table; left out where the game has hidden teams
	Byes   []string   `json:"byes,omitempty"`
} // @name Change

// RoundChange pairs a round again, by hand.
type RoundChange struct {
	Tables [][]string `json:"tables"` // the ids of the bots of each table, in the order of the seats
	Byes   []string   `json:"byes,omitempty"`
	Reason string     `json:"reason" maxLength:"200"` // public
} // @name RoundChange

// Table is one comparison: one game, or with duplicate one for each seat.
type Table struct {
	Tie    int       `json:"tie,omitempty"`                       // its number in a bracket
	Name   string    `json:"name,omitempty" example:"semi-final"` // of the tie
	Bots   []string  `json:"bots,omitempty"`                      // in games with hidden teams, left out until it is over
	Points []float64 `json:"points,omitempty"`                    // by bot, once it is over; none if it is void
	Winner string    `json:"winner,omitempty"`                    // of a tie, on its last table, once it is decided
	Games  int       `json:"games"`                               // without those that are void
	Over   bool      `json:"over"`
	Void   bool      `json:"void,omitempty"` // nothing that was played at it counts

	Annulled bool `json:"annulled,omitempty"` // it counts for nobody: one of its bots left too early
} // @name Table

// Absence is a bot that could not be paired in a round.
type Absence struct {
	Bot string `json:"bot"`
	Why string `json:"why" example:"its bot does not answer"`
} // @name Absence

// Walkover is a pairing that was not played because the loser was absent.
type Walkover struct {
	Tie    int    `json:"tie,omitempty"`    // of a bracket
	Winner string `json:"winner,omitempty"` // none if both were absent
	Loser  string `json:"loser"`
	Why    string `json:"why"`

	Annulled bool `json:"annulled,omitempty"` // it counts for nobody: one of the two left too early
} // @name Walkover

// Showing is when a match is shown to people who watch a tournament together.
type Showing struct {
	MatchID  string    `json:"match_id"`
	Round    int       `json:"round"`
	Steps    int       `json:"steps"` // of the match
	StartsAt time.Time `json:"starts_at" format:"date-time"`
	EndsAt   time.Time `json:"ends_at" format:"date-time"` // the next begins then at the earliest
} // @name Showing

// CrosstableRow is one bot's results against those it has met.
type CrosstableRow struct {
	Rank  int              `json:"rank"`
	Bot   string           `json:"bot"`
	Cells []CrosstableCell `json:"cells"`
} // @name CrosstableRow

// CrosstableCell is a bot's result against one other, in the blocks that are over. Members of one team do not meet.
type CrosstableCell struct {
	Bot    string  `json:"bot"` // the other
	Blocks int     `json:"blocks"`
	Games  int     `json:"games"`
	Share  float64 `json:"share"` // mean share of a game, 0 to 1; at larger tables 1 for more points than the other
	Low    float64 `json:"low"`   // its 95 % interval, with the block as the unit
	High   float64 `json:"high"`

	Adjusted *tournament.Mean `json:"adjusted_share,omitempty"` // hidden teams: over all games at one table, each on one team ½, the share without the luck of the deals, which may lie outside 0 to 1
} // @name CrosstableCell
