package demol

import "github.com/molerun/molerun/engines/game"

// View is all that a seat may know; a bot that remembers nothing plays from it. Without plot cards what belongs to them is
// empty.
type View struct {
	Phase       string                `json:"phase"`
	Round       int8                  `json:"round"`
	Attempt     int8                  `json:"attempt"`
	Leader      game.Seat             `json:"leader"`
	Due         game.Seats            `json:"due"`
	Mission     *int8                 `json:"mission"` // null before the proposal under targeting
	Team        *game.Seats           `json:"team"`    // null before the proposal
	TalkLeft    int8                  `json:"talk_left"`
	Drawn       []string              `json:"drawn"`            // to be given by the leader, in the order drawn
	Deck        int8                  `json:"deck"`             // cards left
	Discard     []string              `json:"discard"`          // in the order discarded
	Passed      game.Seats            `json:"passed,omitempty"` // who declined a card and is asked no more in this round, under pass_binds "round"
	Missions    [missions]missionView `json:"missions"`
	Seats       []seatView            `json:"seats"`
	OpenVotes   map[game.Seat]bool    `json:"open_votes"`
	Spotlit     game.Seats            `json:"spotlit"`
	OpenMission map[game.Seat]bool    `json:"open_mission"`
	Votes       []VoteView            `json:"votes"`
	Plays       []playView            `json:"plays"`
	Me          *Me                   `json:"me,omitempty"`    // not for spectators
	Roles       []string              `json:"roles,omitempty"` // by seat, once over

	open *opened // nil: what is hidden stays so
}

// opened is what [Rules.Open] shows beside the roles.
type opened struct {
	known  []map[game.Seat]string // by seat: the role cards that it has seen
	failed [missions]game.Seats   // who played fail
}

// missionView is one mission field; Result and Fails are null until it is played.
type missionView struct {
	Size        int                `json:"size"`
	FailsNeeded int                `json:"fails_needed"`
	Result      *string            `json:"result"`
	Fails       *int               `json:"fails"`
	Team        game.Seats         `json:"team"`
	Open        map[game.Seat]bool `json:"open"` // cards played openly: success
}

// seatView is what lies before a seat, in the order of the rulebook.
type seatView struct {
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

// playView is one plot card used or resolved.
type playView struct {
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
	Peeks  []peekView           `json:"peeks"`
	Played []playedView         `json:"played"` // its own mission cards in the order played
}

// peekView is a mission card of another seat that was looked at.
type peekView struct {
	Round   int8      `json:"round"`
	Mission int8      `json:"mission"`
	At      game.Seat `json:"at"`
	Success bool      `json:"success"`
}

// playedView is a mission card.
type playedView struct {
	Mission int8 `json:"mission"`
	Success bool `json:"success"`
}

// View returns what seat may know of s.
func (r Rules) View(s *State, seat game.Seat) View {
	v := View{
		Phase: s.Phase.String(), Round: s.Round, Attempt: s.Attempt, Leader: s.Leader, Due: r.Due(s), TalkLeft: s.TalkLeft,
		Drawn: s.drawn(), Deck: s.DeckLen, Discard: s.discard(), Passed: s.Passed, OpenVotes: map[game.Seat]bool{},
		Seats: make([]seatView, s.Seats), Spotlit: s.Spotlit, OpenMission: map[game.Seat]bool{},
		Votes: make([]VoteView, s.VoteCount), Plays: make([]playView, s.PlayCount),
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
		v.Seats[i] = seatView{Seat: game.Seat(i), Cards: s.hand(game.Seat(i))}
	}
	for i := range v.Votes {
		v.Votes[i] = s.Votes[i].view(s.Seats)
	}
	for i := range v.Missions {
		v.Missions[i] = s.missionView(int8(i + 1))
	}
	for i := range v.Plays {
		v.Plays[i] = s.Plays[i].view()
	}
	switch s.Phase {
	case phaseVote:
		v.OpenVotes = said(s.OpenVoters, s.OpenYes)
	case phaseMission, phaseCloseEye:
		v.OpenMission = s.Missions[s.Mission-1].open()
	}
	if s.seats().Has(seat) {
		v.Me = &Me{Seat: seat, Role: s.role(seat), Known: s.knownRoles(seat), Peeks: s.peeks(seat), Played: s.played(seat)}
	}
	if s.Phase == phaseOver {
		v.Roles = rolesIn(s.Moles, int(s.Seats))
	}
	return v
}

// Open returns the view of a spectator with the roles, what each seat knew of them, and who failed.
func (r Rules) Open(s *State) View {
	v := r.View(s, game.Spectator)
	v.Roles, v.open = rolesIn(s.Moles, int(s.Seats)), &opened{}
	for seat := range s.seats().Each() {
		v.open.known = append(v.open.known, s.knownRoles(seat))
	}
	for i := range s.Missions {
		v.open.failed[i] = s.Missions[i].Failed
	}
	return v
}

// discard returns the cards played, and the one being resolved.
func (s *State) discard() []string {
	out := make([]string, s.PlayCount, s.PlayCount+1)
	for i := range out {
		out[i] = s.Plays[i].Card.String()
	}
	if s.Card != NoCard {
		out = append(out, s.Card.String())
	}
	return out
}

// hand returns the cards before a seat.
func (s *State) hand(seat game.Seat) []string {
	out := []string{}
	for card, copies := range s.Held[seat] {
		for range copies {
			out = append(out, Card(card).String())
		}
	}
	return out
}

func (p *Play) view() playView {
	out := playView{Round: p.Round, Attempt: p.Attempt, Card: p.Card.String(), By: p.By, At: seatOrNull(p.At)}
	if p.Taken != NoCard {
		taken := p.Taken.String()
		out.Taken = &taken
	}
	return out
}

func (v *vote) view(seats int8) VoteView {
	out := VoteView{
		Round: v.Round, Attempt: v.Attempt, Leader: v.Leader, Mission: v.Mission, Team: v.Team,
		Approve: make([]bool, seats), Approved: v.approved(seats), NoConfidence: seatOrNull(v.Stopped),
	}
	for i := range out.Approve {
		out.Approve[i] = v.Yes.Has(game.Seat(i))
	}
	return out
}

func (s *State) missionView(m int8) missionView {
	x := &s.Missions[m-1]
	out := missionView{Size: s.size(m), FailsNeeded: FailsNeeded(int(s.Seats), int(m)), Open: map[game.Seat]bool{}}
	if x.Played {
		fails, result := x.Failed.Len(), resultWord(s.failed(m))
		out.Team, out.Open, out.Fails, out.Result = x.Team, x.open(), &fails, &result
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

// peeks returns the mission cards of others that the seat has looked at.
func (s *State) peeks(seat game.Seat) []peekView {
	out := []peekView{}
	for i := range s.Plays[:s.PlayCount] {
		if p := &s.Plays[i]; p.Card == CloseEye && p.By == seat {
			out = append(out, peekView{Round: p.Round, Mission: p.Mission, At: p.At, Success: !s.Missions[p.Mission-1].Failed.Has(p.At)})
		}
	}
	return out
}

// played returns the seat's own mission cards that are down, open ones too; the votes tell the order.
func (s *State) played(seat game.Seat) []playedView {
	out := []playedView{}
	for i := range s.Votes[:s.VoteCount] {
		v := &s.Votes[i]
		m := &s.Missions[v.Mission-1]
		if v.goes(s.Seats) && (m.Team | m.Open).Has(seat) {
			out = append(out, playedView{Mission: v.Mission, Success: !m.Failed.Has(seat)})
		}
	}
	return out
}
