package demol

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// Guess builds a state from a view alone, drawn as Resample draws. It draws the hidden things first, replays the votes
// and missions of the view by the rules and then holds its own view against the given one: a view that no match can show
// is refused with the place.
func (r Rules) Guess(c Config, seats int, seat game.Seat, v View, s *State, rnd *game.Rand) error {
	e, err := readEvidence(c, seats, seat, &v)
	if err != nil {
		return err
	}
	moles, failed, ok := e.draw(rnd)
	if !ok {
		return errors.New("at /missions: no set of moles fits the fails and the roles known")
	}
	leader := v.Leader
	if len(v.Votes) > 0 {
		leader = v.Votes[0].Leader
	}
	if !game.First(seats).Has(leader) {
		return fmt.Errorf("at /leader: there is no seat %d", leader)
	}
	s.start(c, seats, moles, leader)
	for i := range v.Votes {
		if err := s.replayVote(&v, i, &failed); err != nil {
			return fmt.Errorf("at /votes/%d: %w", i, err)
		}
	}
	if err := s.replayPhase(&v); err != nil {
		return err
	}
	if own := r.View(s, seat); !reflect.DeepEqual(own, v) {
		if at, why := difference("", plain(own), plain(v)); why != "" {
			return fmt.Errorf("at %s: %s", at, why)
		}
	}
	return nil
}

// readEvidence reads what bears on the hidden things, and only that.
func readEvidence(c Config, seats int, seat game.Seat, v *View) (e evidence, err error) {
	e.seats = seats
	table := game.First(seats)
	if (v.Me == nil) != (seat == game.Spectator) {
		return e, errors.New("at /me: belongs to the view of a seat, and to no other")
	}
	sure := func(at string, other game.Seat, role string) {
		switch {
		case !table.Has(other):
			err = fmt.Errorf("at %s: there is no seat %d", at, other)
		case role == mole:
			e.moles = e.moles.With(other)
		case role == agent:
			e.agents = e.agents.With(other)
		default:
			err = fmt.Errorf("at %s: want agent or mole, got %q", at, role)
		}
	}
	if v.Me != nil && v.Me.Seat != seat {
		return e, fmt.Errorf("at /me/seat: want %d, got %d", seat, v.Me.Seat)
	}
	if v.Me != nil {
		sure("/me/role", v.Me.Seat, v.Me.Role)
		for other := range game.Seat(game.MaxSeats) {
			if role, ok := v.Me.Known[other]; ok {
				sure("/me/known", other, role)
			}
		}
		if v.Me.Role == agent && len(v.Me.Known) > 0 || c.BlindMoles && len(v.Me.Known) > 0 {
			return e, errors.New("at /me/known: nobody has shown this seat a role")
		}
	}
	for i, role := range v.Roles {
		sure("/roles", game.Seat(min(i, game.MaxSeats)), role) //nolint:gosec // bounded
	}
	for i := range v.Missions {
		e.others[i] = v.Missions[i].Team.Without(seat)
		if f := v.Missions[i].Fails; f != nil {
			e.fails[i] = max(0, min(*f, seats))
		}
	}
	if err == nil && v.Me != nil {
		err = e.readPlayed(v.Me)
	}
	return e, err
}

// readPlayed takes the seat's own cards out of the counts.
func (e *evidence) readPlayed(me *Me) error {
	for i, card := range me.Played {
		if card.Mission < 1 || card.Mission > missions {
			return fmt.Errorf("at /me/played/%d/mission: want 1 to %d", i, missions)
		}
		m := card.Mission - 1
		if card.Success || e.failed[m] != 0 {
			continue
		}
		if me.Role == agent {
			return fmt.Errorf("at /me/played/%d/success: an agent plays success", i)
		}
		e.failed[m] = game.Only(me.Seat)
		if e.fails[m]--; e.fails[m] < 0 {
			return fmt.Errorf("at /missions/%d/fails: leaves out the seat's own fail", m)
		}
	}
	return nil
}

