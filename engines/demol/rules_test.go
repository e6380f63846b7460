package demol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// desk plays scripted matches on the typed path; every act must be legal.
type desk struct {
	t *testing.T
	c Config
	s State
	// notes are the last step's events, kinds their kinds.
	notes []game.Note[Event]
	kinds []string
}

func seatsOf(list ...game.Seat) (m game.Seats) {
	for _, s := range list {
		m = m.With(s)
	}
	return m
}

// open starts a match with known roles and leader; words of c left out are the defaults.
func open(t *testing.T, c Config, seats int, leader game.Seat, moles ...game.Seat) *desk {
	t.Helper()
	return openDeck(t, c, nil, seats, leader, moles...)
}

// openDeck is open with plot cards: these are drawn first, in order, and then as many Establish Confidences as are needed.
func openDeck(t *testing.T, c Config, draws []Card, seats int, leader game.Seat, moles ...game.Seat) *desk {
	t.Helper()
	if draws != nil {
		for len(draws) < missions*cardsPerRound[seats] {
			draws = append(draws, EstablishConfidence)
		}
		deck := map[string]int{}
		for _, card := range draws {
			deck[card.String()]++
		}
		c.PlotCards, c.PlotDeck = true, &deck
	}
	d := lay(t, c, seats, leader, moles...)
	for i, card := range draws {
		d.s.Deck[len(draws)-1-i] = card
	}
	d.s.advance(phaseStrongLeader, nil)
	d.guess()
	return d
}

// guess checks that every seat can guess from its view alone.
func (d *desk) guess() {
	d.t.Helper()
	for seat := game.Spectator; seat < game.Seat(d.s.Seats); seat++ {
		var s State
		r := game.Stream(game.Seed{byte(d.s.PlayCount)}, int(d.s.VoteCount), "guess")
		if err := (Rules{}).StateFromView(d.c, int(d.s.Seats), seat, Rules{}.View(&d.s, seat), &s, r); err != nil {
			d.t.Errorf("seat %d cannot guess in phase %s: %v", seat, d.s.Phase, err)
		}
	}
}

// lay is open before the first card is drawn.
func lay(t *testing.T, c Config, seats int, leader game.Seat, moles ...game.Seat) *desk {
	t.Helper()
	base := Rules{}.Defaults()
	for _, word := range []struct{ got, def *string }{
		{&c.TargetingLastNeeds, &base.TargetingLastNeeds}, {&c.StrongLeaderWindow, &base.StrongLeaderWindow}, {&c.PassBinds, &base.PassBinds},
	} {
		if *word.got == "" {
			*word.got = *word.def
		}
	}
	must.OK(t, (Rules{}).Validate(c, seats))
	d := &desk{t: t, c: c}
	d.s.set(c, seats, seatsOf(moles...), leader)
	return d
}

