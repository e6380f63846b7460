package demol

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
)

// chiSquare is the statistic against a uniform distribution over the cells.
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

// choices are the decisions of all due seats that the tree follows.
func (x *tree) choices(s *State) (out [][]game.Act[Action]) {
	switch kind := s.wants(); kind {
	case ActVote:
		out = append(out, everybody(s, game.First(MinSeats)))
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
			if (game.Event{For: n.For}).Hears(seat) {
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

// deals is every deal of five seats with a given leader: all roles, and all orders of the deck.
func (x *tree) deals(leader game.Seat) (out []world) {
	for moles := game.First(2); moles < 1<<MinSeats; moles = nextOfSize(moles) {
		for _, deck := range orders(x.deck) {
			var w world
			w.s.set(x.c, MinSeats, moles, leader)
			copy(w.s.Deck[:], deck)
			log := game.Log[Event]{Notes: []game.Note[Event]{{For: game.All, Event: DealEvent{Kind: "deal", Leader: leader}}}}
			for seat := range w.s.seats().Each() {
				log.Tell(game.Only(seat), RoleEvent{Kind: "deal", Role: w.s.role(seat), Known: w.s.knownRoles(seat)})
			}
			w.s.advance(PhaseStrongLeader, &log)
			w.hear(nil, log.Notes)
			out = append(out, w)
		}
	}
	return out
}

// orders is every different order of the cards.
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

// withDeck is a configuration with exactly these plot cards.
func withDeck(c Config, deck []Card) Config {
	copies := map[string]int{}
	for _, card := range deck {
		copies[card.String()]++
	}
	c.PlotCards, c.PlotDeck = true, &copies
	return c
}

// Every state of a small game tree is grouped by what a seat has been sent; Resample and Guess must draw from exactly
// that group, and evenly.
func TestDrawsAreUniformOverAllThatFits(t *testing.T) {
	base := Rules{}.Defaults()
	blind := base
	blind.BlindMoles = true
	for _, x := range []tree{
		{name: "moles know each other, three missions", c: base, wide: 1, steps: 9, groups: 5},
		{name: "blind moles, three missions", c: blind, wide: 1, steps: 9, groups: 5},
		{name: "blind moles, rejections too", c: blind, wide: 1, rejections: true, steps: 6, groups: 5},
		{name: "looks", c: blind, deck: []Card{Overheard, Overheard, Overheard, Overheard, OpenUp}, wide: 1, steps: 8, groups: 2},
		{name: "shows, moles know each other", c: base, deck: []Card{OpenUp, OpenUp, OpenUp, EstablishConfidence, EstablishConfidence}, wide: 2, steps: 8, groups: 2},
		{name: "looks at mission cards", c: blind, deck: []Card{CloseEye, CloseEye, CloseEye, CloseEye, Spotlight}, wide: 1, steps: 7, groups: 2},
		{name: "looks and open cards in round 2", c: base, deck: []Card{CloseEye, CloseEye, CloseEye, Spotlight, Spotlight}, wide: 2, steps: 13, groups: 2},
		{name: "windows and takes", c: blind, deck: []Card{NoConfidence, StrongLeader, StrongLeader, TakeResponsibility, TakeResponsibility}, wide: 2, steps: 9, groups: 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.deck != nil {
				x.c = withDeck(x.c, x.deck)
			}
			worlds := x.deals(0)
			checked := x.check(t, worlds)
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
		for _, w := range order[:min(len(order), often(x.groups, 20*x.groups))] {
			drawEvenly(t, x.c, w, seat, members[w.sent[seat+1]])
		}
	}
	return groups
}

// drawEvenly counts draws of both kinds over the group.
func drawEvenly(t *testing.T, config Config, w *world, seat game.Seat, group map[secret]int) {
	t.Helper()
	r := game.Stream(game.Seed{9}, 0, "draws")
	view := Rules{}.View(&w.s, seat)
	for _, kind := range []string{"Resample", "Guess"} {
		for range len(group) * max(25, min(150, 2000/len(group))) {
			s := w.s
			if kind == "Resample" {
				Rules{}.Resample(&s, seat, r)
			} else if err := (Rules{}).Guess(config, MinSeats, seat, view, &s, r); err != nil {
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

// A guessed state shows the very view it was made from, at every moment, to every seat.
func TestGuessShowsTheSameView(t *testing.T) {
	e := game.Wrap(Rules{})
	for i, c := range configs() {
		table, _, err := e.New(json.RawMessage(c.Config), c.Seats, game.Seed{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		for {
			for seat := game.Spectator; int(seat) < c.Seats; seat++ {
				guess, err := e.Guess(json.RawMessage(c.Config), c.Seats, seat, table.View(seat), game.Seed{1})
				if err != nil {
					t.Fatalf("%v, step %d, seat %d: %v", c, table.Step(), seat, err)
				}
				if got, want := string(guess.View(seat)), string(table.View(seat)); got != want {
					t.Fatalf("%v, step %d, seat %d: got %s, want %s", c, table.Step(), seat, got, want)
				}
			}
			if table.Due() == 0 {
				break
			}
			var turns []game.Turn
			for seat := range table.Due().Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			if _, err := table.Apply(turns); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGuessRefusesImpossibleViews(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	d.mission(0, 0) // seats 0 and 1, one fail
	d.team(0, 0, 1, 2)
	for _, row := range []struct {
		name  string
		seat  game.Seat
		spoil func(v *View)
		words string
	}{
		{"another seat's view", 2, func(v *View) { v.Me.Seat = 3 }, "at /me/seat"},
		{"no me", 2, func(v *View) { v.Me = nil }, "at /me: belongs"},
		{"me for a spectator", -1, func(v *View) { v.Me = &Me{} }, "at /me: belongs"},
		{"an unknown role", 2, func(v *View) { v.Me.Role = "spy" }, `at /me/role: want agent or mole, got "spy"`},
		{"an agent knows a mole", 2, func(v *View) { v.Me.Known[0] = mole }, "at /me/known"},
		{"a mole knows too few", 0, func(v *View) { delete(v.Me.Known, 1) }, "at /me/known"},
		{"a mole knows too many", 0, func(v *View) { v.Me.Known[2] = mole }, "no set of moles"},
		{"more fails than moles", 2, func(v *View) { *v.Missions[0].Fails = 3 }, "at /missions: no set of moles"},
		{"a fail too few", 2, func(v *View) { *v.Missions[0].Fails = 0 }, "at /missions/0"},
		{"an own fail not counted", 0, func(v *View) { *v.Missions[0].Fails = 0 }, "at /missions/0/fails"},
		{"an agent who failed", 2, func(v *View) { v.Me.Played = []PlayedView{{1, false}} }, "an agent plays success"},
		{"an own card on a mission without it", 2, func(v *View) { v.Me.Played = []PlayedView{{1, true}} }, "at /me/played"},
		{"an own card on mission 9", 2, func(v *View) { v.Me.Played = []PlayedView{{9, true}} }, "at /me/played/0/mission"},
		{"a leader out of turn", 2, func(v *View) { v.Leader = 3 }, "at /leader: the rules give 1 here, not 3"},
		{"no such leader", 2, func(v *View) { v.Votes[0].Leader = 7 }, "there is no seat 7"},
		{"a team too large", 2, func(v *View) { v.Votes[0].Team = 7 }, "at /votes/0: members"},
		{"too few votes", 2, func(v *View) { v.Votes[0].Approve = nil }, "at /votes/0: approve"},
		{"a vote that was lost", 2, func(v *View) { v.Votes[0].Approve = make([]bool, 5) }, "at /"},
		{"a vote after the end", 2, func(v *View) {
			for range 9 {
				v.Votes = append(v.Votes, VoteView{Team: 7, Approve: make([]bool, 5)})
			}
		}, "over before"},
		{"another size", 2, func(v *View) { v.Missions[4].Size = 4 }, "at /missions/4/size"},
		{"an unknown phase", 2, func(v *View) { v.Phase = "tea" }, "at /phase"},
		{"a vote without a team", 2, func(v *View) { v.Team = nil }, "at /team"},
		{"a bad team", 2, func(v *View) { *v.Team = 1 }, "at /team"},
		{"roles before the end", 2, func(v *View) { v.Roles = []string{mole, mole, agent, agent, agent} }, "at /roles"},
		{"plot cards", 2, func(v *View) { v.Seats[1].Cards = []string{"spotlight"} }, "at /seats/1/cards"},
		{"a short table", 2, func(v *View) { v.Seats = v.Seats[:4] }, "at /seats"},
		{"a future round", 2, func(v *View) { v.Round = 3 }, "at /round"},
	} {
		t.Run(row.name, func(t *testing.T) {
			view := Rules{}.View(&d.s, row.seat)
			row.spoil(&view)
			var s State
			err := Rules{}.Guess(Rules{}.Defaults(), 5, row.seat, view, &s, game.Stream(game.Seed{}, 0, "guess"))
			if err == nil || !strings.Contains(err.Error(), row.words) {
				t.Errorf("got error %v, want one with %q", err, row.words)
			}
		})
	}
}

func TestGuessRefusesImpossiblePlotCards(t *testing.T) {
	d := openDeck(t, Config{PassBinds: everyRound}, []Card{Overheard, CloseEye, StrongLeader, OpinionMaker, TakeResponsibility, Spotlight}, 7, 0, 1, 2, 3)
	d.give(Overheard, 3)
	d.look(4)
	d.give(CloseEye, 4)
	d.send(0, 1)
	d.cards(1)
	d.name(4, declined)
	d.give(StrongLeader, 5) // leader 1
	d.give(OpinionMaker, 6)
	d.send(0, 1, 2)
	d.cards(1)
	d.name(4, 1)
	d.play(5, true) // round 3, leader 5
	d.give(TakeResponsibility, 2)
	d.take(6, OpinionMaker)
	d.give(Spotlight, 4)
	d.on(PhaseTeam)
	d.team(0, 0, 1, 4)
	d.vote(2)
	seat := func(n game.Seat) *game.Seat { return &n }
	word := func(c Card) *string { w := c.String(); return &w }
	for _, row := range []struct {
		name  string
		seat  game.Seat
		spoil func(v *View)
		words string
	}{
		{"a card of no such kind before a seat", 0, func(v *View) { v.Seats[1].Cards = []string{"joker"} }, `at /seats/1/cards: there is no card "joker"`},
		{"a card of no such kind drawn", 0, func(v *View) { v.Drawn = []string{"joker"} }, `at /drawn/0: there is no card "joker"`},
		{"a card of no such kind played", 0, func(v *View) { v.Plays[0].Card = "joker" }, "at /plays/0: there is no such card"},
		{"a card of no such kind taken", 0, func(v *View) { word := "joker"; v.Plays[3].Taken = &word }, "at /plays/3: there is no such card"},
		{"a play by nobody", 0, func(v *View) { v.Plays[0].By = 9 }, "at /plays/0: there is no such seat"},
		{"a play at nobody", 0, func(v *View) { v.Plays[0].At = seat(-1) }, "at /plays/0: there is no such seat"},
		{"a play out of order", 0, func(v *View) { v.Plays[1].Round = 4 }, "at /plays/2/round: is out of order"},
		{"a play in another attempt", 0, func(v *View) { v.Plays[1].Attempt = 2 }, "at /plays/1"},
		{"a card more than the deck has", 0, func(v *View) { v.Seats[4].Cards = []string{"close_eye"} }, "at /deck: it never had so many cards close_eye"},
		{"a card more than was given", 0, func(v *View) { v.Seats[4].Cards = append(v.Seats[4].Cards, "no_confidence") }, "no leader can have given"},
		{"a card fewer than was given", 0, func(v *View) { v.Seats[4].Cards = []string{} }, "at /seats: 1 cards given in round 3 are missing"},
		{"a card that only its owner could have given", 0, func(v *View) {
			v.Plays[3].At, v.Seats[4].Cards, v.Seats[5].Cards = seat(5), []string{}, []string{"spotlight"}
		}, "at /seats/5/cards: no leader can have given spotlight"},
		{"a taken card gone", 0, func(v *View) { v.Seats[2].Cards, v.Seats[6].Cards = []string{}, []string{"opinion_maker"} }, "at /seats/2/cards: opinion_maker was taken and is gone"},
		{"a Strong Leader of this round", 0, func(v *View) { v.Plays[2].Round, v.Plays[2].By = 1, 4 }, "at /plays/2/round: is out of order"},
		{"a Strong Leader played by another", 0, func(v *View) { v.Plays[2].By = 4 }, "at /"},
		{"a look across the table", 3, func(v *View) { v.Plays[0].At = seat(6) }, "at /plays/0: at: want one of the seats [2,4], got 6"},
		{"a look at nobody", 3, func(v *View) { v.Plays[0].At = nil }, "at /plays/0"},
		{"a look not in known", 3, func(v *View) { delete(v.Me.Known, 4) }, "at /me/known/4"},
		{"known without a look", 0, func(v *View) { v.Me.Known[4] = agent }, "at /me/known/4"},
		{"a peek not told", 4, func(v *View) { v.Me.Peeks = []PeekView{} }, "at /me/peeks"},
		{"a peek that was none", 0, func(v *View) { v.Me.Peeks = []PeekView{{2, 2, 1, false}} }, "at /me/peeks"},
		{"a peek at mission 0", 4, func(v *View) { v.Me.Peeks[0].Mission = 0 }, "at /me/peeks/0: there is no mission 0"},
		{"a peek at nobody", 4, func(v *View) { v.Me.Peeks[0].At = -1 }, "at /me/peeks/0: there is no mission 2 with seat -1"},
		{"a fail seen by an agent who was not there", 4, func(v *View) { v.Me.Peeks[0].At = 6 }, "at /"},
		{"a fail seen and not counted", 4, func(v *View) { *v.Missions[1].Fails = 0 }, "at /missions/1/fails: leaves out a fail"},
		{"a fail of an agent known", 3, func(v *View) { v.Missions[0].Open[4] = false }, "no set of moles"},
		{"a card taken that was not there", 0, func(v *View) { v.Plays[3].Taken = word(Spotlight) }, "at /"},
		{"nothing taken where there was something", 0, func(v *View) {
			v.Plays[3].Taken, v.Plays[3].At = nil, nil
			v.Seats[2].Cards, v.Seats[6].Cards = []string{}, []string{"opinion_maker"}
		}, "no leader can have given"},
		{"the discard out of order", 0, func(v *View) { v.Discard[0], v.Discard[1] = v.Discard[1], v.Discard[0] }, "at /discard/0"},
		{"another deck", 0, func(v *View) { v.Deck++ }, "at /deck"},
		{"round 9", 0, func(v *View) { v.Round = 9 }, "at /round: want 1 to 5, got 9"},
		{"cards being resolved in another phase", 0, func(v *View) { v.Phase = "look" }, "at /"},
		{"nothing being resolved", 0, func(v *View) { v.Phase, v.Discard = "take", []string{} }, "at /discard: in phase take a card is being resolved"},
		{"cards drawn after the round's gifts", 0, func(v *View) { v.Drawn = []string{"open_up"} }, "at /"},
		{"an open vote of who has no such card", 0, func(v *View) { v.OpenVotes = map[game.Seat]bool{3: true} }, "at /"},
		{"an open vote changed", 0, func(v *View) { v.Phase, v.OpenVotes = "vote_open", map[game.Seat]bool{} }, "at /"},
		{"No Confidence without a play", 0, func(v *View) { v.Votes[0].NoConfidence = seat(4) }, "at /votes/0/no_confidence"},
		{"a light on nobody's account", 0, func(v *View) { v.Spotlit = 1 }, "at /spotlit"},
		{"passed beyond the table", 0, func(v *View) { v.Passed = 1 << 9 }, "at /passed: want seats 0 to 6"},
	} {
		t.Run(row.name, func(t *testing.T) {
			view := Rules{}.View(&d.s, row.seat)
			row.spoil(&view)
			var s State
			err := Rules{}.Guess(d.c, 7, row.seat, view, &s, game.Stream(game.Seed{}, 0, "guess"))
			if err == nil || !strings.Contains(err.Error(), row.words) {
				t.Errorf("got error %v, want one with %q", err, row.words)
			}
		})
	}
	d = openDeck(t, Config{PassBinds: everyRound}, []Card{NoConfidence, NoConfidence}, 7, 0, 1, 2, 3)
	d.give(NoConfidence, 4)
	d.give(NoConfidence, 5)
	d.send(0, 1)
	view := Rules{}.View(&d.s, 0)
	view.Passed = seatsOf(4)
	var s State
	err := Rules{}.Guess(d.c, 7, 0, view, &s, game.Stream(game.Seed{}, 0, "guess"))
	if err == nil || err.Error() != "at /passed: seat 4 is asked" {
		t.Errorf("a seat asked has not passed: got error %v", err)
	}
}

// What a view does not tell of the gifts is found: who was given a card that was taken or played since, and in which round.
func TestGuessFindsTheGifts(t *testing.T) {
	for _, row := range []struct {
		name string
		play func(d *desk)
	}{
		{"a take that found nothing comes before the others' cards", func(d *desk) {
			d.give(TakeResponsibility, 3)
			d.give(NoConfidence, 4)
			d.give(NoConfidence, 5)
			d.nextRound()
		}},
		{"a card taken twice in one round", func(d *desk) {
			d.give(NoConfidence, 4)
			d.give(TakeResponsibility, 3)
			d.take(4, NoConfidence)
			d.give(NoConfidence, 3)
			d.on(PhaseTeam)
			d.nextRound()
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := openDeck(t, Config{}, []Card{NoConfidence, TakeResponsibility, NoConfidence, TakeResponsibility, CloseEye, StrongLeader}, 9, 0, 1, 2, 3)
			row.play(d) // every step guesses for every seat
			for d.s.Phase != PhaseOver {
				d.any()
			}
		})
	}
}

type spoiled = gametest.Spoiled[Config, State, Action, View, Event]

// One leak for each hidden thing and each way out.
func TestPlantedLeaksAreCaught(t *testing.T) {
	failed := func(s *State) bool { return s.Missions[0].Failed.Has(0) }
	leaks := map[string]spoiled{
		"role in a view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if s.Moles.Has(0) {
				v.Seats[0].Cards = []string{"!"}
			}
		}},
		"role in the spectator's view": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if seat == game.Spectator {
				v.Roles = rolesIn(s.Moles, int(s.Seats))
			}
		}},
		"a name too many in known": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if v.Me != nil && seat != 3 && s.Moles.Has(3) {
				v.Me.Known[3] = mole
			}
		}},
		"who failed a mission": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if failed(s) {
				v.Missions[0].Open[0] = false
			}
		}},
		"who failed a mission, in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if failed(s) {
				o.List = append(o.List, o.List[0])
			}
		}},
		"roles in the order of an offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Moles.Has(1) && len(o.List) > 1 {
				o.List[0], o.List[1] = o.List[1], o.List[0]
			}
		}},
		"roles in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error {
			if s.Moles.Has(1) {
				return errors.New(err.Error() + ".")
			}
			return err
		}},
		"roles in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhaseTeam && s.Moles.Has(1) {
				return due.With(1)
			}
			return due
		}},
		"roles in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if a.Kind == ActVote {
				a.Yes = s.Moles.Has(4)
			}
		}},
		"roles in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if e, ok := n.Event.(TeamEvent); ok && s.Moles.Has(2) {
					e.Team = 0
					notes[i].Event = e
				}
			}
			return notes
		}},
		"who failed, in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Round == 2 && failed(s) && len(notes) > 0 {
				notes[0].Event = DealEvent{Kind: "failed"}
			}
			return notes
		}},
		"roles in the number of events": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Moles.Has(2) {
				notes = append(notes, game.Note[Event]{For: game.All, Event: DealEvent{Kind: "tick"}})
			}
			return notes
		}},
		"a private event told to all": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: RoleEvent{Kind: "deal", Role: s.role(0)}})
		}},
		"left neighbours of moles hear an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: s.Moles << 1 & s.seats(), Event: DealEvent{Kind: "psst"}})
		}},
		"words": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: OverEvent{Kind: "say", Why: "seat 0 is " + s.role(0)}})
		}},
	}
	for _, config := range []string{`{}`, `{"blind_moles":true,"targeting":true}`} {
		for name, x := range leaks {
			x.Rules = Rules{}
			leaks[name] = x
		}
		gametest.Catch(t, gametest.Case{Config: config, Seats: 6}, 5000, leaks)
	}
}

