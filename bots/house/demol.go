package house

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// plotView is what the strategy needs of De Mol's view.
type plotView struct {
	Attempt  int         `json:"attempt"`
	Mission  int         `json:"mission"`
	Proposed *game.Seats `json:"team"` // null before the proposal
	Missions []struct {
		FailsNeeded int        `json:"fails_needed"`
		Result      *string    `json:"result"`
		Fails       int        `json:"fails"`
		Team        game.Seats `json:"team"`
	} `json:"missions"`
	Seats []struct{} `json:"seats"`
	Votes []struct {
		Leader  game.Seat  `json:"leader"`
		Team    game.Seats `json:"team"`
		Approve []bool     `json:"approve"`
	} `json:"votes"`
	Me struct {
		Role  string               `json:"role"`
		Known map[game.Seat]string `json:"known"`
		Peeks []struct {
			At      game.Seat `json:"at"`
			Success bool      `json:"success"`
		} `json:"peeks"`
	} `json:"me"`
}

// plot is an action of De Mol.
type plot struct {
	Type    string     `json:"type"`
	Members game.Seats `json:"members"`
	Mission int        `json:"mission"`
	Approve bool       `json:"approve"`
	Success bool       `json:"success"`
	Play    bool       `json:"play"`
	To      *game.Seat `json:"to"`
	At      *game.Seat `json:"at"`
	From    *game.Seat `json:"from"`
}

// table is one seat's judgement: every set of moles it cannot rule out, with its weight.
type table struct {
	view plotView
	seat game.Seat
	mole bool
	team game.Seats // proposed
	sets []game.Seats
	odds []float64 // of sets; they sum to 1
}

// greedyDemol weighs every possible set of moles by the missions and votes seen. Agents send and approve the teams least
// likely to fail; moles want a mole on every team that looks clean otherwise, and fail what their cards can fail.
func greedyDemol(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	d := &table{seat: t.Seat}
	if err := json2.Unmarshal(t.View, &d.view); err != nil {
		return protocol.Answer{}, fmt.Errorf("view: %w", err)
	}
	d.mole = d.view.Me.Role == "mole"
	if d.view.Proposed != nil {
		d.team = *d.view.Proposed
	}
	d.weigh()
	if len(offer.List) == 0 {
		return d.propose(offer, rng)
	}
	return best(offer.List, rng, d.score)
}

// molesAt is the number of moles at a table of 5 to 10 (rules, table 1.1).
func molesAt(seats int) int {
	switch {
	case seats <= 6:
		return 2
	case seats <= 9:
		return 3
	}
	return 4
}

// weigh lists the possible sets of moles and their odds. Should nothing fit, which rules forbid, all are alike.
func (d *table) weigh() {
	n := len(d.view.Seats)
	sum := 0.0
	for m := game.Seats(0); m <= game.First(n); m++ {
		if m.Len() != molesAt(n) || m.Has(d.seat) != d.mole || d.contradicts(m) {
			continue
		}
		w := d.likelihood(m)
		d.sets, d.odds = append(d.sets, m), append(d.odds, w)
		sum += w
	}
	for i := range d.odds {
		if sum > 0 {
			d.odds[i] /= sum
		} else {
			d.odds[i] = 1 / float64(len(d.odds))
		}
	}
}

func (d *table) contradicts(m game.Seats) bool {
	for seat, role := range d.view.Me.Known {
		if m.Has(seat) != (role == "mole") {
			return true
		}
	}
	for _, p := range d.view.Me.Peeks {
		if !p.Success && !m.Has(p.At) {
			return true
		}
	}
	return false
}

// likelihood of what was seen if m are the moles: a mole fails seven missions of ten, and leans to teams with moles.
func (d *table) likelihood(m game.Seats) float64 {
	const fails = 0.7
	w := 1.0
	for _, mission := range d.view.Missions {
		if mission.Result == nil {
			continue
		}
		on := (mission.Team & m).Len()
		if mission.Fails > on {
			return 0
		}
		w *= float64(choose(on, mission.Fails))
		for k := range on {
			if k < mission.Fails {
				w *= fails
			} else {
				w *= 1 - fails
			}
		}
	}
	for _, vote := range d.view.Votes {
		for i, yes := range vote.Approve {
			seat := game.Seat(i) //nolint:gosec // a table has at most ten seats
			if seat == d.seat || !m.Has(seat) {
				continue
			}
			if yes == (vote.Team&m != 0) {
				w *= 1.15
			} else {
				w *= 0.85
			}
		}
	}
	return w
}

func choose(n, k int) int {
	out := 1
	for i := range k {
		out = out * (n - i) / (i + 1)
	}
	return out
}

