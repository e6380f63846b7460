package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on events.
var (
	// @Summary	Everything that happens
	// @Description	Matches started and finished, tournaments, ladders rated. As JSON: at most 1000 events after a number. With Accept:
	// @Description	text/event-stream: as they happen, from now on or after the number in Last-Event-ID (or after), nothing lost and
	// @Description	nothing twice. Each event's data is an Event. A stream that ends early says why in an event bye; one whose reader
	// @Description	takes too long is cut.
	ListEvents = op.Get[EventsQuery, Events]("/v1/events", "", op.Answering("application/json", "text/event-stream"))
)

// EventsQuery asks for events of the platform.
type EventsQuery struct {
	After       int64  `form:"after"` // only events after this number; as JSON 0 if left out
	LastEventID string `header:"Last-Event-ID" help:"the same, for streams; browsers send it by themselves" json:"-"`
}

// SeatResult is how a match ended for a seat.
type SeatResult struct {
	Seat    int    `json:"seat"`
	BotID   string `json:"bot_id"`
	Rank    int    `json:"rank"` // 1 is best; ties share
	Verdict string `json:"verdict" enums:"win,draw,loss"`
} // @name SeatResult

// Event says that something has changed, and of how only the result of a match: request the thing itself.
type Event struct {
	ID           int64     `json:"id"` // its number in this stream, from 1, without gaps
	Event        string    `json:"event" enums:"match.started,match.finished,match.void,match.given_up,tournament.created,tournament.changed,tournament.check_in,tournament.started,tournament.paused,tournament.resumed,tournament.finished,tournament.cancelled,tournament.standings,entry.admitted,entry.left_out,entry.substituted,entry.withdrawn,ladder.rated"`
	At           time.Time `json:"at" format:"date-time"`
	Game         string    `json:"game,omitempty"`
	MatchID      string    `json:"match_id,omitempty"`
	TournamentID string    `json:"tournament_id,omitempty"`
	LadderID     string    `json:"ladder,omitempty"`
	Round        int       `json:"round,omitempty"`
	Block        int       `json:"block,omitempty"`  // matches of a round with the same number share a seed
	Number       int       `json:"number,omitempty"` // among those
	Reason       string    `json:"reason,omitempty"`

	// Result is that of match.finished, by seat; left out while it is sealed, until the last match on the same seed is over.
	Result []SeatResult `json:"result,omitempty"`
} // @name Event

// Events are events in order.
type Events struct {
	Data []Event `json:"data"`
	Last int64   `json:"last"` // send it as after to continue
} // @name Events

// StreamBye is the last message of a stream that is cut before its last event. It has no number.
type StreamBye struct {
	Reason string `json:"reason" enums:"slow_reader,shutdown,lifetime,unavailable,token_ended"`
} // @name StreamBye
