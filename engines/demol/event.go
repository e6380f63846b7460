package demol

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and tells itself in a sentence.
type Event interface{ game.Worded }

// DealEvent is public: who leads first.
type DealEvent struct {
	Kind   string    `json:"kind"` // "deal"
	Leader game.Seat `json:"leader"`
}

// RoleEvent goes to one seat: its role and the fellow moles it sees.
type RoleEvent struct {
	Kind  string               `json:"kind"` // "deal"
	Role  string               `json:"role"`
	Known map[game.Seat]string `json:"known"`
}

// DrawEvent is public: the plot cards of the round.
type DrawEvent struct {
	Kind   string    `json:"kind"` // "draw"
	Leader game.Seat `json:"leader"`
	Cards  []string  `json:"cards"` // in the order drawn
}

// GiveEvent is public: the leader gives a plot card away.
type GiveEvent struct {
	Kind   string    `json:"kind"` // "give"
	Leader game.Seat `json:"leader"`
	Card   string    `json:"card"`
	To     game.Seat `json:"to"`
}

// CardEvent is public: a plot card is used or resolved.
type CardEvent struct {
	Kind  string     `json:"kind"` // "card"
	Card  string     `json:"card"`
	By    game.Seat  `json:"by"`              // who looked, showed, took or played
	At    *game.Seat `json:"at"`              // whom it named, null where it names nobody
	Taken string     `json:"taken,omitempty"` // by Take Responsibility
}

// SeenRoleEvent goes to the looker only: a role card.
type SeenRoleEvent struct {
	Kind string    `json:"kind"` // "seen"
	At   game.Seat `json:"at"`
	Role string    `json:"role"`
}

// SeenCardEvent goes to the looker only: a mission card.
type SeenCardEvent struct {
	Kind    string    `json:"kind"` // "seen"
	At      game.Seat `json:"at"`
	Success bool      `json:"success"`
}

// OpenVoteEvent is public: the votes of the opinion makers.
type OpenVoteEvent struct {
	Kind    string             `json:"kind"` // "open_vote"
	Approve map[game.Seat]bool `json:"approve"`
}

// OpenMissionEvent is public: the mission cards of the spotlit.
type OpenMissionEvent struct {
	Kind    string             `json:"kind"` // "open_mission"
	Mission int8               `json:"mission"`
	Success map[game.Seat]bool `json:"success"`
}

// LeaderEvent is public: the next leader.
type LeaderEvent struct {
	Kind    string    `json:"kind"` // "leader"
	Round   int8      `json:"round"`
	Attempt int8      `json:"attempt"`
	Leader  game.Seat `json:"leader"`
}

// TeamEvent is public: the leader's proposal.
type TeamEvent struct {
	Kind    string     `json:"kind"` // "team"
	Leader  game.Seat  `json:"leader"`
	Mission int8       `json:"mission"`
	Team    game.Seats `json:"team"`
}

// VoteEvent is public: all votes on a team.
type VoteEvent struct {
	Kind string `json:"kind"` // "vote"
	VoteView
}

// MissionEvent is public: the cards of a mission, shuffled.
type MissionEvent struct {
	Kind    string     `json:"kind"` // "mission"
	Mission int8       `json:"mission"`
	Team    game.Seats `json:"team"`
	Fails   int        `json:"fails"`
	Result  string     `json:"result"` // "success" or "fail"
}

// ScoreEvent is public: missions so far.
type ScoreEvent struct {
	Kind      string `json:"kind"` // "score"
	Successes int    `json:"successes"`
	Fails     int    `json:"fails"`
}

// OverEvent is public: the end and all roles.
type OverEvent struct {
	Kind  string   `json:"kind"` // "over"
	Why   string   `json:"why"`
	Roles []string `json:"roles"` // by seat
}