func (d *desk) step(decide func(seat game.Seat) Action) {
	d.t.Helper()
	var acts []game.Act[Action]
	for seat := range (Rules{}).Due(&d.s).Each() {
		a := decide(seat)
		if err := (Rules{}).Legal(&d.s, seat, a); err != nil {
			d.t.Fatalf("seat %d, %s: %v", seat, a.AppendJSON(nil), err)
		}
		acts = append(acts, game.Act[Action]{Seat: seat, Action: a})
	}
	var log game.Log[Event]
	Rules{}.Apply(&d.s, acts, nil, &log)
	d.guess()
	d.kinds, d.notes = nil, log.Notes
	for _, n := range log.Notes {
		d.kinds = append(d.kinds, strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", n.Event), "demol."), "Event")))
	}
}

func (d *desk) talk() { d.t.Helper(); d.step(func(game.Seat) Action { return Action{Kind: ActTalk} }) }

func (d *desk) team(mission int8, members ...game.Seat) {
	d.t.Helper()
	d.step(func(game.Seat) Action {
		return Action{Kind: ActTeam, Proposal: Proposal{Mission: mission, Members: seatsOf(members...)}}
	})
}

func (d *desk) vote(yes ...game.Seat) {
	d.t.Helper()
	d.step(func(s game.Seat) Action { return Action{Kind: ActVote, Yes: slices.Contains(yes, s)} })
}

func (d *desk) cards(fail ...game.Seat) {
	d.t.Helper()
	d.step(func(s game.Seat) Action { return Action{Kind: ActMission, Yes: !slices.Contains(fail, s)} })
}

// all returns every seat.
func (d *desk) all() (out []game.Seat) { return slices.Collect(d.s.seats().Each()) }

// mission plays a whole mission with an approved team of the lowest seats.
func (d *desk) mission(mission int8, fail ...game.Seat) {
	d.t.Helper()
	m := mission
	if m == 0 {
		m = d.s.Round
	}
	d.team(mission, slices.Collect(game.FirstSeats(d.s.size(m)).Each())...)
	d.vote(d.all()...)
	d.cards(fail...)
}

func (d *desk) want(what string, got, want any) {
	d.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		d.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (d *desk) refuses(seat game.Seat, a Action, words string) {
	d.t.Helper()
	if err := (Rules{}).Legal(&d.s, seat, a); err == nil || !strings.Contains(err.Error(), words) {
		d.t.Errorf("seat %d, %s: got error %v, want one with %q", seat, a.AppendJSON(nil), err, words)
	}
}

func TestTableOneOne(t *testing.T) {
	for _, row := range []struct {
		seats, moles int
		sizes, needs [missions]int
	}{
		{5, 2, [5]int{2, 3, 2, 3, 3}, [5]int{1, 1, 1, 1, 1}},
		{6, 2, [5]int{2, 3, 4, 3, 4}, [5]int{1, 1, 1, 1, 1}},
		{7, 3, [5]int{2, 3, 3, 4, 4}, [5]int{1, 1, 1, 2, 1}},
		{8, 3, [5]int{3, 4, 4, 5, 5}, [5]int{1, 1, 1, 2, 1}},
		{9, 3, [5]int{3, 4, 4, 5, 5}, [5]int{1, 1, 1, 2, 1}},
		{10, 4, [5]int{3, 4, 4, 5, 5}, [5]int{1, 1, 1, 2, 1}},
	} {
		t.Run(fmt.Sprintf("1.1 %d seats", row.seats), func(t *testing.T) {
			var s State
			for seed := range byte(20) {
				Rules{}.Deal(&s, Rules{}.Defaults(), row.seats, game.Stream(game.Seed{seed}, 0, "deal"), nil)
				if got := s.Moles.Len(); got != row.moles || s.Moles&^s.seats() != 0 {
					t.Fatalf("got %d moles (%s), want %d", got, s.Moles.AppendJSON(nil), row.moles)
				}
			}
			for i, m := range (Rules{}).View(&s, game.Spectator).Missions {
				if m.Size != row.sizes[i] || m.FailsNeeded != row.needs[i] {
					t.Errorf("mission %d: got %d seats and %d fails needed, want %d and %d", i+1, m.Size, m.FailsNeeded, row.sizes[i], row.needs[i])
				}
			}
		})
	}
}

func TestVoteNeedsMoreThanHalf(t *testing.T) {
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		for yes := 0; yes <= seats; yes++ {
			t.Run(fmt.Sprintf("1.1 %d of %d approve", yes, seats), func(t *testing.T) {
				d := open(t, Config{}, seats, 0, slicesOf(seats)...)
				d.team(0, slices.Collect(game.FirstSeats(d.s.size(1)).Each())...)
				d.vote(d.all()[:yes]...)
				want := phaseTeam
				if 2*yes > seats {
					want = phaseMission
				}
				d.want("phase", d.s.Phase, want)
			})
		}
	}
}

func TestRejections(t *testing.T) {
	d := open(t, Config{}, 5, 3, 0, 1)
	for attempt := int8(1); attempt <= 5; attempt++ {
		d.want("attempt", d.s.Attempt, attempt)
		d.want("leader", d.s.Leader, (3+attempt-1)%5)
		d.team(0, 0, 1)
		d.vote(0, 1)
	}
	d.want("1.5-12 phase after the fifth rejection", d.s.Phase, phaseOver)
	d.want("1.5-12 attempt stays", d.s.Attempt, 5)
	d.want("1.5-12 leader stays", d.s.Leader, 2)
	d.want("1.5-12 team", Rules{}.View(&d.s, 0).Team == nil, true)
	d.want("events", d.kinds, "[vote over]")
	result := Rules{}.Result(&d.s)
	d.want("why", result.Why, "five_rejections")
	d.want("rank", result.Rank, "[1 1 2 2 2]")
	d.want("points", result.Points, "[1 1 0 0 0]")
	d.want("team", result.Team, "[mole mole agent agent agent]")
}

func TestAttemptsStartAnewAfterAMission(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	for range 4 {
		d.team(0, 0, 1)
		d.vote()
	}
	d.want("attempt", d.s.Attempt, 5)
	d.mission(0)
	d.want("1.5-12 attempt after a mission", d.s.Attempt, 1)
	d.want("1.5-12 leader passes left after a mission", d.s.Leader, 0)
	d.want("1.5-12 team is null", Rules{}.View(&d.s, 2).Team == nil, true)
	d.want("mission without targeting is the round", *Rules{}.View(&d.s, 2).Mission, 2)
}

func TestEnds(t *testing.T) {
	for _, row := range []struct {
		name  string
		seats int
		fails [][]game.Seat // per mission
		why   string
		rank  string
	}{
		{"three successes in a row", 5, [][]game.Seat{{}, {}, {}}, "three_successes", "[2 2 1 1 1]"},
		{"three fails in a row", 5, [][]game.Seat{{0}, {0, 1}, {1}}, "three_fails", "[1 1 2 2 2]"},
		{"two to two, then a success", 5, [][]game.Seat{{0}, {}, {1}, {}, {}}, "three_successes", "[2 2 1 1 1]"},
		{"two to two, then a fail", 5, [][]game.Seat{{0}, {}, {1}, {}, {0}}, "three_fails", "[1 1 2 2 2]"},
		{"1.1 seven seats, one fail on mission 4 does not spoil it", 7, [][]game.Seat{{0}, {}, {}, {0}}, "three_successes", "[2 2 2 1 1 1 1]"},
		{"1.1 seven seats, two fails on mission 4 spoil it", 7, [][]game.Seat{{0}, {1}, {}, {0, 1}}, "three_fails", "[1 1 1 2 2 2 2]"},
		{"1.1 six seats, one fail on mission 4 spoils it", 6, [][]game.Seat{{0}, {0}, {}, {1}}, "three_fails", "[1 1 2 2 2 2]"},
		{"1.1 five seats, two fails are a fail like one", 5, [][]game.Seat{{0, 1}, {}, {}, {0, 1}, {}}, "three_successes", "[2 2 1 1 1]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := open(t, Config{}, row.seats, 0, slices.Collect(game.FirstSeats(moleCount[row.seats]).Each())...)
			for i, fail := range row.fails {
				d.want("round", d.s.Round, i+1)
				d.mission(0, fail...)
			}
			d.want("phase", d.s.Phase, phaseOver)
			result := Rules{}.Result(&d.s)
			d.want("why", result.Why, row.why)
			d.want("rank", result.Rank, row.rank)
			d.want("events", d.kinds, "[mission score over]")
		})
	}
}

