package demol

import "github.com/molerun/molerun/engines/game"

// View is all that a seat may know; a bot that remembers nothing plays from it. What belongs to the plot deck is empty.
type View struct {
	Phase       string                `json:"phase"`
	Round       int8                  `json:"round"`
	Attempt     int8                  `json:"attempt"`
	Leader      game.Seat             `json:"leader"`
	Due         game.Seats            `json:"due"`
	Mission     *int8                 `json:"mission"` // null before the proposal under targeting
	Team        *game.Seats           `json:"team"`    // null before the proposal
	TalkLeft    int8                  `json:"talk_left"`
	Drawn       []string              `json:"drawn"`
	Deck        int8                  `json:"deck"`
	Discard     []string              `json:"discard"`
	Missions    [missions]MissionView `json:"missions"`
	Seats       []SeatView            `json:"seats"`
	OpenVotes   map[game.Seat]bool    `json:"open_votes"`
	Spotlit     game.Seats            `json:"spotlit"`
	OpenMission map[game.Seat]bool    `json:"open_mission"`
	Votes       []VoteView            `json:"votes"`
	Plays       []PlayView            `json:"plays"`
	Me          *Me                   `json:"me,omitempty"`    // not for spectators
	Roles       []string              `json:"roles,omitempty"` // by seat, once over
}

// MissionView is one mission field; Result and Fails are null until it is played.
type MissionView struct {
	Size        int                `json:"size"`
	FailsNeeded int                `json:"fails_needed"`
	Result      *string            `json:"result"`
	Fails       *int               `json:"fails"`
	Team        game.Seats         `json:"team"`
	Open        map[game.Seat]bool `json:"open"` // cards played openly: success
}

// SeatView is what lies before a seat.
type SeatView struct {
	Seat  game.Seat `json:"seat"`
	Cards []string  `json:"cards"`
}

// VoteView is one vote; Approve is by seat.
type VoteView struct {
	Round        int8       `json:"round"`
	Attempt      int8       `json:"attempt"`
	Leader       game.Seat  `json:"leader"`
	Mission      int8       `json:"mission"`
	Team         game.Seats `json:"team"`
	Approve      []bool     `json:"approve"`
	Approved     bool       `json:"approved"`
	NoConfidence *game.Seat `json:"no_confidence"` // who stopped the approved team
}

// PlayView is one plot card used or resolved.
type PlayView struct {
	Round   int8       `json:"round"`
	Attempt int8       `json:"attempt"`
	Card    string     `json:"card"`
	By      game.Seat  `json:"by"`
	At      *game.Seat `json:"at"`
	Taken   *string    `json:"taken"`
}

// Me is what only one seat knows.
type Me struct {
	Seat   game.Seat            `json:"seat"`
	Role   string               `json:"role"`
	Known  map[game.Seat]string `json:"known"` // role cards seen, never its own
	Peeks  []PeekView           `json:"peeks"`
	Played []PlayedView         `json:"played"` // its own mission cards in the order played
}

// PeekView is a mission card of another seat that was looked at.
type PeekView struct {
	Round   int8      `json:"round"`
	Mission int8      `json:"mission"`
	At      game.Seat `json:"at"`
	Success bool      `json:"success"`
}

// PlayedView is a mission card.
type PlayedView struct {
	Mission int8 `json:"mission"`
	Success bool `json:"success"`
}

// View is what seat may know of s.
func (r Rules) View(s *State, seat game.Seat) View {
	v := View{
		Phase: s.Phase.String(), Round: s.Round, Attempt: s.Attempt, Leader: s.Leader, Due: r.Due(s), TalkLeft: s.TalkLeft,
		Drawn: []string{}, Discard: []string{}, OpenVotes: map[game.Seat]bool{}, OpenMission: map[game.Seat]bool{},
		Seats: make([]SeatView, s.Seats), Votes: make([]VoteView, s.VoteCount), Plays: []PlayView{},
	}
	if s.Mission != 0 {
		m := s.Mission
		v.Mission = &m
	}
	if s.Team != 0 {
		team := s.Team
		v.Team = &team
	}
	for i := range v.Seats {
		v.Seats[i] = SeatView{Seat: game.Seat(i), Cards: []string{}}
	}
	for i := range v.Votes {
		v.Votes[i] = s.Votes[i].view(s.Seats)
	}
	for i := range v.Missions {
		v.Missions[i] = s.missionView(int8(i + 1))
	}
	if s.seats().Has(seat) {
		v.Me = &Me{Seat: seat, Role: s.role(seat), Known: s.knownRoles(seat), Peeks: []PeekView{}, Played: s.played(seat)}
	}
	if s.Phase == PhaseOver {
		v.Roles = rolesIn(s.Moles, int(s.Seats))
	}
	return v
}

func (v *Vote) view(seats int8) VoteView {
	out := VoteView{
		Round: v.Round, Attempt: v.Attempt, Leader: v.Leader, Mission: v.Mission, Team: v.Team,
		Approve: make([]bool, seats), Approved: v.approved(seats),
	}
	for i := range out.Approve {
		out.Approve[i] = v.Yes.Has(game.Seat(i))
	}
	return out
}

func (s *State) missionView(m int8) MissionView {
	x := &s.Missions[m-1]
	out := MissionView{Size: s.size(m), FailsNeeded: failsNeeded(int(s.Seats), int(m)), Team: x.Team, Open: map[game.Seat]bool{}}
	if x.Played {
		fails, result := x.Failed.Len(), resultWord(s.failed(m))
		out.Fails, out.Result = &fails, &result
	}
	return out
}

func (s *State) knownRoles(seat game.Seat) map[game.Seat]string {
	out := map[game.Seat]string{}
	moles, agents := s.known(seat)
	for other := range moles.Each() {
		out[other] = mole
	}
	for other := range agents.Each() {
		out[other] = agent
	}
	return out
}

// played is the seat's own mission cards; the approved votes tell the order.
func (s *State) played(seat game.Seat) []PlayedView {
	out := []PlayedView{}
	for i := range s.Votes[:s.VoteCount] {
		v := &s.Votes[i]
		m := &s.Missions[v.Mission-1]
		if v.approved(s.Seats) && m.Played && m.Team.Has(seat) {
			out = append(out, PlayedView{Mission: v.Mission, Success: !m.Failed.Has(seat)})
		}
	}
	return out
}
