package tournament

import "time"

// EventKind names what happened.
type EventKind string

// The kinds of events. Those of matches, tournaments and ladders are public; those of bots, versions and accounts are their owner's.
const (
	EventMatchStarted        EventKind = "match.started"
	EventMatchFinished       EventKind = "match.finished"
	EventMatchVoid           EventKind = "match.void"
	EventMatchGivenUp        EventKind = "match.given_up" // void once more, and not played again
	EventTournamentCreated   EventKind = "tournament.created"
	EventTournamentChanged   EventKind = "tournament.changed"  // before its start; the reason names what
	EventTournamentCheckIn   EventKind = "tournament.check_in" // it is open
	EventTournamentStarted   EventKind = "tournament.started"
	EventTournamentPaused    EventKind = "tournament.paused"
	EventTournamentResumed   EventKind = "tournament.resumed"
	EventTournamentFinished  EventKind = "tournament.finished"
	EventTournamentCancelled EventKind = "tournament.cancelled"
	EventEntryAdmitted       EventKind = "entry.admitted"       // an entry that waited has a place
	EventEntryLeftOut        EventKind = "entry.left_out"       // by the start; the reason is a [LeftOut]
	EventEntrySubstituted    EventKind = "entry.substituted"    // another bot, which the event names, has taken an entry's place
	EventEntryWithdrawn      EventKind = "entry.withdrawn"      // by somebody else than the bot's owner
	EventStandings           EventKind = "tournament.standings" // a match of it has ended
	EventLadderRated         EventKind = "ladder.rated"
	EventBotPaused           EventKind = "bot.paused"
	EventBotResumed          EventKind = "bot.resumed"
	EventVersionRedeployed   EventKind = "version.redeployed"
	EventAccountLinked       EventKind = "account.linked" // a login enters the account from now on
)

// WebhookKinds returns the kinds that webhooks can receive.
func WebhookKinds() []EventKind {
	return []EventKind{
		EventMatchFinished, EventMatchVoid, EventMatchGivenUp, EventBotPaused, EventBotResumed, EventTournamentChanged, EventTournamentCheckIn, EventTournamentStarted,
		EventTournamentFinished, EventTournamentCancelled, EventEntryAdmitted, EventEntryLeftOut, EventEntrySubstituted, EventEntryWithdrawn, EventVersionRedeployed, EventAccountLinked,
	}
}

// SeatResult is how a match ended for a seat.
type SeatResult struct {
	Seat    int     `json:"seat"`
	BotID   string  `json:"bot_id"`
	Rank    int     `json:"rank"` // 1 is best; ties share
	Verdict Verdict `json:"verdict"`
}

// Event is something that happened. It holds no thinking times, and of results only what is open: to know more, request the thing
// itself, which shows only what is public.
type Event struct {
	ID           string    `json:"-"`
	Seq          int64     `json:"-"` // its number in its stream, from 1
	Kind         EventKind `json:"-"`
	At           time.Time `json:"at,omitzero"` // by the database's clock, to the millisecond
	Game         string    `json:"game,omitempty"`
	MatchID      string    `json:"match_id,omitempty"`
	TournamentID string    `json:"tournament_id,omitempty"`
	LadderID     string    `json:"ladder,omitempty"`
	BotID        string    `json:"bot_id,omitempty"`
	VersionID    string    `json:"version_id,omitempty"`
	Round        int       `json:"round,omitempty"`
	Block        int       `json:"block,omitempty"`
	Number       int       `json:"number,omitempty"`
	Reason       string    `json:"reason,omitempty"`
	// Result is that of a finished match, by seat; empty while it is sealed, as others are played on its seed.
	Result []SeatResult `json:"result,omitempty"`
}