func TestTargetingMissionFive(t *testing.T) {
	five := Action{Kind: ActTeam, Proposal: Proposal{Mission: 5, Members: game.FirstSeats(3)}}
	for _, row := range []struct {
		name  string
		needs string
		fails [][]game.Seat // of missions 1, 2, … as played
		open  bool
		words string
	}{
		{"1.4-1 two_played: none played", twoPlayed, nil, false, "5 waits for two missions, 0 so far"},
		{"1.4-1 two_played: one played", twoPlayed, [][]game.Seat{{}}, false, "5 waits for two missions, 1 so far"},
		{"1.4-1 two_played: one played, and it failed", twoPlayed, [][]game.Seat{{0}}, false, "5 waits for two missions, 1 so far"},
		{"1.4-1 two_played: two played, both failed", twoPlayed, [][]game.Seat{{0}, {0}}, true, ""},
		{"1.4-1 two_played: two successes", twoPlayed, [][]game.Seat{{}, {}}, true, ""},
		{"1.4-1 two_successes: two failed", twoSuccesses, [][]game.Seat{{0}, {0}}, false, "5 waits for two successes, 0 so far"},
		{"1.4-1 two_successes: one of three", twoSuccesses, [][]game.Seat{{0}, {}, {0}}, false, "5 waits for two successes, 1 so far"},
		{"1.4-1 two_successes: two of two", twoSuccesses, [][]game.Seat{{}, {}}, true, ""},
		{"1.4-1 two_successes: two of four", twoSuccesses, [][]game.Seat{{}, {0}, {0}, {}}, true, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := open(t, Config{Targeting: true, TargetingLastNeeds: row.needs}, 5, 0, 0, 1)
			for i, fail := range row.fails {
				d.mission(int8(i+1), fail...)
			}
			if !row.open {
				d.refuses(d.s.Leader, five, row.words)
			} else if err := (Rules{}).Legal(&d.s, d.s.Leader, five); err != nil {
				t.Errorf("want mission 5 open, got %v", err)
			}
			var o game.Offer[Action]
			Rules{}.Offer(&d.s, d.s.Leader, &o)
			if got := slices.Contains(o.List, five); got != row.open {
				t.Errorf("offered: got %v, want %v", got, row.open)
			}
		})
	}
}