// suspicion is the odds that a seat is a mole.
func (d *table) suspicion(seat game.Seat) (sum float64) {
	for i, m := range d.sets {
		if m.Has(seat) {
			sum += d.odds[i]
		}
	}
	return sum
}

// danger is the odds that a team has moles enough to fail a mission.
func (d *table) danger(team game.Seats, needed int) (sum float64) {
	for i, m := range d.sets {
		if (m & team).Len() >= needed {
			sum += d.odds[i]
		}
	}
	return sum
}

func (d *table) needed(mission int) int {
	if mission < 1 || mission > len(d.view.Missions) {
		return 1
	}
	return d.view.Missions[mission-1].FailsNeeded
}

// score says how much this seat likes an action.
func (d *table) score(a plot) float64 {
	switch a.Type {
	case "team":
		mission := a.Mission
		if mission == 0 {
			mission = d.view.Mission
		}
		return d.teamScore(a.Members, d.needed(mission))
	case "vote":
		return yes(a.Approve == d.approves())
	case "mission":
		return yes(a.Success != d.fails())
	case "no_confidence":
		return yes(a.Play == !d.approves())
	case "strong_leader":
		return yes(a.Play)
	}
	return d.cardScore(a)
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// teamScore: agents want no danger, and themselves aboard; moles want just the danger needed, by moles least suspect.
func (d *table) teamScore(team game.Seats, needed int) float64 {
	if !d.mole {
		return -d.danger(team, needed) + 0.05*yes(team.Has(d.seat))
	}
	known := d.friends()
	extra := (team & known).Len() - needed
	switch {
	case extra < 0:
		return -1 + 0.1*float64(extra)
	case team.Has(d.seat):
		return 1 - 0.1*float64(extra)
	}
	return 0.9 - 0.1*float64(extra)
}

// friends are the moles a mole knows, itself included.
func (d *table) friends() game.Seats {
	m := game.Only(d.seat)
	for seat, role := range d.view.Me.Known {
		if role == "mole" {
			m = m.With(seat)
		}
	}
	return m
}

// approves: a fifth rejection gives the match to the moles. Before, moles want a team they can fail, and agents one that
// is among the better ones of its size.
func (d *table) approves() bool {
	needed := d.needed(d.view.Mission)
	if d.mole {
		return d.view.Attempt < 5 && (d.team&d.friends()).Len() >= needed
	}
	if d.view.Attempt == 5 {
		return true
	}
	lowest, mean := d.ofSize(d.team.Len(), needed)
	return d.danger(d.team, needed) <= lowest+(mean-lowest)*0.35
}

// ofSize is the danger of the best team of a size, and of one drawn at random.
func (d *table) ofSize(size, needed int) (lowest, mean float64) {
	lowest = 1
	count := 0
	for team := game.Seats(0); team <= game.First(len(d.view.Seats)); team++ {
		if team.Len() == size {
			danger := d.danger(team, needed)
			lowest, mean, count = min(lowest, danger), mean+danger, count+1
		}
	}
	return lowest, mean / float64(max(count, 1))
}

// fails: a mole fails when the moles it knows on the team are enough.
func (d *table) fails() bool {
	return d.mole && (d.team&d.friends()).Len() >= d.needed(d.view.Mission)
}

// cardScore is for the plot cards. Trust goes to the least suspect; agents look at the most suspect, moles at those who
// are none. Declining comes last.
func (d *table) cardScore(a plot) float64 {
	switch {
	case a.At != nil && d.mole: // look, spotlight, close_eye
		return 1 - d.suspicion(*a.At)
	case a.At != nil:
		return d.suspicion(*a.At)
	case a.To != nil: // give, show
		return 1 - d.suspicion(*a.To)
	case a.From != nil: // take
		return d.suspicion(*a.From)
	}
	return -1
}

// propose names the best team where a list would be too long and forms stand for it.
func (d *table) propose(offer kit.Offer, rng *rand.Rand) (protocol.Answer, error) {
	var list []json.RawMessage
	for _, form := range offer.Forms {
		size, mission := 0, ""
		for _, f := range form.Fields {
			switch {
			case f.Name == "members":
				size = f.Choose
			case f.Name == "mission" && len(f.OneOf) > 0:
				mission = `,"mission":` + string(f.OneOf[0])
			}
		}
		for team := game.Seats(1); team <= game.First(len(d.view.Seats)); team++ {
			if team.Len() == size {
				list = append(list, json.RawMessage(fmt.Sprintf(`{"type":%q,"members":%s%s}`, form.Type, team.AppendJSON(nil), mission)))
			}
		}
	}
	answer, err := best(list, rng, d.score)
	if err != nil {
		return answer, err
	}
	return protocol.Answer{Action: list[*answer.Choose]}, nil
}
