package demol

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// chiSquare returns the statistic against a uniform distribution over the cells.
func chiSquare(count []int) (x float64) {
	total := 0
	for _, n := range count {
		total += n
	}
	want := float64(total) / float64(len(count))
	for _, n := range count {
		x += float64((float64(n) - want) * (float64(n) - want) / want)
	}
	return x
}

// secret is all that is hidden in a state.
type secret struct {
	moles  game.Seats
	failed [missions]game.Seats
	deck   [maxDeck]Card
}

func secretOf(s *State) secret {
	out := secret{moles: s.Moles, deck: s.Deck}
	for i := range s.Missions {
		out.failed[i] = s.Missions[i].Failed
	}
	return out
}

// world is one match with all that each seat has been sent so far, spectator first, as a running hash.
type world struct {
	s    State
	sent [MinSeats + 1][sha256.Size]byte
}

// tree is how a small game is played in every way that matters: mission cards are all that can be; what all see anyway is
// narrow before round wide, and two choices from then on.
type tree struct {
	name       string
	c          Config
	deck       []Card
	wide       int8
	rejections bool
	steps      int
	groups     int // drawn from for each seat and depth
}

// choices returns the decisions of all due seats that the tree follows.
func (x *tree) choices(s *State) (out [][]game.Act[Action]) {
	switch kind := s.wants(); kind {
	case ActVote:
		out = append(out, everybody(s, game.FirstSeats(MinSeats)))
		if x.rejections {
			out = append(out, everybody(s, 0))
		}
		return out
	case ActMission:
		can := Rules{}.Due(s) & s.Moles
		for failed := can; ; failed = (failed - 1) & can {
			out = append(out, everybody(s, Rules{}.Due(s)&^failed))
			if failed == 0 {
				return out
			}
		}
	case 0:
		return nil
	default:
		var o game.Offer[Action]
		seat := Rules{}.Due(s).Lowest()
		Rules{}.Offer(s, seat, &o)
		list := []Action{o.List[0]}
		if last := o.List[len(o.List)-1]; s.Round >= x.wide && last != o.List[0] {
			list = append(list, last)
		}
		for _, a := range list {
			out = append(out, []game.Act[Action]{{Seat: seat, Action: a}})
		}
		return out
	}
}

// grow plays one step in every way.
func (x *tree) grow(w *world, out []world) []world {
	for _, acts := range x.choices(&w.s) {
		next := *w
		var log game.Log[Event]
		Rules{}.Apply(&next.s, acts, nil, &log)
		next.hear(acts, log.Notes)
		out = append(out, next)
	}
	return out
}

// everybody due says yes or no.
func everybody(s *State, yes game.Seats) (acts []game.Act[Action]) {
	for seat := range (Rules{}).Due(s).Each() {
		acts = append(acts, game.Act[Action]{Seat: seat, Action: Action{Kind: s.wants(), Yes: yes.Has(seat)}})
	}
	return acts
}

// hear writes down what each seat did and heard, and who was asked.
func (w *world) hear(acts []game.Act[Action], notes []game.Note[Event]) {
	for seat := game.Spectator; seat < MinSeats; seat++ {
		b := w.sent[seat+1][:]
		for _, a := range acts {
			if a.Seat == seat {
				b = a.Action.AppendJSON(b)
			}
		}
		for _, n := range notes {
			if (game.Event{For: n.For}).VisibleTo(seat) {
				text, err := json.Marshal(n.Event)
				if err != nil {
					panic(err)
				}
				b = append(b, text...)
			}
		}
		w.sent[seat+1] = sha256.Sum256(fmt.Appendf(b, "due %v", Rules{}.Due(&w.s)))
	}
}

// deals returns every deal of five seats with a given leader: all roles, and all orders of the deck.
func (x *tree) deals(leader game.Seat) (out []world) {
	for moles := game.FirstSeats(2); moles < 1<<MinSeats; moles = nextOfSize(moles) {
		for _, deck := range orders(x.deck) {
			var w world
			w.s.set(x.c, MinSeats, moles, leader)
			copy(w.s.Deck[:], deck)
			log := game.Log[Event]{Notes: []game.Note[Event]{{For: game.All, Event: dealEvent{Kind: "deal", Leader: leader}}}}
			for seat := range w.s.seats().Each() {
				log.Emit(game.Only(seat), roleEvent{Kind: "deal", Role: w.s.role(seat), Known: w.s.knownRoles(seat)})
			}
			w.s.advance(phaseStrongLeader, &log)
			w.hear(nil, log.Notes)
			out = append(out, w)
		}
	}
	return out
}

// orders returns every different order of the cards.
func orders(cards []Card) (out [][]Card) {
	if len(cards) == 0 {
		return [][]Card{nil}
	}
	for i, card := range cards {
		if slices.Contains(cards[:i], card) {
			continue
		}
		for _, rest := range orders(slices.Concat(cards[:i], cards[i+1:])) {
			out = append(out, append([]Card{card}, rest...))
		}
	}
	return out
}

// withDeck returns a configuration with exactly these plot cards.
func withDeck(c Config, deck []Card) Config {
	copies := map[string]int{}
	for _, card := range deck {
		copies[card.String()]++
	}
	c.PlotCards, c.PlotDeck = true, &copies
	return c
}

