package fit

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament/rating"
)

// Match is a finished match and the block it was played in.
type Match struct {
	rating.Match
	// Block is shared by the matches of one duplicate block, which are not independent: the interval counts them as one.
	// 0 is a match by itself.
	Block int
}

// History is the matches of a ladder in the form the fit needs: every comparison that occurs, with how often it ended
// how, and which comparisons belong together. A game between two who have met before costs 8 bytes.
type History struct {
	prior  Prior
	parent []int
	games  []int // rated matches, by player
	group  []int // union-find: players joined by matches
	teams  [2]string
	teamAt map[int]teamSize // by seats
	seatAt map[int]int32    // first seat's parameter, by seats
	params int32            // given out so far

	terms  []term       // of all comparisons, one after another
	from   []int32      // comparison c is terms[from[c]:from[c+1]]
	ended  [][3]float64 // by comparison: how often the first side lost, drew, won
	pairAt map[pairKey]int32
	weight []float64 // by comparison: what one result counts for

	matches  int
	uses     []use
	blockAt  map[int]int32
	clusters int32
}

// term is one addend of a comparison: the parameter and what it is multiplied by.
type term struct {
	param int32
	by    float64
}

// use is one comparison that was made, with its outcome (3·comparison + outcome), and the cluster it was made in.
type use struct{ cell, cluster int32 }

// teamSize is a size of team matches: its parameter and the seats of the first team.
type teamSize struct {
	param int32
	first int
}

// pairKey is a comparison of two seats: players, and the parameters of the seats or minus the number of seats.
type pairKey struct{ player, other, seat, against int32 }

// The parameters of player k are k, its strength, and players+k, its role strength; advantages come after those.

// New returns the empty history of so many players. parent is the version each came from, as [rating.Fold] takes it.
func New(players int, parent []int, prior Prior) (*History, error) {
	if err := rating.CheckParents(parent, players); err != nil {
		return nil, err
	}
	h := &History{
		prior: prior, parent: slices.Clone(parent), games: make([]int, players), group: make([]int, players),
		teamAt: map[int]teamSize{}, seatAt: map[int]int32{}, params: int32(2 * players), from: []int32{0},
		pairAt: map[pairKey]int32{}, blockAt: map[int]int32{},
	}
	for i := range h.group {
		h.group[i] = i
	}
	return h, nil
}

// Add takes matches in; void ones and their order do not matter. A match that cannot be rated is refused with its index,
// as [rating.Rate] refuses it, and then none is taken.
//
// Seats are compared as [rating.Rate] compares them: in pairs, or team against team. Where a seat of a team game retired
// it has lost to the mean of the other seats, and what the teams did does not count. A table that one version has to
// itself tells what seats are worth and counts as a match of nobody.
func (h *History) Add(matches ...Match) error {
	teams, first := h.teams, map[int]int{}
	for i, m := range matches {
		if err := m.Check(len(h.games)); err != nil {
			return fmt.Errorf("match %d: %w", i, err)
		}
		if m.Void || !m.Teams() {
			continue
		}
		if err := h.checkTeams(m, &teams, first); err != nil {
			return fmt.Errorf("match %d: %w: %w", i, rating.ErrMatch, err)
		}
	}
	h.teams = teams
	h.uses = slices.Grow(h.uses, len(matches))
	for _, m := range matches {
		if !m.Void {
			h.add(m)
		}
	}
	return nil
}

// checkTeams wants the same two teams throughout, and the same sizes at every table of a size.
func (h *History) checkTeams(m Match, teams *[2]string, first map[int]int) error {
	a, b := sides(m.Seats)
	if *teams == [2]string{} {
		*teams = [2]string{a, b}
	}
	if *teams != [2]string{a, b} {
		return fmt.Errorf("teams %q and %q, in other matches %q and %q", a, b, teams[0], teams[1])
	}
	n, size := len(m.Seats), sizeOf(m.Seats, a)
	if known, ok := h.teamAt[n]; ok {
		first[n] = known.first
	}
	if first[n] == 0 {
		first[n] = size
	}
	if first[n] != size {
		return fmt.Errorf("%d seats with %d of team %q, in other matches %d", n, size, a, first[n])
	}
	return nil
}

// sides returns the names of the two teams, in order.
func sides(seats []rating.Seat) (first, second string) {
	first, second = seats[0].Team, seats[0].Team
	for _, s := range seats {
		first, second = min(first, s.Team), max(second, s.Team)
	}
	return first, second
}

func sizeOf(seats []rating.Seat, team string) int {
	n := 0
	for _, s := range seats {
		if s.Team == team {
			n++
		}
	}
	return n
}

func (h *History) add(m Match) {
	h.matches++
	cluster := h.cluster(m.Block)
	if m.Teams() {
		h.team(m.Seats, cluster)
	} else {
		h.pairs(m, cluster)
	}
	h.count(m)
}

func (h *History) cluster(block int) int32 {
	if block != 0 {
		if c, ok := h.blockAt[block]; ok {
			return c
		}
		h.blockAt[block] = h.clusters
	}
	h.clusters++
	return h.clusters - 1
}

// count notes who has played and with whom.
func (h *History) count(m Match) {
	first, alone, retired := m.Seats[0].Player, true, false
	for _, s := range m.Seats {
		alone = alone && s.Player == first
		retired = retired || s.Retired
		h.group[h.root(s.Player)] = h.root(first)
	}
	if alone {
		return
	}
	for i, s := range m.Seats {
		counts := s.Retired || !retired || !m.Teams()
		for _, before := range m.Seats[:i] {
			counts = counts && before.Player != s.Player
		}
		if counts {
			h.games[s.Player]++
		}
	}
}

