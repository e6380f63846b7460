package demol

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and puts itself into a sentence.
type Event interface{ game.Worded }

// dealEvent is public: who leads first.
type dealEvent struct {
	Kind   string    `json:"kind"` // "deal"
	Leader game.Seat `json:"leader"`
}

// roleEvent goes to one seat: its role and the fellow moles it sees.
type roleEvent struct {
	Kind  string               `json:"kind"` // "deal"
	Role  string               `json:"role"`
	Known map[game.Seat]string `json:"known"`
}

// drawEvent is public: the plot cards of the round.
type drawEvent struct {
	Kind   string    `json:"kind"` // "draw"
	Leader game.Seat `json:"leader"`
	Cards  []string  `json:"cards"` // in the order drawn
}

// giveEvent is public: the leader gives a plot card away.
type giveEvent struct {
	Kind   string    `json:"kind"` // "give"
	Leader game.Seat `json:"leader"`
	Card   string    `json:"card"`
	To     game.Seat `json:"to"`
}

// cardEvent is public: a plot card is used or resolved.
type cardEvent struct {
	Kind  string     `json:"kind"` // "card"
	Card  string     `json:"card"`
	By    game.Seat  `json:"by"`              // who looked, showed, took or played
	At    *game.Seat `json:"at"`              // whom it named, null where it names nobody
	Taken string     `json:"taken,omitempty"` // by Take Responsibility
}

// seenRoleEvent goes to the looker only: a role card.
type seenRoleEvent struct {
	Kind string    `json:"kind"` // "seen"
	At   game.Seat `json:"at"`
	Role string    `json:"role"`
}

// seenCardEvent goes to the looker only: a mission card.
type seenCardEvent struct {
	Kind    string    `json:"kind"` // "seen"
	At      game.Seat `json:"at"`
	Success bool      `json:"success"`
}

// openVoteEvent is public: the votes of the opinion makers.
type openVoteEvent struct {
	Kind    string             `json:"kind"` // "open_vote"
	Approve map[game.Seat]bool `json:"approve"`
}

// openMissionEvent is public: the mission cards of the spotlit.
type openMissionEvent struct {
	Kind    string             `json:"kind"` // "open_mission"
	Mission int8               `json:"mission"`
	Success map[game.Seat]bool `json:"success"`
}

// leaderEvent is public: the next leader.
type leaderEvent struct {
	Kind    string    `json:"kind"` // "leader"
	Round   int8      `json:"round"`
	Attempt int8      `json:"attempt"`
	Leader  game.Seat `json:"leader"`
}

// teamEvent is public: the leader's proposal.
type teamEvent struct {
	Kind    string     `json:"kind"` // "team"
	Leader  game.Seat  `json:"leader"`
	Mission int8       `json:"mission"`
	Team    game.Seats `json:"team"`
}

// voteEvent is public: all votes on a team.
type voteEvent struct {
	Kind string `json:"kind"` // "vote"
	VoteView
}

// missionEvent is public: the cards of a mission, shuffled.
type missionEvent struct {
	Kind    string     `json:"kind"` // "mission"
	Mission int8       `json:"mission"`
	Team    game.Seats `json:"team"`
	Fails   int        `json:"fails"`
	Result  string     `json:"result"` // "success" or "fail"
}

// scoreEvent is public: missions so far.
type scoreEvent struct {
	Kind      string `json:"kind"` // "score"
	Successes int    `json:"successes"`
	Fails     int    `json:"fails"`
}

// overEvent is public: the end and all roles.
type overEvent struct {
	Kind  string   `json:"kind"` // "over"
	Why   string   `json:"why"`
	Roles []string `json:"roles"` // by seat
}
