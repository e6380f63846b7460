package demol

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// replay plays the match of a view again. The view is the record: its votes and plays say what was decided, the state
// played so far says how much of them is done. What is hidden has been drawn before.
type replay struct {
	v      *View
	s      *State
	failed [missions]game.Seats
	gifts  []gift // every plot card given so far, in order
	given  int
}

var errRecord = errors.New("the record leads to no such phase")

// run plays from the deal to the moment of the view.
func (x *replay) run() error {
	binds := x.s.PassBinds
	x.s.PassBinds = false // the view tells who has passed; the order of the gifts of a round, which decides it too, is open
	x.s.advance(phaseStrongLeader, nil)
	for !x.there() {
		if x.s.Phase == phaseOver {
			return fmt.Errorf("at %s: the match was over before", x.record())
		}
		var acts []game.Act[Action]
		for seat := range (Rules{}).Due(x.s).Each() {
			a, at, err := x.decide(seat)
			if err == nil {
				err = Rules{}.Legal(x.s, seat, a)
			}
			if err != nil {
				return fmt.Errorf("at %s: %w", at, err)
			}
			acts = append(acts, game.Act[Action]{Seat: seat, Action: a})
		}
		Rules{}.Apply(x.s, acts, nil, nil)
	}
	x.s.PassBinds = binds
	return x.readPassed()
}

// readPassed takes the seats that are asked no more in this round.
func (x *replay) readPassed() error {
	if !x.s.PassBinds {
		return nil
	}
	if windowCard[x.s.Phase] != NoCard && x.v.Passed.Has(x.s.Asked) {
		return fmt.Errorf("at /passed: seat %d is asked", x.s.Asked)
	}
	if x.v.Passed&^x.s.seats() != 0 {
		return fmt.Errorf("at /passed: want seats 0 to %d", x.s.Seats-1)
	}
	x.s.Passed = x.v.Passed
	return nil
}

// there reports whether the whole record is played and the phase of the view is reached.
func (x *replay) there() bool {
	s, v := x.s, x.v
	switch {
	case int(s.VoteCount) != len(v.Votes) || int(s.PlayCount) != len(v.Plays) || x.given != len(x.gifts) || s.Phase.String() != v.Phase:
		return false
	case s.wants() == ActTalk:
		return s.TalkLeft == v.TalkLeft
	case windowCard[s.Phase] != NoCard:
		return v.Due == game.Only(s.Asked)
	}
	return true
}

// record returns the place of the next vote or play that is not done.
func (x *replay) record() string {
	if int(x.s.VoteCount) < len(x.v.Votes) {
		return fmt.Sprintf("/votes/%d", x.s.VoteCount)
	}
	return x.nextPlay()
}

func (x *replay) nextPlay() string {
	if int(x.s.PlayCount) < len(x.v.Plays) {
		return fmt.Sprintf("/plays/%d", x.s.PlayCount)
	}
	return "/phase"
}

// decide returns what a seat did, and where the view says so.
func (x *replay) decide(seat game.Seat) (Action, string, error) {
	s := x.s
	a := Action{Kind: s.wants()}
	at := x.nextPlay()
	var err error
	switch a.Kind {
	case ActTeam:
		a.Members, a.Mission, at, err = x.team()
	case ActVote:
		at = x.record()
		a.Yes, err = x.approve(seat)
	case ActMission:
		a.Yes = !x.failed[s.Mission-1].Has(seat)
	case ActGive:
		if x.given == len(x.gifts) {
			return a, at, errRecord
		}
		a.Card, a.Seat = x.gifts[x.given].card, x.gifts[x.given].to
		x.given++
	case ActLook, ActShow, ActTake:
		p, ok := x.play(s.Card)
		if !ok || p.At == nil {
			return a, at, errRecord
		}
		if a.Seat = *p.At; a.Kind == ActTake && p.Taken != nil {
			a.Card = cardNamed(*p.Taken)
		}
	case ActStrongLeader, ActNoConfidence:
		_, a.Yes = x.play(windowCard[s.Phase])
	case ActSpotlight, ActCloseEye:
		a.Seat = game.Spectator
		if p, ok := x.play(windowCard[s.Phase]); ok && p.At != nil {
			a.Seat = *p.At
		}
	default: // talk says nothing
	}
	return a, at, err
}

// team returns what the leader proposes: the team, the mission, and where the view says so.
func (x *replay) team() (game.Seats, int8, string, error) {
	s, v := x.s, x.v
	if at := x.record(); int(s.VoteCount) < len(v.Votes) {
		vote := &v.Votes[s.VoteCount]
		return vote.Team, s.asked(vote.Mission), at, nil
	}
	if v.Team == nil || v.Mission == nil {
		return 0, 0, "/team", fmt.Errorf("phase %q has a team and a mission", v.Phase)
	}
	return *v.Team, s.asked(*v.Mission), "/team", nil
}

// approve returns how a seat votes. The votes of opinion makers are public before the vote is over.
func (x *replay) approve(seat game.Seat) (bool, error) {
	s, v := x.s, x.v
	if int(s.VoteCount) < len(v.Votes) {
		votes := v.Votes[s.VoteCount].Approve
		if len(votes) != int(s.Seats) {
			return false, fmt.Errorf("approve: want %d votes, got %d", s.Seats, len(votes))
		}
		return votes[seat], nil
	}
	if yes, ok := v.OpenVotes[seat]; ok && s.Phase == phaseVoteOpen {
		return yes, nil
	}
	return false, errRecord
}

// play returns the next play, if it is of this card by the seat asked, now.
func (x *replay) play(card Card) (*playView, bool) {
	s := x.s
	if int(s.PlayCount) >= len(x.v.Plays) {
		return nil, false
	}
	p := &x.v.Plays[s.PlayCount]
	return p, p.Card == card.String() && p.By == s.Asked && p.Round == s.Round && p.Attempt == s.Attempt
}
