package demol

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Rules is De Mol for [game.Wrap] and [game.Sim].
type Rules struct{}

// Info is what is fixed about the game.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "demol", Name: "De Mol", Version: 1, MinSeats: MinSeats, MaxSeats: MaxSeats, Talk: true, Teams: true,
		Variants: []game.Variant{
			{Name: "base", Config: `{}`},
			{Name: "targeting", Config: `{"targeting":true}`},
			{Name: "blind", Config: `{"blind_moles":true}`},
		},
	}
}

// Deal shuffles the roles and draws the first leader by lot.
func (Rules) Deal(s *State, c Config, seats int, r *game.Rand, log *game.Log[Event]) {
	moles := r.Subset(game.First(seats), moleCount[seats])
	s.start(c, seats, moles, game.Seat(r.IntN(seats)))
	if log.On() {
		log.Tell(game.All, DealEvent{Kind: "deal", Leader: s.Leader})
		for seat := range s.seats().Each() {
			log.Tell(game.Only(seat), RoleEvent{Kind: "deal", Role: s.role(seat), Known: s.knownRoles(seat)})
		}
	}
}

func (s *State) start(c Config, seats int, moles game.Seats, leader game.Seat) {
	*s = State{
		Seats: int8(seats), Targeting: c.Targeting, LastNeedsWins: c.TargetingLastNeeds == twoSuccesses, Blind: c.BlindMoles,
		TalkRounds: int8(c.TalkRounds), VoteTalkRounds: int8(c.VoteTalkRounds), Moles: moles, Round: 1, Attempt: 1, Leader: leader,
	}
	s.clearTeam()
	s.advance(PhaseStrongLeader)
}

// advance goes on to the first phase, from p on, in which somebody is asked.
func (s *State) advance(p Phase) {
	for !s.opens(p) {
		p++
	}
	s.Phase = p
}

// opens prepares phase p and tells whether anybody is asked in it.
func (s *State) opens(p Phase) bool {
	switch p { //nolint:exhaustive // the windows of the plot deck stay shut without it
	case PhaseTalk:
		s.TalkLeft = s.TalkRounds
		return s.TalkLeft > 0
	case PhaseVoteTalk:
		s.TalkLeft = s.VoteTalkRounds
		return s.TalkLeft > 0
	case PhaseTeam, PhaseVote, PhaseMission, PhaseOver:
		return true
	}
	return false
}

// clearTeam forgets the proposal. Without targeting the mission of the round needs no proposal.
func (s *State) clearTeam() {
	s.Team, s.Mission = 0, s.Round
	if s.Targeting {
		s.Mission = 0
	}
}

// passLeader makes the left neighbour the leader.
func (s *State) passLeader(log *game.Log[Event]) {
	if s.Leader++; s.Leader == game.Seat(s.Seats) {
		s.Leader = 0
	}
	if log.On() {
		log.Tell(game.All, LeaderEvent{Kind: "leader", Round: s.Round, Attempt: s.Attempt, Leader: s.Leader})
	}
}

// Due is who decides: all talk and vote at once, the leader proposes, the team plays mission cards.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase { //nolint:exhaustive // nobody is asked in the others
	case PhaseTalk, PhaseVoteTalk, PhaseVote:
		return s.seats()
	case PhaseTeam:
		return game.Only(s.Leader)
	case PhaseMission:
		return s.Team
	}
	return 0
}

// wants is the kind of action the phase asks for.
func (s *State) wants() Kind {
	switch s.Phase { //nolint:exhaustive // nobody is asked in the others
	case PhaseTalk, PhaseVoteTalk:
		return ActTalk
	case PhaseTeam:
		return ActTeam
	case PhaseVote:
		return ActVote
	case PhaseMission:
		return ActMission
	}
	return 0
}

// Legal is the authority on actions.
func (Rules) Legal(s *State, seat game.Seat, a Action) error {
	if want := s.wants(); a.Kind != want {
		return fmt.Errorf("type: phase %s asks for %s, not %s", s.Phase, want, a.Kind)
	}
	switch {
	case a.Kind == ActTeam:
		return s.legalTeam(a)
	case a.Kind == ActMission && !a.Yes && !s.Moles.Has(seat):
		return fmt.Errorf("success: an agent plays success")
	}
	return nil
}

// Offer lists what a seat may do; long lists of teams are given as forms.
func (Rules) Offer(s *State, seat game.Seat, o *game.Offer[Action]) {
	switch s.wants() {
	case ActTalk:
		o.Add(Action{Kind: ActTalk})
	case ActTeam:
		s.offerTeams(o)
	case ActVote:
		o.Add(Action{Kind: ActVote, Yes: true})
		o.Add(Action{Kind: ActVote})
	case ActMission:
		o.Add(Action{Kind: ActMission, Yes: true})
		if s.Moles.Has(seat) {
			o.Add(Action{Kind: ActMission})
		}
	}
}

// Sample is a random action: a uniform mission and team, an even vote, an even mission card for a mole.
func (Rules) Sample(s *State, seat game.Seat, r *game.Rand) Action {
	a := Action{Kind: s.wants(), Yes: true}
	switch a.Kind {
	case ActTeam:
		return s.sampleTeam(r)
	case ActVote:
		a.Yes = r.IntN(2) == 0
	case ActMission:
		a.Yes = !s.Moles.Has(seat) || r.IntN(2) == 0
	case ActTalk:
		a.Yes = false
	}
	return a
}

// Apply plays one step.
func (Rules) Apply(s *State, acts []game.Act[Action], _ *game.Rand, log *game.Log[Event]) {
	switch s.wants() {
	case ActTalk:
		if s.TalkLeft--; s.TalkLeft == 0 {
			s.advance(s.Phase + 1)
		}
	case ActTeam:
		s.propose(acts[0].Action, log)
	case ActVote:
		s.vote(acts, log)
	case ActMission:
		s.playMission(acts, log)
	}
}

func (s *State) over(why Why, log *game.Log[Event]) {
	s.Phase, s.Why = PhaseOver, why
	if log.On() {
		log.Tell(game.All, OverEvent{Kind: "over", Why: why.String(), Roles: rolesIn(s.Moles, int(s.Seats))})
	}
}

// Result ranks the winning team first; its members have one point each, the others none.
func (Rules) Result(s *State) game.Result {
	n := int(s.Seats)
	out := game.Result{Rank: make([]int, n), Points: make([]float64, n), Team: rolesIn(s.Moles, n), Why: s.Why.String()}
	for seat := range s.seats().Each() {
		out.Rank[seat] = 2
		if s.Moles.Has(seat) == (s.Why != ThreeSuccesses) {
			out.Rank[seat], out.Points[seat] = 1, 1
		}
	}
	return out
}