// One leak for each thing that plot cards hide, and each way out.
func TestPlantedLeaksOfPlotCardsAreCaught(t *testing.T) {
	top := func(s *State) string {
		if s.DeckLen == 0 {
			return ""
		}
		return s.Deck[s.DeckLen-1].String()
	}
	down := func(s *State) *Mission { // the mission whose cards are down and not scored
		if s.Phase == PhaseCloseEye {
			return &s.Missions[s.Mission-1]
		}
		return &Mission{}
	}
	leaks := map[string]spoiled{
		"deck order in a view":   {SpoilView: func(s *State, _ game.Seat, v *View) { v.Discard = append(v.Discard, top(s)) }},
		"deck order in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error { return fmt.Errorf("%w %s", err, top(s)) }},
		"deck order in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Phase == PhaseGive && top(s) == "no_confidence" {
				slices.Reverse(o.List)
			}
		}},
		"deck order in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if e, ok := n.Event.(GiveEvent); ok {
					e.Card = top(s)
					notes[i].Event = e
				}
			}
			return notes
		}},
		"deck order in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhaseTeam && top(s) == "opinion_maker" {
				return due.With(6)
			}
			return due
		}},
		"the look of another": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for _, p := range s.Plays[:s.PlayCount] {
				if v.Me != nil && p.Card == Overheard {
					v.Me.Known[p.At] = s.role(p.At)
				}
			}
		}},
		"what was shown to another, to the spectator": {SpoilView: func(s *State, seat game.Seat, v *View) {
			for i, p := range s.Plays[:s.PlayCount] {
				if seat == game.Spectator && p.Card == OpenUp {
					word := s.role(p.By)
					v.Plays[i].Taken = &word
				}
			}
		}},
		"a sighting told to all": {SpoilNotes: func(_ *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if _, ok := n.Event.(SeenRoleEvent); ok {
					notes[i].For = game.All
				}
			}
			return notes
		}},
		"a sighting told to the one seen, of the looker": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for _, n := range notes {
				if e, ok := n.Event.(SeenRoleEvent); ok {
					notes = append(notes, game.Note[Event]{For: game.Only(e.At), Event: SeenRoleEvent{Kind: "seen", At: s.Asked, Role: s.role(s.Asked)}})
				}
			}
			return notes
		}},
		"the peek of another": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for _, p := range s.Plays[:s.PlayCount] {
				if v.Me != nil && p.Card == CloseEye {
					v.Me.Peeks = append(v.Me.Peeks, PeekView{At: p.At, Success: !s.Missions[p.Mission-1].Failed.Has(p.At)})
				}
			}
		}},
		"a peek told to all": {SpoilNotes: func(_ *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if _, ok := n.Event.(SeenCardEvent); ok {
					notes[i].For = game.All
				}
			}
			return notes
		}},
		"cards that are down, in a view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for seat := range down(s).Failed.Each() {
				v.OpenMission[seat] = false
			}
		}},
		"how many fails are down, in a view": {SpoilView: func(s *State, _ game.Seat, v *View) { v.TalkLeft += int8(down(s).Failed.Len()) }},
		"cards that are down, in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			for i, a := range o.List {
				if down(s).Failed.Has(a.Seat) {
					o.List[0], o.List[i] = a, o.List[0]
				}
			}
		}},
		"cards that are down, in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error {
			return fmt.Errorf("%w %d", err, down(s).Failed.Len())
		}},
		"cards that are down, in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if failed := down(s).Failed; failed != 0 {
				a.Seat = failed.Lowest()
			}
		}},
		"who is asked to look at cards depends on them": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if down(s).Failed.Len() > 0 {
				return due.With(0)
			}
			return due
		}},
		"roles in the open vote": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for _, n := range notes {
				if e, ok := n.Event.(OpenVoteEvent); ok {
					e.Approve[0] = s.Moles.Has(0)
				}
			}
			return notes
		}},
		"roles in who may be shown a card": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Phase == PhaseShow && s.Moles.Has(o.List[0].Seat) {
				o.List = o.List[1:]
			}
		}},
	}
	for name, x := range leaks {
		x.Rules = Rules{}
		leaks[name] = x
	}
	for _, config := range []string{`{"plot_cards":true}`, full} {
		gametest.Catch(t, gametest.Case{Config: config, Seats: 8}, 20_000, leaks)
	}
}

