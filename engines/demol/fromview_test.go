package demol

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

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
		{"an agent who failed", 2, func(v *View) { v.Me.Played = []playedView{{1, false}} }, "an agent plays success"},
		{"an own card on a mission without it", 2, func(v *View) { v.Me.Played = []playedView{{1, true}} }, "at /me/played"},
		{"an own card on mission 9", 2, func(v *View) { v.Me.Played = []playedView{{9, true}} }, "at /me/played/0/mission"},
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
			err := Rules{}.StateFromView(Rules{}.Defaults(), 5, row.seat, view, &s, game.Stream(game.Seed{}, 0, "guess"))
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
	d.on(phaseTeam)
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
		{"a peek not told", 4, func(v *View) { v.Me.Peeks = []peekView{} }, "at /me/peeks"},
		{"a peek that was none", 0, func(v *View) { v.Me.Peeks = []peekView{{Round: 2, Mission: 2, At: 1, Success: false}} }, "at /me/peeks"},
		{"a peek at mission 0", 4, func(v *View) { v.Me.Peeks[0].Mission = 0 }, "at /me/peeks/0: there is no mission 0"},
		{"a peek at nobody", 4, func(v *View) { v.Me.Peeks[0].At = -1 }, "at /me/peeks/0: there is no mission 2 with seat -1"},
		{"a peek at a seat of no table", 4, func(v *View) { v.Me.Peeks[0].At = 10 }, "at /me/peeks/0: there is no mission 2 with seat 10"},
		{"a peek at mission 6", 4, func(v *View) { v.Me.Peeks[0].Mission = 6 }, "at /me/peeks/0: there is no mission 6"},
		{"a fail seen by an agent who was not there", 4, func(v *View) { v.Me.Peeks[0].At = 6 }, "at /"},
		{"a fail seen and not counted", 4, func(v *View) { *v.Missions[1].Fails = 0 }, "at /missions/1/fails: leaves out a fail"},
		{"a fail of an agent known", 3, func(v *View) { v.Missions[0].Open[4] = false }, "no set of moles"},
		{"a card taken that was not there", 0, func(v *View) { v.Plays[3].Taken = word(Spotlight) }, "at /"},
		{"nothing taken where there was something", 0, func(v *View) {
			v.Plays[3].Taken, v.Plays[3].At = nil, nil
			v.Seats[2].Cards, v.Seats[6].Cards = []string{}, []string{"opinion_maker"}
		}, "no leader can have given"},
		{"nothing taken from somebody", 0, func(v *View) { v.Plays[3].Taken = nil }, "at /"},
		{"something taken by a look", 0, func(v *View) { v.Plays[0].Taken = word(Spotlight) }, "at /"},
		{"the discard out of order", 0, func(v *View) { v.Discard[0], v.Discard[1] = v.Discard[1], v.Discard[0] }, "at /discard/0"},
		{"another deck", 0, func(v *View) { v.Deck++ }, "at /deck"},
		{"round 9", 0, func(v *View) { v.Round = 9 }, "at /round: want 1 to 5, got 9"},
		{"cards being resolved in another phase", 0, func(v *View) { v.Phase = "look" }, "at /"},
		{"a card being resolved that is held", 0, func(v *View) { v.Phase, v.Discard = "look", []string{"open_up", "close_eye"} }, "at /discard/1: close_eye takes no effect when given"},
		{"nothing being resolved", 0, func(v *View) { v.Phase, v.Discard = "take", []string{} }, "at /discard: in phase take a card is being resolved"},
		{"cards drawn after the round's gifts", 0, func(v *View) { v.Drawn = []string{"open_up"} }, "at /"},
		{"an open vote of who has no such card", 0, func(v *View) { v.OpenVotes = map[game.Seat]bool{3: true} }, "at /"},
		{"an open vote changed", 0, func(v *View) { v.Phase, v.OpenVotes = "vote_open", map[game.Seat]bool{} }, "at /"},
		{"an open vote missing", 0, func(v *View) { v.OpenVotes = map[game.Seat]bool{} }, "at /phase: the record leads to no such phase"},
		{"No Confidence without a play", 0, func(v *View) { v.Votes[0].NoConfidence = seat(4) }, "at /votes/0/no_confidence"},
		{"a light on nobody's account", 0, func(v *View) { v.Spotlit = 1 }, "at /spotlit"},
		{"passed beyond the table", 0, func(v *View) { v.Passed = 1 << 9 }, "at /passed: want seats 0 to 6"},
	} {
		t.Run(row.name, func(t *testing.T) {
			view := Rules{}.View(&d.s, row.seat)
			row.spoil(&view)
			var s State
			err := Rules{}.StateFromView(d.c, 7, row.seat, view, &s, game.Stream(game.Seed{}, 0, "guess"))
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
	err := Rules{}.StateFromView(d.c, 7, 0, view, &s, game.Stream(game.Seed{}, 0, "guess"))
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
			d.on(phaseTeam)
			d.nextRound()
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := openDeck(t, Config{}, []Card{NoConfidence, TakeResponsibility, NoConfidence, TakeResponsibility, CloseEye, StrongLeader}, 9, 0, 1, 2, 3)
			row.play(d) // every step guesses for every seat
			for d.s.Phase != phaseOver {
				d.any()
			}
		})
	}
}
