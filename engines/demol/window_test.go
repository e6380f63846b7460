package demol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// The rulebook's example. The leader draws "Afgeluisterd gesprek" and "Sterke leider", gives the first to Mark, who looks
// at Carlijn's card beside him and may show it to nobody, and then the second to William, who may not use it yet, since
// plot cards have been dealt.
func TestPlotRulebookExample(t *testing.T) {
	const mark, carlijn, alfred, els, william, fred, marie = 0, 1, 2, 3, 4, 5, 6
	d := openDeck(t, Config{}, []Card{Overheard, StrongLeader}, 7, els, carlijn, william, fred)
	d.want("the leader has both", Rules{}.View(&d.s, marie).Drawn, "[overheard_conversation strong_leader]")
	d.give(Overheard, mark)
	d.want("Mark must look at once", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseLook, seatsOf(mark)))
	d.want("at a neighbour", d.offer(mark), `{"list":[{"type":"look","at":1},{"type":"look","at":6}]}`)
	d.look(carlijn)
	d.want("Mark knows Carlijn", d.me(mark).Known, "map[1:mole]")
	for _, other := range []game.Seat{alfred, els, marie} {
		d.want("nobody else does", d.me(other).Known, "map[]")
	}
	d.want("only Mark has heard", d.heard(), []game.Seats{seatsOf(mark)})
	d.give(StrongLeader, william)
	d.want("it lies before William", d.hand(william), "[strong_leader]")
	d.want("he may not use it directly", d.s.Phase, phaseTeam)
	d.refuses(william, Action{Kind: ActStrongLeader, Yes: true}, "phase team asks for team")
	d.team(0, mark, alfred)
	d.vote()
	d.want("nor in the second attempt", fmt.Sprint(d.s.Attempt, d.s.Phase), "2 team")
	d.send(mark, alfred)
	d.cards()
	d.want("but in the next round", fmt.Sprint(d.s.Round, d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(2, " ", phaseStrongLeader, seatsOf(william)))
	d.play(william, true)
	d.want("William leads", d.s.Leader, william)
	d.want("and draws", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseGive, seatsOf(william)))
	d.want("events", d.kinds, "[card leader draw]")
}

// strong returns a table of 7 at round 2, led by seat 1, with Strong Leaders before these seats.
func strong(t *testing.T, c Config, seats ...game.Seat) *desk {
	t.Helper()
	d := openDeck(t, c, slices.Repeat([]Card{StrongLeader}, len(seats)), 7, 0, 1, 2, 3)
	for _, seat := range seats {
		d.on(phaseGive)
		d.give(StrongLeader, seat)
	}
	if d.s.Phase == phaseGive {
		d.on(phaseTeam)
	}
	d.nextRound()
	return d
}