func TestTargeting(t *testing.T) {
	d := open(t, Config{Targeting: true}, 7, 6, 0, 1, 2)
	d.want("1.5-13 mission before the proposal", Rules{}.View(&d.s, 0).Mission == nil, true)
	d.refuses(6, Action{Kind: ActTeam, Proposal: Proposal{Members: game.FirstSeats(2)}}, "mission: is missing")
	d.refuses(6, Action{Kind: ActTeam, Proposal: Proposal{Mission: 4, Members: game.FirstSeats(2)}}, "mission 4 wants 4 seats, got 2")
	d.team(4, 0, 1, 3, 4)
	d.want("mission after the proposal", *Rules{}.View(&d.s, 0).Mission, 4)
	d.vote()
	d.want("1.5-13 attempt counts on", d.s.Attempt, 2)
	d.want("1.5-12 mission is null again", Rules{}.View(&d.s, 0).Mission == nil, true)
	d.team(2, 0, 1, 2)
	d.vote()
	d.want("1.4-14 attempts count whatever mission was proposed", d.s.Attempt, 3)
	d.team(4, 0, 1, 3, 4)
	d.vote(d.all()...)
	d.cards(0)
	view := Rules{}.View(&d.s, 0)
	d.want("1.4-13 field 4 needs two fails though played first", *view.Missions[3].Result, "success")
	d.want("1.4-13 fails are told", *view.Missions[3].Fails, 1)
	d.want("1.5-13 round is missions played and one", view.Round, 2)
	d.refuses(d.s.Leader, Action{Kind: ActTeam, Proposal: Proposal{Mission: 4, Members: game.FirstSeats(4)}}, "4 has been played")
	d.refuses(d.s.Leader, Action{Kind: ActTeam, Proposal: Proposal{Mission: 6, Members: game.FirstSeats(4)}}, "mission: want 1 to 5, got 6")
	d.refuses(d.s.Leader, Action{Kind: ActTeam, Proposal: Proposal{Mission: -1, Members: game.FirstSeats(4)}}, "mission: want 1 to 5, got -1")
	d.mission(3, 0)
	d.want("field 3 played second needs one", *Rules{}.View(&d.s, 0).Missions[2].Result, "fail")
	d.want("own cards in the order played", fmt.Sprint(Rules{}.View(&d.s, 0).Me.Played), "[{4 false} {3 false}]")
}