// replayVote plays up to and with vote i, and its mission unless the match waits for it.
func (s *State) replayVote(v *View, i int, failed *[missions]game.Seats) error {
	past := &v.Votes[i]
	s.skipTalk(0)
	if s.Phase != PhaseTeam {
		return errors.New("the match was over before")
	}
	if err := s.replayTeam(past.Team, past.Mission); err != nil {
		return err
	}
	s.skipTalk(0)
	if len(past.Approve) != int(s.Seats) {
		return fmt.Errorf("approve: want %d votes, got %d", s.Seats, len(past.Approve))
	}
	var acts []game.Act[Action]
	for seat := range s.seats().Each() {
		acts = append(acts, game.Act[Action]{Seat: seat, Action: Action{Kind: ActVote, Yes: past.Approve[seat]}})
	}
	Rules{}.Apply(s, acts, nil, nil)
	if s.Phase != PhaseMission || i == len(v.Votes)-1 && v.Phase == PhaseMission.String() {
		return nil
	}
	acts = acts[:0]
	for seat := range s.Team.Each() {
		acts = append(acts, game.Act[Action]{Seat: seat, Action: Action{Kind: ActMission, Yes: !failed[s.Mission-1].Has(seat)}})
	}
	Rules{}.Apply(s, acts, nil, nil)
	return nil
}

// replayTeam proposes if that is legal.
func (s *State) replayTeam(team game.Seats, mission int8) error {
	a := Action{Kind: ActTeam, Members: team, Mission: s.asked(mission)}
	if err := (Rules{}).Legal(s, s.Leader, a); err != nil {
		return err
	}
	Rules{}.Apply(s, []game.Act[Action]{{Seat: s.Leader, Action: a}}, nil, nil)
	return nil
}

// replayPhase goes from the last vote on to the phase of the view.
func (s *State) replayPhase(v *View) error {
	if s.Phase == PhaseMission || s.Phase == PhaseOver {
		return nil
	}
	if v.Phase == PhaseTalk.String() {
		s.skipTalk(v.TalkLeft)
		return nil
	}
	s.skipTalk(0)
	if v.Phase == PhaseTeam.String() {
		return nil
	}
	if v.Team == nil || v.Mission == nil {
		return fmt.Errorf("at /team: phase %q has a team and a mission", v.Phase)
	}
	if err := s.replayTeam(*v.Team, *v.Mission); err != nil {
		return fmt.Errorf("at /team: %w", err)
	}
	if v.Phase == PhaseVoteTalk.String() {
		s.skipTalk(v.TalkLeft)
		return nil
	}
	s.skipTalk(0)
	return nil
}

// skipTalk talks until so many rounds are left, or it is over.
func (s *State) skipTalk(left int8) {
	for s.wants() == ActTalk && s.TalkLeft > left {
		Rules{}.Apply(s, nil, nil, nil)
	}
}

// plain is v as JSON values.
func plain(v View) (out any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		panic(fmt.Sprintf("demol: a view is not JSON: %v", err))
	}
	return out
}

// difference is the first place where got is not what the rules give, and how.
func difference(at string, want, got any) (place, why string) {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		keys := make([]string, 0, len(want)+len(got))
		for key := range want {
			keys = append(keys, key)
		}
		for key := range got {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			if place, why := difference(at+"/"+key, want[key], got[key]); why != "" {
				return place, why
			}
		}
		return "", ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(want) != len(got) {
			break
		}
		for i := range want {
			if place, why := difference(at+"/"+strconv.Itoa(i), want[i], got[i]); why != "" {
				return place, why
			}
		}
		return "", ""
	}
	if reflect.DeepEqual(want, got) {
		return "", ""
	}
	return at, fmt.Sprintf("the rules give %s here, not %s", short(want), short(got))
}

// short is a JSON value on one line, cut.
func short(v any) string {
	b, err := json.Marshal(v)
	if err != nil || len(b) > 60 {
		return "another value"
	}
	return string(b)
}