func TestStrongLeader(t *testing.T) {
	t.Run("1.4-2 one window at the start of a round, before cards are drawn", func(t *testing.T) {
		d := strong(t, Config{}, 4)
		d.want("phase", d.s.Phase, phaseStrongLeader)
		d.want("nothing drawn", len(Rules{}.View(&d.s, 0).Drawn), 0)
		d.want("the holder is asked", Rules{}.Due(&d.s), seatsOf(4))
		d.play(4, true)
		d.want("spent", fmt.Sprint(d.hand(4), d.plays()), "[]establish_confidence 0 1 nothing; strong_leader 4 -1 nothing; ")
		d.on(phaseTeam)
		d.want("1.5-4 he gives this round's cards and leads", d.s.Leader, 4)
		d.team(0, 0, 1, 2)
		d.vote()
		d.want("1.4-4 his left neighbour follows, 1.5-4 not the one passed over", d.s.Leader, 5)
	})
	t.Run("1.5-1 without a holder there is no step", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{CloseEye, CloseEye}, 7, 0, 1, 2, 3)
		d.nextRound()
		d.want("phase", d.s.Phase, phaseGive)
	})
	t.Run("1.4-3 asked from the leader clockwise, the first yes closes the window", func(t *testing.T) {
		d := strong(t, Config{}, 6, 4)
		d.play(4, false)
		d.want("1.5-1 the answer is public before the next is asked", d.s.Phase, phaseStrongLeader)
		d.play(6, true)
		d.want("closed", d.s.Phase, phaseGive)
		d = strong(t, Config{}, 6, 4)
		d.play(4, true)
		d.want("1.3 strong leader: no second one in the round", d.s.Phase, phaseGive)
		d.want("seat 6 keeps his", d.hand(6), "[strong_leader]")
		d.nextRound()
		d.want("for the next round", Rules{}.Due(&d.s), seatsOf(6))
	})
	t.Run("1.5-4 the sitting leader is asked first, stays and has spent his card", func(t *testing.T) {
		d := strong(t, Config{}, 1, 5)
		d.want("leader", d.s.Leader, 1)
		d.play(1, true)
		d.want("he stays", d.s.Leader, 1)
		d.want("events", d.kinds, "[card draw]")
		d.want("his card is spent", d.hand(1), "[]")
		d.want("closed", d.s.Phase, phaseGive)
	})
	t.Run("1.5-2 two in one hand: the first play closes the window", func(t *testing.T) {
		d := strong(t, Config{}, 4, 4)
		d.play(4, true)
		d.want("closed", d.s.Phase, phaseGive)
		d.want("one left", d.hand(4), "[strong_leader]")
	})
	t.Run("all decline", func(t *testing.T) {
		d := strong(t, Config{}, 6, 4)
		d.play(4, false)
		d.play(6, false)
		d.want("the leader draws", fmt.Sprint(d.s.Phase, d.s.Leader), "give 1")
		d.want("events", d.kinds, "[draw]")
		d.want("the cards are kept", fmt.Sprint(d.hand(4), d.hand(6)), "[strong_leader] [strong_leader]")
	})
	t.Run("1.5-4 under round no window before the next mission round, nor after No Confidence", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{StrongLeader, NoConfidence}, 7, 0, 1, 2, 3)
		d.give(StrongLeader, 4)
		d.give(NoConfidence, 5)
		d.team(0, 0, 1)
		d.vote()
		d.want("after a rejection", d.s.Phase, phaseTeam)
		d.send(0, 1)
		d.play(5, true)
		d.want("after No Confidence", d.s.Phase, phaseTeam)
	})
}

func TestStrongLeaderBeforeEveryLeader(t *testing.T) {
	every := Config{StrongLeaderWindow: everyLeader, TalkRounds: 1}
	d := openDeck(t, every, []Card{StrongLeader, StrongLeader, NoConfidence, CloseEye}, 7, 0, 1, 2, 3)
	d.give(StrongLeader, 2)
	d.want("1.5-4 one received in the round waits", d.s.Phase, phaseGive)
	d.give(StrongLeader, 5)
	d.want("the leader who drew acts on", d.s.Phase, phaseTalk)
	d.talk()
	d.team(0, 0, 1)
	d.vote()
	d.want("1.5-4 a window opens before the next leader acts, talk included", fmt.Sprint(d.s.Phase, d.s.Leader), "strong_leader 1")
	d.play(2, false)
	d.play(5, true)
	d.want("1.3 strong leader: the new leader goes on", fmt.Sprint(d.s.Phase, d.s.Leader), "talk 5")
	d.want("no cards are drawn in attempt 2", len(Rules{}.View(&d.s, 0).Drawn), 0)
	d.send(0, 1)
	d.cards()
	d.want("round 2, attempt 1: before the draw", fmt.Sprint(d.s.Phase, d.s.Leader, len(Rules{}.View(&d.s, 0).Drawn)), "strong_leader 6 0")
	d.play(2, false)
	d.give(NoConfidence, 3)
	d.give(CloseEye, 3)
	d.send(0, 1, 2)
	d.play(3, true)
	d.want("1.3 also right after No Confidence, a vote taken", fmt.Sprint(d.s.Phase, d.s.Leader, d.s.Attempt), "strong_leader 0 2")
	d.play(2, true)
	d.want("leader", d.s.Leader, 2)
	d.send(0, 1, 2)
	d.want("the match goes on", d.s.Phase, phaseMission)
}

