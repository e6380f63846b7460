package demol

import (
	"embed"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Rules is De Mol for [game.Wrap] and [game.Sim].
type Rules struct{}

// Info returns what is fixed about the game.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "demol", Name: "De Mol", Version: 1, MinSeats: MinSeats, MaxSeats: MaxSeats, Talk: true, Teams: true,
		Variants: []game.Variant{
			{Name: "base", Config: `{}`},
			{Name: "plot", Config: `{"plot_cards":true}`},
			{Name: "targeting", Config: `{"targeting":true}`},
			{Name: "blind", Config: `{"blind_moles":true}`},
			{Name: "full", Config: `{"plot_cards":true,"targeting":true,"blind_moles":true}`},
			{Name: "talk", Config: `{"talk_rounds":1,"vote_talk_rounds":1}`},
		},
		About: game.About{
			Is:    "A team of agents goes on missions with moles among them, and nobody but the moles knows who they are.",
			Win:   "The leader names a team, all vote on it, and its members play success or fail in secret: three missions that succeed win for the agents, three that fail, or five teams rejected in a row, for the moles.",
			Watch: "Watch who was on a team that failed, and who votes for whom.",
		},
	}
}

//go:embed schemas/*.json
var schemas embed.FS

// Schemas returns the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }

// Deal shuffles the roles and the plot deck and draws the first leader by lot.
func (Rules) Deal(s *State, c Config, seats int, r *game.Rand, log *game.Log[Event]) {
	moles := r.Subset(game.FirstSeats(seats), moleCount[seats])
	s.set(c, seats, moles, game.Seat(r.IntN(seats)))
	game.Shuffle(r, s.Deck[:s.DeckLen])
	if log.Enabled() {
		log.Emit(game.All, dealEvent{Kind: "deal", Leader: s.Leader})
		for seat := range s.seats().Each() {
			log.Emit(game.Only(seat), roleEvent{Kind: "deal", Role: s.role(seat), Known: s.knownRoles(seat)})
		}
	}
	s.advance(phaseStrongLeader, log)
}

// set sets up the table before the first round, with the plot deck in order.
func (s *State) set(c Config, seats int, moles game.Seats, leader game.Seat) {
	*s = State{
		Seats: int8(seats), Targeting: c.Targeting, LastNeedsWins: c.TargetingLastNeeds == twoSuccesses, Blind: c.BlindMoles,
		TalkRounds: int8(c.TalkRounds), VoteTalkRounds: int8(c.VoteTalkRounds), Moles: moles, Round: 1, Attempt: 1, Leader: leader,
	}
	if c.PlotCards {
		s.Plotted, s.EveryLeader, s.PassBinds = true, c.StrongLeaderWindow == everyLeader, c.PassBinds == everyRound
		copies := c.deck(seats)
		s.DeckLen = int8(len(game.LayOut(s.Deck[:0], NoCard, copies[:])))
	}
	s.clearTeam()
}

// advance goes on to the first phase, from p on, in which somebody is asked; past the last of them the mission is scored.
func (s *State) advance(p Phase, log *game.Log[Event]) {
	for ; p < phaseOver; p++ {
		if s.opens(p, log) {
			s.Phase = p
			return
		}
	}
	s.scoreMission(log)
}

// opens prepares phase p and reports whether anybody is asked in it.
func (s *State) opens(p Phase, log *game.Log[Event]) bool {
	switch p { // look, show and take follow from a give
	case phaseStrongLeader:
		return (s.Attempt == 1 || s.EveryLeader) && s.ask(p, 0)
	case phaseGive:
		return s.Attempt == 1 && s.draw(log)
	case phaseTalk:
		s.TalkLeft = s.TalkRounds
		return s.TalkLeft > 0
	case phaseVoteTalk:
		s.TalkLeft = s.VoteTalkRounds
		return s.TalkLeft > 0
	case phaseTeam, phaseVote:
		return true
	case phaseVoteOpen:
		s.OpenVoters = s.holders(OpinionMaker)
		return s.OpenVoters != 0
	case phaseNoConfidence, phaseSpotlight:
		return s.ask(p, 0)
	case phaseMissionOpen:
		return s.Spotlit != 0
	case phaseMission:
		return s.Team != s.Spotlit
	case phaseCloseEye: // now all cards are down
		s.Missions[s.Mission-1].Team = s.Team
		return s.ask(p, 0)
	}
	return false
}

// clearTeam forgets the proposal. Without targeting the mission of the round needs no proposal.
func (s *State) clearTeam() {
	s.Team, s.Mission, s.Spotlit, s.Peeked = 0, s.Round, 0, 0
	if s.Targeting {
		s.Mission = 0
	}
}

// passLeader makes the left neighbour the leader.
func (s *State) passLeader(log *game.Log[Event]) {
	s.lead((s.Leader+1)%game.Seat(s.Seats), log)
}

func (s *State) lead(seat game.Seat, log *game.Log[Event]) {
	s.Leader = seat
	if log.Enabled() {
		log.Emit(game.All, leaderEvent{Kind: "leader", Round: s.Round, Attempt: s.Attempt, Leader: s.Leader})
	}
}

// Due returns who decides: all talk and vote at once, the opinion makers and the spotlit before the others; the leader gives
// and proposes, the team plays mission cards; else one seat is asked.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase {
	case phaseTalk, phaseVoteTalk:
		return s.seats()
	case phaseTeam, phaseGive:
		return game.Only(s.Leader)
	case phaseVoteOpen:
		return s.OpenVoters
	case phaseVote:
		return s.seats() &^ s.OpenVoters
	case phaseMissionOpen:
		return s.Spotlit
	case phaseMission:
		return s.Team &^ s.Spotlit
	case phaseOver:
		return 0
	default:
		return game.Only(s.Asked)
	}
}