func TestTargetingEachMissionOnce(t *testing.T) {
	for m := int8(1); m <= missions; m++ {
		d := open(t, Config{Targeting: true, TargetingLastNeeds: twoPlayed}, 7, 6, 0, 1, 2)
		if m == missions {
			d.mission(1, 0)
			d.mission(2)
		}
		d.mission(m)
		again := Action{Kind: ActTeam, Proposal: Proposal{Mission: m, Members: game.FirstSeats(d.s.size(m))}}
		d.refuses(d.s.Leader, again, fmt.Sprintf("mission: %d has been played", m))
	}
}

func TestTargetingFiveRejectionsOfDifferentMissions(t *testing.T) {
	d := open(t, Config{Targeting: true}, 5, 0, 0, 1)
	for _, m := range []int8{1, 2, 3, 4, 1} {
		d.team(m, slices.Collect(game.FirstSeats(d.s.size(m)).Each())...)
		d.vote()
	}
	d.want("1.4-14 five rejections", Rules{}.Result(&d.s).Why, "five_rejections")
}

func TestTeams(t *testing.T) {
	d := open(t, Config{}, 5, 2, 0, 1)
	for _, row := range []struct {
		name  string
		a     Action
		words string
	}{
		{"1.4-15 too few", Action{Kind: ActTeam, Proposal: Proposal{Members: seatsOf(1)}}, "wants 2 seats, got 1"},
		{"1.4-15 too many", Action{Kind: ActTeam, Proposal: Proposal{Members: seatsOf(0, 1, 2)}}, "wants 2 seats, got 3"},
		{"no such seat", Action{Kind: ActTeam, Proposal: Proposal{Members: seatsOf(1, 5)}}, "want seats 0 to 4"},
		{"mission without targeting", Action{Kind: ActTeam, Proposal: Proposal{Mission: 1, Members: seatsOf(0, 1)}}, "targeting only"},
		{"another action", Action{Kind: ActVote, Yes: true}, "asks for team, not vote"},
	} {
		t.Run(row.name, func(t *testing.T) { d.refuses(2, row.a, row.words) })
	}
	d.team(0, 0, 4)
	d.want("1.4-15 the leader may leave himself off", d.s.Team.Has(2), false)
}

func TestFirstLeaderIsDrawn(t *testing.T) {
	const deals = 6000
	var count [6]int
	var s State
	r := game.Stream(game.Seed{16}, 0, "deal")
	for range deals {
		Rules{}.Deal(&s, Rules{}.Defaults(), 6, r, nil)
		count[s.Leader]++
	}
	if x := chiSquare(count[:]); x > 20.5 { // 5 degrees of freedom, one in a thousand
		t.Errorf("1.4-16 first leaders %v: chi-square %.1f, want at most 20.5", count, x)
	}
}

func TestMissionCards(t *testing.T) {
	d := open(t, Config{}, 5, 0, 1, 2)
	d.team(0, 0, 1)
	d.vote(d.all()...)
	d.want("due", Rules{}.Due(&d.s), seatsOf(0, 1))
	d.refuses(0, Action{Kind: ActMission}, "an agent plays success")
	if err := (Rules{}).Legal(&d.s, 1, Action{Kind: ActMission}); err != nil {
		t.Errorf("1.4-17 a mole may fail: %v", err)
	}
	if err := (Rules{}).Legal(&d.s, 1, Action{Kind: ActMission, Yes: true}); err != nil {
		t.Errorf("1.4-17 a mole may play success: %v", err)
	}
	for seat, want := range []int{1, 2} {
		var o game.Offer[Action]
		Rules{}.Offer(&d.s, game.Seat(seat), &o)
		d.want("1.5-11 an agent is asked too, with one action", len(o.List), want)
	}
}