func TestNoConfidence(t *testing.T) {
	setup := func(t *testing.T, c Config, seats ...game.Seat) *desk {
		t.Helper()
		d := openDeck(t, c, slices.Repeat([]Card{NoConfidence}, len(seats)), 7, 0, 1, 2, 3)
		for _, seat := range seats {
			d.on(phaseGive)
			d.give(NoConfidence, seat)
		}
		return d
	}
	t.Run("1.3 no confidence: cancels an approved team and counts as a rejection", func(t *testing.T) {
		d := setup(t, Config{}, 4)
		d.send(0, 1)
		d.want("1.4-6 asked before mission cards", d.s.Phase, phaseNoConfidence)
		d.want("the vote is written", Rules{}.View(&d.s, 0).Votes[0].Approved, true)
		d.play(4, true)
		d.want("1.4-7 the leader passes left, the attempt counts", fmt.Sprint(d.s.Leader, d.s.Attempt, d.s.Phase), "1 2 team")
		d.want("1.5-12 team is null", Rules{}.View(&d.s, 0).Team == nil, true)
		vote := Rules{}.View(&d.s, 0).Votes[0]
		d.want("approved stays true", fmt.Sprint(vote.Approved, *vote.NoConfidence), "true 4")
		d.want("at is null", d.plays(), "establish_confidence 0 1 nothing; no_confidence 4 -1 nothing; ")
		d.want("events", d.kinds, "[card leader]")
		d.want("nobody has played a card", len(d.me(0).Played), 0)
		d.send(0, 1)
		d.want("spent", d.s.Phase, phaseMission)
		d.cards(1)
		d.want("1.4-7 only the mission that went was played", d.me(1).Played, "[{1 false}]")
	})
	t.Run("not after a rejection", func(t *testing.T) {
		d := setup(t, Config{}, 4)
		d.on(phaseTeam)
		d.team(0, 0, 1)
		d.vote()
		d.want("phase", d.s.Phase, phaseTeam)
	})
	t.Run("1.4-7 asked from the leader clockwise, the first use ends it", func(t *testing.T) {
		d := setup(t, Config{}, 5, 3, 2) // the third is given in round 2
		d.on(phaseTeam)
		d.want("leader", d.s.Leader, 1)
		d.send(0, 1, 2)
		d.play(2, false)
		d.play(3, true)
		d.want("ended", d.s.Phase, phaseTeam)
		d.send(0, 1, 2)
		d.want("1.4-5 seat 2 passed for that opportunity only; now from leader 2", d.s.Leader, 2)
		d.play(2, false)
		d.play(5, false)
		d.want("all decline: the mission", d.s.Phase, phaseMission)
	})
	t.Run("1.5-2 two in one hand: one play, one rejection", func(t *testing.T) {
		d := setup(t, Config{}, 4, 4)
		d.send(0, 1)
		d.play(4, true)
		d.want("ended", fmt.Sprint(d.s.Phase, d.s.Attempt), "team 2")
		d.send(0, 1)
		d.play(4, true)
		d.want("attempt", d.s.Attempt, 3)
	})
	t.Run("1.3 no confidence: the fifth wins for the moles", func(t *testing.T) {
		d := setup(t, Config{}, 4)
		d.on(phaseTeam)
		for range 4 {
			d.team(0, 0, 1)
			d.vote()
		}
		d.send(0, 1)
		d.play(4, true)
		d.want("over", d.s.Phase, phaseOver)
		d.want("why", Rules{}.Result(&d.s).Why, "five_rejections")
		d.want("1.5-12 attempt and leader stay", fmt.Sprint(d.s.Attempt, d.s.Leader), "5 4")
		d.want("events", d.kinds, "[card over]")
	})
	t.Run("1.5-3 the leader may play it on his own team", func(t *testing.T) {
		d := setup(t, Config{}, 1, 1)
		d.nextRound()
		d.send(0, 1, 2)
		d.want("leader", d.s.Leader, 1)
		d.play(1, true)
		d.want("leader passes", d.s.Leader, 2)
	})
	t.Run("1.5-13 under targeting the mission is free again", func(t *testing.T) {
		d := setup(t, Config{Targeting: true}, 4)
		d.on(phaseTeam)
		d.team(3, 0, 1, 2)
		d.vote(d.all()...)
		d.play(4, true)
		d.want("mission", Rules{}.View(&d.s, 0).Mission == nil, true)
		d.team(3, 0, 1, 2)
	})
}