func (h *History) root(player int) int {
	for h.group[player] != player {
		h.group[player] = h.group[h.group[player]]
		player = h.group[player]
	}
	return player
}

// outcome of a place against another for the first: lost, drew or won.
func outcome(place, other int) int32 {
	switch {
	case place > other:
		return 0
	case place == other:
		return 1
	}
	return 2
}

// pairs compares every pair of seats.
func (h *History) pairs(m Match, cluster int32) {
	n := len(m.Seats)
	seat := int32(-1)
	if h.prior.Seat > 0 {
		known, ok := h.seatAt[n]
		if seat = known; !ok {
			seat, h.params = h.params, h.params+int32(n)
			h.seatAt[n] = seat
		}
	}
	places := m.Places()
	for i := range n {
		for j := range i {
			h.pair(m.Seats, seat, j, i, outcome(places[j], places[i]), cluster)
		}
	}
}

// pair counts seat i against seat j, the lower player first, so that a pair of bots has one comparison for each seating.
func (h *History) pair(seats []rating.Seat, seat int32, i, j int, out, cluster int32) {
	if seats[i].Player > seats[j].Player {
		i, j, out = j, i, 2-out
	}
	n := int32(len(seats)) //nolint:gosec // at most game.MaxSeats
	key := pairKey{player: int32(seats[i].Player), other: int32(seats[j].Player), seat: -n, against: -n}
	if seat >= 0 {
		key.seat, key.against = seat+int32(i), seat+int32(j)
	}
	c, ok := h.pairAt[key]
	if !ok {
		terms := make([]term, 0, 4)
		if key.player != key.other {
			terms = append(terms, term{key.player, 1}, term{key.other, -1})
		}
		if seat >= 0 {
			terms = append(terms, term{key.seat, 1}, term{key.against, -1})
		}
		if len(terms) == 0 { // a version against itself tells nothing
			return
		}
		c = h.comparison(terms)
		if h.prior.means() {
			h.weight[c] = 3 / float64(n+1)
		}
		h.pairAt[key] = c
	}
	h.note(c, out, cluster)
}

// comparison adds a comparison that has not been made yet; every parameter occurs once and they ascend.
func (h *History) comparison(terms []term) int32 {
	slices.SortFunc(terms, func(a, b term) int { return int(a.param - b.param) })
	start := len(h.terms)
	for _, t := range terms {
		if last := len(h.terms) - 1; last >= start && h.terms[last].param == t.param {
			h.terms[last].by += t.by
		} else {
			h.terms = append(h.terms, t)
		}
	}
	h.from = append(h.from, int32(len(h.terms)))
	h.ended, h.weight = append(h.ended, [3]float64{}), append(h.weight, 1)
	return int32(len(h.ended) - 1)
}

func (h *History) note(comparison, out, cluster int32) {
	h.ended[comparison][out] += h.weight[comparison]
	h.uses = append(h.uses, use{3*comparison + out, cluster})
}

// team compares the teams.
func (h *History) team(seats []rating.Seat, cluster int32) {
	n := len(seats)
	if _, ok := h.teamAt[n]; !ok {
		h.teamAt[n] = teamSize{param: h.params, first: sizeOf(seats, h.teams[0])}
		h.params++
	}
	var ranks [2]int
	anyRetired := false
	for i, s := range seats {
		side := 0
		if s.Team != h.teams[0] {
			side = 1
		}
		ranks[side] = s.Rank
		if s.Retired {
			anyRetired = true
			h.retired(seats, i, seatShare(seats, s.Team), cluster)
		}
	}
	if !anyRetired {
		h.note(h.comparison(h.teamTerms(seats)), outcome(ranks[0], ranks[1]), cluster)
	}
}

// seatShare returns what one seat of a team counts for: with a seats against b, the difference of the means counts h = 2ab/n times, so a
// seat of the first counts 2b/n and one of the second 2a/n.
func seatShare(seats []rating.Seat, team string) float64 {
	n := len(seats)
	return 2 * float64(n-sizeOf(seats, team)) / float64(n)
}

// teamTerms returns those of A + h·(mean of the first team − mean of the second). A is left out at a table size that has not
// been played.
func (h *History) teamTerms(seats []rating.Seat) []term {
	first, _ := sides(seats)
	var terms []term
	for _, s := range seats {
		share := seatShare(seats, s.Team)
		by := share
		if s.Team != first {
			by = -share
		}
		terms = append(terms, term{int32(s.Player), by})
		if h.prior.Role > 0 {
			terms = append(terms, term{int32(len(h.games) + s.Player), share})
		}
	}
	if size, ok := h.teamAt[len(seats)]; ok && h.prior.Team > 0 {
		terms = append(terms, term{size.param, 1})
	}
	return terms
}

// retired has seat i lose to the mean of the other seats. Against a fixed number it would pull everybody down.
func (h *History) retired(seats []rating.Seat, i int, by float64, cluster int32) {
	var terms []term
	for j, s := range seats {
		share := -by / float64(len(seats)-1)
		if j == i {
			share = by
		}
		terms = append(terms, term{int32(s.Player), share})
	}
	h.note(h.comparison(terms), 0, cluster)
}
