package pages

import (
	"html/template"
	"strconv"
	"time"

	"github.com/molerun/molerun/api/web/controls"
)

// Play is the page where a person takes a seat.
type Play struct {
	Page
	Game, GameID, Rules string
	Least, Most         int // opponents
	Variants            []controls.Option
	Bots                [][]controls.Option // by opponent; the first of those that may be left out is nobody
	Seats               []controls.Option
	Problem             string // why the last try was refused; "": it was not
	Taken               bool   // the person has a seat that is not over
}

// Sitting is the page of a person's seat.
type Sitting struct {
	Page
	Match, Game, GameID, Rules string
	Key                        string // changes when the page has something new to show
	State                      string // one of the states of a sitting
	Seat                       int
	Players                    []Chair
	Board                      template.URL // the drawing; "" where there is none
	Said                       []string     // what happened since the person's last decision
	Words                      string       // the view in words
	Missed                     string       // why the house decided for the person last; "": it did not
	Problem                    string       // why the last try was refused
	LeftMS                     int64        // to decide; only when it is the person's turn
	Decision                   string       // the id of what is to be decided
	Talk                       bool
	Say                        string // what the person wrote and was refused
	Offer                      controls.Offer
	Result                     string
}

// The states of a sitting.
const (
	SittingWaits  = "waits"  // for a worker
	SittingTurn   = "turn"   // the person's
	SittingOthers = "others" // decide
	SittingOver   = "over"
)

// Chair is a seat at the person's table.
type Chair struct {
	Seat int
	Name string
	You  bool
}

// Waiting reports whether the page should ask again without a script.
func (s Sitting) Waiting() bool { return s.State == SittingWaits || s.State == SittingOthers }

// Left returns the person's time to decide.
func (s Sitting) Left() string {
	left := time.Duration(s.LeftMS) * time.Millisecond
	return strconv.Itoa(int(left.Minutes())) + ":" + strconv.Itoa(int(left.Seconds())%60 + 100)[1:]
}

// SeatBoard returns the address of the drawing of a person's seat after a step.
func SeatBoard(step int) template.URL {
	return template.URL("/seat/board.svg?step=" + strconv.Itoa(step)) // made of a number
}