func TestSpotlight(t *testing.T) {
	setup := func(t *testing.T, seats ...game.Seat) *desk {
		t.Helper()
		d := openDeck(t, Config{}, slices.Repeat([]Card{Spotlight}, len(seats)), 7, 0, 1, 2, 3)
		for _, seat := range seats {
			d.on(phaseGive)
			d.give(Spotlight, seat)
		}
		return d
	}
	t.Run("1.3 spotlight: a team member plays face up, first", func(t *testing.T) {
		d := setup(t, 4)
		d.send(0, 1)
		d.want("1.4-6 before cards are chosen", d.s.Phase, phaseSpotlight)
		d.want("1.4-8 team members", d.offer(4), `{"list":[{"type":"spotlight","at":0},{"type":"spotlight","at":1},{"type":"spotlight","at":null}]}`)
		d.refuses(4, Action{Kind: ActSpotlight, Target: Target{Seat: 2}}, "at: want one of the seats [0,1], got 2")
		d.refuses(4, Action{Kind: ActSpotlight, Target: Target{Seat: 9}}, "at: want one of the seats 0 to 6, got 9")
		d.name(4, 1)
		d.want("spotlit", Rules{}.View(&d.s, 0).Spotlit, seatsOf(1))
		d.want("1.5-9 the spotlit is due alone", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseMissionOpen, seatsOf(1)))
		d.want("a mole still chooses", d.offer(1), `{"list":[{"type":"mission","success":true},{"type":"mission","success":false}]}`)
		d.cards(1)
		d.want("events", d.kinds, "[openmission]")
		d.want("1.5-9 the others have seen it", Rules{}.View(&d.s, 0).OpenMission, "map[1:false]")
		d.want("his own card too", d.me(1).Played, "[{1 false}]")
		d.want("the others choose then", Rules{}.Due(&d.s), seatsOf(0))
		d.cards()
		mission := Rules{}.View(&d.s, 5).Missions[0]
		d.want("fails count open cards", fmt.Sprint(*mission.Fails, mission.Open, *mission.Result), "1 map[1:false]fail")
		d.want("the light is out", fmt.Sprint(Rules{}.View(&d.s, 0).Spotlit, len(Rules{}.View(&d.s, 0).OpenMission)), "0 0")
		d.want("plays", d.plays(), "establish_confidence 0 1 nothing; spotlight 4 1 nothing; ")
	})
	t.Run("1.5-11 a spotlit agent is asked too", func(t *testing.T) {
		d := setup(t, 4)
		d.send(0, 1)
		d.name(4, 0)
		d.want("offer", d.offer(0), `{"list":[{"type":"mission","success":true}]}`)
		d.refuses(0, Action{Kind: ActMission}, "an agent plays success")
	})
	t.Run("declined", func(t *testing.T) {
		d := setup(t, 4)
		d.send(0, 1)
		d.name(4, declined)
		d.want("phase", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseMission, seatsOf(0, 1)))
		d.want("kept", d.hand(4), "[spotlight]")
	})
	t.Run("1.4-8 not oneself", func(t *testing.T) {
		d := setup(t, 1)
		d.send(0, 1)
		d.want("the other member", d.offer(1), `{"list":[{"type":"spotlight","at":0},{"type":"spotlight","at":null}]}`)
		d.refuses(1, Action{Kind: ActSpotlight, Target: Target{Seat: 1}}, "at: want one of the seats [0], got 1")
	})
	t.Run("1.5-2 with another copy asked again at once, 1.5-9 each names another member", func(t *testing.T) {
		d := setup(t, 4, 4, 5) // the third is given in round 2
		d.send(0, 1, 2)
		d.name(4, 1)
		d.want("again, without the one named", d.offer(4), `{"list":[{"type":"spotlight","at":0},{"type":"spotlight","at":2},{"type":"spotlight","at":null}]}`)
		d.name(4, declined)
		d.name(5, 0)
		d.want("1.5-9 all the spotlit play together", Rules{}.Due(&d.s), seatsOf(0, 1))
		d.cards()
		d.want("then the third", Rules{}.Due(&d.s), seatsOf(2))
	})
	t.Run("1.5-9 the whole team spotlit: no secret step", func(t *testing.T) {
		d := setup(t, 4, 4)
		d.send(0, 1)
		d.name(4, 0)
		d.name(4, 1)
		d.cards(1)
		d.want("scored at once", fmt.Sprint(d.kinds, d.s.Round), "[openmission mission score leader draw] 2")
	})
	t.Run("1.5-2 a holder with nobody left to name is not asked", func(t *testing.T) {
		d := setup(t, 4, 4, 0)
		d.on(phaseTeam)
		d.want("leader", d.s.Leader, 1)
		d.send(0, 1, 2)
		d.name(4, 1)
		d.name(4, 2)
		d.want("seat 0 could name only himself", d.s.Phase, phaseMissionOpen)
	})
}

