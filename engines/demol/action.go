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

// String returns the word on the wire.
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
			b = game.AppendNumber(b, "mission", a.Mission)
		}
	}
	if kind == ActGive {
		b = game.AppendWord(b, "card", a.Card.String())
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
		b = game.AppendWord(b, "card", a.Card.String())
	}
	return append(b, '}')
}

// MarshalJSON writes the action as it is on the wire.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// wireAction is an action of any type as it is read.
type wireAction struct {
	Type    string                   `json:"type"`
	Members strict.Given[game.Seats] `json:"members,omitempty"`
	Mission strict.Given[int8]       `json:"mission,omitempty"`
	Approve strict.Given[bool]       `json:"approve,omitempty"`
	Success strict.Given[bool]       `json:"success,omitempty"`
	Play    strict.Given[bool]       `json:"play,omitempty"`
	Card    strict.Given[string]     `json:"card,omitempty"`
	To      strict.Given[game.Seat]  `json:"to,omitempty"`
	From    strict.Given[game.Seat]  `json:"from,omitempty"`
	At      strict.Given[*game.Seat] `json:"at,omitempty"`
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
		Kind: kind, Yes: w.Approve.Value || w.Success.Value || w.Play.Value, Proposal: Proposal{w.Mission.Value, w.Members.Value},
		Target: Target{Seat: w.To.Value + w.From.Value},
	}
	if w.Mission.Set && (w.Mission.Value < 1 || w.Mission.Value > missions) {
		return errors.New("at /mission: want 1 to 5")
	}
	if w.Card.Set {
		if out.Card = cardNamed(w.Card.Value); out.Card == NoCard {
			return fmt.Errorf("at /card: there is no card %q", w.Card.Value)
		}
	}
	if w.At.Set && w.At.Value == nil && !kind.declines() {
		return errors.New("at /at: must not be null")
	}
	if w.At.Set {
		if out.Seat = game.Spectator; w.At.Value != nil {
			out.Seat = *w.At.Value
		}
	}
	if seat := out.Seat; (w.To.Set || w.From.Set || w.At.Value != nil) && (seat < 0 || seat >= MaxSeats) {
		return fmt.Errorf("at /%s: want a seat 0 to %d, got %d", seatKeys[kind], MaxSeats-1, seat)
	}
	*a = out
	return nil
}

// keys holds the keys given against those of the kind.
func (w *wireAction) keys(kind Kind) error {
	return strict.Keys("type "+kind.String(), []strict.Key{
		{Name: "members", Set: w.Members.Set, Belongs: kind == ActTeam},
		{Name: "mission", Set: w.Mission.Set, Belongs: kind == ActTeam, Loose: true},
		{Name: "approve", Set: w.Approve.Set, Belongs: boolKeys[kind] == "approve"},
		{Name: "success", Set: w.Success.Set, Belongs: boolKeys[kind] == "success"},
		{Name: "play", Set: w.Play.Set, Belongs: boolKeys[kind] == "play"},
		{Name: "card", Set: w.Card.Set, Belongs: kind == ActGive || kind == ActTake},
		{Name: "to", Set: w.To.Set, Belongs: seatKeys[kind] == "to"},
		{Name: "from", Set: w.From.Set, Belongs: seatKeys[kind] == "from"},
		{Name: "at", Set: w.At.Set, Belongs: seatKeys[kind] == "at"},
	})
}