// Every state of a small game tree is grouped by what a seat has been sent; Resample and StateFromView must draw from exactly
// that group, and evenly.
func TestDrawsAreUniformOverAllThatFits(t *testing.T) {
	base := Rules{}.Defaults()
	blind := base
	blind.BlindMoles = true
	for _, x := range gametest.Sampled([]tree{
		{name: "moles know each other, three missions", c: base, wide: 1, steps: 9, groups: 3},
		{name: "blind moles, three missions", c: blind, wide: 1, steps: 9, groups: 3},
		{name: "blind moles, rejections too", c: blind, wide: 1, rejections: true, steps: 6, groups: 3},
		{name: "looks", c: blind, deck: []Card{Overheard, Overheard, Overheard, Overheard, OpenUp}, wide: 1, steps: 8, groups: 2},
		{name: "shows, moles know each other", c: base, deck: []Card{OpenUp, OpenUp, OpenUp, EstablishConfidence, EstablishConfidence}, wide: 2, steps: 8, groups: 2},
		{name: "looks at mission cards", c: blind, deck: []Card{CloseEye, CloseEye, CloseEye, CloseEye, Spotlight}, wide: 1, steps: 7, groups: 2},
		{name: "looks and open cards in round 2", c: base, deck: []Card{CloseEye, CloseEye, CloseEye, Spotlight, Spotlight}, wide: 2, steps: 13, groups: 2},
		{name: "windows and takes", c: blind, deck: []Card{NoConfidence, StrongLeader, StrongLeader, TakeResponsibility, TakeResponsibility}, wide: 2, steps: 9, groups: 2},
	}, 2) {
		t.Run(x.name, func(t *testing.T) {
			if x.deck != nil {
				x.c = withDeck(x.c, x.deck)
			}
			worlds := x.deals(0)
			checked := x.check(t, worlds)
			if gametest.Mutating() {
				x.steps -= 3
			}
			for range x.steps {
				var next []world
				for i := range worlds {
					next = x.grow(&worlds[i], next)
				}
				worlds = next
				checked += x.check(t, worlds)
			}
			t.Logf("%d groups of states, %d states at the last step", checked, len(worlds))
		})
	}
}

// check groups the worlds for every seat and draws from some member of some groups.
func (x *tree) check(t *testing.T, worlds []world) (groups int) {
	t.Helper()
	for seat := game.Spectator; seat < MinSeats; seat++ {
		members := map[[sha256.Size]byte]map[secret]int{}
		var order []*world
		for i := range worlds {
			key := worlds[i].sent[seat+1]
			if members[key] == nil {
				members[key] = map[secret]int{}
				order = append(order, &worlds[i])
			}
			members[key][secretOf(&worlds[i].s)] = 0
		}
		groups += len(order)
		r := game.Stream(game.Seed{byte(seat)}, len(worlds), "groups")
		game.Shuffle(r, order)
		for _, w := range order {
			rolesOf(t, w, seat, members[w.sent[seat+1]])
		}
		for _, w := range order[:min(len(order), often(x.groups, 20*x.groups))] {
			drawEvenly(t, x.c, w, seat, members[w.sent[seat+1]])
		}
	}
	return groups
}

// rolesOf holds the chances of the roles against the share of the group's states that have them.
func rolesOf(t *testing.T, w *world, seat game.Seat, group map[secret]int) {
	t.Helper()
	for _, q := range (Rules{}).Questions(&w.s, seat) {
		other, moles := game.Seat(q.About[0]-'0'), 0
		for x := range group {
			if x.moles.Has(other) {
				moles++
			}
		}
		got := map[string]float64{}
		for i, answer := range q.Answers {
			got[answer] = q.P[i]
		}
		if want := float64(moles) / float64(len(group)); math.Abs(got[mole]-want) > 1e-9 || math.Abs(got[agent]-(1-want)) > 1e-9 {
			t.Fatalf("seat %d of seat %s: want a mole by %v, got %v:\n%s", seat, q.About, want, got, Rules{}.Describe(Rules{}.View(&w.s, seat)))
		}
	}
}

// drawEvenly counts draws of both kinds over the group.
func drawEvenly(t *testing.T, config Config, w *world, seat game.Seat, group map[secret]int) {
	t.Helper()
	r := game.Stream(game.Seed{9}, 0, "draws")
	view := Rules{}.View(&w.s, seat)
	for _, kind := range []string{"Resample", "Guess"} {
		for range len(group) * max(25, min(150, 1500/len(group))) {
			s := w.s
			if kind == "Resample" {
				Rules{}.Resample(&s, seat, r)
			} else if err := (Rules{}).StateFromView(config, MinSeats, seat, view, &s, r); err != nil {
				t.Fatalf("Guess for seat %d: %v", seat, err)
			}
			if _, ok := group[secretOf(&s)]; !ok {
				t.Fatalf("%s for seat %d gives %+v, which cannot be:\n%s", kind, seat, secretOf(&s), Rules{}.Describe(view))
			}
			group[secretOf(&s)]++
		}
		var count []int
		for key, n := range group {
			if n == 0 {
				t.Errorf("%s for seat %d never gives %+v:\n%s", kind, seat, key, Rules{}.Describe(view))
			}
			count = append(count, n)
			group[key] = 0
		}
		// The statistic has mean free and deviation √(2·free): the bound is far out for chance and near for a real bias.
		if free := float64(len(group) - 1); chiSquare(count) > 3*free+22 {
			t.Errorf("%s for seat %d: chi-square %.1f at %g degrees of freedom, counts %v", kind, seat, chiSquare(count), free, count)
		}
	}
}
