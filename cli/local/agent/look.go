package agent

import (
	"encoding/json"

	"github.com/molerun/molerun/engines/game"
)

// maxActions is how many actions one look shows.
const maxActions = 200

// look is all that the model's seat may know, and all that it may do.
type look struct {
	Match   string   `json:"match" jsonschema:"name the match by this in look and act"`
	Game    string   `json:"game"`
	Seat    int      `json:"seat" jsonschema:"your seat, from 0"`
	Step    int      `json:"step" jsonschema:"repeat it in act"`
	State   string   `json:"state" jsonschema:"your_turn or over"`
	Talk    bool     `json:"talk" jsonschema:"whether act may say words to the table"`
	Words   string   `json:"words" jsonschema:"what your seat sees"`
	Events  []any    `json:"events" jsonschema:"what your seat was told since its last turn"`
	Actions []choice `json:"actions" jsonschema:"legal actions: all of them in pages, or examples where there are forms"`
	More    int      `json:"more" jsonschema:"how many actions come after these; look with from shows them"`
	Forms   []any    `json:"forms,omitempty" jsonschema:"each combination of the fields of a form is a legal action: one_of, choose so many different members of, or a whole number from min to max; a domain describes values beyond those listed"`
	Outcome *outcome `json:"result,omitempty" jsonschema:"at the end"`
	Players []string `json:"players" jsonschema:"who sits where; you are you"`
}

// choice is a legal action.
type choice struct {
	Choose int `json:"choose" jsonschema:"the number to give to act"`
	Action any `json:"action"`
}

// outcome is how a match ended, by seat.
type outcome struct {
	Rank   []int     `json:"rank" jsonschema:"by seat; 1 is best, ties share"`
	Points []float64 `json:"points"`
	Team   []string  `json:"team,omitempty"`
	Why    string    `json:"why"`
}

// look describes how the match stands; the caller has waited. It lists actions from the one of that number on.
func (m *match) look(from int) (look, error) {
	l := look{Match: m.id, Game: m.engine.Info().ID, Seat: int(m.seat), Step: m.table.Step(), State: "over", Talk: m.engine.Info().Talk, Events: []any{}, Actions: []choice{}, Players: m.players}
	var err error
	if l.Words, err = m.table.Describe(m.seat); err != nil {
		return l, err
	}
	if r, over := m.table.Result(); over {
		l.Outcome = &outcome{
			Rank:   r.Rank,
			Points: r.Points,
			Team:   r.Team,
			Why:    r.Why,
		}
		return l, nil
	}
	l.State = "your_turn"
	for _, e := range m.turn.Events {
		l.Events = append(l.Events, e)
	}
	var offer struct {
		List, Forms, Examples []json.RawMessage
	}
	if err := json.Unmarshal(m.turn.Offer, &offer); err != nil {
		return l, err
	}
	for _, f := range offer.Forms {
		l.Forms = append(l.Forms, f)
	}
	list := append(offer.List, offer.Examples...)
	for k := min(max(0, from), len(list)); k < len(list); k++ {
		if len(l.Actions) == maxActions {
			l.More = len(list) - k
			break
		}
		l.Actions = append(l.Actions, choice{k, list[k]})
	}
	return l, nil
}

// seatsOf returns the size of a table: what was asked for, or room for the named opponents and the model.
func seatsOf(info game.Info, asked, opponents int) int {
	if asked != 0 {
		return asked
	}
	return max(info.MinSeats, opponents+1)
}
