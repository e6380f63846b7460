package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"time"

	"github.com/molerun/molerun/api/web/controls"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
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
	Step                       int    // that the page shows
	Players                    []Chair
	Aid                        Aid
	Board                      template.URL // the drawing; "" where there is none
	Said                       []string     // what happened since the person's last decision
	Words                      string       // the view in words
	Missed                     string       // says that the house decided for the person last, and why; "": it did not
	Problem                    string       // why the last try was refused
	LeftMS                     int64        // to decide; only when it is the person's turn
	Decision                   string       // the id of what is to be decided
	Talk                       bool
	Say                        string // what the person wrote and was refused
	Offer                      controls.Offer
	Result                     string
	Again                      Rematch // once the match is over
	flicks                     []seatFlick
}

// Aid is a [game.Aid] with the seats called by their names.
type Aid struct {
	You   string
	Calls map[string]string
	Head  []string
	Rows  [][]string
}

// NewAid names the seats of an aid.
func NewAid(a game.Aid, names []string) Aid {
	out := Aid{You: Named(a.You, names), Calls: a.Calls}
	line := func(cells []string) []string {
		named := make([]string, len(cells))
		for i, cell := range cells {
			named[i] = Named(cell, names)
		}
		return named
	}
	out.Head = line(a.Head)
	for _, row := range a.Rows {
		out.Rows = append(out.Rows, line(row))
	}
	return out
}

// Rematch asks for the same match again: variant, place and opponents.
type Rematch struct {
	Variant string
	Seat    int
	Bots    []string
}

// seatFlick is a flick of coins that a seat has seen, after a step.
type seatFlick struct {
	Step int `json:"step"`
	*Flick
}

// AddFlick keeps an event that is a flick, to be shown on the board; view holds the board's size.
func (s *Sitting) AddFlick(step int, event, view json.RawMessage) {
	if f := flickOf(event, view); f != nil {
		s.flicks = append(s.flicks, seatFlick{step, f})
	}
}

// Flicks returns the flicks as JSON; "" without any.
func (s Sitting) Flicks() (string, error) {
	if len(s.flicks) == 0 {
		return "", nil
	}
	b, err := json.Marshal(s.flicks)
	return string(b), err
}

// ToSeat returns an event in words to a seat, with the others called by their names.
func ToSeat(e game.Event, seat game.Seat, names []string) string {
	if words := e.WordsTo(seat); words != "" {
		return Named(words, names)
	}
	return Named(Sentence(e), names)
}

// Missed tells a person why the house decided for them last; "" if it did not.
func Missed(why string) string {
	switch why {
	case "":
		return ""
	case tournament.WhyRetired:
		return "You were retired for faults: the house plays your seat to the end."
	}
	return "Last time, the house decided for you: " + words(why) + "."
}

// OutcomeTo returns a result in a sentence to a seat: "You won with 41 points, 3 ahead of badger: this was the last turn." Another
// sentence names the seats that were retired.
func OutcomeTo(seat int, r game.Result, retired game.Seats, names []string, ending string) string {
	me := seatOf(seat)
	r = placed(r, retired)
	best := places(r, 1)
	won := slices.Contains(best, seat)
	end := endWords(ending, retired, len(r.Rank), me, names)
	switch others := slices.DeleteFunc(slices.Clone(best), func(s int) bool { return s == seat }); {
	case len(best) == 0:
		return "Nobody wins" + end
	case len(best) == len(r.Rank):
		return "A draw" + end
	case len(r.Team) > 0 && won && retired.Has(me):
		end = endWords(ending, retired.Without(me), len(r.Rank), me, names)
		return fmt.Sprintf("You were retired for faults, so you lost though the %ss won%s", r.Team[seat], end)
	case len(r.Team) > 0 && won:
		return fmt.Sprintf("You won with the %ss%s", r.Team[seat], end)
	case len(r.Team) > 0:
		return fmt.Sprintf("You lost, the %ss win%s", r.Team[best[0]], end)
	case won && len(others) > 0:
		return fmt.Sprintf("You share the first place with %s, with %s%s", game.JoinWords(called(others, names)...), points(r.Points[seat]), end)
	case won:
		return "You won with " + margin(r, retired, seat, names) + end
	default:
		winners := game.JoinWords(called(others, names)...)
		switch behind := r.Points[best[0]] - r.Points[seat]; {
		case behind > 0:
			return "You lost, " + number(behind) + " behind " + winners + end
		case behind == 0 && !retired.Has(me):
			return "You lost to " + winners + " with as many points, " + byTieBreak + end
		}
		return "You lost to " + winners + end
	}
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

// Last returns the last that happened; "" where nothing did.
func (s Sitting) Last() string {
	if len(s.Said) == 0 {
		return ""
	}
	return s.Said[len(s.Said)-1]
}

// Left returns the person's time to decide.
func (s Sitting) Left() string {
	left := time.Duration(s.LeftMS) * time.Millisecond
	return strconv.Itoa(int(left.Minutes())) + ":" + strconv.Itoa(int(left.Seconds())%60 + 100)[1:]
}

// SeatBoard returns the address of the drawing of a person's seat after a step.
func SeatBoard(step int) template.URL {
	return template.URL("/seat/board.svg?step=" + strconv.Itoa(step)) // made of a number
}
