package director

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// paired is a round as JSON. Entries are numbers; a game knows its match.
type paired struct {
	Blocks   []pairedBlock `json:"blocks"`
	Byes     []int         `json:"byes,omitempty"`
	Absent   []absence     `json:"absent,omitempty"`
	Forfeits []forfeit     `json:"forfeits,omitempty"`
	Final    bool          `json:"final,omitempty"`
	Seeds    []int         `json:"seeds,omitempty"`
	Places   []int         `json:"places,omitempty"`
	Groups   [][]int       `json:"groups,omitempty"`
	Left     []int         `json:"left,omitempty"`
	Changes  []change      `json:"changes,omitempty"`
	Before   []int         `json:"before,omitempty"`
}

// change is [pairing.Change].
type change struct {
	ByID   string    `json:"by_id"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
	Tables [][]int   `json:"tables"`
	Byes   []int     `json:"byes,omitempty"`
}

type pairedBlock struct {
	Tie   int          `json:"tie,omitempty"`
	Name  string       `json:"name,omitempty"`
	Games []pairedGame `json:"games"`
}

type pairedGame struct {
	Match string `json:"match,omitempty"`
	Seats []int  `json:"seats"`
}

type absence struct {
	Entry int    `json:"entry"`
	Why   string `json:"why"`
}

type forfeit struct {
	Tie    int    `json:"tie,omitempty"`
	Winner int    `json:"winner"`
	Loser  int    `json:"loser"`
	Why    string `json:"why"`
}

// newPaired returns a round whose games are the matches of ids, in order; of a round that is planned there are none.
func newPaired(r pairing.Round, ids []string) paired {
	out := paired{
		Byes:   r.Byes,
		Final:  r.Final,
		Seeds:  r.Seeds,
		Places: r.Places,
		Groups: r.Groups,
		Left:   r.Left,
		Before: r.Before,
		Blocks: []pairedBlock{},
	}
	for _, b := range r.Blocks {
		block := pairedBlock{Tie: b.Tie, Name: b.Name}
		for _, g := range b.Games {
			game := pairedGame{Seats: g.Seats}
			if len(ids) > 0 {
				game.Match, ids = ids[0], ids[1:]
			}
			block.Games = append(block.Games, game)
		}
		out.Blocks = append(out.Blocks, block)
	}
	for _, a := range r.Absent {
		out.Absent = append(out.Absent, absence(a))
	}
	for _, x := range r.Changes {
		out.Changes = append(out.Changes, change(x))
	}
	for _, f := range r.Forfeits {
		out.Forfeits = append(out.Forfeits, forfeit(f))
	}
	return out
}

func (p paired) text() (string, error) {
	text, err := json.Marshal(p)
	return string(text), err
}

// round returns the round with results of its matches, and their ids in order; a game that is only planned has none.
func (p paired) round(results map[string]*pairing.Result) (pairing.Round, []string, error) {
	var out pairing.Round
	var ids []string
	out.Byes = p.Byes
	out.Final = p.Final
	out.Seeds = p.Seeds
	out.Places = p.Places
	out.Groups = p.Groups
	out.Left = p.Left
	out.Before = p.Before
	for _, b := range p.Blocks {
		block := pairing.Block{Tie: b.Tie, Name: b.Name}
		for _, g := range b.Games {
			result, ok := results[g.Match]
			if !ok && g.Match != "" {
				return out, nil, fmt.Errorf("there is no match %s", g.Match)
			}
			block.Games = append(block.Games, pairing.Game{Seats: g.Seats, Result: result})
			ids = append(ids, g.Match)
		}
		out.Blocks = append(out.Blocks, block)
	}
	for _, a := range p.Absent {
		out.Absent = append(out.Absent, pairing.Absence(a))
	}
	for _, x := range p.Changes {
		out.Changes = append(out.Changes, pairing.Change(x))
	}
	for _, f := range p.Forfeits {
		out.Forfeits = append(out.Forfeits, pairing.Forfeit(f))
	}
	return out, ids, nil
}

// matches returns the ids of the matches of a round, in order.
func (p paired) matches() []string {
	var ids []string
	for _, b := range p.Blocks {
		for _, g := range b.Games {
			ids = append(ids, g.Match)
		}
	}
	return ids
}

// pairedOf reads a round.
func pairedOf(r store.Round) (paired, error) {
	var p paired
	if err := json.Unmarshal([]byte(r.Pairing), &p); err != nil {
		return paired{}, fmt.Errorf("tournament %s round %d: %w", r.TournamentID, r.Number, err)
	}
	return p, nil
}

// roundOf returns a round with the results of its matches, and their ids in order.
func roundOf(r store.Round, results map[string]*pairing.Result) (pairing.Round, []string, error) {
	p, err := pairedOf(r)
	if err != nil {
		return pairing.Round{}, nil, err
	}
	out, ids, err := p.round(results)
	if err != nil {
		err = fmt.Errorf("tournament %s round %d: %w", r.TournamentID, r.Number, err)
	}
	return out, ids, err
}

// A plan is the rounds that a format fixes ahead. It follows from the seed and the entries, but may take seconds to find, too
// long for the transaction that ends a round.

// keepPlan keeps the rounds that a tournament will make, in the place of what was kept before.
func (tx *txn) keepPlan(tournamentID string, rounds []pairing.Round) error {
	text, err := json.Marshal(each(rounds, func(r pairing.Round) paired { return newPaired(r, nil) }))
	if err != nil {
		return err
	}
	return tx.KeepPlan(tournamentID, string(text))
}

// plan returns what was kept; nil if nothing was.
func (tx *txn) plan(tournamentID string) ([]pairing.Round, error) {
	text, err := tx.Plan(tournamentID)
	if err != nil || text == "" {
		return nil, err
	}
	var list []paired
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("tournament %s: plan: %w", tournamentID, err)
	}
	out := make([]pairing.Round, len(list))
	for i, p := range list {
		if out[i], _, err = p.round(nil); err != nil {
			return nil, fmt.Errorf("tournament %s: plan: %w", tournamentID, err)
		}
	}
	return out, nil
}
