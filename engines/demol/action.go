package demol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	ActStrongLeader
	ActGive
	ActLook
	ActShow
	ActTake
	ActNoConfidence
	ActSpotlight
	ActCloseEye
	kindEnd
)

var kindNames = [kindEnd]string{
	"nothing", "talk", "team", "vote", "mission", "strong_leader", "give", "look", "show", "take", "no_confidence", "spotlight",
	"close_eye",
}

// boolKeys and seatKeys are the keys of the kinds that say yes or no, and that name one seat.
var (
	boolKeys = [kindEnd]string{ActVote: "approve", ActMission: "success", ActStrongLeader: "play", ActNoConfidence: "play"}
	seatKeys = [kindEnd]string{ActGive: "to", ActLook: "at", ActShow: "to", ActTake: "from", ActSpotlight: "at", ActCloseEye: "at"}
)

// declines tells the kinds whose seat may be null.
func (k Kind) declines() bool { return k == ActSpotlight || k == ActCloseEye }

// String is the word on the wire.
func (k Kind) String() string { return kindNames[min(k, kindEnd)%kindEnd] }

// Action is one decision. Its parts are grouped so that it travels in registers: the compiler takes four fields a struct.
type Action struct {
	Kind Kind
	Yes  bool // vote: approve; mission: success; strong_leader, no_confidence: play
	Proposal
	Target
}

// Proposal is what a team action names.
type Proposal struct {
	Mission int8 // under targeting: 1–5
	Members game.Seats
}

// Target is what the actions with plot cards name.
type Target struct {
	Card Card      // give, take
	Seat game.Seat // give, show: to; look, spotlight, close_eye: at; take: from. Spectator declines
}

// AppendJSON writes the action as it is on the wire.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Kind.String()...), '"')
	kind := min(a.Kind, kindEnd) % kindEnd
	if kind == ActTeam {
		b = a.Members.AppendJSON(append(b, `,"members":`...))
		if a.Mission != 0 {
			b = strconv.AppendInt(append(b, `,"mission":`...), int64(a.Mission), 10)
		}
	}
	if kind == ActGive {
		b = a.appendCard(b)
	}
	if key := boolKeys[kind]; key != "" {
		b = strconv.AppendBool(append(append(append(b, `,"`...), key...), `":`...), a.Yes)
	}
	if key := seatKeys[kind]; key != "" {
		b = append(append(append(b, `,"`...), key...), `":`...)
		if a.Seat == game.Spectator {
			b = append(b, `null`...)
		} else {
			b = strconv.AppendInt(b, int64(a.Seat), 10)
		}
	}
	if kind == ActTake {
		b = a.appendCard(b)
	}
	return append(b, '}')
}

func (a Action) appendCard(b []byte) []byte {
	return append(append(append(b, `,"card":"`...), a.Card.String()...), '"')
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

// wireAction is an action of any type as it is read.
type wireAction struct {
	Type    string            `json:"type"`
	Members given[game.Seats] `json:"members,omitempty"`
	Mission given[int8]       `json:"mission,omitempty"`
	Approve given[bool]       `json:"approve,omitempty"`
	Success given[bool]       `json:"success,omitempty"`
	Play    given[bool]       `json:"play,omitempty"`
	Card    given[string]     `json:"card,omitempty"`
	To      given[game.Seat]  `json:"to,omitempty"`
	From    given[game.Seat]  `json:"from,omitempty"`
	At      given[*game.Seat] `json:"at,omitempty"`
}

// UnmarshalJSON reads an action strictly: the keys of its type, all of them and no others. Whether mission belongs to a
// team is for Legal to say.
func (a *Action) UnmarshalJSON(b []byte) error {
	var w wireAction
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	kind := ActTalk
	for ; kind.String() != w.Type; kind++ {
		if kind == kindEnd-1 {
			return fmt.Errorf("at /type: want one of %s, got %q", strings.Join(kindNames[1:], ", "), w.Type)
		}
	}
	if err := w.keys(kind); err != nil {
		return err
	}
	out := Action{
		Kind: kind, Yes: w.Approve.value || w.Success.value || w.Play.value, Proposal: Proposal{w.Mission.value, w.Members.value},
		Target: Target{Seat: w.To.value + w.From.value},
	}
	if w.Mission.set && (w.Mission.value < 1 || w.Mission.value > missions) {
		return errors.New("at /mission: want 1 to 5")
	}
	if w.Card.set {
		if out.Card = cardNamed(w.Card.value); out.Card == NoCard {
			return fmt.Errorf("at /card: there is no card %q", w.Card.value)
		}
	}
	if w.At.set && w.At.value == nil && !kind.declines() {
		return errors.New("at /at: must not be null")
	}
	if w.At.set {
		if out.Seat = game.Spectator; w.At.value != nil {
			out.Seat = *w.At.value
		}
	}
	if seat := out.Seat; (w.To.set || w.From.set || w.At.value != nil) && (seat < 0 || seat >= MaxSeats) {
		return fmt.Errorf("at /%s: want a seat 0 to %d, got %d", seatKeys[kind], MaxSeats-1, seat)
	}
	*a = out
	return nil
}

// keys holds the keys given against those of the kind.
func (w *wireAction) keys(kind Kind) error {
	for _, key := range []struct {
		name     string
		set      bool
		belongs  bool
		optional bool
	}{
		{"members", w.Members.set, kind == ActTeam, false},
		{"mission", w.Mission.set, kind == ActTeam, true},
		{"approve", w.Approve.set, boolKeys[kind] == "approve", false},
		{"success", w.Success.set, boolKeys[kind] == "success", false},
		{"play", w.Play.set, boolKeys[kind] == "play", false},
		{"card", w.Card.set, kind == ActGive || kind == ActTake, false},
		{"to", w.To.set, seatKeys[kind] == "to", false},
		{"from", w.From.set, seatKeys[kind] == "from", false},
		{"at", w.At.set, seatKeys[kind] == "at", false},
	} {
		if key.set && !key.belongs {
			return fmt.Errorf("at /%s: does not belong to type %s", key.name, kind)
		}
		if !key.set && key.belongs && !key.optional {
			return fmt.Errorf("at /%s: is missing", key.name)
		}
	}
	return nil
}
