package demol

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Kind is the type of an action.
type Kind uint8

// The kinds; the zero Kind is no action.
const (
	ActTalk Kind = iota + 1
	ActTeam
	ActVote
	ActMission
)

var kindNames = [...]string{"nothing", "talk", "team", "vote", "mission"}

// String is the word on the wire.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// Action is one decision.
type Action struct {
	Kind    Kind
	Yes     bool       // vote: approve; mission: success
	Mission int8       // team, under targeting: 1–5
	Members game.Seats // team
}

// AppendJSON writes the action as it is on the wire.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Kind.String()...), '"')
	switch a.Kind {
	case ActTeam:
		b = a.Members.AppendJSON(append(b, `,"members":`...))
		if a.Mission != 0 {
			b = strconv.AppendInt(append(b, `,"mission":`...), int64(a.Mission), 10)
		}
	case ActVote:
		b = strconv.AppendBool(append(b, `,"approve":`...), a.Yes)
	case ActMission:
		b = strconv.AppendBool(append(b, `,"success":`...), a.Yes)
	}
	return append(b, '}')
}

// MarshalJSON writes the action as it is on the wire.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// given is a key that may be left out but not be null.
type given[T any] struct {
	set   bool
	value T
}

func (g *given[T]) UnmarshalJSON(b []byte) error {
	g.set = true
	return strict.Decode(b, &g.value)
}

// UnmarshalJSON reads an action strictly: the keys of its type, all of them and no others. Whether mission belongs to a
// team is for Legal to say.
func (a *Action) UnmarshalJSON(b []byte) error {
	var w struct {
		Type    string            `json:"type"`
		Members given[game.Seats] `json:"members,omitempty"`
		Mission given[int8]       `json:"mission,omitempty"`
		Approve given[bool]       `json:"approve,omitempty"`
		Success given[bool]       `json:"success,omitempty"`
	}
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	kind := ActTalk
	for ; kind.String() != w.Type; kind++ {
		if int(kind) == len(kindNames)-1 {
			return fmt.Errorf("at /type: want talk, team, vote or mission, got %q", w.Type)
		}
	}
	for _, key := range []struct {
		name     string
		of       Kind
		set, opt bool
	}{
		{"members", ActTeam, w.Members.set, false},
		{"mission", ActTeam, w.Mission.set, true},
		{"approve", ActVote, w.Approve.set, false},
		{"success", ActMission, w.Success.set, false},
	} {
		if key.set && key.of != kind {
			return fmt.Errorf("at /%s: does not belong to type %s", key.name, kind)
		}
		if !key.set && !key.opt && key.of == kind {
			return fmt.Errorf("at /%s: is missing", key.name)
		}
	}
	if w.Mission.set && (w.Mission.value < 1 || w.Mission.value > missions) {
		return errors.New("at /mission: want 1 to 5")
	}
	*a = Action{Kind: kind, Yes: w.Approve.value || w.Success.value, Mission: w.Mission.value, Members: w.Members.value}
	return nil
}
