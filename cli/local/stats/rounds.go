package stats

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/engines/game"
)

// rounds counts the rounds of Mole by who has won them, mole, mignettes or tie, and by how they ended. Other games have
// none.
type rounds struct{ Winners, Whys map[string]int }

// heard is what the events of one match say beside its result.
type heard struct {
	rounds rounds
	first  game.Seat // that took the first turn; [game.Spectator] where the game's events do not say
}

// watched is a table whose events are heard.
type watched struct {
	game.Table
	heard *heard
}

// Apply plays the turns and reads the events.
func (w watched) Apply(turns []game.Turn) ([]game.Event, error) {
	events, err := w.Table.Apply(turns)
	for _, e := range events {
		if err := w.heard.hear(e.Data); err != nil {
			return events, err
		}
	}
	return events, err
}

func (h *heard) hear(event json.RawMessage) error {
	var e struct {
		Kind   string          `json:"kind"`
		Winner string          `json:"winner"`
		Why    string          `json:"why"`
		Seat   json.RawMessage `json:"seat"` // of other kinds it may be more than one
	}
	if err := json2.Unmarshal(event, &e); err != nil {
		return fmt.Errorf("event: %w", err)
	}
	switch {
	case e.Kind == "round" && e.Winner != "":
		h.rounds.add(rounds{map[string]int{e.Winner: 1}, map[string]int{e.Why: 1}})
	case e.Kind == "turn" && h.first == game.Spectator:
		if err := json2.Unmarshal(e.Seat, &h.first); err != nil {
			return fmt.Errorf("event %s: %w", event, err)
		}
	}
	return nil
}

func (r *rounds) add(more rounds) {
	if r.Winners == nil {
		r.Winners, r.Whys = map[string]int{}, map[string]int{}
	}
	for winner, n := range more.Winners {
		r.Winners[winner] += n
	}
	for why, n := range more.Whys {
		r.Whys[why] += n
	}
}

// roundsSection is a line for each bot whose game has rounds: who wins them, ties aside, and how they end.
func roundsSection(b *strings.Builder, lines []Line) {
	head := "\nRounds: the share that the mole wins is of those not tied; the ends are shares of all.\n\n| bot | rounds | mole wins | ties | ends |\n|---|---|---|---|---|\n"
	for i := range lines {
		r := &lines[i].Rounds
		decided := r.Winners["mole"] + r.Winners["mignettes"]
		all := decided + r.Winners["tie"]
		if all == 0 {
			continue
		}
		var ends []string
		for _, why := range slices.Sorted(maps.Keys(r.Whys)) {
			ends = append(ends, fmt.Sprintf("`%s` %.1f", why, 100*float64(r.Whys[why])/float64(all)))
		}
		fmt.Fprintf(b, "%s| %s | %d | %s | %s | %s |\n", head, lines[i].Bot, all, share(r.Winners["mole"], decided), share(r.Winners["tie"], all), strings.Join(ends, ", "))
		head = ""
	}
}
