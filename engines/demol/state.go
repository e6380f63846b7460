package demol

import "github.com/molerun/molerun/engines/game"

// Missions in a match, attempts in a round, and scores that end the match.
const (
	missions    = 5
	maxAttempts = 5
	maxVotes    = missions * maxAttempts
	scoreToWin  = 3
)

// moleCount is the number of moles by number of seats.
var moleCount = [MaxSeats + 1]int{5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}

// MolesAt returns the number of moles at a table of so many seats, 5 to 10.
func MolesAt(seats int) int { return moleCount[seats] }

// teamSize is the size of the team of each mission by number of seats.
var teamSize = [MaxSeats + 1][missions]int{
	5: {2, 3, 2, 3, 3}, 6: {2, 3, 4, 3, 4}, 7: {2, 3, 3, 4, 4}, 8: {3, 4, 4, 5, 5}, 9: {3, 4, 4, 5, 5}, 10: {3, 4, 4, 5, 5},
}

// FailsNeeded returns how many fails spoil mission m (1–5). The two fails belong to the field of mission 4, whenever played.
func FailsNeeded(seats, m int) int {
	if seats >= 7 && m == 4 {
		return 2
	}
	return 1
}

// Phase is what is being decided. The order of the constants is the order of a mission round.
type Phase uint8

// The phases.
const (
	phaseStrongLeader Phase = iota
	phaseGive
	phaseLook
	phaseShow
	phaseTake
	phaseTalk
	phaseTeam
	phaseVoteTalk
	phaseVoteOpen
	phaseVote
	phaseNoConfidence
	phaseSpotlight
	phaseMissionOpen
	phaseMission
	phaseCloseEye
	phaseOver
)

var phaseNames = [...]string{
	"strong_leader", "give", "look", "show", "take", "talk", "team", "vote_talk", "vote_open", "vote", "no_confidence",
	"spotlight", "mission_open", "mission", "close_eye", "over",
}

// String returns the word on the wire.
func (p Phase) String() string { return phaseNames[p] }

// Why says how a match ended.
type why uint8

// The ends; the first is the agents' only one.
const (
	threeSuccesses why = iota
	threeFails
	fiveRejections
)

var whyNames = [...]string{"three_successes", "three_fails", "five_rejections"}

// String returns the word on the wire.
func (w why) String() string { return whyNames[w] }

// vote is one vote on a team, written when all have voted.
type vote struct {
	Round, Attempt, Mission int8
	Leader                  game.Seat
	Team, Yes               game.Seats
	Stopped                 game.Seat // who played No Confidence on the approved team, else Spectator
}

// Mission is what became of one mission field.
type Mission struct {
	Played bool       // and scored
	Team   game.Seats // set when all cards are down
	Open   game.Seats // who played openly
	Failed game.Seats // who played a fail: secret, but for open cards and those looked at
}

// State is a whole match as plain data: a copy is a fork.
type State struct {
	Seats          int8
	Targeting      bool
	LastNeedsWins  bool // mission 5 needs two successes, not two missions played
	Blind          bool
	TalkRounds     int8
	VoteTalkRounds int8
	Moles          game.Seats // secret
	Phase          Phase
	Why            why // once over
	Round, Attempt int8
	Leader         game.Seat
	Mission        int8       // the proposed one, 0: none yet
	Team           game.Seats // the proposed one, empty: none yet
	TalkLeft       int8
	VoteCount      int8
	Votes          [maxVotes]vote
	Missions       [missions]Mission
	Plot           // empty without plot cards
}

// Plot is the part of the state that belongs to the plot deck.
type Plot struct {
	Plotted     bool // the deck is in play
	EveryLeader bool // a Strong Leader may be played before every leader
	PassBinds   bool // declining binds for the round
	DeckLen     int8
	PlayCount   int8
	Card        Card       // given and being resolved
	Asked       game.Seat  // who is asked where one seat is
	Passed      game.Seats // declined in this round, where that binds
	OpenVoters  game.Seats // who votes first and openly
	OpenYes     game.Seats // their votes in favour
	Spotlit     game.Seats // team members who play openly
	Peeked      game.Seats // team members whose card has been looked at
	Drawn       [maxDrawn]Card
	Deck        [maxDeck]Card // secret; the top card is the last, those drawn are cleared
	Held        [MaxSeats][cardEnd]int8
	Plays       [maxPlays]Play
}

// seats returns the whole table.
func (s *State) seats() game.Seats { return game.FirstSeats(int(s.Seats)) }

// size returns the team size of mission m (1–5).
func (s *State) size(m int8) int { return teamSize[s.Seats][m-1] }

// failed reports whether mission m (1–5), once played, was spoilt.
func (s *State) failed(m int8) bool {
	return s.Missions[m-1].Failed.Len() >= FailsNeeded(int(s.Seats), int(m))
}

// score counts the missions played by result.
func (s *State) score() (successes, fails int) {
	for m := int8(1); m <= missions; m++ {
		switch {
		case !s.Missions[m-1].Played:
		case s.failed(m):
			fails++
		default:
			successes++
		}
	}
	return successes, fails
}

// The roles on the wire.
const (
	agent = "agent"
	mole  = "mole"
)

// role returns the secret role of a seat.
func (s *State) role(seat game.Seat) string { return roleIn(s.Moles, seat) }

func roleIn(moles game.Seats, seat game.Seat) string {
	if moles.Has(seat) {
		return mole
	}
	return agent
}

func rolesIn(moles game.Seats, seats int) []string {
	out := make([]string, seats)
	for i := range out {
		out[i] = roleIn(moles, game.Seat(i))
	}
	return out
}

// known returns the roles other than its own of which a seat has seen the card.
func (s *State) known(seat game.Seat) (moles, agents game.Seats) {
	if s.Moles.Has(seat) && !s.Blind {
		moles = s.Moles.Without(seat)
	}
	seen := game.Seats(0)
	for i := range s.Plays[:s.PlayCount] {
		switch p := &s.Plays[i]; {
		case p.Card == Overheard && p.By == seat:
			seen = seen.With(p.At)
		case (p.Card == EstablishConfidence || p.Card == OpenUp) && p.At == seat:
			seen = seen.With(p.By)
		}
	}
	return moles | seen&s.Moles, seen &^ s.Moles
}

// peeked returns the members of mission m (1–5) whose card a seat has looked at.
func (s *State) peeked(seat game.Seat, m int8) game.Seats {
	var out game.Seats
	for i := range s.Plays[:s.PlayCount] {
		if p := &s.Plays[i]; p.Card == CloseEye && p.By == seat && p.Mission == m {
			out = out.With(p.At)
		}
	}
	return out
}