func TestTalk(t *testing.T) {
	d := open(t, Config{TalkRounds: 2, VoteTalkRounds: 1}, 5, 0, 0, 1)
	var phases []string
	for range 8 {
		phases = append(phases, fmt.Sprint(d.s.Phase, " ", d.s.TalkLeft))
		switch d.s.wants() {
		case ActTalk:
			d.want("due", Rules{}.Due(&d.s), d.s.seats())
			d.talk()
			d.want("events of a talk", len(d.kinds), 0)
		case ActTeam:
			d.team(0, 0, 1)
		case ActVote:
			d.vote()
		}
	}
	d.want("talk before each proposal, talk before each vote", strings.Join(phases, ", "),
		"talk 2, talk 1, team 0, vote_talk 1, vote 0, talk 2, talk 1, team 0")
}

func TestWhoKnowsWhom(t *testing.T) {
	for _, row := range []struct {
		name  string
		blind bool
		seat  game.Seat
		want  string
	}{
		{"a mole sees the moles, not himself", false, 2, "map[0:mole 5:mole]"},
		{"an agent sees nobody", false, 1, "map[]"},
		{"blind moles see nobody", true, 2, "map[]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := open(t, Config{BlindMoles: row.blind}, 7, 0, 0, 2, 5)
			d.want("known", Rules{}.View(&d.s, row.seat).Me.Known, row.want)
		})
	}
}

func TestRolesAreOpenOnlyOnceOver(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	for i := 0; d.s.Phase != phaseOver; i++ {
		d.want("roles before the end", len(Rules{}.View(&d.s, 4).Roles), 0)
		d.mission(0)
	}
	d.want("roles", Rules{}.View(&d.s, game.Spectator).Roles, "[mole mole agent agent agent]")
	d.want("nobody is due", Rules{}.Due(&d.s), 0)
}

// The rulebook's example. Mark leads and goes with William, a mole; only Els is against; William fails; Mark hands the
// leader's token to Carlijn, who therefore sits to his left.
func TestRulebookExample(t *testing.T) {
	const mark, carlijn, alfred, els, william = 0, 1, 2, 3, 4
	d := open(t, Config{}, 5, mark, william, els)
	d.want("Mark leads", Rules{}.Due(&d.s), seatsOf(mark))
	d.want("a team of two", d.s.size(1), 2)
	d.team(0, mark, william)
	d.want("events", d.kinds, "[team]")
	d.want("all vote", Rules{}.Due(&d.s), seatsOf(mark, carlijn, alfred, els, william))
	d.vote(mark, william, carlijn, alfred)
	d.want("events", d.kinds, "[vote]")
	vote := Rules{}.View(&d.s, game.Spectator).Votes[0]
	d.want("four to one", vote.Approve, "[true true true false true]")
	d.want("approved", vote.Approved, true)
	d.want("the team goes", Rules{}.Due(&d.s), seatsOf(mark, william))
	d.cards(william)
	d.want("events", d.kinds, "[mission score leader]")
	view := Rules{}.View(&d.s, mark)
	d.want("the mission failed", *view.Missions[0].Result, "fail")
	d.want("with one fail", *view.Missions[0].Fails, 1)
	d.want("the next mission", view.Round, 2)
	d.want("Carlijn leads", view.Leader, carlijn)
	d.want("William remembers his card", Rules{}.View(&d.s, william).Me.Played, "[{1 false}]")
}