// asks is the kind of action each phase asks for.
var asks = [phaseOver + 1]Kind{
	phaseStrongLeader: ActStrongLeader, phaseGive: ActGive, phaseLook: ActLook, phaseShow: ActShow, phaseTake: ActTake,
	phaseTalk: ActTalk, phaseTeam: ActTeam, phaseVoteTalk: ActTalk, phaseVoteOpen: ActVote, phaseVote: ActVote,
	phaseNoConfidence: ActNoConfidence, phaseSpotlight: ActSpotlight, phaseMissionOpen: ActMission, phaseMission: ActMission,
	phaseCloseEye: ActCloseEye,
}

// wants returns the kind of action the phase asks for.
func (s *State) wants() Kind { return asks[s.Phase] }

// Legal decides about actions; offers only list what it allows.
func (Rules) Legal(s *State, seat game.Seat, a Action) error {
	if want := s.wants(); a.Kind != want {
		return fmt.Errorf("type: phase %s asks for %s, not %s", s.Phase, want, a.Kind)
	}
	switch a.Kind {
	case ActTeam:
		return s.legalTeam(a)
	case ActMission:
		if !a.Yes && !s.Moles.Has(seat) {
			return fmt.Errorf("success: an agent plays success")
		}
	case ActGive:
		return s.legalGive(a)
	case ActLook, ActShow, ActTake, ActSpotlight, ActCloseEye:
		return s.legalTarget(seat, a)
	}
	return nil
}

// Offer lists what a seat may do; long lists of teams are given as forms.
func (Rules) Offer(s *State, seat game.Seat, o *game.Offer[Action]) {
	switch kind := s.wants(); kind {
	case ActTalk:
		o.Add(Action{Kind: kind})
	case ActTeam:
		s.offerTeams(o)
	case ActVote, ActStrongLeader, ActNoConfidence:
		o.Add(Action{Kind: kind, Yes: true})
		o.Add(Action{Kind: kind})
	case ActMission:
		o.Add(Action{Kind: kind, Yes: true})
		if s.Moles.Has(seat) {
			o.Add(Action{Kind: kind})
		}
	case ActGive:
		s.offerGives(o)
	case ActTake:
		s.offerTakes(seat, o)
	case ActLook, ActShow, ActSpotlight, ActCloseEye:
		for target := range s.targets(s.Phase, seat).Each() {
			o.Add(Action{Kind: kind, Target: Target{Seat: target}})
		}
		if kind.declines() {
			o.Add(Action{Kind: kind, Target: Target{Seat: game.Spectator}})
		}
	}
}

// Sample returns a random action: uniform over missions, teams, cards and seats; yes and no are even.
func (Rules) Sample(s *State, seat game.Seat, r *game.Rand) Action {
	a := Action{Kind: s.wants()}
	switch a.Kind {
	case ActTeam:
		return s.sampleTeam(r)
	case ActVote, ActStrongLeader, ActNoConfidence:
		a.Yes = r.IntN(2) == 0
	case ActMission:
		a.Yes = !s.Moles.Has(seat) || r.IntN(2) == 0
	case ActGive:
		a.Card = s.Drawn[r.IntN(s.left())]
		a.Seat = game.Seat(r.Bit(uint64(s.seats().Without(s.Leader))))
	case ActTake:
		a.Seat = game.Seat(r.Bit(uint64(s.targets(s.Phase, seat))))
		a.Card = s.sampleHeld(a.Seat, r)
	case ActLook, ActShow:
		a.Seat = game.Seat(r.Bit(uint64(s.targets(s.Phase, seat))))
	case ActSpotlight, ActCloseEye: // the bit above the seats declines
		if a.Seat = game.Seat(r.Bit(uint64(s.targets(s.Phase, seat) | 1<<s.Seats))); a.Seat == game.Seat(s.Seats) {
			a.Seat = game.Spectator
		}
	}
	return a
}

// Apply plays one step.
func (Rules) Apply(s *State, acts []game.Act[Action], _ *game.Rand, log *game.Log[Event]) {
	switch s.wants() {
	case ActTalk:
		if s.TalkLeft--; s.TalkLeft == 0 {
			s.advance(s.Phase+1, log)
		}
	case ActTeam:
		s.propose(acts[0].Action, log)
	case ActVote:
		s.vote(acts, log)
	case ActMission:
		s.playMission(acts, log)
	case ActStrongLeader:
		s.takeLead(acts[0].Action.Yes, log)
	case ActGive:
		s.give(acts[0].Action, log)
	case ActLook, ActShow:
		s.resolve(acts[0].Action.Seat, NoCard, log)
	case ActTake:
		s.resolve(acts[0].Action.Seat, acts[0].Action.Card, log)
	case ActNoConfidence:
		s.stop(acts[0].Action.Yes, log)
	case ActSpotlight, ActCloseEye:
		s.point(acts[0].Action.Seat, log)
	}
}

func (s *State) over(why why, log *game.Log[Event]) {
	s.Phase, s.Why = phaseOver, why
	if log.Enabled() {
		log.Emit(game.All, overEvent{Kind: "over", Why: why.String(), Roles: rolesIn(s.Moles, int(s.Seats))})
	}
}

// Result ranks the winning team first; its members have one point each, the others none.
func (Rules) Result(s *State) game.Result {
	n := int(s.Seats)
	out := game.Result{Rank: make([]int, n), Points: make([]float64, n), Team: rolesIn(s.Moles, n), Why: s.Why.String()}
	for seat := range s.seats().Each() {
		out.Rank[seat] = 2
		if s.Moles.Has(seat) == (s.Why != threeSuccesses) {
			out.Rank[seat], out.Points[seat] = 1, 1
		}
	}
	return out
}