func TestCloseEye(t *testing.T) {
	setup := func(t *testing.T, draws []Card, seats ...game.Seat) *desk {
		t.Helper()
		d := openDeck(t, Config{}, draws, 7, 0, 1, 2, 3)
		for i, seat := range seats {
			d.on(phaseGive)
			d.give(draws[i], seat)
		}
		return d
	}
	t.Run("1.3 close eye: one card of another, after all are down and before the shuffle", func(t *testing.T) {
		d := setup(t, []Card{CloseEye}, 4)
		d.send(0, 1)
		d.cards(1)
		d.want("1.4-6 before the score", fmt.Sprint(d.s.Phase, len(d.kinds)), "close_eye 0")
		d.want("nothing is revealed yet", Rules{}.View(&d.s, 5).Missions[0].Fails == nil, true)
		d.want("but every member knows his own card", fmt.Sprint(d.me(0).Played, d.me(1).Played), "[{1 true}] [{1 false}]")
		d.want("1.4-8 team members", d.offer(4), `{"list":[{"type":"close_eye","at":0},{"type":"close_eye","at":1},{"type":"close_eye","at":null}]}`)
		d.refuses(4, Action{Kind: ActCloseEye, Target: Target{Seat: 3}}, "at: want one of the seats [0,1], got 3")
		d.name(4, 1)
		d.want("1.4-9 user and target are public", d.plays(), "establish_confidence 0 1 nothing; close_eye 4 1 nothing; ")
		d.want("1.5-10 the content goes to the user only", d.heard(), []game.Seats{seatsOf(4)})
		d.want("peeks", d.me(4).Peeks, "[{1 1 1 false}]")
		d.want("others see none", len(d.me(0).Peeks), 0)
		d.want("then the score", d.kinds, "[card seencard mission score leader draw]")
	})
	t.Run("declined", func(t *testing.T) {
		d := setup(t, []Card{CloseEye}, 4)
		d.send(0, 1)
		d.cards()
		d.name(4, declined)
		d.want("events", d.kinds, "[mission score leader draw]")
		d.want("1.4-5 a pass binds for this mission only", d.hand(4), "[close_eye]")
		d.send(0, 1, 2)
		d.cards()
		d.want("asked again at the next mission", Rules{}.Due(&d.s), seatsOf(4))
	})
	t.Run("1.4-8 not one's own card, 1.5-3 a member may use it", func(t *testing.T) {
		d := setup(t, []Card{CloseEye}, 1)
		d.send(0, 1)
		d.cards(1)
		d.want("the other member", d.offer(1), `{"list":[{"type":"close_eye","at":0},{"type":"close_eye","at":null}]}`)
		d.refuses(1, Action{Kind: ActCloseEye, Target: Target{Seat: 1}}, "at: want one of the seats [0], got 1")
	})
	t.Run("1.3 close eye: each card is seen once, 1.5-2 asked again at once", func(t *testing.T) {
		d := setup(t, []Card{CloseEye, CloseEye, CloseEye}, 4, 4, 5)
		d.send(0, 1, 2)
		d.cards(1, 2)
		d.name(4, 1)
		d.want("without the one seen", d.offer(4), `{"list":[{"type":"close_eye","at":0},{"type":"close_eye","at":2},{"type":"close_eye","at":null}]}`)
		d.name(4, 2)
		d.want("the next holder has what is left", d.offer(5), `{"list":[{"type":"close_eye","at":0},{"type":"close_eye","at":null}]}`)
		d.name(5, 0)
		d.want("peeks of 4", d.me(4).Peeks, "[{2 2 1 false} {2 2 2 false}]")
		d.want("peeks of 5", d.me(5).Peeks, "[{2 2 0 true}]")
	})
	t.Run("1.4-8 a face-up card is not wasted on", func(t *testing.T) {
		d := setup(t, []Card{CloseEye, Spotlight}, 4, 5)
		d.send(0, 1)
		d.name(5, 1)
		d.cards(1)
		d.cards()
		d.want("the secret card alone", d.offer(4), `{"list":[{"type":"close_eye","at":0},{"type":"close_eye","at":null}]}`)
	})
	t.Run("1.5-2 all open: nobody left to name, nobody asked", func(t *testing.T) {
		d := setup(t, []Card{CloseEye, Spotlight, Spotlight}, 4, 5, 5)
		d.send(0, 1, 4)
		d.name(5, 0)
		d.name(5, 1)
		d.cards()
		d.cards()
		d.want("seat 4 could name only himself", fmt.Sprint(d.s.Round, d.s.Phase), "3 give")
	})
	t.Run("1.4-9 peeks name round and mission under targeting", func(t *testing.T) {
		d := openDeck(t, Config{Targeting: true}, []Card{CloseEye}, 7, 0, 1, 2, 3)
		d.give(CloseEye, 4)
		d.on(phaseTeam)
		d.team(3, 0, 1, 2)
		d.vote(d.all()...)
		d.cards(2)
		d.name(4, 2)
		d.want("peeks", d.me(4).Peeks, "[{1 3 2 false}]")
	})
}

