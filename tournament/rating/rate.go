package rating

import (
	"fmt"
	"math"
	"slices"
)

// Rate returns what match m changes: one Delta for each player who sat in it, by ascending player. Two seats are rated by
// Elo; more seats without teams by Elo over all pairs, scaled by 3/(seats+1); two teams by the difference of their mean
// ratings. Changes are rounded to a thousandth of an Elo, half away from zero. The sum of the changes is 0, but for
// rounding, when all have the same K and no team player retired.
//
// A version that holds several seats gets the sum of their changes and counts the match once. A void match, and one in
// which a single version holds every seat, changes nothing and is not counted.
//
// A retired seat is rated where [Placing] puts it. In a team game a retired seat is rated as having lost, whatever its
// team did, and the seats that did not retire are not rated at all: their result was shaped by a stand-in.
func Rate(m Match, players []State, p Params) ([]Delta, error) {
	if err := check(m, players, p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMatch, err)
	}
	deltas := seated(m.Seats, players)
	if m.Void || len(deltas) < 2 {
		return deltas, nil
	}
	lines, scale := ranked(m.Seats, players, p)
	if m.Teams() {
		lines, scale = teamed(m.Seats, players, p)
	}
	for i := range deltas {
		deltas[i].settle(m.Seats, lines, scale, p)
	}
	return deltas, nil
}

// seated returns an empty delta for each distinct player, ascending.
func seated(seats []Seat, players []State) []Delta {
	ids := make([]int, len(seats))
	for i, s := range seats {
		ids[i] = s.Player
	}
	slices.Sort(ids)
	var out []Delta
	for _, id := range slices.Compact(ids) {
		out = append(out, Delta{Player: id, Before: players[id], After: players[id]})
	}
	return out
}

// line is one seat's share in a match: its change is K·scale·weight·(score−expected). Weight 0 is an unrated seat. All
// are multiples of 2^-40 and small, so that their sums and products are exact and the order of seats cannot matter.
type line struct{ expected, score, weight float64 }

func (d *Delta) settle(seats []Seat, lines []line, scale float64, p Params) {
	gain, rated := 0.0, false
	for i, l := range lines {
		if seats[i].Player != d.Player || l.weight == 0 {
			continue
		}
		rated = true
		d.Expected += l.expected
		d.Score += l.score
		gain += float64(l.weight * (l.score - l.expected))
	}
	if !rated {
		return
	}
	if d.K = p.FixedK; d.K == 0 {
		d.K = p.Rule.Gain(d.Before.Games)
	}
	d.Change = Milli(math.Round(1000 * d.K * scale * gain)) // math.Round: half away from zero
	d.After = State{d.Before.Rating + d.Change, d.Before.Games + 1}
}

// ranked compares every pair of seats; for two seats the scale is 1 and this is plain Elo. The scale 3/(seats+1) keeps
// the noise of a rating the same at every table size.
func ranked(seats []Seat, players []State, p Params) ([]line, float64) {
	place := Match{Seats: seats}.Places()
	adv := p.Tables[len(seats)].Seat
	lines := make([]line, len(seats))
	for i := range seats {
		lines[i].weight = 1
		for j := range i {
			diff := float64(players[seats[i].Player].Rating-players[seats[j].Player].Rating) / 1000
			if len(adv) > 0 {
				diff += adv[i] - adv[j]
			}
			e, s := Expected(diff), versus(place[i], place[j])
			lines[i].expected += e
			lines[i].score += s
			lines[j].expected += 1 - e
			lines[j].score += 1 - s
		}
	}
	return lines, 3 / float64(len(seats)+1)
}

// teamed compares the two teams. With a and b seats the difference of mean ratings counts h = 2ab/(a+b) times, and each
// team wins or loses 2K in all, shared equally by its seats. A seat's weight is the size of the other team, the scale
// 2/(ab): together 2/(size of its own team), without an inexact division before the sum.
func teamed(seats []Seat, players []State, p Params) ([]line, float64) {
	home := seats[0].Team
	var size [2]int
	var sum [2]Milli
	var name [2]string
	var rank [2]int
	side := make([]int, len(seats))
	anyRetired := false
	for i, s := range seats {
		if s.Team != home {
			side[i] = 1
		}
		t := side[i]
		size[t]++
		sum[t] += players[s.Player].Rating
		name[t], rank[t] = s.Team, s.Rank
		anyRetired = anyRetired || s.Retired
	}
	// h·(mean − mean) without a division before the last: a common shift of all ratings cancels exactly.
	lead := 2 * (sum[0]*Milli(size[1]) - sum[1]*Milli(size[0]))
	adv := p.Tables[len(seats)].Team
	e := Expected(float64(lead)/float64(1000*len(seats)) + (adv[name[0]] - adv[name[1]]))
	expected := [2]float64{e, 1 - e}
	lines := make([]line, len(seats))
	for i, s := range seats {
		t := side[i]
		switch {
		case !anyRetired:
			lines[i] = line{expected[t], versus(rank[t], rank[1-t]), float64(size[1-t])}
		case s.Retired:
			lines[i] = line{expected[t], 0, float64(size[1-t])}
		}
	}
	return lines, 2 / float64(size[0]*size[1])
}