// The agents' forced card is asked for like the moles' free one: else due would tell the roles.
func TestAskingOnlyMolesIsCaught(t *testing.T) {
	x := spoiled{Rules: Rules{}, SpoilDue: func(s *State, due game.Seats) game.Seats {
		if moles := due & s.Moles; s.Phase == PhaseMission && moles != 0 {
			return moles
		}
		return due
	}}
	gametest.Catch(t, gametest.Case{Config: `{}`, Seats: 7}, 5000, map[string]spoiled{"1.5-11": x})
}

func TestResampleThatKeepsTooMuchIsCaught(t *testing.T) {
	hidden := gametest.Hidden[State]{Facts: facts, Possible: possible}
	c := gametest.Case{Config: `{"plot_cards":true,"blind_moles":true}`, Seats: 7}
	for name, h := range map[string]gametest.Hidden[State]{"facts listed": hidden, "state as a whole": {}} {
		if err := gametest.Vary(spoiled{Rules: Rules{}, NoResample: true}, c, 1, h); err == nil {
			t.Errorf("%s: a Resample that changes nothing was not caught", name)
		}
	}
	for name, r := range map[string]game.Rules[Config, State, Action, View, Event]{
		"keeps who failed": keepsFails{}, "keeps the roles": keepsRoles{}, "keeps the deck": keepsDeck{}, "forgets what was seen": forgets{},
	} {
		if err := gametest.Vary(r, c, 3, hidden); err == nil {
			t.Errorf("a Resample that %s was not caught", name)
		}
	}
}

// keepsFails redraws only roles that go with the fails as they were.
type keepsFails struct{ Rules }

func (keepsFails) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := secretOf(s)
	for {
		Rules{}.Resample(s, seat, r)
		if now := secretOf(s); now.failed == was.failed {
			return
		}
	}
}

// keepsRoles redraws only who failed.
type keepsRoles struct{ Rules }

func (keepsRoles) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.Moles
	for {
		if (Rules{}).Resample(s, seat, r); s.Moles == was {
			return
		}
	}
}

// keepsDeck does not shuffle the deck.
type keepsDeck struct{ Rules }

func (keepsDeck) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.Deck
	Rules{}.Resample(s, seat, r)
	s.Deck = was
}

// forgets redraws also what the seat has looked at.
type forgets struct{ Rules }

func (forgets) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.PlayCount
	s.PlayCount = 0
	Rules{}.Resample(s, seat, r)
	s.PlayCount = was
}