// 1.5: the order of a mission round, with every window open.
func TestOrderOfARound(t *testing.T) {
	c := Config{TalkRounds: 1, VoteTalkRounds: 1}
	d := openDeck(t, c, []Card{
		StrongLeader, NoConfidence, Spotlight, CloseEye, OpinionMaker, StrongLeader, Overheard, OpenUp, TakeResponsibility,
	}, 9, 0, 1, 2, 3)
	for _, g := range []struct {
		card Card
		to   game.Seat
	}{{StrongLeader, 4}, {NoConfidence, 5}, {Spotlight, 6}} {
		d.give(g.card, g.to)
	}
	d.on(phaseMission)
	d.cards()
	d.play(4, false)
	for _, g := range []struct {
		card Card
		to   game.Seat
	}{{CloseEye, 7}, {OpinionMaker, 8}, {StrongLeader, 4}} {
		d.give(g.card, g.to)
	}
	d.on(phaseMission)
	d.cards(1)
	d.on(phaseStrongLeader)
	var phases []string
	for d.s.Round == 3 && len(phases) < 40 {
		if p := d.s.Phase.String(); len(phases) == 0 || phases[len(phases)-1] != p {
			phases = append(phases, p)
		}
		if d.s.Phase == phaseSpotlight {
			d.name(6, 0)
		} else {
			d.any()
		}
	}
	d.want("1.4-6 and 1.5 order", strings.Join(phases, " "), "strong_leader give look give show give take talk team vote_talk vote_open "+
		"vote no_confidence spotlight mission_open mission close_eye")
}

func TestPriority(t *testing.T) {
	t.Run("1.3 priority: leader first, then clockwise", func(t *testing.T) {
		d := openDeck(t, Config{}, slices.Repeat([]Card{NoConfidence}, 6), 9, 0, 1, 2, 3)
		for _, to := range []game.Seat{8, 5, 1} {
			d.give(NoConfidence, to)
		}
		d.send(0, 1, 2)
		for _, seat := range []game.Seat{1, 5, 8} {
			d.play(seat, false)
		}
		d.want("a pass is final for the opportunity", d.s.Phase, phaseMission)
		d.cards()
		d.want("leader", d.s.Leader, 1)
		for _, to := range []game.Seat{0, 0, 0} {
			d.give(NoConfidence, to)
		}
		d.send(0, 1, 2, 3)
		for _, seat := range []game.Seat{1, 5, 8, 0} {
			d.play(seat, false)
		}
	})
	t.Run("1.4-5 a pass binds for that opportunity only", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{NoConfidence, CloseEye}, 7, 0, 1, 2, 3)
		d.give(NoConfidence, 4)
		d.give(CloseEye, 4)
		d.send(0, 1)
		d.play(4, false)
		d.cards()
		d.want("asked for Close Eye", Rules{}.Due(&d.s), seatsOf(4))
		d.want("passed is not told", Rules{}.View(&d.s, 0).Passed, 0)
	})
}

func TestPassBindsForTheRound(t *testing.T) {
	c := Config{PassBinds: everyRound}
	d := openDeck(t, c, []Card{NoConfidence, CloseEye, NoConfidence, Spotlight}, 7, 0, 1, 2, 3)
	d.give(NoConfidence, 4)
	d.give(CloseEye, 4)
	d.send(0, 1)
	d.play(4, false)
	d.want("passed", Rules{}.View(&d.s, 0).Passed, seatsOf(4))
	d.cards()
	d.want("pass_binds round: not asked for Close Eye", d.s.Phase, phaseGive)
	d.want("a new round clears it", Rules{}.View(&d.s, 0).Passed, 0)
	d.give(NoConfidence, 5)
	d.give(Spotlight, 5)
	d.send(0, 1, 2)
	d.play(4, false)
	d.play(5, true)
	d.want("attempt 2", d.s.Attempt, 2)
	d.send(0, 1, 2)
	d.want("seat 4 is bound still, seat 5 who played is not", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseSpotlight, seatsOf(5)))
	d.name(5, declined)
	d.want("two are bound", Rules{}.View(&d.s, game.Spectator).Passed, seatsOf(4, 5))
	d.cards()
	d.want("no Close Eye either", d.s.Round, 3)
}

func TestPassBindsAfterTheStrongLeaderWindow(t *testing.T) {
	for _, window := range []string{everyRound, everyLeader} {
		t.Run(window, func(t *testing.T) {
			c := Config{PassBinds: everyRound, StrongLeaderWindow: window, TalkRounds: 1}
			d := openDeck(t, c, []Card{StrongLeader, NoConfidence}, 7, 0, 1, 2, 3)
			d.give(StrongLeader, 4)
			d.give(NoConfidence, 4)
			d.nextRound()
			d.play(4, false)
			d.on(phaseTeam)
			d.team(0, 0, 1, 2)
			d.vote()
			d.want("no window for him at the next leader", d.s.Phase, phaseTalk)
			d.send(0, 1, 2)
			d.want("nor for No Confidence", d.s.Phase, phaseMission)
		})
	}
}
